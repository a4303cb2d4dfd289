//! Distance to mate (DTM), counted through captures: the winner mates as fast as possible and the loser delays it. The tables
//! count to the next capture (DTC), which wins under a move limit; DTM is the number to compare with published ones.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, Ordering};

use anyhow::{Context, Result, ensure};
use chuhe::board::{Kind, Side};
use chuhe::endgame::{Index, Material, Outcome, Results, Tables};

use crate::board::{Board, Step};
use crate::generate;
use crate::parallel::for_each_range;
use crate::plies::{at, entries};

/// Marks a placement without a mate. Other values are odd if the side to move mates, and even if it is mated.
const NEVER: u16 = u16::MAX;
/// Marks a win, in place of a count of moves.
const WON: u8 = u8::MAX;

/// Plies to mate, by side to move and number.
type Plies = [Vec<u16>; 2];

/// Returns the longest mates of `wanted` in plies, by side to move; 0 if there is none. Solved in memory, with the results in
/// `tables`.
///
/// # Errors
/// If a table is missing, the memory does not suffice, or a mate is too long to be counted.
pub fn longest(tables: &Tables, wanted: Material, threads: usize) -> Result<[u16; 2]> {
    let mut solved: HashMap<Material, (Index, Plies)> = HashMap::new();
    for index in generate::plan(&[wanted])? {
        let material = index.material();
        let results = tables.results(material).with_context(|| format!("there is no table of {material}"))?;
        let plies = MateSolver::new(results, &solved)?.solve(threads)?;
        solved.insert(material, (index, plies));
    }
    let longest = |plies: &Vec<u16>| plies.iter().copied().filter(|&plies| plies != NEVER).max().unwrap_or(0);
    let (_, plies) = solved.get(&wanted).with_context(|| format!("no side has an attacker in {wanted}"))?;
    Ok(plies.each_ref().map(longest))
}

/// Table that a capture leads to, and whether the sides are swapped in it.
#[derive(Clone, Copy)]
struct Conversion<'a> {
    index: &'a Index,
    plies: &'a Plies,
    swapped: bool,
}

