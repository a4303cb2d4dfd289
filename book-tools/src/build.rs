//! Games become a book: read on all cores, sorted in bounded memory, merged into records. An interrupted build leaves
//! its runs and a note of what they hold, and goes on from there.

use std::collections::HashSet;
use std::fs;
use std::hash::Hasher;
use std::io::Read as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chuhe::board::{Move, Position, Side};
use chuhe::book::{About, Symmetry};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::aggregate::{Records, Rules};
use crate::file;
use crate::games::{self, Faulty, Format, Game, Outcome, Pieces};
use crate::sort::{Sorter, for_each_block, remove_runs};
use crate::tuple::{Points, Tuple, tuples};

/// What to take from games, and how to make a book of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Which positions share their records.
    pub symmetry: Symmetry,
    /// Moves with fewer plies before them are left out.
    pub min_ply: u16,
    /// Moves with so many plies before them, or more, are left out.
    pub max_ply: u16,
    /// Moves of players with a lower rating, or an unknown one, are left out; 0 takes all.
    pub min_rating: u16,
    /// Only the moves of one side are taken.
    pub side: Option<Side>,
    /// Games with an unknown end are left out.
    pub only_finished: bool,
    /// Variations are taken too, as if their end were not known.
    pub variations: bool,
    /// A game that has been taken once is not taken again.
    pub unique: bool,
    /// What becomes of moves.
    pub rules: Rules,
    /// Bytes.
    pub memory: usize,
    /// Seconds since 1970 for the header, or 0.
    pub built_at: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            symmetry: Symmetry::default(),
            min_ply: 0,
            max_ply: 40,
            min_rating: 0,
            side: None,
            only_finished: false,
            variations: false,
            unique: false,
            rules: Rules::default(),
            memory: 1 << 30,
            built_at: 0,
        }
    }
}

/// What a build has found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Games that were taken.
    pub games: u64,
    /// Games that had been taken before.
    pub repeated: u64,
    /// Games that do not replay, and files that cannot be read.
    pub faults: u64,
    /// Moves.
    pub tuples: u64,
    /// Records of the book.
    pub records: u64,
}

/// What the runs on disk hold, so that a build can go on.
#[derive(Serialize, Deserialize)]
struct Progress {
    /// Of the plan and the inputs: the runs of another build are of no use.
    job: u64,
    /// Inputs whose moves are all in the runs.
    inputs: usize,
    runs: usize,
    report: Report,
    /// Hashes of the games that were taken.
    seen: Vec<u64>,
}

/// Enough of a file to tell its format.
const FORMAT_BYTES: u64 = 4096;
/// Bytes of a file that are read at once: a part of the memory, but no more than is of use and no less than is sensible.
const PIECES: RangeInclusive<usize> = 4 << 10..=32 << 20;

impl Plan {
    fn piece(&self) -> usize {
        (self.memory / 16).clamp(*PIECES.start(), *PIECES.end())
    }
}

/// Inputs that are read at once, for each core.
const INPUTS_AHEAD: usize = 4;

/// Makes the book `out` of `inputs`: games of any format, or files of tuples (`.tuples`). Faults are told one by one.
///
/// # Errors
/// If an input or a run cannot be read, or nothing can be written. What has been done until then is kept.
pub fn build(
    plan: &Plan,
    inputs: &[PathBuf],
    out: &Path,
    bar: &ProgressBar,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let mut job = Job::begin(plan, inputs, out)?;
    bar.set_length(inputs.len() as u64);
    let ahead = rayon::current_num_threads() * INPUTS_AHEAD;
    while job.progress.inputs < inputs.len() {
        bar.set_position(job.progress.inputs as u64);
        let first = job.taken;
        if is_tuples(&inputs[first]) {
            for_each_block(&inputs[first], |block| job.take_tuples(block))?;
            job.finish_inputs(1)?;
            continue;
        }
        if is_large_pgn(&inputs[first], plan.piece()) {
            let path = &inputs[first];
            let file = fs::File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
            for games in Pieces::new(file, plan.piece()) {
                job.take_games(path, games.map(|games| taken(plan, games)), tell)?;
            }
            job.finish_inputs(1)?;
            continue;
        }
        let is_whole = |path: &&PathBuf| !is_tuples(path) && !is_large_pgn(path, plan.piece());
        let wave = inputs[first..].iter().take(ahead).take_while(is_whole);
        let wave: Vec<_> = wave.collect();
        let read: Vec<_> = wave.par_iter().map(|path| read_games(plan, path)).collect();
        for (path, games) in wave.iter().zip(read) {
            job.take_games(path, games, tell)?;
        }
        job.finish_inputs(wave.len())?;
    }
    bar.finish_and_clear();
    job.finish(out)
}

