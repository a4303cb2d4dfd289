//! Games and moves as the engine may have read them: in each base in which it may count ranks.

use std::rc::Rc;

use chuhe::board::{Move, MoveText, Position, RankBase};
use chuhe::engine::event::{Dialect, GameText, WrittenMove};

use super::{State, push_new};

impl State {
    /// Returns the state once for each base in which the engine may count ranks.
    pub(super) fn in_each_base(self) -> Vec<Self> {
        let bases: &[RankBase] = match (self.options.rank_base, self.dialect) {
            (Some(RankBase::Zero), _) => &[RankBase::Zero],
            (Some(RankBase::One), _) => &[RankBase::One],
            // UCCI counts from 0 unless proven otherwise.
            (None, Dialect::Ucci) if !self.from_one => &[RankBase::Zero],
            (None, _) => &[RankBase::Zero, RankBase::One],
        };
        bases.iter().map(|&base| Self { base, ..self.clone() }).collect()
    }

    /// Returns the state once for each base that these moves may have revealed.
    pub(super) fn shown(mut self, moves: &[MoveText]) -> Vec<Self> {
        self.from_one |= moves.iter().any(|mv| mv.read(RankBase::Zero).is_none());
        self.in_each_base()
    }

    pub(super) fn set(self, text: &GameText) -> Vec<Self> {
        let start = text.start.in_variant(self.options.variant);
        let states = Self { history: Rc::new(start.into_iter().collect()), banned: Vec::new(), ..self };
        states.played(&text.moves)
    }

    /// Returns the states after the moves, as far as legal, in each base in which they may have been read.
    fn played(self, moves: &[WrittenMove]) -> Vec<Self> {
        // Moves that are legal only in the other base are read in it, whatever the engine's own base is.
        let read_in = self.options.rank_base.map_or(vec![RankBase::Zero, RankBase::One], |base| vec![base]);
        let in_base = |base: RankBase| {
            let mut history = (*self.history).clone();
            for mv in moves {
                let Some(&position) = history.last() else { break };
                let mv = match mv {
                    WrittenMove::Coordinates(mv) => mv.read(base).filter(|&mv| position.is_legal(mv)),
                    WrittenMove::Named(mv) => mv.read(&position).ok(),
                };
                let Some(mv) = mv else { break };
                history.push(position.play(mv));
            }
            history
        };
        // A base is possible if all moves are legal in it; if none is, the engine's own base applies.
        let whole = self.history.len() + moves.len();
        let mut lines: Vec<Vec<Position>> =
            read_in.into_iter().map(in_base).filter(|line| line.len() == whole).collect();
        if lines.is_empty() {
            lines.push(in_base(self.base));
        }
        let mut states = Vec::new();
        for history in lines {
            let state = Self { history: Rc::new(history), ..self.clone() };
            let shown: Vec<MoveText> = moves.iter().filter_map(WrittenMove::in_coordinates).collect();
            state.shown(&shown).into_iter().for_each(|state| push_new(&mut states, state));
        }
        states
    }

    pub(super) fn play_on(self, mv: MoveText) -> Vec<Self> {
        let before = self.history.len();
        let lift = |state: Self| {
            let banned = if state.history.len() > before { Vec::new() } else { state.banned };
            Self { banned, ..state }
        };
        self.played(&[mv.into()]).into_iter().map(lift).collect()
    }

    /// Returns the possible readings of moves in the current position.
    ///
    /// These are the one in the engine's base and, if all moves are legal there, the one in the other base.
    pub(super) fn meanings(&self, moves: &[MoveText]) -> Vec<Vec<Move>> {
        let read = |base| -> Vec<Move> { moves.iter().filter_map(|mv| mv.read(base)).collect() };
        let mut meanings = vec![read(self.base)];
        let other = read(self.base.other());
        let fits = |position: &Position| other.len() == moves.len() && other.iter().all(|&mv| position.is_legal(mv));
        if self.options.rank_base.is_none() && !moves.is_empty() && self.history.last().is_some_and(fits) {
            meanings.push(other);
        }
        meanings
    }
}
