//! Losses of a conversion, by reason.

use std::collections::HashSet;

use chuhe::board::Position;
use chuhe::book::Source;

use crate::binghe::Database;
use crate::entry::{Entry, key_and_moves, moves_by_key};

/// Numbers of lost moves, scores and rows.
#[derive(Default)]
pub(super) struct Losses {
    walked: bool,
    /// Keys of the reached positions in the book, and the number of their legal moves.
    reached: HashSet<u64>,
    legal: usize,
    /// Forbidden moves that the target cannot hold.
    pub(super) forbidden: usize,
    /// Scores that the target cannot hold.
    pub(super) scores: usize,
    /// Moves whose weight was replaced by that of the equivalent move with the colours exchanged.
    pub(super) exchanged: usize,
    /// Rows for a move that another row already has.
    pub(super) repeated: usize,
    /// Moves under a short key that another position has too.
    pub(super) collisions: usize,
}

impl Losses {
    /// Notes that positions are being searched.
    pub(super) fn begin_walk(&mut self) {
        self.walked = true;
    }

    /// Whether positions were searched.
    pub(super) fn has_walked(&self) -> bool {
        self.walked
    }

    /// Counts a position of a book as reached.
    pub(super) fn reach(&mut self, book: &Source, position: &Position) {
        if let Some((key, legal)) = key_and_moves(book, position)
            && self.reached.insert(key)
        {
            self.legal += legal;
        }
    }

    /// Counts the properties of these moves that a `BOOK.DAT` cannot hold.
    pub(super) fn leave_for_dat<'a>(&mut self, entries: impl IntoIterator<Item = &'a Entry>) {
        for entry in entries {
            self.forbidden += usize::from(entry.forbidden);
            self.scores += usize::from(entry.eval.is_some() && !entry.forbidden);
        }
    }

    /// Returns one line per kind of loss. `walked` is the book if its positions were searched.
    pub(super) fn describe(&self, walked: Option<&Source>, database: Option<&Database>) -> Vec<String> {
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
