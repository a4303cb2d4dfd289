//! Options and their values, valid or not.

use chuhe::engine::event::Dialect;

use super::User;
use super::words::{PATHS, SILENT_NAMES};
use crate::reply::{Announced, Kind};

impl User<'_> {
    /// Sets an announced option, or one that is only accepted, to a valid or invalid value.
    pub(super) fn set_option(&mut self) {
        let menu = if self.chance(80) == (self.dialect == Dialect::Ucci) { &self.menu.ucci } else { &self.menu.uci };
        if menu.is_empty() || self.chance(8) {
            return self.set_silent_option();
        }
        let Announced { name, kind } = menu[self.turn % menu.len()].clone();
        self.turn += 1;
        let value = self.value(&name, &kind);
        let is_word = !name.contains(' ');
        let line = match value {
            None if is_word && self.chance(70) => format!("setoption {name}"),
            None => format!("setoption name {name}"),
            Some(value) if is_word && self.chance(60) => format!("setoption {name} {value}"),
            Some(value) => format!("setoption name {name} value {value}"),
        };
        self.say(&line);
    }

    pub(super) fn set_silent_option(&mut self) {
        let line = match self.dice.below(4) {
            0 => {
                let (worth, fen) = (self.small(0, 3000), self.position.to_fen());
                format!("setoption name UCI_SetPositionValue value {worth} {fen}")
            }
            1 => "setoption name UCI_SetPositionValue value clearall".to_owned(),
            _ => {
                let name = self.dice.pick(SILENT_NAMES);
                format!("setoption {name} {}", self.dice.pick(&["true", "false", "large", "none", ""]))
            }
        };
        self.say(&line);
    }

    pub(super) fn value(&mut self, name: &str, kind: &Kind) -> Option<String> {
        if self.chance(4) {
            return Some(self.dice.pick(&["maybe", "abc", "2.5", "-", "\u{5f08}", "99999999999999999999"]).to_owned());
        }
        Some(match kind {
            Kind::Button => return None,
            Kind::Check => self.dice.pick(&["true", "false", "on", "off", "TRUE"]).to_owned(),
            Kind::Combo(choices) => choices[self.dice.below(choices.len())].clone(),
            &Kind::Spin(min, max) => self.number(min, max).to_string(),
            Kind::Text if ["file", "evalapi"].iter().any(|word| name.to_ascii_lowercase().contains(word)) => {
                self.path()
            }
            Kind::Text => {
                self.dice.pick(&["", "<empty>", "none 2800 computer B", "GM 2500 human A Player", "x"]).to_owned()
            }
        })
    }

    pub(super) fn number(&mut self, min: i64, max: i64) -> i64 {
        let span = usize::try_from(max - min).unwrap_or_default();
        let offset = match self.dice.below(10) {
            0 => 0,
            1 => span,
            2 => return min - 1,
            3 => return max + 1,
            4..8 => self.small(0, span.min(10)),
            _ => self.dice.below(span + 1),
        };
        min + i64::try_from(offset).unwrap_or_default()
    }

    pub(super) fn path(&mut self) -> String {
        self.dice.pick(PATHS).to_owned()
    }
}
