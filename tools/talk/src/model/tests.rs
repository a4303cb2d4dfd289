//! Valid and invalid dialogues.

use super::*;
use chuhe::protocol::Interpreter;

/// Feeds a dialogue to the model: `>` precedes the user's lines, `<` the engine's, and `eof` closes the input.
fn hold(dialogue: &str) -> Result<Model, Objection> {
    let (mut model, mut interpreter) = (Model::default(), Interpreter::default());
    for line in dialogue.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(' ') {
            None => model.add_input(Input::EndOfInput),
            Some(("<", line)) => {
                model.accept_line(line.as_bytes()).map_err(|objection| format!("{line}: {objection}"))?
            }
            Some((_, line)) => {
                for input in interpreter.parse(line.as_bytes()) {
                    model.add_input(input.into());
                }
            }
        }
    }
    Ok(model)
}

const GREETED: &str = "> ucci\n< id name x\n< ucciok\n";
const GREETED_IN_UCI: &str = "> uci\n< id name x\n< uciok\n";

fn accepts(greeting: &str, dialogue: &str) {
    let heard = hold(&format!("{greeting}{dialogue}"));
    assert!(heard.is_ok(), "{dialogue}: {:?}", heard.err());
}

fn refuses(greeting: &str, dialogue: &str) {
    assert!(hold(&format!("{greeting}{dialogue}")).is_err(), "{dialogue}");
}

#[test]
fn a_search_is_answered_once() {
    accepts(GREETED, "> go depth 3\n< bestmove h2e2\n> isready\n< readyok");
    refuses(GREETED, "> go depth 3\n< bestmove h2e2\n< bestmove h2e2");
    refuses(GREETED, "< bestmove h2e2");
    refuses(GREETED, "> go depth 3\n> stop\n> isready\n< readyok");
    // The second `go` may have arrived during the search or after its answer.
    accepts(GREETED, "> go depth 3\n> go depth 3\n< bestmove h2e2\n> isready\n< readyok");
    accepts(GREETED, "> go depth 3\n> go depth 3\n< bestmove h2e2\n< bestmove h2e2\n> isready\n< readyok");
    refuses(GREETED, "> go depth 3\n> go depth 3\n< bestmove h2e2\n< bestmove h2e2\n< bestmove h2e2");
}

#[test]
fn a_stop_that_crosses_the_answer_is_answered_in_ucci_alone() {
    accepts(GREETED, "> go depth 3\n> stop\n< bestmove h2e2\n< nobestmove\n> isready\n< readyok");
    accepts(GREETED, "> go depth 3\n> stop\n< bestmove h2e2\n> isready\n< readyok");
    refuses(GREETED, "> go infinite\n> stop\n< bestmove h2e2\n< nobestmove");
    accepts(GREETED, "> go infinite\n> stop\n> stop\n< bestmove h2e2\n< nobestmove\n> isready\n< readyok");
    accepts(GREETED, "> go infinite\n> stop\n> stop\n< bestmove h2e2\n> isready\n< readyok");
    refuses(GREETED, "> go infinite\n> stop\n> isready\n> stop\n< bestmove h2e2\n< readyok\n> isready\n< readyok");
    refuses(GREETED, "> stop\n> isready\n< readyok");
    accepts(GREETED_IN_UCI, "> stop\n> isready\n< readyok");
    refuses(GREETED_IN_UCI, "> go depth 3\n> stop\n< bestmove h2e2\n< bestmove (none)");
}

#[test]
fn in_uci_commands_have_their_turn_behind_a_search_and_words_do_not_wait() {
    accepts(GREETED_IN_UCI, "> go depth 3\n> go depth 3\n< bestmove h2e2\n< bestmove h2e2\n> isready\n< readyok");
    let next =
        "> go infinite\n> position startpos moves h2e2\n> isready\n< readyok\n> stop\n< bestmove h2e2\n> go depth 1\n";
    accepts(GREETED_IN_UCI, &format!("{next}< bestmove h9g7"));
    refuses(GREETED_IN_UCI, &format!("{next}< bestmove h2e2"));
    refuses(GREETED_IN_UCI, "> go infinite\n> go infinite\n> stop\n< bestmove h2e2\n< bestmove h2e2");
    accepts(GREETED_IN_UCI, "> go infinite\n> go infinite\n> stop\n< bestmove h2e2\n> stop\n< bestmove h2e2");
    accepts(GREETED, "> go infinite\n> go infinite\n> stop\n< bestmove h2e2\n> isready\n< readyok");
    // A `stop` that arrived when the first search was almost over may be meant for the third.
    let put_off = "> go infinite\n> stop\n> go depth 3\n> go infinite\n> stop\n> isready\n< bestmove h2e2\n";
    accepts(GREETED_IN_UCI, &format!("{put_off}< readyok\n< bestmove h2e2\n< bestmove h2e2"));
}

