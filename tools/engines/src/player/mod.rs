//! Engines that are ready to play. Handles protocols and processes, not the rules of the game.

mod conversation;
mod dialect;
mod eval;
mod failure;
mod features;
mod handshake;
mod info;
mod judging;
mod notation;
mod opinion;
mod post;
mod spec;
mod ucci;
mod uci;
mod variation;
mod xboard;

use std::sync::Arc;

use chuhe::board::{Move, Position};
use chuhe::rules::RuleSet;
use dialect::Announced;
use regex::Regex;

pub use crate::process::Direction;
pub use conversation::{Thought, Watch};
pub use dialect::{Remaining, Situation};
pub use eval::Eval;
pub use failure::{Failure, FailureClass, Trouble};
pub use handshake::{Spin, announced_spins};
pub use info::{Info, Wish};
pub use judging::Telling;
pub use opinion::Opinion;
pub use spec::{
    ClockUnit, EngineSpec, Habits, PieceLetters, ProtocolChoice, RankBase, Restart, TimeControl, TimeControlError,
    Timeouts,
};

use conversation::Terms;
use handshake::{Connected, connect, tell_rules};

/// Callback for every line: the engine's name, the direction, the line.
pub type Log = Arc<dyn Fn(&str, Direction, &str) + Send + Sync>;

/// Failure of an engine to get ready: no handshake, a crash, a hang.
pub type StartFailure = Failure;

/// Protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// UCCI.
    Ucci,
    /// UCI.
    Uci,
    /// Version 2 of the XBoard protocol.
    Xboard,
}

impl Protocol {
    /// Returns the command that starts a conversation in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ucci => "ucci",
            Self::Uci => "uci",
            Self::Xboard => "xboard",
        }
    }

    /// Returns the protocol whose handshake this line ends, among those that can be guessed.
    fn greeted(line: &str) -> Option<Self> {
        match line.trim() {
            "ucciok" => Some(Self::Ucci),
            "uciok" => Some(Self::Uci),
            _ => None,
        }
    }
}

/// An engine. Its process is started and ended as failures and [`Restart`] require, and killed when this is dropped.
pub struct Player {
    spec: EngineSpec,
    log: Option<Log>,
    wanted: Option<Regex>,
    connected: Option<Connected>,
    /// Failure of the last process, if it failed.
    failure: Option<Failure>,
    /// Whether the process has played a game.
    has_played: bool,
}

impl Player {
    /// Creates an engine whose process is started by its first game; a failed start loses that game.
    pub fn new(spec: &EngineSpec, log: Option<Log>) -> Self {
        Self { spec: spec.clone(), log, wanted: None, connected: None, failure: None, has_played: false }
    }

    /// Keeps lines that match `lines` in [`Info::lines`].
    #[must_use]
    pub fn keeping(mut self, lines: Option<Regex>) -> Self {
        if let Some(connected) = &mut self.connected {
            connected.conversation.keep(lines.clone());
        }
        self.wanted = lines;
        self
    }

    /// Starts an engine and completes its handshake.
    ///
    /// # Errors
    /// If it cannot be started or does not answer.
    pub fn start(spec: &EngineSpec, log: Option<Log>) -> Result<Self, StartFailure> {
        let mut player = Self::new(spec, log);
        player.connect()?;
        Ok(player)
    }

    /// Returns the name from the specification.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Returns the specification.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Returns the protocol of the process, while there is one.
    pub fn protocol(&self) -> Option<Protocol> {
        self.connected.as_ref().map(|connected| connected.protocol)
    }

    /// Returns the announcement of the process, while there is one.
    pub fn announcement(&self) -> Option<Announcement> {
        let Connected { protocol, options, name, .. } = self.connected.as_ref()?;
        Some(Announcement { protocol: *protocol, name: name.clone(), options: options.clone() })
    }

    /// Returns peculiarities of the process: unannounced options, or a missing readiness check.
    pub fn notes(&self) -> &[String] {
        self.connected.as_ref().map_or(&[], |connected| &connected.notes)
    }

    /// Prepares for a game, with a new process where [`Restart`] requires one. Callers do this before every game.
    ///
    /// # Errors
    /// If the engine does not get ready.
    pub fn new_game(&mut self) -> Result<(), StartFailure> {
        let alive = self.connected.as_mut().is_some_and(|connected| connected.conversation.is_alive());
        let plays_again = self.plays_again();
        match (self.spec.restart, &self.failure) {
            // A kill from outside is not the engine's fault.
            (Restart::Off, Some(failure)) if failure.class != FailureClass::Killed => return Err(failure.clone()),
            (Restart::On, _) if self.has_played => self.end_process(),
            (Restart::Auto | Restart::Off, None) if self.has_played && !plays_again => self.end_process(),
            (Restart::Auto | Restart::Off | Restart::On, _) if !alive => self.connected = None,
            (Restart::Auto | Restart::Off | Restart::On, _) => {}
        }
        if self.connected.is_none() {
            self.connect()?;
        }
        let ready = self.talk(|connected, _| connected.conversation.new_game().map_err(Trouble::from));
        self.has_played = true;
        ready.map_err(|trouble| match trouble {
            Trouble::Failed(failure) => failure,
            Trouble::Cancelled => Failure::new(FailureClass::Interrupted, "interrupted"),
        })
    }

