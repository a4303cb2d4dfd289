//! The options as text for a terminal.

use super::markdown::{Language, in_language};
use super::table::rows;

/// Maximum width of a line, in columns.
const COLUMNS: usize = 100;
/// Indentation of a description.
const INDENTATION: usize = 4;
/// Widths of the columns of names, without the gap after them.
const NAMES: [usize; 2] = [14, 19];
const GAP: usize = 2;

/// Characters that no line begins with.
const CLOSING: &str = "，。；：、！？）》”,.;:)";
/// Characters that no line ends with.
const OPENING: &str = "（《“(";

/// Returns all announced options: their names in both protocols, values, default and, below them, their description. No line
/// is wider than 100 columns, where a Chinese character takes two.
pub fn listing(language: Language) -> String {
    let head = match language {
        Language::English => "values; default",
        Language::Chinese => "取值；默认值",
    };
    let mut text = entry("UCCI", "UCI", head);
    for row in rows() {
        let [values, default, about] = in_language(&row, language);
        text += &entry(row.ucci, row.uci, &with_default(&values, &default, language));
        let indentation = " ".repeat(INDENTATION);
        for line in wrap(&about, COLUMNS - INDENTATION) {
            text += &format!("{indentation}{line}\n");
        }
    }
    text
}

/// Returns the lines with the names and, wrapped in the last column, the values.
fn entry(ucci: &str, uci: &str, values: &str) -> String {
    let [first, second] = NAMES.map(|width| width + GAP);
    let (mut head, mut text) = (format!("{ucci:first$}{uci:second$}"), String::new());
    for line in wrap(values, COLUMNS - first - second) {
        text += &format!("{head}{line}\n");
        head = " ".repeat(first + second);
    }
    text
}

fn with_default(values: &str, default: &str, language: Language) -> String {
    match (default, language) {
        ("", _) => values.to_owned(),
        (_, Language::English) => format!("{values}; default {default}"),
        (_, Language::Chinese) => format!("{values}；默认为 {default}"),
    }
}

/// Breaks a text into lines at blanks and between Chinese characters.
fn wrap(text: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut used) = (vec![String::new()], 0);
    for word in words(text) {
        if used + width(word) > columns {
            lines.push(String::new());
            used = 0;
        }
        let word = if used == 0 { word.trim_start() } else { word };
        used += width(word);
        *lines.last_mut().expect("there is always a line") += word;
    }
    lines
}

/// Splits a text where a line may end; a blank is at the start of the next part.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let pairs = text.char_indices().zip(text.char_indices().skip(1));
    let breaks = pairs.filter(|((_, before), (_, after))| is_break(*before, *after)).map(|(_, (at, _))| at);
    let ends = breaks.chain([text.len()]);
    ends.scan(0, move |start, end| Some(&text[std::mem::replace(start, end)..end]))
}

/// Whether a line may end between two characters.
fn is_break(before: char, after: char) -> bool {
    if before == ' ' || OPENING.contains(before) || CLOSING.contains(after) {
        return false;
    }
    after == ' ' || is_wide(before) || is_wide(after)
}

/// Width in columns.
fn width(text: &str) -> usize {
    text.chars().map(|c| 1 + usize::from(is_wide(c))).sum()
}

/// Whether a character takes two columns: those of East Asia and, at a Chinese terminal, the curved quotation marks.
fn is_wide(c: char) -> bool {
    c >= '\u{1100}' || "“”".contains(c)
}

#[cfg(test)]
mod tests {
    use super::super::table::Row;
    use super::*;

    #[test]
    fn no_line_is_wider_than_100_columns() {
        for language in [Language::English, Language::Chinese] {
            let text = listing(language);
            for line in text.lines() {
                assert!(width(line) <= 100 && line == line.trim_end(), "{line}");
            }
            // Nothing is lost: all names and all words of the descriptions are there, in order.
            let joined = text.split_whitespace().collect::<String>();
            for row in rows() {
                let [_, default, about] = in_language(&row, language);
                for part in [row.ucci, row.uci, &default, &about] {
                    assert!(joined.contains(&part.split_whitespace().collect::<String>()), "{part}");
                }
            }
        }
    }

    #[test]
    fn the_columns_of_names_are_wide_enough() {
        for Row { ucci, uci, .. } in rows() {
            assert!(ucci.len() <= NAMES[0] && uci.len() <= NAMES[1], "{ucci} {uci}");
        }
    }

    #[test]
    fn lines_break_at_blanks_and_between_chinese_characters_but_not_before_a_comma() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("搜索线程数；0：每个物理核心", 10), ["搜索线程", "数；0：每", "个物理核心"]);
        assert_eq!(wrap("用 `go` 思考，", 9), ["用 `go`", "思考，"]);
        assert_eq!(wrap("", 9), [""]);
    }
}
