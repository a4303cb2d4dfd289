//! Checks a conversation, both sides of it, against the protocol. In debug mode the engine repeats the commands that it has
//! understood, so its replies alone show the order of events, whatever the timing.

use std::collections::VecDeque;

use chuhe::board::{Move, MoveText, Position, RankBase, Variant};
use chuhe::engine::event::{Command, Dialect, GameText, Go, Reply, View, WrittenMove};

use super::talk::End;

/// Stand-in for every error text about an invalid position.
pub(crate) const NO_POSITION: &str = "that is not a position";

/// Protocol violation in a conversation.
type Objection = String;

fn ensure(holds: bool, objection: impl FnOnce() -> Objection) -> Result<(), Objection> {
    if holds { Ok(()) } else { Err(objection()) }
}

/// Checks all commands sent to the engine and all its replies, from the first command to its end.
///
/// # Errors
/// Returns the first violation of the protocol.
pub(crate) fn judge(said: Vec<Command>, mut replies: Vec<Reply>, end: End) -> Result<(), Objection> {
    let greets = |command: &Command| matches!(command, Command::Handshake(_) | Command::Go(_) | Command::Perft { .. });
    let greeted = said.iter().any(greets);
    let farewell = replies.pop_if(|reply| *reply == Reply::Bye);
    ensure(greeted == farewell.is_some(), || "the last word is a farewell if the first was a greeting".into())?;
    ensure(!replies.contains(&Reply::Bye), || "it spoke after its farewell".into())?;
    let mut replies = VecDeque::from(replies);
    Witness::new(said, &mut replies)?.read(replies, end)
}

/// Expected state of the engine while a conversation is read from its beginning.
#[derive(Clone)]
struct Witness {
    /// Commands that the engine has not yet repeated.
    said: VecDeque<Command>,
    dialect: Dialect,
    position: Option<Position>,
    banned: Vec<Move>,
    /// The position of the current `go`, and the moves that may answer it.
    asked: Option<(Option<Position>, Vec<Move>)>,
    /// Whether a perft is running, which `stop` ends as well.
    counting: bool,
    /// Whether a `stop` without a search waits for its answer.
    stopped: bool,
    /// Whether batch mode has been set, in which commands that end a search may overtake waiting ones.
    in_batch: bool,
}

impl Witness {
    /// Reads the replies before the first handshake, or before a search without one, which implies UCI. Only `readyok` for
    /// each `isready` and the board for each `d` are allowed.
    fn new(said: Vec<Command>, replies: &mut VecDeque<Reply>) -> Result<Self, Objection> {
        let mut said = VecDeque::from(said);
        let (mut dialect, mut in_batch) = (Dialect::Ucci, false);
        let mut position = Some(Position::start());
        let mut expect = |expected: fn(&Reply) -> bool| {
            let reply = replies.pop_front();
            ensure(reply.as_ref().is_some_and(expected), || format!("{reply:?} before the handshake"))
        };
        while let Some(command) = said.pop_front() {
            match command {
                Command::IsReady => expect(|reply| *reply == Reply::Ready)?,
                Command::Show(View::Board(_)) => {
                    expect(|reply| matches!(reply, Reply::Board { .. } | Reply::Message(_)))?;
                }
                Command::Handshake(spoken) => {
                    expect(|reply| *reply == Reply::Introduction)?;
                    dialect = spoken;
                    // In UCCI, a position before the handshake has no effect.
                    position = position.filter(|_| spoken == Dialect::Uci).or(Some(Position::start()));
                    break;
                }
                Command::Go(_) | Command::Perft { .. } => {
                    dialect = Dialect::Uci;
                    said.push_front(command);
                    break;
                }
                Command::Position(text) => position = position_of(&text),
                Command::SetOption { name, .. } => in_batch |= name.eq_ignore_ascii_case("batch"),
                _ => {}
            }
        }
        Ok(Self { said, dialect, position, banned: Vec::new(), asked: None, counting: false, stopped: false, in_batch })
    }

