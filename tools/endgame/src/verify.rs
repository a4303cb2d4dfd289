//! Verifies tables: their checksums, and every entry against its successors, which the engine's own board finds.

use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail, ensure};
use chuhe::board::{Position, Side};
use chuhe::endgame::{Distances, Index, Material, Outcome, Results, Tables};

use crate::folder;
use crate::parallel::for_each_range;
use crate::progress::Progress;

/// Checks the tables of `materials` in `folder`, and writes one line to `faults` for each faulty one.
///
/// # Errors
/// If a table is faulty.
pub fn run(
    folder: &Path,
    materials: &[Material],
    threads: usize,
    progress: Progress,
    faults: &mut impl Write,
) -> Result<()> {
    let tables = folder::read(folder)?;
    let mut faulty = 0_u64;
    for &material in materials {
        match check(&tables, material, threads, &progress) {
            Ok(line) => progress.line(&format!("{material}: {line}")),
            Err(error) => {
                faulty += 1;
                writeln!(faults, "{material}: {error:#}")?;
            }
        }
    }
    progress.end();
    ensure!(faulty == 0, "{faulty} of {} tables have faults", materials.len());
    Ok(())
}

/// Table under verification, with its distances unpacked.
struct Table<'a> {
    tables: &'a Tables,
    results: &'a Results,
    distances: [Vec<u16>; 2],
}

fn check(tables: &Tables, material: Material, threads: usize, progress: &Progress) -> Result<String> {
    let results = tables.results(material).context("there is no table")?;
    let distances: &Distances = tables.distances(material).context("it has no distances")?;
    results.verify()?;
    distances.verify()?;
    let table = Table { tables, results, distances: [distances.all(Side::Red)?, distances.all(Side::Black)?] };
    let (index, cancel, fault) = (results.index(), AtomicBool::new(false), Mutex::new(None));
    let name = material.to_string();
    for_each_range(
        threads,
        index.size(),
        &cancel,
        |placements| progress.add(placements, &name),
        |numbers| {
            for number in numbers {
                if let Err(error) = Side::ALL.into_iter().try_for_each(|mover| table.check_entry(index, mover, number))
                {
                    cancel.store(true, Ordering::Relaxed);
                    fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                    return;
                }
            }
        },
    );
    match fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(format!("{} placements agree with their successors", index.size())),
    }
}

/// Contents of an entry.
type Said = (Outcome, u16);

impl Table<'_> {
    fn check_entry(&self, index: &Index, mover: Side, number: u64) -> Result<()> {
        let Some(position) = index.position(&index.placement(number), mover) else { return Ok(()) };
        let said = self.entry(mover, number)?;
        let right = self.of_successors(&position)?;
        // An open placement counts as a draw here: successors do not tell them apart.
        let plain = if said.0 == Outcome::Open { (Outcome::Draw, said.1) } else { said };
        if plain != right {
            bail!("{}: it says {said:?}, but its successors say {right:?}", position.to_fen());
        }
        Ok(())
    }

    fn entry(&self, mover: Side, number: u64) -> Result<Said> {
        let distance = self.distances[mover.index()].get(usize::try_from(number)?);
        Ok((self.results.outcome(mover, number), *distance.context("the number is too large")?))
    }

    /// Derives the entry from the moves of the engine's own generator.
    fn of_successors(&self, position: &Position) -> Result<Said> {
        let (mut soonest_win, mut latest_loss, mut draws) = (None, 0, false);
        for mv in position.legal_moves() {
            let next = position.play(mv);
            let (outcome, distance) = if position.is_capture(mv) {
                (self.tables.outcome(&next).with_context(|| format!("no table knows {}", next.to_fen()))?, 0)
            } else {
                self.successor(&next)?
            };
            match outcome {
                Outcome::Loss => soonest_win = Some(soonest_win.map_or(distance, |other: u16| other.min(distance))),
                Outcome::Win => latest_loss = latest_loss.max(distance.saturating_add(1)),
                Outcome::Draw | Outcome::Open => draws = true,
            }
        }
        Ok(match soonest_win {
            Some(distance) => (Outcome::Win, distance.saturating_add(1)),
            None if draws => (Outcome::Draw, 0),
            None => (Outcome::Loss, latest_loss),
        })
    }

    fn successor(&self, next: &Position) -> Result<Said> {
        let index = self.results.index();
        let swapped = Material::of(next).1;
        let placement = index.placement_of(next, swapped).context("other pieces")?;
        let place = index.place(&placement).context("a pawn where none can be")?;
        self.entry(if swapped { !next.side() } else { next.side() }, place.number)
    }
}
