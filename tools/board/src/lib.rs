//! A board in the browser: a server for one page, which plays, analyses, replays and watches games. `PROTOCOL.md` lists the
//! messages between the two.
//!
//! From the highest layer down:
//!
//! * [`cli`] reads the command line and runs the server.
//! * `server` accepts connections, `guard` decides which requests are answered, `page` holds the files of the page.
//! * `session` is one page: its requests, its engines, and the `outbox` of its messages; `app` is what all pages share.
//! * `engines` runs engines on threads: `tasks` are their searches, `annotation` is the analysis of whole games, `list` the
//!   user's file of engines.
//! * `journals` follows matches of the arena, `files` reads games and `export` writes them, `tree` is a game with variations
//!   and comments.
//! * `positions` answers questions about rules, `knowledge` about books and tablebases.
//! * `line`, `naming`, `score` and `refusal` are the common parts of messages, `request` their text.
#![forbid(unsafe_code)]

mod app;
mod chinese;
pub mod cli;
mod engines;
mod export;
mod files;
mod guard;
mod journals;
mod knowledge;
mod line;
mod naming;
mod outbox;
mod page;
mod positions;
mod refusal;
mod request;
mod score;
mod server;
mod session;
mod settings;
mod tree;
