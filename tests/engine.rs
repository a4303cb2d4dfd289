//! The engine's life cycle, in process: every command in every phase, one answer for each `go`, and no leftover threads.
//!
//! Upper bounds on time are generous: they distinguish a hang from an answer, not a slow machine from a fast one.
#![cfg(feature = "engine")]

mod support;

use std::thread;
use std::time::{Duration, Instant};

use chuhe::board::{MoveText, Position};
use chuhe::engine::event::{ClockMode, Closing, Command, Dialect, Event, Fault, GameText, Go, Reply};
use chuhe::smp::time::AlarmId;
use support::engine::*;

#[test]
fn nothing_is_said_before_the_handshake() {
    let engine = Engine::boot();
    engine.send(Command::Stop);
    engine.send(HIT);
    engine.set("debug", "true");
    engine.set("hashsize", "-1");
    engine.event(Event::Rejected(Fault::NotUnderstood("xyzzy".into())));
    engine.event(Event::Rejected(Fault::BadPosition("no king".into())));
    engine.send(Command::Handshake(Dialect::Ucci));
    assert_eq!(engine.next(), Reply::Introduction);
    assert!(engine.message().contains("out of range"), "said late, but said");
    engine.send(Command::Quit);
    engine.ends_with(&[Reply::Message("debug: quit".to_owned()), Reply::Bye]);
}

#[test]
fn an_engine_that_was_never_spoken_to_ends_without_a_word() {
    let engine = Engine::boot();
    engine.send(Command::Quit);
    engine.ends_with(&[]);
    let engine = Engine::boot();
    engine.event(Event::EndOfInput);
    engine.ends_with(&[]);
}

#[test]
fn every_mode_is_answered_once() {
    for threads in [1, 2] {
        let engine = Engine::start(threads);
        let modes = [
            depth(3),
            nodes(2000),
            timed(60, ClockMode::ThisMove),
            timed(500, ClockMode::Increment(0)),
            timed(500, ClockMode::MovesToGo { moves: 5, increment: 0 }),
            timed(0, ClockMode::Increment(0)),
            timed(-50, ClockMode::ThisMove),
        ];
        for go in modes {
            engine.send(Command::Go(go));
            assert!(Position::start().is_legal(engine.best()));
            engine.has_nothing_to_say();
        }
        engine.quit();
    }
}

#[test]
fn the_static_value_comes_without_a_move() {
    let engine = Engine::start(1);
    engine.send(Command::Go(depth(0)));
    assert!(matches!(engine.next(), Reply::StaticValue(_)));
    assert_eq!(engine.next(), Reply::NoBestMove);
    engine.quit();
}

#[test]
fn stop_is_answered_in_every_phase() {
    let engine = Engine::start(2);
    engine.send(Command::Stop);
    assert_eq!(engine.next(), Reply::NoBestMove);
    engine.send(infinite());
    engine.send(Command::Stop);
    engine.best();
    engine.send(ponder(timed(1000, ClockMode::Increment(0))));
    engine.send(Command::Stop);
    engine.best();
    engine.position(MATE_IN_ONE, "");
    engine.send(ponder(timed(1000, ClockMode::Increment(0))));
    engine.is_silent();
    engine.send(Command::Stop);
    assert!(moves_of("e1d1 e1e8").contains(&engine.best()));
    engine.send(Command::Stop);
    assert_eq!(engine.next(), Reply::NoBestMove);
    engine.quit();
}

#[test]
fn one_hundred_stops() {
    for threads in [1, 2] {
        let engine = Engine::start(threads);
        for round in 0..100 {
            engine.send(infinite());
            if round % 2 == 0 {
                engine.info();
            }
            engine.send(Command::Stop);
            engine.best();
        }
        engine.has_nothing_to_say();
        engine.quit();
    }
}

#[test]
fn what_comes_behind_stop_is_meant_for_the_time_after_it() {
    let engine = Engine::start(2);
    engine.send(infinite());
    engine.send(Command::Stop);
    engine.position(MATE_IN_ONE, "");
    engine.send(infinite());
    engine.best();
    assert!(moves_of("e1d1 e1e8").contains(&engine.best()), "a mate ends an infinite search");
    engine.quit();
}

