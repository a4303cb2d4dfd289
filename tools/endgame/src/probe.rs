//! Probes the tables for a position and every move in it.

use std::cmp::Reverse;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use chuhe::board::{Move, Position};
use chuhe::endgame::{Material, Outcome, Tables};

use crate::folder;

/// Prints the results of a folder's tables for a position and its moves.
///
/// # Errors
/// If the position is invalid, or no table has it.
pub fn run(folder: &Path, fen: &str, out: &mut impl Write) -> Result<()> {
    let position = Position::from_fen(fen)?;
    let tables = folder::read(folder)?;
    let outcome = tables.outcome(&position).with_context(|| why_unknown(&tables, &position))?;
    writeln!(out, "{}", describe(outcome, distance(&tables, &position)))?;
    for (mv, outcome, plies) in ranked(&tables, &position) {
        match outcome {
            Some(outcome) => writeln!(out, "{mv} {}", describe(outcome, plies))?,
            None => writeln!(out, "{mv} unknown")?,
        }
    }
    Ok(())
}

/// Explains a failed probe. A FEN may have pieces where no game can bring them, such as a pawn behind its first square.
fn why_unknown(tables: &Tables, position: &Position) -> String {
    let (material, _) = Material::of(position);
    match tables.results(material) {
        Some(_) => format!("the table of {material} has no such placement"),
        None => format!("there is no table of {material}"),
    }
}

fn distance(tables: &Tables, position: &Position) -> Option<u16> {
    let decided = matches!(tables.outcome(position), Some(Outcome::Win | Outcome::Loss));
    decided.then(|| tables.distance(position)).flatten()
}

/// Returns every move with its outcome for the mover and its plies to the end or a capture, the best first.
fn ranked(tables: &Tables, position: &Position) -> Vec<(Move, Option<Outcome>, Option<u16>)> {
    let mut moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|&mv| {
            let next = position.play(mv);
            let outcome = tables.outcome(&next).map(Outcome::swapped);
            let plies = if position.is_capture(mv) { Some(0) } else { distance(tables, &next) };
            (mv, outcome, plies.map(|plies| plies.saturating_add(1)))
        })
        .collect();
    moves.sort_by_key(|&(_, outcome, plies)| match outcome {
        Some(Outcome::Win) => (0, plies, Reverse(None)),
        Some(Outcome::Open) => (1, None, Reverse(None)),
        Some(Outcome::Draw) => (2, None, Reverse(None)),
        Some(Outcome::Loss) => (3, None, Reverse(plies)),
        None => (4, None, Reverse(None)),
    });
    moves
}

fn describe(outcome: Outcome, plies: Option<u16>) -> String {
    let name = match outcome {
        Outcome::Draw => return "draw".to_owned(),
        Outcome::Open => return "open: it depends on the rules of repetition".to_owned(),
        Outcome::Win => "win",
        Outcome::Loss => "loss",
    };
    match plies {
        Some(plies) => format!("{name}, {plies} plies to the end or a capture"),
        None => name.to_owned(),
    }
}
