//! Round trips through every move notation: random games, boards crowded with pawns, and real tournament games.

mod support;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, NotationError, read, read_any, write};
use chuhe::splitmix::SplitMix64;
use support::crowd::{crowded_position, pawn_crowds};
use support::pgn::{PgnError, Record};

const LONGEST_GAME: usize = 200;

#[track_caller]
fn assert_survives(position: &Position, mv: Move) {
    for notation in Notation::ALL {
        let text = write(position, mv, notation);
        assert_eq!(read(position, &text, notation), Ok(mv), "{text} for {mv} in {}", position.to_fen());
        assert_eq!(Notation::recognise(&text), notation, "{text}");
    }
}

/// Writes and reads every legal move, and returns the number of moves.
fn check_all_moves(position: &Position) -> usize {
    let moves = position.legal_moves();
    moves.iter().for_each(|&mv| assert_survives(position, mv));
    moves.len()
}

#[test]
#[ignore = "seven million moves take ten seconds in release; run by ci/deep.sh"]
fn every_move_of_a_thousand_random_games_survives_each_notation() {
    let mut random = SplitMix64::new(1);
    let mut count = 0;
    for _ in 0..1000 {
        let mut position = Position::start();
        for _ in 0..LONGEST_GAME {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            count += check_all_moves(&position);
            position = position.play(random.pick(&moves));
        }
    }
    println!("{count} moves of random games");
    assert!(count > 1_000_000);
}

/// Checks `boards` crowded boards and returns how many there were of each formation of the mover's pawns.
fn check_crowds(boards: usize) -> HashMap<Vec<usize>, usize> {
    let mut random = SplitMix64::new(2);
    let (mut formations, mut count) = (HashMap::new(), 0);
    for _ in 0..boards {
        let position = crowded_position(&mut random);
        *formations.entry(pawn_crowds(&position)).or_default() += 1;
        count += check_all_moves(&position);
    }
    println!("{count} moves of {boards} crowded boards: {formations:?}");
    formations
}

#[track_caller]
fn assert_all_formations(formations: &HashMap<Vec<usize>, usize>) {
    for formation in [&[][..], &[2], &[3], &[4], &[5], &[2, 2], &[3, 2]] {
        assert!(formations.contains_key(formation), "no board with pawns {formation:?} on a file");
    }
}

#[test]
fn every_move_of_crowded_boards_survives_each_notation() {
    assert_all_formations(&check_crowds(2000));
}

#[test]
#[ignore = "two hundred thousand boards take five seconds in release; run by ci/deep.sh"]
fn every_move_of_many_crowded_boards_survives_each_notation() {
    assert_all_formations(&check_crowds(200_000));
}

/// Returns the folder with real games, if this machine has one.
fn shared_data() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHUHE_SHARED_DATA") {
        let folder = PathBuf::from(named);
        assert!(folder.is_dir(), "CHUHE_SHARED_DATA names no folder: {}", folder.display());
        return Some(folder);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/ccgc");
    folder.is_dir().then_some(folder)
}

#[test]
fn real_games_replay_to_their_last_move() {
    // Directly to standard error: the output of `println!` is shown only when a test fails.
    let mut report = io::stderr();
    let Some(folder) = shared_data() else {
        writeln!(report, "no real games here: CHUHE_SHARED_DATA names a folder with *.pgn files").unwrap();
        return;
    };
    let (mut games, mut moves) = (0, 0);
    for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        let record = Record::read(&fs::read(&path).unwrap()).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let line = record.replay().unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(record.result.as_deref(), record.tag("Result"), "{path:?} is read to its end");
        for ((position, mv), text) in line.iter().zip(&record.moves) {
            assert_survives(position, *mv);
            assert_eq!(write(position, *mv, Notation::Chinese), *text, "{path:?}");
        }
        games += 1;
        moves += line.len();
    }
    writeln!(report, "{games} real games with {moves} moves in {}", folder.display()).unwrap();
    assert!(games > 0, "no *.pgn file in {}", folder.display());
}

#[test]
fn a_record_holds_tags_comments_moves_and_a_result() {
    let text = "[Game \"Chinese Chess\"]\r\n[RESULT \"1-0\"]\r\n{ opening } 1. 炮二平五 马８进７\r\n  2.马二进三 (or (2. 马八进七))\r\n\
                {Black thinks}\r\n  2.  ...  R9.8 3... h0i2{!} 1-0\r\n=====\r\nfree advice {";
    let record: Record = text.parse().unwrap();
    assert_eq!(record.tag("Result"), Some("1-0"));
    assert_eq!(record.tag("FEN"), None);
    assert_eq!(record.moves, ["炮二平五", "马８进７", "马二进三", "R9.8", "h0i2"]);
    assert_eq!(record.result.as_deref(), Some("1-0"));
    let error = NotationError::Illegal("h0i2".into());
    assert_eq!(record.replay(), Err(PgnError::Move { ply: 5, error }));
}

#[test]
fn a_record_may_be_in_another_encoding_and_start_anywhere() {
    let text = "[FEN \"3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 1\"]\n1. 将４进１ 2. 车一进八 *";
    let (bytes, ..) = encoding_rs::GBK.encode(text);
    assert_ne!(bytes, text.as_bytes());
    let record = Record::read(&bytes).unwrap();
    assert_eq!(record, text.parse().unwrap());
    let line = record.replay().unwrap();
    assert_eq!(line.iter().map(|(_, mv)| mv.to_string()).collect::<Vec<_>>(), ["d9d8", "i0i8"]);
    assert_eq!(read_any(&line[1].0, "R1+8"), Ok(line[1].1));
}

#[test]
fn a_bad_record_is_named() {
    assert_eq!(Record::read(b"\xff\xff"), Err(PgnError::Encoding));
    assert_eq!("[Red me]".parse::<Record>(), Err(PgnError::Tag("[Red me]".into())));
    assert_eq!("1. h2e2 {for ever".parse::<Record>(), Err(PgnError::Comment));
    assert!(matches!("[FEN \"9\"]\n*".parse::<Record>().unwrap().replay(), Err(PgnError::Start(_))));
}
