//! Path to the current position: the game so far, and a search stack with an entry for every ply from the root.
//!
//! Moves are played and taken back in place. The path knows what it repeats; the rules decide what that means.

use arrayvec::ArrayVec;

use super::correction::{Features, Structure};
use super::history::{CONTINUED_PLIES, Trail};
use crate::board::{Bitboard, Delta, Key, Move, Piece, Position, Square};
use crate::rules::{Recurrence, Rules, Verdict, limit_verdict, plies_left, recurrence};
use crate::score::{MAX_PLY, Score};

/// Entry of the search stack: data of one ply, beside its position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ply {
    /// Move being searched; `None` for a pass.
    played: Option<(Piece, Move)>,
    /// Structure keys for the correction history, updated move by move.
    structure: Structure,
    /// Plies since the last pass.
    since_pass: usize,
    /// Corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Killer moves: quiet moves that refuted a sibling, newest first.
    pub(super) killers: [Option<Move>; 2],
    /// Cutoff count: fail highs at this ply since the node two plies above was entered.
    pub(super) cutoffs: u32,
    /// Salt of the node's TT key; not 0 where the value of the node depends on the path.
    ///
    /// Entries of such a node order its moves but decide nothing.
    pub(super) salt: u64,
    /// Excluded move of a singular search, which stores nothing in the table.
    pub(super) excluded: Option<Move>,
    /// Whether this is the verification search of a null move, which neither passes nor stores in the table.
    pub(super) no_pass: bool,
}

impl Ply {
    /// Whether the node is searched under a restriction, so that its value is not that of the position.
    pub(super) fn is_side_search(&self) -> bool {
        self.no_pass || self.excluded.is_some()
    }

    /// Whether TT scores hold for this node: its value does not depend on the path, and no move is excluded.
    pub(super) fn believes_scores(&self) -> bool {
        self.salt == 0 && self.excluded.is_none()
    }

    pub(super) fn remember_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

/// The game, and the line from its end to the current position.
#[derive(Debug)]
pub(super) struct Path {
    /// Positions of the game and, after index `root`, of the line: contiguous, because the rules judge a slice.
    positions: Vec<Position>,
    root: usize,
    /// Search stack, from the root on.
    plies: Box<[Ply]>,
}

/// Upcoming repetitions: moves back to a position of the path, at most four of them.
pub(super) type Returns = ArrayVec<Move, 4>;

/// Plies before the move limit from which TT scores are not trusted, since the table does not know the count.
const LIMIT_SHADOW: u16 = 10;

/// Minimum plies between a position and a later one from which a single move leads back to it.
const SHORTEST_RETURN: usize = 3;

impl Path {
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
        self.plies[0].structure = Structure::of(self.position());
    }

    /// Returns the distance of the current position from the root, in plies.
    pub(super) fn ply(&self) -> usize {
        self.positions.len() - 1 - self.root
    }

    /// Returns the keys of the positions that the rules judge at their next occurrence, without the current one.
    pub(super) fn worn_out(&self, rules: &Rules) -> Vec<Key> {
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
        self.positions.last().expect("a path begins with a position")
    }

    /// Returns the root position of the search.
    pub(super) fn root(&self) -> &Position {
        &self.positions[self.root]
    }

    /// Returns the stack entry of the current ply (`ss`).
    pub(super) fn here(&self) -> &Ply {
        &self.plies[self.ply()]
    }

    pub(super) fn here_mut(&mut self) -> &mut Ply {
        &mut self.plies[self.ply()]
    }

    /// Returns the stack entry of the next ply (`ss + 1`).
    pub(super) fn below(&self) -> &Ply {
        &self.plies[self.ply() + 1]
    }

    /// Returns the stack entry of `plies` plies ago (`ss - plies`); `None` before the root.
    pub(super) fn before(&self, plies: usize) -> Option<&Ply> {
        self.ply().checked_sub(plies).map(|ply| &self.plies[ply])
    }

