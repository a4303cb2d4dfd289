//! Games: a position with the moves that led to it.

use std::ffi::{c_char, c_int};
use std::ptr;

use chuhe::board::{self, Position, Side};
use chuhe::notation::read_any;
use chuhe::referee::explain;
use chuhe::rules::{Ending, RuleSet, judge};

use crate::border::{Checked, checked, copy_out, give, object, object_mut, take_back, text, text_out};
use crate::{CHUHE_DRAW, CHUHE_ERROR, CHUHE_LOSS, CHUHE_NONE, CHUHE_WIN};

/// A game: a position with the moves that led to it.
pub struct Game {
    /// All positions, oldest first; never empty.
    positions: Vec<Position>,
    moves: Vec<board::Move>,
}

/// A move in coordinates, such as `h2e2`, with its zero byte.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The text.
    pub text: [c_char; 5],
}

/// A verdict on a game.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// `CHUHE_NONE` while the game goes on, `CHUHE_DRAW`, `CHUHE_WIN` or `CHUHE_LOSS` as seen from Red.
    pub result: c_int,
    /// Number of plies of the loop that decides; 0 if the game does not end by repetition.
    pub loop_plies: usize,
}

impl Game {
    /// The current position.
    pub(crate) fn last(&self) -> &Position {
        self.positions.last().expect("there is always a position")
    }
}

/// Writes a move for C.
pub(crate) fn move_text(mv: board::Move) -> Move {
    let mut text = [0; 5];
    for (place, byte) in text.iter_mut().zip(mv.to_string().bytes().take(4)) {
        *place = byte as c_char;
    }
    Move { text }
}

/// Starts a game from a FEN, or from the start position if `fen` is NULL. Returns NULL after an error.
///
/// # Safety
/// `fen` is NULL or a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_new(fen: *const c_char) -> *mut Game {
    checked(ptr::null_mut(), || {
        let start = if fen.is_null() {
            Position::start()
        } else {
            // SAFETY: the caller's promise.
            let fen = unsafe { text(fen, "fen") }?;
            Position::from_fen(fen).map_err(|error| error.to_string())?
        };
        Ok(give(Game { positions: vec![start], moves: vec![] }))
    })
}

/// Frees a game; NULL is nothing.
///
/// # Safety
/// `game` is NULL or comes from `chuhe_game_new` and has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_free(game: *mut Game) {
    checked((), || {
        // SAFETY: the caller's promise.
        unsafe { take_back(game) };
        Ok(())
    });
}

/// Plays a move in coordinates (`h2e2`), WXF (`C2=5`) or Chinese notation. Returns CHUHE_NONE or CHUHE_ERROR.
///
/// # Safety
/// `game` is a living game that no other thread uses, `mv` a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_play(game: *mut Game, mv: *const c_char) -> c_int {
    checked(CHUHE_ERROR, || {
        // SAFETY: the caller's promise.
        let game = unsafe { object_mut(game, "game") }?;
        // SAFETY: the caller's promise.
        let mv = unsafe { text(mv, "mv") }?;
        let mv = read_any(game.last(), mv).map_err(|error| error.to_string())?;
        game.positions.push(game.last().play(mv));
        game.moves.push(mv);
        Ok(CHUHE_NONE)
    })
}

/// Takes the last move back. Returns CHUHE_NONE or CHUHE_ERROR.
///
/// # Safety
/// `game` is a living game that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_undo(game: *mut Game) -> c_int {
    checked(CHUHE_ERROR, || {
        // SAFETY: the caller's promise.
        let game = unsafe { object_mut(game, "game") }?;
        game.moves.pop().ok_or("there is no move to take back")?;
        game.positions.pop();
        Ok(CHUHE_NONE)
    })
}

/// Returns 1 if Red is to move, 0 if Black is, or CHUHE_ERROR.
///
/// # Safety
/// `game` is a living game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_red_to_move(game: *const Game) -> c_int {
    checked(CHUHE_ERROR, || {
        // SAFETY: the caller's promise.
        let game = unsafe { object(game, "game") }?;
        Ok((game.last().side() == Side::Red).into())
    })
}

/// Writes the FEN of the current position into `out`, cut to `capacity` bytes with the zero byte, and returns its whole length.
/// 128 bytes are enough. Returns 0 after an error.
///
/// # Safety
/// `game` is a living game; `out` has room for `capacity` bytes, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_fen(game: *const Game, out: *mut c_char, capacity: usize) -> usize {
    checked(0, || {
        // SAFETY: the caller's promise.
        let game = unsafe { object(game, "game") }?;
        // SAFETY: the caller's promise.
        unsafe { text_out(&game.last().to_fen(), out, capacity) }
    })
}

/// Writes as many legal moves as fit into `out` and returns how many there are; 128 places are always enough. Returns 0 after an
/// error too: `chuhe_game_judge` tells a mate.
///
/// # Safety
/// `game` is a living game; `out` has room for `capacity` moves, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_legal_moves(game: *const Game, out: *mut Move, capacity: usize) -> usize {
    checked(0, || {
        // SAFETY: the caller's promise.
        let game = unsafe { object(game, "game") }?;
        let moves: Vec<Move> = game.last().legal_moves().iter().map(|&mv| move_text(mv)).collect();
        // SAFETY: the caller's promise.
        unsafe { copy_out(&moves, out, capacity) }
    })
}

fn verdict_on(game: &Game, rules: &str) -> Checked<(Verdict, String)> {
    let rules = rules.parse::<RuleSet>().map_err(|error| error.to_string())?.rules();
    let Some(verdict) = judge(&game.positions, &rules) else {
        return Ok((Verdict { result: CHUHE_NONE, loop_plies: 0 }, "none".to_owned()));
    };
    let result = match verdict.loser {
        None => CHUHE_DRAW,
        Some(Side::Red) => CHUHE_LOSS,
        Some(Side::Black) => CHUHE_WIN,
    };
    let loop_plies = match verdict.ending {
        Ending::Repetition(judged) => judged.plies,
        _ => 0,
    };
    Ok((Verdict { result, loop_plies }, explain(&game.positions, &game.moves, &verdict)))
}

/// Judges the game by these rules: asian, league, pikafish, chinese, checkban or noban. Fills `verdict`, writes the verdict in
/// one line into `out`, cut to `capacity` bytes, and returns the result, or CHUHE_ERROR. `verdict` and `out` may be NULL.
///
/// # Safety
/// `game` is a living game, `rules` a text that ends with a zero byte, `verdict` NULL or a place for one; `out` has room for
/// `capacity` bytes, or is NULL if that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chuhe_game_judge(
    game: *const Game,
    rules: *const c_char,
    verdict: *mut Verdict,
    out: *mut c_char,
    capacity: usize,
) -> c_int {
    checked(CHUHE_ERROR, || {
        // SAFETY: the caller's promise.
        let game = unsafe { object(game, "game") }?;
        // SAFETY: the caller's promise.
        let rules = unsafe { text(rules, "rules") }?;
        let (judged, line) = verdict_on(game, rules)?;
        // SAFETY: the caller's promise.
        unsafe { text_out(&line, out, capacity) }?;
        // SAFETY: the caller's promise.
        if let Some(verdict) = unsafe { verdict.as_mut() } {
            *verdict = judged;
        }
        Ok(judged.result)
    })
}
