//! The cases of `tests/data/repetition.tsv` and `draws.tsv`, each judged by the rule set it names.

use std::collections::BTreeMap;

use chuhe::board::{Position, Side};
use chuhe::referee::Record;
use chuhe::rules::{RuleSet, Rules, is_innocent, judge};

struct Case {
    fen: String,
    moves: String,
    verdict: String,
    set: String,
    /// Length in plies of the loop at the end of the moves; 0 if the notes do not say.
    loop_plies: usize,
}

fn cases(text: &str) -> Vec<Case> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let mut columns = line.split('\t').map(str::to_owned);
            let mut next = || columns.next().unwrap();
            let (fen, moves, verdict, set, notes) = (next(), next(), next(), next(), next());
            let loop_plies = notes.split("loop=").nth(1).and_then(|rest| rest.split(';').next()?.trim().parse().ok());
            Case { fen, moves, verdict, set, loop_plies: loop_plies.unwrap_or(0) }
        })
        .collect()
}

fn play(fen: &str, moves: &str) -> Vec<Position> {
    Record::read(fen, moves).unwrap_or_else(|error| panic!("{error}: {fen} {moves}")).positions().to_vec()
}

fn words(history: &[Position], rules: &Rules) -> &'static str {
    match judge(history, rules).map(|verdict| verdict.loser) {
        None => "none",
        Some(None) => "draw",
        Some(Some(Side::Red)) => "red loses",
        Some(Some(Side::Black)) => "black loses",
    }
}

/// Returns the number of cases judged and the differences, by rule set.
fn compare(text: &str, rules_of: impl Fn(&str) -> Option<Rules>) -> BTreeMap<String, (usize, Vec<String>)> {
    let mut results: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for case in cases(text) {
        let Some(rules) = rules_of(&case.set) else { continue };
        let (count, wrong) = results.entry(case.set.clone()).or_default();
        *count += 1;
        let ours = words(&play(&case.fen, &case.moves), &rules);
        if ours != case.verdict {
            wrong.push(format!("{} moves {}: {} expected, {ours} judged", case.fen, case.moves, case.verdict));
        }
    }
    results
}

#[test]
fn every_loop_is_judged_as_the_cases_say() {
    let results = compare(include_str!("data/repetition.tsv"), |set| match set {
        "asian" | "asian-disputed" => Some(RuleSet::Asian.rules().judging_at(2)),
        "ucci-league" => Some(RuleSet::League.rules()),
        "chinese-1999" | "chinese-approx" => Some(RuleSet::Chinese.rules().judging_at(2)),
        "pikafish-2026" => Some(RuleSet::Pikafish.rules().judging_at(2)),
        _ => None,
    });
    for (set, (count, wrong)) in &results {
        println!("{set}: {} of {count} agree", count - wrong.len());
        for line in wrong {
            println!("  {line}");
        }
    }
    for set in ["asian", "ucci-league", "chinese-1999", "pikafish-2026"] {
        assert!(results[set].1.is_empty(), "{set}: {:#?}", results[set].1);
    }
    assert_eq!((results["asian"].0, results["ucci-league"].0, results["pikafish-2026"].0), (147, 149, 8));
}

#[test]
#[cfg_attr(miri, ignore = "thousands of games")]
fn loops_of_random_games_are_judged_as_other_judges_do() {
    let (mut judged, mut wrong) = ([0; 2], Vec::new());
    for line in include_str!("data/loops.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [fen, moves, pikafish, _, _, asian] = columns[..] else { panic!("{line}") };
        let history = play(fen, moves);
        for (index, (set, expected)) in [(RuleSet::Pikafish, pikafish), (RuleSet::Asian, asian)].into_iter().enumerate()
        {
            if expected == "-" {
                continue;
            }
            judged[index] += 1;
            let ours = words(&history, &set.rules());
            if ours != expected {
                wrong.push(format!("{set:?}: {expected} expected, {ours} judged: {fen} moves {moves}"));
            }
        }
    }
    println!("{judged:?} judged, {} otherwise", wrong.len());
    assert!(wrong.is_empty(), "{} otherwise: {:#?}", wrong.len(), &wrong[..wrong.len().min(10)]);
    assert_eq!(judged, [5_000, 4_799]);
}