#[test]
fn commands_for_the_idle_engine_are_ignored_during_a_search() {
    let engine = Engine::start(1);
    engine.send(infinite());
    engine.info();
    engine.position(MATED, "");
    engine.event(Event::Rejected(Fault::BadPosition("no king".into())));
    engine.send(Command::BanMoves(texts_of("h2e2")));
    engine.send(Command::DoMove(mv_text("h2e2")));
    engine.set("threads", "2");
    engine.set("hashsize", "2");
    engine.set("newgame", "");
    engine.send(Command::Go(depth(1)));
    engine.send(Command::Handshake(Dialect::Ucci));
    engine.send(HIT);
    engine.is_silent();
    engine.has_nothing_to_say();
    engine.send(Command::Stop);
    assert!(Position::start().is_legal(engine.best()));
    engine.quit();
}

#[test]
fn quit_ends_every_phase() {
    Engine::start(1).quit();
    for go in
        [infinite(), ponder(timed(1000, ClockMode::Increment(0))), Command::Go(timed(600_000, ClockMode::ThisMove))]
    {
        let engine = Engine::start(3);
        engine.send(go);
        engine.info();
        engine.quit();
    }
    let engine = Engine::start(1);
    engine.position(MATE_IN_ONE, "");
    engine.send(ponder(depth(2)));
    engine.is_silent();
    engine.quit();
}

#[test]
fn the_end_of_input_lets_bounded_searches_finish() {
    for go in [depth(4), nodes(5000), timed(100, ClockMode::ThisMove)] {
        let engine = Engine::start(1);
        engine.send(Command::Go(go));
        engine.event(Event::EndOfInput);
        engine.best();
        engine.ends_with(&[Reply::Bye]);
    }
}

#[test]
fn the_end_of_input_ends_what_would_wait_for_ever() {
    let engine = Engine::start(1);
    engine.event(Event::EndOfInput);
    engine.ends_with(&[Reply::Bye]);
    for go in [infinite(), ponder(timed(1000, ClockMode::Increment(0))), ponder(depth(90))] {
        let engine = Engine::start(2);
        engine.send(go);
        engine.info();
        engine.event(Event::EndOfInput);
        engine.best();
        engine.ends_with(&[Reply::Bye]);
    }
    let engine = Engine::start(1);
    engine.position(MATED, "");
    engine.send(ponder(depth(2)));
    engine.event(Event::EndOfInput);
    engine.ends_with(&[Reply::NoBestMove, Reply::Bye]);
}

#[test]
fn threads_and_table_change_between_searches() {
    let engine = Engine::start(1);
    for (threads, mebibytes) in [("3", "2"), ("1", "4"), ("2", "1"), ("0", "3")] {
        engine.set("threads", threads);
        engine.set("hashsize", mebibytes);
        engine.send(Command::Go(depth(3)));
        engine.best();
        engine.set("newgame", "");
        engine.set("Clear Hash", "");
        engine.send(infinite());
        engine.send(Command::Stop);
        engine.best();
    }
    engine.has_nothing_to_say();
    engine.quit();
}

#[test]
fn a_table_that_cannot_be_had_leaves_the_old_one() {
    let engine = Engine::start(1);
    engine.set("hashsize", "1048576");
    let message = engine.message();
    assert!(message.contains("1048576 MiB") && message.ends_with("has 1 MiB"), "{message}");
    engine.send(Command::Go(depth(2)));
    engine.best();
    engine.has_nothing_to_say();
    engine.set("hashsize", "99999999999");
    assert!(engine.message().contains("out of range"));
    engine.quit();
}

#[test]
fn one_thread_repeats_itself_after_a_new_game() {
    let engine = Engine::start(1);
    let searched = || {
        engine.set("newgame", "");
        engine.send(Command::Go(depth(5)));
        let mut nodes = Vec::new();
        loop {
            match engine.next() {
                Reply::Info(info) => nodes.push(info.iteration.nodes),
                Reply::Effort(effort) => nodes.push(effort.nodes),
                Reply::BestMove { .. } => return nodes,
                other => panic!("{other:?}"),
            }
        }
    };
    assert_eq!(searched(), searched());
    engine.quit();
}

