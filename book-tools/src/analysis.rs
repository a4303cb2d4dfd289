//! Positions thought about by engines: several at a time, each entered in a journal as soon as it is known. Knows
//! positions and engines, no books.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};
use bytemuck::Zeroable;
use chuhe::board::{Move, Position};
use chuhe::book::{Record, Symmetry, canonical};
use chuhe::score::Score;
use chuhe_engines::player::{EngineSpec, Failure, Player};
use chuhe_games::journal::{self, Journal, Opened};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::tuple::is_own_mirror;

/// How an analysis is done.
#[derive(Clone)]
pub struct Settings {
    /// With its limits for one search.
    pub engine: EngineSpec,
    /// Processes that think at the same time, at least one.
    pub jobs: usize,
    /// What is the same for the book.
    pub symmetry: Symmetry,
    /// How many moves of a position are wanted, best first, at least one: after each the engine is asked again, those it
    /// has named being forbidden. A move and its mirror are one where left and right make no difference.
    pub moves: usize,
    /// Moves that are so many centipawns worse than the best are not wanted.
    pub margin: u16,
}

/// A move and what it is worth to the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// [`Move::bits`] as the key's position sees it.
    pub mv: u16,
    /// As [`Score::to_table`] has it, and plies; none if the engine did not say.
    pub eval: Option<(i16, u8)>,
}

impl Line {
    /// The move as the key's position sees it; none if the journal has been altered.
    pub fn turned_move(&self) -> Option<Move> {
        Record { mv: self.mv, ..Record::zeroed() }.turned_move()
    }
}

/// The first line of a journal.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Header {
    /// All that the entries depend on.
    conditions: serde_json::Value,
}

/// What is known of a position.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: u64,
    lines: Vec<Line>,
}

impl journal::Entry for Entry {
    const WHAT: &'static str = "position";
}

/// Engines and what they have found.
pub struct Analyst {
    settings: Settings,
    players: Vec<Player>,
    /// None once it has been removed because there is nothing in it.
    journal: Option<Journal>,
    known: HashMap<u64, Vec<Line>>,
}

impl Analyst {
    /// Takes up the analysis of this journal; engines are started when they are needed.
    ///
    /// # Errors
    /// If the journal cannot be used, see [`Journal::open`].
    pub fn new(settings: Settings, journal: &Path, resume: bool) -> Result<Self> {
        ensure!(settings.jobs > 0 && settings.moves > 0, "no engine or no move is wanted");
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
        let known = entries.into_iter().map(|Entry { key, lines }| (key, lines)).collect();
        let players = (0..settings.jobs).map(|_| Player::new(engine, None)).collect();
        Ok(Self { settings, players, journal: Some(journal), known })
    }

    /// What has been found about the position of this key.
    pub fn lines(&self, key: u64) -> Option<&[Line]> {
        self.known.get(&key).map(Vec::as_slice)
    }

    /// Lets the engines think about those positions that are not known yet. `bar` advances by one for every position.
    ///
    /// # Errors
    /// If an engine fails twice at one position, or the journal cannot be written. What was found by then is in it.
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
                let entry = entry(player, position, settings).inspect_err(stop)?;
                let mut results = results.lock().expect("nobody panics in here");
                results.0.add(&entry).inspect_err(stop)?;
                results.1.insert(entry.key, entry.lines);
                bar.inc(1);
            }
            Ok(())
        };
        let done: Result<()> = thread::scope(|scope| {
            let workers: Vec<_> = self.players.iter_mut().map(|player| scope.spawn(|| work(player))).collect();
            let ends = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
            // Everybody is waited for before the first fault is told.
            ends.collect::<Vec<_>>().into_iter().collect()
        });
        if done.is_err() && self.known.is_empty() {
            // There is nothing to go on with, and the next try may be with another engine.
            self.journal.take().map_or(Ok(()), Journal::remove)?;
        }
        done
    }

    /// Ends the engines and removes the journal, whose contents the caller has saved.
    ///
    /// # Errors
    /// If the journal cannot be removed.
    pub fn finish(self) -> Result<()> {
        self.players.into_iter().for_each(Player::quit);
        self.journal.map_or(Ok(()), Journal::remove)
    }
}

/// A process may die of anything; one that dies of the same position twice dies of that.
fn entry(player: &mut Player, position: &Position, settings: &Settings) -> Result<Entry> {
    let (key, frame) = canonical(position, settings.symmetry);
    let found = lines(player, position, settings).or_else(|_| lines(player, position, settings));
    let found = found.with_context(|| format!("{} fails at {}", player.name(), position.to_fen()))?;
    let lines = found.into_iter().map(|(mv, eval)| Line { mv: frame.apply(mv).bits(), eval });
    Ok(Entry { key, lines: lines.collect() })
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
        let Some(opinion) = player.consider(position, &banned, &mut || false)? else { break };
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

/// Centipawns by which a move is worse than the best.
pub fn gap(best: i16, score: i16) -> i32 {
    i32::from(best) - i32::from(score)
}

/// The weight of a move that is so much worse than the best: [`FULL_WEIGHT`] for the best, less and less up to the
/// margin, nothing beyond.
pub fn weight(gap: i32, margin: u16) -> u16 {
    let span = i32::from(margin) + 1;
    let left = (span - gap.max(0)).max(0);
    u16::try_from((left * i32::from(FULL_WEIGHT) + span - 1) / span).expect("at most the full weight")
}

/// The weight of the best move.
pub const FULL_WEIGHT: u16 = 100;

/// The score seen from the other side, one ply further from a mate.
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

    #[test]
    fn weights_end_at_the_margin() {
        assert_eq!([0, 10, 20, 21, 9000].map(|gap| weight(gap, 20)), [100, 53, 5, 0, 0]);
        assert_eq!([0, 1].map(|gap| weight(gap, 0)), [100, 0]);
    }
}
