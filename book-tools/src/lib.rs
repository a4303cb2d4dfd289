//! Tools for the engine's opening books: building, changing, checking and printing them.
//!
//! From the highest layer down:
//!
//! * [`commands`] defines the commands of the command line, one file each.
//! * [`build`] makes a book from games: they are read, their moves become [tuples](mod@tuple), [`sort`] sorts those
//!   in bounded memory, [`aggregate`] counts them in a [`group`] per move and makes records of the groups.
//! * [`columns`] stores tuples and groups as Parquet files, for SQL engines.
//! * [`analysis`] runs engines on positions, and enters their results in a journal.
//! * [`binghe`] reads and writes the databases of graphical interfaces, [`cloud`] the answers of chessdb.cn.
//! * [`text`] and [`walk`] present books as lines and as trees, [`progress`] shows the progress of a walk, [`catalogue`] and
//!   [`bloom`] find out which positions a book has,
//!   [`entry`](mod@entry) is a move of a book of any format; [`file`](mod@file) opens and writes books.
//!
//! Games, journals and the replacement of files come from [`chuhe_games`], engines from
//! [`chuhe_engines`].

pub mod aggregate;
pub mod analysis;
pub mod binghe;
pub mod bloom;
pub mod build;
pub mod catalogue;
pub mod cloud;
pub mod columns;
pub mod commands;
pub mod entry;
pub mod file;
pub mod group;
pub mod progress;
pub mod sort;
pub mod text;
pub mod tuple;
pub mod walk;
