//! Packed games: arbitrary bytes and damaged chunks unpack to games with legal moves, which survive being packed again, or to an
//! error.
#![no_main]

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use arbitrary::Arbitrary;
use chuhe_selfplay::chunk::Chunk;
use chuhe_selfplay::game::Game;
use chuhe_selfplay::pack;
use chuhe_selfplay::player::Player;
use chuhe_selfplay::recipe::{Adjudication, CLASSICAL, Effort, Engine, Opening, Recipe};
use libfuzzer_sys::fuzz_target;
use twox_hash::XxHash3_64;

#[derive(Arbitrary, Debug)]
enum Input {
    /// Packed games of these bytes, and how many they are said to be.
    Bytes { games: u8, bytes: Vec<u8> },
    /// The packed games of a sound chunk, damaged.
    Games(Vec<(u32, u8)>),
    /// A sound chunk, damaged, with a corrected checksum.
    Chunk(Vec<(u32, u8)>),
}

const SUM: usize = size_of::<u64>();
const MOST_POSITIONS: u64 = 10_000;

static SOUND: LazyLock<Chunk> = LazyLock::new(|| {
    let recipe = Recipe {
        engine: Engine { commit: "none".into(), fingerprint: "none".into() },
        network: CLASSICAL.into(),
        seed: 1,
        rules: "asian".into(),
        effort: Effort { soft_nodes: 20, hard_nodes: 100, table_mebibytes: 1 },
        opening: Opening { nodes: 100, ..Opening::default() },
        adjudication: Adjudication { most_plies: 30, ..Adjudication::default() },
    };
    let mut player = Player::new(&recipe, None).expect("it is a recipe");
    let games: Vec<Game> = (0..3).filter_map(|number| player.play(number, &AtomicBool::new(false))).collect();
    Chunk::new(&recipe, games)
});

static PACKED: LazyLock<Vec<u8>> =
    LazyLock::new(|| pack::pack(&SOUND.games, &SOUND.header.recipe).expect("the moves are legal"));

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| SOUND.to_packed_bytes().expect("the moves are legal"));

fuzz_target!(|input: Input| match input {
    Input::Bytes { games, bytes } => unpack(&bytes, games.into()),
    Input::Games(damages) => unpack(&damaged(PACKED.clone(), &damages), SOUND.header.games),
    Input::Chunk(damages) => {
        if let Ok(chunk) = Chunk::from_bytes(&sealed(FILE.clone(), &damages)) {
            // Their numbers are not part of the hash.
            let moves = |games: &[Game]| games.iter().map(|game| game.moves.clone()).collect::<Vec<_>>();
            assert_eq!(moves(&chunk.games), moves(&SOUND.games), "the contents have a hash");
        }
    }
});

/// Checks that unpacked games are legal and survive being packed again.
fn unpack(bytes: &[u8], games: u64) {
    let recipe = &SOUND.header.recipe;
    let unpack = |bytes: &[u8]| pack::unpack(bytes, recipe, 0..games, MOST_POSITIONS);
    match unpack(bytes) {
        Ok(games) => {
            assert!(games.iter().all(|game| game.legal().is_ok()));
            let again = pack::pack(&games, recipe).expect("the moves are legal");
            assert_eq!(unpack(&again).expect("they are packed games"), games);
        }
        Err(error) => assert!(!format!("{error:#}").contains('\n'), "{error:#}"),
    }
}

fn damaged(mut file: Vec<u8>, damages: &[(u32, u8)]) -> Vec<u8> {
    let length = file.len();
    for &(at, byte) in damages {
        file[at as usize % length] = byte;
    }
    file
}

/// Damages a file and corrects the checksum at its end.
fn sealed(file: Vec<u8>, damages: &[(u32, u8)]) -> Vec<u8> {
    let mut file = damaged(file, damages);
    let end = file.len() - SUM;
    let sum = XxHash3_64::oneshot(&file[..end]);
    file[end..].copy_from_slice(&sum.to_le_bytes());
    file
}
