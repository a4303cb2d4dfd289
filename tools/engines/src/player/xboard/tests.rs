//! Games in the XBoard protocol.

use super::*;
use crate::player::dialect::ClockState;

const FEATURES: &str = "feature variants=\"normal,xiangqi\" ping=1 setboard=1 usermove=1 done=1";

fn xboard(features: &str) -> Xboard {
    Xboard::new(&[features.to_owned()], &Quirks::default()).unwrap()
}

fn at<'a>(positions: &'a [Position], moves: &'a [Move]) -> GameState<'a> {
    GameState { positions, moves, banned: &[], clocks: [ClockState::default(); 2], draw_offered: false }
}

fn game(start: Position, moves: &str) -> (Vec<Position>, Vec<Move>) {
    let mut positions = vec![start];
    let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    for &mv in &moves {
        positions.push(positions[positions.len() - 1].play(mv));
    }
    (positions, moves)
}

fn position(xboard: &mut Xboard, (positions, moves): &(Vec<Position>, Vec<Move>)) -> Vec<String> {
    xboard.position(&at(positions, moves)).unwrap()
}

fn answer(mv: Option<&str>, offer: Option<Offer>) -> LineKind {
    LineKind::Answer(Reply { mv: mv.map(str::to_owned), ponder: None, offer })
}

fn parse_line(xboard: &mut Xboard, line: &str) -> LineKind {
    xboard.parse_line(line, &mut Info::default())
}

#[test]
fn who_does_not_play_xiangqi_is_sent_away() {
    let lines = ["feature variants=\"normal,xiangqiplus\" done=1".to_owned()];
    let failure = Xboard::new(&lines, &Quirks::default()).map(|_| ()).unwrap_err();
    assert_eq!(failure.class, FailureClass::NoHandshake);
    assert!(failure.text.contains("normal,xiangqiplus"), "{failure}");
}

#[test]
fn the_greeting_accepts_what_is_used_and_sets_the_game_up() {
    let mut engine = xboard("feature variants=xiangqi ping=1 analyze=1 san=1 done=1");
    let expected =
        ["accepted ping", "accepted variants", "rejected san", "new", "variant xiangqi", "force", "easy", "post"];
    assert_eq!(engine.greeting(), expected);
}

#[test]
fn pings_are_numbered_where_they_are_announced() {
    let mut engine = xboard(FEATURES);
    assert_eq!(engine.ready_check().unwrap(), ["ping 1", "pong 1"]);
    assert_eq!(engine.ready_check().unwrap(), ["ping 2", "pong 2"]);
    assert_eq!(xboard("feature variants=xiangqi").ready_check(), None);
}

#[test]
fn options_have_their_commands() {
    let engine = xboard("feature variants=xiangqi option=\"OwnBook -check 1\" option=\"Style -string true\"");
    assert_eq!(engine.setting("OwnBook", "false"), "option OwnBook=0");
    assert_eq!(engine.setting("Style", "true"), "option Style=true");
    assert_eq!(engine.setting("Clear", ""), "option Clear");
    assert_eq!((engine.setting(MEMORY, "16"), engine.setting(CORES, "2")), ("memory 16".into(), "cores 2".into()));
}

#[test]
fn only_what_the_engine_does_not_know_is_sent() {
    let mut engine = xboard(FEATURES);
    assert_eq!(engine.new_game(), ["new", "variant xiangqi", "force"]);
    let start = Position::start();
    assert_eq!(position(&mut engine, &game(start, "h2e2")), ["force", "usermove h2e2"]);
    assert_eq!(parse_line(&mut engine, "move h9g7"), answer(Some("h9g7"), None));
    assert_eq!(position(&mut engine, &game(start, "h2e2 h9g7 h0g2")), ["force", "usermove h0g2"]);
    let mut bare = xboard("feature variants=xiangqi");
    assert_eq!(position(&mut bare, &game(start, "h2e2 h9g7")), ["force", "h2e2", "h9g7"]);
}