#[test]
fn in_uci_quit_is_answered_first_and_nothing_that_waits_is_begun() {
    let end = |dialogue: &str| hold(&format!("{GREETED_IN_UCI}{dialogue}")).expect("all may be said").end();
    assert!(end("> go infinite\n> quit\n").is_err());
    assert!(end("> go infinite\n> quit\n< bestmove h2e2\n").is_ok());
    assert!(end("> go infinite\n> go depth 3\n> quit\n< bestmove h2e2\n").is_ok());
    assert!(end("> quit\n").is_ok());
    // Likewise after a `stop` that has not been answered.
    assert!(end("> go ponder depth 3\n> uci\n> stop\n> quit\n").is_err());
    assert!(end("> go ponder depth 3\n> uci\n> stop\n> quit\n< bestmove h2e2\n").is_ok());
    // Commands that wait for the workers of an answered search are not executed after `quit`.
    assert!(end("> go depth 3\n< bestmove h2e2\n> setoption name Hash value 2\n> isready\n> quit\n").is_ok());
    assert!(end("> isready\n> quit\n").is_err());
}

#[test]
fn uci_needs_no_greeting() {
    accepts("", "> position startpos moves h2e2\n> go depth 1\n< bestmove h9g7");
    refuses("", "> position startpos moves h2e2\n> ucci\n< id name x\n< ucciok\n> go depth 1\n< bestmove h9g7");
    accepts("", "> d\n< Fen: 9/9 w\n< Key: 0\n< Checkers: e3\n> isready\n< readyok");
    refuses("", "> d\n< Fen: 9/9 w\n> isready\n< readyok");
}

#[test]
fn endless_searches_and_pondering_wait() {
    refuses(GREETED, "> go infinite\n< bestmove h2e2");
    let decided = "< info depth 3 score 9997 time 1 nodes 1 nps 1 hashfull 0 pv h2e2\n";
    accepts(GREETED, &format!("> go infinite\n{decided}< bestmove h2e2"));
    refuses(GREETED, &format!("> go ponder depth 5\n{decided}< bestmove h2e2"));
    refuses(GREETED_IN_UCI, "> go infinite\n< bestmove h2e2");
    refuses(GREETED_IN_UCI, "> go infinite\n> ponderhit\n< bestmove h2e2");
    for order in ["stop", "ponderhit"] {
        accepts(GREETED, &format!("> go ponder time 100\n> {order}\n< bestmove h2e2"));
    }
    refuses(GREETED, "> go ponder time 100\n> ponderhit\n< bestmove h2e2 draw");
    accepts(GREETED, "> go ponder time 100\n> ponderhit draw\n< bestmove h2e2 draw");
}

#[test]
fn a_hit_belongs_to_the_pondering_that_waits_before_it() {
    let hit = "> position startpos\n> go ponder wtime 100\n> ponderhit\n> stop\n< bestmove h2e2\n< bestmove h2e2\n";
    accepts(GREETED_IN_UCI, &format!("> go infinite\n{hit}> isready\n< readyok"));
    let greeted_late = "> go infinite\n> ucci\n> go ponder time 100\n> ponderhit draw\n> stop\n< bestmove h2e2\n";
    accepts("", &format!("{greeted_late}< id name x\n< ucciok\n< bestmove h2e2 draw"));
    accepts(GREETED_IN_UCI, "> go infinite\n> ponderhit\n> isready\n< readyok\n> stop\n< bestmove h2e2");
}

