//! News of a game that a user plays at a terminal.

use std::io::{self, Write};

use super::board::{drawn, last_move, name_of_move};
use super::help::examples;
use super::style::Style;
use super::words;
use crate::board::{Move, Position, Spelled};
use crate::engine::ViewContext;
use crate::engine::event::News;
use crate::referee::explain;
use crate::rules::{Verdict, judge};

/// Writes what has happened, then the board unless the engine moves next.
///
/// # Errors
/// If `out` cannot be written to.
pub(super) fn tell(
    news: News,
    position: &Position,
    context: &ViewContext,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    let language = style.language;
    match news {
        News::Played(count) => write_moves(count, false, context, style, out)?,
        News::Answered => write_moves(1, true, context, style, out)?,
        News::TakenBack(count) => writeln!(out, "{}", words::taken_back(count, language))?,
        News::Begun => writeln!(out, "{}", words::begun(language))?,
        News::Opposed(time) => {
            let Some(engine) = context.opponent else { return Ok(()) };
            writeln!(out, "{}", words::opposed(engine, time.as_secs_f64(), language))?;
        }
    }
    let verdict = judge(context.history, context.rules);
    if verdict.is_none() && context.opponent == Some(position.side()) {
        return Ok(());
    }
    write!(out, "{}", drawn(style.pieces, position, context))?;
    match verdict {
        Some(verdict) => writeln!(out, "{}", words::over(&verdict, &explanation(context, &verdict), language)),
        None => writeln!(out, "{}", words::to_move(position.side(), position.checkers().any(), language)),
    }?;
    match news {
        News::Opposed(_) => writeln!(out, "{}", words::advice(examples(style.pieces), language)),
        _ => Ok(()),
    }
}

/// Writes the last `count` moves, as far as the positions before them are known.
fn write_moves(
    count: usize,
    are_of_engine: bool,
    context: &ViewContext,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    let first = context.history.len().saturating_sub(count + 1);
    let last = &context.history[first..];
    for (position, mv) in last.iter().zip(moves_of(last)) {
        let before = words::before_move(position.move_number(), position.side(), are_of_engine, style.language);
        writeln!(out, "{before}{} ({})", name_of_move(position, mv, style.pieces), Spelled(mv, context.base))?;
    }
    Ok(())
}

/// Returns the moves between these positions.
fn moves_of(history: &[Position]) -> Vec<Move> {
    (2..=history.len()).filter_map(|length| last_move(&history[..length])).collect()
}

/// Returns the verdict in English, without the loop, which follows after a semicolon in two notations.
fn explanation(context: &ViewContext, verdict: &Verdict) -> String {
    let text = explain(context.history, &moves_of(context.history), verdict);
    text.split(';').next().unwrap_or_default().to_owned()
}
