//! AGI, an interface for Gobang engines described by a draft of 2016. The section `spec` of the README decides what the draft
//! leaves open.

use std::time::{Duration, Instant};

use chuhe::smp::time::{Clock, Horizon};

use crate::cell::{CELLS, Cell, CellSet, concatenated};
use crate::engine::{Answer, Engine, Question, Reply, SearchInfo};
use crate::protocol::{Protocol, Response, SearchEffect};
use crate::rules::{Exchange, Rules, Winning};

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Command {
    Introduce,
    Rules { rules: Rules, many_fifths: bool },
    Options { book: Option<bool>, ponder: Option<bool> },
    AskReady,
    Position { setup: Vec<Cell>, moves: Vec<Cell> },
    Go(Question),
    Stop,
    Move(Cell),
    Quit,
}

/// State of the protocol.
#[derive(Debug)]
pub struct Agi {
    /// Whether the engine ponders after an answer.
    ponders: bool,
    /// Whether the current search has a clock.
    timed: bool,
    /// Whether the current search is one that the engine started on its own (auto-ponder).
    auto_ponders: bool,
}

impl Default for Agi {
    /// Creates the initial state: pondering is on, as the draft demands.
    fn default() -> Self {
        Self { ponders: true, timed: false, auto_ponders: false }
    }
}

impl Agi {
    /// Whether this line opens a conversation in AGI.
    pub fn begins_with(line: &str) -> bool {
        parse(line) == Ok(Command::Introduce)
    }
}

impl Protocol for Agi {
    fn effect_on_search(&self, line: &str) -> SearchEffect {
        match parse(line) {
            Ok(Command::Rules { .. } | Command::Position { .. } | Command::Go(_) | Command::Move(_)) => {
                SearchEffect::Answer
            }
            Ok(Command::Introduce | Command::Options { .. } | Command::AskReady | Command::Stop | Command::Quit) => {
                SearchEffect::Nothing
            }
            Err(_) => SearchEffect::Nothing,
        }
    }

    fn handle(&mut self, line: &str, engine: &mut Engine, now: Instant) -> Response {
        match parse(line) {
            Ok(command) => self.execute(command, engine, now),
            Err(fault) => Response::line(format!("INFO STRING {fault}")),
        }
    }

    fn report(&mut self, reply: &Reply, engine: &mut Engine, now: Instant) -> Vec<String> {
        match reply {
            Reply::Searching(moves) => vec![format!("INFO SEARCH {}", concatenated(moves))],
            Reply::SearchInfo(_) if self.auto_ponders => vec![],
            Reply::SearchInfo(thought) => lines_of(thought),
            Reply::Answer(answer) => {
                if let (true, Answer::Move { cell, expected: Some(expected) }) = (self.ponders && self.timed, answer) {
                    engine.ponder(&[*cell, *expected], now);
                    self.auto_ponders = true;
                }
                vec![text_of(answer)]
            }
        }
    }
}

impl Agi {
    fn execute(&mut self, command: Command, engine: &mut Engine, now: Instant) -> Response {
        match command {
            Command::Introduce => Response { lines: introduction(), is_last: false },
            Command::Rules { rules, many_fifths } => {
                engine.set_rules(rules);
                if many_fifths {
                    Response::line("INFO STRING FIVEMULITY is played as FIVETWINE")
                } else {
                    Response::default()
                }
            }
            Command::Options { book, ponder } => {
                self.ponders = ponder.unwrap_or(self.ponders);
                if !self.ponders && engine.is_thinking() && !engine.owes_an_answer() {
                    engine.stop_silently();
                }
                if book == Some(true) { Response::line("INFO STRING there is no book") } else { Response::default() }
            }
            Command::AskReady => Response::line("READYOK"),
            Command::Position { setup, moves } => {
                engine.set_position(&setup, &moves);
                Response::default()
            }
            Command::Go(question) => {
                self.timed = question.clock.is_some();
                self.auto_ponders = false;
                Response { lines: self.ask(&question, engine, now), is_last: false }
            }
            Command::Stop => {
                engine.stop();
                Response::default()
            }
            Command::Move(cell) if engine.put(cell) => Response::default(),
            Command::Move(cell) => Response::line(format!("INFO STRING {cell} is not empty")),
            Command::Quit => {
                engine.stop_silently();
                Response { lines: vec!["BYE".to_owned()], is_last: true }
            }
        }
    }
}

fn introduction() -> Vec<String> {
    let name = concat!("ID NAME Chuhe Gobang ", env!("CARGO_PKG_VERSION"));
    [name, "ID AUTHOR The Chuhe developers", "OPTION OWNBOOK FALSE PONDER TRUE", "AGIOK"].map(str::to_owned).to_vec()
}

