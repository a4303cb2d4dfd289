//! Networks from files: the engine loads them, reports errors in them, and evaluates positions with them.
#![cfg(feature = "engine")]

mod support;

use std::fs;

use chuhe::board::{Position, START_FEN};
use chuhe::engine::event::{Command, Go, Reply};
use chuhe::eval::nnue::Network;
use chuhe::score::Score;
use support::engine::{depth, nodes};
use support::network::{toy, toy_file};
use support::test_engine::TestEngine;

const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

/// Returns the static evaluation of `fen`.
fn static_value(engine: &TestEngine, fen: &str) -> i32 {
    engine.position(fen, "");
    engine.send(Command::Go(depth(0)));
    let Reply::StaticValue(value) = engine.next() else { panic!("there is no value") };
    assert_eq!(engine.next(), Reply::NoBestMove);
    value.raw()
}

fn nnue(seed: u64, fen: &str) -> i32 {
    toy(seed).value(&Position::from_fen(fen).unwrap())
}

/// Sets the option and returns the one error message about it.
fn complaint(engine: &TestEngine, name: &str, value: &str) -> String {
    engine.send(Command::SetOption { name: name.into(), value: value.into() });
    let Reply::Message(text) = engine.next() else { panic!("there is no complaint") };
    engine.send(Command::IsReady);
    assert_eq!(engine.next(), Reply::Ready);
    text
}

#[test]
fn a_network_values_positions_from_the_moment_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let engine = TestEngine::with(&[("knowledge", "medium")]);
    let written = static_value(&engine, MIDDLE_GAME);
    engine.set("knowledge", "large");
    for (name, seed) in [("EvalFile", 1), ("evalapi", 2)] {
        assert_ne!(nnue(seed, MIDDLE_GAME), written);
        engine.set(name, toy_file(folder.path(), seed).to_str().unwrap());
        assert_eq!(static_value(&engine, MIDDLE_GAME), nnue(seed, MIDDLE_GAME));
        engine.set("knowledge", "medium");
        assert_eq!(static_value(&engine, MIDDLE_GAME), written);
        engine.set("knowledge", "large");
        assert_eq!(static_value(&engine, MIDDLE_GAME), nnue(seed, MIDDLE_GAME));
    }
    engine.set("EvalFile", "");
    assert_eq!(static_value(&engine, MIDDLE_GAME), static_value(&TestEngine::start(), MIDDLE_GAME));
}

#[test]
fn what_is_no_network_is_named_with_what_was_expected_and_the_old_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let engine = TestEngine::start();
    let good = toy_file(folder.path(), 3);
    engine.set("EvalFile", good.to_str().unwrap());
    let bad = folder.path().join("bad.nnue");
    let text = bad.to_str().unwrap();
    let mut altered = fs::read(&good).unwrap();
    altered[5000] ^= 1;
    let message = |bytes: &[u8]| {
        fs::write(&bad, bytes).unwrap();
        let message = complaint(&engine, "EvalFile", text);
        assert_eq!(static_value(&engine, START_FEN), nnue(3, START_FEN), "the old one stays");
        assert_eq!(message.lines().count(), 1);
        let kept = format!("; the network of {} stays in use", good.display());
        message
            .strip_prefix(&format!("{text}: "))
            .and_then(|message| message.strip_suffix(&kept))
            .expect("both are named")
            .to_owned()
    };
    assert_eq!(message(b"PK, and so on"), r"file: expected ChuheNN\n, found PK, and ");
    assert!(message(&altered).starts_with("sum: expected "));
    assert!(message(&altered[..altered.len() - 64]).starts_with("bytes: expected "));
    // A repaired file is read although its name has failed before.
    fs::copy(toy_file(folder.path(), 4), &bad).unwrap();
    engine.set("EvalFile", text);
    assert_eq!(static_value(&engine, START_FEN), nnue(4, START_FEN));
    let missing = complaint(&engine, "EvalFile", "no/such/network");
    assert!(missing.starts_with("no/such/network: cannot be read: "), "{missing}");
    let foreign = complaint(&TestEngine::start(), "EvalFile", good.with_file_name("pikafish.nnue").to_str().unwrap());
    assert!(
        foreign.ends_with(if Network::embedded().is_some() {
            "; the built-in network stays in use"
        } else {
            "; the hand-crafted evaluation stays in use"
        }),
        "{foreign}"
    );
    assert_eq!(static_value(&engine, START_FEN), nnue(4, START_FEN));
}

#[test]
fn the_libraries_of_other_engines_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let engine = TestEngine::with(&[("evalapi", "libeval.so"), ("evalapi", "EVALUATE.DLL")]);
    engine.set("evalapi", toy_file(folder.path(), 5).to_str().unwrap());
    engine.set("evalapi", "./libeval.dylib");
    assert_eq!(static_value(&engine, START_FEN), nnue(5, START_FEN));
}

/// Returns the nodes and the score of a search, after the engine has cleared its state.
fn found(engine: &TestEngine, go: Go) -> (u64, Score) {
    engine.set("newgame", "");
    engine.position(MIDDLE_GAME, "");
    let answer = engine.go(go);
    (answer.nodes(), answer.last().iteration.score)
}

#[test]
fn a_search_asks_the_network_and_is_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    let file = toy_file(folder.path(), 6);
    let engine = TestEngine::start();
    let written = found(&engine, depth(8));
    engine.set("EvalFile", file.to_str().unwrap());
    let nnue = found(&engine, depth(8));
    assert_ne!(nnue, written);
    assert_eq!(found(&engine, depth(8)), nnue);
    assert_eq!(found(&TestEngine::with(&[("EvalFile", file.to_str().unwrap())]), depth(8)), nnue);
    engine.set("EvalFile", "<embedded>");
    assert_eq!(found(&engine, depth(8)), written);
}

#[test]
fn several_threads_share_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let file = toy_file(folder.path(), 7);
    let engine = TestEngine::with(&[("EvalFile", file.to_str().unwrap()), ("threads", "3")]);
    engine.position(MIDDLE_GAME, "");
    assert!(engine.go(nodes(20_000)).nodes() > 15_000);
}
