//! Staged move picker: gives out moves one at a time, the best first, and generates each group only when needed.

use std::ops::BitOr;

use arrayvec::ArrayVec;

use super::history::{History, HistoryContext};
use super::params;
use crate::board::{Checks, Kind, MAX_MOVES, Move, Piece, Position, exchange_value};

/// Stages of the move picker, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    Killers(usize),
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Score and move packed into one number, so that the best one of a list is its maximum.
///
/// ```text
///  bit  31 .. 14   13 .. 0
///      [ score  ] [ move ]
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
struct Scored(i32);

const MOVE_BITS: u32 = 14;
const MAX_SCORE: i32 = i32::MAX >> MOVE_BITS;

impl Scored {
    fn new(mv: Move, score: i32) -> Self {
        debug_assert!(score.abs() <= MAX_SCORE);
        Self(score << MOVE_BITS | i32::from(mv.bits()))
    }

    fn mv(self) -> Move {
        let bits = (self.0 & ((1 << MOVE_BITS) - 1)) as u16; // the mask leaves fourteen bits
        Move::from_bits(bits).expect("it was made from a move")
    }
}

/// Move picker: gives out the legal moves of one position.
pub(crate) struct Picker<'a> {
    stage: Stage,
    /// Checks of the position, which help to order its quiet moves; `None` if only captures are wanted.
    checks: Option<&'a Checks>,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    context: HistoryContext,
    moves: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    bad_captures: ArrayVec<Move, MAX_MOVES>,
}

impl<'a> Picker<'a> {
    /// Creates a picker of all moves.
    ///
    /// `checks` are the checks of the position, `killers` its killer moves, `context` its history context. The TT move
    /// must be legal.
    pub(crate) fn all(
        position: &Position,
        checks: &'a Checks,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        context: HistoryContext,
    ) -> Self {
        debug_assert!(killers[0].is_none() || killers[0] != killers[1], "killers differ");
        Self::new(position, Some(checks), tt_move, killers, context)
    }

