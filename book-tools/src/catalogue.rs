//! Fast lookup of whether a book has the positions after the moves of a position.

use chuhe::board::{Move, Position};
use chuhe::book::{KeysAfter, Source, Symmetry};

use crate::bloom::Bloom;
use crate::entry::knows;

/// A book with a set of its keys.
pub struct Catalogue<'a> {
    book: &'a Source,
    keys: Bloom,
}

impl<'a> Catalogue<'a> {
    /// Creates the catalogue of all positions of a book.
    pub fn new(book: &'a Source) -> Self {
        let keys = match book {
            Source::Native(book) => Bloom::of(book.records().iter().map(|record| record.key)),
            // In the same form as the keys of a native book.
            Source::EleEye(book) => Bloom::of(book.records().iter().map(|record| u64::from(record.lock()) << 32)),
            // Its keys are of another kind, and it is in memory: every move is looked up.
            Source::Binghe(_) => Bloom::of([].into_iter()),
        };
        Self { book, keys }
    }

    /// Whether the book has moves for a position; see [`knows`].
    pub fn knows(&self, position: &Position) -> bool {
        knows(self.book, position)
    }

    /// Returns the legal moves that may lead to positions of the book; all others do not.
    pub fn may_know_after(&self, position: &Position) -> Vec<Move> {
        let keys = KeysAfter::new(position, keys_of(self.book));
        match self.book {
            Source::Native(_) => self.keys.filter_moves(position, |mv| [keys.key(mv)]),
            Source::EleEye(_) => self.keys.filter_moves(position, |mv| keys.both(mv)),
            Source::Binghe(_) => {
                position.legal_moves().into_iter().filter(|&mv| self.knows(&position.play(mv))).collect()
            }
        }
    }
}

/// Returns the symmetry of a book's keys.
fn keys_of(book: &Source) -> Symmetry {
    match book {
        Source::Native(book) => book.layout().about.symmetry,
        Source::EleEye(_) => Symmetry::EleEye,
        Source::Binghe(_) => Symmetry::Mirror,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file;
    use chuhe::book::{About, EleEyeBook, EleEyeRecord, Locks, Record, canonical};

    /// Checks that the catalogue returns every move to a position of the book, and hardly any other.
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
            // The book may hold either orientation of a position.
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
