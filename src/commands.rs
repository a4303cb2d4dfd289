//! What the sub-commands print.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use crate::bench;
use crate::board::{Position, perft_by_move};
use crate::engine::options::{Row, rows};
use crate::referee::{self, Record};
use crate::rules::Rules;

/// The leaf nodes below each move, their sum and the speed of counting.
///
/// # Errors
/// If `out` cannot be written to.
pub fn perft(position: &Position, depth: u32, out: &mut impl Write) -> io::Result<()> {
    let started = Instant::now();
    let counts = perft_by_move(position, depth);
    let seconds = started.elapsed().as_secs_f64();
    for (mv, nodes) in &counts {
        writeln!(out, "{mv} {nodes}")?;
    }
    let nodes = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
    writeln!(out, "{nodes} nodes {:.1} Mnodes/s", bench::per_second(nodes, seconds) / 1e6)
}

/// Every option as a table: its names in both protocols, values, default and effect.
///
/// # Errors
/// If `out` cannot be written to.
pub fn options(out: &mut impl Write) -> io::Result<()> {
    let head = ["UCCI", "UCI", "values", "default", "does"].map(str::to_owned);
    let lines = rows().into_iter().map(|Row { ucci, uci, values, default, about }| {
        [ucci.to_owned(), uci.to_owned(), values, default, about.to_owned()]
    });
    let table: Vec<[String; 5]> = [head].into_iter().chain(lines).collect();
    let width = |column: usize| table.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let [first, second, third, fourth] = [width(0), width(1), width(2), width(3)];
    for [ucci, uci, values, default, about] in &table {
        writeln!(out, "{ucci:first$}  {uci:second$}  {values:third$}  {default:fourth$}  {about}")?;
    }
    Ok(())
}

/// The verdict on one game.
///
/// # Errors
/// If the text is no game, or `out` cannot be written to.
pub fn judge(fen: &str, moves: &str, rules: &Rules, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "{}", Record::read(fen, moves)?.report(rules))?;
    Ok(())
}

/// The verdicts on a file of cases that differ from what it says, and their count.
///
/// # Errors
/// If the file cannot be read, `out` cannot be written to, or a verdict differs.
pub fn judge_file(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    match referee::check_cases(&text, out)?.wrong {
        0 => Ok(()),
        wrong => Err(format!("{wrong} cases of {name} were judged otherwise").into()),
    }
}
