//! `grow`: extension of a book's lines by an engine.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use chuhe::board::{Move, Position};
use chuhe::book::{About, Candidate, NativeBook, Record, canonical};
use clap::Args;

use super::engine::{EngineArguments, progress};
use super::outputs;
use super::position::read_fen;
use crate::analysis::{Analyst, Line, gap, weight};
use crate::file;

/// Extend the lines of a book by an engine's analysis
///
/// Searches positions where the book ends, beginning with those that are reached by good play of both sides: a line costs the
/// centipawns by which its moves were worse than the best, and --step for every ply; the cheapest lines are extended. Every
/// move within the margin is added with its score and a weight of 100 for the best, less for others. Without a book it
/// begins with an empty one. Results are kept in a journal beside the new book until it is written, so an interrupted
/// command can be resumed with --resume; the book depends neither on --jobs nor on interruptions, as far as the engine itself
/// is deterministic.
///
/// With --repertoire one side of a line plays the best moves only, and the other side all within the margin; both colours have
/// such lines. So lines are longer, and no search is spent on positions that the owner of the book does not play.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools grow -o new.book --engine ./chuhe --proto uci --nodes 200000 --positions 500 --plies 14 --jobs 4
  book-tools grow my.book -o larger.book --engine ./eleeye --depth 12 --positions 10000 --resume
  book-tools grow first.book -o mine.book --engine ./chuhe --proto uci --nodes 200000 --positions 5000 --repertoire")]
pub(super) struct Grow {
    /// A book
    book: Option<PathBuf>,
    /// Book to write
    #[arg(short, long)]
    out: PathBuf,
    /// Position in which the lines begin: a FEN
    #[arg(long, value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Number of positions to search
    #[arg(long, value_name = "N", default_value_t = 100)]
    positions: usize,
    /// Maximum length of a line, in plies
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: u16,
    /// Number of moves of a position; a move and its mirror image count as one where the position is symmetric
    #[arg(long, value_name = "N", default_value_t = 4)]
    moves: usize,
    /// Maximum centipawns by which a move may be worse than the best
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 30)]
    margin: u16,
    /// Cost of a ply, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 4)]
    step: u32,
    /// One side of each line plays the best moves only
    #[arg(long)]
    repertoire: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Side to move at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Turn {
    /// Either side plays all good moves.
    Any,
    /// The side that plays the best moves only.
    Owner,
    /// The other side of such a line.
    Opponent,
}

impl Turn {
    fn next(self) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::Owner => Self::Opponent,
            Self::Opponent => Self::Owner,
        }
    }
}

/// Positions that are searched before the next ones are selected. The number is constant, so that the book does not depend
/// on the number of engines.
const ROUND: usize = 16;

/// End of a line.
struct End {
    position: Position,
    turn: Turn,
    ply: u16,
}

/// Key of a position, and whose turn it is.
type Place = (u64, Turn);

/// Lines with their costs.
struct Tree {
    waiting: BinaryHeap<Reverse<(u32, Place)>>,
    ends: HashMap<Place, End>,
    seen: HashSet<Place>,
}

impl Grow {
    pub(super) fn run(self) -> Result<()> {
        let inputs: Vec<&Path> = self.book.iter().map(PathBuf::as_path).collect();
        outputs::check_native(&self.out, &inputs)?;
        ensure!(
            self.moves > 0 && self.positions > 0 && self.plies > 0,
            "--moves 0, --positions 0 or --plies 0: nothing would grow"
        );
        let book = self.book.as_deref().map(file::open_native).transpose()?;
        let about = book.as_ref().map_or_else(About::default, |book| book.layout().about);
        let mut analyst = self.engine.analyst(&self.out, &inputs, about.symmetry, self.moves, self.margin)?;
        let bar = progress(self.positions)?;
        let mut new = self.search(book.as_ref(), &mut analyst, about, &bar)?;
        bar.finish_and_clear();
        let positions = new.chunk_by(|a, b| a.key == b.key).count();
        let added = new.len();
        // A move that is forbidden in the book stays forbidden.
        new.extend(book.iter().flat_map(NativeBook::records));
        let about = About { max_ply: about.max_ply.max(self.plies), ..about };
        file::write(&self.out, about, file::in_order(new).into_iter().map(Ok))?;
        analyst.finish()?;
        say!("{}: {added} moves of {positions} positions are new", self.out.display())?;
        Ok(())
    }

