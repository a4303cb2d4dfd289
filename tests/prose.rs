//! Prose of the doc comments: each begins with its subject, and private words stay out of comments.

use std::fs;
use std::path::{Path, PathBuf};

/// Words with which a clause begins instead of a subject: in a hover the item above is not visible.
const CLAUSES: [&str; 32] = [
    "What",
    "Who",
    "Whose",
    "Whom",
    "Whoever",
    "Whatever",
    "The same",
    "So many",
    "So much",
    "So",
    "Nor",
    "Of",
    "By",
    "As",
    "From",
    "How",
    "Where",
    "Such",
    "Thus",
    "To whom",
    "With which",
    "In which",
    "For which",
    "Under which",
    "At which",
    "Nobody",
    "Nothing",
    "None",
    "Which",
    "Whereby",
    "Lest",
    "That which",
];

/// Words for which present-day English or the field has a usual one.
const PRIVATE_WORDS: [&str; 14] = [
    "whoever",
    "whosoever",
    "nobody",
    "so many",
    "so much",
    "shall",
    "is told",
    "are told",
    "tells of",
    "bettered",
    "to and fro",
    "worn out",
    "held against",
    "written by hand",
];

/// Whether the text begins with these words.
fn begins_with(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// Whether the text contains these words as words.
fn contains(text: &str, words: &str) -> bool {
    let text = text.to_lowercase();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words)
        .any(|(at, _)| !is_word(text[..at].chars().next_back()) && !is_word(text[at + words.len()..].chars().next()))
}

/// Returns what is wrong with the comments of a source, each with its line number.
fn complaints(source: &str) -> Vec<String> {
    let mut wrong = vec![];
    let mut in_doc = false;
    for (number, line) in (1..).zip(source.lines()) {
        let line = line.trim_start();
        let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).filter(|doc| !doc.starts_with('/'));
        let first = doc.filter(|_| !in_doc).map(str::trim_start);
        in_doc = doc.is_some();
        if let Some(first) = first
            && CLAUSES.iter().any(|words| begins_with(first, words))
        {
            wrong.push(format!("{number}: begins with a clause: {first}"));
        }
        if let Some(comment) = line.strip_prefix("//") {
            let private = PRIVATE_WORDS.iter().filter(|words| contains(comment, words));
            wrong.extend(private.map(|words| format!("{number}: {words:?}: {}", comment.trim())));
        }
    }
    wrong
}

/// Collects the Rust sources below `folder`, except build outputs.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}

#[test]
fn doc_comments_begin_with_their_subject_and_speak_plainly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = vec![];
    for folder in ["src", "tools", "book-tools", "tests", "benches"] {
        collect(&root.join(folder), &mut sources);
    }
    assert!(sources.len() > 300, "{} sources", sources.len());
    let wrong: Vec<String> = sources
        .iter()
        .flat_map(|path| {
            let place = path.strip_prefix(root).unwrap().display().to_string();
            complaints(&fs::read_to_string(path).unwrap()).into_iter().map(move |line| format!("{place}:{line}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn clauses_and_private_words_are_found_and_others_are_not() {
    for (source, count) in [
        ("/// What is kept.\nfn f() {}", 1),
        ("//! The same for captures.", 1),
        ("/// Returns the square.\n/// What follows is not a first line.", 0),
        ("/// Whether it is so.", 0),
        ("/// Something else.", 0),
        ("// Nobody hears it.", 1),
        ("// It shall end.\n// A shallow search.", 1),
        ("let text = \"nobody\";", 0),
    ] {
        assert_eq!(complaints(source).len(), count, "{source}: {:?}", complaints(source));
    }
}
