//! Violations of the protocol that do no harm to the game, a failure or a note as the user wants: unrequested answers and floods.

use std::time::Instant;

use crate::player::failure::{Failure, FailureClass};

/// Maximum number of lines in one search; more count as a flood, unless the search takes long.
const MOST_LINES: usize = 100_000;

/// Lines that each second of a search allows besides: an analysis may report many variations for hours.
const LINES_PER_SECOND: usize = 2000;

/// Number of lines read for one exchange, and the time of the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LineCount {
    lines: usize,
    since: Option<Instant>,
}

impl LineCount {
    /// Counts a line; returns whether it is one too many.
    fn overflows(&mut self) -> bool {
        self.lines += 1;
        let since = self.since.get_or_insert_with(Instant::now);
        self.lines > MOST_LINES
            && self.lines - MOST_LINES
                > LINES_PER_SECOND * usize::try_from(since.elapsed().as_secs()).unwrap_or(usize::MAX / LINES_PER_SECOND)
    }
}

/// Treatment of harmless violations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lenience {
    is_lenient: bool,
    /// A note on each kind of violation that was tolerated.
    notes: Vec<String>,
}

impl Lenience {
    pub(super) fn new(is_lenient: bool) -> Self {
        Self { is_lenient, notes: Vec::new() }
    }

    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Notes an unrequested answer, or returns it as a failure.
    pub(super) fn pass_answer(&mut self, mv: &str) -> Result<(), Failure> {
        if !self.is_lenient {
            return Err(Failure::new(FailureClass::ProtocolViolation, format!("an unrequested answer: {mv:.20}")));
        }
        self.note("warning: it answers without being asked, which -lenient lets pass");
        Ok(())
    }

    /// Counts a line before it is read. A flood is a failure, or is read on until `deadline`, when this returns `false`.
    pub(super) fn allows_line(&mut self, lines: &mut LineCount, deadline: Instant) -> Result<bool, Failure> {
        if !lines.overflows() {
            return Ok(true);
        }
        if !self.is_lenient {
            return Err(Failure::flood(MOST_LINES));
        }
        self.note("warning: it writes more than 100000 lines for one answer, which -lenient lets pass");
        Ok(Instant::now() < deadline)
    }

    /// Counts a line of a ponder search; `false` where no more are read at once.
    pub(super) fn reads_on(&mut self, lines: &mut LineCount) -> bool {
        let is_flood = lines.overflows();
        if is_flood && self.is_lenient {
            self.note("warning: it writes more than 100000 lines for one answer, which -lenient lets pass");
            *lines = LineCount::default();
        }
        !is_flood
    }

    fn note(&mut self, text: &str) {
        if !self.notes.iter().any(|note| note == text) {
            self.notes.push(text.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_a_failure_or_one_note() {
        let mut strict = Lenience::new(false);
        assert_eq!(strict.pass_answer("h2e2").unwrap_err().text, "an unrequested answer: h2e2");
        let now = Instant::now();
        let mut flood = LineCount { lines: MOST_LINES - 1, since: None };
        assert_eq!(strict.allows_line(&mut flood, now), Ok(true));
        assert!(strict.allows_line(&mut flood, now).is_err() && strict.notes().is_empty());
        let mut lenient = Lenience::new(true);
        assert!(lenient.pass_answer("h2e2").is_ok() && lenient.pass_answer("b2e2").is_ok());
        assert_eq!(lenient.allows_line(&mut flood, now), Ok(false), "the time is over");
        assert_eq!(lenient.allows_line(&mut flood, now + std::time::Duration::from_secs(60)), Ok(true));
        assert_eq!(lenient.notes().len(), 2);
    }

    #[test]
    fn a_long_search_may_write_more() {
        let Some(since) = Instant::now().checked_sub(std::time::Duration::from_secs(60)) else { return };
        let lines = |seconds| LineCount { lines: MOST_LINES + seconds * LINES_PER_SECOND, since: Some(since) };
        assert!(!lines(59).overflows());
        assert!(lines(70).overflows());
    }
}
