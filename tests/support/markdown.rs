//! Pages in Markdown: their headings, links and blocks of code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, mem};

/// Folder of the repository.
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A page, and its path relative to [`ROOT`].
pub(crate) struct Page {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A fenced block of code.
pub(crate) struct Block {
    /// The words after the fence.
    pub(crate) kind: String,
    /// Texts of the comments in the lines above the fence, which readers do not see.
    pub(crate) notes: Vec<String>,
    pub(crate) lines: Vec<String>,
}

impl Block {
    /// Returns the rest of the note that begins with these words.
    pub(crate) fn note(&self, start: &str) -> Option<&str> {
        self.notes.iter().find_map(|note| note.strip_prefix(start)).map(str::trim)
    }

    /// Returns the error in lines that a block quotes from a file: each must be there, apart from comments and indentation.
    pub(crate) fn error_of_quotation(&self, source: &str) -> Option<String> {
        let mut parts = source.split("; ");
        let path = PathBuf::from(parts.next()?);
        let Ok(text) = fs::read_to_string(Path::new(ROOT).join(&path)) else {
            return Some(format!("no file {path:?}"));
        };
        let bare = |line: &str| {
            let line = line.trim_start_matches("//!").split(" // ").next().unwrap_or_default().trim().to_owned();
            if line.starts_with("// ") { String::new() } else { line }
        };
        let known: Vec<String> = text.lines().map(bare).collect();
        let changes: Vec<_> = parts.filter_map(|change| change.split_once(" => ")).collect();
        let changed = |line: &String| changes.iter().fold(line.clone(), |line, (from, to)| line.replace(from, to));
        let missing: Vec<String> = self.lines.iter().map(changed).map(|line| bare(&line)).collect();
        let missing = missing.into_iter().find(|line| !line.is_empty() && !known.contains(line));
        missing.map(|line| format!("{} has no line {line:?}", path.display()))
    }
}

impl Page {
    pub(crate) fn read(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let text = fs::read_to_string(Path::new(ROOT).join(&path)).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        Self { path, text: text.replace("\r\n", "\n") }
    }

    /// Returns the pages of a folder, by name.
    pub(crate) fn all_in(folder: impl AsRef<Path>) -> Vec<Self> {
        let entries = fs::read_dir(Path::new(ROOT).join(&folder)).unwrap_or_else(|error| panic!("{error}"));
        let names = entries.map(|entry| entry.unwrap().file_name());
        let paths = names.map(|name| folder.as_ref().join(name));
        let mut paths: Vec<_> =
            paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
        paths.sort();
        paths.into_iter().map(Self::read).collect()
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Lines outside of blocks, and the blocks.
    fn parts(&self) -> (Vec<&str>, Vec<Block>) {
        let (mut prose, mut blocks, mut open) = (vec![], vec![], None);
        for line in self.text.lines() {
            match (line.trim_start().strip_prefix("```"), &mut open) {
                (Some(kind), None) => {
                    let notes = notes_at_end(&prose);
                    open = Some(Block { kind: kind.to_owned(), notes, lines: vec![] });
                }
                (Some(_), Some(_)) => blocks.extend(mem::take(&mut open)),
                (None, Some(block)) => block.lines.push(line.to_owned()),
                (None, None) => prose.push(line),
            }
        }
        assert!(open.is_none(), "{}: a block of code has no end", self.name());
        (prose, blocks)
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        self.parts().1
    }

    /// Returns level and text of every heading.
    pub(crate) fn headings(&self) -> Vec<(usize, &str)> {
        let lines = self.parts().0.into_iter();
        lines
            .filter_map(|line| {
                let text = line.trim_start_matches('#');
                let level = line.len() - text.len();
                (level > 0 && text.starts_with(' ')).then(|| (level, text.trim()))
            })
            .collect()
    }

    /// Returns the names by which links reach the headings, as mdBook and GitHub make them.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let mut seen = BTreeMap::<String, usize>::new();
        let numbered = |(_, heading): (usize, &str)| {
            let anchor = anchor(heading);
            let count = seen.entry(anchor.clone()).or_default();
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        };
        self.headings().into_iter().map(numbered).collect()
    }

    /// Returns the targets of links and pictures, in Markdown or HTML.
    pub(crate) fn links(&self) -> Vec<String> {
        let prose: String = self.parts().0.join("\n");
        let text: String = prose.split('`').step_by(2).collect();
        let targets = [("](", ')'), ("src=\"", '"'), ("href=\"", '"')].into_iter().flat_map(|(start, end)| {
            let behind = text.split(start).skip(1);
            behind.filter_map(move |rest| rest.split(end).next()).map(str::to_owned).collect::<Vec<_>>()
        });
        targets.collect()
    }

    /// Returns the texts between backticks, each in one line.
    pub(crate) fn spans(&self) -> Vec<String> {
        let prose = self.parts().0.join("\n");
        let spans = prose.split('`').skip(1).step_by(2);
        spans.map(|span| span.replace('\n', " ").replace("\\|", "|")).collect()
    }

    /// Returns what stands in blocks or between backticks.
    pub(crate) fn code(&self) -> String {
        let blocks = self.blocks().into_iter().map(|block| block.lines.join("\n"));
        self.spans().into_iter().chain(blocks).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the texts of the comments in the last lines.
fn notes_at_end(prose: &[&str]) -> Vec<String> {
    let text = |line: &&str| Some(line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.to_owned());
    prose.iter().rev().map_while(text).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace() || "-_".contains(*c));
    kept.map(|c| if c.is_whitespace() { '-' } else { c.to_ascii_lowercase() }).collect()
}
