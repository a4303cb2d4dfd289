//! Positions given as squares in the fixed order of 32 pieces, as in XQF and DhtmlXQ.

use chuhe::board::{FILES, FenError, Move, Position, RANKS, Square};

/// Order of the pieces: Red's back rank from rook to rook, cannons, pawns; then those of Black.
const ORDER: [char; 32] = [
    'R', 'N', 'B', 'A', 'K', 'A', 'B', 'N', 'R', 'C', 'C', 'P', 'P', 'P', 'P', 'P', 'r', 'n', 'b', 'a', 'k', 'a', 'b',
    'n', 'r', 'c', 'c', 'p', 'p', 'p', 'p', 'p',
];

/// Places pieces on squares; Red is to move if a red piece makes the first move, or if there is none.
pub(crate) fn position(squares: &[Option<Square>], first: Option<Move>) -> Result<Position, FenError> {
    let mut board = [[None; FILES]; RANKS];
    for (letter, square) in ORDER.iter().zip(squares) {
        if let Some(square) = square {
            board[square.rank()][square.file()] = Some(*letter);
        }
    }
    let mover = first.and_then(|mv| board[mv.from().rank()][mv.from().file()]);
    let side = if mover.is_some_and(|letter| letter.is_ascii_lowercase()) { 'b' } else { 'w' };
    let row = |row: &[Option<char>; FILES]| {
        let mut text = String::new();
        for piece in row {
            match (piece, text.chars().last().and_then(|last| last.to_digit(10))) {
                (Some(letter), _) => text.push(*letter),
                (None, Some(empty)) => {
                    text.pop();
                    text += &(empty + 1).to_string();
                }
                (None, None) => text.push('1'),
            }
        }
        text
    };
    let rows: Vec<_> = board.iter().rev().map(row).collect();
    Position::from_fen(&format!("{} {side} - - 0 1", rows.join("/")))
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
