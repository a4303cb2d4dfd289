//! Statistics of tables, on the full board: a placement and its mirror image count as two.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use chuhe::board::Side;
use chuhe::endgame::{Index, Material, Outcome, Results, Tables};

use crate::board::Board;
use crate::parallel::for_each_range;
use crate::{folder, mates};

/// Number of placements with each outcome for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Counts, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; Outcome::ALL.len()],
}

impl Counts {
    /// Returns the number of placements with this outcome.
    pub fn of(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize]
    }

    fn add(&mut self, other: &Self) {
        for (sum, more) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += more;
        }
    }
}

/// Formats counts as in `12 won, 3 lost, 4 drawn`, with the open ones if there are any.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, lost, drawn] = [Outcome::Win, Outcome::Loss, Outcome::Draw].map(|outcome| self.of(outcome));
        write!(f, "{won} won, {lost} lost, {drawn} drawn")?;
        match self.of(Outcome::Open) {
            0 => Ok(()),
            open => write!(f, ", {open} open"),
        }
    }
}

/// Prints the counts and longest distances of every material, and with `mates` the longest mates, counted through captures.
///
/// # Errors
/// If a table cannot be used, or the memory does not suffice.
pub fn run(folder: &Path, materials: &[Material], mates: bool, threads: usize, out: &mut impl Write) -> Result<()> {
    let tables = folder::read(folder)?;
    for &material in materials {
        let results = tables.results(material).with_context(|| format!("there is no table of {material}"))?;
        let counts = count(results, threads);
        let mates = if mates { Some(mates::longest(&tables, material, threads)?) } else { None };
        for (side, name) in Side::ALL.into_iter().zip(["first", "second"]) {
            let king = material.force(side);
            // Before the line begins, so that an error has a line of its own.
            let longest = longest(&tables, material, side)
                .with_context(|| folder::distances_of(folder, material).display().to_string())?;
            write!(out, "{material}, {king} ({name}) to move: {}", counts[side.index()])?;
            if let Some((plies, fen)) = longest {
                write!(out, "; longest {plies} plies: {fen}")?;
            }
            match mates {
                Some(mates) => writeln!(out, "; longest to the mate {} plies", mates[side.index()])?,
                None => writeln!(out)?,
            }
        }
    }
    Ok(())
}

/// Counts the outcomes of all placements, by side to move.
pub fn count(results: &Results, threads: usize) -> [Counts; 2] {
    let index = results.index();
    let attackers: Vec<_> = index.attackers().collect();
    let sum = Mutex::new([Counts::default(); 2]);
    for_each_range(
        threads,
        index.size(),
        &AtomicBool::new(false),
        |_| {},
        |numbers| {
            let mut counts = [Counts::default(); 2];
            for number in numbers {
                let placement = index.placement(number);
                let Some(board) = Board::new(index, &attackers, placement) else { continue };
                let itself = index.place(&placement).is_some_and(|place| place.symmetric);
                for mover in Side::ALL.into_iter().filter(|&mover| !board.in_check(!mover)) {
                    let outcome = results.outcome(mover, number);
                    counts[mover.index()].outcomes[outcome as usize] += if itself { 1 } else { 2 };
                }
            }
            let mut sum = sum.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            sum.iter_mut().zip(counts).for_each(|(sum, counts)| sum.add(&counts));
        },
    );
    sum.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Returns the longest distance and a FEN with it, if the table has distances and decided placements.
fn longest(tables: &Tables, material: Material, mover: Side) -> Result<Option<(u16, String)>> {
    let Some(distances) = tables.distances(material) else { return Ok(None) };
    let index: &Index = distances.index();
    let all = distances.all(mover)?;
    let Some(&plies) = all.iter().max().filter(|&&plies| plies > 0) else { return Ok(None) };
    let found = (0..).zip(&all).find(|&(_, &other)| other == plies);
    let position = found.and_then(|(number, _)| index.position(&index.placement(number), mover));
    Ok(position.map(|position| (plies, position.to_fen())))
}
