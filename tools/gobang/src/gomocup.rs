//! The protocol of Gomocup's managers (and of Piskvork): `START`, `TURN`, `BOARD` and related commands.
//!
//! Coordinates are column and row, from 0.

use std::time::{Duration, Instant};

use chuhe::smp::time::{Clock, Horizon};

use crate::cell::{Cell, SIDE};
use crate::engine::{Answer, Engine, Question, Reply};
use crate::protocol::{Protocol, Response, SearchEffect};
use crate::rules::{Rules, Winning};

/// Default time per move, if the manager sets none.
const TURN_BY_DEFAULT: Duration = Duration::from_secs(30);

/// Divisor of a match's clock: a game lasts 18 moves per side on average, and some last longer.
///
/// The rest is divided again after each move, so the clock never runs out.
const MOVES_TO_COME: u32 = 20;

/// Value of `time_left` in a match without a limit.
const UNLIMITED: i64 = i32::MAX as i64;

/// Bits of `INFO rule`.
const EXACT_BIT: u32 = 1;
const RENJU_BIT: u32 = 4;

/// State of the protocol.
#[derive(Debug)]
pub struct Gomocup {
    /// Time per move; zero means as fast as possible.
    turn: Duration,
    /// Time left for the whole game, if it is limited.
    left: Option<Duration>,
    /// Whether the manager has declared the game unlimited.
    unlimited: bool,
    /// Rules of the game; by default five or more win.
    rules: Rules,
    /// Message about an unsupported rule, sent before the next move: managers do not read while they send `INFO`.
    notice: Option<String>,
    /// Stones of an unfinished `BOARD`: ours and the opponent's.
    telling: Option<[Vec<Cell>; 2]>,
    /// Error in the stones of an unfinished `BOARD`.
    fault: Option<String>,
    /// Whether the lines of an unknown block are being skipped.
    skipping: bool,
}

impl Default for Gomocup {
    fn default() -> Self {
        Self {
            turn: TURN_BY_DEFAULT,
            left: None,
            unlimited: false,
            rules: rules(0),
            notice: None,
            telling: None,
            fault: None,
            skipping: false,
        }
    }
}

impl Gomocup {
    /// Whether this line opens a conversation in Gomocup's protocol.
    pub fn begins_with(line: &str) -> bool {
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        ["START", "RECTSTART", "ABOUT", "INFO", "BEGIN", "BOARD", "TURN", "RESTART", "END"].contains(&&*word)
    }
}

impl Protocol for Gomocup {
    fn effect_on_search(&self, line: &str) -> SearchEffect {
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match &*word {
            "BEGIN" | "TURN" => SearchEffect::Answer,
            // A manager that aborts a game or undoes a move would take a late move for the answer to this line.
            "START" | "RECTSTART" | "RESTART" | "TAKEBACK" | "BOARD" => SearchEffect::End,
            _ => SearchEffect::Nothing,
        }
    }

