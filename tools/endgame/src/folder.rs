//! The files of a folder: read all at once, written whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chuhe::endgame::{DISTANCES_EXTENSION, Material, RESULTS_EXTENSION, Tables, write_distances, write_results};
use chuhe_games::replace;

use crate::solver::Solution;

/// The tables of a folder.
///
/// # Errors
/// If one of them cannot be used, in one line for each.
pub fn read(folder: &Path) -> Result<Tables> {
    let mut tables = Tables::empty();
    let errors: Vec<String> = tables.add_folder(folder).iter().map(ToString::to_string).collect();
    if errors.is_empty() { Ok(tables) } else { anyhow::bail!(errors.join("\n")) }
}

/// The file with the results of a material.
pub fn results_of(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{material}.{RESULTS_EXTENSION}"))
}

/// The file with its distances.
pub fn distances_of(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{material}.{DISTANCES_EXTENSION}"))
}

/// Writes both files of a material, and says how many bytes they have. The results come last: where they are, all is.
///
/// # Errors
/// If they cannot be written; what was there before stays.
pub fn write(folder: &Path, solution: &Solution) -> Result<[u64; 2]> {
    let (index, material) = (solution.index(), solution.index().material());
    let distances = replace(&distances_of(folder, material), |out| {
        write_distances(out, index, |mover, number| solution.distance(mover, number))
    })?;
    let results = replace(&results_of(folder, material), |out| {
        write_results(out, index, |mover, number| solution.outcome(mover, number))
    })?;
    Ok([results, distances])
}

fn replace(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<u64> {
    replace::replace(path, |file| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        let file = out.into_inner().map_err(IntoInnerError::into_error)?;
        let bytes = file.metadata()?.len();
        Ok((file, bytes))
    })
    .with_context(|| format!("writing {}", path.display()))
}
