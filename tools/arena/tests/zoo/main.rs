//! Misbehaving engines: every kind of misbehaviour loses the game of the engine itself and affects no other.

mod xboard;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chuhe::board::{Position, Side};
use chuhe::rules::RuleSet;
use chuhe_arena::game::{DrawAdjudication, GameSetup, Perpetual, ResignAdjudication, play_game};
use chuhe_engines::player::{
    Direction, EngineSpec, Log, Player, Protocol, ProtocolChoice, RankBase, Restart, Timeouts,
};
use chuhe_games::record::{EndingClass, Eval, GameRecord, GameResult};

/// Returns the path of the misbehaving engine, which cargo builds for tests.
fn zoo() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().parent().unwrap().join("examples/zoo-for-matches")
}

fn engine(arguments: &str) -> EngineSpec {
    let args: Vec<_> = arguments.split_whitespace().map(str::to_owned).collect();
    let protocol = match args[0].as_str() {
        "xboard" => ProtocolChoice::Xboard,
        protocol if protocol.starts_with("uci") => ProtocolChoice::Uci,
        _ => ProtocolChoice::Ucci,
    };
    // A slow answer on a busy machine must not count as a hang.
    let stop = Duration::from_secs(10);
    EngineSpec {
        name: arguments.to_owned(),
        args,
        protocol,
        time: "60+0.1".parse().unwrap(),
        timeouts: Timeouts { stop, ..Timeouts::default() },
        ..EngineSpec::new(zoo())
    }
}

/// Returns an engine that takes long enough for its moves that a second answer of its opponent arrives in the meantime, even
/// on a busy machine.
///
/// A later one would be taken for the answer to the next request.
fn patient() -> EngineSpec {
    engine("ucci late=300")
}

fn timed(arguments: &str, time: &str) -> EngineSpec {
    EngineSpec { time: time.parse().unwrap(), ..engine(arguments) }
}

fn short() -> GameSetup {
    GameSetup { max_moves: Some(4), ..GameSetup::new(Position::start()) }
}

fn play(red: &EngineSpec, black: &EngineSpec, setup: &GameSetup) -> GameRecord {
    play_game(&mut Player::new(red, None), &mut Player::new(black, None), setup, &|| false)
}

/// Checks that `bad` loses with either colour, also if it fails only in its second game, and that its opponent plays on.
#[track_caller]
fn loses_by(bad: &EngineSpec, class: EndingClass) -> String {
    loses_to(&engine("ucci"), bad, class)
}

/// Checks that `bad` loses with either colour against `good`, and that `good` plays on.
#[track_caller]
fn loses_to(good: &EngineSpec, bad: &EngineSpec, class: EndingClass) -> String {
    let mut good = Player::start(good, None).unwrap();
    let mut bad = Player::new(bad, None);
    let record = play_game(&mut good, &mut bad, &short(), &|| false);
    assert_eq!((record.result, record.ending.class), (GameResult::Red, class), "{}", record.ending.text);
    let record = play_game(&mut bad, &mut good, &short(), &|| false);
    assert_eq!((record.result, record.ending.class), (GameResult::Black, class), "{}", record.ending.text);
    let mut other = Player::new(&engine("uci"), None);
    let after = play_game(&mut good, &mut other, &short(), &|| false);
    assert_eq!(after.ending.class, EndingClass::MaxMoves, "{}", after.ending.text);
    record.ending.text
}

#[test]
fn the_silent_are_sent_away() {
    let handshake = Duration::from_millis(100);
    for protocol in [ProtocolChoice::Ucci, ProtocolChoice::Uci, ProtocolChoice::Auto] {
        let timeouts = Timeouts { handshake, ..Timeouts::default() };
        let text = loses_by(&EngineSpec { protocol, timeouts, ..engine("ucci mute") }, EndingClass::NoHandshake);
        assert!(text.starts_with("red loses: no handshake: no answer within 100ms"), "{text}");
    }
}

#[test]
fn the_dead_and_the_missing_have_no_handshake() {
    let text = loses_by(&engine("ucci dies-early"), EndingClass::NoHandshake);
    assert_eq!(text, "red loses: no handshake: the process ended in the handshake (exit status: 3)");
    let text = loses_by(&EngineSpec::new("/no/such/engine"), EndingClass::NoHandshake);
    assert!(text.contains("/no/such/engine cannot be started: No such file"), "{text}");
}

#[test]
fn death_while_thinking_is_a_crash_with_its_cause() {
    assert_eq!(loses_by(&engine("ucci dies"), EndingClass::Crash), "red loses: crash: exit status: 7");
    let text = loses_by(&engine("ucci aborts from=2"), EndingClass::Crash);
    assert!(text.starts_with("red loses: crash: signal: 6 (SIGABRT)"), "{text}");
    loses_by(&engine("uci dies"), EndingClass::Crash);
}

