//! Correction history: past errors of the static evaluation by position structure, shared by all workers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, AtomicU64};
// Relaxed: every entry is a heuristic on its own, and nothing is published through it. If two workers update an entry
// at the same time, one update may be lost, which does no harm.
use std::sync::atomic::Ordering::Relaxed;

use bytemuck::Zeroable;

use super::params;
use crate::board::{Delta, Key, Kind, Move, Piece, Position, SQUARES, Side};
use crate::eval::EvalConfig;
use crate::score::Score;

/// Entries of each table indexed by a structure key; a power of two.
const SIZE: usize = 1 << 14;

/// Structure keys of a position: pawns, minor pieces and non-pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct StructureKeys {
    pub(crate) pawns: Key,
    /// Minor pieces: horses and cannons.
    minors: Key,
    /// Non-pawns, by side.
    pieces: [Key; Side::ALL.len()],
}

impl StructureKeys {
    pub(crate) fn of(position: &Position) -> Self {
        let pieces = position.occupied().into_iter().filter_map(|square| Some((position.piece_on(square)?, square)));
        pieces.fold(Self::default(), |structure, (piece, square)| {
            structure.toggled(piece, |key| key.toggled(piece, square))
        })
    }

    /// Returns the structure keys after a move.
    pub(crate) fn after(self, delta: Delta) -> Self {
        let Delta { piece, from, to, captured } = delta;
        let placed = delta.placed();
        let moved = self.toggled(piece, |key| key.toggled(piece, from)).toggled(placed, |key| key.toggled(placed, to));
        captured.map_or(moved, |captured| moved.toggled(captured, |key| key.toggled(captured, to)))
    }

    fn toggled(mut self, piece: Piece, toggle: impl Fn(Key) -> Key) -> Self {
        let side = piece.side().index();
        match piece.kind() {
            Kind::Pawn => self.pawns = toggle(self.pawns),
            Kind::Horse | Kind::Cannon => {
                self.minors = toggle(self.minors);
                self.pieces[side] = toggle(self.pieces[side]);
            }
            Kind::King | Kind::Advisor | Kind::Elephant | Kind::Rook => self.pieces[side] = toggle(self.pieces[side]),
        }
        self
    }
}

/// Inputs of the correction of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrhistInputs {
    pub(crate) side: Side,
    pub(crate) structure: StructureKeys,
    /// Previous move and its piece; `None` after a pass and at the root.
    pub(crate) previous: Option<(Piece, Move)>,
}

/// Correction-history tables: errors within plus or minus [`params::correction_limit`], from the mover's point of
/// view.
///
/// Two threads with shared tables beat two with separate ones by 61 +/- 40 Elo (`ci/strength/LOG.md`).
#[derive(Debug, Zeroable)]
#[repr(C)]
pub(crate) struct CorrectionHistory {
    pawns: [[AtomicI16; SIZE]; 2],
    minors: [[AtomicI16; SIZE]; 2],
    pieces: [[[AtomicI16; SIZE]; 2]; 2],
    moves: [[AtomicI16; SQUARES]; Piece::ALL.len()],
    /// Hash of the evaluation that the errors belong to; 0 before the first search.
    source: AtomicU64,
}

impl CorrectionHistory {
    /// Creates empty tables.
    pub(crate) fn empty() -> Arc<Self> {
        bytemuck::zeroed_box::<Self>().into()
    }

    /// Selects the evaluation whose errors are stored; a different one than before clears the tables.
    pub(crate) fn use_evaluation(&self, EvalConfig { kind, network, .. }: EvalConfig) {
        let mut hasher = DefaultHasher::new();
        (kind, network).hash(&mut hasher);
        let source = hasher.finish();
        if ![source, 0].contains(&self.source.swap(source, Relaxed)) {
            self.forget();
        }
    }

    pub(crate) fn forget(&self) {
        let tables = [&self.pawns, &self.minors].into_iter().chain(&self.pieces).flatten();
        tables.for_each(|table| forget(table));
        self.moves.iter().for_each(|table| forget(table));
    }

    /// Returns the correction of the static evaluation, in centipawns.
    pub(crate) fn value(&self, inputs: &CorrhistInputs) -> i32 {
        let mut sum = 0;
        self.for_entries(inputs, |entry, weight| sum += read(entry) * weight);
        sum / 1024
    }

    /// Updates the entries: a search of `depth` plies found `error` centipawns more than the corrected static
    /// evaluation.
    pub(crate) fn update(&self, inputs: &CorrhistInputs, depth: i32, error: i32) {
        let most = params::correction_limit() / 4;
        let bonus = (error * depth * params::correction_learning_1024() / 1024).clamp(-most, most);
        self.for_entries(inputs, |entry, _| gravitate(entry, bonus));
    }

