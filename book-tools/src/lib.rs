//! Everything around the engine's opening books: making, changing, checking and printing them.
//!
//! Highest first:
//!
//! * [`commands`] knows the words of the command line, one file a command.
//! * [`build`] knows how games become a book: they are read, their moves become [tuples](mod@tuple), [`sort`] brings those into
//!   order in bounded memory, [`aggregate`] counts them in a [`group`] for each move and makes records of these.
//! * [`columns`] knows tuples and groups as Parquet files, for SQL engines.
//! * [`analysis`] knows engines that think about positions, and enters what they find in a journal.
//! * [`binghe`] knows the databases of graphical interfaces.
//! * [`text`] and [`walk`] know books as lines and as trees, [`walking`] how far a walk is, [`catalogue`] and
//!   [`sieve`] which positions a book has,
//!   [`entry`](mod@entry) what a book of any format says of a move; [`file`](mod@file) knows how books are opened and written.
//!
//! Games come from [`chuhe_games`], which also knows journals and files that take the place of others; engines come from
//! [`chuhe_engines`].

pub mod aggregate;
pub mod analysis;
pub mod binghe;
pub mod build;
pub mod catalogue;
pub mod columns;
pub mod commands;
pub mod entry;
pub mod file;
pub mod group;
pub mod sieve;
pub mod sort;
pub mod text;
pub mod tuple;
pub mod walk;
pub mod walking;
