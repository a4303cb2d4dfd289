//! Whole matches on the command line, with the engine of `examples/zoo-for-matches.rs`.

#[path = "../support/arena.rs"]
mod arena;
mod files;
mod interruptions;
mod tuning;

use std::fs;

use arena::{Arena, refusal, text};
use chuhe::board::START_FEN;
use serde_json::Value;

/// Two engines, the second of which resigns from its third move on.
const PAIR: &str = "-engine cmd={zoo} name=A args=ucci_score=30 -engine cmd={zoo} name=B args=uci_resign_from=3 proto=uci \
                    -each nodes=100 -maxmoves 15";

/// An engine whose number of moves before it resigns is tuned.
const TUNING: &str =
    "-engine cmd={zoo} name=z args=ucci_gives-up -each nodes=10 -maxmoves 100 -seed 5 -ratinginterval 5";

/// Returns the final statistics, which do not depend on the clock.
fn statistics(output: &str) -> Vec<&str> {
    let wanted = ["Score of", "Elo difference", "nElo difference", "SPRT"];
    let lines: Vec<&str> = output.lines().filter(|line| wanted.iter().any(|head| line.starts_with(head))).collect();
    let last_score = lines.iter().rposition(|line| line.starts_with("Score of")).expect("a match has a score");
    lines[last_score..].to_vec()
}

#[test]
fn a_match_is_reported_and_written() {
    let arena = Arena::new();
    let rest = "-rounds 3 -openings file={openings} order=random -seed 5 -concurrency 2 -force -pgnout file={}/g.pgn \
                -log file={}/log engine=true -report {}/r.html -ratinginterval 2";
    let output = arena.play(&format!("{PAIR} {rest}"));
    assert_eq!(output.matches("Started game ").count(), 6, "{output}");
    assert!(output.contains("Started game 1 of 6 (A vs B)"), "{output}");
    assert_eq!(output.matches("Finished game ").count(), 6, "{output}");
    assert!(output.contains("Finished game 2 (B vs A): 0-1 {Red resigns}"), "{output}");
    assert!(output.contains("Score of A vs B: 6 - 0 - 0  [1.000] 6\nElo difference: "), "{output}");
    assert!(output.contains("Latency of the arena: median "), "{output}");
    assert!(output.ends_with("Finished match\n"), "{output}");
    let pgn = arena.read("g.pgn");
    let numbers: Vec<&str> = pgn.lines().filter_map(|line| line.strip_prefix("[GameNumber ")).collect();
    assert_eq!(numbers, ["\"1\"]", "\"2\"]", "\"3\"]", "\"4\"]", "\"5\"]", "\"6\"]"]);
    let log = arena.read("log");
    assert!(log.contains("A < ucci") && log.contains("B > bestmove") && log.contains("Finished game 6"));
    assert!(arena.read("r.html").contains("</html>"));
}

#[test]
fn the_seed_that_is_reported_finds_the_same_lines_of_a_book() {
    let arena = Arena::new();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/book/embedded.book");
    let line = format!("{PAIR} -rounds 3 -openings file={book} order=random");
    let printed = arena.play(&format!("{line} -journal {{}}/first"));
    let seed = printed.lines().find_map(|line| line.strip_prefix("Seed: ")).expect("the seed is printed");
    arena.play(&format!("{line} -seed {seed} -journal {{}}/second"));
    let openings = |journal: &str| {
        let header: Value = serde_json::from_str(arena.read(journal).lines().next().unwrap()).unwrap();
        header["conditions"]["openings"].clone()
    };
    assert!(openings("first").is_string());
    assert_eq!(openings("first"), openings("second"));
    // A match that is resumed without `-seed` finds them as well.
    assert!(arena.play(&format!("{line} -journal {{}}/first")).contains("Resumed after 6 of 6 games"));
}

#[cfg(unix)]
#[test]
fn an_engine_that_may_not_be_started_again_is_not_even_if_others_play_in_between() {
    use std::os::unix::fs::PermissionsExt;
    let arena = Arena::new();
    let (engine, starts) = (arena.path("engine"), arena.path("starts"));
    let script = format!(
        "#!/bin/sh\necho >> {}\nwhile read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
         go*) exit 3;; quit) exit;; esac; done\n",
        starts.display()
    );
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let line = format!(
        "-engine cmd={{zoo}} name=A args=ucci -engine cmd={} proto=uci ranks=0 restart=off -engine cmd={{zoo}} name=B args=ucci \
         -each nodes=100 -maxmoves 5 -rounds 2 -recover",
        engine.display()
    );
    arena.run(&line);
    assert_eq!(fs::read_to_string(starts).unwrap().lines().count(), 2, "to see whether it starts, and to play");
}

