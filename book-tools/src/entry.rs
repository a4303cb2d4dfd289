//! What a book says of one move in one position, whatever its format.

use chuhe::board::{Move, Position};
use chuhe::book::{EleEyeRecord, Locks, NativeBook, Record, Source, Symmetry, canonical};

/// A legal move as it stands on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The move.
    pub mv: Move,
    /// How often it is to be chosen, relative to the others.
    pub weight: u16,
    /// Score in centipawns for the mover, as a [`Record`] has it, and depth in plies.
    pub eval: Option<(i16, u8)>,
    /// Whether it is never to be played from a book. The opponent may play it nevertheless.
    pub forbidden: bool,
}

impl Entry {
    /// The record of this move under a key whose position has it as `mv`.
    pub fn record(&self, key: u64, mv: Move) -> Record {
        let record = Record::new(key, mv, self.weight).forbidden(self.forbidden);
        self.eval.map_or(record, |(score, depth)| record.scored(score, depth))
    }
}

/// All legal moves that a book has for a position, those that it forbids too.
pub fn entries(book: &Source, position: &Position) -> Vec<Entry> {
    match book {
        Source::Native(book) => native(book, position),
        Source::EleEye(book) => {
            let candidates = book.candidates(position).into_iter();
            candidates.map(|it| Entry { mv: it.mv, weight: it.weight, eval: None, forbidden: false }).collect()
        }
    }
}

/// Whether a book has moves for a position. Keys of ElephantEye are short: only a position in which all moves under such a
/// key are legal is taken for the one that is meant.
pub fn knows(book: &Source, position: &Position) -> bool {
    shelf(book, position).is_some()
}

/// Where a book keeps the moves of a position, and how many of those are legal: no key if it has none.
pub fn shelf(book: &Source, position: &Position) -> Option<(u64, usize)> {
    let (key, legal) = match book {
        Source::Native(book) => {
            let (key, frame) = canonical(position, book.layout().about.symmetry);
            let moves = book.records_of_key(key).iter().map(|record| record.turned_move().map(|mv| frame.apply(mv)));
            (key, count_legal(moves, position, book.layout().about.symmetry == Symmetry::EleEye))
        }
        Source::EleEye(book) => {
            let own = |position: &Position| {
                let lock = Locks::of(position).lock1;
                let moves = book.records_of_lock(lock).iter().map(EleEyeRecord::mv);
                (u64::from(lock), count_legal(moves, position, true))
            };
            let straight = own(position);
            if straight.1 > 0 { straight } else { own(&position.mirrored()) }
        }
    };
    (legal > 0).then_some((key, legal))
}

/// How many of these moves are legal; none if all must be and one is not.
fn count_legal(moves: impl Iterator<Item = Option<Move>>, position: &Position, all: bool) -> usize {
    let (legal, others): (Vec<bool>, Vec<bool>) =
        moves.map(|mv| mv.is_some_and(|mv| position.is_legal(mv))).partition(|legal| *legal);
    if all && !others.is_empty() { 0 } else { legal.len() }
}

fn native(book: &NativeBook, position: &Position) -> Vec<Entry> {
    let (key, frame) = canonical(position, book.layout().about.symmetry);
    let entry = |record: &Record| {
        let mv = frame.apply(record.turned_move()?);
        let Record { weight, .. } = *record;
        let entry = Entry { mv, weight, eval: record.eval(), forbidden: record.is_forbidden() };
        position.is_legal(mv).then_some(entry)
    };
    book.records_of_key(key).iter().filter_map(entry).collect()
}
