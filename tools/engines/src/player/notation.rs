//! Moves and positions as engines write them.

use chuhe::board::{Move, Position, RANKS, Square};

use super::spec::{PieceLetters, RankBase};

/// Writes a move for an engine with this rank base.
pub(crate) fn write_move(mv: Move, ranks: RankBase) -> String {
    match ranks {
        RankBase::Zero => mv.to_string(),
        RankBase::One => [mv.from(), mv.to()].map(from_one).concat(),
    }
}

/// Writes a square from `a1` to `i10`.
fn from_one(square: Square) -> String {
    let file = square.to_string();
    format!("{}{}", &file[..1], square.rank() + 1)
}

/// Parses a move of an engine with this rank base, in either case, with an optional hyphen.
pub(crate) fn read_move(text: &str, ranks: RankBase) -> Option<Move> {
    match ranks {
        RankBase::Zero => text.parse().ok(),
        RankBase::One => {
            let second = text.get(1..)?.find(|c: char| c.is_ascii_alphabetic())? + 1;
            let (from, to) =
                (square_from_one(text[..second].trim_end_matches('-'))?, square_from_one(&text[second..])?);
            (from != to).then(|| Move::new(from, to))
        }
    }
}

fn square_from_one(text: &str) -> Option<Square> {
    let (file, rank) = text.split_at_checked(1)?;
    // No sign and no leading zero: the parser of numbers would accept `+` and `01`.
    let rank: usize = rank.parse().ok().filter(|&number: &usize| number.to_string() == rank)?;
    if !(1..=RANKS).contains(&rank) {
        return None;
    }
    format!("{file}{}", rank - 1).parse().ok()
}

/// Returns the rank bases for which `text` is a legal move here, by its digits and the board.
pub(crate) fn possible_ranks(text: &str, position: &Position) -> Vec<RankBase> {
    [RankBase::Zero, RankBase::One]
        .into_iter()
        .filter(|&ranks| read_move(text, ranks).is_some_and(|mv| position.is_legal(mv)))
        .collect()
}

/// Writes a FEN with these letters.
pub(crate) fn write_fen(position: &Position, letters: PieceLetters) -> String {
    let fen = position.to_fen();
    match letters {
        PieceLetters::KnightBishop => fen,
        PieceLetters::HorseElephant => {
            let (placement, rest) = fen.split_once(' ').expect("a FEN has fields");
            let letter = |c| match c {
                'n' => 'h',
                'N' => 'H',
                'b' => 'e',
                'B' => 'E',
                other => other,
            };
            format!("{} {rest}", placement.chars().map(letter).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_both_rank_bases() {
        let start = Position::start();
        for mv in start.legal_moves() {
            for ranks in [RankBase::Zero, RankBase::One] {
                assert_eq!(read_move(&write_move(mv, ranks), ranks), Some(mv));
            }
        }
        assert_eq!(write_move("b9c7".parse().unwrap(), RankBase::One), "b10c8");
        assert_eq!(read_move("A10-A9", RankBase::One), Some("a9a8".parse().unwrap()));
    }

    #[test]
    fn what_is_no_move_is_none() {
        for text in
            ["", "a", "a1", "a0a1", "a11a1", "a01a2", "a+1a2", "j1a1", "a1a1", "\u{4e2d}1a2", "a1\u{4e2d}", "(none)"]
        {
            assert_eq!(read_move(text, RankBase::One), None, "{text}");
        }
    }

    #[test]
    fn the_first_move_of_a_game_tells_the_rank_base() {
        let start = Position::start();
        for mv in start.legal_moves() {
            for ranks in [RankBase::Zero, RankBase::One] {
                assert_eq!(possible_ranks(&write_move(mv, ranks), &start), [ranks]);
            }
        }
    }

    #[test]
    fn horses_and_elephants_have_two_letters() {
        let fen = write_fen(&Position::start(), PieceLetters::HorseElephant);
        assert_eq!(fen, "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1");
    }
}
