//! Model of the dialogue: the lines that an engine may or must write in each state.
//!
//! A user who writes during a search cannot know whether a command is read before or after the answer. So the model keeps every
//! possible state of the engine, and each line of output leaves only the states that allow it. If no state is left, the line is
//! wrong. The number of commands read so far is part of a state, and is no larger than the output proves.

mod moves;
mod queue;
#[cfg(test)]
mod tests;

use std::fmt;
use std::rc::Rc;

use chuhe::board::{Move, Position, RankBase};
use chuhe::engine::event::{Command, Dialect, Fault, Go, View};
use chuhe::engine::options::Options;

use crate::reply::{BOARD, Reply, parse};
use crate::search::{End, Objection, Search, Stage, line};

/// Input of the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// A command, as parsed by the engine's reader.
    Command(Box<Command>),
    /// An invalid line.
    Fault(Fault),
    /// The end of the input.
    EndOfInput,
}

/// All states in which the engine may be.
#[derive(Clone, Debug)]
pub struct Model {
    said: Vec<Said>,
    states: Vec<State>,
}

/// A possible state of the engine.
#[derive(Clone, PartialEq, Debug)]
struct State {
    /// Number of commands read in order.
    read: usize,
    /// Indices of later commands that were read ahead of others.
    ahead: Vec<usize>,
    phase: Phase,
    /// Reply that has to come next.
    due: Option<Due>,
    dialect: Dialect,
    options: Rc<Options>,
    /// Positions of the game, oldest first; empty if the last `position` was invalid.
    history: Rc<Vec<Position>>,
    banned: Vec<Move>,
    base: RankBase,
    /// Whether a move was written that exists only if ranks count from 1.
    from_one: bool,
    /// Whether a search has been answered and no other has begun since.
    has_answered: bool,
}

#[derive(Clone, PartialEq, Debug)]
enum Phase {
    /// No greeting yet.
    Boot,
    Idle,
    Busy(Rc<Search>),
    /// `quit` or the end of the input has been read.
    Over,
}

/// A reply that has to come next.
#[derive(Clone, PartialEq, Debug)]
enum Due {
    Introduction,
    Ready,
    /// Table content for the position of a `probe`, if there is one.
    Known(Option<Box<Position>>),
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
            Self::Known(_) => "what the table knows",
            Self::NoBestMove => "nobestmove",
            Self::Board(_) => "the position",
            Self::Note => "that there is no position",
            Self::Bye => "bye",
        })
    }
}

impl Default for Model {
    fn default() -> Self {
        let state = State {
            read: 0,
            ahead: Vec::new(),
            phase: Phase::Boot,
            due: None,
            dialect: Dialect::default(),
            options: Rc::default(),
            history: Rc::new(vec![Position::start()]),
            banned: Vec::new(),
            base: RankBase::Zero,
            from_one: false,
            has_answered: false,
        };
        Self { said: Vec::new(), states: vec![state] }
    }
}

impl Model {
    /// Adds input of the engine, which may read it at any time from now on.
    pub fn tell(&mut self, said: Said) {
        self.said.push(said);
    }

    /// Processes a line of the engine.
    ///
    /// # Errors
    /// If no state allows the line; names one objection per kind of state.
    pub fn hear(&mut self, text: &[u8]) -> Result<(), Objection> {
        let readings = [Dialect::Ucci, Dialect::Uci].map(|dialect| parse(text, dialect));
        let mut after: Vec<State> = Vec::new();
        let mut objections: Vec<String> = Vec::new();
        let mut open = std::mem::take(&mut self.states);
        let mut seen = open.clone();
        while let Some(state) = open.pop() {
            let reply = match (state.dialect, &readings) {
                (Dialect::Ucci, [reply, _]) | (Dialect::Uci, [_, reply]) => reply,
            };
            let heard = reply.as_ref().map_err(Clone::clone).and_then(|reply| state.hear(reply));
            match heard {
                Ok(next) => {
                    let may_come_later = match reply {
                        Ok(Reply::BestMove { .. } | Reply::NoBestMove) => true,
                        Ok(Reply::Message(text)) => is_without_position(text),
                        _ => false,
                    };
                    push_new(&mut after, next);
                    // Commands can be read after this line just as well as before it, unless the line is an answer.
                    if !may_come_later {
                        continue;
                    }
                }
                Err(objection) => {
                    if !objections.contains(&objection) {
                        objections.push(objection);
                    }
                }
            }
            for next in state.read_on(&self.said) {
                if !seen.contains(&next) {
                    seen.push(next.clone());
                    open.push(next);
                }
            }
        }
        if after.is_empty() {
            self.states = seen;
            return Err(objections.join("; "));
        }
        self.states = after;
        Ok(())
    }

    /// Returns the states that can be reached without further output.
    fn reachable(&self) -> Vec<State> {
        let mut seen = self.states.clone();
        let mut at = 0;
        while at < seen.len() {
            for next in seen[at].read_on(&self.said) {
                push_new(&mut seen, next);
            }
            at += 1;
        }
        seen
    }

