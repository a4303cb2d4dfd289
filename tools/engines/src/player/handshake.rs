//! Start of an engine from its specification: the process, its protocol, its options, its habits.

use std::time::{Duration, Instant};

use chuhe::rules::RuleSet;

use super::conversation::{CancelCheck, Conversation};
use super::dialect::{Announced, Dialect};
use super::failure::{Failure, FailureClass, SearchError};
use super::info::Info;
use super::launch::spawn;
use super::rules_option::{RulesOption, rules_option};
use super::spec::{EngineSpec, ProtocolChoice};
use super::ucci::{self, Ucci};
use super::uci::{self, Uci};
use super::xboard::{CORES, Features, MEMORY, Xboard, is_done, is_feature};
use crate::process::{Log, NoLine, Process};
use crate::protocol::Protocol;

/// Silence after `ucci` until the engine is asked `uci`.
const GUESS_TIMEOUT: Duration = Duration::from_secs(1);

/// Time limit for the first `isready` of a UCCI engine, as leagues never send it. No option is set yet that could slow the
/// engine down.
const READY_BY_UCCI: Duration = Duration::from_secs(2);

/// Time limit for the first feature of an XBoard engine: engines of protocol version 1 send none.
const FIRST_FEATURE: Duration = Duration::from_secs(2);

/// Maximum number of lines in a handshake.
const MOST_LINES: usize = 10_000;

/// An engine after the handshake, with its options set.
pub(crate) struct Connected {
    pub(crate) conversation: Conversation,
    pub(crate) protocol: Protocol,
    pub(crate) options: Vec<Announced>,
    /// Name by which the engine introduces itself, usually with its version.
    pub(crate) name: Option<String>,
    /// Peculiarities of the engine, for the user.
    pub(crate) notes: Vec<String>,
}

/// Starts an engine and prepares it for its first game.
pub(crate) fn connect(spec: &EngineSpec, log: Option<&Log>) -> Result<Connected, Failure> {
    if let Some(word) = spec.unsupported() {
        return Err(Failure::new(FailureClass::NoHandshake, format!("{word} cannot be said in its protocol")));
    }
    let (process, protocol, lines) = start_process(spec, log).map_err(Failure::in_handshake)?;
    let options = announced(protocol, &lines);
    let mut dialect: Box<dyn Dialect> = match protocol {
        Protocol::Ucci => Box::new(Ucci::new(&options, &spec.quirks)),
        Protocol::Uci => Box::new(Uci::new(&options, &spec.quirks)),
        Protocol::Xboard => Box::new(Xboard::new(&lines, &spec.quirks)?),
    };
    let (settings, notes) = settings(spec, &options, &mut *dialect)?;
    let name = own_name(protocol, &lines);
    let mut connected = Connected {
        conversation: Conversation::new(process, dialect, spec.timeouts, spec.is_lenient),
        protocol,
        options,
        name,
        notes,
    };
    match prepare(&mut connected, spec, &settings) {
        Ok(()) => Ok(connected),
        Err(failure) => Err(connected.conversation.with_stderr(failure)),
    }
}

/// Returns name and version in the lines of a handshake: `id name` with the `id version` of UCCI, or the feature `myname`.
fn own_name(protocol: Protocol, lines: &[String]) -> Option<String> {
    let id = |prefix| lines.iter().find_map(|line| line.trim().strip_prefix(prefix)).map(str::trim);
    let name = match protocol {
        Protocol::Ucci | Protocol::Uci => {
            let name = id("id name ")?;
            id("id version ").map_or_else(|| name.to_owned(), |version| format!("{name} {version}"))
        }
        Protocol::Xboard => Features::read(lines).get("myname")?.trim().to_owned(),
    };
    Some(name).filter(|name| !name.is_empty())
}

