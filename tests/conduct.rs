//! Features besides the search: the engine resigns and offers draws, ponders on its own, and plays from a book.
#![cfg(feature = "engine")]

mod support;

use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use chuhe::board::{Move, Position, START_FEN};
use chuhe::book::{About, HEADER_BYTES, Record, Symmetry, Writer, canonical};
use chuhe::engine::Workers;
use chuhe::engine::event::{ClockMode, Closing, Command, Dialect, Go, Reply};
use chuhe::score::Score;
use chuhe::search::SearchContext;
use support::engine::*;

/// Attempts to get a move together with an expected reply.
const TRIES: usize = 20;
/// A position in which red is a rook down without compensation.
const ROOK_DOWN: &str = "3k5/9/9/r8/9/9/9/9/9/4K4 w - - 0 1";
/// A position that neither side can win by force.
const EVEN: &str = "3k5/9/4b4/9/9/9/9/9/4A4/4K4 w - - 0 1";

fn closing(engine: &Engine, go: Go) -> Option<Closing> {
    engine.send(Command::Go(go));
    match engine.answer() {
        Reply::BestMove { closing, .. } => closing,
        other => panic!("{other:?}"),
    }
}

/// Starts an engine whose clock counts nodes, so that it finds a move however busy the machine is.
fn player() -> Engine {
    let engine = Engine::start(1);
    engine.set("nodestime", "200");
    engine
}

fn short() -> Go {
    timed(20, ClockMode::ThisMove)
}

#[test]
fn a_hopeless_game_is_given_up_if_the_user_allows_it() {
    let engine = player();
    engine.position(ROOK_DOWN, "");
    assert_eq!(closing(&engine, short()), None, "not unless it is set to");
    engine.set("giveupscore", "300");
    engine.set("giveupmoves", "2");
    assert_eq!(closing(&engine, short()), None);
    assert_eq!(closing(&engine, depth(3)), None, "an analysis is not a game");
    engine.set("newgame", "");
    engine.position(ROOK_DOWN, "");
    assert_eq!(closing(&engine, short()), None);
    engine.send(Command::Handshake(Dialect::Uci));
    assert_eq!(engine.answer(), Reply::Introduction);
    assert_eq!(closing(&engine, short()), None, "UCI has no word for it");
    engine.quit_silently();
}

#[test]
fn the_moves_in_a_row_that_are_hopeless_are_those_of_one_game() {
    let engine = player();
    engine.set("giveupscore", "300");
    engine.set("giveupmoves", "2");
    engine.position(ROOK_DOWN, "");
    engine.send(Command::Go(short()));
    let Reply::BestMove { best, closing: None, .. } = engine.answer() else { panic!("too early") };
    // Black waits with its king.
    engine.position(ROOK_DOWN, &format!("{best} d9d8"));
    assert_eq!(closing(&engine, short()), Some(Closing::Resign));
}

#[test]
fn an_answer_that_a_miss_throws_away_is_none_of_the_moves_in_a_row() {
    let engine = player();
    engine.set("giveupscore", "300");
    for held in [false, true] {
        engine.set("newgame", "");
        engine.set("giveupmoves", "1");
        engine.position(ROOK_DOWN, "");
        assert_eq!(missed(&engine, held), None, "it is not played");
        engine.set("giveupmoves", "2");
        let best = best_without_closing(&engine);
        engine.position(ROOK_DOWN, &format!("{best} d9d8"));
        assert_eq!(missed(&engine, held), None, "the second in a row, if it were played");
        engine.position(ROOK_DOWN, &format!("{best} a6a5"));
        assert_eq!(closing(&engine, short()), Some(Closing::Resign), "the second in a row");
    }
    engine.quit();
}

/// Returns the offer or resignation that comes with the answer to a ponder search. The search is stopped either while it
/// runs or, if `held`, when it is over and its answer is being held back.
fn missed(engine: &Engine, held: bool) -> Option<Closing> {
    engine.send(ponder(if held { Go { limits: depth(1).limits, ..short() } } else { short() }));
    if held {
        while !matches!(engine.next(), Reply::Effort(_)) {}
    }
    engine.send(Command::Stop);
    match engine.answer() {
        Reply::BestMove { closing, .. } => closing,
        other => panic!("{other:?}"),
    }
}

