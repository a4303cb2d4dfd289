//! Solves one material by retrograde analysis: what is mate or lost by captures is found first, then level by level the
//! placements from which that can be reached.
//!
//! Distances count plies to the end of the game or to the next capture; a winner hurries, a loser does not. Captures leave the
//! material, so all that they lead to has to be known before.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use anyhow::{Context, Result, ensure};
use chuhe::board::{Kind, Position, Side};
use chuhe::endgame::{Index, Material, Outcome, Results, Tables};

use crate::board::{Board, Step};
use crate::certificate::{self, Doubts};
use crate::parallel::for_each_piece;
use crate::plies::{LONGEST, LONGEST_IN_A_BYTE, Plies, at, entries};
use crate::stage::Stage;

/// What is known of a placement and a side to move, beside how many moves may still not lose.
const LOST: u8 = 0;
/// More moves than there can be: added to those of a draw that is none under all rules.
const OPEN: u8 = 128;
const WON: u8 = 254;
const ILLEGAL: u8 = 255;

/// A material that is solved.
pub struct Solution {
    index: Index,
    /// By side to move and number.
    states: [Vec<AtomicU8>; 2],
    distances: Plies,
}

impl Solution {
    /// The numbers of its placements.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// What `mover` can reach, if the placement is one.
    pub fn outcome(&self, mover: Side, number: u64) -> Option<Outcome> {
        match self.state(mover, number).load(Ordering::Relaxed) {
            ILLEGAL => None,
            WON => Some(Outcome::Win),
            LOST => Some(Outcome::Loss),
            OPEN.. => Some(Outcome::Open),
            _ => Some(Outcome::Draw),
        }
    }

    /// Plies to the end or the next capture; 0 if nobody wins.
    pub fn distance(&self, mover: Side, number: u64) -> u16 {
        self.distances.get(mover, number).unwrap_or(0)
    }

    fn state(&self, mover: Side, number: u64) -> &AtomicU8 {
        &self.states[mover.index()][at(number)]
    }
}

/// What a capture leads to.
#[derive(Clone, Copy)]
enum Conversion<'a> {
    /// Nobody can win any more.
    Bare,
    /// What this table says, after an exchange of the sides if it has to be swapped.
    Table { results: &'a Results, swapped: bool },
}

/// What a run needs to know.
pub struct Run<'a> {
    /// Threads.
    pub threads: usize,
    /// Raised by who wants it to end.
    pub cancel: &'a AtomicBool,
    /// Hears of every part of the work that is done, in placements: each stage looks at all of them.
    pub done: &'a (dyn Fn(Stage, u64) + Sync),
}

/// Solves `material`, with all that captures lead to in `tables`. `None` if it was told to end.
///
/// # Errors
/// If a table is missing, the memory does not suffice, or a distance is too long.
pub fn solve(material: Material, tables: &Tables, run: &Run) -> Result<Option<(Solution, Doubts)>> {
    solve_with(material, tables, run, LONGEST_IN_A_BYTE)
}

/// Solves with distances that take two bytes as soon as one is longer than `most_in_a_byte`.
fn solve_with(
    material: Material,
    tables: &Tables,
    run: &Run,
    most_in_a_byte: u16,
) -> Result<Option<(Solution, Doubts)>> {
    let index = Index::new(material).with_context(|| format!("{material} has too many attackers"))?;
    let attackers: Vec<_> = index.attackers().collect();
    let conversions = conversions(material, tables)?;
    let illegal = || AtomicU8::new(ILLEGAL);
    let solution = Solution {
        states: [entries(index.size(), illegal)?, entries(index.size(), illegal)?],
        distances: Plies::new(index.size())?,
        index,
    };
    let mut solver = Solver { solution, attackers, conversions };
    if !solver.begin(run) {
        return Ok(None);
    }
    for distance in 0.. {
        if distance == most_in_a_byte {
            solver.solution.distances.widen()?;
        }
        let Some(found) = solver.spread(distance, run) else { return Ok(None) };
        // Mates are at 0, captures at 1; from there on every level comes from the one before.
        if distance > 0 && !found {
            break;
        }
        ensure!(distance < LONGEST, "{material} has a longer way than {LONGEST} plies");
    }
    let doubts = certificate::certify(&solver, run)?;
    Ok(doubts.map(|doubts| (solver.solution, doubts)))
}

