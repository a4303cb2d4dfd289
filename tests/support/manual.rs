//! Blocks of the manual that run: their commands, in a folder that looks like the repository after a build.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use tempfile::TempDir;

use super::held;
use super::markdown::{Block, ROOT};
use super::session::{Shown, is_shown};

/// Programs of the workspace.
pub(crate) const PROGRAMS: [&str; 8] = [
    "chuhe",
    "chuhe-arena",
    "chuhe-board",
    "book-tools",
    "chuhe-endgame",
    "chuhe-selfplay",
    "chuhe-trainer",
    "chuhe-gobang",
];

/// Other programs whose commands run: that of the shell, and the one that `tests/data/manual.sh` replaces.
const OTHERS: [&str; 2] = ["cp", "python"];

/// Environment variable with which the tools are run as well; they must have been built.
const WITH_TOOLS: &str = "CHUHE_DOCS_TOOLS";

/// Whether the tools have been built.
pub(crate) fn has_tools() -> bool {
    env::var_os(WITH_TOOLS).is_some()
}

/// Returns the folder of the programs.
pub(crate) fn binaries() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_chuhe")).parent().expect("the program is in a folder")
}

/// A folder in which the blocks of a page run one after the other.
pub(crate) struct Workplace {
    folder: TempDir,
    is_prepared: bool,
    /// Lines that commands without a comparison have printed.
    printed: Vec<String>,
}

impl Workplace {
    /// Makes the folder: links to the repository, and the programs in `target/release`.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(ROOT).unwrap().map(Result::unwrap) {
            let name = entry.file_name();
            if name != "target" && name != ".git" {
                symlink(entry.path(), folder.path().join(name)).unwrap();
            }
        }
        let release = folder.path().join("target/release");
        fs::create_dir_all(&release).unwrap();
        for program in PROGRAMS {
            symlink(binaries().join(program), release.join(program)).unwrap();
        }
        Self { folder, is_prepared: false, printed: vec![] }
    }

    /// Runs a block of any kind, and returns its errors; none if the tools that it needs are missing.
    ///
    /// A later block of the page may read what one that is not run would have written.
    pub(crate) fn errors_of(&mut self, block: &Block) -> Option<Vec<String>> {
        match block.kind.as_str() {
            "console" => self.errors_of_session(block),
            "sh" => match Script::read(block) {
                Ok(script) if script.needs_tools() && !has_tools() => None,
                Ok(script) => Some(self.run(&script).err().into_iter().collect()),
                Err(error) => Some(vec![error]),
            },
            "text" => match block.note("form of ") {
                Some(_) if !has_tools() => None,
                Some(source) => Some(self.errors_of_form(source, block)),
                None => Some(vec![]),
            },
            _ => Some(vec![]),
        }
    }

    fn errors_of_session(&self, block: &Block) -> Option<Vec<String>> {
        let commands = Shown::read(&block.lines);
        let is_ours = |shown: &&Shown| shown.programs().any(|program| PROGRAMS.contains(&program));
        let can_run = |shown: &&Shown| has_tools() || shown.programs().all(|program| !PROGRAMS[1..].contains(&program));
        if !commands.iter().all(|shown| can_run(&shown)) {
            return None;
        }
        let held = commands.iter().filter(|shown| !is_ours(shown)).filter_map(|shown| held::fault(&shown.command));
        let path = self.folder.path().join("target/release");
        let results = commands.iter().filter(is_ours).map(|shown| shown.run(self.folder.path(), &path));
        Some(held.chain(results.filter_map(Result::err)).collect())
    }

    /// Runs the commands of a script, which must end with its status.
    fn run(&mut self, script: &Script) -> Result<(), String> {
        if script.commands.is_empty() {
            return Ok(());
        }
        if has_tools() && !self.is_prepared {
            self.is_prepared = true;
            let text = fs::read_to_string(Path::new(ROOT).join("tests/data/manual.sh")).unwrap();
            self.execute(&text, 0)?;
        }
        self.execute(&script.commands.join("\n"), script.status)
    }

    fn execute(&mut self, script: &str, status: i32) -> Result<(), String> {
        let folder = self.folder.path();
        let paths = [folder.join("bin"), folder.join("target/release")];
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(paths.into_iter().chain(env::split_paths(&inherited))).unwrap();
        let output = Command::new("sh")
            .args(["-e", "-c", &format!("exec 2>&1\n{script}")])
            .current_dir(folder)
            .env("PATH", path)
            .env("HOME", folder)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        self.printed.extend(text.split(['\n', '\r']).map(str::to_owned));
        let is_right = output.status.code() == Some(status);
        is_right.then_some(()).ok_or_else(|| format!("{script}\nends with {}, not {status}:\n{text}", output.status))
    }

    /// Returns the lines of a block without a line of the same form in the output of its command, or of the commands above it.
    fn errors_of_form(&mut self, source: &str, block: &Block) -> Vec<String> {
        if source != "the output above"
            && let Err(error) = self.execute(source, 0)
        {
            return vec![error];
        }
        let forms: Vec<String> = self.printed.iter().map(|line| form(line)).collect();
        let is_there = |line: &String| forms.iter().any(|said| is_shown(&[form(line)], &[said]));
        let has_none = |line: &&String| !is_there(line);
        let strange = block.lines.iter().filter(has_none);
        strange.map(|line| format!("no output like {line:?} of {source}:\n{}", self.printed.join("\n"))).collect()
    }
}

