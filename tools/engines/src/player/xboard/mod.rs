//! Version 2 of the XBoard protocol (CECP) as used by Xiangqi engines: the engine keeps the game and receives the moves.
//!
//! After H. G. Muller and T. Mann, "Chess Engine Communication Protocol". The notation is that of XBoard in Xiangqi, which
//! engines understand: ranks from 0, FENs with `h` and `e` and without fields for castling and en passant.

mod features;
mod post;

use std::time::Duration;

use chuhe::board::{Move, Position, Side};

use crate::player::dialect::{Announced, Dialect, GameState, LineKind, Thinking};
use crate::player::eval::{Eval, RawScore, SCORE_UNIT};
use crate::player::failure::{Failure, FailureClass};
use crate::player::info::{Info, Offer, Reply};
use crate::player::notation::{read_move, write_fen, write_move};
pub(crate) use features::{CORES, Features, MEMORY, is_done, is_feature};
use post::read_thinking;

use crate::player::spec::{PieceLetters, Quirks, RankBase, TimeControl};

/// Command to start a search.
const GO: &str = "go";

/// Features that affect the commands sent here.
const USED: [&str; 10] =
    ["ping", "setboard", "usermove", "time", "draw", "reuse", "variants", "memory", "smp", "option"];

pub(crate) struct Xboard {
    features: Features,
    options: Vec<Announced>,
    ranks: RankBase,
    /// Centipawns per score of 100.
    score_unit: u32,
    letters: PieceLetters,
    /// Start of the game on the engine's board, and the number of moves of the real game before it.
    start: Position,
    skipped: usize,
    /// Moves on the engine's board.
    moves: Vec<Move>,
    /// Whether the game on the engine's board is over for the engine.
    ended: bool,
    /// Move that the engine has played on its board, as it wrote it; not in `moves` yet.
    own_move: Option<String>,
    /// Question being searched.
    thinking: Option<Question>,
    /// Draw offer or resignation, which counts with the engine's next move.
    offer: Option<Offer>,
    /// Limits sent in this game.
    limits: Vec<String>,
    pings: u32,
}

/// A question to the engine.
struct Question {
    position: Position,
    /// Number of moves in the game so far.
    plies: usize,
    /// All commands between the position and `go`.
    terms: Vec<String>,
}

impl Xboard {
    /// Creates the protocol from the lines of a handshake.
    ///
    /// # Errors
    /// If the engine does not play Xiangqi.
    pub(crate) fn new(lines: &[String], quirks: &Quirks) -> Result<Self, Failure> {
        let features = Features::read(lines);
        let variants = features.get("variants").unwrap_or_default();
        if !variants.split(',').any(|variant| variant.trim() == "xiangqi") {
            let text = format!("it does not announce xiangqi among its variants, which are {variants:?}");
            return Err(Failure::new(FailureClass::NoHandshake, text));
        }
        Ok(Self {
            options: features.options(),
            features,
            ranks: quirks.ranks.unwrap_or(RankBase::Zero),
            score_unit: quirks.score_unit.unwrap_or(SCORE_UNIT),
            letters: quirks.letters.unwrap_or(PieceLetters::HorseElephant),
            start: Position::start(),
            skipped: 0,
            moves: Vec::new(),
            ended: false,
            own_move: None,
            thinking: None,
            offer: None,
            limits: Vec::new(),
            pings: 0,
        })
    }

    /// Adds the move that the engine has played on its own board.
    fn learn_own_move(&mut self) {
        let own = self.own_move.take().and_then(|text| read_move(&text, self.ranks));
        self.moves.extend(own);
    }

    /// Whether the game on the engine's board is the beginning of this one.
    fn follows(&self, state: &GameState) -> bool {
        let same_start = state.positions.get(self.skipped) == Some(&self.start);
        same_start && state.moves[self.skipped..].starts_with(&self.moves)
    }

    /// Begins a game on the engine's board with the position after `skipped` moves of the real game.
    fn begin_at(&mut self, position: &Position, skipped: usize) -> Result<Vec<String>, Failure> {
        let mut commands = self.new_game();
        self.skipped = skipped;
        if *position != self.start {
            self.start = *position;
            commands.push(self.set_board()?);
        }
        Ok(commands)
    }

