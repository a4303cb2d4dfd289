//! A closed output pipe is neither a failure nor a reason for a backtrace.

use std::process::{Command, Stdio};

#[test]
fn a_closed_pipe_ends_every_command_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let games: String = (0..200).map(|_| "h2e2 h9g7 h0g2 i9h9 1-0\n").collect();
    std::fs::write(folder.path().join("games.txt"), games).unwrap();
    for words in
        ["build games.txt -o a.book", "stats a.book", "dump a.book", "verify a.book", "probe a.book", "key h2e2"]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_book-tools"));
        command.args(words.split(' ')).current_dir(folder.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{words}: {output:?}");
    }
}

#[test]
fn a_bad_book_is_one_though_nobody_hears_of_the_good_ones() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_book-tools"));
        let mut child = command
            .args(words.split(' '))
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.wait().unwrap().success()
    };
    assert!(run("set a.book startpos h2e2 5"));
    let bytes = std::fs::read(folder.path().join("a.book")).unwrap();
    std::fs::write(folder.path().join("bad.book"), &bytes[..bytes.len() - 1]).unwrap();
    assert!(run("verify a.book a.book") && !run("verify a.book bad.book"));
}
