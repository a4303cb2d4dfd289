//! Handshake, options and positions: what the user sets, and its effects.

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
    /// Switches to this protocol, and prints the messages that have waited for it.
    ///
    /// In UCCI only options count that were given before the handshake.
    pub(super) fn shake_hands(&mut self, before: &Phase, dialect: Dialect) -> Phase {
        let is_first = matches!(before, Phase::Boot);
        if is_first && dialect == Dialect::Ucci {
            self.game = self.game.another();
            self.game.change_variant(self.options.variant).expect("every variant begins with this position");
            self.unsaid_of_game.clear();
        }
        self.speak(dialect, is_first);
        self.say(&Reply::Introduction);
        if is_first {
            self.say_what_was_unsaid();
        }
        Phase::Idle
    }

    /// Begins without a handshake, as some clients of UCI do.
    pub(super) fn begin_ungreeted(&mut self) -> Phase {
        (self.dialect, self.greeted_in) = (Dialect::Uci, Some(Dialect::Uci));
        self.expect_ranks();
        self.say_what_was_unsaid();
        Phase::Idle
    }

    fn speak(&mut self, dialect: Dialect, is_first: bool) {
        let rules = self.rules_in_force();
        (self.dialect, self.greeted_in) = (dialect, Some(dialect));
        if self.rules_in_force() != rules && !is_first {
            // The table holds results under other rules.
            self.resources.clear_table(&self.options);
        }
        self.game.ranks_mut().forget_what_was_shown();
        self.expect_ranks();
    }

    fn say_what_was_unsaid(&mut self) {
        let unsaid = [mem::take(&mut self.unsaid), mem::take(&mut self.unsaid_of_game)].concat();
        unsaid.into_iter().for_each(|message| self.message(message));
    }

    /// Sets an option before anything may be printed.
    pub(super) fn set_unsaid(&mut self, name: &str, value: &OsStr) -> Phase {
        let messages = self.set_option(name, value);
        self.unsaid.extend(messages);
        Phase::Boot
    }

    /// Sets an option and prints its messages.
    pub(super) fn set(&mut self, name: &str, value: &OsStr) -> Phase {
        let messages = self.set_option(name, value);
        messages.into_iter().for_each(|message| self.message(message));
        Phase::Idle
    }

    /// Does all that takes time before it answers `isready`.
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

    /// Sets up the game so far.
    pub(super) fn set_up(&mut self, text: &GameText) -> Phase {
        self.leave_the_game();
        self.set_game(text);
        Phase::Idle
    }

    /// Sets up the game before anything may be printed.
    pub(super) fn set_up_unsaid(&mut self, text: &GameText) -> Phase {
        self.unsaid_of_game = self.game.set(text, self.options.variant).err().map(in_words).into_iter().collect();
        Phase::Boot
    }

    /// Sets up the game during auto-ponder, which goes on if it is the expected game.
    pub(super) fn set_up_while_musing(&mut self, search: Ongoing, text: &GameText) -> Phase {
        self.set_game(text);
        self.go_on_musing(search)
    }

    pub(super) fn set_game(&mut self, text: &GameText) {
        self.prepare();
        if let Err(error) = self.game.set(text, self.options.variant) {
            self.message(in_words(error));
        }
    }

    /// Adds a move to the game.
    pub(super) fn play(&mut self, mv: MoveText) -> Phase {
        if let Err(error) = self.game.play(mv) {
            self.message(error.to_string());
        }
        Phase::Idle
    }

    /// Bans these moves as the next answer.
    pub(super) fn ban(&mut self, moves: &[MoveText]) -> Phase {
        self.game.ban(moves);
        Phase::Idle
    }

    /// Sets an option, applies its effects, and returns the messages to the user.
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
                // The league's tool sends this, then starts our clock without another pause.
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

    /// Sets the rank base: UCCI counts ranks from 0; clients of UCI may count from 0 or 1.
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

fn in_words(error: GameError) -> String {
    match error {
        GameError::Start(fault) => bad_position(&fault),
        GameError::Move(error) => error.to_string(),
    }
}

/// Formats the refusal of a position as protocols do.
fn bad_position(fault: &FenError) -> String {
    format!("bad position: {fault}")
}
