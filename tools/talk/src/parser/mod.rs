//! Parser for the engine's lines, as strict as the protocols and their clients: single blanks between words, every word in its
//! place, nothing after the last.

use chuhe::engine::event::{Closing, Dialect};

use crate::reply::{Announced, BOARD, Cost, Kind, Progress, Reply, Value};

/// Maximum length of a line in bytes, including its end.
const MAX_LINE: usize = 999;

/// Words that clients react to anywhere, so no free text may contain them.
const TRIGGERS: &[&str] = &["bestmove", "draw", "resign", "ucciok", "uciok", "readyok", "bye"];

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
        word.parse().ok().filter(|_| is_plain).ok_or_else(|| format!("{word:?} is not a number here"))
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
                if is_word { name.to_owned() } else { return Err(format!("{name:?} is not a word in small letters")) }
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
        if is_choice { Ok(Kind::Combo(choices)) } else { Err(format!("{default:?} is not a choice")) }
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
mod tests;
