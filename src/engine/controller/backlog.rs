//! Queue of input that is not due yet: its order, and the memory it may take.

use std::collections::VecDeque;
use std::mem;

use crate::board::MoveText;
use crate::engine::event::{Command, Event, Fault, GameText};

/// Memory limit of the queue, in bytes: room for several hundred thousand commands of the usual length.
const ROOM: usize = 128 << 20;

/// An input event that is not due yet.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) event: Event,
    /// Whether it waits for the end of a search, so that its time begins then; otherwise its clock is already running.
    pub(super) for_its_turn: bool,
}

impl Waiting {
    /// Memory that it takes, in bytes.
    fn size(&self) -> usize {
        let game = |text: &GameText| mem::size_of_val(&text.moves[..]);
        let apart = match &self.event {
            Event::Command { command: Command::Position(text) | Command::Probe(text), .. } => game(text),
            Event::Command { command: Command::BanMoves(moves), .. } => moves.len() * size_of::<MoveText>(),
            Event::Command { command: Command::Go(go), .. } => go.search_moves.len() * size_of::<MoveText>(),
            Event::Command { command: Command::SetOption { name, value }, .. } => name.len() + value.len(),
            Event::Rejected(
                Fault::NotUnderstood(text)
                | Fault::BadPosition(text)
                | Fault::BadProbe(text)
                | Fault::BadArgument(text)
                | Fault::InPart(text),
            ) => text.len(),
            _ => 0,
        };
        size_of::<Self>() + apart
    }
}

/// Whether the event is immediate: it may overtake queued input, since it is not a command for the time after the search.
fn is_immediate(event: &Event) -> bool {
    match event {
        Event::Command { command, .. } => matches!(
            command,
            Command::Stop
                | Command::PonderHit { .. }
                | Command::Quit
                | Command::IsReady
                | Command::Probe(_)
                | Command::Debug(_)
                | Command::Terminal(_)
        ),
        Event::Rejected(fault) => !matches!(fault, Fault::BadPosition(_) | Fault::InPart(_)),
        _ => true,
    }
}

/// Queued input, oldest first.
#[derive(Debug)]
pub(super) struct Backlog {
    waiting: VecDeque<Waiting>,
    room: usize,
    /// Memory in use, in bytes.
    taken: usize,
    /// Number of immediate events in the queue.
    immediate: usize,
    /// Whether a command has found no room: later ones are dropped as well, up to the next position.
    is_full: bool,
}

impl Default for Backlog {
    fn default() -> Self {
        Self::with_room(ROOM)
    }
}

