//! The table of options in Markdown, for the manual.

use std::str::FromStr;

use super::table::{Row, rows};
use super::zh::about_in_chinese;

/// Language of the manual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English.
    English,
    /// Chinese in simplified characters.
    Chinese,
}

impl FromStr for Language {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "en" => Ok(Self::English),
            "zh" => Ok(Self::Chinese),
            _ => Err(format!("unknown language {name:?} (available: en, zh)")),
        }
    }
}

/// Returns the table of options in Markdown, with a line end after every row.
pub fn markdown(language: Language) -> String {
    let head = match language {
        Language::English => "| UCCI | UCI | values | default | does |",
        Language::Chinese => "| UCCI | UCI | 取值 | 默认值 | 作用 |",
    };
    let mut table = format!("{head}\n|---|---|---|---|---|\n");
    for row in rows() {
        let [values, default, about] = in_language(&row, language);
        table += &format!("| {} | {} | {values} | {} | {about} |\n", code(row.ucci), code(row.uci), code(&default));
    }
    table
}

/// Values, default and description in a language.
pub(super) fn in_language(row: &Row, language: Language) -> [String; 3] {
    match language {
        Language::English => [row.values.clone(), row.default.clone(), row.about.to_owned()],
        Language::Chinese => in_chinese(row),
    }
}

/// Values, default and description in Chinese; words of the protocol stay as they are.
fn in_chinese(row: &Row) -> [String; 3] {
    let name = if row.ucci.is_empty() { row.uci } else { row.ucci };
    let values = match row.values.as_str() {
        "text" => "文本".to_owned(),
        "no value" => "无值".to_owned(),
        values => values.replace(" to ", " 至 "),
    };
    [values, row.default.replace(", in UCCI ", "，UCCI 下为 "), about_in_chinese(name).unwrap_or_default().to_owned()]
}

/// A text as code; an empty one stays empty.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::zh::described;

    #[test]
    fn every_announced_option_has_a_chinese_description_and_nothing_else_has() {
        let names = |row: Row| if row.ucci.is_empty() { row.uci } else { row.ucci };
        assert_eq!(rows().into_iter().map(names).collect::<Vec<_>>(), described().collect::<Vec<_>>());
        assert_eq!(about_in_chinese("no such option"), None);
    }

    #[test]
    fn a_row_is_a_line_with_five_cells_in_both_languages() {
        for language in [Language::English, Language::Chinese] {
            let table = markdown(language);
            assert_eq!(table.lines().count(), rows().len() + 2);
            // No cell contains the sign between cells.
            assert!(table.lines().all(|line| line.matches('|').count() == 6), "{table}");
        }
        assert!(markdown(Language::Chinese).contains("| `threads` | `Threads` | 0 至 512 | `1` | 搜索线程数"));
        assert_eq!("fr".parse::<Language>(), Err("unknown language \"fr\" (available: en, zh)".to_owned()));
    }
}
