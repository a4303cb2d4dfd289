//! Parts that several formats share: move numbers, and positions given as squares of the 32 pieces in a fixed order.

use chuhe::board::{FenError, Move, MoveText, Piece, Position, RankBase, SQUARES, Side, Square};
use chuhe::notation::{NotationError, read_any};

/// Order of the pieces in XQF and DhtmlXQ: Red's back rank from rook to rook, cannons, pawns; then those of Black.
const ORDER: &str = "RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// Places pieces on squares; Red is to move if a red piece makes the first move, or if there is none.
pub(crate) fn position(squares: &[Option<Square>], first: Option<Move>) -> Result<Position, FenError> {
    // Of several pieces on a square the last one counts.
    let mut board = [None; SQUARES];
    for (letter, square) in ORDER.chars().zip(squares) {
        if let Some(square) = square {
            board[square.index()] = Piece::from_letter(letter);
        }
    }
    let mover = first.and_then(|mv| board[mv.from().index()]);
    let pieces = Square::all().zip(board).filter_map(|(square, piece)| Some((square, piece?)));
    Position::from_pieces(pieces, mover.map_or(Side::Red, Piece::side))
}

/// Reads a legal move in any notation, with coordinates whose ranks count from `ranks`.
pub(crate) fn read_move(position: &Position, text: &str, ranks: RankBase) -> Result<Move, NotationError> {
    match coordinates(text, ranks) {
        Some(mv) if ranks == RankBase::One => {
            let illegal = || NotationError::Illegal(text.to_owned());
            Some(mv).filter(|&mv| position.is_legal(mv)).ok_or_else(illegal)
        }
        _ => read_any(position, text),
    }
}

/// Returns the move that a text means as coordinates with ranks from `ranks`.
pub(crate) fn coordinates(text: &str, ranks: RankBase) -> Option<Move> {
    text.parse::<MoveText>().ok()?.read(ranks)
}

/// Strips a move number: `12.`, `12...` and `...` leave nothing, `12.炮二平五` leaves its move, and `62.5` is a move itself.
pub(crate) fn without_number(word: &str) -> &str {
    let behind_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind_dots = behind_digits.trim_start_matches(['.', '…']);
    let numbered = behind_dots.len() < behind_digits.len() && !behind_dots.starts_with(|c: char| c.is_ascii_digit());
    if numbered || behind_digits.is_empty() { behind_dots } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_says_whose_turn_it_is() {
        let mut squares = [None; 32];
        squares[4] = Some(Square::new(3, 0));
        squares[20] = Some(Square::new(4, 9));
        squares[24] = Some(Square::new(8, 9));
        let fen = |first: Option<&str>| position(&squares, first.map(|mv| mv.parse().unwrap())).unwrap().to_fen();
        assert_eq!(fen(None), "4k3r/9/9/9/9/9/9/9/9/3K5 w - - 0 1");
        assert_eq!(fen(Some("i9i5")), "4k3r/9/9/9/9/9/9/9/9/3K5 b - - 0 1");
        assert!(position(&[None; 32], None).is_err());
    }
}
