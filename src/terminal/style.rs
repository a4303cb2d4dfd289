//! Characters and language of a terminal.

use std::env;

use crate::engine::event::Pieces;
use crate::engine::options::Language;
use crate::help::is_chinese;

/// Style of a terminal's output: its pieces and the user's language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) pieces: Pieces,
    pub(super) language: Language,
}

impl Style {
    /// Returns the style of the locale. Chinese needs a terminal that shows its characters.
    pub(super) fn of_locale() -> Self {
        Self::new(pieces_of_locale())
    }

    /// Returns the style of a terminal that shows these pieces.
    pub(super) fn new(pieces: Pieces) -> Self {
        let is_chinese = pieces == Pieces::Chinese && is_chinese();
        Self { pieces, language: if is_chinese { Language::Chinese } else { Language::English } }
    }
}

/// Returns Chinese pieces if the locale can show them, otherwise letters.
pub(super) fn pieces_of_locale() -> Pieces {
    let of = |name| env::var(name).ok().filter(|value| !value.is_empty());
    pieces_in(&["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(of).unwrap_or_default())
}

fn pieces_in(locale: &str) -> Pieces {
    let locale = locale.to_ascii_lowercase();
    if locale.contains("utf-8") || locale.contains("utf8") { Pieces::Chinese } else { Pieces::Letters }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_between_characters_and_letters() {
        assert_eq!((pieces_in("zh_CN.UTF-8"), pieces_in("C.utf8")), (Pieces::Chinese, Pieces::Chinese));
        assert_eq!((pieces_in("C"), pieces_in("zh_CN.GB18030")), (Pieces::Letters, Pieces::Letters));
    }
}