#[test]
fn no_answer_is_a_hang_and_a_late_one_a_loss_on_time() {
    let hanging = |time| {
        let mut spec = timed("ucci hangs", time);
        spec.timeouts.stop = Duration::from_millis(50);
        spec.timeouts.unclocked_move = Duration::from_millis(50);
        spec
    };
    loses_by(&hanging("0.05"), EndingClass::Hang);
    loses_by(&hanging("inf"), EndingClass::Hang);
    let text = loses_by(&timed("ucci stops-only", "0.05"), EndingClass::TimeLoss);
    assert!(text.starts_with("red loses: time: "), "{text}");
}

#[test]
fn the_margin_forgives_what_it_says() {
    let margin = Duration::from_secs(5);
    let slow = EngineSpec { time_margin: margin, ..timed("ucci late=30", "0.02+0.001") };
    let record = play(&slow, &engine("ucci"), &short());
    assert_eq!(record.ending.class, EndingClass::MaxMoves, "{}", record.ending.text);
    assert_eq!(record.moves[0].left_ms, Some(1));
    loses_by(&timed("ucci late=30", "0.02+0.001"), EndingClass::TimeLoss);
}

#[test]
fn what_the_board_forbids_is_an_illegal_move() {
    let text = loses_by(&engine("ucci illegal"), EndingClass::IllegalMove);
    assert!(text.starts_with("red loses: illegal move: a0a9 in rnbakabnr/"), "{text}");
    loses_by(&engine("ucci rubbish"), EndingClass::IllegalMove);
    loses_by(&engine("uci illegal from=3"), EndingClass::IllegalMove);
    for protocol in ["ucci", "uci-zero"] {
        let text = loses_by(&engine(&format!("{protocol} offers-none from=2")), EndingClass::IllegalMove);
        assert!(text.contains("none offered, "), "{text}");
    }
}

#[test]
fn floods_and_endless_lines_violate_the_protocol() {
    loses_by(&engine("ucci floods"), EndingClass::ProtocolViolation);
    let text = loses_by(&engine("ucci megabyte"), EndingClass::ProtocolViolation);
    assert!(text.contains("65536 bytes without an end of line"), "{text}");
    let text = loses_to(&patient(), &engine("ucci repeats-itself"), EndingClass::ProtocolViolation);
    assert!(text.contains("unrequested answer"), "{text}");
}

#[test]
fn a_flood_outside_of_its_turn_harms_only_itself() {
    let record = play(&engine("ucci"), &engine("ucci floods-afterwards from=2"), &short());
    assert_eq!((record.result, record.ending.class), (GameResult::Red, EndingClass::ProtocolViolation));
}

#[test]
fn other_alphabets_do_no_harm() {
    let record = play(&engine("ucci talks-gbk"), &engine("uci talks-gbk"), &short());
    assert_eq!(record.ending.class, EndingClass::MaxMoves, "{}", record.ending.text);
}

#[test]
fn all_dialects_play_with_each_other() {
    for red in ["ucci", "ucci-seconds", "uci", "uci-zero"] {
        let record = play(&engine(red), &engine("uci score=12"), &short());
        assert_eq!(record.ending.class, EndingClass::MaxMoves, "{red}: {}", record.ending.text);
        assert_eq!(record.moves.len(), 8);
        let second = &record.moves[1];
        assert_eq!((second.eval, second.depth, second.nodes), (Some(Eval::Centipawns(12)), Some(3), Some(77)));
        assert!(second.latency_us.is_some() && record.moves[0].latency_us.is_none());
        let mut position = Position::from_fen(&record.start_fen).unwrap();
        for played in &record.moves {
            let mv = played.mv.parse().unwrap();
            assert!(position.is_legal(mv));
            position = position.play(mv);
        }
    }
}

#[test]
fn the_protocol_is_found_out() {
    for (arguments, protocol) in
        [("ucci", Protocol::Ucci), ("uci dies-of-strangers", Protocol::Uci), ("uci-zero", Protocol::Uci)]
    {
        let auto = EngineSpec { protocol: ProtocolChoice::Auto, ..engine(arguments) };
        assert_eq!(Player::start(&auto, None).unwrap().protocol(), Some(protocol), "{arguments}");
    }
}

#[test]
fn the_ranks_the_user_names_are_not_asked_for() {
    let mut spec = engine("uci");
    spec.quirks.ranks = Some(RankBase::One);
    let record = play(&spec, &spec, &short());
    assert_eq!(record.ending.class, EndingClass::MaxMoves, "{}", record.ending.text);
}

