//! Folder of a run: its chunks, each named by its first game, and the journals of unfinished ones.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, bail, ensure};
use chuhe_games::replace::write_bytes;

use crate::chunk::{Chunk, Header};
use crate::recipe::Recipe;

/// File extension of a finished chunk.
pub const CHUNK: &str = "chunk";

/// File extension of the journal of an unfinished chunk.
pub const JOURNAL: &str = "journal";

/// Path of the file for the chunk that begins with game `first`.
pub fn file(folder: &Path, first: u64, ending: &str) -> PathBuf {
    folder.join(format!("games-{first:012}.{ending}"))
}

/// Lists the finished chunks of a folder, in the order of their games.
///
/// # Errors
/// If the folder cannot be read.
pub fn chunks(folder: &Path) -> Result<Vec<PathBuf>> {
    files(folder, CHUNK)
}

/// Lists the journals of a folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn journals(folder: &Path) -> Result<Vec<PathBuf>> {
    files(folder, JOURNAL)
}

fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let list =
        || -> io::Result<Vec<PathBuf>> { fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect() };
    let mut paths = list().with_context(|| format!("the folder {}", folder.display()))?;
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    Ok(paths)
}

/// Lists the chunks in paths of chunks and of folders with chunks.
///
/// # Errors
/// If a folder cannot be read or there is no chunk at all.
pub fn chunks_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() { found.extend(chunks(path)?) } else { found.push(path.clone()) }
    }
    ensure!(
        !found.is_empty(),
        "there is no chunk in {}",
        paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    );
    Ok(found)
}

/// Lists chunks like [`chunks_of`], but requires every game of a run to occur only once.
///
/// # Errors
/// As [`chunks_of`], or the first file that is damaged or has games that another one of its run has.
pub fn chunks_without_doublets(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let found = chunks_of(paths)?;
    let mut runs: Vec<Inventory> = Vec::new();
    for path in &found {
        let header = Header::read(path).with_context(|| path.display().to_string())?;
        let known = runs.iter().position(|run| run.difference(&header.recipe).is_none());
        let run = known.unwrap_or_else(|| {
            runs.push(Inventory::default());
            runs.len() - 1
        });
        runs[run].add(header, path.clone())?;
    }
    Ok(found)
}

/// Inventory of the chunks of one recipe.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Headers and paths, in the order of their games.
    held: Vec<(Header, PathBuf)>,
}

impl Inventory {
    /// Reads the inventory of a folder.
    ///
    /// # Errors
    /// The first file that is damaged, has another recipe than those before or games of another one, or bears the name of
    /// another chunk, which would overwrite it.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut inventory = Self::default();
        for path in chunks(folder)? {
            let header = Header::read(&path).with_context(|| path.display().to_string())?;
            let first = header.first;
            inventory.add(header, path.clone())?;
            let named = file(folder, first, CHUNK);
            ensure!(
                path.file_name() == named.file_name(),
                "{} begins with game {first}: name it {}",
                path.display(),
                named.display()
            );
        }
        Ok(inventory)
    }

    /// Adds a chunk.
    ///
    /// # Errors
    /// If its recipe differs or its games exist already.
    pub fn add(&mut self, header: Header, path: PathBuf) -> Result<()> {
        if let Some(difference) = self.difference(&header.recipe) {
            bail!("{} is of another run: {difference}", path.display());
        }
        if let Some((_, other)) =
            self.held.iter().find(|(held, _)| held.first < header.end() && header.first < held.end())
        {
            bail!("{} has games that are in {} too", path.display(), other.display());
        }
        let place = self.held.partition_point(|(held, _)| held.first < header.first);
        self.held.insert(place, (header, path));
        Ok(())
    }

    /// First difference between the recipe of the chunks and this one.
    pub fn difference(&self, recipe: &Recipe) -> Option<String> {
        self.held.first().and_then(|(held, _)| held.recipe.difference(recipe))
    }

    /// Header of the chunk that begins with this game.
    pub fn beginning_with(&self, first: u64) -> Option<&Header> {
        self.held.iter().map(|(held, _)| held).find(|held| held.first == first)
    }

    /// Whether these games form a chunk of the inventory.
    ///
    /// # Errors
    /// If only some of the games exist, or they lie in chunks of another size.
    pub fn holds(&self, first: u64, games: u64) -> Result<bool> {
        let end = first + games;
        match self.held.iter().find(|(held, _)| held.first < end && first < held.end()) {
            None => Ok(false),
            Some((held, _)) if (held.first, held.games) == (first, games) => Ok(true),
            Some((held, path)) => {
                bail!("{} has {1} games, not {games}: say -chunk {1}", path.display(), held.games)
            }
        }
    }

    /// Headers of all chunks.
    pub fn chunks(&self) -> impl Iterator<Item = &Header> {
        self.held.iter().map(|(held, _)| held)
    }

    /// First game and end of each run of consecutive games.
    pub fn rows(&self) -> Vec<(u64, u64)> {
        let mut rows: Vec<(u64, u64)> = Vec::new();
        for (held, _) in &self.held {
            match rows.last_mut() {
                Some(row) if row.1 == held.first => row.1 = held.end(),
                _ => rows.push((held.first, held.end())),
            }
        }
        rows
    }
}

