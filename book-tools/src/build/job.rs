//! A build on disk: the runs of its sorter and a note of their contents, for resuming after an interruption.

use std::fs::{self, File};
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::book::About;
use chuhe_games::outputs;
use chuhe_games::replace::{self, Unfinished, write_bytes};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::intake::{Destination, Done};
use super::plan::{Plan, Report, nothing};
use crate::aggregate::Records;
use crate::file;
use crate::group::Group;
use crate::sort::{self, Sorter, remove_runs, run_path};
use crate::tuple::Tuple;

/// Contents of the runs on disk, for resuming a build.
#[derive(Serialize, Deserialize)]
struct Note {
    /// Hash of the plan and the inputs: runs of another build are useless.
    job: u64,
    runs: usize,
    done: Done,
}

/// A build in progress, of tuples or of groups.
pub(super) struct Job<'a, T> {
    plan: &'a Plan,
    folder: BuildFolder,
    sorter: Sorter<T>,
    hash: u64,
    /// Progress of an earlier build, contained in its runs.
    done: Done,
    wrote_run: bool,
}

impl<'a, T: sort::Item + Into<Group>> Job<'a, T> {
    /// Begins a build, or resumes an interrupted one of the same plan and inputs.
    pub(super) fn begin(plan: &'a Plan, inputs: &[PathBuf], out: &Path) -> Result<Self> {
        let mut folder =
            out.file_name().with_context(|| format!("{}: not the name of a file", out.display()))?.to_owned();
        folder.push(".build");
        let folder = out.with_file_name(folder);
        let hash = job_hash(plan, inputs)?;
        let folder = BuildFolder::open(folder, out)?;
        let old = folder.note().filter(|old| old.job == hash);
        if old.is_none() {
            // Otherwise a resumed build would find the runs of this one.
            folder.forget()?;
        }
        let (runs, done) = old.map(|old| (old.runs, old.done)).unwrap_or_default();
        let runs = (0..runs).map(|run| run_path(&folder.path, run)).collect();
        let sorter = Sorter::new(&folder.path, plan.memory).with_runs(runs);
        Ok(Self { plan, folder, sorter, hash, done, wrote_run: false })
    }

    /// Takes the progress of an earlier build, as the start of this one.
    pub(super) fn take_done(&mut self) -> Done {
        std::mem::take(&mut self.done)
    }

    /// Takes items in any order.
    pub(super) fn take_items(&mut self, items: &[T]) -> Result<()> {
        self.wrote_run |= self.sorter.take(items)?;
        Ok(())
    }

    /// Writes a note of the progress. Only the contents of runs are permanent, and items in memory are read again after an
    /// interruption, so a note is written when a new run holds everything.
    pub(super) fn note_if_worth_it(&mut self, done: &Done) -> Result<()> {
        if !std::mem::take(&mut self.wrote_run) {
            return Ok(());
        }
        self.sorter.flush()?;
        let note = Note { job: self.hash, runs: self.sorter.runs().len(), done: done.clone() };
        write_bytes(&self.folder.path.join(NOTE), &serde_json::to_vec(&note)?)
    }

    /// Writes the book.
    pub(super) fn finish(self, out: &Path, mut report: Report) -> Result<Report> {
        let plan = self.plan;
        ensure!(report.tuples > 0, nothing(plan));
        // The plies of a header precede its records, so they are those of the plan.
        let (min_ply, max_ply) = (plan.min_ply, plan.max_ply);
        let about = About { symmetry: plan.symmetry, built_at: plan.built_at, sources: 0, min_ply, max_ply };
        let records = Records::new(self.sorter.finish()?, plan.rules.clone());
        report.records = file::write_from(out, about, records, |records| {
            report.worthless = records.worthless();
            records.sources()
        })?;
        self.folder.forget()?;
        Ok(report)
    }
}

/// Folder of a build. It is removed with it unless a note allows resuming.
struct BuildFolder {
    path: PathBuf,
    /// Lock file, open to keep other processes from building here.
    _lock: File,
    _unfinished: Unfinished,
}

