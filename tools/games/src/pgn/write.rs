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
    /// Contents of the comments beside score, depth and time; `None` for a file with names, result and moves alone.
    pub comments: Option<Vec<Field>>,
}

/// A value in the comment on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Nodes searched, `n=`.
    Nodes,
    /// Selective depth, `sd=`.
    SelectiveDepth,
    /// Nodes per second, `nps=`.
    Speed,
    /// Filling of the transposition table in thousandths, `hashfull=`.
    HashFull,
    /// Positions found in endgame tablebases, `tbhits=`.
    TableHits,
    /// Time left on the clock, `tl=`.
    TimeLeft,
    /// Time on the clock beyond the time that the engine reports, `latency=`.
    Latency,
    /// Principal variation, `pv=`.
    Variation,
}

impl Field {
    /// Fields that are written unless something else is wanted.
    pub const USUAL: [Self; 3] = [Self::Nodes, Self::SelectiveDepth, Self::TimeLeft];
}

impl Default for PgnFormat {
    fn default() -> Self {
        let (event, site) = ("Arena match".into(), "?".into());
        Self { event, site, notation: Notation::Iccs, comments: Some(Field::USUAL.to_vec()) }
    }
}

/// Writes one game, with an empty line between tags and moves and another after the moves.
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
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    tag("Format", &format.notation.to_string());
    if format.comments.is_none() {
        return tags;
    }
    tag("GameNumber", &game.number.to_string());
    tag("GameStartTime", &time(game.started_at_ms));
    tag("GameEndTime", &time(game.started_at_ms.saturating_add(game.duration_ms)));
    tag("GameDuration", &clock_time(game.duration_ms));
    for (name, value) in limits(&game.time_control) {
        tag(&name, &value);
    }
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
    let book = game.opening_moves.iter().map(|mv| (mv, None));
    let ending = |index: usize| (index + 1 == game.moves.len()).then_some(&*game.ending.text);
    let played = game.moves.iter().enumerate().map(|(index, record)| (&record.mv, Some((record, ending(index)))));
    for (index, (mv, record)) in book.chain(played).enumerate() {
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
        if let Some(fields) = &format.comments {
            let comment = record.map(|(record, ending)| comment(record, ending, fields, (&position, format.notation)));
            text += &format!(" {{{}}}", comment.as_deref().unwrap_or(BOOK));
        }
        if position.side() == Side::Black {
            number = number.saturating_add(1);
        }
        position = position.play(mv);
    }
    if game.moves.is_empty() && !game.ending.text.is_empty() && format.comments.is_some() {
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
fn comment(
    record: &MoveRecord,
    ending: Option<&str>,
    fields: &[Field],
    (position, notation): (&Position, Notation),
) -> String {
    let time = seconds(record.time_ms as f64);
    let mut parts = vec![match record.eval {
        Some(eval) => format!("{}/{} {time}", eval_text(eval), record.depth.unwrap_or(0)),
        None => time,
    }];
    parts.extend(fields.iter().filter_map(|field| match field {
        Field::Nodes => Some(format!("n={}", record.nodes?)),
        Field::SelectiveDepth => Some(format!("sd={}", record.selective_depth?)),
        Field::Speed => Some(format!("nps={}", record.nps?)),
        Field::HashFull => Some(format!("hashfull={}", record.hashfull?)),
        Field::TableHits => Some(format!("tbhits={}", record.tbhits?)),
        Field::TimeLeft => Some(format!("tl={}", seconds(record.left_ms? as f64))),
        Field::Latency => Some(format!("latency={}", seconds(record.latency_ms()? as f64))),
        Field::Variation => Some(format!("pv=\"{}\"", variation(position, &record.pv, notation)?)),
    }));
    if record.ponder_hit {
        parts.push("ponderhit".into());
    }
    parts.extend(record.lines.iter().map(|line| format!("line=\"{}\"", comment_text(line))));
    if let Some(ending) = ending.filter(|ending| !ending.is_empty()) {
        parts.push(comment_text(ending));
    }
    parts.join(", ")
}

/// Writes milliseconds as `0.420s`.
fn seconds(ms: f64) -> String {
    format!("{:.3}s", ms / 1000.0)
}

/// Writes a variation in this notation; `None` if it is empty.
fn variation(position: &Position, moves: &str, notation: Notation) -> Option<String> {
    let mut position = *position;
    let next = |mv: &str| {
        let mv = legal_move(&position, mv)?;
        let text = notation::write(&position, mv, notation);
        position = position.play(mv);
        Some(comment_text(&text))
    };
    let words: Vec<String> = moves.split_whitespace().map_while(next).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the tags for the limits of a game: `TimeControl` in the syntax of PGN, and `SearchLimits` for nodes and depth. Where
/// the sides differ, each has its own tag.
fn limits(time_control: &str) -> Vec<(String, String)> {
    let sides: Vec<(String, String)> = time_control.split(" against ").map(limits_of_a_side).collect();
    let mut tags = vec![];
    let mut add = |name: &str, values: Vec<&String>, common: &str| match values[..] {
        [one, other] if one != other => {
            if !common.is_empty() {
                tags.push((name.to_owned(), common.to_owned()));
            }
            tags.push((format!("Red{name}"), one.clone()));
            tags.push((format!("Black{name}"), other.clone()));
        }
        _ => tags.push((name.to_owned(), values[0].clone())),
    };
    add("TimeControl", sides.iter().map(|(clock, _)| clock).collect(), "?");
    if sides.iter().any(|(_, rest)| !rest.is_empty()) {
        add("SearchLimits", sides.iter().map(|(_, rest)| rest).collect(), "");
    }
    tags
}

/// Returns the clock as in PGN, `-` without one, and the other limits.
fn limits_of_a_side(text: &str) -> (String, String) {
    let (clock, rest) = text.split_once(' ').unwrap_or((text, ""));
    let clock = match clock.strip_prefix("st=") {
        Some(seconds) => format!("1/{seconds}"),
        None if clock == "inf" => "-".to_owned(),
        None => clock.to_owned(),
    };
    (clock, rest.to_owned())
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
        EndingClass::DrawAdjudication
        | EndingClass::WinAdjudication
        | EndingClass::TablebaseDraw
        | EndingClass::TablebaseWin
        | EndingClass::MaxMoves => "adjudication",
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
pub fn tag_value(text: &str) -> String {
    let plain = |c: char| if c == '"' { '\'' } else { printable(c) };
    text.chars().map(plain).collect::<String>().replace('\\', r"\\")
}

/// Writes the text of a comment, without round brackets, as some readers take those for comments too.
pub fn comment_text(text: &str) -> String {
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
    timestamp(unix_ms).map_or_else(|| "????.??.??".to_owned(), |time| time.strftime("%Y.%m.%d").to_string())
}

/// Writes date and time in UTC, such as `2026-11-28T03:23:00 +0000`, or a question mark.
fn time(unix_ms: u64) -> String {
    timestamp(unix_ms).map_or_else(|| "?".to_owned(), |time| time.strftime("%Y-%m-%dT%H:%M:%S +0000").to_string())
}

fn timestamp(unix_ms: u64) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(unix_ms).ok()?).ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_those_of_the_standard() {
        let tags = |text: &str| limits(text).iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>();
        assert_eq!(tags("40/60+0.6"), ["TimeControl 40/60+0.6"]);
        assert_eq!(tags("st=0.5"), ["TimeControl 1/0.5"]);
        assert_eq!(tags("inf nodes=100 depth=3"), ["TimeControl -", "SearchLimits nodes=100 depth=3"]);
        assert_eq!(tags("10+0.1 against 5"), ["TimeControl ?", "RedTimeControl 10+0.1", "BlackTimeControl 5"]);
        let odds = ["TimeControl -", "RedSearchLimits nodes=5", "BlackSearchLimits nodes=6"];
        assert_eq!(tags("inf nodes=5 against inf nodes=6"), odds);
    }

    #[test]
    fn a_comment_has_the_fields_that_are_wanted() {
        let record = MoveRecord {
            mv: "h2e2".into(),
            hashfull: Some(3),
            tbhits: Some(4),
            time_ms: 70,
            reported_ms: Some(72),
            pv: "h2e2 h9g7 nowhere".into(),
            ..MoveRecord::default()
        };
        let all = [Field::Nodes, Field::HashFull, Field::TableHits, Field::Latency, Field::Variation];
        let comment = |notation| comment(&record, None, &all, (&Position::start(), notation));
        let head = "0.070s, hashfull=3, tbhits=4, latency=-0.002s, pv=";
        assert_eq!(comment(Notation::Iccs), format!("{head}\"H2-E2 H9-G7\""));
        assert_eq!(comment(Notation::Wxf), format!("{head}\"C2=5 N8+7\""));
    }
}