/// Returns the verdict of the Asian rules on a game that ends with the second occurrence of its position.
fn asian(fen: &str, moves: &str) -> &'static str {
    words(&play(fen, moves), &RuleSet::Asian.rules().judging_at(2))
}

#[test]
fn a_piece_that_moves_to_attack_what_is_attacked_threatens_anew() {
    // A second rook joins the attack on the horse each time, while the first one attacks it already.
    let joined = asian("1RC1k4/9/4n3R/9/9/9/9/4B4/r8/4K4 w", "b9b7 e7f9 b7b9 f9e7");
    assert_eq!(joined, "red loses");
    let joined = asian("5k3/2r6/9/9/9/9/9/9/9/3NK1cr1 w", "d0c2 h0h2 c2d0 h2h0");
    assert_eq!(joined, "black loses");
}

#[test]
fn a_piece_that_only_joins_an_attack_threatens_nothing_anew() {
    // The king uncovers one rook after the other, and both attack the same cannon.
    let joined = asian("3c1k3/9/3R5/9/9/9/3cR4/9/4A4/3K1A3 w", "d0e0 d9e9 e0d0 e9d9");
    assert_eq!(joined, "draw");
    // A rook opens the line for another one, which attacks the cannon in its place; the advisor chases the rooks.
    let replaced = asian("3akab2/c2R1R3/4b4/9/9/9/9/4B4/4K4/2B5c w", "d8d6 d9e8 d6d8 e8d9");
    assert_eq!(replaced, "black loses");
    let chased = asian("9/9/5k3/1P7/9/1r7/9/cp6B/3K5/9 w", "i2g4 a2a4 g4i2 a4a2");
    assert_eq!(chased, "black loses");
}

#[test]
fn a_threat_that_a_check_only_interrupted_is_not_new() {
    let answered = asian("5k3/9/9/9/9/9/7r1/9/2nRA3c/4K4 w", "e1f0 i1i0 f0e1 i0i1");
    assert_eq!(answered, "draw");
}

#[test]
fn by_the_chinese_rules_no_king_attacks_and_no_threat_that_stands_is_new() {
    for (fen, moves) in [
        // The king moves out of check. The rook could have taken the horse all along.
        ("5k3/9/9/5N3/9/9/6R2/4K2p1/6n2/9 w - - 0 1", "e2d2 g1i0 d2e2 i0g1 e2d2"),
        // Apart from the checks, only a king could capture anything.
        ("4C4/4k4/9/9/6r2/9/7N1/5K3/4C4/6r2 b - - 0 1", "g5g2 f2f1 g2g5 f1f2"),
        ("4k4/4N4/4c4/9/2p6/9/9/9/3K5/3n5 w - - 0 1", "e8c9 e7g7 c9e8 g7e7"),
    ] {
        assert_eq!(words(&play(fen, moves), &RuleSet::Chinese.rules().judging_at(2)), "draw", "{fen} {moves}");
    }
}

#[test]
fn draws_without_a_loop_are_judged_as_the_cases_say() {
    let results =
        compare(include_str!("data/draws.tsv"), |set| (set == "ucci-league").then(|| RuleSet::League.rules()));
    assert!(results["ucci-league"].1.is_empty(), "{:#?}", results["ucci-league"].1);
}

/// Returns the loops of one rule set: position, moves that lead to the loop, and moves of the loop.
fn loops(set: &str) -> Vec<(String, String, Vec<String>)> {
    let cases = cases(include_str!("data/repetition.tsv"));
    let found: Vec<_> = cases
        .into_iter()
        .filter(|case| case.set == set && case.loop_plies > 0)
        .map(|case| {
            let moves: Vec<String> = case.moves.split(' ').map(str::to_owned).collect();
            let (approach, circle) = moves.split_at(moves.len() - case.loop_plies);
            (case.fen, approach.join(" "), circle.to_vec())
        })
        .collect();
    assert!(found.len() > 100, "{set}: {} loops", found.len());
    found
}

/// Returns the moves of an approach, then `rounds` rounds of the loop, then `further` plies of it.
fn walked(approach: &str, circle: &[String], rounds: usize, further: usize) -> String {
    let plies = rounds * circle.len() + further;
    let moves: Vec<&str> = circle.iter().cycle().take(plies).map(String::as_str).collect();
    format!("{approach} {}", moves.join(" "))
}