    fn handle(&mut self, line: &str, engine: &mut Engine, now: Instant) -> Response {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_uppercase(), rest.trim());
        // A command that starts another game or ends the conversation abandons an unfinished `BOARD`.
        let gives_up = ["START", "RECTSTART", "RESTART", "END"].contains(&&*word);
        if self.telling.is_some() && !gives_up {
            return self.tell(line, engine, now);
        }
        self.telling = None;
        // An unknown block has one answer: a second one would be taken for the answer to the next command.
        let is_of_block = word == "DONE" || line.starts_with(|first: char| first.is_ascii_digit());
        let skipped = std::mem::replace(&mut self.skipping, false) && is_of_block;
        match &*word {
            _ if skipped => {
                self.skipping = word != "DONE";
                Response::default()
            }
            "START" if rest.parse() == Ok(SIDE) => begin_anew(engine),
            "START" | "RECTSTART" => Response::line("ERROR the board has 15 rows and 15 columns"),
            "RESTART" => begin_anew(engine),
            "BEGIN" => match engine.board().moves().len() {
                0 => self.think(engine, now),
                stones => Response::line(format!(
                    "ERROR BEGIN needs an empty board, stones on this one: {stones} (RESTART clears it, BOARD sets a position)"
                )),
            },
            "TURN" => match cell(rest) {
                Some(cell) if engine.put(cell) => self.think(engine, now),
                Some(_) => Response::line("ERROR there is a stone"),
                None => Response::line("ERROR TURN is followed by a cell, as in TURN 7,7"),
            },
            "TAKEBACK" => match cell(rest) {
                Some(cell) if engine.take_back(cell) => Response::line("OK"),
                _ => Response::line("ERROR only the last stone can be taken back"),
            },
            "BOARD" => {
                self.telling = Some(Default::default());
                self.fault = None;
                Response::default()
            }
            "INFO" => {
                self.on_iteration(rest);
                Response::default()
            }
            "STOP" => {
                engine.stop();
                Response::default()
            }
            "ABOUT" => Response::line(concat!(
                "name=\"Chuhe Gobang\", version=\"",
                env!("CARGO_PKG_VERSION"),
                "\", author=\"The Chuhe developers\", country=\"CN\""
            )),
            "END" => {
                engine.stop_silently();
                Response { lines: vec![], is_last: true }
            }
            _ => {
                self.skipping = !is_of_block;
                Response::line("UNKNOWN command")
            }
        }
    }

    fn report(&mut self, reply: &Reply, engine: &mut Engine, _: Instant) -> Vec<String> {
        match reply {
            Reply::SearchInfo(thought) => {
                let found = &thought.found;
                let line: Vec<String> = found.line.iter().map(|&cell| text(cell)).collect();
                vec![format!("MESSAGE depth {} score {} line {}", found.depth, found.score, line.join(" "))]
            }
            Reply::Answer(Answer::Move { cell, .. }) => {
                engine.put(*cell);
                vec![text(*cell)]
            }
            Reply::Answer(_) => vec!["ERROR the game is over".to_owned()],
            Reply::Searching(_) => vec![],
        }
    }
}

impl Gomocup {
    fn think(&mut self, engine: &mut Engine, now: Instant) -> Response {
        if engine.rules() != self.rules {
            engine.set_rules(self.rules);
        }
        let question = Question { clock: Some(self.clock()), ..Question::default() };
        let mut lines = Vec::from_iter(self.notice.take());
        lines.extend(self.ask(&question, engine, now));
        Response { lines, is_last: false }
    }

    /// Clock for the next move.
    fn clock(&self) -> Clock {
        let (remaining, horizon) = match self.left {
            None => (self.turn, Horizon::ThisMove),
            // The limit per move no longer matters.
            Some(left) if left < self.turn || self.turn.is_zero() => (left, Horizon::Game(Duration::ZERO)),
            Some(left) => (self.turn.min(left / MOVES_TO_COME), Horizon::ThisMove),
        };
        Clock { remaining, horizon, opponent: None }
    }

    /// Executes a line of a `BOARD`.
    fn tell(&mut self, line: &str, engine: &mut Engine, now: Instant) -> Response {
        if line.eq_ignore_ascii_case("DONE") {
            let stones = self.telling.take().unwrap_or_default();
            return match self.fault.take().map_or_else(|| in_turn(&stones), Err) {
                Ok(parsed) => {
                    engine.set_position(&parsed, &[]);
                    self.think(engine, now)
                }
                Err(fault) => Response::line(format!("ERROR {fault}")),
            };
        }
        let Some(stones) = &mut self.telling else { return Response::default() };
        let parsed = line.rsplit_once(',').and_then(|(place, whose)| Some((cell(place)?, whose.trim().parse().ok()?)));
        match parsed {
            Some((cell, _)) if stones.iter().flatten().any(|&other| other == cell) => {
                self.fault = Some("a cell has two stones".to_owned());
            }
            Some((cell, 1)) => stones[0].push(cell),
            Some((cell, 2)) => stones[1].push(cell),
            // 3 marks a winning line or a banned cell; the engine detects both itself.
            Some((_, 3)) => {}
            _ => self.fault = Some(format!("this is not a stone: {line}")),
        }
        Response::default()
    }

    fn on_iteration(&mut self, text: &str) {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let Ok(number) = value.trim().parse::<i64>() else { return };
        let span = Duration::from_millis(u64::try_from(number).unwrap_or(0));
        match &*key.to_ascii_lowercase() {
            "timeout_turn" => self.turn = span,
            "timeout_match" => {
                self.unlimited = !(1..UNLIMITED).contains(&number);
                self.left = Some(span).filter(|_| !self.unlimited);
            }
            // Sent before every move if there is a limit, and may be the only limit given.
            "time_left" => self.left = Some(span).filter(|_| !self.unlimited && number < UNLIMITED),
            "rule" => {
                self.rules = rules(number);
                let played = i64::from(u32::try_from(number).unwrap_or(0) & (EXACT_BIT | RENJU_BIT));
                self.notice = (number != played).then(|| format!("MESSAGE rule {number} is played as rule {played}"));
            }
            // Memory is set on the command line; the identity of the players does not matter.
            _ => {}
        }
    }
}

