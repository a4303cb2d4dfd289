//! Option values with a form of their own.

use crate::board::{Position, Variant};
use crate::search::PositionValues;

/// Style of play: how much risk the engine takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// A draw is welcome, an attack worth less than it seems.
    Solid,
    /// Draws and attacks count as search and evaluation see them.
    #[default]
    Normal,
    /// A draw is to be avoided, an attack worth more than it seems.
    Risky,
}

/// The opponent, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opponent {
    /// Rating, if known.
    pub elo: Option<i32>,
    /// Whether it is a program rather than a person.
    pub is_computer: bool,
}

impl Opponent {
    /// Parses UCI's `none|title none|elo computer|human name`; none if the text has another form.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace().skip(1);
        let elo = words.next()?;
        let elo = if elo.eq_ignore_ascii_case("none") { None } else { Some(elo.parse().ok()?) };
        let is_computer = match words.next()?.to_ascii_lowercase().as_str() {
            "computer" => true,
            "human" => false,
            _ => return None,
        };
        Some(Self { elo, is_computer })
    }
}

/// Carries out `[value] N FEN`, `clear FEN` and `clearall`: the position is worth N centipawns to Red. A `+` before the FEN is
/// skipped. Returns whether the text was understood.
pub(super) fn set_position_value(values: &mut PositionValues, text: &str, variant: Variant) -> bool {
    let mut words = text.split_whitespace().filter(|&word| word != "+").peekable();
    words.next_if(|word| word.eq_ignore_ascii_case("value"));
    let Some(verb) = words.next() else { return false };
    if verb.eq_ignore_ascii_case("clearall") {
        values.clear();
        return true;
    }
    let fen = words.collect::<Vec<_>>().join(" ");
    let Ok(position) = Position::from_fen_in(&fen, variant) else { return false };
    if verb.eq_ignore_ascii_case("clear") {
        values.remove(&position.key());
        return true;
    }
    let Ok(centipawns) = verb.parse::<i32>() else { return false };
    values.insert(position.key(), centipawns);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;

    #[test]
    fn opponents_are_read_as_uci_writes_them() {
        let of = |elo, is_computer| Some(Opponent { elo, is_computer });
        assert_eq!(Opponent::read("GM 2800 human Xu Yinchuan"), of(Some(2800), false));
        assert_eq!(Opponent::read("none none computer Pikafish"), of(None, true));
        assert_eq!(Opponent::read("none 3100 Computer"), of(Some(3100), true));
        for text in ["", "GM", "none none", "none x computer", "none none robot"] {
            assert_eq!(Opponent::read(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_dictated_and_taken_back() {
        let mut values = PositionValues::new();
        let mut order = |text: &str| {
            let understood = set_position_value(&mut values, text, Variant::Standard);
            (understood, values.values().copied().collect::<Vec<_>>())
        };
        assert_eq!(order(&format!("value 35 {START_FEN}")), (true, vec![35]));
        assert_eq!(order(&format!("-20 + {START_FEN}")), (true, vec![-20]));
        for wrong in ["", "value", "value 7", "value x 9/9 w", "clear", "12 xyz", "clear xyz"] {
            assert_eq!(order(wrong), (false, vec![-20]), "{wrong}");
        }
        assert_eq!(order(&format!("clear {START_FEN}")), (true, vec![]));
        order(&format!("1 {START_FEN}"));
        assert_eq!(order("clearall"), (true, vec![]));
    }
}
