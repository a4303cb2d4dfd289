//! The search through its public interface: it finds mates and draws, respects its limits, and is deterministic.
#![cfg(feature = "engine")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use chuhe::board::{Move, Position, Variant};
use chuhe::referee::Record;
use chuhe::rules::{Ending, RuleSet, Rules, judge};
use chuhe::score::Score;
use chuhe::search::{Bound, Iteration, Limits, Observer, Outcome, Pruning, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;

/// Reads a game; the search starts from its last position.
fn game(fen: &str, moves: &str) -> Vec<Position> {
    Record::read(fen, moves).unwrap_or_else(|error| panic!("{error}: {fen} {moves}")).positions().to_vec()
}

fn context(history: Vec<Position>, limits: Limits) -> SearchContext {
    let table = Arc::new(Table::new(4).unwrap());
    SearchContext { limits, rules: RuleSet::Asian.rules(), ..SearchContext::new(table, history) }
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn search(fen: &str, depth: u32) -> Outcome {
    Searcher::new(0).think(&context(game(fen, ""), to_depth(depth)), &mut Silent)
}

const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

/// Whether the side to move can force mate (or stalemate) in this many plies, by exhaustive search.
fn forces_mate(position: &Position, plies: usize) -> bool {
    plies > 0
        && position.legal_moves().into_iter().any(|mv| {
            let answers = position.play(mv).legal_moves();
            let reply = |answer| position.play(mv).play(answer);
            plies > 1 && answers.iter().all(|&answer| forces_mate(&reply(answer), plies - 2)) || answers.is_empty()
        })
}

#[test]
fn mates_are_found_as_early_as_by_trying_everything_and_their_lines_end_in_mate() {
    let cases = [
        "3k5/9/9/9/9/9/9/9/4R4/4K4 w",
        "3k5/5P3/9/9/9/9/9/9/9/4K4 w",
        "4k4/9/9/9/9/9/9/R8/1R7/3K5 w",
        "3ak4/9/4P4/9/9/9/9/9/9/R2K5 w",
        "4k4/4a4/9/6N2/9/9/9/9/9/R2K5 w",
        "4kab2/9/9/9/9/9/9/3C5/9/R2K4R w",
        "2b1k4/9/4b4/9/9/9/9/9/R8/1R1K5 w",
    ];
    // A search that prunes by static evaluation may need more depth, or may find a longer mate first and end with its proof.
    let grades = [(Pruning::None, 8, 0), (Pruning::Large, 12, 2)];
    for (fen, (pruning, depth, later)) in cases.into_iter().flat_map(|fen| grades.map(|grade| (fen, grade))) {
        let root = Position::from_fen(fen).unwrap();
        let shortest = [1, 3, 5].into_iter().find(|&plies| forces_mate(&root, plies)).expect("a mate in three");
        let mut context = context(game(fen, ""), to_depth(depth));
        context.plan.pruning = pruning;
        let outcome = Searcher::new(0).think(&context, &mut Silent);
        let allowed = Score::mate_in(shortest + later)..=Score::mate_in(shortest);
        assert!(allowed.contains(&outcome.score), "{pruning:?} {fen}: {outcome:?}");
        let line: Vec<String> = outcome.pv.iter().map(Move::to_string).collect();
        let verdict = judge(&game(fen, &line.join(" ")), &RuleSet::Asian.rules());
        assert!(
            verdict.is_some_and(|verdict| matches!(verdict.ending, Ending::Checkmate | Ending::Stalemate)),
            "{fen}: {line:?}"
        );
    }
}

#[test]
fn a_stalemate_is_seen_at_once_even_if_its_victim_stands_well_enough() {
    // Red can take the elephant, or move to e8: then the elephant's eye is blocked, the king has no square, and black loses.
    let fen = "3k5/1P7/bP2P4/1P7/9/9/9/9/9/4K4 w";
    for depth in 1..=3 {
        let outcome = search(fen, depth);
        assert_eq!(outcome.score, Score::mate_in(1), "depth {depth}: {outcome:?}");
    }
}

#[test]
fn the_quiet_move_that_repeats_for_a_draw_is_never_left_out() {
    // Black is a rook down, and its king's move back, the last in its move list, makes the third occurrence.
    let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    for depth in 2..=8 {
        let mut context = context(game(fen, "a0a1 e9e8 a1a0 e8e9 a0a1 e9e8"), to_depth(depth));
        context.root_moves.retain(|mv| mv.to_string() == "a1a0");
        let outcome = Searcher::new(0).think(&context, &mut Silent);
        assert_eq!(outcome.score, Score::DRAW, "depth {depth}: {outcome:?}");
    }
}

#[test]
fn the_same_search_takes_the_same_nodes() {
    let first = search(MIDDLE_GAME, 8);
    assert_eq!(search(MIDDLE_GAME, 8), first);

    let mut searcher = Searcher::new(0);
    for _ in 0..2 {
        searcher.new_game();
        assert_eq!(searcher.think(&context(game(MIDDLE_GAME, ""), to_depth(8)), &mut Silent), first);
    }
}

#[test]
fn a_node_limit_is_kept_to_the_node() {
    for nodes in [1, 100, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let context = context(game(MIDDLE_GAME, ""), limits);
        let outcome = Searcher::new(0).think(&context, &mut Silent);
        assert_eq!(outcome.nodes, nodes);
        assert_eq!(context.counters.total(), nodes);
    }
}

#[test]
fn only_root_moves_are_answered() {
    let mut context = context(game("3k5/9/9/9/9/9/9/9/4R4/4K4 w", ""), to_depth(6));
    context.root_moves.retain(|mv| !["e1d1", "e1e8"].contains(&mv.to_string().as_str()));
    let outcome = Searcher::new(0).think(&context, &mut Silent);
    assert!(context.root_moves.contains(&outcome.pv[0]), "{outcome:?}");
    assert!(outcome.score > Score::mate_in(2) - 1 - 20, "still a mate, only later: {outcome:?}");
}

#[test]
fn a_stopped_search_still_finishes_its_first_iteration() {
    let context = context(game(MIDDLE_GAME, ""), Limits::default());
    context.stop.raise();
    let outcome = Searcher::new(0).think(&context, &mut Silent);
    assert_eq!(outcome.depth, 1);
    assert!(context.root().is_legal(outcome.pv[0]));
}

#[test]
fn the_stop_flag_ends_a_search_at_once() {
    let context = Arc::new(context(game(MIDDLE_GAME, ""), Limits::default()));
    let thinking = std::thread::spawn({
        let context = context.clone();
        move || Searcher::new(0).think(&context, &mut Silent)
    });
    std::thread::sleep(Duration::from_millis(100));
    context.stop.raise();
    let stopped = Instant::now();
    let outcome = thinking.join().unwrap();
    assert!(stopped.elapsed() < Duration::from_secs(2), "{:?}", stopped.elapsed());
    assert!(context.root().is_legal(outcome.pv[0]));
}

#[derive(Default)]
struct Collect(Vec<Iteration>);

impl Observer for Collect {
    fn iteration(&mut self, iteration: Iteration) {
        self.0.push(iteration);
    }
}

#[test]
fn a_move_that_has_failed_high_is_the_answer_until_more_is_known() {
    let mut others = 0;
    let openings = include_str!("data/openings.epd").lines().filter(|line| !line.starts_with('#')).take(24);
    for fen in openings.chain([MIDDLE_GAME]) {
        let fen = &fen.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        let mut reports = Collect::default();
        Searcher::new(0).think(&context(game(fen, ""), to_depth(8)), &mut reports);
        for pair in reports.0.windows(2) {
            let [before, high] = pair else { unreachable!("windows of two") };
            if high.bound != Bound::Lower {
                continue;
            }
            // The search is stopped at the first node of the re-search.
            let limits = Limits { nodes: Some(high.nodes + 1), ..Limits::default() };
            let outcome = Searcher::new(0).think(&context(game(fen, ""), limits), &mut Silent);
            assert_eq!((outcome.pv[0], outcome.score), (high.pv[0], high.score), "{fen}: {high:?}");
            others += usize::from(high.pv[0] != before.pv[0]);
        }
    }
    assert!(others >= 3, "{others} of the moves that failed high were not thought best before");
}

#[test]
fn iterations_come_in_order_with_legal_lines() {
    let mut collected = Collect::default();
    Searcher::new(0).think(&context(game(MIDDLE_GAME, ""), to_depth(9)), &mut collected);
    assert!(collected.0.iter().map(|iteration| iteration.depth).is_sorted());
    assert_eq!(collected.0.last().map(|iteration| iteration.depth), Some(9));
    for iteration in collected.0 {
        let line: Vec<String> = iteration.pv.iter().map(Move::to_string).collect();
        game(MIDDLE_GAME, &line.join(" ")); // asserts that each move is legal
        assert!(iteration.best_move_permille <= 1000);
    }
}

#[test]
fn a_cannon_without_advisors_wins_nothing_unless_at_once() {
    for fen in [
        "4k4/9/9/9/9/9/9/9/C8/3K5 w",
        "4k4/4a4/9/9/9/9/9/9/C8/3K5 w",
        "4k4/4a4/9/9/9/9/9/4B4/C8/3K5 w",
        "4k4/9/4b4/9/c8/9/9/9/7C1/3K5 w",
        "4ka3/4a4/9/9/9/9/9/9/9/3K2C2 b",
    ] {
        assert_eq!(search(fen, 6).score, Score::DRAW, "{fen}");
    }
    assert!(search("4ka3/4a4/9/9/9/9/9/9/9/3K2C2 w", 6).score.is_mate());
    assert!(search("4k4/9/9/9/9/9/9/9/C3A4/3K5 w", 6).score > Score::DRAW, "with an advisor it may win");
}

#[test]
fn bare_advisors_win_only_by_promotion() {
    let fen = "3k5/9/9/9/9/9/9/9/9/3AKA3 w";
    let search_in = |variant| {
        let root = Position::from_fen_in(fen, variant).unwrap();
        Searcher::new(0).think(&context(vec![root], to_depth(8)), &mut Silent)
    };
    let (standard, promotion) = (search_in(Variant::Standard), search_in(Variant::Promotion));
    assert_eq!(standard.score, Score::DRAW);
    assert!(promotion.score > Score::from_eval(30), "{promotion:?}");
    assert!(promotion.pv.iter().any(|mv| mv.is_promotion()), "{promotion:?}");
}

/// A game in which red, otherwise lost, gives perpetual check. That loses, so red must avoid the third occurrence.
const CHECKING: (&str, &str) = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8");

#[test]
fn a_perpetual_check_about_to_be_judged_is_a_loss() {
    let (fen, moves) = CHECKING;
    let only_check = |moves: &str| {
        let mut context = context(game(fen, moves), to_depth(6));
        context.root_moves = vec!["e0f0".parse().unwrap()];
        Searcher::new(0).think(&context, &mut Silent).score
    };
    assert_eq!(only_check(moves), Score::banned_in(2));
    assert!(only_check("f0e0 e8f8") > Score::banned_in(2), "the first time round there is a way out");
}

#[test]
fn the_side_that_is_checked_for_ever_lets_it_happen() {
    let (fen, moves) = CHECKING;
    let context = context(game(fen, &format!("{moves} e0f0")), to_depth(6));
    let outcome = Searcher::new(0).think(&context, &mut Silent);
    assert!(outcome.score >= -Score::banned_in(6), "{outcome:?}");
}

#[test]
fn nobody_wins_by_a_loop_that_the_other_side_may_still_leave_or_that_the_referee_sees_as_a_whole() {
    // Each game is about to repeat a position. In the first, the checking side can still mate; in the others, the part of
    // the loop since the last occurrence has another verdict than the whole loop that is judged.
    let cases = [
        ("9/4k4/9/9/1R7/9/9/9/9/3K1R1r1 w", "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0", RuleSet::League, "f8e8"),
        ("9/2r1R4/3k5/9/2b2n3/9/9/9/3C5/3K5 w", "e8h8 c8c7 h8e8 c7c8 e8d8 d7e7 d8e8", RuleSet::Asian, "e7d7"),
        ("3k5/9/9/9/9/5p3/9/5p3/5K3/5C3 w", "f1e1 f4e4 f0e0 e4f4 e0f0 f2e2 e1f1 e2f2", RuleSet::Asian, "f1e1"),
        ("9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w", "e3d3 d6f6 d3b3 f6d6 b3d3 d6e6 d3e3 e6d6", RuleSet::Asian, "e3d3"),
    ];
    for (fen, moves, rules, trap) in cases {
        for depth in 2..=8 {
            let mut context = context(game(fen, moves), to_depth(depth));
            context.rules = rules.rules();
            let outcome = Searcher::new(0).think(&context, &mut Silent);
            assert_ne!(outcome.pv[0].to_string(), trap, "{rules:?}, depth {depth}, {fen}: {outcome:?}");
            let answer = context.root().play(outcome.pv[0]).legal_moves();
            let mates = answer.iter().any(|&mv| !context.root().play(outcome.pv[0]).play(mv).has_legal_move());
            assert!(!mates || outcome.score < Score::DRAW, "{rules:?}, depth {depth}, {fen}: {outcome:?}");
        }
    }
}

#[test]
fn composed_positions_with_pawns_on_their_own_back_ranks_are_searched() {
    for fen in ["3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w", "4k1p2/9/2p5p/9/9/9/9/P7P/4P4/2P2K3 b"] {
        let position = Position::from_fen(fen).unwrap();
        for position in [position, position.colours_swapped()].into_iter().flat_map(|one| [one, one.mirrored()]) {
            let outcome = Searcher::new(0).think(&context(vec![position], to_depth(5)), &mut Silent);
            assert!(position.is_legal(outcome.pv[0]), "{}", position.to_fen());
        }
    }
}

#[test]
fn on_the_last_ply_before_the_limit_a_stalemate_wins_only_where_the_rules_look_for_it_first() {
    let fen = "5k3/P1R6/9/1N7/4P3P/8P/9/7NB/9/3K1A3 w - - 99 60";
    let search = |rules: RuleSet, limit: u16| {
        let mut context = context(game(fen, ""), to_depth(5));
        context.rules = rules.rules().with_limit(limit);
        Searcher::new(0).think(&context, &mut Silent)
    };
    let [league, asian] = [RuleSet::League, RuleSet::Asian].map(|rules| search(rules, 100));
    assert_eq!(asian.score, Score::mate_in(1), "{asian:?}");
    let after = [game(fen, ""), vec![game(fen, "")[0].play(asian.pv[0])]].concat();
    assert!(matches!(judge(&after, &RuleSet::League.rules()).unwrap().ending, Ending::MoveLimit), "{asian:?}");
    assert_ne!(league.score, Score::mate_in(1), "{league:?}");
}

#[test]
fn no_counter_is_so_high_that_it_ends_a_game_without_a_limit() {
    for count in [0, 119, 65_533, 65_535, 70_000] {
        let fen = format!("4k4/9/9/9/9/9/R8/1R7/9/3K5 w - - {count} 60");
        for set in RuleSet::ALL {
            let mut context = context(game(&fen, ""), to_depth(6));
            context.rules = set.rules().without_limit();
            let outcome = Searcher::new(0).think(&context, &mut Silent);
            assert_eq!(outcome.score, Score::mate_in(3), "{set:?} {count}: {outcome:?}");
        }
    }
}

#[test]
fn a_repetition_draws_when_nobody_checks() {
    // Black is a rook down and can repeat; red must prevent the third occurrence.
    let shuffle = "h0g2 b9c7 g2h0 c7b9 h0g2 b9c7 g2h0";
    let fen = "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let context = context(game(fen, shuffle), to_depth(6));
    let outcome = Searcher::new(0).think(&context, &mut Silent);
    assert_eq!(outcome.pv[0].to_string(), "c7b9", "{outcome:?}");
    assert_eq!(outcome.score, Score::DRAW);
}

/// A line of `tests/data/perpetuals.tsv`: a loop about to continue, and whether to continue it under each rule set.
struct Perpetual {
    history: Vec<Position>,
    loop_move: Move,
    plays_it: [(RuleSet, bool); 3],
}

fn perpetuals() -> Vec<Perpetual> {
    let lines = include_str!("data/perpetuals.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let plays = |column: usize| match columns[column] {
                "plays" => true,
                "avoids" => false,
                other => panic!("{other}"),
            };
            Perpetual {
                history: game(columns[0], columns[1]),
                loop_move: columns[2].parse().unwrap(),
                plays_it: [(RuleSet::Asian, plays(4)), (RuleSet::League, plays(5)), (RuleSet::AlwaysDraw, plays(6))],
            }
        })
        .collect()
}

