//! Engines that speak the XBoard protocol.

use std::time::Duration;

use chuhe::board::Position;
use chuhe::rules::RuleSet;
use chuhe_arena::game::{GameSetup, play_game};
use chuhe_engines::player::{EngineSpec, Player, Protocol, Timeouts};
use chuhe_games::record::{EndingClass, Eval, GameResult};

use super::{CHECKS, engine, listening, loses_by, loses_to, patient, play, short, timed};

#[test]
fn an_xboard_engine_plays_from_any_start() {
    let opening_moves = ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()).to_vec();
    // By the Asian rules the engine's repetition would end the game before the move limit.
    let rules = RuleSet::League.rules();
    let from_start = GameSetup { opening_moves, rules, max_moves: Some(5), ..GameSetup::new(Position::start()) };
    let fen = "2bakab1r/9/2n1c1n2/p1p1p1p1p/9/9/P1P1P1P1P/2N1C1N2/9/2BAKAB1R b - - 3 9";
    let from_elsewhere = GameSetup { rules, max_moves: Some(5), ..GameSetup::new(Position::from_fen(fen).unwrap()) };
    let (log, heard) = listening();
    let mut spec = engine("xboard score=12");
    let options = [("Hash", "16"), ("wild style", "true"), ("Threads", "2")];
    spec.options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let mut zoo = Player::start(&spec, Some(log)).unwrap();
    assert_eq!(zoo.protocol(), Some(Protocol::Xboard));
    assert_eq!(zoo.notes(), ["option Threads is not announced"]);
    let mut other = Player::new(&engine("ucci"), None);
    for setup in [&from_start, &from_elsewhere, &from_start] {
        for red in [true, false] {
            let (red, black) = if red { (&mut zoo, &mut other) } else { (&mut other, &mut zoo) };
            let record = play_game(red, black, setup, &|| false);
            assert_eq!(
                (record.ending.class, record.moves.len()),
                (EndingClass::MaxMoves, 10),
                "{}",
                record.ending.text
            );
            let zoos = record
                .moves
                .iter()
                .filter(|played| played.eval == Some(Eval::Centipawns(12)) && played.nodes == Some(77));
            assert_eq!(zoos.count(), 5);
        }
    }
    let heard = heard.lock().unwrap();
    let count = |line: &str| heard.iter().filter(|heard| *heard == line).count();
    assert_eq!((count("> go"), count("> xboard"), count("> memory 16"), count("> option Wild Style=1")), (30, 1, 1, 1));
    assert_eq!(
        (count("> new"), count("> level 0 1:00 0.1")),
        (9, 6),
        "one at the start, one a game, one a set-up board"
    );
}

#[test]
fn an_xboard_engine_has_no_handshake_without_version_2_xiangqi_and_an_end() {
    let short = Duration::from_millis(300);
    for (behaviour, handshake, expected) in [
        ("mute", short, "no feature, as of version 2 of the XBoard protocol, within 300ms"),
        ("never-done", Duration::from_secs(3), "no feature done=1 within 3s"),
        (
            "plays-chess",
            Duration::from_secs(60),
            "it does not announce xiangqi among its variants, which are \"normal\"",
        ),
    ] {
        let timeouts = Timeouts { handshake, ..Timeouts::default() };
        let spec = EngineSpec { timeouts, ..engine(&format!("xboard {behaviour}")) };
        let text = loses_by(&spec, EndingClass::NoHandshake);
        assert!(text.contains(expected), "{text}");
    }
    let forgetful = Timeouts { ready: short, ..Timeouts::default() };
    let spec = EngineSpec { timeouts: forgetful, ..engine("xboard never-ready") };
    assert!(loses_by(&spec, EndingClass::NoHandshake).contains("no answer within 300ms"));
}

#[test]
fn an_xboard_engine_loses_by_what_it_says() {
    loses_by(&engine("xboard claims-loss from=2"), EndingClass::Resignation);
    loses_by(&engine("xboard resign"), EndingClass::Resignation);
    loses_by(&engine("xboard illegal"), EndingClass::IllegalMove);
    loses_by(&engine("xboard dies from=2"), EndingClass::Crash);
    loses_to(&patient(), &engine("xboard repeats-itself"), EndingClass::ProtocolViolation);
    loses_by(&timed("xboard stops-only", "0.05"), EndingClass::TimeLoss);
    let text = loses_by(&engine("xboard deaf"), EndingClass::ProtocolViolation);
    assert!(text.contains("it refuses what is legal: Illegal move: "), "{text}");
    let setup = GameSetup { max_moves: Some(4), ..GameSetup::new(Position::from_fen(CHECKS).unwrap()) };
    let record = play(&engine("xboard knows-one-start"), &engine("ucci"), &setup);
    assert_eq!((record.result, record.ending.class), (GameResult::Black, EndingClass::ProtocolViolation));
}

#[test]
fn an_xboard_engine_plays_on_after_claims_that_the_referee_does_not_share() {
    for behaviour in ["claims-draw", "takes-draws"] {
        let record = play(&engine(&format!("xboard {behaviour}")), &engine("xboard"), &short());
        assert_eq!(record.ending.class, EndingClass::MaxMoves, "{behaviour}: {}", record.ending.text);
    }
    let record = play(&engine("xboard draw"), &engine("xboard draw"), &short());
    assert_eq!((record.result, record.ending.class), (GameResult::Draw, EndingClass::Agreement));
}

#[test]
fn an_xboard_engine_that_plays_once_gets_a_new_process_for_each_game() {
    let (log, heard) = listening();
    let mut once = Player::new(&engine("xboard plays-once"), Some(log));
    for _ in 0..3 {
        play_game(&mut once, &mut Player::new(&engine("ucci"), None), &short(), &|| false);
    }
    assert_eq!(heard.lock().unwrap().iter().filter(|line| *line == "> xboard").count(), 3);
}