    /// Creates a picker of captures only. The TT move must be legal.
    pub(crate) fn captures(position: &Position, tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|&mv| position.is_capture(mv));
        Self::new(position, None, tt_move, [None; 2], HistoryContext::NONE)
    }

    #[inline(always)] // it is large, and would otherwise be copied into place
    fn new(
        position: &Position,
        checks: Option<&'a Checks>,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        context: HistoryContext,
    ) -> Self {
        debug_assert!(tt_move.is_none_or(|mv| position.is_legal(mv)));
        Self {
            stage: Stage::TtMove,
            checks,
            tt_move,
            killers,
            context,
            moves: ArrayVec::new(),
            next: 0,
            bad_captures: ArrayVec::new(),
        }
    }

    /// Returns the next move, or `None` when all have been given out.
    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best_remaining() {
                    Some(mv) if self.captures_only() || position.exchange_gains(mv, 0) => return Some(mv),
                    Some(mv) => self.bad_captures.push(mv),
                    None if self.captures_only() => self.stage = Stage::Done,
                    None => self.stage = Stage::Killers(0),
                },
                Stage::Killers(index) => {
                    self.stage =
                        if index + 1 < self.killers.len() { Stage::Killers(index + 1) } else { Stage::GenerateQuiets };
                    let fresh =
                        |&mv: &Move| Some(mv) != self.tt_move && !position.is_capture(mv) && position.is_legal(mv);
                    self.killers[index] = self.killers[index].filter(fresh);
                    if self.killers[index].is_some() {
                        return self.killers[index];
                    }
                }
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, history);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best_remaining() {
                    Some(mv) if self.killers.contains(&Some(mv)) => {}
                    Some(mv) => return Some(mv),
                    None => {
                        self.bad_captures.reverse();
                        self.stage = Stage::BadCaptures;
                    }
                },
                Stage::BadCaptures => match self.bad_captures.pop() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Drops the remaining quiet moves except the `wanted` ones; has no effect before they are generated.
    pub(crate) fn restrict_quiets(&mut self, wanted: impl Fn(Move) -> bool) {
        if self.stage == Stage::Quiets {
            self.moves.drain(..self.next);
            self.next = 0;
            self.moves.retain(|scored| wanted(scored.mv()));
        }
    }

    /// Whether the exchange begun by the last move keeps material (SEE at least 0), if ordering had to find that out.
    pub(crate) fn see_holds(&self) -> Option<bool> {
        match self.stage {
            Stage::GoodCaptures if !self.captures_only() => Some(true),
            Stage::BadCaptures => Some(false),
            _ => None,
        }
    }

    /// Whether `mv` is one of the killer moves.
    pub(crate) fn is_killer(&self, mv: Move) -> bool {
        self.killers.contains(&Some(mv))
    }

    #[inline(never)] // otherwise the setup of the generator runs for every move that is given out
    fn generate_captures(&mut self, position: &Position, history: &History) {
        self.begin_group();
        position.for_captures(|from, targets| {
            for to in targets {
                let mv = Move::new(from, to);
                self.add(mv, capture_score(position, history, mv));
            }
        });
    }

    #[inline(never)] // as above
    fn generate_quiets(&mut self, position: &Position, history: &History) {
        let Some(checks) = self.checks else { return };
        let (context, threats) = (self.context, position.threats());
        self.begin_group();
        position.for_quiets(|from, targets| {
            let Some(piece) = position.piece_on(from) else { return };
            let (attacks_king, is_special) = (checks.squares_of(piece.kind()), checks.is_special(from));
            let threatened = threats.to(piece.kind());
            let escape = if threatened.has(from) { params::order_escape() } else { 0 };
            let past = history.quiets_of(piece, from, &context);
            for to in targets {
                let mv = Move::new(from, to);
                let gives_check = if is_special { position.gives_check(mv) } else { attacks_king.has(to) };
                let check = if gives_check { params::order_check() } else { 0 };
                let exposed = if threatened.has(to) { params::order_exposed() } else { 0 };
                self.add(mv, past.score(to) + check + escape - exposed);
            }
        });
    }

    fn captures_only(&self) -> bool {
        self.checks.is_none()
    }

    fn begin_group(&mut self) {
        self.moves.clear();
        self.next = 0;
    }

    fn add(&mut self, mv: Move, score: i32) {
        if Some(mv) != self.tt_move {
            self.moves.push(Scored::new(mv, score));
        }
    }

    /// Removes and returns the best remaining move: one step of a selection sort, since few lists are used up.
    fn best_remaining(&mut self) -> Option<Move> {
        let rest = &mut self.moves[self.next..];
        let best = rest.iter().fold(i32::MIN, |best, scored| best.max(scored.0));
        // All scores differ, and without an early exit the compiler compares several at once.
        let numbered = rest.iter().zip(0u32..);
        let index = numbered.map(|(scored, index)| if scored.0 == best { index } else { 0 }).fold(0, BitOr::bitor);
        let first = *rest.first()?;
        rest[index as usize] = first;
        self.next += 1;
        Some(Scored(best).mv())
    }
}

