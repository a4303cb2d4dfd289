//! Everything that the pages share: settings, the list of engines, journals, book and tablebases.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use serde_json::{Value, json};

use crate::engines::{EngineList, Processes};
use crate::journals::Journals;
use crate::knowledge::Knowledge;
use crate::outbox::Outbox;
use crate::settings::{MOST_SESSIONS, Settings};

/// Everything that the sessions share.
pub(crate) struct App {
    pub(crate) settings: Settings,
    pub(crate) engines: EngineList,
    pub(crate) journals: Journals,
    pub(crate) knowledge: Knowledge,
    pub(crate) processes: Processes,
    sessions: AtomicUsize,
    outboxes: Mutex<Vec<Outbox>>,
}

/// Place of a page, given back when dropped.
pub(crate) struct Seat(Arc<App>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.sessions.fetch_sub(1, Ordering::Relaxed);
    }
}

impl App {
    /// Opens the files of the settings.
    ///
    /// # Errors
    /// If the file of engines is not valid. Books and tablebases that cannot be used are reported and left out.
    pub(crate) fn open(settings: Settings, report: impl Fn(&str)) -> Result<Self> {
        let engines = EngineList::open(&settings.engines)?;
        let (knowledge, errors) = Knowledge::open(&settings.book, &settings.tables);
        errors.iter().for_each(|error| report(error));
        let journals = Journals::new(settings.journals.clone());
        let (processes, sessions, outboxes) = (Processes::default(), AtomicUsize::new(0), Mutex::default());
        Ok(Self { settings, engines, journals, knowledge, processes, sessions, outboxes })
    }

    /// Returns a place for a page, if one is free.
    pub(crate) fn seat(self: &Arc<Self>) -> Option<Seat> {
        if self.sessions.fetch_add(1, Ordering::Relaxed) >= MOST_SESSIONS {
            self.sessions.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(Seat(Arc::clone(self)))
    }

    /// Whether there is a place for another page.
    pub(crate) fn has_seat(&self) -> bool {
        self.sessions.load(Ordering::Relaxed) < MOST_SESSIONS
    }

    /// Adds a page to the receivers of messages for all pages.
    pub(crate) fn join(&self, outbox: &Outbox) {
        let mut outboxes = self.outboxes.lock().unwrap_or_else(PoisonError::into_inner);
        outboxes.retain(|outbox| !outbox.is_closed());
        outboxes.push(outbox.clone());
    }

    pub(crate) fn tell_all(&self, message: &Value) {
        let outboxes = self.outboxes.lock().unwrap_or_else(PoisonError::into_inner);
        outboxes.iter().for_each(|outbox| outbox.send(message));
    }

    /// Returns the message with the list of engines.
    pub(crate) fn engines_message(&self) -> Value {
        json!({ "type": "engines", "file": self.engines.path().display().to_string(), "engines": self.engines.all() })
    }
}
