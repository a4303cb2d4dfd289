//! Answers to a page: games against engines, analysis, files, matches.

use std::fs::{self, OpenOptions};
use std::io::Write;

use serde_json::{Value, json};

use crate::support::{Board, Page, zoo};

/// Returns a game as the arena writes it into its journal.
fn journal_line() -> String {
    let game = json!({
        "round": 1, "red": "a", "black": "b", "start_fen": chuhe::board::START_FEN, "opening": null,
        "moves": [{ "mv": "h2e2", "eval": { "Centipawns": 12 }, "depth": 3, "selective_depth": null, "nodes": null,
                    "time_ms": 5, "left_ms": null, "ponder_hit": false }],
        "result": "Draw", "ending": { "class": "Agreement", "text": "agreed" }, "started_at_ms": 0, "duration_ms": 1,
        "time_control": "1+0",
    });
    // The arena writes the number first.
    format!("{{\"number\":1,{}\n", &game.to_string()[1..])
}

/// Returns a file of the first version of XQF, which masks nothing: the start position and two moves.
fn xqf() -> Vec<u8> {
    let mut bytes = vec![0; 0x400];
    bytes[..3].copy_from_slice(b"XQ\x0a");
    let files = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let red =
        files.map(|file| (file, 0)).into_iter().chain([(1, 2), (7, 2)]).chain([0, 2, 4, 6, 8].map(|file| (file, 3)));
    let black = red.clone().map(|(file, rank)| (file, 9 - rank));
    for (place, (file, rank)) in bytes[0x10..0x30].iter_mut().zip(red.chain(black)) {
        *place = 10 * file + rank;
    }
    let square = |file: u8, rank: u8| 10 * file + rank;
    let no_comment = [0; 4];
    let moves = [(square(7, 2), square(4, 2), 0xf0), (square(7, 9), square(6, 7), 0)];
    bytes.extend([24, 32, 0xf0, 0]);
    bytes.extend(no_comment);
    for (from, to, tag) in moves {
        bytes.extend([from + 24, to + 32, tag, 0]);
        bytes.extend(no_comment);
    }
    bytes
}

