//! `sample`: games played from a book.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use chuhe::board::Position;
use chuhe::book::{Candidate, Choice, Source, choose};
use chuhe::notation::{Notation, write};
use chuhe::splitmix::SplitMix64;
use chuhe_console::choice::one_of;
use clap::Args;

use super::position::PositionArguments;
use crate::file;

const CHOICES: [(&str, Choice); 2] = [("weighted", Choice::Weighted), ("best", Choice::Best)];
const NOTATIONS: [(&str, Notation); 3] =
    [("iccs", Notation::Iccs), ("wxf", Notation::Wxf), ("chinese", Notation::Chinese)];

/// Play games from a book, as the engine would
///
/// A game ends where the book ends, or before a position repeats. Each line is a game. It begins with the given moves,
/// preceded by the position and `moves` if that is not the start; `build` reads such lists. Equal seeds give equal
/// games.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools sample my.book --count 10
  book-tools play my.book --choose best --notation chinese 炮二平五
  book-tools sample BOOK.DAT --count 500 --plies 12 > games.txt")]
pub(super) struct Sample {
    /// A book of any format
    book: PathBuf,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
    /// Maximum number of plies per game
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    plies: usize,
    /// Choice of moves: in proportion to their weights, or the best only
    #[arg(long, default_value = "weighted", value_parser = one_of(CHOICES))]
    choose: Choice,
    /// Choose only among moves with scores at most this many centipawns worse than the best
    #[arg(long, value_name = "CENTIPAWNS", conflicts_with = "choose")]
    margin: Option<u16>,
    /// Seed of the random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Notation of moves
    #[arg(long, default_value = "iccs", value_parser = one_of(NOTATIONS))]
    notation: Notation,
    #[command(flatten)]
    position: PositionArguments,
}

/// Returns the moves that an engine plays: moves with a weight of zero are known but not played.
fn playable(book: &Source, position: &Position) -> Vec<Candidate> {
    let mut candidates = book.candidates(position);
    candidates.retain(|candidate| candidate.weight > 0);
    candidates
}

impl Sample {
    pub(super) fn run(self) -> Result<()> {
        let book = file::open(&self.book)?;
        let (line, start) = self.position.line(self.notation)?;
        ensure!(!playable(&book, &start).is_empty(), "{}: has no move in {}", self.book.display(), start.to_fen());
        let from = self.position.start()?;
        let before = if from == Position::start() { String::new() } else { format!("{} moves ", from.to_fen()) };
        let mut random = SplitMix64::new(self.seed);
        for _ in 0..self.count {
            let game = self.game(&book, &line, start, &mut random);
            say!("{before}{}", game.join(" "))?;
        }
        Ok(())
    }

    fn game(&self, book: &Source, line: &[String], start: Position, random: &mut SplitMix64) -> Vec<String> {
        let choice = self.margin.map_or(self.choose, Choice::Margin);
        let mut game = line.to_vec();
        let (mut position, mut seen) = (start, vec![start.key()]);
        while game.len() < self.plies {
            let candidates = playable(book, &position);
            let Some(chosen) = choose(&candidates, choice, random.word()) else { break };
            let next = position.play(chosen.mv);
            if seen.contains(&next.key()) {
                break;
            }
            game.push(write(&position, chosen.mv, self.notation));
            seen.push(next.key());
            position = next;
        }
        game
    }
}
