//! Searches whose reports are passed on while they run, until the observer ends them.

use std::time::{Duration, Instant};

use chuhe::board::{Move, Position};

use super::conversation::{Conversation, SearchResult};
use super::dialect::{Dialect, GameState, LineKind};
use super::eval::{Eval, RawScore};
use super::failure::{Failure, SearchError};
use super::info::{Info, raw_score, read_number};
use super::spec::TimeControl;
use crate::process::NoLine;

/// Interval at which a silent search asks its observer whether to go on.
const TICK: Duration = Duration::from_millis(20);

/// Time by which a search may exceed its time per move before it is stopped.
const GRACE: Duration = Duration::from_secs(2);

/// Maximum number of lines within a second; more count as a flood.
const MOST_LINES: u32 = 20_000;

/// Maximum number of plies of a variation that are read.
const LONGEST_PV: usize = 64;

/// Decision of an observer about the search that it watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Course {
    /// The search goes on.
    Continue,
    /// The search is stopped and answers.
    Stop,
    /// The process is ended; there is no answer.
    Cancel,
}

/// Receiver of a search's reports.
pub trait Observer {
    /// Receives a report.
    fn report(&mut self, report: Report);

    /// Decides how the search goes on; called for every line and every 20 ms.
    fn course(&mut self) -> Course;
}

/// One line of search output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Selective depth, in plies.
    pub selective_depth: Option<u32>,
    /// Nodes of the whole search.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Share of the transposition table in use, in thousandths.
    pub hashfull: Option<u32>,
    /// Time of the search, in milliseconds.
    pub time_ms: Option<u64>,
    /// Variation with its score, if the line has one.
    pub line: Option<ReportLine>,
}

/// A principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportLine {
    /// Rank among the best moves, from 1.
    pub rank: u32,
    /// Score for the side to move.
    pub eval: Eval,
    /// Kind of the score, if it is not exact.
    pub bound: Option<Bound>,
    /// Chances of win, draw and loss for the side to move, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Legal moves, up to the first word that is none.
    pub moves: Vec<Move>,
}

/// Kind of a score that is not exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// Runs a search and passes its reports on; a search without limits runs until its observer ends it.
pub(super) fn search(
    conversation: &mut Conversation,
    state: &GameState,
    limits: &TimeControl,
    observer: &mut dyn Observer,
) -> Result<SearchResult, SearchError> {
    conversation.reject_unrequested()?;
    let mut commands = conversation.commands(state, limits)?;
    if limits.is_unlimited() && state.own_clock().time.is_none() {
        *commands.last_mut().expect("the command that starts a search") += " infinite";
    }
    let asked = Instant::now();
    conversation.send(&commands);
    let overrun = limits.move_time.map(|time| asked + time + GRACE);
    let (mut info, mut flood, mut deadline) = (Info::default(), Flood::new(), None);
    loop {
        let now = Instant::now();
        match observer.course() {
            Course::Cancel => return Err(SearchError::Cancelled),
            course if deadline.is_none() && (course == Course::Stop || overrun.is_some_and(|at| at <= now)) => {
                deadline = Some(now + conversation.stop_search());
            }
            Course::Stop | Course::Continue => {}
        }
        if deadline.is_some_and(|at| at <= now) {
            return Err(Failure::no_line(NoLine::Timeout, asked.elapsed()).into());
        }
        let line = match conversation.line(now + TICK) {
            Ok(line) => line,
            Err(NoLine::Timeout) => continue,
            Err(reason) => return Err(Failure::no_line(reason, asked.elapsed()).into()),
        };
        flood.count()?;
        if let Some(report) = read(&line.text, state.position(), conversation.dialect()) {
            observer.report(report);
        }
        match conversation.dialect().parse_line(&line.text, &mut info) {
            LineKind::Answer(reply) => return Ok(conversation.result(state, reply, info, asked, line.read_at)),
            LineKind::NeedsCommands(commands) => conversation.send(&commands),
            LineKind::Failed(failure) => return Err(failure.into()),
            LineKind::Info | LineKind::Other => {}
        }
    }
}

/// Counts the lines of each second.
struct Flood {
    since: Instant,
    lines: u32,
}

impl Flood {
    fn new() -> Self {
        Self { since: Instant::now(), lines: 0 }
    }

    fn count(&mut self) -> Result<(), Failure> {
        if self.since.elapsed() >= Duration::from_secs(1) {
            *self = Self::new();
        }
        self.lines += 1;
        if self.lines > MOST_LINES { Err(Failure::flood(MOST_LINES as usize)) } else { Ok(()) }
    }
}