#[test]
fn options_and_isready_that_are_unknown_are_noted() {
    let mut spec = engine("ucci-seconds never-ready");
    spec.timeouts.ready = Duration::from_millis(50);
    spec.options = vec![("Hash".to_owned(), "16".to_owned()), ("Style".to_owned(), "wild".to_owned())];
    let (log, heard) = listening();
    let player = Player::start(&spec, Some(log)).unwrap();
    assert_eq!(player.notes(), ["option Style is not announced", "isready was not answered within 50ms"]);
    let heard = heard.lock().unwrap();
    assert!(heard.iter().any(|line| line == "> setoption hashsize 16"), "{heard:?}");
    assert!(heard.iter().any(|line| line == "> setoption Style wild"), "{heard:?}");
}

#[test]
fn an_engine_whose_options_take_long_is_waited_for_and_known_to_know_isready() {
    let mut spec = engine("ucci gives-up slow-to-set=2500");
    spec.options = vec![("endurance".to_owned(), "3".to_owned())];
    let (log, heard) = listening();
    let player = Player::start(&spec, Some(log)).unwrap();
    assert_eq!(player.notes(), [""; 0]);
    let heard = heard.lock().unwrap();
    let [set, last] = ["> setoption endurance 3", "< readyok"].map(|line| heard.iter().rposition(|it| it == line));
    assert!(set.is_some() && set < last, "{heard:?}");
}

fn listening() -> (Log, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    let log: Log = Arc::new(move |_, way, line| {
        let mark = match way {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Error => '!',
        };
        ear.lock().unwrap().push(format!("{mark} {line}"));
    });
    (log, heard)
}

#[test]
fn engines_resign_and_agree_to_draws() {
    let record = play(&engine("ucci"), &engine("ucci resign from=2"), &short());
    assert_eq!((record.result, record.ending.class), (GameResult::Red, EndingClass::Resignation));
    assert_eq!(record.moves.len(), 3);
    let record = play(&engine("ucci draw"), &engine("ucci draw from=2"), &short());
    assert_eq!((record.result, record.ending.class), (GameResult::Draw, EndingClass::Agreement));
    assert_eq!(record.moves.iter().map(|mv| mv.draw_offer).collect::<Vec<_>>(), [true, false, true, true]);
    let ignored = GameSetup { draw_offers: false, ..short() };
    assert_eq!(play(&engine("ucci draw"), &engine("ucci draw"), &ignored).ending.class, EndingClass::MaxMoves);
    let (log, heard) = listening();
    let mut offered = Player::new(&engine("ucci"), Some(log));
    play_game(&mut Player::new(&engine("ucci draw"), None), &mut offered, &short(), &|| false);
    assert!(heard.lock().unwrap().iter().any(|line| line.starts_with("> go draw time 60100 increment 100 opptime ")));
}

#[test]
fn the_runner_calls_what_the_scores_say() {
    let draw = Some(DrawAdjudication { move_number: 2, move_count: 1, score: 20 });
    let setup = GameSetup { draw, ..short() };
    let record = play(&engine("ucci score=5"), &engine("uci score=20"), &setup);
    assert_eq!((record.ending.class, record.moves.len()), (EndingClass::DrawAdjudication, 4));
    // The cannon captures a horse, and is recaptured: the count restarts twice.
    let draw = Some(DrawAdjudication { move_number: 0, move_count: 1, score: 20 });
    let setup = GameSetup { draw, ..short() };
    let record = play(&engine("ucci score=5 script=h2h9"), &engine("uci score=20 script=i9h9"), &setup);
    assert_eq!((record.ending.class, record.moves.len()), (EndingClass::DrawAdjudication, 3), "{:?}", record.moves);
    let resign = Some(ResignAdjudication { move_count: 2, score: 800, two_sided: true });
    let setup = GameSetup { resign, ..short() };
    let record = play(&engine("ucci score=850"), &engine("uci scores-low"), &setup);
    assert_eq!((record.result, record.ending.class), (GameResult::Red, EndingClass::WinAdjudication));
    assert_eq!(record.moves.len(), 4);
}

#[test]
fn adjudication_counts_centipawns_whatever_the_engine_counts() {
    let resign = Some(ResignAdjudication { move_count: 2, score: 1000, two_sided: false });
    let setup = GameSetup { resign, ..short() };
    let (wins, goes_on) = (EndingClass::WinAdjudication, EndingClass::MaxMoves);
    // All of them report -900: nine minor pieces in UCCI, nine pawns in UCI; an explicit setting takes precedence.
    for (arguments, score_unit, class) in [
        ("ucci scores-low", None, wins),
        ("uci scores-low", None, goes_on),
        ("ucci scores-low", Some(100), goes_on),
        ("uci scores-low", Some(400), wins),
    ] {
        let mut spec = engine(arguments);
        spec.quirks.score_unit = score_unit;
        let record = play(&engine("ucci"), &spec, &setup);
        assert_eq!(record.ending.class, class, "{arguments} {score_unit:?}");
        let expected = if class == wins { -3600 } else { -900 };
        assert_eq!(record.moves[1].eval, Some(Eval::Centipawns(expected)), "{arguments} {score_unit:?}");
    }
}

