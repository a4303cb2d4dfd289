//! Certification of draws: finds the draws that hold under every rule of repetition.
//!
//! A side that can make innocent moves forever, which no rules forbid, does not lose by repetition, and neither does a side that
//! only ever answers checks. A placement that both sides can hold in this way, or from which they can force one that they can
//! hold, is a draw. The rest is left open: there one side holds only by checks or threats, which rule sets judge differently.
//!
//! Open placements are not relabelled as wins under the rules in which perpetual check loses, though that could be solved in the
//! same way. One file serves all rule sets, including the one that forbids nothing. Besides, a win by the other side's repetition
//! has no decreasing distance, so it could not be claimed below a move limit, which all rule sets have.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};

use anyhow::Result;
use chuhe::board::{Kind, Move, Position, Side};
use chuhe::endgame::Outcome;
use chuhe::rules::is_innocent;

use crate::board::{Board, Step};
use crate::parallel::PIECE;
use crate::plies::at;
use crate::solver::{RetrogradeResult, Run, Solver};
use crate::stage::Stage;
use crate::storage::Entries;

/// Counts of doubtful draws, on the full board and with either side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Doubts {
    /// Draws left open.
    pub open: u64,
    /// Draws that one side holds only by perpetual check.
    pub by_checks: u64,
}

/// Marks the draws that do not hold under every rule set as open. Returns `None` if cancelled, or if the storage has failed.
pub(crate) fn certify(solver: &Solver, run: &Run) -> Result<Option<Doubts>> {
    let mut doubts = Doubts::default();
    // One side after the other, to save memory. An open placement is still not won for either side.
    for side in Side::ALL {
        let Some(held) = Hold::find(solver, side, Good::Innocent, run)? else { return Ok(None) };
        for (mover, number) in held.failures() {
            if solver.leave_open(mover, number) {
                doubts.open += solver.weight(number);
            }
        }
    }
    if doubts.open == 0 {
        return Ok(Some(doubts));
    }
    let [first, second] = Side::ALL.map(|side| Hold::find(solver, side, Good::Quiet, run));
    let (Some(first), Some(second)) = (first?, second?) else { return Ok(None) };
    let others = second.failures().filter(|&(mover, number)| first.get(mover, number) != FAILS);
    doubts.by_checks = first.failures().chain(others).map(|(_, number)| solver.weight(number)).sum();
    Ok(Some(doubts))
}

/// Class of moves that a side may repeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Good {
    /// Innocent moves, which no rules forbid.
    Innocent,
    /// Moves that give no check.
    Quiet,
}

/// Manner in which the side keeps holding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Good moves lead, sooner or later, to a placement where it can do so again.
    Returning,
    /// Good moves or answers to checks are always available.
    Staying,
}

/// Status of a draw for which it is not known yet whether the side can hold it.
const PENDING: u8 = 0;
const HOLDS: u8 = 1;
const FAILS: u8 = 2;

/// Placements in which one side can hold a draw.
struct Hold<'a> {
    solver: &'a Solver<'a>,
    side: Side,
    good: Good,
    /// Status by side to move and number; meaningless for placements that are not drawn.
    status: [Entries<AtomicU8>; 2],
    /// Passes over all draws so far.
    rounds: AtomicU32,
}

impl<'a> Hold<'a> {
    fn find(solver: &'a Solver<'a>, side: Side, good: Good, run: &Run) -> Result<Option<Self>> {
        let pending = || Entries::new(run.storage, solver.index().size(), PENDING);
        let status = [pending()?, pending()?];
        let hold = Self { solver, side, good, status, rounds: AtomicU32::new(0) };
        Ok(hold.solve(run).then_some(hold))
    }

