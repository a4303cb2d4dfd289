//! Self-contained HTML pages with a board, which load nothing from the network, and the parts that servers of such pages share.
//! Independent of matches and books.

mod board;
mod guard;
mod names;
mod outlines;

pub use board::{BoardOptions, Coordinates, PieceStyle, board_svg, empty_board};
pub use guard::{Denial, Guard, HEADERS};
pub use names::{MoveName, MoveNames, name_of};

const SHELL: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str =
    concat!(include_str!("elements.js"), "\n", include_str!("choices.js"), "\n", include_str!("board.js"), "\n");

/// Variable parts of a page; the head, the frame and the board are common to all pages.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// Name of the generating program, without special characters of HTML; [`is_made_by`] recognises the page by it.
    pub generator: &'a str,
    /// Title in the browser.
    pub title: &'a str,
    /// Style rules, appended to those of all pages.
    pub style: &'a str,
    /// Body of the page, as HTML.
    pub body: &'a str,
    /// Scripts that use the elements and the board of this module and define a function `show` of the data.
    pub script: &'a str,
    /// Data to show, as JSON.
    pub data: &'a str,
}

impl Page<'_> {
    /// Returns the text of the HTML file.
    pub fn text(&self) -> String {
        fill(
            SHELL,
            &[
                ("{{generator}}", self.generator),
                ("{{title}}", &escape_html(self.title)),
                ("{{style}}", &format!("{STYLE}{}{}", board::colours(), self.style)),
                ("{{body}}", self.body),
                ("{{board}}", &board::empty_board()),
                ("{{script}}", &format!("{SCRIPT}{}", self.script)),
                ("{{data}}", &escape_json(self.data)),
            ],
        )
    }
}

/// Names that [`board_module`] exports.
const EXPORTS: &str = "Board, Choices, FILES, RANKS, SVG, byId, draw, fill, keep, kept, letterOf, make, nameOf, readFen, replay, \
                       squareAt, wholeFen, writeFen";

/// Returns the script of the elements, the choices and the board as a JavaScript module, for pages that a server sends.
pub fn board_module() -> String {
    format!("{SCRIPT}\nexport {{ {EXPORTS} }};\n")
}

/// Returns the style rules of all pages, with the colours of the board.
pub fn board_style() -> String {
    format!("{STYLE}{}", board::colours())
}

/// Whether a file that begins with `start` is a page of this generator.
pub fn is_made_by(generator: &str, start: &[u8]) -> bool {
    let mark = format!("<meta name=\"generator\" content=\"{generator}\">");
    start.windows(mark.len()).any(|part| part == mark.as_bytes())
}

/// Replaces the placeholders of a template, in their order. Each is searched after the previous one, so that no
/// inserted text is taken for a placeholder.
fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let (mut rest, mut text) = (template, String::new());
    for (place, part) in parts {
        let (before, after) = rest.split_once(place).expect("the template has a place for every part");
        text += before;
        text += part;
        rest = after;
    }
    text + rest
}

/// Escapes text so that it is not taken for markup.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Escapes JSON for a script element: it may not contain the closing tag. The escaped characters occur in strings only.
fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_filled_in_is_a_place_or_markup() {
        let hostile = "</script>{{data}}\u{2028}<&>";
        let data = serde_json::to_string(&hostile).unwrap();
        let page = Page { generator: "x", title: hostile, style: "", body: "{{title}}", script: "", data: &data };
        let text = page.text();
        assert!(text.contains("<title>&lt;/script&gt;{{data}}\u{2028}&lt;&amp;&gt;</title>"), "{text}");
        assert!(text.contains("\"\\u003c/script\\u003e{{data}}\\u2028\\u003c&\\u003e\"</script>"), "{text}");
        assert!(text.contains("<body>\n{{title}}\n"));
        assert!(is_made_by("x", &text.as_bytes()[..256]) && !is_made_by("y", text.as_bytes()));
    }

    #[test]
    fn the_module_exports_what_the_scripts_define() {
        let module = board_module();
        for name in EXPORTS.split(", ").map(str::trim) {
            let defined =
                ["const", "function", "class"].iter().any(|word| module.contains(&format!("\n{word} {name}")));
            assert!(defined || module.contains(&format!(", {name} = ")), "{name}");
        }
        assert!(module.ends_with(" };\n") && board_style().contains("--wood: "));
    }

    #[test]
    fn no_piece_needs_a_font_for_chinese() {
        for text in [STYLE, SCRIPT, SHELL, &board::empty_board()] {
            assert!(text.chars().all(|c| c < '\u{2e80}'), "a character of an East Asian script");
        }
    }
}
