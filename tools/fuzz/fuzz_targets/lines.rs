//! Parsers of both protocols: any bytes as lines. A line means the same with and without its line end.
#![no_main]

use chuhe::protocol::Interpreter;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut interpreter = Interpreter::default();
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        let understood = interpreter.clone().parse(line);
        let without_end = line.strip_suffix(b"\n").unwrap_or(line);
        assert_eq!(interpreter.clone().parse(without_end), understood, "the end of a line is not part of it");
        assert_eq!(interpreter.parse(line), understood, "a line means the same for every reader");
    }
});
