//! A clock that stands still until a test advances it.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use chuhe::engine::event::Event;
use chuhe::smp::shared::StopFlag;
use chuhe::smp::time::{AlarmId, Timekeeper};

/// A clock set by hand, shared between the controller and the test.
#[derive(Clone, Debug)]
pub(crate) struct HandClock {
    face: Arc<Mutex<Face>>,
    /// The queue for alarms, set once the controller exists.
    events: Arc<OnceLock<Sender<Event>>>,
}

#[derive(Debug)]
struct Face {
    now: Instant,
    alarm: Option<(AlarmId, StopFlag, Instant)>,
    /// Time from setting the first alarm until it is due.
    first: Option<Duration>,
}

impl HandClock {
    /// Creates a clock that shows the current time and stands still.
    pub(crate) fn new() -> Self {
        let face = Face { now: Instant::now(), alarm: None, first: None };
        Self { face: Arc::new(Mutex::new(face)), events: Arc::default() }
    }

    /// Sends alarms to this queue from now on.
    pub(crate) fn ring_at(&self, events: Sender<Event>) {
        self.events.set(events).expect("a clock has one owner");
    }

    /// Advances the clock, and rings if the alarm is due.
    pub(crate) fn advance(&self, by: Duration) {
        self.turn(|face| face.now += by);
    }

    /// Returns the time until the alarm, if one is set.
    pub(crate) fn alarm_in(&self) -> Option<Duration> {
        let face = self.face.lock().expect("no thread panics while it holds the lock");
        face.alarm.as_ref().map(|(.., at)| at.saturating_duration_since(face.now))
    }

    /// Returns the time from setting the very first alarm until it is due.
    pub(crate) fn first_alarm(&self) -> Option<Duration> {
        self.face.lock().expect("no thread panics while it holds the lock").first
    }

    /// Changes the face, then rings if the alarm is due.
    fn turn(&self, change: impl FnOnce(&mut Face)) {
        let mut face = self.face.lock().expect("no thread panics while it holds the lock");
        change(&mut face);
        let now = face.now;
        if let (Some((alarm, stop, _)), Some(events)) = (face.alarm.take_if(|(.., at)| *at <= now), self.events.get()) {
            stop.raise();
            // An engine that has ended receives no alarm.
            let _ = events.send(Event::TimeUp(alarm));
        }
    }
}

impl Timekeeper for HandClock {
    fn now(&self) -> Instant {
        self.face.lock().expect("no thread panics while it holds the lock").now
    }

    fn arm(&self, alarm: AlarmId, stop: &StopFlag, at: Instant) {
        self.turn(|face| {
            face.alarm = Some((alarm, stop.clone(), at));
            face.first.get_or_insert(at.saturating_duration_since(face.now));
        });
    }

    fn disarm(&self) {
        self.turn(|face| face.alarm = None);
    }
}