fn is_tuples(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "tuples")
}

/// A game's moves and what tells it from other games.
struct Taken {
    hash: u64,
    tuples: Vec<Tuple>,
}

type Read = Result<Vec<Result<Taken, String>>>;

fn read_games(plan: &Plan, path: &Path) -> Read {
    let bytes = fs::read(path).context("cannot be read")?;
    Ok(taken(plan, games::read(Format::of(path, &bytes), bytes)?))
}

fn taken(plan: &Plan, games: Vec<Result<Game, Faulty>>) -> Vec<Result<Taken, Faulty>> {
    games.into_iter().map(|game| game.map(|game| take(plan, &game))).collect()
}

/// Whether a file is PGN and too large to be read whole. Whoever reads it says what is wrong with it.
fn is_large_pgn(path: &Path, piece: usize) -> bool {
    if !path.metadata().is_ok_and(|data| data.len() > piece as u64) {
        return false;
    }
    let mut start = vec![];
    let read = fs::File::open(path).and_then(|file| file.take(FORMAT_BYTES).read_to_end(&mut start));
    read.is_ok() && Format::of(path, &start) == Format::Pgn
}

fn take(plan: &Plan, game: &Game) -> Taken {
    let mut hash = XxHash3_64::default();
    hash.write(game.start.to_fen().as_bytes());
    game.moves.iter().for_each(|mv| hash.write_u16(mv.bits()));
    let mut found = vec![];
    if game.result.is_some() || !plan.only_finished {
        take_line(plan, game, (0, game.start, &game.moves), game.result, &mut found);
        if plan.variations {
            for line in &game.variations {
                take_line(plan, game, (line.ply, line.start, &line.moves), None, &mut found);
            }
        }
    }
    Taken { hash: hash.finish(), tuples: found }
}

fn take_line(
    plan: &Plan,
    game: &Game,
    (first, start, moves): (usize, Position, &[Move]),
    result: Option<Outcome>,
    found: &mut Vec<Tuple>,
) {
    let mut position = start;
    for (ply, &mv) in (first..usize::from(plan.max_ply)).zip(moves) {
        let side = position.side();
        let rating = game.ratings[side.index()];
        let is_wanted = plan.side.is_none_or(|wanted| wanted == side)
            && rating >= plan.min_rating
            && ply >= usize::from(plan.min_ply);
        if is_wanted && !mv.is_promotion() {
            // Not more than `max_ply`.
            found.extend(tuples(&position, mv, plan.symmetry, ply as u16, rating, points(result, side)));
        }
        position = position.play(mv);
    }
}

fn points(result: Option<Outcome>, side: Side) -> Points {
    match result {
        None => Points::Unknown,
        Some(Outcome::Drawn) => Points::Draw,
        Some(Outcome::Won(winner)) if winner == side => Points::Win,
        Some(Outcome::Won(_)) => Points::Loss,
    }
}

/// A build that goes on.
struct Job<'a> {
    plan: &'a Plan,
    folder: PathBuf,
    sorter: Sorter,
    progress: Progress,
    seen: HashSet<u64>,
    report: Report,
    /// Inputs whose moves the sorter has.
    taken: usize,
    wrote_run: bool,
}

impl<'a> Job<'a> {
    /// Begins, or goes on where an earlier build of the same was interrupted.
    fn begin(plan: &'a Plan, inputs: &[PathBuf], out: &Path) -> Result<Self> {
        let mut folder =
            out.file_name().with_context(|| format!("{}: not the name of a file", out.display()))?.to_owned();
        folder.push(".build");
        let folder = out.with_file_name(folder);
        fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        let job = job_hash(plan, inputs)?;
        let old = fs::read(folder.join(NOTE)).ok().and_then(|note| serde_json::from_slice::<Progress>(&note).ok());
        let fresh = Progress { job, inputs: 0, runs: 0, report: Report::default(), seen: vec![] };
        let progress = old.filter(|old| old.job == job).unwrap_or(fresh);
        let runs = (0..progress.runs).map(|run| folder.join(format!("run-{run:05}"))).collect();
        let sorter = Sorter::new(&folder, plan.memory).with_runs(runs);
        let seen = progress.seen.iter().copied().collect();
        let (report, taken) = (progress.report.clone(), progress.inputs);
        Ok(Self { plan, folder, sorter, progress, seen, report, taken, wrote_run: false })
    }