#[test]
fn the_asian_verdict_does_not_depend_on_where_or_how_late_the_loop_is_closed() {
    let rules = RuleSet::Asian.rules();
    for (fen, approach, circle) in loops("asian") {
        let at_second = words(&play(&fen, &walked(&approach, &circle, 1, 0)), &rules.judging_at(2));
        for occurrence in [3, 4] {
            let history = play(&fen, &walked(&approach, &circle, occurrence - 1, 0));
            assert_eq!(words(&history, &rules.judging_at(occurrence)), at_second, "{fen} {circle:?} {occurrence}");
        }
        for further in 1..circle.len() {
            let history = play(&fen, &walked(&approach, &circle, 1, further));
            assert_eq!(words(&history, &rules.judging_at(2)), at_second, "{fen} {circle:?} + {further}");
        }
    }
}

#[test]
fn a_loop_is_judged_however_often_it_was_walked() {
    for (set, rules) in [("asian", RuleSet::Asian.rules()), ("ucci-league", RuleSet::League.rules())] {
        let rules = rules.with_limit(2000);
        for (fen, approach, circle) in loops(set) {
            let verdict = words(&play(&fen, &walked(&approach, &circle, 1, 0)), &rules.judging_at(2));
            let rounds = 200 / circle.len();
            let history = play(&fen, &walked(&approach, &circle, rounds, 0));
            assert_eq!(words(&history, &rules.judging_at(rounds + 1)), verdict, "{set}: {fen} {circle:?}");
        }
    }
}

#[test]
fn the_asian_verdict_does_not_depend_on_left_and_right_or_on_colours() {
    let rules = RuleSet::Asian.rules().judging_at(2);
    for (fen, approach, circle) in loops("asian") {
        let history = play(&fen, &walked(&approach, &circle, 1, 0));
        let verdict = words(&history, &rules);
        let mirrored: Vec<Position> = history.iter().map(Position::mirrored).collect();
        assert_eq!(words(&mirrored, &rules), verdict, "{fen} {circle:?}");
        let swapped: Vec<Position> = history.iter().map(Position::colours_swapped).collect();
        assert_eq!(words(&swapped, &rules), other_side(verdict), "{fen} {circle:?}");
    }
}

#[test]
fn the_league_verdict_keeps_under_mirror_and_in_all_but_one_loop_under_exchange_of_colours() {
    let rules = RuleSet::League.rules();
    let mut changed = Vec::new();
    for (fen, approach, circle) in loops("ucci-league") {
        let history = play(&fen, &walked(&approach, &circle, 3, 0));
        let verdict = words(&history, &rules);
        let mirrored: Vec<Position> = history.iter().map(Position::mirrored).collect();
        assert_eq!(words(&mirrored, &rules), verdict, "{fen} {circle:?}");
        let swapped: Vec<Position> = history.iter().map(Position::colours_swapped).collect();
        if words(&swapped, &rules) != other_side(verdict) {
            changed.push(fen);
        }
    }
    assert!(changed.len() <= 1, "the order in which the league looks decides in {changed:?}");
}

#[test]
fn whoever_loses_by_a_loop_played_no_innocent_move_in_it() {
    let mut innocent = 0;
    for (set, rules) in [
        ("asian", RuleSet::Asian.rules()),
        ("asian", RuleSet::Chinese.rules()),
        ("ucci-league", RuleSet::League.rules()),
    ] {
        for (fen, approach, circle) in loops(set) {
            let history = play(&fen, &walked(&approach, &circle, 1, 0));
            let loser = judge(&history, &rules.judging_at(2)).and_then(|verdict| verdict.loser);
            for (position, text) in history[history.len() - 1 - circle.len()..].iter().zip(&circle) {
                let is_good = is_innocent(position, text.parse().unwrap());
                assert!(!is_good || loser != Some(position.side()), "{fen} {circle:?}: {text} loses");
                innocent += usize::from(is_good);
            }
        }
    }
    assert!(innocent > 500, "{innocent}");
}

fn other_side(verdict: &'static str) -> &'static str {
    match verdict {
        "red loses" => "black loses",
        "black loses" => "red loses",
        other => other,
    }
}