#[test]
fn a_late_alarm_does_not_touch_the_next_search() {
    let engine = Engine::start(1);
    for _ in 0..20 {
        engine.send(Command::Go(depth(1)));
        engine.best();
    }
    engine.send(infinite());
    for id in 0..=20 {
        engine.event(Event::TimeUp(AlarmId(id)));
    }
    engine.is_silent();
    engine.send(Command::Stop);
    engine.best();
    engine.quit();
}

#[test]
fn the_clock_ends_a_search_in_time_and_not_before() {
    let engine = Engine::start(1);
    let asked = Instant::now();
    engine.send(Command::Go(timed(300, ClockMode::ThisMove)));
    engine.best();
    assert!(asked.elapsed() >= Duration::from_millis(200));
    engine.quit();
}

#[test]
fn the_time_for_a_move_never_takes_what_the_clock_has_not() {
    let engine = Engine::start(1);
    engine.position(start_fen(), "");
    let took = |time, move_time| {
        let (go, since) = (timed(time, ClockMode::Increment(0)), Instant::now());
        engine.send(Command::Go(Go { move_time: Some(move_time), ..go }));
        engine.best();
        since.elapsed()
    };
    assert!(took(300, 60_000) < Duration::from_secs(10), "the clock would be out");
    let long = took(600_000, 300);
    assert!(long > Duration::from_millis(250) && long < Duration::from_secs(5), "{long:?}: it is named and afforded");
    engine.quit();
}

#[test]
fn an_infinite_search_with_a_limit_holds_its_answer() {
    let engine = Engine::start(1);
    engine.send(Command::Handshake(Dialect::Uci));
    assert_eq!(engine.next(), Reply::Introduction);
    engine.position(start_fen(), "");
    for limited in [depth(2), nodes(100)] {
        engine.send(Command::Go(Go { infinite: true, ..limited }));
        engine.is_silent();
        engine.send(Command::Stop);
        engine.best();
    }
    engine.position(MATED, "");
    engine.send(Command::Go(Go { infinite: true, ..depth(2) }));
    assert_eq!(engine.next(), Reply::StaticValue(chuhe::score::Score::mated_in(0)));
    engine.is_silent();
    engine.send(Command::Stop);
    assert_eq!(engine.answer(), Reply::NoBestMove);
    engine.quit_silently();
}

#[test]
fn a_hit_on_an_infinite_search_with_a_limit_leaves_its_answer_held() {
    let engine = Engine::start(1);
    engine.send(Command::Handshake(Dialect::Uci));
    assert_eq!(engine.next(), Reply::Introduction);
    engine.position(start_fen(), "");
    let go = || ponder(Go { infinite: true, ..depth(2) });
    // Before and after its limit is reached.
    for is_late in [false, true] {
        engine.send(go());
        if is_late {
            engine.is_silent();
        }
        engine.send(HIT);
        engine.is_silent();
        engine.send(Command::Stop);
        engine.best();
    }
    engine.position(MATED, "");
    engine.send(go());
    assert_eq!(engine.next(), Reply::StaticValue(chuhe::score::Score::mated_in(0)));
    engine.send(HIT);
    engine.is_silent();
    engine.send(Command::Stop);
    assert_eq!(engine.answer(), Reply::NoBestMove);
    engine.send(Command::Handshake(Dialect::Ucci));
    assert_eq!(engine.next(), Reply::Introduction);
    engine.position(MATE_IN_ONE, "");
    engine.send(go());
    engine.is_silent();
    engine.send(HIT);
    engine.best();
    engine.quit();
}

