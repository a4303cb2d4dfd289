//! Files of unfinished work: journals of matches and of self-play, chunks of self-play games, and training checkpoints.
//!
//! An accepted file can be continued, and stays readable.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::{env, fs, process};

use arbitrary::Arbitrary;
use chuhe::eval::nnue::OutputBuckets;
use chuhe_games::journal as matches;
use chuhe_games::record::{Ending, EndingClass, GameRecord, GameResult, MoveRecord};
use chuhe_selfplay::chunk::Chunk;
use chuhe_selfplay::game::Game;
use chuhe_selfplay::journal::{Head, Journal};
use chuhe_selfplay::player::Player;
use chuhe_selfplay::recipe::{Adjudication, CLASSICAL, Effort, Engine, Opening, Recipe};
use chuhe_selfplay::streams::{Reader, Streams};
use chuhe_trainer::checkpoint::{Checkpoint, Settings};
use chuhe_trainer::optimiser::Schedule;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use twox_hash::XxHash3_64;

#[derive(Arbitrary, Debug)]
enum Input {
    /// A valid journal of a match with damages, or none, followed by these bytes.
    Match { is_sound: bool, damages: Damages, rest: Vec<u8> },
    /// A journal of self-play games with damaged records, whose checksums are corrected, followed by these bytes.
    Games { damages: Damages, rest: Vec<u8> },
    /// The streams from which games are read.
    Streams([Vec<u8>; 4]),
    /// A damaged chunk of games with a corrected checksum.
    Chunk(Damages),
    /// A damaged checkpoint with a corrected checksum.
    Checkpoint(Damages),
}

/// Offsets and the bytes written there.
type Damages = Vec<(u32, u8)>;

/// Number of records to which damages are dealt out in turn.
const DEALT: u32 = 8;
const SUM: usize = size_of::<u64>();
const MAGIC: usize = 8;
/// Number of games in the journal of self-play games.
const GAMES: u64 = 4;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("chuhe-fuzz-journals-{}", process::id()));
    fs::create_dir_all(&folder).expect("there is room");
    folder
});

static MATCH: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = FOLDER.join("sound");
    let games: Vec<GameRecord> = (1..4).map(record).collect();
    matches::write(&path, &Value::from("the conditions"), &games).expect("there is room");
    fs::read(path).expect("it is there")
});

static HEAD: LazyLock<Head> = LazyLock::new(|| Head {
    first: 0,
    games: GAMES,
    recipe: Recipe {
        engine: Engine { commit: "none".into(), fingerprint: "none".into() },
        network: CLASSICAL.into(),
        seed: 1,
        rules: "asian".into(),
        effort: Effort { soft_nodes: 20, hard_nodes: 100, table_mebibytes: 1 },
        opening: Opening { nodes: 100, ..Opening::default() },
        adjudication: Adjudication { most_plies: 30, ..Adjudication::default() },
    },
});

static PLAYED: LazyLock<Vec<Game>> = LazyLock::new(|| {
    let mut player = Player::new(&HEAD.recipe, None).expect("it is a recipe");
    (0..GAMES).filter_map(|number| player.play(number, &AtomicBool::new(false))).collect()
});

static CHUNK: LazyLock<Vec<u8>> =
    LazyLock::new(|| Chunk::new(&HEAD.recipe, PLAYED.clone()).to_bytes().expect("there is memory"));

static CHECKPOINT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = FOLDER.join("checkpoint");
    let settings = Settings {
        seed: 1,
        width: 32,
        outputs: OutputBuckets::ByPieces(1),
        kings: 1,
        scale: 400,
        result_share: 0.0,
        last_result: None,
        newest: None,
        epochs: 3,
        batch: 16,
        decay: 0.01,
        schedule: Schedule { highest: 1e-3, lowest: 1e-5, warm_up: 5 },
        games: "none".into(),
        from: None,
    };
    Checkpoint::new(settings).write(&path).expect("there is room");
    fs::read(path).expect("it is there")
});

fuzz_target!(|input: Input| match input {
    Input::Match { is_sound, damages, rest } => {
        let start = if is_sound { damaged(MATCH.clone(), &damages) } else { vec![] };
        go_on_with_match(&[start, rest].concat());
    }
    Input::Games { damages, rest } => go_on_with_games(&damages, &rest),
    Input::Streams(bytes) => come_back(&bytes),
    Input::Chunk(damages) => {
        if let Ok(chunk) = Chunk::from_bytes(&sealed(CHUNK.clone(), &damages)) {
            chunk.games.iter().for_each(look_at);
        }
    }
    Input::Checkpoint(damages) => {
        if let Err(error) = Checkpoint::from_bytes(&sealed(CHECKPOINT.clone(), &damages)) {
            assert_one_line(&error);
        }
    }
});

