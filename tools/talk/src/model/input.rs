//! Lines of the user: the order in which they are read, and their effects.

use std::ffi::OsStr;
use std::rc::Rc;

use chuhe::board::{Move, Position};
use chuhe::engine::event::{Command, Dialect, Fault, Go, View};

use super::state::{Due, Phase, State, push_new};
use crate::search::{End, Search, Stage};

/// Input of the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// A command, as parsed by the engine's reader.
    Command(Box<Command>),
    /// An invalid line.
    Fault(Fault),
    /// The end of the input.
    EndOfInput,
}

impl From<Result<Command, Fault>> for Input {
    fn from(line: Result<Command, Fault>) -> Self {
        line.map_or_else(Self::Fault, |command| Self::Command(Box::new(command)))
    }
}

impl State {
    /// Returns the states after the next command, if it may be read before further output.
    pub(super) fn read_on(&self, input: &[Input]) -> Vec<Self> {
        if self.due.is_some() || self.phase == Phase::Over {
            return vec![];
        }
        if let Phase::Busy(search) = &self.phase
            && (search.stage == Stage::Pondering || search.stage == Stage::Thinking && !search.is_bounded)
        {
            if self.input_has_ended {
                // Searches that do not end by themselves are stopped at once.
                return self.clone().execute(&Command::Stop);
            }
            if self.options.batch {
                return self.read_awaited(search, input);
            }
        }
        if let Phase::Busy(search) = &self.phase
            && self.queues()
            && matches!(search.stage, Stage::Pondering | Stage::Thinking)
        {
            return self.read_quit_early(input).into_iter().chain(self.read_word(search, input)).collect();
        }
        self.read_quit_early(input).into_iter().chain(self.read_in_order(input)).collect()
    }

    /// Returns the states after the next command in the order of the input.
    fn read_in_order(&self, input: &[Input]) -> Vec<Self> {
        let read = (self.read..).find(|at| !self.ahead.contains(at)).expect("only a few were read before their turn");
        let Some(input) = input.get(read) else { return vec![] };
        let next = Self { read: read + 1, ..self.clone() };
        let quits = matches!(input, Input::Command(command) if **command == Command::Quit);
        if let Phase::Busy(search) = &self.phase {
            // In batch mode commands wait for a search that ends by itself; after `stop` they wait for the answer.
            let in_batch = self.options.batch && search.is_bounded && search.stage == Stage::Thinking;
            if in_batch || matches!(search.stage, Stage::Stopped | Stage::LastWords) {
                let may_pass = match input {
                    _ if in_batch => false,
                    // UCCI gives no answer after `quit`.
                    Input::Command(_) if quits && self.dialect == Dialect::Ucci => return vec![next.over()],
                    Input::Command(_) if quits => {
                        let search = search.at(Stage::LastWords);
                        return vec![Self { phase: Phase::Busy(Rc::new(search)), ..next }];
                    }
                    // A command that crosses the answer is meant for this search or for none.
                    Input::Command(command) => matches!(**command, Command::Stop | Command::PonderHit { .. }),
                    Input::Fault(_) | Input::EndOfInput => false,
                };
                return if may_pass { vec![next] } else { vec![] };
            }
        }
        match input {
            _ if quits => vec![next.over()],
            Input::Command(command) => next.execute(command),
            Input::Fault(fault) => vec![next.ignore_fault(fault)],
            Input::EndOfInput => vec![next.end_input()],
        }
    }

    /// Whether commands wait for the end of a search as in UCI, where some are executed at once.
    fn queues(&self) -> bool {
        self.dialect == Dialect::Uci && !self.options.batch
    }

    /// Returns the states after the first command that UCI executes during a search, ahead of queued ones.
    fn read_word(&self, search: &Search, input: &[Input]) -> Vec<Self> {
        let unread: Vec<usize> = (self.read..input.len()).filter(|at| !self.ahead.contains(at)).collect();
        let is_word = |at: usize| match &input[at] {
            Input::Command(command) => match **command {
                Command::Stop | Command::Quit | Command::IsReady | Command::Probe(_) | Command::Debug(_) => true,
                // After other commands it waits, since it may belong to a `go ponder` among them.
                Command::PonderHit { .. } => search.stage == Stage::Pondering || unread.first() == Some(&at),
                _ => false,
            },
            Input::Fault(fault) => !matches!(fault, Fault::BadPosition(_) | Fault::InPart(_)),
            Input::EndOfInput => search.stage == Stage::Pondering || !search.is_bounded,
        };
        let is_go = |at: usize| begins_search(&input[at]);
        let first_go = unread.iter().copied().find(|&at| is_go(at)).unwrap_or(input.len());
        let last_go = unread.iter().copied().rfind(|&at| is_go(at)).unwrap_or(0);
        // A `stop` after another `go` belongs to that `go` if it was deferred while the previous search ended, and to the
        // current search if it was read while this was running.
        let is_for_another = |at: usize| at > first_go && ends_search(&input[at]);
        let words = || unread.iter().copied().filter(|&at| is_word(at));
        let mut ats: Vec<usize> = words().find(|&at| !is_for_another(at)).into_iter().collect();
        ats.extend(words().find(|&at| is_for_another(at)));
        ats.extend(words().find(|&at| is_for_another(at) && at > last_go));
        ats.dedup();
        ats.into_iter().flat_map(|at| self.after_word(search, at, &input[at])).collect()
    }