    /// Solves all placements. Returns false if cancelled.
    fn solve(&self, run: &Run) -> bool {
        // Greatest fixed point: find what holds if all that is left does, drop the rest and repeat.
        loop {
            if !self.spread(PENDING, HOLDS, run, |board, mover| self.can_hold(board, mover, Way::Returning)) {
                return false;
            }
            if !self.turn(PENDING, FAILS) {
                break;
            }
            self.turn(HOLDS, PENDING);
        }
        if !self.turn(FAILS, PENDING) {
            return true;
        }
        // Among the rest, find placements held by answers to checks, and those that lead by force to a held one.
        if !self.spread(PENDING, FAILS, run, |board, mover| !self.can_hold(board, mover, Way::Staying)) {
            return false;
        }
        self.turn(PENDING, HOLDS);
        self.spread(FAILS, HOLDS, run, |board, mover| self.can_hold(board, mover, Way::Returning))
    }

    /// Returns the draws that the side cannot hold, with the side to move.
    fn failures(&self) -> impl Iterator<Item = (Side, u64)> {
        Side::ALL.into_iter().flat_map(move |mover| {
            let draws = self.pieces().flat_map(move |piece| self.solver.draws(mover, piece));
            draws.filter(move |&number| self.get(mover, number) == FAILS).map(move |number| (mover, number))
        })
    }

    /// Returns all numbers, piece by piece.
    fn pieces(&self) -> impl Iterator<Item = Range<u64>> {
        let size = self.solver.index().size();
        (0..size.div_ceil(PIECE)).map(move |piece| piece * PIECE..size.min((piece + 1) * PIECE))
    }

    fn get(&self, mover: Side, number: u64) -> u8 {
        self.status[mover.index()].get(number)
    }

    /// Changes the status of all draws with status `from` to `to`. Returns whether there were any.
    fn turn(&self, from: u8, to: u8) -> bool {
        let mut found = false;
        for mover in Side::ALL {
            for number in self.pieces().flat_map(|piece| self.solver.draws(mover, piece)) {
                if self.get(mover, number) == from {
                    self.status[mover.index()].set(number, to);
                    found = true;
                }
            }
        }
        found
    }

    /// Changes draws from one status to another where `is_right` allows it, until nothing changes. Returns false if cancelled.
    fn spread(&self, from: u8, to: u8, run: &Run, is_right: impl Fn(&Board, Side) -> bool + Sync) -> bool {
        let (solver, size) = (self.solver, self.solver.index().size());
        // Nothing gets the status `from` here: a piece without it has none in later rounds either.
        let is_over: Vec<_> = (0..size.div_ceil(PIECE)).map(|_| AtomicBool::new(false)).collect();
        loop {
            let changed = AtomicBool::new(false);
            let whole = run.for_each_range(size, self.stage(), |numbers| {
                let is_over = &is_over[at(numbers.start / PIECE)];
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                let mut left = false;
                for mover in Side::ALL {
                    for number in solver.draws(mover, numbers.clone()) {
                        if self.get(mover, number) != from {
                            continue;
                        }
                        if solver.board(number).is_some_and(|board| is_right(&board, mover)) {
                            self.status[mover.index()].set(number, to);
                            changed.store(true, Ordering::Relaxed);
                        } else {
                            left = true;
                        }
                    }
                }
                is_over.store(!left, Ordering::Relaxed);
            });
            if !whole || !changed.into_inner() {
                return whole;
            }
        }
    }

    /// Returns the stage of the next round.
    fn stage(&self) -> Stage {
        let round = self.rounds.fetch_add(1, Ordering::Relaxed);
        match self.good {
            Good::Innocent => Stage::Innocent { side: self.side, round },
            Good::Quiet => Stage::Quiet { side: self.side, round },
        }
    }

    /// Whether the side can hold in this way: by one move of its own, or against every move of its opponent.
    fn can_hold(&self, board: &Board, mover: Side, way: Way) -> bool {
        let own = mover == self.side;
        let free = way == Way::Staying && (!own || board.in_check(mover));
        let mut position = None;
        let mut holds = !own;
        board.for_each_move(mover, |step, taken| {
            let leads = match taken {
                Some(kind) => self.leads_by_capture(board, mover, step, kind),
                None => match self.after(board, mover, step) {
                    HOLDS => true,
                    FAILS => false,
                    _ => free || own && self.is_good(board, mover, step, &mut position),
                },
            };
            holds = leads;
            // Stop at one own move that holds, or at one opponent's move that leads elsewhere.
            leads != own
        });
        holds
    }

