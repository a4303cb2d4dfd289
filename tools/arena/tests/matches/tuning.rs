//! Tunings on the command line.

use std::fs;

use super::TUNING;
use crate::arena::{Arena, zoo};

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
    let printed = arena.play(&line);
    assert!(printed.contains("Iteration 5 of 20: +") || printed.contains("Iteration 5 of 20: -"), "{printed}");
    assert!(printed.contains("Finished tuning") && endurance(&printed) >= 6, "{printed}");
    // The state after the tuning was killed while writing its eighth iteration.
    let journal = arena.read("journal");
    let torn: String = journal.split_inclusive('\n').take(8).collect::<String>() + "{\"number\":8,";
    fs::write(arena.path("journal"), torn).unwrap();
    let resumed = arena.play("-config file={}/journal");
    assert!(resumed.contains("Resumed after 7 of 20 iterations"), "{resumed}");
    assert_eq!(endurance(&resumed), endurance(&printed), "{resumed}");
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
fn failures_of_a_tuning_are_reported() {
    let arena = Arena::new();
    let line = TUNING.replace("args=ucci_gives-up", "args=ucci_gives-up_dies_from=2");
    let printed = arena.play(&format!("{line} -spsa iterations=2 names=endurance -concurrency 2 -force"));
    assert!(
        printed.contains("-concurrency 2: an iteration has one pair, so no more games are played at the same time"),
        "{printed}"
    );
    assert!(
        printed.contains("Failures of z plus: Crash 2") && printed.contains("Failures of z minus: Crash 2"),
        "{printed}"
    );
}

#[test]
fn what_is_tuned_may_be_named_by_the_engine() {
    let arena = Arena::new();
    let printed = arena.play(&format!("{TUNING} -spsa iterations=2 pairs=2 names=endurance"));
    assert!(printed.contains("Finished tuning") && endurance(&printed) >= 4, "{printed}");
    for (words, fault) in [("names=patience", "no number called \"patience\""), ("file={}/none", "cannot be read")] {
        let output = arena.run(&format!("{TUNING} -spsa iterations=2 {words}"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains(fault), "{errors}");
    }
}