    /// Returns the states after a command that the search receives ahead of queued ones.
    fn after_word(&self, search: &Search, at: usize, input: &Input) -> Vec<Self> {
        let mut next = self.clone();
        next.ahead.push(at);
        match input {
            Input::Command(command) if **command == Command::Quit => {
                vec![Self { phase: Phase::Busy(Rc::new(search.at(Stage::LastWords))), ..next }]
            }
            Input::Command(command) => next.execute(command),
            Input::Fault(fault) => vec![next.ignore_fault(fault)],
            // Commands before the end of the input are still executed in order.
            Input::EndOfInput => Self { input_has_ended: true, ..self.clone() }.execute(&Command::Stop),
        }
    }

    /// Returns the state after a `quit` that overtakes queued commands in UCI.
    ///
    /// The search is answered first. After its answer, commands that wait for its workers are no longer executed.
    fn read_quit_early(&self, input: &[Input]) -> Option<Self> {
        if !self.queues() {
            return None;
        }
        let quits = |input: &Input| matches!(input, Input::Command(command) if **command == Command::Quit);
        let at = (self.read..input.len()).find(|&at| quits(&input[at]) && !self.ahead.contains(&at))?;
        let mut next = self.clone();
        next.ahead.push(at);
        match &self.phase {
            Phase::Busy(search) if search.stage != Stage::LastWords && search.may_answer() => {
                next.phase = Phase::Busy(Rc::new(search.at(Stage::LastWords)));
                Some(next)
            }
            Phase::Idle if self.has_answered => Some(next.over()),
            _ => None,
        }
    }

    /// Returns the states after the first command that ends a search which does not end by itself, in batch mode.
    fn read_awaited(&self, search: &Search, input: &[Input]) -> Vec<Self> {
        let is_awaited = |input: &Input| match input {
            Input::Command(command) => match **command {
                Command::Stop | Command::Quit => true,
                Command::PonderHit { .. } => search.stage == Stage::Pondering,
                _ => false,
            },
            Input::Fault(_) => false,
            Input::EndOfInput => true,
        };
        let unread = (self.read..input.len()).filter(|at| !self.ahead.contains(at));
        let Some(at) = unread.into_iter().find(|&at| is_awaited(&input[at])) else { return vec![] };
        let mut next = self.clone();
        next.ahead.push(at);
        match &input[at] {
            Input::Command(command) if **command == Command::Quit => vec![next.over()],
            Input::Command(command) => next.execute(command),
            // Commands before the end of the input are still executed in order.
            Input::Fault(_) | Input::EndOfInput => {
                Self { input_has_ended: true, ..self.clone() }.execute(&Command::Stop)
            }
        }
    }

    fn end_input(self) -> Self {
        match &self.phase {
            Phase::Busy(search) => {
                let search = search.at(Stage::LastWords);
                Self { phase: Phase::Busy(Rc::new(search)), ..self }
            }
            _ => self.over(),
        }
    }

    fn ignore_fault(self, fault: &Fault) -> Self {
        match (&self.phase, fault) {
            (Phase::Boot | Phase::Idle, Fault::BadPosition(_)) => {
                Self { history: Rc::default(), banned: Vec::new(), ..self }
            }
            (Phase::Idle | Phase::Busy(_), Fault::BadProbe(_)) => Self { due: Some(Due::Probe(None)), ..self },
            _ => self,
        }
    }

