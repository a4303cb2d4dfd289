//! Inherent `impl` blocks of source files: which file calls methods of which other one through `self`.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, body, words};

/// One inherent `impl` block.
struct Block<'a> {
    type_name: &'a str,
    code: &'a str,
}

impl<'a> Block<'a> {
    /// Returns the blocks of a file; implementations of traits are none.
    fn all_of(source: &'a Source) -> Vec<Self> {
        let code = &source.code;
        let is_item = |at: usize| matches!(code[..at].trim_end().chars().last(), None | Some('}' | ']' | ';' | '{'));
        let keywords = words(code).filter(|&(at, word)| word == "impl" && is_item(at));
        keywords
            .filter_map(|(at, word)| {
                let (open, close) = body(code, at)?;
                let type_name = implemented_type(&code[at + word.len()..open])?;
                Some(Self { type_name, code: &code[open..=close] })
            })
            .collect()
    }

    fn methods(&self) -> impl Iterator<Item = &'a str> {
        let all: Vec<_> = words(self.code).map(|(_, word)| word).collect();
        (1..all.len()).filter(|&at| all[at - 1] == "fn").map(|at| all[at]).collect::<Vec<_>>().into_iter()
    }

    /// Iterates over the names in `self.name(` and `Self::name(`.
    fn calls(&self) -> impl Iterator<Item = &'a str> {
        let code = self.code;
        words(code).filter_map(move |(at, word)| {
            let before = code[..at].trim_end();
            let receiver = before.strip_suffix('.').map(|rest| (rest.trim_end(), "self"));
            let receiver = receiver.or_else(|| before.strip_suffix("::").map(|rest| (rest, "Self")));
            let is_own = receiver.is_some_and(|(rest, name)| {
                rest.strip_suffix(name).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            });
            (is_own && code[at + word.len()..].starts_with('(')).then_some(word)
        })
    }
}

/// Returns the type's name from the text between `impl` and the opening brace; `None` for the `impl` of a trait.
fn implemented_type(head: &str) -> Option<&str> {
    let head = head.split(" where ").next()?.trim();
    let head = if head.starts_with('<') { &head[end_of_generics(head)?..] } else { head };
    if words(head).any(|(_, word)| word == "for") {
        return None;
    }
    let path = &head[..head.find('<').unwrap_or(head.len())];
    words(path).last().map(|(_, word)| word)
}

/// Returns the place after the `>` that closes the `<` at the start; an arrow `->` closes nothing.
fn end_of_generics(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if previous != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
        previous = c;
    }
    None
}

/// For one type: each file with an inherent `impl` of it, and the other files whose methods it calls.
pub(crate) type Calls = BTreeMap<String, BTreeSet<String>>;

/// Returns the calls of every type that is implemented in several files. Types of one name in different folders are
/// distinguished by their declarations.
pub(crate) fn calls_between_impls(sources: &[Source]) -> BTreeMap<String, Calls> {
    let mut methods: BTreeMap<(String, &str), BTreeMap<&str, &str>> = BTreeMap::new();
    let blocks: Vec<_> =
        sources.iter().flat_map(|source| Block::all_of(source).into_iter().map(move |b| (source, b))).collect();
    let key = |source: &Source, name: &str| format!("{} of {}", name, declaring_file(sources, source, name));
    for (source, block) in &blocks {
        let of_type = methods.entry((key(source, block.type_name), block.type_name)).or_default();
        of_type.extend(block.methods().map(|method| (method, source.path.as_str())));
    }
    let mut found: BTreeMap<String, Calls> = BTreeMap::new();
    for (source, block) in &blocks {
        let name = key(source, block.type_name);
        let of_type = &methods[&(name.clone(), block.type_name)];
        let called = block.calls().filter_map(|call| of_type.get(call)).filter(|&&file| file != source.path);
        let files = found.entry(name).or_default().entry(source.path.clone()).or_default();
        files.extend(called.map(|&file| file.to_owned()));
    }
    found.retain(|_, calls| calls.len() > 1);
    found
}

/// Returns the file that declares the type which `source` implements: itself, or the nearest one by folder.
fn declaring_file(sources: &[Source], source: &Source, name: &str) -> String {
    let shared = |other: &Source| {
        let parts = source.path.split('/').zip(other.path.split('/'));
        (other.path == source.path, parts.take_while(|(a, b)| a == b).count())
    };
    let declaring = sources.iter().filter(|other| other.declares(name));
    declaring.max_by_key(|other| shared(other)).map_or_else(|| source.path.clone(), |other| other.path.clone())
}

/// Returns the files that are part of a circle or lead only into one.
pub(crate) fn circle(calls: &Calls) -> Vec<&str> {
    let mut left: BTreeMap<&str, &BTreeSet<String>> = calls.iter().map(|(file, called)| (&**file, called)).collect();
    while let Some(free) = left.iter().find(|(_, called)| called.iter().all(|file| !left.contains_key(&**file))) {
        let free = *free.0;
        left.remove(free);
    }
    left.into_keys().collect()
}
