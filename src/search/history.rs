//! How well moves have done before: one worker's own memory, kept from search to search.

use bytemuck::{Pod, Zeroable};

use super::params;
use crate::board::{Delta, Key, Kind, Move, Piece, SQUARES, Side, Square};
use crate::score::Score;

const KINDS: usize = Kind::ALL.len();
const PIECES: usize = Piece::ALL.len();

/// Entries by the structure of the pawns; a power of two.
const STRUCTURES: usize = 512;

/// By piece and destination: how moves have done where something else was the same.
type PieceTo = [[i16; SQUARES]; PIECES];

/// So many plies before a move was played what it may continue.
pub(crate) const CONTINUED_PLIES: [usize; 1] = [1];

/// What a quiet move of a node is remembered with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trail {
    /// The moves of the line played [`CONTINUED_PLIES`] ago; `None` for a pass and before the root.
    pub(crate) earlier: [Option<(Piece, Move)>; CONTINUED_PLIES.len()],
    /// Where the pawns stand.
    pub(crate) pawns: Key,
}

impl Trail {
    /// For captures, which are remembered without one.
    pub(crate) const NONE: Self = Self { earlier: [None; CONTINUED_PLIES.len()], pawns: Key(0) };
}

/// Scores within plus or minus [`params::history_limit`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct History {
    /// By side, origin and destination of a quiet move.
    quiets: [[[i16; SQUARES]; SQUARES]; 2],
    /// By an earlier move (piece and destination), then the one that continues it.
    continuations: [[PieceTo; SQUARES]; PIECES],
    /// By where the pawns stand, then piece and destination of a quiet move.
    pawns: [PieceTo; STRUCTURES],
    /// By piece, destination and kind captured.
    captures: [[[i16; KINDS]; SQUARES]; PIECES],
}

impl History {
    /// A memory that knows nothing.
    pub(crate) fn empty() -> Box<Self> {
        bytemuck::zeroed_box()
    }

    pub(crate) fn forget(&mut self) {
        *self = *Self::empty();
    }

    /// Butterfly history.
    pub(crate) fn quiet(&self, piece: Piece, mv: Move) -> i32 {
        i32::from(self.quiets[piece.side().index()][mv.from().index()][mv.to().index()])
    }

    /// Butterfly, pawn and continuation history of all quiet moves of a piece.
    pub(crate) fn quiets_of(&self, piece: Piece, from: Square, trail: &Trail) -> QuietsOfPiece<'_> {
        let plain = &self.quiets[piece.side().index()][from.index()];
        let continuations = trail.earlier.map(|earlier| match earlier {
            Some((before, mv)) => &self.continuations[before.index()][mv.to().index()][piece.index()],
            None => &NOTHING,
        });
        QuietsOfPiece { plain, continuations, pawns: &self.pawns[trail.pawns.slot(STRUCTURES)][piece.index()] }
    }

    /// How the move did as a continuation of each move of `trail`.
    pub(crate) fn continuation(&self, piece: Piece, mv: Move, trail: &Trail) -> i32 {
        let after = |(before, earlier): (Piece, Move)| &self.continuations[before.index()][earlier.to().index()];
        let score = |continuation: &PieceTo| i32::from(continuation[piece.index()][mv.to().index()]);
        trail.earlier.iter().flatten().map(|&earlier| score(after(earlier))).sum()
    }

    /// Pawn history: how the move did where the pawns stood as they do.
    pub(crate) fn with_pawns(&self, piece: Piece, mv: Move, trail: &Trail) -> i32 {
        i32::from(self.pawns[trail.pawns.slot(STRUCTURES)][piece.index()][mv.to().index()])
    }

    pub(crate) fn capture(&self, delta: Delta, captured: Kind) -> i32 {
        i32::from(self.captures[delta.piece.index()][delta.to.index()][captured.index()])
    }

    pub(crate) fn update_quiet(&mut self, piece: Piece, mv: Move, trail: &Trail, bonus: i32) {
        self.update_butterfly(piece, mv, bonus);
        gravitate(&mut self.pawns[trail.pawns.slot(STRUCTURES)][piece.index()][mv.to().index()], bonus);
        for &(before, earlier) in trail.earlier.iter().flatten() {
            let after = &mut self.continuations[before.index()][earlier.to().index()];
            gravitate(&mut after[piece.index()][mv.to().index()], bonus);
        }
    }

    /// Butterfly history alone.
    pub(crate) fn update_butterfly(&mut self, piece: Piece, mv: Move, bonus: i32) {
        let side: Side = piece.side();
        gravitate(&mut self.quiets[side.index()][mv.from().index()][mv.to().index()], bonus);
    }

    pub(crate) fn update_capture(&mut self, delta: Delta, captured: Kind, bonus: i32) {
        gravitate(&mut self.captures[delta.piece.index()][delta.to.index()][captured.index()], bonus);
    }
}