    fn execute(self, command: &Command) -> Vec<Self> {
        match (&self.phase, command) {
            (Phase::Boot, Command::Position(text)) => self.set(text),
            // A search without a greeting implies UCI.
            (Phase::Boot, Command::Go(_)) => {
                let greeted = Self { phase: Phase::Idle, dialect: Dialect::Uci, ..self };
                greeted.in_each_base().into_iter().flat_map(|state| state.execute(command)).collect()
            }
            // UCCI forgets everything before the greeting except options.
            (Phase::Boot, Command::Handshake(Dialect::Ucci)) if *self.history != self.start() => {
                let history = Rc::new(self.start());
                Self { history, ..self }.execute(command)
            }
            (Phase::Boot | Phase::Idle, Command::Show(View::Board(_))) => {
                let due = if self.history.is_empty() { Due::Note } else { Due::Board(0) };
                vec![Self { due: Some(due), ..self }]
            }
            (Phase::Boot | Phase::Idle, Command::Handshake(dialect)) => {
                let due = Some(Due::Introduction);
                Self { phase: Phase::Idle, dialect: *dialect, due, from_one: false, ..self }.in_each_base()
            }
            (Phase::Boot | Phase::Idle, Command::SetOption { name, value }) => self.set_option(name, value),
            (_, Command::IsReady) => vec![Self { due: Some(Due::Ready), ..self }],
            (Phase::Idle, Command::Position(text)) => self.set(text),
            (Phase::Idle, Command::DoMove(mv)) => self.play_on(*mv),
            (Phase::Idle, Command::BanMoves(moves)) => {
                let banning = |state: Self| {
                    let meanings = state.meanings(moves).into_iter();
                    meanings.map(|banned| Self { banned, ..state.clone() }).collect::<Vec<_>>()
                };
                self.shown(moves).into_iter().flat_map(banning).collect()
            }
            (Phase::Idle, Command::Go(go)) => {
                let going = |state: Self| {
                    let meanings = state.meanings(&go.search_moves).into_iter();
                    meanings.map(|wanted| state.clone().go(go, &wanted)).collect::<Vec<_>>()
                };
                self.shown(&go.search_moves).into_iter().flat_map(going).collect()
            }
            (Phase::Idle, Command::Stop) if self.dialect == Dialect::Ucci => {
                vec![Self { due: Some(Due::NoBestMove), ..self }]
            }
            (Phase::Busy(search), Command::Stop) => {
                let search = search.at(Stage::Stopped);
                vec![Self { phase: Phase::Busy(Rc::new(search)), ..self }]
            }
            (Phase::Busy(search), Command::PonderHit { draw }) if search.stage == Stage::Pondering => {
                let search = search.ponder_hit(*draw);
                vec![Self { phase: Phase::Busy(Rc::new(search)), ..self }]
            }
            (Phase::Idle | Phase::Busy(_), Command::Probe(text)) => {
                let probed = self.clone().set(text);
                probed.into_iter().map(|other| self.owing_content(&other)).collect()
            }
            _ => vec![self],
        }
    }

    /// Returns this state with the answer to a `probe` due, for the position of another state.
    fn owing_content(&self, other: &Self) -> Self {
        let position = other.history.last().copied().map(Box::new);
        Self { due: Some(Due::Probe(position)), base: other.base, ..self.clone() }
    }

    fn set_option(self, name: &str, value: &OsStr) -> Vec<Self> {
        let mut options = (*self.options).clone();
        if options.set(name, value).is_err() {
            return vec![self];
        }
        let variant = options.variant;
        let options = Rc::new(options);
        if variant == self.options.variant {
            return Self { options, ..self }.in_each_base();
        }
        // The engine may have dropped irrelevant positions, so only the last is certain to be converted.
        let convert = |history: &[Position]| -> Vec<Position> {
            history.iter().map(|position| position.in_variant(variant)).collect::<Result<_, _>>().unwrap_or_default()
        };
        let last = self.history.len().saturating_sub(1);
        let mut states = Vec::new();
        for history in [convert(&self.history), convert(&self.history[last..])] {
            let options = Rc::clone(&options);
            let state = Self { options, history: Rc::new(history), ..self.clone() };
            state.in_each_base().into_iter().for_each(|state| push_new(&mut states, state));
        }
        states
    }

    fn go(self, go: &Go, wanted: &[Move]) -> Self {
        let root = self.history.last().copied();
        let is_ucci = self.dialect == Dialect::Ucci;
        let is_allowed = |mv: &Move| !self.banned.contains(mv) && (go.search_moves.is_empty() || wanted.contains(mv));
        let wants_a_move = !(is_ucci && go.limits.depth == Some(0));
        let searched = root.filter(|_| wants_a_move);
        let allowed: Vec<Move> =
            searched.map(|root| root.legal_moves().into_iter().filter(is_allowed).collect()).unwrap_or_default();
        let end = match () {
            () if go.is_bounded() || is_ucci && allowed.is_empty() => End::ByItself,
            () if is_ucci => End::WhenDecided,
            () => End::Never,
        };
        let search = Search::new(root, allowed, end, go);
        Self { phase: Phase::Busy(Rc::new(search)), has_answered: false, ..self }
    }
}

fn begins_search(input: &Input) -> bool {
    matches!(input, Input::Command(command) if matches!(**command, Command::Go(_) | Command::Perft { .. }))
}

fn ends_search(input: &Input) -> bool {
    matches!(input, Input::Command(command) if matches!(**command, Command::Stop | Command::PonderHit { .. }))
}