fn best_without_closing(engine: &Engine) -> Move {
    engine.send(Command::Go(short()));
    match engine.answer() {
        Reply::BestMove { best, closing: None, .. } => best,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_even_game_may_be_offered_as_drawn() {
    let engine = player();
    engine.position(EVEN, "");
    assert_eq!(closing(&engine, short()), None);
    engine.set("offerscore", "1000");
    engine.set("offermoves", "1");
    assert_eq!(closing(&engine, short()), Some(Closing::Draw));
    assert_eq!(closing(&engine, depth(2)), None);
    engine.quit();
}

#[test]
fn an_offer_is_accepted_at_the_score_that_the_user_sets() {
    let engine = player();
    let offer = || Go { draw: true, ..short() };
    engine.position("3k5/4a4/9/9/9/9/9/C8/4A4/4K4 w - - 0 1", "");
    assert_eq!(closing(&engine, offer()), None, "a cannon up");
    engine.set("acceptscore", "30000");
    assert_eq!(closing(&engine, offer()), Some(Closing::Draw), "a cannon up, but set to be generous");
    engine.quit();
}

/// Returns the time of the last report before the answer, and the depth of the first one.
fn effort(engine: &Engine) -> (Duration, u32) {
    let mut first_depth = None;
    let mut elapsed = Duration::ZERO;
    loop {
        match engine.next() {
            Reply::Info(info) => {
                first_depth.get_or_insert(info.iteration.depth);
            }
            Reply::Effort(effort) => elapsed = effort.elapsed,
            Reply::BestMove { .. } => return (elapsed, first_depth.expect("it has thought")),
            other => panic!("{other:?}"),
        }
    }
}

/// Plays a move on a clock and returns it with the expected reply. On a busy machine there may be time for no reply.
fn play(engine: &Engine) -> (String, String) {
    for _ in 0..TRIES {
        engine.send(Command::Go(timed(300, ClockMode::MovesToGo { moves: 1, increment: 0 })));
        match engine.answer() {
            Reply::BestMove { best, ponder: Some(ponder), .. } => return (best.to_string(), ponder.to_string()),
            Reply::BestMove { ponder: None, .. } => {}
            other => panic!("{other:?}"),
        }
    }
    panic!("no answer is expected to any move");
}

#[test]
fn after_the_expected_move_the_search_goes_on_where_it_was() {
    let engine = Engine::start(1);
    engine.set("autoponder", "true");
    engine.position(START_FEN, "");
    let (best, ponder) = play(&engine);
    engine.is_silent_completely();
    std::thread::sleep(Duration::from_millis(300));
    engine.position(START_FEN, &format!("{best} {ponder}"));
    engine.send(Command::Go(timed(200, ClockMode::MovesToGo { moves: 1, increment: 0 })));
    let (_, first_depth) = effort(&engine);
    assert!(first_depth > 1, "it began at depth {first_depth}");
    engine.quit();
}

#[test]
fn after_another_move_the_search_begins_anew() {
    let engine = Engine::start(1);
    engine.set("autoponder", "true");
    engine.position(START_FEN, "");
    let (best, ponder) = play(&engine);
    let other = if ponder == "a6a5" { "i6i5" } else { "a6a5" };
    engine.position(START_FEN, &format!("{best} {other}"));
    engine.send(Command::Go(timed(200, ClockMode::MovesToGo { moves: 1, increment: 0 })));
    assert_eq!(effort(&engine).1, 1);
    engine.quit();
}

#[test]
fn an_engine_that_muses_beyond_the_move_limit_wants_to_win() {
    let engine = Engine::start(1);
    for (name, value) in [("autoponder", "true"), ("useegtb", "false"), ("repetition", "noban")] {
        engine.set(name, value);
    }
    // The reply to the next move is the 120th ply without a capture. Black has a bare king, which is soon mated.
    let game = "4k4/9/9/9/9/9/9/4N4/R8/3K5 w - - 118 60";
    engine.position(game, "");
    let (best, ponder) = play(&engine);
    engine.position(game, &format!("{best} {ponder}"));
    engine.send(Command::Go(timed(600, ClockMode::MovesToGo { moves: 1, increment: 0 })));
    let mut last = None;
    loop {
        match engine.next() {
            Reply::Info(info) => last = Some(info.iteration.score),
            Reply::BestMove { .. } => break,
            _ => {}
        }
    }
    assert!(last.is_some_and(|score| score > Score::DRAW), "{last:?} after {best} {ponder}");
    engine.quit();
}

#[test]
fn a_musing_engine_is_idle_to_the_user() {
    let engine = Engine::start(2);
    engine.set("autoponder", "true");
    for disturbance in ["stop", "option", "quit"] {
        engine.position(START_FEN, "");
        play(&engine);
        engine.has_nothing_to_say();
        match disturbance {
            "stop" => {
                engine.send(Command::Stop);
                assert_eq!(engine.next(), Reply::NoBestMove);
            }
            "option" => {
                engine.set("hashsize", "2");
                engine.set("threads", "1");
                engine.send(Command::Go(depth(2)));
                engine.best();
            }
            _ => {}
        }
    }
    engine.quit();
}

/// A crew without workers, as if the system refused all threads.
struct NoWorkers;

impl Workers for NoWorkers {
    fn size(&self) -> usize {
        0
    }

    fn resize(&mut self, _: usize) -> io::Result<()> {
        Err(io::Error::other("no more threads"))
    }

    fn start(&mut self, _: &Arc<SearchContext>) {}

    fn new_game(&mut self) {}
}

#[test]
fn without_workers_nothing_is_thought_unasked_and_the_expected_move_is_thought_about_when_it_comes() {
    let engine = Engine::start_with(1, |_| Box::new(NoWorkers));
    engine.set("autoponder", "true");
    engine.position(START_FEN, "");
    assert!(engine.message().starts_with("only 0 of 1 threads"));
    let (best, ponder) = play(&engine);
    engine.has_nothing_to_say();
    engine.position(START_FEN, &format!("{best} {ponder}"));
    engine.send(Command::Go(timed(200, ClockMode::MovesToGo { moves: 1, increment: 0 })));
    let (elapsed, _) = effort(&engine);
    assert!(elapsed >= Duration::from_millis(50), "{elapsed:?} is no thought");
    engine.quit();
}

#[test]
fn without_the_option_nothing_is_thought_unasked() {
    let engine = Engine::start(1);
    engine.position(START_FEN, "");
    let (best, ponder) = play(&engine);
    engine.position(START_FEN, &format!("{best} {ponder}"));
    engine.send(Command::Go(timed(200, ClockMode::MovesToGo { moves: 1, increment: 0 })));
    assert_eq!(effort(&engine).1, 1);
    engine.quit();
}

/// Writes a book into `folder` and returns its path. It has the start position, with c3c4 at three times the weight of
/// b0c2, and the position after c3c4, with i9i8.
fn book(folder: &tempfile::TempDir) -> String {
    let start = Position::start();
    let records = [(start, "c3c4", 3), (start, "b0c2", 1), (start.play("c3c4".parse().unwrap()), "i9i8", 1)];
    write_book(folder, records.iter().map(|(position, mv, weight)| record(position, mv, *weight)).collect())
}

fn record(position: &Position, mv: &str, weight: u16) -> Record {
    let (key, frame) = canonical(position, Symmetry::default());
    Record::new(key, frame.apply(mv.parse().unwrap()), weight)
}

/// Writes a book of these moves and returns its path.
fn write_book(folder: &tempfile::TempDir, mut records: Vec<Record>) -> String {
    let path = folder.path().join("test.book");
    records.sort_by_key(Record::order);
    let mut writer = Writer::new(fs::File::create(&path).unwrap(), About::default()).unwrap();
    records.into_iter().for_each(|record| writer.push(record).unwrap());
    writer.finish().unwrap();
    path.to_str().unwrap().to_owned()
}

/// Starts an engine that may play from its book.
fn reader() -> Engine {
    let engine = Engine::start(1);
    engine.set("usebook", "true");
    engine
}

/// Sends `go` and returns the number of book moves reported before the answer, and the answer.
fn from_book(engine: &Engine, go: Go) -> (usize, String, Option<String>) {
    engine.send(Command::Go(go));
    let mut named = 0;
    loop {
        match engine.next() {
            Reply::BookMove { .. } => named += 1,
            Reply::BestMove { best, ponder, .. } => return (named, best.to_string(), ponder.map(|mv| mv.to_string())),
            Reply::Info(_) | Reply::Effort(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_book_answers_where_it_knows_a_move() {
    let folder = tempfile::tempdir().unwrap();
    let engine = reader();
    engine.set("bookfiles", &book(&folder));
    engine.set("bookchoice", "best");
    engine.position(START_FEN, "");
    assert_eq!(from_book(&engine, depth(3)), (2, "c3c4".into(), Some("i9i8".into())));
    let mirrored = from_book(&engine, timed(100, ClockMode::Increment(0)));
    assert_eq!(mirrored.0, 2);
    engine.send(Command::Go(Go::default()));
    assert!(matches!(engine.next(), Reply::Info(_)), "an analysis does not look into the book");
    engine.send(Command::Stop);
    engine.best();
    engine.set("usebook", "false");
    assert_eq!(from_book(&engine, depth(3)).0, 0);
    engine.set("usebook", "true");
    engine.set("bookfiles", "");
    assert_eq!(from_book(&engine, depth(3)).0, 0, "no file, no book");
    engine.quit();
}

#[test]
fn the_book_is_asked_on_the_opponents_time_too_and_its_answer_held() {
    let folder = tempfile::tempdir().unwrap();
    let engine = reader();
    engine.set("bookfiles", &book(&folder));
    engine.set("bookchoice", "best");
    for word in [HIT, Command::Stop] {
        engine.position(START_FEN, "");
        engine.send(ponder(timed(60_000, ClockMode::Increment(0))));
        assert!(matches!([engine.next(), engine.next()], [Reply::BookMove { .. }, Reply::BookMove { .. }]));
        engine.is_silent();
        engine.send(word);
        assert_eq!(engine.best(), mv("c3c4"));
    }
    engine.quit();
}

#[test]
fn an_offer_of_a_draw_is_heard_while_the_book_answers() {
    let folder = tempfile::tempdir().unwrap();
    let engine = reader();
    engine.set("bookfiles", &book(&folder));
    engine.position(START_FEN, "");
    for (score, closing) in [("-30", None), ("30000", Some(Closing::Draw))] {
        engine.set("acceptscore", score);
        engine.send(Command::Go(Go { draw: true, ..timed(5_000, ClockMode::Increment(0)) }));
        let answer = loop {
            match engine.next() {
                Reply::BookMove { .. } => {}
                other => break other,
            }
        };
        assert!(matches!(answer, Reply::BestMove { closing: said, .. } if said == closing), "{answer:?}");
    }
    engine.quit();
}

#[test]
fn an_even_game_of_the_book_is_not_a_draw_that_a_search_sees() {
    let folder = tempfile::tempdir().unwrap();
    let engine = reader();
    engine.set("bookfiles", &write_book(&folder, vec![record(&Position::start(), "c3c4", 1).scored(0, 20)]));
    engine.position(START_FEN, "");
    engine.set("acceptscore", "-30");
    engine.send(Command::Go(Go { draw: true, ..timed(5_000, ClockMode::Increment(0)) }));
    assert!(matches!(engine.next(), Reply::BookMove { .. }));
    let answer = engine.next();
    assert!(matches!(answer, Reply::BestMove { closing: None, .. }), "{answer:?}");
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn a_book_may_have_a_name_in_an_old_encoding() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join(std::ffi::OsStr::from_bytes(b"\xcf\xf3\xc6\xe5.book"));
    fs::rename(book(&folder), &name).unwrap();
    let engine = reader();
    engine.send(Command::SetOption { name: "bookfiles".into(), value: name.into_os_string() });
    engine.position(START_FEN, "");
    assert_eq!(from_book(&engine, depth(3)).0, 2);
    engine.quit();
}

#[test]
fn a_damaged_book_is_refused_in_one_line_and_the_engine_plays_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = book(&folder);
    let mut bytes = fs::read(&path).unwrap();
    // The weight of a move.
    bytes[HEADER_BYTES + 12] ^= 1;
    fs::write(&path, bytes).unwrap();
    let engine = reader();
    engine.set("bookfiles", &path);
    let refusal = format!("{path}: altered: its records do not agree with their checksum");
    assert!(matches!(engine.next(), Reply::Message(text) if text.contains(&refusal)));
    engine.position(START_FEN, "");
    assert_eq!(from_book(&engine, depth(1)).0, 0);
    engine.set("bookfiles", &format!("{path};<embedded>"));
    assert!(matches!(engine.next(), Reply::Message(text) if text.contains(&refusal)));
    assert!(from_book(&engine, depth(1)).0 > 1, "the next file answers");
    engine.quit();
}

#[test]
fn there_is_a_book_in_the_program() {
    let engine = reader();
    engine.position(START_FEN, "");
    let (named, best, ponder) = from_book(&engine, depth(1));
    assert!(named > 1 && ponder.is_some(), "{best}");
    engine.set("bookfiles", "");
    assert_eq!(from_book(&engine, depth(1)).0, 0, "no file, no book");
    engine.set("bookfiles", "<embedded>");
    assert_eq!(from_book(&engine, depth(1)).0, named);
    engine.send(Command::BanMoves(texts_of(&best)));
    for _ in 0..10 {
        assert_ne!(from_book(&engine, depth(1)).1, best);
    }
    engine.quit();
}

#[test]
fn the_book_is_asked_in_uci_only_by_who_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::boot();
    engine.send(Command::Handshake(Dialect::Uci));
    assert_eq!(engine.answer(), Reply::Introduction);
    engine.set("hashsize", "1");
    engine.set("bookfiles", &book(&folder));
    engine.position(START_FEN, "");
    assert_eq!(from_book(&engine, depth(1)).0, 0);
    engine.set("OwnBook", "true");
    assert_eq!(from_book(&engine, depth(1)).0, 2);
    engine.quit_silently();
}

#[test]
fn the_book_keeps_to_what_may_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let engine = reader();
    engine.set("bookfiles", &book(&folder));
    engine.position(START_FEN, "");
    engine.send(Command::BanMoves(texts_of("c3c4 g3g4")));
    for _ in 0..20 {
        let (_, best, _) = from_book(&engine, depth(1));
        assert!(["b0c2", "h0g2"].contains(&best.as_str()), "{best}");
    }
    engine.position(START_FEN, "");
    let wanted = Go { search_moves: texts_of("a3a4"), ..depth(1) };
    assert_eq!(from_book(&engine, wanted), (0, "a3a4".into(), None));
    // The position after b0c2 was there before.
    engine.position(START_FEN, "b0c2 b9c7 c2b0 c7b9");
    engine.set("bookchoice", "best");
    for _ in 0..20 {
        let (_, best, _) = from_book(&engine, depth(1));
        assert!(!["b0c2"].contains(&best.as_str()), "{best}");
    }
    engine.quit();
}

#[test]
fn the_options_of_the_book_have_effects() {
    let folder = tempfile::tempdir().unwrap();
    let engine = reader();
    engine.set("bookfiles", &book(&folder));
    engine.position(START_FEN, "");
    engine.set("bookminweight", "2");
    assert_eq!(from_book(&engine, depth(1)).0, 1, "b0c2 weighs too little");
    engine.set("bookminweight", "1");
    engine.set("bookreserve", "1");
    assert_eq!(from_book(&engine, depth(1)).0, 1, "after b0c2 nothing is known");
    engine.set("bookreserve", "0");
    engine.set("bookdepth", "0");
    assert_eq!(from_book(&engine, depth(1)).0, 0, "not even the first move");
    engine.set("bookdepth", "1");
    let weights: Vec<usize> = (0..60).map(|_| usize::from(from_book(&engine, depth(1)).1 == "b0c2")).collect();
    let rare: usize = weights.iter().sum();
    assert!((1..40).contains(&rare), "{rare} of 60 for a move of a quarter of the weight");
    for seed in 1..=20 {
        engine.set("randomseed", &seed.to_string());
        let first = from_book(&engine, depth(1)).1;
        assert!((0..5).all(|_| from_book(&engine, depth(1)).1 == first), "a seed decides, {seed}");
    }
    engine.set("randomseed", "0");
    fs::remove_file(folder.path().join("test.book")).unwrap();
    assert_eq!(from_book(&engine, depth(1)).0, 2, "an open book stays open");
    engine.set("loadbook", "");
    assert!(engine.message().contains("test.book"));
    assert_eq!(from_book(&engine, depth(1)).0, 0);
    engine.quit();
}

#[test]
fn a_margin_leaves_out_worse_book_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scored.book");
    let (key, frame) = canonical(&Position::start(), Symmetry::default());
    let record = |mv: &str, weight, score| Record::new(key, frame.apply(mv.parse().unwrap()), weight).scored(score, 9);
    let mut records = vec![record("c3c4", 1, 30), record("b0c2", 900, 0)];
    records.sort_by_key(Record::order);
    let mut writer = Writer::new(fs::File::create(&path).unwrap(), About::default()).unwrap();
    records.into_iter().for_each(|record| writer.push(record).unwrap());
    writer.finish().unwrap();
    let engine = reader();
    engine.set("bookfiles", path.to_str().unwrap());
    engine.set("bookchoice", "margin");
    engine.set("bookmargin", "10");
    engine.position(START_FEN, "");
    for _ in 0..20 {
        assert_eq!(from_book(&engine, depth(1)).1, "c3c4");
    }
    let others = |engine: &Engine| (0..20).filter(|_| from_book(engine, depth(1)).1 == "b0c2").count();
    engine.set("bookmargin", "100");
    assert!(others(&engine) > 0);
    // Randomness widens every choice that has a limit.
    engine.set("bookmargin", "10");
    engine.set("randomness", "medium");
    assert!(others(&engine) > 0);
    engine.set("bookchoice", "best");
    assert!(others(&engine) > 0);
    engine.set("randomness", "tiny");
    assert_eq!(others(&engine), 0);
    engine.quit();
}
