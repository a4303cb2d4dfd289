//! Rust source analysed without a compiler: its code without comments and literals, its paths, the length of its functions.

use std::path::Path;
use std::{fs, io};

/// One source file.
pub(crate) struct Source {
    /// Path below `src`, with slashes: `search/mod.rs`.
    pub(crate) path: String,
    /// The text as it is.
    pub(crate) text: String,
    /// The text with comments and literals blanked out, so that every byte and every line keeps its place.
    pub(crate) code: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), code: blank(text) }
    }

    /// Reads every `.rs` file below `root`, sorted by path.
    pub(crate) fn all_below(root: &Path) -> io::Result<Vec<Self>> {
        let (mut folders, mut sources) = (vec![root.to_owned()], vec![]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let name = path.strip_prefix(root).expect("found below it").to_string_lossy().replace('\\', "/");
                    sources.push(Self::new(&name, &fs::read_to_string(&path)?));
                }
            }
        }
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(sources)
    }

    /// Returns the module path of this file: `search/mod.rs` is `[search]`, `lib.rs` and `main.rs` are `[]`.
    pub(crate) fn module(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.path.trim_end_matches(".rs").split('/').collect();
        if matches!(names.last(), Some(&("mod" | "lib" | "main"))) {
            names.pop();
        }
        names
    }

    /// Returns every path that starts with `crate::` or `super::`, relative to the crate root, with groups expanded.
    pub(crate) fn paths(&self) -> Vec<Vec<String>> {
        let mut paths = vec![];
        for (at, word) in words(&self.code) {
            let rest = &self.code[at + word.len()..];
            let names_path = !self.code[..at].ends_with("super::") && rest.trim_start().starts_with("::");
            match word {
                "crate" if names_path => read_branch(rest, &mut vec![], &mut paths),
                "super" if names_path => read_branch(rest, &mut self.parent_of_module_at(at), &mut paths),
                _ => continue,
            };
        }
        paths
    }

    /// Returns the source with test-only code blanked out.
    pub(crate) fn without_tests(&self) -> Self {
        let mut code = self.code.clone();
        for (at, attribute) in self.test_attributes() {
            let after = at + attribute.len();
            let end =
                body(&code, after).map_or_else(|| code[after..].find(';').map(|end| after + end), |(_, end)| Some(end));
            let Some(end) = end else { continue };
            let blanks =
                code[at..=end].chars().map(|c| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) });
            code.replace_range(at..=end, &blanks.collect::<String>());
        }
        Self { path: self.path.clone(), text: self.text.clone(), code }
    }

    /// Returns the test-only modules that have their own file.
    pub(crate) fn test_modules(&self) -> Vec<Vec<String>> {
        let below =
            |name: &str| -> Vec<String> { self.module().into_iter().chain([name]).map(str::to_owned).collect() };
        let declared = self.test_attributes().into_iter().filter_map(|(at, attribute)| {
            let item = &self.code[at + attribute.len()..];
            let item = &item[..item.find([';', '{'])?];
            let words: Vec<&str> = words(item).map(|(_, word)| word).collect();
            let place = words.iter().position(|&word| word == "mod")?;
            Some(below(words.get(place + 1)?))
        });
        declared.collect()
    }

    /// Returns the places of test-only code, each with its attribute.
    fn test_attributes(&self) -> Vec<(usize, &str)> {
        let attributes = self.code.match_indices("#[cfg(");
        let whole = attributes.filter_map(|(at, _)| Some((at, &self.code[at..=at + self.code[at..].find(']')?])));
        whole
            .filter(|(_, attribute)| {
                words(attribute).any(|(_, word)| word == "test") && !attribute.contains("not(test")
            })
            .collect()
    }

    /// Returns the name, first line and number of lines of every function with a body.
    pub(crate) fn functions(&self) -> Vec<(&str, usize, usize)> {
        let line_of = |at: usize| 1 + self.code[..at].matches('\n').count();
        let all: Vec<_> = words(&self.code).collect();
        // The type of a pointer to a function has no name.
        let is_named = |from: usize, to: usize| self.code[from + "fn".len()..to].trim().is_empty();
        let functions = all.windows(2).filter(|pair| pair[0].1 == "fn" && is_named(pair[0].0, pair[1].0));
        functions
            .filter_map(|pair| {
                let (start, (name_at, name)) = (pair[0].0, pair[1]);
                let (_, end) = body(&self.code, name_at)?;
                Some((name, line_of(start), line_of(end) - line_of(start) + 1))
            })
            .collect()
    }

    /// Whether a type of this name is declared here.
    pub(super) fn declares(&self, name: &str) -> bool {
        let all: Vec<_> = words(&self.code).map(|(_, word)| word).collect();
        all.windows(2).any(|pair| matches!(pair[0], "struct" | "enum" | "union") && pair[1] == name)
    }

    /// Returns the module that a single `super` at this place refers to; inline modules count as modules.
    fn parent_of_module_at(&self, at: usize) -> Vec<String> {
        let mut module: Vec<_> = self.module().into_iter().map(str::to_owned).collect();
        let all: Vec<_> = words(&self.code[..at]).collect();
        for pair in all.windows(2).filter(|pair| pair[0].1 == "mod") {
            let (name_at, name) = pair[1];
            if body(&self.code, name_at).is_some_and(|(open, close)| (open..close).contains(&at)) {
                module.push(name.to_owned());
            }
        }
        module.pop();
        module
    }
}

