//! Options in the manual: each is one that a program of the workspace has in its help.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use super::held;
use super::manual::{PROGRAMS, binaries, has_tools, is_assignment, program_of};
use super::markdown::ROOT;

/// Programs whose commands in the text are held as those in blocks are.
const OTHERS: [&str; 5] = ["cargo", "make", "pip", "pytest", "xboard"];

/// Help texts of programs and their sub-commands.
#[derive(Default)]
pub(crate) struct Helps(BTreeMap<Vec<String>, String>);

impl Helps {
    /// Returns the help for these words; empty if the program has none for them.
    fn of(&mut self, words: &[&str]) -> &str {
        let key: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        self.0.entry(key).or_insert_with(|| {
            let mut command = Command::new(binaries().join(words[0]));
            let output = command.args(&words[1..]).arg("--help").env("LC_ALL", "C.UTF-8").output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() { text } else { String::new() }
        })
    }

    /// Returns the error in a command between backticks; none if it is none.
    pub(crate) fn error_of(&mut self, span: &str) -> Option<String> {
        let command = span.trim_start_matches("$ ").trim_start_matches("valgrind --tool=callgrind ");
        let words = command.split_whitespace().take_while(|word| *word != "|");
        let words: Vec<&str> = words.skip_while(|word| is_assignment(word)).collect();
        let (&program, rest) = words.split_first()?;
        if program.starts_with("ci/") || OTHERS.contains(&program) {
            let is_vague = rest.is_empty() || rest.contains(&"...");
            return if is_vague { None } else { held::fault(command) };
        }
        let program = program_of(program);
        let is_built = program == "chuhe" || has_tools();
        if !PROGRAMS.contains(&program) || rest.is_empty() || !is_built {
            return None;
        }
        let task = rest[0].trim_matches(['[', ']']);
        let has_task = task.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !task.starts_with('-');
        let own = self.of(&[program]).to_owned();
        if has_task && !own.contains(task) {
            return Some(format!("{span}: {program} has no {task}"));
        }
        // The arena explains everything in one text.
        let help = if has_task && program != "chuhe-arena" { self.of(&[program, task]).to_owned() } else { own };
        let options = rest.iter().map(|word| word.trim_matches(['[', ']'])).filter(|word| word.starts_with('-'));
        let unknown: Vec<&str> = options.filter(|word| word.len() > 1 && !has_option(&help, word)).collect();
        (!unknown.is_empty()).then(|| format!("{span}: {unknown:?} is not in the help"))
    }

    /// Returns the options that a text between backticks begins with and that no program of the workspace has.
    pub(crate) fn unknown_option<'a>(&mut self, span: &'a str, foreign: &[&str]) -> Option<&'a str> {
        let option = span.split([' ', '=', '.']).next().filter(|word| word.len() > 1 && word.starts_with('-'))?;
        let is_word = option.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic());
        let is_foreign = foreign.contains(&option) || !is_word;
        (!is_foreign && !self.all().iter().any(|help| has_option(help, option))).then_some(option)
    }

    /// Returns the help texts of all programs and their sub-commands, and the source with the options of the cluster's module.
    fn all(&mut self) -> Vec<String> {
        let module = fs::read_to_string(Path::new(ROOT).join("tools/cluster/chuhe_cluster/__main__.py"));
        let mut texts = vec![module.unwrap()];
        for program in PROGRAMS {
            let own = self.of(&[program]).to_owned();
            let names = own.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
            let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
            let names: BTreeSet<&str> = names.filter(|name| !name.is_empty()).collect();
            texts.extend(names.into_iter().map(|name| self.of(&[program, name]).to_owned()));
            texts.push(own);
        }
        texts
    }
}

/// Whether a help text explains an option; some programs take one dash or two.
fn has_option(help: &str, option: &str) -> bool {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').to_owned();
    let words = help.split(|c: char| c.is_whitespace() || "=,|'\"()".contains(c)).map(bare);
    words.filter(|word| word.starts_with('-')).any(|word| word.trim_start_matches('-') == name)
}
