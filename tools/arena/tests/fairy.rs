//! Games against a real engine, if Debian's `fairy-stockfish` is installed. It speaks both protocols, numbers ranks from 1 in
//! UCI, and takes UCCI clocks in milliseconds without announcing it.

use std::path::Path;
use std::time::Duration;

use chuhe::board::Position;
use chuhe_arena::game::{GameSetup, play_game};
use chuhe_engines::player::{EngineSpec, Player, Protocol, ProtocolChoice};
use chuhe_games::record::{EndingClass, GameRecord};

const FAIRY: &str = "/usr/games/fairy-stockfish";

fn fairy(protocol: ProtocolChoice, time: &str) -> EngineSpec {
    EngineSpec {
        protocol,
        options: vec![("Hash".to_owned(), "1".to_owned())],
        time: time.parse().unwrap(),
        ..EngineSpec::new(FAIRY)
    }
}

fn play(red: &EngineSpec, black: &EngineSpec) -> Option<GameRecord> {
    if !Path::new(FAIRY).exists() {
        println!("{FAIRY} is not installed");
        return None;
    }
    let (mut red, mut black) = (Player::start(red, None).unwrap(), Player::start(black, None).unwrap());
    assert!(red.notes().is_empty() && black.notes().is_empty());
    let setup = GameSetup { max_moves: Some(20), ..GameSetup::new(Position::start()) };
    let record = play_game(&mut red, &mut black, &setup, &|| false);
    red.quit();
    black.quit();
    Some(record)
}

#[test]
fn both_protocols_play_each_other_at_fixed_nodes() {
    let limited = |protocol| {
        let mut spec = fairy(protocol, "inf");
        spec.time.nodes = Some(200);
        spec
    };
    let Some(record) = play(&limited(ProtocolChoice::Ucci), &limited(ProtocolChoice::Uci)) else { return };
    assert_eq!(record.ending.class, EndingClass::MaxMoves, "{}", record.ending.text);
    assert!(record.moves.iter().all(|mv| mv.eval.is_some() && mv.depth.is_some() && mv.nodes.is_some()));
    let again = play(&limited(ProtocolChoice::Ucci), &limited(ProtocolChoice::Uci)).unwrap();
    let moves = |record: &GameRecord| record.moves.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&record), moves(&again));
}

#[test]
fn both_protocols_keep_their_clocks_and_ponder() {
    // The time margin is for busy machines.
    let time_margin = Duration::from_secs(5);
    let ponder = |protocol| EngineSpec { ponder: true, time_margin, ..fairy(protocol, "1+0.02") };
    let Some(record) = play(&ponder(ProtocolChoice::Ucci), &ponder(ProtocolChoice::Uci)) else { return };
    assert_eq!(record.ending.class, EndingClass::MaxMoves, "{}", record.ending.text);
    assert!(record.moves.iter().any(|mv| mv.ponder_hit));
    // With a clock in seconds, or with milliseconds taken for seconds, it would have moved at once or lost on time.
    let used = |side: usize| record.moves.iter().skip(side).step_by(2).map(|mv| mv.time_ms).sum::<u64>();
    assert!(used(0) > 100 && used(1) > 100, "{} and {}", used(0), used(1));
}

#[test]
fn it_speaks_ucci_if_it_may_choose() {
    if Path::new(FAIRY).exists() {
        let player = Player::start(&fairy(ProtocolChoice::Auto, "1"), None).unwrap();
        assert_eq!(player.protocol(), Some(Protocol::Ucci));
    }
}