impl BuildFolder {
    /// Creates or opens the folder for the build of `out`.
    fn open(folder: PathBuf, out: &Path) -> Result<Self> {
        let cannot = || format!("{}: cannot be made", folder.display());
        fs::create_dir_all(&folder).with_context(cannot)?;
        let lock = File::create(folder.join(LOCK)).with_context(cannot)?;
        outputs::lock(&lock, || format!("another process is building {}", out.display()))?;
        Ok(Self { _unfinished: Unfinished::new(&folder, leave), path: folder, _lock: lock })
    }

    fn note(&self) -> Option<Note> {
        fs::read(self.path.join(NOTE)).ok().and_then(|note| serde_json::from_slice(&note).ok())
    }

    /// Removes the note, so that the build cannot be resumed.
    fn forget(&self) -> Result<()> {
        replace::remove(&self.path.join(NOTE))
    }
}

impl Drop for BuildFolder {
    fn drop(&mut self) {
        leave(&self.path);
    }
}

/// Removes the folder of a build unless a note allows resuming.
fn leave(folder: &Path) {
    if !folder.join(NOTE).exists() {
        remove_runs(folder);
        let _ = fs::remove_file(folder.join(LOCK));
        // The folder stays if it holds files of other programs.
        let _ = fs::remove_dir(folder);
    }
}

impl Destination for Job<'_, Tuple> {
    fn take(&mut self, tuples: &[Tuple]) -> Result<()> {
        self.take_items(tuples)
    }

    fn finish_inputs(&mut self, done: &Done) -> Result<()> {
        self.note_if_worth_it(done)
    }
}

const NOTE: &str = "progress.json";
const LOCK: &str = "lock";

/// Returns a hash that identifies a build: by the plan, and by the bytes of the inputs in their order.
fn job_hash(plan: &Plan, inputs: &[PathBuf]) -> Result<u64> {
    let mut hash = XxHash3_64::default();
    // Memory does not affect the book, and a resumed build runs at another time.
    hash.write(format!("{:?}", Plan { memory: 0, built_at: 0, ..plan.clone() }).as_bytes());
    let parts: Vec<u64> = inputs.par_iter().map(|path| hash_of(path)).collect::<Result<_>>()?;
    parts.iter().for_each(|part| hash.write_u64(*part));
    Ok(hash.finish())
}