    /// Whether the side holds after a capture: a draw under all rules, or a win for it.
    fn leads_by_capture(&self, board: &Board, mover: Side, step: Step, kind: Kind) -> bool {
        match self.solver.after_capture(board, mover, step, kind) {
            Outcome::Draw => true,
            Outcome::Open => false,
            Outcome::Win => mover != self.side,
            Outcome::Loss => mover == self.side,
        }
    }

    /// Returns the status after a quiet step: that of a draw, or the one that a decided placement amounts to.
    fn after(&self, board: &Board, mover: Side, step: Step) -> u8 {
        let after = board.after(mover, step);
        let Some(place) = self.solver.index().place(&after) else { return FAILS };
        let wins = |side: Side| if side == self.side { HOLDS } else { FAILS };
        match self.solver.retrograde_result(!mover, place.number) {
            RetrogradeResult::Drawn => self.get(!mover, place.number),
            RetrogradeResult::Won => wins(!mover),
            RetrogradeResult::Lost => wins(mover),
            RetrogradeResult::Illegal => FAILS,
        }
    }

    /// Whether the side may repeat this quiet move. Sets up the engine's `position` when it is first needed.
    fn is_good(&self, board: &Board, mover: Side, step: Step, position: &mut Option<Position>) -> bool {
        if board.is_harmless_after(mover, step) {
            return true;
        }
        if position.is_none() {
            *position = self.solver.position(board, mover);
        }
        let mv = Move::new(step.from, step.to);
        position.is_some_and(|position| match self.good {
            Good::Innocent => is_innocent(&position, mv),
            Good::Quiet => !position.gives_check(mv),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use chuhe::endgame::Tables;

    use super::*;
    use crate::solver::{Solution, solve};
    use crate::storage::Storage;

    /// Solves a table; returns the stages in order with the work reported for each.
    fn stages(material: &str, tables: &Tables) -> (Vec<(Stage, u64)>, Solution) {
        let heard = Mutex::new(vec![]);
        let done = |stage, count| {
            let mut heard = heard.lock().unwrap();
            match heard.last_mut() {
                Some((last, sum)) if *last == stage => *sum += count,
                _ => heard.push((stage, count)),
            }
        };
        let run = Run { threads: 2, cancel: &AtomicBool::new(false), storage: &Storage::Memory, done: &done };
        let solver = solve(material.parse().unwrap(), tables, &run).unwrap().unwrap();
        certify(&solver, &run).unwrap().unwrap();
        let solution = solver.into_solution();
        (heard.into_inner().unwrap(), solution)
    }

    #[test]
    fn all_the_work_is_heard_of_level_by_level_and_round_by_round() {
        let (heard, solution) = stages("KR-K", &Tables::default());
        assert!(heard.iter().all(|&(_, placements)| placements == solution.index().size()), "{heard:?}");
        let stages: Vec<Stage> = heard.into_iter().map(|(stage, _)| stage).collect();
        let (solution, size) = (&solution, solution.index().size());
        let plies = |mover| (0..size).map(move |number| solution.distance(mover, number));
        let longest = Side::ALL.into_iter().flat_map(plies).max().unwrap();
        let levels = (0..=longest + 1).map(Stage::Plies);
        let before: Vec<Stage> = [Stage::Moves].into_iter().chain(levels).collect();
        assert!(longest > 2 && stages.starts_with(&before), "{stages:?}");
        // Each side can hold the draws, which takes one round to find and another to confirm.
        let rounds = |side| (0..2).map(move |round| Stage::Innocent { side, round });
        assert_eq!(stages[before.len()..], Side::ALL.into_iter().flat_map(rounds).collect::<Vec<_>>());
    }
}
