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

/// A fenced block of code: the word behind the fence, and the lines.
pub(crate) struct Block {
    pub(crate) kind: String,
    pub(crate) lines: Vec<String>,
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
                (Some(kind), None) => open = Some(Block { kind: kind.to_owned(), lines: vec![] }),
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

    /// Returns what stands in blocks or between backticks.
    pub(crate) fn code(&self) -> String {
        let (prose, blocks) = self.parts();
        let prose = prose.join("\n");
        let spans = prose.split('`').skip(1).step_by(2).map(str::to_owned);
        spans.chain(blocks.into_iter().map(|block| block.lines.join("\n"))).collect::<Vec<_>>().join("\n")
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace() || "-_".contains(*c));
    kept.map(|c| if c.is_whitespace() { '-' } else { c.to_ascii_lowercase() }).collect()
}
