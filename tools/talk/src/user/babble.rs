//! Lines with little meaning.

use super::User;
use super::words::{BAD_POSITIONS, NEW_GAME, SENSELESS};

impl User<'_> {
    /// Writes a line with little meaning: senseless, truncated, mixed up, of strange bytes, or long.
    pub(super) fn babble(&mut self) {
        let line = match self.dice.below(12) {
            0..4 => self.dice.pick(SENSELESS).as_bytes().to_vec(),
            4 => self.dice.pick(BAD_POSITIONS).as_bytes().to_vec(),
            5 => (0..self.small(0, 60)).map(|_| self.byte()).collect(),
            6 => {
                let mut line = self.go().into_bytes();
                line.truncate(self.dice.below(line.len() + 1));
                line
            }
            7 => {
                let mut line = format!("position {}", self.game().0).into_bytes();
                line.truncate(self.dice.below(line.len() + 1));
                line
            }
            8 => self.altered(),
            9 => {
                let text = [SENSELESS, BAD_POSITIONS, NEW_GAME].concat().join(" ");
                let words: Vec<&str> = text.split(' ').collect();
                (0..self.small(1, 6)).map(|_| self.dice.pick(&words)).collect::<Vec<_>>().join(" ").into_bytes()
            }
            10 => self.long_line(),
            _ => {
                let mut line = b"\xef\xbb\xbf \t".to_vec();
                line.extend(self.dice.pick(&["isready", "stop", "go depth 1", "ponderhit"]).bytes());
                line
            }
        };
        self.say_bytes(line);
    }

    pub(super) fn byte(&mut self) -> u8 {
        match self.dice.below(256) {
            // A line feed would end the line.
            10 => 0,
            // Always less than 256.
            byte => byte as u8,
        }
    }

    /// Returns a sensible line with some of its bytes changed.
    pub(super) fn altered(&mut self) -> Vec<u8> {
        let mut line = match self.dice.below(3) {
            0 => self.go(),
            1 => format!("position {}", self.game().0),
            _ => "setoption name Style value risky".to_owned(),
        }
        .into_bytes();
        for _ in 0..self.small(1, 4) {
            let at = self.dice.below(line.len());
            line[at] = self.byte();
        }
        line
    }

    pub(super) fn long_line(&mut self) -> Vec<u8> {
        let length = self.dice.pick(&[1000, 5000, 70_000, (1 << 20) + 7]);
        let start =
            self.dice.pick(&["", "go depth 1 ", "position startpos moves ", "probe startpos moves ", "isready "]);
        let word = self.dice.pick(&["x", "x ", "b0c2 b9c7 c2b0 c7b9 "]);
        start.bytes().chain(word.bytes().cycle()).take(length).collect()
    }
}
