//! Entry of a book of any format: one move in one position.

use chuhe::board::{Move, Position};
use chuhe::book::{Candidate, EleEyeRecord, Locks, NativeBook, Record, Source, Symmetry, canonical};

/// A legal move in the orientation of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Move.
    pub mv: Move,
    /// Weight: relative frequency with which the move is chosen.
    pub weight: u16,
    /// Score in centipawns for the mover, as in a [`Record`], and depth in plies.
    pub eval: Option<(i16, u8)>,
    /// Whether the move is never to be played from the book. The opponent may still play it.
    pub forbidden: bool,
}

impl Entry {
    /// Returns the record of this move under a key whose position has it as `mv`.
    pub fn record(&self, key: u64, mv: Move) -> Record {
        let record = Record::new(key, mv, self.weight).forbidden(self.forbidden);
        self.eval.map_or(record, |(score, depth)| record.scored(score, depth))
    }
}

/// Returns all legal moves of a book in a position, including forbidden ones.
pub fn entries(book: &Source, position: &Position) -> Vec<Entry> {
    match book {
        Source::Native(book) => native(book, position),
        Source::EleEye(book) => {
            let candidates = book.candidates(position).into_iter();
            candidates.map(|it| Entry { mv: it.mv, weight: it.weight, eval: None, forbidden: false }).collect()
        }
        Source::Binghe(book) => {
            let entry = |(found, is_valid): (Candidate, bool)| Entry {
                mv: found.mv,
                weight: found.weight,
                eval: found.eval.map(|(score, depth)| (score.to_table(0), depth)),
                forbidden: !is_valid,
            };
            book.moves(position).map(entry).collect()
        }
    }
}

/// Whether a book has moves for a position. ElephantEye's keys are short, so a position counts as the right one only if all
/// moves under its key are legal.
pub fn knows(book: &Source, position: &Position) -> bool {
    key_and_moves(book, position).is_some()
}

/// Returns the key of a position's moves in a book, and the number of legal ones; `None` if there are none.
pub fn key_and_moves(book: &Source, position: &Position) -> Option<(u64, usize)> {
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
        Source::Binghe(book) => (canonical(position, Symmetry::Mirror).0, book.moves(position).count()),
    };
    (legal > 0).then_some((key, legal))
}

/// Returns the keys of a book as in [`key_and_moves`], with the number of moves of each; those of a database are as stored.
pub fn moves_by_key(book: &Source) -> impl Iterator<Item = (u64, usize)> {
    let (native, eleeye, binghe) = match book {
        Source::Native(book) => (book.records(), &[][..], None),
        Source::EleEye(book) => (&[][..], book.records(), None),
        Source::Binghe(book) => (&[][..], &[][..], Some(book.moves_by_key())),
    };
    let native = native.chunk_by(|a, b| a.key == b.key).map(|moves| (moves[0].key, moves.len()));
    let eleeye = eleeye.chunk_by(|a, b| a.lock() == b.lock()).map(|moves| (u64::from(moves[0].lock()), moves.len()));
    native.chain(eleeye).chain(binghe.into_iter().flatten())
}

/// Returns the number of legal moves; 0 if `all` must be legal and one is not.
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
