//! What the engine says in UCCI.

use std::fmt::{self, Display, Write};

use crate::board::Move;
use crate::engine::event::{Closing, Effort, Info, Reply, ScoreBound, TableContent};
use crate::engine::options::{OPTIONS, OptionKind, OptionSpec};
use crate::protocol::message::{MAX_LINE, one_line};
use crate::score::Score;

/// The lines that say `reply`.
pub(super) fn lines(reply: &Reply) -> String {
    match reply {
        Reply::Introduction => introduction(),
        Reply::Ready => "readyok\n".into(),
        Reply::BookMove { mv, weight } => format!("info depth 0 score {weight} pv {mv}\n"),
        Reply::Info(info) => progress(info),
        Reply::CurrentMove { mv, .. } => format!("info currmove {mv}\n"),
        // UCCI has no words for these.
        Reply::Refutation(_) | Reply::CurrentLine { .. } => String::new(),
        Reply::ProvenMoves { winning, losing } => proven(winning, losing),
        Reply::Effort(effort) => format!("info {}\n", cost(effort)),
        Reply::Message(text) => format!("{MESSAGE}{}\n", one_line(text, MAX_LINE - MESSAGE.len() - 1)),
        Reply::BestMove { best, ponder, closing } => {
            format!("bestmove {best}{}{}\n", Labelled(" ponder ", *ponder), Labelled(" ", closing.map(word)))
        }
        Reply::NoBestMove => "nobestmove\n".into(),
        Reply::StaticValue(score) => format!("info depth 0 score {}\n", units(*score)),
        Reply::TableContent(content) => format!("pophash{}\n", content.as_ref().map(known).unwrap_or_default()),
        Reply::Bye => "bye\n".into(),
    }
}

const MESSAGE: &str = "info message ";

fn introduction() -> String {
    let mut lines = String::new();
    for (field, text) in [
        ("name", concat!("Chuhe ", env!("CARGO_PKG_VERSION"))),
        ("version", env!("CARGO_PKG_VERSION")),
        ("copyright", concat!("2026 ", env!("CARGO_PKG_AUTHORS"), ", ", env!("CARGO_PKG_LICENSE"))),
        ("author", env!("CARGO_PKG_AUTHORS")),
        ("user", "anyone"),
    ] {
        lines += &format!("id {field} {text}\n");
    }
    lines.extend(OPTIONS.iter().filter_map(announcement));
    lines + "ucciok\n"
}

/// UCCI wants min, max, var, default in this order; an empty default is left out.
fn announcement(spec: &OptionSpec) -> Option<String> {
    let word = spec.ucci?;
    Some(match spec.kind {
        OptionKind::Check { default, .. } => format!("option {word} type check default {default}\n"),
        OptionKind::Spin { min, max, default, .. } => {
            format!("option {word} type spin min {min} max {max} default {default}\n")
        }
        OptionKind::Combo { choices, default, .. } => {
            format!("option {word} type combo var {} default {default}\n", choices.join(" var "))
        }
        OptionKind::Text { default: "", .. } => format!("option {word} type string\n"),
        OptionKind::Parsed { .. } => format!("option {word} type string\n"),
        OptionKind::Text { default, .. } => format!("option {word} type string default {default}\n"),
        OptionKind::Button => format!("option {word} type button\n"),
    })
}

/// One line with the expected line of play last, cut where it would become too long. Clients of UCCI know no bounds, so
/// they hear of exact iterations alone.
fn progress(info: &Info) -> String {
    let Info { iteration, effort, .. } = info;
    if iteration.bound != ScoreBound::Exact {
        return String::new();
    }
    let mut line = format!("info depth {} score {} {} pv", iteration.depth, units(iteration.score), cost(effort));
    let room = (MAX_LINE - 1 - line.len()) / " h2e2".len();
    for mv in iteration.pv.iter().take(room) {
        write!(line, " {mv}").expect("a string takes everything");
    }
    line + "\n"
}

/// How a game is closed.
fn word(closing: Closing) -> &'static str {
    match closing {
        Closing::Draw => "draw",
        Closing::Resign => "resign",
    }
}

/// As AGI's `INFO WIN` and `INFO LOSE`, but as free text.
fn proven(winning: &[Move], losing: &[Move]) -> String {
    [("win", winning), ("lose", losing)]
        .into_iter()
        .filter(|(_, moves)| !moves.is_empty())
        .map(|(word, moves)| {
            let moves: String = moves.iter().map(|mv| format!(" {mv}")).collect();
            format!("{MESSAGE}{}\n", one_line(&format!("{word}{moves}"), MAX_LINE - MESSAGE.len() - 1))
        })
        .collect()
}

/// Time in milliseconds, nodes, and nodes in a second.
fn cost(effort: &Effort) -> String {
    let Effort { nodes, elapsed, hashfull } = effort;
    let per_second = u128::from(*nodes) * 1_000_000 / elapsed.as_micros().max(1);
    format!("time {} nodes {nodes} nps {per_second} hashfull {hashfull}", elapsed.as_millis())
}

fn known(content: &TableContent) -> String {
    let TableContent { best, lower, upper, depth } = *content;
    let bound =
        |label, score: Option<Score>| Labelled(label, score.map(|score| format!("{} depth {depth}", units(score))));
    format!("{}{}{}", Labelled::<Move>(" bestmove ", best), bound(" lowerbound ", lower), bound(" upperbound ", upper))
}

/// A label and a value, or nothing.
struct Labelled<T>(&'static str, Option<T>);

impl<T: Display> Display for Labelled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.as_ref().map_or(Ok(()), |value| write!(f, "{}{value}", self.0))
    }
}