/// Sets the options, waits until the engine is ready, and finds out how it writes moves.
fn prepare(connected: &mut Connected, spec: &EngineSpec, settings: &[String]) -> Result<(), Failure> {
    let Connected { conversation, protocol, notes, .. } = connected;
    let ready = spec.timeouts.ready;
    let timeout = ready.min(READY_BY_UCCI);
    if *protocol == Protocol::Ucci {
        match conversation.ready(timeout) {
            Err(failure) if failure.class == FailureClass::Hang => conversation.stop_waiting_for_ready(),
            answered => drop(answered.map_err(Failure::in_handshake)?),
        }
    }
    conversation.send(settings);
    if !conversation.ready(ready).map_err(Failure::in_handshake)? && *protocol == Protocol::Xboard {
        notes.push("ping is not announced".to_owned());
    }
    probe(conversation, ready)?;
    if *protocol == Protocol::Ucci && !conversation.answers_ready() {
        notes.push(format!("isready was not answered within {timeout:?}"));
    }
    Ok(())
}

/// A numeric option of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spin {
    /// Name in the engine.
    pub name: String,
    /// Default value.
    pub default: i64,
    /// Minimum value.
    pub min: i64,
    /// Maximum value.
    pub max: i64,
}

impl Spin {
    /// Parses the option; `None` if it is of another kind, or has no default or no range.
    fn of(option: &Announced) -> Option<Self> {
        let number = |key: &str| option.number(key);
        option.values_of("type").next().filter(|kind| kind == "spin")?;
        Some(Self { name: option.name.clone(), default: number("default")?, min: number("min")?, max: number("max")? })
    }
}

/// Starts an engine to read its numeric options, and ends it.
///
/// # Errors
/// If the engine does not start or does not complete the handshake.
pub fn announced_spins(spec: &EngineSpec) -> Result<Vec<Spin>, Failure> {
    let (process, protocol, lines) = start_process(spec, None).map_err(Failure::in_handshake)?;
    process.send(&["quit"]);
    Ok(announced(protocol, &lines).iter().filter_map(Spin::of).collect())
}

/// Returns the options in the lines of a handshake.
fn announced(protocol: Protocol, lines: &[String]) -> Vec<Announced> {
    match protocol {
        Protocol::Ucci => lines.iter().filter_map(|line| ucci::read_option(line)).collect(),
        Protocol::Uci => lines.iter().filter_map(|line| uci::read_option(line)).collect(),
        Protocol::Xboard => Features::read(lines).options(),
    }
}

/// Lets the engine show how it writes moves, if that is unknown.
fn probe(conversation: &mut Conversation, timeout: Duration) -> Result<(), Failure> {
    let Some(commands) = conversation.dialect().probe() else { return Ok(()) };
    conversation.send(&commands);
    let mut info = Info::default();
    let never: CancelCheck = &mut || false;
    match conversation.answer(Instant::now() + timeout, None, &mut info, never) {
        Ok(Some((reply, _))) => {
            conversation.dialect().learn(info.first_of_line(), reply.mv.as_deref());
            Ok(())
        }
        Ok(None) | Err(SearchError::Cancelled) => Err(Failure::no_line(NoLine::Timeout, timeout)),
        Err(SearchError::Failed(failure)) => Err(failure),
    }
}

/// Returns the commands for all options, and notes on those that the engine does not announce; a value that its announcement
/// excludes is an error.
fn settings(
    spec: &EngineSpec,
    options: &[Announced],
    dialect: &mut dyn Dialect,
) -> Result<(Vec<String>, Vec<String>), Failure> {
    let find = |name: &str| find(options, name);
    let mut commands = dialect.greeting();
    let mut notes = Vec::new();
    if let Some(ponder) = dialect.ponder_option().and_then(find) {
        commands.push(dialect.setting(&ponder.name, if spec.ponder { "true" } else { "false" }));
    }
    if let Some(RulesOption::Set { option, value }) = spec.rules.map(|rules| rules_option_of(spec, options, rules)) {
        commands.push(dialect.setting(&option, &value));
    }
    for (name, value) in &spec.options {
        if let Some(reason) = find(name).and_then(|option| option.excludes(value)) {
            return Err(Failure::new(FailureClass::NoHandshake, format!("option {name}={value}: {reason}")));
        }
        if find(name).is_none() {
            notes.push(format!("option {name} is not announced"));
            if !dialect.sets_unannounced() {
                continue;
            }
        }
        commands.push(dialect.setting(find(name).map_or(name, |option| &option.name), value));
    }
    Ok((commands, notes))
}

