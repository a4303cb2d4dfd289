//! Packed games: half the bytes of the compressed streams, and slower to read.
//!
//! Models that learn from the games before predict every move and score (`moves.rs`, `scores.rs`), and a range coder stores what the
//! predictions leave open (`range.rs`). They need the rules of the game, but no evaluation, no network and no search, so that
//! packed games stay readable when these change. The behaviour of the models is part of the format, and [`MODEL`] is its version.

mod ends;
mod levels;
mod line;
mod moves;
mod numbers;
mod openings;
mod range;
mod regression;
mod scores;
#[cfg(test)]
mod tests;

use std::ops::Range;

use anyhow::{Context, Result, ensure};
use chuhe::board::{Move, Position};

use crate::game::{Game, Played};
use crate::player::for_red;
use crate::recipe::Recipe;
use crate::streams::{fold, unfold};
use ends::{Ends, Streaks};
use line::Line;
use moves::{Chosen, Moves};
use numbers::Numbers;
use range::{Coder, Decoder, Encoder};
use regression::Regression;
use scores::{Before, REMEMBERED, Scores};

/// Version of the models.
pub const MODEL: u32 = 1;

/// Maximum number of random moves of a game.
const MOST_RANDOM: usize = 1 << 16;

/// Error for bytes that end too early.
const CUT_OFF: &str = "it is cut off";

/// Kinds of plain numbers of a game.
mod kind {
    pub(super) const RANDOM_MOVES: u32 = 0;
    pub(super) const REJECTED: u32 = 1;
    pub(super) const NODES: u32 = 2;
    pub(super) const COUNT: u32 = 3;
}

/// Packs games of a recipe.
///
/// # Errors
/// The first illegal move.
pub fn pack(games: &[Game], recipe: &Recipe) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut model = Model::new(recipe, u64::MAX);
    for game in games {
        model.code(&mut encoder, game.number, Some(game)).with_context(|| format!("game {}", game.number))?;
    }
    Ok(encoder.finish())
}

/// Unpacks the games of these numbers, which have this many positions.
///
/// # Errors
/// If the bytes are damaged, or hold another number of games.
pub fn unpack(bytes: &[u8], recipe: &Recipe, numbers: Range<u64>, positions: u64) -> Result<Vec<Game>> {
    let mut decoder = Decoder::new(bytes);
    let mut model = Model::new(recipe, positions);
    let mut game = |number| model.code(&mut decoder, number, None).with_context(|| format!("game {number}"));
    let games = numbers.map(&mut game).collect::<Result<_>>()?;
    ensure!(decoder.is_at_end(), "there are more games than it says");
    Ok(games)
}

/// Models of all parts of a game, for both directions: a decoder passes no values and receives the decoded ones.
struct Model<'a> {
    recipe: &'a Recipe,
    moves: Moves,
    scores: Scores,
    ends: Ends,
    numbers: Numbers,
    /// Whether an opening is the one that the seed draws.
    draws: Regression,
    /// Maximum number of positions that follow.
    positions: u64,
    /// Nodes and searches of all games so far.
    nodes: u64,
    searches: u64,
}

/// Earlier searches of a game, seen by the side to move.
#[derive(Clone, Copy, Default)]
struct Past {
    scores: [i32; REMEMBERED],
    surprise: u32,
}

impl<'a> Model<'a> {
    fn new(recipe: &'a Recipe, positions: u64) -> Self {
        const RATE: f32 = 0.3;
        Self {
            recipe,
            moves: Moves::new(),
            scores: Scores::new(),
            ends: Ends::new(),
            numbers: Numbers::new(kind::COUNT),
            draws: Regression::new(1, RATE),
            positions,
            nodes: 0,
            searches: 0,
        }
    }

    /// Codes a game.
    fn code(&mut self, coder: &mut impl Coder, number: u64, game: Option<&Game>) -> Result<Game> {
        let rejected = self.numbers.code(coder, kind::REJECTED, game.map_or(0, |game| game.rejected.into()));
        let rejected = u32::try_from(rejected).context("too many rejected openings")?;
        let mut line = Line::new(Position::start());
        let drawn = openings::drawn(&self.recipe.opening, self.recipe.seed, number, rejected);
        let opening = self.opening(coder, &mut line, drawn, game.map(|game| game.opening.as_slice()))?;
        let (moves, streaks) = self.searched(coder, &mut line, game.map(|game| game.moves.as_slice()))?;
        let end = game.map(|game| (game.result, game.ending));
        let (result, ending) = self.ends.end(coder, &line, &streaks, end).context("an unknown end")?;
        let nodes = self.nodes(coder, moves.len() as u64, game.map_or(0, |game| game.nodes));
        ensure!(!coder.is_overrun(), CUT_OFF);
        Ok(Game { number, opening, moves, result, ending, nodes, rejected })
    }

