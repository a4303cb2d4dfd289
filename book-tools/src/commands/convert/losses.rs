//! What a conversion cannot carry, by reason.

use std::collections::HashSet;

use chuhe::board::Position;
use chuhe::book::Source;

use crate::binghe::Database;
use crate::entry::{Entry, shelf};

/// Counts of what has been left behind.
#[derive(Default)]
pub(super) struct Losses {
    walked: bool,
    /// Where the book keeps the positions that were reached, and how many of their moves are legal.
    reached: HashSet<u64>,
    legal: usize,
    /// Moves that the target has no place for.
    pub(super) forbidden: usize,
    /// Scores that it has no place for.
    pub(super) scores: usize,
    /// Moves whose weight gave way to that of the same move with the colours exchanged.
    pub(super) exchanged: usize,
    /// Rows that say something else of a move that another row has.
    pub(super) repeated: usize,
    /// Moves under a short key that another position has too.
    pub(super) collisions: usize,
}

impl Losses {
    /// Positions are looked for.
    pub(super) fn begin_walk(&mut self) {
        self.walked = true;
    }

    /// Whether positions were looked for.
    pub(super) fn has_walked(&self) -> bool {
        self.walked
    }

    /// Notes a position of a book that was reached.
    pub(super) fn reach(&mut self, book: &Source, position: &Position) {
        if let Some((key, legal)) = shelf(book, position)
            && self.reached.insert(key)
        {
            self.legal += legal;
        }
    }

    /// Notes what a `BOOK.DAT` does not say of these moves.
    pub(super) fn leave_for_dat<'a>(&mut self, entries: impl IntoIterator<Item = &'a Entry>) {
        for entry in entries {
            self.forbidden += usize::from(entry.forbidden);
            self.scores += usize::from(entry.eval.is_some() && !entry.forbidden);
        }
    }

    /// All of it, a line for each reason. A book is named if positions were looked for in it.
    pub(super) fn told(&self, walked: Option<&Source>, database: Option<&Database>) -> Vec<String> {
        let (unreached, illegal) = walked.map_or((0, 0), |book| {
            let unreached = moves_by_key(book).filter(|(key, _)| !self.reached.contains(key)).map(|(_, moves)| moves);
            let unreached = unreached.sum::<usize>();
            (unreached, book.len() - unreached - self.legal)
        });
        let counts = [
            (unreached, "moves of positions to which no way was found from the start (--fen names others)"),
            (illegal, "moves that are not legal"),
            (self.forbidden, "forbidden moves"),
            (self.scores, "scores"),
            (self.repeated, "rows that repeat a move"),
            (self.exchanged, "weights of moves that the other colour has too (--one-sided keeps both)"),
            (self.collisions, "moves whose short key another position has too"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        counts.chain(database.into_iter().flat_map(Database::losses)).collect()
    }
}

/// The keys of a book as [`shelf`] has them, and how many moves stand under each.
fn moves_by_key(book: &Source) -> impl Iterator<Item = (u64, usize)> {
    let (native, eleeye) = match book {
        Source::Native(book) => (book.records(), &[][..]),
        Source::EleEye(book) => (&[][..], book.records()),
    };
    let native = native.chunk_by(|a, b| a.key == b.key).map(|moves| (moves[0].key, moves.len()));
    let eleeye = eleeye.chunk_by(|a, b| a.lock() == b.lock()).map(|moves| (u64::from(moves[0].lock()), moves.len()));
    native.chain(eleeye)
}
