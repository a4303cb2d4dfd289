//! Perft on a thread of its own, so that the controller can handle events meanwhile.

use std::io;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};

use super::event::{Event, SearchId};
use crate::board::{Position, perft_while};
use crate::smp::shared::StopFlag;

/// A running count; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Count {
    pub(super) id: SearchId,
    /// Leaves below the root moves reported so far.
    pub(super) leaves: u64,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl Count {
    /// Starts a count to `depth` plies, which reports the leaves below each legal move to `events`.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub(super) fn begin(id: SearchId, position: Position, depth: u32, events: Sender<Event>) -> io::Result<Self> {
        let stop = StopFlag::default();
        let stopped = stop.clone();
        let thread = thread::Builder::new()
            .name("perft".to_owned())
            .spawn(move || count(id, &position, depth, &stopped, &events))?;
        Ok(Self { id, leaves: u64::from(depth == 0), stop, thread: Some(thread) })
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        self.stop.raise();
        // The thread checks the flag every few thousand nodes. A panic of it has been reported already.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Counts the leaves and reports them, as long as there is a controller.
fn count(count: SearchId, position: &Position, depth: u32, stop: &StopFlag, events: &Sender<Event>) {
    if let Some(rest) = depth.checked_sub(1) {
        for mv in position.legal_moves() {
            let Some(leaves) = perft_while(&position.play(mv), rest, &|| !stop.is_raised()) else { return };
            let _ = events.send(Event::Counted { count, mv, leaves });
        }
    }
    let _ = events.send(Event::CountEnded(count));
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn every_root_move_is_reported_before_the_end() {
        for (depth, moves, leaves) in [(0, 0, 1), (1, 44, 44), (2, 44, 1920)] {
            let (events, reports) = channel();
            let count = Count::begin(SearchId(7), Position::start(), depth, events).unwrap();
            let mut finished = vec![];
            while let Ok(Event::Counted { leaves, .. }) = reports.recv() {
                finished.push(leaves);
            }
            assert_eq!((finished.len(), finished.iter().sum::<u64>() + count.leaves), (moves, leaves));
        }
    }

    #[test]
    fn what_is_dropped_ends_although_nobody_could_wait_for_it() {
        let (events, reports) = channel();
        drop(Count::begin(SearchId(7), Position::start(), 60, events).unwrap());
        assert!(reports.iter().next().is_none(), "the thread has ended and let go of its sender");
    }
}
