//! Matches in parts, and matches whose engines are killed: every game is recorded once, as in an undisturbed match.

#[path = "support/arena.rs"]
mod arena;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::Arena;
use chuhe_arena::viewing;

/// Two engines that play arbitrary moves, always the same in the same position.
const PAIR: &str = "-engine cmd={zoo} name=A args=ucci_wild_score=30 -engine cmd={zoo} name=B args=uci_wild proto=uci -each nodes=100 \
                    -maxmoves 12 -openings file={openings} order=random -seed 3";

/// Returns the data of the games that do not depend on the clock.
fn played(journal: &Path) -> Vec<(u32, String, String, Vec<String>)> {
    let games = viewing::games(journal).unwrap();
    let moves = |game: &chuhe_games::record::GameRecord| game.moves.iter().map(|record| record.mv.clone()).collect();
    games.iter().map(|game| (game.number, game.red.clone(), game.result.text().to_owned(), moves(game))).collect()
}

#[test]
fn the_parts_of_a_match_are_merged_into_the_whole() {
    let arena = Arena::new();
    let line = format!("{PAIR} -rounds 7 -sprt elo0=-50 elo1=50");
    arena.run(&format!("{line} -journal {{}}/whole"));
    let whole = played(&arena.path("whole"));
    let mut games = 0;
    for part in 1..=3 {
        // A part does not run the SPRT.
        let printed =
            arena.play_to(4, &format!("{line} -shard {part}/3 -journal {{}}/{part} -pgnout file={{}}/{part}.pgn"));
        assert!(printed.contains("Started game ") && !printed.contains("SPRT"), "{printed}");
        games += played(&arena.path(&part.to_string())).len();
    }
    assert_eq!(games, 14);
    let printed = arena.play("merge {}/all {}/2 {}/1 {}/3 {}/1");
    assert!(printed.contains("14 games, 6 more were there twice"), "{printed}");
    let all = played(&arena.path("all"));
    assert_eq!(all[..whole.len()], whole, "the same games as those of one arena, which may have come to an end before");
    assert_eq!(all.iter().map(|game| game.0).collect::<Vec<_>>(), (1..=14).collect::<Vec<_>>());
    // It is the journal of the whole match, which it can show and resume.
    let printed = arena.play("stats {}/all");
    assert!(printed.contains("14 of 14 games are finished") && printed.contains("SPRT"), "{printed}");
    let line = line.replace(" -sprt elo0=-50 elo1=50", "");
    let other = arena.run(&format!("{line} -shard 1/2 -journal {{}}/other"));
    assert!(other.status.success());
    let refused = arena.run("merge {}/no {}/1 {}/other");
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("not part of the same match") && !arena.path("no").exists()
    );
    for words in ["merge {}/1 {}/1 {}/2", "merge {}/1.pgn {}/1", "merge {}/all"] {
        let before = fs::read(arena.path("1.pgn")).unwrap();
        assert!(!arena.run(words).status.success(), "{words}");
        assert_eq!(fs::read(arena.path("1.pgn")).unwrap(), before);
    }
    for shard in ["0/3", "4/3", "1", "a/b"] {
        assert!(!arena.run(&format!("{line} -shard {shard}")).status.success(), "{shard}");
    }
}

#[test]
fn a_merged_journal_keeps_its_own_games_and_is_not_replaced_while_another_arena_writes_it() {
    let arena = Arena::new();
    let line = format!("{PAIR} -rounds 3");
    arena.play(&format!("{line} -journal {{}}/whole"));
    let whole = played(&arena.path("whole"));
    for part in 1..=3 {
        arena.play(&format!("{line} -shard {part}/3 -journal {{}}/{part}"));
    }
    arena.play("merge {}/all {}/1 {}/2");
    let printed = arena.play("merge {}/all {}/3 {}/2");
    assert!(printed.contains("6 games, 2 more were there twice"), "{printed}");
    assert_eq!(played(&arena.path("all")), whole);
    // The additional rounds are in none of the parts.
    arena.play("-config file={}/all -rounds 4");
    arena.play("merge {}/all {}/1 {}/2 {}/3");
    assert!(arena.play("stats {}/all").starts_with("8 of 8 games are finished\n"));
    let writer = fs::File::open(arena.path("all")).unwrap();
    writer.try_lock().unwrap();
    let before = fs::read(arena.path("all")).unwrap();
    let refused = arena.run("merge {}/all {}/1");
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && errors.contains("another process is writing the journal "), "{errors}");
    assert_eq!(fs::read(arena.path("all")).unwrap(), before);
}

#[test]
fn parts_that_are_played_one_after_the_other_into_one_journal_are_finished() {
    let arena = Arena::new();
    for part in 1..=2 {
        let printed = arena.play(&format!("{PAIR} -rounds 4 -shard {part}/2 -journal {{}}/j"));
        assert!(printed.ends_with("Finished match\n") && !printed.contains("Resumed"), "{printed}");
        assert_eq!(printed.matches("Finished game ").count(), 4, "{printed}");
    }
    // The header is that of the first part.
    assert!(arena.play("stats {}/j").starts_with("8 of 8 games are finished\n"));
    assert!(arena.play(&format!("{PAIR} -rounds 4 -journal {{}}/j")).contains("Resumed after 8 of 8 games"));
}

