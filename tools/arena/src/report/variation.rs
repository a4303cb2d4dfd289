//! Principal variations of the engines, from the journal: as they were read, or from the lines that it keeps.

use chuhe::board::{Move, MoveText, Position, RankBase};
use chuhe_games::page::MoveNames;
use chuhe_games::record::MoveRecord;
use serde::Serialize;

/// Maximum number of plies of a variation in the report.
const MOST_PLIES: usize = 16;

/// Principal variation of one move of a game.
#[derive(Serialize)]
pub(super) struct Variation {
    /// Index of the move.
    index: usize,
    /// Moves of four characters each, of which the first is the move of the game.
    moves: String,
    /// Places of the moves in the list of names.
    names: Vec<usize>,
}

/// Returns the last variation of a move that begins with the move itself; `None` if the journal has none.
///
/// Engines count ranks from 0 or from 1; the move that was played tells which.
pub(super) fn variation(
    index: usize,
    record: &MoveRecord,
    position: &Position,
    names: &mut MoveNames,
) -> Option<Variation> {
    let played: Move = record.mv.parse().ok()?;
    let kept: Vec<&str> = record.pv.split_whitespace().collect();
    let lines = record.lines.iter().rev().filter_map(|line| words(line));
    let of_lines = lines.flat_map(|words| [RankBase::Zero, RankBase::One].map(|base| moves(&words, base)));
    let moves =
        [moves(&kept, RankBase::Zero)].into_iter().chain(of_lines).find(|moves| moves.first() == Some(&played))?;
    let names = names.places(position, moves.iter().copied());
    let moves = moves[..names.len()].iter().map(Move::to_string).collect();
    Some(Variation { index, moves, names })
}

/// Returns the words after `pv` in a line about the best move, unless they are part of a text.
fn words(line: &str) -> Option<Vec<&str>> {
    let mut words = line.split_whitespace();
    words.next().filter(|word| *word == "info")?;
    while let Some(word) = words.next() {
        match word {
            "pv" => return Some(words.collect()),
            "string" | "message" => return None,
            "multipv" if words.next() != Some("1") => return None,
            _ => {}
        }
    }
    None
}

fn moves(words: &[&str], base: RankBase) -> Vec<Move> {
    words.iter().map_while(|word| word.parse::<MoveText>().ok()?.read(base)).take(MOST_PLIES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mv: &str, lines: &[&str]) -> Option<String> {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        let record = MoveRecord { mv: mv.into(), lines, ..MoveRecord::default() };
        variation(0, &record, &Position::start(), &mut MoveNames::default()).map(|found| {
            assert_eq!(found.moves.len(), 4 * found.names.len());
            found.moves
        })
    }

    #[test]
    fn the_last_variation_of_the_best_move_is_read_in_either_base() {
        let lines = ["info depth 1 pv b0c2", "info depth 2 score 5 pv h2e2 h9g7 h0g2", "info multipv 2 pv b0c2 h9g7"];
        assert_eq!(read("h2e2", &lines).as_deref(), Some("h2e2h9g7h0g2"));
        assert_eq!(read("h2e2", &["info depth 2 pv h3e3 h10g8 (none)"]).as_deref(), Some("h2e2h9g7"));
        assert_eq!(
            read("h2e2", &["info pv h2e2 h9g7 h2e2"]).as_deref(),
            Some("h2e2h9g7"),
            "up to the first illegal move"
        );
    }

    #[test]
    fn the_variation_in_the_journal_goes_first() {
        let pv = "h2e2 h9g7".to_owned();
        let lines = vec!["info pv h2e2 b9c7".to_owned()];
        let record = MoveRecord { mv: "h2e2".into(), pv, lines, ..MoveRecord::default() };
        let found = variation(0, &record, &Position::start(), &mut MoveNames::default()).unwrap();
        assert_eq!(found.moves, "h2e2h9g7");
        let other = MoveRecord { mv: "h2e2".into(), pv: "b2e2".into(), ..MoveRecord::default() };
        assert!(variation(0, &other, &Position::start(), &mut MoveNames::default()).is_none());
    }

    #[test]
    fn a_line_about_another_move_is_no_variation() {
        for line in ["info pv b2e2", "info string pv h2e2", "info depth 3", "bestmove h2e2", "info pv"] {
            assert_eq!(read("h2e2", &[line]), None, "{line}");
        }
        assert_eq!(read("h2e2", &[]), None);
    }
}
