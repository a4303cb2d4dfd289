//! Verifies chunks: intact files, legal moves, and ends that follow from the scores and the rules.
//!
//! Some games of each chunk are replayed and must come out the same.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow, ensure};
use chuhe::eval::nnue::Network;

use crate::adjudication::Adjudicator;
use crate::chunk::{Chunk, Header};
use crate::folder::{self, Inventory};
use crate::game::Game;
use crate::player::{self, Player};
use crate::recipe::Recipe;

/// Settings of the replay.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Number of games replayed per chunk.
    pub games: u64,
    /// Network that evaluated the positions, if any.
    pub network: Option<Arc<Network>>,
}

/// Verifies the chunks in `paths` and replays some games of each; writes one line per fault to `faults`.
///
/// # Errors
/// If any chunk has a fault.
pub fn run(paths: &[PathBuf], replay: &Replay, out: &mut impl Write, faults: &mut impl Write) -> Result<()> {
    let mut inventory = Inventory::default();
    let mut player = None;
    let (mut chunks, mut faulty) = (0_u64, 0_u64);
    for path in folder::chunks_of(paths)? {
        chunks += 1;
        let checked = check(&path, replay, &mut player).with_context(|| path.display().to_string());
        let result = checked.and_then(|header| {
            let Header { games, positions, ref contents, .. } = header;
            let line = format!("{}: whole, {games} games, {positions} positions, contents {contents}", path.display());
            inventory.add(header, path.clone()).map(|()| line)
        });
        match result {
            Ok(line) => writeln!(out, "{line}")?,
            Err(error) => {
                faulty += 1;
                writeln!(faults, "{error:#}")?;
            }
        }
    }
    for (first, end) in inventory.rows() {
        writeln!(out, "games {first} to {}", end - 1)?;
    }
    ensure!(faulty == 0, "{faulty} of {chunks} chunks have faults");
    Ok(())
}

/// Player of the last recipe, which usually is that of the next chunk.
type Known = Option<(Recipe, Player)>;

fn check(path: &Path, replay: &Replay, known: &mut Known) -> Result<Header> {
    let Chunk { header, games } = Chunk::read(path)?;
    for game in &games {
        check_game(&header.recipe, game).with_context(|| format!("game {}", game.number))?;
    }
    let positions: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    ensure!(positions == header.positions, "it has {positions} positions and says {}", header.positions);
    let sampled = sample(games.len() as u64, replay.games);
    for game in sampled.filter_map(|index| games.get(usize::try_from(index).ok()?)) {
        let again = player_of(&header.recipe, replay, known)?.play(game.number, &AtomicBool::new(false));
        ensure!(again.as_ref() == Some(game), "game {} differs when played again", game.number);
    }
    Ok(header)
}

/// Selects `wanted` of `games` indices, evenly spread.
fn sample(games: u64, wanted: u64) -> impl Iterator<Item = u64> {
    let wanted = wanted.min(games);
    (0..wanted).map(move |index| (2 * index + 1) * games / (2 * wanted))
}

fn player_of<'a>(recipe: &Recipe, replay: &Replay, known: &'a mut Known) -> Result<&'a mut Player> {
    if known.as_ref().is_none_or(|(before, _)| before != recipe) {
        let network = replay.network.as_ref();
        recipe.check_playable(network).context("its games cannot be played again (-replays 0 does without)")?;
        *known = Some((recipe.clone(), Player::new(recipe, network)?));
    }
    known.as_mut().map(|(_, player)| player).context("there is no player")
}

/// Checks that all moves are legal and that the game ends as its scores and the rules require.
fn check_game(recipe: &Recipe, game: &Game) -> Result<()> {
    let history = game.legal().map_err(|(ply, mv)| anyhow!("ply {ply}: {mv} is illegal"))?;
    let plies = recipe.opening.fewest_plies..=recipe.opening.most_plies;
    ensure!(plies.contains(&game.opening.len()), "{} random moves", game.opening.len());
    let mut adjudicator = Adjudicator::new(recipe.adjudication);
    let mut end = None;
    for turn in game.turns() {
        ensure!(end.is_none(), "it goes on after its end at ply {}", turn.ply);
        end = adjudicator.update(turn.ply, player::for_red(turn.position.side(), turn.score.into()));
    }
    // No search is needed if the random moves are the whole game.
    let rules = recipe.rules()?;
    let by_rules = || player::end_by_rules(&history, &rules).or_else(|| adjudicator.too_long(history.len() - 1));
    let end = end.or_else(by_rules);
    let said = (game.result, game.ending);
    ensure!(end == Some(said), "it says that it ended as {said:?}, but {end:?} is right");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ending, Played};
    use crate::recipe::tests::quick;
    use chuhe::board::Side;
    use chuhe_games::game::Outcome;

    #[test]
    fn a_sample_is_spread_over_the_games() {
        assert_eq!(sample(20_000, 3).collect::<Vec<_>>(), [3333, 10_000, 16_666]);
        assert_eq!(sample(2, 3).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(sample(5, 0).count() + sample(0, 3).count(), 0);
    }

    #[test]
    fn a_game_may_end_before_anybody_has_thought() {
        let mut recipe = quick(11);
        recipe.adjudication.most_plies = recipe.opening.fewest_plies;
        let game = Player::new(&recipe, None).unwrap().play(0, &AtomicBool::new(false)).unwrap();
        assert_eq!((game.moves.len(), game.ending), (0, Ending::TooLong));
        check_game(&recipe, &game).unwrap();
    }

    #[test]
    fn every_kind_of_false_game_is_seen() {
        let recipe = quick(11);
        let mut player = Player::new(&recipe, None).unwrap();
        let game = player.play(0, &AtomicBool::new(false)).unwrap();
        assert!(check_game(&recipe, &game).is_ok());
        let error = |game: Game| format!("{:#}", check_game(&recipe, &game).unwrap_err());
        let wrong = Game { ending: Ending::Stalemate, result: Outcome::Won(Side::Red), ..game.clone() };
        assert!(error(wrong).contains("it says that it ended as (Won(Red), Stalemate)"));
        let mut shorter = game.clone();
        shorter.moves.truncate(3);
        assert!(error(shorter).ends_with("but None is right"));
        let mut illegal = game.clone();
        illegal.moves[1] = illegal.moves[0];
        assert!(error(illegal).ends_with(" is illegal"));
        let won = |played: &Played, red: bool| Played { score: if red { 2500 } else { -2500 }, ..*played };
        let mut longer = game.clone();
        longer.moves = game
            .turns()
            .zip(&game.moves)
            .map(|(turn, played)| won(played, turn.position.side() == Side::Red))
            .collect();
        assert!(error(longer).starts_with("it goes on after its end"));
        let unopened = Game { opening: vec![], moves: vec![], ..game };
        assert_eq!(error(unopened), "0 random moves");
    }
}
