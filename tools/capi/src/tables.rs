//! Endgame tablebases.

use std::ffi::{OsStr, c_char, c_int};
use std::ptr;

use chuhe::endgame::{self, Outcome};

use crate::border::{checked, copy_out, give, object, take_back, text};
use crate::game::{Game, Move, move_text};
use crate::{CHUHE_DRAW, CHUHE_ERROR, CHUHE_LOSS, CHUHE_NONE, CHUHE_OPEN, CHUHE_WIN};

/// Endgame tablebases; never changed, so that many threads may use them.
pub struct Tables(endgame::Tables);

/// Opens the tablebases that are built in, which takes some milliseconds and 2 MB.
#[unsafe(no_mangle)]
pub extern "C" fn chuhe_tables_embedded() -> *mut Tables {
    checked(ptr::null_mut(), || {
        // A set of its own: one that the process shares would never be freed.
        Ok(give(Tables(endgame::Tables::open(OsStr::new("")).0)))
    })
}

/// Opens the tablebases of folders separated by semicolons, and those that are built in. Returns NULL if a folder or a file
/// cannot be used.
///
/// # Safety
/// `folders` is a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_tables_open(folders: *const c_char) -> *mut Tables {
    checked(ptr::null_mut(), || {
        // SAFETY: the caller's promise.
        let folders = unsafe { text(folders, "folders") }?;
        let (tables, errors) = endgame::Tables::open(OsStr::new(folders));
        match errors.first() {
            Some(error) => Err(error.to_string()),
            None => Ok(give(Tables(tables))),
        }
    })
}

/// Frees tablebases; NULL is nothing.
///
/// # Safety
/// `tables` is NULL or comes from `chuhe_tables_embedded` or `chuhe_tables_open`, has not been freed, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_tables_free(tables: *mut Tables) {
    checked((), || {
        // SAFETY: the caller's promise.
        unsafe { take_back(tables) };
        Ok(())
    });
}

/// Returns the outcome for the side to move: CHUHE_WIN, CHUHE_DRAW, CHUHE_LOSS, CHUHE_OPEN, CHUHE_NONE if no table has the
/// position, or CHUHE_ERROR.
///
/// # Safety
/// `tables` and `game` are living objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_tables_outcome(tables: *const Tables, game: *const Game) -> c_int {
    checked(CHUHE_ERROR, || {
        // SAFETY: the caller's promise.
        let tables = unsafe { object(tables, "tables") }?;
        // SAFETY: the caller's promise.
        let game = unsafe { object(game, "game") }?;
        Ok(match tables.0.outcome(game.last()) {
            None => CHUHE_NONE,
            Some(Outcome::Draw) => CHUHE_DRAW,
            Some(Outcome::Win) => CHUHE_WIN,
            Some(Outcome::Loss) => CHUHE_LOSS,
            Some(Outcome::Open) => CHUHE_OPEN,
        })
    })
}

/// Returns the plies to the end of the game or the next capture in a won or lost position, or CHUHE_ERROR if they are unknown.
///
/// # Safety
/// `tables` and `game` are living objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_tables_distance(tables: *const Tables, game: *const Game) -> c_int {
    checked(CHUHE_ERROR, || {
        // SAFETY: the caller's promise.
        let tables = unsafe { object(tables, "tables") }?;
        // SAFETY: the caller's promise.
        let game = unsafe { object(game, "game") }?;
        let plies = tables.0.plies_to_conversion(game.last());
        plies.map(c_int::from).ok_or_else(|| "no table has a distance for the position".to_owned())
    })
}

/// Writes as many of the moves that keep the outcome as fit into `out`, the fastest wins and longest defences first, and
/// returns how many there are; 0 if no table has the position, or after an error.
///
/// # Safety
/// `tables` and `game` are living objects; `out` has room for `capacity` moves, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_tables_best_moves(
    tables: *const Tables,
    game: *const Game,
    out: *mut Move,
    capacity: usize,
) -> usize {
    checked(0, || {
        // SAFETY: the caller's promise.
        let tables = unsafe { object(tables, "tables") }?;
        // SAFETY: the caller's promise.
        let game = unsafe { object(game, "game") }?;
        let moves: Vec<Move> = tables.0.best_moves(game.last()).into_iter().map(move_text).collect();
        // SAFETY: the caller's promise.
        unsafe { copy_out(&moves, out, capacity) }
    })
}
