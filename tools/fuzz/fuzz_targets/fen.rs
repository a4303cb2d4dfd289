//! FEN parser: an accepted position survives writing and parsing, and its moves can be played.
#![no_main]

use chuhe::board::{Position, Variant};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for variant in [Variant::Standard, Variant::Promotion] {
        let Ok(position) = Position::from_fen_in(text, variant) else { continue };
        let again = Position::from_fen_in(&position.to_fen(), variant).expect("what is written can be read");
        assert_eq!((again.to_fen(), again.key()), (position.to_fen(), position.key()));
        for mv in position.legal_moves() {
            let next = position.play(mv);
            assert_ne!(next.side(), position.side());
            next.legal_moves();
        }
    }
});
