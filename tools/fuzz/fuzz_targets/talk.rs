//! Whole conversations with the engine, in debug mode and with a clock controlled by the fuzzer, checked by the same model as
//! in the tests.
//!
//! The first byte selects how the conversation ends and which protocol it begins with. A line that begins with `@` advances
//! the clock by the square of the number of bytes after it, in milliseconds.
#![no_main]
#![allow(dead_code, reason = "the tests use more of what they share")]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;

#[path = "../../../tests/support/clock.rs"]
mod clock;
#[path = "../../../tests/support/talk.rs"]
mod talk;
#[path = "../../../tests/support/witness.rs"]
mod witness;

use talk::{End, Talk};

/// Maximum number of lines.
const LONGEST: usize = 40;

fuzz_target!(|input: &[u8]| {
    let Some((&first, lines)) = input.split_first() else { return };
    let end = if first & 1 == 0 { End::Quit } else { End::OfInput };
    let mut talk = Talk::begin();
    if first & 2 == 0 {
        talk.tell(if first & 4 == 0 { b"ucci" } else { b"uci" });
    }
    for line in lines.split(|&byte| byte == b'\n').take(LONGEST) {
        match line {
            [b'@', rest @ ..] => talk.clock.advance(Duration::from_millis(rest.len().pow(2) as u64)),
            _ => talk.say(line),
        }
    }
    let (said, replies, _) = talk.end(end);
    if let Err(objection) = witness::judge(said, replies, end) {
        panic!("{objection}");
    }
});