    /// Codes the random moves. If they are not those drawn, nothing can be predicted of them.
    fn opening(
        &mut self,
        coder: &mut impl Coder,
        line: &mut Line,
        drawn: Option<Vec<Move>>,
        moves: Option<&[Move]>,
    ) -> Result<Vec<Move>> {
        let is_drawn = drawn.as_deref().is_some_and(|drawn| moves == Some(drawn));
        if let Some(drawn) = drawn
            && self.draws.bit(coder, &[0], is_drawn)
        {
            drawn.iter().for_each(|&mv| line.play(mv));
            return Ok(drawn);
        }
        let length = self.numbers.code(coder, kind::RANDOM_MOVES, moves.map_or(0, |moves| moves.len() as u64));
        let length = usize::try_from(length).ok().filter(|&length| length <= MOST_RANDOM);
        let mut coded = vec![];
        for ply in 0..length.context("too many random moves")? {
            let index = moves.map_or(Ok(0), |moves| index_of(line, moves[ply]))?;
            ensure!(!line.legal().is_empty() && !coder.is_overrun(), CUT_OFF);
            let index = coder.uniform(index as u32, line.legal().len() as u32);
            let mv = line.legal()[index as usize];
            coded.push(mv);
            line.play(mv);
        }
        Ok(coded)
    }

    /// Codes the moves that were searched, with their scores.
    fn searched(
        &mut self,
        coder: &mut impl Coder,
        line: &mut Line,
        moves: Option<&[Played]>,
    ) -> Result<(Vec<Played>, Streaks)> {
        self.scores.begin();
        let mut streaks = Streaks::new(self.recipe.adjudication);
        let mut past = Past::default();
        let mut coded = vec![];
        loop {
            let next = moves.and_then(|moves| moves.get(coded.len()).copied());
            if line.legal().is_empty() {
                ensure!(next.is_none(), "ply {}: a move after the end", line.ply());
                break;
            }
            if !self.ends.goes_on(coder, line, &streaks, next.is_some()) {
                break;
            }
            ensure!(!coder.is_overrun(), CUT_OFF);
            self.positions = self.positions.checked_sub(1).context("there are more positions than it says")?;
            let (side, ply) = (line.position.side(), line.ply());
            let played = self.search(coder, line, &mut past, next)?;
            streaks.add(ply, for_red(side, played.score.into()));
            coded.push(played);
        }
        Ok((coded, streaks))
    }

    /// Codes the move and the score of a search, and plays the move.
    fn search(
        &mut self,
        coder: &mut impl Coder,
        line: &mut Line,
        past: &mut Past,
        next: Option<Played>,
    ) -> Result<Played> {
        let index = next.map_or(Ok(0), |next| index_of(line, next.mv))?;
        let Chosen { index, rank, surprise } = self.moves.code(coder, line, past.scores[0], index);
        let (position, mv) = (&line.position, line.legal()[index]);
        let before = Before {
            scores: past.scores,
            in_check: position.in_check(),
            captures: position.is_capture(mv),
            rank,
            surprises: [surprise, past.surprise],
            pieces: position.occupied().count(),
        };
        let score = self.scores.code(coder, &before, next.map_or(0, |next| next.score)).context("no score")?;
        let [last, second, third, _] = past.scores;
        *past = Past { scores: [-i32::from(score), -last, -second, -third], surprise };
        line.play(mv);
        Ok(Played { mv, score })
    }

    /// Codes the nodes of a game, as the difference from the average so far.
    fn nodes(&mut self, coder: &mut impl Coder, searches: u64, nodes: u64) -> u64 {
        let average = u128::from(self.nodes) * u128::from(searches) / u128::from(self.searches.max(1));
        let expected = u64::try_from(average).unwrap_or(u64::MAX);
        let difference = fold(nodes.wrapping_sub(expected).cast_signed());
        let difference = unfold(self.numbers.code(coder, kind::NODES, difference));
        let nodes = expected.wrapping_add(difference.cast_unsigned());
        self.nodes = self.nodes.saturating_add(nodes);
        self.searches += searches;
        nodes
    }
}

/// Index of a move among the legal moves.
fn index_of(line: &Line, mv: Move) -> Result<usize> {
    line.index_of(mv).with_context(|| format!("ply {}: {mv} is illegal", line.ply()))
}
