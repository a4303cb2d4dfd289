//! Commands of the manual that its tests do not run: each is one that continuous integration or a script runs, or has a reason.

use std::fs;
use std::path::Path;

use super::manual::is_assignment;
use super::markdown::ROOT;

const CAPI_TEST: &str = "tools/capi/tests/example.rs";

/// Commands that are proven in another form: the command, a file, and its text that proves it.
const PROOFS: &[(&str, &str, &str)] = &[
    ("cargo build --release --features tune", "ci/test.sh", "cargo test --locked --release --features tune"),
    ("cargo build --release -p chuhe -p chuhe-arena", "ci/build.sh", "cargo build --locked --workspace"),
    ("cargo build --release --workspace", "ci/build.sh", "cargo build --locked --workspace"),
    ("cargo doc --open", "ci/check.sh", "cargo doc --locked --workspace"),
    (
        "xboard -fcp \"uci2wb -x chuhe\" -variant xiangqi",
        "ci/xboard.sh",
        "xboard -variant xiangqi -fcp \"uci2wb debug $1",
    ),
    ("cargo run --release -p chuhe-board", "ci/board.sh", "tests --test browser"),
    ("cargo build --release -p chuhe-capi", CAPI_TEST, "\"build\", \"--locked\", \"--package\", \"chuhe-capi\""),
    (
        "cc -I tools/capi/include tools/capi/examples/probe.c target/release/libchuhe_c.a -lm -pthread -o probe",
        CAPI_TEST,
        "examples/probe.c",
    ),
    ("./probe", CAPI_TEST, "examples/probe.c"),
    ("pip install ./tools/python", "ci/python.sh", "pip install ./tools/python"),
    ("pip install .", "ci/python.sh", "pip install ./tools/python"),
    ("pip install '.[test]'", "ci/python.sh", "pip install pytest pyffish"),
    ("pytest", "ci/python.sh", "-m pytest"),
    ("make EXE=name [EVALFILE=network]", "tests/scripts.rs", "EVALFILE={network}"),
    ("make EXE=name EVALFILE=a.nnue", "tests/scripts.rs", "EVALFILE={network}"),
    ("make -j EXE=name [EVALFILE=network]", "tests/scripts.rs", "EVALFILE={network}"),
];

/// Commands that nothing runs, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "cargo install --locked --path .",
        "builds as cargo build --release does, and copies the program to the user's folder",
    ),
    ("cargo install --locked --path tools/arena", "the same for the arena"),
    ("cargo install --locked --path tools/board", "the same for the board"),
    (
        "EVALFILE=$HOME/chuhe-data/a.nnue cargo build --release",
        "compiles the engine once more; make test passes EVALFILE",
    ),
    ("cargo package --workspace", "compiles every crate once more"),
    (
        "pip install -e 'tools/cluster[test]'",
        "fetches Ray from PyPI; tests/data/manual.sh has a stand-in for the module",
    ),
    ("pip install pyspark duckdb", "fetches both from PyPI; ci/spark.sh names the command if they are missing"),
    ("pytest tools/cluster", "needs Ray"),
    ("cargo install", "a name without arguments"),
];

/// Options of cargo without influence on what a command does.
const NEUTRAL: [&str; 4] = ["--locked", "--quiet", "--release", "--bins"];

/// Returns what is wrong with a command that is not run.
pub(crate) fn fault(command: &str) -> Option<String> {
    let proof = PROOFS.iter().find(|(known, ..)| *known == command);
    if let Some((_, file, text)) = proof {
        return (!read(file).contains(text))
            .then(|| format!("{file} does not have {text:?}, which proves {command:?}"));
    }
    if EXCEPTIONS.iter().any(|(known, _)| *known == command) {
        return None;
    }
    let words: Vec<&str> = command.split_whitespace().skip_while(|word| is_assignment(word)).collect();
    match words.first() {
        Some(&"cargo") => fault_of_cargo(&words[1..]),
        Some(script) if script.starts_with("ci/") => fault_of_script(script, &words[1..]),
        _ => Some("neither run nor known".to_owned()),
    }
    .map(|fault| format!("{command}: {fault}"))
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_default()
}

/// Returns the words of a script of `ci` that are not placeholders or numbers, and that the script does not have.
fn fault_of_script(script: &str, words: &[&str]) -> Option<String> {
    let text = read(script);
    if text.is_empty() {
        return Some("no such script".to_owned());
    }
    // An alternative, in brackets, has words too; in capitals are placeholders.
    let parts = words.iter().flat_map(|word| word.split(['[', ']', '|'])).map(|word| word.trim());
    let literal = |word: &&str| word.chars().any(|c| c.is_ascii_lowercase());
    let unknown: Vec<&str> = parts.filter(literal).filter(|word| !has_word(script, &text, word)).collect();
    (!unknown.is_empty()).then(|| format!("the script knows no {unknown:?}"))
}

