//! A script that lacks a tool names it and ends with the status that means so.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

/// As CONTRIBUTING.md says.
const MISSING: i32 = 77;

/// Runs a script of `ci` where nothing is built and no tool is installed but what it needs to begin.
fn without_tools(script: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path_of = |tool: &str| {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output().unwrap();
        String::from_utf8(found.stdout).unwrap().trim().to_owned()
    };
    symlink(path_of("dirname"), folder.path().join("dirname")).unwrap();
    let mut command = Command::new(path_of("bash"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("ci").join(script));
    command.env("PATH", folder.path()).env("CARGO_TARGET_DIR", folder.path()).output().unwrap()
}

#[test]
fn what_is_missing_is_named_and_told_from_a_failure() {
    for (script, complaint) in [("xboard.sh", " is missing: "), ("levels.sh", "/chuhe-arena is not built")] {
        let output = without_tools(script);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(MISSING) && told.contains(complaint), "{script}: {output:?}");
    }
}