#[test]
fn who_plays_on_beyond_the_move_limit_wants_to_win() {
    let engine = Engine::start(1);
    engine.set("repetition", "league");
    // A hundred plies without a capture, seven more, nearly as many as can be counted, exactly as many, and more.
    for count in [100, 107, 65_530, 65_535, 4_000_000_000_u32] {
        engine.position(&MATE_IN_ONE.replace("- - 0", &format!("- - {count}")), "");
        engine.send(Command::Go(depth(4)));
        assert!(["e1d1", "e1e8"].map(mv).contains(&engine.best()), "{count}");
    }
    engine.quit();
}

#[test]
fn reading_is_charged_to_the_clock() {
    let engine = Engine::start(1);
    engine.has_nothing_to_say();
    let Some(read_at) = Instant::now().checked_sub(Duration::from_secs(60)) else { return };
    engine.event(Event::Command { command: Command::Go(timed(30_000, ClockMode::ThisMove)), read_at });
    let asked = Instant::now();
    engine.best();
    assert!(asked.elapsed() < Duration::from_secs(20), "the time was over before the search began");
    engine.quit();
}

/// A shorter version of the series in `benches/stop.rs`, which starts at one second.
#[test]
fn a_shrinking_clock_is_answered_to_the_end() {
    let engine = Engine::start(1);
    for time in (0..40).rev() {
        engine.send(Command::Go(timed(10 * time, ClockMode::Increment(0))));
        engine.best();
    }
    engine.quit();
}

#[test]
fn a_single_reply_needs_no_time() {
    let engine = Engine::start(1);
    engine.position(ONE_REPLY, "");
    let asked = Instant::now();
    engine.send(Command::Go(timed(3_600_000, ClockMode::ThisMove)));
    assert_eq!(engine.best(), mv("d9d8"));
    assert!(asked.elapsed() < TIMEOUT);
    // While pondering, it is not played at once.
    engine.send(ponder(timed(3_600_000, ClockMode::ThisMove)));
    engine.is_silent();
    engine.send(HIT);
    assert_eq!(engine.best(), mv("d9d8"));
    engine.quit();
}

/// UCCI, section 6: the expected move was played.
#[test]
fn a_ponder_hit_starts_the_clock() {
    let engine = Engine::start(2);
    engine.position(start_fen(), "b0c2 b9c7");
    engine.send(ponder(timed(150, ClockMode::ThisMove)));
    // Longer than the time on the clock, which is not running.
    thread::sleep(Duration::from_millis(200));
    engine.is_silent();
    let hit = Instant::now();
    engine.send(HIT);
    let best = engine.best();
    assert!(hit.elapsed() >= Duration::from_millis(100), "time spent before costs nothing");
    engine.has_nothing_to_say();
    engine.send(HIT);
    engine.has_nothing_to_say();
    engine.position(start_fen(), &format!("b0c2 b9c7 {best}"));
    engine.send(ponder(timed(150, ClockMode::Increment(0))));
    engine.send(Command::PonderHit { draw: true });
    engine.best();
    engine.quit();
}

/// UCCI, section 6: another move was played.
#[test]
fn a_ponder_miss_is_stopped_and_forgotten() {
    let engine = Engine::start(2);
    engine.position(start_fen(), "b0c2 b9c7");
    engine.send(ponder(timed(295_000, ClockMode::Increment(0))));
    engine.info();
    engine.send(Command::Stop);
    let before = Position::start().play(mv("b0c2")).play(mv("b9c7"));
    assert!(before.is_legal(engine.best()));
    engine.position(start_fen(), "b0c2 c6c5");
    engine.send(Command::Go(timed(300, ClockMode::Increment(0))));
    let now = Position::start().play(mv("b0c2")).play(mv("c6c5"));
    assert!(now.is_legal(engine.best()));
    engine.has_nothing_to_say();
    engine.quit();
}

#[test]
fn a_finished_ponder_search_holds_its_answer() {
    let engine = Engine::start(1);
    for go in [depth(1), nodes(100)] {
        engine.send(ponder(go));
        engine.is_silent();
        engine.has_nothing_to_say();
        engine.send(HIT);
        engine.best();
    }
    engine.position(MATED, "");
    engine.send(ponder(timed(1000, ClockMode::Increment(0))));
    engine.is_silent();
    engine.send(HIT);
    assert_eq!(engine.next(), Reply::NoBestMove);
    engine.quit();
}

