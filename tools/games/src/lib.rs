//! Game files, and journals of games in progress. Depends on positions, moves and notations, but not on engines, matches or
//! the building of books.
//!
//! From the highest layer down:
//!
//! * [`openings`] reads the openings of games: lists of positions, first moves of games, walks through a book.
//! * [`files`] detects the format of a file, and [`pieces`] reads large files in parts.
//! * [`pgn`], [`xqf`], [`ccbridge`], [`dhtmlxq`], [`che`], [`mxq`], [`list`] and [`played`] read one format each; `parts` and
//!   `tree` have what they share.
//! * [`encoding`] decodes texts; [`game`] is a game as it is read, [`record`] a game that the arena has played.
//! * [`journal`] is a list of lines on disk, [`live`] has the games under way beside it, and [`json`] parses a line; [`outputs`]
//!   checks the paths that a command writes to, [`replace`] puts a file in the place of another; [`page`] shows games in a
//!   browser.

pub mod ccbridge;
pub mod che;
pub mod dhtmlxq;
pub mod encoding;
pub mod files;
pub mod game;
pub mod journal;
pub mod json;
pub mod list;
pub mod live;
pub mod mxq;
pub mod openings;
pub mod outputs;
pub mod page;
mod parts;
pub mod pgn;
pub mod pieces;
pub mod played;
pub mod record;
pub mod replace;
mod tree;
pub mod xqf;
