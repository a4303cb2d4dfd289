//! Counts of games and positions.

use chuhe::board::Side;
use chuhe_games::game::Outcome;

use crate::distinct::Distinct;
use crate::game::{Ending, Game, Use};
use crate::streams::RESULTS;

/// Counts of one game that need its positions; expensive, so computed by the thread that played it.
#[derive(Clone, Default, Debug)]
pub struct Digest {
    /// Number of positions by [`Use`].
    uses: [u64; Use::COUNT],
    /// Keys of the usable positions, equal for mirror images.
    keys: Vec<u64>,
}

impl Digest {
    /// Computes the digest of a game from all its positions.
    pub fn of(game: &Game) -> Self {
        let mut digest = Self::default();
        for turn in game.turns() {
            digest.uses[turn.usability() as usize] += 1;
            if turn.is_usable() {
                digest.keys.push(turn.canonical_key().0);
            }
        }
        digest
    }
}

/// Counts of many games.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Number of games.
    pub games: u64,
    /// Number of positions that were searched.
    pub positions: u64,
    /// Plies of all games, including random ones.
    pub plies: u64,
    /// Nodes of all searches for moves.
    pub nodes: u64,
    /// Number of rejected openings.
    pub rejected: u64,
    uses: [u64; Use::COUNT],
    /// Number of games by Red's half points.
    results: [u64; RESULTS.len()],
    endings: [u64; Ending::ALL.len()],
    distinct: Distinct,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &Game, digest: &Digest) {
        let positions = game.moves.len() as u64;
        self.games += 1;
        self.positions += positions;
        self.plies += game.opening.len() as u64 + positions;
        self.nodes += game.nodes;
        self.rejected += u64::from(game.rejected);
        self.uses.iter_mut().zip(digest.uses).for_each(|(sum, count)| *sum += count);
        self.results[place(game.result)] += 1;
        self.endings[game.ending as usize] += 1;
        digest.keys.iter().for_each(|&key| self.distinct.add(key));
    }

    /// Number of positions of this usability.
    pub fn with_use(&self, wanted: Use) -> u64 {
        self.uses[wanted as usize]
    }

    /// Number of games with this result.
    pub fn with_result(&self, wanted: Outcome) -> u64 {
        self.results[place(wanted)]
    }

    /// Endings with their numbers of games.
    pub fn endings(&self) -> impl Iterator<Item = (Ending, u64)> {
        Ending::ALL.into_iter().zip(self.endings)
    }

    /// Share of distinct positions among the usable ones, mirror images counted as one.
    pub fn unique_share(&self) -> f64 {
        self.distinct.share()
    }
}

fn place(result: Outcome) -> usize {
    result.half_points(Side::Red).into()
}

/// `part` in percent of `whole`; 0 if `whole` is 0.
pub fn percent(part: u64, whole: u64) -> f64 {
    100.0 * ratio(part, whole)
}

/// Ratio of `part` to `whole`; 0 if `whole` is 0.
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::game;

    #[test]
    fn games_are_counted_by_what_they_hold() {
        let one = game("h2e2", &[("h7e7", -20), ("e2e6", 3001), ("d9e8", 10), ("a0a1", -3001), ("a9a8", -3000)]);
        let mirrored = Game { result: Outcome::Won(Side::Red), ending: Ending::Won, ..game("b2e2", &[("b7e7", -20)]) };
        let mut tally = Tally::default();
        for game in [&one, &mirrored] {
            tally.add(game, &Digest::of(game));
        }
        assert_eq!((tally.games, tally.positions, tally.plies), (2, 6, 8));
        let uses = [Use::Usable, Use::InCheck, Use::Capture, Use::Beyond].map(|wanted| tally.with_use(wanted));
        assert_eq!(uses, [3, 1, 1, 1]);
        assert_eq!((tally.nodes, tally.rejected), (198, 2));
        assert_eq!((tally.with_result(Outcome::Won(Side::Red)), tally.with_result(Outcome::Drawn)), (1, 1));
        let endings: Vec<_> = tally.endings().filter(|&(_, count)| count > 0).collect();
        assert_eq!(endings, [(Ending::Won, 1), (Ending::TooLong, 1)]);
        // The first positions are mirror images of each other.
        assert!((tally.unique_share() - 2.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_of_nothing_is_zero() {
        assert_eq!((percent(1, 4), ratio(0, 0)), (25.0, 0.0));
    }
}
