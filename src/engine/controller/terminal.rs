//! A person at a terminal: views of the game, and games against the engine. `terminal/` formats them.

use std::ffi::OsStr;
use std::time::Duration;

use super::phase::Playing;
use super::session::{FrontEnd, NO_POSITION, Session, ViewContext};
use crate::board::{Position, Side};
use crate::engine::event::{
    Clock, ClockMode, ClockUnit, GameText, Go, News, Reply, TerminalCommand, View, WrittenMove,
};
use crate::rules::judge;
use crate::search::Limits;

/// Time of the engine per move unless the user sets another.
const TIME: Duration = Duration::from_secs(1);

/// Effect of a command of a person who plays: a view, then perhaps a search.
pub(super) struct Played {
    pub(super) view: Option<News>,
    /// Whether it may be the engine's turn.
    pub(super) may_think: bool,
}

impl Played {
    const NOTHING: Self = Self { view: None, may_think: false };

    fn shown(news: News) -> Self {
        Self { view: Some(news), may_think: true }
    }
}

impl<F: FrontEnd> Session<F> {
    /// Shows a view as long as it is wanted.
    pub(super) fn show(&mut self, view: View, is_wanted: &dyn Fn() -> bool) {
        let plan = self.plan(Side::Red, &Limits::default(), false);
        let context = ViewContext {
            history: self.game.as_given(),
            opponent: self.playing.as_ref().map(|playing| playing.side),
            dialect: self.dialect,
            base: self.game.rank_base(),
            rules: &self.rules_in_force(),
            network: plan.network_in_use(),
        };
        self.front.show(view, &context, is_wanted);
    }

    /// Describes the current position to a program, for clients that check their own.
    pub(super) fn describe_board(&mut self) {
        match self.game.position() {
            None => self.message(NO_POSITION.to_owned()),
            Some(position) => {
                let checkers = position.checkers().into_iter().collect();
                self.send(&Reply::Board { fen: position.to_fen(), key: position.key().0, checkers });
            }
        }
    }

    /// Exchanges the colours.
    pub(super) fn flip(&mut self) {
        self.game.flip();
        if let Some(playing) = &mut self.playing {
            playing.side = !playing.side;
        }
    }

    /// Carries out a command of a person who plays.
    pub(super) fn play_as(&mut self, command: TerminalCommand) -> Played {
        match command {
            TerminalCommand::Move(moves) => self.play_written(&moves),
            TerminalCommand::Undo(count) => self.take_back(count),
            TerminalCommand::Begin => {
                self.begin();
                Played::shown(News::Begun)
            }
            TerminalCommand::Play { side, time } => self.oppose(side, time),
            TerminalCommand::Leave => {
                if !self.leave_the_game() {
                    self.message("there is no game against the engine".to_owned());
                }
                Played::NOTHING
            }
        }
    }

    /// Ends the game against the engine. Returns whether there was one.
    pub(super) fn leave_the_game(&mut self) -> bool {
        let has_played = self.playing.take().is_some();
        if has_played {
            self.message("the game against the engine is left; \"play\" begins one from the board".to_owned());
        }
        has_played
    }

    fn play_written(&mut self, moves: &[WrittenMove]) -> Played {
        if let Err(error) = self.game.play_on(moves) {
            self.message(error.to_string());
            return Played::NOTHING;
        }
        Played::shown(News::Played(moves.len()))
    }

    fn take_back(&mut self, count: Option<usize>) -> Played {
        match self.game.take_back(count.unwrap_or(self.moves_since_the_person())) {
            0 => {
                self.message("there is no move to take back".to_owned());
                Played { view: None, may_think: true }
            }
            taken => Played::shown(News::TakenBack(taken)),
        }
    }

    /// Returns the number of moves to take back until the person can choose again; 0 if the engine has played the only one.
    fn moves_since_the_person(&self) -> usize {
        let Some(Playing { side, .. }) = self.playing else { return 1 };
        let is_our_turn = self.game.position().is_some_and(|position| position.side() == side);
        let count = if is_our_turn { 1 } else { 2 };
        if self.game.moves().len() < count { 0 } else { count }
    }

    fn begin(&mut self) {
        self.set("newgame", OsStr::new(""));
        self.set_up(&GameText { start: Position::start(), moves: Vec::new(), rank_hint: None });
    }

    fn oppose(&mut self, side: Option<Side>, time: Option<Duration>) -> Played {
        if self.game.position().is_none() || self.is_over() {
            self.begin();
        }
        let Some(mover) = self.game.position().map(Position::side) else { return Played::NOTHING };
        let time = time.or(self.playing.map(|playing| playing.time)).unwrap_or(TIME);
        self.playing = Some(Playing { side: !side.unwrap_or(mover), time, is_thinking: false });
        Played::shown(News::Opposed(time))
    }

    /// Returns the `go` for the engine's next move, if it is its turn in a game against the person.
    pub(super) fn go_if_it_is_our_turn(&mut self) -> Option<Go> {
        let mover = self.game.position().map(Position::side);
        let is_over = self.is_over();
        let playing = self.playing.as_mut().filter(|playing| Some(playing.side) == mover && !is_over)?;
        playing.is_thinking = true;
        let time = i64::try_from(playing.time.as_millis()).unwrap_or(i64::MAX);
        let clock = Clock { time, mode: ClockMode::ThisMove, opponent_time: None, unit: ClockUnit::Milliseconds };
        Some(Go { clock: Some(clock), ..Go::default() })
    }

    fn is_over(&self) -> bool {
        let history = self.game.as_given();
        !history.is_empty() && judge(history, &self.rules_in_force()).is_some()
    }

    /// Records that the search for a person has ended.
    pub(super) fn stop_thinking_for_a_person(&mut self) {
        if let Some(playing) = &mut self.playing {
            playing.is_thinking = false;
        }
    }
}
