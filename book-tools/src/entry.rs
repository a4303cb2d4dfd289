//! What a book says of one move in one position, whatever its format.

use chuhe::board::{Move, Position};
use chuhe::book::{NativeBook, Record, Source, canonical};

/// A legal move as it stands on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The move.
    pub mv: Move,
    /// How often it is to be chosen, relative to the others.
    pub weight: u16,
    /// Score in centipawns for the mover, as a [`Record`] has it, and depth in plies.
    pub eval: Option<(i16, u8)>,
    /// Whether it is never to be played. The opponent may play it nevertheless.
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
