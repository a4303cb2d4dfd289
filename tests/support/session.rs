//! Terminal sessions as manuals show them, run and compared.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Time that a program may take for its next line, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A command of the shell, and the output that is shown below it, in pieces.
pub(crate) struct Shown {
    pub(crate) command: String,
    steps: Vec<Step>,
}

/// A line of input, but not in the first step, and the output that follows.
#[derive(Default)]
struct Step {
    input: Option<String>,
    output: Vec<String>,
}

impl Shown {
    /// Reads the commands of a block of the type `console`.
    pub(crate) fn read(lines: &[String]) -> Vec<Self> {
        let mut commands: Vec<Self> = vec![];
        for line in lines {
            if let Some(command) = line.strip_prefix("$ ") {
                commands.push(Self { command: command.to_owned(), steps: vec![Step::default()] });
                continue;
            }
            let shown = commands.last_mut().unwrap_or_else(|| panic!("output without a command: {line}"));
            if shown.steps.len() == 1 && shown.steps[0].output.is_empty() && shown.command.ends_with('\\') {
                shown.command.pop();
                shown.command += line.trim_start();
            } else if let Some(input) = line.strip_prefix("> ") {
                shown.steps.push(Step { input: Some(input.to_owned()), output: vec![] });
            } else {
                shown.steps.last_mut().expect("there is a first step").output.push(line.clone());
            }
        }
        commands
    }

    /// Returns the programs that the command starts.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &str> {
        let parts = self.command.split(['|', ';', '&']);
        parts.filter_map(|part| part.split_whitespace().find(|word| !word.contains('=')))
    }

    /// Runs the command in a folder, with more programs in `path`.
    pub(crate) fn run(&self, folder: &Path, path: &Path) -> Result<(), String> {
        let mut child = start(&self.command, folder, path);
        let (mut input, lines) = (child.stdin.take(), lines_of(&mut child));
        let mut result = Ok(());
        for (index, step) in self.steps.iter().enumerate() {
            if let (Some(line), Some(input)) = (&step.input, &mut input) {
                // A program that has ended reads nothing; its output shows why.
                let _ = writeln!(input, "{line}");
            }
            let is_last = index + 1 == self.steps.len();
            if is_last {
                input = None;
            }
            let said = step.await_output(&lines, is_last);
            if !is_shown(&step.output, &said) {
                let (at, shown) = (step.input.as_deref().unwrap_or_default(), step.output.join("\n"));
                result = Err(format!("$ {}\n> {at}\nshown:\n{shown}\nsaid:\n{}", self.command, said.join("\n")));
                break;
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        result
    }
}

impl Step {
    /// Reads to the end of the output, or until it is as shown.
    fn await_output(&self, lines: &Receiver<String>, to_the_end: bool) -> Vec<String> {
        let mut said = vec![];
        while to_the_end || !is_shown(&self.output, &said) {
            match lines.recv_timeout(TIMEOUT) {
                Ok(line) => said.push(line),
                Err(_) => break,
            }
        }
        said
    }
}

fn start(command: &str, folder: &Path, path: &Path) -> Child {
    let inherited = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{inherited}", path.display()))
        // A command of the manual may set the language by `LANG`, which these would override.
        .env_remove("LC_ALL")
        .env_remove("LC_CTYPE")
        .env_remove("LC_MESSAGES")
        .env_remove("LANGUAGE")
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
    let (sender, lines) = channel();
    // Lines after the last one that is compared may be dropped.
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    lines
}

/// Whether the shown lines describe the said ones; `...` stands for any lines, and within a line for any text.
pub(crate) fn is_shown<L: AsRef<str>, M: AsRef<str>>(shown: &[L], said: &[M]) -> bool {
    // Numbers of shown lines that describe a part that ends here.
    let mut ends = vec![false; shown.len() + 1];
    ends[0] = true;
    for line in said.iter().map(AsRef::as_ref) {
        skip_gaps(shown, &mut ends);
        let is_reached = |end: usize| {
            let continues = end < shown.len() && ends[end] && shown[end].as_ref() == "...";
            continues
                || (end > 0 && ends[end - 1] && shown[end - 1].as_ref() != "..." && fits(shown[end - 1].as_ref(), line))
        };
        ends = (0..=shown.len()).map(is_reached).collect();
    }
    skip_gaps(shown, &mut ends);
    ends[shown.len()]
}

/// A gap may stand for no line at all.
fn skip_gaps<L: AsRef<str>>(shown: &[L], ends: &mut [bool]) {
    for (index, line) in shown.iter().enumerate() {
        ends[index + 1] |= ends[index] && line.as_ref() == "...";
    }
}

/// Whether a line has all pieces between gaps, in their order.
fn fits(shown: &str, line: &str) -> bool {
    // Blanks at the end of a line are not seen.
    let (shown, line) = (shown.trim_end(), line.trim_end());
    let Some((first, rest)) = shown.split_once("...") else { return shown == line };
    let Some(mut line) = line.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once("...").unwrap_or(("", rest));
    for piece in middle.split("...") {
        let Some((_, behind)) = line.split_once(piece) else { return false };
        line = behind;
    }
    line.ends_with(last)
}
