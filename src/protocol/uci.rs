//! Output in UCI.

use std::fmt;

use crate::board::{RankBase, Spelled};
use crate::engine::event::{Bound, Dialect, Effort, Info, Reply, TableContent};
use crate::protocol::introduction::introduction;
use crate::protocol::line::{Labelled, board, nodes_per_second, proven, with_moves};
use crate::protocol::message::{MAX_LINE, one_line};
use crate::score::Score;

/// Formats `reply` as lines, with ranks counted from `base`.
pub(super) fn lines(reply: &Reply, base: RankBase) -> String {
    match reply {
        Reply::Introduction => introduction(Dialect::Uci),
        Reply::Ready => "readyok\n".into(),
        Reply::BookMove { mv, weight } => message(&format!("book {} weight {weight}", Spelled(*mv, base))),
        Reply::Info(info) => progress(info, base),
        Reply::CurrentMove { depth, mv, number } => {
            format!("info depth {depth} currmove {} currmovenumber {number}\n", Spelled(*mv, base))
        }
        Reply::Refutation(line) => with_moves("info refutation".into(), line, base),
        Reply::CurrentLine { worker, line } => with_moves(format!("info currline {worker}"), line, base),
        Reply::ProvenMoves { winning, losing } => {
            proven(winning, losing, base).iter().map(|text| message(text)).collect()
        }
        Reply::Effort(effort) => format!("info {}\n", Cost(effort)),
        Reply::Message(text) => message(text),
        // UCI has no words for draws and resignations.
        Reply::BestMove { best, ponder, closing: _ } => {
            let ponder = Labelled(" ponder ", ponder.map(|mv| Spelled(mv, base)));
            format!("bestmove {}{ponder}\n", Spelled(*best, base))
        }
        Reply::NoBestMove => "bestmove (none)\n".into(),
        Reply::StaticValue(score) => format!("info depth 0 score {}\n", Value(*score)),
        Reply::TableContent(content) => {
            message(&content.as_ref().map_or("not in the table".into(), |c| known(c, base)))
        }
        Reply::Board { fen, key, checkers } => board(fen, *key, checkers, base),
        Reply::Leaves { mv, leaves } => format!("{}: {leaves}\n", Spelled(*mv, base)),
        Reply::AllLeaves(leaves) => format!("\nNodes searched: {leaves}\n"),
        // UCI has no farewell.
        Reply::Bye => String::new(),
    }
}

pub(super) const MESSAGE: &str = "info string ";

fn message(text: &str) -> String {
    format!("{MESSAGE}{}\n", one_line(text, MAX_LINE - MESSAGE.len() - 1))
}

/// Formats an iteration. Some programs rely on the order of the words, `tbhits` included; the moves are last.
fn progress(info: &Info, base: RankBase) -> String {
    let Info { iteration, effort, wdl } = info;
    let (depth, selective, pv_index, score) =
        (iteration.depth, iteration.selective_depth, iteration.pv_index, Value(iteration.score));
    let bound = match iteration.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let wdl = Labelled(" wdl ", wdl.map(|[wins, draws, losses]| format!("{wins} {draws} {losses}")));
    let start = format!("info depth {depth} seldepth {selective} multipv {pv_index} score {score}{bound}{wdl}");
    let line = format!("{start} {} pv", Cost(effort));
    with_moves(line, &iteration.pv, base)
}

/// Formats an entry as a message, since `probe` is not a command of UCI.
fn known(content: &TableContent, base: RankBase) -> String {
    let TableContent { best, lower, upper, depth } = *content;
    let best = Labelled(", best is ", best.map(|mv| Spelled(mv, base)));
    let (lower, upper) = (Labelled(", at least ", lower.map(Value)), Labelled(", at most ", upper.map(Value)));
    format!("in the table to depth {depth}{best}{lower}{upper}")
}

/// Effort: nodes, nodes per second, fill of the table in thousandths, tablebase hits, and time in milliseconds.
struct Cost<'a>(&'a Effort);

impl fmt::Display for Cost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Effort { nodes, elapsed, hashfull, table_hits } = self.0;
        write!(f, "nodes {nodes} nps {} hashfull {hashfull} ", nodes_per_second(self.0))?;
        write!(f, "tbhits {table_hits} time {}", elapsed.as_millis())
    }
}