    /// Ends the process with `quit`, or by force after a timeout.
    pub fn quit(mut self) {
        self.end_process();
    }

    /// Requests a move, on the engine's own time.
    ///
    /// # Errors
    /// If the engine fails, or the search is cancelled.
    pub fn think(&mut self, situation: &Situation, watch: Watch) -> Result<Thought, Trouble> {
        self.talk(|connected, spec| connected.conversation.think(situation, terms(spec), watch))
    }

    /// Lets the engine think on its opponent's time; `situation` is the predicted one.
    ///
    /// # Errors
    /// If the engine fails, or the search is cancelled.
    pub fn ponder(&mut self, situation: &Situation) -> Result<(), Trouble> {
        self.talk(|connected, spec| Ok(connected.conversation.ponder(situation, &spec.time)?))
    }

    /// Requests the move of a ponder search with the right prediction.
    ///
    /// # Errors
    /// If the engine fails, or the search is cancelled.
    pub fn ponder_hit(&mut self, situation: &Situation, watch: Watch) -> Result<Thought, Trouble> {
        self.talk(|connected, spec| connected.conversation.ponder_hit(situation, terms(spec), watch))
    }

    /// Ends a ponder search, if there is one.
    ///
    /// # Errors
    /// If the engine fails, or the wait is cancelled.
    pub fn stop_pondering(&mut self, watch: Watch) -> Result<(), Trouble> {
        self.talk(|connected, _| connected.conversation.ponder_miss(watch))
    }

    /// Reads the output of a pondering engine.
    pub fn absorb(&mut self) {
        if let Some(connected) = &mut self.connected {
            connected.conversation.absorb();
        }
    }

    /// Whether the engine thinks on its opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.connected.as_ref().is_some_and(|connected| connected.conversation.is_pondering())
    }

    /// Parses a legal move of `position` as the engine writes it.
    pub fn read_move(&mut self, text: &str, position: &Position) -> Option<Move> {
        let mv = self.connected.as_mut()?.conversation.dialect().read_move(text, position)?;
        position.is_legal(mv).then_some(mv)
    }

    fn connect(&mut self) -> Result<(), Failure> {
        self.has_played = false;
        match connect(&self.spec, self.log.as_ref()) {
            Ok(mut connected) => {
                connected.conversation.keep(self.wanted.clone());
                self.connected = Some(connected);
                self.failure = None;
                Ok(())
            }
            Err(failure) => {
                self.failure = Some(failure.clone());
                Err(failure)
            }
        }
    }

    /// Whether the process can play another game.
    fn plays_again(&mut self) -> bool {
        self.connected.as_mut().is_none_or(|connected| connected.conversation.dialect().plays_again())
    }

    fn end_process(&mut self) {
        if let Some(connected) = self.connected.take() {
            connected.conversation.quit();
        }
    }

    /// Runs one exchange; after a failure the state of the process is unknown, and it is ended.
    fn talk<T>(
        &mut self,
        exchange: impl FnOnce(&mut Connected, &EngineSpec) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let Some(connected) = &mut self.connected else {
            let failure = self.failure.clone();
            return Err(failure.unwrap_or_else(|| Failure::new(FailureClass::NoHandshake, "it does not run")).into());
        };
        let outcome = exchange(connected, &self.spec);
        match outcome {
            // The engine has answered, if late.
            Err(Trouble::Failed(failure)) if failure.class != FailureClass::TimeLoss => {
                let failure = connected.conversation.blame(failure);
                self.failure = Some(failure.clone());
                self.connected = None;
                Err(failure.into())
            }
            // The search would answer into the next game.
            Err(Trouble::Cancelled) => {
                if let Some(connected) = self.connected.take() {
                    connected.conversation.break_off();
                }
                Err(Trouble::Cancelled)
            }
            Ok(_) | Err(Trouble::Failed(_)) => outcome,
        }
    }
}

/// The protocol and the options of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    /// Protocol in which the engine has answered.
    pub protocol: Protocol,
    /// Name by which the engine introduces itself, usually with its version.
    pub name: Option<String>,
    options: Vec<Announced>,
}

impl Announcement {
    /// Decides how the engine of this specification is set to the rules of a match.
    pub fn telling(&self, spec: &EngineSpec, rules: RuleSet) -> Telling {
        tell_rules(spec, &self.options, rules)
    }
}

fn terms(spec: &EngineSpec) -> Terms<'_> {
    Terms { limits: &spec.time, margin: spec.time_margin }
}
