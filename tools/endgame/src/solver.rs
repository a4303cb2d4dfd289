//! Solver of one material by retrograde analysis: finds mates and decisive captures first, then level by level the placements
//! from which these can be reached.
//!
//! Distances count plies to the end of the game or the next capture (DTC); the winner takes the shortest way, the loser the longest. Captures lead to
//! other materials, whose tables must exist already.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use anyhow::{Context, Result, ensure};
use chuhe::board::{Kind, Position, Side};
use chuhe::endgame::{Index, Material, Outcome, Results, Tables};

use crate::board::{Board, Step};
use crate::parallel::for_each_range;
use crate::plies::{LONGEST, LONGEST_IN_A_BYTE, Plies};
use crate::stage::Stage;
use crate::storage::{Entries, Storage};

/// State of a placement with a side to move. Other values count the moves that may still not lose.
const LOST: u8 = 0;
/// Flag of an open draw, greater than any count of moves.
const OPEN: u8 = 128;
const WON: u8 = 254;
const ILLEGAL: u8 = 255;

/// Solved material.
pub struct Solution {
    index: Index,
    /// States by side to move and number.
    states: [Entries<AtomicU8>; 2],
    distances: Plies,
}

impl Solution {
    /// Returns the index of the placements.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Returns the place of the entries.
    pub fn storage(&self) -> &Storage {
        self.distances.storage()
    }

    /// Returns the outcome for `mover`; `None` if the placement is illegal.
    pub fn outcome(&self, mover: Side, number: u64) -> Option<Outcome> {
        match self.states[mover.index()].get(number) {
            ILLEGAL => None,
            WON => Some(Outcome::Win),
            LOST => Some(Outcome::Loss),
            OPEN.. => Some(Outcome::Open),
            _ => Some(Outcome::Draw),
        }
    }

    /// Returns the plies to the end of the game or the next capture; 0 for draws.
    pub fn distance(&self, mover: Side, number: u64) -> u16 {
        self.distances.get(mover, number).unwrap_or(0)
    }
}

/// Result of a capture.
#[derive(Clone, Copy)]
enum Conversion<'a> {
    /// A draw, since no attackers are left.
    Bare,
    /// The table that has the result, and whether the sides are swapped in it.
    Table { results: &'a Results, swapped: bool },
}

/// Settings of a run.
pub struct Run<'a> {
    /// Number of threads.
    pub threads: usize,
    /// Flag that cancels the run.
    pub cancel: &'a AtomicBool,
    /// Place of the entries.
    pub storage: &'a Storage,
    /// Called for every finished part of the work, with its size in placements: each stage passes over all of them.
    pub done: &'a (dyn Fn(Stage, u64) + Sync),
}

impl Run<'_> {
    /// Calls `work` for all of `0..size` in pieces. Returns false if cancelled, or if the storage has failed.
    pub(crate) fn for_each_range(&self, size: u64, stage: Stage, work: impl Fn(Range<u64>) + Sync) -> bool {
        let done = |placements| (self.done)(stage, placements);
        let work = |numbers| {
            if !self.storage.has_failed() {
                work(numbers);
            }
        };
        for_each_range(self.threads, size, self.cancel, done, work) && !self.storage.has_failed()
    }
}

/// Solves `material`, with the results of captures in `tables`. Draws are not yet checked by the rules of repetition. Returns
/// `None` if cancelled.
///
/// # Errors
/// If a table is missing, the memory does not suffice, a scratch file fails, or a distance is too long.
pub(crate) fn solve<'a>(material: Material, tables: &'a Tables, run: &Run) -> Result<Option<Solver<'a>>> {
    solve_with(material, tables, run, LONGEST_IN_A_BYTE)
}

/// Solves a material; distances take two bytes as soon as one exceeds `most_in_a_byte`.
fn solve_with<'a>(
    material: Material,
    tables: &'a Tables,
    run: &Run,
    most_in_a_byte: u16,
) -> Result<Option<Solver<'a>>> {
    let index = Index::new(material).with_context(|| format!("{material} has too many attackers"))?;
    let attackers: Vec<_> = index.attackers().collect();
    let conversions = conversions(material, tables)?;
    let states = || Entries::new(run.storage, index.size(), ILLEGAL);
    let solution =
        Solution { states: [states()?, states()?], distances: Plies::new(run.storage, index.size())?, index };
    let mut solver = Solver { solution, attackers, conversions };
    if !solver.initialise(run) {
        return run.storage.check().map(|()| None);
    }
    for distance in 0.. {
        if distance == most_in_a_byte {
            solver.solution.distances.widen()?;
        }
        let Some(found) = solver.propagate(distance, run) else { return run.storage.check().map(|()| None) };
        // Mates are at 0 and captures at 1; every later level follows from the one before.
        if distance > 0 && !found {
            break;
        }
        ensure!(distance < LONGEST, "{material} has distances above {LONGEST} plies");
    }
    Ok(Some(solver))
}

