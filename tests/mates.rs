//! The suite of forced wins: how it is made, and how the engine solves it.
//!
//! Each line of `mates.tsv` holds a position, the number of moves within which the side to move mates, the most of them
//! that give no check, the kind of the first move, and the source of the position: a random composition, a self-play
//! game, or the endgame tablebases.
#![cfg(feature = "engine")]

mod support;

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use chuhe::board::{Move, Position};
use chuhe::referee::Record;
use chuhe::rules::{Ending, RuleSet, Rules, judge};
use chuhe::score::Score;
use chuhe::search::{Limits, MateSearch, Outcome, Plan, Pruning, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use chuhe::splitmix::SplitMix64;
use support::composer::{Composition, climb, compose, from_tables};
use support::forced::{Force, Trial};

/// Most positions that the exhaustive search may visit, for each position of the suite.
const MOST_NODES: u64 = 400_000;

struct Case {
    position: Position,
    force: Force,
}

/// Returns the lines of the suite.
fn lines() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mates.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

fn suite() -> Vec<Case> {
    lines()
        .iter()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let force = Force { moves: fields[1].parse().unwrap(), quiets: fields[2].parse().unwrap() };
            Case { position: Position::from_fen(fields[0]).unwrap(), force }
        })
        .collect()
}

#[test]
fn the_suite_is_large_and_of_all_kinds() {
    let lines = lines();
    let count = |what: &str| lines.iter().filter(|line| line.split('\t').any(|field| field == what)).count();
    let boards: HashSet<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    assert!(boards.len() == lines.len() && lines.len() >= 300, "{} different positions", boards.len());
    assert!(count("sacrifice") >= 15 && count("quiet") >= 100 && count("game") >= 60 && count("table") >= 10);
    let of_at_least = |moves: u8| suite().iter().filter(|case| case.force.moves >= moves).count();
    assert!(of_at_least(7) >= 60 && of_at_least(10) >= 30);
}

#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of positions")]
fn every_position_of_the_suite_is_won_by_trying_everything() {
    // A debug build tests a part of the suite, a release build all of it.
    let part = if cfg!(debug_assertions) { 6 } else { 1 };
    for Case { position, force } in suite().iter().step_by(part) {
        let won = Trial::of(MOST_NODES).wins(position, *force);
        assert_eq!(won, Ok(true), "{} {force:?}", position.to_fen());
        // A line of that many moves stays below every move limit.
        assert!(position.reversible_plies() == 0);
    }
}

/// Returns the context of a search that looks for a mate first, and then searches to `depth`.
fn for_mate(history: Vec<Position>, rules: Rules, depth: u32) -> SearchContext {
    let plan = Plan { pruning: Pruning::None, mates: MateSearch::First, ..Plan::default() };
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    SearchContext { plan, limits, rules, ..SearchContext::new(Arc::new(Table::new(1).unwrap()), history) }
}

/// Returns the line of the announced mate, if there is one.
fn announced_at(searcher: &mut Searcher, history: &[Position], rules: Rules, depth: u32) -> Option<Vec<Move>> {
    let Outcome { score, pv, .. } = searcher.think(&for_mate(history.to_vec(), rules, depth), &mut Silent);
    let wins = score.is_mate() && score > Score::DRAW;
    assert!(!wins || score.plies_to_end() == Some(pv.len()), "{score:?} by {pv:?}");
    wins.then_some(pv)
}

/// Returns the line of the mate that the mate search announces: the main search runs to depth 1 only.
fn announced(searcher: &mut Searcher, history: &[Position], rules: Rules) -> Option<Vec<Move>> {
    announced_at(searcher, history, rules, 1)
}

/// Plays the announced mate against random replies until the other side is mated. The mate has to come closer with every
/// move, so that the game cannot loop. A mate found by the main search may need a deeper search to be found again.
fn play_out(searcher: &mut Searcher, start: &Position, random: &mut SplitMix64) {
    let rules = Rules::default();
    let (mut history, mut within) = (vec![*start], usize::MAX);
    loop {
        let last = history[history.len() - 1];
        let line = [1, 8]
            .iter()
            .find_map(|&depth| announced_at(searcher, &history, rules, depth).filter(|line| line.len() <= within))
            .unwrap_or_else(|| panic!("no mate in {within} plies any more: {}", last.to_fen()));
        within = line.len().saturating_sub(2);
        history.push(last.play(line[0]));
        let after = history[history.len() - 1];
        let replies = after.legal_moves();
        let ending = judge(&history, &rules).map(|verdict| verdict.ending);
        if replies.is_empty() {
            assert!(matches!(ending, Some(Ending::Checkmate | Ending::Stalemate)), "{ending:?}");
            return;
        }
        assert_eq!(ending, None, "the game is over without a mate");
        history.push(after.play(random.pick(&replies)));
        assert_eq!(judge(&history, &rules), None, "the game is over without a mate");
    }
}

