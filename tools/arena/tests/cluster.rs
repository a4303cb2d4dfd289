//! A match on a simulated cluster, whose workers and head are killed, and a machine whose files or speed differ.
//!
//! Needs Python 3.10 or newer, without packages.
#![cfg(target_os = "linux")]

#[path = "support/arena.rs"]
mod arena;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::{Arena, OPENINGS, text, zoo};

/// Folder of the Python module.
const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cluster");

const ARENA: &str = env!("CARGO_BIN_EXE_chuhe-arena");

/// Returns a command of Python that knows the module; `None` where there is no Python that is new enough.
fn python() -> Option<Command> {
    let mut command = Command::new("python3");
    command.args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]);
    let is_there = command.status().is_ok_and(|status| status.success());
    assert!(is_there || std::env::var_os("CI").is_none(), "the tests of the cluster need Python 3.10 or newer");
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", MODULE).stdin(Stdio::null());
    is_there.then_some(command)
}

#[test]
fn a_match_whose_workers_and_head_are_killed_has_every_game_once() {
    let arena = Arena::new();
    let Some(mut command) = python() else { return };
    command.arg(Path::new(MODULE).join("tests/simulation.py")).args([ARENA.into(), zoo(), arena.path("")]);
    let output = command.args("--workers 4 --games 200 --kills 2 --silence 1".split(' ')).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let said = text(&output);
    assert!(said.contains("200 games, each once, by 4 workers; killed: 2 workers, 1 heads"), "{said}{errors}");
    let standing = arena.play("stats {}/all.journal");
    assert!(standing.starts_with("200 of 200 games are finished\n"), "{standing}");
}

/// A head that waits for workers, with the words of a match. Its output goes to the file `said`.
struct Head<'a> {
    arena: &'a Arena,
    process: Child,
}

impl<'a> Head<'a> {
    fn start(arena: &'a Arena, program: &Path, options: &[&str], line: &str) -> Option<Self> {
        let mut command = python()?;
        command.args(["-m", "chuhe_cluster", "--listen", "127.0.0.1:0", "match"]).args(options);
        command.arg("--arena").arg(program).arg("--out").arg(arena.path("all")).arg("--");
        let engine = arena.path("engine").display().to_string();
        let fill = |word: &str| word.replace("{engine}", &engine).replace("{openings}", OPENINGS);
        let said = File::create(arena.path("said")).unwrap();
        command.args(line.split_whitespace().map(fill)).stdout(said.try_clone().unwrap()).stderr(said);
        let head = Self { arena, process: command.spawn().unwrap() };
        wait_until("there is a head", || arena.path("all.head").exists());
        Some(head)
    }

    /// Starts a worker on a machine of this name.
    fn worker(&self, host: &str) -> Child {
        let mut command = python().expect("it was there before");
        command.args(["-m", "chuhe_cluster", "work"]).arg(self.arena.path("all.head")).env("CHUHE_HOST", host);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Waits for the end of the match, and returns what the head said.
    fn end(mut self, workers: &mut [Child]) -> String {
        let status = self.process.wait().unwrap();
        let said = self.arena.read("said");
        assert!(status.success(), "{said}");
        workers.iter_mut().for_each(|worker| assert!(worker.wait().unwrap().success(), "{said}"));
        said
    }
}

fn wait_until(what: &str, is_true: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_true() {
        assert!(started.elapsed() < Duration::from_secs(60), "never: {what}");
        sleep(Duration::from_millis(20));
    }
}

/// Runs a script in the folder: what a process writes that this one starts is not open here when it is executed.
fn shell(arena: &Arena, script: &str) {
    let status = Command::new("sh").args(["-ec", script]).current_dir(arena.folder.path()).status();
    assert!(status.unwrap().success(), "{script}");
}

/// Returns a program in the place of the arena that does `before` first; `$CHUHE_HOST` is the machine.
fn another_arena(arena: &Arena, before: &str) -> PathBuf {
    let before = before.replace("{}", &arena.folder.path().display().to_string());
    fs::write(arena.path("script"), format!("#!/bin/sh\n{before}\nexec {ARENA} \"$@\"\n")).unwrap();
    shell(arena, "cp script another-arena; chmod +x another-arena");
    arena.path("another-arena")
}

#[test]
fn a_machine_with_another_engine_plays_no_game() {
    let arena = Arena::new();
    arena.take_engine("engine");
    // On the machine `b` the engine has one byte more.
    shell(&arena, "mkdir b; cp engine b/engine; echo >>b/engine");
    let before = "if [ \"$CHUHE_HOST\" = b ]; then
        for word; do shift; case $word in cmd=*) word=cmd={}/b/engine;; esac; set -- \"$@\" \"$word\"; done
    fi";
    let program = another_arena(&arena, before);
    let line =
        "-engine cmd={engine} name=A args=ucci -engine cmd={engine} name=B args=uci proto=uci -each nodes=1 -maxmoves 4 -rounds 4
                -openings file={openings} order=random -seed 2 -force";
    let Some(head) = Head::start(&arena, &program, &[], line) else { return };
    let wrong = head.worker("b");
    wait_until("the engine of b is compared", || arena.read("said").contains("b does not play: "));
    assert_eq!(arena.read("all").lines().count(), 1, "no game before");
    let right = head.worker("a");
    let said = head.end(&mut [wrong, right]);
    assert!(said.contains("what is in engine of engine 1 was \""), "{said}");
    assert!(said.contains("8 of 8 games are finished"), "{said}");
}

