//! Output in UCCI.

use crate::board::{RankBase, Spelled};
use crate::engine::event::{Bound, Closing, Dialect, Effort, Info, Reply, TableContent};
use crate::protocol::introduction::introduction;
use crate::protocol::line::{Labelled, board, nodes_per_second, proven, with_moves};
use crate::protocol::message::{MAX_LINE, one_line};
use crate::score::Score;

/// Formats `reply` as lines, with ranks counted from `base`.
pub(super) fn lines(reply: &Reply, base: RankBase) -> String {
    match reply {
        Reply::Introduction => introduction(Dialect::Ucci),
        Reply::Ready => "readyok\n".into(),
        Reply::BookMove { mv, weight } => format!("info depth 0 score {weight} pv {}\n", Spelled(*mv, base)),
        Reply::Info(info) => progress(info, base),
        Reply::CurrentMove { mv, .. } => format!("info currmove {}\n", Spelled(*mv, base)),
        // UCCI has no words for these.
        Reply::Refutation(_) | Reply::CurrentLine { .. } => String::new(),
        Reply::ProvenMoves { winning, losing } => {
            proven(winning, losing, base).iter().map(|text| message(text)).collect()
        }
        Reply::Effort(effort) => format!("info {}\n", cost(effort)),
        Reply::Message(text) => message(text),
        Reply::BestMove { best, ponder, closing } => {
            let ponder = Labelled(" ponder ", ponder.map(|mv| Spelled(mv, base)));
            format!("bestmove {}{ponder}{}\n", Spelled(*best, base), Labelled(" ", closing.map(word)))
        }
        Reply::NoBestMove => "nobestmove\n".into(),
        Reply::StaticValue(score) => format!("info depth 0 score {}\n", units(*score)),
        Reply::TableContent(content) => {
            format!("pophash{}\n", content.as_ref().map(|content| known(content, base)).unwrap_or_default())
        }
        Reply::Board { fen, key, checkers } => board(fen, *key, checkers, base),
        Reply::Leaves { mv, leaves } => format!("{}: {leaves}\n", Spelled(*mv, base)),
        Reply::AllLeaves(leaves) => format!("\nNodes searched: {leaves}\n"),
        Reply::Bye => "bye\n".into(),
    }
}

pub(super) const MESSAGE: &str = "info message ";

fn message(text: &str) -> String {
    format!("{MESSAGE}{}\n", one_line(text, MAX_LINE - MESSAGE.len() - 1))
}

/// Formats an iteration as one line, with the moves last and cut where the line would become too long. Clients of UCCI know no
/// bounds, so only exact iterations are printed. Most expect one line for a depth, so only lines after the best have a
/// `multipv`.
fn progress(info: &Info, base: RankBase) -> String {
    let Info { iteration, effort, wdl: _ } = info;
    if iteration.bound != Bound::Exact {
        return String::new();
    }
    let (depth, score, cost) = (iteration.depth, units(iteration.score), cost(effort));
    let pv_index = Labelled(" multipv ", Some(iteration.pv_index).filter(|&pv_index| pv_index > 1));
    let line = format!("info depth {depth}{pv_index} score {score} {cost} pv");
    with_moves(line, &iteration.pv, base)
}

/// Returns the word for a draw offer or a resignation.
fn word(closing: Closing) -> &'static str {
    match closing {
        Closing::Draw => "draw",
        Closing::Resign => "resign",
    }
}

/// Formats time in milliseconds, nodes, nodes per second, and fill of the table.
fn cost(effort: &Effort) -> String {
    let Effort { nodes, elapsed, hashfull, .. } = effort;
    format!("time {} nodes {nodes} nps {} hashfull {hashfull}", elapsed.as_millis(), nodes_per_second(effort))
}

fn known(content: &TableContent, base: RankBase) -> String {
    let TableContent { best, lower, upper, depth } = *content;
    let bound =
        |label, score: Option<Score>| Labelled(label, score.map(|score| format!("{} depth {depth}", units(score))));
    let best = Labelled(" bestmove ", best.map(|mv| Spelled(mv, base)));
    format!("{best}{}{}", bound(" lowerbound ", lower), bound(" upperbound ", upper))
}

/// Value of a mate, less a point for every ply to it.
const MATE: i32 = 10_000;
/// Value of a game decided by the repetition rules, less a point for every ply to its end.
const BAN: i32 = 9_900;

/// Converts a score to the unit of UCCI: a minor piece is a hundred.
pub(super) fn units(score: Score) -> i32 {
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

    use crate::board::Move;
    use crate::engine::event::Iteration;

    fn lines(reply: &Reply) -> String {
        super::lines(reply, RankBase::Zero)
    }

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn info(depth: u32, score: Score, pv: &[Move]) -> Info {
        let iteration = Iteration {
            pv_index: 1,
            depth,
            selective_depth: depth + 4,
            score,
            bound: Bound::Exact,
            pv: pv.to_vec(),
            nodes: 5,
            best_move_permille: 900,
        };
        let effort = Effort { nodes: 5_000_000, elapsed: Duration::from_millis(5000), hashfull: 12, table_hits: 0 };
        Info { iteration, effort, wdl: None }
    }

    #[test]
    fn progress_is_one_line_with_the_expected_moves_last() {
        let line = lines(&Reply::Info(info(6, Score::from_eval(16), &[mv("b0c2"), mv("b9c7")])));
        let expected = "info depth 6 score 4 time 5000 nodes 5000000 nps 1000000 hashfull 12 pv b0c2 b9c7\n";
        assert_eq!(line, expected);
        let long = lines(&Reply::Info(info(64, Score::DRAW, &[mv("b0c2"); 400])));
        assert!(long.len() <= MAX_LINE && long.len() > MAX_LINE - 10 && long.ends_with(" b0c2\n"));
        let mut second = info(6, Score::DRAW, &[mv("b0c2")]);
        second.iteration.pv_index = 2;
        assert!(lines(&Reply::Info(second)).starts_with("info depth 6 multipv 2 score 0 time "));
        let mut failed_high = info(6, Score::DRAW, &[mv("b0c2")]);
        failed_high.iteration.bound = Bound::Lower;
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
        let effort = Effort { nodes: 20_000, elapsed: Duration::from_millis(10), hashfull: 1, table_hits: 0 };
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
    fn root_moves_are_named_where_there_are_words_for_them() {
        assert_eq!(lines(&Reply::CurrentMove { depth: 9, mv: mv("h2e2"), number: 3 }), "info currmove h2e2\n");
        assert_eq!(lines(&Reply::Refutation(vec![mv("h2e2"), mv("h9g7")])), "");
        assert_eq!(lines(&Reply::CurrentLine { worker: 1, line: vec![mv("h2e2")] }), "");
        let proven = Reply::ProvenMoves { winning: vec![mv("h2e2")], losing: vec![mv("a0a1"), mv("a0a2")] };
        assert_eq!(lines(&proven), "info message win h2e2\ninfo message lose a0a1 a0a2\n");
    }

    #[test]
    fn ranks_are_counted_from_the_base_of_the_user() {
        let answer = Reply::BestMove { best: mv("c3c4"), ponder: Some(mv("h9i7")), closing: None };
        assert_eq!(super::lines(&answer, RankBase::One), "bestmove c4c5 ponder h10i8\n");
    }

    #[test]
    fn messages_stay_one_harmless_line() {
        let line = lines(&Reply::Message("draw?\nbestmove h2e2".into()));
        assert_eq!(line, "info message d-raw? b-estmove h2e2\n");
        assert!(lines(&Reply::Message("x".repeat(5000))).len() <= MAX_LINE);
    }
}
