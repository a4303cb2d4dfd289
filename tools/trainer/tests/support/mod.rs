//! Quick games, and runs of the program, for several tests.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use chuhe_selfplay::chunk::Chunk;
use chuhe_selfplay::folder;
use chuhe_selfplay::player::Player;
use chuhe_selfplay::recipe::{Adjudication, CLASSICAL, Effort, Engine, Opening, Recipe};
use tempfile::TempDir;

const GAMES: u64 = 200;

/// Folder of quick games, in two chunks.
pub(crate) static GAMES_FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let recipe = Recipe {
        engine: Engine { commit: "test".into(), fingerprint: "none".into() },
        network: CLASSICAL.into(),
        seed: 5,
        rules: "asian".into(),
        effort: Effort { soft_nodes: 40, hard_nodes: 320, table_mebibytes: 1 },
        opening: Opening { nodes: 100, ..Opening::default() },
        adjudication: Adjudication { most_plies: 110, ..Adjudication::default() },
    };
    let folder = TempDir::new().unwrap();
    let mut player = Player::new(&recipe, None).unwrap();
    for first in [0, GAMES / 2] {
        let numbers = first..first + GAMES / 2;
        let games = numbers.map(|number| player.play(number, &AtomicBool::new(false)).unwrap()).collect();
        folder::save(folder.path(), &Chunk::new(&recipe, games)).unwrap();
    }
    folder
});

/// Options of a small network that trains for a second or two.
pub(crate) const SMALL: &str = "-width 32 -outputs 2 -batch 256 -epochs 6 -rate 2e-3 -warm-up 5 -scale 300 -seed 2";

/// Returns the command with these words and paths.
pub(crate) fn program(words: &str, paths: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-trainer"));
    command.args(words.split_whitespace()).args(paths).stdin(Stdio::null());
    command
}

/// Runs the command, which must succeed, and returns its output.
#[track_caller]
pub(crate) fn succeeds(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let printed = |bytes| String::from_utf8(bytes).unwrap();
    assert!(status.success(), "{}", printed(stderr));
    printed(stdout)
}

/// Runs the command, which must fail, and returns its only line of error.
#[track_caller]
pub(crate) fn fails(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "it ended well");
    assert_eq!(printed.lines().count(), 1, "{printed}");
    printed
}