/// Reads a line of search output in the syntax that UCCI and UCI share; `None` for any other line.
fn read(line: &str, position: &Position, dialect: &mut dyn Dialect) -> Option<Report> {
    let mut words = line.split_whitespace();
    words.next().filter(|word| *word == "info")?;
    let mut report = Report::default();
    let (mut rank, mut score, mut bound, mut wdl): (_, Option<RawScore>, _, _) = (None, None, None, None);
    while let Some(word) = words.next() {
        match word {
            "depth" => read_number(&mut words, &mut report.depth),
            "seldepth" => read_number(&mut words, &mut report.selective_depth),
            "nodes" => read_number(&mut words, &mut report.nodes),
            "nps" => read_number(&mut words, &mut report.nps),
            "hashfull" => read_number(&mut words, &mut report.hashfull),
            "time" => read_number(&mut words, &mut report.time_ms),
            "multipv" => read_number(&mut words, &mut rank),
            "score" => score = raw_score(&mut words),
            "lowerbound" => bound = Some(Bound::Lower),
            "upperbound" => bound = Some(Bound::Upper),
            "wdl" => wdl = chances(&mut words),
            "pv" => {
                let moves = variation(words, position, dialect);
                if let (Some(score), false) = (score, moves.is_empty()) {
                    let eval = dialect.eval(score);
                    report.line = Some(ReportLine { rank: rank.unwrap_or(1), eval, bound, wdl, moves });
                }
                return Some(report);
            }
            // Free text up to the end of the line.
            "string" | "message" => return Some(report),
            _ => {}
        }
    }
    Some(report)
}

/// Parses the three numbers after `wdl`.
fn chances<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<[u32; 3]> {
    let mut numbers = [0; 3];
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    (numbers.iter().map(|&number| u64::from(number)).sum::<u64>() == 1000).then_some(numbers)
}

/// Returns the legal moves at the beginning of a variation.
fn variation<'a>(words: impl Iterator<Item = &'a str>, position: &Position, dialect: &mut dyn Dialect) -> Vec<Move> {
    let (mut position, mut moves) = (*position, Vec::new());
    for word in words.take(LONGEST_PV) {
        let Some(mv) = dialect.read_move(word, &position).filter(|&mv| position.is_legal(mv)) else { break };
        position = position.play(mv);
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::super::spec::Quirks;
    use super::super::ucci::Ucci;
    use super::super::uci::Uci;
    use super::*;

    #[test]
    fn a_line_of_output_becomes_a_report() {
        let mut uci = Uci::new(&[], &Quirks::default());
        let line = "info depth 7 seldepth 9 multipv 2 score cp -31 lowerbound wdl 200 500 300 nodes 1000 nps 5 hashfull 12 \
                    tbhits 0 time 7 pv h2e2 h9g7 h0g2 a0a9 b0c2";
        let report = read(line, &Position::start(), &mut uci).unwrap();
        let of_line = report.line.clone().unwrap();
        assert_eq!((report.depth, report.selective_depth, report.nodes), (Some(7), Some(9), Some(1000)));
        assert_eq!((report.nps, report.hashfull, report.time_ms), (Some(5), Some(12), Some(7)));
        assert_eq!((of_line.rank, of_line.eval, of_line.bound), (2, Eval::Centipawns(-31), Some(Bound::Lower)));
        assert_eq!((of_line.wdl, of_line.moves.len()), (Some([200, 500, 300]), 3), "a0a9 is not legal");
    }

    #[test]
    fn lines_without_a_move_or_a_score_have_no_variation() {
        let mut ucci = Ucci::new(&[], &Quirks::default());
        for line in ["info depth 3 score 5", "info depth 3 pv h2e2", "info depth 3 score 5 pv a0a9", "info nodes 7"] {
            assert_eq!(read(line, &Position::start(), &mut ucci).unwrap().line, None, "{line}");
        }
        for line in ["bestmove h2e2", "", "info string score 5 pv h2e2"] {
            assert!(read(line, &Position::start(), &mut ucci).is_none_or(|report| report.line.is_none()), "{line}");
        }
    }

    #[test]
    fn more_lines_than_anyone_reads_are_a_flood() {
        // A second that has not begun does not end during the test.
        let mut flood = Flood { since: Instant::now() + Duration::from_secs(60), lines: 0 };
        assert!((0..MOST_LINES).all(|_| flood.count().is_ok()));
        assert!(flood.count().is_err());
    }
}
