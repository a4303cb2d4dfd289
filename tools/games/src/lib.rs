//! Games in files, and what is kept of those under way. Knows positions, moves and how they are written; knows no engine,
//! no match and no book under construction.
//!
//! Highest first:
//!
//! * [`openings`] knows where games begin: lists of positions, the first moves of games, walks through a book.
//! * [`files`] knows which format a file has, and [`pieces`] reads large ones a part at a time.
//! * [`pgn`], [`xqf`], [`dhtmlxq`], [`list`] and [`played`] know one format each; `placement` knows what two of them share.
//! * [`encoding`] knows the bytes of texts; [`game`] is a game as it is read, [`record`] one that the arena has played.
//! * [`journal`] is a list of lines on the disk, whatever they say, and [`json`] reads such a line; [`outputs`] says where a
//!   command may write, [`replace`] puts one file in the place of another; [`page`] is what people see of games in a browser.

pub mod dhtmlxq;
pub mod encoding;
pub mod files;
pub mod game;
pub mod journal;
pub mod json;
pub mod list;
mod numbers;
pub mod openings;
pub mod outputs;
pub mod page;
pub mod pgn;
pub mod pieces;
mod placement;
pub mod played;
pub mod record;
pub mod replace;
pub mod xqf;
