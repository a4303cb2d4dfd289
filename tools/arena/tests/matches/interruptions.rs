//! Matches that signals or kills interrupt, and the processors of their engines.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{PAIR, TUNING, statistics};
use crate::arena::{Arena, text, zoo};

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
    let printed = text(&output);
    assert!(printed.contains("Score of A vs B: ") && printed.ends_with("Interrupted match\n"), "{printed}");
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

#[cfg(target_os = "linux")]
#[test]
fn two_arenas_do_not_take_the_same_cores() {
    let arena = Arena::new();
    // Locks of their own, apart from those of other arenas on this machine.
    let locks = arena.path(".");
    let allowed = cores(Path::new("/proc/self"));
    let core = allowed.split([',', '-']).next().unwrap();
    let line = format!(
        "-engine cmd={{zoo}} name=A args=ucci_late=50 -engine cmd={{zoo}} name=B args=ucci_late=50 -each tc=60 \
         -maxmoves 40 -rounds 1 -use-affinity {core} -log file={{}}/l engine=true"
    );
    let mut first = arena.command(&line).env("TMPDIR", &locks).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let thinking = || fs::read_to_string(arena.path("l")).map_or(0, |log| log.matches(" < go").count());
    while thinking() < 2 && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    let second = Arena::new().command(&line).env("TMPDIR", &locks).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    let errors = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && errors.contains("all cores are taken"), "{errors}");
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
                let printed = text(&output);
                assert_eq!(output.status.code(), Some(130), "{printed}");
                assert!(!printed.contains("disconnects") && !printed.contains("Failures"), "{signal}: {printed}");
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
    let printed = text(&output);
    assert_eq!(output.status.code(), Some(130), "{printed}");
    assert!(printed.contains("Score of A vs B: ") && printed.ends_with("Interrupted match\n"), "{printed}");
    assert!(!printed.contains("disconnects") && arena.path("r.html").exists(), "{printed}");
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
    let mut running = arena.command(line).env("TMPDIR", arena.path(".")).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
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
