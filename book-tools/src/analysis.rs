//! Analysis of positions by engines: several at a time, each entered in a journal as soon as it is finished. Independent of
//! books.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};
use bytemuck::Zeroable;
use chuhe::board::{Move, Position};
pub use chuhe::book::{FULL_WEIGHT, weight_by_gap as weight};
use chuhe::book::{Record, Symmetry, canonical};
use chuhe::score::Score;
use chuhe_engines::player::{EngineSpec, Failure, Player};
use chuhe_games::journal::{self, Journal, Opened};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::tuple::is_own_mirror;

/// Settings of an analysis.
#[derive(Clone)]
pub struct Settings {
    /// Engine, with the limits of one search.
    pub engine: EngineSpec,
    /// Number of engine processes running at the same time, at least one.
    pub jobs: usize,
    /// Symmetry of the book.
    pub symmetry: Symmetry,
    /// Number of moves to find for a position, best first, at least one. The engine searches again after each, with those found
    /// forbidden. In a position that is its own mirror image a move and its mirror image count as one.
    pub moves: usize,
    /// Maximum centipawns by which a move may be worse than the best.
    pub margin: u16,
}

/// A move and its score for the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Move as [`Move::bits`], in the orientation of the key's position.
    pub mv: u16,
    /// Score as in [`Score::to_table`], and depth in plies; `None` if the engine gave none.
    pub eval: Option<(i16, u8)>,
}

impl Line {
    /// Returns the move in the orientation of the key's position; `None` if the journal was altered.
    pub fn turned_move(&self) -> Option<Move> {
        Record { mv: self.mv, ..Record::zeroed() }.turned_move()
    }
}

/// First line of a journal.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Everything that the entries depend on.
    conditions: serde_json::Value,
}

/// Analysis of one position, an entry of the journal.
#[derive(Serialize, Deserialize)]
struct Analysis {
    key: u64,
    lines: Vec<Line>,
}

impl journal::Entry for Analysis {
    const WHAT: &'static str = "position";
}

/// Engines and their results.
pub struct Analyst {
    settings: Settings,
    players: Vec<Player>,
    /// Journal; `None` once it has been removed for being empty.
    journal: Option<Journal>,
    known: HashMap<u64, Vec<Line>>,
}

impl Analyst {
    /// Opens the analysis of this journal; engines are started when needed.
    ///
    /// # Errors
    /// If the journal cannot be used, see [`Journal::open`].
    pub fn new(settings: Settings, journal: &Path, resume: bool) -> Result<Self> {
        ensure!(settings.jobs > 0 && settings.moves > 0, "--jobs and --moves are at least 1");
        let Settings { engine, symmetry, moves, margin, .. } = &settings;
        let conditions =
            json!({ "engine": engine, "symmetry": format!("{symmetry:?}"), "moves": moves, "margin": margin });
        let header = Header { conditions };
        let Opened { journal, entries, .. } = Journal::open(journal, header.clone(), |found| {
            ensure!(
                resume,
                "the journal {} is there: an analysis was interrupted; --resume goes on with it, or delete it",
                journal.display()
            );
            ensure!(
                *found == header,
                "the journal {} was begun with other settings; repeat those or delete it",
                journal.display()
            );
            Ok(())
        })?;
        let known = entries.into_iter().map(|Analysis { key, lines }| (key, lines)).collect();
        let players = (0..settings.jobs).map(|_| Player::new(engine, None)).collect();
        Ok(Self { settings, players, journal: Some(journal), known })
    }

    /// Returns the lines found in the position of this key.
    pub fn lines(&self, key: u64) -> Option<&[Line]> {
        self.known.get(&key).map(Vec::as_slice)
    }

