//! What the sub-commands print.

use std::env::consts::{ARCH, OS};
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use crate::bench;
use crate::board::{Position, perft_while};
use crate::book::NativeBook;
use crate::endgame::Tables;
use crate::engine::options::{Row, rows};
use crate::eval::nnue::{Kernel, Network};
use crate::file;
use crate::referee::{self, Record};
use crate::rules::Rules;

/// The leaf nodes below each move, their sum and the speed of counting; as far as `goes_on` agrees, which is asked often.
///
/// # Errors
/// If `out` cannot be written to.
pub fn perft(position: &Position, depth: u32, goes_on: &dyn Fn() -> bool, out: &mut impl Write) -> io::Result<()> {
    let started = Instant::now();
    let (mut nodes, mut is_whole) = (u64::from(depth == 0), true);
    if let Some(rest) = depth.checked_sub(1) {
        for mv in position.legal_moves() {
            let Some(below) = perft_while(&position.play(mv), rest, goes_on) else {
                is_whole = false;
                break;
            };
            writeln!(out, "{mv} {below}")?;
            nodes += below;
        }
    }
    let speed = bench::per_second(nodes, started.elapsed().as_secs_f64()) / 1e6;
    writeln!(out, "{nodes} nodes {speed:.1} Mnodes/s{}", if is_whole { "" } else { ", not all of them" })
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

/// What is in the program besides its code, a line each: network, book and tables, with what tells them from others, and
/// the sets of instructions among which it chooses on this machine.
///
/// # Errors
/// If `out` cannot be written to, or the book cannot be read; the tests see to it that it can.
pub fn contents(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let kernels: Vec<_> = Kernel::all().map(|kernel| kernel.name()).collect();
    writeln!(out, "program   Chuhe {} for {ARCH}, {OS}; here by {}", env!("CARGO_PKG_VERSION"), kernels.join(", "))?;
    match Network::embedded() {
        Some(network) => {
            let (shape, bytes) = (network.shape(), network.bytes().len());
            let [width, outputs] = [shape.width, shape.outputs];
            writeln!(out, "network   {:016x}, {width} numbers a view, {outputs} outputs, {bytes} bytes", network.id())?;
        }
        None => writeln!(out, "network   none")?,
    }
    let layout = *NativeBook::embedded()?.layout();
    let bytes = layout.file_bytes().unwrap_or_default();
    writeln!(out, "book      {:016x}, {} moves, {bytes} bytes", layout.body_checksum, layout.count)?;
    let tables = Tables::embedded();
    let names: Vec<_> = tables.materials().iter().map(ToString::to_string).collect();
    writeln!(out, "endgames  {:016x}, {} tables: {}", tables.id(), tables.len(), names.join(" "))?;
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
    let text = file::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let found = referee::check_cases(&text, out)?;
    match found.wrong {
        0 if found.judged == 0 => Err(format!("{name} has no case that can be judged").into()),
        0 => Ok(()),
        wrong => Err(format!("{wrong} cases of {name} were judged otherwise").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_case_is_not_judged_right() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cases.tsv");
        let judged = |text: &str| {
            std::fs::write(&path, text).unwrap();
            judge_file(&path, &mut vec![]).map_err(|error| error.to_string())
        };
        let case = "3k5/9/9/9/9/9/9/9/4R4/4K4 w\t\tnone";
        assert_eq!(judged(&format!("{case}\tasian\tx\n")), Ok(()));
        for text in [String::new(), format!("{case}\tfide\tx\n")] {
            assert!(judged(&text).unwrap_err().ends_with("has no case that can be judged"), "{text}");
        }
    }

    #[test]
    fn perft_tells_what_it_has_counted_and_whether_that_is_all() {
        let counted = |depth, goes_on: &dyn Fn() -> bool| {
            let mut out = vec![];
            perft(&Position::start(), depth, goes_on, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(counted(0, &|| true).starts_with("1 nodes "));
        let all = counted(2, &|| true);
        assert!(all.contains("\nh2e2 ") && all.contains("\n1920 nodes ") && all.ends_with("nodes/s\n"), "{all}");
        assert_eq!(counted(60, &|| false), "0 nodes 0.0 Mnodes/s, not all of them\n");
    }

    #[test]
    fn what_is_in_the_program_is_listed_a_line_each() {
        let mut out = vec![];
        contents(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let network = Network::embedded().map_or("none".to_owned(), |network| format!("{:016x}", network.id()));
        for (line, (word, what)) in text.lines().zip([
            ("program", env!("CARGO_PKG_VERSION").to_owned()),
            ("network", network),
            ("book", format!("{} moves", NativeBook::embedded().unwrap().records().len())),
            ("endgames", "KR-KA ".to_owned()),
        ]) {
            assert!(line.starts_with(word) && line.contains(&what), "{line}: {what}");
        }
        assert_eq!(text.lines().count(), 4);
    }
}