/// Plays both sides from `start` until the rules end the game; returns the moves and the last description of the position.
fn play_to_the_end(page: &mut Page, start: Option<&str>, limits: &Value) -> (Vec<String>, Value) {
    let mut moves: Vec<String> = Vec::new();
    loop {
        let position = page.ask(json!({ "type": "position", "start": start, "moves": moves }));
        assert_eq!(position["type"], "position", "{position}");
        if position["end"] != Value::Null || moves.len() >= 400 {
            return (moves, position);
        }
        let request = json!({ "type": "play", "engine": "Chuhe", "start": start, "moves": moves, "limits": limits });
        let answer = page.ask(request);
        if answer["offer"] == "resign" {
            return (moves, answer);
        }
        let mv = answer["mv"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(position["legal"].as_array().unwrap().iter().any(|legal| legal["mv"] == mv));
        moves.push(mv.to_owned());
    }
}

#[test]
fn a_game_is_played_to_its_end() {
    let board = Board::start();
    let mut page = board.page();
    let won = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";
    let (moves, last) = play_to_the_end(&mut page, Some(won), &json!({ "nodes": 2000 }));
    assert!(!moves.is_empty());
    if last["type"] == "position" {
        assert_eq!(last["end"]["winner"], "red", "{last}");
    }
    let (moves, last) = play_to_the_end(&mut page, None, &json!({ "nodes": 200 }));
    assert!(moves.len() > 20, "{moves:?}");
    assert!(last["offer"] == "resign" || last["end"]["result"].is_string() || moves.len() == 400, "{last}");
}

#[test]
fn levels_clocks_and_draw_offers_reach_the_engine() {
    let board = Board::start();
    let mut page = board.page();
    for request in [
        json!({ "type": "play", "engine": "Chuhe", "elo": 800, "limits": { "movetime": 50 } }),
        json!({ "type": "play", "engine": "Chuhe", "limits": { "clock": { "red": 1000, "black": 1000, "red_inc": 10 } } }),
        json!({ "type": "play", "engine": "Chuhe", "draw_offered": true, "limits": { "nodes": 500 }, "rules": "chinese" }),
        json!({ "type": "play", "engine": "Chuhe", "limits": { "depth": 4 } }),
        json!({ "type": "hint", "engine": "Chuhe", "limits": { "nodes": 500 } }),
    ] {
        let answer = page.ask(request.clone());
        assert_eq!(answer["type"], "played", "{request}: {answer}");
        if request["type"] == "hint" {
            assert_eq!(answer["pv"][0]["mv"], answer["mv"]);
        }
    }
    let draw = "4k4/4a4/9/9/9/9/9/4p4/9/3K5 w - - 0 1";
    let offered = page.ask(
        json!({ "type": "play", "engine": "Chuhe", "start": draw, "draw_offered": true, "limits": { "nodes": 2000 } }),
    );
    assert_eq!((&offered["type"], &offered["offer"]), (&json!("played"), &json!("draw")), "{offered}");
    let number = page.send(json!({ "type": "play", "engine": "Chuhe", "limits": { "movetime": 60_000, "nodes": 1_000_000_000 }, "moves": ["a0a1"] }));
    page.ask(json!({ "type": "stop", "job": number }));
    assert_eq!(page.answer(number)["type"], "played", "it moves at once");
    let number =
        page.send(json!({ "type": "play", "engine": "Chuhe", "limits": { "movetime": 60_000 }, "moves": ["a0a1"] }));
    page.ask(json!({ "type": "cancel", "job": number }));
    assert_eq!(page.answer(number)["code"], "cancelled");
}

#[test]
fn an_analysis_has_its_lines_and_follows_the_page() {
    let board = Board::start();
    let mut page = board.page();
    let first =
        page.send(json!({ "type": "analyse", "slot": "a", "engine": "Chuhe", "multipv": 3, "hash": 16, "threads": 1 }));
    assert_eq!(page.answer(first)["type"], "analysing");
    let lines = page
        .wait(|message| message["job"] == first && message["lines"].as_array().is_some_and(|lines| lines.len() == 3));
    for line in lines["lines"].as_array().unwrap() {
        assert!(line["score"].is_object() && line["wdl"].as_array().is_some_and(|wdl| wdl.len() == 3), "{line}");
        assert!(line["pv"][0]["zh"].is_string() && line["pv"][0]["wxf"].is_string());
    }
    assert!(lines["nps"].is_number() && lines["depth"].is_number() && lines["hashfull"].is_number(), "{lines}");
    // The page moves on: the analysis in its place is replaced.
    let second = page.send(json!({ "type": "analyse", "slot": "a", "engine": "Chuhe", "moves": ["h2e2"] }));
    let end = page.wait(|message| message["type"] == "analysed" && message["job"] == first);
    assert_eq!(end["reason"], "replaced");
    let lines = page.wait(|message| message["type"] == "lines" && message["job"] == second);
    assert_eq!(lines["lines"].as_array().unwrap().len(), 1, "as many lines as the page asks for now");
    let third = page.send(json!({ "type": "analyse", "slot": "b", "engine": "Chuhe", "limits": { "depth": 3 } }));
    let end = page.wait(|message| message["type"] == "analysed" && message["job"] == third);
    assert_eq!(end["reason"], "finished", "beside the other one");
    page.ask(json!({ "type": "stop", "job": second }));
    let end = page.wait(|message| message["type"] == "analysed" && message["job"] == second);
    assert_eq!(end["reason"], "stopped");
    let mated =
        page.send(json!({ "type": "analyse", "slot": "a", "engine": "Chuhe", "start": "R3k4/R8/9/9/9/9/9/9/9/3K5 b" }));
    assert_eq!(page.wait(|message| message["type"] == "analysed" && message["job"] == mated)["reason"], "finished");
}

#[test]
fn a_whole_game_is_analysed_and_kept_as_comments() {
    let board = Board::start();
    let mut page = board.page();
    // Red gives a cannon away.
    let moves = ["h2e2", "h9g7", "e2e6", "g7e6", "h0g2", "i9h9"];
    let request = json!({ "type": "annotate", "engine": "Chuhe", "moves": moves, "limits": { "nodes": 3000 } });
    let number = page.send(request.clone());
    let begun = page.answer(number);
    assert_eq!((&begun["type"], &begun["total"]), (&json!("annotating"), &json!(7)));
    let progress = page.wait(|message| message["type"] == "annotate_progress");
    assert!(progress["eta_ms"].is_number() && progress["total"] == 7, "{progress}");
    let done = page.wait(|message| message["type"] == "annotated");
    assert_eq!((&done["reason"], done["plies"].as_array().unwrap().len()), (&json!("finished"), 6), "{done}");
    let given_away = &done["plies"][2];
    assert!(["blunder", "mistake"].contains(&given_away["mark"].as_str().unwrap_or_default()), "{given_away}");
    assert!(done["accuracy"]["red"].as_f64() < done["accuracy"]["black"].as_f64(), "{}", done["accuracy"]);
    let nodes: Vec<Value> = done["plies"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(|(index, ply)| json!({ "parent": index as i64 - 1, "mv": ply["mv"], "comment": ply["comment"] }))
        .collect();
    let file =
        page.ask(json!({ "type": "export", "format": "pgn", "notation": "chinese", "game": { "nodes": nodes } }));
    let again = page.ask(json!({ "type": "read", "text": file["text"] }));
    assert_eq!(again["games"][0]["nodes"][2]["comment"], given_away["comment"], "{again}");
    // An analysis that was interrupted after its fourth position goes on there.
    let known = &mut progress.clone();
    known["score"] = json!({ "cp": 900 });
    let known = vec![known.clone(); 4];
    let number = page.send(
        json!({ "type": "annotate", "engine": "Chuhe", "moves": moves, "limits": { "nodes": 3000 }, "known": known }),
    );
    let next = page.wait(|message| message["type"] == "annotate_progress" && message["job"] == number);
    assert!(next["ply"].as_u64() >= Some(4), "{next}");
    let done = page.wait(|message| message["type"] == "annotated" && message["job"] == number);
    assert_eq!(done["plies"].as_array().map(Vec::len), Some(6));
    assert_eq!(done["plies"][1]["after"], json!({ "cp": 900 }), "{done}");
    let number =
        page.send(json!({ "type": "annotate", "engine": "Chuhe", "moves": moves, "limits": { "movetime": 60_000 } }));
    page.answer(number);
    page.ask(json!({ "type": "stop", "job": number }));
    assert_eq!(page.wait(|message| message["type"] == "annotated")["reason"], "stopped");
}

#[test]
fn every_format_is_loaded() {
    let board = Board::start();
    let mut page = board.page();
    let journal = format!("{{\"version\":\"1\"}}\n{}", journal_line());
    for (name, bytes, format, plies) in [
        ("a.pgn", "[Red \"甲\"]\n\n1. h2e2 {good} (1. c3c4) h9g7 *\n".as_bytes().to_vec(), "pgn", 3),
        // The same name in the code page of older programs.
        ("b.pgn", [b"[Red \"".as_slice(), &[0xbc, 0xd7], b"\"]\n\n1. h2e2 h9g7 *\n"].concat(), "pgn", 2),
        ("c.xqf", xqf(), "xqf", 2),
        ("d.txt", b"[DhtmlXQ]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]".to_vec(), "dhtmlxq", 2),
        ("e.txt", b"h2e2 h9g7\n".to_vec(), "list", 2),
        ("f.journal", journal.into_bytes(), "journal", 1),
    ] {
        let answer = board.own_request(&format!("POST /upload?name={name}"), &bytes);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let games: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        assert_eq!(games["format"], format, "{name}: {games}");
        assert_eq!(games["games"][0]["nodes"].as_array().map(Vec::len), Some(plies), "{name}: {games}");
        if format == "pgn" {
            assert_eq!(games["games"][0]["tags"]["Red"], "甲", "{name}");
        }
    }
    for text in ["h2e2 h9g7", "炮二平五 马８进７", "1. C2=5 H8+7", "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"]
    {
        let answer = page.ask(json!({ "type": "read", "text": text }));
        let nodes = answer["games"][0]["nodes"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!((&nodes[0]["mv"], &nodes[1]["mv"]), (&json!("h2e2"), &json!("h9g7")));
    }
    let fen = page.ask(json!({ "type": "check_fen", "fen": "4k4/9/9/9/9/9/9/9/9/4K4 w" }));
    assert_eq!((&fen["ok"], fen["detail"].is_string()), (&json!(false), true));
}

#[test]
fn a_match_is_watched_while_it_is_played() {
    let board = Board::start();
    let path = board.folder.path().join("journals/match.journal");
    fs::write(&path, "{\"version\":\"1\",\"command\":[\"-engine\",\"-engine\",\"-rounds\",\"2\"]}\n").unwrap();
    let mut page = board.page();
    let list = page.ask(json!({ "type": "journals" }));
    assert_eq!(list["journals"][0]["name"], "match.journal");
    let number = page.send(json!({ "type": "watch", "name": "match.journal" }));
    assert_eq!(page.answer(number)["type"], "watching");
    let first = page.wait(|message| message["type"] == "journal");
    assert_eq!((&first["restart"], &first["games"], &first["total"]), (&json!(true), &json!([]), &json!(4)));
    let line = journal_line();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(line.as_bytes()).unwrap();
    let more = page.wait(|message| message["type"] == "journal");
    assert_eq!((&more["restart"], &more["games"][0]["result"]), (&json!(false), &json!("1/2-1/2")), "{more}");
    let shown = page.ask(json!({ "type": "journal_game", "name": "match.journal", "number": 1 }));
    assert_eq!(shown["evals"][0]["score"], json!({ "cp": 12 }), "{shown}");
}

#[test]
fn the_list_of_engines_is_kept_and_all_pages_are_told() {
    let board = Board::start();
    let (mut page, mut other) = (board.page(), board.page());
    board.add_zoo(&mut page, &[("mine", &["uci-zero", "score=5"])]);
    let told = other.wait(|message| message["type"] == "engines");
    assert_eq!((told["engines"].as_array().unwrap().len(), &told["re"]), (2, &Value::Null));
    let test = page.ask(json!({ "type": "engine_test", "engine": "mine" }));
    assert_eq!((&test["ok"], &test["name"], &test["protocol"]), (&json!(true), &json!("zoo"), &json!("uci")));
    let text = fs::read_to_string(board.folder.path().join("engines.toml")).unwrap();
    assert!(text.contains("[[engines]]") && text.contains("name = \"mine\""), "{text}");
    let twice = json!([{ "name": "x", "command": zoo() }, { "name": "x", "command": zoo() }]);
    assert_eq!(page.ask(json!({ "type": "engines_save", "engines": twice }))["code"], "bad_engine");
    let bridge = page.ask(json!({ "type": "play", "engine": "mine", "limits": { "movetime": 100 } }));
    assert_eq!(bridge["score"], json!({ "cp": 5 }), "{bridge}");
}