    /// Resets the cutoff count of the root's children, before a new search of the root.
    pub(super) fn forget_cutoffs_of_children(&mut self) {
        self.plies[1].cutoffs = 0;
    }

    /// Resets killers and cutoff count two plies below, where no siblings have been searched yet.
    pub(super) fn forget_below(&mut self) {
        let ply = self.ply();
        let grandchildren = &mut self.plies[ply + 2];
        (grandchildren.killers, grandchildren.cutoffs) = ([None; 2], 0);
    }

    /// Plays `mv`, which changes the board by `delta`.
    pub(super) fn play(&mut self, mv: Move, delta: Delta) {
        let ply = self.ply();
        let here = &mut self.plies[ply];
        here.played = Some((delta.piece, mv));
        let (since_pass, structure) = (here.since_pass + 1, here.structure.after(delta));
        self.step(since_pass, structure).change(delta);
    }

    /// Passes the turn to the other side (null move).
    pub(super) fn pass(&mut self) {
        let ply = self.ply();
        let here = &mut self.plies[ply];
        here.played = None;
        let structure = here.structure;
        self.step(0, structure).hand_over();
    }

    /// Advances by a ply; the new position is still a copy of the old one.
    fn step(&mut self, since_pass: usize, structure: Structure) -> &mut Position {
        let last = self.positions.len() - 1;
        let next = &mut self.plies[last - self.root + 1];
        (next.since_pass, next.structure) = (since_pass, structure);
        self.positions.extend_from_within(last..);
        &mut self.positions[last + 1]
    }

    /// Takes back the last move or pass.
    pub(super) fn back(&mut self) {
        self.positions.pop();
    }

    /// Returns the moves from the root up to the first pass.
    pub(super) fn line(&self) -> impl Iterator<Item = Move> {
        self.plies[..self.ply()].iter().map_while(|ply| ply.played).map(|(_, mv)| mv)
    }

    /// Returns the move played `plies` plies ago; `None` before the root and for a pass.
    pub(super) fn played_before(&self, plies: usize) -> Option<(Piece, Move)> {
        self.before(plies).and_then(|ply| ply.played)
    }

    /// Returns the history context of the current position's quiet moves.
    pub(super) fn trail(&self) -> Trail {
        self.trail_at(self.here(), 0)
    }

    /// Returns the history context of the move that led to the current position; `None` at the root.
    pub(super) fn trail_before(&self) -> Option<Trail> {
        self.before(1).map(|ply| self.trail_at(ply, 1))
    }

    /// Returns the history context at `ply`, which lies `plies_ago` plies back.
    fn trail_at(&self, ply: &Ply, plies_ago: usize) -> Trail {
        let earlier = CONTINUED_PLIES.map(|back| self.played_before(plies_ago + back));
        Trail { earlier, pawns: ply.structure.pawns() }
    }

    /// Returns the inputs of the correction history for the current position.
    pub(super) fn features(&self) -> Features {
        Features { side: self.position().side(), structure: self.here().structure, previous: self.played_before(1) }
    }

    /// Whether `mv` is the third move in a row of the same piece, after at least `patience` plies without a capture.
    pub(super) fn shuffles(&self, mv: Move, patience: i32) -> bool {
        if self.position().is_capture(mv) || i32::from(self.position().reversible_plies()) < patience {
            return false;
        }
        match (self.played_before(2), self.played_before(4)) {
            (Some((_, last)), Some((_, before))) => mv.from() == last.to() && last.from() == before.to(),
            _ => false,
        }
    }

