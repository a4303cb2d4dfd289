//! `build`: a book from games.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use chuhe::board::Side;
use chuhe::book::Symmetry;
use chuhe_console::choice::one_of;
use chuhe_games::game::Outcome;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::outputs;
use crate::aggregate::Rules;
use crate::build::{Plan, build, write_tuples};

/// Words for the results of games.
const RESULTS: [(&str, Outcome); 3] =
    [("red", Outcome::Won(Side::Red)), ("black", Outcome::Won(Side::Black)), ("draw", Outcome::Drawn)];

/// Build a book from games
///
/// Reads PGN (UTF-8 or GB18030; ICCS, WXF or Chinese notation; variations), XQF, DhtmlXQ, lists of moves (one game per line),
/// journals of the arena, and files of tuples or groups of them. Games that do not replay are left out; up to ten per file are
/// reported. Equal games give equal bytes, whatever the memory and the number of cores. To resume an interrupted build, repeat
/// the command; it continues with the first input that was not finished.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools build games/*.pgn -o my.book
  book-tools build masters.pgn -o sharp.book --min-games 3 --min-score 45 --max-ply 30 --weights win=3,draw=1
  book-tools build match.journal -o played.book           # what the arena keeps of a match
  book-tools build big.tuples -o big.book --memory 4GiB
  book-tools build games/*.pgn --tuples played.parquet    # for an SQL engine, see the README
  book-tools build grouped.parquet -o big.book            # what it has made of them")]
pub(super) struct Build {
    /// Files with games
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Book to write
    #[arg(short, long, required_unless_present = "tuples")]
    out: Option<PathBuf>,
    /// Write the moves to this file, .parquet or .tuples, instead of building a book
    #[arg(long, value_name = "FILE", conflicts_with_all =
        ["out", "min_games", "min_score", "max_moves", "weights", "stamp"])]
    tuples: Option<PathBuf>,
    /// Leave out the first plies of each game
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_ply: u16,
    /// Number of plies of each game to take
    #[arg(long, value_name = "N", default_value_t = 40)]
    max_ply: u16,
    /// Minimum number of games of a move. In a position that is its own mirror image, a game counts for a move and for its mirror
    /// image, and so twice for a move that is both
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u32,
    /// Minimum percentage of points of a move
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    min_score: f64,
    /// Minimum rating of the mover
    #[arg(long, value_name = "ELO", default_value_t = 0)]
    min_rating: u16,
    /// Maximum number of moves per position; the heaviest are kept
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// Take the moves of one side only
    #[arg(long, value_parser = one_of([("red", Side::Red), ("black", Side::Black)]))]
    colour: Option<Side>,
    /// Leave out games with an unknown end
    #[arg(long)]
    finished: bool,
    /// Take only games with these results, separated by commas
    #[arg(long, value_name = "END", value_delimiter = ',', value_parser = one_of(RESULTS))]
    result: Vec<Outcome>,
    /// Take variations too
    #[arg(long)]
    variations: bool,
    /// Drop duplicate games
    #[arg(long)]
    dedup: bool,
    /// Keep Red and Black apart, for a book that is meant for one of them
    #[arg(long)]
    one_sided: bool,
    /// Weight that a game adds to the mover's moves, by its result
    #[arg(long, value_name = "WORTH", default_value = "win=2,draw=1,loss=0,unknown=1", value_parser = weights)]
    weights: [u32; 4],
    /// Memory for sorting, such as 512MiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    memory: usize,
    /// Threads; all cores if not given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write the time into the book; otherwise equal inputs give equal bytes
    #[arg(long)]
    stamp: bool,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

/// Parses weights such as `win=3,draw=1`; those that are missing stay as they are.
fn weights(text: &str) -> Result<[u32; 4]> {
    let mut worth = Rules::default().worth;
    for part in text.split(',') {
        let (name, number) = part.split_once('=').with_context(|| format!("{part:?} is not NAME=NUMBER"))?;
        let index = ["win", "draw", "loss", "unknown"].iter().position(|known| *known == name);
        let index = index.with_context(|| format!("{name:?} is none of win, draw, loss and unknown"))?;
        worth[index] = number.parse().with_context(|| format!("{number:?} is no weight"))?;
    }
    Ok(worth)
}

/// Parses a number of bytes such as `512MiB`.
fn size(text: &str) -> Result<usize> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" | "B" => 0,
        "KiB" | "K" | "k" => 10,
        "MiB" | "M" => 20,
        "GiB" | "G" => 30,
        unit => bail!("{unit:?} is none of KiB, MiB and GiB"),
    };
    let number: usize = digits.parse().with_context(|| format!("{text:?} is no size"))?;
    number.checked_mul(1 << shift).with_context(|| format!("{text:?} is too much"))
}

impl Build {
    pub(super) fn run(self) -> Result<()> {
        ensure!(self.threads != Some(0), "--threads 0: at least one is needed");
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        }
        let style = "{bar:40} {bytes} of {total_bytes}, {elapsed} gone, {eta} to go";
        let bar = ProgressBar::no_length().with_style(ProgressStyle::with_template(style)?);
        let mut tell = |fault: &str| bar.suspend(|| drop(writeln!(stderr(), "{fault}"))); // standard error may be closed
        let games: Vec<&Path> = self.games.iter().map(PathBuf::as_path).collect();
        match &self.tuples {
            Some(tuples) => outputs::check_tuples(tuples, &games)?,
            None => outputs::check_native(self.out.as_deref().context("neither --out nor --tuples is given")?, &games)?,
        }
        let make = if self.tuples.is_some() { write_tuples } else { build };
        let out = self.tuples.as_ref().or(self.out.as_ref()).context("neither --out nor --tuples is given")?;
        let report = make(&self.plan()?, &self.games, out, &bar, &mut tell)?;
        if self.json {
            say!("{}", serde_json::to_string(&report)?)?;
        } else {
            let (place, moves) = (out.display(), if self.tuples.is_some() { report.tuples } else { report.records });
            say!("{place}: {moves} moves of {} games, {} taken", report.games, report.tuples)?;
            if self.variations {
                say!("taken too: {} variations, {} of which break off", report.variations, report.broken)?;
            }
            say!("left out: {} games that came again, {} faults", report.repeated, report.faults)?;
            if report.unwanted > 0 {
                say!("left out: {} games of which nothing is wanted", report.unwanted)?;
            }
            if report.worthless > 0 {
                say!("left out: {} moves that weigh nothing; --weights gives them a weight", report.worthless)?;
            }
        }
        Ok(())
    }

    fn plan(&self) -> Result<Plan> {
        ensure!(self.min_ply < self.max_ply, "--min-ply {} leaves nothing of --max-ply {}", self.min_ply, self.max_ply);
        let share = 0.0..=100.0;
        ensure!(share.contains(&self.min_score), "--min-score {}: a percentage is from 0 to 100", self.min_score);
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map(|time| time.as_secs());
        Ok(Plan {
            symmetry: if self.one_sided { Symmetry::Mirror } else { Symmetry::MirrorAndColours },
            min_ply: self.min_ply,
            max_ply: self.max_ply,
            min_rating: self.min_rating,
            side: self.colour,
            only_finished: self.finished,
            outcomes: self.result.clone(),
            variations: self.variations,
            unique: self.dedup,
            rules: Rules {
                worth: self.weights,
                min_games: self.min_games,
                min_score: self.min_score,
                max_moves: self.max_moves.unwrap_or(usize::MAX),
            },
            memory: self.memory,
            built_at: if self.stamp { now()? } else { 0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_weights_are_read() {
        for (text, bytes) in [("100", 100), ("3KiB", 3 << 10), ("2M", 2 << 20), ("1GiB", 1 << 30)] {
            assert_eq!(size(text).unwrap(), bytes);
        }
        for text in ["", "GiB", "1TB", "99999999999999999G", "-1"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(weights("loss=1,win=9").unwrap(), [9, 1, 1, 1]);
        assert!(weights("won=1").is_err() && weights("win").is_err());
    }
}
