//! What the user sets, and what follows from it.

use std::ffi::OsStr;
use std::mem;

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::board::{FenError, MoveText, RankBase};
use crate::engine::event::{Dialect, GameText, Reply};
use crate::engine::game::GameError;
use crate::engine::ongoing::Ongoing;
use crate::engine::options::{Change, OptionError};
use crate::engine::plan::Luck;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Speaks this protocol from now on, and says whatever has waited for that.
    pub(super) fn shake_hands(&mut self, before: &Phase, dialect: Dialect) -> Phase {
        let rules = self.rules_in_force();
        (self.dialect, self.greeted_in) = (dialect, Some(dialect));
        if self.rules_in_force() != rules && !matches!(before, Phase::Boot) {
            // What the table knows was found under other rules.
            self.resources.clear_table(&self.options);
        }
        self.game.ranks_mut().forget_what_was_shown();
        self.expect_ranks();
        self.say(&Reply::Introduction);
        if matches!(before, Phase::Boot) {
            mem::take(&mut self.unsaid).into_iter().for_each(|message| self.message(message));
        }
        Phase::Idle
    }

    /// Sets an option before anything may be said.
    pub(super) fn set_unsaid(&mut self, name: &str, value: &OsStr) -> Phase {
        let messages = self.set_option(name, value);
        self.unsaid.extend(messages);
        Phase::Boot
    }

    /// Sets an option.
    pub(super) fn set(&mut self, name: &str, value: &OsStr) -> Phase {
        let messages = self.set_option(name, value);
        messages.into_iter().for_each(|message| self.message(message));
        Phase::Idle
    }

    /// Whatever takes time is done before the answer.
    pub(super) fn make_ready(&mut self) -> Phase {
        self.surroundings.at_work(true);
        self.prepare();
        self.resources.warm_up(&self.options);
        self.surroundings.at_work(false);
        self.say_ready(Phase::Idle)
    }

    pub(super) fn say_ready(&mut self, phase: Phase) -> Phase {
        self.say(&Reply::Ready);
        phase
    }

    /// The game so far.
    pub(super) fn set_up(&mut self, text: &GameText) -> Phase {
        self.leave_the_game();
        self.set_game(text);
        Phase::Idle
    }

    /// The same; if it is the game that the engine muses about, it may go on.
    pub(super) fn set_up_while_musing(&mut self, search: Ongoing, text: &GameText) -> Phase {
        self.set_game(text);
        self.go_on_musing(search)
    }

    pub(super) fn set_game(&mut self, text: &GameText) {
        self.prepare();
        match self.game.set(text, self.options.variant) {
            Ok(()) => {}
            Err(GameError::Start(fault)) => self.message(bad_position(&fault)),
            Err(GameError::Move(error)) => self.message(error.to_string()),
        }
    }

    /// A move is added to the game.
    pub(super) fn play(&mut self, mv: MoveText) -> Phase {
        if let Err(error) = self.game.play(mv) {
            self.message(error.to_string());
        }
        Phase::Idle
    }

    /// The next answer is none of these.
    pub(super) fn ban(&mut self, moves: &[MoveText]) -> Phase {
        self.game.ban(moves);
        Phase::Idle
    }

    /// Sets an option, does what follows from it, and returns what the user should know.
    fn set_option(&mut self, name: &str, value: &OsStr) -> Vec<String> {
        let applied = match self.options.set(name, value) {
            Ok(applied) => applied,
            Err(OptionError::Unknown(_)) if !self.options.debug => return Vec::new(),
            Err(error) => return vec![error.to_string()],
        };
        self.expect_ranks();
        self.surroundings.leave_time(self.options.batch);
        let troubles = match applied.change {
            Change::Nothing | Change::Setting => Vec::new(),
            Change::HashSize => Vec::from_iter(self.resources.fit_table(&self.options)),
            Change::Threads => self.resources.fit_pool(&self.options),
            Change::Book => self.resources.load_book(&self.options),
            Change::Endgames => self.resources.load_endgames(&self.options),
            Change::Network => Vec::from_iter(self.resources.load_network(&mut self.options)),
            Change::LogFile => Vec::from_iter(self.move_log()),
            Change::NewGame => {
                self.etiquette.forget();
                self.luck = Luck::of_new_game();
                self.resources.new_game(&self.options);
                let mut troubles = self.resources.reload_book(&self.options);
                // The league's tool says this, then starts our clock without another pause.
                troubles.extend(self.resources.fit(&self.options));
                troubles
            }
            Change::ClearHash => {
                self.resources.clear_table(&self.options);
                Vec::new()
            }
            Change::Rules => {
                self.resources.clear_table(&self.options);
                let fault = self.game.change_variant(self.options.variant).err();
                Vec::from_iter(fault.map(|fault| bad_position(&fault)))
            }
        };
        applied.clamped.map(|clamped| clamped.to_string()).into_iter().chain(troubles).collect()
    }

    /// UCCI counts ranks from 0; users of UCI may do as they like.
    fn expect_ranks(&mut self) {
        let strict = self.dialect == Dialect::Ucci;
        let assumed = if self.options.game_named && !strict { RankBase::One } else { RankBase::Zero };
        self.game.ranks_mut().expect(self.options.rank_base, assumed, strict);
    }

    fn move_log(&mut self) -> Option<String> {
        let file = self.options.log_file.as_deref();
        if let Err(error) = self.surroundings.log_to(file) {
            return Some(format!("no log: {error}"));
        }
        tracing::info!(options = ?self.options, "the options");
        None
    }

    /// Makes table and workers ready for a search.
    pub(super) fn prepare(&mut self) {
        let troubles = self.resources.fit(&self.options);
        troubles.into_iter().for_each(|trouble| self.message(trouble));
    }
}

/// In the words in which a protocol refuses a position.
fn bad_position(fault: &FenError) -> String {
    format!("bad position: {fault}")
}
