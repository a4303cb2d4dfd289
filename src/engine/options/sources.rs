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
    about: "files of the opening book, separated by `;`, the first that knows a position answers; `<embedded>`: the one in the program; empty: none",
};

/// Whether endgame tablebases are probed.
pub(super) const ENDGAMES_USED: OptionSpec = OptionSpec {
    ucci: Some("useegtb"),
    uci: Some("UseEgtb"),
    also: &[],
    kind: OptionKind::Check { default: true, store: |options, on| options.uses_endgames = on },
    change: Change::Setting,
    about: "ask the tables of endgames which moves win soonest and which ones lose",
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
    about: "folders with tables of endgames besides those in the program, separated by `;`; `chuhe-endgame` makes them",
};
