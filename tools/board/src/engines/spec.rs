//! Specifications of engine processes, from the entries of the list.

use std::env;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use chuhe::rules::RuleSet;
use chuhe_engines::player::{EngineSpec, ProtocolChoice, TimeControl, Timeouts};

use crate::request::EngineEntry;

/// Argument with which this program is the built-in engine.
pub(crate) const ENGINE_ARGUMENT: &str = "--engine";

/// Purpose of a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Use {
    /// Moves in a game: draw offers and resignation belong to UCCI.
    Play,
    /// Analysis: chances of win, draw and loss belong to UCI.
    Analysis,
}

/// Options of the built-in engine in games.
const PLAYING: [(&str, &str); 2] = [("giveupscore", "1500"), ("giveupmoves", "4")];

/// Options in analysis, of any engine that has them.
const ANALYSING: [(&str, &str); 3] = [("UCI_AnalyseMode", "true"), ("UCI_ShowWDL", "true"), ("OwnBook", "false")];

/// Returns the specification of an engine's process.
///
/// # Errors
/// If the path of this program, which is the built-in engine, is unknown.
pub(crate) fn spec(entry: &EngineEntry, purpose: Use, rules: RuleSet) -> io::Result<EngineSpec> {
    let mut spec = if entry.builtin { built_in(purpose)? } else { users(entry) };
    spec.name.clone_from(&entry.name);
    spec.rules = Some(rules);
    spec.time = TimeControl::default();
    spec.timeouts = Timeouts {
        handshake: Duration::from_secs(10),
        ready: Duration::from_secs(10),
        stop: Duration::from_secs(5),
        ..Timeouts::default()
    };
    Ok(spec)
}

fn built_in(purpose: Use) -> io::Result<EngineSpec> {
    let mut spec = EngineSpec::new(env::current_exe()?);
    spec.args = vec![ENGINE_ARGUMENT.to_owned()];
    let (protocol, options) = match purpose {
        Use::Play => (ProtocolChoice::Ucci, &PLAYING[..]),
        Use::Analysis => (ProtocolChoice::Uci, &[][..]),
    };
    spec.protocol = protocol;
    spec.options = owned(options);
    Ok(spec)
}

fn users(entry: &EngineEntry) -> EngineSpec {
    let mut spec = EngineSpec::new(&entry.command);
    spec.args.clone_from(&entry.args);
    spec.dir = Some(PathBuf::from(&entry.dir)).filter(|dir| !dir.as_os_str().is_empty());
    spec.protocol = match entry.protocol.as_str() {
        "ucci" => ProtocolChoice::Ucci,
        "uci" => ProtocolChoice::Uci,
        _ => ProtocolChoice::Auto,
    };
    spec.options = entry.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    spec
}

/// Returns the options that a process gets besides those of its specification, if it has announced them.
pub(crate) fn further_options(purpose: Use) -> Vec<(String, String)> {
    match purpose {
        Use::Play => Vec::new(),
        Use::Analysis => owned(&ANALYSING),
    }
}

fn owned(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}
