//! Dialogues with an engine: reading them and holding them. The tests of the engine include this file, so there is one
//! runner for both.
//!
//! A file is a list of cases, each with a fresh process. What stands before the first title opens every case.
//!
//! ```text
//! # title                 a new case
//! > line                  send this line
//! >r bytes                send these bytes and no end of line; \n \r \t \\ and \xNN are understood
//! < pattern               the next line matches
//! < ...                   any lines may come before the one that is wanted next
//! <300 pattern            like `< pattern`, and it comes within 300 ms
//! !300 pattern            no line that matches comes for 300 ms
//! ! 300ms                 a pause
//! = 2 pattern             so many of the lines taken so far match
//! eof                     close the input
//! exit 1000               the process ends by itself within 1000 ms, with status 0
//! ```
//!
//! A pattern is a shell pattern for the whole line: `*` is any text, `?` any character, `[0-4]` a character of this
//! range; ` || ` stands between alternatives. After its last step a case closes the input, and the process must end
//! with status 0 and have written nothing to its standard error. Dialogues with deadlines ask for a small table: how long
//! a system takes to provide a large one is not their subject.

pub(crate) mod engine;

use std::iter;
use std::time::Duration;

use engine::Engine;

/// Added to every deadline: the machine that runs the tests has other things to do.
const GRACE: Duration = Duration::from_millis(250);

/// One dialogue, from the start of the process to its end.
pub(crate) struct Case {
    pub(crate) title: String,
    /// With the numbers of their lines.
    steps: Vec<(usize, Step)>,
}

#[derive(Clone, PartialEq, Debug)]
enum Step {
    Send(Vec<u8>),
    /// Whether other lines may come before it, the pattern, and how long it may take.
    Expect(bool, String, Option<Duration>),
    Absent(String, Duration),
    Pause(Duration),
    Count(usize, String),
    CloseInput,
    Exit(Duration),
}

/// The cases of a file.
pub(crate) fn cases(text: &str) -> Result<Vec<Case>, String> {
    let (mut opening, mut cases, mut skipping) = (vec![], Vec::<Case>::new(), false);
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        if let Some(title) = line.strip_prefix("# ") {
            cases.push(Case { title: title.to_owned(), steps: opening.clone() });
        } else if line == "< ..." {
            skipping = true;
        } else {
            let step = step(line, skipping).ok_or_else(|| format!("line {number} is no step: {line}"))?;
            skipping = false;
            cases.last_mut().map_or(&mut opening, |case| &mut case.steps).push((number, step));
        }
    }
    Ok(cases)
}

fn step(line: &str, skipping: bool) -> Option<Step> {
    let (head, text) = line.split_once(' ').unwrap_or((line, ""));
    let milliseconds = |text: &str| text.parse().ok().map(Duration::from_millis);
    Some(match (head.get(..1)?, &head[1..]) {
        (">", "") => Step::Send(format!("{text}\n").into_bytes()),
        (">", "r") => Step::Send(unescape(text)?),
        ("<", "") => Step::Expect(skipping, text.to_owned(), None),
        ("<", limit) => Step::Expect(skipping, text.to_owned(), Some(milliseconds(limit)?)),
        ("!", "") => Step::Pause(milliseconds(text.strip_suffix("ms")?)?),
        ("!", time) => Step::Absent(text.to_owned(), milliseconds(time)?),
        ("=", "") => {
            let (count, pattern) = text.split_once(' ')?;
            Step::Count(count.parse().ok()?, pattern.to_owned())
        }
        _ if line == "eof" => Step::CloseInput,
        _ if head == "exit" => Step::Exit(milliseconds(text)?),
        _ => return None,
    })
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    iter::from_fn(|| {
        let byte = bytes.next()?;
        Some(if byte == b'\\' { escaped(&mut bytes) } else { Some(byte) })
    })
    .collect()
}