#[cfg(unix)]
#[test]
fn nothing_that_an_engine_says_or_is_called_commands_the_terminal() {
    use std::os::unix::fs::PermissionsExt;
    let arena = Arena::new();
    let script = "#!/bin/sh\nwail() { printf 'gone \\033[2J\\a\\n' >&2; exit 3; }\n[ -f early ] && wail\n\
                  while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) wail;; quit) exit;; esac; done\n";
    fs::write(arena.path("engine"), script).unwrap();
    fs::set_permissions(arena.path("engine"), fs::Permissions::from_mode(0o755)).unwrap();
    let line = "-each nodes=100 -maxmoves 5 -recover -journal {}/j -engine cmd={zoo} name=A args=ucci -engine \
                cmd={}/engine dir={} proto=uci ranks=0";
    let play = || arena.command(line).arg("name=B\u{1b}[2J\nC").output().unwrap();
    let (played, shown) = (play(), arena.run("stats {}/j"));
    let watched = arena.run("watch {}/j");
    fs::write(arena.path("early"), "").unwrap();
    fs::remove_file(arena.path("j")).unwrap();
    let refused = play();
    let ways = [&played.stdout, &shown.stdout, &watched.stdout, &refused.stderr];
    let parts =
        ["last words: gone  [2J }", "Failures of B [2J C: Crash 2", "disconnects", "Standard error of B [2J C: gone"];
    for (said, part) in ways.into_iter().zip(parts) {
        let said = String::from_utf8_lossy(said);
        assert!(said.contains(part) && said.lines().all(|line| !line.contains(char::is_control)), "{said:?}");
    }
}

#[test]
fn what_is_wrong_is_said_before_any_game() {
    let arena = Arena::new();
    fs::write(arena.path("bad.epd"), "# openings\nrnbakabnr/9/9 w\n").unwrap();
    fs::write(arena.path("text"), "no program\n").unwrap();
    for (line, expected) in [
        ("-engine cmd={}/missing -engine cmd={zoo} -each nodes=1", "engine missing: there is no program "),
        ("-engine cmd={zoo} dir={}/none -engine cmd={zoo} -each nodes=1", "there is no folder "),
        ("-engine cmd={zoo} -engine cmd={zoo} -each nodes=1 -openings file={}/bad.epd", "bad.epd:2: "),
        ("-engine cmd={zoo} -engine cmd={zoo} -each nodes=1 -openings file={}/none.epd", "none.epd cannot be read"),
        (
            "-engine cmd={zoo} -engine cmd={zoo} -each nodes=1 -pgnout file={}/text",
            "holds something that is not a game of this match",
        ),
        ("-engine cmd={zoo} -engine cmd={zoo} -each nodes=1 -report {}/no/r.html", "no/r.html: cannot be written"),
        ("-engine cmd={zoo} -engine cmd={zoo} -each nodes=1 -journal {}/text", "is not a heading of a journal"),
        ("-enigne cmd=a", "unknown option -enigne; did you mean -engine?"),
        ("-config file={}/none", "the journal "),
    ] {
        let output = arena.run(line);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(expected), "{line}: {errors}");
        assert!(!text(&output).contains("Started"), "{line}");
    }
}

#[test]
fn the_test_stops_the_match() {
    let arena = Arena::new();
    let output = arena.play(&format!("{PAIR} -rounds 500 -sprt elo0=0 elo1=100 -ratinginterval 0"));
    assert!(output.contains("H1 was accepted"), "{output}");
    assert!(output.matches("Finished game").count() < 900, "{output}");
}

#[test]
fn three_engines_meet_and_failures_are_counted() {
    let arena = Arena::new();
    let engines = "-engine cmd={zoo} name=A args=ucci -engine cmd={zoo} name=B args=uci proto=uci -engine cmd={zoo} name=C \
                   args=ucci_dies_from=3 -each nodes=1 -maxmoves 5";
    let output = arena.play(&format!("{engines} -tournament roundrobin -rounds 2 -recover"));
    assert_eq!(output.matches("Finished game").count(), 12, "{output}");
    assert!(output.contains("Failures of C: Crash 8") && output.contains("disconnects"), "{output}");
    assert!(output.contains("Rank Name"), "{output}");
    let output = arena.play(&format!("{engines} -tournament gauntlet -recover"));
    assert_eq!(output.matches("Finished game").count(), 4, "{output}");
}

#[test]
fn a_test_against_an_engine_that_never_starts_is_a_failure_and_no_result() {
    let arena = Arena::new();
    let test = "-each nodes=1 -maxmoves 5 -rounds 30 -sprt elo0=0 elo1=10";
    let line = format!(
        "-engine cmd={{zoo}} name=A args=ucci -engine cmd={{zoo}} name=B proto=ucci args=ucci_dies-early_wails {test}"
    );
    for recover in ["", " -recover"] {
        let output = arena.run(&(line.clone() + recover));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("engine B: the process ended in the handshake (exit status: 3"), "{errors}");
        for line in 1..=3 {
            assert!(errors.contains(&format!("Standard error of B: line {line} of 3")), "{errors}");
        }
        assert!(!text(&output).contains("H0") && !text(&output).contains("Finished game"), "{}", text(&output));
    }
}

