//! Tests of packed games as a whole.

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use chuhe::splitmix::SplitMix64;
use proptest::prelude::*;
use twox_hash::XxHash3_64;

use super::*;
use crate::chunk::{Chunk, Header};
use crate::game::Ending;
use crate::game::tests::game;
use crate::player::Player;
use crate::recipe::tests::quick;
use crate::streams::{RESULTS, Streams};

static PLAYED: LazyLock<Chunk> = LazyLock::new(|| {
    let mut player = Player::new(&quick(8), None).unwrap();
    let games = (0..40).map(|number| player.play(number, &AtomicBool::new(false)).unwrap());
    Chunk::new(&quick(8), games.collect())
});

fn packed(games: &[Game]) -> Vec<u8> {
    pack(games, &quick(8)).unwrap()
}

fn unpacked(bytes: &[u8], games: &[Game]) -> Result<Vec<Game>> {
    let Header { recipe, first, positions, .. } = &Chunk::new(&quick(8), games.to_vec()).header;
    unpack(bytes, recipe, *first..first + games.len() as u64, *positions)
}

/// A legal game of random moves, scores and numbers, which need not fit together.
fn any_legal_game(number: u64) -> impl Strategy<Value = Game> {
    let scores = prop::collection::vec(prop_oneof![any::<i16>(), -300..300_i16, 31_900..32_000_i16], 0..90);
    let end = (prop::sample::select(&RESULTS[..]), prop::sample::select(&Ending::ALL[..]));
    (any::<u64>(), 0..14_usize, scores, end, any::<u64>(), any::<u32>()).prop_map(
        move |(seed, random, scores, (result, ending), nodes, rejected)| {
            let mut chance = SplitMix64::new(seed);
            let mut position = Position::start();
            let mut next = || {
                let moves = position.legal_moves();
                (!moves.is_empty()).then(|| {
                    let mv = chance.pick(&moves);
                    position = position.play(mv);
                    mv
                })
            };
            let opening = (0..random).map_while(|_| next()).collect();
            let moves = scores.iter().map_while(|&score| next().map(|mv| Played { mv, score })).collect();
            Game { number, opening, moves, result, ending, nodes, rejected }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn games_survive_being_packed(one in any_legal_game(0), other in any_legal_game(1)) {
        let games = [one, other];
        prop_assert_eq!(unpacked(&packed(&games), &games).unwrap(), &games);
    }

    #[test]
    fn rubbish_is_an_error_or_legal_games(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(games) = unpacked(&bytes, &PLAYED.games[..2]) {
            prop_assert!(games.iter().all(|game| game.legal().is_ok()));
        }
    }
}

#[test]
fn played_games_take_fewer_bytes_than_streams() {
    let mut streams = Streams::default();
    PLAYED.games.iter().for_each(|game| streams.push(game));
    let compressed: usize = streams.bytes.iter().map(|bytes| zstd::bulk::compress(bytes, 19).unwrap().len()).sum();
    let bytes = packed(&PLAYED.games).len();
    // The models have hardly begun to learn.
    assert!(bytes * 4 < compressed * 3, "{bytes} of {compressed}");
}

#[test]
fn packed_chunks_have_the_same_contents_in_other_bytes() {
    let file = PLAYED.to_packed_bytes().unwrap();
    let chunk = Chunk::from_bytes(&file).unwrap();
    assert_eq!(chunk, *PLAYED);
    assert_eq!(chunk.to_bytes().unwrap(), PLAYED.to_bytes().unwrap());
}

#[test]
fn openings_that_the_seed_draws_need_no_bytes() {
    let bare = |seed: u64| {
        let games = PLAYED.games.iter().map(|game| Game { moves: vec![], ..game.clone() }).collect::<Vec<_>>();
        pack(&games, &quick(seed)).unwrap().len()
    };
    assert!(bare(8) + 5 * PLAYED.games.len() < bare(9), "{} and {}", bare(8), bare(9));
}

#[test]
fn the_models_are_part_of_the_format() {
    // If these differ, old files cannot be read any more: count MODEL up and keep the models that they need.
    let hash = XxHash3_64::oneshot(&packed(&fixed_games()));
    assert_eq!(hash, 0xA80B_8106_77F3_7BD6, "{hash:#x}");
}

/// Games that depend on neither search nor evaluation.
fn fixed_games() -> Vec<Game> {
    let mut random = SplitMix64::new(77);
    let moved = |number: u64| {
        let begun = Game { number, ..game("h2e2 h9g7", &[]) };
        let mut position = begun.start();
        let mut moves = vec![];
        let mut score = 0;
        while moves.len() < 120 && position.has_legal_move() {
            let mut legal: Vec<Move> = position.legal_moves().into_iter().collect();
            legal.sort_unstable_by_key(|mv| mv.bits());
            let captures: Vec<Move> = legal.iter().copied().filter(|&mv| position.is_capture(mv)).collect();
            let mv = if captures.is_empty() { random.pick(&legal) } else { random.pick(&captures) };
            position = position.play(mv);
            score = -score + random.below(61) as i16 - 30;
            moves.push(Played { mv, score });
        }
        Game { moves, ..begun }
    };
    (0..30).map(moved).collect()
}

#[test]
fn an_illegal_move_is_named() {
    let error = |game: Game| format!("{:#}", pack(&[game], &quick(1)).unwrap_err());
    assert_eq!(error(game("h2e2", &[("h9g7", 0), ("e2e5", 0)])), "game 3: ply 2: e2e5 is illegal");
    assert_eq!(error(game("h2h9 h2e2", &[])), "game 3: ply 1: h2e2 is illegal");
}

#[test]
fn missing_and_surplus_bytes_are_errors() {
    let games = &PLAYED.games[..3];
    let bytes = packed(games);
    assert!(unpacked(&bytes[..bytes.len() - 1], games).is_err());
    assert!(unpacked(&[&bytes[..], &[0]].concat(), games).is_err());
    assert!(unpacked(&bytes, &games[..2]).is_err());
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    let error = format!("{:#}", unpack(&bytes, &quick(8), 0..3, positions as u64 - 1).unwrap_err());
    assert!(error.ends_with("there are more positions than it says"), "{error}");
}