/// Commands of a block of the type `sh`.
pub(crate) struct Script {
    /// Commands to run, shortened as the note above the block says.
    commands: Vec<String>,
    /// Expected exit status.
    status: i32,
}

impl Script {
    /// Reads a block.
    ///
    /// # Errors
    /// If a command is neither run nor held by a script, or a note replaces words that are not there.
    pub(crate) fn read(block: &Block) -> Result<Self, String> {
        let text = joined(&block.lines);
        let (mut commands, mut faults) = (vec![], vec![]);
        for command in text.lines().map(without_comment).flat_map(|line| line.split(" && ")).map(str::trim) {
            let program = program_of(command);
            if PROGRAMS.contains(&program) || OTHERS.contains(&program) {
                commands.push(command.to_owned());
            } else if !command.is_empty() {
                faults.extend(held::fault(command));
            }
        }
        for change in block.note("shorter: ").into_iter().flat_map(|note| note.split("; ")) {
            let (long, short) = change.split_once(" => ").ok_or_else(|| format!("no arrow in {change:?}"))?;
            if !commands.iter().any(|command| command.contains(long)) {
                faults.push(format!("{long:?} of a note is not in the block"));
            }
            commands.iter_mut().for_each(|command| *command = command.replace(long, short));
        }
        let status =
            block.note("ends with ").map_or(Ok(0), str::parse).map_err(|error| format!("a status: {error}"))?;
        if faults.is_empty() { Ok(Self { commands, status }) } else { Err(faults.join("\n")) }
    }

    fn needs_tools(&self) -> bool {
        self.commands.iter().any(|command| !["chuhe", "cp"].contains(&program_of(command)))
    }
}

/// Returns the lines with those that a backslash continues in one.
fn joined(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| match text.strip_suffix('\\') {
        Some(start) => format!("{start}{}", line.trim_start()),
        None => format!("{text}\n{line}"),
    })
}

/// Returns a line of a script without the comment at its end.
fn without_comment(line: &str) -> &str {
    if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or_default() }
}

/// Returns the name of the program that a command starts.
pub(crate) fn program_of(command: &str) -> &str {
    let first = command.split_whitespace().find(|word| !is_assignment(word)).unwrap_or_default();
    let name = first.strip_prefix("target/release/").or(first.strip_prefix("./")).unwrap_or(first);
    name.split('.').next().filter(|stem| PROGRAMS.contains(stem)).unwrap_or(name)
}

/// Whether a word sets a variable of the environment.
pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Returns a line with the same text in the place of numbers, hashes, moves, and what stands in braces.
pub(crate) fn form(line: &str) -> String {
    let line = line.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect::<String>();
    let mut words: Vec<String> = line.split_whitespace().map(form_of_word).collect();
    words.dedup_by(|next, last| next == "MOVE" && last == "MOVE");
    words.join(" ")
}

fn form_of_word(word: &str) -> String {
    let bare = word.trim_matches(|c: char| "(),;".contains(c));
    let is_square = |text: &str| text.starts_with(|c| ('a'..='i').contains(&c)) && text[1..].parse::<u32>().is_ok();
    let second = bare.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase()).map_or(0, |(at, _)| at);
    let is_move = bare.is_ascii() && second > 0 && is_square(&bare[..second]) && is_square(&bare[second..]);
    let is_hash = bare.len() >= 16 && bare.chars().all(|c| c.is_ascii_hexdigit());
    if is_move {
        return "MOVE".to_owned();
    }
    if is_hash || ["inf", "-inf", "nan", "NaN"].contains(&bare) {
        return word.replace(bare, "#");
    }
    numbers_replaced(word)
}

/// Replaces numbers, with their signs and points, by `#`.
fn numbers_replaced(word: &str) -> String {
    let chars: Vec<char> = word.chars().collect();
    let digit_at = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mut text = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let is_sign = "+-".contains(c) && digit_at(at + 1) && !(at > 0 && digit_at(at - 1));
        let is_inside = ".,/".contains(c) && at > 0 && digit_at(at - 1) && digit_at(at + 1);
        if c.is_ascii_digit() || is_inside {
            if !text.ends_with('#') {
                text.push('#');
            }
        } else if !is_sign {
            text.push(c);
        }
    }
    text
}