    /// Returns the plies back to which positions can repeat the current one.
    fn reversible_plies(&self) -> usize {
        usize::from(self.position().reversible_plies()).min(self.here().since_pass)
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
    pub(super) fn returns(&self) -> Returns {
        let mut returns = Returns::new();
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

    fn play(path: &mut Path, mv: Move) {
        let delta = path.position().delta(mv);
        path.play(mv, delta);
    }

    fn at(position: Position) -> Path {
        let mut path = Path::new();
        path.begin(&[position], &RuleSet::Asian.rules());
        path
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
    fn what_is_played_and_taken_back_in_place_leaves_no_trace() {
        for variant in Variant::ALL {
            random_games_in(variant, 22, if cfg!(miri) { 0 } else { 5 }, |position| {
                let mut path = at(*position);
                for mv in position.legal_moves() {
                    play(&mut path, mv);
                    assert_eq!(*path.position(), position.play(mv), "{mv} in {}", position.to_fen());
                    assert_eq!(path.here().structure, Structure::of(path.position()), "{mv} in {}", position.to_fen());
                    path.pass();
                    assert_eq!(*path.position(), position.play(mv).pass());
                    path.back();
                    path.back();
                    assert_eq!((path.position(), path.ply()), (position, 0));
                }
            });
        }
    }

    #[test]
    fn a_pass_hides_what_was_before_it() {
        let mut path = at(Position::start());
        for text in ["a0a1", "e9e8", "a1a0"] {
            play(&mut path, mv(text));
        }
        assert_eq!(path.returns()[..], [mv("e8e9")]);
        assert_eq!(path.line().collect::<Vec<_>>(), ["a0a1", "e9e8", "a1a0"].map(mv));
        path.pass();
        assert_eq!((path.played_before(1), path.returns().len()), (None, 0));
        assert_eq!(path.line().count(), 3, "the line is told as far as the pass");
        let mut path = at(Position::start());
        for text in ["a0a1", "a1a0"] {
            play(&mut path, mv(text));
            path.pass();
        }
        assert_eq!(path.position().key(), Position::start().key());
        assert_eq!(path.recurrence(&RuleSet::Asian.rules()), Recurrence::First, "nobody has gone to and fro");
    }

    #[test]
    fn killers_serve_cousins_and_are_forgotten_two_plies_below() {
        let mut path = at(Position::start());
        let killers = [Some(mv("b9c7")), None];
        play(&mut path, mv("h2e2"));
        path.here_mut().killers = killers;
        play(&mut path, mv("h9g7"));
        path.here_mut().killers = killers;
        path.back();
        path.forget_below();
        assert_eq!(path.below().killers, killers, "what refuted the neighbours of a child may refute the child");
        path.back();
        path.plies[1].cutoffs = 4;
        path.forget_below();
        assert_eq!((path.plies[1].killers, path.plies[1].cutoffs), (killers, 4));
        assert_eq!(path.plies[2].killers, [None; 2]);
        path.forget_cutoffs_of_children();
        assert_eq!((path.plies[1].killers, path.plies[1].cutoffs), (killers, 0), "of the root's last search");
    }

    #[test]
    fn checks_that_do_not_count_leave_the_limit_where_it_is() {
        let mut path = at(Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 60").unwrap());
        for text in ["a8a9", "d9d8", "a9a8", "d8d9"].into_iter().cycle().take(96) {
            play(&mut path, mv(text));
        }
        let left = |set: RuleSet| (path.plies_left(&set.rules()), path.is_near_limit(&set.rules()));
        assert_eq!((left(RuleSet::League), left(RuleSet::Asian)), ((Some(100), false), (Some(120 - 96), false)));
        let path = at(Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 90 60").unwrap());
        assert!(path.is_near_limit(&RuleSet::League.rules()) && !path.is_near_limit(&RuleSet::Asian.rules()));
        let path = at(Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 65535 60").unwrap());
        assert!(path.is_near_limit(&RuleSet::Asian.rules()));
        let endless = RuleSet::Asian.rules().without_limit();
        assert_eq!((path.plies_left(&endless), path.is_near_limit(&endless)), (None, false));
    }

    #[test]
    fn who_goes_to_and_fro_shuffles() {
        let mut path = at(Position::from_fen("4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 20 60").unwrap());
        for text in ["a0a1", "e9d9", "a1a0", "d9e9"] {
            play(&mut path, mv(text));
        }
        assert!(path.shuffles(mv("a0a1"), 24) && !path.shuffles(mv("a0a1"), 25) && !path.shuffles(mv("e0d0"), 10));
    }
}