#[test]
fn the_expected_answer_is_legal() {
    let engine = Engine::start(2);
    for fen in [start_fen(), MATE_IN_ONE, ONE_REPLY] {
        engine.position(fen, "");
        engine.send(Command::Go(depth(4)));
        match engine.answer() {
            Reply::BestMove { best, ponder, .. } => {
                let next = Position::from_fen(fen).unwrap().play(best);
                assert!(ponder.is_none_or(|ponder| next.is_legal(ponder)));
            }
            other => panic!("{other:?}"),
        }
    }
    engine.quit();
}

#[test]
fn banned_moves_are_never_played() {
    let engine = Engine::start(2);
    engine.position(MATE_IN_ONE, "");
    engine.send(Command::BanMoves(texts_of("a0a9 e1d1 e1e8")));
    for go in [depth(3), timed(30, ClockMode::ThisMove), nodes(500)] {
        engine.send(Command::Go(go));
        assert!(!moves_of("e1d1 e1e8").contains(&engine.best()));
    }
    let all = Position::from_fen(MATE_IN_ONE).unwrap().legal_moves().to_vec();
    engine.send(Command::BanMoves(all.iter().map(|&mv| mv.into()).collect()));
    engine.send(Command::Go(depth(3)));
    assert_eq!(engine.next(), Reply::NoBestMove);
    engine.send(infinite());
    assert_eq!(engine.next(), Reply::NoBestMove);
    // The second list replaces the first, the next position lifts it.
    engine.send(Command::BanMoves(all.iter().copied().filter(|&mv| mv != all[0]).map(MoveText::from).collect()));
    engine.send(Command::Go(depth(3)));
    assert_eq!(engine.best(), all[0]);
    engine.position(MATE_IN_ONE, "");
    engine.send(Command::Go(depth(3)));
    assert!(moves_of("e1d1 e1e8").contains(&engine.best()));
    engine.quit();
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let engine = Engine::start(1);
    engine.send(Command::Go(Go { search_moves: texts_of("a3a4"), ..depth(3) }));
    assert_eq!(engine.best(), mv("a3a4"));
    engine.quit();
}

#[test]
fn bad_positions_leave_nothing_to_search() {
    let engine = Engine::start(1);
    engine.event(Event::Rejected(Fault::BadPosition("there is no king".into())));
    assert_eq!(engine.message(), "there is no king");
    engine.send(Command::Go(depth(1)));
    assert_eq!(engine.next(), Reply::NoBestMove);
    engine.send(Command::Go(depth(0)));
    assert_eq!(engine.next(), Reply::NoBestMove);
    engine.position(start_fen(), "h2e2 a0a9 h9g7");
    assert!(engine.message().contains("a0a9"));
    engine.send(Command::Go(depth(1)));
    assert!(Position::start().play(mv("h2e2")).is_legal(engine.best()), "the legal moves were played");
    engine.send(Command::DoMove(mv_text("h9g7")));
    engine.send(Command::DoMove(mv_text("h9g7")));
    assert!(engine.message().contains("h9g7"));
    engine.quit();
}

#[test]
fn faults_are_reported_as_far_as_they_matter() {
    let engine = Engine::start(1);
    engine.event(Event::Rejected(Fault::NotUnderstood("xyzzy".into())));
    engine.has_nothing_to_say();
    engine.event(Event::Rejected(Fault::BadArgument("depth abc".into())));
    assert_eq!(engine.message(), "depth abc");
    engine.set("guiname", "XQWizard");
    engine.has_nothing_to_say();
    engine.set("threads", "abc");
    assert!(engine.message().contains("abc"));
    engine.set("logfile", "/nowhere/at/all");
    assert_eq!(engine.message(), "no log: there is no disk");
    engine.set("debug", "true");
    engine.event(Event::Rejected(Fault::NotUnderstood("xyzzy".into())));
    assert_eq!(engine.message(), "xyzzy");
    engine.send(Command::Go(depth(1)));
    assert!(engine.message().starts_with("debug: go "));
    engine.best();
    engine.send(Command::Quit);
    assert_eq!(engine.message(), "debug: quit");
    engine.ends_with(&[Reply::Bye]);
}