#[test]
fn the_report_of_all_parts_tells_of_the_test_as_the_table_does() {
    let arena = Arena::new();
    for part in 1..=2 {
        arena.play_to(4, &format!("{PAIR} -rounds 7 -sprt elo0=-50 elo1=50 -shard {part}/2 -journal {{}}/j"));
    }
    assert!(arena.play("stats {}/j").contains("SPRT"));
    arena.play("report {}/j {}/r.html");
    assert!(!arena.read("r.html").contains("\"sprt\":null"));
}

#[test]
fn a_match_that_is_merged_again_is_as_long_as_its_parts_are_by_then() {
    let arena = Arena::new();
    for part in 1..=2 {
        arena.play(&format!("{PAIR} -rounds 2 -shard {part}/2 -journal {{}}/{part}"));
    }
    arena.play("merge {}/all {}/1 {}/2");
    for part in 1..=2 {
        arena.play(&format!("-config file={{}}/{part} -rounds 4"));
    }
    arena.play("merge {}/all {}/1 {}/2");
    assert!(arena.play("stats {}/all").starts_with("8 of 8 games are finished\n"));
    assert!(arena.play("-config file={}/all").contains("Resumed after 8 of 8 games"));
}

/// Returns the child processes of a process.
#[cfg(target_os = "linux")]
fn children(id: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_whose_engine_is_killed_is_played_again() {
    let arena = Arena::new();
    let slow = PAIR.replace("ucci_wild_score=30", "ucci_wild_score=30_late=20").replace(" proto=uci", "");
    let line = format!("{slow} -rounds 6 -journal {{}}");
    arena.play(&format!("{line}/whole"));
    let mut running = arena.command(&format!("{line}/killed")).stdout(Stdio::piped()).spawn().unwrap();
    let (mut killed, mut known, begun) = (0, 0, Instant::now());
    // Before the match has begun, an engine that is killed is an error.
    while !arena.path("killed").exists() && begun.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    while running.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(120) {
        sleep(Duration::from_millis(400));
        // One for each game at most: a game that is lost three times is not played again.
        let games = arena.read("killed").lines().count();
        if killed < 4
            && games > known
            && let Some(engine) = children(running.id()).into_iter().nth(killed % 2)
        {
            let done = std::process::Command::new("kill").args(["-KILL", &engine.to_string()]).status().unwrap();
            killed += usize::from(done.success());
            known = games;
        }
    }
    let output = running.wait_with_output().unwrap();
    let printed = arena::text(&output);
    assert!(output.status.success() && printed.contains("is played again: ") && killed > 1, "{printed}");
    // The output names every kill.
    assert!(!printed.contains("Failures of") && printed.contains(" having been killed: "), "{printed}");
    assert_eq!(played(&arena.path("killed")), played(&arena.path("whole")));
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_waits_for_an_engine_that_is_silent_if_the_match_shall_end() {
    let arena = Arena::new();
    let mute = "-engine cmd=/bin/sh args=-c_'sleep_60' name=A -engine cmd={zoo} name=B args=ucci -each nodes=1";
    let mut running = arena.command(mute).stderr(Stdio::piped()).spawn().unwrap();
    while children(running.id()).is_empty() && running.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(10));
    }
    let printed = std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    let stopped = Instant::now();
    let output = running.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(printed.success() && stopped.elapsed() < Duration::from_secs(4), "it took {:?}", stopped.elapsed());
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("interrupted before the first game"), "{errors}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_is_killed_while_it_starts_is_started_again() {
    let arena = Arena::new();
    let once = "mkdir_{}/once_2>/dev/null_&&_kill_-KILL_$$;_exec_{zoo}_ucci";
    let line = |script: &str| {
        format!(
            "-engine cmd=/bin/sh args=-c_'{script}' name=A -engine cmd={{zoo}} name=B args=ucci -each nodes=1 -maxmoves 3"
        )
    };
    assert!(arena.play(&line(once)).contains("Finished game 2"));
    let output = arena.run(&line("kill_-KILL_$$"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && errors.contains("SIGKILL"), "{errors}");
}

#[cfg(unix)]
#[test]
fn who_is_killed_once_loses_nothing_by_that_though_its_process_shall_stay() {
    let arena = Arena::new();
    // The first process only proves that the engine starts; the second one plays and is killed.
    let script = "mkdir_{}/a_2>/dev/null_&&_exec_{zoo}_ucci;_mkdir_{}/b_2>/dev/null_&&_exec_{zoo}_ucci_kills-itself_from=2;\
                  _exec_{zoo}_ucci";
    let printed = arena.play(&format!(
        "-engine cmd=/bin/sh args=-c_'{script}' name=A restart=off -engine cmd={{zoo}} name=B args=ucci -each nodes=1 \
         -maxmoves 5"
    ));
    assert_eq!(printed.matches("is played again: ").count(), 1, "{printed}");
    assert!(!printed.contains("Failures of") && printed.contains("A having been killed: 1"), "{printed}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_is_killed_again_and_again_loses_and_stops_the_match() {
    let arena = Arena::new();
    let line = "-engine cmd={zoo} name=A args=ucci_kills-itself_from=2 -engine cmd={zoo} name=B args=ucci -each nodes=1 \
                -maxmoves 5 -rounds 30";
    let printed = arena.play_to(1, line);
    assert_eq!(printed.matches("is played again: ").count(), 6, "{printed}");
    assert_eq!(printed.matches("disconnects, killed").count(), 3 + 6, "{printed}");
    assert!(printed.contains("Failures of A: Killed 3") && printed.contains("A having been killed: 6"), "{printed}");
    assert!(printed.contains("Stopped: engine A failed in 3 games in a row"), "{printed}");
}
