//! Whole matches on the command line, with the engine of `examples/zoo-for-matches.rs`.

#[path = "support/arena.rs"]
mod arena;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::{Arena, OPENINGS, text, zoo};
use chuhe::board::START_FEN;
use serde_json::Value;

/// Two engines, the second of which resigns from its third move on.
const PAIR: &str = "-engine cmd={zoo} name=A args=ucci_score=30 -engine cmd={zoo} name=B args=uci_resign_from=3 \
                    -each nodes=100 -maxmoves 15";

/// Returns the final statistics, which do not depend on the clock.
fn statistics(output: &str) -> Vec<&str> {
    let wanted = ["Score of", "Elo difference", "nElo difference", "SPRT"];
    let lines: Vec<&str> = output.lines().filter(|line| wanted.iter().any(|head| line.starts_with(head))).collect();
    let last_score = lines.iter().rposition(|line| line.starts_with("Score of")).expect("a match has a score");
    lines[last_score..].to_vec()
}

#[test]
fn a_match_is_told_and_written() {
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
fn a_killed_match_goes_on_as_if_nothing_had_happened() {
    let wild = PAIR.replace("resign_from=3", "wild").replace("-maxmoves 15", "-maxmoves 60");
    let line = |folder: &str| {
        format!(
            "{wild} -rounds 20 -openings file={{openings}} order=random -seed 3 -concurrency 2 -force -journal {{}}/{folder} \
             -pgnout file={{}}/{folder}.pgn -sprt elo0=-5 elo1=5"
        )
    };
    let arena = Arena::new();
    let unbroken = arena.play_to(4, &line("unbroken"));
    let lines = |name: &str| fs::read_to_string(arena.path(name)).map_or(0, |text| text.lines().count());
    assert_eq!(lines("unbroken"), 41);
    for wanted in [3, 17] {
        let mut running = arena.command(&line("killed")).stdout(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while lines("killed") < wanted && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        running.kill().unwrap();
        running.wait().unwrap();
        let known = lines("killed");
        assert!((wanted..41).contains(&known), "killed after {known} lines");
    }
    fs::OpenOptions::new()
        .append(true)
        .open(arena.path("killed"))
        .and_then(|mut file| std::io::Write::write_all(&mut file, b"{\"number\":40,\"round\""))
        .unwrap();
    let resumed = arena.play_to(4, &line("killed"));
    assert!(resumed.contains("Resumed after "), "{resumed}");
    assert_eq!(statistics(&resumed), statistics(&unbroken));
    assert_eq!(lines("killed"), 41);
    // All tags except times.
    let games = |name: &str| {
        let heads = ["[GameNumber", "[Round", "[Red", "[Black", "[Result", "[FEN", "[PlyCount", "[Ending"];
        let pgn = arena.read(name);
        let kept = pgn.lines().filter(|line| heads.iter().any(|head| line.starts_with(head)));
        kept.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(games("killed.pgn"), games("unbroken.pgn"));
    let again = arena.play_to(4, &line("killed"));
    assert!(!again.contains("Started game") && statistics(&again) == statistics(&unbroken), "{again}");
    let by_name = arena.play_to(4, "-config file={}/killed");
    assert_eq!(statistics(&by_name), statistics(&unbroken));
}

#[test]
fn the_seed_that_is_told_finds_the_same_lines_of_a_book() {
    let arena = Arena::new();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/book/embedded.book");
    let line = format!("{PAIR} -rounds 3 -openings file={book} order=random");
    let told = arena.play(&format!("{line} -journal {{}}/first"));
    let seed = told.lines().find_map(|line| line.strip_prefix("Seed: ")).expect("it is told");
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
fn a_journal_of_another_command_is_refused() {
    let arena = Arena::new();
    arena.play(&format!("{PAIR} -rounds 1 -journal {{}}/j"));
    let other = PAIR.replace("nodes=100", "nodes=99");
    let errors = refusal(&arena, &format!("{other} -rounds 1 -resign movecount=3 score=300 -journal {{}}/j"));
    assert!(errors.contains("belongs to another command"), "{errors}");
    assert!(errors.contains("resign was not given, now it is \"Resign"), "{errors}");
    let parts = ["engine 1: time: nodes was 100, now it is 99; ", "engine 2: time: nodes was 100, now it is 99; "];
    assert!(parts.iter().all(|part| errors.contains(part)) && !errors.contains("args"), "{errors}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_running_games_and_writes_everything() {
    let arena = Arena::new();
    let line = "-engine cmd={zoo} name=A args=ucci_late=100 -engine cmd={zoo} name=B args=ucci -each tc=60+1 \
                -maxmoves 20 -rounds 50 -concurrency 2 -force -journal {}/j -pgnout file={}/g.pgn -report {}/r.html";
    let running = arena.command(line).stdout(Stdio::piped()).spawn().unwrap();
    let journal = arena.path("j");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 3 && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    let id = running.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let stopped = Instant::now();
    let output = running.wait_with_output().unwrap();
    assert!(stopped.elapsed() < Duration::from_secs(8), "it took {:?}", stopped.elapsed());
    assert_eq!(output.status.code(), Some(130));
    let told = text(&output);
    assert!(told.contains("Score of A vs B: ") && told.ends_with("Interrupted match\n"), "{told}");
    let finished = fs::read_to_string(&journal).unwrap().lines().count() - 1;
    assert_eq!(arena.read("g.pgn").matches("[GameNumber ").count(), finished);
    assert!(arena.path("r.html").exists());
}

/// The engine, which thinks without noticing that its input has ended, and its child process both end.
#[cfg(target_os = "linux")]
#[test]
fn engines_end_with_an_arena_that_is_killed() {
    use std::os::unix::fs::PermissionsExt;
    let arena = Arena::new();
    let pids = arena.path("pids");
    let script = "#!/bin/sh\nsleep 100 </dev/null >/dev/null 2>&1 &\necho $$ $! >> {}\nexec {zoo} ucci late=600000\n";
    let script = script.replace("{zoo}", &zoo().display().to_string()).replace("{}", &pids.display().to_string());
    fs::write(arena.path("engine"), script).unwrap();
    fs::set_permissions(arena.path("engine"), fs::Permissions::from_mode(0o755)).unwrap();
    let line = "-engine cmd={}/engine name=A proto=ucci -engine cmd={zoo} name=B args=ucci -each tc=600 -log file={}/log engine=true";
    let mut running = arena.command(line).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let thinks = || fs::read_to_string(arena.path("log")).is_ok_and(|log| log.contains("A < go "));
    while !thinks() {
        assert!(Instant::now() < deadline, "it plays");
        sleep(Duration::from_millis(10));
    }
    // An orphan is reaped by another process.
    let lives = |pid: &str| {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    let started = fs::read_to_string(&pids).unwrap();
    let last: Vec<&str> = started.lines().last().expect("it was started").split(' ').collect();
    assert!(last.len() == 2 && last.iter().all(|pid| lives(pid)), "{started}");
    running.kill().unwrap();
    running.wait().unwrap();
    while last.iter().any(|pid| lives(pid)) {
        assert!(Instant::now() < deadline, "of {last:?} some live on");
        sleep(Duration::from_millis(10));
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
            "holds something that is no game of this match",
        ),
        ("-engine cmd={zoo} -engine cmd={zoo} -each nodes=1 -report {}/no/r.html", "no/r.html: cannot be written"),
        ("-engine cmd={zoo} -engine cmd={zoo} -each nodes=1 -journal {}/text", "is no heading of a journal"),
        ("-enigne cmd=a", "-enigne is no known word; did you mean -engine?"),
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
    let engines = "-engine cmd={zoo} name=A args=ucci -engine cmd={zoo} name=B args=uci -engine cmd={zoo} name=C \
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
        assert!(errors.contains("engine B: exit status: 3"), "{errors}");
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
    let told = text(&output);
    let count = |word: &str| told.matches(word).count();
    assert_eq!((output.status.code(), count(" disconnects"), count("Started game")), (Some(1), 3, 3), "{told}");
    assert!(told.contains("Stopped: engine A failed in 3 games in a row; -recover"), "{told}");
    assert!(told.contains("Standard error of A: line 2 of 3") && !told.contains("H0 was accepted"), "{told}");
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
    let loser_first = "-engine cmd={zoo} name=B args=uci_resign_from=3 -engine cmd={zoo} name=A args=ucci -each nodes=1 \
                       -maxmoves 15";
    let told = arena.play_to(3, &format!("{loser_first} -sprt elo0=0 elo1=100 -ratinginterval 0"));
    assert!(told.contains("H0 was accepted"), "{told}");
}

#[test]
fn a_value_that_an_engine_does_not_take_is_refused_before_any_game() {
    let arena = Arena::new();
    let engines = "-engine cmd={zoo} name=A args=ucci_gives-up option.endurance=99 -engine cmd={zoo} name=B args=uci";
    let output = arena.run(&format!("{engines} -each nodes=1 -rounds 1"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("option endurance=99: the engine takes numbers from 1 to 60"), "{errors}");
    assert!(!text(&output).contains("Started"));
}

/// Returns the error with which the arena refuses a command.
#[track_caller]
fn refusal(arena: &Arena, line: &str) -> String {
    let output = arena.run(line);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && !text(&output).contains("Started"), "{line}: {}", text(&output));
    errors
}

#[test]
fn no_path_is_given_twice() {
    let arena = Arena::new();
    fs::write(arena.path("o.epd"), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n").unwrap();
    fs::create_dir(arena.path("x")).unwrap();
    for (words, expected) in [
        ("-pgnout file={}/a -report {}/a", "-pgnout and -report are the same file"),
        ("-journal {}/a -log file={}/x/../a", "-journal and -log are the same file"),
        ("-openings file={}/o.epd -pgnout file={}/o.epd", "-openings and -pgnout are the same file"),
        ("-report {zoo}", "-engine cmd and -report are the same file"),
    ] {
        let errors = refusal(&arena, &format!("{PAIR} {words}"));
        assert!(errors.contains(expected), "{words}: {errors}");
    }
}

#[test]
fn nothing_is_replaced_that_the_arena_did_not_write() {
    let arena = Arena::new();
    let line = format!("{PAIR} -rounds 1 -journal {{}}/j");
    arena.play(&format!("{line} -pgnout file={{}}/g.pgn -report {{}}/r.html -log file={{}}/l"));
    let mine = arena.read("g.pgn") + "\n[Event \"mine\"]\n\n1. h2e2 *\n";
    fs::write(arena.path("mine"), &mine).unwrap();
    for words in ["-pgnout file={}/mine", "-report {}/mine", "-log file={}/mine", "-report {}/g.pgn"] {
        let errors = refusal(&arena, &format!("{line} {words}"));
        assert!(errors.contains("name another file"), "{words}: {errors}");
        assert_eq!(arena.read("mine"), mine);
    }
    // There are fewer openings than that, but the output file is checked first.
    let errors = refusal(&arena, "--generate-openings 1000 --plies 1 -o {}/mine");
    assert!(errors.contains("name another file") && arena.read("mine") == mine, "{errors}");
    // Files that the arena wrote are overwritten, whether the last game is truncated or not.
    let (games, report) = (arena.read("g.pgn"), arena.read("r.html"));
    let last = games.rfind("[Game ").unwrap();
    for torn in [games.len() - 40, last + 3] {
        fs::write(arena.path("g.pgn"), &games[..torn]).unwrap();
        arena.play(&format!("{line} -pgnout file={{}}/g.pgn -report {{}}/r.html -log file={{}}/l"));
        assert_eq!((&arena.read("g.pgn"), &arena.read("r.html")), (&games, &report));
    }
    let names = fs::read_dir(arena.folder.path()).unwrap().count();
    assert_eq!(names, 5, "nothing else is left");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_neither_read_nor_written() {
    let arena = Arena::new();
    assert!(Command::new("mkfifo").arg(arena.path("pipe")).status().unwrap().success());
    for file in ["{}/pipe", "/dev/zero", "{}"] {
        for word in ["-pgnout file=", "-epdout ", "-journal ", "-log file=", "-report ", "-openings file="] {
            let errors = refusal(&arena, &format!("{PAIR} -rounds 1 {word}{file}"));
            assert!(errors.contains("not a regular file"), "{word}{file}: {errors}");
        }
        for command in ["stats ", "-config file="] {
            let errors = refusal(&arena, &format!("{command}{file}"));
            assert!(errors.contains("not a regular file"), "{command}{file}: {errors}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_journal_knows_an_engine_that_was_replaced() {
    let arena = Arena::new();
    let program = |behaviour: &str| format!("#!/bin/sh\n# {behaviour}\nexec {} ucci\n", zoo().display());
    let write = |text: &str| {
        fs::write(arena.path("engine"), text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(arena.path("engine"), mode).unwrap();
    };
    write(&program("old"));
    fs::write(arena.path("net"), "weights").unwrap();
    let line = "-engine cmd={}/engine name=A option.EvalFile={}/net -engine cmd={zoo} name=B args=uci -each nodes=9 \
                -maxmoves 3 -journal {}/j";
    arena.play(line);
    assert!(!arena.play(line).contains("Started game"));
    fs::write(arena.path("net"), "other weights").unwrap();
    assert!(refusal(&arena, line).contains("what is in net of engine 1 was "));
    fs::write(arena.path("net"), "weights").unwrap();
    write(&program("new"));
    assert!(refusal(&arena, line).contains("what is in engine of engine 1 was "));
}

#[test]
fn a_match_goes_on_for_more_rounds_and_from_any_directory() {
    let arena = Arena::new();
    fs::create_dir(arena.path("begun")).unwrap();
    fs::create_dir(arena.path("other")).unwrap();
    fs::copy(OPENINGS, arena.path("begun/o.epd")).unwrap();
    let line = format!("{PAIR} -openings file=o.epd -rounds 1 -journal j -pgnout file=g.pgn");
    let run = |folder: &str, line: &str| arena.command(line).current_dir(arena.path(folder)).output().unwrap();
    assert!(run("begun", &line).status.success());
    let longer = run("other", "-config file=../begun/j -rounds 3 -pgnout file=all.pgn");
    assert!(longer.status.success(), "{}", String::from_utf8_lossy(&longer.stderr));
    assert!(text(&longer).contains("Resumed after 2 of 6 games"), "{}", text(&longer));
    assert_eq!(arena.read("other/all.pgn").matches("[GameNumber").count(), 6);
    assert_eq!(arena.read("begun/g.pgn").matches("[GameNumber").count(), 2);
    // The journal knows the current length of its match and the directory where it was begun.
    assert!(text(&run("other", "stats ../begun/j")).starts_with("6 of 6 games are finished\n"));
    assert!(text(&run("other", "watch ../begun/j")).contains("6 of 6 games are finished\n"));
    assert!(run("other", "report ../begun/j r.html").status.success());
    let report = arena.read("other/r.html");
    assert!(report.contains("-rounds 3 -journal j -pgnout "), "{report}");
    let shorter = run("other", "-config file=../begun/j -rounds 2");
    let errors = String::from_utf8_lossy(&shorter.stderr).into_owned();
    assert!(!shorter.status.success() && errors.contains("2 rounds would be too few"), "{errors}");
    let changed = run("other", "-config file=../begun/j -openings file=x");
    assert!(String::from_utf8_lossy(&changed.stderr).contains("-openings cannot be changed"));
}

#[test]
fn a_match_that_goes_on_under_another_name_or_in_another_format_writes_its_games_once() {
    for append in ["", " append=true"] {
        let arena = Arena::new();
        arena.play(&format!(
            "{PAIR} -openings file={{openings}} -rounds 1 -journal {{}}/j -pgnout file={{}}/g.pgn{append}"
        ));
        for (rounds, words) in [
            (2, "-event New"),
            (3, "-pgnout notation=wxf nps=true"),
            (4, "-pgnout notation=chinese min=true encoding=gbk"),
        ] {
            let words = words.replace("-pgnout", &format!("-pgnout file={{}}/g.pgn{append}"));
            arena.play(&format!("-config file={{}}/j -rounds {rounds} {words}"));
            let pgn = fs::read(arena.path("g.pgn")).unwrap();
            assert_eq!(String::from_utf8_lossy(&pgn).matches("[Result ").count(), 2 * rounds, "{words}");
        }
    }
}

#[test]
fn a_journal_tells_all_of_its_match_without_it() {
    let arena = Arena::new();
    // These files are removed after the match.
    fs::copy(OPENINGS, arena.path("o.epd")).unwrap();
    arena.take_engine("engine");
    let line = PAIR.replace("{zoo}", "{}/engine");
    let told = arena.play_to(
        4,
        &format!(
            "{line} -openings file={{}}/o.epd -rounds 2 -sprt elo0=0 elo1=1 -journal {{}}/j -pgnout file={{}}/g.pgn \
             -report {{}}/r.html"
        ),
    );
    fs::remove_file(arena.path("o.epd")).unwrap();
    fs::remove_file(arena.path("engine")).unwrap();
    let stats = arena.play("stats {}/j");
    assert!(stats.starts_with("4 of 4 games are finished\n"), "{stats}");
    assert_eq!(statistics(&stats), statistics(&told));
    arena.play("pgn {}/j file={}/again.pgn");
    assert_eq!(arena.read("again.pgn"), arena.read("g.pgn"));
    arena.play("report {}/j {}/again.html");
    assert_eq!(arena.read("again.html"), arena.read("r.html"));
    // A journal of a running match, with one game half written.
    let journal = arena.read("j");
    let half: String = journal.split_inclusive('\n').take(3).collect::<String>() + "{\"number\":3,";
    fs::write(arena.path("k"), &half).unwrap();
    assert!(arena.play("stats {}/k").starts_with("2 of 4 games are finished\n"));
    let watching = arena.command("watch {}/k").stdout(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_millis(100));
    fs::write(arena.path("k"), &journal).unwrap();
    let seen = text(&watching.wait_with_output().unwrap());
    assert_eq!(seen.matches("Finished game").count(), 4, "{seen}");
    assert!(seen.contains("SPRT: LLR") && statistics(&seen) == statistics(&told), "{seen}");
    assert!(refusal(&arena, "report {}/j {}/j").contains("is the journal itself"));
    assert!(refusal(&arena, "report {}/j {}/g.pgn").contains("name another file"));
}

#[test]
fn more_threads_than_cores_are_refused_unless_forced() {
    let arena = Arena::new();
    let cores = std::thread::available_parallelism().unwrap().get();
    let line = format!("{PAIR} -rounds 1 -concurrency {}", cores + 1);
    let errors = refusal(&arena, &line);
    assert!(errors.contains(&format!("there are {cores} cores; -force plays")), "{errors}");
    arena.play(&format!("{line} -force"));
}

#[cfg(target_os = "linux")]
#[test]
fn two_arenas_do_not_take_the_same_cores() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let arena = Arena::new();
    let line = format!(
        "-engine cmd={{zoo}} name=A args=ucci_late=50 -engine cmd={{zoo}} name=B args=ucci_late=50 -each tc=60 \
         -maxmoves 40 -rounds {cores} -use-affinity -concurrency {cores} -log file={{}}/l engine=true"
    );
    let mut first = arena.command(&line).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let thinking = || fs::read_to_string(arena.path("l")).map_or(0, |log| log.matches(" < go").count());
    while thinking() < 2 * cores && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    let errors = refusal(&Arena::new(), &line);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(errors.contains("all cores are taken"), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_ends_with_the_match_was_interrupted_and_not_lost() {
    let games = "-engine cmd={zoo} name=A args=ucci_late=400 -engine cmd={zoo} name=B args=ucci_late=400 -each tc=60+1 \
                 -maxmoves 9";
    let tuning =
        TUNING.replace("args=ucci_gives-up", "args=ucci_gives-up_late=400") + " -spsa iterations=2 names=endurance";
    for line in [games, &tuning] {
        for signal in ["-TERM", "-INT", "-HUP"] {
            // Under nohup(1), child processes ignore SIGHUP as well.
            if signal == "-HUP" && Command::new("sh").args(["-c", "kill -HUP $$"]).status().unwrap().success() {
                continue;
            }
            for is_first in [true, false] {
                let arena = Arena::new();
                let line = format!("{line} -journal {{}}/j -log file={{}}/l engine=true");
                let running = arena.command(&line).stdout(Stdio::piped()).spawn().unwrap();
                let log = || fs::read_to_string(arena.path("l")).unwrap_or_default();
                let deadline = Instant::now() + Duration::from_secs(60);
                while log().matches(" < go").count() < 3 && Instant::now() < deadline {
                    sleep(Duration::from_millis(10));
                }
                let names =
                    children_of(running.id()).into_iter().filter_map(|path| path.file_name().map(OsString::from));
                let engines: Vec<OsString> = names.collect();
                assert_eq!(engines.len(), 2, "two engines");
                let runner = [OsString::from(running.id().to_string())];
                let send = |signal: &str, to: &[OsString]| {
                    // The receiver may have exited already.
                    Command::new("kill").arg(signal).args(to).stderr(Stdio::null()).status().unwrap();
                };
                if is_first {
                    send(signal, &[&runner[..], &engines].concat());
                } else {
                    // The arena receives both at once, however long the signals take.
                    send("-STOP", &runner);
                    send(signal, &engines);
                    send(signal, &runner);
                    send("-CONT", &runner);
                }
                let output = running.wait_with_output().unwrap();
                let told = text(&output);
                assert_eq!(output.status.code(), Some(130), "{told}");
                assert!(!told.contains("disconnects") && !told.contains("Failures"), "{signal}: {told}");
                assert_eq!(arena.read("j").lines().count(), 1, "nothing was finished");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_second_signal_kills_the_engines_and_still_writes_the_standing() {
    let arena = Arena::new();
    // B ignores `quit` for a minute: an orderly end would take the arena two seconds for each game.
    let line = "-engine cmd={zoo} name=A args=ucci_late=100 -engine cmd={zoo} name=B args=ucci_deaf-to-quit -each tc=60+1 \
                -maxmoves 10 -rounds 50 -journal {}/j -report {}/r.html";
    let running = arena.command(line).stdout(Stdio::piped()).spawn().unwrap();
    let known = || fs::read_to_string(arena.path("j")).map_or(0, |text| text.lines().count());
    let deadline = Instant::now() + Duration::from_secs(60);
    while known() < 2 && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    let id = running.id().to_string();
    for _ in 0..2 {
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        sleep(Duration::from_millis(200));
    }
    let output = running.wait_with_output().unwrap();
    let told = text(&output);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("Score of A vs B: ") && told.ends_with("Interrupted match\n"), "{told}");
    assert!(!told.contains("disconnects") && arena.path("r.html").exists(), "{told}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_thinks_when_the_match_is_interrupted_ends_in_order() {
    let arena = Arena::new();
    let line = "-engine cmd={zoo} name=A args=ucci_stops-only -engine cmd={zoo} name=B args=ucci -each tc=60+1 \
                -log file={}/log engine=true";
    let running = arena.command(line).stdout(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !fs::read_to_string(arena.path("log")).is_ok_and(|log| log.contains("A < go")) && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap().success());
    assert_eq!(running.wait_with_output().unwrap().status.code(), Some(130));
    let log = arena.read("log");
    assert!(log.contains("A < stop") && log.contains("A < quit"), "{log}");
}

#[cfg(target_os = "linux")]
#[test]
fn affinity_ties_the_engines_to_a_core() {
    let arena = Arena::new();
    let line = "-engine cmd={zoo} name=A args=ucci_late=50 -engine cmd={zoo} name=B args=ucci_late=50 -each tc=60 \
                -maxmoves 20 -use-affinity";
    let mut running = arena.command(line).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let children = loop {
        let children = children_of(running.id());
        if children.len() == 2 || Instant::now() > deadline {
            break children;
        }
        sleep(Duration::from_millis(20));
    };
    let masks: Vec<String> = children.iter().map(|child| cores(child)).collect();
    running.kill().unwrap();
    running.wait().unwrap();
    assert_eq!(masks.len(), 2, "two engines");
    assert!(masks.iter().all(|mask| mask.parse::<usize>().is_ok()), "one core each: {masks:?}");
}

#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    processes.filter(|path| status(path, "PPid:").is_some_and(|id| id == parent.to_string())).collect()
}

#[cfg(target_os = "linux")]
fn cores(process: &Path) -> String {
    status(process, "Cpus_allowed_list:").unwrap_or_default()
}

#[cfg(target_os = "linux")]
fn status(process: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(process.join("status")).ok()?;
    Some(text.lines().find_map(|line| line.strip_prefix(name))?.trim().to_owned())
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

const TUNING: &str =
    "-engine cmd={zoo} name=z args=ucci_gives-up -each nodes=10 -maxmoves 100 -seed 5 -ratinginterval 5";

/// Returns the tuned value of `endurance` from the last line of the output.
fn endurance(output: &str) -> u32 {
    let last = output.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert_eq!((words[0], words[1]), ("endurance", "4"), "{output}");
    words[2].parse().unwrap()
}

#[test]
fn tuning_finds_the_value_that_wins_and_goes_on_where_it_was_stopped() {
    let arena = Arena::new();
    fs::write(arena.path("parameters"), "# one number\nendurance, int, 4, 1, 60, 1, 0.3\n").unwrap();
    let line = format!("{TUNING} -spsa iterations=20 file={{}}/parameters -concurrency 2 -force -journal {{}}/journal");
    let told = arena.play(&line);
    assert!(told.contains("Iteration 5 of 20: +") || told.contains("Iteration 5 of 20: -"), "{told}");
    assert!(told.contains("Finished tuning") && endurance(&told) >= 6, "{told}");
    // The state after the tuning was killed while writing its eighth iteration.
    let journal = arena.read("journal");
    let torn: String = journal.split_inclusive('\n').take(8).collect::<String>() + "{\"number\":8,";
    fs::write(arena.path("journal"), torn).unwrap();
    let resumed = arena.play("-config file={}/journal");
    assert!(resumed.contains("Resumed after 7 of 20 iterations"), "{resumed}");
    assert_eq!(endurance(&resumed), endurance(&told), "{resumed}");
    assert_eq!(arena.read("journal"), journal);
}

#[test]
fn the_engines_of_a_tuning_are_logged_if_that_is_wanted() {
    let arena = Arena::new();
    arena.play(&format!("{TUNING} -spsa iterations=1 names=endurance -log file={{}}/log engine=true"));
    let log = arena.read("log");
    assert!(log.contains("z plus < go") && log.contains("z minus > bestmove"), "{log}");
}

#[cfg(unix)]
#[test]
fn a_game_of_a_tuning_whose_engine_is_killed_is_played_again() {
    let arena = Arena::new();
    fs::write(arena.path("parameters"), "endurance, int, 4, 1, 60, 1, 0.3\n").unwrap();
    // With a folder present, the first process only proves that the engine starts; the second one plays and is killed.
    let program = "#!/bin/sh\nrmdir first 2>/dev/null && exec {zoo} \"$@\"\n\
                   rmdir second 2>/dev/null && exec {zoo} \"$@\" kills-itself from=2\nexec {zoo} \"$@\"\n";
    fs::write(arena.path("engine"), program.replace("{zoo}", &zoo().display().to_string())).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(arena.path("engine"), mode).unwrap();
    let tuned = |name: &str| {
        let line = TUNING.replace("cmd={zoo}", "cmd={}/engine dir={}");
        arena.play(&format!("{line} -spsa iterations=1 file={{}}/parameters -journal {{}}/{name}"));
        arena.read(name).lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = tuned("whole");
    assert!(whole[0].contains("\"result\":2.0"), "who is killed would have won: {whole:?}");
    for folder in ["first", "second"] {
        fs::create_dir(arena.path(folder)).unwrap();
    }
    assert_eq!(tuned("killed"), whole);
    assert!(!arena.path("second").exists(), "an engine was killed");
}

#[test]
fn failures_of_a_tuning_are_told() {
    let arena = Arena::new();
    let line = TUNING.replace("args=ucci_gives-up", "args=ucci_gives-up_dies_from=2");
    let told = arena.play(&format!("{line} -spsa iterations=2 names=endurance -concurrency 2 -force"));
    assert!(
        told.contains("-concurrency 2: an iteration has one pair, so no more games are played at the same time"),
        "{told}"
    );
    assert!(told.contains("Failures of z plus: Crash 2") && told.contains("Failures of z minus: Crash 2"), "{told}");
}

#[test]
fn what_is_tuned_may_be_named_by_the_engine() {
    let arena = Arena::new();
    let told = arena.play(&format!("{TUNING} -spsa iterations=2 pairs=2 names=endurance"));
    assert!(told.contains("Finished tuning") && endurance(&told) >= 4, "{told}");
    for (words, fault) in [("names=patience", "no number called \"patience\""), ("file={}/none", "cannot be read")] {
        let output = arena.run(&format!("{TUNING} -spsa iterations=2 {words}"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains(fault), "{errors}");
    }
}