/// Returns the commands for those options of a running engine that it has announced.
pub(crate) fn commands_for(connected: &mut Connected, wanted: &[(String, String)]) -> Result<Vec<String>, Failure> {
    let mut commands = Vec::new();
    for (name, value) in wanted {
        let Some(option) = find(&connected.options, name) else { continue };
        if let Some(reason) = option.excludes(value) {
            return Err(Failure::new(FailureClass::NoHandshake, format!("option {name}={value}: {reason}")));
        }
        commands.push(connected.conversation.dialect().setting(&option.name, value));
    }
    Ok(commands)
}

/// Finds an option by a user's name for it.
fn find<'a>(options: &'a [Announced], name: &str) -> Option<&'a Announced> {
    let called = |name: &str| options.iter().find(|option| option.is_called(name));
    let exactly = options.iter().find(|option| option.name == name);
    exactly.or_else(|| called(name)).or_else(|| other_names(name).find_map(called))
}

/// Decides how an engine with these options is set to the rules of the match.
pub(crate) fn rules_option_of(spec: &EngineSpec, options: &[Announced], rules: RuleSet) -> RulesOption {
    let set = spec.options.iter().filter_map(|(name, value)| Some((find(options, name)?, value.as_str())));
    rules_option(options, set, rules)
}

/// Returns the names of an option in other protocols.
fn other_names(name: &str) -> impl Iterator<Item = &'static str> {
    const SAME: [&[&str]; 4] = [
        &["hash", "hashsize", MEMORY],
        &["ownbook", "usebook"],
        &["threads", CORES],
        &["repetition", "repetitionrule"],
    ];
    let same = SAME.iter().find(|names| names.iter().any(|other| other.eq_ignore_ascii_case(name)));
    same.into_iter().flat_map(|names| names.iter().copied())
}

/// Starts the process and finds out its protocol; returns the lines of the handshake too.
fn start_process(spec: &EngineSpec, log: Option<&Log>) -> Result<(Process, Protocol, Vec<String>), Failure> {
    let (mut process, mut lines) = (spawn(spec, log)?, Vec::new());
    match detect_protocol(spec, log, &mut process, &mut lines) {
        Ok(protocol) => Ok((process, protocol, lines)),
        Err(failure) => Err(failure.of(&mut process)),
    }
}

/// Finds out the protocol, with another process if the first one ended because of the question.
fn detect_protocol(
    spec: &EngineSpec,
    log: Option<&Log>,
    process: &mut Process,
    lines: &mut Vec<String>,
) -> Result<Protocol, Failure> {
    let deadline = Instant::now() + spec.timeouts.handshake;
    let waited = |reason| Failure::no_line(reason, spec.timeouts.handshake);
    let wanted = match spec.protocol {
        ProtocolChoice::Ucci => Protocol::Ucci,
        ProtocolChoice::Uci => Protocol::Uci,
        ProtocolChoice::Xboard => {
            collect_features(process, lines, deadline, spec.timeouts.handshake)?;
            return Ok(Protocol::Xboard);
        }
        ProtocolChoice::Auto => match guess(process, lines, deadline)? {
            Guess::Ucci => return Ok(Protocol::Ucci),
            Guess::Uci => Protocol::Uci,
            Guess::UciOfAnother(reason) => {
                let stderr_text = process.end();
                *process = spawn(spec, log)?;
                // The first process may have ended for another reason than the question.
                return find_uci(process, lines, deadline, spec.timeouts.handshake).map_err(|failure| {
                    let text = format!("{failure}; asked in UCCI it had ended: {reason}");
                    Failure { text, ..failure.of(process).after(&stderr_text) }
                });
            }
        },
    };
    process.send(&[wanted.name()]);
    let answered = read_until(process, lines, deadline, Protocol::greeted)?.map_err(waited)?;
    if answered == wanted || spec.protocol != ProtocolChoice::Auto {
        return Ok(wanted);
    }
    // A slow engine has answered the first question; an answer to the second one takes precedence.
    match read_until(process, lines, deadline.min(Instant::now() + GUESS_TIMEOUT), |line| {
        Protocol::greeted(line).filter(|&answered| answered == wanted)
    })? {
        Ok(_) => Ok(wanted),
        Err(NoLine::Timeout) => Ok(answered),
        Err(reason) => Err(waited(reason)),
    }
}

