//! Endgame tablebases of a match: opening those that `-tb` names.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use chuhe::endgame::Tables;

use crate::game::TableReferee;
use crate::settings::TablesSpec;

/// Opens the tablebases; returns them with lines for the user: what cannot be used, and how many there are.
///
/// A folder without usable tables is not an error: match servers name folders of chess tablebases.
pub(crate) fn open(spec: &TablesSpec) -> (TableReferee, Vec<String>) {
    let (tables, errors) = Tables::open(OsStr::new(&semicolons(&spec.folders)));
    let mut lines: Vec<String> = errors.iter().map(|error| format!("-tb: {error}")).collect();
    let most = tables.materials().iter().map(|material| material.piece_count()).max().unwrap_or(0);
    let most = spec.most_pieces.map_or(most, |wanted| wanted.min(most));
    lines.push(format!("Tablebases: {}, for up to {most} pieces, end games that they know", tables.len()));
    let TablesSpec { most_pieces, decides, ignores_limit, .. } = *spec;
    (TableReferee { tables: Arc::new(tables), most_pieces, decides, ignores_limit }, lines)
}

/// Returns the list of folders with semicolons: on Unix fastchess separates them by colons.
fn semicolons(folders: &str) -> String {
    if cfg!(unix) && !folders.contains(';') && !Path::new(folders).exists() {
        folders.replace(':', ";")
    } else {
        folders.to_owned()
    }
}
