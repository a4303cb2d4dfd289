//! Parser for the engine's lines, as strict as the protocols and their clients: single blanks between words, every word in its
//! place, nothing after the last.

use chuhe::engine::event::{Closing, Dialect};

/// Maximum length of a line in bytes, including its end.
const MAX_LINE: usize = 999;

/// Words that clients react to anywhere, so no free text may contain them.
const TRIGGERS: &[&str] = &["bestmove", "draw", "resign", "ucciok", "uciok", "readyok", "bye"];

/// A line of the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `id` with a field and its text.
    Id,
    /// Announcement of an option.
    Option(Announced),
    /// End of the introduction.
    Greeted,
    /// `readyok`.
    Ready,
    /// Text for users.
    Message(String),
    /// Depth, score and line of play.
    Progress(Progress),
    /// Book move; in UCI it is a message.
    Book(String),
    /// Root move being searched.
    CurrentMove(String),
    /// `refutation` in UCI.
    Refutation(Vec<String>),
    /// `currline` in UCI.
    CurrentLine(Vec<String>),
    /// Time and nodes of the search.
    Cost(Cost),
    /// Static evaluation: a score without a line.
    Static(Value),
    /// Answer to `go`.
    BestMove {
        /// Move to play.
        best: String,
        /// Expected reply.
        ponder: Option<String>,
        /// Draw offer or resignation, in UCCI.
        closing: Option<Closing>,
    },
    /// Answer to `go` without a legal move.
    NoBestMove,
    /// Answer to `probe`: the hash move, if the table has one.
    Known(Option<String>),
    /// Line of the machine-readable position, by its label.
    Board(&'static str),
    /// `bye`, the last line.
    Bye,
}

/// Labels of the machine-readable position, in the order of its lines.
pub const BOARD: [&str; 3] = ["Fen:", "Key:", "Checkers:"];

/// An announced option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announced {
    /// Name of the option, which may contain blanks.
    pub name: String,
    /// Type of the option.
    pub kind: Kind,
}

/// Type of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Boolean.
    Check,
    /// Integer within a range, bounds included.
    Spin(i64, i64),
    /// One of these words.
    Combo(Vec<String>),
    /// Text or name of a file.
    Text,
    /// Button without a value.
    Button,
}

/// Report of a line of play.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// Depth, in plies.
    pub depth: u32,
    /// Rank of the line (`multipv`), from 1.
    pub rank: usize,
    /// Score for the side to move.
    pub value: Value,
    /// Whether the score is a bound.
    pub is_bound: bool,
    /// Wins, draws and losses, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Time and nodes so far.
    pub cost: Cost,
    /// Principal variation (PV); never empty.
    pub pv: Vec<String>,
}

/// A score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Score in the units of the protocol.
    Units(i32),
    /// Mate in this number of moves of the winner, negative for the loser.
    Mate(i32),
}

/// Time and nodes of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    /// Time, in milliseconds.
    pub time: u64,
    /// Nodes of all workers.
    pub nodes: u64,
}

type Parsed<T> = Result<T, String>;

/// Parses a line without its line end.
///
/// # Errors
/// If the line violates the protocol; the error describes the fault.
pub fn parse(line: &[u8], dialect: Dialect) -> Parsed<Reply> {
    if line.len() >= MAX_LINE {
        return Err(format!("{} bytes and its end are too long", line.len()));
    }
    if !line.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        return Err("not printable".into());
    }
    let line = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    // Other engines write just the label and a blank if there are no checkers.
    if line == "Checkers: " {
        return Ok(Reply::Board(BOARD[2]));
    }
    if line.starts_with(' ') || line.ends_with(' ') {
        return Err("a blank at its end".into());
    }
    let mut words = Words { rest: line, dialect };
    let first = words.word()?;
    let reply = words.read(first)?;
    if words.rest.is_empty() { Ok(reply) } else { Err(format!("{:?} is left over", words.rest)) }
}

/// Words that have not been parsed yet.
struct Words<'a> {
    rest: &'a str,
    dialect: Dialect,
}

