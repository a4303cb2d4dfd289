//! Table files of a folder: read all at once, replaced atomically.

use std::fs::File;
use std::io::{BufWriter, IntoInnerError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chuhe::endgame::{DISTANCES_EXTENSION, Material, RESULTS_EXTENSION, Tables};
use chuhe::endgame::{write_distances, write_distances_through, write_results};
use chuhe_games::replace;

use crate::solver::Solution;

/// Reads the tables of a folder.
///
/// # Errors
/// If a table cannot be used, with one line for each.
pub fn read(folder: &Path) -> Result<Tables> {
    let mut tables = Tables::empty();
    let errors: Vec<String> = tables.add_folder(folder).iter().map(ToString::to_string).collect();
    if errors.is_empty() { Ok(tables) } else { anyhow::bail!(errors.join("\n")) }
}

/// Returns the path of the results of a material.
pub fn results_of(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{material}.{RESULTS_EXTENSION}"))
}

/// Returns the path of the distances of a material.
pub fn distances_of(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{material}.{DISTANCES_EXTENSION}"))
}

/// Writes both files of a material and returns their sizes in bytes. The results come last: if they exist, both files do.
///
/// # Errors
/// If a file cannot be written, or the storage of the solution has failed; the old file stays.
pub fn write(folder: &Path, solution: &Solution) -> Result<[u64; 2]> {
    let (index, material) = (solution.index(), solution.index().material());
    let distance = |mover, number| solution.distance(mover, number);
    let distances = replace(&distances_of(folder, material), |out| {
        match solution.storage().scratch_file()? {
            Some(mut scratch) => write_distances_through(out, &mut scratch, index, distance)?,
            None => write_distances(out, index, distance)?,
        }
        solution.storage().check()
    })?;
    let results = replace(&results_of(folder, material), |out| {
        write_results(out, index, |mover, number| solution.outcome(mover, number))?;
        solution.storage().check()
    })?;
    Ok([results, distances])
}

fn replace(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<u64> {
    replace::replace(path, |file| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        let file = out.into_inner().map_err(IntoInnerError::into_error)?;
        let bytes = file.metadata()?.len();
        Ok((file, bytes))
    })
    .with_context(|| format!("writing {}", path.display()))
}