    /// Calls `visit` for every entry of a node, with its weight in 1024ths of a centipawn per unit.
    fn for_entries(&self, inputs: &CorrhistInputs, mut visit: impl FnMut(&AtomicI16, i32)) {
        let CorrhistInputs { side, structure, previous } = inputs;
        let (own, other) = (side.index(), (!*side).index());
        visit(&self.pawns[own][structure.pawns.slot(SIZE)], params::correction_pawns());
        visit(&self.minors[own][structure.minors.slot(SIZE)], params::correction_minors());
        visit(&self.pieces[own][own][structure.pieces[own].slot(SIZE)], params::correction_pieces());
        visit(&self.pieces[own][other][structure.pieces[other].slot(SIZE)], params::correction_pieces());
        if let Some((piece, mv)) = previous {
            visit(&self.moves[piece.index()][mv.to().index()], params::correction_moves());
        }
    }
}

/// Correction-history condition: whether a search result says anything about the static evaluation.
///
/// A bound does only if it contradicts the static evaluation; a decisive score never does.
pub(crate) fn is_informative(best: Score, static_eval: Score, fails_high: bool, raises_alpha: bool) -> bool {
    let contradicts = if fails_high { best > static_eval } else { raises_alpha || best < static_eval };
    contradicts && !best.is_decisive()
}

fn read(entry: &AtomicI16) -> i32 {
    i32::from(entry.load(Relaxed))
}

fn gravitate(entry: &AtomicI16, bonus: i32) {
    let value = read(entry);
    let moved = value + bonus - value * bonus.abs() / params::correction_limit();
    entry.store(i16::try_from(moved).expect("gravity keeps an entry within its limit"), Relaxed);
}

fn forget(table: &[AtomicI16]) {
    table.iter().for_each(|entry| entry.store(0, Relaxed));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::random_games_in;
    use crate::eval::EvalKind;

    #[test]
    fn following_moves_agrees_with_starting_afresh() {
        for variant in Variant::ALL {
            random_games_in(variant, 21, if cfg!(miri) { 0 } else { 10 }, |position| {
                let structure = StructureKeys::of(position);
                for mv in position.legal_moves() {
                    assert_eq!(structure.after(position.delta(mv)), StructureKeys::of(&position.play(mv)));
                }
            });
        }
    }

    #[test]
    fn an_error_made_again_and_again_is_corrected_for_its_side_alone() {
        let position = Position::start();
        let inputs = CorrhistInputs { side: Side::Red, structure: StructureKeys::of(&position), previous: None };
        let corrhist = CorrectionHistory::empty();
        for _ in 0..100 {
            corrhist.update(&inputs, 8, 100);
        }
        assert!(corrhist.value(&inputs) > 20, "{}", corrhist.value(&inputs));
        assert_eq!(corrhist.value(&CorrhistInputs { side: Side::Black, ..inputs }), 0);
        corrhist.forget();
        assert_eq!(corrhist.value(&inputs), 0);
    }

    #[test]
    fn errors_of_another_evaluation_are_forgotten() {
        let inputs =
            CorrhistInputs { side: Side::Red, structure: StructureKeys::of(&Position::start()), previous: None };
        let corrhist = CorrectionHistory::empty();
        let learn = |config| {
            corrhist.use_evaluation(config);
            corrhist.update(&inputs, 8, 100);
        };
        let plain = EvalConfig::default();
        learn(plain);
        let once = corrhist.value(&inputs);
        learn(plain);
        let twice = corrhist.value(&inputs);
        assert!(once > 0 && twice > once, "{once} {twice}");
        // Another playing style is not another evaluation.
        corrhist.use_evaluation(EvalConfig { attack_percent: [130, 100], ..plain });
        assert_eq!(corrhist.value(&inputs), twice);
        let others = [
            EvalConfig { network: Some(1), ..plain },
            EvalConfig { network: Some(2), ..plain },
            EvalConfig { kind: EvalKind::Small, ..plain },
            plain,
        ];
        for other in others {
            corrhist.use_evaluation(other);
            assert_eq!(corrhist.value(&inputs), 0, "{other:?}");
            learn(other);
            assert_eq!(corrhist.value(&inputs), once);
        }
    }

    #[test]
    fn all_workers_update_the_same_entries() {
        let inputs =
            CorrhistInputs { side: Side::Red, structure: StructureKeys::of(&Position::start()), previous: None };
        let corrhist = CorrectionHistory::empty();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| (0..50).for_each(|_| corrhist.update(&inputs, 8, 100)));
            }
        });
        assert!(corrhist.value(&inputs) > 20, "{}", corrhist.value(&inputs));
    }

    #[test]
    fn a_bound_teaches_only_what_it_contradicts() {
        let eval = Score::from_eval;
        assert!(is_informative(eval(50), eval(0), true, true) && !is_informative(eval(-50), eval(0), true, true));
        assert!(is_informative(eval(-50), eval(0), false, false) && !is_informative(eval(50), eval(0), false, false));
        assert!(is_informative(eval(-50), eval(0), false, true) && is_informative(eval(50), eval(0), false, true));
        assert!(!is_informative(Score::mate_in(7), eval(0), true, true));
    }
}
