//! Statistics of chunks.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use chuhe::board::Side;
use chuhe_games::game::Outcome;

use crate::chunk::Chunk;
use crate::folder;
use crate::game::Use;
use crate::tally::{Digest, Tally, percent, ratio};

/// Prints statistics of the chunks in `paths`, which are chunks or folders.
///
/// # Errors
/// The first file that is not an intact chunk, or has games that another one has.
pub fn run(paths: &[PathBuf], out: &mut impl Write) -> Result<()> {
    let (mut tally, mut chunks, mut bytes) = (Tally::default(), 0_u64, 0);
    for path in folder::chunks_without_doublets(paths)? {
        let chunk = Chunk::read_legal(&path)?;
        chunk.games.iter().for_each(|game| tally.add(game, &Digest::of(game)));
        chunks += 1;
        bytes += fs::metadata(&path).with_context(|| path.display().to_string())?.len();
    }
    print(&tally, chunks, bytes, out)?;
    Ok(())
}

fn print(tally: &Tally, chunks: u64, bytes: u64, out: &mut impl Write) -> io::Result<()> {
    let Tally { games, positions, plies, nodes, .. } = *tally;
    let usable = tally.with_use(Use::Usable);
    let results = [Outcome::Won(Side::Red), Outcome::Drawn, Outcome::Won(Side::Black)];
    let [red, draws, black] = results.map(|result| percent(tally.with_result(result), games));
    let others = [Use::InCheck, Use::Capture, Use::Beyond];
    let [check, captures, beyond] = others.map(|wanted| percent(tally.with_use(wanted), positions));
    let endings: Vec<String> = tally
        .endings()
        .filter(|&(_, count)| count > 0)
        .map(|(ending, count)| format!("{} {:.1} %", ending.name(), percent(count, games)))
        .collect();
    writeln!(
        out,
        "games       {games} in {chunks} chunks, {:.2} openings rejected for each",
        ratio(tally.rejected, games)
    )?;
    writeln!(out, "results     red {red:.1} %, draws {draws:.1} %, black {black:.1} %")?;
    writeln!(out, "endings     {}", endings.join(", "))?;
    writeln!(out, "plies       {:.1} a game, random ones included", ratio(plies, games))?;
    writeln!(out, "positions   {positions}, {:.0} nodes for each", ratio(nodes, positions))?;
    writeln!(
        out,
        "usable      {usable}, {:.1} %, of which {:.1} % unique",
        percent(usable, positions),
        100.0 * tally.unique_share()
    )?;
    writeln!(out, "others      in check {check:.1} %, best move a capture {captures:.1} %, beyond 3000 {beyond:.1} %")?;
    writeln!(out, "size        {bytes} bytes, {:.2} a position", ratio(bytes, positions))
}
