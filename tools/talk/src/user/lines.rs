//! Sensible lines: games, moves and searches.

use chuhe::board::{Move, Position, START_FEN, Spelled};

use super::User;
use super::words::{BAD_POSITIONS, POSITIONS};

impl User<'_> {
    pub(super) fn spelled(&mut self, mv: Move) -> String {
        let text = Spelled(mv, self.base).to_string();
        match self.dice.below(40) {
            0 => text.to_ascii_uppercase(),
            1 => {
                let middle = 1 + text[1..].find(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
                format!("{}-{}", &text[..middle], &text[middle..])
            }
            _ => text,
        }
    }

    /// Returns a random game as text, with its final position.
    pub(super) fn game(&mut self) -> (String, Position) {
        let fen = if self.chance(50) { START_FEN } else { self.dice.pick(POSITIONS) };
        let mut position = Position::from_fen(fen).expect("the positions are legal");
        let mut text = if fen == START_FEN && self.chance(70) { "startpos".to_owned() } else { format!("fen {fen}") };
        let plies = match self.dice.below(20) {
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
            let mut mv = self.dice.pick(&legal);
            // Move the piece back to where it was two plies ago, so that positions repeat.
            if loops
                && let Some(&last) = played.iter().nth_back(1)
                && self.dice.below(4) > 0
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
            let line = self.dice.pick(BAD_POSITIONS);
            return self.say(line);
        }
        let (text, position) = self.game();
        let before = self.acts.len();
        self.say(&format!("position {text}"));
        if self.acts.len() > before {
            self.position = position;
        }
    }

    pub(super) fn some_moves(&mut self) -> String {
        let legal = self.position.legal_moves();
        let count = if self.chance(10) { legal.len() } else { self.small(0, 4) };
        let mut text = String::new();
        for number in 0..count {
            let mv = match self.dice.below(8) {
                0 => self.dice.pick(&["a0a9", "zzzz", "e0e9", "h10g8"]).to_owned(),
                _ if legal.is_empty() => break,
                _ if count == legal.len() => self.spelled(legal[number]),
                _ => {
                    let mv = self.dice.pick(&legal);
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
        let mv = self.dice.pick(&legal);
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
        match self.dice.below(10) {
            0 | 1 => text += " ponder",
            2 => text += " draw",
            _ => {}
        }
        let (depth, nodes, time) = (self.small(1, 7), self.small(1, 20_000), self.small(0, 100));
        text += &match self.dice.below(20) {
            0..3 => format!(" depth {depth}"),
            3 if self.dice.below(2) == 0 => " depth 0".to_owned(),
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
                .dice
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
}
