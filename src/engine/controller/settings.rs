//! Handshake, options and position: what the user sets, and its consequences.

use std::ffi::OsStr;
use std::mem;

use super::session::{FrontEnd, Session};
use crate::board::{FenError, MoveText, RankBase};
use crate::engine::event::{Dialect, Fault, GameText, Reply};
use crate::engine::game::GameError;
use crate::engine::options::{Change, OptionError};
use crate::engine::plan::GameSeed;

impl<F: FrontEnd> Session<F> {
    /// Uses this protocol from now on, and sends the messages that have waited for it.
    ///
    /// In UCCI, only options survive from before the handshake.
    pub(super) fn shake_hands(&mut self, is_first: bool, dialect: Dialect) {
        if is_first && dialect == Dialect::Ucci {
            self.game = self.game.another();
            self.game.change_variant(self.options.variant).expect("every variant begins with this position");
            self.unsaid_of_game.clear();
        }
        let rules = self.rules_in_force();
        (self.dialect, self.greeted_in) = (dialect, Some(dialect));
        if self.rules_in_force() != rules && !is_first {
            // The entries of the table were found under other rules.
            self.while_busy(|session| session.resources.clear_table(&session.options));
        }
        self.game.forget_shown_ranks();
        self.expect_ranks();
        self.send(&Reply::Introduction);
        if is_first {
            self.say_unsaid();
        }
    }

    /// Uses UCI, whose clients may search before any handshake.
    pub(super) fn begin_without_handshake(&mut self) {
        (self.dialect, self.greeted_in) = (Dialect::Uci, Some(Dialect::Uci));
        self.expect_ranks();
        self.say_unsaid();
    }

    fn say_unsaid(&mut self) {
        let unsaid = [mem::take(&mut self.unsaid), mem::take(&mut self.unsaid_of_game)].concat();
        unsaid.into_iter().for_each(|message| self.message(message));
    }

    /// Sets an option. Before the handshake, its messages are kept for that.
    pub(super) fn set(&mut self, name: &str, value: &OsStr) {
        let messages = self.set_option(name, value);
        if self.greeted_in.is_some() || self.is_for_person {
            messages.into_iter().for_each(|message| self.message(message));
        } else {
            self.unsaid.extend(messages);
        }
    }

    /// Does all that takes time, then reports that the engine is ready.
    pub(super) fn make_ready(&mut self) {
        self.fit_resources();
        self.while_busy(|session| session.resources.warm_up(&session.options));
        self.send(&Reply::Ready);
    }

    /// Does work that may take long and hears no event meanwhile, not even `quit`.
    fn while_busy<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.front.set_busy(true);
        let done = work(self);
        self.front.set_busy(false);
        done
    }

    /// Sets up a game.
    pub(super) fn set_up(&mut self, text: &GameText) {
        self.fit_resources();
        if let Err(error) = self.game.set(text, self.options.variant) {
            self.message(game_message(error));
        }
    }

    /// Sets up a game before anything may be said.
    pub(super) fn set_up_before_handshake(&mut self, text: &GameText) {
        self.unsaid_of_game = self.game.set(text, self.options.variant).err().map(game_message).into_iter().collect();
    }

    /// Keeps the report of wrong input for the handshake.
    pub(super) fn reject_before_handshake(&mut self, fault: Fault) {
        match fault {
            Fault::BadArgument(text) => self.unsaid.push(text),
            Fault::BadPosition(text) => {
                self.game.forget();
                self.unsaid_of_game = vec![text];
            }
            Fault::InPart(text) => self.unsaid_of_game.push(text),
            Fault::BadProbe(_) | Fault::NotUnderstood(_) => {}
        }
    }

    /// Adds a move to the game.
    pub(super) fn play(&mut self, mv: MoveText) {
        if let Err(error) = self.game.play(mv) {
            self.message(error.to_string());
        }
    }

    /// Sets an option with all consequences, and returns the messages to the user.
    fn set_option(&mut self, name: &str, value: &OsStr) -> Vec<String> {
        let applied = match self.options.set(name, value) {
            Ok(applied) => applied,
            Err(OptionError::Unknown(_)) if !self.options.debug => return Vec::new(),
            Err(error) => return vec![error.to_string()],
        };
        self.expect_ranks();
        self.front.leave_time(self.options.batch);
        let troubles = self.while_busy(|session| session.put_into_effect(applied.change));
        applied.clamped.map(|clamped| clamped.to_string()).into_iter().chain(troubles).collect()
    }

    /// Does what follows from the change of an option, and returns the messages to the user.
    fn put_into_effect(&mut self, change: Change) -> Vec<String> {
        match change {
            Change::Nothing | Change::Setting => Vec::new(),
            Change::HashSize => Vec::from_iter(self.resources.fit_table(&self.options)),
            Change::Threads => self.resources.fit_pool(&self.options),
            Change::Book => self.resources.load_book(&self.options),
            Change::Endgames => self.resources.load_endgames(&self.options),
            Change::Network => Vec::from_iter(self.resources.load_network(&mut self.options)),
            Change::LogFile => Vec::from_iter(self.move_log()),
            Change::NewGame => self.begin_new_game(),
            Change::ClearHash => {
                self.resources.clear_table(&self.options);
                Vec::new()
            }
            Change::Rules => {
                self.resources.clear_table(&self.options);
                let fault = self.game.change_variant(self.options.variant).err();
                Vec::from_iter(fault.map(|fault| bad_position(&fault)))
            }
        }
    }

    fn begin_new_game(&mut self) -> Vec<String> {
        self.draw_policy.forget();
        self.game_seed = GameSeed::of_new_game();
        self.resources.new_game(&self.options);
        let mut troubles = self.resources.reload_book(&self.options);
        // The league's tool sends this, then starts our clock without another pause.
        troubles.extend(self.resources.fit(&self.options));
        troubles
    }

    /// UCCI counts ranks from 0; in UCI the moves and options of the client decide.
    fn expect_ranks(&mut self) {
        let strict = self.dialect == Dialect::Ucci;
        let assumed = if self.options.game_named && !strict { RankBase::One } else { RankBase::Zero };
        self.game.expect_ranks(self.options.rank_base, assumed, strict);
    }

    fn move_log(&mut self) -> Option<String> {
        let file = self.options.log_file.as_deref();
        if let Err(error) = self.front.log_to(file) {
            return Some(format!("no log: {error}"));
        }
        tracing::info!(options = ?self.options, "the options");
        None
    }

    /// Gives table and workers the sizes that the options demand.
    pub(super) fn fit_resources(&mut self) {
        let troubles = self.while_busy(|session| session.resources.fit(&session.options));
        troubles.into_iter().for_each(|trouble| self.message(trouble));
    }
}

fn game_message(error: GameError) -> String {
    match error {
        GameError::Start(fault) => bad_position(&fault),
        GameError::Move(error) => error.to_string(),
    }
}

/// Returns the message with which both protocols refuse a position.
fn bad_position(fault: &FenError) -> String {
    format!("bad position: {fault}")
}