fn has_word(script: &str, text: &str, word: &str) -> bool {
    // A target of rustc is passed on.
    let is_target = script == "ci/dist.py" && word.matches('-').count() >= 2;
    // Arguments of the script for Gobang are parsed by another file.
    let text = if script == "ci/gobang.sh" { read("ci/gobang.py") } else { text.to_owned() };
    is_target || text.contains(word)
}

/// Returns what is wrong with a command of cargo: a target that is not there, or no script that runs such a command.
fn fault_of_cargo(words: &[&str]) -> Option<String> {
    let own = words.split(|word| *word == "--").next().unwrap_or_default();
    let (&task, options) = own.split_first()?;
    let missing = missing_targets(options);
    if !missing.is_empty() {
        return Some(format!("there is no {missing:?}"));
    }
    match task {
        // A part of what continuous integration tests.
        "test" => fault_of_filter(options),
        // Continuous integration compiles them all.
        "bench" => (!read("ci/check.sh").contains("clippy --locked --workspace --all-targets")).then(String::new),
        "run" if options.contains(&"--example") => None,
        _ => {
            let wanted = essence(own);
            let is_run = scripts().iter().flat_map(|text| commands_of_cargo(text)).any(|command| command == wanted);
            (!is_run).then(|| format!("no script runs cargo {}", wanted.join(" ")))
        }
    }
}

/// Returns the words that decide what a command of cargo does.
fn essence(words: &[&str]) -> Vec<String> {
    let own = words.split(|word| *word == "--").next().unwrap_or_default();
    own.iter().filter(|word| !NEUTRAL.contains(word)).map(|word| (*word).to_owned()).collect()
}

/// Returns the texts of `.ci/run` and of all scripts in `ci`.
fn scripts() -> Vec<String> {
    let files = fs::read_dir(Path::new(ROOT).join("ci")).unwrap().map(|entry| entry.unwrap().path());
    let all = files.chain([Path::new(ROOT).join(".ci/run")]);
    all.filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// Returns the commands of cargo in a script, each by its essence.
fn commands_of_cargo(text: &str) -> Vec<Vec<String>> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words = code.filter_map(|line| line.split_once("cargo ").map(|(_, rest)| rest));
    let words = words.map(|rest| rest.split([';', '|', '>', '"', ')']).next().unwrap_or_default());
    words.map(|rest| essence(&rest.split_whitespace().collect::<Vec<_>>())).collect()
}

/// Returns the targets and packages that are named and not there.
fn missing_targets(options: &[&str]) -> Vec<String> {
    let package = options.windows(2).find(|pair| pair[0] == "-p").map_or("chuhe", |pair| pair[1]);
    let folder = match package.strip_prefix("chuhe-") {
        Some(tool) => format!("tools/{tool}/"),
        None if package == "chuhe" => String::new(),
        None => format!("{package}/"),
    };
    let file = |pair: &[&str]| match pair[0] {
        "--test" => Some(format!("{folder}tests/{}.rs", pair[1])),
        "--bench" => Some(format!("{folder}benches/{}.rs", pair[1])),
        "--example" => Some(format!("{folder}examples/{}.rs", pair[1])),
        "-p" => Some(format!("{folder}Cargo.toml")),
        "--path" => Some(format!("{}/Cargo.toml", pair[1])),
        _ => None,
    };
    let files = options.windows(2).filter_map(file);
    files.filter(|file| !Path::new(ROOT).join(file).exists()).collect()
}

/// Returns the filter of a test command if no test has it in its name.
fn fault_of_filter(options: &[&str]) -> Option<String> {
    let follows = |index: usize| index > 0 && ["--test", "-p"].contains(&options[index - 1]);
    let is_filter = |(index, word): &(usize, &&str)| !word.starts_with('-') && !follows(*index);
    let filter = options.iter().enumerate().find(is_filter).map(|(_, word)| *word)?;
    let source = options.windows(2).find(|pair| pair[0] == "--test").map(|pair| format!("tests/{}.rs", pair[1]));
    let is_known = match source {
        Some(file) => read(&file).contains(&format!("fn {filter}")),
        // The name of a module of the library.
        None => ["src", "src/eval"].iter().any(|folder| Path::new(ROOT).join(folder).join(filter).exists()),
    };
    (!is_known).then(|| format!("no test is called {filter}"))
}
