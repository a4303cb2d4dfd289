//! Positions of a book, asked for behind all moves of many positions.

use chuhe::board::{Move, Position};
use chuhe::book::{KeysAfter, Source, Symmetry};

use crate::entry::knows;
use crate::sieve::Sieve;

/// The keys of a book, and the book.
pub struct Catalogue<'a> {
    book: &'a Source,
    keys: Sieve,
}

impl<'a> Catalogue<'a> {
    /// Catalogue of all positions of a book.
    pub fn new(book: &'a Source) -> Self {
        let keys = match book {
            Source::Native(book) => Sieve::of(book.records().iter().map(|record| record.key)),
            // As a book of ours has the same keys.
            Source::EleEye(book) => Sieve::of(book.records().iter().map(|record| u64::from(record.lock()) << 32)),
        };
        Self { book, keys }
    }

    /// Returns whether the book has moves for a position: [`knows`].
    pub fn knows(&self, position: &Position) -> bool {
        knows(self.book, position)
    }

    /// Returns the legal moves of a position behind which the book may have something; behind the others it has nothing.
    pub fn may_know_after(&self, position: &Position) -> Vec<Move> {
        let keys = KeysAfter::new(position, keys_of(self.book));
        match self.book {
            Source::Native(_) => self.keys.sift(position, |mv| [keys.key(mv)]),
            Source::EleEye(_) => self.keys.sift(position, |mv| keys.both(mv)),
        }
    }
}

/// Symmetry by which the keys of a book are made.
fn keys_of(book: &Source) -> Symmetry {
    match book {
        Source::Native(book) => book.layout().about.symmetry,
        Source::EleEye(_) => Symmetry::EleEye,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file;
    use chuhe::book::{About, EleEyeBook, EleEyeRecord, Locks, Record, canonical};

    /// Everything that the book has behind a move may be known, and hardly anything else.
    #[track_caller]
    fn assert_asks_for_few(book: &Source, start: &Position) {
        let catalogue = Catalogue::new(book);
        let may_know = catalogue.may_know_after(start);
        let may_know = |mv: Move| may_know.contains(&mv);
        let (mut known, mut asked) = (0, 0);
        for mv in start.legal_moves() {
            let is_known = catalogue.knows(&start.play(mv));
            assert!(may_know(mv) || !is_known, "{mv}");
            known += usize::from(is_known);
            asked += usize::from(may_know(mv));
        }
        assert!(known >= 4 && asked < known + 20, "{asked} asked, {known} known");
    }

    #[test]
    fn what_a_book_has_is_asked_for_whatever_its_keys() {
        let start = Position::start();
        let next = ["h2e2", "c3c4", "g0e2", "a0a1"].map(|mv| start.play(mv.parse().unwrap()));
        for symmetry in [Symmetry::MirrorAndColours, Symmetry::Mirror, Symmetry::EleEye] {
            let record = |position: &Position| {
                let (key, frame) = canonical(position, symmetry);
                Record::new(key, frame.apply("h9g7".parse().unwrap()), 1)
            };
            let records = file::in_order(next.iter().map(record).collect());
            let book = file::in_memory(About { symmetry, ..About::default() }, &records).unwrap();
            assert_asks_for_few(&Source::Native(book), &start);
        }
        let mut records: Vec<EleEyeRecord> = next
            .iter()
            .enumerate()
            // Either side of the mirror may be there.
            .map(|(index, position)| (index % 2 == 0, position))
            .map(|(mirrored, position)| {
                let (place, mv) = if mirrored { (position.mirrored(), "b9c7") } else { (*position, "h9g7") };
                EleEyeRecord::new(Locks::of(&place).lock1, mv.parse().unwrap(), 1)
            })
            .collect();
        records.sort_by_key(EleEyeRecord::order);
        let book = EleEyeBook::copied(bytemuck::cast_slice(&records)).unwrap();
        assert_asks_for_few(&Source::EleEye(book), &start);
    }
}