impl<'a> Words<'a> {
    fn read(&mut self, first: &str) -> Parsed<Reply> {
        let is_ucci = self.dialect == Dialect::Ucci;
        match first {
            "id" => self.id(),
            "option" => self.option().map(Reply::Option),
            "ucciok" if is_ucci => Ok(Reply::Greeted),
            "uciok" if !is_ucci => Ok(Reply::Greeted),
            "readyok" => Ok(Reply::Ready),
            "info" => self.info(),
            "bestmove" if !is_ucci && self.accept("(none)") => Ok(Reply::NoBestMove),
            "bestmove" => self.answer(),
            "nobestmove" if is_ucci => Ok(Reply::NoBestMove),
            "pophash" if is_ucci => self.table_content(),
            "bye" if is_ucci => Ok(Reply::Bye),
            label if BOARD.contains(&label) => {
                self.all();
                Ok(Reply::Board(BOARD.into_iter().find(|&known| known == label).unwrap_or_default()))
            }
            _ => Err(format!("{first:?} begins no line of this protocol")),
        }
    }

    /// Takes the next word; words are separated by single blanks.
    fn word(&mut self) -> Parsed<&'a str> {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        if word.is_empty() { Err("a word is missing".into()) } else { Ok(word) }
    }

    fn peek(&self) -> &'a str {
        self.rest.split(' ').next().unwrap_or_default()
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.rest = self.rest[word.len()..].strip_prefix(' ').unwrap_or("");
        }
        found
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        let found = self.peek().to_owned();
        if self.accept(word) { Ok(()) } else { Err(format!("{found:?} stands where {word:?} should")) }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        let word = self.word()?;
        let is_plain = !word.starts_with('+') && word != "-0" && (word.len() == 1 || !word.starts_with('0'));
        word.parse().ok().filter(|_| is_plain).ok_or_else(|| format!("{word:?} is no number here"))
    }

    /// Takes a label and the number after it.
    fn labelled<T: std::str::FromStr>(&mut self, label: &str) -> Parsed<T> {
        self.expect(label)?;
        self.number()
    }

    /// Takes the rest of the line.
    fn all(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    fn id(&mut self) -> Parsed<Reply> {
        let field = self.word()?;
        let known: &[&str] = match self.dialect {
            Dialect::Ucci => &["name", "version", "copyright", "author", "user"],
            Dialect::Uci => &["name", "author"],
        };
        let text = self.all();
        if known.contains(&field) && !text.is_empty() { Ok(Reply::Id) } else { Err(format!("no field {field:?}")) }
    }

    fn option(&mut self) -> Parsed<Announced> {
        let line = self.rest.to_ascii_lowercase();
        if let Some(word) = TRIGGERS.iter().find(|word| line.contains(**word)) {
            return Err(format!("clients act upon {word:?}"));
        }
        let name = match self.dialect {
            Dialect::Ucci => {
                let name = self.word()?;
                let is_word = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                if is_word { name.to_owned() } else { return Err(format!("{name:?} is no word in small letters")) }
            }
            Dialect::Uci => {
                self.expect("name")?;
                let mut name = vec![self.word()?];
                while self.peek() != "type" {
                    name.push(self.word()?);
                }
                name.join(" ")
            }
        };
        self.expect("type")?;
        let kind = match self.word()? {
            "check" => {
                self.expect("default")?;
                let default = self.word()?;
                if !["true", "false"].contains(&default) {
                    return Err(format!("{default:?} is neither true nor false"));
                }
                Kind::Check
            }
            "spin" => self.spin()?,
            "combo" => self.combo()?,
            "string" => {
                if self.dialect == Dialect::Uci || !self.rest.is_empty() {
                    self.expect("default")?;
                    if self.all().is_empty() {
                        return Err("an empty default".into());
                    }
                }
                Kind::Text
            }
            "button" => Kind::Button,
            other => return Err(format!("no type {other:?}")),
        };
        Ok(Announced { name, kind })
    }

    fn spin(&mut self) -> Parsed<Kind> {
        let (min, max, default): (i64, i64, i64);
        match self.dialect {
            Dialect::Ucci => {
                (min, max) = (self.labelled("min")?, self.labelled("max")?);
                default = self.labelled("default")?;
            }
            Dialect::Uci => {
                default = self.labelled("default")?;
                (min, max) = (self.labelled("min")?, self.labelled("max")?);
            }
        }
        if (min..=max).contains(&default) { Ok(Kind::Spin(min, max)) } else { Err("default out of range".into()) }
    }

    fn combo(&mut self) -> Parsed<Kind> {
        let mut default = None;
        if self.dialect == Dialect::Uci {
            self.expect("default")?;
            default = Some(self.word()?);
        }
        let mut choices = Vec::new();
        while self.accept("var") {
            choices.push(self.word()?.to_owned());
        }
        if self.dialect == Dialect::Ucci {
            self.expect("default")?;
            default = Some(self.word()?);
        }
        let is_choice = default.is_some_and(|default| choices.iter().any(|choice| choice == default));
        if is_choice { Ok(Kind::Combo(choices)) } else { Err(format!("{default:?} is no choice")) }
    }

    fn info(&mut self) -> Parsed<Reply> {
        let (text, other) = match self.dialect {
            Dialect::Ucci => ("message", "string"),
            Dialect::Uci => ("string", "message"),
        };
        match self.peek() {
            word if word == text => {
                self.word()?;
                self.message()
            }
            word if word == other => Err(format!("{word:?} is not for this protocol")),
            "depth" => self.depth(),
            "time" | "nodes" => self.cost().map(Reply::Cost),
            "currmove" if self.dialect == Dialect::Ucci => {
                self.word()?;
                Ok(Reply::CurrentMove(self.word()?.to_owned()))
            }
            "refutation" if self.dialect == Dialect::Uci => {
                self.word()?;
                Ok(Reply::Refutation(self.moves()?))
            }
            "currline" if self.dialect == Dialect::Uci => {
                let worker: usize = self.labelled("currline")?;
                let moves = self.moves()?;
                if worker == 0 { Err("workers count from 1".into()) } else { Ok(Reply::CurrentLine(moves)) }
            }
            other => Err(format!("no information begins with {other:?}")),
        }
    }

    fn message(&mut self) -> Parsed<Reply> {
        let text = self.all();
        let lower = text.to_ascii_lowercase();
        if let Some(word) = TRIGGERS.iter().find(|word| lower.contains(**word)) {
            return Err(format!("a message with {word:?} in it"));
        }
        Ok(Reply::Message(text.to_owned()))
    }

    /// Parses information that begins with a depth: a line of play, a root move, a static evaluation, or a book move.
    fn depth(&mut self) -> Parsed<Reply> {
        let depth: u32 = self.labelled("depth")?;
        if depth > 0 && self.dialect == Dialect::Uci && self.peek() == "currmove" {
            self.word()?;
            let mv = self.word()?.to_owned();
            let number: usize = self.labelled("currmovenumber")?;
            return if number == 0 { Err("root moves count from 1".into()) } else { Ok(Reply::CurrentMove(mv)) };
        }
        let is_line = self.dialect == Dialect::Uci && self.peek() == "seldepth";
        if depth == 0 && !is_line {
            self.expect("score")?;
            let value = self.value()?;
            if self.rest.is_empty() {
                return Ok(Reply::Static(value));
            }
            let is_book = self.dialect == Dialect::Ucci && matches!(value, Value::Units(weight) if weight >= 0);
            self.expect("pv")?;
            let mv = self.word()?.to_owned();
            return if is_book { Ok(Reply::Book(mv)) } else { Err("a line of play at depth 0".into()) };
        }
        let progress = match self.dialect {
            Dialect::Ucci => self.ucci_progress(depth),
            Dialect::Uci => self.uci_progress(depth),
        }?;
        match progress {
            Progress { value: Value::Mate(0), .. } => Err("mate in 0 with a move to play".into()),
            Progress { rank: 0, .. } => Err("ranks count from 1".into()),
            Progress { wdl: Some(wdl), .. } if wdl.iter().sum::<u32>() != 1000 => Err("not all thousandths".into()),
            progress => Ok(Reply::Progress(progress)),
        }
    }

    fn ucci_progress(&mut self, depth: u32) -> Parsed<Progress> {
        let rank = if self.peek() == "multipv" { self.labelled("multipv")? } else { 1 };
        self.expect("score")?;
        let value = self.value()?;
        let cost = self.cost()?;
        self.expect("pv")?;
        Ok(Progress { depth, rank, value, is_bound: false, wdl: None, cost, pv: self.moves()? })
    }

    fn uci_progress(&mut self, depth: u32) -> Parsed<Progress> {
        let selective: u32 = self.labelled("seldepth")?;
        let rank = self.labelled("multipv")?;
        self.expect("score")?;
        let value = self.value()?;
        let is_bound = self.accept("lowerbound") || self.accept("upperbound");
        let wdl = if self.accept("wdl") { Some([self.number()?, self.number()?, self.number()?]) } else { None };
        let cost = self.cost()?;
        self.expect("pv")?;
        if selective > 1000 {
            return Err(format!("a selective depth of {selective}"));
        }
        Ok(Progress { depth, rank, value, is_bound, wdl, cost, pv: self.moves()? })
    }

    fn value(&mut self) -> Parsed<Value> {
        let dialect = self.dialect;
        let (value, most) = match dialect {
            Dialect::Ucci => (Value::Units(self.number()?), 10_000),
            Dialect::Uci if self.accept("cp") => (Value::Units(self.number()?), i32::from(i16::MAX)),
            Dialect::Uci => (Value::Mate(self.labelled("mate")?), 128),
        };
        let (Value::Units(number) | Value::Mate(number)) = value;
        if number.abs() <= most { Ok(value) } else { Err(format!("a score of {number}")) }
    }

    fn cost(&mut self) -> Parsed<Cost> {
        let (time, nodes, fill): (u64, u64, u32);
        match self.dialect {
            Dialect::Ucci => {
                (time, nodes) = (self.labelled("time")?, self.labelled("nodes")?);
                let _: u64 = self.labelled("nps")?;
                fill = self.labelled("hashfull")?;
            }
            Dialect::Uci => {
                nodes = self.labelled("nodes")?;
                let _: u64 = self.labelled("nps")?;
                fill = self.labelled("hashfull")?;
                let _: u64 = self.labelled("tbhits")?;
                time = self.labelled("time")?;
            }
        }
        if fill <= 1000 { Ok(Cost { time, nodes }) } else { Err(format!("{fill} thousandths full")) }
    }

    /// Takes the moves up to the end of the line, at least one.
    fn moves(&mut self) -> Parsed<Vec<String>> {
        let mut moves = vec![self.word()?.to_owned()];
        while !self.rest.is_empty() {
            moves.push(self.word()?.to_owned());
        }
        Ok(moves)
    }

    fn answer(&mut self) -> Parsed<Reply> {
        let best = self.word()?.to_owned();
        let ponder = if self.accept("ponder") { Some(self.word()?.to_owned()) } else { None };
        let dialect = self.dialect;
        let closing = match dialect {
            Dialect::Ucci if self.accept("draw") => Some(Closing::Draw),
            Dialect::Ucci if self.accept("resign") => Some(Closing::Resign),
            _ => None,
        };
        Ok(Reply::BestMove { best, ponder, closing })
    }

    fn table_content(&mut self) -> Parsed<Reply> {
        let best = if self.accept("bestmove") { Some(self.word()?.to_owned()) } else { None };
        let mut bounds = Vec::new();
        for label in ["lowerbound", "upperbound"] {
            if self.accept(label) {
                let Value::Units(value) = self.value()? else { return Err("a mate in moves".into()) };
                let depth: u32 = self.labelled("depth")?;
                bounds.push((value, depth));
            }
        }
        if let [(low, one), (high, other)] = bounds[..]
            && (low > high || one != other)
        {
            return Err("bounds that exclude each other".into());
        }
        Ok(Reply::Known(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_ucci(line: &str) -> Parsed<Reply> {
        parse(line.as_bytes(), Dialect::Ucci)
    }

    fn in_uci(line: &str) -> Parsed<Reply> {
        parse(line.as_bytes(), Dialect::Uci)
    }

    #[test]
    fn lines_of_ucci_are_read() {
        for line in [
            "id version 0.1.0",
            "option hashsize type spin min 0 max 16 default 0",
            "option style type combo var solid var normal default normal",
            "option logfile type string",
            "option bookfiles type string default <embedded>",
            "option newgame type button",
            "ucciok",
            "readyok",
            "bye",
            "nobestmove",
            "bestmove h2e2",
            "bestmove h2e2 ponder h9g7 draw",
            "bestmove h2e2 resign",
            "info depth 6 score -4 time 5 nodes 7 nps 1 hashfull 12 pv b0c2 b9c7",
            "info depth 6 multipv 2 score 0 time 5 nodes 7 nps 1 hashfull 12 pv b0c2",
            "info time 5 nodes 7 nps 1 hashfull 0",
            "info depth 0 score -10",
            "info depth 0 score 12 pv h2e2",
            "info currmove h2e2",
            "info message two  blanks",
            "pophash",
            "pophash bestmove h2e2 lowerbound -5 depth 7 upperbound -5 depth 7",
        ] {
            assert!(in_ucci(line).is_ok(), "{line}: {:?}", in_ucci(line));
        }
    }

    #[test]
    fn lines_of_uci_are_read() {
        for line in [
            "option name Clear Hash type button",
            "option name Hash type spin default 0 min 0 max 16",
            "option name Book Files type string default <empty>",
            "uciok",
            "bestmove (none)",
            "bestmove h3e3 ponder h10g8",
            "info depth 6 seldepth 9 multipv 1 score cp 0 nodes 5 nps 1 hashfull 1 tbhits 0 time 5 pv b0c2",
            "info depth 6 seldepth 9 multipv 2 score mate -3 lowerbound wdl 0 0 1000 nodes 5 nps 1 hashfull 1 tbhits 0 time 5 pv b0c2",
            "info depth 9 currmove h2e2 currmovenumber 3",
            "info refutation h2e2 h9g7",
            "info currline 2 h2e2",
            "info depth 0 score mate 0",
            "info string not in the table",
        ] {
            assert!(in_uci(line).is_ok(), "{line}: {:?}", in_uci(line));
        }
    }

    #[test]
    fn what_is_out_of_place_is_refused() {
        for line in [
            "",
            " readyok",
            "readyok ",
            "readyok now",
            "uciok",
            "bestmove",
            "bestmove h2e2 draw ponder h9g7",
            "bestmove h2e2  ponder h9g7",
            "bestmove h2e2 ponder",
            "info depth 6 score cp 4 time 5 nodes 7 nps 1 hashfull 12 pv b0c2",
            "info depth 6 score 4 time 5 nodes 7 nps 1 hashfull 12 pv",
            "info depth 6 score 4 time 5 nodes 7 nps 1 hashfull 1001 pv b0c2",
            "info depth 6 score 10001 time 5 nodes 7 nps 1 hashfull 12 pv b0c2",
            "info depth 06 score 4 time 5 nodes 7 nps 1 hashfull 12 pv b0c2",
            "info string no word of ucci",
            "info message a good move was withdrawn",
            "option Hash type spin min 0 max 16 default 0",
            "option hashsize type spin min 0 max 16 default 17",
            "option style type combo var solid default normal",
            "option drawmoves type spin min 0 max 16 default 0",
            "pophash lowerbound 5 depth 7 upperbound 4 depth 7",
            "pophash lowerbound 5 depth 7 upperbound 5 depth 8",
            "hello",
        ] {
            assert!(in_ucci(line).is_err(), "{line}: {:?}", in_ucci(line));
        }
        assert!(parse(b"info message \xc3\xa9", Dialect::Ucci).is_err());
        assert!(parse(&[b"info message ".as_slice(), &[b'x'; 990]].concat(), Dialect::Ucci).is_err());
        for line in [
            "bye",
            "nobestmove",
            "bestmove h2e2 resign",
            "info depth 6 seldepth 9 multipv 1 score mate 0 nodes 5 nps 1 hashfull 1 tbhits 0 time 5 pv b0c2",
            "info depth 6 seldepth 9 multipv 1 score cp 4 wdl 1 2 3 nodes 5 nps 1 hashfull 1 tbhits 0 time 5 pv b0c2",
            "info depth 6 seldepth 9 multipv 0 score cp 4 nodes 5 nps 1 hashfull 1 tbhits 0 time 5 pv b0c2",
        ] {
            assert!(in_uci(line).is_err(), "{line}: {:?}", in_uci(line));
        }
    }

    #[test]
    fn announced_options_are_known_by_name_and_kind() {
        let announced = |line: &str| match in_uci(line) {
            Ok(Reply::Option(Announced { name, kind })) => (name, kind),
            other => panic!("{other:?}"),
        };
        let hash = announced("option name Move Overhead type spin default 10 min 0 max 5000");
        assert_eq!(hash, ("Move Overhead".to_owned(), Kind::Spin(0, 5000)));
        let style = announced("option name Style type combo default b var a var b");
        assert_eq!(style.1, Kind::Combo(vec!["a".to_owned(), "b".to_owned()]));
    }
}
