//! Path to the current position: the game so far, and a search stack with an entry for every ply from the root.
//!
//! Copy-make on one vector: a move pushes the next position, undoing pops it. The path knows what it repeats; the rules decide what that means.

use arrayvec::ArrayVec;

use super::corrhist::{CorrhistInputs, StructureKeys};
use super::history::{CONTHIST_OFFSETS, HistoryContext};
use crate::board::{Bitboard, Delta, Key, Move, Piece, Position, Square};
use crate::rules::{Recurrence, Rules, Verdict, limit_verdict, plies_left, recurrence};
use crate::score::{MAX_PLY, Score};

/// Entry of the search stack: data of one ply, beside its position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ply {
    /// Move being searched; `None` for a pass.
    played: Option<(Piece, Move)>,
    /// Structure keys for the correction history, updated move by move.
    structure: StructureKeys,
    /// Plies since the last pass.
    since_pass: usize,
    /// Corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Killer moves: quiet moves that refuted a sibling, newest first.
    pub(super) killers: [Option<Move>; 2],
    /// Cutoff count: fail highs at this ply since the node two plies above was entered.
    pub(super) cutoffs: u32,
    /// Number of moves played at this node, since its move loop has begun.
    pub(super) move_count: usize,
    /// Whether the position is, or once was, on a principal variation.
    pub(super) tt_pv: bool,
    /// Salt of the node's TT key; not 0 where the value of the node depends on the path.
    ///
    /// Entries of such a node order its moves but decide nothing.
    pub(super) salt: u64,
    /// Excluded move of a singular search, which stores nothing in the table.
    pub(super) excluded: Option<Move>,
    /// Whether this is the verification search of a null move, which neither passes nor stores in the table.
    pub(super) no_null_move: bool,
}

impl Ply {
    /// Whether the node is searched under a restriction, so that its value is not that of the position.
    pub(super) fn is_side_search(&self) -> bool {
        self.no_null_move || self.excluded.is_some()
    }

    /// Whether TT scores hold for this node: its value does not depend on the path, and no move is excluded.
    pub(super) fn trusts_tt_scores(&self) -> bool {
        self.salt == 0 && self.excluded.is_none()
    }

    pub(super) fn add_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

/// The game, and the line from its end to the current position.
#[derive(Debug)]
pub(super) struct Stack {
    /// Positions of the game and, after index `root`, of the line: contiguous, because the rules judge a slice.
    positions: Vec<Position>,
    root: usize,
    /// Search stack, from the root on.
    plies: Box<[Ply]>,
}

/// Upcoming repetitions: moves back to a position of the path, no more of them than fit.
pub(super) type Repetitions = ArrayVec<Move, 4>;

/// Plies before the move limit from which TT scores are not trusted, since the table does not know the count.
const LIMIT_SHADOW: u16 = 10;

/// Minimum plies between a position and a later one from which a single move leads back to it.
const SHORTEST_RETURN: usize = 3;

impl Stack {
    /// Creates a path without a position.
    pub(super) fn new() -> Self {
        // Room for the grandchildren of the deepest node, whose entries it clears.
        Self { positions: Vec::new(), root: 0, plies: vec![Ply::default(); MAX_PLY + 1].into_boxed_slice() }
    }

    /// Moves to the end of `game`, which becomes the root.
    pub(super) fn begin(&mut self, game: &[Position], rules: &Rules) {
        self.positions.clear();
        // Room for the deepest line, and for repeating its loops until the rules decide.
        self.positions.reserve(game.len() + rules.occurrences() * MAX_PLY + 1);
        self.positions.extend_from_slice(game);
        self.root = game.len() - 1;
        self.plies.fill(Ply::default());
        self.plies[0].since_pass = usize::MAX / 2;
        self.plies[0].structure = StructureKeys::of(self.position());
    }

    /// Returns the distance of the current position from the root, in plies.
    pub(super) fn ply(&self) -> usize {
        self.positions.len() - 1 - self.root
    }

