//! Makes openings: random moves from the start position, kept when a short search finds them balanced and when neither
//! they, nor their mirror image, nor the same with colours exchanged was kept before.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use chuhe::board::Position;
use chuhe::book::{Symmetry, canonical};
use chuhe::rules::RuleSet;
use chuhe::search::{Limits, SearchContext, Searcher, Silent};
use chuhe::splitmix::SplitMix64;
use chuhe::table::Table;

/// What openings are wanted. The same settings give the same openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenerateSettings {
    /// Random plies from the start position.
    pub plies: u32,
    /// Seed of the random moves.
    pub seed: u64,
    /// Nodes of the search that values an opening.
    pub nodes: u64,
    /// The largest value for either side, in centipawns of Chuhe's own scale.
    pub limit: i32,
}

impl Default for GenerateSettings {
    fn default() -> Self {
        Self { plies: 8, seed: 1, nodes: 20_000, limit: 60 }
    }
}

/// Openings without end, or until many attempts in a row were in vain; see [`generate`].
pub struct Generator {
    settings: GenerateSettings,
    random: SplitMix64,
    searcher: Searcher,
    table: Arc<Table>,
    seen: HashSet<u64>,
    attempts: u64,
}

/// Attempts in vain after which there seem to be no more openings of the wanted kind.
const MOST_VAIN_ATTEMPTS: u32 = 10_000;

const TABLE_MEBIBYTES: usize = 1;

/// Openings by `settings`; take as many as you want.
///
/// # Errors
/// If there is no memory for the search's small table.
///
/// ```
/// use chuhe_arena::generate::{GenerateSettings, generate};
/// let settings = GenerateSettings { nodes: 500, ..GenerateSettings::default() };
/// let openings: Vec<_> = generate(&settings).unwrap().take(3).collect();
/// assert!(openings.iter().all(|position| position.has_legal_move()));
/// ```
pub fn generate(settings: &GenerateSettings) -> io::Result<Generator> {
    let table = Table::new(TABLE_MEBIBYTES).map_err(io::Error::other)?;
    Ok(Generator {
        settings: *settings,
        random: SplitMix64::new(settings.seed),
        searcher: Searcher::new(0),
        table: Arc::new(table),
        seen: HashSet::new(),
        attempts: 0,
    })
}

impl Iterator for Generator {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        (0..MOST_VAIN_ATTEMPTS).find_map(|_| self.attempt())
    }
}

impl Generator {
    /// Random games played so far, kept or not.
    pub fn attempts(&self) -> u64 {
        self.attempts
    }

    fn attempt(&mut self) -> Option<Position> {
        self.attempts += 1;
        let position = self.play_at_random()?;
        let is_new = self.seen.insert(identity(&position));
        (is_new && self.is_balanced(&position)).then_some(position)
    }

    /// `None` if the random game is over before its last ply.
    fn play_at_random(&mut self) -> Option<Position> {
        let mut position = Position::start();
        for _ in 0..self.settings.plies {
            let moves = position.legal_moves();
            let index = self.random.below(moves.len());
            position = position.play(*moves.get(index)?);
        }
        position.has_legal_move().then_some(position)
    }

    /// Every search begins from nothing, so that an opening's value does not depend on those before it.
    fn is_balanced(&mut self, position: &Position) -> bool {
        Arc::get_mut(&mut self.table).expect("the last search has dropped its share").clear(1);
        self.searcher.new_game();
        let context = SearchContext {
            limits: Limits { nodes: Some(self.settings.nodes), ..Limits::default() },
            rules: RuleSet::default().rules(),
            ..SearchContext::new(Arc::clone(&self.table), vec![*position])
        };
        let score = self.searcher.think(&context, &mut Silent).score;
        score.raw().abs() <= self.settings.limit
    }
}

/// The same for the four images of a position under mirror and exchange of colours.
fn identity(position: &Position) -> u64 {
    canonical(position, Symmetry::MirrorAndColours).0
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: GenerateSettings = GenerateSettings { plies: 6, seed: 7, nodes: 300, limit: 80 };

    #[test]
    fn the_same_seed_gives_the_same_openings_and_another_one_others() {
        let fens = |settings: &GenerateSettings| -> Vec<String> {
            generate(settings).unwrap().take(10).map(|position| position.to_fen()).collect()
        };
        assert_eq!(fens(&QUICK), fens(&QUICK));
        assert_ne!(fens(&QUICK), fens(&GenerateSettings { seed: 8, ..QUICK }));
    }

    #[test]
    fn images_of_a_position_are_one_opening() {
        let position = generate(&QUICK).unwrap().next().unwrap();
        for image in [position.mirrored(), position.colours_swapped(), position.mirrored().colours_swapped()] {
            assert_eq!(identity(&image), identity(&position));
        }
        // One ply: a move and its mirror image are one opening.
        let all = GenerateSettings { plies: 1, limit: i32::MAX, nodes: 50, ..QUICK };
        let mut openings = generate(&all).unwrap();
        let first_moves: HashSet<u64> =
            Position::start().legal_moves().into_iter().map(|mv| identity(&Position::start().play(mv))).collect();
        assert_eq!(openings.by_ref().count(), first_moves.len());
        assert!(openings.attempts() > u64::from(MOST_VAIN_ATTEMPTS));
    }

    #[test]
    fn the_file_of_openings_holds_five_hundred_different_positions() {
        let text = include_str!("../openings/random8.epd");
        let positions: Vec<Position> =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| Position::from_fen(line).unwrap()).collect();
        let keys: HashSet<u64> = positions.iter().map(identity).collect();
        assert_eq!((positions.len(), keys.len()), (500, 500));
    }
}