#[test]
fn pondering_that_begins_after_the_end_of_the_input_is_answered_at_once() {
    let commands =
        "> go infinite\n> ucci\n> go ponder depth 2\n> go depth 1\neof\n< bestmove h2e2\n< id name x\n< ucciok\n";
    assert!(hold(&format!("{commands}< bestmove h2e2\n< bestmove h2e2\n< bye")).unwrap().end().is_ok());
}

#[test]
fn the_move_is_legal_and_not_forbidden() {
    refuses(GREETED, "> go depth 1\n< bestmove h2h3h");
    refuses(GREETED, "> go depth 1\n< bestmove h2a9");
    refuses(GREETED, "> banmoves h2e2\n> go depth 1\n< bestmove h2e2");
    accepts(GREETED, "> banmoves h2e2\n> position startpos\n> go depth 1\n< bestmove h2e2");
    refuses(GREETED, "> go depth 1 searchmoves a0a1 a3a4\n< bestmove h2e2");
    // Not a move in the protocol's base; in the other one, a move of the left cannon.
    accepts(GREETED, "> go depth 1 searchmoves b3a3\n< bestmove b2a2");
    refuses(GREETED, "> setoption rankbase 0\n> go depth 1 searchmoves b3a3\n< bestmove b2d2 draw");
    accepts(GREETED, "> banmoves b3a3\n> go depth 1\n< bestmove h2e2");
    accepts(GREETED, "> position startpos moves a1a2\n> go depth 1\n< bestmove h9g7");
    refuses(GREETED, "> position startpos moves a1a2\n> go depth 1\n< bestmove h2e2");
    refuses(GREETED, "> domove h2e2\n> go depth 1\n< bestmove b2d2");
    refuses(GREETED, "> position fen xyz\n> go depth 1\n< bestmove h2e2");
    accepts(GREETED, "> position fen xyz\n> go depth 1\n< nobestmove");
    refuses(GREETED, "> go depth 1\n< nobestmove");
    accepts(GREETED, "> go ponder depth 0\n> stop\n< nobestmove\n> isready\n< readyok");
    refuses(GREETED, "> go ponder depth 0\n< nobestmove");
    accepts(GREETED, "> go depth 0\n< info depth 0 score 4\n< nobestmove");
    refuses(GREETED_IN_UCI, "> setoption name UCI_RankBase value 1\n> go depth 1\n< bestmove h2e2");
    accepts(GREETED_IN_UCI, "> setoption name UCI_RankBase value 1\n> go depth 1\n< bestmove h3e3 ponder h10g8");
}

#[test]
fn a_position_sent_during_a_search_may_count_or_not() {
    let both = "> go nodes 100\n> position startpos moves h2e2\n< bestmove h2e2\n> go nodes 100\n";
    accepts(GREETED, &format!("{both}< bestmove h9g7"));
    accepts(GREETED, &format!("{both}< bestmove h0g2"));
    refuses(GREETED, &format!("{both}< bestmove h9g7\n> go nodes 100\n< bestmove h0g2"));
    refuses(GREETED, "> go infinite\n> position startpos moves h2e2\n> isready\n< readyok\n> stop\n< bestmove h9g7");
}

#[test]
fn a_stop_ends_the_search_under_way_though_another_waits_in_front_of_it() {
    let endless = "> go infinite\n> go ponder depth 2\n> stop\n> go ponder depth 3\n> stop\n";
    accepts(GREETED_IN_UCI, &format!("{endless}< bestmove h2e2\n< bestmove h2e2\n> isready\n< readyok"));
    refuses(GREETED_IN_UCI, &format!("{endless}{}", "< bestmove h2e2\n".repeat(4)));
}

#[test]
fn a_board_without_a_position_is_a_note_of_its_own() {
    let wrong = "> position fen xyz\n> d\n< info string bad position: xyz\n";
    let end = |dialogue: &str| hold(&format!("{GREETED_IN_UCI}{dialogue}> quit\n")).expect("all may be said").end();
    assert!(end(&format!("{wrong}< info string there is no position, the last one given was wrong\n")).is_ok());
}