    /// Returns the keys of the positions that the rules judge at their next occurrence, without the current one.
    pub(super) fn near_repetition_limit(&self, rules: &Rules) -> Vec<Key> {
        let last = self.positions.len() - 1;
        let comparable = &self.positions[last - self.reversible_plies().min(last)..last];
        let count = |key: Key| comparable.iter().filter(|position| position.key() == key).count();
        let mut keys: Vec<Key> =
            comparable.iter().map(Position::key).filter(|&key| count(key) + 1 >= rules.occurrences()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> &Position {
        self.positions.last().expect("a stack begins with a position")
    }

    /// Returns the root position of the search.
    pub(super) fn root(&self) -> &Position {
        &self.positions[self.root]
    }

    /// Returns the stack entry of the current ply (`ss`).
    pub(super) fn ss(&self) -> &Ply {
        &self.plies[self.ply()]
    }

    pub(super) fn ss_mut(&mut self) -> &mut Ply {
        &mut self.plies[self.ply()]
    }

    /// Returns the stack entry of the next ply (`ss + 1`).
    pub(super) fn ss_plus_1(&self) -> &Ply {
        &self.plies[self.ply() + 1]
    }

    /// Returns the stack entry of `plies` plies ago (`ss - plies`); `None` before the root.
    pub(super) fn ss_minus(&self, plies: usize) -> Option<&Ply> {
        self.ply().checked_sub(plies).map(|ply| &self.plies[ply])
    }

    /// Resets the cutoff count of the root's children, before a new search of the root.
    pub(super) fn clear_cutoffs_of_children(&mut self) {
        self.plies[1].cutoffs = 0;
    }

    /// Resets killers and cutoff count two plies below, where no siblings have been searched yet.
    pub(super) fn clear_grandchildren(&mut self) {
        let ply = self.ply();
        let grandchildren = &mut self.plies[ply + 2];
        (grandchildren.killers, grandchildren.cutoffs) = ([None; 2], 0);
    }

    /// Starts the move loop of the current node; returns its killers.
    pub(super) fn begin_moves(&mut self, tt_pv: bool) -> [Option<Move>; 2] {
        let ss = self.ss_mut();
        (ss.move_count, ss.tt_pv) = (0, tt_pv);
        ss.killers
    }

    /// Plays `mv`, which changes the board by `delta`.
    pub(super) fn play(&mut self, mv: Move, delta: Delta) {
        let ply = self.ply();
        let ss = &mut self.plies[ply];
        ss.played = Some((delta.piece, mv));
        ss.move_count += 1;
        let (since_pass, structure) = (ss.since_pass + 1, ss.structure.after(delta));
        self.step(since_pass, structure).change(delta);
    }

    /// Passes the turn to the other side (null move).
    pub(super) fn play_null(&mut self) {
        let ply = self.ply();
        let ss = &mut self.plies[ply];
        ss.played = None;
        let structure = ss.structure;
        self.step(0, structure).hand_over();
    }

    /// Advances by a ply; the new position is still a copy of the old one.
    fn step(&mut self, since_pass: usize, structure: StructureKeys) -> &mut Position {
        let last = self.positions.len() - 1;
        let next = &mut self.plies[last - self.root + 1];
        (next.since_pass, next.structure) = (since_pass, structure);
        self.positions.extend_from_within(last..);
        &mut self.positions[last + 1]
    }

    /// Takes back the last move or pass.
    pub(super) fn undo(&mut self) {
        self.positions.pop();
    }

    /// Returns the moves from the root up to the first pass.
    pub(super) fn line(&self) -> impl Iterator<Item = Move> {
        self.plies[..self.ply()].iter().map_while(|ply| ply.played).map(|(_, mv)| mv)
    }

    /// Returns the move played `plies` plies ago; `None` before the root and for a pass.
    pub(super) fn played_before(&self, plies: usize) -> Option<(Piece, Move)> {
        self.ss_minus(plies).and_then(|ply| ply.played)
    }

    /// Returns the history context of the current position's quiet moves.
    pub(super) fn history_context(&self) -> HistoryContext {
        self.history_context_at(self.ss(), 0)
    }

    /// Returns the history context of the move that led to the current position; `None` at the root.
    pub(super) fn prior_history_context(&self) -> Option<HistoryContext> {
        self.ss_minus(1).map(|ply| self.history_context_at(ply, 1))
    }

    /// Returns the history context at `ply`, which lies `plies_ago` plies back.
    fn history_context_at(&self, ply: &Ply, plies_ago: usize) -> HistoryContext {
        let earlier = CONTHIST_OFFSETS.map(|back| self.played_before(plies_ago + back));
        HistoryContext { earlier, pawns: ply.structure.pawns }
    }

    /// Returns the inputs of the correction history for the current position.
    pub(super) fn corrhist_inputs(&self) -> CorrhistInputs {
        CorrhistInputs { side: self.position().side(), structure: self.ss().structure, previous: self.played_before(1) }
    }

    /// Whether `mv` is the third move in a row of the same piece, after at least `min_plies` plies without a capture.
    pub(super) fn is_shuffling(&self, mv: Move, min_plies: i32) -> bool {
        if self.position().is_capture(mv) || i32::from(self.position().reversible_plies()) < min_plies {
            return false;
        }
        match (self.played_before(2), self.played_before(4)) {
            (Some((_, last)), Some((_, before))) => mv.from() == last.to() && last.from() == before.to(),
            _ => false,
        }
    }

    /// Returns the plies back to which positions can repeat the current one.
    fn reversible_plies(&self) -> usize {
        usize::from(self.position().reversible_plies()).min(self.ss().since_pass)
    }

    /// Returns whether the current position has occurred before, and what follows from that under the rules.
    pub(super) fn recurrence(&mut self, rules: &Rules) -> Recurrence {
        let plies = self.reversible_plies();
        recurrence(&mut self.positions, self.root, plies, rules)
    }

    /// Returns the plies until the move limit: exact if it may be near, else a lower bound; `None` without a limit.
    pub(super) fn plies_left(&self, rules: &Rules) -> Option<u16> {
        let left = rules.limit_plies()?.saturating_sub(self.position().reversible_plies());
        // Checks can only lower the count.
        if left > LIMIT_SHADOW { Some(left) } else { plies_left(&self.positions, rules) }
    }

    /// Whether the move limit is so near that TT entries from elsewhere may not hold for this position.
    pub(super) fn is_near_limit(&self, rules: &Rules) -> bool {
        self.plies_left(rules).is_some_and(|left| left <= LIMIT_SHADOW)
    }

    /// Returns the verdict of the move limit and of the material on the current position.
    pub(super) fn limit_verdict(&self, rules: &Rules) -> Option<Verdict> {
        limit_verdict(&self.positions, rules)
    }

    /// Returns the upcoming repetitions: moves from the current position back to an earlier one.
    ///
    /// The rules decide their value, not the static evaluation.
    pub(super) fn upcoming_repetitions(&self) -> Repetitions {
        let mut returns = Repetitions::new();
        let last = self.positions.len() - 1;
        let position = &self.positions[last];
        for back in (SHORTEST_RETURN..=self.reversible_plies().min(last)).step_by(2) {
            if returns.is_full() {
                break;
            }
            let earlier = &self.positions[last - back];
            returns.extend(move_back(position, earlier).filter(|&mv| position.key_after(mv) == earlier.key()));
        }
        returns
    }
}

/// Returns the only move that could lead from `position` to `earlier`, in which the opponent is to move.
fn move_back(position: &Position, earlier: &Position) -> Option<Move> {
    let side = position.side();
    if position.of_side(!side) != earlier.of_side(!side) {
        return None;
    }
    let only = |squares: Bitboard| -> Option<Square> { squares.first().filter(|_| !squares.many()) };
    let (now, then) = (position.of_side(side), earlier.of_side(side));
    Some(Move::new(only(now & !then)?, only(then & !now)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::random_games_in;
    use crate::rules::RuleSet;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn play(stack: &mut Stack, mv: Move) {
        let delta = stack.position().delta(mv);
        stack.play(mv, delta);
    }

    fn at(position: Position) -> Stack {
        let mut stack = Stack::new();
        stack.begin(&[position], &RuleSet::Asian.rules());
        stack
    }

    #[test]
    fn one_move_leads_back_if_all_else_stands_as_before() {
        let before = Position::start();
        let after = |moves: &[&str]| moves.iter().fold(before, |position, text| position.play(mv(text)));
        assert_eq!(move_back(&after(&["a0a1", "e9e8", "a1a0"]), &before), Some(mv("e8e9")));
        assert_eq!(move_back(&after(&["a0a1", "e9e8", "a1a2"]), &before), None, "the opponent has moved on");
        assert_eq!(move_back(&after(&["h2h9"]), &before), None, "a piece is gone");
    }

    #[test]
    fn play_and_undo_restore_the_position() {
        for variant in Variant::ALL {
            random_games_in(variant, 22, if cfg!(miri) { 0 } else { 5 }, |position| {
                let mut stack = at(*position);
                for mv in position.legal_moves() {
                    play(&mut stack, mv);
                    assert_eq!(*stack.position(), position.play(mv), "{mv} in {}", position.to_fen());
                    assert_eq!(
                        stack.ss().structure,
                        StructureKeys::of(stack.position()),
                        "{mv} in {}",
                        position.to_fen()
                    );
                    stack.play_null();
                    assert_eq!(*stack.position(), position.play(mv).pass());
                    stack.undo();
                    stack.undo();
                    assert_eq!((stack.position(), stack.ply()), (position, 0));
                }
            });
        }
    }

    #[test]
    fn a_pass_hides_what_was_before_it() {
        let mut stack = at(Position::start());
        for text in ["a0a1", "e9e8", "a1a0"] {
            play(&mut stack, mv(text));
        }
        assert_eq!(stack.upcoming_repetitions()[..], [mv("e8e9")]);
        assert_eq!(stack.line().collect::<Vec<_>>(), ["a0a1", "e9e8", "a1a0"].map(mv));
        stack.play_null();
        assert_eq!((stack.played_before(1), stack.upcoming_repetitions().len()), (None, 0));
        assert_eq!(stack.line().count(), 3, "the line ends at the pass");
        let mut stack = at(Position::start());
        for text in ["a0a1", "a1a0"] {
            play(&mut stack, mv(text));
            stack.play_null();
        }
        assert_eq!(stack.position().key(), Position::start().key());
        assert_eq!(stack.recurrence(&RuleSet::Asian.rules()), Recurrence::First, "a pass separates the two moves");
    }

    #[test]
    fn killers_serve_cousins_and_are_forgotten_two_plies_below() {
        let mut stack = at(Position::start());
        let killers = [Some(mv("b9c7")), None];
        play(&mut stack, mv("h2e2"));
        stack.ss_mut().killers = killers;
        play(&mut stack, mv("h9g7"));
        stack.ss_mut().killers = killers;
        stack.undo();
        stack.clear_grandchildren();
        assert_eq!(stack.ss_plus_1().killers, killers, "what refuted the neighbours of a child may refute the child");
        stack.undo();
        stack.plies[1].cutoffs = 4;
        stack.clear_grandchildren();
        assert_eq!((stack.plies[1].killers, stack.plies[1].cutoffs), (killers, 4));
        assert_eq!(stack.plies[2].killers, [None; 2]);
        stack.clear_cutoffs_of_children();
        assert_eq!((stack.plies[1].killers, stack.plies[1].cutoffs), (killers, 0), "of the root's last search");
    }

    #[test]
    fn checks_that_do_not_count_leave_the_limit_where_it_is() {
        let mut stack = at(Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 60").unwrap());
        for text in ["a8a9", "d9d8", "a9a8", "d8d9"].into_iter().cycle().take(96) {
            play(&mut stack, mv(text));
        }
        let left = |set: RuleSet| (stack.plies_left(&set.rules()), stack.is_near_limit(&set.rules()));
        assert_eq!((left(RuleSet::League), left(RuleSet::Asian)), ((Some(100), false), (Some(120 - 96), false)));
        let stack = at(Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 90 60").unwrap());
        assert!(stack.is_near_limit(&RuleSet::League.rules()) && !stack.is_near_limit(&RuleSet::Asian.rules()));
        let stack = at(Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 65535 60").unwrap());
        assert!(stack.is_near_limit(&RuleSet::Asian.rules()));
        let endless = RuleSet::Asian.rules().without_limit();
        assert_eq!((stack.plies_left(&endless), stack.is_near_limit(&endless)), (None, false));
    }

    #[test]
    fn a_piece_that_moves_back_and_forth_shuffles() {
        let mut stack = at(Position::from_fen("4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 20 60").unwrap());
        for text in ["a0a1", "e9d9", "a1a0", "d9e9"] {
            play(&mut stack, mv(text));
        }
        assert!(
            stack.is_shuffling(mv("a0a1"), 24)
                && !stack.is_shuffling(mv("a0a1"), 25)
                && !stack.is_shuffling(mv("e0d0"), 10)
        );
    }
}