/// Score in centipawns, or in full moves of the winner until mate, negative for the loser. A loss by the repetition rules is
/// not a mate, but lies beyond every evaluation.
struct Value(Score);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.0;
        match score.plies_to_end().filter(|_| score.is_mate()).and_then(|plies| i32::try_from(plies).ok()) {
            Some(plies) => write!(f, "mate {}", score.raw().signum() * ((plies + 1) / 2)),
            None => write!(f, "cp {}", score.raw()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::board::Move;
    use crate::engine::event::{Closing, Iteration};

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn say(reply: &Reply) -> String {
        lines(reply, RankBase::Zero)
    }

    fn info(score: Score, bound: Bound) -> Info {
        let pv = vec![mv("b0c2"), mv("b9c7")];
        let (depth, selective_depth, nodes, best_move_permille) = (6, 10, 5, 900);
        let pv_index = 1;
        let iteration = Iteration { pv_index, depth, selective_depth, score, bound, pv, nodes, best_move_permille };
        let effort = Effort { nodes: 5_000_000, elapsed: Duration::from_millis(5000), hashfull: 12, table_hits: 3 };
        Info { iteration, effort, wdl: None }
    }

    #[test]
    fn progress_has_its_words_in_the_order_that_programs_count_on() {
        let line = say(&Reply::Info(info(Score::from_eval(16), Bound::Exact)));
        let expected = "info depth 6 seldepth 10 multipv 1 score cp 16 nodes 5000000 nps 1000000 hashfull 12 tbhits 3 \
                        time 5000 pv b0c2 b9c7\n";
        assert_eq!(line, expected);
        let bound = |bound| say(&Reply::Info(info(Score::DRAW, bound)));
        assert!(bound(Bound::Lower).contains(" score cp 0 lowerbound nodes "));
        assert!(bound(Bound::Upper).contains(" score cp 0 upperbound nodes "));
        let mut second = info(Score::DRAW, Bound::Lower);
        (second.iteration.pv_index, second.wdl) = (2, Some([300, 500, 200]));
        let line = say(&Reply::Info(second));
        assert!(line.contains(" multipv 2 score cp 0 lowerbound wdl 300 500 200 nodes "), "{line}");
        let mut long = info(Score::DRAW, Bound::Exact);
        long.iteration.pv = vec![mv("b0c2"); 400];
        assert!(say(&Reply::Info(long)).len() <= MAX_LINE);
    }

    #[test]
    fn moves_of_the_book_are_messages() {
        assert_eq!(say(&Reply::BookMove { mv: mv("h2e2"), weight: 12 }), "info string book h2e2 weight 12\n");
    }

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        let value = |score| Value(score).to_string();
        assert_eq!((value(Score::mate_in(1)), value(Score::mate_in(5))), ("mate 1".into(), "mate 3".into()));
        assert_eq!((value(Score::mated_in(2)), value(Score::mated_in(4))), ("mate -1".into(), "mate -2".into()));
        assert_eq!(say(&Reply::StaticValue(Score::mated_in(0))), "info depth 0 score mate 0\n");
        assert_eq!(value(Score::from_eval(-35)), "cp -35");
        let banned: i32 = value(Score::banned_in(3)).strip_prefix("cp ").unwrap().parse().unwrap();
        assert!(banned < -Score::MAX_EVAL.raw());
    }

    #[test]
    fn answers_know_no_draws_and_no_farewell() {
        let (best, ponder) = (mv("c3c4"), Some(mv("h9i7")));
        assert_eq!(say(&Reply::BestMove { best, ponder, closing: Some(Closing::Draw) }), "bestmove c3c4 ponder h9i7\n");
        assert_eq!(say(&Reply::BestMove { best, ponder: None, closing: None }), "bestmove c3c4\n");
        assert_eq!(say(&Reply::NoBestMove), "bestmove (none)\n");
        assert_eq!(say(&Reply::Bye), "");
        assert_eq!(say(&Reply::Message("draw?\nbestmove h2e2".into())), "info string d-raw? b-estmove h2e2\n");
    }

    #[test]
    fn root_moves_are_named_in_the_words_of_uci() {
        let current = Reply::CurrentMove { depth: 9, mv: mv("h2e2"), number: 3 };
        assert_eq!(say(&current), "info depth 9 currmove h2e2 currmovenumber 3\n");
        assert_eq!(lines(&current, RankBase::One), "info depth 9 currmove h3e3 currmovenumber 3\n");
        assert_eq!(say(&Reply::Refutation(vec![mv("h2e2"), mv("h9g7")])), "info refutation h2e2 h9g7\n");
        let line = vec![mv("h2e2"), mv("h9g7")];
        assert_eq!(say(&Reply::CurrentLine { worker: 2, line }), "info currline 2 h2e2 h9g7\n");
        let proven = Reply::ProvenMoves { winning: vec![mv("h2e2")], losing: vec![] };
        assert_eq!(say(&proven), "info string win h2e2\n");
    }

    #[test]
    fn ranks_are_counted_from_the_base_of_the_user() {
        let from_one = |reply: &Reply| lines(reply, RankBase::One);
        let (best, ponder) = (mv("c3c4"), Some(mv("h9i7")));
        assert_eq!(from_one(&Reply::BestMove { best, ponder, closing: None }), "bestmove c4c5 ponder h10i8\n");
        assert!(from_one(&Reply::Info(info(Score::DRAW, Bound::Exact))).ends_with(" pv b1c3 b10c8\n"));
    }

    #[test]
    fn leaves_are_reported_as_other_engines_tell_them() {
        let leaves = Reply::Leaves { mv: mv("h2e2"), leaves: 43 };
        assert_eq!((say(&leaves), lines(&leaves, RankBase::One)), ("h2e2: 43\n".into(), "h3e3: 43\n".into()));
        assert_eq!(say(&Reply::AllLeaves(1920)), "\nNodes searched: 1920\n");
    }

    #[test]
    fn the_table_is_put_into_a_message() {
        let content = TableContent { best: Some(mv("h2e2")), lower: Some(Score::from_eval(12)), upper: None, depth: 7 };
        let known = say(&Reply::TableContent(Some(content)));
        assert_eq!(known, "info string in the table to depth 7, best is h2e2, at least cp 12\n");
        assert_eq!(say(&Reply::TableContent(None)), "info string not in the table\n");
    }
}
