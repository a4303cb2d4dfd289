//! The tables that are part of the program, for which the README of `tools/endgame` has the command.

/// An archive of tables.
pub(super) static FILE: &[u8] = include_bytes!("embedded.tables");