fn rules(bits: i64) -> Rules {
    let bits = u32::try_from(bits).unwrap_or(0);
    let winning = match bits {
        _ if bits & RENJU_BIT != 0 => Winning::Forbidden,
        _ if bits & EXACT_BIT != 0 => Winning::Exact,
        _ => Winning::Free,
    };
    Rules { winning, ..Rules::default() }
}

/// Clears the board for a new game; rules and times stay.
fn begin_anew(engine: &mut Engine) -> Response {
    engine.set_position(&[], &[]);
    engine.forget();
    Response::line("OK")
}

/// Alternates the stones of both sides; we are to move.
fn in_turn([ours, theirs]: &[Vec<Cell>; 2]) -> Result<Vec<Cell>, String> {
    let (first, second) = match theirs.len().checked_sub(ours.len()) {
        Some(0) => (ours, theirs),
        Some(1) => (theirs, ours),
        _ => return Err("it is not our turn".to_owned()),
    };
    let mut second = second.iter();
    Ok(first.iter().flat_map(|&cell| [Some(cell), second.next().copied()]).flatten().collect())
}

fn cell(text: &str) -> Option<Cell> {
    let (column, row) = text.split_once(',')?;
    Cell::at(row.trim().parse().ok()?, column.trim().parse().ok()?)
}

