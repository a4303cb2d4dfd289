//! Reading of games and files of tuples on all cores; the parts selected by the plan are passed on as tuples.

use std::collections::HashSet;
use std::hash::Hasher;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::board::{Move, Position, Side};
use chuhe::book::Symmetry;
use chuhe::file;
use chuhe_console::words::with_short_quotations;
use chuhe_games::files::{self, Format};
use chuhe_games::game::{Faulty, Game, Outcome};
use chuhe_games::pieces::Pieces;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::plan::{Plan, Report, has_ending};
use crate::columns;
use crate::sort;
use crate::tuple::{Points, Tuple, tuples};

/// Bytes of a file that suffice to detect its format.
const FORMAT_BYTES: u64 = 4096;
/// Maximum number of errors reported per input; the others are only counted.
const MOST_TOLD: u64 = 10;
/// Number of inputs read at the same time, per core.
const INPUTS_AHEAD: usize = 4;

/// Destination of tuples.
pub(super) trait Destination {
    /// Takes some tuples.
    fn take(&mut self, tuples: &[Tuple]) -> Result<()>;

    /// Called when everything of the first `done.inputs` inputs has been taken.
    fn finish_inputs(&mut self, done: &Done) -> Result<()> {
        let _ = done;
        Ok(())
    }
}

impl<F: FnMut(&[Tuple]) -> Result<()>> Destination for F {
    fn take(&mut self, tuples: &[Tuple]) -> Result<()> {
        self(tuples)
    }
}

/// Progress of the reading.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Done {
    /// Inputs whose moves have been taken.
    pub(super) inputs: usize,
    pub(super) report: Report,
    /// Hashes of the games taken so far, if duplicates are to be dropped.
    pub(super) seen: HashSet<u64>,
}

/// Error messages about one input after another.
struct Complaints<'a> {
    tell: &'a mut dyn FnMut(&str),
    input: PathBuf,
    /// Number of errors in that input.
    faults: u64,
}

impl Complaints<'_> {
    /// Reports an error, unless the input has too many.
    fn add(&mut self, input: &Path, fault: &str) {
        if self.input != input {
            self.end();
            self.input = input.to_owned();
        }
        self.faults += 1;
        if self.faults <= MOST_TOLD {
            (self.tell)(&format!("{}: {}", input.display(), with_short_quotations(fault)));
        }
    }

    /// Reports the number of errors of the last input that were not shown.
    fn end(&mut self) {
        let more = std::mem::take(&mut self.faults).saturating_sub(MOST_TOLD);
        if more > 0 {
            (self.tell)(&format!("{}: {more} more", self.input.display()));
        }
    }
}

/// Reader of the inputs.
pub(super) struct Intake<'a> {
    plan: &'a Plan,
    to: &'a mut dyn Destination,
    bar: &'a ProgressBar,
    complaints: Complaints<'a>,
    done: Done,
}

impl<'a> Intake<'a> {
    /// Resumes from the given progress. Errors of single games are reported to `tell`.
    pub(super) fn new(
        plan: &'a Plan,
        done: Done,
        to: &'a mut dyn Destination,
        bar: &'a ProgressBar,
        tell: &'a mut dyn FnMut(&str),
    ) -> Self {
        let complaints = Complaints { tell, input: PathBuf::new(), faults: 0 };
        Self { plan, to, bar, complaints, done }
    }

    /// Returns the progress.
    pub(super) fn into_done(self) -> Done {
        self.done
    }

    /// Reads all remaining inputs.
    pub(super) fn read(&mut self, inputs: &[PathBuf]) -> Result<()> {
        self.bar.set_length(bytes(inputs));
        while let Some(path) = inputs.get(self.done.inputs) {
            self.bar.set_position(bytes(&inputs[..self.done.inputs]));
            let read = match Method::of(path, self.plan) {
                Method::Tuples => sort::for_each_block(path, |block| {
                    self.bar.inc(size_of_val(block) as u64);
                    self.check_keys(path, block)?;
                    self.take_tuples(path, block)
                })
                .map(|()| 1),
                Method::Columns => columns::for_each_block(path, |block| self.take_tuples(path, block)).map(|()| 1),
                Method::InPieces => self.read_in_pieces(path).map(|()| 1),
                Method::Whole => self.read_wave(&inputs[self.done.inputs..]),
            };
            self.done.inputs += read?;
            self.complaints.end();
            self.to.finish_inputs(&self.done)?;
        }
        self.bar.finish_and_clear();
        Ok(())
    }