fn escaped(bytes: &mut impl Iterator<Item = u8>) -> Option<u8> {
    Some(match bytes.next()? {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'\\' => b'\\',
        b'x' => {
            let digits = [bytes.next()?, bytes.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        }
        _ => return None,
    })
}

impl Case {
    /// Holds the dialogue with an engine that has just been started; an answer without a deadline of its own may take as
    /// long as `patience`.
    pub(crate) fn play(&self, mut engine: Engine, patience: Duration) -> Result<(), String> {
        for (number, step) in &self.steps {
            take(step, &mut engine, patience).map_err(|error| {
                let seen = engine.seen();
                let last = seen[seen.len().saturating_sub(8)..].join("\n    | ");
                format!("  line {number}: {step:?}: {error}\n    | {last}")
            })?;
        }
        engine.close_input();
        ended(&mut engine, patience)?;
        let errors = engine.errors();
        if errors.is_empty() { Ok(()) } else { Err(format!("  standard error is not empty: {errors}")) }
    }
}

fn take(step: &Step, engine: &mut Engine, patience: Duration) -> Result<(), String> {
    match step {
        Step::Send(bytes) => engine.send_raw(bytes),
        Step::Expect(skipping, pattern, limit) => {
            let limit = limit.map_or(patience, |limit| limit + GRACE);
            let line = engine.expect(|line| !skipping || matches(pattern, line), limit);
            let line = line.map_err(|error| error.to_string())?;
            if !matches(pattern, &line) {
                return Err(format!("{line:?} came instead"));
            }
        }
        Step::Absent(pattern, time) => {
            if let Some(line) = engine.overhear(|line| matches(pattern, line), *time) {
                return Err(format!("{line:?} came"));
            }
        }
        Step::Pause(time) => std::thread::sleep(*time),
        Step::Count(wanted, pattern) => {
            let count = engine.seen().iter().filter(|line| matches(pattern, line)).count();
            if count != *wanted {
                return Err(format!("{count} lines match"));
            }
        }
        Step::CloseInput => engine.close_input(),
        Step::Exit(limit) => ended(engine, *limit + GRACE)?,
    }
    Ok(())
}

fn ended(engine: &mut Engine, limit: Duration) -> Result<(), String> {
    match engine.wait_exit(limit) {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("  the process ended with {status}")),
        None => Err(format!("  the process still runs after {limit:?}")),
    }
}

/// Whether one of the alternatives matches the whole line.
pub(crate) fn matches(pattern: &str, line: &str) -> bool {
    pattern.split(" || ").any(|pattern| matches_bytes(pattern.as_bytes(), line.as_bytes()))
}

fn matches_bytes(pattern: &[u8], line: &[u8]) -> bool {
    match (pattern, line) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=line.len()).any(|skipped| matches_bytes(rest, &line[skipped..])),
        ([b'?', pattern @ ..], [_, line @ ..]) => matches_bytes(pattern, line),
        ([b'[', low, b'-', high, b']', pattern @ ..], [byte, line @ ..]) => {
            (low..=high).contains(&byte) && matches_bytes(pattern, line)
        }
        ([wanted, pattern @ ..], [byte, line @ ..]) => wanted == byte && matches_bytes(pattern, line),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_lines() {
        assert!(matches("id name *", "id name Chuhe 1.0") && matches("*pv *", "info pv h2e2"));
        assert!(!matches("bestmove", "bestmove h2e2") && matches("bestmove*", "bestmove"));
        assert!(
            matches("bestmove [a-i][0-4]??", "bestmove h2e2") && !matches("bestmove [a-i][5-9]??", "bestmove h2e2")
        );
        assert!(matches("a || b*", "bc") && !matches("a || b", "bc"));
    }

    #[test]
    fn steps_are_read_as_documented() {
        let text = "> ucci\n# one\n< ...\n<300 ok\n! 20ms\n!20 x y\n= 2 *\n>r \\xef\\r\\n\neof\nexit 9\n# two\n< ok\n";
        let read = cases(text).unwrap();
        let ms = Duration::from_millis;
        let steps: Vec<_> = read[0].steps.iter().map(|(_, step)| step.clone()).collect();
        let expected = [
            Step::Send(b"ucci\n".to_vec()),
            Step::Expect(true, "ok".into(), Some(ms(300))),
            Step::Pause(ms(20)),
            Step::Absent("x y".into(), ms(20)),
            Step::Count(2, "*".into()),
            Step::Send(b"\xef\r\n".to_vec()),
            Step::CloseInput,
            Step::Exit(ms(9)),
        ];
        assert_eq!(steps, expected);
        assert_eq!((read[1].title.as_str(), read[1].steps.len()), ("two", 2));
        assert!(cases("# one\nsend ucci\n").is_err() && cases("# one\n! soon\n").is_err());
    }
}
