//! Readers of opening books, our own format, ElephantEye's and databases: every move that they return is legal, for any file.
#![no_main]

use chuhe::board::Position;
use chuhe::book::{BingheBook, Candidate, EleEyeBook, NativeBook};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(book) = NativeBook::copied(bytes) {
        let _ = book.verify();
        walk(|position| book.candidates(position));
    }
    if let Ok(book) = EleEyeBook::copied(bytes) {
        walk(|position| book.candidates(position));
    }
    match BingheBook::copied(bytes) {
        Ok(book) => walk(|position| book.candidates(position)),
        Err(fault) => assert!(!fault.to_string().contains('\n'), "{fault}"),
    }
});

/// Plays the moves of the book, from both sides of the board and after every first move.
fn walk(candidates: impl Fn(&Position) -> Vec<Candidate>) {
    let start = Position::start();
    let ahead = start.legal_moves().into_iter().map(|mv| start.play(mv));
    for mut position in [start, start.colours_swapped()].into_iter().chain(ahead) {
        for _ in 0..4 {
            let found = candidates(&position);
            assert!(found.iter().all(|candidate| position.is_legal(candidate.mv)));
            assert!(found.is_sorted_by_key(|candidate| !candidate.weight));
            let Some(candidate) = found.first() else { break };
            position = position.play(candidate.mv);
        }
    }
}