#[test]
fn a_network_that_an_engine_reads_by_default_is_compared() {
    let arena = Arena::new();
    fs::write(arena.path("net.nnue"), "weights").unwrap();
    // The option comes before the answer of the engine itself.
    let script = "read_hello;_echo_option_name_EvalFile_type_string_default_net.nnue;_(echo_$hello;_cat)|{zoo}_uci";
    let line = format!(
        "-engine cmd=/bin/sh args=-c_'{script}' name=A proto=uci dir={{}} -engine cmd={{zoo}} name=B args=uci proto=uci -each nodes=1 \
         -maxmoves 2 -journal {{}}/j"
    );
    arena.play(&format!("{line} -rounds 1"));
    fs::write(arena.path("net.nnue"), "other weights").unwrap();
    let refused = arena::refusal(&arena, &format!("{line} -rounds 2"));
    assert!(refused.contains("what is in net.nnue of engine 1 was \""), "{refused}");
    fs::write(arena.path("net.nnue"), "weights").unwrap();
    arena.play(&format!("{line} -rounds 2"));
}

#[test]
fn merge_appends_and_does_not_rewrite() {
    let arena = Arena::new();
    for part in 1..=3 {
        let line = "-engine cmd={zoo} name=A args=ucci -engine cmd={zoo} name=B args=uci proto=uci -each nodes=1 -maxmoves 2 -rounds 3 -seed 1";
        arena.play(&format!("{line} -shard {part}/3 -journal {{}}/{part}"));
    }
    let all = || fs::read(arena.path("all")).unwrap();
    let inode = || std::os::unix::fs::MetadataExt::ino(&fs::metadata(arena.path("all")).unwrap());
    arena.play("merge {}/all {}/3");
    let (first, place) = (all(), inode());
    assert!(arena.play("merge {}/all {}/1 {}/3 {}/2").contains("6 games, 2 more were there twice"));
    assert!(all().starts_with(&first) && inode() == place, "the games of the third part stay where they were");
    assert!(arena.play("stats {}/all").starts_with("6 of 6 games are finished\n"));
}

#[test]
fn the_speed_of_a_machine_is_a_number() {
    let said = Arena::new().play("speed");
    let number: u64 = said.strip_suffix(" nodes per second\n").unwrap().parse().unwrap();
    assert!(number > 0, "{said}");
}

#[test]
fn clocks_are_scaled_by_the_speed_of_a_machine_or_it_is_refused() {
    let line = "-engine cmd={engine} name=A args=ucci -engine cmd={engine} name=B args=uci proto=uci -each tc=8+0.4 -maxmoves 4 -rounds 12
                -force";
    for (clocks, told) in [
        ("scale", "b: 500 nodes per second, clocks times 2.000"),
        ("refuse", "b does not play: 500 nodes per second and the first machine has 1000"),
    ] {
        let arena = Arena::new();
        arena.take_engine("engine");
        // The machine `a` has 1,000 nodes per second, `b` has 500; `a` begins to play when `b` has been measured.
        let before = "if [ \"$1\" = speed ]; then
            [ \"$CHUHE_HOST\" = a ] && echo 1000 nodes per second || echo 500 nodes per second
            exit
        fi
        case \"$CHUHE_HOST $*\" in
            *2/4294967295*) ;;
            a*-shard*) until grep -q '{told}' {}/said; do sleep 0.02; done ;;
        esac";
        let program = another_arena(&arena, &before.replace("{told}", told));
        let Some(head) = Head::start(&arena, &program, &["--clocks", clocks], line) else { return };
        let first = head.worker("a");
        wait_until("a is measured", || arena.read("all.head").contains("\"a\": 1000"));
        let second = head.worker("b");
        let said = head.end(&mut [first, second]);
        assert!(said.contains("a: 1000 nodes per second") && said.contains(told), "{said}");
        assert!(said.contains("24 of 24 games are finished"), "{said}");
        // Games name the clocks with which they were played.
        let scaled = arena.read("all").contains("\"time_control\":\"16+0.8\"");
        assert_eq!(scaled, clocks == "scale", "{said}");
    }
}