#[test]
#[cfg_attr(miri, ignore = "thousands of searches")]
fn who_plays_what_is_announced_mates_whatever_the_defence() {
    let (step, games) = if cfg!(debug_assertions) { (37, 2) } else { (7, 4) };
    let (mut searcher, mut random, mut played) = (Searcher::new(0), SplitMix64::new(1), 0);
    for Case { position, .. } in suite().iter().step_by(step) {
        // The position itself, and versions without one of its pieces, which may have been needed for the mate.
        let fens = [position.to_fen()].into_iter().chain(without_each(position));
        for position in fens.filter_map(|fen| Position::from_fen(&fen).ok()).filter(Position::has_legal_move).take(4) {
            searcher.new_game();
            if announced(&mut searcher, &[position], Rules::default()).is_some() {
                for _ in 0..games {
                    searcher.new_game();
                    play_out(&mut searcher, &position, &mut random);
                    played += 1;
                }
            }
        }
    }
    assert!(played > 10, "{played}");
}

/// Returns the position without each of its pieces in turn, the kings excepted.
fn without_each(position: &Position) -> Vec<String> {
    let fen = position.to_fen();
    let (board, rest) = fen.split_once(' ').unwrap();
    let pieces = board.char_indices().filter(|&(_, piece)| piece.is_ascii_alphabetic() && !"kK".contains(piece));
    pieces.map(|(at, _)| format!("{}1{} {rest}", &board[..at], &board[at + 1..])).collect()
}

#[test]
#[cfg_attr(miri, ignore = "a search of all positions")]
fn lines_of_mates_are_legal_to_their_end() {
    let step = if cfg!(debug_assertions) { 15 } else { 2 };
    let (mut searcher, rules) = (Searcher::new(0), Rules::default());
    let (mut won, cases) = (0, suite());
    let asked = cases.len().div_ceil(step);
    for Case { position, .. } in cases.iter().step_by(step) {
        let Some(line) = announced(&mut searcher, &[*position], rules) else { continue };
        let moves: Vec<String> = line.iter().map(Move::to_string).collect();
        let record = Record::read(&position.to_fen(), &moves.join(" ")).unwrap();
        let ending = judge(record.positions(), &rules).map(|verdict| verdict.ending);
        assert!(matches!(ending, Some(Ending::Checkmate | Ending::Stalemate)), "{} {line:?}", position.to_fen());
        won += 1;
    }
    assert!(won * 10 >= asked * 7, "{won} of {asked}");
}

#[test]
#[cfg_attr(miri, ignore = "searches")]
fn who_asks_for_a_mate_in_so_many_moves_is_not_content_with_a_longer_one() {
    let (mut asked, mut answered) = (0, 0);
    for Case { position, force } in suite().iter().filter(|case| case.force.moves <= 5).step_by(9) {
        let limits = Limits { mate: Some(u32::from(force.moves)), nodes: Some(400_000), ..Limits::default() };
        let context = SearchContext { limits, ..for_mate(vec![*position], Rules::default(), 1) };
        let outcome = Searcher::new(0).think(&context, &mut Silent);
        let wins = outcome.score.is_mate() && outcome.score > Score::DRAW;
        let is_near = wins && outcome.pv.len() < 2 * usize::from(force.moves);
        // The search ends as soon as the mate is close enough, and no sooner.
        assert!(is_near || outcome.nodes > 100_000, "{} {:?}", position.to_fen(), outcome.score);
        asked += 1;
        answered += usize::from(is_near);
    }
    assert!(answered * 10 >= asked * 8, "{answered} of {asked}");
}

#[test]
fn a_perpetual_check_is_no_mate() {
    let perpetual = Position::from_fen("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w").unwrap();
    for set in RuleSet::ALL {
        assert_eq!(announced(&mut Searcher::new(0), &[perpetual], set.rules()), None, "{set:?}");
    }
}

/// Returns a game that begins after `mv`, reaches `position` without a capture, and repeats until the position after `mv`
/// has occurred `times` times.
fn going_round(position: &Position, mv: Move, times: usize) -> Option<Vec<Position>> {
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    let behind = position.play(mv);
    let plies = 4 * times - 1;
    let game = |&reply: &Move| {
        let mut history = vec![behind];
        for mv in [reply, back(mv), back(reply), mv].into_iter().cycle().take(plies) {
            let last = history[history.len() - 1];
            if last.is_legal(mv) && !last.is_capture(mv) {
                history.push(last.play(mv));
            }
        }
        (history.len() > plies && history[plies].key() == position.key()).then_some(history)
    };
    if position.is_capture(mv) { None } else { behind.legal_moves().iter().find_map(game) }
}

