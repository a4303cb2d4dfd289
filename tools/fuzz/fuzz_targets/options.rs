//! Option names and values: after any `setoption` the options stay within their announced ranges.
#![no_main]

use chuhe::engine::event::Command;
use chuhe::engine::options::Options;
use chuhe::protocol::Interpreter;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut options = Options::default();
    for line in input.split(|&byte| byte == b'\n') {
        for form in [b"setoption ".as_slice(), b"setoption name "] {
            for understood in Interpreter::default().parse(&[form, line].concat()) {
                let Ok(Command::SetOption { name, value }) = understood else { continue };
                let before = options.clone();
                if let Err(error) = options.set(&name, &value) {
                    assert_eq!(options, before, "{error}, and yet something changed");
                }
                assert!(options.hash_mebibytes <= 1 << 20 && options.threads <= 1 << 10);
            }
        }
        options.rules(None);
    }
});
