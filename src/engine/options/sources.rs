//! Options that name files of knowledge: opening books and endgame tablebases.

use std::ffi::OsString;

use super::spec::{Change, OptionKind, OptionSpec};
use crate::book::EMBEDDED;

/// Files of the opening book.
pub(super) const BOOK_FILES: OptionSpec = OptionSpec {
    ucci: Some("bookfiles"),
    uci: Some("Book Files"),
    also: &["bookfile"],
    kind: OptionKind::Path {
        default: EMBEDDED,
        store: |options, files| options.book.files = files.map_or_else(OsString::new, Into::into),
    },
    change: Change::Book,
    about: "book files, separated by `;`; the first that knows a position is used; `<embedded>`: the book in the program; empty: none",
};

/// Whether endgame tablebases are probed.
pub(super) const ENDGAMES_USED: OptionSpec = OptionSpec {
    ucci: Some("useegtb"),
    uci: Some("UseEgtb"),
    also: &[],
    kind: OptionKind::Check { default: true, store: |options, on| options.uses_endgames = on },
    change: Change::Setting,
    about: "use endgame tablebases",
};

/// Folders of the endgame tablebases.
pub(super) const ENDGAME_FOLDERS: OptionSpec = OptionSpec {
    ucci: Some("egtbpaths"),
    uci: Some("EgtbPaths"),
    also: &["egtbpath"],
    kind: OptionKind::Path {
        default: "",
        store: |options, folders| options.endgame_folders = folders.map_or_else(OsString::new, Into::into),
    },
    change: Change::Endgames,
    about: "folders of endgame tablebases besides those in the program, separated by `;`; `chuhe-endgame` makes them",
};
