//! Drawing of the board in characters.

use crate::board::{FILES, Move, Piece, Position, RANKS, RankBase, Side, Square};
use crate::engine::ViewContext;
use crate::engine::event::Pieces;
use crate::eval::PieceValue;
use crate::notation::{self, Notation};

/// Names of the pieces, in the order of [`Piece::ALL`]. Traditional characters differ by side, so no colours are needed.
const CHARACTERS: [&str; 14] = ["帥", "仕", "相", "傌", "俥", "炮", "兵", "將", "士", "象", "馬", "車", "砲", "卒"];

/// Number of ranks on either side of the river.
const BANK: usize = RANKS / 2;

/// Style of a drawing.
#[derive(Clone, Copy, Debug)]
struct Look {
    pieces: Pieces,
    /// Number of the first rank.
    base: RankBase,
    /// Side at the bottom, that of the user.
    below: Side,
}

/// Draws the board with the side opposite the engine's at the bottom.
pub(super) fn drawn(pieces: Pieces, position: &Position, context: &ViewContext) -> String {
    let below = context.opponent.map_or(Side::Red, |opponent| !opponent);
    draw(position, last_move(context.history), Look { pieces, base: context.base, below })
}

/// Returns the move between the last two positions.
pub(super) fn last_move(history: &[Position]) -> Option<Move> {
    let [.., before, last] = history else { return None };
    before.legal_moves().into_iter().find(|&mv| before.play(mv) == *last)
}

/// Draws the board, with the start and the destination of the last move in brackets.
fn draw(position: &Position, last: Option<Move>, look: Look) -> String {
    let Look { pieces, base, below } = look;
    let seen = |index: usize, count: usize| if below == Side::Red { index } else { count - 1 - index };
    let files = || (0..FILES).map(|file| seen(file, FILES));
    let mut text = String::new();
    for line in (0..RANKS).rev() {
        let rank = seen(line, RANKS);
        let number = rank + usize::from(base == RankBase::One);
        let points: String = files().map(|file| point(position, Square::new(file, rank), last, pieces)).collect();
        text += &format!("{number:>2} {points}\n");
        if line == BANK {
            text += &format!("   {}\n", river(pieces));
        }
    }
    let letters = || files().filter_map(|file| ('a'..='i').nth(file));
    let letters: String = letters().map(|file| format!(" {file}{}", " ".repeat(width(pieces)))).collect();
    text + "   " + letters.trim_end() + "\n"
}

/// Returns the name of a move in the notation that goes with these pieces.
pub(super) fn name_of_move(position: &Position, mv: Move, pieces: Pieces) -> String {
    let notation = match pieces {
        Pieces::Chinese => Notation::Chinese,
        Pieces::Letters => Notation::Wxf,
    };
    notation::write(position, mv, notation)
}

/// Draws the board with Red at the bottom: each piece in the list by its letter and its value.
pub(super) fn draw_piece_values(values: &[PieceValue]) -> String {
    let point = |square| match values.iter().find(|value| value.square == square) {
        Some(PieceValue { piece, value, .. }) => format!("{:>8}", format!("{} {value}", piece.letter())),
        None => format!("{:>8}", "."),
    };
    let rank = |rank| (0..FILES).map(|file| point(Square::new(file, rank))).collect::<String>() + "\n";
    (0..RANKS).rev().map(rank).collect()
}

/// Returns the width of a piece in columns.
fn width(pieces: Pieces) -> usize {
    match pieces {
        Pieces::Chinese => 2,
        Pieces::Letters => 1,
    }
}

fn point(position: &Position, square: Square, last: Option<Move>, pieces: Pieces) -> String {
    let marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
    let (left, right) = if marked { ('[', ']') } else { (' ', ' ') };
    let middle = match (position.piece_on(square), pieces) {
        (Some(piece), pieces) => name(piece, pieces),
        (None, Pieces::Chinese) => "· ".to_owned(),
        (None, Pieces::Letters) => ".".to_owned(),
    };
    format!("{left}{middle}{right}")
}

fn name(piece: Piece, pieces: Pieces) -> String {
    match pieces {
        Pieces::Chinese => CHARACTERS[piece.index()].to_owned(),
        Pieces::Letters => piece.letter().to_string(),
    }
}

fn river(pieces: Pieces) -> &'static str {
    match pieces {
        Pieces::Chinese => " ～～～～～ 楚河 ～ 漢界 ～～～～～",
        Pieces::Letters => " ~~~~~~~~~~~~~~~~~~~~~~~~~",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(pieces: Pieces, base: RankBase) -> Look {
        Look { pieces, base, below: Side::Red }
    }

    #[test]
    fn letters_are_those_of_the_fen_and_the_last_move_is_marked() {
        let mv = "h2e2".parse().unwrap();
        let text = draw(&Position::start().play(mv), Some(mv), look(Pieces::Letters, RankBase::Zero));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], " 9  r  n  b  a  k  a  b  n  r ");
        assert_eq!(lines[8], " 2  .  C  .  . [C] .  . [.] . ");
        assert_eq!(lines[11], "    a  b  c  d  e  f  g  h  i");
        assert_eq!(lines.len(), 12);
    }

    #[test]
    fn black_sees_the_board_from_the_other_side() {
        let mv = "h2e2".parse().unwrap();
        let look = Look { below: Side::Black, ..look(Pieces::Letters, RankBase::Zero) };
        let text = draw(&Position::start().play(mv), Some(mv), look);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], " 0  R  N  B  A  K  A  B  N  R ");
        assert_eq!(lines[2], " 2  . [.] .  . [C] .  .  C  . ");
        assert_eq!((lines[5].trim_start().chars().next(), lines[6]), (Some('~'), " 5  .  .  .  .  .  .  .  .  . "));
        assert_eq!(lines[11], "    i  h  g  f  e  d  c  b  a");
    }

    #[test]
    fn values_stand_where_their_pieces_stand() {
        let rook = PieceValue { piece: Piece::ALL[4], square: Square::new(8, 0), value: -12 };
        let text = draw_piece_values(&[rook]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (10, "       .".repeat(9).as_str()));
        assert_eq!(lines[9], "       .".repeat(8) + "   R -12");
    }

    #[test]
    fn characters_differ_by_side_and_take_two_columns() {
        let text = draw(&Position::start(), None, look(Pieces::Chinese, RankBase::One));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "10  車  馬  象  士  將  士  象  馬  車 ");
        assert_eq!(lines[10], " 1  俥  傌  相  仕  帥  仕  相  傌  俥 ");
        let columns = |line: &str| line.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
        for line in &lines[..5] {
            assert_eq!(columns(line), columns(lines[0]), "{line}");
        }
        for piece in Piece::ALL {
            assert_eq!(CHARACTERS.iter().filter(|&&name| name == CHARACTERS[piece.index()]).count(), 1);
        }
    }
}
