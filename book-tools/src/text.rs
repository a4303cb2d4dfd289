//! A book as text, written by `dump` and read by `convert`, without loss.
//!
//! ```text
//! # chuhe-book 1 symmetry=colours built=0 sources=0 plies=0-40
//! 2a53bd5cf0c2a7e3 h2e2 120 score=31 depth=20
//! 2a53bd5cf0c2a7e3 c3c4 7 forbidden
//! ```

use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};
use chuhe::board::Move;
use chuhe::book::{About, Record, Symmetry};

const MAGIC: &str = "# chuhe-book 1";

/// Returns the first line, with the contents of the header.
pub fn header(about: &About) -> String {
    let symmetry = match about.symmetry {
        Symmetry::MirrorAndColours => "colours",
        Symmetry::Mirror => "mirror",
        Symmetry::EleEye => "eleeye",
    };
    let About { built_at, sources, min_ply, max_ply, .. } = about;
    format!("{MAGIC} symmetry={symmetry} built={built_at} sources={sources} plies={min_ply}-{max_ply}")
}

/// Returns the line of a record.
pub fn line(record: &Record) -> String {
    let mv = record.turned_move().map_or_else(|| format!("{:#06x}", record.mv), |mv| mv.to_string());
    let mut line = format!("{:016x} {mv} {}", record.key, record.weight);
    if let Some((score, depth)) = record.eval() {
        write!(line, " score={score} depth={depth}").expect("a string takes everything");
    }
    if record.is_forbidden() {
        line += " forbidden";
    }
    line
}

/// Whether a file that begins with `start` is such a text.
pub fn is_text(start: &[u8]) -> bool {
    start.starts_with(MAGIC.as_bytes())
}

/// Parses the output of [`header`] and [`line()`].
///
/// # Errors
/// If the text is invalid; the message names the line.
pub fn read(text: &str) -> Result<(About, Vec<Record>)> {
    let mut lines = text.lines().zip(1..);
    let (first, _) = lines.next().context("line 1 is missing")?;
    let about = read_header(first).context("line 1")?;
    let lines = lines.filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    let records = lines.map(|(line, number)| read_line(line).with_context(|| format!("line {number}")));
    Ok((about, records.collect::<Result<_>>()?))
}

fn read_header(line: &str) -> Result<About> {
    let fields = line.strip_prefix(MAGIC).with_context(|| format!("{line:?} does not begin with {MAGIC:?}"))?;
    let mut about = About::default();
    for field in fields.split_whitespace() {
        match field.split_once('=').with_context(|| format!("{field:?} has no value"))? {
            ("symmetry", "colours") => about.symmetry = Symmetry::MirrorAndColours,
            ("symmetry", "mirror") => about.symmetry = Symmetry::Mirror,
            ("symmetry", "eleeye") => about.symmetry = Symmetry::EleEye,
            ("built", seconds) => about.built_at = seconds.parse()?,
            ("sources", hash) => about.sources = hash.parse()?,
            ("plies", plies) => {
                let (min, max) = plies.split_once('-').context("plies are given as MIN-MAX")?;
                (about.min_ply, about.max_ply) = (min.parse()?, max.parse()?);
            }
            _ => bail!("{field:?} is not known"),
        }
    }
    Ok(about)
}

fn read_line(line: &str) -> Result<Record> {
    let mut words = line.split_whitespace();
    let mut word = |what: &str| words.next().with_context(|| format!("{what} is missing"));
    let key = u64::from_str_radix(word("the key")?, 16).context("the key is not a hexadecimal number")?;
    let mv: Move = word("the move")?.parse()?;
    ensure!(!mv.is_promotion(), "{mv} goes nowhere");
    let weight = word("the weight")?.parse().context("the weight is not a number up to 65535")?;
    let mut record = Record::new(key, mv, weight);
    let (mut score, mut depth) = (None, 0);
    for word in words {
        match word.split_once('=') {
            Some(("score", number)) => score = Some(number.parse().context("the score is not a 16-bit number")?),
            Some(("depth", number)) => depth = number.parse().context("the depth is not a number up to 255")?,
            None if word == "forbidden" => record = record.forbidden(true),
            _ => bail!("{word:?} is not known"),
        }
    }
    Ok(score.map_or(record, |score| record.scored(score, depth)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_book_survives_its_text(
            key: u64, from in 0..90_usize, to in 0..90_usize, weight: u16, eval: Option<(i16, u8)>, forbidden: bool,
            built_at: u64, sources: u64, min_ply: u16, max_ply: u16, both: bool,
        ) {
            let square = |index| chuhe::board::Square::from_index(index).unwrap();
            prop_assume!(from != to);
            let record = Record::new(key, Move::new(square(from), square(to)), weight).forbidden(forbidden);
            let record = eval.map_or(record, |(score, depth)| record.scored(score, depth));
            let symmetry = if both { Symmetry::MirrorAndColours } else { Symmetry::Mirror };
            let about = About { symmetry, built_at, sources, min_ply, max_ply };
            let text = format!("{}\n\n# note\n{}\n", header(&about), line(&record));
            prop_assert!(is_text(text.as_bytes()));
            prop_assert_eq!(read(&text).unwrap(), (about, vec![record]));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*", line in "[0-9a-f]{0,17} [a-i0-9]{0,5} [0-9]{0,6} \\PC*") {
            let _ = (read(&text), read(&format!("{MAGIC}\n{line}")));
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        for line in ["zz h2e2 1", "5 h2e2", "5 a1a1 1", "5 h2e2 65536", "5 h2e2 1 score=99999", "5 h2e2 1 what"] {
            let error = read(&format!("{MAGIC}\n{line}\n")).unwrap_err();
            assert!(format!("{error:#}").starts_with("line 2: "), "{error:#}");
        }
    }
}
