//! What follows from setting an option.

use super::{Controller, Surroundings, bad_position};
use crate::engine::options::{Change, OptionError};
use crate::engine::preferences::Luck;
use crate::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Sets an option, does what follows from it, and returns what the user should know.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Vec<String> {
        let applied = match self.options.set(name, value) {
            Ok(applied) => applied,
            Err(OptionError::Unknown(_)) if !self.options.debug => return Vec::new(),
            Err(error) => return vec![error.to_string()],
        };
        let troubles = match applied.change {
            Change::Nothing | Change::Setting => Vec::new(),
            Change::HashSize => Vec::from_iter(self.resources.fit_table(&self.options)),
            Change::Threads => Vec::from_iter(self.resources.fit_pool(&self.options)),
            Change::Book => self.resources.load_book(&self.options),
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

    pub(super) fn move_log(&mut self) -> Option<String> {
        let file = self.options.log_file.as_deref();
        let error = self.surroundings.log_to(file).err()?;
        Some(format!("no log: {error}"))
    }

    /// Makes table and workers ready for a search.
    pub(super) fn prepare(&mut self) {
        let troubles = self.resources.fit(&self.options);
        troubles.into_iter().for_each(|trouble| self.message(trouble));
    }
}
