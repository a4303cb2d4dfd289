//! Files of the page, embedded in the program.

use std::borrow::Cow;

use chuhe_games::page;
use rust_embed::Embed;

/// Everything in the folder `page`.
#[derive(Embed)]
#[folder = "page/"]
struct Files;

/// Place of the empty board in the page.
const BOARD: &str = "{{board}}";

/// Place of the list of modules, so that a browser loads all at once and not each when another one names it.
const MODULES: &str = "{{modules}}";

/// Policy of the page: nothing from elsewhere, no scripts in the page itself.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                                 img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; connect-src 'self'; \
                                 manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                                 frame-ancestors 'none'";

/// A file of the page.
pub(crate) struct PageFile {
    pub(crate) kind: &'static str,
    pub(crate) bytes: Cow<'static, [u8]>,
}

/// Returns a file by its name; names are compared with the list of embedded files, so that no other file can be read.
pub(crate) fn find(name: &str) -> Option<PageFile> {
    let of_text = |kind, text: String| PageFile { kind, bytes: Cow::Owned(text.into_bytes()) };
    match name {
        "" | "index.html" => Some(of_text("text/html; charset=utf-8", index()?)),
        "xiangqi.js" => Some(of_text("text/javascript; charset=utf-8", page::board_module())),
        "xiangqi.css" => Some(of_text("text/css; charset=utf-8", page::board_style())),
        name => Some(PageFile { kind: kind(name), bytes: Files::get(name)?.data }),
    }
}

fn index() -> Option<String> {
    let bytes = Files::get("index.html")?.data;
    Some(String::from_utf8_lossy(&bytes).replace(BOARD, &page::empty_board()).replace(MODULES, &modules()))
}

fn modules() -> String {
    let names = Files::iter().filter(|name| name.ends_with(".js")).chain([Cow::Borrowed("xiangqi.js")]);
    names.map(|name| format!("<link rel=\"modulepreload\" href=\"/{name}\">\n")).collect()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        "wav" => "audio/wav",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_holds_the_board_and_no_script_of_its_own() {
        let index = String::from_utf8(find("").unwrap().bytes.into_owned()).unwrap();
        assert!(index.contains("id=\"character-K\"") && !index.contains("{{"), "the drawings of the pieces");
        assert!(index.contains("<link rel=\"modulepreload\" href=\"/main.js\">") && index.contains("/xiangqi.js"));
        for part in index.split("<script").skip(1) {
            let (tag, rest) = part.split_once('>').unwrap();
            assert!(tag.contains("src=") && rest.starts_with("</script>"), "an inline script would not run: {tag}");
        }
    }

    #[test]
    fn nothing_but_the_embedded_files_is_found() {
        for name in
            ["../Cargo.toml", "..", "/etc/passwd", "page/../../Cargo.toml", "index.html/", "Cargo.toml", "%2e%2e"]
        {
            assert!(find(name).is_none(), "{name}");
        }
    }

    #[test]
    fn the_page_asks_nothing_of_other_servers() {
        for name in Files::iter() {
            let text = String::from_utf8_lossy(&Files::get(&name).unwrap().data).into_owned();
            for (at, _) in text.match_indices("://") {
                let start = text[..at].rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |before| before + 1);
                let address: String = text[start..].chars().take(40).collect();
                let is_name = address.starts_with("http://www.w3.org/") || address.starts_with("ws");
                assert!(
                    is_name || address.starts_with("http://$") || address.starts_with("https://$"),
                    "{name}: {address}"
                );
            }
        }
    }
}
