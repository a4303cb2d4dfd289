//! Training and validation data: positions of games, split by game.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::board::Position;
use chuhe::splitmix::mix;
use chuhe_console::words;
use chuhe_selfplay::batches;
use chuhe_selfplay::chunk::{Chunk, Header};
use chuhe_selfplay::folder;
use chuhe_selfplay::game::{Game, Turn};
use rayon::prelude::*;
use twox_hash::XxHash3_128;

use crate::sample::Sample;

/// Most training positions: with 32 bytes each, all fit into memory.
pub const MOST_POSITIONS: usize = 300_000_000;

/// Validation share: one game in this number.
pub(crate) const VALIDATION_ONE_IN: u64 = 20;

/// Training and validation samples.
#[derive(Default)]
pub struct Data {
    /// Training samples, in the order of the chunks.
    pub training: Vec<Sample>,
    /// Validation samples, from other games.
    pub validation: Vec<Sample>,
    /// Number of games.
    pub games: u64,
    /// Hash of the contents of the chunks, in their order.
    pub identity: String,
}

/// Returns a hash of the contents of all chunks in `paths`, which are chunks or folders of them.
///
/// # Errors
/// If there are no chunks, or one cannot be read.
pub fn identity(paths: &[PathBuf]) -> Result<String> {
    let mut hash = XxHash3_128::new();
    for path in folder::chunks_of(paths)? {
        let header = Header::read(&path).with_context(|| path.display().to_string())?;
        hash.write(header.contents.as_bytes());
    }
    Ok(format!("{:032x}", hash.finish_128()))
}

impl Data {
    /// Reads all chunks.
    ///
    /// # Errors
    /// If there are no chunks, one cannot be read, games occur twice, or there are no training or no validation positions.
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let mut data = Self { identity: identity(paths)?, ..Self::default() };
        let chunks = folder::chunks_without_doublets(paths)?;
        // A few chunks at a time, so that little memory is needed twice.
        for group in chunks.chunks(rayon::current_num_threads()) {
            let parts = group.par_iter().map(|path| Self::of_chunk(path));
            for part in parts.collect::<Result<Vec<Self>>>()? {
                data.append(part);
            }
            ensure!(
                data.training.len() <= MOST_POSITIONS,
                "there are more than {MOST_POSITIONS} positions to learn from"
            );
        }
        ensure!(!data.training.is_empty(), "there is no position to learn from");
        ensure!(!data.validation.is_empty(), "none of the {} games is for validation: too few", data.games);
        Ok(data)
    }

    fn of_chunk(path: &Path) -> Result<Self> {
        let mut data = Self::default();
        games_of_chunk(&Chunk::read_legal(path)?, |game, is_validation| {
            data.games += 1;
            let part = if is_validation { &mut data.validation } else { &mut data.training };
            part.extend(
                game.turns()
                    .filter(Turn::is_usable)
                    .map(|turn| Sample::new(&turn.position, turn.score, game.result.half_points(turn.position.side()))),
            );
        });
        Ok(data)
    }

    /// Appends the samples of another part.
    fn append(&mut self, mut part: Self) {
        self.training.append(&mut part.training);
        self.validation.append(&mut part.validation);
        self.games += part.games;
    }
}

/// Returns at most `most` positions of validation games, evenly spaced.
///
/// # Errors
/// If `most` is 0, there are no such positions, or a chunk cannot be read.
pub fn validation_positions(paths: &[PathBuf], most: usize) -> Result<Vec<Position>> {
    ensure!(most > 0, "the number of positions is 1 or more, not 0");
    let mut positions = vec![];
    each_game(paths, |game, is_validation| {
        if is_validation {
            positions.extend(game.turns().filter(Turn::is_usable).map(|turn| turn.position));
        }
    })?;
    ensure!(!positions.is_empty(), "no game is for validation: too few");
    let count = positions.len().min(most);
    Ok((0..count).map(|number| positions[number * positions.len() / count]).collect())
}

/// Calls `look` with every game and whether it is for validation, which depends only on the run's seed and the game's number.
///
/// Chunks are read with all processors, and their games are looked at in order.
pub(crate) fn each_game(paths: &[PathBuf], mut look: impl FnMut(&Game, bool)) -> Result<()> {
    let chunks = folder::chunks_without_doublets(paths)?;
    let read = |path: &PathBuf| Chunk::read_legal(path);
    batches::in_order(&chunks, words::threads(None), read, |chunk| {
        games_of_chunk(&chunk, &mut look);
        Ok(())
    })
}

fn games_of_chunk(chunk: &Chunk, mut look: impl FnMut(&Game, bool)) {
    let seed = mix(chunk.header.recipe.seed);
    for game in &chunk.games {
        look(game, mix(seed ^ game.number).is_multiple_of(VALIDATION_ONE_IN));
    }
}