    /// Reads the replies to the end of the conversation.
    ///
    /// Of several equal words that overtake other input, a later one may be heard first: one that is read during a search is
    /// meant for it, one that has waited after another `go` for that. The echo does not tell which, so all are tried.
    fn read(mut self, mut replies: VecDeque<Reply>, end: End) -> Result<(), Objection> {
        while let Some(reply) = replies.pop_front() {
            match reply {
                Reply::Message(text) if text == NO_POSITION => {
                    self.ensure_idle("a position was taken")?;
                    (self.position, self.banned) = (None, Vec::new());
                }
                Reply::Message(text) if text.starts_with("debug: ") => {
                    let places = self.places(&text);
                    let Some((&last, others)) = places.split_last() else {
                        return Err(format!("{text:?} after the command {:?}", self.said.front()));
                    };
                    for &place in others {
                        let mut other = self.clone();
                        if other.follow(place, &replies).and_then(|()| other.read(replies.clone(), end)).is_ok() {
                            return Ok(());
                        }
                    }
                    self.follow(last, &replies)?;
                }
                Reply::BestMove { best, ponder, .. } => {
                    let (position, allowed) = self.answered()?;
                    ensure(allowed.contains(&best), || format!("{best} is not among {allowed:?}"))?;
                    let line = [Some(best), ponder].into_iter().flatten();
                    ensure_legal(position, line)?;
                }
                Reply::AllLeaves(_) => self.counting = false,
                Reply::NoBestMove if self.stopped => self.stopped = false,
                Reply::NoBestMove => {
                    let (_, allowed) = self.answered()?;
                    ensure(allowed.is_empty(), || format!("there were moves to play: {allowed:?}"))?;
                }
                Reply::Info(info) => {
                    let (position, allowed) = self.asked.as_ref().ok_or("a report of no search")?;
                    let line = info.iteration.pv;
                    let begins_well = line.first().is_none_or(|mv| allowed.contains(mv));
                    ensure(begins_well, || format!("{line:?} does not begin with any of {allowed:?}"))?;
                    ensure_legal(*position, line)?;
                }
                _ => {}
            }
        }
        self.ends(end)
    }

    fn ends(&self, end: End) -> Result<(), Objection> {
        // In batch mode `quit` overtakes commands that wait for an endless search; in UCI it overtakes all waiting commands.
        let ends_at_once = end == End::Quit && self.dialect == Dialect::Ucci;
        let may_lack_echo = end == End::Quit && (!ends_at_once || self.in_batch && self.asked.is_some());
        ensure(self.said.is_empty() || may_lack_echo, || format!("not echoed: {:?}", self.said))?;
        ensure(ends_at_once || self.asked.is_none(), || "a question was not answered".into())?;
        ensure(!self.stopped, || "an idle stop was not answered".into())
    }

    fn ensure_idle(&self, what: &str) -> Result<(), Objection> {
        ensure(self.asked.is_none(), || format!("{what} during a search"))
    }

    /// Takes the search that is answered now.
    fn answered(&mut self) -> Result<(Option<Position>, Vec<Move>), Objection> {
        self.asked.take().ok_or_else(|| "an answer to no question".into())
    }