fn text(cell: Cell) -> String {
    format!("{},{}", cell.column(), cell.row())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn clock(facts: &[&str]) -> Clock {
        let mut talk = Gomocup::default();
        facts.iter().for_each(|fact| talk.on_iteration(fact));
        talk.clock()
    }

    #[test]
    fn a_position_that_is_reported_in_part_holds_up_neither_a_new_game_nor_the_end() {
        let (events, _queue) = channel();
        let mut engine = Engine::new(1, 1, events).unwrap();
        let mut talk = Gomocup::default();
        let mut says = |line: &str| {
            let heard = talk.handle(line, &mut engine, Instant::now());
            (heard.lines, heard.is_last)
        };
        for line in ["START 15", "RESTART", "restart"] {
            assert_eq!([says("BOARD"), says("7,7,1")], [(vec![], false), (vec![], false)]);
            assert_eq!(says(line), (vec!["OK".to_owned()], false), "{line}");
        }
        assert_eq!([says("BOARD"), says("7,7,2")], [(vec![], false), (vec![], false)]);
        assert_eq!(says("END"), (vec![], true));
    }

    #[test]
    fn a_block_that_is_not_known_has_one_answer() {
        let (events, _queue) = channel();
        let mut engine = Engine::new(1, 1, events).unwrap();
        let mut talk = Gomocup::default();
        let mut says = |line: &str| talk.handle(line, &mut engine, Instant::now()).lines;
        let unknown = ["UNKNOWN command"];
        for block in [&["SWAP2BOARD", "DONE"][..], &["swap2board", "7,7", "8,7", "9,9", "done"]] {
            assert_eq!(says(block[0]), unknown);
            assert!(block[1..].iter().all(|line| says(line).is_empty()), "{block:?}");
            assert_eq!(says("DONE"), unknown, "it is over");
        }
        assert_eq!([says("PLAY 7,7"), says("RESTART"), says("7,7")], [vec![unknown[0]], vec!["OK"], vec![unknown[0]]]);
        assert_eq!([says("PLAY 7,7"), says("SUGGEST"), says("7,7")], [vec![unknown[0]], vec![unknown[0]], vec![]]);
    }

    #[test]
    fn a_rule_that_is_not_played_is_named_once_before_the_next_answer() {
        let (events, _queue) = channel();
        let mut engine = Engine::new(1, 1, events).unwrap();
        let mut talk = Gomocup::default();
        let mut says = |line: &str| talk.handle(line, &mut engine, Instant::now()).lines;
        let over = "ERROR the game is over";
        // The other side has five, so no search is needed.
        let five = "3,7,2 4,7,2 5,7,2 6,7,2 7,7,2 0,0,1 0,2,1 0,4,1 0,6,1";
        let is_asked = |says: &mut dyn FnMut(&str) -> Vec<String>| {
            let lines = ["BOARD"].into_iter().chain(five.split(' '));
            assert!(lines.map(&mut *says).all(|said| said.is_empty()));
            says("DONE")
        };
        for (rule, played) in [(8, 0), (3, 1), (14, 4), (-1, 0)] {
            assert!(says(&format!("INFO rule {rule}")).is_empty());
            let notice = format!("MESSAGE rule {rule} is played as rule {played}");
            assert_eq!([is_asked(&mut says), is_asked(&mut says)], [vec![&*notice, over], vec![over]]);
        }
        for rule in ["0", "1", "4", "5"] {
            assert_eq!(
                [says("INFO rule 8"), says(&format!("INFO rule {rule}")), is_asked(&mut says)],
                [vec![], vec![], vec![over]]
            );
        }
    }

    #[test]
    fn a_game_begins_on_an_empty_board_alone() {
        let (events, queue) = channel();
        let mut engine = Engine::new(1, 1, events).unwrap();
        let mut talk = Gomocup::default();
        engine.set_position(&crate::cell::read("7475").unwrap(), &[]);
        let said = talk.handle("BEGIN", &mut engine, Instant::now()).lines;
        let expected =
            "ERROR BEGIN needs an empty board, stones on this one: 2 (RESTART clears it, BOARD sets a position)";
        assert_eq!((said, engine.is_thinking(), engine.board().moves().len()), (vec![expected.to_owned()], false, 2));
        assert_eq!(talk.handle("RESTART", &mut engine, Instant::now()).lines, ["OK"]);
        talk.handle("INFO timeout_turn 1", &mut engine, Instant::now());
        assert!(talk.handle("BEGIN", &mut engine, Instant::now()).lines.is_empty() && engine.is_thinking());
        engine.stop();
        while engine.is_thinking() {
            for reply in engine.handle(queue.recv().unwrap(), Instant::now()) {
                talk.report(&reply, &mut engine, Instant::now());
            }
        }
        assert_eq!(engine.board().moves().len(), 1);
    }

    #[test]
    fn a_match_has_time_for_all_its_moves() {
        let left = Duration::from_secs(180);
        let parsed = clock(&["timeout_turn 30000", "timeout_match 180000", "time_left 180000"]);
        assert!(parsed.remaining <= left / 15 && parsed.remaining > left / 30, "{parsed:?}");
        let turn = clock(&["timeout_turn 5000", "timeout_match 180000", "time_left 180000"]).remaining;
        assert_eq!(turn, Duration::from_secs(5), "the turn is shorter than the share");
    }

    #[test]
    fn without_a_limit_of_the_match_a_turn_may_use_its_own() {
        for facts in [&["timeout_turn 30000", "timeout_match 0", "time_left 180000"][..], &["timeout_turn 30000"]] {
            let parsed = clock(facts);
            assert_eq!((parsed.remaining, parsed.horizon), (Duration::from_secs(30), Horizon::ThisMove), "{facts:?}");
        }
    }

    #[test]
    fn what_is_left_may_be_all_that_is_reported_a_limit() {
        let turn = Duration::from_secs(30);
        for (left, most) in [("300", 300), ("-5", 0), ("180000", 12_000), ("2147483647", 30_000)] {
            let parsed = clock(&["timeout_turn 30000", &format!("time_left {left}")]);
            assert!(parsed.remaining <= Duration::from_millis(most), "{left}: {parsed:?}");
            assert_eq!(parsed.remaining == turn, left == "2147483647", "{parsed:?}");
        }
        let parsed = clock(&["timeout_turn 0", "time_left 2147483647"]);
        assert_eq!((parsed.remaining, parsed.horizon), (Duration::ZERO, Horizon::ThisMove), "as fast as possible");
        let parsed = clock(&["timeout_match 0", "timeout_match 20000", "time_left 5000"]);
        assert_eq!(parsed.remaining, Duration::from_secs(5), "the last word counts");
    }

    #[test]
    fn the_end_of_a_match_is_played_by_its_clock_alone() {
        for facts in [["timeout_turn 30000", "timeout_match 20000"], ["timeout_turn 0", "timeout_match 20000"]] {
            let parsed = clock(&facts);
            assert_eq!(parsed.remaining, Duration::from_secs(20), "{facts:?}");
            assert_eq!(parsed.horizon, Horizon::Game(Duration::ZERO), "{facts:?}");
        }
    }
}