#[test]
fn questions_are_answered_in_their_turn() {
    accepts("", "> isready\n< readyok");
    refuses("", "> isready\n< info message hello");
    accepts("", "> go depth 1\n< bestmove h2e2");
    refuses(GREETED, "> probe startpos\n> isready\n< readyok");
    accepts(GREETED, "> go infinite\n> probe startpos\n< pophash bestmove h2e2\n> stop\n< bestmove h2e2");
    refuses(GREETED, "> probe startpos\n< pophash bestmove h2a9");
    accepts(GREETED_IN_UCI, "> probe startpos\n< info string not in the table\n> isready\n< readyok");
    refuses(GREETED_IN_UCI, "> probe startpos\n> isready\n< readyok");
    accepts(GREETED, "> probe fen xyz\n< pophash\n> isready\n< readyok");
    refuses(GREETED, "> probe fen xyz\n> isready\n< readyok");
    refuses(GREETED, "> probe startpos moves a0a9\n< pophash bestmove a0a9");
    accepts(GREETED_IN_UCI, "> probe fen xyz\n< info string nothing to probe: x\n> isready\n< readyok");
    refuses(GREETED, "< readyok");
}

#[test]
fn in_batch_commands_wait() {
    let batch = "> setoption batch on\n> go depth 3\n> isready\n";
    refuses(GREETED, &format!("{batch}< readyok"));
    accepts(GREETED, &format!("{batch}< bestmove h2e2\n< readyok"));
    let endless = "> setoption batch on\n> go infinite\n> isready\n";
    refuses(GREETED, &format!("{endless}< readyok\n> stop\n< bestmove h2e2"));
    accepts(GREETED, &format!("{endless}> stop\n< bestmove h2e2\n< readyok"));
    refuses(GREETED, &format!("{endless}> ponderhit\n< bestmove h2e2"));
    let expected = "> setoption batch on\n> go ponder depth 2\n> go depth 1\n> ponderhit\n";
    accepts(GREETED, &format!("{expected}< bestmove h2e2\n< bestmove h2e2\n> isready\n< readyok"));
}

#[test]
fn the_end_is_said_once_all_is_answered() {
    let ends = |dialogue: &str| hold(&format!("{GREETED}{dialogue}")).and_then(|model| model.end());
    assert!(ends("> quit\n< bye").is_ok() && ends("> go infinite\n> quit\n< bye").is_ok());
    assert!(ends("> quit").is_err() && ends("").is_err());
    assert!(ends("> go infinite\neof\n< bye").is_err());
    assert!(ends("> go infinite\neof\n< bestmove h2e2\n< bye").is_ok());
    assert!(ends("> go ponder depth 2\neof\n< bestmove h2e2\n< bye").is_ok());
    assert!(hold(&format!("{GREETED}> quit\n< bye\n< bye")).is_err());
    assert!(hold(&format!("{GREETED_IN_UCI}> quit")).unwrap().end().is_ok());
    assert!(hold("> quit").unwrap().end().is_ok());
}

#[test]
fn reports_belong_to_their_search() {
    let report =
        |depth, nodes, pv| format!("< info depth {depth} score 4 time 1 nodes {nodes} nps 1 hashfull 0 pv {pv}\n");
    let go = "> go depth 9\n";
    accepts(GREETED, &format!("{go}{}{}", report(1, 5, "h2e2"), report(2, 9, "h2e2 h9g7")));
    refuses(GREETED, &format!("{go}{}{}", report(2, 5, "h2e2"), report(2, 9, "h2e2")));
    refuses(GREETED, &format!("{go}{}{}", report(1, 5, "h2e2"), report(2, 4, "h2e2")));
    refuses(GREETED, &format!("{go}{}", report(1, 5, "h2e2 h0g2")));
    refuses(GREETED, &report(1, 5, "h2e2"));
    let line = |rank, pv| format!("< info depth 1 multipv {rank} score 4 time 1 nodes 9 nps 1 hashfull 0 pv {pv}\n");
    let three = format!("> setoption multipv 3\n{go}{}", report(1, 5, "h2e2"));
    accepts(GREETED, &format!("{three}{}{}", line(2, "h0g2"), line(3, "b0c2")));
    refuses(GREETED, &format!("{three}{}", line(3, "h0g2")));
    refuses(GREETED, &format!("{three}{}", line(2, "h2e2")));
    refuses(GREETED, &format!("{go}{}{}", report(1, 5, "h2e2"), line(2, "h0g2")));
}
