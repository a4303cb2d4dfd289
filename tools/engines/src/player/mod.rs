//! Engines that are ready to play. Knows protocols and processes, no rules of the game.

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

/// Is told every line: the engine's name, which way it went, the line.
pub type Log = Arc<dyn Fn(&str, Direction, &str) + Send + Sync>;

/// Why an engine did not get ready: no handshake, a crash, a hang.
pub type StartFailure = Failure;

/// What an engine speaks.
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
    /// The word that begins a conversation in it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ucci => "ucci",
            Self::Uci => "uci",
            Self::Xboard => "xboard",
        }
    }

    /// Which of the protocols that can be guessed has a handshake that this line ends.
    fn greeted(line: &str) -> Option<Self> {
        match line.trim() {
            "ucciok" => Some(Self::Ucci),
            "uciok" => Some(Self::Uci),
            _ => None,
        }
    }
}

/// An engine: its process comes and goes as its failures and [`Restart`] want it, and is killed when this is dropped.
pub struct Player {
    spec: EngineSpec,
    log: Option<Log>,
    wanted: Option<Regex>,
    connected: Option<Connected>,
    /// Of its last process, if that failed.
    failure: Option<Failure>,
    /// Whether its process has played.
    has_played: bool,
}

impl Player {
    /// An engine whose process is started by its first game, which it loses if that fails.
    pub fn new(spec: &EngineSpec, log: Option<Log>) -> Self {
        Self { spec: spec.clone(), log, wanted: None, connected: None, failure: None, has_played: false }
    }

    /// The same engine, whose lines are kept in [`Info::lines`] where they look so.
    #[must_use]
    pub fn keeping(mut self, lines: Option<Regex>) -> Self {
        if let Some(connected) = &mut self.connected {
            connected.conversation.keep(lines.clone());
        }
        self.wanted = lines;
        self
    }

    /// An engine that runs and is through its handshake.
    ///
    /// # Errors
    /// If it cannot be started or does not answer.
    pub fn start(spec: &EngineSpec, log: Option<Log>) -> Result<Self, StartFailure> {
        let mut player = Self::new(spec, log);
        player.connect()?;
        Ok(player)
    }

    /// As it was given.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// As it was given.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// What its process speaks, while there is one.
    pub fn protocol(&self) -> Option<Protocol> {
        self.connected.as_ref().map(|connected| connected.protocol)
    }

    /// Returns what its process has announced, while there is one.
    pub fn announcement(&self) -> Option<Announcement> {
        let Connected { protocol, options, .. } = self.connected.as_ref()?;
        Some(Announcement { protocol: *protocol, options: options.clone() })
    }

    /// What is odd about its process: options that it does not announce, nothing by which it shows that it is ready.
    pub fn notes(&self) -> &[String] {
        self.connected.as_ref().map_or(&[], |connected| &connected.notes)
    }

    /// Prepares for a game, with a new process where [`Restart`] wants one; whoever lets it play calls this.
    ///
    /// # Errors
    /// If it does not get ready.
    pub fn new_game(&mut self) -> Result<(), StartFailure> {
        let alive = self.connected.as_mut().is_some_and(|connected| connected.conversation.is_alive());
        let plays_again = self.plays_again();
        match (self.spec.restart, &self.failure) {
            // Whoever kills a process says nothing about the engine.
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

    /// Ends the process in the orderly way, or otherwise after a while.
    pub fn quit(mut self) {
        self.end_process();
    }

    /// Asks for a move, on the engine's own time.
    ///
    /// # Errors
    /// If it fails, or was broken off.
    pub fn think(&mut self, situation: &Situation, watch: Watch) -> Result<Thought, Trouble> {
        self.talk(|connected, spec| connected.conversation.think(situation, terms(spec), watch))
    }

    /// Lets the engine think on its opponent's time; `situation` is the one it expects.
    ///
    /// # Errors
    /// If it fails, or was broken off.
    pub fn ponder(&mut self, situation: &Situation) -> Result<(), Trouble> {
        self.talk(|connected, spec| Ok(connected.conversation.ponder(situation, &spec.time)?))
    }

    /// Asks for the move of a ponder search that has guessed right.
    ///
    /// # Errors
    /// If it fails, or was broken off.
    pub fn ponder_hit(&mut self, situation: &Situation, watch: Watch) -> Result<Thought, Trouble> {
        self.talk(|connected, spec| connected.conversation.ponder_hit(situation, terms(spec), watch))
    }

    /// Ends a ponder search, if there is one.
    ///
    /// # Errors
    /// If it fails, or was broken off.
    pub fn stop_pondering(&mut self, watch: Watch) -> Result<(), Trouble> {
        self.talk(|connected, _| connected.conversation.ponder_miss(watch))
    }

    /// Takes in what a pondering engine says.
    pub fn absorb(&mut self) {
        if let Some(connected) = &mut self.connected {
            connected.conversation.absorb();
        }
    }

    /// Whether it thinks on its opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.connected.as_ref().is_some_and(|connected| connected.conversation.is_pondering())
    }

    /// A legal move of `position` as the engine has written it.
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

    /// Whether its process can play another game.
    fn plays_again(&mut self) -> bool {
        self.connected.as_mut().is_none_or(|connected| connected.conversation.dialect().plays_again())
    }

    fn end_process(&mut self) {
        if let Some(connected) = self.connected.take() {
            connected.conversation.quit();
        }
    }

    /// Runs one exchange; after a failure nobody knows in which state the process is, and it is ended.
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
            // It has answered, if only late.
            Err(Trouble::Failed(failure)) if failure.class != FailureClass::TimeLoss => {
                let failure = connected.conversation.blame(failure);
                self.failure = Some(failure.clone());
                self.connected = None;
                Err(failure.into())
            }
            // Its search would answer into the next game.
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
    /// The protocol in which it has answered.
    pub protocol: Protocol,
    options: Vec<Announced>,
}

impl Announcement {
    /// Decides how the engine of this specification learns the rules of a match.
    pub fn telling(&self, spec: &EngineSpec, rules: RuleSet) -> Telling {
        tell_rules(spec, &self.options, rules)
    }
}

fn terms(spec: &EngineSpec) -> Terms<'_> {
    Terms { limits: &spec.time, margin: spec.time_margin }
}
