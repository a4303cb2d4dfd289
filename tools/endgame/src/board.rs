//! Minimal board for few pieces, with moves and retrograde moves. Faster than the engine's board, which checks the results.

use chuhe::board::attacks::{
    advisor_attacks, between, elephant_attacks, horse_attackers, horse_attacks, horse_leg, horse_near, king_attacks,
    lines, pawn_attackers, pawn_attacks, slider_attacks,
};
use chuhe::board::{Bitboard, Kind, Side, Square};
use chuhe::endgame::{Index, Place, Placement};

/// Man that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardPiece {
    /// King, advisor or elephant.
    Defender(Kind),
    /// The attacker at this place of [`Placement::attackers`].
    Attacker(usize),
}

/// Step of a piece of a known side, forwards or backwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The piece.
    pub piece: BoardPiece,
    /// Square it leaves.
    pub from: Square,
    /// Square it reaches.
    pub to: Square,
}

/// Attackers of a material, in the order of [`Placement::attackers`].
pub type Attackers = [(Side, Kind)];

/// Placement, and the squares that it occupies.
pub struct Board<'a> {
    placement: Placement,
    attackers: &'a Attackers,
    occupied: Bitboard,
    own: [Bitboard; 2],
}

impl<'a> Board<'a> {
    /// Creates the board of a placement; `None` if two pieces share a square.
    pub fn new(index: &Index, attackers: &'a Attackers, placement: Placement) -> Option<Self> {
        let occupied = index.occupied(&placement)?;
        let mut own = Side::ALL.map(|side| placement.defences[side.index()].occupied(side).unwrap_or_default());
        for (&square, &(side, _)) in placement.attackers.iter().zip(attackers) {
            own[side.index()] = own[side.index()].with(square);
        }
        Some(Self { placement, attackers, occupied, own })
    }

    /// Returns the placement.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether the king of `side` is attacked.
    pub fn in_check(&self, side: Side) -> bool {
        let kings = Side::ALL.map(|side| self.placement.defences[side.index()].king(side));
        self.attacked(side, kings[side.index()], kings[(!side).index()], self.occupied, None)
    }

    /// Whether the king of `side` on `king` is attacked, given the `occupied` squares and the square of the enemy's king, by any
    /// enemy except the one on `taken`.
    fn attacked(&self, side: Side, king: Square, enemy: Square, occupied: Bitboard, taken: Option<Square>) -> bool {
        let facing = king.file() == enemy.file() && (between(king, enemy) & occupied).is_empty();
        let screens = |square: Square| (between(king, square) & occupied).count();
        facing
            || self.placement.attackers.iter().zip(self.attackers).any(|(&square, &(owner, kind))| {
                owner != side
                    && Some(square) != taken
                    && match kind {
                        Kind::Rook => lines(king).has(square) && screens(square) == 0,
                        Kind::Cannon => lines(king).has(square) && screens(square) == 1,
                        Kind::Horse => horse_near(king).has(square) && !occupied.has(horse_leg(square, king)),
                        Kind::Pawn => pawn_attackers(owner, king).has(square),
                        Kind::King | Kind::Advisor | Kind::Elephant => false,
                    }
            })
    }

    /// Calls `take` with every legal step of `side` and the kind of the piece it captures, until `take` returns false.
    pub fn for_each_move(&self, side: Side, mut take: impl FnMut(Step, Option<Kind>) -> bool) {
        let targets = !self.own[side.index()] & Bitboard::ALL;
        let tied = self.tied(side);
        self.for_each_piece(side, |piece, kind, from| {
            let reach = match kind {
                Kind::King => king_attacks(from),
                Kind::Advisor => advisor_attacks(from),
                Kind::Elephant => elephant_attacks(from, self.occupied),
                Kind::Horse => horse_attacks(from, self.occupied),
                Kind::Rook => slider_attacks(from, self.occupied).rook,
                Kind::Cannon => {
                    let reach = slider_attacks(from, self.occupied);
                    (reach.rook & !self.occupied) | (reach.cannon & self.occupied)
                }
                Kind::Pawn => pawn_attacks(side, from),
            };
            let is_free = !tied.has(from);
            (reach & targets).into_iter().all(|to| {
                let step = Step { piece, from, to };
                !is_free && !self.is_safe(side, step) || take(step, self.kind_on(!side, to))
            })
        });
    }

