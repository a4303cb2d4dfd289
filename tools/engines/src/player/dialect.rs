//! What a protocol must be able to say: the trait of `ucci`, `uci` and `xboard`, and the values they speak about.

use std::time::Duration;

use chuhe::board::{Move, Position, Side};

use super::eval::{Eval, Said};
use super::failure::Failure;
use super::info::{Info, Reply};
use super::spec::TimeControl;

/// Where a game stands when an engine is to think.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// From the start of the opening; the last one is to be thought about.
    pub positions: &'a [Position],
    /// Between those positions.
    pub moves: &'a [Move],
    /// Legal moves that must not be played now.
    pub banned: &'a [Move],
    /// Red's and black's.
    pub clocks: [Remaining; 2],
    /// Whether the opponent has just offered a draw.
    pub draw_offered: bool,
}

impl Situation<'_> {
    pub(crate) fn position(&self) -> &Position {
        self.positions.last().expect("a game has a position")
    }

    pub(crate) fn side(&self) -> Side {
        self.position().side()
    }

    pub(crate) fn own_clock(&self) -> &Remaining {
        &self.clocks[self.side().index()]
    }

    pub(crate) fn other_clock(&self) -> &Remaining {
        &self.clocks[(!self.side()).index()]
    }
}

/// What a player's clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Remaining {
    /// Nothing without a clock.
    pub time: Option<Duration>,
    /// Added after each move.
    pub increment: Duration,
    /// Until time is added.
    pub moves_to_go: Option<u32>,
}

/// On whose time an engine thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Thinking {
    OwnTime,
    OpponentsTime,
}

/// An option that an engine has announced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Announced {
    pub(crate) name: String,
    /// All behind the name.
    pub(crate) definition: String,
}

impl Announced {
    /// Whether this is what somebody calls `name`: case, blanks, underscores and hyphens make no difference.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        plain(&self.name) == plain(name)
    }

    /// The values of a choice; none of any other option.
    pub(crate) fn values(&self) -> impl Iterator<Item = String> {
        self.behind("var")
    }

    pub(crate) fn has_value(&self, value: &str) -> bool {
        self.definition.split_whitespace().any(|word| word == value)
    }

    /// Why `value` is none that this option takes, if the definition says so.
    pub(crate) fn excludes(&self, value: &str) -> Option<String> {
        let number = |key: &str| self.behind(key).next()?.parse::<i64>().ok();
        let kind = self.behind("type").next().unwrap_or_default();
        match (kind.as_str(), value.parse::<i64>()) {
            ("spin", Ok(set)) => {
                let (min, max) = (number("min")?, number("max")?);
                (!(min..=max).contains(&set)).then(|| format!("the engine takes numbers from {min} to {max}"))
            }
            ("spin", Err(_)) => Some("the engine takes a number".to_owned()),
            ("check", _) if matches!(value, "true" | "false") => None,
            ("check", _) => Some("the engine takes true or false".to_owned()),
            ("combo", _) => {
                let known: Vec<String> = self.behind("var").collect();
                let is_known = known.is_empty() || known.iter().any(|known| known.eq_ignore_ascii_case(value));
                (!is_known).then(|| format!("the engine takes one of {}", known.join(", ")))
            }
            _ => None,
        }
    }

    /// The words behind each `key` up to the next word that means something.
    fn behind(&self, key: &str) -> impl Iterator<Item = String> {
        const KEYS: [&str; 5] = ["type", "default", "min", "max", "var"];
        let words: Vec<&str> = self.definition.split_whitespace().collect();
        let starts = words.iter().enumerate().filter(|(_, word)| **word == key).map(|(at, _)| at + 1);
        let value = |start: usize| {
            let value = words[start..].iter().take_while(|word| !KEYS.contains(word));
            value.copied().collect::<Vec<_>>().join(" ")
        };
        starts.map(value).collect::<Vec<_>>().into_iter()
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

/// What a line from an engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// Something about the search, now part of what is known of it.
    Info,
    Answer(Reply),
    /// The answer will come, but only when this has been sent.
    Unwilling(Vec<String>),
    /// It will not play on.
    Failed(Failure),
    /// Anything else.
    Other,
}

/// A protocol as one engine speaks it.
pub(crate) trait Dialect: Send {
    /// Sent once after the handshake, before any option.
    fn greeting(&mut self) -> Vec<String>;

    /// Sets an option under this very name; without a value it is a button.
    fn setting(&self, name: &str, value: &str) -> String;