    fn take_tuples(&mut self, tuples: &[Tuple]) -> Result<()> {
        let wanted = |tuple: &&Tuple| {
            let plies = self.plan.min_ply..self.plan.max_ply;
            plies.contains(&tuple.ply())
                && tuple.rating() >= self.plan.min_rating
                && !(self.plan.only_finished && tuple.points() == Points::Unknown)
        };
        let wanted: Vec<_> = tuples.iter().filter(wanted).copied().collect();
        self.report.tuples += wanted.len() as u64;
        self.wrote_run |= self.sorter.take(&wanted)?;
        Ok(())
    }

    fn take_games(&mut self, path: &Path, games: Read, tell: &mut dyn FnMut(&str)) -> Result<()> {
        let games = games.unwrap_or_else(|error| vec![Err(format!("{error:#}"))]);
        for game in games {
            match game {
                Err(fault) => {
                    self.report.faults += 1;
                    tell(&format!("{}: {fault}", path.display()));
                }
                Ok(game) if self.plan.unique && !self.seen.insert(game.hash) => self.report.repeated += 1,
                Ok(game) => {
                    self.report.games += 1;
                    self.report.tuples += game.tuples.len() as u64;
                    self.wrote_run |= self.sorter.take(&game.tuples)?;
                }
            }
        }
        Ok(())
    }

    /// Notes what is done. Only what lies in runs is done for good: what is in memory is read again after an
    /// interruption, so a note is written when a run has just taken everything.
    fn finish_inputs(&mut self, count: usize) -> Result<()> {
        self.taken += count;
        if self.wrote_run {
            self.sorter.flush()?;
            self.note()?;
        }
        self.progress.inputs = self.taken;
        self.wrote_run = false;
        Ok(())
    }

    fn note(&mut self) -> Result<()> {
        self.progress.inputs = self.taken;
        self.progress.runs = self.sorter.runs().len();
        self.progress.report = self.report.clone();
        self.progress.seen = if self.plan.unique { self.seen.iter().copied().collect() } else { vec![] };
        file::write_bytes(&self.folder.join(NOTE), &serde_json::to_vec(&self.progress)?)
    }

    fn finish(mut self, out: &Path) -> Result<Report> {
        let runs = self.sorter.runs().to_vec();
        let plan = self.plan;
        if self.report.games == 0 && self.report.tuples == 0 {
            bail!("no game could be read");
        }
        // The plies of a header come before its records, so they are those that were asked for.
        let about = About {
            symmetry: plan.symmetry,
            built_at: plan.built_at,
            sources: self.progress.job,
            min_ply: plan.min_ply,
            max_ply: plan.max_ply,
        };
        let records = Records::new(self.sorter.finish()?, plan.rules.clone());
        self.report.records = file::write(out, about, records)?;
        remove_runs(&runs);
        let _ = fs::remove_file(self.folder.join(NOTE));
        let _ = fs::remove_dir(&self.folder);
        Ok(self.report)
    }
}

const NOTE: &str = "progress.json";

/// Says whether two builds are the same: the same plan, and inputs of the same bytes in the same order.
fn job_hash(plan: &Plan, inputs: &[PathBuf]) -> Result<u64> {
    let mut hash = XxHash3_64::default();
    // Memory changes the way, not the book.
    hash.write(format!("{:?}", Plan { memory: 0, ..plan.clone() }).as_bytes());
    let parts: Vec<u64> = inputs.par_iter().map(|path| hash_of(path)).collect::<Result<_>>()?;
    parts.iter().for_each(|part| hash.write_u64(*part));
    Ok(hash.finish())
}

fn hash_of(path: &Path) -> Result<u64> {
    let place = || format!("{}: cannot be read", path.display());
    let mut reader = fs::File::open(path).with_context(place)?;
    let mut hash = XxHash3_64::default();
    std::io::copy(&mut reader, &mut HashWriter(&mut hash)).with_context(place)?;
    Ok(hash.finish())
}

struct HashWriter<'a>(&'a mut XxHash3_64);