    fn read_in_pieces(&mut self, path: &Path) -> Result<()> {
        let file = file::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        for games in Pieces::new(self.bar.wrap_read(file), self.plan.piece()) {
            self.take_games(path, games.map(|games| taken(self.plan, games)))?;
        }
        Ok(())
    }

    /// Reads the next files, several at the same time; returns their number.
    fn read_wave(&mut self, inputs: &[PathBuf]) -> Result<usize> {
        let ahead = rayon::current_num_threads() * INPUTS_AHEAD;
        let is_whole = |path: &&PathBuf| matches!(Method::of(path, self.plan), Method::Whole);
        let wave: Vec<_> = inputs.iter().take(ahead).take_while(is_whole).collect();
        let plan = self.plan;
        let read: Vec<_> = wave.par_iter().map(|path| read_games(plan, path)).collect();
        for (path, games) in wave.iter().zip(read) {
            self.take_games(path, games)?;
        }
        Ok(wave.len())
    }

    /// Checks the kind of keys: a book of the other kind would never look up those of these tuples.
    fn check_keys(&self, path: &Path, tuples: &[Tuple]) -> Result<()> {
        let one_sided = self.plan.symmetry == Symmetry::Mirror;
        let is_other = |tuple: &Tuple| tuple.fault().is_none() && tuple.is_one_sided() != one_sided;
        let (kind, word) = if one_sided { ("are not", "without") } else { ("are", "with") };
        ensure!(
            !tuples.iter().any(is_other),
            "{}: its moves {kind} those of a book that keeps red and black apart; read it {word} --one-sided",
            path.display()
        );
        Ok(())
    }

    fn take_tuples(&mut self, path: &Path, tuples: &[Tuple]) -> Result<()> {
        for (tuple, fault) in tuples.iter().filter_map(|tuple| Some((tuple, tuple.fault()?))) {
            self.done.report.faults += 1;
            self.complaints.add(path, &format!("{fault} in a tuple of key {:016x}", tuple.key));
        }
        let wanted = |tuple: &&Tuple| {
            let plies = self.plan.min_ply..self.plan.max_ply;
            tuple.fault().is_none()
                && plies.contains(&tuple.ply())
                && tuple.rating() >= self.plan.min_rating
                && !(self.plan.only_finished && tuple.points() == Points::Unknown)
        };
        let wanted: Vec<_> = tuples.iter().filter(wanted).copied().collect();
        self.done.report.tuples += wanted.len() as u64;
        self.to.take(&wanted)
    }

