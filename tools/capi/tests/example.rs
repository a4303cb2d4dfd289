//! The example in C, compiled against the header and the static library, and against the shared one.
#![cfg(target_os = "linux")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the libraries and returns their folder.
fn libraries() -> PathBuf {
    // This test lies in <target>/<profile>/deps.
    let folder = env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
    let target = folder.parent().unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--locked", "--package", "chuhe-capi", "--lib", "--target-dir"]).arg(target);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    folder
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Returns the command that compiles a program against the header.
fn compiler(source: &Path, program: &Path) -> Command {
    let mut compile = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compile.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-I"]);
    compile.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include")).arg(source).arg("-o").arg(program);
    compile
}

#[test]
fn the_program_of_the_manual_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("manual.c"), folder.path().join("manual"));
    for language in ["en", "zh"] {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{language}/src/c.md"));
        let page = std::fs::read_to_string(page).unwrap();
        let block = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        std::fs::write(&source, block).unwrap();
        run(compiler(&source, &program).arg(libraries().join("libchuhe_c.a")).args(["-lm", "-ldl", "-pthread"]));
        assert_eq!(run(&mut Command::new(&program)), "won, 3 plies\n");
    }
}

#[test]
fn the_example_plays_an_ending_judges_and_counts() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = libraries();
    let scratch = tempfile::tempdir().unwrap();
    for (name, arguments) in [
        ("static", vec![libraries.join("libchuhe_c.a").into_os_string(), "-lm".into(), "-ldl".into()]),
        ("shared", vec!["-L".into(), libraries.clone().into_os_string(), "-lchuhe_c".into()]),
    ] {
        let program = scratch.path().join(name);
        run(compiler(&crate_folder.join("examples/probe.c"), &program).args(arguments).arg("-pthread"));
        let told = run(Command::new(&program).env("LD_LIBRARY_PATH", &libraries));
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].starts_with("outcome 2, distance "), "{told}");
        assert!(lines[1].starts_with("black loses: "), "{told}");
        assert!(
            lines[2].starts_with("red loses: perpetual check; loop F0-E0") && lines[2].ends_with("(8 plies)"),
            "{told}"
        );
        assert_eq!(lines[3], "1920 and 1920 leaves");
        if env::var_os("CHUHE_VALGRIND").is_some() {
            run(Command::new("valgrind")
                .args([
                    "-q",
                    "--leak-check=full",
                    "--errors-for-leak-kinds=definite,indirect,possible",
                    "--error-exitcode=9",
                ])
                .arg(&program));
        }
    }
}
