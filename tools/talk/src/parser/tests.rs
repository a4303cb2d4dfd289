//! Lines that the protocols allow, and lines that they do not.

use chuhe::engine::event::Dialect;

use super::*;

fn in_ucci(line: &str) -> Result<Reply, String> {
    parse(line.as_bytes(), Dialect::Ucci)
}

fn in_uci(line: &str) -> Result<Reply, String> {
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