    /// Sets up the start of the game on the engine's board, with its counter of quiet plies at 0 if real moves precede it.
    fn set_board(&self) -> Result<String, Failure> {
        if !self.features.has("setboard") {
            let text = "it has not announced setboard and cannot begin elsewhere than at the start of the game";
            return Err(Failure::new(FailureClass::ProtocolViolation, text));
        }
        let fen = write_fen(&self.start, self.letters);
        let mut fields: Vec<&str> = fen.split_whitespace().filter(|&field| field != "-").collect();
        if let Some(quiet_plies) = fields.get_mut(2).filter(|_| self.skipped > 0) {
            *quiet_plies = "0";
        }
        Ok(format!("setboard {}", fields.join(" ")))
    }

    fn write_user_move(&self, mv: Move) -> String {
        let mv = write_move(mv, self.ranks);
        if self.features.has("usermove") { format!("usermove {mv}") } else { mv }
    }

    /// Handles a resignation: at once during a search, otherwise with the next move.
    fn resigns(&mut self) -> LineKind {
        if self.thinking.take().is_some() {
            return LineKind::Answer(Reply { mv: None, ponder: None, offer: Some(Offer::Resign) });
        }
        self.offer = Some(Offer::Resign);
        LineKind::Other
    }

    /// Handles a claim of a result.
    fn claims(&mut self, line: &str) -> LineKind {
        let Some(question) = &self.thinking else {
            self.ended = true;
            return LineKind::Other;
        };
        match (line.split_whitespace().next(), question.position.side()) {
            (Some("1-0"), Side::Black) | (Some("0-1"), Side::Red) => self.resigns(),
            _ => self.ask_anew(line),
        }
    }

    /// Repeats the question to an engine that considers the game over. The referee disagrees, whose repetition rules may differ;
    /// without the moves that led to the position the engine has to play.
    fn ask_anew(&mut self, claim: &str) -> LineKind {
        let Some(question) = self.thinking.take().filter(|_| !self.moves.is_empty()) else {
            let text = format!("it claims a result instead of moving: {claim:.80}");
            return LineKind::Failed(Failure::new(FailureClass::ProtocolViolation, text));
        };
        match self.begin_at(&question.position, question.plies) {
            Ok(mut commands) => {
                commands.extend(question.terms.iter().cloned());
                commands.push(GO.to_owned());
                self.thinking = Some(question);
                LineKind::NeedsCommands(commands)
            }
            Err(failure) => LineKind::Failed(failure),
        }
    }

    fn moves_by(&mut self, text: &str) -> LineKind {
        self.thinking = None;
        self.own_move = Some(text.to_owned());
        LineKind::Answer(Reply { mv: Some(text.to_owned()), ponder: None, offer: self.offer.take() })
    }

    /// Whether a complaint is about something essential for the game: a move, a position, the `go` command.
    fn refuses(&self, complaint: &str) -> bool {
        let mut subject = complaint.split_once(':').map_or("", |(_, subject)| subject).split_whitespace();
        match subject.next() {
            Some("usermove" | "setboard" | "go") => true,
            Some(word) => read_move(word, self.ranks).is_some(),
            None => false,
        }
    }
}

impl Dialect for Xboard {
    fn greeting(&mut self) -> Vec<String> {
        let used = USED.iter().filter(|name| self.features.get(name).is_some());
        let mut commands: Vec<_> = used.map(|name| format!("accepted {name}")).collect();
        if self.features.has("san") {
            commands.push("rejected san".to_owned());
        }
        commands.extend(self.new_game());
        // `easy` turns pondering off.
        commands.extend(["easy", "post"].map(str::to_owned));
        commands
    }

    fn setting(&self, name: &str, value: &str) -> String {
        let is_check = |option: &Announced| option.name == name && option.definition.starts_with("type check");
        let value = match value {
            "true" if self.options.iter().any(is_check) => "1",
            "false" if self.options.iter().any(is_check) => "0",
            other => other,
        };
        match name {
            MEMORY | CORES => format!("{name} {value}"),
            _ if value.is_empty() => format!("option {name}"),
            _ => format!("option {name}={value}"),
        }
    }

    /// Unknown commands may crash an engine.
    fn sets_unannounced(&self) -> bool {
        false
    }

    fn ready_check(&mut self) -> Option<[String; 2]> {
        self.features.has("ping").then(|| {
            self.pings += 1;
            ["ping", "pong"].map(|word| format!("{word} {}", self.pings))
        })
    }

    fn new_game(&mut self) -> Vec<String> {
        self.start = Position::start();
        self.skipped = 0;
        self.moves.clear();
        self.ended = false;
        self.own_move = None;
        self.thinking = None;
        self.offer = None;
        self.limits.clear();
        ["new", "variant xiangqi", "force"].map(str::to_owned).to_vec()
    }

