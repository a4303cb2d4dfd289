//! A session of the engine at a terminal.

use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

/// Timeout in milliseconds, long enough for a busy machine.
pub(crate) const TIMEOUT: u64 = 20_000;

pub(crate) fn engine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
}

/// Starts a session in a terminal with this locale.
pub(crate) fn person_with(locale: &str) -> PtySession {
    let mut command = engine();
    command.env("LC_ALL", locale);
    let mut session = spawn_command(command, Some(TIMEOUT)).unwrap();
    // In Chinese the greeting has the command without quotes.
    session.exp_string(if locale == "zh_CN.UTF-8" { "play" } else { "`play` begins a game" }).unwrap();
    session
}

/// Sends each line and expects its answers in order; returns the text before the last of them.
pub(crate) fn converse(session: &mut PtySession, lines: &[(&str, &[&str])]) -> String {
    let mut before = String::new();
    for (line, answers) in lines {
        // The session treats every byte as a character.
        let as_bytes = |text: &str| text.bytes().map(char::from).collect::<String>();
        session.send_line(line).unwrap();
        for answer in *answers {
            before = session.exp_string(&as_bytes(answer)).unwrap_or_else(|error| panic!("{line}: {answer}: {error}"));
        }
    }
    before
}

pub(crate) fn leave(mut session: PtySession) {
    session.send_line("quit").unwrap();
    session.exp_string("bye").unwrap();
    session.exp_eof().unwrap();
}
