//! Endgame tablebases as referee: they end a game whose result they know.

use std::sync::Arc;

use chuhe::board::{Position, Side};
use chuhe::endgame::{Material, Outcome, Tables};
use chuhe::rules::{Rules, plies_left};

/// Results that the tablebases decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decides {
    /// Wins and draws.
    #[default]
    Both,
    /// Wins only.
    Wins,
    /// Draws only.
    Draws,
}

/// Endgame tablebases with the conditions of their use.
#[derive(Clone, Debug)]
pub struct TableReferee {
    /// Tablebases.
    pub tables: Arc<Tables>,
    /// Largest number of pieces, kings included, of a position that is decided; `None` for any.
    pub most_pieces: Option<u8>,
    /// Results that are decided.
    pub decides: Decides,
    /// Whether a win counts that the move limit of the rules may prevent.
    pub ignores_limit: bool,
}

impl PartialEq for TableReferee {
    fn eq(&self, other: &Self) -> bool {
        let key = |referee: &Self| (referee.tables.id(), referee.most_pieces, referee.decides, referee.ignores_limit);
        key(self) == key(other)
    }
}

/// Result of a game by the tablebases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TableVerdict {
    /// Side that loses; `None` for a draw.
    pub(crate) loser: Option<Side>,
    /// The table.
    pub(crate) text: String,
}

impl TableReferee {
    /// Returns the verdict on the last position of a game; `None` if the tables do not know it, if the move limit could come
    /// before a win, or if the result depends on the rules of repetition.
    pub(crate) fn verdict(&self, positions: &[Position], rules: &Rules) -> Option<TableVerdict> {
        let last = positions.last().filter(|last| self.tables.may_know(last))?;
        let (material, _) = Material::of(last);
        if self.most_pieces.is_some_and(|most| material.piece_count() > most) {
            return None;
        }
        let limit = if self.ignores_limit { None } else { plies_left(positions, rules) };
        let loser = match self.tables.outcome_within(last, limit)? {
            Outcome::Win if self.decides != Decides::Draws => Some(!last.side()),
            Outcome::Loss if self.decides != Decides::Draws => Some(last.side()),
            Outcome::Draw if self.decides != Decides::Wins => None,
            Outcome::Win | Outcome::Loss | Outcome::Draw | Outcome::Open => return None,
        };
        Some(TableVerdict { loser, text: format!("tablebase {material}") })
    }
}

#[cfg(test)]
mod tests {
    use chuhe::rules::RuleSet;

    use super::*;

    fn referee() -> TableReferee {
        let tables = Arc::clone(Tables::embedded());
        TableReferee { tables, most_pieces: None, decides: Decides::Both, ignores_limit: false }
    }

    fn verdict(referee: &TableReferee, fen: &str) -> Option<(Option<Side>, String)> {
        let position = Position::from_fen(fen).unwrap();
        referee.verdict(&[position], &RuleSet::Asian.rules()).map(|verdict| (verdict.loser, verdict.text))
    }

    const WON: &str = "5k3/9/9/9/9/9/9/9/9/R2K5 w";
    const DRAWN: &str = "3k5/4a4/5a3/9/9/9/9/9/N8/4K4 w";

    #[test]
    fn wins_and_draws_are_known_as_far_as_they_are_wanted() {
        let both = referee();
        assert_eq!(verdict(&both, WON), Some((Some(Side::Black), "tablebase KR-K".to_owned())));
        assert_eq!(verdict(&both, &WON.replace(" w", " b")), Some((Some(Side::Black), "tablebase KR-K".to_owned())));
        assert_eq!(verdict(&both, DRAWN).map(|found| found.0), Some(None));
        let (wins, draws) = (
            TableReferee { decides: Decides::Wins, ..referee() },
            TableReferee { decides: Decides::Draws, ..referee() },
        );
        assert_eq!([&wins, &draws].map(|judge| verdict(judge, WON).is_some()), [true, false]);
        assert_eq!([&wins, &draws].map(|judge| verdict(judge, DRAWN).is_some()), [false, true]);
        assert_eq!(verdict(&both, chuhe::board::START_FEN), None);
    }

    #[test]
    fn the_number_of_pieces_and_the_move_limit_are_heeded() {
        let of = |most_pieces| TableReferee { most_pieces: Some(most_pieces), ..referee() };
        assert_eq!([2, 3].map(|most| verdict(&of(most), WON).is_some()), [false, true]);
        let late = "5k3/9/9/9/9/9/9/9/9/R2K5 w - - 118 80";
        assert_eq!(verdict(&referee(), late), None, "the limit may come first");
        let endless = TableReferee { ignores_limit: true, ..referee() };
        assert!(verdict(&endless, late).is_some());
        assert_ne!(endless, referee());
    }
}
