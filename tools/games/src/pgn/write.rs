//! Played games as PGN: the tags of Xiangqi files, moves in any notation, engine output as comments.

use std::fmt::Write;

use anyhow::{Context, Result};
use chuhe::board::{Move, Position, START_FEN, Side};
use chuhe::notation::{self, Notation};
use jiff::Timestamp;

use crate::record::{EndingClass, Eval, GameRecord, GameResult, MoveRecord};

/// Options for writing games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnFormat {
    /// Name of the match.
    pub event: String,
    /// Place of the match.
    pub site: String,
    /// Notation of moves. OpenBench reads ICCS and WXF, not Chinese.
    pub notation: Notation,
    /// Amount of detail besides the moves.
    pub detail: Detail,
}

/// Amount of detail in a file besides the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Names, result and starting position.
    Least,
    /// In addition the course of the game, with the engines' scores in comments.
    #[default]
    Usual,
    /// In addition the nodes per second.
    Speed,
}

impl Default for PgnFormat {
    fn default() -> Self {
        Self { event: "Arena match".into(), site: "?".into(), notation: Notation::Iccs, detail: Detail::Usual }
    }
}

/// Writes one game, with an empty line between tags and moves and another behind the moves.
///
/// # Errors
/// If the game cannot be replayed.
pub fn write(game: &GameRecord, format: &PgnFormat) -> Result<String> {
    let moves = write_moves(game, format)?;
    Ok(format!("{}\n{moves} {}\n\n", write_tags(game, format), game.result.text()))
}

fn write_tags(game: &GameRecord, format: &PgnFormat) -> String {
    let mut tags = String::new();
    let mut tag = |name: &str, value: &str| {
        writeln!(tags, "[{name} \"{}\"]", tag_value(value)).expect("a string takes everything");
    };
    tag("Game", "Chinese Chess");
    tag("Event", &format.event);
    tag("Site", &format.site);
    tag("Date", &date(game.started_at_ms));
    tag("Round", &game.round.to_string());
    tag("Red", &game.red);
    tag("Black", &game.black);
    tag("Result", game.result.text());
    if let Some(opening) = &game.opening {
        tag("Opening", opening);
    }
    let fen = game.opening_fen.as_ref().unwrap_or(&game.start_fen);
    if fen != START_FEN {
        tag("FEN", fen);
    }
    tag("Format", &format.notation.to_string());
    if format.detail == Detail::Least {
        return tags;
    }
    tag("GameNumber", &game.number.to_string());
    tag("GameDuration", &clock_time(game.duration_ms));
    tag("TimeControl", &game.time_control);
    tag("PlyCount", &(game.opening_moves.len() + game.moves.len()).to_string());
    tag("Termination", termination(game.ending.class));
    tag("Ending", &game.ending.text);
    tags
}

/// Writes the moves of the opening and of the engines.
fn write_moves(game: &GameRecord, format: &PgnFormat) -> Result<String> {
    let fen = game.opening_fen.as_ref().unwrap_or(&game.start_fen);
    let mut position =
        Position::from_fen(fen).with_context(|| format!("game {} starts from no position", game.number))?;
    let mut text = String::new();
    let mut number = position.move_number().max(1);
    let book = game.opening_moves.iter().map(|mv| (mv, BOOK.to_owned()));
    let ending = |index: usize| (index + 1 == game.moves.len()).then_some(&*game.ending.text);
    let played = game
        .moves
        .iter()
        .enumerate()
        .map(|(index, record)| (&record.mv, comment(record, ending(index), format.detail)));
    for (index, (mv, comment)) in book.chain(played).enumerate() {
        let mv = legal_move(&position, mv)
            .with_context(|| format!("game {}: {mv:?}, ply {}, is not legal", game.number, index + 1))?;
        text += match (index, position.side()) {
            (0, _) => "",
            (_, Side::Red) => "\n",
            (_, Side::Black) => " ",
        };
        match position.side() {
            Side::Red => text += &format!("{number}. "),
            Side::Black if index == 0 => text += &format!("{number}... "),
            Side::Black => {}
        }
        text += &notation::write(&position, mv, format.notation);
        if format.detail != Detail::Least {
            text += &format!(" {{{comment}}}");
        }
        if position.side() == Side::Black {
            number = number.saturating_add(1);
        }
        position = position.play(mv);
    }
    if game.moves.is_empty() && !game.ending.text.is_empty() && format.detail != Detail::Least {
        let gap = if text.is_empty() { "" } else { " " };
        text += &format!("{gap}{{{}}}", comment_text(&game.ending.text));
    }
    Ok(text)
}

