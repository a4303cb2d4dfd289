//! The README says what is true.

use chuhe::engine::options::{Row, rows};

/// Text as code, unless there is none.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

#[test]
fn the_readme_lists_the_options_of_the_registry() {
    let lines = rows().into_iter().map(|Row { ucci, uci, values, default, about }| {
        format!("| {} | {} | {values} | {} | {about} |", code(ucci), code(uci), code(&default))
    });
    let head = ["| UCCI | UCI | values | default | does |".to_owned(), "|---|---|---|---|---|".to_owned()];
    let table = head.into_iter().chain(lines).collect::<Vec<_>>().join("\n");
    let readme = include_str!("../README.md").replace("\r\n", "\n");
    assert!(readme.contains(&table), "the README shall contain this table:\n\n{table}\n");
}