fn lines_of(thought: &SearchInfo) -> Vec<String> {
    let found = &thought.found;
    let mut lines = vec![
        format!("INFO DEPTH {} SCORE {} PV {}", found.depth, found.score, concatenated(&found.line)),
        format!("INFO NPS {}", thought.nodes_per_second),
    ];
    for (word, moves) in [("WIN", &found.winning), ("LOSE", &found.losing)] {
        if !moves.is_empty() {
            lines.push(format!("INFO {word} {}", concatenated(moves)));
        }
    }
    lines
}

fn text_of(answer: &Answer) -> String {
    match answer {
        Answer::Move { cell, expected: Some(expected) } => format!("BESTMOVE {cell} PONDER {expected}"),
        Answer::Move { cell, expected: None } => format!("BESTMOVE {cell}"),
        Answer::Offer(cells) => format!("BESTMOVE {}", concatenated(cells)),
        Answer::Exchange => "BESTMOVE CHANGE".to_owned(),
        Answer::None => "BESTMOVE NONE".to_owned(),
    }
}

/// Parses a line. The error describes the fault.
fn parse(line: &str) -> Result<Command, String> {
    let upper = line.to_ascii_uppercase();
    let mut text = Text(upper.trim());
    const COMMANDS: [&str; 9] = ["SETOPTION", "POSITION", "SETRULE", "ISREADY", "DOMOVE", "STOP", "QUIT", "AGI", "GO"];
    let command = match text.word(&COMMANDS) {
        Some("AGI") => Command::Introduce,
        Some("SETRULE") => rules(&mut text)?,
        Some("SETOPTION") => options(&mut text)?,
        Some("ISREADY") => Command::AskReady,
        Some("POSITION") => position(&mut text)?,
        Some("GO") => go(&mut text)?,
        Some("STOP") => Command::Stop,
        Some("DOMOVE") => match text.cells()?[..] {
            [cell] => Command::Move(cell),
            _ => return Err("DOMOVE is followed by one cell".to_owned()),
        },
        Some("QUIT") => Command::Quit,
        _ => return Err(format!("this is not a command: {line}")),
    };
    if text.is_over() { Ok(command) } else { Err(format!("this has no meaning here: {}", text.0)) }
}

/// Parses the rules: three optional words in any order, with or without spaces. Omitted words restore the defaults.
fn rules(text: &mut Text<'_>) -> Result<Command, String> {
    const WORDS: [&str; 9] = [
        "UNFORBIDDEN",
        "FORBIDDEN",
        "FIRSTCHANGE",
        "THIRDCHANGE",
        "FIVETWINE",
        "TIVETWINE",
        "FIVEMULITY",
        "FIVEMULTITY",
        "FIVEMULTY",
    ];
    let (mut winning, mut exchange, mut fifths) = (None, None, None);
    while let Some(word) = text.word(&WORDS) {
        let twice = match word {
            "UNFORBIDDEN" => winning.replace(Winning::Free).is_some(),
            "FORBIDDEN" => winning.replace(Winning::Forbidden).is_some(),
            "FIRSTCHANGE" => exchange.replace(Exchange::First).is_some(),
            "THIRDCHANGE" => exchange.replace(Exchange::Third).is_some(),
            word => fifths.replace(word).is_some(),
        };
        if twice {
            return Err(format!("{word} after another word for the same rule"));
        }
    }
    let rules = Rules {
        winning: winning.unwrap_or_default(),
        exchange: exchange.unwrap_or_default(),
        two_fifths: fifths.is_some(),
    };
    Ok(Command::Rules { rules, many_fifths: fifths.is_some_and(|word| word.starts_with("FIVEM")) })
}

/// Parses pairs of an option and its value, in any order.
fn options(text: &mut Text<'_>) -> Result<Command, String> {
    let (mut book, mut ponder) = (None, None);
    while let Some(name) = text.word(&["OWNBOOK", "PONDER"]) {
        let on = match text.word(&["ON", "OFF", "TRUE", "FALSE"]) {
            Some("ON" | "TRUE") => true,
            Some(_) => false,
            None => return Err(format!("{name} is ON or OFF")),
        };
        let option = if name == "PONDER" { &mut ponder } else { &mut book };
        *option = Some(on);
    }
    if book.or(ponder).is_none() {
        return Err("SETOPTION is followed by OWNBOOK or PONDER".to_owned());
    }
    Ok(Command::Options { book, ponder })
}

/// Parses stones in any order with alternating colours, then moves in order.
fn position(text: &mut Text<'_>) -> Result<Command, String> {
    let mut cells_after = |words| if text.word(words).is_some() { text.cells() } else { Ok(vec![]) };
    let (setup, moves) = (cells_after(&["STATUS", "STATU"])?, cells_after(&["MOVES"])?);
    let distinct: CellSet = setup.iter().chain(&moves).copied().collect();
    if distinct.len() as usize != setup.len() + moves.len() {
        return Err("a cell has two stones".to_owned());
    }
    Ok(Command::Position { setup, moves })
}

