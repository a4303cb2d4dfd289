//! Every requirement of the protocols has a test, which `tests/data/requirements.tsv` names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const REQUIREMENTS: &str = include_str!("data/requirements.tsv");
/// Entry for dialogues in the column that names the test.
const DIALOGUES: &str = "dialogues";

/// Returns the id of each requirement, its text, and where it is tested.
fn requirements() -> Vec<[&'static str; 3]> {
    let lines = REQUIREMENTS.lines().filter(|line| !line.starts_with('#'));
    let fields = |line: &'static str| line.split('\t').collect::<Vec<_>>().try_into();
    lines.map(|line| fields(line).unwrap_or_else(|_| panic!("{line} has not three fields"))).collect()
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn is_id(word: &str) -> bool {
    matches!(word.as_bytes(), [b'U' | b'G' | b'C' | b'X', b'-', digits @ ..] if digits.iter().all(u8::is_ascii_digit))
}

/// Returns the ids at the start of the titles of the dialogues.
fn named_by_dialogues() -> BTreeSet<String> {
    let files = fs::read_dir(here("tools/engines/dialogues")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let ids = |text: String| {
        let titles: Vec<String> = text.lines().filter_map(|line| line.strip_prefix("# ").map(str::to_owned)).collect();
        titles
            .into_iter()
            .flat_map(|title| title.split(' ').take_while(|word| is_id(word)).map(str::to_owned).collect::<Vec<_>>())
    };
    texts.flat_map(ids).collect()
}

#[test]
fn every_requirement_is_proven() {
    let named = named_by_dialogues();
    for [id, what, proof] in requirements() {
        if proof == DIALOGUES {
            assert!(named.contains(id), "no dialogue for {id}, {what}");
        } else {
            let (file, function) = proof.split_once("::").unwrap_or_else(|| panic!("{id}: {proof} is not a test"));
            let text = fs::read_to_string(here(file)).unwrap_or_else(|error| panic!("{id}: {file}: {error}"));
            assert!(text.contains(&format!("fn {function}(")), "{id}: there is no {function} in {file}");
        }
    }
}

#[test]
fn every_id_in_a_title_is_a_requirement() {
    let known: BTreeSet<_> = requirements().iter().map(|[id, ..]| *id).collect();
    assert_eq!(known.len(), requirements().len(), "an id stands twice");
    for id in named_by_dialogues() {
        assert!(known.contains(id.as_str()), "{id} is a title's, but no requirement");
    }
}