    /// Calls `take` with the way back of every quiet step by which `side` can have reached this board. The placement before may be
    /// illegal: the other side's king attacked, or a pawn where none can be.
    pub fn for_each_return(&self, side: Side, mut take: impl FnMut(Step)) {
        let empty = !self.occupied & Bitboard::ALL;
        self.for_each_piece(side, |piece, kind, from| {
            let reach = match kind {
                Kind::King => king_attacks(from),
                Kind::Advisor => advisor_attacks(from),
                Kind::Elephant => elephant_attacks(from, self.occupied),
                Kind::Horse => horse_attackers(from, self.occupied),
                Kind::Rook | Kind::Cannon => slider_attacks(from, self.occupied).rook,
                Kind::Pawn => pawn_attackers(side, from),
            };
            for to in reach & empty {
                take(Step { piece, from, to });
            }
            true
        });
    }

    /// Calls `take` with the numbers of all placements from which a quiet move of `mover`'s opponent leads to this one, once for
    /// each move to the placements that share this one's number. The board must be that of a number, see [`Index::placement`].
    pub fn for_each_predecessor(&self, index: &Index, mover: Side, mut take: impl FnMut(u64)) {
        let Some(Place { number, symmetric, .. }) = index.place(&self.placement) else { return };
        self.for_each_return(!mover, |step| {
            // A step of an attacker leaves the defences as they are, and with them what is mirrored. Most steps are of this kind.
            if let BoardPiece::Attacker(attacker) = step.piece {
                index.number_after(number, &self.placement, attacker, step.to).into_iter().for_each(&mut take);
                return;
            }
            let before = self.after(!mover, step);
            let Some(place) = index.place(&before) else { return };
            // A number stands for one placement, or for it and its mirror image if that has no number of its own. In the second
            // case the moves to the mirror image come from the mirror images of these placements; in the first case it has its
            // own call.
            if !symmetric {
                take(place.number);
                if place.symmetric
                    && let Some(mirror) = index.place(&Self::mirrored(&before))
                {
                    take(mirror.number);
                }
            } else if !place.mirrored {
                take(place.number);
            }
        });
    }

    /// Calls `take` with the pieces of a side, until it returns false.
    fn for_each_piece(&self, side: Side, mut take: impl FnMut(BoardPiece, Kind, Square) -> bool) {
        for (place, (&square, &(owner, kind))) in self.placement.attackers.iter().zip(self.attackers).enumerate() {
            if owner == side && !take(BoardPiece::Attacker(place), kind, square) {
                return;
            }
        }
        for kind in [Kind::King, Kind::Advisor, Kind::Elephant] {
            for square in self.placement.defences[side.index()].squares(side, kind) {
                if !take(BoardPiece::Defender(kind), kind, square) {
                    return;
                }
            }
        }
    }

    /// Returns the squares of `side` from which a step may leave its king attacked. Against a king without attackers these are few,
    /// and most steps need not be checked.
    fn tied(&self, side: Side) -> Bitboard {
        let [king, enemy] = [side, !side].map(|owner| self.placement.defences[owner.index()].king(owner));
        let screens = between(king, enemy) & self.occupied;
        let faces = king.file() == enemy.file();
        if faces && screens.is_empty() || self.attackers.iter().any(|&(owner, _)| owner != side) {
            return self.own[side.index()];
        }
        let pinned = if faces && screens.count() == 1 { screens } else { Bitboard::EMPTY };
        pinned.with(king)
    }

    /// Whether the king of `side` is safe after its step.
    fn is_safe(&self, side: Side, step: Step) -> bool {
        let Step { piece, from, to } = step;
        let king = if piece == BoardPiece::Defender(Kind::King) {
            to
        } else {
            self.placement.defences[side.index()].king(side)
        };
        let enemy = self.placement.defences[(!side).index()].king(!side);
        !self.attacked(side, king, enemy, self.occupied.without(from).with(to), Some(to))
    }

