//! A match runner for Xiangqi engines that speak UCCI, UCI or the XBoard protocol.
//!
//! Modules, from the highest level down:
//!
//! * [`cli`] parses the command line into [`settings`], which are plain data.
//! * [`tournament`] runs a match: scheduling games and writing results. [`spsa`] tunes the options of an engine by games that
//!   it sets up itself.
//! * `preparation` checks everything before the first game of either, `judging` chooses the rules, `attempts` repeats games,
//!   [`outputs`] keeps files from being overwritten, and [`stop`] ends a run early.
//! * [`viewing`] shows a journal without its match, and [`merging`] joins the journals of its parts.
//! * [`serving`] shows a running match in a browser.
//! * [`schedule`] plans the games of a match, [`journal`] stores the finished ones, `seats` writes those under way beside it,
//!   [`output`] formats the progress, and [`screen`] prints it.
//! * `swiss` pairs the rounds of a Swiss tournament, and `tables` opens the endgame tablebases of the referee.
//! * `averages` of each engine, `ranking` of several, `checks` of variations and `standing_data` for programs belong to the
//!   output.
//! * `machine` describes the machine of a match.
//! * [`report`], [`stats`] and [`sprt`] evaluate finished games, independent of engines.
//! * [`game`] plays one game with its clocks and its referee, independent of the match.
//!
//! Engines are players of [`chuhe_engines`]; records, PGN and openings are those of [`chuhe_games`].

mod attempts;
mod averages;
mod checks;
pub mod cli;
mod epd_file;
mod fastchess;
pub mod game;
pub mod journal;
mod judging;
mod live;
mod machine;
#[cfg(test)]
mod made_up;
pub mod merging;
pub mod output;
pub mod outputs;
mod pgn_file;
mod preparation;
mod ranking;
pub mod report;
pub mod schedule;
pub mod screen;
mod seats;
pub mod serving;
pub mod settings;
pub mod speed;
pub mod sprt;
pub mod spsa;
mod standing;
mod standing_data;
pub mod stats;
pub mod stop;
mod summary;
mod swiss;
mod tables;
pub mod tournament;
pub mod viewing;