    fn plays_again(&self) -> bool {
        !self.features.lacks("reuse")
    }

    /// Sends the moves that the engine lacks, or the whole game if its board holds another one.
    fn position(&mut self, state: &GameState) -> Result<Vec<String>, Failure> {
        self.learn_own_move();
        let mut commands = vec!["force".to_owned()];
        if self.ended {
            commands = self.begin_at(state.position(), state.moves.len())?;
        } else if !self.follows(state) {
            commands = self.begin_at(&state.positions[0], 0)?;
        }
        let unknown = &state.moves[self.skipped + self.moves.len()..];
        commands.extend(unknown.iter().map(|&mv| self.write_user_move(mv)));
        self.moves.extend(unknown);
        Ok(commands)
    }

    fn before_go(&mut self, state: &GameState, limits: &TimeControl) -> Vec<String> {
        let limit_commands = say_limits(state, limits);
        let mut commands = Vec::new();
        if let Some(own) = state.own_clock().time.or(limits.move_time)
            && !self.features.lacks("time")
        {
            // The protocol cannot express that the other side has no clock; it gets this engine's time.
            let other = state.other_clock().time.unwrap_or(own);
            commands
                .extend([("time", own), ("otim", other)].map(|(word, time)| format!("{word} {}", centiseconds(time))));
        }
        if state.draw_offered && !self.features.lacks("draw") {
            commands.push("draw".to_owned());
        }
        let terms = [&limit_commands[..], &commands].concat();
        let known = self.limits == limit_commands;
        self.limits = limit_commands;
        self.thinking = Some(Question { position: *state.position(), plies: state.moves.len(), terms: terms.clone() });
        if known { commands } else { terms }
    }

    fn go(&self, _situation: &GameState, _limits: &TimeControl, _thinking: Thinking) -> String {
        GO.to_owned()
    }

    /// A result may follow the engine's move.
    fn may_say_more(&self) -> bool {
        self.own_move.is_some()
    }

    fn stop(&self) -> &'static str {
        "?"
    }

    fn read_move(&mut self, text: &str, _position: &Position) -> Option<Move> {
        read_move(text, self.ranks)
    }

    fn eval(&self, raw_score: RawScore) -> Eval {
        raw_score.eval(self.score_unit)
    }

    fn parse_line(&mut self, line: &str, info: &mut Info) -> LineKind {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["move", mv, ..] => self.moves_by(mv),
            ["offer", "draw", ..] => {
                self.offer = self.offer.or(Some(Offer::Draw));
                LineKind::Other
            }
            ["resign", ..] => self.resigns(),
            ["1-0" | "0-1" | "1/2-1/2", ..] => self.claims(line),
            ["Error", ..] | ["Illegal", "move" | "move:", ..] if self.refuses(line) => refused(line),
            ["tellusererror", "Illegal", "position", ..] => refused(line),
            _ if read_thinking(line, info) => LineKind::Info,
            _ => LineKind::Other,
        }
    }
}

/// Creates the failure of an engine that refuses a command, as the referee sends legal ones only.
fn refused(complaint: &str) -> LineKind {
    let text = format!("it refuses what is legal: {complaint:.80}");
    LineKind::Failed(Failure::new(FailureClass::ProtocolViolation, text))
}

/// Returns the commands for the limits of a whole game.
fn say_limits(state: &GameState, limits: &TimeControl) -> Vec<String> {
    let clock = limits.base.filter(|_| state.own_clock().time.is_some());
    let time = match (clock, limits.move_time) {
        (Some(base), _) => Some(level(limits.moves.unwrap_or(0), base, limits.increment)),
        (None, Some(time)) if time.subsec_nanos() == 0 => Some(format!("st {}", time.as_secs())),
        // `st` takes whole seconds. A session of one move follows the `time` command.
        (None, Some(time)) => Some(level(1, time, Duration::ZERO)),
        (None, None) => None,
    };
    time.into_iter().chain(limits.depth.map(|depth| format!("sd {depth}"))).collect()
}

/// Writes `level MOVES MINUTES:SECONDS INCREMENT`; the base is in whole seconds, at least one, and `time` is exact.
fn level(moves: u32, base: Duration, increment: Duration) -> String {
    let base = base.as_secs().max(1);
    format!("level {moves} {}:{:02} {}", base / 60, base % 60, increment.as_secs_f64())
}

fn centiseconds(time: Duration) -> u128 {
    time.as_millis() / 10
}

#[cfg(test)]
mod tests;