/// Returns the results of captures, by the side that loses a piece and the piece's kind.
fn conversions(material: Material, tables: &Tables) -> Result<[[Option<Conversion<'_>>; Kind::ALL.len()]; 2]> {
    let mut conversions = [[None; Kind::ALL.len()]; 2];
    for side in Side::ALL {
        for kind in Kind::ALL {
            conversions[side.index()][kind.index()] = match material.after_capture(side, kind) {
                None => None,
                Some((left, _)) if left.is_bare() => Some(Conversion::Bare),
                Some((left, swapped)) => {
                    let results = tables.results(left).with_context(|| format!("{material} needs {left}"))?;
                    Some(Conversion::Table { results, swapped })
                }
            };
        }
    }
    Ok(conversions)
}

/// Result of retrograde analysis, independent of the rules of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RetrogradeResult {
    Illegal,
    Won,
    Lost,
    Drawn,
}

impl RetrogradeResult {
    fn of(state: u8) -> Self {
        match state {
            ILLEGAL => Self::Illegal,
            WON => Self::Won,
            LOST => Self::Lost,
            _ => Self::Drawn,
        }
    }
}

/// Material that is being solved.
pub(crate) struct Solver<'a> {
    solution: Solution,
    attackers: Vec<(Side, Kind)>,
    conversions: [[Option<Conversion<'a>>; Kind::ALL.len()]; 2],
}

/// Initial state of a placement, by its own moves alone.
struct Start {
    state: u8,
    distance: Option<u16>,
}

impl Solver<'_> {
    pub(crate) fn index(&self) -> &Index {
        &self.solution.index
    }

    /// Returns the solution, and drops the working memory.
    pub(crate) fn into_solution(self) -> Solution {
        self.solution
    }

    pub(crate) fn retrograde_result(&self, mover: Side, number: u64) -> RetrogradeResult {
        RetrogradeResult::of(self.solution.states[mover.index()].get(number))
    }

    /// Returns the numbers that are drawn, among some.
    pub(crate) fn draws(&self, mover: Side, numbers: Range<u64>) -> Vec<u64> {
        let mut draws = vec![];
        self.solution.states[mover.index()].for_each(numbers, |number, state| {
            if RetrogradeResult::of(state) == RetrogradeResult::Drawn {
                draws.push(number);
            }
        });
        draws
    }

    /// Marks a draw as open, and returns whether it was not open before.
    pub(crate) fn leave_open(&self, mover: Side, number: u64) -> bool {
        let open = |state: u8| (state & OPEN == 0).then_some(state | OPEN);
        self.solution.states[mover.index()].update(number, open).is_ok()
    }

    /// Returns the board of a number; `None` if two pieces share a square.
    pub(crate) fn board(&self, number: u64) -> Option<Board<'_>> {
        Board::new(self.index(), &self.attackers, self.index().placement(number))
    }

    /// Returns the number of placements of the full board that a number stands for.
    pub(crate) fn weight(&self, number: u64) -> u64 {
        let symmetric = self.index().place(&self.index().placement(number)).is_some_and(|place| place.symmetric);
        if symmetric { 1 } else { 2 }
    }

    /// Returns the engine's position.
    pub(crate) fn position(&self, board: &Board, mover: Side) -> Option<Position> {
        self.index().position(board.placement(), mover)
    }

    /// Initialises every placement by its moves. Returns false if cancelled.
    fn initialise(&self, run: &Run) -> bool {
        run.for_each_range(self.index().size(), Stage::Moves, |numbers| {
            for number in numbers {
                let Some(board) = self.board(number) else { continue };
                for mover in Side::ALL {
                    if board.in_check(!mover) {
                        continue;
                    }
                    let start = self.start(&board, mover);
                    self.solution.states[mover.index()].set(number, start.state);
                    if let Some(distance) = start.distance {
                        self.solution.distances.set(mover, number, distance);
                    }
                }
            }
        })
    }

    fn start(&self, board: &Board, mover: Side) -> Start {
        let (mut legal, mut open, mut won) = (false, 0, false);
        board.for_each_move(mover, |step, taken| {
            legal = true;
            match taken.map_or(Outcome::Draw, |kind| self.after_capture(board, mover, step, kind)) {
                Outcome::Loss => won = true,
                Outcome::Win => {}
                // Quiet moves, and captures that draw, which are never counted as losing.
                Outcome::Draw | Outcome::Open => open += 1,
            }
            !won
        });
        if won {
            Start { state: WON, distance: Some(1) }
        } else if open > 0 {
            Start { state: open, distance: None }
        } else {
            Start { state: LOST, distance: Some(legal.into()) }
        }
    }

    /// Returns the outcome for the side that has lost a piece to `mover`.
    pub(crate) fn after_capture(&self, board: &Board, mover: Side, step: Step, kind: Kind) -> Outcome {
        match self.conversions[(!mover).index()][kind.index()] {
            None | Some(Conversion::Bare) => Outcome::Draw,
            Some(Conversion::Table { results, swapped }) => {
                let placement = board.after_capture(mover, step, kind, swapped);
                let victim = if swapped { mover } else { !mover };
                let place = results.index().place(&placement);
                place.map_or(Outcome::Draw, |place| results.outcome(victim, place.number))
            }
        }
    }

    /// Propagates the results of all placements decided at `distance` to their predecessors. Returns whether there were any; `None` if cancelled.
    fn propagate(&self, distance: u16, run: &Run) -> Option<bool> {
        let found = AtomicBool::new(false);
        let whole = run.for_each_range(self.index().size(), Stage::Plies(distance), |numbers| {
            if !self.solution.distances.take_new(&numbers, distance) {
                return;
            }
            for mover in Side::ALL {
                for number in self.solution.distances.numbers_at(mover, numbers.clone(), distance) {
                    found.store(true, Ordering::Relaxed);
                    self.propagate_from(mover, number, distance);
                }
            }
        });
        whole.then(|| found.into_inner())
    }

    /// Updates all placements from which a quiet move of the other side leads to a decided one.
    fn propagate_from(&self, mover: Side, number: u64, distance: u16) {
        let Some(board) = self.board(number) else { return };
        let is_lost = self.solution.states[mover.index()].get(number) == LOST;
        board.for_each_predecessor(self.index(), mover, |before| {
            if is_lost {
                self.mark_won(!mover, before, distance + 1);
            } else {
                self.count_losing_move(!mover, before, distance + 1);
            }
        });
    }

    /// Marks a placement as won: `mover` can move to a lost placement of its opponent.
    fn mark_won(&self, mover: Side, number: u64, distance: u16) {
        let open = |state| (state != WON && state != ILLEGAL && state != LOST).then_some(WON);
        if self.solution.states[mover.index()].update(number, open).is_ok() {
            self.solution.distances.set(mover, number, distance);
        }
    }

    /// Counts one more losing move of `mover`, and marks the placement as lost after the last one.
    fn count_losing_move(&self, mover: Side, number: u64, distance: u16) {
        let one_less = |state: u8| (state != WON && state != ILLEGAL).then(|| state.checked_sub(1)).flatten();
        if self.solution.states[mover.index()].update(number, one_less) == Ok(LOST + 1) {
            self.solution.distances.set(mover, number, distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(solution: &Solution) -> Vec<(Option<Outcome>, u16)> {
        let numbers = || 0..solution.index().size();
        let of =
            |mover| numbers().map(move |number| (solution.outcome(mover, number), solution.distance(mover, number)));
        Side::ALL.into_iter().flat_map(of).collect()
    }

    #[test]
    fn distances_too_long_for_a_byte_take_two() {
        let folder = tempfile::tempdir().unwrap();
        let [memory, pages] = [Storage::Memory, Storage::paged(1 << 12, folder.path())];
        let tables = Tables::default();
        let solved_in = |storage, most| {
            let run = Run { threads: 2, cancel: &AtomicBool::new(false), storage, done: &|_, _| {} };
            solve_with("KP-K".parse().unwrap(), &tables, &run, most).unwrap().unwrap().into_solution()
        };
        let solved = |most| solved_in(&memory, most);
        let expected = all(&solved(LONGEST_IN_A_BYTE));
        assert!(expected.iter().any(|&(_, plies)| plies > 10));
        // At the first level, in the middle, and after the last one.
        for most in [1, 2, 7, 254] {
            assert!(all(&solved(most)) == expected, "{most}");
            assert!(all(&solved_in(&pages, most)) == expected, "{most}, in pages");
        }
    }
}