/// How the quiet moves of one piece have done, by destination.
pub(crate) struct QuietsOfPiece<'a> {
    plain: &'a [i16; SQUARES],
    continuations: [&'a [i16; SQUARES]; CONTINUED_PLIES.len()],
    pawns: &'a [i16; SQUARES],
}

/// What moves have done after none.
static NOTHING: [i16; SQUARES] = [0; SQUARES];

impl QuietsOfPiece<'_> {
    /// Butterfly and pawn history plus how the move did as a continuation of each earlier move of the trail.
    pub(crate) fn score(&self, to: Square) -> i32 {
        let continued: i32 = self.continuations.iter().map(|after| i32::from(after[to.index()])).sum();
        i32::from(self.plain[to.index()]) + i32::from(self.pawns[to.index()]) + continued
    }
}

/// What a move that refuted a position `depth` plies deep earns.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (params::history_bonus_per_ply() * depth).min(params::history_bonus_max())
}

/// What the moves tried before it get instead.
pub(super) fn history_malus(depth: i32) -> i32 {
    -(params::history_malus_per_ply() * depth).min(params::history_malus_max())
}

/// Evaluation difference: what a quiet move earns before anything is searched after it, when the static value was `before` for its mover and is `after`
/// for the opponent.
pub(super) fn progress_bonus(before: Score, after: Score) -> i32 {
    let gain = params::progress_tempo() - (before.raw() + after.raw());
    (params::progress_per_centipawn_16() * gain / 16).clamp(-params::progress_max(), params::progress_max())
}

/// Moves an entry by `bonus`, the less the nearer it already is to its limit.
fn gravitate(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    let moved = value + bonus - value * bonus.abs() / params::history_limit();
    *entry = i16::try_from(moved).expect("gravity keeps an entry within its limit");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_of_a_piece_have_done_together_what_each_has_done() {
        let mut history = History::empty();
        let before = Some((Piece::BlackHorse, "b9c7".parse().unwrap()));
        let trail = |earlier, pawns| Trail { earlier: [earlier], pawns: Key(pawns) };
        for (from, to, bonus) in [("h2", "e2", 900), ("h2", "h6", -300), ("b2", "e2", 70)] {
            let mv = format!("{from}{to}").parse().unwrap();
            history.update_quiet(Piece::RedCannon, mv, &trail(before, 7), bonus);
        }
        let from = "h2".parse().unwrap();
        for trail in [trail(before, 7), trail(None, 7), trail(before, 8)] {
            let together = history.quiets_of(Piece::RedCannon, from, &trail);
            for mv in Square::all().filter(|&to| to != from).map(|to| Move::new(from, to)) {
                let alone = history.quiet(Piece::RedCannon, mv)
                    + history.with_pawns(Piece::RedCannon, mv, &trail)
                    + history.continuation(Piece::RedCannon, mv, &trail);
                assert_eq!(together.score(mv.to()), alone, "{mv}");
            }
        }
        let score = |trail| history.quiets_of(Piece::RedCannon, from, &trail).score("e2".parse().unwrap());
        assert!(score(trail(before, 7)) > 2_500, "all parts count");
        assert!(score(trail(None, 7)) < 2_000 && score(trail(before, 8)) < 2_000);
    }

    #[test]
    fn a_move_that_betters_the_static_value_is_credited_at_once() {
        let bonus = |before, after| progress_bonus(Score::from_eval(before), Score::from_eval(after));
        let even = params::progress_tempo() - 40;
        assert_eq!(bonus(40, even), 0);
        assert!(bonus(40, even - 20) > bonus(40, even - 10) && bonus(40, even + 10) < 0);
        assert_eq!((bonus(0, -9_000), bonus(0, 9_000)), (params::progress_max(), -params::progress_max()));
    }

    #[test]
    fn an_entry_never_leaves_its_limit() {
        let mut entry = 0;
        for _ in 0..1_000 {
            gravitate(&mut entry, params::history_bonus_max());
        }
        assert!(i32::from(entry) <= params::history_limit() && entry > 10_000);
        for _ in 0..1_000 {
            gravitate(&mut entry, -params::history_bonus_max());
        }
        assert!(i32::from(entry) >= -params::history_limit() && entry < -10_000);
    }
}
