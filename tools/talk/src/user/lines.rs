//! Lines of a user: games, moves, searches and options, valid or not, and lines with little meaning.

use chuhe::board::{Move, Position, START_FEN, Spelled};
use chuhe::engine::event::Dialect;

use super::words::{BAD_POSITIONS, NEW_GAME, PATHS, POSITIONS, SENSELESS, SILENT_NAMES};
use super::writer::User;
use crate::reply::{Announced, Kind};

impl User<'_> {
    fn spelled(&mut self, mv: Move) -> String {
        let text = Spelled(mv, self.base).to_string();
        match self.random.below(40) {
            0 => text.to_ascii_uppercase(),
            1 => {
                let middle = 1 + text[1..].find(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
                format!("{}-{}", &text[..middle], &text[middle..])
            }
            _ => text,
        }
    }

    /// Returns a random game as text, with its final position.
    fn game(&mut self) -> (String, Position) {
        let fen = if self.chance(50) { START_FEN } else { self.random.pick(POSITIONS) };
        let mut position = Position::from_fen(fen).expect("the positions are legal");
        let mut text = if fen == START_FEN && self.chance(70) { "startpos".to_owned() } else { format!("fen {fen}") };
        let plies = match self.random.below(20) {
            0..5 => 0,
            5..15 => self.small(1, 12),
            15..19 => self.small(10, 120),
            _ => self.small(100, 700),
        };
        let loops = self.chance(40);
        let mut played = Vec::new();
        for _ in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mut mv = self.random.pick(&legal);
            // Move the piece back to where it was two plies ago, so that positions repeat.
            if loops
                && let Some(&last) = played.iter().nth_back(1)
                && self.random.below(4) > 0
            {
                let last: Move = last;
                mv = legal.iter().copied().find(|mv| mv.from() == last.to() && mv.to() == last.from()).unwrap_or(mv);
            }
            position = position.play(mv);
            played.push(mv);
        }
        if !played.is_empty() || self.chance(10) {
            text += " moves";
        }
        for mv in played {
            text.push(' ');
            text += &self.spelled(mv);
        }
        (text, position)
    }

    pub(super) fn set_position(&mut self) {
        if self.chance(6) {
            let line = self.random.pick(BAD_POSITIONS);
            return self.say(line);
        }
        let (text, position) = self.game();
        let before = self.acts.len();
        self.say(&format!("position {text}"));
        if self.acts.len() > before {
            self.position = position;
        }
    }

    fn some_moves(&mut self) -> String {
        let legal = self.position.legal_moves();
        let count = if self.chance(10) { legal.len() } else { self.small(0, 4) };
        let mut text = String::new();
        for number in 0..count {
            let mv = match self.random.below(8) {
                0 => self.random.pick(&["a0a9", "zzzz", "e0e9", "h10g8"]).to_owned(),
                _ if legal.is_empty() => break,
                _ if count == legal.len() => self.spelled(legal[number]),
                _ => {
                    let mv = self.random.pick(&legal);
                    self.spelled(mv)
                }
            };
            text.push(' ');
            text += &mv;
        }
        text
    }

    pub(super) fn ban(&mut self) {
        let moves = self.some_moves();
        self.say(&format!("banmoves{moves}"));
    }

    pub(super) fn do_move(&mut self) {
        let legal = self.position.legal_moves();
        if legal.is_empty() {
            return;
        }
        let mv = self.random.pick(&legal);
        let text = self.spelled(mv);
        self.say(&format!("domove {text}"));
        self.position = self.position.play(mv);
    }

    pub(super) fn probe(&mut self) {
        let text = if self.chance(40) { self.position.to_fen() } else { String::new() };
        let line = if text.is_empty() { format!("probe {}", self.game().0) } else { format!("probe fen {text}") };
        self.say(&line);
    }

    pub(super) fn go(&mut self) -> String {
        let mut text = String::from("go");
        match self.random.below(10) {
            0 | 1 => text += " ponder",
            2 => text += " draw",
            _ => {}
        }
        let (depth, nodes, time) = (self.small(1, 7), self.small(1, 20_000), self.small(0, 100));
        text += &match self.random.below(20) {
            0..3 => format!(" depth {depth}"),
            3 if self.random.below(2) == 0 => " depth 0".to_owned(),
            3 | 4 => format!(" nodes {nodes}"),
            5..7 => " infinite".to_owned(),
            7 => String::new(),
            8 => format!(" time {time}"),
            9 => format!(" time {} increment {}", time * 10, self.small(0, 20)),
            10 => format!(" time {} movestogo {}", time * 5, self.small(0, 5)),
            11 => format!(" time {time} opptime {} increment 0 oppincrement 0 depth {depth}", time * 3),
            12 => format!(" movetime {time}"),
            13 => format!(" wtime {} btime {} winc 1 binc 1", time * 10, time * 9),
            14 => format!(" wtime {time} btime {time} movestogo {}", self.small(0, 3)),
            15 => format!(" mate {}", self.small(0, 4)),
            16 => format!(" depth {} nodes {nodes}", depth + 10),
            17 => format!(" depth {depth} time {time}"),
            18 => self
                .random
                .pick(&[" time -50 increment 0", " time 99999999999999999999", " depth 99", " nodes 0"])
                .to_owned(),
            _ => format!(" time {} increment 10", 1000 + time),
        };
        if self.chance(15) {
            text += " searchmoves";
            text += &self.some_moves();
        }
        text
    }

    /// Sets an announced option, or one that is only accepted, to a valid or invalid value.
    pub(super) fn set_option(&mut self) {
        let menu = if self.chance(80) == (self.dialect == Dialect::Ucci) { &self.menu.ucci } else { &self.menu.uci };
        if menu.is_empty() || self.chance(8) {
            return self.set_silent_option();
        }
        let Announced { name, kind } = menu[self.turn % menu.len()].clone();
        self.turn += 1;
        let value = self.value(&name, &kind);
        let is_word = !name.contains(' ');
        let line = match value {
            None if is_word && self.chance(70) => format!("setoption {name}"),
            None => format!("setoption name {name}"),
            Some(value) if is_word && self.chance(60) => format!("setoption {name} {value}"),
            Some(value) => format!("setoption name {name} value {value}"),
        };
        self.say(&line);
    }

    fn set_silent_option(&mut self) {
        let line = match self.random.below(4) {
            0 => {
                let (worth, fen) = (self.small(0, 3000), self.position.to_fen());
                format!("setoption name UCI_SetPositionValue value {worth} {fen}")
            }
            1 => "setoption name UCI_SetPositionValue value clearall".to_owned(),
            _ => {
                let name = self.random.pick(SILENT_NAMES);
                format!("setoption {name} {}", self.random.pick(&["true", "false", "large", "none", ""]))
            }
        };
        self.say(&line);
    }

    fn value(&mut self, name: &str, kind: &Kind) -> Option<String> {
        if self.chance(4) {
            return Some(
                self.random.pick(&["maybe", "abc", "2.5", "-", "\u{5f08}", "99999999999999999999"]).to_owned(),
            );
        }
        Some(match kind {
            Kind::Button => return None,
            Kind::Check => self.random.pick(&["true", "false", "on", "off", "TRUE"]).to_owned(),
            Kind::Combo(choices) => choices[self.random.below(choices.len())].clone(),
            &Kind::Spin(min, max) => self.number(min, max).to_string(),
            Kind::Text if ["file", "evalapi"].iter().any(|word| name.to_ascii_lowercase().contains(word)) => {
                self.path()
            }
            Kind::Text => {
                self.random.pick(&["", "<empty>", "none 2800 computer B", "GM 2500 human A Player", "x"]).to_owned()
            }
        })
    }

    fn number(&mut self, min: i64, max: i64) -> i64 {
        let span = usize::try_from(max - min).unwrap_or_default();
        let offset = match self.random.below(10) {
            0 => 0,
            1 => span,
            2 => return min - 1,
            3 => return max + 1,
            4..8 => self.small(0, span.min(10)),
            _ => self.random.below(span + 1),
        };
        min + i64::try_from(offset).unwrap_or_default()
    }

    fn path(&mut self) -> String {
        self.random.pick(PATHS).to_owned()
    }

    /// Writes a line with little meaning: senseless, truncated, mixed up, of strange bytes, or long.
    pub(super) fn write_senseless(&mut self) {
        let line = match self.random.below(12) {
            0..4 => self.random.pick(SENSELESS).as_bytes().to_vec(),
            4 => self.random.pick(BAD_POSITIONS).as_bytes().to_vec(),
            5 => (0..self.small(0, 60)).map(|_| self.byte()).collect(),
            6 => {
                let mut line = self.go().into_bytes();
                line.truncate(self.random.below(line.len() + 1));
                line
            }
            7 => {
                let mut line = format!("position {}", self.game().0).into_bytes();
                line.truncate(self.random.below(line.len() + 1));
                line
            }
            8 => self.altered(),
            9 => {
                let text = [SENSELESS, BAD_POSITIONS, NEW_GAME].concat().join(" ");
                let words: Vec<&str> = text.split(' ').collect();
                (0..self.small(1, 6)).map(|_| self.random.pick(&words)).collect::<Vec<_>>().join(" ").into_bytes()
            }
            10 => self.long_line(),
            _ => {
                let mut line = b"\xef\xbb\xbf \t".to_vec();
                line.extend(self.random.pick(&["isready", "stop", "go depth 1", "ponderhit"]).bytes());
                line
            }
        };
        self.say_bytes(line);
    }

    fn byte(&mut self) -> u8 {
        match self.random.below(256) {
            // A line feed would end the line.
            10 => 0,
            // Always less than 256.
            byte => byte as u8,
        }
    }

    /// Returns a sensible line with some of its bytes changed.
    fn altered(&mut self) -> Vec<u8> {
        let mut line = match self.random.below(3) {
            0 => self.go(),
            1 => format!("position {}", self.game().0),
            _ => "setoption name Style value risky".to_owned(),
        }
        .into_bytes();
        for _ in 0..self.small(1, 4) {
            let at = self.random.below(line.len());
            line[at] = self.byte();
        }
        line
    }

    fn long_line(&mut self) -> Vec<u8> {
        let length = self.random.pick(&[1000, 5000, 70_000, (1 << 20) + 7]);
        let start =
            self.random.pick(&["", "go depth 1 ", "position startpos moves ", "probe startpos moves ", "isready "]);
        let word = self.random.pick(&["x", "x ", "b0c2 b9c7 c2b0 c7b9 "]);
        start.bytes().chain(word.bytes().cycle()).take(length).collect()
    }
}