#[test]
#[cfg_attr(miri, ignore = "searches")]
fn a_mate_leads_through_a_position_of_the_game_until_the_referee_would_judge_it() {
    let rules = RuleSet::CheckBan.rules();
    let (mut again, mut avoided) = (0, 0);
    for Case { position, .. } in suite().iter().filter(|case| case.force.moves <= 5).step_by(3) {
        let mut searcher = Searcher::new(0);
        let Some(line) = announced(&mut searcher, &[*position], rules) else { continue };
        let Some(often) = going_round(position, line[0], rules.occurrences() - 1) else { continue };
        let once = often[..often.len() - 4].to_vec();
        let now = announced(&mut searcher, &once, rules);
        assert!(now.is_some_and(|now| now.len() <= line.len()), "{}", position.to_fen());
        again += 1;
        let now = announced(&mut searcher, &often, rules);
        assert!(now.is_none_or(|now| now[0] != line[0]), "{} {line:?}", position.to_fen());
        avoided += 1;
    }
    assert!(again > 3 && avoided > 3, "{again} {avoided}");
}

#[test]
fn a_mate_behind_the_move_limit_is_none() {
    // Two rooks mate with three checks, in five plies; the quiet way takes three.
    let fen = |count: u16| format!("4k4/9/9/9/9/9/R8/1R7/9/3K5 w - - {count} 60");
    let rules = RuleSet::Asian.rules();
    let at = |count| announced(&mut Searcher::new(0), &[Position::from_fen(&fen(count)).unwrap()], rules);
    for (plies_left, mates) in [(120, true), (6, true), (3, false), (1, false)] {
        assert_eq!(at(rules.limit_plies().unwrap() - plies_left).is_some(), mates, "{plies_left} plies left");
    }
}

#[test]
#[cfg_attr(miri, ignore = "measures time")]
fn whoever_looks_for_mates_stops_when_reported() {
    // A mate in eight with a quiet move; finding it takes more than a million nodes.
    let position = Position::from_fen("NC3k3/4a2R1/4baC2/4r3P/1R5P1/2B3B2/8p/3K1N2P/4A4/3c1A3 w").unwrap();
    let plan = Plan { pruning: Pruning::None, mates: MateSearch::First, ..Plan::default() };
    let table = Arc::new(Table::new(4).unwrap());
    let context = Arc::new(SearchContext { plan, ..SearchContext::new(table, vec![position]) });
    let thinking = thread::spawn({
        let context = Arc::clone(&context);
        move || Searcher::new(0).think(&context, &mut Silent)
    });
    thread::sleep(Duration::from_millis(150));
    context.stop.raise();
    let output = Instant::now();
    let outcome = thinking.join().unwrap();
    assert!(output.elapsed() < Duration::from_secs(2), "{:?}", output.elapsed());
    assert!(position.is_legal(outcome.pv[0]));
}

/// Plays a game of the engine against itself from a random opening.
fn game(random: &mut SplitMix64, searcher: &mut Searcher) -> Vec<Position> {
    let mut history = vec![Position::start()];
    for _ in 0..8 {
        let moves = history[history.len() - 1].legal_moves();
        history.push(history[history.len() - 1].play(random.pick(&moves)));
    }
    let (table, limits) = (Arc::new(Table::new(1).unwrap()), Limits { nodes: Some(2_000), ..Limits::default() });
    searcher.new_game();
    while history.len() < 240 && judge(&history, &Rules::default()).is_none() {
        let context = SearchContext { limits, ..SearchContext::new(Arc::clone(&table), history.clone()) };
        let best = searcher.think(&context, &mut Silent).pv[0];
        history.push(history[history.len() - 1].play(best));
    }
    history
}

/// Returns the position with its counters reset.
fn anew(position: &Position) -> Option<Position> {
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    Position::from_fen(&format!("{} {} - - 0 1", fields[0], fields[1])).ok()
}

/// Returns the earliest position near the end of a game from which it is won by force.
fn from_game(game: &[Position]) -> Option<Composition> {
    let late = game.iter().skip(game.len().saturating_sub(30)).filter_map(anew).filter(Position::has_legal_move);
    late.filter_map(|position| Composition::of(position, MOST_NODES / 8)).find(|found| found.worth() >= 6)
}

