//! The tables that are part of the program; the manual's page on endgame tablebases has the command that makes them.

/// Archive of the embedded tables.
pub(super) static FILE: &[u8] = include_bytes!("embedded.tables");
