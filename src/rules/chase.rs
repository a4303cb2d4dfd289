//! Perpetual chases: the pieces that a side newly threatens with every one of its moves in a loop; and the other threats
//! that the Chinese rules forbid, of a capture after a check and of mate.
//!
//! A threat is a capture that would win material (the Asian rules): of a more valuable piece by a lesser one, or of a
//! piece that is not protected. Positions are values, so a protector, a pin or a screen is simply tried out on a copy.

use crate::board::attacks::{horse_leg, horse_near};
use crate::board::{Bitboard, Kind, Move, Position, Side, Square, exchange_value};

use super::ruleset::ChaseRules;
use super::window::Window;

/// Pieces that `side` newly threatened with every one of its moves, by their squares at the end of the window.
pub(super) fn chased(window: &Window, side: Side, rules: ChaseRules) -> Bitboard {
    let candidates = window.origins(!side, always_attacked(window, side));
    window.always(side, candidates, |index, left| newly_threatened(window, index, left, rules))
}

/// Chased rooks that could not leave because a horse would capture the king, by their squares at the end of the window.
pub(super) fn pinned_rooks(window: &Window, side: Side, chased: Bitboard) -> Bitboard {
    window.always(side, window.origins(!side, chased), |index, _| {
        let position = window.position(index + 1);
        position.of_kind(Kind::Rook) & legs_of_horses(position, side)
    })
}

/// Whether the move after position `index`, which gives no check, newly threatens anything at all.
pub(super) fn threatens_anew(window: &Window, index: usize) -> bool {
    newly_threatened(window, index, Bitboard::ALL, ChaseRules::ASIAN).any()
}

/// Returns those of `candidates` that the move after position `index`, which gives no check, newly threatens.
///
/// These are pieces that were safe before and, if the rules say so, pieces that the moved piece has begun to threaten
/// beside another attacker. Another attacker that joins only because a line was opened to it makes no new threat: the
/// first threat was not answered.
fn newly_threatened(window: &Window, index: usize, candidates: Bitboard, rules: ChaseRules) -> Bitboard {
    let (before, after, mv) = (window.position(index), window.position(index + 1).pass(), window.played(index));
    let stands = |from: Square, victim: Square| threatens(&after, from, victim);
    let stood = |from: Square, victim: Square| threatens(before, from, victim);
    let is_joined_by_mover = |victim: Square| {
        attackers_of(&after, victim).any(|from| from == mv.to()) && stands(mv.to(), victim) && !stood(mv.from(), victim)
    };
    let is_new = |&victim: &Square| {
        (rules.mover_threatens_anew && is_joined_by_mover(victim))
            || (attackers_of(&after, victim).any(|from| stands(from, victim))
                && !attackers_of(before, victim).any(|from| stood(from, victim)))
    };
    (candidates & victims(&after, after.side())).into_iter().filter(is_new).collect()
}

/// Whether the move after position `index` newly threatens a check that is followed by a capture, whatever the answer.
///
/// The rules of the Chinese association (2020) call it a chase: 24.3 names winning a piece by a check that begins with
/// the next move, and their second diagram, the third of 1999, shows a horse that does so.
pub(super) fn threatens_to_take_with_check(window: &Window, index: usize) -> bool {
    let (before, after) = (window.position(index), window.position(index + 1).pass());
    // A side in check cannot begin such a threat: one that was only interrupted would seem to be new.
    !before.in_check() && takes_after_check(&after) && !takes_after_check(before)
}

/// Whether some check of the side to move wins, after every answer, a piece that it could not win without the check.
fn takes_after_check(position: &Position) -> bool {
    let checks = position.quiets().into_iter().filter(|&mv| position.gives_check(mv));
    let standing = won_by_chasers(position, 0);
    checks.map(|mv| position.play(mv)).any(|checked| {
        checked.legal_moves().iter().all(|&answer| {
            let lost = checked.piece_on(answer.to()).map_or(0, |piece| exchange_value(piece.kind()));
            (won_by_chasers(&checked.play(answer), lost) & !standing).any()
        })
    })
}

