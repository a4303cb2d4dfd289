//! The page in a browser: `cargo test -p chuhe-board --test browser -- --ignored`, with `chromium` or the browser that
//! `CHROMIUM` names. `ci/board.sh` runs them; those that begin with `short` make its short form.

mod access;
mod analyse;
mod attacks;
mod driver;
mod engines;
mod exchange;
mod live_match;
mod pictures;
mod play;
mod speed;
mod watch;
