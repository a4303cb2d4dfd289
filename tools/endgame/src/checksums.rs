//! Checksums of table files, to compare tables made elsewhere: XXH3 with 64 bits of the whole file.

use std::hash::Hasher;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context, Result};
use chuhe::endgame::Material;
use chuhe::file;
use twox_hash::XxHash3_64;

use crate::folder::{distances_of, results_of};

/// Prints a line for each material: its name, the checksum of its results and that of its distances.
///
/// # Errors
/// If a file cannot be read.
pub fn run(folder: &Path, materials: &[Material], out: &mut impl Write) -> Result<()> {
    for &material in materials {
        let [results, distances] = [results_of, distances_of].map(|path| of_file(&path(folder, material)));
        writeln!(out, "{material} {:016x} {:016x}", results?, distances?)?;
    }
    Ok(())
}

fn of_file(path: &Path) -> Result<u64> {
    let cannot = || format!("{}: cannot be read", path.display());
    let mut hash = XxHash3_64::default();
    let mut file = BufReader::with_capacity(1 << 20, file::open(path).with_context(cannot)?);
    loop {
        let bytes = file.fill_buf().with_context(cannot)?;
        if bytes.is_empty() {
            return Ok(hash.finish());
        }
        hash.write(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}
