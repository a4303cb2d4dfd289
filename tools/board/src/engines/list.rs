//! The user's file of engines.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use chuhe::file;
use chuhe_games::replace;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::request::EngineEntry;

/// Name of the engine that is part of the program.
pub(crate) const BUILT_IN: &str = "Chuhe";

/// Maximum number of engines.
const MOST: usize = 64;

/// Maximum number of characters of a name.
const LONGEST_NAME: usize = 64;

/// Maximum number of bytes of an engine's command, arguments or options together.
const LONGEST: usize = 16 << 10;

/// First lines of the file.
const HEADING: &str = "# Engines of chuhe-board, which writes this file when the list is changed on its page.\n\n";

#[derive(Default, Serialize, Deserialize)]
struct Contents {
    #[serde(default)]
    engines: Vec<EngineEntry>,
}

/// Engines by name, with the file that holds those of the user.
pub(crate) struct EngineList {
    path: PathBuf,
    entries: Mutex<Vec<EngineEntry>>,
}

impl EngineList {
    /// Reads the file; a missing one is an empty list.
    ///
    /// # Errors
    /// If the file cannot be read or an engine in it is not valid.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let place = || path.display().to_string();
        let text = match file::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.with_context(place)?,
        };
        let Contents { engines } = toml::from_str(&text).with_context(place)?;
        check(&engines).map_err(|refusal| anyhow::anyhow!(refusal.detail)).with_context(place)?;
        Ok(Self { path: path.to_owned(), entries: Mutex::new(engines) })
    }

    fn entries(&self) -> MutexGuard<'_, Vec<EngineEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all engines, the built-in one first.
    pub(crate) fn all(&self) -> Vec<EngineEntry> {
        let built_in = EngineEntry {
            name: BUILT_IN.to_owned(),
            builtin: true,
            protocol: "auto".to_owned(),
            ..EngineEntry::default()
        };
        std::iter::once(built_in).chain(self.entries().iter().cloned()).collect()
    }

    /// Returns an engine by its name.
    pub(crate) fn find(&self, name: &str) -> Result<EngineEntry, Refusal> {
        let found = self.all().into_iter().find(|entry| entry.name == name);
        found.ok_or_else(|| Refusal::new("bad_engine", format!("there is no engine {name:?}")))
    }

    /// Replaces the user's engines, in the file first.
    pub(crate) fn save(&self, engines: Vec<EngineEntry>) -> Result<(), Refusal> {
        check(&engines)?;
        let failed = |error: anyhow::Error| Refusal::new("io", format!("{error:#}"));
        let contents = Contents { engines };
        let text = toml::to_string(&contents).map_err(|error| failed(error.into()))?;
        // Two pages that save at once write one after the other.
        let mut entries = self.entries();
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(error.into()))?;
        }
        replace::write_bytes(&self.path, format!("{HEADING}{text}").as_bytes()).map_err(failed)?;
        *entries = contents.engines;
        Ok(())
    }
}

/// Checks names, sizes and protocols.
fn check(engines: &[EngineEntry]) -> Result<(), Refusal> {
    let bad = |reason: String| Err(Refusal::new("bad_engine", reason));
    if engines.len() > MOST {
        return bad(format!("more than {MOST} engines"));
    }
    for (index, EngineEntry { name, command, args, dir, protocol, options, .. }) in engines.iter().enumerate() {
        let texts = || [name, command, dir].into_iter().chain(args).chain(options.keys()).chain(options.values());
        if name.trim() != name || name.is_empty() || name.chars().count() > LONGEST_NAME {
            return bad(format!("{name:?} is not a name: 1 to {LONGEST_NAME} characters without blanks around them"));
        }
        if name == BUILT_IN || engines[..index].iter().any(|other| other.name == *name) {
            return bad(format!("two engines are called {name:?}"));
        }
        if command.trim().is_empty() {
            return bad(format!("{name:?} has no command"));
        }
        if texts().any(|text| text.contains(['\n', '\r', '\0'])) || texts().map(String::len).sum::<usize>() > LONGEST {
            return bad(format!("{name:?} has a line break in a value, or more than {LONGEST} bytes"));
        }
        if !["auto", "ucci", "uci"].contains(&protocol.as_str()) {
            return bad(format!("{name:?}: unknown protocol {protocol:?} (available: auto, ucci, uci)"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, command: &str) -> EngineEntry {
        EngineEntry {
            name: name.to_owned(),
            command: command.to_owned(),
            protocol: "uci".to_owned(),
            ..EngineEntry::default()
        }
    }

    #[test]
    fn the_example_of_the_manual_is_a_list() {
        for language in ["en", "zh"] {
            let page = format!("{}/../../docs/{language}/src/board.md", env!("CARGO_MANIFEST_DIR"));
            let page = std::fs::read_to_string(page).unwrap();
            let block = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("board.toml");
            std::fs::write(&path, block).unwrap();
            let fairy = EngineList::open(&path).unwrap().find("Fairy").unwrap();
            assert_eq!((&*fairy.protocol, &*fairy.options["UCI_Variant"]), ("uci", "xiangqi"));
        }
    }

    #[test]
    fn the_list_is_kept_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/board.toml");
        let list = EngineList::open(&path).unwrap();
        let mut other = entry("Other \"one\"", "/bin/engine");
        other.options.insert("Hash".to_owned(), "64".to_owned());
        list.save(vec![other.clone()]).unwrap();
        let again = EngineList::open(&path).unwrap();
        assert_eq!(again.find("Other \"one\"").unwrap(), other);
        assert_eq!(again.all().len(), 2);
        assert!(again.find(BUILT_IN).unwrap().builtin && again.find("none").is_err());
    }

    #[test]
    fn a_list_that_is_not_valid_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board.toml");
        let list = EngineList::open(&path).unwrap();
        let bad_protocol = EngineEntry { protocol: "http".to_owned(), ..entry("a", "x") };
        let line_break = EngineEntry { args: vec!["a\nb".to_owned()], ..entry("a", "x") };
        for engines in [
            vec![entry("", "x")],
            vec![entry(BUILT_IN, "x")],
            vec![entry("a", "x"), entry("a", "y")],
            vec![entry("a", " ")],
            vec![bad_protocol],
            vec![line_break],
            vec![entry("a", &"x".repeat(LONGEST + 1))],
            (0..=MOST).map(|number| entry(&number.to_string(), "x")).collect(),
        ] {
            assert_eq!(list.save(engines).unwrap_err().code, "bad_engine");
        }
        assert!(!path.exists());
        std::fs::write(&path, "[[engines]]\nname = 3\n").unwrap();
        assert!(EngineList::open(&path).is_err());
    }
}
