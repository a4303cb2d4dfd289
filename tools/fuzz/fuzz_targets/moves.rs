//! `position … moves …`: the words are parsed, then the legal moves played, with both ways to number ranks.
//!
//! The position reached is the one that its own FEN describes.
#![no_main]

use chuhe::board::{Position, RankBase, Variant};
use chuhe::engine::event::{Command, WrittenMove};
use chuhe::protocol::Interpreter;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let line = format!("position {text}");
    for understood in Interpreter::default().parse(line.as_bytes()) {
        let Ok(Command::Position(game)) = understood else { continue };
        for variant in [Variant::Standard, Variant::Promotion] {
            let Ok(start) = game.start.in_variant(variant) else { continue };
            for base in [RankBase::Zero, RankBase::One] {
                let mut position = start;
                for written in &game.moves {
                    let read = match written {
                        WrittenMove::Coordinates(mv) => mv.read(base),
                        WrittenMove::Named(mv) => mv.read(&position).ok(),
                    };
                    let Some(mv) = read else { break };
                    assert_eq!(position.legal_moves().into_iter().any(|legal| legal == mv), position.is_legal(mv));
                    if !position.is_legal(mv) {
                        break;
                    }
                    position = position.play(mv);
                }
                let rebuilt =
                    Position::from_fen_in(&position.to_fen(), variant).expect("a legal move leads to no fault");
                assert_eq!(rebuilt.key(), position.key());
            }
        }
    }
});
