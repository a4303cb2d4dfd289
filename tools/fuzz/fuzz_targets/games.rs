//! Readers of recorded games: PGN, XQF, DhtmlXQ, move lists, CBR and CBL, CHE and MXQ. Every game that they return can be played.
#![no_main]

use chuhe::board::{Move, Position};
use chuhe_games::files::{Format, read};
use chuhe_games::game::Game;
use libfuzzer_sys::fuzz_target;

// The first byte selects the format.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let formats = [Format::Pgn, Format::Xqf, Format::DhtmlXq, Format::List, Format::CcBridge, Format::Che, Format::Mxq];
    let Ok(games) = read(formats[usize::from(choice) % formats.len()], bytes.to_vec()) else { return };
    for game in games {
        match game {
            Ok(Game { start, moves, variations, .. }) => {
                play(start, &moves);
                for line in variations {
                    play(line.start, &line.moves);
                }
            }
            Err(fault) => assert!(!fault.is_empty() && !fault.contains('\n'), "{fault:?}"),
        }
    }
});

fn play(mut position: Position, moves: &[Move]) {
    for &mv in moves {
        assert!(position.is_legal(mv), "{mv} in {}", position.to_fen());
        position = position.play(mv);
    }
}