fn hash_of(path: &Path) -> Result<u64> {
    let mut hash = XxHash3_64::default();
    sort::for_each_block(path, |bytes: &[u8]| {
        hash.write(bytes);
        Ok(())
    })?;
    Ok(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::super::intake::{Intake, read_games};
    use super::super::tests::{built, inputs};
    use super::*;
    use indicatif::ProgressBar;

    #[test]
    fn an_interrupted_build_goes_on_and_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(folder.path());
        let [whole, again] = ["whole", "again"].map(|name| folder.path().join(name));
        // Less memory than the moves need, so that runs are written.
        let plan = Plan { memory: 1, ..Plan::default() };
        let (report, _) = built(&Plan::default(), &inputs, &whole);
        let mut job = Job::<Tuple>::begin(&plan, &inputs, &again).unwrap();
        let (done, bar, mut tell) = (job.take_done(), ProgressBar::hidden(), |_: &str| {});
        let mut intake = Intake::new(&plan, done, &mut job, &bar, &mut tell);
        intake.take_games(&inputs[0], read_games(&plan, &inputs[0])).unwrap();
        let mut done = intake.into_done();
        done.inputs = 1;
        job.wrote_run = true;
        job.note_if_worth_it(&done).unwrap();
        drop(job);
        fs::write(&again, "an old book").unwrap();
        // The inputs that the note lists are not read again: only the hash needs the file.
        let mut resumed = Job::<Tuple>::begin(&plan, &inputs, &again).unwrap();
        let done = resumed.take_done();
        assert_eq!((done.inputs, done.report.games, resumed.sorter.runs().len()), (1, 2, 1));
        assert_eq!(fs::read(&again).unwrap(), b"an old book");
        drop(resumed);
        let (resumed, _) = built(&plan, &inputs, &again);
        assert_eq!(resumed, report);
        assert_eq!(fs::read(&again).unwrap(), fs::read(&whole).unwrap());
        assert!(!folder.path().join("again.build").exists());
    }

    #[test]
    fn a_build_that_fails_leaves_nothing_that_nobody_can_go_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(folder.path());
        let count = || fs::read_dir(folder.path()).unwrap().count();
        let (before, out) = (count(), folder.path().join("a.book"));
        // Less memory than the moves need, so that a run is written, but no note.
        let plan = Plan { memory: 1, ..Plan::default() };
        let mut job = Job::<Tuple>::begin(&plan, &inputs, &out).unwrap();
        job.take_items(&vec![bytemuck::Zeroable::zeroed(); 5000]).unwrap();
        assert!(job.wrote_run && count() == before + 1);
        assert!(job.finish(&out, Report::default()).is_err(), "no game was read");
        assert_eq!(count(), before);
        let missing = [folder.path().join("missing.pgn")];
        assert!(Job::<Tuple>::begin(&plan, &missing, &out).is_err());
        assert_eq!(count(), before);
    }

    #[test]
    fn a_process_that_ends_at_once_leaves_what_can_be_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
        let plan = Plan { memory: 1, ..Plan::default() };
        let place = folder.path().join("a.book.build");
        for is_noted in [false, true] {
            let mut job = Job::<Tuple>::begin(&plan, &inputs, &out).unwrap();
            job.take_items(&vec![bytemuck::Zeroable::zeroed(); 5000]).unwrap();
            if is_noted {
                job.note_if_worth_it(&Done { inputs: 1, ..Done::default() }).unwrap();
            }
            // Other tests have builds too.
            replace::leave_nothing_unfinished_in(folder.path());
            assert_eq!(place.exists(), is_noted);
        }
        fs::remove_file(place.join(NOTE)).unwrap();
        replace::leave_nothing_unfinished_in(folder.path());
        assert!(place.exists(), "the build has ended");
    }

    #[test]
    fn two_builds_of_one_book_at_a_time_are_one_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
        let plan = Plan { memory: 1, ..Plan::default() };
        let mut first = Job::<Tuple>::begin(&plan, &inputs, &out).unwrap();
        first.take_items(&vec![bytemuck::Zeroable::zeroed(); 5000]).unwrap();
        let runs = || fs::read_dir(folder.path().join("a.book.build")).unwrap().count();
        let before = runs();
        for other in [Plan { max_ply: 3, ..plan.clone() }, plan.clone()] {
            let refused = Job::<Tuple>::begin(&other, &inputs, &out).err().unwrap().to_string();
            assert!(refused.starts_with("another process is building ") && refused.ends_with("a.book"), "{refused}");
            assert_eq!(runs(), before);
        }
        drop(first);
        assert!(!folder.path().join("a.book.build").exists());
        Job::<Tuple>::begin(&plan, &inputs, &out).unwrap();
    }

    #[test]
    fn a_build_goes_on_at_another_time() {
        let folder = tempfile::tempdir().unwrap();
        let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
        let [first, later] = [1_700_000_000, 1_700_000_060].map(|built_at| Plan { built_at, ..Plan::default() });
        let mut job = Job::<Tuple>::begin(&first, &inputs, &out).unwrap();
        job.wrote_run = true;
        job.note_if_worth_it(&Done { inputs: 1, ..Done::default() }).unwrap();
        drop(job);
        assert_eq!(Job::<Tuple>::begin(&later, &inputs, &out).unwrap().take_done().inputs, 1);
    }

    #[test]
    fn the_runs_of_another_build_are_not_taken_for_those_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
        let [first, second] = [2, 3].map(|max_ply| Plan { memory: 1, max_ply, ..Plan::default() });
        let mut job = Job::<Tuple>::begin(&first, &inputs, &out).unwrap();
        job.take_items(&vec![bytemuck::Zeroable::zeroed(); 5000]).unwrap();
        job.note_if_worth_it(&Done { inputs: 1, ..Done::default() }).unwrap();
        drop(job);
        assert_eq!(Job::<Tuple>::begin(&first, &inputs, &out).unwrap().take_done().inputs, 1);
        drop(Job::<Tuple>::begin(&second, &inputs, &out).unwrap());
        let mut again = Job::<Tuple>::begin(&first, &inputs, &out).unwrap();
        assert_eq!((again.sorter.runs().len(), again.take_done().inputs), (0, 0));
    }
}