/// Returns the game with the loop that `mv` closes repeated so often that the next repetition is the one the referee
/// judges. The cases end just before the third occurrence.
fn up_to_the_verdict(history: &[Position], mv: Move, rules: &Rules) -> Vec<Position> {
    let mut line = history.to_vec();
    let closed = line[line.len() - 1].key_after(mv);
    let start = line.iter().rposition(|earlier| earlier.key() == closed).expect("the move closes a loop");
    let wanted = line.len() + (rules.occurrences() - 3) * (line.len() - start);
    // At the end of the game the loop continues with `mv`, which leads back to its beginning.
    for index in start.. {
        if line.len() == wanted {
            break;
        }
        let last = line[line.len() - 1];
        let next = line[index].key();
        let mv = last.legal_moves().into_iter().find(|&mv| last.key_after(mv) == next).expect("a move of the loop");
        line.push(last.play(mv));
    }
    let before = line.iter().filter(|earlier| earlier.key() == closed).count();
    assert_eq!(before + 1, rules.occurrences(), "{mv} leads to no verdict");
    line
}

#[test]
fn loops_are_gone_on_with_or_left_as_the_rules_in_force_make_it_wise() {
    let mut differing = 0;
    let cases = perpetuals();
    for Perpetual { history, loop_move, plays_it } in &cases {
        let fen = history[history.len() - 1].to_fen();
        for &(rules, expected) in plays_it {
            let history = up_to_the_verdict(history, *loop_move, &rules.rules());
            let mut context = context(history, to_depth(7));
            context.rules = rules.rules();
            // The expected moves were found with the hand-crafted evaluation, which does not change with the network.
            context.plan.network = None;
            let outcome = Searcher::new(0).think(&context, &mut Silent);
            assert_eq!(outcome.pv[0] == *loop_move, expected, "{rules:?}: {loop_move} in {fen}: {outcome:?}");
        }
        differing += usize::from(plays_it[0].1 != plays_it[1].1);
    }
    assert!(cases.len() >= 10 && differing >= 2, "{} cases, {differing} of them differ", cases.len());
}

