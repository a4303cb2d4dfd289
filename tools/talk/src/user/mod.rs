//! Random user who writes every kind of input, mostly in a sensible order.

mod limits;
mod lines;
mod words;
mod writer;

use std::time::Duration;

use chuhe::board::RankBase;
use chuhe::engine::event::Dialect;

use crate::act::Act;
use words::{BAD_POSITIONS, NEW_GAME};
pub use writer::Menu;
use writer::User;

/// Returns the acts of a user, determined by the seed.
pub fn acts(seed: u64, dialect: Dialect, menu: &Menu) -> Vec<Act> {
    let mut user = User::new(seed, dialect, menu);
    user.converse();
    user.acts
}

impl User<'_> {
    fn converse(&mut self) {
        self.in_batch = self.chance(12);
        if self.chance(25) {
            (0..self.small(1, 6)).for_each(|_| self.write_senseless());
        }
        let greeting = if self.dialect == Dialect::Ucci { "ucci" } else { "uci" };
        if !self.chance(2) {
            self.say(greeting);
        }
        self.begin();
        for _ in 0..self.small(2, 24) {
            match self.random.below(100) {
                0..50 => self.episode(),
                50..70 => self.set_option(),
                70..80 => self.write_senseless(),
                80..88 => self.idle_order(),
                88..94 => self.acts.push(Act::Ask),
                94..96 => self.greet_again(),
                _ => self.resize(),
            }
        }
        self.finish();
    }

    /// Sends the settings of a conversation.
    fn begin(&mut self) {
        let is_reported = match self.random.below(100) {
            0..55 => Some(RankBase::Zero),
            55..70 => Some(RankBase::One),
            _ => None,
        };
        if let Some(base) = is_reported {
            self.base = base;
            self.say(if base == RankBase::Zero {
                "setoption rankbase 0"
            } else {
                "setoption name UCI_RankBase value 1"
            });
        } else if self.dialect == Dialect::Uci && self.chance(20) {
            self.base = RankBase::One;
        }
        if self.chance(90) {
            let size = self.small(1, 32);
            self.say(&format!("setoption hashsize {size}"));
        }
        if self.chance(50) {
            let threads = self.small(1, 4);
            self.say(&format!("setoption name Threads value {threads}"));
        }
        if self.chance(80) {
            self.say("setoption usebook false");
        }
        if self.chance(15) {
            self.say("setoption debug true");
        }
        if self.in_batch {
            self.say("setoption batch true");
        }
        if self.chance(40) {
            self.acts.push(Act::Ask);
        }
    }

    fn finish(&mut self) {
        let stops = self.chance(60);
        let quits = self.chance(60);
        // After the end of the input a search may run to its own limit, so it is stopped first.
        if stops || !quits && !self.in_batch {
            self.acts.push(Act::Say(b"stop".to_vec()));
        }
        if self.chance(30) {
            self.acts.push(Act::Ask);
        }
        self.acts.push(if quits { Act::Quit } else { Act::Close });
    }

    /// Plays an episode: a position, a search, interruptions and its end.
    fn episode(&mut self) {
        if self.chance(80) {
            self.set_position();
        }
        if self.chance(20) {
            self.ban();
        }
        let go = self.go();
        self.say(&go);
        for _ in 0..self.small(0, 5) {
            self.pause();
            self.interrupt();
        }
        match self.random.below(10) {
            0..4 => {
                self.pause();
                self.say("stop");
            }
            4..6 => self.acts.push(Act::Await(Duration::from_millis(60))),
            6 => {
                self.pause();
                self.ponder_hit();
                self.acts.push(Act::Await(Duration::from_millis(30)));
            }
            7 => {
                self.say("stop");
                self.pause();
                self.say("stop");
            }
            _ => {}
        }
        // A search is seldom left running, as it would block the rest of the conversation.
        if self.chance(85) {
            self.say("stop");
        }
        if self.chance(60) {
            self.acts.push(Act::Ask);
        }
    }

    fn ponder_hit(&mut self) {
        let draw = self.chance(25);
        self.say(if draw { "ponderhit draw" } else { "ponderhit" });
    }

    /// Interrupts a search by a random act, sensible or not.
    fn interrupt(&mut self) {
        match self.random.below(14) {
            0 | 1 => self.acts.push(Act::Ask),
            2 => self.say("isready"),
            3 => self.ponder_hit(),
            4 => {
                let go = self.go();
                self.say(&go);
            }
            5 => self.set_position(),
            6 => self.set_option(),
            7 => self.probe(),
            8 => self.ban(),
            9 => self.write_senseless(),
            10 => self.resize(),
            11 => self.idle_order(),
            _ => {}
        }
    }

    /// Sends a command meant for an idle engine.
    fn idle_order(&mut self) {
        match self.random.below(8) {
            0 => self.say("stop"),
            1 => self.ponder_hit(),
            2 => self.probe(),
            3 => self.do_move(),
            4 => {
                let line = self.random.pick(NEW_GAME);
                self.say(line);
            }
            5 => {
                let line = self.random.pick(BAD_POSITIONS);
                self.say(line);
            }
            6 => self.set_position(),
            _ => self.ban(),
        }
    }

    fn greet_again(&mut self) {
        if self.chance(60) {
            self.dialect = if self.dialect == Dialect::Ucci { Dialect::Uci } else { Dialect::Ucci };
        }
        self.say("stop");
        self.acts.push(Act::Ask);
        self.say(if self.dialect == Dialect::Ucci { "ucci" } else { "uci" });
    }

    fn resize(&mut self) {
        let line = if self.chance(50) {
            format!("setoption hashsize {}", self.small(0, 64))
        } else {
            format!("setoption threads {}", self.small(1, 8))
        };
        self.say(&line);
        if self.chance(30) {
            self.acts.push(Act::Ask);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::{Announced, Kind};
    use chuhe::engine::event::{Command, Go};
    use chuhe::protocol::Interpreter;
    use limits::MOST_HASH;

    #[test]
    fn no_option_is_forgotten() {
        let names: Vec<String> = ('a'..='z').map(|letter| format!("{letter}option")).collect();
        let option = |name: &String| Announced { name: name.clone(), kind: Kind::Check };
        let options: Vec<Announced> = names.iter().map(option).collect();
        let menu = Menu { ucci: options.clone(), uci: options };
        let says =
            |act: &Act, name: &str| matches!(act, Act::Say(line) if String::from_utf8_lossy(line).contains(name));
        let acts: Vec<Act> = (0..60).flat_map(|seed| acts(seed, Dialect::Ucci, &menu)).collect();
        for name in &names {
            assert!(acts.iter().any(|act| says(act, name)), "{name}");
        }
    }

    fn menu() -> Menu {
        let option = |name: &str, kind| Announced { name: name.to_owned(), kind };
        Menu {
            ucci: vec![option("hashsize", Kind::Spin(0, 1 << 20)), option("logfile", Kind::Text)],
            uci: vec![option("Style", Kind::Combo(vec!["solid".into()])), option("Clear Hash", Kind::Button)],
        }
    }

    #[test]
    fn a_seed_is_a_conversation_with_one_end() {
        let talk = |seed| acts(seed, Dialect::Ucci, &menu());
        assert_eq!(talk(7), talk(7));
        assert_ne!(talk(7), talk(8));
        for seed in 0..300 {
            let acts = talk(seed);
            let ends = acts.iter().filter(|act| matches!(act, Act::Quit | Act::Close)).count();
            assert!(ends == 1 && matches!(acts.last(), Some(Act::Quit | Act::Close)), "{seed}");
        }
    }

    #[test]
    fn nothing_is_asked_that_would_test_the_machine() {
        let mut commands = Vec::new();
        for seed in 0..300 {
            let mut interpreter = Interpreter::default();
            let mut begun = Vec::new();
            for act in acts(seed, Dialect::Uci, &menu()) {
                match act {
                    Act::Part(bytes) => begun.extend(bytes),
                    Act::Say(line) => {
                        begun.extend(line);
                        commands.extend(interpreter.parse(&std::mem::take(&mut begun)).into_iter().flatten());
                    }
                    _ => {}
                }
            }
        }
        for command in &commands {
            if let Command::SetOption { name, value } = command {
                let value = value.to_string_lossy();
                assert!(
                    name != "hashsize"
                        || value.parse::<i64>().is_ok_and(|size| size <= MOST_HASH)
                        || value.parse::<i64>().is_err()
                );
                let is_own = |path: &str| ["", "<embedded>"].contains(&path) || path.starts_with("./");
                assert!(name != "logfile" || value.split(';').all(is_own), "{value}");
            }
        }
        let count = |is: fn(&&Command) -> bool| commands.iter().filter(is).count();
        assert!(count(|command| matches!(command, Command::Go(Go { ponder: true, .. }))) > 50);
        assert!(count(|command| matches!(command, Command::PonderHit { draw: true })) > 10);
        assert!(count(|command| matches!(command, Command::Probe(_))) > 50);
    }
}
