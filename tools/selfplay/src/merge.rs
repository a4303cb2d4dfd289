//! Merges the chunks of several folders, made by shards of one run, into one folder: unchanged, packed or unpacked.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chuhe::file;

use crate::batches;
use crate::chunk::{Chunk, Header};
use crate::folder::{self, Inventory};

/// Form of the merged chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Unchanged.
    Kept,
    /// Packed.
    Packed,
    /// Unpacked: the bytes that were generated.
    Plain,
}

/// Copies all chunks in `sources` to `target` in this form, with `threads` threads, and prints the games that `target` holds
/// then.
///
/// Chunks that `target` holds already keep their form there. A packed chunk is unpacked again and compared before it is
/// written.
///
/// # Errors
/// The first file that is damaged, of another run, or has different games under the same numbers.
pub fn run(target: &Path, sources: &[PathBuf], form: Form, threads: usize, out: &mut impl Write) -> Result<()> {
    fs::create_dir_all(target).with_context(|| format!("the folder {}", target.display()))?;
    let mut inventory = Inventory::read(target)?;
    let (mut missing, mut known) = (vec![], 0_u64);
    for source in folder::chunks_of(sources)? {
        if is_new(target, &source, &mut inventory).with_context(|| source.display().to_string())? {
            missing.push(source);
        } else {
            known += 1;
        }
    }
    let work = |source: &PathBuf| converted(source, form).with_context(|| source.display().to_string());
    batches::in_order(&missing, threads, work, |(first, bytes)| folder::place(target, first, &bytes).map(drop))?;
    writeln!(out, "{} chunks copied, {known} were there", missing.len())?;
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

/// Whether the target lacks a chunk, which is then added to its inventory.
fn is_new(target: &Path, source: &Path, inventory: &mut Inventory) -> Result<bool> {
    let header = Header::read(source)?;
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
    inventory.add(header, source.to_owned())?;
    Ok(true)
}

/// Number of the first game, and the bytes of the chunk in this form.
fn converted(source: &Path, form: Form) -> Result<(u64, Vec<u8>)> {
    let chunk = Chunk::read(source)?;
    let bytes = match form {
        Form::Kept => file::read(source)?,
        Form::Plain => chunk.to_bytes()?,
        Form::Packed => {
            let bytes = chunk.to_packed_bytes()?;
            ensure!(Chunk::from_bytes(&bytes)? == chunk, "unpacked again, it differs");
            bytes
        }
    };
    Ok((chunk.header.first, bytes))
}