fn go(text: &mut Text<'_>) -> Result<Command, String> {
    let mut question = Question::default();
    let mut limited = false;
    while let Some(word) = text.word(&["SEARCH", "PONDER", "TIME", "INFINITE"]) {
        match word {
            "SEARCH" => {
                question.among = text.cells()?;
                if question.among.is_empty() {
                    return Err("SEARCH is followed by cells".to_owned());
                }
            }
            "PONDER" => question.silent = true,
            "TIME" | "INFINITE" if limited => return Err("there are two limits".to_owned()),
            "TIME" if text.word(&["INFINITE"]).is_some() => limited = true,
            "TIME" => {
                let milliseconds = text.number().ok_or("TIME is followed by milliseconds or INFINITE")?;
                let remaining = Duration::from_millis(milliseconds);
                question.clock = Some(Clock { remaining, horizon: Horizon::Game(Duration::ZERO), opponent: None });
                limited = true;
            }
            _ => limited = true,
        }
    }
    // The clock of the engine does not run while the opponent thinks.
    question.clock = question.clock.filter(|_| !question.silent);
    Ok(Command::Go(question))
}

/// Rest of a line, in upper case.
///
/// Words need no space between them, because no cell begins like a word that may follow it.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the next word if it is in `words`, where a word must not precede a longer one that begins with it.
    fn word(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let (word, rest) = words.iter().find_map(|&word| Some((word, self.0.strip_prefix(word)?)))?;
        self.0 = rest.trim_start();
        Some(word)
    }

    /// Takes cells as long as hexadecimal digits follow.
    fn cells(&mut self) -> Result<Vec<Cell>, String> {
        let mut cells = vec![];
        while self.0.starts_with(|next: char| next.is_ascii_hexdigit()) {
            let pair = self.0.get(..2).unwrap_or(self.0);
            cells.push(pair.parse().map_err(|()| format!("this is not a cell: {pair}"))?);
            self.0 = self.0[pair.len()..].trim_start();
        }
        if cells.len() > CELLS { Err("there are more stones than cells".to_owned()) } else { Ok(cells) }
    }

    fn number(&mut self) -> Option<u64> {
        let end = self.0.find(|next: char| !next.is_ascii_digit()).unwrap_or(self.0.len());
        let number = self.0[..end].parse().ok()?;
        self.0 = self.0[end..].trim_start();
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(text: &str) -> Vec<Cell> {
        crate::cell::read(text).unwrap()
    }

    fn rules_of(line: &str) -> Rules {
        match parse(line) {
            Ok(Command::Rules { rules, .. }) => rules,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn words_need_no_space_and_no_capitals() {
        let question = Question { among: cells("67596A6B"), ..Question::default() };
        for line in ["GO SEARCH 67596A6BINFINITE", "go search 67596a6b", "Go Search 67 59 6A 6B Time Infinite"] {
            assert_eq!(parse(line), Ok(Command::Go(question.clone())), "{line}");
        }
        let all = Rules { winning: Winning::Free, exchange: Exchange::Third, two_fifths: true };
        for line in ["SETRULE UNFORBIDDENTHIRDCHANGETIVETWINE", "setrule fivemulity thirdchange unforbidden"] {
            assert_eq!(rules_of(line), all);
        }
        assert_eq!(rules_of("SETRULE"), Rules::default());
        assert_eq!(rules_of("SETRULE FORBIDDEN"), Rules::default());
    }

    #[test]
    fn a_clock_is_that_of_the_game_and_stands_still_while_pondering() {
        let Ok(Command::Go(question)) = parse("GO TIME 60000") else { panic!() };
        let clock = question.clock.unwrap();
        assert_eq!((clock.remaining, clock.horizon), (Duration::from_secs(60), Horizon::Game(Duration::ZERO)));
        let Ok(Command::Go(question)) = parse("GO PONDER TIME 60000") else { panic!() };
        assert!(question.silent && question.clock.is_none());
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        for line in [
            "",
            "HELLO",
            "AGI 2",
            "GO 500",
            "GO TIME",
            "GO TIME -5",
            "GO TIME 5 INFINITE",
            "GO SEARCH",
            "GO SEARCH 6",
            "GO SEARCH 60",
            "DOMOVE",
            "DOMOVE 6768",
            "POSITION MOVES 7878",
            "POSITION STATU 78 MOVES 78",
            "POSITION 78",
            "POSITION MOVES 78 STATU 79",
            "SETRULE FORBIDDEN UNFORBIDDEN",
            "SETRULE RENJU",
            "SETOPTION",
            "SETOPTION PONDER",
            "SETOPTION HASH 16",
            "BYE",
            "GO TIME 99999999999999999999999",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in "(AGI|GO|SETRULE|POSITION|DOMOVE|SETOPTION)?[ A-Z0-9é]{0,40}") {
            let _ = parse(&line);
        }
    }
}
