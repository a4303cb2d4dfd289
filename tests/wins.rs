//! The suite of wins from many hands: endings that the tablebases know, lost endings of the engine's own games, and chains
//! that grew by taking moves back. Quiet moves, zugzwang, sacrifices and long mates.
//!
//! Each line of `wins.tsv`, on which parameters may be tuned, and of `wins-held.tsv`, on which they never are, holds a
//! position, the moves of the mate that was found when it was made, how many of them give no check, the kind of the first
//! move, and the source.
#![cfg(feature = "engine")]

mod support;

use std::collections::HashSet;
use std::sync::Arc;

use chuhe::board::{Kind, Move, Piece, Position};
use chuhe::endgame::{Outcome as Known, Tables};
use chuhe::rules::{Ending, Rules, judge};
use chuhe::score::Score;
use chuhe::search::{Limits, MateSearch, OnMate, Outcome, Plan, Pruning, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use chuhe::splitmix::SplitMix64;
use support::composer::{climb, random_ending};

/// Nodes within which a win has to be announced: a third of a second.
const NODES: u64 = 400_000;

struct Case {
    position: Position,
    moves: usize,
    kind: String,
    source: String,
}

const TUNED_ON: &str = include_str!("data/wins.tsv");
const HELD_BACK: &str = include_str!("data/wins-held.tsv");

fn cases(suite: &str) -> Vec<Case> {
    let lines = suite.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let position = Position::from_fen(fields[0]).unwrap();
            Case { position, moves: fields[1].parse().unwrap(), kind: fields[3].into(), source: fields[4].into() }
        })
        .collect()
}

fn both() -> Vec<Case> {
    [TUNED_ON, HELD_BACK].into_iter().flat_map(cases).collect()
}

/// A share of the cases: all of them in a release build, some in a debug build.
fn part() -> usize {
    if cfg!(debug_assertions) { 15 } else { 1 }
}

#[test]
fn both_halves_are_large_and_of_all_kinds() {
    let boards: HashSet<String> = both().iter().map(|case| case.position.to_fen()).collect();
    assert_eq!(boards.len(), both().len(), "all are different");
    for suite in [TUNED_ON, HELD_BACK] {
        let cases = cases(suite);
        assert!(cases.len() >= 150, "{}", cases.len());
        for kind in ["quiet", "zugzwang", "check"] {
            assert!(cases.iter().filter(|case| case.kind == kind).count() >= 20, "{kind}");
        }
        for source in ["table", "game", "chain"] {
            assert!(cases.iter().filter(|case| case.source == source).count() >= 5, "{source}");
        }
        assert!(cases.iter().filter(|case| case.moves >= 15).count() >= 10, "long ones");
    }
}

#[test]
fn the_tablebases_call_their_wins_won() {
    let known = |case: &&Case| Tables::embedded().outcome(&case.position).is_some();
    let wins: Vec<Case> = both().into_iter().filter(|case| case.source == "table").collect();
    assert!(wins.iter().filter(known).count() * 2 > wins.len(), "most are known to the program itself");
    for case in wins.iter().filter(known) {
        assert_eq!(Tables::embedded().outcome(&case.position), Some(Known::Win), "{}", case.position.to_fen());
    }
}

/// Returns the plan of a user's setting.
fn setting(pruning: Pruning) -> Plan {
    let mates = if pruning == Pruning::None { MateSearch::First } else { MateSearch::Probe };
    Plan { pruning, mates, on_mate: OnMate::Stop, ..Plan::default() }
}

/// Returns the search of a position as a new game, if it ends in a mate by the side to move.
fn announced(searcher: &mut Searcher, position: Position, pruning: Pruning, nodes: u64) -> Option<Outcome> {
    searcher.new_game();
    let (plan, limits) = (setting(pruning), Limits { nodes: Some(nodes), ..Limits::default() });
    let table = Arc::new(Table::new(8).unwrap());
    let context = SearchContext { plan, limits, ..SearchContext::new(table, vec![position]) };
    let outcome = searcher.think(&context, &mut Silent);
    (outcome.score.is_mate() && outcome.score > Score::DRAW).then_some(outcome)
}

/// Returns how many of every [`part`]th case are announced, and their number.
fn announcements(suite: &str, pruning: Pruning) -> (usize, usize) {
    let mut searcher = Searcher::new(0);
    let cases = cases(suite);
    let asked: Vec<&Case> = cases.iter().step_by(part()).collect();
    let won = asked.iter().filter(|case| announced(&mut searcher, case.position, pruning, NODES).is_some()).count();
    (won, asked.len())
}