/// What captures lead to, by the side that loses a man and the man's kind.
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

/// What retrograde analysis has found out, whatever the rules of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Illegal,
    Won,
    Lost,
    Drawn,
}

/// A material that is being solved.
pub(crate) struct Solver<'a> {
    solution: Solution,
    attackers: Vec<(Side, Kind)>,
    conversions: [[Option<Conversion<'a>>; Kind::ALL.len()]; 2],
}

/// What a placement is before anything is known of others.
struct Start {
    state: u8,
    distance: Option<u16>,
}

impl Solver<'_> {
    pub(crate) fn index(&self) -> &Index {
        &self.solution.index
    }

    pub(crate) fn known(&self, mover: Side, number: u64) -> Known {
        match self.solution.state(mover, number).load(Ordering::Relaxed) {
            ILLEGAL => Known::Illegal,
            WON => Known::Won,
            LOST => Known::Lost,
            _ => Known::Drawn,
        }
    }

    /// Takes a draw for one that is none under all rules, and says whether it was not taken for such before.
    pub(crate) fn leave_open(&self, mover: Side, number: u64) -> bool {
        self.solution.state(mover, number).fetch_or(OPEN, Ordering::Relaxed) & OPEN == 0
    }

    /// The board of a number, if no two men stand on one square.
    pub(crate) fn board(&self, number: u64) -> Option<Board<'_>> {
        Board::new(self.index(), &self.attackers, self.index().men(number))
    }

    /// How many placements of the full board a number stands for.
    pub(crate) fn weight(&self, number: u64) -> u64 {
        let symmetric = self.index().place(&self.index().men(number)).is_some_and(|place| place.symmetric);
        if symmetric { 1 } else { 2 }
    }

    /// The engine's board.
    pub(crate) fn position(&self, board: &Board, mover: Side) -> Option<Position> {
        self.index().position(board.men(), mover)
    }

    /// Looks at the moves of every placement. False if it was told to end.
    fn begin(&self, run: &Run) -> bool {
        let done = |placements| (run.done)(Stage::Moves, placements);
        for_each_piece(run.threads, self.index().size(), run.cancel, done, |numbers| {
            for number in numbers {
                let Some(board) = self.board(number) else { continue };
                for mover in Side::ALL {
                    if board.in_check(!mover) {
                        continue;
                    }
                    let start = self.start(&board, mover);
                    self.solution.state(mover, number).store(start.state, Ordering::Relaxed);
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
                // Quiet moves, and captures that draw, which will never be struck off.
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

    /// What the side that has lost a man to `mover` can reach.
    pub(crate) fn after_capture(&self, board: &Board, mover: Side, step: Step, kind: Kind) -> Outcome {
        match self.conversions[(!mover).index()][kind.index()] {
            None | Some(Conversion::Bare) => Outcome::Draw,
            Some(Conversion::Table { results, swapped }) => {
                let men = board.after_capture(mover, step, kind, swapped);
                let victim = if swapped { mover } else { !mover };
                let place = results.index().place(&men);
                place.map_or(Outcome::Draw, |place| results.outcome(victim, place.number))
            }
        }
    }

    /// Goes back from all that is decided at `distance`. Whether there was anything; `None` if it was told to end.
    fn spread(&self, distance: u16, run: &Run) -> Option<bool> {
        let found = AtomicBool::new(false);
        let whole = for_each_piece(
            run.threads,
            self.index().size(),
            run.cancel,
            |placements| (run.done)(Stage::Plies(distance), placements),
            |numbers| {
                for number in numbers {
                    for mover in Side::ALL {
                        if self.solution.distances.get(mover, number) == Some(distance) {
                            found.store(true, Ordering::Relaxed);
                            self.spread_one(mover, number, distance);
                        }
                    }
                }
            },
        );
        whole.then(|| found.into_inner())
    }

    /// Tells all from which one quiet move of the other side leads to a decided entry.
    fn spread_one(&self, mover: Side, number: u64, distance: u16) {
        let Some(board) = self.board(number) else { return };
        let is_lost = self.solution.state(mover, number).load(Ordering::Relaxed) == LOST;
        board.for_each_predecessor(self.index(), mover, |before| {
            if is_lost {
                self.win(!mover, before, distance + 1);
            } else {
                self.strike(!mover, before, distance + 1);
            }
        });
    }

    /// `mover` can move to where its opponent has lost.
    fn win(&self, mover: Side, number: u64, distance: u16) {
        let open = |state| (state != WON && state != ILLEGAL && state != LOST).then_some(WON);
        let state = self.solution.state(mover, number);
        if state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, open).is_ok() {
            self.solution.distances.set(mover, number, distance);
        }
    }

    /// One more move of `mover` loses.
    fn strike(&self, mover: Side, number: u64, distance: u16) {
        let one_less = |state: u8| (state != WON && state != ILLEGAL).then(|| state.checked_sub(1)).flatten();
        let state = self.solution.state(mover, number);
        if state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less) == Ok(LOST + 1) {
            self.solution.distances.set(mover, number, distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Solves a table; returns the stages in their order with how much of each was heard.
    fn stages(material: &str, tables: &Tables) -> (Vec<(Stage, u64)>, Solution) {
        let heard = Mutex::new(vec![]);
        let done = |stage, count| {
            let mut heard = heard.lock().unwrap();
            match heard.last_mut() {
                Some((last, sum)) if *last == stage => *sum += count,
                _ => heard.push((stage, count)),
            }
        };
        let run = Run { threads: 2, cancel: &AtomicBool::new(false), done: &done };
        let (solution, _) = solve(material.parse().unwrap(), tables, &run).unwrap().unwrap();
        (heard.into_inner().unwrap(), solution)
    }

    fn all(solution: &Solution) -> Vec<(Option<Outcome>, u16)> {
        let numbers = || 0..solution.index().size();
        let of =
            |mover| numbers().map(move |number| (solution.outcome(mover, number), solution.distance(mover, number)));
        Side::ALL.into_iter().flat_map(of).collect()
    }

    #[test]
    fn all_the_work_is_heard_of_level_by_level_and_round_by_round() {
        let (heard, solution) = stages("KR-K", &Tables::default());
        assert!(heard.iter().all(|&(_, placements)| placements == solution.index().size()), "{heard:?}");
        let stages: Vec<Stage> = heard.into_iter().map(|(stage, _)| stage).collect();
        let longest = all(&solution).iter().map(|&(_, plies)| plies).max().unwrap();
        let levels = (0..=longest + 1).map(Stage::Plies);
        let before: Vec<Stage> = [Stage::Moves].into_iter().chain(levels).collect();
        assert!(longest > 2 && stages.starts_with(&before), "{stages:?}");
        // Each side can hold what is drawn, which is seen in one round and confirmed in another.
        let rounds = |side| (0..2).map(move |round| Stage::Innocent { side, round });
        assert_eq!(stages[before.len()..], Side::ALL.into_iter().flat_map(rounds).collect::<Vec<_>>());
    }

    #[test]
    fn ways_that_are_too_long_for_a_byte_are_counted_on_in_two() {
        let run = Run { threads: 2, cancel: &AtomicBool::new(false), done: &|_, _| {} };
        let solved = |most| solve_with("KP-K".parse().unwrap(), &Tables::default(), &run, most).unwrap().unwrap().0;
        let expected = all(&solved(LONGEST_IN_A_BYTE));
        assert!(expected.iter().any(|&(_, plies)| plies > 10));
        // At the first level, in the middle, and where nothing more is found.
        for most in [1, 2, 7, 254] {
            assert!(all(&solved(most)) == expected, "{most}");
        }
    }
}
