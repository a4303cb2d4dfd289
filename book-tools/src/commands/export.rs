//! `export-openings`: starting positions for test games.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use chuhe::board::Position;
use chuhe::book::Candidate;
use chuhe::splitmix::SplitMix64;
use chuhe_games::replace::write_bytes;
use clap::Args;

use super::outputs;
use crate::file;
use crate::walk::after_plies;

/// Write the positions of a book after some plies as a list for the arena
///
/// A line is an EPD, named by the moves that lead to it. Every position occurs once; mirror images and exchanged colours
/// count as the same if they do in the book. Equal seeds give equal lists.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools export-openings my.book -o openings.epd --plies 8 --count 500 --window -60,60")]
pub(super) struct ExportOpenings {
    /// A book of any format
    book: PathBuf,
    /// List to write
    #[arg(short, long)]
    out: PathBuf,
    /// Number of plies from the start
    #[arg(long, value_name = "N", default_value_t = 8)]
    plies: usize,
    /// Maximum number of positions, chosen at random
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Minimum weight of every move on the way
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_weight: u16,
    /// Range of the last move's score, in centipawns for its mover; moves without a score are left out
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, value_parser = window)]
    window: Option<(i32, i32)>,
    /// Seed of the random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn window(text: &str) -> Result<(i32, i32), String> {
    let numbers = text.split_once(',').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    numbers.filter(|(low, high)| low <= high).ok_or_else(|| format!("{text:?} is not LOW,HIGH"))
}

impl ExportOpenings {
    pub(super) fn run(self) -> Result<()> {
        outputs::check_openings(&self.out, &[&self.book])?;
        let mut openings = self.openings()?;
        ensure!(
            !openings.is_empty(),
            "{}: no line of the book from the start position has {} plies and passes the filters",
            self.book.display(),
            self.plies
        );
        SplitMix64::new(self.seed).shuffle(&mut openings);
        openings.truncate(self.count.unwrap_or(usize::MAX));
        let count = openings.len();
        write_bytes(&self.out, openings.concat().as_bytes())?;
        say!("{}: {count} positions", self.out.display())?;
        Ok(())
    }

    fn openings(&self) -> Result<Vec<String>> {
        ensure!(self.plies > 0, "--plies 0: that is the start");
        let book = file::open(&self.book)?;
        let mut openings: Vec<(u64, String)> = vec![];
        let is_common = |candidate: &Candidate| candidate.weight >= self.min_weight;
        for node in after_plies(&book, &Position::start(), self.plies - 1, is_common) {
            for candidate in book.candidates(&node.position).iter().filter(|candidate| is_common(candidate)) {
                let is_inside =
                    |(low, high)| candidate.score().is_some_and(|score| (low..=high).contains(&score.raw()));
                let next = node.position.play(candidate.mv);
                if self.window.is_none_or(is_inside) && next.has_legal_move() {
                    let line: Vec<_> = node.line.iter().chain([&candidate.mv]).map(ToString::to_string).collect();
                    let key = chuhe::book::canonical(&next, crate::walk::symmetry(&book)).0;
                    openings.push((key, format!("{} id \"{}\";\n", next.to_fen(), line.join(" "))));
                }
            }
        }
        openings.sort();
        openings.dedup_by_key(|(key, _)| *key);
        Ok(openings.into_iter().map(|(_, line)| line).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::{About, Record, Symmetry, canonical};
    use chuhe_games::openings::read::{Format, read_file};

    #[test]
    fn the_arena_reads_what_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.epd"].map(|name| folder.path().join(name));
        let record = |position: &Position, mv: &str, weight| {
            let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
            Record::new(key, frame.apply(mv.parse().unwrap()), weight)
        };
        let start = Position::start();
        let after = start.play("h2e2".parse().unwrap());
        let records = vec![
            record(&start, "h2e2", 9),
            // The mirror image of the same position.
            record(&start, "b2e2", 9),
            record(&after, "h9g7", 5).scored(20, 9),
            record(&after, "b9c7", 1).scored(-90, 9),
        ];
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        let export = |change: fn(&mut ExportOpenings)| {
            let mut export = ExportOpenings {
                book: book.clone(),
                out: out.clone(),
                plies: 2,
                count: None,
                min_weight: 1,
                window: None,
                seed: 1,
            };
            change(&mut export);
            export.run().map(|()| read_file(&out, Format::Epd, None, 1).unwrap())
        };
        let openings = export(|_| {}).unwrap();
        assert_eq!(openings.len(), 2);
        assert!(openings.iter().all(|opening| opening.name.as_ref().is_some_and(|name| name.split(' ').count() == 2)));
        assert_eq!(export(|export| export.min_weight = 2).unwrap().len(), 1);
        assert_eq!(export(|export| export.window = Some((-100, 0))).unwrap().len(), 1);
        assert_eq!(export(|export| export.count = Some(1)).unwrap().len(), 1);
        assert_eq!(export(|export| export.plies = 1).unwrap().len(), 1);
        assert!(export(|export| export.plies = 5).is_err());
        assert_eq!(window("-60,60"), Ok((-60, 60)));
        assert!(window("3,1").is_err() && window("x").is_err());
    }

    #[test]
    fn what_two_ways_lead_to_is_reached_by_the_common_one() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.epd"].map(|name| folder.path().join(name));
        // The path that is walked first ends with a move of no weight.
        let ways = [("c3c4", 9), ("a9a8", 5), ("b0c2", 0), ("h9g7", 5)];
        let common = [("b0c2", 7), ("a9a8", 5), ("c3c4", 5)];
        let mut records = vec![];
        for way in [&ways[..], &common] {
            way.iter().fold(Position::start(), |position, &(mv, weight)| {
                let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
                let mv = mv.parse().unwrap();
                records.push(Record::new(key, frame.apply(mv), weight));
                position.play(mv)
            });
        }
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        ExportOpenings { book, out: out.clone(), plies: 4, count: None, min_weight: 1, window: None, seed: 1 }
            .run()
            .unwrap();
        let openings = read_file(&out, Format::Epd, None, 1).unwrap();
        assert_eq!(openings[0].name.as_deref(), Some("b0c2 a9a8 c3c4 h9g7"));
    }

    #[test]
    fn a_position_is_reached_by_lines_that_pass_one_with_a_shorter_way() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.epd"].map(|name| folder.path().join(name));
        let mut records = vec![];
        for line in ["h2e2 b7e7 h0g2", "h2d2 b7d7 d2e2 d7e7 h0g2"] {
            line.split(' ').fold(Position::start(), |position, mv| {
                let (key, frame) = canonical(&position, Symmetry::Mirror);
                let mv = mv.parse().unwrap();
                records.push(Record::new(key, frame.apply(mv), 1));
                position.play(mv)
            });
        }
        let about = About { symmetry: Symmetry::Mirror, ..About::default() };
        file::write(&book, about, file::in_order(records).into_iter().map(Ok)).unwrap();
        for (plies, line) in [(3, "h2e2 b7e7 h0g2"), (5, "h2d2 b7d7 d2e2 d7e7 h0g2")] {
            let (book, out) = (book.clone(), out.clone());
            let export = ExportOpenings { book, out, plies, count: None, min_weight: 1, window: None, seed: 1 };
            let openings = export.openings().unwrap();
            assert!(openings.iter().any(|opening| opening.contains(&format!("\"{line}\""))), "{openings:?}");
        }
    }
}
