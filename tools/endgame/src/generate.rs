//! Generates tables and all that they convert to, smallest first. Existing tables are kept, so the same command resumes an
//! interrupted run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chuhe::endgame::{Index, Material};

use crate::certificate::{Doubts, certify};
use crate::folder;
use crate::plies::LONGEST_IN_A_BYTE;
use crate::progress::Progress;
use crate::solver::{Run, solve};
use crate::stage::{Course, both_attack};
use crate::storage::Storage;

/// Bytes of memory per placement, for both sides to move: a state, a distance and the status of the certification.
const BYTES_PER_PLACEMENT: u64 = 8;
/// More bytes per placement if some distance does not fit into one byte, which is not known in advance.
const BYTES_OF_LONG_WAYS: u64 = 2;

/// Cost estimate: bytes on disk per [`PLACEMENTS_IN_THEM`] placements, results and distances together.
///
/// Like the speed of one processor below, measured on all endings of one or two attackers against defenders alone. Endings in
/// which both sides attack take more space.
const BYTES_ON_DISK: u64 = 5;
const PLACEMENTS_IN_THEM: u64 = 12;
const PLACEMENTS_PER_MINUTE: u64 = 45_000_000;
/// Time factor where both sides attack: more passes over the draws, and slower ones.
const LONGER_IF_BOTH_ATTACK: u64 = 10;

/// Settings of a run.
pub struct Settings {
    /// Materials, each with all that it converts to.
    pub materials: Vec<Material>,
    /// Output folder.
    pub folder: PathBuf,
    /// Number of threads.
    pub threads: usize,
    /// Limit of the memory of the entries, in bytes.
    pub memory: Option<u64>,
    /// Time between two lines of progress, without a terminal.
    pub interval: Duration,
}

/// Ways in which a run can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All tables exist.
    Complete,
    /// The run was interrupted; the same command resumes it.
    Interrupted,
}

/// Returns the indexes of the `wanted` materials and of all that they convert to, each after its conversions.
///
/// # Errors
/// If a material has no attackers, or too many.
pub fn plan(wanted: &[Material]) -> Result<Vec<Index>> {
    let mut materials = vec![];
    for material in wanted {
        ensure!(!material.is_bare(), "{material} is drawn: neither side has an attacker");
        materials.extend(material.closure());
    }
    materials.sort_by_key(|material| (material.piece_count(), *material));
    materials.dedup();
    let index = |material| Index::new(material).with_context(|| format!("{material} has too many attackers"));
    materials.into_iter().map(index).collect()
}

/// Generates all missing tables, until `cancel` is set.
///
/// # Errors
/// If a table cannot be made, with the reason in one line. Finished tables stay.
pub fn run(settings: &Settings, cancel: &AtomicBool) -> Result<End> {
    let Settings { materials, folder, threads, memory, interval } = settings;
    let plan = plan(materials)?;
    fs::create_dir_all(folder).with_context(|| format!("the folder {}", folder.display()))?;
    let mut tables = folder::read(folder)?;
    let is_whole = |material| tables.results(material).is_some() && tables.distances(material).is_some();
    let missing: Vec<&Index> = plan.iter().filter(|index| !is_whole(index.material())).collect();
    let wanted = missing.iter().map(|index| index.size()).sum();
    let all_effort = missing.iter().map(|index| effort(index)).sum();
    let progress = Progress::new(wanted, all_effort, *interval);
    let largest = missing.iter().map(|index| index.size()).max().unwrap_or(0);
    let there = format!("{} of {} tables are in {}", plan.len() - missing.len(), plan.len(), folder.display());
    progress.line(&format!("{there}; {}", costs(wanted, all_effort, largest, *memory)));
    let mut done = 0;
    for index in missing {
        let (material, started) = (index.material(), Instant::now());
        let name = material.to_string();
        let course = Course::new(index, effort(index));
        let report = |stage, placements| {
            progress.reach(done + course.reach(stage, placements), &format_args!("{name}, {stage}"));
        };
        let storage = storage(index.size(), *memory, folder);
        let run = Run { threads: *threads, cancel, storage: &storage, done: &report };
        let solver = solve(material, &tables, &run)?;
        let doubts = solver.as_ref().map_or(Ok(None), |solver| certify(solver, &run))?;
        storage.check()?;
        let (Some(solver), Some(Doubts { open, by_checks })) = (solver, doubts) else {
            progress.line("Interrupted: the same command goes on.");
            progress.end();
            return Ok(End::Interrupted);
        };
        let [results, distances] = folder::write(folder, &solver.into_solution())?;
        progress.line(&format!(
            "{name}: {} placements, {results} + {distances} bytes, {:.1} s; {open} draws are open, {by_checks} are held by \
             perpetual check alone",
            index.size(),
            started.elapsed().as_secs_f64()
        ));
        done += effort(index);
        progress.reach(done, &name);
        tables.add_file(&folder::results_of(folder, material)).with_context(|| name.clone())?;
    }
    progress.end();
    Ok(End::Complete)
}

