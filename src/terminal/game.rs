//! News of a game that a user plays at a terminal.

use std::io::{self, Write};

use super::board::{drawn, last_move, name_of_move, name_of_side};
use super::help::examples;
use crate::board::{Move, Position, Spelled};
use crate::engine::ViewContext;
use crate::engine::event::{News, Pieces};
use crate::referee::explain;
use crate::rules::judge;

/// Writes what has happened, then the board unless the engine moves next.
///
/// # Errors
/// If `out` cannot be written to.
pub(super) fn tell(
    news: News,
    position: &Position,
    context: &ViewContext,
    pieces: Pieces,
    out: &mut impl Write,
) -> io::Result<()> {
    match news {
        News::Played(count) => write_moves(count, "", context, pieces, out)?,
        News::Answered => write_moves(1, " (Chuhe)", context, pieces, out)?,
        News::TakenBack(1) => writeln!(out, "one move taken back")?,
        News::TakenBack(count) => writeln!(out, "{count} moves taken back")?,
        News::Begun => writeln!(out, "a new game")?,
        News::Opposed(time) => {
            let Some(side) = context.opponent else { return Ok(()) };
            let [yours, its] = [!side, side].map(name_of_side);
            let seconds = time.as_secs_f64();
            writeln!(
                out,
                "you play {yours}, Chuhe plays {its} and thinks {seconds} s a move; \"stop\" makes it move at once"
            )?;
        }
    }
    let verdict = verdict(context);
    if verdict.is_none() && context.opponent == Some(position.side()) {
        return Ok(());
    }
    write!(out, "{}", drawn(pieces, position, context))?;
    match verdict {
        Some(verdict) => {
            writeln!(out, "the game is over, {verdict}; \"new\" begins another one, \"undo\" takes moves back")
        }
        None => {
            let check = if position.checkers().any() { ", in check" } else { "" };
            writeln!(out, "{} to move{check}", name_of_side(position.side()))
        }
    }?;
    match news {
        News::Opposed(_) => writeln!(out, "type a move like {}; \"help\" lists what else there is", examples(pieces)),
        _ => Ok(()),
    }
}

/// Writes the last `count` moves, as far as the positions before them are known.
fn write_moves(count: usize, by: &str, context: &ViewContext, pieces: Pieces, out: &mut impl Write) -> io::Result<()> {
    let first = context.history.len().saturating_sub(count + 1);
    let last = &context.history[first..];
    for (position, mv) in last.iter().zip(moves_of(last)) {
        let (number, side) = (position.move_number(), name_of_side(position.side()));
        writeln!(out, "{number}. {side}{by}: {} ({})", name_of_move(position, mv, pieces), Spelled(mv, context.base))?;
    }
    Ok(())
}

/// Returns the moves between these positions.
fn moves_of(history: &[Position]) -> Vec<Move> {
    (2..=history.len()).filter_map(|length| last_move(&history[..length])).collect()
}

/// Returns the result of the game in words, if it is over.
fn verdict(context: &ViewContext) -> Option<String> {
    let verdict = judge(context.history, context.rules)?;
    let text = explain(context.history, &moves_of(context.history), &verdict);
    // The loop follows behind the semicolon, in two notations.
    Some(text.split(';').next().unwrap_or_default().to_owned())
}