#[test]
fn an_engine_that_crashes_again_and_again_stops_the_match_unless_that_is_wanted() {
    let arena = Arena::new();
    let test = "-each nodes=1 -maxmoves 5 -rounds 30 -sprt elo0=0 elo1=200";
    let line =
        format!("-engine cmd={{zoo}} name=A args=ucci_dies_wails_from=2 -engine cmd={{zoo}} name=B args=ucci {test}");
    let output = arena.run(&line);
    let printed = text(&output);
    let count = |word: &str| printed.matches(word).count();
    assert_eq!((output.status.code(), count(" disconnects"), count("Started game")), (Some(1), 3, 3), "{printed}");
    assert!(printed.contains("Stopped: engine A failed in 3 games in a row; use -recover"), "{printed}");
    assert!(printed.contains("Standard error of A: line 2 of 3") && !printed.contains("H0 was accepted"), "{printed}");
    let output = arena.run(&format!("{line} -recover"));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert!(text(&output).contains("H0 was accepted"), "{}", text(&output));
}

#[test]
fn a_match_that_runs_out_of_openings_says_so() {
    let arena = Arena::new();
    let output = arena.play(&format!("{PAIR} -rounds 2"));
    assert!(output.contains("Too few openings: from game 3 on games begin like earlier ones"), "{output}");
    assert!(output.contains("Repeated games: 2 of 4 are earlier ones move by move"), "{output}");
    fs::write(arena.path("twice.epd"), format!("{START_FEN}\n{START_FEN}; the same\n")).unwrap();
    let twice = arena.play(&format!("{PAIR} -rounds 2 -openings file={{}}/twice.epd"));
    assert!(twice.contains("Too few openings: from game 3 on games begin like earlier ones"), "{twice}");
    let new = arena.play(&format!("{PAIR} -rounds 2 -openings file={{openings}}"));
    let timed = arena.play(&format!("{PAIR} -rounds 2").replace("nodes=100", "tc=10"));
    for output in [&new, &timed] {
        assert!(!output.contains("Too few openings"), "{output}");
    }
    assert!(!new.contains("Repeated games"), "{new}");
}

#[test]
fn the_status_says_how_a_test_ended() {
    let arena = Arena::new();
    arena.play_to(0, &format!("{PAIR} -sprt elo0=0 elo1=100 -ratinginterval 0"));
    arena.play_to(4, &format!("{PAIR} -rounds 1 -sprt elo0=0 elo1=1"));
    arena.play_to(0, &format!("{PAIR} -rounds 1"));
    let loser_first = "-engine cmd={zoo} name=B args=uci_resign_from=3 proto=uci -engine cmd={zoo} name=A args=ucci -each nodes=1 \
                       -maxmoves 15";
    let printed = arena.play_to(3, &format!("{loser_first} -sprt elo0=0 elo1=100 -ratinginterval 0"));
    assert!(printed.contains("H0 was accepted"), "{printed}");
}

#[test]
fn a_value_that_an_engine_does_not_take_is_refused_before_any_game() {
    let arena = Arena::new();
    let engines =
        "-engine cmd={zoo} name=A args=ucci_gives-up option.endurance=99 -engine cmd={zoo} name=B args=uci proto=uci";
    let output = arena.run(&format!("{engines} -each nodes=1 -rounds 1"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("option endurance=99: the engine takes numbers from 1 to 60"), "{errors}");
    assert!(!text(&output).contains("Started"));
}

#[test]
fn more_threads_than_cores_are_refused_unless_forced() {
    let arena = Arena::new();
    let cores = std::thread::available_parallelism().unwrap().get();
    let line = format!("{PAIR} -rounds 1 -concurrency {}", cores + 1);
    let errors = refusal(&arena, &line);
    assert!(errors.contains(&format!("there are {cores} cores; use -force-concurrency")), "{errors}");
    arena.play(&format!("{line} -force"));
}

#[test]
fn help_and_openings_go_to_standard_output() {
    let arena = Arena::new();
    assert!(arena.play("--help").contains("-engine KEY=VALUE"));
    assert!(arena.play("--version").starts_with("chuhe-arena "));
    let openings = arena.play("--generate-openings 3 --plies 4 --nodes 200");
    assert_eq!(openings.lines().count(), 3);
    let file = arena.play("--generate-openings 3 --plies 4 --nodes 200 -o {}/o.epd");
    assert!(file.is_empty() && arena.read("o.epd") == openings);
}

#[test]
fn the_report_tells_of_the_test_what_ended_the_match() {
    let arena = Arena::new();
    arena.play(&format!("{PAIR} -sprt elo0=0 elo1=100 -ratinginterval 0 -journal {{}}/j"));
    // A pair that was in progress when the SPRT was decided, and that the other engine wins.
    let journal = arena.read("j");
    let games: Vec<Value> = journal.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let lost = games[games.len() - 2..].iter().map(|game| {
        let mut game = game.clone();
        let [number, round] = ["number", "round"].map(|name| game[name].as_u64().unwrap());
        (game["number"], game["round"]) = ((number + 2).into(), (round + 1).into());
        game["result"] = if game["result"] == "Red" { "Black" } else { "Red" }.into();
        format!("{game}\n")
    });
    fs::write(arena.path("j"), journal.clone() + &lost.collect::<String>()).unwrap();
    arena.play("report {}/j {}/r.html");
    assert!(arena.read("r.html").contains("\"H1 accepted\""));
}
