//! Packs tables into one small file: results, and the distances of losses only, from which those of wins follow.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use chuhe::board::Side;
use chuhe::endgame::{Distances, Material, Outcome, Results, is_packed, write_losses, write_packed};
use chuhe_games::replace::write_bytes;

use crate::{folder, generate};

/// Packs the tables of `materials` in `folder`, and all that they convert to, into the file `out`, and prints their sizes.
///
/// # Errors
/// If a table is missing or damaged, or the file cannot be written or exists and holds something else.
pub fn run(folder: &Path, materials: &[Material], out: &Path, report: &mut impl Write) -> Result<()> {
    spare_others(out)?;
    let tables = folder::read(folder)?;
    let mut archive = vec![];
    for index in generate::plan(materials)? {
        let material = index.material();
        let results = tables.results(material).with_context(|| format!("there is no table of {material}"))?;
        let distances = tables.distances(material).with_context(|| format!("{material} has no distances"))?;
        let before = archive.len();
        let file = folder::results_of(folder, material);
        let file = chuhe::file::read(&file).with_context(|| file.display().to_string())?;
        write_packed(&mut archive, &file)?;
        let between = archive.len();
        write_packed(&mut archive, &losses(results, distances)?)?;
        writeln!(report, "{material}: {} + {} bytes", between - before, archive.len() - between)?;
    }
    write_bytes(out, &archive)?;
    writeln!(report, "{}: {} bytes", out.display(), archive.len())?;
    Ok(())
}

/// Refuses to replace a file that is not an archive, such as one of the tables.
fn spare_others(out: &Path) -> Result<()> {
    // Other kinds of file are refused when they are replaced; opening a named pipe could block.
    if out.is_file() {
        let cannot = || format!("{}: cannot be read", out.display());
        let is_ours = chuhe::file::open(out).and_then(is_packed).with_context(cannot)?;
        ensure!(is_ours, "{}: is there already and no file of packed tables, so it is not replaced", out.display());
    }
    Ok(())
}

/// Returns the file of the distances of losses only.
fn losses(results: &Results, distances: &Distances) -> Result<Vec<u8>> {
    results.verify()?;
    distances.verify()?;
    let all = [distances.all(Side::Red)?, distances.all(Side::Black)?];
    let distance = |mover: Side, number: u64| {
        let found = usize::try_from(number).ok().and_then(|number| all[mover.index()].get(number));
        // There is one for every number of the index.
        found.copied().unwrap_or_default()
    };
    let is_lost = |mover, number| results.outcome(mover, number) == Outcome::Loss;
    let mut file = vec![];
    write_losses(&mut file, results.index(), distance, is_lost)?;
    Ok(file)
}
