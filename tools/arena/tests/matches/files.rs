//! Files of a match: which are refused, replaced, resumed and shown.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::{PAIR, statistics};
use crate::arena::{Arena, OPENINGS, refusal, text, zoo};

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
fn engines_may_share_a_file_for_their_errors() {
    let arena = Arena::new();
    let engine = |name: &str, file: &str| format!("-engine cmd={{zoo}} name={name} args=ucci stderr={{}}/{file}");
    let engines = [engine("A", "x"), engine("B", "y"), engine("C", "./x")].join(" ");
    arena.play(&format!("{engines} -each nodes=1 -maxmoves 3 -rounds 1"));
    assert!(arena.path("x").exists() && arena.path("y").exists());
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
    let line = "-engine cmd={}/engine name=A option.EvalFile={}/net -engine cmd={zoo} name=B args=uci proto=uci -each nodes=9 \
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
    let printed = arena.play_to(
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
    assert_eq!(statistics(&stats), statistics(&printed));
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
    assert!(seen.contains("SPRT: llr") && statistics(&seen) == statistics(&printed), "{seen}");
    assert!(refusal(&arena, "report {}/j {}/j").contains("is the journal itself"));
    assert!(refusal(&arena, "report {}/j {}/g.pgn").contains("name another file"));
}