#[test]
fn the_table_can_be_asked_at_any_time() {
    let engine = Engine::start(1);
    let probe = || Command::Probe(GameText { start: Position::start(), moves: Vec::new(), rank_hint: None });
    engine.send(probe());
    assert_eq!(engine.next(), Reply::TableContent(None));
    engine.send(Command::Go(depth(4)));
    engine.best();
    engine.send(probe());
    match engine.next() {
        Reply::TableContent(Some(content)) => assert!(content.lower.is_some() || content.upper.is_some()),
        other => panic!("{other:?}"),
    }
    engine.send(infinite());
    engine.info();
    engine.send(probe());
    assert!(matches!(engine.answer(), Reply::TableContent(_)));
    engine.send(Command::Stop);
    engine.best();
    engine.quit();
}

#[test]
fn a_batch_is_worked_off_in_order() {
    let engine = Engine::start(1);
    engine.set("batch", "on");
    engine.send(Command::Go(depth(4)));
    engine.position(MATE_IN_ONE, "");
    engine.send(Command::Go(timed(50, ClockMode::ThisMove)));
    engine.send(Command::IsReady);
    engine.send(Command::Stop);
    engine.event(Event::EndOfInput);
    assert!(Position::start().is_legal(engine.best()));
    assert!(moves_of("e1d1 e1e8").contains(&engine.best()));
    engine.ends_with(&[Reply::Ready, Reply::NoBestMove, Reply::Bye]);
}

#[test]
fn a_batch_cannot_lock_itself_up() {
    let engine = Engine::start(1);
    engine.set("batch", "on");
    engine.send(infinite());
    engine.info();
    engine.send(Command::Stop);
    engine.send(Command::Go(depth(2)));
    engine.best();
    engine.best();
    engine.send(ponder(timed(1000, ClockMode::Increment(0))));
    engine.send(HIT);
    engine.best();
    engine.send(infinite());
    engine.info();
    engine.quit();
}

#[test]
fn in_a_batch_commands_wait_for_searches_too_that_only_words_end() {
    for (first, word) in [(infinite(), Command::Stop), (ponder(timed(100, ClockMode::ThisMove)), HIT)] {
        let engine = Engine::start(1);
        engine.set("batch", "on");
        engine.send(first);
        engine.position(MATE_IN_ONE, "");
        engine.send(Command::Go(depth(2)));
        engine.send(Command::IsReady);
        engine.send(word);
        assert!(Position::start().is_legal(engine.best()));
        assert!(moves_of("e1d1 e1e8").contains(&engine.best()));
        // At the end of input, no `stop` can follow.
        engine.send(infinite());
        engine.send(Command::Go(depth(2)));
        engine.event(Event::EndOfInput);
        let replies: Vec<Reply> = std::iter::from_fn(|| match engine.answer() {
            Reply::Bye => None,
            reply => Some(reply),
        })
        .collect();
        let answers = replies.iter().filter(|reply| matches!(reply, Reply::BestMove { .. })).count();
        assert_eq!((answers, replies.contains(&Reply::Ready)), (2, true), "{replies:?}");
    }
}

#[test]
fn a_draw_is_accepted_only_when_there_is_nothing_to_win() {
    let engine = Engine::start(1);
    let offer = || Command::Go(Go { draw: true, ..depth(4) });
    let accepted = |fen: &str| {
        engine.position(fen, "");
        engine.send(offer());
        match engine.answer() {
            Reply::BestMove { closing, .. } => closing == Some(Closing::Draw),
            other => panic!("{other:?}"),
        }
    };
    assert!(!accepted("3k5/9/9/9/9/9/9/R8/9/4K4 w - - 0 1"), "a rook up");
    assert!(accepted("3k5/9/9/r8/9/9/9/9/9/4K4 w - - 0 1"), "a rook down");
    engine.quit();
}