/// Prints positions for `mates.tsv`. `MATES_GAMES`, `MATES_COMPOSED` and `MATES_TABLES` are the numbers of games,
/// compositions and tablebase positions to examine, each with its own seed; the first seed is `MATES_SEED`. `MATES_CHAINS`
/// makes another kind, long mates that are too hard for the exhaustive search: a suite to compare with this one, to which
/// the engine was never tuned.
#[test]
#[ignore = "makes the suite"]
fn positions_for_the_suite() {
    let number = |name: &str| std::env::var(name).map_or(0, |text| text.parse::<u64>().unwrap());
    let first = number("MATES_SEED");
    let mut searcher = Searcher::new(0);
    for seed in first..first + number("MATES_GAMES") {
        let game = game(&mut SplitMix64::new(seed), &mut searcher);
        from_game(&game).iter().for_each(|found| println!("{}", found.line("game")));
    }
    for seed in first..first + number("MATES_COMPOSED") {
        let random = &mut SplitMix64::new(seed);
        let wanted = u8::try_from(10 + random.below(9)).unwrap();
        let found = compose(random, wanted).filter(|found| found.worth() >= 9);
        found.iter().for_each(|found| println!("{}", found.line("composed")));
    }
    for seed in first..first + number("MATES_TABLES") {
        let found = from_tables(&mut SplitMix64::new(seed)).filter(|found| found.worth() >= 7);
        found.iter().for_each(|found| println!("{}", found.line("table")));
    }
    for seed in first..first + number("MATES_CHAINS") {
        let found = chain(&mut SplitMix64::new(seed), &mut searcher);
        found.iter().for_each(|found| println!("{}", found.line()));
    }
}

/// A long mate with quiet moves, as the engine announces it.
struct Chain {
    position: Position,
    line: Vec<Move>,
    /// Number of the attacker's moves in the line that give no check.
    quiets: usize,
    /// Number of nodes that it took to find the mate.
    nodes: u64,
    /// Whether the other side would mate soon if it were to move.
    is_race: bool,
}

/// Most nodes to search for a chain, and for the threats of the other side.
const CHAIN_NODES: u64 = 200_000;
const RACE_NODES: u64 = 10_000;
/// Number of changes tried on each chain.
const CHAIN_CHANGES: usize = 200;
/// Fewest plies of a long line, and most plies of a mate that comes soon.
const LONG: usize = 21;
const SOON: usize = 11;

impl Chain {
    /// Returns the chain of a position, if the engine finds the mate within `nodes` nodes.
    fn of(position: Position, searcher: &mut Searcher, nodes: u64) -> Option<Self> {
        let Outcome { pv: line, nodes, .. } = sees_mate(position, searcher, nodes)?;
        let mut at = position;
        let mut quiets = 0;
        for (ply, &mv) in line.iter().enumerate() {
            quiets += usize::from(ply.is_multiple_of(2) && !at.gives_check(mv));
            at = at.play(mv);
        }
        let other = Some(position.pass()).filter(|other| !position.in_check() && other.has_legal_move());
        let threat = other.and_then(|other| sees_mate(other, searcher, RACE_NODES));
        let is_race = threat.is_some_and(|threat| threat.pv.len() <= SOON);
        (quiets > 0).then_some(Self { position, line, quiets, nodes, is_race })
    }

    /// Returns the worth of a chain, which grows with its length and with the effort of finding it.
    fn worth(&self) -> usize {
        self.line.len() + 3 * self.nodes.ilog2() as usize + 8 * self.quiets.min(2) + 4 * usize::from(self.is_race)
    }

    /// Formats the chain as a line of a suite.
    fn line(&self) -> String {
        let Self { position, line, quiets, is_race, .. } = self;
        let key = if position.gives_check(line[0]) { "check" } else { "quiet" };
        let from = if *is_race { "race" } else { "chain" };
        format!("{}\t{}\t{quiets}\t{key}\t{from}", position.to_fen(), line.len().div_ceil(2))
    }
}

/// Returns the result of a search for mates alone, if it finds one.
fn sees_mate(position: Position, searcher: &mut Searcher, nodes: u64) -> Option<Outcome> {
    searcher.new_game();
    let context = for_mate(vec![position], Rules::default(), 1);
    let limits = Limits { nodes: Some(nodes), ..context.limits };
    let outcome = searcher.think(&SearchContext { limits, ..context }, &mut Silent);
    (outcome.score.is_mate() && outcome.score > Score::DRAW).then_some(outcome)
}

/// Makes a chain longer and longer by changes that leave it won.
fn chain(random: &mut SplitMix64, searcher: &mut Searcher) -> Option<Chain> {
    let judge = |position: Position, best: Option<&Chain>| {
        let nodes = best.map_or(5_000, |best| (3 * best.nodes + 3_000).min(CHAIN_NODES));
        Chain::of(position, searcher, nodes).filter(|found| best.is_none_or(|best| found.worth() >= best.worth()))
    };
    climb(random, CHAIN_CHANGES, judge, |found| found.line.len() >= LONG && found.nodes >= CHAIN_NODES / 3)
}