/// Checks that a resumed match accepts another game, whatever its journal held before.
fn go_on_with_match(file: &[u8]) {
    let path = FOLDER.join("match");
    fs::write(&path, file).expect("there is room");
    let open = || matches::Journal::open::<Value, GameRecord>(&path, Value::from("the conditions"), |_| Ok(()));
    match open() {
        Ok(mut opened) => {
            for game in &opened.entries {
                let _ = game.last_position();
            }
            opened.journal.add(&record(9)).expect("there is room");
            drop(opened.journal);
            let again = open().expect("it has been opened before");
            assert_eq!(again.header, opened.header);
            assert_eq!(again.entries, [opened.entries, vec![record(9)]].concat());
        }
        Err(error) => {
            assert_one_line(&error);
            assert_eq!(fs::read(&path).expect("it is there"), file, "what is refused stays as it is");
        }
    }
}

/// Checks that a resumed journal of self-play games accepts another game.
fn go_on_with_games(damages: &Damages, rest: &[u8]) {
    let path = FOLDER.join("games");
    let _ = fs::remove_file(&path);
    let mut resumed = Journal::open(&path, &HEAD).expect("there is room");
    PLAYED.iter().for_each(|game| resumed.journal.add(game).expect("there is room"));
    drop(resumed);
    let file = with_good_records(fs::read(&path).expect("it is there"), damages);
    fs::write(&path, [file.as_slice(), rest].concat()).expect("there is room");
    match Journal::open(&path, &HEAD) {
        Ok(mut resumed) => {
            resumed.games.values().for_each(look_at);
            let missing = PLAYED.iter().find(|game| !resumed.games.contains_key(&game.number));
            if let Some(game) = missing {
                resumed.journal.add(game).expect("there is room");
                resumed.games.insert(game.number, game.clone());
            }
            drop(resumed.journal);
            let again = Journal::open(&path, &HEAD).expect("it has been opened before");
            assert_eq!((again.cut, again.games), (0, resumed.games));
        }
        Err(error) => assert_one_line(&error),
    }
}

/// Checks that games read from streams yield the same games when they are written and read again.
fn come_back(bytes: &[Vec<u8>; 4]) {
    let mut reader = Reader::new(bytes.each_ref().map(Vec::as_slice));
    while let Ok(game) = reader.next(7) {
        look_at(&game);
        let mut streams = Streams::default();
        streams.push(&game);
        let again = Reader::new(streams.bytes.each_ref().map(Vec::as_slice)).next(7);
        assert_eq!(again.as_ref(), Ok(&game));
    }
}

/// Checks that a game with legal moves can be replayed.
fn look_at(game: &Game) {
    if game.legal().is_ok() {
        assert_eq!(game.turns().count(), game.moves.len());
    }
}

fn record(number: u32) -> GameRecord {
    GameRecord {
        number,
        round: number.div_ceil(2),
        red: "a".into(),
        black: "b".into(),
        start_fen: chuhe::board::START_FEN.into(),
        opening: Some("one".into()),
        opening_fen: None,
        opening_moves: vec![],
        moves: vec![MoveRecord { mv: "h2e2".into(), depth: Some(3), ..MoveRecord::default() }],
        result: GameResult::Draw,
        ending: Ending::new(EndingClass::Agreement, "agreement"),
        started_at_ms: 1,
        duration_ms: 2,
        time_control: "1+0.1".into(),
        killed: vec![],
    }
}

fn assert_one_line(error: &anyhow::Error) {
    let said = format!("{error:#}");
    assert!(!said.is_empty() && !said.contains('\n'), "{said:?}");
}

fn damaged(mut file: Vec<u8>, damages: &Damages) -> Vec<u8> {
    let length = file.len();
    for &(at, byte) in damages {
        file[at as usize % length] = byte;
    }
    file
}

/// Damages a file and corrects the checksum at its end.
fn sealed(file: Vec<u8>, damages: &Damages) -> Vec<u8> {
    let mut file = damaged(file, damages);
    let end = file.len() - SUM;
    let sum = XxHash3_64::oneshot(&file[..end]);
    file[end..].copy_from_slice(&sum.to_le_bytes());
    file
}

/// Damages the contents of records and corrects their checksums; the lengths stay.
fn with_good_records(mut file: Vec<u8>, damages: &Damages) -> Vec<u8> {
    let mut at = MAGIC;
    let (mut number, end) = (0, file.len());
    while at < end {
        let (length, start) = (word(&file, at) as usize, at + size_of::<u32>() + SUM);
        // The first record is the header; the header of another run must be rejected.
        for &(place, byte) in damages.iter().filter(|&&(place, _)| place % DEALT == number % DEALT) {
            file[start + (place / DEALT) as usize % length] = byte;
        }
        let sum = XxHash3_64::oneshot(&file[start..start + length]);
        file[at + size_of::<u32>()..start].copy_from_slice(&sum.to_le_bytes());
        (at, number) = (start + length, number + 1);
    }
    file
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + size_of::<u32>()].try_into().expect("four bytes"))
}
