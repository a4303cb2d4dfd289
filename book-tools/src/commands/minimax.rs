//! `minimax`: back-up of the scores from the leaves.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use chuhe::board::Position;
use chuhe::book::{Record, Source, Symmetry, canonical};
use chuhe::score::Score;
use clap::Args;

use super::outputs;
use crate::analysis::{gap, negated, weight};
use crate::file;
use crate::sort;
use crate::tuple::{Points, Tuple};
use crate::walk::{symmetry, walk};

/// Give every move the score of the best play after it, as far as the book is scored
///
/// A move keeps its own score if the book has no moves after it; otherwise it gets the negated best score of the position it
/// leads to. Lines are followed to their ends before a score is taken; a move that returns to an earlier
/// position of the current line keeps its score.
///
/// With `--games` the results of games count too. The value of a move in points is (W + D/2 + N * E) / (W + D + L + N): its wins,
/// draws and losses, and N games (`--prior`) with the expected points E = 1 / (1 + exp(-S / 180)) of its score S in
/// centipawns, which for a position of the book is the best value there. This value, as a score, goes on to the position
/// before, on every way that leads there.
///
/// With `--weigh M` the weight is 100 * (M + 1 - G) / (M + 1), rounded up and at least 0, for a move G centipawns below the best.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools minimax scored.book -o weighed.book --weigh 12
  book-tools build games/*.pgn --tuples played.tuples
  book-tools minimax scored.book -o weighed.book --games played.tuples --weigh 30")]
pub(super) struct Minimax {
    /// A book with scores
    book: PathBuf,
    /// Book to write
    #[arg(short, long)]
    out: PathBuf,
    /// Set the weights by the scores: 100 for the best move, decreasing up to this many centipawns below it, 0 beyond
    #[arg(long, value_name = "MARGIN")]
    weigh: Option<u16>,
    /// Results of games, as `build --tuples FILE.tuples` writes them
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Number of games that the score of a move counts for, beside those of --games
    #[arg(long, value_name = "N", default_value_t = 20, requires = "games")]
    prior: u16,
}

/// Centipawns of a unit of the logistic curve between scores and expected points.
const SCALE: f64 = 180.0;
/// Bound of the expected points of moves that won or lost all their games.
const NEARLY_SURE: f64 = 0.999;

/// Wins, draws and losses of moves, by key and move.
#[derive(Default)]
struct Results {
    counts: HashMap<(u64, u16), [u32; 3]>,
    prior: f64,
}

impl Results {
    fn read(path: &Path, symmetry: Symmetry, prior: u16) -> Result<Self> {
        let mut results = Self { counts: HashMap::new(), prior: prior.into() };
        sort::for_each_block(path, |block: &[Tuple]| {
            for tuple in block.iter().filter(|tuple| tuple.fault().is_none()) {
                ensure!(
                    tuple.is_one_sided() == (symmetry == Symmetry::Mirror),
                    "{}: its moves have other keys than the book: --one-sided must be the same for both",
                    path.display()
                );
                let place = match tuple.points() {
                    Points::Win => 0,
                    Points::Draw => 1,
                    Points::Loss => 2,
                    Points::Unknown => continue,
                };
                let count = &mut results.counts.entry((tuple.key, tuple.mv())).or_default()[place];
                *count = count.saturating_add(1);
            }
            Ok(())
        })?;
        Ok(results)
    }

    /// Returns the value of a move, from its score and its games.
    fn value(&self, record: &Record, score: Option<(i16, u8)>) -> Option<(i16, u8)> {
        let Some(counts) = self.counts.get(&(record.key, record.mv)) else { return score };
        let (centipawns, depth) = score.unwrap_or_default();
        if Score::from_table(centipawns, 0).is_decisive() {
            return score;
        }
        let [wins, draws, losses] = counts.map(f64::from);
        let expected = 1.0 / (1.0 + (-f64::from(centipawns) / SCALE).exp());
        let points = wins + draws / 2.0 + self.prior * expected;
        let share = (points / (wins + draws + losses + self.prior)).clamp(1.0 - NEARLY_SURE, NEARLY_SURE);
        Some(((SCALE * (share / (1.0 - share)).ln()).round() as i16, depth))
    }
}

impl Minimax {
    pub(super) fn run(self) -> Result<()> {
        let inputs: Vec<&Path> = [&self.book].into_iter().chain(&self.games).map(PathBuf::as_path).collect();
        outputs::check_native(&self.out, &inputs)?;
        let book = file::open_native(&self.book)?;
        let about = book.layout().about;
        let mut records = book.records().to_vec();
        let results = match &self.games {
            Some(games) => Results::read(games, about.symmetry, self.prior)?,
            None => Results::default(),
        };
        let has_values = records.iter().any(|record| results.value(record, record.eval()).is_some());
        ensure!(has_values, "{}: nothing is scored", self.book.display());
        let changed = back_up(&Source::Native(book), &mut records, &results);
        if let Some(margin) = self.weigh {
            records.chunk_by_mut(|a, b| a.key == b.key).for_each(|group| weigh(group, margin));
            records.sort_by_key(Record::order);
        }
        file::write(&self.out, about, records.into_iter().map(Ok))?;
        say!("{}: {changed} scores have changed", self.out.display())?;
        Ok(())
    }
}

/// Backs up the scores of all reachable moves; returns the number of changed ones.
fn back_up(book: &Source, records: &mut [Record], results: &Results) -> usize {
    let mut backup = Backup { records, results, symmetry: symmetry(book), visited: HashMap::new(), changed: 0 };
    let mut roots = vec![];
    walk(book, &Position::start(), usize::MAX, |node, _| roots.push(node.position));
    roots.into_iter().for_each(|root| backup.follow(root));
    backup.changed
}

/// State of a position that was visited.
#[derive(Clone, Copy)]
enum Visited {
    /// The position is on the current line.
    OnPath,
    /// The best score and its depth, if any move has a score.
    Best(Option<(i16, u8)>),
}

/// A position of the current line, with the positions after its moves that are still to be visited.
struct Step {
    position: Position,
    key: u64,
    waiting: Vec<Position>,
}

/// A depth-first walk over the moves of a book: everything after a move is finished before the move itself.
struct Backup<'a> {
    records: &'a mut [Record],
    results: &'a Results,
    symmetry: Symmetry,
    visited: HashMap<u64, Visited>,
    changed: usize,
}

impl Backup<'_> {
    fn follow(&mut self, root: Position) {
        let mut path: Vec<Step> = self.enter(root).into_iter().collect();
        while let Some(step) = path.last_mut() {
            if let Some(next) = step.waiting.pop() {
                path.extend(self.enter(next));
            } else {
                self.finish(step);
                path.pop();
            }
        }
    }

    /// Returns the next step of a line, unless the position was visited before.
    fn enter(&mut self, position: Position) -> Option<Step> {
        let (key, frame) = canonical(&position, self.symmetry);
        if self.visited.contains_key(&key) {
            return None;
        }
        self.visited.insert(key, Visited::OnPath);
        let of_key = &self.records[file::range_of_key(self.records, key)];
        let mut moves: Vec<_> = of_key.iter().filter_map(Record::turned_move).collect();
        // Not by weight, which may depend on these very scores: a second run must give the same result.
        moves.sort_by_key(|mv| mv.bits());
        let legal = moves.into_iter().map(|mv| frame.apply(mv)).filter(|&mv| position.is_legal(mv));
        Some(Step { position, key, waiting: legal.map(|mv| position.play(mv)).collect() })
    }

    /// Updates the scores of a position's moves from the positions after them, and stores the best one.
    fn finish(&mut self, step: &Step) {
        let frame = canonical(&step.position, self.symmetry).1;
        let of_key = file::range_of_key(self.records, step.key);
        for record in &mut self.records[of_key.clone()] {
            let mv = record.turned_move().map(|mv| frame.apply(mv)).filter(|&mv| step.position.is_legal(mv));
            let visited = mv.and_then(|mv| self.visited.get(&canonical(&step.position.play(mv), self.symmetry).0));
            let score = match visited {
                Some(&Visited::Best(Some((score, depth)))) => Some((negated(score), depth)),
                _ => record.eval(),
            };
            if let Some((score, depth)) = self.results.value(record, score) {
                let new = record.scored(score, depth);
                self.changed += usize::from(new != *record);
                *record = new;
            }
        }
        let playable = self.records[of_key].iter().filter(|record| !record.is_forbidden());
        self.visited.insert(step.key, Visited::Best(playable.filter_map(Record::eval).max()));
    }
}

/// Sets the weights of a position's moves by their scores.
fn weigh(group: &mut [Record], margin: u16) {
    let allowed = |record: &&Record| !record.is_forbidden();
    let Some(best) = group.iter().filter(allowed).filter_map(Record::eval).map(|(score, _)| score).max() else {
        return;
    };
    for record in group.iter_mut().filter(|record| !record.is_forbidden()) {
        if let Some((score, _)) = record.eval() {
            record.weight = weight(gap(best, score), margin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use chuhe::book::About;

    fn minimax(book: &Path, out: &Path, weigh: Option<u16>) -> Minimax {
        Minimax { book: book.to_owned(), out: out.to_owned(), weigh, games: None, prior: 20 }
    }

    #[test]
    fn games_and_scores_go_up_together_on_every_way() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out, games] = ["a.book", "b.book", "c.tuples"].map(|name| folder.path().join(name));
        let lines = [["h2e2", "h9g7", "c3c4"], ["c3c4", "h9g7", "h2e2"]];
        let (mut records, mut played) = (vec![], vec![]);
        for line in &lines {
            line.iter().fold(Position::start(), |position, mv| {
                let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
                let mv = mv.parse().unwrap();
                records.push(Record::new(key, frame.apply(mv), 1).scored(0, 5));
                position.play(mv)
            });
        }
        // One reply after both ways, which has won 30 games of 30.
        let last = lines[0].iter().fold(Position::start(), |position, mv| position.play(mv.parse().unwrap()));
        let (key, frame) = canonical(&last, Symmetry::MirrorAndColours);
        let reply = frame.apply("b9c7".parse().unwrap());
        records.push(Record::new(key, reply, 1).scored(0, 5));
        played.extend([Tuple::new(key, reply.bits(), 3, 0, Points::Win); 30]);
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        fs::write(&games, bytemuck::cast_slice(&played)).unwrap();
        Minimax { games: Some(games), ..minimax(&book, &out, None) }.run().unwrap();
        let book = file::open(&out).unwrap();
        // (30 + 20 / 2) / (30 + 20) = 0.8, which is 180 * ln 4 centipawns.
        for line in &lines {
            assert_eq!([score(&book, line[0]), score(&book, &line[..2].join(" "))], [-250, 250]);
        }
        let value = |counts, score| {
            Results { counts: HashMap::from([((1, 2), counts)]), prior: 20.0 }
                .value(&Record { key: 1, mv: 2, ..bytemuck::Zeroable::zeroed() }, score)
        };
        assert_eq!(value([0, 0, 0], Some((37, 9))), Some((37, 9)));
        assert_eq!(value([5, 10, 5], None), Some((0, 0)));
        assert!(value([10, 0, 0], Some((-50, 9))).unwrap().0 > 0);
        assert_eq!(
            value([0, 0, 50], Some((Score::mate_in(3).to_table(0), 9))).unwrap().0,
            Score::mate_in(3).to_table(0)
        );
    }

    #[test]
    fn the_best_reply_decides() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.book"].map(|name| folder.path().join(name));
        let start = Position::start();
        let after = start.play("h2e2".parse().unwrap());
        let record = |position: &Position, mv: &str, score| {
            let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
            Record::new(key, frame.apply(mv.parse().unwrap()), 1).scored(score, 9)
        };
        let records = vec![
            record(&start, "h2e2", 50),
            record(&start, "c3c4", 10),
            record(&after, "h9g7", 30),
            record(&after, "b9c7", -5),
            record(&after, "a9a8", 900).forbidden(true),
        ];
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        minimax(&book, &out, None).run().unwrap();
        let moves = file::open_native(&out).unwrap().candidates(&start);
        let scores: Vec<_> = moves.iter().map(|found| (found.mv.to_string(), found.score().unwrap().raw())).collect();
        assert_eq!(scores, [("h2e2".to_owned(), -30), ("c3c4".to_owned(), 10)]);
        minimax(&book, &out, Some(50)).run().unwrap();
        let moves = file::open_native(&out).unwrap().candidates(&start);
        let weights: Vec<_> = moves.iter().map(|found| (found.mv.to_string(), found.weight)).collect();
        assert_eq!(weights, [("c3c4".to_owned(), 100), ("h2e2".to_owned(), weight(40, 50))]);
    }

    /// Returns a book of lines with these scores, after `minimax`.
    fn backed_up(folder: &Path, lines: &[&[(&str, i16)]]) -> Source {
        let [book, out] = ["a.book", "b.book"].map(|name| folder.join(name));
        let mut records = vec![];
        for line in lines {
            line.iter().fold(Position::start(), |position, &(mv, score)| {
                let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
                let mv = mv.parse().unwrap();
                records.push(Record::new(key, frame.apply(mv), 1).scored(score, 5));
                position.play(mv)
            });
        }
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        minimax(&book, &out, None).run().unwrap();
        file::open(&out).unwrap()
    }

    fn score(book: &Source, line: &str) -> i32 {
        let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
        let position = before.split_whitespace().fold(Position::start(), |it, mv| it.play(mv.parse().unwrap()));
        let candidates = book.candidates(&position);
        candidates.iter().find(|it| it.mv.to_string() == last).unwrap().score().unwrap().raw()
    }

    #[test]
    fn a_longer_way_to_a_position_gets_its_score_too() {
        let folder = tempfile::tempdir().unwrap();
        let short = [("h2e2", 1), ("b7e7", 2), ("b0c2", 100)];
        let long = [("h2d2", 3), ("b7d7", 4), ("d2e2", 5), ("d7e7", 6)];
        let book = backed_up(folder.path(), &[&short, &long]);
        for (line, expected) in [
            ("h2e2", 100),
            ("h2e2 b7e7", -100),
            ("h2d2", 100),
            ("h2d2 b7d7", -100),
            ("h2d2 b7d7 d2e2", 100),
            ("h2d2 b7d7 d2e2 d7e7", -100),
        ] {
            assert_eq!(score(&book, line), expected, "{line}");
        }
    }

    #[test]
    fn a_move_that_closes_a_loop_keeps_its_score() {
        let folder = tempfile::tempdir().unwrap();
        let circle = [("a0a1", 1), ("a9a8", 2), ("a1a0", 3), ("a8a9", 40)];
        let book = backed_up(folder.path(), &[&circle, &[("h2e2", 50)]]);
        for (line, expected) in
            [("a0a1", -40), ("a0a1 a9a8", 40), ("a0a1 a9a8 a1a0", -40), ("a0a1 a9a8 a1a0 a8a9", 40), ("h2e2", 50)]
        {
            assert_eq!(score(&book, line), expected, "{line}");
        }
        let [once, twice] = ["b.book", "c.book"].map(|name| folder.path().join(name));
        minimax(&once, &twice, None).run().unwrap();
        assert_eq!(fs::read(once).unwrap(), fs::read(twice).unwrap());
    }
}