/// Returns the ordering score of a capture: value of the victim plus capture history.
fn capture_score(position: &Position, history: &History, mv: Move) -> i32 {
    let delta = position.delta(mv);
    let victim = delta.captured.map_or(Kind::King, Piece::kind);
    params::order_victim() * exchange_value(victim) + history.capture(delta, victim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::random_games_in;
    use crate::splitmix::SplitMix64;

    #[test]
    fn late_quiets_can_be_restricted_and_keep_their_order() {
        let position = Position::start();
        let (history, checks) = (History::empty(), position.checks());
        let picker = || Picker::all(&position, &checks, None, [None; 2], HistoryContext::NONE);
        let rest =
            |mut picker: Picker| -> Vec<Move> { std::iter::from_fn(|| picker.next(&position, &history)).collect() };
        let forward = |mv: Move| mv.to().rank() > mv.from().rank();
        let (mut all, mut restricted) = (picker(), picker());
        for _ in 0..5 {
            assert_eq!(all.next(&position, &history), restricted.next(&position, &history));
        }
        restricted.restrict_quiets(forward);
        let wanted: Vec<Move> = rest(all).into_iter().filter(|&mv| position.is_capture(mv) || forward(mv)).collect();
        assert_eq!(rest(restricted), wanted);
        assert!(wanted.len() > 10, "{wanted:?}");
    }

    /// Returns the quiet moves of a position in their order, without any history.
    fn quiets(fen: &str) -> (Position, Vec<Move>) {
        let position = Position::from_fen(fen).unwrap();
        let (history, checks) = (History::empty(), position.checks());
        let mut picker = Picker::all(&position, &checks, None, [None; 2], HistoryContext::NONE);
        let moves = std::iter::from_fn(|| picker.next(&position, &history));
        let quiets = moves.filter(|&mv| !position.is_capture(mv)).collect();
        (position, quiets)
    }

    #[test]
    fn checks_come_early() {
        let (position, order) = quiets("3k5/9/9/9/9/9/9/9/9/R3K4 w");
        assert!(position.gives_check(order[0]) && position.gives_check(order[1]), "{order:?}");
        assert!(!order[2..].iter().any(|&mv| position.gives_check(mv)), "{order:?}");
    }

    #[test]
    fn a_cannon_that_nothing_parts_from_the_king_checks_by_no_step_towards_it() {
        let (position, order) = quiets("4k4/9/9/9/4C4/9/9/9/9/R2K5 w");
        assert!(position.gives_check(order[0]) && order[0] == "a0a9".parse().unwrap(), "{order:?}");
        assert!(order[1..].is_sorted_by_key(|mv| std::cmp::Reverse(mv.bits())), "none before the others: {order:?}");
    }

    #[test]
    fn a_discovered_check_comes_early_too() {
        let (position, order) = quiets("4k4/9/9/9/4N4/9/9/9/9/3KR4 w");
        let count = order.iter().filter(|&&mv| position.gives_check(mv)).count();
        assert!(count > 4 && order[..count].iter().all(|&mv| position.gives_check(mv)), "{order:?}");
    }

    #[test]
    fn threatened_pieces_move_first_and_moves_into_attacks_come_last() {
        let horse = "e4".parse().unwrap();
        let (_, order) = quiets("3k5/9/9/9/4p4/4N4/9/9/9/R3K4 w");
        assert_eq!(order[0].from(), horse, "{order:?}");
        let (_, order) = quiets("3k5/9/9/9/4p4/R8/9/9/9/4K4 w");
        assert_eq!(order[order.len() - 1], "a4e4".parse().unwrap(), "{order:?}");
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let history = History::empty();
        let mut random = SplitMix64::new(12);
        for variant in Variant::ALL {
            random_games_in(variant, 13, if cfg!(miri) { 0 } else { 10 }, |position| {
                let moves = position.legal_moves();
                let mut some = || (!moves.is_empty()).then(|| random.pick(&moves));
                let (first, second) = (some(), some());
                let killers = [first, second.filter(|_| first != second)];
                let checks = position.checks();
                let mut picker = Picker::all(position, &checks, some(), killers, HistoryContext::NONE);
                let mut picked: Vec<_> =
                    std::iter::from_fn(|| picker.next(position, &history)).map(Move::bits).collect();
                let mut expected: Vec<_> = moves.iter().map(|mv| mv.bits()).collect();
                picked.sort_unstable();
                expected.sort_unstable();
                assert_eq!(picked, expected, "{}", position.to_fen());
            });
        }
    }

    #[test]
    fn the_tt_move_comes_first_and_losing_captures_last() {
        let position = Position::start();
        let tt_move = "c3c4".parse().unwrap();
        let checks = position.checks();
        let mut picker = Picker::all(&position, &checks, Some(tt_move), [None; 2], HistoryContext::NONE);
        let history = History::empty();
        let order: Vec<Move> = std::iter::from_fn(|| picker.next(&position, &history)).collect();
        assert_eq!(order[0], tt_move);
        let mut last: Vec<String> = order[42..].iter().map(Move::to_string).collect();
        last.sort();
        assert_eq!(last, ["b2b9", "h2h9"]); // a cannon for a horse
    }
}