    /// Checks that the output may end here.
    ///
    /// # Errors
    /// If output is missing.
    pub fn end(&self) -> Result<(), Objection> {
        let states = self.reachable();
        let is_over = |state: &&State| state.phase == Phase::Over && state.due.is_none();
        match states.last() {
            _ if states.iter().any(|state| is_over(&state)) => Ok(()),
            Some(state) => Err(format!("it has ended {}", state.describe())),
            None => Err("it has ended".into()),
        }
    }

    /// Whether a search may be under way.
    pub fn may_be_busy(&self) -> bool {
        self.reachable().iter().any(|state| matches!(state.phase, Phase::Busy(_)))
    }

    /// Whether commands may have to wait until a search ends by itself.
    pub fn may_be_in_batch(&self) -> bool {
        self.reachable().iter().any(|state| state.options.batch || state.is_ending_slowly())
    }

    /// Describes the possible states for users.
    pub fn describe(&self) -> String {
        let states: Vec<String> = self.states.iter().take(4).map(State::describe).collect();
        format!("{} states: {}", self.states.len(), states.join(" | "))
    }
}

/// Whether a message is the answer to `probe`, for which UCI has no other form.
fn is_table_content(text: &str) -> bool {
    ["in the table to depth ", "nothing to probe: "].iter().any(|start| text.starts_with(start))
        || text == "not in the table"
}

/// Whether a message is the answer to `d` without a position.
fn is_without_position(text: &str) -> bool {
    text.starts_with("there is no position")
}

fn push_new(states: &mut Vec<State>, state: State) {
    if !states.contains(&state) {
        states.push(state);
    }
}

impl State {
    fn describe(&self) -> String {
        let fen = self.history.last().map_or("no position".to_owned(), Position::to_fen);
        let due = self.due.as_ref().map(|due| format!(", owes {due}")).unwrap_or_default();
        format!("{}{due}, {:?}, base {:?}, {} read, {fen}", self.phase, self.dialect, self.base, self.read)
    }

    /// Whether the input has ended during a search that ends only by its own limit.
    fn is_ending_slowly(&self) -> bool {
        matches!(&self.phase, Phase::Busy(search) if search.stage == Stage::LastWords)
    }

    /// Returns the state after a line of output, if this state allows the line.
    fn hear(&self, reply: &Reply) -> Result<Self, Objection> {
        match (&self.due, reply) {
            (Some(Due::Note), Reply::Message(text)) if is_without_position(text) => {
                return Ok(Self { due: None, ..self.clone() });
            }
            (_, Reply::Message(_)) if self.phase == Phase::Boot => return Err("a word before the greeting".into()),
            (due, Reply::Message(text)) if self.dialect == Dialect::Uci && is_table_content(text) => {
                return match due {
                    Some(Due::Known(_)) => Ok(Self { due: None, ..self.clone() }),
                    _ => Err("an answer to no probe".into()),
                };
            }
            (None, Reply::Message(_)) if self.phase == Phase::Over => return Err("a word after the end".into()),
            (None | Some(Due::Ready | Due::Known(_) | Due::Bye), Reply::Message(_)) => return Ok(self.clone()),
            (Some(due), reply) => return self.settle(due, reply),
            (None, _) => {}
        }
        match &self.phase {
            Phase::Busy(search) => self.hear_busy(search, reply),
            phase => Err(format!("{reply:?} from an engine that is {phase}")),
        }
    }

    /// Returns the state after a line of output, if it matches the reply that is due.
    fn settle(&self, due: &Due, reply: &Reply) -> Result<Self, Objection> {
        let settled = || Ok(Self { due: None, ..self.clone() });
        match (due, reply) {
            (Due::Introduction, Reply::Id | Reply::Option(_)) => Ok(self.clone()),
            (Due::Introduction, Reply::Greeted)
            | (Due::Ready, Reply::Ready)
            | (Due::NoBestMove, Reply::NoBestMove)
            | (Due::Bye, Reply::Bye) => settled(),
            (Due::Board(at), Reply::Board(label)) if BOARD[*at] == *label => {
                let due = (at + 1 < BOARD.len()).then_some(Due::Board(at + 1));
                Ok(Self { due, ..self.clone() })
            }
            (Due::Known(position), Reply::Known(best)) => {
                if let Some(best) = best {
                    let position = position.as_ref().ok_or("a move without a position")?;
                    line(position, std::slice::from_ref(best), self.base)?;
                }
                settled()
            }
            (due, _) => Err(format!("{due} is due")),
        }
    }

