//! Command line, and the life of the server.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result};
use chuhe::book::EMBEDDED;
use chuhe::dialogue::{self, Client};
use chuhe::help;
use chuhe::io::{Retrying, on_termination_request, write_stderr};
use chuhe_console::ending::INTERRUPTED;
use chuhe_console::live::say;
use chuhe_engines::{process, watchdog};
use chuhe_games::replace;
use clap::Parser;
use etcetera::BaseStrategy;

use crate::chinese::TEXTS;
use crate::engines::ENGINE_ARGUMENT;
use crate::server::Server;
use crate::settings::Settings;

const MANUAL: &str = "\
Examples:
  chuhe-board
  chuhe-board --journals matches
  chuhe-board --no-open --port 4000

Manual: docs/en/src/board.md (docs/zh/src/board.md in Chinese)";

/// Arguments with which this program is its own watchdog.
const DETACH: &str = "--watchdog-detach";
const WATCH: &str = "--watchdog-watch";

/// Shows a board in the browser: play, analyse, replay and watch games, with Chuhe and other engines.
#[derive(Parser)]
#[command(version, name = "chuhe-board", after_help = MANUAL)]
struct Arguments {
    /// Address to listen at; with the default only this computer reaches the page
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    listen: IpAddr,
    /// Port to listen at; 0: any that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Name by which browsers may reach the page, besides the address; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Print the address of the page, but do not open the browser
    #[arg(long)]
    no_open: bool,
    /// File of further engines, which the page can change [default: board.toml in the folder of settings]
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,
    /// Folder of the arena's journals, which the page can show and follow
    #[arg(long, value_name = "FOLDER")]
    journals: Option<PathBuf>,
    /// Files of the opening book, separated by `;`
    #[arg(long, default_value = EMBEDDED, value_name = "FILES")]
    book: OsString,
    /// Folders of endgame tablebases besides those in the program, separated by `;`
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FOLDERS")]
    egtb: OsString,
    /// Seconds without a request after which an engine ends
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    idle: u64,
}

impl Arguments {
    fn settings(self) -> Result<Settings> {
        let engines = self.engines.map_or_else(usual_file, Ok)?;
        Ok(Settings {
            listen: SocketAddr::new(self.listen, self.port),
            hosts: self.hosts,
            engines,
            journals: self.journals,
            book: self.book,
            tables: self.egtb,
            idle: Duration::from_secs(self.idle),
            opens_browser: !self.no_open,
        })
    }
}

/// Returns the place of the file of engines in the user's folder of settings.
fn usual_file() -> Result<PathBuf> {
    let folders = etcetera::choose_base_strategy().context("no home folder: name a file with --engines")?;
    Ok(folders.config_dir().join("chuhe").join("board.toml"))
}

/// Runs the server, or the role in which it has started itself: the built-in engine, or the watchdog.
///
/// # Errors
/// If the server cannot start, with the reason in one line.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<ExitCode> {
    let words: Vec<OsString> = words.collect();
    match words.get(1).and_then(|word| word.to_str()).filter(|_| words.len() == 2) {
        Some(ENGINE_ARGUMENT) => return engine(),
        Some(DETACH) => watchdog::detach(&mut own_program(WATCH)?)?,
        Some(WATCH) => watchdog::watch(io::stdin().lock()),
        _ => return serve(help::parse::<Arguments>(TEXTS, words).settings()?),
    }
    Ok(ExitCode::SUCCESS)
}

fn own_program(argument: &str) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(argument);
    Ok(command)
}

/// Speaks UCCI and UCI, as the program `chuhe` does.
fn engine() -> Result<ExitCode> {
    dialogue::run(Client::Program, BufReader::new(Retrying(io::stdin())), Retrying(io::stdout()))?;
    Ok(ExitCode::SUCCESS)
}

fn serve(settings: Settings) -> Result<ExitCode> {
    if let Err(error) = own_program(DETACH).and_then(|mut command| watchdog::begin(&mut command)) {
        write_stderr(&format!("chuhe-board: no watchdog, engines may outlive a board that is killed: {error}"));
    }
    on_termination_request(end_all).context("Ctrl-C cannot be caught")?;
    let opens_browser = settings.opens_browser;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(32).build()?;
    runtime.block_on(async {
        let server = Server::open(settings, |error| write_stderr(&format!("chuhe-board: {error}"))).await?;
        greet(&server.url(), opens_browser);
        server.run().await;
        Ok(ExitCode::SUCCESS)
    })
}

/// Ends the engines and this process.
fn end_all() {
    process::end_all();
    replace::leave_nothing_unfinished();
    std::process::exit(INTERRUPTED.into());
}

/// Prints the address of the page, and opens it.
fn greet(url: &str, opens_browser: bool) {
    say(url);
    let is_opened = opens_browser && open::that_detached(url).is_ok();
    if !io::stdout().is_terminal() {
        return;
    }
    say(match (help::is_chinese(), is_opened) {
        (false, true) => "The page opens in the browser. Ctrl-C ends the board and its engines.",
        (false, false) => "Open this address in a browser. Ctrl-C ends the board and its engines.",
        (true, true) => "页面将在浏览器中打开。按 Ctrl-C 结束棋盘及其引擎。",
        (true, false) => "请在浏览器中打开此网址。按 Ctrl-C 结束棋盘及其引擎。",
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_and_its_help_are_sound() {
        Arguments::command().debug_assert();
        assert_eq!(help::faults(&Arguments::command(), TEXTS, |word| word), [""; 0]);
        for words in [["x", "--listen", "4000"], ["x", "--port", "65536"], ["x", "--idle", "0"]] {
            assert!(Arguments::try_parse_from(words).is_err());
        }
        let settings =
            Arguments::try_parse_from(["x", "--engines", "e.toml", "--no-open"]).unwrap().settings().unwrap();
        assert!(settings.listen.ip().is_loopback(), "other computers are not let in by default");
        assert_eq!((settings.engines, settings.opens_browser), (PathBuf::from("e.toml"), false));
    }
}