/// Whether the side to move can force mate in at most `moves` moves, each of them a check.
pub(super) fn mates_by_checks(position: &Position, moves: u8) -> bool {
    moves > 0
        && position.legal_moves().into_iter().filter(|&mv| position.gives_check(mv)).any(|mv| {
            let checked = position.play(mv);
            let answers = checked.legal_moves();
            answers.is_empty() || answers.iter().all(|&answer| mates_by_checks(&checked.play(answer), moves - 1))
        })
}

/// Squares on which the chasers of the side to move can win more than `lost` centipawns.
fn won_by_chasers(position: &Position, lost: i32) -> Bitboard {
    let (chasers, victims) = (chasers(position, position.side()), victims(position, position.side()));
    let wins =
        |take: &Move| chasers.has(take.from()) && victims.has(take.to()) && position.exchange_gains(*take, lost + 1);
    position.captures().into_iter().filter(wins).map(Move::to).collect()
}

/// Cheap upper bound on [`chased`]: the pieces attacked after every move, protected or not.
fn always_attacked(window: &Window, side: Side) -> Bitboard {
    let all = victims(window.position(0), side);
    window.always(side, all, |index, _| {
        let position = window.position(index + 1);
        if position.in_check() {
            return Bitboard::EMPTY; // a check chases nothing
        }
        let attacked = chasers(position, side).into_iter().fold(Bitboard::EMPTY, |all, from| {
            all | position.piece_on(from).map_or(Bitboard::EMPTY, |piece| position.reach(piece, from))
        });
        attacked & victims(position, side)
    })
}

/// Pieces with which `side` can chase; kings and pawns may attack without restriction.
fn chasers(position: &Position, side: Side) -> Bitboard {
    position.of_side(side) & !(position.of_kind(Kind::King) | position.of_kind(Kind::Pawn))
}

/// Pieces that `side` can chase: neither the king nor pawns that have not crossed the river.
fn victims(position: &Position, side: Side) -> Bitboard {
    let pawns_at_home: Bitboard =
        position.pieces(!side, Kind::Pawn).into_iter().filter(|square| !square.is_across_river(!side)).collect();
    position.of_side(!side) & !position.of_kind(Kind::King) & !pawns_at_home
}

/// The chasers of the side to move that could capture on `victim`'s square.
fn attackers_of(position: &Position, victim: Square) -> impl Iterator<Item = Square> {
    (position.attackers_of(victim) & chasers(position, position.side())).into_iter()
}

/// Whether the piece of the side to move on `from` validly threatens the one on `to`.
fn threatens(position: &Position, from: Square, to: Square) -> bool {
    let kind = |square| position.piece_on(square).map(|piece| piece.kind());
    let (Some(attacker), Some(victim)) = (kind(from), kind(to)) else { return false };
    let take = Move::new(from, to);
    let pinners = position.pinners(from);
    if (pinners.any() && !pinners.has(to)) || !position.is_legal_but_for_checks(take) {
        return false;
    }
    if is_lesser(attacker, victim) {
        return true;
    }
    let is_protected = position.play(take).captures().iter().any(|back| back.to() == to);
    let could_take_first = || attacker == victim && position.pass().is_legal(Move::new(to, from));
    !is_protected && !could_take_first()
}

/// Whether the capture wins material even if the capturer is recaptured.
const fn is_lesser(attacker: Kind, victim: Kind) -> bool {
    match attacker {
        Kind::Horse | Kind::Cannon => matches!(victim, Kind::Rook),
        Kind::Advisor | Kind::Elephant => matches!(victim, Kind::Rook | Kind::Cannon | Kind::Horse),
        Kind::King | Kind::Rook | Kind::Pawn => false,
    }
}

/// Leg squares between the horses of `side` and the enemy king: pieces there block their attacks.
fn legs_of_horses(position: &Position, side: Side) -> Bitboard {
    let king = position.king(!side);
    let horses = position.pieces(side, Kind::Horse) & horse_near(king);
    horses.into_iter().map(|horse| horse_leg(horse, king)).collect()
}
