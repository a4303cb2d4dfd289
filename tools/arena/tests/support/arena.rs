//! The arena's program in its own folder, with the engine of `examples/zoo-for-matches.rs`.

#![allow(dead_code, reason = "every test crate uses a part of this")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Returns the path of the misbehaving engine, which cargo builds for tests.
pub(crate) fn zoo() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().parent().unwrap().join("examples/zoo-for-matches")
}

/// Openings, also used by ci/games.sh.
pub(crate) const OPENINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/openings.epd");

pub(crate) struct Arena {
    pub(crate) folder: TempDir,
}

impl Arena {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts the engine into this folder, by a hard link if possible.
    ///
    /// A program that is open for writing cannot be started, and a process that another test starts during a copy keeps the
    /// copy open for a moment.
    pub(crate) fn take_engine(&self, name: &str) {
        let here = self.path(name);
        if fs::hard_link(zoo(), &here).is_err() {
            fs::copy(zoo(), here).unwrap();
        }
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns a command from the words of a line; `{}` is the folder, `{zoo}` the engine, and `_` a space inside a word.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-arena"));
        let fill = |word: &str| {
            let word = word.replace("{}", &self.folder.path().display().to_string()).replace('_', " ");
            word.replace("{zoo}", &zoo().display().to_string()).replace("{openings}", OPENINGS)
        };
        command.args(line.split_whitespace().map(fill)).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs a match that succeeds, and returns its output.
    #[track_caller]
    pub(crate) fn play(&self, line: &str) -> String {
        self.play_to(0, line)
    }

    /// Runs a match that ends with this status, and returns its output.
    #[track_caller]
    pub(crate) fn play_to(&self, status: i32, line: &str) -> String {
        let output = self.run(line);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{line}: {errors}\n{}", text(&output));
        text(&output)
    }
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the error with which the arena refuses a command.
#[track_caller]
pub(crate) fn refusal(arena: &Arena, line: &str) -> String {
    let output = arena.run(line);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && !text(&output).contains("Started"), "{line}: {}", text(&output));
    errors
}
