//! Games against a user at a terminal: whose turn it is, and what becomes of the engine's answers. `terminal/` shows them.

use std::ffi::OsStr;
use std::time::{Duration, Instant};

use super::backlog::Waiting;
use super::phase::{Phase, Playing};
use super::state::{Controller, Surroundings};
use crate::board::{Position, Side};
use crate::engine::event::{
    Clock, ClockMode, ClockUnit, Command, Event, GameText, Go, News, Reply, View, Wish, WrittenMove,
};
use crate::engine::ongoing::Choice;
use crate::rules::judge;
use crate::smp::time::Timekeeper;

/// Default time of the engine for a move.
const TIME: Duration = Duration::from_secs(1);

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Carries out a command of a user who plays, read at `read_at`.
    pub(super) fn fulfil(&mut self, phase: Phase, wish: Wish, read_at: Instant) -> Phase {
        match phase {
            Phase::Idle => {}
            // A move that the engine is looking for belongs to no game once moves are taken back, or a game is begun or left.
            Phase::Thinking(search) if self.thinks_for_a_person() && !matches!(wish, Wish::Move(_)) => {
                self.clock.disarm();
                self.think_no_more();
                let event = Event::Command { command: Command::Wish(wish), read_at };
                self.backlog.push_front(Waiting { event, for_its_turn: false });
                return self.abandon(search);
            }
            phase => return self.put_a_person_off(phase),
        }
        match wish {
            Wish::Move(moves) => self.play_for_a_person(&moves, read_at),
            Wish::Undo(count) => self.take_back(count, read_at),
            Wish::Begin => {
                self.begin();
                self.tell(News::Begun, read_at)
            }
            Wish::Play { side, time } => self.oppose(side, time, read_at),
            Wish::Leave => {
                if !self.leave_the_game() {
                    self.message("there is no game against the engine".to_owned());
                }
                Phase::Idle
            }
        }
    }

    /// Ends the game against the engine, which plays no more moves on its own. Returns whether there was one.
    pub(super) fn leave_the_game(&mut self) -> bool {
        let has_played = self.playing.take().is_some();
        if has_played {
            self.message("the game against the engine is left; \"play\" begins one from the board".to_owned());
        }
        has_played
    }

    fn play_for_a_person(&mut self, moves: &[WrittenMove], read_at: Instant) -> Phase {
        if let Err(error) = self.game.play_on(moves) {
            self.message(error.to_string());
            return Phase::Idle;
        }
        self.tell(News::Played(moves.len()), read_at)
    }

    fn take_back(&mut self, count: Option<usize>, read_at: Instant) -> Phase {
        match self.game.take_back(count.unwrap_or(self.moves_since_the_person())) {
            0 => {
                self.message("there is no move to take back".to_owned());
                self.think_if_it_is_our_turn(read_at)
            }
            taken => self.tell(News::TakenBack(taken), read_at),
        }
    }

    /// Number of moves to take back until the user can choose again; 0 if the engine has played the only one.
    fn moves_since_the_person(&self) -> usize {
        let Some(Playing { side, .. }) = self.playing else { return 1 };
        let is_our_turn = self.game.position().is_some_and(|position| position.side() == side);
        let count = if is_our_turn { 1 } else { 2 };
        if self.game.moves().len() < count { 0 } else { count }
    }

    fn begin(&mut self) {
        self.set("newgame", OsStr::new(""));
        self.set_game(&GameText { start: Position::start(), moves: Vec::new(), accent: None });
    }

    fn oppose(&mut self, side: Option<Side>, time: Option<Duration>, read_at: Instant) -> Phase {
        if self.game.position().is_none() || self.is_over() {
            self.begin();
        }
        let Some(mover) = self.game.position().map(Position::side) else { return Phase::Idle };
        let time = time.or(self.playing.map(|playing| playing.time)).unwrap_or(TIME);
        self.playing = Some(Playing { side: !side.unwrap_or(mover), time, is_thinking: false });
        self.tell(News::Opposed(time), read_at)
    }

    /// Shows the user what has happened, then thinks if it is the engine's turn.
    fn tell(&mut self, news: News, read_at: Instant) -> Phase {
        self.show(View::Game(news));
        self.think_if_it_is_our_turn(read_at)
    }

    fn think_if_it_is_our_turn(&mut self, read_at: Instant) -> Phase {
        let mover = self.game.position().map(Position::side);
        let is_over = self.is_over();
        let Some(playing) = self.playing.as_mut().filter(|playing| Some(playing.side) == mover && !is_over) else {
            return Phase::Idle;
        };
        playing.is_thinking = true;
        let time = i64::try_from(playing.time.as_millis()).unwrap_or(i64::MAX);
        let clock = Clock { time, mode: ClockMode::ThisMove, opponent_time: None, unit: ClockUnit::Milliseconds };
        self.go(&Go { clock: Some(clock), ..Go::default() }, read_at)
    }

    fn is_over(&self) -> bool {
        let history = self.game.as_given();
        !history.is_empty() && judge(history, &self.rules_in_force()).is_some()
    }

    /// Whether the running search is for a game against a user at a terminal.
    pub(super) fn thinks_for_a_person(&self) -> bool {
        self.playing.is_some_and(|playing| playing.is_thinking)
    }

    fn think_no_more(&mut self) {
        if let Some(playing) = &mut self.playing {
            playing.is_thinking = false;
        }
    }

    /// Whether the reply reports thoughts in a game against a user at a terminal, who wants to see moves alone.
    pub(super) fn is_thought_in_silence(&self, reply: &Reply) -> bool {
        let is_thought = match reply {
            Reply::BookMove { .. }
            | Reply::Info(_)
            | Reply::CurrentMove { .. }
            | Reply::Refutation(_)
            | Reply::CurrentLine { .. }
            | Reply::ProvenMoves { .. }
            | Reply::Effort(_)
            | Reply::StaticValue(_) => true,
            Reply::Introduction
            | Reply::Ready
            | Reply::Message(_)
            | Reply::BestMove { .. }
            | Reply::NoBestMove
            | Reply::TableContent(_)
            | Reply::Board { .. }
            | Reply::Leaves { .. }
            | Reply::AllLeaves(_)
            | Reply::Bye => false,
        };
        is_thought && self.thinks_for_a_person()
    }

    /// Plays the engine's choice in a game against a user at a terminal.
    pub(super) fn answer_a_person(&mut self, choice: Option<Choice>) -> Phase {
        self.say_last_words();
        self.think_no_more();
        let Some(choice) = choice else {
            self.message("the engine has no move that it may play".to_owned());
            return Phase::Idle;
        };
        self.game.play_known(choice.best);
        self.show(View::Game(News::Answered))
    }
}