/// Iterates over identifiers and keywords with their places.
pub(crate) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find(is_part)?;
        let end = code[start..].find(|c| !is_part(c)).map_or(code.len(), |length| start + length);
        at = end;
        Some((start, &code[start..end]))
    })
}

/// Returns the places of the braces of the item whose name is at `name_at`; `None` if the item ends with a semicolon.
pub(super) fn body(code: &str, name_at: usize) -> Option<(usize, usize)> {
    let (mut nested, mut braces, mut open) = (0, 0, None);
    for (offset, c) in code[name_at..].char_indices() {
        match c {
            '(' | '[' => nested += 1,
            ')' | ']' => nested -= 1,
            ';' if nested == 0 && open.is_none() => return None,
            '{' => {
                braces += 1;
                open.get_or_insert(name_at + offset);
            }
            '}' => {
                braces -= 1;
                if braces == 0 {
                    return Some((open?, name_at + offset));
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads the rest of a path, from its next `::`, and returns the text after the path.
fn read_branch<'a>(text: &'a str, prefix: &mut Vec<String>, paths: &mut Vec<Vec<String>>) -> &'a str {
    let Some(rest) = text.trim_start().strip_prefix("::").map(str::trim_start) else {
        paths.push(prefix.clone());
        return text;
    };
    if let Some(group) = rest.strip_prefix('{') {
        return read_group(group, prefix, paths);
    }
    let Some((0, word)) = words(rest).next() else {
        // The path ends here with a glob or generic arguments.
        let mut path = prefix.clone();
        path.extend(rest.starts_with('*').then(|| "*".to_owned()));
        paths.push(path);
        return rest.trim_start_matches('*');
    };
    let depth = prefix.len();
    if word == "super" {
        prefix.pop();
    } else {
        prefix.push(word.to_owned());
    }
    let after = read_branch(&rest[word.len()..], prefix, paths);
    prefix.truncate(depth);
    after
}

fn read_group<'a>(mut text: &'a str, prefix: &mut Vec<String>, paths: &mut Vec<Vec<String>>) -> &'a str {
    loop {
        text = text.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if let Some(after) = text.strip_prefix('}') {
            return after;
        }
        let depth = prefix.len();
        text = match words(text).next() {
            Some((0, "self")) => {
                paths.push(prefix.clone());
                &text["self".len()..]
            }
            Some((0, word)) => {
                prefix.push(word.to_owned());
                read_branch(&text[word.len()..], prefix, paths)
            }
            _ if text.starts_with('*') => {
                paths.push([prefix.as_slice(), &["*".to_owned()]].concat());
                &text[1..]
            }
            _ => return text,
        };
        prefix.truncate(depth);
        // The rest of this entry can only be `as name`.
        text = &text[text.find([',', '}']).unwrap_or(text.len())..];
    }
}

/// Replaces every byte of comments and literals by a blank, and keeps the line breaks.
fn blank(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let after_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let length = comment(rest).or_else(|| literal(rest, after_word));
        match (length, rest.chars().next()) {
            (Some(length), _) => {
                code.extend(rest[..length].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
                rest = &rest[length..];
            }
            (None, Some(c)) => {
                code.push(c);
                rest = &rest[c.len_utf8()..];
            }
            (None, None) => unreachable!("the rest is not empty"),
        }
    }
    code
}

/// Returns the length of the comment that starts here, if there is one.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..text.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    Some(text.len())
}

/// Returns the length of the string or character literal that starts here, if there is one.
fn literal(text: &str, after_word: bool) -> Option<usize> {
    let raw = text.strip_prefix("br").or_else(|| text.strip_prefix('r')).filter(|_| !after_word);
    if let Some(raw) = raw {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let start = text.len() - raw.len() + hashes + 1;
            let end = format!("\"{}", "#".repeat(hashes));
            return Some(text[start..].find(&end).map_or(text.len(), |length| start + length + end.len()));
        }
    }
    match text.as_bytes() {
        [b'"', ..] => Some(quoted(text, b'"')),
        [b'\'', b'\\', ..] => Some(quoted(text, b'\'')),
        [b'\'', ..] => {
            // `'a'` is a character literal, `'a` a lifetime.
            let width = text[1..].chars().next()?.len_utf8();
            text[1 + width..].starts_with('\'').then_some(width + 2)
        }
        _ => None,
    }
}

/// Returns the length of a literal that ends at the first `quote` without a backslash.
fn quoted(text: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