    /// Handles the echo of the command in this place, which the engine then obeys or ignores.
    fn follow(&mut self, place: usize, replies: &VecDeque<Reply>) -> Result<(), Objection> {
        let command = self.said.remove(place).expect("a place of a command");
        if replies.front() == Some(&Reply::Message("ignored in this state".to_owned())) {
            return Ok(());
        }
        match command {
            Command::Handshake(dialect) => {
                self.ensure_idle("a handshake was answered")?;
                ensure(replies.front() == Some(&Reply::Introduction), || "no introduction".into())?;
                self.dialect = dialect;
            }
            Command::SetOption { name, .. } => self.in_batch |= name.eq_ignore_ascii_case("batch"),
            Command::IsReady => ensure(replies.contains(&Reply::Ready), || "isready was not answered".into())?,
            Command::Position(text) => {
                self.ensure_idle("a position was taken")?;
                self.set(&text);
            }
            Command::DoMove(mv) => {
                self.ensure_idle("a move was played")?;
                if let Some(next) = self.position.and_then(|position| play(&position, mv)) {
                    (self.position, self.banned) = (Some(next), Vec::new());
                }
            }
            Command::BanMoves(moves) => {
                self.ensure_idle("moves were forbidden")?;
                self.banned = moves.into_iter().filter_map(read).collect();
            }
            Command::Go(go) => {
                self.ensure_idle("another search began")?;
                self.asked = Some((self.position, self.allowed(&go)));
            }
            Command::Perft { .. } => {
                self.ensure_idle("a count began")?;
                self.counting = true;
            }
            Command::Stop => {
                let is_idle = self.asked.is_none() && !self.counting;
                self.stopped = is_idle && self.dialect == Dialect::Ucci;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the places of the command that the engine may repeat: the next one or, in UCI and in batch mode, one that may
    /// overtake it.
    fn places(&self, echo: &str) -> Vec<usize> {
        if self.said.front().is_some_and(|next| is_echo_of(echo, next)) {
            return vec![0];
        }
        let is_uci = self.dialect == Dialect::Uci;
        let is_word = |command: &Command| match command {
            Command::Stop | Command::PonderHit { .. } | Command::Quit => true,
            Command::IsReady | Command::Probe(_) | Command::Debug(_) => is_uci,
            _ => false,
        };
        if !(is_uci || self.in_batch && self.asked.is_some()) {
            return vec![];
        }
        (0..self.said.len()).filter(|&at| is_word(&self.said[at]) && is_echo_of(echo, &self.said[at])).collect()
    }

    fn set(&mut self, text: &GameText) {
        (self.position, self.banned) = (position_of(text), Vec::new());
    }

    fn allowed(&self, go: &Go) -> Vec<Move> {
        // In UCCI, `go depth 0` asks for the static evaluation instead of a move.
        let is_search = self.dialect == Dialect::Uci || go.limits.depth != Some(0);
        let Some(position) = self.position.filter(|_| is_search) else { return Vec::new() };
        // Unreadable moves count as wanted, but match no legal move.
        let is_wanted =
            |mv| go.search_moves.is_empty() || go.search_moves.iter().any(|&wanted| read(wanted) == Some(mv));
        let is_allowed = |mv: &Move| !self.banned.contains(mv) && is_wanted(*mv);
        position.legal_moves().into_iter().filter(is_allowed).collect()
    }
}

/// Whether the message is the engine's echo of the command in debug mode.
fn is_echo_of(message: &str, command: &Command) -> bool {
    let Some(echo) = message.strip_prefix("debug: ") else { return false };
    let begins = |start: &str| echo.starts_with(start);
    match command {
        Command::Handshake(Dialect::Ucci) => echo == "ucci",
        Command::Handshake(Dialect::Uci) => echo == "uci",
        Command::IsReady => echo == "isready",
        Command::SetOption { .. } => begins("setoption "),
        Command::Debug(_) => begins("debug "),
        Command::Position(_) => begins("position "),
        Command::BanMoves(_) => begins("banmoves "),
        Command::Go(Go { ponder: false, .. }) => begins("go") && !begins("go ponder") && !begins("go perft"),
        Command::Go(_) => begins("go ponder"),
        Command::Perft { .. } => begins("go perft"),
        Command::Stop => echo == "stop",
        Command::PonderHit { .. } => begins("ponderhit"),
        Command::Probe(_) => begins("probe "),
        Command::DoMove(_) => begins("move "),
        Command::Show(_) => begins("show ") || echo == "help",
        Command::Flip => echo == "flip",
        Command::Terminal(_) => true,
        Command::Quit => echo == "quit",
    }
}

fn position_of(text: &GameText) -> Option<Position> {
    let mut position = text.start.in_variant(Variant::Standard).ok();
    for mv in &text.moves {
        let Some(next) = position.and_then(|position| play_written(&position, mv)) else { break };
        position = Some(next);
    }
    position
}

fn ensure_legal(position: Option<Position>, line: impl IntoIterator<Item = Move>) -> Result<(), Objection> {
    let mut position = position.ok_or("moves without a position")?;
    for mv in line {
        ensure(position.is_legal(mv), || format!("{mv} is not legal in {}", position.to_fen()))?;
        position = position.play(mv);
    }
    Ok(())
}

/// Reads a move; in all conversations, ranks are counted from 0.
fn read(mv: MoveText) -> Option<Move> {
    mv.read(RankBase::Zero)
}

fn play_written(position: &Position, mv: &WrittenMove) -> Option<Position> {
    match mv {
        WrittenMove::Coordinates(mv) => play(position, *mv),
        WrittenMove::Named(mv) => mv.read(position).ok().map(|mv| position.play(mv)),
    }
}

fn play(position: &Position, mv: MoveText) -> Option<Position> {
    read(mv).filter(|&mv| position.is_legal(mv)).map(|mv| position.play(mv))
}
