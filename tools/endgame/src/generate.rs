//! Makes the tables that are wanted and all that they convert to, smallest first. What is there already stays, so the same
//! command goes on where it was interrupted.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chuhe::endgame::{Index, Material};

use crate::certificate::Doubts;
use crate::folder;
use crate::plies::LONGEST_IN_A_BYTE;
use crate::progress::Progress;
use crate::solver::{Run, solve};
use crate::stage::{Course, both_attack};

/// In memory, for two sides to move: a state and a distance, and what one side can hold, or both without checks if there are doubts.
const BYTES_PER_PLACEMENT: u64 = 8;
/// Further bytes where some distance does not fit into one, which is not known before.
const BYTES_OF_LONG_WAYS: u64 = 2;

/// So many bytes on disk hold so many placements, results and distances, and a processor solves so many in a minute: what all
/// endings of one or two attackers against defenders alone have come to. Where both sides attack it is more on the disk.
const BYTES_ON_DISK: u64 = 5;
const PLACEMENTS_IN_THEM: u64 = 12;
const PLACEMENTS_PER_MINUTE: u64 = 45_000_000;
/// Factor of the time where both sides attack: there the draws are looked at more often, and each look takes longer.
const LONGER_IF_BOTH_ATTACK: u64 = 10;

/// What is wanted.
pub struct Settings {
    /// Each with all that it converts to.
    pub materials: Vec<Material>,
    /// Where the tables go.
    pub folder: PathBuf,
    /// Threads.
    pub threads: usize,
    /// Time between lines, where no terminal shows a bar.
    pub interval: Duration,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All tables are there.
    Complete,
    /// It was told to end; the same command goes on.
    Interrupted,
}

/// The materials that `wanted` need, themselves among them, each behind all that it converts to.
///
/// # Errors
/// If one has no attackers, or too many.
pub fn plan(wanted: &[Material]) -> Result<Vec<Index>> {
    let mut materials = vec![];
    for material in wanted {
        ensure!(!material.is_bare(), "{material} is drawn: nobody can attack");
        materials.extend(material.closure());
    }
    materials.sort_by_key(|material| (material.men(), *material));
    materials.dedup();
    let index = |material| Index::new(material).with_context(|| format!("{material} has too many attackers"));
    materials.into_iter().map(index).collect()
}

/// Makes all tables that are not there yet, until `cancel` is raised.
///
/// # Errors
/// In one line what is in the way. What is made so far stays.
pub fn run(settings: &Settings, cancel: &AtomicBool) -> Result<End> {
    let Settings { materials, folder, threads, interval } = settings;
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
    progress.line(&format!("{there}; {}", costs(wanted, all_effort, largest)));
    let mut done = 0;
    for index in missing {
        let (material, started) = (index.material(), Instant::now());
        let name = material.to_string();
        let course = Course::new(index, effort(index));
        let told = |stage, placements| {
            progress.reach(done + course.reach(stage, placements), &format_args!("{name}, {stage}"));
        };
        let run = Run { threads: *threads, cancel, done: &told };
        let Some((solution, doubts)) = solve(material, &tables, &run)? else {
            progress.line("Interrupted: the same command goes on.");
            progress.end();
            return Ok(End::Interrupted);
        };
        let [results, distances] = folder::write(folder, &solution)?;
        let Doubts { open, by_checks } = doubts;
        progress.line(&format!(
            "{name}: {} placements, {results} + {distances} bytes, {:.1} s; {open} draws are open, {by_checks} are held by \
             perpetual check alone",
            index.size(),
            started.elapsed().as_secs_f64()
        ));
        done += effort(index);
        progress.reach(done, &name);
        drop(solution);
        tables.add_file(&folder::results_of(folder, material)).with_context(|| name.clone())?;
    }
    progress.end();
    Ok(End::Complete)
}

/// Time that a table takes, in placements of tables in which one side attacks.
fn effort(index: &Index) -> u64 {
    index.size() * if both_attack(index) { LONGER_IF_BOTH_ATTACK } else { 1 }
}

/// Memory, time and room on the disk that these placements take; `largest` are those of the largest table.
fn costs(placements: u64, effort: u64, largest: u64) -> String {
    let memory = |bytes: u64| (largest * bytes).div_ceil(1 << 20);
    format!(
        "{placements} placements are to be solved, which takes {} MiB of memory at most ({} if some way is longer than \
         {LONGEST_IN_A_BYTE} plies), about {} min of a processor and {} MiB on disk",
        memory(BYTES_PER_PLACEMENT),
        memory(BYTES_PER_PLACEMENT + BYTES_OF_LONG_WAYS),
        effort.div_ceil(PLACEMENTS_PER_MINUTE),
        (placements * BYTES_ON_DISK / PLACEMENTS_IN_THEM).div_ceil(1 << 20),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_takes_is_said_before_it_begins() {
        let all_of_two_attackers = costs(800_028_450, 800_028_450, 51_625_000);
        // They have come to 330 MB.
        let words = "394 MiB of memory at most (493 if some way is longer than 254 plies), about 18 min of a processor and 318 MiB \
                     on disk";
        assert!(all_of_two_attackers.ends_with(words), "{all_of_two_attackers}");
        assert!(costs(0, 0, 0).ends_with("about 0 min of a processor and 0 MiB on disk"));
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
