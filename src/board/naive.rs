//! A slow reference move generator, written from the rules square by square, to test the fast one.

use super::moves::Move;
use super::piece::{Kind, Piece, Side};
use super::position::{Position, Variant};
use super::square::Square;

type Board = Vec<Option<Piece>>;

/// All legal moves, by trying every pair of squares.
pub(crate) fn naive_legal_moves(position: &Position) -> Vec<Move> {
    let board: Board = Square::all().map(|square| position.piece_on(square)).collect();
    let mut moves = Vec::new();
    for from in Square::all() {
        let Some(piece) = board[from.index()].filter(|piece| piece.side() == position.side()) else { continue };
        if position.variant() == Variant::Promotion && can_promote(&board, piece, from) {
            moves.push(Move::new(from, from));
        }
        for to in Square::all() {
            let own = board[to.index()].is_some_and(|target| target.side() == piece.side());
            if from != to && !own && can_move(&board, piece, from, to) {
                let mut after = board.clone();
                after[to.index()] = after[from.index()].take();
                if !king_in_danger(&after, piece.side()) {
                    moves.push(Move::new(from, to));
                }
            }
        }
    }
    moves
}

fn can_promote(board: &Board, piece: Piece, from: Square) -> bool {
    let pawn = Piece::new(piece.side(), Kind::Pawn);
    let pawns = board.iter().filter(|&&standing| standing == Some(pawn)).count();
    matches!(piece.kind(), Kind::Advisor | Kind::Elephant)
        && matches!(from.rank(), 0 | 9)
        && pawns < 5
        && !king_in_danger(board, piece.side())
}

fn king_in_danger(board: &Board, side: Side) -> bool {
    let find = |piece: Piece| Square::all().find(|square| board[square.index()] == Some(piece)).unwrap();
    let king = find(Piece::new(side, Kind::King));
    let other = find(Piece::new(!side, Kind::King));
    if king.file() == other.file() && pieces_between(board, king, other) == Some(0) {
        return true;
    }
    Square::all()
        .any(|from| board[from.index()].is_some_and(|piece| piece.side() != side && can_move(board, piece, from, king)))
}

fn pieces_between(board: &Board, a: Square, b: Square) -> Option<usize> {
    let (files, ranks) = (b.file() as i32 - a.file() as i32, b.rank() as i32 - a.rank() as i32);
    if (files != 0) == (ranks != 0) {
        return None;
    }
    let steps = files.abs().max(ranks.abs());
    Some((1..steps).filter(|&n| occupied(board, a.offset(n * files.signum(), n * ranks.signum()))).count())
}

fn occupied(board: &Board, square: Option<Square>) -> bool {
    square.is_some_and(|square| board[square.index()].is_some())
}

fn can_move(board: &Board, piece: Piece, from: Square, to: Square) -> bool {
    let side = piece.side();
    let (files, ranks) = (to.file() as i32 - from.file() as i32, to.rank() as i32 - from.rank() as i32);
    let distance = (files.abs().min(ranks.abs()), files.abs().max(ranks.abs()));
    let palace = |square: Square| (3..=5).contains(&square.file()) && square.seen_by(side).rank() <= 2;
    match piece.kind() {
        Kind::King => distance == (0, 1) && palace(to),
        Kind::Advisor => distance == (1, 1) && palace(to),
        Kind::Elephant => {
            distance == (2, 2) && !to.is_across_river(side) && !occupied(board, from.offset(files / 2, ranks / 2))
        }
        Kind::Horse => distance == (1, 2) && !occupied(board, from.offset(files / 2, ranks / 2)),
        Kind::Rook => pieces_between(board, from, to) == Some(0),
        Kind::Cannon => {
            let screens = usize::from(board[to.index()].is_some());
            pieces_between(board, from, to) == Some(screens)
        }
        Kind::Pawn => {
            let forward = if side == Side::Red { 1 } else { -1 };
            (files, ranks) == (0, forward) || (distance == (0, 1) && ranks == 0 && from.is_across_river(side))
        }
    }
}
