//! Whole games between engine processes: no illegal move, no time loss, no crash, no hang.

mod support;

use std::collections::HashSet;
use std::env;
use std::time::Duration;

use chuhe::board::{Position, Side};
use support::game::{Game, Verdict};
use support::matches::{Match, Opening};
use support::player::Contestant;
use support::tally::Tally;

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// What an engine that is not ours may be late; ours may not be late at all.
const FOREIGN_MARGIN: Duration = Duration::from_millis(50);

const PATIENCE: Duration = Duration::from_secs(5);

/// Tests run on any machine, whatever else it does: there a late answer is one that no scheduling explains.
const ANY_MACHINE: Duration = Duration::from_millis(250);

#[track_caller]
fn assert_faultless(tally: &Tally, contestant: usize) {
    assert!(tally.failures_of(contestant).is_empty(), "{tally}");
}

#[test]
fn eight_quick_games_end_without_a_fault() {
    let [first, second] = [(); 2].map(|()| Contestant::new(CHUHE, ANY_MACHINE));
    let tally = Match {
        contestants: [first, second],
        openings: Opening::all(),
        games: 8,
        base: Duration::from_millis(300),
        increment: Duration::from_millis(10),
        patience: PATIENCE,
        concurrency: 1,
    }
    .run();
    println!("{tally}");
    assert_eq!(tally.games(), 8);
    assert_faultless(&tally, 0);
    assert_faultless(&tally, 1);
}

#[test]
#[ignore = "match against an external engine: run by ci/match.sh"]
fn a_match_against_another_engine() {
    let text = |name: &str| env::var(name).ok();
    let number = |name: &str, default: u64| {
        text(name).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is not a number: {value}")))
    };
    let milliseconds = |name, default| Duration::from_millis(number(name, default));
    let ours = text("CHUHE_MATCH_ENGINE").unwrap_or_else(|| CHUHE.to_owned());
    let theirs = text("CHUHE_MATCH_OPPONENT").expect("CHUHE_MATCH_OPPONENT names the other engine");
    let count = |name, default| usize::try_from(number(name, default)).expect("a small number");
    let tally = Match {
        contestants: [Contestant::new(&ours, Duration::ZERO), Contestant::new(&theirs, FOREIGN_MARGIN)],
        openings: Opening::all(),
        games: count("CHUHE_MATCH_GAMES", 40),
        base: milliseconds("CHUHE_MATCH_BASE_MS", 3000),
        increment: milliseconds("CHUHE_MATCH_INC_MS", 30),
        patience: PATIENCE,
        concurrency: count("CHUHE_MATCH_CONCURRENCY", 1),
    }
    .run();
    println!("{tally}");
    assert_faultless(&tally, 0);
}

#[test]
fn the_openings_are_playable_and_all_different() {
    let openings = Opening::all();
    assert!(openings.len() >= 20);
    let keys: HashSet<_> = openings.iter().map(|opening| opening.position.key()).collect();
    assert_eq!(keys.len(), openings.len());
    assert!(openings.iter().all(|opening| opening.position.has_legal_move() && !opening.position.in_check()));
}

/// The verdict after these moves, which must be legal and must not end the game before the last one.
fn verdict(fen: &str, moves: &str) -> Option<Verdict> {
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for mv in moves.split_whitespace().map(|mv| mv.parse().unwrap()) {
        assert_eq!(game.verdict(), None, "before {mv}");
        assert!(game.position().is_legal(mv), "{mv}");
        game.play(mv);
    }
    game.verdict()
}

/// Who has won, and why the game is over.
fn ended(fen: &str, moves: &str) -> Option<(Option<Side>, &'static str)> {
    verdict(fen, moves).map(|verdict| (verdict.winner, verdict.ending.name()))
}

#[test]
fn the_referee_judges_mates_and_repetitions() {
    let start = Position::start().to_fen();
    let horses = "b0c2 b9c7 c2b0 c7b9 ".repeat(2);
    assert_eq!(ended(&start, &horses), Some((None, "repetition")));
    let (rook, checks) = ("4k4/9/9/9/R8/9/9/9/9/5K3 w", "a5e5 e9d9 e5d5 d9e9 d5e5 e9d9 e5d5 d9e9 d5e5");
    assert_eq!(ended(rook, checks), Some((Some(Side::Black), "perpetual check")));
    let mate = "4k4/R8/9/9/9/9/9/9/9/1R1K5 w";
    assert_eq!(ended(mate, "b0b9"), Some((Some(Side::Red), "mate")));
}

#[test]
fn engines_hear_the_last_capture_and_the_moves_since() {
    let mut game = Game::new(Position::start());
    for mv in ["h2e2", "h7e7", "e2e6", "d9e8"] {
        game.play(mv.parse().unwrap());
    }
    let fen = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    assert_eq!(game.command(), format!("position fen {fen} moves d9e8"));
}

/// How a game goes whose red player answers every `go` with this shell command; black plays `h9g7`.
#[cfg(unix)]
fn against_a_bad_engine(name: &str, answer: &str) -> Tally {
    let script = |answer: &str| {
        format!(
            "while read -r word rest; do case $word in ucci) echo ucciok;; isready) echo readyok;; \
             go) {answer};; quit) exit 0;; esac; done"
        )
    };
    let contestant = |answer: &str| Contestant {
        name: name.to_owned(),
        program: ["sh".to_owned(), "-c".to_owned(), script(answer)].to_vec(),
        margin: Duration::ZERO,
    };
    Match {
        contestants: [contestant(answer), contestant("echo bestmove h9g7")],
        openings: vec![Opening { name: "start".to_owned(), position: Position::start() }],
        games: 1,
        base: Duration::from_millis(300),
        increment: Duration::ZERO,
        patience: Duration::from_millis(700),
        concurrency: 1,
    }
    .run()
}

#[cfg(unix)]
#[test]
fn every_kind_of_failure_is_recognised() {
    for (name, answer) in [
        ("ILLEGAL MOVE", "echo bestmove a0a9"),
        ("ILLEGAL MOVE", "echo nobestmove"),
        ("TIME LOSS", "sleep 0.5; echo bestmove h2e2"),
        ("CRASH", "exit 3"),
        ("HANG", ":"),
        ("UNASKED ANSWER", "echo bestmove h2e2; echo bestmove h2e2"),
    ] {
        let tally = against_a_bad_engine(name, answer);
        let first = tally.failures_of(0).first().map(|failure| failure.name());
        assert_eq!(first, Some(name), "{answer}: {tally}");
    }
}