    /// Lets the engines search the positions without results. `bar` advances by one for every position.
    ///
    /// # Errors
    /// If an engine fails twice at one position, or the journal cannot be written. Results so far are in the journal.
    pub fn think(&mut self, positions: &[Position], bar: &ProgressBar) -> Result<()> {
        let mut asked = std::collections::HashSet::new();
        let mut is_new = |key| !self.known.contains_key(&key) && asked.insert(key);
        let key = |position: &Position| canonical(position, self.settings.symmetry).0;
        let open: Vec<&Position> = positions.iter().filter(|position| is_new(key(position))).collect();
        bar.inc((positions.len() - open.len()) as u64);
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let journal = self.journal.as_mut().context("the analysis has failed before")?;
        let (settings, results) = (&self.settings, Mutex::new((journal, &mut self.known)));
        let stop = |_: &_| failed.store(true, Ordering::Relaxed);
        let work = |player: &mut Player| -> Result<()> {
            while let Some(position) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                if failed.load(Ordering::Relaxed) {
                    break;
                }
                let analysis = analyse(player, position, settings).inspect_err(stop)?;
                let mut results = results.lock().expect("no thread panics while it holds the lock");
                results.0.add(&analysis).inspect_err(stop)?;
                results.1.insert(analysis.key, analysis.lines);
                bar.inc(1);
            }
            Ok(())
        };
        let done: Result<()> = thread::scope(|scope| {
            let workers: Vec<_> = self.players.iter_mut().map(|player| scope.spawn(|| work(player))).collect();
            let ends = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
            // All workers are joined before the first error is returned.
            ends.collect::<Vec<_>>().into_iter().collect()
        });
        if done.is_err() && self.known.is_empty() {
            // There is nothing to resume, and the next attempt may use another engine.
            self.journal.take().map_or(Ok(()), Journal::remove)?;
        }
        done
    }

    /// Ends the engines and removes the journal, once the caller has saved its contents.
    ///
    /// # Errors
    /// If the journal cannot be removed.
    pub fn finish(self) -> Result<()> {
        self.players.into_iter().for_each(Player::quit);
        self.journal.map_or(Ok(()), Journal::remove)
    }
}

/// Analyses a position, with a second attempt: an engine that fails at it twice fails because of it.
fn analyse(player: &mut Player, position: &Position, settings: &Settings) -> Result<Analysis> {
    let (key, frame) = canonical(position, settings.symmetry);
    let found = lines(player, position, settings).or_else(|_| lines(player, position, settings));
    let found = found.with_context(|| format!("{} fails at {}", player.name(), position.to_fen()))?;
    let lines = found.into_iter().map(|(mv, eval)| Line { mv: frame.apply(mv).bits(), eval });
    Ok(Analysis { key, lines: lines.collect() })
}

type Found = (Move, Option<(i16, u8)>);

fn lines(player: &mut Player, position: &Position, settings: &Settings) -> Result<Vec<Found>, Failure> {
    let legal = position.legal_moves().len();
    let mut found: Vec<Found> = vec![];
    for _ in 0..settings.moves {
        if found.len() == legal {
            break;
        }
        let banned: Vec<Move> = found.iter().map(|(mv, _)| *mv).collect();
        let Some(opinion) = player.analyse(position, &banned, &mut || false)? else { break };
        let depth = u8::try_from(opinion.depth.unwrap_or(0)).unwrap_or(u8::MAX);
        let eval = opinion.score.map(|score| (score.to_table(0), depth));
        let best = found.iter().filter_map(|(_, eval)| Some(eval.as_ref()?.0)).max();
        let is_worse = |(score, _): (i16, u8)| best.is_some_and(|best| gap(best, score) > settings.margin.into());
        if eval.is_some_and(is_worse) {
            break;
        }
        found.push((opinion.mv, eval));
        let other = opinion.mv.mirrored();
        if is_own_mirror(position) && other != opinion.mv {
            found.push((other, eval));
        }
    }
    Ok(found)
}

/// Returns the centipawns by which a move is worse than the best.
pub fn gap(best: i16, score: i16) -> i32 {
    i32::from(best) - i32::from(score)
}

/// Returns the score for the other side, one ply further from a mate.
pub fn negated(score: i16) -> i16 {
    let further = match -i32::from(score) {
        score if Score::from_table(score as i16, 0).is_decisive() => score - score.signum(),
        score => score,
    };
    i16::try_from(further).unwrap_or(i16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_moves_away_by_a_ply() {
        let mate = Score::mate_in(5).to_table(0);
        assert_eq!(negated(mate), Score::mated_in(6).to_table(0));
        assert_eq!(negated(-17), 17);
        assert_eq!(negated(i16::MIN), i16::MAX);
    }
}
