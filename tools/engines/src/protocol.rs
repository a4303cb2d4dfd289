//! Protocols of engines.

/// Protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Protocol {
    /// UCCI.
    Ucci,
    /// UCI.
    Uci,
    /// Version 2 of the XBoard protocol.
    Xboard,
}

impl Protocol {
    /// Protocols whose handshake can be guessed, in the order in which they are tried.
    pub const GUESSED: [Self; 2] = [Self::Ucci, Self::Uci];

    /// Returns the command that starts a conversation in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ucci => "ucci",
            Self::Uci => "uci",
            Self::Xboard => "xboard",
        }
    }

    /// Returns the protocol whose handshake this line ends, among those that can be guessed.
    pub(crate) fn greeted(line: &str) -> Option<Self> {
        let name = line.trim().strip_suffix("ok")?;
        Self::GUESSED.into_iter().find(|protocol| protocol.name() == name)
    }
}
