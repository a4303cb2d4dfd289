//! Histories for move ordering: how well moves have done before. Each worker has its own, kept from search to search.

use bytemuck::{Pod, Zeroable};

use super::params;
use crate::board::{Delta, Key, Kind, Move, Piece, SQUARES, Side, Square};
use crate::score::Score;

const KINDS: usize = Kind::ALL.len();
const PIECES: usize = Piece::ALL.len();

/// Entries of the pawn history, indexed by the pawn key; a power of two.
const PAWN_ENTRIES: usize = 512;

/// History scores by piece and destination.
type PieceTo = [[i16; SQUARES]; PIECES];

/// Continuation history: offsets in plies.
pub(crate) const CONTHIST_OFFSETS: [usize; 1] = [1];

/// Context of a quiet move in the histories: earlier moves and pawn key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryContext {
    /// Moves of the line [`CONTHIST_OFFSETS`] ago; `None` for a pass and before the root.
    pub(crate) earlier: [Option<(Piece, Move)>; CONTHIST_OFFSETS.len()],
    /// Pawn key.
    pub(crate) pawns: Key,
}

impl HistoryContext {
    /// Empty context for captures, whose history does not use one.
    pub(crate) const NONE: Self = Self { earlier: [None; CONTHIST_OFFSETS.len()], pawns: Key(0) };
}

/// History tables: scores within plus or minus [`params::history_limit`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct History {
    /// Butterfly history: by side, origin and destination of a quiet move.
    quiets: [[[i16; SQUARES]; SQUARES]; 2],
    /// Continuation history: by piece and destination of an earlier move, then of the quiet move that continues it.
    continuations: [[PieceTo; SQUARES]; PIECES],
    /// Pawn history: by pawn key, then piece and destination of a quiet move.
    pawns: [PieceTo; PAWN_ENTRIES],
    /// Capture history: by piece, destination and captured kind.
    captures: [[[i16; KINDS]; SQUARES]; PIECES],
}

impl History {
    /// Creates empty tables.
    pub(crate) fn empty() -> Box<Self> {
        bytemuck::zeroed_box()
    }

    pub(crate) fn forget(&mut self) {
        *self = *Self::empty();
    }

    /// Returns the butterfly, pawn and continuation history of all quiet moves of a piece.
    pub(crate) fn quiets_of(&self, piece: Piece, from: Square, context: &HistoryContext) -> QuietsOfPiece<'_> {
        let butterfly = &self.quiets[piece.side().index()][from.index()];
        let continuations = context.earlier.map(|earlier| match earlier {
            Some((before, mv)) => &self.continuations[before.index()][mv.to().index()][piece.index()],
            None => &NO_CONTINUATION,
        });
        QuietsOfPiece { butterfly, continuations, pawns: &self.pawns[context.pawns.slot(PAWN_ENTRIES)][piece.index()] }
    }

    pub(crate) fn capture(&self, delta: Delta, captured: Kind) -> i32 {
        i32::from(self.captures[delta.piece.index()][delta.to.index()][captured.index()])
    }

    pub(crate) fn update_quiet(&mut self, piece: Piece, mv: Move, context: &HistoryContext, bonus: i32) {
        self.update_butterfly(piece, mv, bonus);
        gravitate(&mut self.pawns[context.pawns.slot(PAWN_ENTRIES)][piece.index()][mv.to().index()], bonus);
        for &(before, earlier) in context.earlier.iter().flatten() {
            let after = &mut self.continuations[before.index()][earlier.to().index()];
            gravitate(&mut after[piece.index()][mv.to().index()], bonus);
        }
    }

    /// Updates the butterfly history alone.
    pub(crate) fn update_butterfly(&mut self, piece: Piece, mv: Move, bonus: i32) {
        let side: Side = piece.side();
        gravitate(&mut self.quiets[side.index()][mv.from().index()][mv.to().index()], bonus);
    }

    pub(crate) fn update_capture(&mut self, delta: Delta, captured: Kind, bonus: i32) {
        gravitate(&mut self.captures[delta.piece.index()][delta.to.index()][captured.index()], bonus);
    }
}

/// Histories of the quiet moves of one piece, by destination.
pub(crate) struct QuietsOfPiece<'a> {
    butterfly: &'a [i16; SQUARES],
    continuations: [&'a [i16; SQUARES]; CONTHIST_OFFSETS.len()],
    pawns: &'a [i16; SQUARES],
}

/// Continuation history after a pass and before the root: all zero.
static NO_CONTINUATION: [i16; SQUARES] = [0; SQUARES];

impl QuietsOfPiece<'_> {
    /// Returns the sum of butterfly, pawn and continuation history of the move to `to`.
    pub(crate) fn score(&self, to: Square) -> i32 {
        i32::from(self.butterfly[to.index()]) + i32::from(self.pawns[to.index()]) + self.continuation(to)
    }

    /// Returns the continuation history of the move to `to`, summed over the earlier moves.
    pub(crate) fn continuation(&self, to: Square) -> i32 {
        self.continuations.iter().map(|after| i32::from(after[to.index()])).sum()
    }
}

/// Returns the history bonus of the best move of a node, which was searched to `depth` plies.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (params::history_bonus_per_ply() * depth).min(params::history_bonus_max())
}

/// Returns the history malus (negative) of the other moves tried at a node searched to `depth` plies.
pub(super) fn history_malus(depth: i32) -> i32 {
    -(params::history_malus_per_ply() * depth).min(params::history_malus_max())
}

/// Evaluation-difference ordering: returns the bonus of a quiet move by its change of the static evaluation.
///
/// `before` is the evaluation for its mover, `after` that for the opponent; nothing has been searched after the move
/// yet.
pub(super) fn progress_bonus(before: Score, after: Score) -> i32 {
    let gain = params::progress_tempo() - (before.raw() + after.raw());
    (params::progress_per_centipawn_16() * gain / 16).clamp(-params::progress_max(), params::progress_max())
}

/// Adds `bonus` to an entry with gravity: the nearer the entry is to its limit, the less it grows.
fn gravitate(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    let moved = value + bonus - value * bonus.abs() / params::history_limit();
    *entry = i16::try_from(moved).expect("gravity keeps an entry within its limit");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_history_counts_in_its_own_context() {
        let mut history = History::empty();
        let before = Some((Piece::BlackHorse, "b9c7".parse().unwrap()));
        let context = |earlier, pawns| HistoryContext { earlier: [earlier], pawns: Key(pawns) };
        for (from, to, bonus) in [("h2", "e2", 900), ("h2", "h6", -300), ("b2", "e2", 70)] {
            let mv = format!("{from}{to}").parse().unwrap();
            history.update_quiet(Piece::RedCannon, mv, &context(before, 7), bonus);
        }
        let to: Square = "e2".parse().unwrap();
        let score =
            |from: &str, context| history.quiets_of(Piece::RedCannon, from.parse().unwrap(), &context).score(to);
        // Pawn and continuation history are shared by both Cannons, the butterfly history is not.
        let shared = score("i2", context(before, 7));
        assert_eq!((score("h2", context(before, 7)), score("b2", context(before, 7))), (shared + 900, shared + 70));
        assert_eq!(score("h2", context(None, 8)), 900);
        assert_eq!(score("h2", context(None, 7)) + score("h2", context(before, 8)) - 900, shared + 900);
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
