//! The [`Dialect`] trait of the protocols `ucci`, `uci` and `xboard`, and its types.

use std::time::Duration;

use chuhe::board::{Move, Position, Side};

use super::eval::{Eval, RawScore};
use super::failure::Failure;
use super::info::{Info, Reply};
use super::spec::TimeControl;

/// State of a game when an engine is to think.
#[derive(Clone, Copy)]
pub struct GameState<'a> {
    /// Positions from the start of the opening; the last one is to be searched.
    pub positions: &'a [Position],
    /// Moves between those positions.
    pub moves: &'a [Move],
    /// Legal moves that must not be played now.
    pub banned: &'a [Move],
    /// Clocks of Red and Black.
    pub clocks: [ClockState; 2],
    /// Whether the opponent has just offered a draw.
    pub draw_offered: bool,
}

impl GameState<'_> {
    pub(crate) fn position(&self) -> &Position {
        self.positions.last().expect("a game has a position")
    }

    pub(crate) fn side(&self) -> Side {
        self.position().side()
    }

    pub(crate) fn own_clock(&self) -> &ClockState {
        &self.clocks[self.side().index()]
    }

    pub(crate) fn other_clock(&self) -> &ClockState {
        &self.clocks[(!self.side()).index()]
    }
}

/// State of a player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockState {
    /// Time left; `None` without a clock.
    pub time: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until time is added.
    pub moves_to_go: Option<u32>,
}

/// Player whose time a search takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Thinking {
    OwnTime,
    OpponentsTime,
}

/// An option that an engine has announced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Announced {
    pub(crate) name: String,
    /// Text after the name.
    pub(crate) definition: String,
}

impl Announced {
    /// Whether a user may call the option `name`, regardless of case, blanks, underscores and hyphens.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        plain(&self.name) == plain(name)
    }

    /// Returns the values of a choice; none for other kinds of options.
    pub(crate) fn values(&self) -> impl Iterator<Item = String> {
        self.values_of("var")
    }

    pub(crate) fn has_value(&self, value: &str) -> bool {
        self.definition.split_whitespace().any(|word| word == value)
    }

    /// Returns why the option does not take `value`, if its definition excludes it.
    pub(crate) fn excludes(&self, value: &str) -> Option<String> {
        let kind = self.values_of("type").next().unwrap_or_default();
        match (kind.as_str(), value.parse::<i64>()) {
            ("spin", Ok(set)) => {
                let (min, max) = (self.number("min")?, self.number("max")?);
                (!(min..=max).contains(&set)).then(|| format!("the engine takes numbers from {min} to {max}"))
            }
            ("spin", Err(_)) => Some("the engine takes a number".to_owned()),
            ("check", _) if matches!(value, "true" | "false") => None,
            ("check", _) => Some("the engine takes true or false".to_owned()),
            ("combo", _) => {
                let known: Vec<String> = self.values_of("var").collect();
                let is_known = known.is_empty() || known.iter().any(|known| known.eq_ignore_ascii_case(value));
                (!is_known).then(|| format!("the engine takes one of {}", known.join(", ")))
            }
            _ => None,
        }
    }

    /// Returns the default of an option with a text.
    pub(crate) fn default_text(&self) -> Option<String> {
        let is_text = self.values_of("type").next().is_some_and(|kind| kind == "string");
        self.values_of("default").next().filter(|text| is_text && !text.is_empty())
    }

    /// Returns the number after `key`.
    pub(crate) fn number(&self, key: &str) -> Option<i64> {
        self.values_of(key).next()?.parse().ok()
    }

    /// Returns the words after each `key` up to the next keyword.
    pub(crate) fn values_of(&self, key: &str) -> impl Iterator<Item = String> {
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

/// Meaning of a line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LineKind {
    /// Search output, already added to the search's [`Info`].
    Info,
    Answer(Reply),
    /// The answer will come only after these commands.
    NeedsCommands(Vec<String>),
    /// The engine will not play on.
    Failed(Failure),
    /// Anything else.
    Other,
}

/// A protocol, as one engine speaks it.
pub(crate) trait Dialect: Send {
    /// Returns the commands sent once after the handshake, before any option.
    fn greeting(&mut self) -> Vec<String>;

    /// Returns the command to set the option `name`; without a value the option is a button.
    fn setting(&self, name: &str, value: &str) -> String;

    /// Whether options may be set that the engine has not announced.
    fn sets_unannounced(&self) -> bool {
        true
    }

    /// Returns the option that announces pondering to the engine.
    fn ponder_option(&self) -> Option<&'static str> {
        None
    }

    /// Returns a question that is answered once all earlier commands are done, and its answer; `None` if the engine has no
    /// such question.
    fn ready_check(&mut self) -> Option<[String; 2]> {
        Some(["isready", "readyok"].map(str::to_owned))
    }

    /// Returns the commands before each game.
    fn new_game(&mut self) -> Vec<String>;

    /// Whether the process may play another game.
    fn plays_again(&self) -> bool {
        true
    }

    /// Returns the commands for the position and the moves banned in it.
    ///
    /// # Errors
    /// If they cannot be expressed in the protocol.
    fn position(&mut self, state: &GameState) -> Result<Vec<String>, Failure>;

    /// Returns the commands between the position and the `go` command.
    fn before_go(&mut self, _situation: &GameState, _limits: &TimeControl) -> Vec<String> {
        Vec::new()
    }

    /// Returns the `go` command.
    fn go(&self, state: &GameState, limits: &TimeControl, thinking: Thinking) -> String;

    /// Whether more lines about the game may be on their way, to be read before the next question.
    fn may_say_more(&self) -> bool {
        false
    }

    /// Returns the command that ends a search, which is still answered.
    fn stop(&self) -> &'static str {
        "stop"
    }

    /// Returns the command for a correct prediction; `None` if the protocol has no pondering.
    fn ponder_hit(&self, _draw_offered: bool) -> Option<&'static str> {
        None
    }

    /// Parses a move of a variation as the engine writes it; `None` while its notation is unknown, or where variations are
    /// not checked.
    fn read_known_move(&self, _text: &str) -> Option<Move> {
        None
    }

    /// Parses a move of `position` as the engine writes it, legal or not.
    fn read_move(&mut self, text: &str, position: &Position) -> Option<Move>;

    /// Returns commands for a search that shows how the engine writes moves, if that is still unknown.
    fn probe(&self) -> Option<Vec<String>> {
        None
    }

    /// Learns from the answer to [`Dialect::probe`]: the first move of its variation, and its move.
    fn learn(&mut self, _first_of_line: Option<&str>, _mv: Option<&str>) {}

    /// Converts a score to centipawns.
    fn eval(&self, raw_score: RawScore) -> Eval;

    /// Whether `stop` outside of a search is answered.
    fn answers_idle_stop(&self) -> bool {
        false
    }

    /// Parses a line; search output is added to `info`.
    fn parse_line(&mut self, line: &str, info: &mut Info) -> LineKind {
        parse_line(line, info)
    }
}

/// Parses a line in the syntax that UCCI and UCI share.
pub(crate) fn parse_line(line: &str, info: &mut Info) -> LineKind {
    let mut words = line.split_whitespace();
    if words.next() == Some("info") {
        info.read(words);
        return LineKind::Info;
    }
    Reply::read(line).map_or(LineKind::Other, LineKind::Answer)
}

/// Appends the limits that have the same names in both protocols.
pub(crate) fn push_limits(command: &mut String, limits: &TimeControl) {
    if let Some(depth) = limits.depth {
        *command += &format!(" depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        *command += &format!(" nodes {nodes}");
    }
}

/// Joins moves, with a blank before each.
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
