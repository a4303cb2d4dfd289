//! Settings of the server, and limits that protect it.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum number of bytes of a file that is uploaded.
pub(crate) const MOST_UPLOAD: usize = 4 << 20;

/// Maximum number of bytes of a message.
pub(crate) const MOST_MESSAGE: usize = 1 << 20;

/// Maximum number of connections at once; further ones are closed.
pub(crate) const MOST_CONNECTIONS: usize = 64;

/// Maximum number of pages at once.
pub(crate) const MOST_SESSIONS: usize = 8;

/// Maximum number of engine processes at once.
pub(crate) const MOST_PROCESSES: usize = 12;

/// Maximum size of a transposition table that a page may ask for, in MiB.
pub(crate) const MOST_HASH: u32 = 4096;

/// Maximum number of lines of an analysis.
pub(crate) const MOST_LINES: u32 = 20;

/// Time that a client may take for the head of a request.
pub(crate) const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings of a server, from the command line.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Address to listen at.
    pub(crate) listen: SocketAddr,
    /// Names by which the server may be reached, besides its address.
    pub(crate) hosts: Vec<String>,
    /// File of the user's engines.
    pub(crate) engines: PathBuf,
    /// Folder of journals that can be watched.
    pub(crate) journals: Option<PathBuf>,
    /// Files of the opening book.
    pub(crate) book: OsString,
    /// Folders of endgame tablebases.
    pub(crate) tables: OsString,
    /// Time without a request after which an engine ends.
    pub(crate) idle: Duration,
    /// Whether to open the page in the browser.
    pub(crate) opens_browser: bool,
}
