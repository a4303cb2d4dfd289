//! Principal variations in engine output, and the check that every move is legal.

use chuhe::board::{Move, Position};

/// Maximum number of plies that a message shows before the illegal move.
const MOST_SHOWN: usize = 8;

/// Returns the first illegal move of the variation in this line, and the moves from `position` to it; `None` if there is no
/// variation, or no error in it. The variation ends at the first word that is not a move at all.
pub(crate) fn illegal_move(line: &str, position: &Position, read: impl Fn(&str) -> Option<Move>) -> Option<String> {
    let mut position = *position;
    let mut played: Vec<&str> = Vec::new();
    for word in variation(line)? {
        let mv = read(word)?;
        if !position.is_legal(mv) {
            let left_out = if played.len() > MOST_SHOWN { "... " } else { "" };
            let shown = &played[played.len().saturating_sub(MOST_SHOWN)..];
            let before = if shown.is_empty() { String::new() } else { format!(" after {left_out}{}", shown.join(" ")) };
            return Some(format!("{word}{before}"));
        }
        position = position.play(mv);
        played.push(word);
    }
    None
}

/// Maximum number of plies of a variation to keep.
const MOST_KEPT: usize = 32;

/// Returns the moves of a variation as an engine writes it, up to the first word that is not a legal move.
pub(crate) fn legal_moves(text: &str, position: &Position, read: impl Fn(&str) -> Option<Move>) -> Vec<Move> {
    let mut position = *position;
    let next = |word: &str| {
        let mv = read(word).filter(|&mv| position.is_legal(mv))?;
        position = position.play(mv);
        Some(mv)
    };
    text.split(' ').map_while(next).take(MOST_KEPT).collect()
}

/// Returns the words after `pv`, unless they are part of a text.
fn variation(line: &str) -> Option<impl Iterator<Item = &str>> {
    let mut words = line.split_whitespace();
    words.next().filter(|word| *word == "info")?;
    words.find(|word| matches!(*word, "pv" | "string" | "message")).filter(|word| *word == "pv")?;
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_ends_before_its_first_illegal_move() {
        let moves = |text: &str| legal_moves(text, &Position::start(), |word| word.parse().ok()).len();
        assert_eq!(["h2e2 h9g7 h0g2", "h2e2 h9g7 h2e2 x", "h2e2 (none)", "", "h2h2"].map(moves), [3, 2, 1, 0, 0]);
        assert_eq!(moves(&"h0g2 h9g7 g2h0 g7h9 ".repeat(20)), MOST_KEPT);
    }

    #[test]
    fn the_first_move_that_is_not_legal_is_named() {
        let illegal_move = |line: &str| illegal_move(line, &Position::start(), |text| text.parse().ok());
        for line in [
            "info depth 3 score 5 pv h2e2 h9g7 h0g2",
            "info depth 3 score 5 pv",
            "info depth 3 score 5 pv h2e2 (none)",
            "info depth 3 pv h2e2 nodes 5 a0a9",
            "info string pv a0a9",
            "info message pv a0a9",
            "info currmove a0a9",
            "bestmove a0a9",
            "",
        ] {
            assert_eq!(illegal_move(line), None, "{line}");
        }
        assert_eq!(illegal_move("info depth 3 multipv 2 pv a0a9 h9g7").as_deref(), Some("a0a9"));
        assert_eq!(illegal_move("info depth 3 pv h2e2 h9g7 h2e2 x").as_deref(), Some("h2e2 after h2e2 h9g7"));
        let long = "info pv a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9 b0c2 e0e9";
        assert_eq!(illegal_move(long).as_deref(), Some("e0e9 after ... a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9 b0c2"));
    }
}
