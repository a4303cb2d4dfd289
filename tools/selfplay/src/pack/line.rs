//! Line of a game: its present position with the facts about the moves before that the models use.

use chuhe::board::{Bitboard, Delta, Key, Kind, Move, Position, SQUARES, Square};

/// Kinds by falling value.
pub(super) const KINDS: [Kind; 7] =
    [Kind::King, Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Advisor, Kind::Elephant, Kind::Pawn];

/// Worth of a kind, for comparisons. Part of the format: it never changes.
pub(super) const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::King => 100,
        Kind::Rook => 18,
        Kind::Cannon => 9,
        Kind::Horse => 8,
        Kind::Advisor | Kind::Elephant => 4,
        Kind::Pawn => 2,
    }
}

/// A game up to its present position.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The position.
    pub(super) position: Position,
    /// The last moves, the latest first.
    pub(super) last: [Option<Delta>; 2],
    /// Whether these moves gave check.
    pub(super) gave_check: [bool; 2],
    /// Keys of all positions, the present one last.
    keys: Vec<Key>,
    /// Legal moves of the position and of the two before, each sorted; the latest first.
    legal: [Vec<Move>; 3],
    /// Attackers of each square, of both sides, once they have been looked up.
    attackers: Box<[Option<Bitboard>; SQUARES]>,
}

impl Line {
    /// Creates the line of a game that begins with `position`.
    pub(super) fn new(position: Position) -> Self {
        Self {
            position,
            last: [None; 2],
            gave_check: [false; 2],
            keys: vec![position.key()],
            legal: [sorted_moves(&position), vec![], vec![]],
            attackers: Box::new([None; SQUARES]),
        }
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        self.last = [Some(self.position.delta(mv)), self.last[0]];
        self.position = self.position.play(mv);
        self.gave_check = [self.position.in_check(), self.gave_check[0]];
        self.keys.push(self.position.key());
        let [now, before, _] = std::mem::take(&mut self.legal);
        self.legal = [sorted_moves(&self.position), now, before];
        self.attackers.fill(None);
    }

    /// Legal moves, sorted by their bits.
    pub(super) fn legal(&self) -> &[Move] {
        &self.legal[0]
    }

    /// Index of a legal move.
    pub(super) fn index_of(&self, mv: Move) -> Option<usize> {
        self.legal[0].binary_search_by_key(&mv.bits(), |mv| mv.bits()).ok()
    }

    /// Plies since the start of the game.
    pub(super) fn ply(&self) -> usize {
        self.keys.len() - 1
    }

    /// Whether the side to move could play `mv` two plies ago too.
    pub(super) fn was_legal(&self, mv: Move) -> bool {
        self.legal[2].binary_search_by_key(&mv.bits(), |mv| mv.bits()).is_ok()
    }

    /// Number of earlier occurrences of the position.
    pub(super) fn repetitions(&self) -> usize {
        self.keys[..self.keys.len() - 1].iter().filter(|&&key| key == self.position.key()).count()
    }

    /// Number of occurrences of the position after `mv`.
    pub(super) fn occurrences_after(&self, mv: Move) -> usize {
        let reversible = usize::from(self.position.reversible_plies());
        if reversible < 3 || self.position.is_capture(mv) {
            return 0;
        }
        let key = self.position.key_after(mv);
        self.keys.iter().rev().take(reversible + 1).filter(|&&before| before == key).count()
    }

    /// Pieces of both sides that attack a square.
    pub(super) fn attackers(&mut self, square: Square) -> Bitboard {
        let Self { position, attackers, .. } = self;
        *attackers[square.index()].get_or_insert_with(|| position.attackers_of(square))
    }

    /// Danger for a piece of the side to move that goes from `from` to `square`, or stays if both are equal: 0 none, 1 attacked
    /// by a piece of less worth, 2 attacked and protected, 3 attacked and unprotected.
    pub(super) fn danger(&mut self, kind: Kind, from: Square, square: Square) -> u32 {
        let side = self.position.side();
        let attackers = self.attackers(square);
        let enemies = attackers & self.position.of_side(!side);
        if enemies.is_empty() {
            return 0;
        }
        let lesser = |&&other: &&Kind| worth(other) < worth(kind);
        if KINDS.iter().filter(lesser).any(|&other| (enemies & self.position.of_kind(other)).any()) {
            return 1;
        }
        if (attackers & self.position.of_side(side)).without(from).any() { 2 } else { 3 }
    }

    /// Most valuable enemy piece that a piece of this kind attacks from `square` with gain: 0 for none, else its place among
    /// [`KINDS`] and 1.
    pub(super) fn victim(&mut self, mv: Move) -> u32 {
        let piece = self.position.moving_piece(mv);
        let enemy = self.position.of_side(!self.position.side());
        let targets = self.position.reach(piece, mv.to()) & enemy;
        let mut best = 0;
        for square in targets {
            let Some(target) = self.position.piece_on(square) else { continue };
            let protected = (self.attackers(square) & enemy).any();
            if !protected || worth(target.kind()) > worth(piece.kind()) {
                let place = KINDS.iter().position(|&kind| kind == target.kind()).unwrap_or_default() as u32;
                best = if best == 0 { place + 1 } else { best.min(place + 1) };
            }
        }
        best
    }
}

fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves
}
