//! A reader may close the pipe before a sub-command has printed everything: that is not a failure, and no message is printed.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const FEN: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4 w";

/// Runs a sub-command whose standard output is a closed pipe.
fn unread(words: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(words).current_dir(folder);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer).stderr(Stdio::piped()).output().unwrap()
}

#[test]
fn a_closed_pipe_ends_every_command_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cases.tsv"), format!("{FEN}\n")).unwrap();
    for words in [
        &["perft", "2"][..],
        &["bench", "1"],
        &["judge", FEN, "e1e2"],
        &["judge", "--file", "cases.tsv"],
        &["options"],
        &["contents"],
        &["genfens", "2", "seed", "1", "book", "None", "nodes", "50"],
    ] {
        let output = unread(words, folder.path());
        assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
    }
}

#[test]
fn a_wrong_case_is_one_though_nobody_reads_which() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cases.tsv"), format!("{FEN}\t\tred\tasian\tx\n")).unwrap();
    let output = unread(&["judge", "--file", "cases.tsv"], folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && errors.contains("1 of 1 lines of cases.tsv judged otherwise than they say"),
        "{errors}"
    );
}
