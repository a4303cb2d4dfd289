//! What the user sets, and what follows from it.

use std::ffi::OsStr;
use std::mem;

use super::{Controller, Phase, Surroundings, bad_position};
use crate::board::RankBase;
use crate::engine::event::{Dialect, Reply};
use crate::engine::options::{Change, OptionError};
use crate::engine::plan::Luck;
use crate::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    pub(super) fn introduce(&mut self, before: &Phase) -> Phase {
        self.say(&Reply::Introduction);
        if matches!(before, Phase::Boot) {
            mem::take(&mut self.unsaid).into_iter().for_each(|message| self.message(message));
        }
        Phase::Idle
    }

    /// Sets an option, does what follows from it, and returns what the user should know.
    pub(super) fn set_option(&mut self, name: &str, value: &OsStr) -> Vec<String> {
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
            Change::Threads => Vec::from_iter(self.resources.fit_pool(&self.options)),
            Change::Book => self.resources.load_book(&self.options),
            Change::Network => Vec::from_iter(self.resources.load_network(&mut self.options)),
            Change::LogFile => Vec::from_iter(self.move_log()),
            Change::NewGame => {
                self.etiquette.forget();
                self.luck = Luck::of_new_game();
                self.resources.new_game(&self.options);
                // The league's tool says this, then starts our clock without another pause.
                self.resources.fit(&self.options)
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
    pub(super) fn expect_ranks(&mut self) {
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
