//! Dialogues with an engine: parsing and running them. The tests of the engine include this file, so both share one
//! runner.
//!
//! A file is a list of cases, each with a fresh process. Steps before the first title belong to every case.
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
//! = 2 pattern             exactly this number of the lines read so far match
//! eof                     close the input
//! exit 1000               the process ends by itself within 1000 ms, with status 0
//! ```
//!
//! A pattern is a shell pattern for the whole line: `*` is any text, `?` any character, `[0-4]` a character of this
//! range; ` || ` separates alternatives. After its last step a case closes the input, and the process must end
//! with status 0 and an empty standard error. Dialogues with deadlines set a small hash table: the time that a
//! system takes to provide a large one is not part of the test.

pub(crate) mod engine;

use std::iter;
use std::time::Duration;

use engine::Engine;
use globset::{GlobBuilder, GlobMatcher};

/// Allowance added to every deadline, as the test machine runs other things too.
const GRACE: Duration = Duration::from_millis(250);

/// A dialogue, from the start of the process to its end.
pub(crate) struct Case {
    pub(crate) title: String,
    /// Steps with the numbers and the texts of their lines.
    steps: Vec<(usize, String, Step)>,
}

#[derive(Clone, PartialEq, Debug)]
enum Step {
    Send(Vec<u8>),
    /// Whether other lines may come first, the pattern, and the time limit.
    Expect(bool, Pattern, Option<Duration>),
    Absent(Pattern, Duration),
    Pause(Duration),
    Count(usize, Pattern),
    CloseInput,
    Exit(Duration),
}

/// Parses the cases of a file.
pub(crate) fn cases(text: &str) -> Result<Vec<Case>, String> {
    let (mut opening, mut cases, mut skipping) = (vec![], Vec::<Case>::new(), false);
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        if let Some(title) = line.strip_prefix("# ") {
            cases.push(Case { title: title.to_owned(), steps: opening.clone() });
        } else if line == "< ..." {
            skipping = true;
        } else {
            let step = step(line, skipping).ok_or_else(|| format!("line {number} is not a step: {line}"))?;
            skipping = false;
            cases.last_mut().map_or(&mut opening, |case| &mut case.steps).push((number, line.to_owned(), step));
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
        ("<", "") => Step::Expect(skipping, Pattern::new(text)?, None),
        ("<", limit) => Step::Expect(skipping, Pattern::new(text)?, Some(milliseconds(limit)?)),
        ("!", "") => Step::Pause(milliseconds(text.strip_suffix("ms")?)?),
        ("!", time) => Step::Absent(Pattern::new(text)?, milliseconds(time)?),
        ("=", "") => {
            let (count, pattern) = text.split_once(' ')?;
            Step::Count(count.parse().ok()?, Pattern::new(pattern)?)
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
    /// Returns everything sent to the engine, in one piece.
    #[allow(dead_code, reason = "the engine's own tests hold all dialogues")]
    pub(crate) fn sent(&self) -> Vec<u8> {
        let bytes = |step: &Step| if let Step::Send(bytes) = step { bytes.clone() } else { Vec::new() };
        self.steps.iter().flat_map(|(_, _, step)| bytes(step)).collect()
    }

    /// Runs the dialogue with a freshly started engine; `timeout` is the time limit of an answer without a deadline of
    /// its own.
    pub(crate) fn play(&self, mut engine: Engine, timeout: Duration) -> Result<(), String> {
        for (number, line, step) in &self.steps {
            take(step, &mut engine, timeout).map_err(|error| {
                let seen = engine.seen();
                let last = seen[seen.len().saturating_sub(8)..].join("\n    | ");
                format!("  line {number}, {line:?}: {error}\n    | {last}")
            })?;
        }
        engine.close_input();
        ended(&mut engine, timeout).map_err(|error| format!("  after the last step: {error}"))?;
        let errors = engine.errors();
        if errors.is_empty() { Ok(()) } else { Err(format!("  standard error is not empty: {errors}")) }
    }
}

fn take(step: &Step, engine: &mut Engine, timeout: Duration) -> Result<(), String> {
    match step {
        Step::Send(bytes) => engine.send_raw(bytes),
        Step::Expect(skipping, pattern, limit) => {
            let limit = limit.map_or(timeout, |limit| limit + GRACE);
            let line = engine.expect(|line| !skipping || pattern.matches(line), limit);
            let line = line.map_err(|error| error.to_string())?;
            if !pattern.matches(&line) {
                return Err(format!("{line:?} came instead"));
            }
        }
        Step::Absent(pattern, time) => {
            if let Some(line) = engine.overhear(|line| pattern.matches(line), *time) {
                return Err(format!("{line:?} came"));
            }
        }
        Step::Pause(time) => std::thread::sleep(*time),
        Step::Count(wanted, pattern) => {
            let count = engine.seen().iter().filter(|line| pattern.matches(line)).count();
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
        Some(status) => Err(format!("the process ended with {status}")),
        None => Err(format!("the process still runs after {limit:?}")),
    }
}

/// Pattern for a whole line.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    text: String,
    alternatives: Vec<GlobMatcher>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Pattern {
    /// Compiles a pattern; `None` if it is invalid.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let glob = |text| GlobBuilder::new(text).backslash_escape(false).build().ok();
        let alternatives = text.split(" || ").map(|text| glob(text).map(|glob| glob.compile_matcher()));
        Some(Self { text: text.to_owned(), alternatives: alternatives.collect::<Option<_>>()? })
    }

    /// Whether one of the alternatives matches the whole line.
    pub(crate) fn matches(&self, line: &str) -> bool {
        self.alternatives.iter().any(|glob| glob.is_match(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_lines() {
        let matches = |pattern, line| Pattern::new(pattern).unwrap().matches(line);
        assert!(matches("id name *", "id name Chuhe 1.0") && matches("*pv *", "info pv h2e2"));
        assert!(!matches("bestmove", "bestmove h2e2") && matches("bestmove*", "bestmove"));
        assert!(
            matches("bestmove [a-i][0-4]??", "bestmove h2e2") && !matches("bestmove [a-i][5-9]??", "bestmove h2e2")
        );
        assert!(matches("a || b*", "bc") && !matches("a || b", "bc"));
        assert!(matches("info * w - * 1 pv ?", "info fen 9/9 w - - 0 1 pv x") && !matches("a.c", "abc"));
    }

    #[test]
    fn steps_are_read_as_documented() {
        let text = "> ucci\n# one\n< ...\n<300 ok\n! 20ms\n!20 x y\n= 2 *\n>r \\xef\\r\\n\neof\nexit 9\n# two\n< ok\n";
        let read = cases(text).unwrap();
        let ms = Duration::from_millis;
        let pattern = |text| Pattern::new(text).unwrap();
        let steps: Vec<_> = read[0].steps.iter().map(|(_, _, step)| step.clone()).collect();
        let expected = [
            Step::Send(b"ucci\n".to_vec()),
            Step::Expect(true, pattern("ok"), Some(ms(300))),
            Step::Pause(ms(20)),
            Step::Absent(pattern("x y"), ms(20)),
            Step::Count(2, pattern("*")),
            Step::Send(b"\xef\r\n".to_vec()),
            Step::CloseInput,
            Step::Exit(ms(9)),
        ];
        assert_eq!(steps, expected);
        assert_eq!((read[1].title.as_str(), read[1].steps.len()), ("two", 2));
        for bad in ["send ucci", "! soon", "< bestmove [a-"] {
            assert!(cases(&format!("# one\n{bad}\n")).is_err(), "{bad}");
        }
    }
}
