//! Answers from the opening book and the endgame tablebases.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::sync::Arc;

use chuhe::board::{Move, Position};
use chuhe::book::{Book, Candidate};
use chuhe::endgame::{Outcome, Tables};
use chuhe::score::Score;
use chuhe_engines::player::Eval;
use serde_json::{Value, json};

use crate::line::Line;
use crate::naming::named_with;
use crate::score::RedScore;

/// The book and the tablebases that the page shows.
pub(crate) struct Knowledge {
    book: Book,
    tables: Arc<Tables>,
}

impl Knowledge {
    /// Opens book files and folders of tablebases; returns the errors of those that cannot be used.
    pub(crate) fn open(book: &OsStr, tables: &OsStr) -> (Self, Vec<String>) {
        let (book, book_errors) = Book::open(book);
        let (tables, table_errors) = match tables.is_empty() {
            true => (Arc::clone(Tables::embedded()), Vec::new()),
            false => {
                let (tables, errors) = Tables::open(tables);
                (Arc::new(tables), errors)
            }
        };
        let errors = book_errors.iter().map(ToString::to_string);
        (Self { book, tables }, errors.chain(table_errors.iter().map(ToString::to_string)).collect())
    }

    /// Answers `knowledge`.
    pub(crate) fn of(&self, line: &Line) -> Value {
        let position = line.last();
        json!({ "type": "knowledge", "book": self.book_moves(position), "tablebase": self.tablebase(position) })
    }

    fn book_moves(&self, position: &Position) -> Vec<Value> {
        let candidates = self.book.candidates(position);
        let total: u64 = candidates.iter().map(|candidate| u64::from(candidate.weight)).sum();
        candidates.iter().map(|candidate| book_move(position, candidate, total)).collect()
    }

    fn tablebase(&self, position: &Position) -> Value {
        let Some(outcome) = self.tables.outcome(position) else { return json!({ "known": false }) };
        let mut moves: Vec<_> = position.legal_moves().iter().map(|&mv| self.after(position, mv)).collect();
        moves.sort_by_key(|&(_, outcome, plies)| match outcome {
            Some(Outcome::Win) => (0, plies, Reverse(None)),
            Some(Outcome::Open) => (1, None, Reverse(None)),
            Some(Outcome::Draw) => (2, None, Reverse(None)),
            Some(Outcome::Loss) => (3, None, Reverse(plies)),
            None => (4, None, Reverse(None)),
        });
        let moves = moves.into_iter().map(|(mv, outcome, plies)| {
            named_with(position, mv, json!({ "result": outcome.map_or("unknown", name), "plies": plies }))
        });
        json!({
            "known": true,
            "result": name(outcome),
            "plies": self.distance(position, outcome),
            "moves": moves.collect::<Vec<_>>(),
        })
    }

    /// Returns the outcome of a move for its mover, and the plies to the end or a capture.
    fn after(&self, position: &Position, mv: Move) -> (Move, Option<Outcome>, Option<u16>) {
        let next = position.play(mv);
        let outcome = self.tables.outcome(&next).map(Outcome::swapped);
        let plies = match outcome {
            Some(Outcome::Win | Outcome::Loss) if position.is_capture(mv) => Some(0),
            Some(outcome) => self.distance(&next, outcome),
            None => None,
        };
        (mv, outcome, plies.map(|plies| plies.saturating_add(1)))
    }

    fn distance(&self, position: &Position, outcome: Outcome) -> Option<u16> {
        matches!(outcome, Outcome::Win | Outcome::Loss).then(|| self.tables.distance(position)).flatten()
    }
}

fn book_move(position: &Position, candidate: &Candidate, total: u64) -> Value {
    let share = if total == 0 { 0.0 } else { f64::from(candidate.weight) / total as f64 };
    let mut fields = json!({ "weight": candidate.weight, "share": share });
    if let Some((score, depth)) = candidate.eval {
        fields["score"] = RedScore::new(eval(score), None, position.side()).json();
        fields["depth"] = json!(depth);
    }
    named_with(position, candidate.mv, fields)
}

/// Converts a score of a book, which holds no mates.
fn eval(score: Score) -> Eval {
    Eval::Centipawns(score.raw())
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
        Outcome::Open => "open",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::LineText;
    use chuhe::book::EMBEDDED;

    fn knowledge(fen: Option<&str>) -> Value {
        let (knowledge, errors) = Knowledge::open(OsStr::new(EMBEDDED), OsStr::new(""));
        assert_eq!(errors, [""; 0]);
        knowledge.of(&Line::read(&LineText { start: fen.map(str::to_owned), moves: vec![] }).unwrap())
    }

    #[test]
    fn the_book_knows_the_start_and_the_shares_sum_to_one() {
        let known = knowledge(None);
        let moves = known["book"].as_array().unwrap();
        let sum: f64 = moves.iter().map(|mv| mv["share"].as_f64().unwrap()).sum();
        assert!(!moves.is_empty() && (sum - 1.0).abs() < 1e-9, "{known}");
        assert_eq!(known["tablebase"], json!({ "known": false }));
    }

    #[test]
    fn the_tablebases_rank_the_moves() {
        let known = knowledge(Some("4k4/9/9/9/9/9/9/9/R8/3K5 w"))["tablebase"].clone();
        assert_eq!((&known["known"], &known["result"]), (&json!(true), &json!("win")), "{known}");
        let moves = known["moves"].as_array().unwrap();
        assert_eq!(moves[0]["result"], "win");
        let plies: Vec<_> = moves.iter().filter(|mv| mv["result"] == "win").map(|mv| mv["plies"].as_u64()).collect();
        assert!(plies.is_sorted(), "{plies:?}");
    }

    #[test]
    fn files_that_cannot_be_used_are_named() {
        let (_, errors) = Knowledge::open(OsStr::new("/nowhere/x.book"), OsStr::new("/nowhere/tables"));
        assert_eq!(errors.len(), 2, "{errors:?}");
    }
}
