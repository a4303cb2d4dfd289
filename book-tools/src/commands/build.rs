//! `build`: a book from games.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use chuhe::book::Symmetry;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::outputs;
use crate::aggregate::Rules;
use crate::build::{Plan, build, write_tuples};

/// Build a book from games
///
/// Reads PGN (UTF-8, GB18030 or Big5; ICCS, WXF or Chinese notation; variations), XQF, CBR and CBL of CCBridge, DhtmlXQ, CHE,
/// MXQ, lists of moves (one game per line), journals of the arena, and files of tuples or groups of them. Games that do not replay are left out; up to ten per file are
/// reported. Equal games give equal bytes, whatever the memory and the number of cores. To resume an interrupted build, repeat
/// the command; it continues with the first input that was not finished.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools build games/*.pgn -o my.book
  book-tools build masters.pgn -o sharp.book --min-games 3 --min-score 45 --max-ply 30 --weights win=3,draw=1
  book-tools build match.journal -o played.book           # what the arena keeps of a match
  book-tools build match.journal -o mine.book --player Chuhe --player-result won,drawn --min-games 2
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
        ["out", "min_games", "min_score", "max_moves", "worth", "stamp"])]
    tuples: Option<PathBuf>,
    #[command(flatten)]
    plan: Plan,
    /// Keep Red and Black apart, for a book that is meant for one of them
    #[arg(long)]
    one_sided: bool,
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
            if moves == 0 {
                say!(
                    "the book is empty: no move has the games and the score that --min-games and --min-score ask for"
                )?;
            }
            if self.plan.variations {
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
        let Plan { min_ply, max_ply, rules: Rules { min_score, .. }, .. } = self.plan;
        ensure!(min_ply < max_ply, "--min-ply {min_ply} leaves nothing of --max-ply {max_ply}");
        let share = 0.0..=100.0;
        ensure!(share.contains(&min_score), "--min-score {min_score}: a percentage is from 0 to 100");
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map(|time| time.as_secs());
        Ok(Plan {
            symmetry: if self.one_sided { Symmetry::Mirror } else { Symmetry::MirrorAndColours },
            built_at: if self.stamp { now()? } else { 0 },
            ..self.plan.clone()
        })
    }
}
