//! Ten threads share tables, and have games of their own, through the interface for C.

use std::ffi::{CStr, CString};
use std::thread;

use chuhe_c::{
    CHUHE_ERROR, CHUHE_WIN, Move, Tables, chuhe_game_free, chuhe_game_new, chuhe_game_play, chuhe_last_error,
    chuhe_tables_best_moves, chuhe_tables_distance, chuhe_tables_embedded, chuhe_tables_free, chuhe_tables_outcome,
};

const THREADS: usize = 10;

/// Tables that the interface allows many threads to use.
#[derive(Clone, Copy)]
struct Shared(*const Tables);

// SAFETY: tables are never changed, as the header says.
unsafe impl Send for Shared {}

/// Plays a won ending out and returns the distance before every move.
fn distances(tables: Shared, fen: &str) -> Vec<i32> {
    let fen = CString::new(fen).unwrap();
    // SAFETY: the text ends with a zero byte.
    let game = unsafe { chuhe_game_new(fen.as_ptr()) };
    let mut seen = vec![];
    loop {
        let mut best = Move { text: [0; 5] };
        // SAFETY: both objects live, and there is room for one move.
        if unsafe { chuhe_tables_best_moves(tables.0, game, &mut best, 1) } == 0 {
            break;
        }
        // SAFETY: both objects live.
        seen.push(unsafe { chuhe_tables_distance(tables.0, game) });
        // SAFETY: the game is this thread's alone, and the text ends with a zero byte.
        assert_ne!(unsafe { chuhe_game_play(game, best.text.as_ptr()) }, CHUHE_ERROR);
    }
    // SAFETY: the game comes from `chuhe_game_new`.
    unsafe { chuhe_game_free(game) };
    seen
}

#[test]
fn tables_are_shared_and_games_are_not() {
    let tables = Shared(chuhe_tables_embedded());
    let fen = "4k4/4a4/9/9/9/9/9/9/4R4/3K5 w";
    let start = CString::new(fen).unwrap();
    // SAFETY: the text ends with a zero byte.
    let game = unsafe { chuhe_game_new(start.as_ptr()) };
    // SAFETY: both objects live.
    assert_eq!(unsafe { chuhe_tables_outcome(tables.0, game) }, CHUHE_WIN);
    let alone = distances(tables, fen);
    assert!(alone.len() > 2, "{alone:?}");
    thread::scope(|scope| {
        for number in 0..THREADS {
            let alone = &alone;
            scope.spawn(move || {
                let tables = tables;
                for _ in 0..20 {
                    assert_eq!(distances(tables, fen), *alone);
                    let nonsense = CString::new(format!("nonsense{number}")).unwrap();
                    // SAFETY: the text ends with a zero byte.
                    assert!(unsafe { chuhe_game_new(nonsense.as_ptr()) }.is_null());
                    // SAFETY: the text ends with a zero byte and lives until this thread's next error.
                    assert!(!unsafe { CStr::from_ptr(chuhe_last_error()) }.is_empty());
                }
            });
        }
    });
    // SAFETY: the game comes from `chuhe_game_new`.
    unsafe { chuhe_game_free(game) };
    // SAFETY: the tables come from `chuhe_tables_embedded`, and no thread uses them any more.
    unsafe { chuhe_tables_free(tables.0.cast_mut()) };
}