    /// Whether an option may be set that the engine has not announced.
    fn sets_unannounced(&self) -> bool {
        true
    }

    /// The option that says whether the engine will ponder.
    fn ponder_option(&self) -> Option<&'static str>;

    /// The question that is answered once all that was sent before has been done, and its answer; none if the engine
    /// knows no such question.
    fn ready_check(&mut self) -> Option<[String; 2]> {
        Some(["isready", "readyok"].map(str::to_owned))
    }

    /// Before each game.
    fn new_game(&mut self) -> Vec<String>;

    /// Whether the process may play another game.
    fn plays_again(&self) -> bool {
        true
    }

    /// The position, and what must not be played in it.
    ///
    /// # Errors
    /// If the engine cannot be told.
    fn position(&mut self, situation: &Situation) -> Result<Vec<String>, Failure>;

    /// What is said between the position and the command to think.
    fn before_go(&mut self, _situation: &Situation, _limits: &TimeControl) -> Vec<String> {
        Vec::new()
    }

    /// The command to think.
    fn go(&self, situation: &Situation, limits: &TimeControl, thinking: Thinking) -> String;

    /// Whether the engine may just now be saying more about the game, which has to be heard before it is asked again.
    fn may_say_more(&self) -> bool {
        false
    }

    /// Ends a search, which is answered all the same.
    fn stop(&self) -> &'static str {
        "stop"
    }

    /// The expected move has been played; none if nobody ponders in this protocol.
    fn ponder_hit(&self, draw_offered: bool) -> Option<&'static str>;

    /// A move of a line of play as the engine writes it, if that is known by now and nothing is to be found out; none where
    /// lines of play are not looked at.
    fn read_known_move(&self, _text: &str) -> Option<Move> {
        None
    }

    /// A move of `position` as the engine has written it, legal or not.
    fn read_move(&mut self, text: &str, position: &Position) -> Option<Move>;

    /// Asks for something by which the engine shows how it writes, if that is still open: the commands for it.
    fn probe(&self) -> Option<Vec<String>> {
        None
    }

    /// The answer to [`Dialect::probe`]: all that was said of the best line.
    fn learn(&mut self, _first_of_line: Option<&str>, _mv: Option<&str>) {}

    /// A score in centipawns.
    fn eval(&self, said: Said) -> Eval;

    /// Whether `stop` outside of a search is answered.
    fn answers_idle_stop(&self) -> bool;

    /// Reads a line; what it says of the search goes into `info`.
    fn hear(&mut self, line: &str, info: &mut Info) -> Heard {
        hear(line, info)
    }
}

/// What a line says in the words that UCCI and UCI share.
pub(crate) fn hear(line: &str, info: &mut Info) -> Heard {
    let mut words = line.split_whitespace();
    if words.next() == Some("info") {
        info.read(words);
        return Heard::Info;
    }
    Reply::read(line).map_or(Heard::Other, Heard::Answer)
}

/// Appends the limits that both protocols call by the same names.
pub(crate) fn push_limits(command: &mut String, limits: &TimeControl) {
    if let Some(depth) = limits.depth {
        *command += &format!(" depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        *command += &format!(" nodes {nodes}");
    }
}

/// Moves with a blank before each.
pub(crate) fn join(moves: &[Move], write: impl Fn(Move) -> String) -> String {
    moves.iter().fold(String::new(), |text, &mv| text + " " + &write(mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_says_which_values_there_are() {
        let excludes = |definition: &str, value| {
            let option = Announced { name: "x".to_owned(), definition: definition.to_owned() };
            option.excludes(value).unwrap_or_default()
        };
        for (definition, value) in [
            ("type spin default 16 min 1 max 64", "64"),
            ("type spin min -5 max 5 default 0", "-5"),
            ("type spin", "7"),
            ("type check default true", "false"),
            ("type combo var solid var Normal play default solid", "normal PLAY"),
            ("type combo default x", "y"),
            ("type string default <empty>", "anything"),
            ("type button", ""),
            ("", "7"),
        ] {
            assert_eq!(excludes(definition, value), "", "{definition}: {value}");
        }
        for (definition, value, reason) in [
            ("type spin default 16 min 1 max 64", "65", "numbers from 1 to 64"),
            ("type spin default 16 min 1 max 64", "many", "a number"),
            ("type spin", "many", "a number"),
            ("type check default true", "1", "true or false"),
            ("type combo default b var a var b c", "c", "one of a, b c"),
        ] {
            let said = excludes(definition, value);
            assert!(said.ends_with(reason), "{definition}: {value}: {said}");
        }
    }
}