#[test]
fn another_game_than_the_one_on_its_board_is_sent_as_a_whole() {
    let mut engine = xboard(FEATURES);
    let start = Position::start();
    position(&mut engine, &game(start, "h2e2"));
    parse_line(&mut engine, "move h9g7");
    let commands = position(&mut engine, &game(start, "h2e2 b9c7"));
    assert_eq!(commands, ["new", "variant xiangqi", "force", "usermove h2e2", "usermove b9c7"]);
    parse_line(&mut engine, "move rubbish");
    assert_eq!(position(&mut engine, &game(start, "h2e2 b9c7 h0g2")), ["force", "usermove h0g2"]);
}

#[test]
fn other_starts_are_written_as_xboard_writes_them() {
    let start = Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1").unwrap();
    let mut engine = xboard(FEATURES);
    let fen = "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RHEAKAEHR b 1 1";
    let setup = ["new", "variant xiangqi", "force", fen];
    assert_eq!(position(&mut engine, &game(start, "")), setup);
    assert_eq!(position(&mut engine, &game(start, "h9g7")), ["force", "usermove h9g7"]);
    engine.new_game();
    assert_eq!(position(&mut engine, &game(start, "")), setup);
    let (positions, moves) = game(start, "");
    let failure = xboard("feature variants=xiangqi").position(&at(&positions, &moves)).unwrap_err();
    assert!(failure.class == FailureClass::ProtocolViolation && failure.text.contains("setboard"), "{failure}");
}

#[test]
fn habits_are_kept() {
    let quirks = Quirks { ranks: Some(RankBase::One), letters: Some(PieceLetters::KnightBishop), ..Quirks::default() };
    let mut engine = Xboard::new(&[FEATURES.to_owned()], &quirks).unwrap();
    let start = Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b").unwrap();
    let commands = position(&mut engine, &game(start, "h9g7"));
    assert!(commands[3].starts_with("setboard rnbakabnr/") && commands[4] == "usermove h10g8", "{commands:?}");
    assert_eq!(engine.read_move("h10g8", &start), "h9g7".parse().ok());
}

#[test]
fn limits_are_said_once_and_the_clocks_before_each_move() {
    let clock = |ms| ClockState { time: Some(Duration::from_millis(ms)), ..ClockState::default() };
    let (positions, moves) = game(Position::start(), "h2e2");
    let state = GameState { clocks: [clock(12_345), clock(90_009)], ..at(&positions, &moves) };
    let limits = "90+0.5".parse().unwrap();
    let mut engine = xboard(FEATURES);
    assert_eq!(engine.before_go(&state, &limits), ["level 0 1:30 0.5", "time 9000", "otim 1234"]);
    assert_eq!(engine.before_go(&state, &limits), ["time 9000", "otim 1234"]);
    engine.new_game();
    let offered = GameState { draw_offered: true, ..state };
    assert_eq!(engine.before_go(&offered, &limits), ["level 0 1:30 0.5", "time 9000", "otim 1234", "draw"]);
    let mut timeless = xboard("feature variants=xiangqi time=0 draw=0");
    assert_eq!(timeless.before_go(&offered, &"40/0.2".parse().unwrap()), ["level 40 0:01 0"]);
}

#[test]
fn other_limits_need_no_clock() {
    let (positions, moves) = game(Position::start(), "");
    let say = |limits| xboard(FEATURES).before_go(&at(&positions, &moves), &limits);
    let for_each = |ms| TimeControl { move_time: Some(Duration::from_millis(ms)), ..TimeControl::default() };
    assert_eq!(say(for_each(2000)), ["st 2", "time 200", "otim 200"]);
    assert_eq!(say(for_each(300)), ["level 1 0:01 0", "time 30", "otim 30"]);
    assert_eq!(say(TimeControl { depth: Some(5), ..TimeControl::default() }), ["sd 5"]);
    let clock_that_does_not_count = "10+0.1".parse().unwrap();
    assert!(say(clock_that_does_not_count).is_empty());
}