#[test]
fn pondering_engines_hit_and_miss() {
    for protocol in ["ucci", "uci"] {
        let right = EngineSpec { ponder: true, ..engine(&format!("{protocol} ponders late=20")) };
        let wrong = EngineSpec { ponder: true, ..engine(&format!("{protocol} ponders-badly")) };
        let (log, heard) = listening();
        let (mut red, mut black) = (Player::new(&right, Some(log)), Player::new(&wrong, None));
        let record = play_game(&mut red, &mut black, &short(), &|| false);
        assert_eq!(record.ending.class, EndingClass::MaxMoves, "{}", record.ending.text);
        let hits: Vec<_> = record.moves.iter().map(|mv| mv.ponder_hit).collect();
        assert_eq!(hits, [false, false, true, false, true, false, true, false], "{protocol}");
        let heard = heard.lock().unwrap();
        let count = |start: &str| heard.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((count("> go ponder "), count("> ponderhit"), count("> stop")), (4, 3, 1), "{heard:#?}");
    }
}

/// Red gives perpetual check with `f0e0`, `e0f0`.
const CHECKS: &str = "4k4/9/9/9/9/9/9/9/9/3K1R3 w";

fn chase(perpetual: Perpetual) -> GameSetup {
    let rules = RuleSet::Asian.rules();
    GameSetup { rules, perpetual, max_moves: Some(6), ..GameSetup::new(Position::from_fen(CHECKS).unwrap()) }
}

#[test]
fn a_losing_loop_is_lost_with_its_proof() {
    let red = engine("ucci script=f0e0,e0f0");
    let record = play(&red, &engine("uci script=e9f9,f9e9"), &chase(Perpetual::Lose));
    assert_eq!((record.result, record.ending.class), (GameResult::Black, EndingClass::Repetition));
    assert!(record.ending.text.starts_with("red loses: perpetual check; loop F0-E0 E9-F9"), "{}", record.ending.text);
}

#[test]
fn banned_loops_are_left_and_defiance_loses() {
    for protocol in ["ucci", "uci", "uci-zero"] {
        let red = engine(&format!("{protocol} script=f0e0,e0f0"));
        let record = play(&red, &engine("uci script=e9f9,f9e9"), &chase(Perpetual::Ban));
        assert_ne!(record.ending.class, EndingClass::BannedMove, "{}", record.ending.text);
        assert!(record.moves[8].banned == ["f0e0"] && record.moves[8].mv != "f0e0", "{:?}", record.moves[8]);
        let red = engine(&format!("{protocol} defiant script=f0e0,e0f0"));
        let record = play(&red, &engine("uci script=e9f9,f9e9"), &chase(Perpetual::Ban));
        assert_eq!((record.result, record.ending.class), (GameResult::Black, EndingClass::BannedMove));
        assert!(record.ending.text.contains("f0e0, with which red loses: perpetual check"), "{}", record.ending.text);
    }
}

#[test]
fn openings_are_played_before_the_engines_think() {
    let opening_moves = ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()).to_vec();
    let setup = GameSetup { opening_moves, opening_name: Some("central cannon".to_owned()), ..short() };
    let record = play(&engine("ucci"), &engine("uci"), &setup);
    assert_eq!(record.ending.class, EndingClass::MaxMoves, "{}", record.ending.text);
    assert_eq!(Position::from_fen(&record.start_fen).unwrap().side(), Side::Black);
    assert_eq!(record.opening.as_deref(), Some("central cannon"));
}

#[test]
fn a_game_is_broken_off_at_once() {
    let started = Instant::now();
    let cancel = || started.elapsed() > Duration::from_millis(100);
    let (mut red, mut black) = (Player::new(&engine("ucci hangs"), None), Player::new(&engine("ucci"), None));
    let record = play_game(&mut red, &mut black, &short(), &cancel);
    assert_eq!((record.result, record.ending.class), (GameResult::Unfinished, EndingClass::Interrupted));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn processes_are_replaced_as_the_user_wants() {
    let processes = |restart, arguments: &str| {
        let (log, heard) = listening();
        let mut red = Player::new(&EngineSpec { restart, ..engine(arguments) }, Some(log));
        let mut black = Player::new(&engine("ucci"), None);
        for _ in 0..3 {
            play_game(&mut red, &mut black, &short(), &|| false);
        }
        red.quit();
        heard.lock().unwrap().iter().filter(|line| *line == "> ucci").count()
    };
    assert_eq!(processes(Restart::Auto, "ucci"), 1);
    assert_eq!(processes(Restart::On, "ucci"), 3);
    assert_eq!(processes(Restart::Auto, "ucci dies"), 3);
    assert_eq!(processes(Restart::Off, "ucci dies"), 1);
}
