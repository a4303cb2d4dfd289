//! Merges the chunks of several folders, made by shards of one run, into one folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chuhe::file;

use crate::chunk::Chunk;
use crate::folder::{self, Inventory};

/// Copies all chunks in `sources` to `target`, and prints the games that `target` holds then.
///
/// # Errors
/// The first file that is damaged, of another run, or has different games under the same numbers.
pub fn run(target: &Path, sources: &[PathBuf], out: &mut impl Write) -> Result<()> {
    fs::create_dir_all(target).with_context(|| format!("the folder {}", target.display()))?;
    let mut inventory = Inventory::read(target)?;
    let (mut copied, mut known) = (0_u64, 0_u64);
    for source in folder::chunks_of(sources)? {
        if merge_one(target, &source, &mut inventory).with_context(|| source.display().to_string())? {
            copied += 1;
        } else {
            known += 1;
        }
    }
    writeln!(out, "{copied} chunks copied, {known} were there")?;
    for (first, end) in inventory.rows() {
        writeln!(out, "games {first} to {}", end - 1)?;
    }
    let games: u64 = inventory.chunks().map(|header| header.games).sum();
    let positions: u64 = inventory.chunks().map(|header| header.positions).sum();
    writeln!(out, "{games} games, {positions} positions in {}", target.display())?;
    for source in sources.iter().filter(|source| source.is_dir()) {
        for journal in folder::journals(source)? {
            writeln!(out, "{}: the games of an unfinished chunk, left there", journal.display())?;
        }
    }
    Ok(())
}

/// Merges one chunk; returns whether it was copied, or `false` if the same chunk existed.
fn merge_one(target: &Path, source: &Path, inventory: &mut Inventory) -> Result<bool> {
    let bytes = file::read(source)?;
    let header = Chunk::from_bytes(&bytes)?.header;
    if let Some(difference) = inventory.difference(&header.recipe) {
        bail!("it is of another run than those in {}: {difference}", target.display());
    }
    if let Some(held) = inventory.beginning_with(header.first)
        && held.games == header.games
    {
        if held.contents == header.contents {
            return Ok(false);
        }
        bail!("it says the same of its games as the chunk in {}, but they are others", target.display());
    }
    let first = header.first;
    inventory.add(header, source.to_owned())?;
    folder::place(target, first, &bytes)?;
    Ok(true)
}
