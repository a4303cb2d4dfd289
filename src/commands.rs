//! Output of the sub-commands.

use std::env::consts::{ARCH, OS};
use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::time::Instant;

use crate::board::{Position, perft_while};
use crate::book::NativeBook;
use crate::endgame::Tables;
use crate::engine::options::{Language, listing};
use crate::eval::nnue::{Kernel, Network};
use crate::io::write_stderr;
use crate::referee::{self, Record, Tally, Terms};
use crate::rules::Rules;
use crate::{bench, file};

/// Prints the leaf nodes below each move, their sum and the speed. Stops early when `goes_on`, which is called often, returns
/// false.
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

/// Prints all options: their names in both protocols, values, defaults and effects, in lines of at most 100 columns.
///
/// # Errors
/// If `out` cannot be written to.
pub fn options(language: Language, out: &mut impl Write) -> io::Result<()> {
    out.write_all(listing(language).as_bytes())
}

/// Prints the built-in data, a line each: network, book and tables with their identifiers. The first line lists the instruction
/// sets for this machine.
///
/// # Errors
/// If `out` cannot be written to, or the book cannot be read; tests ensure that it can.
pub fn contents(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let kernels: Vec<_> = Kernel::all().map(|kernel| kernel.name()).collect();
    writeln!(out, "program   Chuhe {} for {ARCH}, {OS}; here by {}", env!("CARGO_PKG_VERSION"), kernels.join(", "))?;
    match Network::embedded() {
        Some(network) => {
            let (shape, bytes) = (network.shape(), network.bytes().len());
            let (width, outputs) = (shape.width, shape.output_buckets);
            writeln!(
                out,
                "network   {:016x}, {width} neurons per perspective, {outputs}, {bytes} bytes",
                network.id()
            )?;
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

/// Prints the verdict on one game.
///
/// # Errors
/// If the text is not a game, or `out` cannot be written to.
pub fn judge(fen: &str, moves: &str, rules: &Rules, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "{}", Record::read(fen, moves)?.report(rules))?;
    Ok(())
}

/// Prints the verdicts on the games of `input`, a line each; `name` stands for it in messages.
///
/// # Errors
/// If `input` cannot be read, `out` cannot be written to, a line is not a game, or a verdict differs from the one that its line
/// names.
pub fn judge_lines(name: &str, input: impl BufRead, terms: Terms, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let Tally { lines, unreadable, agreed, differing, unknown_rules } = referee::judge_lines(input, terms, out)?;
    if lines == 0 {
        return Err(format!("{name} has no line to judge").into());
    }
    if let Some(set) = unknown_rules {
        write_stderr(&format!("chuhe: {name}: unknown rules {set:?}, judged by {} instead", terms.rule_set.name()));
    }
    if agreed + differing > 0 {
        write_stderr(&format!("{agreed} of {} lines of {name} judged as they say", agreed + differing));
    }
    match (unreadable, differing) {
        (0, 0) => Ok(()),
        (0, _) => Err(format!("{differing} of {lines} lines of {name} judged otherwise than they say").into()),
        _ => Err(format!("{unreadable} of {lines} lines of {name} cannot be read").into()),
    }
}

/// Prints the verdicts on the games of a file, or of the standard input for `-`.
///
/// # Errors
/// If [`judge_lines`] fails, or the file cannot be opened.
pub fn judge_file(path: &Path, terms: Terms, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    if path == Path::new("-") {
        return judge_lines("standard input", io::stdin().lock(), terms, out);
    }
    let name = path.display().to_string();
    let file = file::open(path).map_err(|error| format!("{name}: {error}"))?;
    judge_lines(&name, BufReader::new(file), terms, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn a_file_is_judged_right_if_it_has_lines_and_all_are_as_they_say() {
        let judged = |text: &str| {
            let terms = Terms { rule_set: RuleSet::Asian, occurrence: None };
            judge_lines("cases", text.as_bytes(), terms, &mut vec![]).map_err(|error| error.to_string())
        };
        let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 w";
        assert_eq!(judged(&format!("{fen}\n{fen}\t\tnone\tasian\tx\n")), Ok(()));
        for (text, error) in [
            (String::new(), "cases has no line to judge"),
            (format!("{fen}\n{fen}\t\tdraw\tasian\n"), "1 of 2 lines of cases judged otherwise than they say"),
            (format!("{fen}\te1e0\n"), "1 of 1 lines of cases cannot be read"),
        ] {
            assert_eq!(judged(&text), Err(error.to_owned()), "{text}");
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