#[test]
fn draws_are_offered_with_a_move_and_games_given_up() {
    let (positions, moves) = game(Position::start(), "h2e2");
    let ask = |engine: &mut Xboard| engine.before_go(&at(&positions, &moves), &TimeControl::default());
    let mut engine = xboard(FEATURES);
    ask(&mut engine);
    assert_eq!(parse_line(&mut engine, "offer draw"), LineKind::Other);
    assert_eq!(parse_line(&mut engine, "move h9g7"), answer(Some("h9g7"), Some(Offer::Draw)));
    ask(&mut engine);
    assert_eq!(parse_line(&mut engine, "1-0 {White mates}"), answer(None, Some(Offer::Resign)));
    ask(&mut engine);
    assert_eq!(parse_line(&mut engine, "resign"), answer(None, Some(Offer::Resign)));
    assert_eq!(parse_line(&mut engine, "1-0 {unasked}"), LineKind::Other);
    assert_eq!(parse_line(&mut engine, "resign"), LineKind::Other);
    assert_eq!(parse_line(&mut engine, "move a9a8"), answer(Some("a9a8"), Some(Offer::Resign)));
}

#[test]
fn who_takes_a_game_for_over_is_asked_without_its_history() {
    let clock = ClockState { time: Some(Duration::from_secs(5)), ..ClockState::default() };
    let mut engine = xboard(FEATURES);
    let (positions, moves) = game(Position::start(), "h2e2 h9g7 h0g2");
    let state = GameState { clocks: [clock; 2], ..at(&positions, &moves) };
    let limits = "5".parse().unwrap();
    engine.position(&state).unwrap();
    engine.before_go(&state, &limits);
    let LineKind::NeedsCommands(commands) = parse_line(&mut engine, "1/2-1/2 {3 repetitions}") else {
        panic!("it is asked")
    };
    let fen = "setboard rheakae1r/9/1c4hc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1H2/9/RHEAKAE1R b 0 2";
    let expected = ["new", "variant xiangqi", "force", fen, "level 0 0:05 0", "time 500", "otim 500", "go"];
    assert_eq!(commands, expected);
    assert_eq!(parse_line(&mut engine, "move b9c7"), answer(Some("b9c7"), None));
    let (positions, moves) = game(Position::start(), "h2e2 h9g7 h0g2 b9c7 b0c2");
    assert_eq!(engine.position(&at(&positions, &moves)).unwrap(), ["force", "usermove b0c2"]);
    engine.before_go(&at(&positions, &moves), &limits);
    assert!(matches!(parse_line(&mut engine, "0-1 {I win}"), LineKind::NeedsCommands(_)));
    let LineKind::Failed(failure) = parse_line(&mut engine, "0-1 {I do}") else { panic!("it has its chance no more") };
    assert!(failure.text.contains("0-1 {I do}"), "{failure}");
}

#[test]
fn who_takes_a_game_for_over_unasked_is_not_shown_the_rest_of_it() {
    let mut engine = xboard(FEATURES);
    position(&mut engine, &game(Position::start(), "h2e2"));
    assert!(!engine.may_say_more());
    parse_line(&mut engine, "move h9g7");
    assert!(engine.may_say_more());
    assert_eq!(parse_line(&mut engine, "1/2-1/2 {dull}"), LineKind::Other);
    let commands = position(&mut engine, &game(Position::start(), "h2e2 h9g7 h0g2"));
    assert!(commands.len() == 4 && commands[3].starts_with("setboard rheakae1r/"), "{commands:?}");
    assert_eq!(position(&mut engine, &game(Position::start(), "h2e2 h9g7 h0g2 b9c7")), ["force", "usermove b9c7"]);
}

#[test]
fn who_refuses_what_is_legal_does_not_play_on() {
    for line in [
        "Illegal move: h2e2",
        "Illegal move (game over): h2e2",
        "Error (unknown command): usermove h2e2",
        "Error (bad FEN): setboard 9/9 w 0 1",
        "tellusererror Illegal position",
    ] {
        let LineKind::Failed(failure) = parse_line(&mut xboard(FEATURES), line) else { panic!("{line}") };
        assert!(failure.class == FailureClass::ProtocolViolation && failure.text.contains(line), "{failure}");
    }
    for line in ["Error (unknown command): easy", "Error", "Illegal move: otim 100", "tellusererror Hello", "# go"] {
        assert_eq!(parse_line(&mut xboard(FEATURES), line), LineKind::Other, "{line}");
    }
}
