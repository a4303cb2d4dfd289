//! Readers of the databases of Chinese interfaces, of their key tables, and of the cloud book's answers: every move that they return is legal.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs, process};

use book_tools::binghe::{Database, Keys};
use chuhe::board::Position;
use libfuzzer_sys::fuzz_target;

static PATH: LazyLock<PathBuf> = LazyLock::new(|| env::temp_dir().join(format!("chuhe-fuzz-{}.obk", process::id())));
/// An all-zero key table: keys depend on the side to move alone, so files of few rows reach many moves.
static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys::parse(&"0 ".repeat(14 * 256)).expect("it is a table"));

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = str::from_utf8(bytes) {
        let _ = Keys::parse(text);
        let _ = book_tools::cloud::read(text);
    }
    fs::write(&*PATH, bytes).expect("there is room");
    match Database::open(&PATH, &KEYS) {
        Ok(mut database) => {
            let mut position = Position::start();
            for _ in 0..4 {
                let found = database.entries(&position);
                assert!(found.iter().all(|entry| position.is_legal(entry.mv)));
                let Some(entry) = found.first() else { break };
                position = position.play(entry.mv);
            }
            assert!(database.losses().iter().all(|line| !line.contains('\n')));
        }
        Err(error) => {
            let said = format!("{error:#}");
            assert!(said.starts_with(&format!("{}: ", PATH.display())) && !said.contains('\n'), "{said:?}");
        }
    }
});
