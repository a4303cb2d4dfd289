//! The UCCI league's test for a chase: the first piece that the moved piece hits from its new square, and nothing else.
//!
//! The test ignores discovered attacks and false protection. This is its definition, not an approximation: the league's
//! simulator (UCCILEAG) decides by it.

use crate::board::{Bitboard, Kind, Position, Side, Square};

use super::window::Window;

/// Search order of a horse, as steps of files and ranks seen from red.
const HORSE_ORDER: [(i32, i32); 8] = [(-1, 2), (1, 2), (-2, 1), (2, 1), (-2, -1), (2, -1), (-1, -2), (1, -2)];
/// Search order of a rook or cannon after a move along its file: right, then left.
const ACROSS: [(i32, i32); 2] = [(1, 0), (-1, 0)];
/// Search order of a rook or cannon after a move along its rank: down, then up.
const ALONG: [(i32, i32); 2] = [(0, -1), (0, 1)];

/// The one piece that every move of `side` hit first, by its square at the end of the window.
pub(super) fn chased(window: &Window, side: Side) -> Bitboard {
    let all = window.position(0).of_side(!side);
    window.always(side, all, |index, _| {
        let in_check = window.position(index + 1).in_check();
        let hit = if in_check { None } else { first_hit(window, index) };
        hit.map_or(Bitboard::EMPTY, Bitboard::of)
    })
}

/// Whether the piece moved after position `index` hits anything.
pub(super) fn hits_anything(window: &Window, index: usize) -> bool {
    first_hit(window, index).is_some()
}

/// The first piece that the piece moved after position `index` hits.
fn first_hit(window: &Window, index: usize) -> Option<Square> {
    let (mv, position) = (window.played(index), window.position(index + 1));
    let to = mv.to();
    let kind = position.piece_on(to)?.kind();
    let directions = if mv.from().file() == to.file() { ACROSS } else { ALONG };
    match kind {
        Kind::Horse => HORSE_ORDER.into_iter().find_map(|(files, ranks)| {
            let leg = to.offset(files / 2, ranks / 2).filter(|&leg| position.piece_on(leg).is_none());
            let target = leg.and_then(|_| to.offset(files, ranks))?;
            hits(position, kind, target).then_some(target)
        }),
        Kind::Rook | Kind::Cannon => directions.into_iter().find_map(|direction| {
            let screens = usize::from(kind == Kind::Cannon);
            let target = pieces_towards(position, to, direction).nth(screens)?;
            hits(position, kind, target).then_some(target)
        }),
        Kind::King | Kind::Advisor | Kind::Elephant | Kind::Pawn => None,
    }
}

/// The pieces met from `from` in one direction, nearest first.
fn pieces_towards(position: &Position, from: Square, step: (i32, i32)) -> impl Iterator<Item = Square> {
    std::iter::successors(Some(from), move |square| square.offset(step.0, step.1))
        .skip(1)
        .filter(|&square| position.piece_on(square).is_some())
}

/// Whether the piece on `target` counts as hit by a piece of this kind of the side that has just moved.
fn hits(position: &Position, attacker: Kind, target: Square) -> bool {
    let owner = position.side();
    let Some(victim) = position.piece_on(target).filter(|piece| piece.side() == owner) else { return false };
    let crossed_pawn = victim.kind() == Kind::Pawn && target.is_across_river(owner);
    let unprotected = || (position.attackers_of(target) & position.of_side(owner)).is_empty();
    match (attacker, victim.kind()) {
        (Kind::Horse | Kind::Cannon, Kind::Rook) => true,
        (Kind::Horse, Kind::Cannon) | (Kind::Rook, Kind::Horse | Kind::Cannon) | (Kind::Cannon, Kind::Horse) => {
            unprotected()
        }
        _ => crossed_pawn && unprotected(),
    }
}
