//! Engines that are ready to play. Handles protocols and processes, not the rules of the game.

mod analysis;
mod conversation;
mod dialect;
mod eval;
mod failure;
mod handshake;
mod info;
mod launch;
mod live;
mod notation;
mod rules_option;
mod spec;
mod ucci;
mod uci;
mod variation;
mod xboard;

use chuhe::board::{Move, Position};
use chuhe::rules::RuleSet;
use dialect::Announced;
use regex::Regex;

pub use crate::process::{Direction, Log};
pub use crate::protocol::Protocol;
pub use analysis::Analysis;
pub use conversation::{CancelCheck, SearchResult};
pub use dialect::{ClockState, GameState};
pub use eval::Eval;
pub use failure::{Failure, FailureClass, SearchError};
pub use handshake::{Spin, announced_spins};
pub use info::{Info, Offer};
pub use live::{Bound, Course, Observer, Report, ReportLine};
pub use rules_option::RulesOption;
pub use spec::{
    ClockUnit, EngineSpec, LONGEST_TIME, PieceLetters, ProtocolChoice, Quirks, RankBase, Restart, TimeControl,
    TimeControlError, Timeouts,
};

use analysis::analysis;
use conversation::Terms;
use handshake::{Connected, commands_for, connect, rules_option_of};

/// Failure of an engine to get ready: no handshake, a crash, a hang.
pub type StartFailure = Failure;

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

    /// Returns peculiarities of the process: unannounced options, a missing readiness check, tolerated violations.
    pub fn notes(&self) -> Vec<String> {
        let of = |connected: &Connected| [&connected.notes[..], connected.conversation.tolerated()].concat();
        self.connected.as_ref().map_or_else(Vec::new, of)
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
        let ready = self.talk(|connected, _| connected.conversation.new_game().map_err(SearchError::from));
        self.has_played = true;
        Ok(ready?)
    }

    /// Ends the process with `quit`, or by force after a timeout.
    pub fn quit(mut self) {
        self.end_process();
    }

    /// Requests a move, on the engine's own time.
    ///
    /// # Errors
    /// If the engine fails, or the search is cancelled.
    pub fn think(&mut self, state: &GameState, is_cancelled: CancelCheck) -> Result<SearchResult, SearchError> {
        self.talk(|connected, spec| connected.conversation.think(state, terms(spec), is_cancelled))
    }

    /// Requests a search within `limits` instead of those of the specification, and passes its reports on. Without limits and
    /// without a clock it runs until the observer ends it. No clock is enforced.
    ///
    /// # Errors
    /// If the engine fails, or the search is cancelled.
    pub fn watch(
        &mut self,
        state: &GameState,
        limits: &TimeControl,
        observer: &mut dyn Observer,
    ) -> Result<SearchResult, SearchError> {
        self.talk(|connected, _| live::search(&mut connected.conversation, state, limits, observer))
    }

    /// Sets options of the running process; those that it has not announced are left out.
    ///
    /// # Errors
    /// If the engine does not run or does not get ready, or its announcement excludes a value.
    pub fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        let commands = self.connected.as_mut().map_or(Ok(Vec::new()), |connected| commands_for(connected, options))?;
        let set = self.talk(|connected, spec| {
            connected.conversation.send(&commands);
            Ok(connected.conversation.ready(spec.timeouts.ready).map(|_| ())?)
        });
        Ok(set?)
    }

    /// Lets the engine think on its opponent's time; `state` is the predicted one.
    ///
    /// # Errors
    /// If the engine fails, or the search is cancelled.
    pub fn ponder(&mut self, state: &GameState) -> Result<(), SearchError> {
        self.talk(|connected, spec| Ok(connected.conversation.ponder(state, &spec.time)?))
    }

    /// Requests the move of a ponder search with the right prediction.
    ///
    /// # Errors
    /// If the engine fails, or the search is cancelled.
    pub fn ponder_hit(&mut self, state: &GameState, is_cancelled: CancelCheck) -> Result<SearchResult, SearchError> {
        self.talk(|connected, spec| connected.conversation.ponder_hit(state, terms(spec), is_cancelled))
    }

    /// Ends a ponder search, if there is one.
    ///
    /// # Errors
    /// If the engine fails, or the wait is cancelled.
    pub fn stop_pondering(&mut self, is_cancelled: CancelCheck) -> Result<(), SearchError> {
        self.talk(|connected, _| connected.conversation.ponder_miss(is_cancelled))
    }

    /// Reads the output of a pondering engine.
    pub fn read_output(&mut self) {
        if let Some(connected) = &mut self.connected {
            connected.conversation.read_output();
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

    /// Lets the engine search a position as if a game began there, within the limits of its
    /// [`EngineSpec::time`], where a clock (`base`) does not count. The answer must not be one of
    /// `banned`. A new game is announced first, so that earlier positions have no influence. Returns `None` if the engine
    /// offers no move.
    ///
    /// `is_cancelled` is called now and then; `true` cancels the search and ends the process, which the next call starts
    /// again.
    ///
    /// # Errors
    /// If the engine cannot be started, fails, or answers with a forbidden move; [`FailureClass::Interrupted`] if the search
    /// was cancelled.
    pub fn analyse(
        &mut self,
        position: &Position,
        banned: &[Move],
        is_cancelled: CancelCheck,
    ) -> Result<Option<Analysis>, Failure> {
        self.new_game()?;
        let positions = [*position];
        let clocks = [ClockState::default(); 2];
        let state = GameState { positions: &positions, moves: &[], banned, clocks, draw_offered: false };
        let found = self.think(&state, is_cancelled)?;
        analysis(&found, position, banned)
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
        exchange: impl FnOnce(&mut Connected, &EngineSpec) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let Some(connected) = &mut self.connected else {
            let failure = self.failure.clone();
            return Err(failure.unwrap_or_else(|| Failure::new(FailureClass::NoHandshake, "it does not run")).into());
        };
        let outcome = exchange(connected, &self.spec);
        match outcome {
            // The engine has answered, if late.
            Err(SearchError::Failed(failure)) if failure.class != FailureClass::TimeLoss => {
                let failure = connected.conversation.with_stderr(failure);
                self.failure = Some(failure.clone());
                self.connected = None;
                Err(failure.into())
            }
            // The search would answer into the next game.
            Err(SearchError::Cancelled) => {
                if let Some(connected) = self.connected.take() {
                    connected.conversation.abort();
                }
                Err(SearchError::Cancelled)
            }
            Ok(_) | Err(SearchError::Failed(_)) => outcome,
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
    /// Returns the options with a text as default, such as the path of a network, by name.
    pub fn default_texts(&self) -> impl Iterator<Item = (&str, String)> {
        self.options.iter().filter_map(|option| Some((option.name.as_str(), option.default_text()?)))
    }

    /// Decides how the engine of this specification is set to the rules of a match.
    pub fn rules_option(&self, spec: &EngineSpec, rules: RuleSet) -> RulesOption {
        rules_option_of(spec, &self.options, rules)
    }
}

fn terms(spec: &EngineSpec) -> Terms<'_> {
    Terms { limits: &spec.time, margin: spec.time_margin }
}