/// Returns the place for the entries of a table: in memory, if they certainly fit into the limit.
fn storage(placements: u64, memory: Option<u64>, folder: &Path) -> Storage {
    let needed = placements.saturating_mul(BYTES_PER_PLACEMENT + BYTES_OF_LONG_WAYS);
    match memory {
        Some(limit) if limit < needed => Storage::paged(limit, folder),
        _ => Storage::Memory,
    }
}

/// Returns the cost of a table in time, in placements of tables in which one side attacks.
fn effort(index: &Index) -> u64 {
    index.size() * if both_attack(index) { LONGER_IF_BOTH_ATTACK } else { 1 }
}

/// Formats the memory, time and disk space that these placements take; `largest` is the size of the largest table, and `limit`
/// that of the memory in bytes.
fn costs(placements: u64, effort: u64, largest: u64, limit: Option<u64>) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let (usual, most) = (largest * BYTES_PER_PLACEMENT, largest * (BYTES_PER_PLACEMENT + BYTES_OF_LONG_WAYS));
    let memory = match limit.filter(|&limit| limit < most) {
        Some(limit) => {
            let rest = most - limit;
            format!("{} MiB of memory and up to {} MiB of scratch files at most", mib(limit), mib(rest))
        }
        None => {
            format!(
                "{} MiB of memory at most ({} if some way is longer than {LONGEST_IN_A_BYTE} plies)",
                mib(usual),
                mib(most)
            )
        }
    };
    format!(
        "{placements} placements are to be solved, which takes {memory}, about {} min of a processor and {} MiB on disk",
        effort.div_ceil(PLACEMENTS_PER_MINUTE),
        mib(placements * BYTES_ON_DISK / PLACEMENTS_IN_THEM),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_takes_is_said_before_it_begins() {
        let costs = |limit| super::costs(800_028_450, 800_028_450, 51_625_000, limit);
        let all_of_two_attackers = costs(None);
        // The real tables take 330 MB.
        let words = "394 MiB of memory at most (493 if some way is longer than 254 plies), about 18 min of a processor and 318 MiB \
                     on disk";
        assert!(all_of_two_attackers.ends_with(words), "{all_of_two_attackers}");
        assert_eq!(costs(Some(1 << 30)), all_of_two_attackers);
        let limited = "100 MiB of memory and up to 393 MiB of scratch files at most, about 18 min of a processor and 318 MiB on disk";
        assert!(costs(Some(100 << 20)).ends_with(limited), "{}", costs(Some(100 << 20)));
        assert!(super::costs(0, 0, 0, Some(1)).ends_with("about 0 min of a processor and 0 MiB on disk"));
    }

    #[test]
    fn everything_comes_behind_what_it_converts_to() {
        let wanted = ["KNP-KAABB", "KR-KN"].map(|text| text.parse().unwrap());
        let plan: Vec<Material> = plan(&wanted).unwrap().iter().map(Index::material).collect();
        assert_eq!(plan.len(), 27 + 2);
        for (at, material) in plan.iter().enumerate() {
            assert!(material.closure().iter().all(|needed| plan[..=at].contains(needed)), "{material}");
        }
        assert!(super::plan(&["KA-K".parse().unwrap()]).is_err());
        assert!(super::plan(&["KRRNN-KRR".parse().unwrap()]).is_err());
    }
}