    /// Returns the kind of the piece of `side` on `square`, which is not a king's.
    fn kind_on(&self, side: Side, square: Square) -> Option<Kind> {
        if !self.own[side.index()].has(square) {
            return None;
        }
        let attackers = self.placement.attackers.iter().zip(self.attackers);
        let attacker = attackers.into_iter().find(|&(&other, _)| other == square).map(|(_, &(_, kind))| kind);
        let is_advisor = self.placement.defences[side.index()].squares(side, Kind::Advisor).has(square);
        attacker.or(Some(if is_advisor { Kind::Advisor } else { Kind::Elephant }))
    }

    /// Returns the placement after a step, which captures nothing.
    pub fn after(&self, side: Side, step: Step) -> Placement {
        let mut placement = self.placement;
        match step.piece {
            BoardPiece::Attacker(place) => placement.attackers[place] = step.to,
            BoardPiece::Defender(kind) => {
                let defence = &mut placement.defences[side.index()];
                *defence = defence.moved(side, kind, step.from, step.to);
            }
        }
        placement
    }

    /// Returns the placement after a step that captures a piece of `kind`, with the sides exchanged if `swapped`, as their table needs
    /// it.
    pub fn after_capture(&self, side: Side, step: Step, kind: Kind, swapped: bool) -> Placement {
        let mut placement = self.after(side, step);
        let (victims, mut left) = (!side, self.attackers.len());
        if matches!(kind, Kind::Advisor | Kind::Elephant) {
            let defence = &mut placement.defences[victims.index()];
            *defence = defence.without(victims, step.to);
        } else if let Some(gone) = self.place_of(victims, step.to) {
            placement.attackers.copy_within(gone + 1.., gone);
            left -= 1;
        }
        if swapped {
            placement.defences.reverse();
            let first = self.attackers.iter().filter(|(owner, _)| *owner == Side::Red).count();
            let first = if victims == Side::Red { first + left - self.attackers.len() } else { first };
            placement.attackers[..left].rotate_left(first);
            placement.attackers = placement.attackers.map(Square::rotated);
        }
        placement
    }

    /// Whether `side` has no attackers, and none of its other pieces attacks anything after this quiet step. Such a step is innocent
    /// under all rules of repetition; others may be innocent too.
    pub fn is_harmless_after(&self, side: Side, step: Step) -> bool {
        if self.attackers.iter().any(|&(owner, _)| owner == side) {
            return false;
        }
        let occupied = self.occupied.without(step.from).with(step.to);
        let defence = self.after(side, step).defences[side.index()];
        let advisors = defence.squares(side, Kind::Advisor).into_iter().map(advisor_attacks);
        let elephants = defence.squares(side, Kind::Elephant).into_iter().map(|from| elephant_attacks(from, occupied));
        advisors.chain(elephants).all(|reach| (reach & self.own[(!side).index()]).is_empty())
    }

    /// Returns the place of the attacker of `side` on `square`.
    fn place_of(&self, side: Side, square: Square) -> Option<usize> {
        let mut attackers = self.placement.attackers.iter().zip(self.attackers);
        attackers.position(|(&other, &(owner, _))| owner == side && other == square)
    }

    /// Returns the placement with left and right exchanged.
    pub fn mirrored(placement: &Placement) -> Placement {
        Placement {
            defences: placement.defences.map(|defence| defence.mirrored()),
            attackers: placement.attackers.map(Square::mirrored),
        }
    }
}

#[cfg(test)]
mod tests {
    use chuhe::board::{Move, Position};
    use chuhe::endgame::Material;
    use chuhe::rules::is_innocent;
    use chuhe::splitmix::SplitMix64;

    use super::*;

    /// Passes placements of materials with many captures, some of which swap the sides or shrink a crowd.
    fn some_placements(mut take: impl FnMut(&Index, &Board, Side, &Position)) {
        let mut random = SplitMix64::new(7);
        for name in ["KNP-KC", "KRAAB-KNCB", "KCPPA-KCPAB", "KRNABB-KPPAA", "KNN-KRP", "KPP-KP", "KRCP-KAAB"] {
            let index = Index::new(name.parse().unwrap()).unwrap();
            let attackers: Vec<_> = index.attackers().collect();
            for _ in 0..500 {
                let placement = index.placement(random.word() % index.size());
                for mover in Side::ALL {
                    let Some(position) = index.position(&placement, mover) else { continue };
                    let board = Board::new(&index, &attackers, placement).expect("there is a position");
                    take(&index, &board, mover, &position);
                }
            }
        }
    }