    /// Returns the new moves.
    fn search(
        &self,
        book: Option<&NativeBook>,
        analyst: &mut Analyst,
        about: About,
        bar: &indicatif::ProgressBar,
    ) -> Result<Vec<Record>> {
        let mut tree = Tree { waiting: BinaryHeap::new(), ends: HashMap::new(), seen: HashSet::new() };
        let start = read_fen(&self.fen)?;
        let key = |position: &Position| canonical(position, about.symmetry).0;
        let turns: &[Turn] = if self.repertoire { &[Turn::Owner, Turn::Opponent] } else { &[Turn::Any] };
        turns.iter().for_each(|&turn| tree.enter(key(&start), 0, End { position: start, turn, ply: 0 }));
        let (mut new, mut searched) = (vec![], HashSet::new());
        let mut left = self.positions;
        loop {
            let (mut unknown, mut positions, mut keys) = (vec![], vec![], HashSet::new());
            while positions.len() < ROUND.min(left)
                && let Some((cost, end)) = tree.cheapest()
            {
                let known = book.map(|book| book.candidates(&end.position)).unwrap_or_default();
                if !known.is_empty() {
                    self.branch(&mut tree, cost, &end, &moves_of_book(&known), key);
                } else if searched.contains(&key(&end.position)) {
                    self.branch(&mut tree, cost, &end, &analysed(analyst, &end.position, about), key);
                } else {
                    // A position may wait for either turn, but is searched once.
                    if keys.insert(key(&end.position)) {
                        positions.push(end.position);
                    }
                    unknown.push((cost, end));
                }
            }
            if unknown.is_empty() {
                return Ok(new);
            }
            left -= positions.len();
            analyst.think(&positions, bar)?;
            for (cost, end) in unknown {
                if searched.insert(key(&end.position)) {
                    new.extend(self.records(analyst, &end.position, about));
                }
                self.branch(&mut tree, cost, &end, &analysed(analyst, &end.position, about), key);
            }
        }
    }

    /// Returns the records of an analysed position.
    fn records(&self, analyst: &Analyst, position: &Position, about: About) -> Vec<Record> {
        let key = canonical(position, about.symmetry).0;
        let record = |(line, mv, worse)| scored(Record::new(key, mv, weight(worse, self.margin)), line);
        lines(analyst, position, about).map(record).collect()
    }

    /// Enters the positions after these moves, each with the centipawns by which it is worse than the best.
    fn branch(&self, tree: &mut Tree, cost: u32, end: &End, moves: &[(Move, i32)], key: impl Fn(&Position) -> u64) {
        if end.ply + 1 >= self.plies {
            return;
        }
        let most = if end.turn == Turn::Owner { 0 } else { self.margin.into() };
        for &(mv, worse) in moves.iter().filter(|(_, worse)| *worse <= most) {
            let position = end.position.play(mv);
            if position.has_legal_move() {
                let cost = cost.saturating_add(worse.unsigned_abs()).saturating_add(self.step);
                tree.enter(key(&position), cost, End { position, turn: end.turn.next(), ply: end.ply + 1 });
            }
        }
    }
}

impl Tree {
    /// Enters a position on its first visit, which is the cheapest, except for a few centipawns within a round.
    fn enter(&mut self, key: u64, cost: u32, end: End) {
        let place = (key, end.turn);
        if self.seen.insert(place) {
            self.waiting.push(Reverse((cost, place)));
            self.ends.insert(place, end);
        }
    }

    fn cheapest(&mut self) -> Option<(u32, End)> {
        let Reverse((cost, place)) = self.waiting.pop()?;
        Some((cost, self.ends.remove(&place)?))
    }
}

/// Returns the lines of an analysed position, with the move in the stored position and the centipawns by which it is worse than
/// the best. The journal is checked like any input.
fn lines<'a>(
    analyst: &'a Analyst,
    position: &Position,
    about: About,
) -> impl Iterator<Item = (&'a Line, Move, i32)> + use<'a> {
    let (position, (key, frame)) = (*position, canonical(position, about.symmetry));
    let lines = analyst.lines(key).unwrap_or_default();
    let best = lines.iter().filter_map(|line| line.eval).map(|(score, _)| score).max();
    let legal = move |line: &Line| line.turned_move().filter(|&mv| position.is_legal(frame.apply(mv)));
    lines.iter().filter_map(move |line| Some((line, legal(line)?, worse(line, best))))
}

/// Returns the moves of an analysed position, with the centipawns by which they are worse than the best.
fn analysed(analyst: &Analyst, position: &Position, about: About) -> Vec<(Move, i32)> {
    let frame = canonical(position, about.symmetry).1;
    lines(analyst, position, about).map(|(_, mv, worse)| (frame.apply(mv), worse)).collect()
}

fn worse(line: &Line, best: Option<i16>) -> i32 {
    line.eval.zip(best).map_or(0, |((score, _), best)| gap(best, score))
}

fn scored(record: Record, line: &Line) -> Record {
    line.eval.map_or(record, |(score, depth)| record.scored(score, depth))
}

/// Returns the moves of the book, with the centipawns by which scored ones are worse than the best.
fn moves_of_book(known: &[Candidate]) -> Vec<(Move, i32)> {
    let score = |candidate: &Candidate| candidate.score().map(|score| score.to_table(0));
    let best = known.iter().filter_map(score).max();
    let worse = |candidate| score(candidate).zip(best).map_or(0, |(score, best)| gap(best, score));
    known.iter().map(|candidate| (candidate.mv, worse(candidate))).collect()
}