/// Asks a process that does not understand UCCI.
fn find_uci(
    process: &mut Process,
    lines: &mut Vec<String>,
    deadline: Instant,
    timeout: Duration,
) -> Result<Protocol, Failure> {
    process.send(&[Protocol::Uci.name()]);
    let answered = read_until(process, lines, deadline, Protocol::greeted)?;
    answered.map(|_| Protocol::Uci).map_err(|reason| Failure::no_line(reason, timeout))
}

/// Reads features until the engine says that there are no more; `timeout` is the time from the start to `deadline`.
fn collect_features(
    process: &mut Process,
    lines: &mut Vec<String>,
    deadline: Instant,
    timeout: Duration,
) -> Result<(), Failure> {
    process.send(&[Protocol::Xboard.name(), "protover 2"]);
    let waited = |reason, waited, what: &str| match reason {
        NoLine::Timeout => Failure::new(FailureClass::NoHandshake, format!("no {what} within {waited:?}")),
        reason => Failure::no_line(reason, waited),
    };
    let first = timeout.min(FIRST_FEATURE);
    let feature = |line: &str| is_feature(line).then(|| line.to_owned());
    let answered = read_until(process, lines, deadline.min(Instant::now() + first), feature)?;
    lines.push(answered.map_err(|reason| waited(reason, first, "feature, as of version 2 of the XBoard protocol,"))?);
    if !lines.last().is_some_and(|line| is_done(line)) {
        let done = |line: &str| is_done(line).then(|| line.to_owned());
        let answered = read_until(process, lines, deadline, done)?;
        lines.push(answered.map_err(|reason| waited(reason, timeout, "feature done=1"))?);
    }
    Ok(())
}

/// Guess about an engine that was asked `ucci`.
enum Guess {
    Ucci,
    Uci,
    /// UCI with another process: this one has ended, for this reason.
    UciOfAnother(String),
}

fn guess(process: &mut Process, lines: &mut Vec<String>, deadline: Instant) -> Result<Guess, Failure> {
    process.send(&[Protocol::Ucci.name()]);
    let sign = |line: &str| match Protocol::greeted(line) {
        Some(Protocol::Ucci) => Some(Guess::Ucci),
        Some(Protocol::Uci) => Some(Guess::Uci),
        _ => line.to_ascii_lowercase().contains("unknown").then_some(Guess::Uci),
    };
    match read_until(process, lines, deadline.min(Instant::now() + GUESS_TIMEOUT), sign)? {
        Ok(guess) => Ok(guess),
        Err(NoLine::Timeout) => Ok(Guess::Uci),
        Err(NoLine::Ended(reason)) => Ok(Guess::UciOfAnother(reason)),
        Err(reason @ (NoLine::Overlong | NoLine::Killed(_))) => Err(Failure::no_line(reason, GUESS_TIMEOUT)),
    }
}

/// Collects lines until one has a meaning.
fn read_until<T>(
    process: &mut Process,
    lines: &mut Vec<String>,
    deadline: Instant,
    meaning: impl Fn(&str) -> Option<T>,
) -> Result<Result<T, NoLine>, Failure> {
    loop {
        let line = match process.line(deadline) {
            Ok(line) => line.text,
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(meant) = meaning(&line) {
            return Ok(Ok(meant));
        }
        lines.push(line);
        if lines.len() > MOST_LINES {
            return Err(Failure::flood(MOST_LINES));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_named_with_its_version() {
        let name = |protocol, lines: &[&str]| {
            own_name(protocol, &lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>())
        };
        let ucci = ["id name Chuhe", "id version 1.0", "option usemillisec type check"];
        assert_eq!(name(Protocol::Ucci, &ucci).as_deref(), Some("Chuhe 1.0"));
        assert_eq!(name(Protocol::Uci, &["id name Some Engine 3 "]).as_deref(), Some("Some Engine 3"));
        assert_eq!(name(Protocol::Xboard, &["feature myname=\"Other 2\" done=1"]).as_deref(), Some("Other 2"));
        assert_eq!((name(Protocol::Uci, &["id author x"]), name(Protocol::Xboard, &["feature ping=1"])), (None, None));
    }
}
