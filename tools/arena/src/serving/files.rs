//! Files of the page, embedded in the program: plain modules without a build step, and the board of the reports.

use std::borrow::Cow;

use chuhe_games::page;

/// Place of the empty board in the page.
const BOARD: &str = "{{board}}";

/// Policy of the page: nothing from elsewhere, no scripts in the page itself.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                                 connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page: its kind and its text.
pub(super) type PageFile = (&'static str, Cow<'static, str>);

/// Returns a file by its path; there are no others.
pub(super) fn find(path: &str) -> Option<PageFile> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    const STYLE: &str = "text/css; charset=utf-8";
    Some(match path {
        "/" => {
            let page = include_str!("page/index.html").replace(BOARD, &page::empty_board());
            ("text/html; charset=utf-8", Cow::Owned(page))
        }
        "/match.js" => (SCRIPT, Cow::Borrowed(include_str!("page/match.js"))),
        "/tile.js" => (SCRIPT, Cow::Borrowed(include_str!("page/tile.js"))),
        "/standing.js" => (SCRIPT, Cow::Borrowed(include_str!("page/standing.js"))),
        "/words.js" => (SCRIPT, Cow::Borrowed(include_str!("page/words.js"))),
        "/match.css" => (STYLE, Cow::Borrowed(include_str!("page/match.css"))),
        "/xiangqi.js" => (SCRIPT, Cow::Owned(page::board_module())),
        "/xiangqi.css" => (STYLE, Cow::Owned(page::board_style())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_all_its_files_and_no_script_of_its_own() {
        let (_, index) = find("/").unwrap();
        assert!(index.contains("id=\"character-K\"") && !index.contains(BOARD), "the drawings of the pieces");
        for part in index.split("<script").skip(1) {
            let (tag, rest) = part.split_once('>').unwrap();
            assert!(tag.contains("src=") && rest.starts_with("</script>"), "an inline script would not run: {tag}");
        }
        let scripts = ["/match.js", "/tile.js", "/standing.js", "/words.js"].map(|path| find(path).unwrap().1);
        let texts: Vec<&str> = scripts.iter().map(AsRef::as_ref).chain([index.as_ref()]).collect();
        for text in texts {
            let named = text.split(['"', '\'']).filter(|word| word.ends_with(".js") || word.ends_with(".css"));
            for name in named {
                assert!(find(&format!("/{}", name.trim_start_matches("./"))).is_some(), "{name}");
            }
            let foreign = text.matches("://").count() - text.matches("http://www.w3.org/").count();
            assert_eq!(foreign, 0, "nothing is asked of other servers");
        }
    }

    #[test]
    fn nothing_else_is_found() {
        for path in
            ["", "/index.html", "/../Cargo.toml", "//", "/page/match.js", "/etc/passwd", "/match.js/", "/%2e%2e"]
        {
            assert!(find(path).is_none(), "{path}");
        }
    }
}