/// Outcome of a game, as far as a score shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Win,
    Loss,
    Draw,
    Open,
}

fn verdict(score: Score) -> Verdict {
    match score {
        Score::DRAW => Verdict::Draw,
        score if !score.is_decisive() => Verdict::Open,
        score if score > Score::DRAW => Verdict::Win,
        _ => Verdict::Loss,
    }
}

/// Returns the scores of all loops under all rule sets, with the hand-crafted evaluation: each from a search with the
/// table to the first depth, and from one without it to the second depth.
fn scores_with_and_without_the_table(depths: [u32; 2], pruning: Pruning) -> Vec<(String, [Score; 2])> {
    let cases = perpetuals().into_iter().flat_map(|Perpetual { history, plays_it, .. }| {
        plays_it.map(|(rules, _)| {
            let scores = [(true, depths[0]), (false, depths[1])].map(|(uses_table, depth)| {
                let mut context = context(history.clone(), to_depth(depth));
                context.rules = rules.rules();
                (context.plan.uses_table, context.plan.pruning) = (uses_table, pruning);
                context.plan.network = None;
                Searcher::new(0).think(&context, &mut Silent).score
            });
            (format!("{rules:?}: {}", history[history.len() - 1].to_fen()), scores)
        })
    });
    cases.collect()
}