impl Backlog {
    fn with_room(room: usize) -> Self {
        Self { waiting: VecDeque::new(), room, taken: 0, immediate: 0, is_full: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn front(&self) -> Option<&Waiting> {
        self.waiting.front()
    }

    pub(super) fn back(&self) -> Option<&Waiting> {
        self.waiting.back()
    }

    /// Appends input to the queue. Returns a message to the user if there was no room.
    pub(super) fn push_back(&mut self, waiting: Waiting) -> Option<String> {
        let is_last = matches!(waiting.event, Event::EndOfInput | Event::Command { command: Command::Quit, .. });
        if !is_last && self.taken + waiting.size() > self.room {
            return (!mem::replace(&mut self.is_full, true)).then(|| {
                let mebibytes = self.room >> 20;
                format!("{mebibytes} MiB of commands wait for the end of the search: no more are obeyed before the next position after it")
            });
        }
        self.count(&waiting);
        self.waiting.push_back(waiting);
        None
    }

    /// Inserts input at the front of the queue.
    pub(super) fn push_front(&mut self, waiting: Waiting) {
        self.count(&waiting);
        self.waiting.push_front(waiting);
    }

    /// Whether the event is dropped because its position was dropped: a command for one position must not act on another.
    pub(super) fn refuses(&mut self, event: &Event) -> bool {
        let begins_anew = matches!(event, Event::Command { command: Command::Position(_), .. });
        if self.is_full && begins_anew && self.waiting.is_empty() {
            self.is_full = false;
        }
        let is_input = matches!(event, Event::Command { .. } | Event::Rejected(_));
        self.is_full && is_input && !is_immediate(event)
    }

    pub(super) fn pop_front(&mut self) -> Option<Waiting> {
        self.take(0)
    }

    /// Takes the first immediate event that `is_awaited`. With `in_order`, a `stop` or `ponderhit` after a queued search is
    /// left to that search.
    pub(super) fn take_immediate(&mut self, in_order: bool, is_awaited: impl Fn(&Event) -> bool) -> Option<Event> {
        if self.immediate == 0 {
            return None;
        }
        let mut is_behind_go = false;
        let at = self.waiting.iter().position(|Waiting { event, .. }| {
            let Event::Command { command, .. } = event else { return is_awaited(event) };
            let is_for_next = is_behind_go && matches!(command, Command::Stop | Command::PonderHit { .. });
            is_behind_go |= in_order && matches!(command, Command::Go(_) | Command::Perft { .. });
            !is_for_next && is_awaited(event)
        })?;
        self.take(at).map(|waiting| waiting.event)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::with_room(self.room);
    }

    fn count(&mut self, waiting: &Waiting) {
        self.taken += waiting.size();
        self.immediate += usize::from(is_immediate(&waiting.event));
    }

    fn take(&mut self, at: usize) -> Option<Waiting> {
        let waiting = self.waiting.remove(at)?;
        self.taken -= waiting.size();
        self.immediate -= usize::from(is_immediate(&waiting.event));
        Some(waiting)
    }
}

/// Whether UCI handles the event at any time: an immediate command, or a line that is rejected.
pub(super) fn acts_at_once(event: &Event) -> bool {
    is_immediate(event) && matches!(event, Event::Command { .. } | Event::Rejected(_))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::board::Position;
    use crate::engine::event::Go;

    fn waiting_command(command: Command) -> Waiting {
        Waiting { event: Event::Command { command, read_at: Instant::now() }, for_its_turn: true }
    }

    fn position(moves: usize) -> Command {
        let moves = vec!["h2e2".parse().unwrap(); moves];
        Command::Position(GameText { start: Position::start(), moves, rank_hint: None })
    }

    #[test]
    fn what_finds_no_room_takes_its_orders_with_it_until_another_position_comes() {
        let mut backlog = Backlog::with_room(1 << 20);
        let go = || waiting_command(Command::Go(Go::default()));
        assert_eq!(backlog.push_back(waiting_command(position(1000))), None);
        assert_eq!(backlog.push_back(go()), None);
        let moves = (1 << 20) / size_of::<MoveText>();
        let message = backlog.push_back(waiting_command(position(moves))).expect("there is no room");
        assert!(message.starts_with("1 MiB of commands wait for the end of the search"), "{message}");
        assert!(backlog.refuses(&go().event), "it would search another position");
        assert!(!backlog.refuses(&waiting_command(Command::Stop).event) && !backlog.refuses(&Event::EndOfInput));
        assert_eq!(backlog.push_back(waiting_command(position(moves))), None, "said once");
        assert!(backlog.refuses(&waiting_command(position(1)).event), "others wait");
        while backlog.pop_front().is_some() {}
        assert_eq!((backlog.taken, backlog.immediate), (0, 0));
        assert!(backlog.refuses(&go().event), "its position was dropped");
        assert!(!backlog.refuses(&waiting_command(position(1)).event) && !backlog.refuses(&go().event));
    }

    #[test]
    fn there_is_always_room_for_the_end() {
        let mut backlog = Backlog::with_room(0);
        assert!(backlog.push_back(waiting_command(Command::Stop)).is_some());
        assert_eq!(backlog.push_back(waiting_command(Command::Quit)), None);
        let end = Waiting { event: Event::EndOfInput, for_its_turn: true };
        assert_eq!(backlog.push_back(end), None);
    }

    #[test]
    fn a_stop_behind_another_go_is_meant_for_that() {
        let mut backlog = Backlog::default();
        for command in [position(1), Command::Go(Go::default()), Command::Stop, Command::IsReady] {
            assert_eq!(backlog.push_back(waiting_command(command)), None);
        }
        let mut next = |in_order| match backlog.take_immediate(in_order, acts_at_once) {
            Some(Event::Command { command, .. }) => Some(command),
            _ => None,
        };
        assert_eq!((next(true), next(true)), (Some(Command::IsReady), None));
        assert_eq!((next(false), next(false)), (Some(Command::Stop), None));
    }
}
