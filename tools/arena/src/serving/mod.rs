//! A running match in a browser: the journal and the games under way beside it are read, a page shows them, and nothing else is
//! served. The match does not know of it.

mod files;
mod hub;
mod server;
mod state;
mod view;

use std::io::{IsTerminal, Write, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use chuhe::help;

use crate::settings::Settings;
use crate::stop::Stop;
use hub::Hub;
use server::Server;
use state::Watched;

/// Interval at which the files are looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Address at which a match is shown, and the names by which it may be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Serving {
    /// Address to listen at, with port 0 for any that is free. Outside the loopback interface the page needs a token.
    pub address: SocketAddr,
    /// Names by which browsers may reach the page, besides the address.
    pub hosts: Vec<String>,
}

impl Default for Serving {
    fn default() -> Self {
        Self { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0), hosts: Vec::new() }
    }
}

/// Serves the page of a match until the process is to end. `settings_of` returns the settings of the match from its journal.
///
/// # Errors
/// If the address cannot be used, or the file is not a journal.
pub fn run(
    journal: &Path,
    serving: &Serving,
    stop: &Stop,
    settings_of: impl Fn(&Path) -> Result<Settings>,
    out: &mut impl Write,
) -> Result<()> {
    let hub = Hub::default();
    let mut watched = Watched::open(journal, settings_of)?;
    watched.look(&hub)?;
    let server = Server::open(serving.address, &serving.hosts)?;
    writeln!(out, "{}", server.url())?;
    if stdout().is_terminal() {
        writeln!(out, "{}", greeting())?;
    }
    out.flush()?;
    server.begin(hub.clone());
    while !stop.is_requested() {
        thread::sleep(LOOK);
        // A file that cannot be read at the moment is looked at again.
        let _ = watched.look(&hub);
    }
    Ok(())
}

fn greeting() -> &'static str {
    if help::is_chinese() {
        "请在浏览器中打开此网址。按 Ctrl-C 结束页面，比赛不受影响。"
    } else {
        "Open this address in a browser. Ctrl-C ends the page, not the match."
    }
}
