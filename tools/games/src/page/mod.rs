//! Pages that people look at in a browser: one file each, which asks nothing of the network, with a board in it. Knows
//! neither matches nor books.

const SHELL: &str = include_str!("page.html");
const STYLE: &str = concat!(include_str!("page.css"), include_str!("board.css"));
const SCRIPT: &str = concat!(include_str!("elements.js"), "\n", include_str!("board.js"), "\n");

/// What differs between pages; the head, the frame and the board are the same in all of them.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// Who makes it, without anything that is special in HTML; [`is_made_by`] knows the page by it.
    pub generator: &'a str,
    /// Its name in the browser.
    pub title: &'a str,
    /// Rules of style behind those of all pages.
    pub style: &'a str,
    /// What it consists of, as HTML.
    pub body: &'a str,
    /// Scripts that use the elements and the board of this module and have a function `show` of the data.
    pub script: &'a str,
    /// What is shown, as JSON.
    pub data: &'a str,
}

impl Page<'_> {
    /// The page as the text of an HTML file.
    pub fn text(&self) -> String {
        fill(
            SHELL,
            &[
                ("{{generator}}", self.generator),
                ("{{title}}", &escape_html(self.title)),
                ("{{style}}", &format!("{STYLE}{}", self.style)),
                ("{{body}}", self.body),
                ("{{script}}", &format!("{SCRIPT}{}", self.script)),
                ("{{data}}", &escape_json(self.data)),
            ],
        )
    }
}

/// Whether a file that begins so is a page of this generator.
pub fn is_made_by(generator: &str, start: &[u8]) -> bool {
    let mark = format!("<meta name=\"generator\" content=\"{generator}\">");
    start.windows(mark.len()).any(|part| part == mark.as_bytes())
}

/// A template with a text in each of its places, which it has in this order. Each is looked for behind the last one, so that
/// no text can be taken for a place to fill.
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

/// Text that cannot be taken for markup.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// JSON for a script element, inside which nothing may look like its end; such characters stand in strings only.
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
    fn no_piece_needs_a_font_for_chinese() {
        for text in [STYLE, SCRIPT, SHELL] {
            assert!(text.chars().all(|c| c < '\u{2e80}'), "a character of an East Asian script");
        }
    }
}
