//! Which draws are draws under every rule of repetition.
//!
//! Whoever can make innocent moves again and again, which no rules mind, loses by no loop, and neither does who answers nothing
//! but checks for ever. What both sides can hold in this way, or can force into that, is a draw. The rest is left open: there
//! somebody holds by checks or threats, and what is said of those differs from one set of rules to the next.
//!
//! It is not relabelled as won by the game in which perpetual check loses, though that could be solved in the same way. One file
//! serves all sets of rules, also the one that forbids nothing; and a win by somebody else's loop has no distance that falls, so
//! that nobody could claim it below a move limit, which all of them have.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};

use anyhow::Result;
use chuhe::board::{Kind, Move, Position, Side};
use chuhe::endgame::Outcome;
use chuhe::rules::is_innocent;

use crate::board::{Board, Step};
use crate::parallel::for_each_piece;
use crate::plies::{at, entries};
use crate::solver::{Known, Run, Solver};
use crate::stage::Stage;

/// How many draws are doubtful, on the full board and whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Doubts {
    /// Draws that are left open.
    pub open: u64,
    /// Those that somebody holds by perpetual check alone.
    pub by_checks: u64,
}

/// Leaves open what is not drawn under every rule. `None` if it was told to end.
pub(crate) fn certify(solver: &Solver, run: &Run) -> Result<Option<Doubts>> {
    let mut doubts = Doubts::default();
    // One side after the other, since each takes its memory. What is left open is still no win of anybody.
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

/// Which moves a side may make again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Good {
    /// Those that no rules mind.
    Innocent,
    /// Those that are no check.
    Quiet,
}

/// How the side goes on holding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// By a good move, sooner or later, to where it can do so again.
    Returning,
    /// By good moves or answers to checks, always.
    Staying,
}

/// It is not known yet whether the side can hold here.
const PENDING: u8 = 0;
const HOLDS: u8 = 1;
const FAILS: u8 = 2;

/// Where one side can hold a draw.
struct Hold<'a> {
    solver: &'a Solver<'a>,
    side: Side,
    good: Good,
    /// By side to move and number; of what is no draw it says nothing.
    status: [Vec<AtomicU8>; 2],
    /// Looks at all draws so far.
    rounds: AtomicU32,
}

impl<'a> Hold<'a> {
    fn find(solver: &'a Solver<'a>, side: Side, good: Good, run: &Run) -> Result<Option<Self>> {
        let size = solver.index().size();
        let pending = || AtomicU8::new(PENDING);
        let status = [entries(size, pending)?, entries(size, pending)?];
        let hold = Self { solver, side, good, status, rounds: AtomicU32::new(0) };
        Ok(hold.solve(run).then_some(hold))
    }

    /// False if it was told to end.
    fn solve(&self, run: &Run) -> bool {
        // What can go on if all can that is left; then again without what could not.
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
        // Of the rest what answers checks, and what leads by force to where the side can hold.
        if !self.spread(PENDING, FAILS, run, |board, mover| !self.can_hold(board, mover, Way::Staying)) {
            return false;
        }
        self.turn(PENDING, HOLDS);
        self.spread(FAILS, HOLDS, run, |board, mover| self.can_hold(board, mover, Way::Returning))
    }

    /// Where the side cannot hold what is a draw, and who is to move there.
    fn failures(&self) -> impl Iterator<Item = (Side, u64)> {
        Side::ALL.into_iter().flat_map(move |mover| {
            let entries = (0..).zip(&self.status[mover.index()]);
            let failures = entries.filter(|(_, status)| status.load(Ordering::Relaxed) == FAILS);
            failures.map(move |(number, _)| (mover, number))
        })
    }

    fn get(&self, mover: Side, number: u64) -> u8 {
        self.status[mover.index()][at(number)].load(Ordering::Relaxed)
    }

    /// Changes all draws with one status to another. Whether there were any.
    fn turn(&self, from: u8, to: u8) -> bool {
        let mut found = false;
        for mover in Side::ALL {
            for (number, status) in (0..).zip(&self.status[mover.index()]) {
                if status.load(Ordering::Relaxed) == from && self.solver.known(mover, number) == Known::Drawn {
                    status.store(to, Ordering::Relaxed);
                    found = true;
                }
            }
        }
        found
    }

    /// Changes draws from one status to another where that is said to be right, until nothing changes. False if it was told to
    /// end.
    fn spread(&self, from: u8, to: u8, run: &Run, is_right: impl Fn(&Board, Side) -> bool + Sync) -> bool {
        let solver = self.solver;
        loop {
            let changed = AtomicBool::new(false);
            let stage = self.stage();
            let whole = for_each_piece(
                run.threads,
                solver.index().size(),
                run.cancel,
                |placements| (run.done)(stage, placements),
                |numbers| {
                    for number in numbers {
                        for mover in Side::ALL {
                            if self.get(mover, number) == from
                                && solver.known(mover, number) == Known::Drawn
                                && solver.board(number).is_some_and(|board| is_right(&board, mover))
                            {
                                self.status[mover.index()][at(number)].store(to, Ordering::Relaxed);
                                changed.store(true, Ordering::Relaxed);
                            }
                        }
                    }
                },
            );
            if !whole || !changed.into_inner() {
                return whole;
            }
        }
    }

    /// The next round.
    fn stage(&self) -> Stage {
        let round = self.rounds.fetch_add(1, Ordering::Relaxed);
        match self.good {
            Good::Innocent => Stage::Innocent { side: self.side, round },
            Good::Quiet => Stage::Quiet { side: self.side, round },
        }
    }

    /// Whether the side can hold here in this way: by one move of its own, or whatever its opponent does.
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
            // One move of its own is enough, and so is one of its opponent's that leads elsewhere.
            leads != own
        });
        holds
    }

    /// Whether the side holds after a capture: a draw under all rules, or a win of its own.
    fn leads_by_capture(&self, board: &Board, mover: Side, step: Step, kind: Kind) -> bool {
        match self.solver.after_capture(board, mover, step, kind) {
            Outcome::Draw => true,
            Outcome::Open => false,
            Outcome::Win => mover != self.side,
            Outcome::Loss => mover == self.side,
        }
    }

    /// The status after a quiet step: that of a draw, or what it comes to if it is none.
    fn after(&self, board: &Board, mover: Side, step: Step) -> u8 {
        let after = board.after(mover, step);
        let Some(place) = self.solver.index().place(&after) else { return FAILS };
        let wins = |side: Side| if side == self.side { HOLDS } else { FAILS };
        match self.solver.known(!mover, place.number) {
            Known::Drawn => self.get(!mover, place.number),
            Known::Won => wins(!mover),
            Known::Lost => wins(mover),
            Known::Illegal => FAILS,
        }
    }

    /// Whether the side may make this quiet move again and again. The engine's board is made when it is first needed.
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