impl std::io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::open_native;

    const GAMES: [&str; 3] = [
        "[RedElo \"2400\"]\n[BlackElo \"2000\"]\n1. h2e2 h9g7 2. h0g2 (2. c3c4) i9h9 1-0\n\n[A \"b\"]\n1. c3c4 0-1\n",
        "[A \"b\"]\n1. h2e2 h2e2 *\n[A \"c\"]\n1. b2e2 b9c7 1/2-1/2\n",
        "[A \"d\"]\n1. h2e2 h9g7 2. h0g2 i9h9 *\n",
    ];

    fn inputs(folder: &Path) -> Vec<PathBuf> {
        let write = |(index, text): (usize, &&str)| {
            let path = folder.join(format!("{index}.pgn"));
            fs::write(&path, text).unwrap();
            path
        };
        GAMES.iter().enumerate().map(write).collect()
    }

    fn built(plan: &Plan, inputs: &[PathBuf], out: &Path) -> (Report, Vec<String>) {
        let mut told = vec![];
        let report =
            build(plan, inputs, out, &ProgressBar::hidden(), &mut |fault| told.push(fault.to_owned())).unwrap();
        (report, told)
    }

    fn first_moves(path: &Path) -> Vec<(String, u16)> {
        let book = open_native(path).unwrap();
        book.verify().unwrap();
        book.candidates(&Position::start()).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    #[test]
    fn games_become_a_book() {
        let folder = tempfile::tempdir().unwrap();
        let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
        let (report, told) = built(&Plan::default(), &inputs, &out);
        assert_eq!((report.games, report.faults, report.repeated), (4, 1, 0));
        assert!(told[0].ends_with("1.pgn: line 2: game 1: ply 2: \"h2e2\" is not a legal move here"), "{told:?}");
        // Central cannon: a win, a draw and an unknown end, on either side; the pawn lost its only game.
        assert_eq!(first_moves(&out), [("b2e2".to_owned(), 4), ("h2e2".to_owned(), 4)]);
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 4, "{left:?}");
    }

    #[test]
    fn every_filter_leaves_something_out() {
        let folder = tempfile::tempdir().unwrap();
        let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
        let count = |plan: Plan| built(&plan, &inputs, &out).0;
        let all = count(Plan::default()).tuples;
        assert_eq!(count(Plan { max_ply: 1, ..Plan::default() }).tuples, 2 * 4);
        assert_eq!(count(Plan { min_ply: 1, ..Plan::default() }).tuples, all - 2 * 4);
        assert_eq!(count(Plan { min_rating: 2100, ..Plan::default() }).tuples, 3);
        assert_eq!(count(Plan { only_finished: true, ..Plan::default() }).tuples, all - 5);
        assert_eq!(count(Plan { variations: true, ..Plan::default() }).tuples, all + 1);
        assert_eq!(count(Plan { side: Some(Side::Black), ..Plan::default() }).tuples, 5);
        assert_eq!(count(Plan { unique: true, ..Plan::default() }).repeated, 1);
    }

    #[test]
    fn an_interrupted_build_goes_on_and_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(folder.path());
        let [whole, again] = ["whole", "again"].map(|name| folder.path().join(name));
        // Less memory than the moves need: runs are written.
        let plan = Plan { memory: 1, ..Plan::default() };
        let (report, _) = built(&Plan::default(), &inputs, &whole);
        let mut job = Job::begin(&plan, &inputs, &again).unwrap();
        job.take_games(&inputs[0], read_games(&plan, &inputs[0]), &mut |_| {}).unwrap();
        job.wrote_run = true;
        job.finish_inputs(1).unwrap();
        drop(job);
        fs::write(&again, "an old book").unwrap();
        // What the note says is done is not read again: the file may be gone, had its hash not to be known.
        let resumed = Job::begin(&plan, &inputs, &again).unwrap();
        assert_eq!((resumed.taken, resumed.report.games, resumed.sorter.runs().len()), (1, 2, 1));
        assert_eq!(fs::read(&again).unwrap(), b"an old book");
        let (resumed, _) = built(&plan, &inputs, &again);
        assert_eq!(resumed, report);
        assert_eq!(fs::read(&again).unwrap(), fs::read(&whole).unwrap());
        assert!(!folder.path().join("again.build").exists());
    }

    #[test]
    fn a_large_file_is_read_in_pieces_and_gives_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let [path, whole, pieces] = ["a.pgn", "whole", "pieces"].map(|name| folder.path().join(name));
        fs::write(&path, GAMES.join("\n").repeat(200)).unwrap();
        let small = Plan { memory: 1, ..Plan::default() };
        assert!(is_large_pgn(&path, small.piece()) && !is_large_pgn(&path, Plan::default().piece()));
        let inputs = [path];
        assert_eq!(built(&small, &inputs, &pieces), built(&Plan::default(), &inputs, &whole));
        assert_eq!(fs::read(&pieces).unwrap(), fs::read(&whole).unwrap());
    }

    #[test]
    fn tuples_are_an_input_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tuples");
        let start = Position::start();
        let mv = "h2e2".parse().unwrap();
        let made = tuples(&start, mv, Symmetry::MirrorAndColours, 0, 0, Points::Win);
        fs::write(&path, bytemuck::cast_slice(&made)).unwrap();
        let out = folder.path().join("a.book");
        assert_eq!(built(&Plan::default(), &[path], &out).0.tuples, 2);
        assert_eq!(first_moves(&out), [("b2e2".to_owned(), 2), ("h2e2".to_owned(), 2)]);
    }
}