#[test]
#[cfg_attr(miri, ignore = "searches")]
fn wins_are_announced_within_their_nodes() {
    // Of the few cases of a debug build, one more is missed.
    let spare = usize::from(cfg!(debug_assertions));
    for (pruning, percent) in [(Pruning::None, 90), (Pruning::Large, 91)] {
        for suite in [TUNED_ON, HELD_BACK] {
            let (won, asked) = announcements(suite, pruning);
            assert!(won + spare >= asked * percent / 100, "{pruning:?}: {won} of {asked}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "searches")]
fn an_announced_win_is_a_line_that_ends_in_mate() {
    let mut searcher = Searcher::new(0);
    for case in both().iter().step_by(2 * part()) {
        let Some(outcome) = announced(&mut searcher, case.position, Pruning::None, NODES) else { continue };
        let mut line = vec![case.position];
        for &mv in &outcome.pv {
            let last = line[line.len() - 1];
            assert!(last.is_legal(mv), "{mv} in {}", last.to_fen());
            line.push(last.play(mv));
        }
        let ending = judge(&line, &Rules::default()).map(|verdict| verdict.ending);
        let mated = matches!(ending, Some(Ending::Checkmate | Ending::Stalemate));
        assert!(mated, "{:?} {ending:?} {}", outcome.score, case.position.to_fen());
    }
}

/// Nodes to prove a win when the suite is made, and fewest that make it worth while.
const MOST_NODES: u64 = 400_000;
const FEWEST_NODES: u64 = 2_000;
/// Nodes for seeing the threat of a quiet first move.
const THREAT_NODES: u64 = 20_000;
/// Fewest plies of a win that the tables know and that is wanted.
const FAR: u16 = 15;
/// Number of changes tried on each chain, and nodes to prove the result of a change.
const CHANGES: usize = 60;
const CHAIN_NODES: u64 = 40_000;

/// A win, as the engine proves it.
struct Win {
    position: Position,
    line: Vec<Move>,
    nodes: u64,
}

impl Win {
    /// Returns the win of a position, if a search of at most that number of nodes proves it.
    fn of(position: Position, searcher: &mut Searcher, nodes: u64) -> Option<Self> {
        let outcome = [Pruning::None, Pruning::Large]
            .into_iter()
            .find_map(|pruning| announced(searcher, position, pruning, nodes))?;
        Some(Self { position, line: outcome.pv, nodes: outcome.nodes })
    }

    /// Returns the number of the winner's moves that give no check.
    fn quiets(&self) -> usize {
        let (mut at, mut quiets) = (self.position, 0);
        for (ply, &mv) in self.line.iter().enumerate() {
            quiets += usize::from(ply.is_multiple_of(2) && !at.gives_check(mv));
            at = at.play(mv);
        }
        quiets
    }

    /// Whether the win is hard enough for the suite.
    fn is_worth_while(&self) -> bool {
        let is_hard = self.quiets() > 0 || self.line.len() >= 25 || is_sacrifice(&self.position, self.line[0]);
        is_hard && self.line.len() >= 7 && self.nodes >= FEWEST_NODES
    }

    /// Returns the kind of the first move: a quiet one without a threat is a zugzwang.
    fn kind(&self, searcher: &mut Searcher) -> &'static str {
        let (position, mv) = (&self.position, self.line[0]);
        let after = position.play(mv);
        match position.gives_check(mv) {
            true if is_sacrifice(position, mv) => "sacrifice",
            true => "check",
            false if announced(searcher, after.pass(), Pruning::None, THREAT_NODES).is_none() => "zugzwang",
            false if is_sacrifice(position, mv) => "sacrifice",
            false => "quiet",
        }
    }

    fn print(&self, searcher: &mut Searcher, source: &str) {
        let (moves, quiets) = (self.line.len().div_ceil(2), self.quiets());
        println!("{}\t{moves}\t{quiets}\t{}\t{source}", self.position.to_fen(), self.kind(searcher));
    }
}

/// Whether the move puts a rook, horse or cannon where it can be taken, and takes nothing of the kind.
fn is_sacrifice(position: &Position, mv: Move) -> bool {
    let is_precious = |piece: Piece| matches!(piece.kind(), Kind::Rook | Kind::Horse | Kind::Cannon);
    let after = position.play(mv);
    is_precious(position.moving_piece(mv))
        && !position.piece_on(mv.to()).is_some_and(is_precious)
        && after.captures().iter().any(|take| take.to() == mv.to())
        && !position.exchange_gains(mv, 0)
}

/// Prints lines for the suite.
///
/// * `WINS_TABLES`: number of random endings to look up in the embedded tablebases, and in those of `WINS_FOLDER`.
/// * `WINS_FROM`: a file of positions to prove, as `--example endings -- ... won` of `chuhe-selfplay` prints them.
/// * `WINS_CHAINS`: number of chains to grow. `WINS_SEED` is the first seed.
#[test]
#[ignore = "makes the suite"]
fn wins_for_the_suite() {
    let number = |name: &str| std::env::var(name).map_or(0, |text| text.parse::<u64>().unwrap());
    let (first, mut searcher) = (number("WINS_SEED"), Searcher::new(0));
    let (tables, _) = Tables::open(&std::env::var_os("WINS_FOLDER").unwrap_or_default());
    for seed in first..first + number("WINS_TABLES") {
        let Some(position) = random_ending(&mut SplitMix64::new(seed)) else { continue };
        let is_won = tables.outcome(&position) == Some(Known::Win);
        if is_won && tables.distance(&position).is_some_and(|plies| plies >= FAR) {
            let win = Win::of(position, &mut searcher, MOST_NODES).filter(Win::is_worth_while);
            win.iter().for_each(|win| win.print(&mut searcher, "table"));
        }
    }
    let games = std::env::var_os("WINS_FROM").map(|path| std::fs::read_to_string(path).unwrap());
    for line in games.iter().flat_map(|text| text.lines()) {
        let position = Position::from_fen(line.split('\t').next().unwrap()).unwrap();
        let win = Win::of(position, &mut searcher, MOST_NODES).filter(Win::is_worth_while);
        win.iter().for_each(|win| win.print(&mut searcher, "game"));
    }
    for seed in first..first + number("WINS_CHAINS") {
        let judge = |position: Position, best: Option<&Win>| {
            let fewest = best.map_or(3, |best| best.line.len());
            let most = best.map_or(5_000, |best| (4 * best.nodes + 3_000).min(CHAIN_NODES));
            Win::of(position, &mut searcher, most).filter(|win| win.quiets() > 0 && win.line.len() >= fewest)
        };
        let win = climb(&mut SplitMix64::new(seed), CHANGES, judge, |win| win.line.len() >= 15);
        let win = win.filter(Win::is_worth_while);
        win.iter().for_each(|win| win.print(&mut searcher, "chain"));
    }
}

/// Mates in three moves: positions on the way of the mates of `mates.tsv`, and endings of few men.
const THREES: &str = include_str!("data/threes.tsv");

/// Nodes within which a mate in three moves is announced.
const NODES_FOR_THREE: u64 = 50_000;

#[test]
#[cfg_attr(miri, ignore = "searches")]
fn a_mate_in_three_belongs_to_the_first_nodes() {
    let (mut searcher, threes) = (Searcher::new(0), cases(THREES));
    assert!(threes.len() >= 90, "{}", threes.len());
    // Reverse futility pruning hides one zugzwang from the normal search; the search without pruning takes turns with it, and
    // finds one mate later.
    for (pruning, most_missed) in [(Pruning::Large, 1), (Pruning::None, 1)] {
        let is_missed = |case: &&Case| announced(&mut searcher, case.position, pruning, NODES_FOR_THREE).is_none();
        let missed: Vec<String> =
            threes.iter().step_by(part()).filter(is_missed).map(|case| case.position.to_fen()).collect();
        assert!(missed.len() <= most_missed, "{pruning:?}: {missed:?}");
    }
}

/// Returns the position from which the line of a win needs three moves more.
fn three_moves_before_the_end(win: &Win) -> Option<Position> {
    let plies = win.line.len().checked_sub(5)?;
    Some(win.line[..plies].iter().fold(win.position, |position, &mv| position.play(mv)))
}

/// Returns the position, its counters reset, as a mate in three moves at most that is not a mate in two.
fn three(position: &Position, searcher: &mut Searcher) -> Option<Win> {
    let fen = position.to_fen();
    let board: Vec<&str> = fen.split(' ').take(2).collect();
    let position = Position::from_fen(&format!("{} - - 0 1", board.join(" "))).ok()?;
    let outcome = shortest(searcher, position)?;
    let is_three = outcome.pv.len() == 5;
    is_three.then_some(Win { position, line: outcome.pv, nodes: outcome.nodes })
}

/// Returns the search of a position that goes on for a shorter mate.
fn shortest(searcher: &mut Searcher, position: Position) -> Option<Outcome> {
    searcher.new_game();
    let plan = Plan { on_mate: OnMate::Shorten, ..setting(Pruning::None) };
    let limits = Limits { nodes: Some(4 * NODES_FOR_THREE), ..Limits::default() };
    let context =
        SearchContext { plan, limits, ..SearchContext::new(Arc::new(Table::new(8).unwrap()), vec![position]) };
    let outcome = searcher.think(&context, &mut Silent);
    (outcome.score.is_mate() && outcome.score > Score::DRAW).then_some(outcome)
}

/// Prints lines for `threes.tsv`. `WINS_TABLES` is the number of random endings to look up, as above.
#[test]
#[ignore = "makes the suite"]
fn mates_in_three_for_the_suite() {
    let number = |name: &str| std::env::var(name).map_or(0, |text| text.parse::<u64>().unwrap());
    let mut searcher = Searcher::new(0);
    for case in cases(include_str!("data/mates.tsv")).iter().step_by(3) {
        let win = Win::of(case.position, &mut searcher, 4 * NODES_FOR_THREE);
        let found = win.as_ref().and_then(three_moves_before_the_end).and_then(|late| three(&late, &mut searcher));
        found.iter().for_each(|win| win.print(&mut searcher, "line"));
    }
    let first = number("WINS_SEED");
    for seed in first..first + number("WINS_TABLES") {
        let Some(position) = random_ending(&mut SplitMix64::new(seed)) else { continue };
        let tables = Tables::embedded();
        let is_near = tables.distance(&position).is_some_and(|plies| (3..=5).contains(&plies));
        if is_near && tables.outcome(&position) == Some(Known::Win) {
            let found = three(&position, &mut searcher).filter(|win| win.quiets() > 0);
            found.iter().for_each(|win| win.print(&mut searcher, "table"));
        }
    }
}
