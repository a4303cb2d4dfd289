//! Observer of a search: gathers its reports and sends what has changed at most thirty times a second.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chuhe::board::Position;
use chuhe_engines::player::{Bound, Course, Observer, Report, ReportLine};
use serde_json::{Value, json};

use super::job::{Job, Wish};
use crate::naming::variation;
use crate::outbox::Outbox;
use crate::score::RedScore;
use crate::settings::MOST_LINES;

/// Mean interval between two messages of a search that reports more often.
const INTERVAL: Duration = Duration::from_millis(33);

/// Maximum number of moves of a variation in a message.
const LONGEST: usize = 30;

/// The search's reports so far, and their receiver.
pub(super) struct Watcher<'a> {
    job: &'a Job,
    outbox: &'a Outbox,
    root: Position,
    /// Name of the place on the page.
    slot: Option<&'a str>,
    /// Time at which the search ends at the latest.
    deadline: Option<Instant>,
    /// Latest values beside the lines.
    latest: Report,
    lines: BTreeMap<u32, (Option<u32>, ReportLine)>,
    changed: bool,
    /// Time from which the next message may be sent.
    due: Instant,
    is_silent: bool,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(job: &'a Job, outbox: &'a Outbox, root: Position) -> Self {
        Self {
            job,
            outbox,
            root,
            slot: None,
            deadline: None,
            latest: Report::default(),
            lines: BTreeMap::new(),
            changed: false,
            due: Instant::now(),
            is_silent: false,
        }
    }

    pub(super) fn in_slot(self, slot: &'a str) -> Self {
        Self { slot: Some(slot), ..self }
    }

    /// Sends nothing.
    pub(super) fn silently(self) -> Self {
        Self { is_silent: true, ..self }
    }

    pub(super) fn until(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Whether the search has been ended by its deadline.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Returns the best line, and its depth.
    pub(super) fn best(&self) -> Option<(Option<u32>, &ReportLine)> {
        self.lines.first_key_value().map(|(_, (depth, line))| (*depth, line))
    }

    /// Returns the score of the best line.
    pub(super) fn score(&self) -> Option<RedScore> {
        self.best().map(|(_, line)| RedScore::new(line.eval, line.wdl, self.root.side()))
    }

    pub(super) fn latest(&self) -> &Report {
        &self.latest
    }

    /// Sends what has not been sent.
    pub(super) fn flush(&mut self) {
        if self.changed && !self.is_silent {
            self.outbox.report(self.job.number, &self.message());
            self.due = next_due(self.due, Instant::now());
            self.changed = false;
        }
    }

    fn flush_in_time(&mut self) {
        if self.changed && self.due <= Instant::now() {
            self.flush();
        }
    }

    fn message(&self) -> Value {
        let lines = self.lines.iter().map(|(rank, (depth, line))| {
            let score = RedScore::new(line.eval, line.wdl, self.root.side());
            json!({
                "rank": rank,
                "depth": depth,
                "score": score.json(),
                "wdl": score.wdl,
                "bound": line.bound.map(|bound| match (bound, self.root.side()) {
                    (Bound::Lower, chuhe::board::Side::Red) | (Bound::Upper, chuhe::board::Side::Black) => "lower",
                    _ => "upper",
                }),
                "pv": variation(&self.root, &line.moves, LONGEST),
            })
        });
        let latest = &self.latest;
        json!({
            "type": "lines",
            "job": self.job.number,
            "slot": self.slot,
            "depth": latest.depth,
            "seldepth": latest.selective_depth,
            "nodes": latest.nodes,
            "nps": latest.nps,
            "hashfull": latest.hashfull,
            "ms": latest.time_ms,
            "lines": lines.collect::<Vec<_>>(),
        })
    }
}

impl Observer for Watcher<'_> {
    fn report(&mut self, report: Report) {
        let Report { depth, selective_depth, nodes, nps, hashfull, time_ms, line } = report;
        let latest = &mut self.latest;
        if line.as_ref().is_none_or(|line| line.rank == 1) {
            latest.depth = depth.or(latest.depth);
            latest.selective_depth = selective_depth.or(latest.selective_depth);
        }
        latest.nodes = nodes.or(latest.nodes);
        latest.nps = nps.or(latest.nps);
        latest.hashfull = hashfull.or(latest.hashfull);
        latest.time_ms = time_ms.or(latest.time_ms);
        if let Some(line) = line.filter(|line| (1..=MOST_LINES).contains(&line.rank)) {
            self.lines.insert(line.rank, (depth, line));
        }
        self.changed = true;
        self.flush_in_time();
    }

    fn course(&mut self) -> Course {
        self.flush_in_time();
        match self.job.wished() {
            Wish::Abandon => Course::Cancel,
            Wish::Stop | Wish::Replace | Wish::Drop => Course::Stop,
            Wish::Continue if self.is_late() || self.outbox.is_closed() => Course::Stop,
            Wish::Continue => Course::Continue,
        }
    }
}

/// Returns the time of the message after one that was due at `due` and is sent now. Counted from when it was due, so that
/// reports which come between two ticks cost no rate; nothing is made up for after a pause.
fn next_due(due: Instant, now: Instant) -> Instant {
    (due + INTERVAL).max(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engines::player::Eval;

    fn report(rank: u32, depth: u32) -> Report {
        let line = ReportLine {
            rank,
            eval: Eval::Centipawns(30),
            bound: None,
            wdl: None,
            moves: vec!["h2e2".parse().unwrap()],
        };
        Report { depth: Some(depth), nodes: Some(7), line: Some(line), ..Report::default() }
    }

    #[test]
    fn a_flood_of_reports_becomes_few_messages_with_the_latest_values() {
        let (job, outbox) = (Job::new(3), Outbox::default());
        let mut watcher = Watcher::new(&job, &outbox, Position::start()).in_slot("a");
        let started = Instant::now();
        let mut messages = 0;
        for depth in 1..=20_000 {
            watcher.report(report(1 + depth % 2, depth));
            messages += u32::from(!watcher.changed);
        }
        let allowed = 2 + started.elapsed().as_millis() / INTERVAL.as_millis();
        assert!(u128::from(messages) <= allowed, "{messages} messages");
        watcher.report(report(MOST_LINES + 1, 1));
        watcher.report(report(0, 1));
        let message = watcher.message();
        assert_eq!((message["job"].as_u64(), message["slot"].as_str()), (Some(3), Some("a")));
        assert_eq!(message["lines"].as_array().unwrap().len(), 2, "ranks that nobody asked for are left out");
        assert_eq!(message["lines"][0]["pv"][0]["wxf"], "C2=5");
    }

    #[test]
    fn reports_between_the_ticks_cost_no_rate() {
        let now = Instant::now() + INTERVAL * 100;
        let late = now.checked_sub(INTERVAL / 3).unwrap();
        assert_eq!(next_due(late, now), late + INTERVAL);
        assert_eq!(next_due(now.checked_sub(INTERVAL * 10).unwrap(), now), now, "after a pause");
    }

    #[test]
    fn a_wish_ends_the_search() {
        let (job, outbox) = (Job::new(3), Outbox::default());
        let mut watcher = Watcher::new(&job, &outbox, Position::start());
        assert_eq!(watcher.course(), Course::Continue);
        job.stop();
        assert_eq!(watcher.course(), Course::Stop);
        job.abandon();
        assert_eq!(watcher.course(), Course::Cancel);
        let other = Job::new(4);
        let mut late = Watcher::new(&other, &outbox, Position::start()).until(Instant::now());
        assert_eq!((late.course(), late.is_late()), (Course::Stop, true));
    }
}