/// Material that is being solved, by side to move and number.
struct MateSolver<'a> {
    results: &'a Results,
    attackers: Vec<(Side, Kind)>,
    /// Conversions, by the side that loses a piece and the piece's kind; `None` if neither side can win any more.
    conversions: [[Option<Conversion<'a>>; Kind::ALL.len()]; 2],
    /// Plies to mate found so far; for wins an upper bound.
    plies: [Vec<AtomicU16>; 2],
    /// Lost placements: quiet moves whose result is not known yet; [`WON`] for won placements.
    left: [Vec<AtomicU8>; 2],
    /// Lost placements: plies to mate after the best capture.
    by_capture: [Vec<AtomicU16>; 2],
}

impl<'a> MateSolver<'a> {
    fn new(results: &'a Results, solved: &'a HashMap<Material, (Index, Plies)>) -> Result<Self> {
        let (material, size) = (results.index().material(), results.index().size());
        let conversion = |side, kind| {
            let (left, swapped) = material.after_capture(side, kind)?;
            let (index, plies) = solved.get(&left)?;
            Some(Conversion { index, plies, swapped })
        };
        let plies = |plies| {
            let new = || AtomicU16::new(plies);
            Ok::<_, anyhow::Error>([entries(size, new)?, entries(size, new)?])
        };
        let none = || AtomicU8::new(0);
        Ok(Self {
            results,
            attackers: results.index().attackers().collect(),
            conversions: Side::ALL.map(|side| Kind::ALL.map(|kind| conversion(side, kind))),
            plies: plies(NEVER)?,
            left: [entries(size, none)?, entries(size, none)?],
            by_capture: plies(0)?,
        })
    }

    fn solve(self, threads: usize) -> Result<Plies> {
        let size = self.results.index().size();
        let never = AtomicBool::new(false);
        let for_each = |work: &(dyn Fn(Side, u64) + Sync)| {
            for_each_range(
                threads,
                size,
                &never,
                |_| {},
                |numbers| {
                    numbers.for_each(|number| Side::ALL.into_iter().for_each(|mover| work(mover, number)));
                },
            )
        };
        for_each(&|mover, number| self.begin(mover, number));
        for plies in 0.. {
            let more = AtomicBool::new(false);
            for_each(&|mover, number| match self.plies[mover.index()][at(number)].load(Ordering::Relaxed) {
                NEVER => {}
                found => {
                    if found == plies {
                        self.spread(mover, number, plies);
                    }
                    if found >= plies {
                        more.store(true, Ordering::Relaxed);
                    }
                }
            });
            if !more.into_inner() {
                break;
            }
            ensure!(plies < NEVER - 2, "{} has a longer way than {plies} plies", self.results.index().material());
        }
        Ok(self.plies.map(|plies| plies.into_iter().map(AtomicU16::into_inner).collect()))
    }

    /// Initialises a decided placement: evaluates its captures and counts its quiet moves.
    fn begin(&self, mover: Side, number: u64) {
        let outcome = self.results.outcome(mover, number);
        let is_won = outcome == Outcome::Win;
        if !is_won && outcome != Outcome::Loss {
            return;
        }
        let Some(board) = self.board(number).filter(|board| !board.in_check(!mover)) else { return };
        let (mut quiet, mut soonest, mut latest) = (0, NEVER, 0);
        board.for_each_move(mover, |step, taken| {
            let Some(kind) = taken else {
                quiet += 1;
                return true;
            };
            let plies = self.after_capture(&board, mover, step, kind);
            if plies != NEVER {
                // Among a winner's captures those that mate count; all of a loser's lead to a mate.
                if is_won && plies.is_multiple_of(2) {
                    soonest = soonest.min(plies + 1);
                }
                latest = latest.max(plies + 1);
            }
            true
        });
        let store = |to: &[Vec<AtomicU16>; 2], value| to[mover.index()][at(number)].store(value, Ordering::Relaxed);
        let left = &self.left[mover.index()][at(number)];
        if is_won {
            left.store(WON, Ordering::Relaxed);
            store(&self.plies, soonest);
        } else {
            left.store(quiet, Ordering::Relaxed);
            store(&self.by_capture, latest);
            store(&self.plies, if quiet == 0 { latest } else { NEVER });
        }
    }

    fn board(&self, number: u64) -> Option<Board<'_>> {
        let index = self.results.index();
        Board::new(index, &self.attackers, index.placement(number))
    }

    /// Returns the plies to mate after a capture.
    fn after_capture(&self, board: &Board, mover: Side, step: Step, kind: Kind) -> u16 {
        let Some(conversion) = self.conversions[(!mover).index()][kind.index()] else { return NEVER };
        let Conversion { index, plies, swapped } = conversion;
        let victim = if swapped { mover } else { !mover };
        let place = index.place(&board.after_capture(mover, step, kind, swapped));
        place.map_or(NEVER, |place| plies[victim.index()][at(place.number)])
    }

    /// Updates all placements from which a quiet move of the other side leads here.
    fn spread(&self, mover: Side, number: u64, plies: u16) {
        let Some(board) = self.board(number) else { return };
        board.for_each_predecessor(self.results.index(), mover, |before| {
            let (side, before) = ((!mover).index(), at(before));
            let known = &self.plies[side][before];
            let left = &self.left[side][before];
            let is_won = left.load(Ordering::Relaxed) == WON;
            if is_won && plies.is_multiple_of(2) {
                known.fetch_min(plies + 1, Ordering::Relaxed);
            } else if !is_won && plies % 2 == 1 {
                let one_less = |left: u8| left.checked_sub(1);
                if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less) == Ok(1) {
                    let by_capture = self.by_capture[side][before].load(Ordering::Relaxed);
                    known.store(by_capture.max(plies + 1), Ordering::Relaxed);
                }
            }
        });
    }
}