/// Saves a chunk in a folder; written to a temporary file and renamed, so that a file of this name is always complete.
///
/// # Errors
/// If the chunk cannot be written; the partial file is removed.
pub fn save(folder: &Path, chunk: &Chunk) -> Result<PathBuf> {
    place(folder, chunk.header.first, &chunk.to_bytes()?)
}

/// Saves a chunk like [`save`], given its bytes.
///
/// # Errors
/// As [`save`].
pub fn place(folder: &Path, first: u64, bytes: &[u8]) -> Result<PathBuf> {
    let path = file(folder, first, CHUNK);
    write_bytes(&path, bytes)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::tests::game;
    use crate::recipe::tests::quick;

    fn chunk(first: u64, games: u64, seed: u64) -> Chunk {
        let games = (first..first + games).map(|number| Game { number, ..game("h2e2", &[("h9g7", 5)]) });
        Chunk::new(&quick(seed), games.collect())
    }

    #[test]
    fn a_folder_is_an_inventory_of_its_chunks() {
        let folder = tempfile::tempdir().unwrap();
        for first in [10, 0, 30] {
            save(folder.path(), &chunk(first, 10, 1)).unwrap();
        }
        std::fs::write(folder.path().join("games-000000000020.chunk.unfinished-killedkilled"), "torn").unwrap();
        let inventory = Inventory::read(folder.path()).unwrap();
        assert_eq!(inventory.rows(), [(0, 20), (30, 40)]);
        assert!(inventory.holds(10, 10).unwrap());
        assert!(!inventory.holds(20, 10).unwrap());
        assert!(inventory.holds(0, 5).unwrap_err().to_string().ends_with("has 10 games, not 5: say -chunk 10"));
        assert_eq!(inventory.beginning_with(30).unwrap().games, 10);
        assert_eq!(inventory.difference(&quick(1)), None);
        assert!(inventory.difference(&quick(2)).is_some());
        let mut renamed = quick(1);
        renamed.engine.commit = "another".to_owned();
        assert_eq!(inventory.difference(&renamed), None, "it plays the same");
        renamed.engine.fingerprint = "another".to_owned();
        assert!(inventory.difference(&renamed).is_some());
        assert_eq!(Chunk::read(&file(folder.path(), 30, CHUNK)).unwrap(), chunk(30, 10, 1));
    }

    #[test]
    fn strangers_doublets_and_damage_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = || format!("{:#}", Inventory::read(folder.path()).unwrap_err());
        save(folder.path(), &chunk(0, 10, 1)).unwrap();
        let other = save(folder.path(), &chunk(10, 10, 2)).unwrap();
        assert!(
            error().ends_with("games-000000000010.chunk is of another run: seed is 1 here and 2 there"),
            "{}",
            error()
        );
        save(folder.path(), &chunk(10, 10, 1)).unwrap();
        std::fs::copy(&other, folder.path().join("games-copy.chunk")).unwrap();
        assert!(error().contains("games-copy.chunk has games that are in"), "{}", error());
        std::fs::remove_file(folder.path().join("games-copy.chunk")).unwrap();
        let bytes = std::fs::read(&other).unwrap();
        std::fs::write(&other, &bytes[..bytes.len() - 3]).unwrap();
        assert!(error().ends_with("games-000000000010.chunk: damaged: wrong checksum"), "{}", error());
    }

    #[test]
    fn a_chunk_under_the_name_of_other_games_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let right = save(folder.path(), &chunk(0, 10, 1)).unwrap();
        let wrong = file(folder.path(), 10, CHUNK);
        std::fs::rename(&right, &wrong).unwrap();
        let error = Inventory::read(folder.path()).unwrap_err().to_string();
        assert_eq!(error, format!("{} begins with game 0: name it {}", wrong.display(), right.display()));
    }

    #[test]
    fn games_of_a_run_are_counted_once_and_those_of_several_runs_together() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for (place, seed) in [(&one, 1), (&other, 2)] {
            std::fs::create_dir(place).unwrap();
            for first in [0, 10] {
                save(place, &chunk(first, 10, seed)).unwrap();
            }
        }
        let both = [one.clone(), other];
        assert_eq!(chunks_without_doublets(&both).unwrap(), chunks_of(&both).unwrap());
        let twice = [&both[..], &[file(&one, 10, CHUNK)]].concat();
        let error = chunks_without_doublets(&twice).unwrap_err().to_string();
        assert!(error.contains("games-000000000010.chunk has games that are in "), "{error}");
    }

    #[test]
    fn a_chunk_that_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(file(folder.path(), 0, CHUNK)).unwrap();
        let error = format!("{:#}", save(folder.path(), &chunk(0, 10, 1)).unwrap_err());
        assert!(error.ends_with(".chunk: not a regular file") && error.lines().count() == 1, "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