/// Comment on a move of the opening.
const BOOK: &str = "book";

fn legal_move(position: &Position, text: &str) -> Option<Move> {
    text.parse().ok().filter(|&mv| position.is_legal(mv))
}

/// Writes `+0.12/13 0.42s, n=1234, sd=17` in the form that OpenBench reads; the last one ends with the reason of the result.
fn comment(record: &MoveRecord, ending: Option<&str>, detail: Detail) -> String {
    let mut parts = vec![];
    let time = format!("{:.3}s", record.time_ms as f64 / 1000.0);
    match record.eval {
        Some(eval) => parts.push(format!("{}/{} {time}", eval_text(eval), record.depth.unwrap_or(0))),
        None => parts.push(time),
    }
    if let Some(nodes) = record.nodes {
        parts.push(format!("n={nodes}"));
    }
    if let Some(depth) = record.selective_depth {
        parts.push(format!("sd={depth}"));
    }
    if let Some(speed) = record.nps.filter(|_| detail == Detail::Speed) {
        parts.push(format!("nps={speed}"));
    }
    if let Some(left) = record.left_ms {
        parts.push(format!("tl={:.3}s", left as f64 / 1000.0));
    }
    if record.ponder_hit {
        parts.push("ponderhit".into());
    }
    parts.extend(record.lines.iter().map(|line| format!("line=\"{}\"", comment_text(line))));
    if let Some(ending) = ending.filter(|ending| !ending.is_empty()) {
        parts.push(comment_text(ending));
    }
    parts.join(", ")
}

/// Writes `+0.12`, or `-M3` when being mated in three moves.
fn eval_text(eval: Eval) -> String {
    match eval {
        Eval::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Eval::Mate(moves) if moves > 0 => format!("+M{moves}"),
        Eval::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
    }
}

/// Returns the wording of cutechess and fastchess, which OpenBench looks for.
const fn termination(class: EndingClass) -> &'static str {
    match class {
        EndingClass::Mate
        | EndingClass::Stalemate
        | EndingClass::Repetition
        | EndingClass::MoveLimit
        | EndingClass::NoAttackers
        | EndingClass::Resignation
        | EndingClass::Agreement => "normal",
        EndingClass::DrawAdjudication | EndingClass::WinAdjudication | EndingClass::MaxMoves => "adjudication",
        EndingClass::TimeLoss => "time forfeit",
        EndingClass::Crash | EndingClass::Killed | EndingClass::NoHandshake | EndingClass::ProtocolViolation => {
            "abandoned"
        }
        EndingClass::Hang => "stalled connection",
        EndingClass::IllegalMove | EndingClass::BannedMove => "illegal move",
        EndingClass::Interrupted => "unterminated",
    }
}

/// Writes the value of a tag. Many readers of Xiangqi files support no escapes, so a quotation mark is replaced; a backslash is
/// doubled for the readers that do.
fn tag_value(text: &str) -> String {
    let plain = |c: char| if c == '"' { '\'' } else { printable(c) };
    text.chars().map(plain).collect::<String>().replace('\\', r"\\")
}

/// Writes the text of a comment, without round brackets, as some readers take those for comments too.
fn comment_text(text: &str) -> String {
    let plain = |c: char| match c {
        '{' | '(' => '[',
        '}' | ')' => ']',
        other => printable(other),
    };
    text.chars().map(plain).collect()
}

fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// Writes `YYYY.MM.DD` in UTC, or the question marks of PGN for a date that the calendar does not have.
fn date(unix_ms: u64) -> String {
    let time = i64::try_from(unix_ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    time.map_or_else(|| "????.??.??".to_owned(), |time| time.strftime("%Y.%m.%d").to_string())
}

/// Writes `HH:MM:SS`.
fn clock_time(ms: u64) -> String {
    let seconds = ms / 1000;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Whether the game belongs in a PGN file: an unfinished game without moves does not.
pub fn is_worth_writing(game: &GameRecord) -> bool {
    game.result != GameResult::Unfinished || !game.moves.is_empty()
}
