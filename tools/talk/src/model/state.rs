//! A possible state of the engine, with games and moves as it may have read them: in each base in which it may count ranks.

use std::fmt;
use std::rc::Rc;

use chuhe::board::{Move, MoveText, Position, RankBase};
use chuhe::engine::event::{Dialect, GameText, WrittenMove};
use chuhe::engine::options::Options;

use crate::search::{Search, Stage};

/// A possible state of the engine.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State {
    /// Number of commands read in order.
    pub(super) read: usize,
    /// Indices of later commands that were read ahead of others.
    pub(super) ahead: Vec<usize>,
    /// Whether the end of the input has been noticed during a search, ahead of commands that wait.
    pub(super) input_has_ended: bool,
    pub(super) phase: Phase,
    /// Reply that has to come next.
    pub(super) due: Option<Due>,
    pub(super) dialect: Dialect,
    pub(super) options: Rc<Options>,
    /// Positions of the game, oldest first; empty if the last `position` was invalid.
    pub(super) history: Rc<Vec<Position>>,
    pub(super) banned: Vec<Move>,
    pub(super) base: RankBase,
    /// Whether a move was written that exists only if ranks count from 1.
    pub(super) from_one: bool,
    /// Whether a search has been answered and no other has begun since.
    pub(super) has_answered: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Phase {
    /// No greeting yet.
    Boot,
    Idle,
    Busy(Rc<Search>),
    /// `quit` or the end of the input has been read.
    Over,
}

/// A reply that has to come next.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Due {
    Introduction,
    Ready,
    /// The transposition table's entry for the position of a `probe`, if there is one.
    Probe(Option<Box<Position>>),
    /// Answer to a `stop` without a search.
    NoBestMove,
    /// Lines of the position, from this index on.
    Board(usize),
    /// Note that there is no position to show.
    Note,
    Bye,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boot => f.write_str("not greeted"),
            Self::Idle => f.write_str("idle"),
            Self::Busy(search) => {
                write!(f, "{:?}, ends {:?}, {} moves", search.stage, search.end, search.allowed.len())
            }
            Self::Over => f.write_str("at its end"),
        }
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Introduction => "an introduction",
            Self::Ready => "readyok",
            Self::Probe(_) => "the table's entry",
            Self::NoBestMove => "nobestmove",
            Self::Board(_) => "the position",
            Self::Note => "that there is no position",
            Self::Bye => "bye",
        })
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            read: 0,
            ahead: Vec::new(),
            input_has_ended: false,
            phase: Phase::Boot,
            due: None,
            dialect: Dialect::default(),
            options: Rc::default(),
            history: Rc::new(vec![Position::start()]),
            banned: Vec::new(),
            base: RankBase::Zero,
            from_one: false,
            has_answered: false,
        }
    }
}

/// Adds a state unless it is there already.
pub(super) fn push_new(states: &mut Vec<State>, state: State) {
    if !states.contains(&state) {
        states.push(state);
    }
}

impl State {
    pub(super) fn describe(&self) -> String {
        let fen = self.history.last().map_or("no position".to_owned(), Position::to_fen);
        let due = self.due.as_ref().map(|due| format!(", owes {due}")).unwrap_or_default();
        format!("{}{due}, {:?}, base {:?}, {} read, {fen}", self.phase, self.dialect, self.base, self.read)
    }

    /// Whether the input has ended during a search that ends only by its own limit.
    pub(super) fn is_ending_slowly(&self) -> bool {
        matches!(&self.phase, Phase::Busy(search) if search.stage == Stage::LastWords)
    }

    pub(super) fn answered(&self, stage: Stage) -> Self {
        let idle = Self { phase: Phase::Idle, has_answered: true, ..self.clone() };
        if stage == Stage::LastWords { idle.over() } else { idle }
    }

    pub(super) fn over(self) -> Self {
        let owes = self.dialect == Dialect::Ucci && self.phase != Phase::Boot;
        Self { phase: Phase::Over, due: owes.then_some(Due::Bye), ..self }
    }

    /// Game before its first move.
    pub(super) fn start(&self) -> Vec<Position> {
        Position::start().in_variant(self.options.variant).into_iter().collect()
    }

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
