//! Writer of one conversation: its random choices, and the acts that it has written.

use std::time::Duration;

use chuhe::board::{Position, RankBase};
use chuhe::engine::event::Dialect;
use chuhe::protocol::Interpreter;
use chuhe::splitmix::SplitMix64;

use super::limits::is_within_limits;
use crate::act::Act;
use crate::reply::Announced;

/// Options that the engine announces in both protocols.
pub struct Menu {
    /// Options in UCCI.
    pub ucci: Vec<Announced>,
    /// Options in UCI.
    pub uci: Vec<Announced>,
}

/// User of one conversation.
pub(super) struct User<'a> {
    pub(super) random: SplitMix64,
    pub(super) menu: &'a Menu,
    pub(super) dialect: Dialect,
    /// Interpreter that parses the user's lines as the engine will.
    interpreter: Interpreter,
    /// Base in which the user writes moves.
    pub(super) base: RankBase,
    /// Whether all commands are so small that they may wait for the end of a search.
    pub(super) in_batch: bool,
    /// Number of the next option to set, so that every option is set at some time.
    pub(super) turn: usize,
    /// Current position as far as known, the basis of sensible lines.
    pub(super) position: Position,
    pub(super) acts: Vec<Act>,
}

impl<'a> User<'a> {
    /// Creates a user who has written nothing yet, determined by the seed.
    pub(super) fn new(seed: u64, dialect: Dialect, menu: &'a Menu) -> Self {
        let random = SplitMix64::new(seed);
        Self {
            turn: random.clone().below(menu.ucci.len() * menu.uci.len()),
            random,
            menu,
            dialect,
            interpreter: Interpreter::default(),
            base: RankBase::Zero,
            in_batch: false,
            position: Position::start(),
            acts: Vec::new(),
        }
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    /// Random number from `low` to `high`; small ones are more likely.
    pub(super) fn small(&mut self, low: usize, high: usize) -> usize {
        let end = 1 + self.random.below(high - low + 1);
        low + self.random.below(end)
    }

    /// Writes a line unless it exceeds the limits.
    pub(super) fn say(&mut self, line: &str) {
        self.say_bytes(line.as_bytes().to_vec());
    }

    pub(super) fn say_bytes(&mut self, mut line: Vec<u8>) {
        let queues = self.dialect == Dialect::Uci;
        let mut ahead = self.interpreter.clone();
        if !ahead.parse(&line).iter().flatten().all(|command| is_within_limits(command, self.in_batch, queues)) {
            return;
        }
        self.interpreter = ahead;
        if self.chance(3) {
            line.push(b'\r');
        }
        if line.len() > 1 && self.chance(3) {
            let at = self.random.below(line.len());
            let rest = line.split_off(at);
            self.acts.push(Act::Part(line));
            self.pause();
            line = rest;
        }
        self.acts.push(Act::Say(line));
    }

    /// Pauses for up to 50 ms, mostly much less.
    pub(super) fn pause(&mut self) {
        let most = self.random.pick(&[0, 200, 2000, 10_000, 50_000]);
        let time = self.random.below(most + 1) as u64;
        if time > 0 {
            self.acts.push(Act::Pause(Duration::from_micros(time)));
        }
    }
}
