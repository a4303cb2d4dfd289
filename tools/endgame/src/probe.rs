//! Probes the tables for positions and every move in them, as text or as JSON.

use std::cmp::Reverse;
use std::io::{BufRead, Write};

use anyhow::{Context, Result, ensure};
use chuhe::board::{Move, Position};
use chuhe::endgame::{Material, Outcome, Tables};
use serde_json::{Value, json};

/// Form of the answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Lines of text for a reader.
    Text,
    /// One JSON object on a line for each position.
    Json {
        /// Whether the object has the moves.
        moves: bool,
    },
}

/// Prints the results of the tables for a position and its moves.
///
/// # Errors
/// If the position is invalid, or no table has it.
pub fn one(tables: &Tables, fen: &str, form: Form, out: &mut impl Write) -> Result<()> {
    let answer = Answer::find(tables, fen, form)?;
    match form {
        Form::Text => answer.write(out)?,
        Form::Json { .. } => writeln!(out, "{}", answer.json(fen))?,
    }
    Ok(())
}

/// Answers every position of `fens`, one on a line; empty lines are skipped. A position without an answer gets a line with the
/// reason.
///
/// # Errors
/// After the last line, if a position had no answer; or if the input cannot be read or the output cannot be written.
pub fn many(tables: &Tables, fens: impl BufRead, form: Form, out: &mut impl Write) -> Result<()> {
    let (mut asked, mut failed) = (0_u64, 0_u64);
    for line in fens.split(b'\n') {
        let line = line.context("reading the positions")?;
        let line = String::from_utf8_lossy(&line);
        let fen = line.trim();
        if fen.is_empty() {
            continue;
        }
        asked += 1;
        let answer = Answer::find(tables, fen, form);
        failed += u64::from(answer.is_err());
        match (form, answer) {
            (Form::Text, Ok(answer)) => {
                writeln!(out, "{fen}")?;
                answer.write(out)?;
                writeln!(out)?;
            }
            (Form::Text, Err(error)) => writeln!(out, "{fen}\nerror: {error:#}\n")?,
            (Form::Json { .. }, Ok(answer)) => writeln!(out, "{}", answer.json(fen))?,
            (Form::Json { .. }, Err(error)) => {
                writeln!(out, "{}", json!({ "fen": fen, "error": format!("{error:#}") }))?;
            }
        }
    }
    out.flush()?;
    ensure!(failed == 0, "{failed} of {asked} positions have no answer");
    Ok(())
}

/// Contents of the tables for a position.
struct Answer {
    outcome: Outcome,
    plies: Option<u16>,
    /// Moves with their outcomes for the mover, the best first; `None` if they are not wanted.
    moves: Option<Vec<Ranked>>,
}

/// Move with its outcome for the mover and its plies to the end or a capture.
struct Ranked {
    mv: Move,
    outcome: Option<Outcome>,
    plies: Option<u16>,
}

impl Answer {
    fn find(tables: &Tables, fen: &str, form: Form) -> Result<Self> {
        let position = Position::from_fen(fen)?;
        let outcome = tables.outcome(&position).with_context(|| why_unknown(tables, &position))?;
        let plies = distance(tables, &position);
        let moves = (form != Form::Json { moves: false }).then(|| ranked(tables, &position));
        Ok(Self { outcome, plies, moves })
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "{}", describe(self.outcome, self.plies))?;
        for Ranked { mv, outcome, plies } in self.moves.iter().flatten() {
            match outcome {
                Some(outcome) => writeln!(out, "{mv} {}", describe(*outcome, *plies))?,
                None => writeln!(out, "{mv} unknown")?,
            }
        }
        Ok(())
    }

    fn json(&self, fen: &str) -> Value {
        let mut object = json!({ "fen": fen, "outcome": name(self.outcome), "plies": self.plies });
        if let Some(moves) = &self.moves {
            let of_move = |ranked: &Ranked| {
                let is_decided = matches!(ranked.outcome, Some(Outcome::Win | Outcome::Loss));
                let plies = ranked.plies.filter(|_| is_decided);
                json!({ "move": ranked.mv.to_string(), "outcome": ranked.outcome.map(name), "plies": plies })
            };
            object["moves"] = moves.iter().map(of_move).collect();
        }
        object
    }
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

/// Returns every move, the best first.
fn ranked(tables: &Tables, position: &Position) -> Vec<Ranked> {
    let of_move = |&mv: &Move| {
        let next = position.play(mv);
        let outcome = tables.outcome(&next).map(Outcome::swapped);
        let plies = if position.is_capture(mv) { Some(0) } else { distance(tables, &next) };
        Ranked { mv, outcome, plies: plies.map(|plies| plies.saturating_add(1)) }
    };
    let mut moves: Vec<_> = position.legal_moves().iter().map(of_move).collect();
    moves.sort_by_key(|&Ranked { outcome, plies, .. }| match outcome {
        Some(Outcome::Win) => (0, plies, Reverse(None)),
        Some(Outcome::Open) => (1, None, Reverse(None)),
        Some(Outcome::Draw) => (2, None, Reverse(None)),
        Some(Outcome::Loss) => (3, None, Reverse(plies)),
        None => (4, None, Reverse(None)),
    });
    moves
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Draw => "draw",
        Outcome::Win => "win",
        Outcome::Loss => "loss",
        Outcome::Open => "open",
    }
}

fn describe(outcome: Outcome, plies: Option<u16>) -> String {
    let plies = plies.filter(|_| matches!(outcome, Outcome::Win | Outcome::Loss));
    match (outcome, plies) {
        (Outcome::Open, _) => "open: it depends on the rules of repetition".to_owned(),
        (_, Some(plies)) => format!("{}, {plies} plies to the end or a capture", name(outcome)),
        (_, None) => name(outcome).to_owned(),
    }
}
