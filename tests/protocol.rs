//! Holds every dialogue of `tests/data/dialogues` with the real engine.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use conformance::cases;
use conformance::engine::Engine;

#[path = "../tools/arena/src/conformance/mod.rs"]
mod conformance;

/// How long an answer may take that has no deadline of its own.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn every_dialogue_goes_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dialogues");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut failures = vec![];
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let cases = cases(&fs::read_to_string(&file).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!cases.is_empty(), "{name} has no cases");
        for case in cases {
            let engine = Engine::start(&mut Command::new(env!("CARGO_BIN_EXE_chuhe"))).expect("cargo has built it");
            if let Err(failure) = case.play(engine, PATIENCE) {
                failures.push(format!("{name}: {}\n{failure}", case.title));
            }
        }
    }
    assert!(failures.is_empty(), "{} dialogues went wrong\n\n{}", failures.len(), failures.join("\n\n"));
}
