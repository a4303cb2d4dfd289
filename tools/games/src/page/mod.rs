//! Pages that people look at in a browser: one file each, which asks nothing of the network, with a board in it. Knows
//! neither matches nor books.

/// What makes elements out of text; before all other scripts.
pub const ELEMENTS: &str = include_str!("elements.js");

/// Positions, moves and the board, drawn without any font for Chinese.
pub const BOARD: &str = include_str!("board.js");

/// How the board looks.
pub const BOARD_STYLE: &str = include_str!("board.css");

/// A template with a text in each of its places, which it has in this order.
///
/// # Panics
/// If a place is missing.
pub fn fill(template: &str, parts: &[(&str, String)]) -> String {
    // Each part is looked for behind the last one, so that no data can be taken for a place to fill.
    let (mut rest, mut text) = (template, String::new());
    for (place, part) in parts {
        let (before, after) = rest.split_once(place).expect("the template has a place for every part");
        text += before;
        text += part;
        rest = after;
    }
    text + rest
}

/// Text that cannot be taken for markup.
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// JSON for a script element, inside which nothing may look like its end; such characters stand in strings only.
pub fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_no_place() {
        let text = fill("a {{x}} b {{y}}", &[("{{x}}", "{{y}}".into()), ("{{y}}", "2".into())]);
        assert_eq!(text, "a {{y}} b 2");
        assert_eq!(escape_json("</script>\u{2028}"), "\\u003c/script\\u003e\\u2028");
        assert_eq!(escape_html("<&>"), "&lt;&amp;&gt;");
    }

    #[test]
    fn no_piece_needs_a_font_for_chinese() {
        for text in [ELEMENTS, BOARD, BOARD_STYLE] {
            assert!(text.chars().all(|c| c < '\u{2e80}'), "a character of an East Asian script");
        }
    }
}
