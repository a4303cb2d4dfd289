//! The README says what is true.

use chuhe::engine::options::{OPTIONS, OptionKind};

#[test]
fn the_readme_lists_the_options_of_the_registry() {
    let rows = OPTIONS.iter().filter_map(|spec| {
        let word = spec.ucci?;
        let (values, default) = match spec.kind {
            OptionKind::Check { default, .. } => ("`true`, `false`".to_owned(), format!("`{default}`")),
            OptionKind::Spin { min, max, default, .. } => (format!("{min} to {max}"), format!("`{default}`")),
            OptionKind::Combo { choices, default, .. } => {
                (format!("`{}`", choices.join("`, `")), format!("`{default}`"))
            }
            OptionKind::Text { default: "", .. } | OptionKind::Path { .. } => ("text".to_owned(), "empty".to_owned()),
            OptionKind::Text { default, .. } => ("text".to_owned(), format!("`{default}`")),
            OptionKind::Parsed { .. } => ("text".to_owned(), String::new()),
            OptionKind::Button => ("none".to_owned(), String::new()),
        };
        Some(format!("| `{word}` | {values} | {default} | {} |", spec.about))
    });
    let table: Vec<_> = ["| option | values | default | does |".to_owned(), "|---|---|---|---|".to_owned()]
        .into_iter()
        .chain(rows)
        .collect();
    let table = table.join("\n");
    let readme = include_str!("../README.md").replace("\r\n", "\n");
    assert!(readme.contains(&table), "the README shall contain this table:\n\n{table}\n");
}