    pub(super) fn take_games(&mut self, path: &Path, games: Read) -> Result<()> {
        let games = games.with_context(|| path.display().to_string())?;
        let report = &mut self.done.report;
        for game in games {
            match game {
                Err(fault) => {
                    report.faults += 1;
                    self.complaints.add(path, &fault);
                }
                // A game without wanted moves is not a duplicate: the same moves may return with a result or ratings.
                Ok(game) if game.tuples.is_empty() => report.unwanted += 1,
                Ok(game) if self.plan.unique && !self.done.seen.insert(game.hash) => report.repeated += 1,
                Ok(game) => {
                    report.games += 1;
                    report.tuples += game.tuples.len() as u64;
                    report.variations += game.variations;
                    report.broken += game.broken.len() as u64;
                    game.broken.iter().for_each(|fault| self.complaints.add(path, fault));
                    self.to.take(&game.tuples)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the total size of the inputs. Unreadable inputs are reported later.
pub(super) fn bytes(inputs: &[PathBuf]) -> u64 {
    inputs.iter().map(|path| path.metadata().map_or(0, |data| data.len())).sum()
}

/// Method of reading an input.
enum Method {
    Tuples,
    Columns,
    InPieces,
    Whole,
}

impl Method {
    fn of(path: &Path, plan: &Plan) -> Self {
        if has_ending(path, "tuples") {
            Self::Tuples
        } else if has_ending(path, "parquet") {
            Self::Columns
        } else if is_large_pgn(path, plan.piece()) {
            Self::InPieces
        } else {
            Self::Whole
        }
    }
}

/// Moves of a game, and the hash that identifies it.
pub(super) struct Taken {
    hash: u64,
    tuples: Vec<Tuple>,
    variations: u64,
    broken: Vec<Faulty>,
}

/// Games of a file, each of which may be an error. A file that cannot be read at all is an error of the build: without it
/// the book would be different.
pub(super) type Read = Result<Vec<Result<Taken, Faulty>>>;

pub(super) fn read_games(plan: &Plan, path: &Path) -> Read {
    let bytes = file::read(path).context("cannot be read")?;
    let games = files::read(Format::of(path, &bytes), bytes);
    Ok(games.map_or_else(|error| vec![Err(format!("{error:#}"))], |games| taken(plan, games)))
}

fn taken(plan: &Plan, games: Vec<Result<Game, Faulty>>) -> Vec<Result<Taken, Faulty>> {
    games.into_iter().map(|game| game.map(|game| take(plan, &game))).collect()
}

/// Whether a file is PGN and too large to be read whole. Errors are left to the actual reader.
pub(super) fn is_large_pgn(path: &Path, piece: usize) -> bool {
    if !path.metadata().is_ok_and(|data| data.len() > piece as u64) {
        return false;
    }
    let mut start = vec![];
    let read = file::open(path).and_then(|file| file.take(FORMAT_BYTES).read_to_end(&mut start));
    read.is_ok() && Format::of(path, &start) == Format::Pgn
}

fn take(plan: &Plan, game: &Game) -> Taken {
    let mut hash = XxHash3_64::default();
    hash.write(game.start.to_fen().as_bytes());
    game.moves.iter().for_each(|mv| hash.write_u16(mv.bits()));
    let mut taken = Taken { hash: hash.finish(), tuples: vec![], variations: 0, broken: vec![] };
    let is_wanted = |result: Outcome| plan.outcomes.is_empty() || plan.outcomes.contains(&result);
    if is_of_player(plan, game) && game.result.map_or(!plan.only_finished && plan.outcomes.is_empty(), is_wanted) {
        take_line(plan, game, (0, game.start, &game.moves), game.result, &mut taken.tuples);
        if plan.variations {
            taken.variations = game.variations.len() as u64;
            taken.broken.clone_from(&game.broken);
            for line in &game.variations {
                take_line(plan, game, (line.ply, line.start, &line.moves), None, &mut taken.tuples);
            }
        }
    }
    taken
}

/// Whether a player is Red or Black; every side's moves are wanted if no player is named.
fn is_wanted_player(plan: &Plan, game: &Game, side: Side) -> bool {
    let name = game.players[side.index()].to_lowercase();
    plan.player.as_ref().is_none_or(|player| player.trim().to_lowercase() == name)
}

/// Whether the wanted player has played the game, and with a wanted result.
fn is_of_player(plan: &Plan, game: &Game) -> bool {
    let ends = &plan.player_result;
    Side::ALL.into_iter().any(|side| {
        is_wanted_player(plan, game, side) && (ends.is_empty() || ends.contains(&points(game.result, side)))
    })
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
            && is_wanted_player(plan, game, side)
            && rating >= plan.min_rating
            && ply >= usize::from(plan.min_ply);
        if is_wanted && !mv.is_promotion() {
            // At most `max_ply`.
            found.extend(tuples(&position, mv, plan.symmetry, ply as u16, rating, points(result, side)));
        }
        position = position.play(mv);
    }
}

fn points(result: Option<Outcome>, side: Side) -> Points {
    result.map_or(Points::Unknown, |result| Points::ALL[1 + usize::from(result.half_points(side))])
}