    #[test]
    fn its_moves_are_those_of_the_engine() {
        let mut captures = 0;
        some_placements(|index, board, mover, position| {
            let mut moves = vec![];
            board.for_each_move(mover, |step, taken| {
                let mv = Move::new(step.from, step.to);
                assert_eq!(taken, position.piece_on(step.to).map(|piece| piece.kind()));
                let next = position.play(mv);
                let (left, swapped) = Material::of(&next);
                let after = Index::new(left).expect("fewer pieces");
                // The material of an even table is that of both sides; only a capture can require swapped sides.
                let placement = match taken {
                    None => board.after(mover, step),
                    Some(kind) => board.after_capture(mover, step, kind, swapped),
                };
                let here = if taken.is_some() && swapped { next.colours_swapped() } else { next };
                let found = if taken.is_some() {
                    after.position(&placement, here.side())
                } else {
                    index.position(&placement, here.side())
                };
                assert_eq!(found.map(|position| position.key()), Some(here.key()), "{mv} in {}", position.to_fen());
                captures += usize::from(taken.is_some());
                moves.push(mv.bits());
                true
            });
            let mut expected: Vec<_> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            moves.sort_unstable();
            expected.sort_unstable();
            assert_eq!(moves, expected, "{}", position.to_fen());
        });
        assert!(captures > 200);
    }

    #[test]
    fn what_it_calls_harmless_is_innocent() {
        let mut random = SplitMix64::new(9);
        let index = Index::new("KRNCP-KAABB".parse().unwrap()).unwrap();
        let attackers: Vec<_> = index.attackers().collect();
        let (mut harmless, mut others) = (0, 0);
        for _ in 0..3000 {
            let placement = index.placement(random.word() % index.size());
            let Some(position) = index.position(&placement, Side::Black) else { continue };
            let board = Board::new(&index, &attackers, placement).expect("there is a position");
            board.for_each_move(Side::Black, |step, taken| {
                let is_harmless = taken.is_none() && board.is_harmless_after(Side::Black, step);
                assert!(!is_harmless || is_innocent(&position, Move::new(step.from, step.to)), "{}", position.to_fen());
                if is_harmless {
                    harmless += 1
                } else {
                    others += 1
                }
                true
            });
            board.for_each_move(Side::Red, |step, _| {
                assert!(!board.is_harmless_after(Side::Red, step));
                false
            });
        }
        assert!(harmless > 500 && others > 50, "{harmless} {others}");
    }

    #[test]
    fn its_returns_are_the_quiet_moves_that_lead_here() {
        let mut returns = 0;
        some_placements(|index, board, mover, position| {
            board.for_each_return(!mover, |step| {
                let before = board.after(!mover, step);
                if index.place(&before).is_none() {
                    return;
                }
                let Some(before) = index.position(&before, !mover) else { return };
                let leads_here = |&&mv: &&Move| !before.is_capture(mv) && before.play(mv).key() == position.key();
                assert_eq!(before.legal_moves().iter().filter(leads_here).count(), 1, "{}", before.to_fen());
                returns += 1;
            });
            // Every quiet move from here can also be taken back.
            for mv in position.legal_moves().into_iter().filter(|&mv| !position.is_capture(mv)) {
                let next = position.play(mv);
                let attackers: Vec<_> = index.attackers().collect();
                let placement = index.placement_of(&next, false).expect("the same pieces");
                let mut found = 0;
                let after = Board::new(index, &attackers, placement).expect("a position");
                after.for_each_return(mover, |step| {
                    let before = after.after(mover, step);
                    let back = index.place(&before).and_then(|_| index.position(&before, mover));
                    found += usize::from(back.is_some_and(|before| before.key() == position.key()));
                });
                assert_eq!(found, 1, "{mv} in {}", position.to_fen());
            }
        });
        assert!(returns > 10_000);
    }
}
