//! A script whose tool is missing names it and exits with a status of its own, and so does a script with an unknown
//! argument. The makefile works in folders whose names contain blanks.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

/// Exit status for a missing tool, as documented in CONTRIBUTING.md.
const MISSING: i32 = 77;

/// Exit status for an unknown argument.
const MEANINGLESS: i32 = 2;

/// Runs a script of `ci` with nothing built, and with only those tools installed that it needs to start.
fn without_tools(script: &str, words: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path_of = |tool: &str| {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output().unwrap();
        String::from_utf8(found.stdout).unwrap().trim().to_owned()
    };
    symlink(path_of("dirname"), folder.path().join("dirname")).unwrap();
    let mut command = Command::new(path_of("bash"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("ci").join(script)).args(words);
    command.env("PATH", folder.path()).env("CARGO_TARGET_DIR", folder.path()).output().unwrap()
}

#[test]
fn what_is_missing_is_named_and_distinguished_from_a_failure() {
    for (script, complaint) in [("xboard.sh", " is missing: "), ("levels.sh", "/chuhe-arena is not built")] {
        let output = without_tools(script, &[]);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(MISSING) && printed.contains(complaint), "{script}: {output:?}");
    }
}

#[test]
fn a_word_that_means_nothing_is_no_success() {
    for (script, words, complaint) in [
        ("overload.sh", &["gmaes"][..], ", not gmaes"),
        ("san.sh", &["therad"], ", not therad"),
        ("san.sh", &["thread", "mtach"], ", not mtach"),
    ] {
        let output = without_tools(script, words);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(MEANINGLESS) && printed.contains(complaint), "{script}: {output:?}");
    }
}

/// Stand-in for cargo: puts a program into the folder of its last argument. That program prints the arguments and the
/// network of the build.
const CARGO: &str = r#"#!/bin/sh
for folder; do :; done
mkdir -p "$folder/release"
printf '#!/bin/sh\necho "$@" of "%s"\n' "$EVALFILE" >"$folder/release/chuhe"
chmod +x "$folder/release/chuhe"
"#;

#[test]
fn the_makefile_builds_where_folders_and_names_have_blanks() {
    if Command::new("make").arg("--version").output().is_err() {
        eprintln!("skipped: make is missing");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("some engine");
    fs::create_dir(&folder).unwrap();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("Makefile"), folder.join("Makefile")).unwrap();
    let cargo = place.path().join("cargo");
    fs::write(&cargo, CARGO).unwrap();
    fs::set_permissions(&cargo, Permissions::from_mode(0o755)).unwrap();
    let absolute = folder.join("its network").display().to_string();
    for exe in ["name".to_owned(), "two words".to_owned(), place.path().join("beside it").display().to_string()] {
        for network in ["../its network", &absolute] {
            let words = [format!("CARGO={}", cargo.display()), format!("EXE={exe}"), format!("EVALFILE={network}")];
            let made = Command::new("make").arg("-s").args(words).current_dir(&folder).output().unwrap();
            let printed = String::from_utf8_lossy(&made.stdout);
            assert!(made.status.success() && printed.ends_with(&format!("bench 1 of {network}\n")), "{exe}: {made:?}");
            assert!(folder.join(&exe).is_file(), "{exe}");
        }
    }
}