/// The table stores positions without their history, on which the value of a loop depends. It must not change wins and
/// losses by the rules, nor turn a draw into a won or lost game. It may improve a nearly even value by deeper entries.
#[test]
fn the_table_does_not_change_the_verdict_on_a_loop() {
    let cases = scores_with_and_without_the_table([5, 5], Pruning::None);
    for (case, scores) in &cases {
        let nearly_even = scores.iter().all(|score| score.raw().abs() <= 25);
        let [with, without] = scores.map(verdict);
        assert!(with == without || nearly_even, "{case}: {scores:?}");
    }
    let count = |wanted| cases.iter().filter(|(_, [with, _])| verdict(*with) == wanted).count();
    let counts = [Verdict::Win, Verdict::Draw, Verdict::Open].map(count);
    assert!(counts.iter().all(|&count| count >= 5), "the suite has all kinds: {counts:?}");
}

/// With full pruning, the tree without a table differs, and the search may see the end a little later. Wins and losses by
/// the rules stay the same.
#[test]
fn the_table_does_not_change_who_wins_a_loop_at_full_strength() {
    for (case, scores) in scores_with_and_without_the_table([8, 10], Pruning::Large) {
        let [with, without] = scores.map(|score| if score == Score::DRAW { Verdict::Open } else { verdict(score) });
        assert_eq!(with, without, "{case}");
    }
}

#[test]
fn a_mate_that_is_announced_after_repetitions_is_one() {
    let mut mates = 0;
    for line in include_str!("data/repetition.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        for rules in [RuleSet::Asian, RuleSet::League] {
            let mut context = context(game(columns[0], columns[1]), to_depth(5));
            if context.root_moves.is_empty() {
                continue;
            }
            context.rules = rules.rules();
            let outcome = Searcher::new(0).think(&context, &mut Silent);
            if outcome.score.is_mate() {
                let moves: Vec<String> = outcome.pv.iter().map(Move::to_string).collect();
                let after = game(columns[0], &format!("{} {}", columns[1], moves.join(" ")));
                let last = after[after.len() - 1];
                assert!(!last.has_legal_move(), "{rules:?}: {line}: {outcome:?}");
                assert_eq!(outcome.score.plies_to_end(), Some(outcome.pv.len()), "{rules:?}: {line}: {outcome:?}");
                mates += 1;
            }
        }
    }
    assert!(mates > 10, "{mates}");
}