/// What a mate at once is worth; one further away is a point less for every ply.
const MATE: i32 = 10_000;
/// The same for a loss by the rules of repetition.
const BAN: i32 = 9_900;

/// The score as UCCI counts: a minor piece is a hundred.
fn units(score: Score) -> i32 {
    let decided = |most: i32, plies: usize| score.raw().signum() * (most - i32::try_from(plies).unwrap_or(most));
    match score.plies_to_end() {
        Some(plies) if score.is_mate() => decided(MATE, plies),
        Some(plies) => decided(BAN, plies),
        None => score.raw() * 100 / Score::MINOR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::engine::event::Iteration;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn the_introduction_is_complete_and_in_order() {
        let text = lines(&Reply::Introduction);
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with("id name Chuhe ") && lines.last() == Some(&"ucciok"));
        assert!(lines.contains(&"option usemillisec type check default true"));
        assert!(lines.contains(&"option hashsize type spin min 0 max 1048576 default 0"));
        assert!(lines.contains(&"option newgame type button") && lines.contains(&"option logfile type string"));
        assert!(!lines.iter().any(|line| line.contains("clearhash") || line.contains("Clear Hash")));
        let options = lines.iter().filter(|line| line.starts_with("option ")).count();
        assert_eq!(lines.iter().filter(|line| line.starts_with("id ")).count() + options + 1, lines.len());
        for line in &lines[..lines.len() - 1] {
            let words = ["bestmove", "nobestmove", "draw", "resign", "ucciok", "readyok", "bye"];
            assert!(!line.split(' ').any(|word| words.contains(&word)) && line.len() <= MAX_LINE, "{line}");
            assert_eq!(line.trim_end(), *line);
        }
    }

    fn info(depth: u32, score: Score, pv: &[Move]) -> Info {
        let iteration = Iteration {
            rank: 1,
            depth,
            selective_depth: depth + 4,
            score,
            bound: ScoreBound::Exact,
            pv: pv.to_vec(),
            nodes: 5,
            best_move_permille: 900,
        };
        let effort = Effort { nodes: 5_000_000, elapsed: Duration::from_millis(5000), hashfull: 12 };
        Info { iteration, effort, wdl: None }
    }

    #[test]
    fn progress_is_one_line_with_the_expected_moves_last() {
        let line = lines(&Reply::Info(info(6, Score::from_eval(16), &[mv("b0c2"), mv("b9c7")])));
        let expected = "info depth 6 score 4 time 5000 nodes 5000000 nps 1000000 hashfull 12 pv b0c2 b9c7\n";
        assert_eq!(line, expected);
        let long = lines(&Reply::Info(info(64, Score::DRAW, &[mv("b0c2"); 400])));
        assert!(long.len() <= MAX_LINE && long.len() > MAX_LINE - 10 && long.ends_with(" b0c2\n"));
        let mut failed_high = info(6, Score::DRAW, &[mv("b0c2")]);
        failed_high.iteration.bound = ScoreBound::AtLeast;
        assert_eq!(lines(&Reply::Info(failed_high)), "");
    }

    #[test]
    fn scores_are_in_hundredths_of_a_minor_piece_and_decisions_are_large() {
        assert_eq!(units(Score::from_eval(Score::MINOR)), 100);
        assert_eq!(units(Score::from_eval(-Score::MINOR)), -100);
        assert_eq!((units(Score::mate_in(1)), units(Score::mated_in(2))), (9999, -9998));
        assert_eq!((units(Score::banned_in(3)), units(-Score::banned_in(3))), (-9897, 9897));
        assert!(units(Score::MAX_EVAL) < units(-Score::banned_in(crate::score::MAX_PLY)));
    }

    #[test]
    fn answers_have_the_columns_that_clients_count() {
        let answer = |ponder, closing| lines(&Reply::BestMove { best: mv("c3c4"), ponder, closing });
        assert_eq!(answer(Some(mv("h9i7")), None), "bestmove c3c4 ponder h9i7\n");
        assert_eq!(answer(None, Some(Closing::Draw)), "bestmove c3c4 draw\n");
        assert_eq!(answer(Some(mv("h9i7")), Some(Closing::Resign)), "bestmove c3c4 ponder h9i7 resign\n");
        assert_eq!(answer(None, None), "bestmove c3c4\n");
        let effort = Effort { nodes: 20_000, elapsed: Duration::from_millis(10), hashfull: 1 };
        assert_eq!(lines(&Reply::Effort(effort)), "info time 10 nodes 20000 nps 2000000 hashfull 1\n");
        assert_eq!(lines(&Reply::NoBestMove), "nobestmove\n");
        assert_eq!(lines(&Reply::StaticValue(Score::from_eval(-40))), "info depth 0 score -10\n");
        assert_eq!(lines(&Reply::Bye), "bye\n");
    }

    #[test]
    fn the_table_shows_what_it_knows() {
        let shown =
            |best, lower, upper| lines(&Reply::TableContent(Some(TableContent { best, lower, upper, depth: 7 })));
        let (low, high) = (Some(Score::from_eval(-20)), Some(Score::from_eval(40)));
        assert_eq!(lines(&Reply::TableContent(None)), "pophash\n");
        assert_eq!(shown(Some(mv("h2e2")), low, None), "pophash bestmove h2e2 lowerbound -5 depth 7\n");
        assert_eq!(shown(None, low, high), "pophash lowerbound -5 depth 7 upperbound 10 depth 7\n");
    }

    #[test]
    fn messages_stay_one_harmless_line() {
        let line = lines(&Reply::Message("draw?\nbestmove h2e2".into()));
        assert_eq!(line, "info message d-raw? b-estmove h2e2\n");
        assert!(lines(&Reply::Message("x".repeat(5000))).len() <= MAX_LINE);
    }
}