    fn hear_busy(&self, search: &Search, reply: &Reply) -> Result<Self, Objection> {
        let mut search = search.clone();
        match reply {
            Reply::Progress(progress) => search.progress(progress, &self.options, self.dialect, self.base)?,
            Reply::Cost(cost) => search.cost(*cost)?,
            Reply::CurrentMove(mv) | Reply::Book(mv) => {
                search.root_line(std::slice::from_ref(mv), self.base)?;
            }
            Reply::Refutation(line) if self.options.shows_refutations => {
                search.root_line(line, self.base)?;
            }
            Reply::CurrentLine(line) if self.options.shows_current_line => {
                search.root_line(line, self.base)?;
            }
            Reply::Static(_) if search.allowed.is_empty() => {}
            Reply::BestMove { best, ponder, closing } => {
                search.answer(best, ponder.as_deref(), *closing, &self.options, self.base)?;
                return Ok(self.answered(search.stage));
            }
            Reply::NoBestMove => {
                search.no_answer()?;
                return Ok(self.answered(search.stage));
            }
            other => return Err(format!("{other:?} is not for a search")),
        }
        Ok(Self { phase: Phase::Busy(Rc::new(search)), ..self.clone() })
    }

    fn answered(&self, stage: Stage) -> Self {
        let idle = Self { phase: Phase::Idle, has_answered: true, ..self.clone() };
        if stage == Stage::LastWords { idle.over() } else { idle }
    }

    fn over(self) -> Self {
        let owes = self.dialect == Dialect::Ucci && self.phase != Phase::Boot;
        Self { phase: Phase::Over, due: owes.then_some(Due::Bye), ..self }
    }

    /// Returns the states after the next command, if it may be read before further output.
    fn read_on(&self, said: &[Said]) -> Vec<Self> {
        if self.due.is_some() || self.phase == Phase::Over {
            return vec![];
        }
        if let Phase::Busy(search) = &self.phase
            && self.options.batch
            && (search.stage == Stage::Pondering || search.stage == Stage::Thinking && !search.is_bounded)
        {
            return self.read_awaited(search, said);
        }
        if let Phase::Busy(search) = &self.phase
            && self.queues()
            && matches!(search.stage, Stage::Pondering | Stage::Thinking)
        {
            return self.read_quit_early(said).into_iter().chain(self.read_word(search, said)).collect();
        }
        self.read_quit_early(said).into_iter().chain(self.read_in_order(said)).collect()
    }

    /// Returns the states after the next command in the order of the input.
    fn read_in_order(&self, said: &[Said]) -> Vec<Self> {
        let read = (self.read..).find(|at| !self.ahead.contains(at)).expect("only a few were read before their turn");
        let Some(said) = said.get(read) else { return vec![] };
        let next = Self { read: read + 1, ..self.clone() };
        let quits = matches!(said, Said::Command(command) if **command == Command::Quit);
        if let Phase::Busy(search) = &self.phase {
            // In batch mode commands wait for a search that ends by itself; after `stop` they wait for the answer.
            let in_batch = self.options.batch && search.is_bounded && search.stage == Stage::Thinking;
            if in_batch || matches!(search.stage, Stage::Stopped | Stage::LastWords) {
                let may_pass = match said {
                    _ if in_batch => false,
                    // UCCI gives no answer after `quit`.
                    Said::Command(_) if quits && self.dialect == Dialect::Ucci => return vec![next.over()],
                    Said::Command(_) if quits => {
                        let search = search.at(Stage::LastWords);
                        return vec![Self { phase: Phase::Busy(Rc::new(search)), ..next }];
                    }
                    // A command that crosses the answer is meant for this search or for none.
                    Said::Command(command) => matches!(**command, Command::Stop | Command::PonderHit { .. }),
                    Said::Fault(_) | Said::EndOfInput => false,
                };
                return if may_pass { vec![next] } else { vec![] };
            }
        }
        match said {
            _ if quits => vec![next.over()],
            Said::Command(command) => next.obey(command),
            Said::Fault(fault) => vec![next.overlook(fault)],
            Said::EndOfInput => vec![next.end_input()],
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

    fn overlook(self, fault: &Fault) -> Self {
        match (&self.phase, fault) {
            (Phase::Boot | Phase::Idle, Fault::BadPosition(_)) => {
                Self { history: Rc::default(), banned: Vec::new(), ..self }
            }
            (Phase::Idle | Phase::Busy(_), Fault::BadProbe(_)) => Self { due: Some(Due::Known(None)), ..self },
            _ => self,
        }
    }

    /// Game before its first move.
    fn start(&self) -> Vec<Position> {
        Position::start().in_variant(self.options.variant).into_iter().collect()
    }

    fn obey(self, command: &Command) -> Vec<Self> {
        match (&self.phase, command) {
            (Phase::Boot, Command::Position(text)) => self.set(text),
            // A search without a greeting implies UCI.
            (Phase::Boot, Command::Go(_)) => {
                let greeted = Self { phase: Phase::Idle, dialect: Dialect::Uci, ..self };
                greeted.in_each_base().into_iter().flat_map(|state| state.obey(command)).collect()
            }
            // UCCI forgets everything before the greeting except options.
            (Phase::Boot, Command::Handshake(Dialect::Ucci)) if *self.history != self.start() => {
                let history = Rc::new(self.start());
                Self { history, ..self }.obey(command)
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
                let search = search.hit(*draw);
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
        Self { due: Some(Due::Known(position)), base: other.base, ..self.clone() }
    }

    fn set_option(self, name: &str, value: &std::ffi::OsStr) -> Vec<Self> {
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
