//! Game files of any format: detection of the format, and reading of the games.

use std::path::Path;

use anyhow::Result;

use crate::encoding::decode;
use crate::game::{Faulty, Game};
use crate::{ccbridge, che, dhtmlxq, list, mxq, pieces, played, xqf};

/// Format of a file of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// PGN: tags and moves.
    Pgn,
    /// XQF, the format of Xiangqi Studio.
    Xqf,
    /// DhtmlXQ, the text of web pages.
    DhtmlXq,
    /// CBR or CBL, a record or a library of CCBridge.
    CcBridge,
    /// CHE, of QQ's Xiangqi.
    Che,
    /// MXQ, of the server Yitian.
    Mxq,
    /// A list: one line of moves per game.
    List,
    /// The arena's journal of a match.
    Journal,
}

impl Format {
    /// Detects the format from the beginning of a file, or else from its name.
    pub fn of(path: &Path, start: &[u8]) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
        match ending.as_str() {
            _ if start.starts_with(b"XQ") && start.get(2).is_some_and(|version| *version < b' ') => Self::Xqf,
            "xqf" => Self::Xqf,
            _ if start.starts_with(ccbridge::RECORD) || start.starts_with(ccbridge::LIBRARY) => Self::CcBridge,
            "cbr" | "cbl" => Self::CcBridge,
            // These two begin with nothing of their own.
            "che" => Self::Che,
            "mxq" => Self::Mxq,
            // A comment of a PGN file may begin the same way.
            _ if ending != "pgn" && start.starts_with(b"{\"") => Self::Journal,
            // A comment of a PGN file may hold anything.
            _ if ending == "pgn" || start.starts_with(b"[") => {
                let first_tag = start.iter().position(|byte| *byte == b'[').map_or(&[][..], |at| &start[at..]);
                if dhtmlxq::MARKS.iter().any(|mark| first_tag.starts_with(mark.as_bytes())) {
                    Self::DhtmlXq
                } else {
                    Self::Pgn
                }
            }
            _ if dhtmlxq::MARKS.iter().any(|mark| holds_field(start, mark)) => Self::DhtmlXq,
            _ => Self::List,
        }
    }
}

/// Whether there is a field whose name begins with `mark`.
fn holds_field(start: &[u8], mark: &str) -> bool {
    let field = [mark.as_bytes(), b"_"].concat();
    start.windows(field.len()).any(|part| part == field)
}

/// Returns the games of a file in order, including errors for those that do not replay.
///
/// # Errors
/// If the file as a whole cannot be read.
pub fn read(format: Format, bytes: Vec<u8>) -> Result<Vec<Result<Game, Faulty>>> {
    Ok(match format {
        Format::Pgn => pieces::games(bytes),
        Format::Xqf => vec![xqf::read(&bytes)],
        Format::DhtmlXq => dhtmlxq::read(&decode(bytes)?),
        Format::CcBridge => ccbridge::read(&bytes),
        Format::Che => vec![che::read(&bytes)],
        Format::Mxq => vec![mxq::read(&bytes)],
        Format::List => list::read(&decode(bytes)?),
        Format::Journal => played::read(&bytes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_comment_says_does_not_make_another_format() {
        let format = |name: &str, start: &str| Format::of(Path::new(name), start.as_bytes());
        let pgn = "[Event \"a\"]\n\n{see [DhtmlXQ_ver]www[/DhtmlXQ_ver]} 1. h2e2 *\n";
        for name in ["a.pgn", "a.txt", "a"] {
            assert_eq!(format(name, pgn), Format::Pgn);
        }
        assert_eq!(format("a.pgn", &format!("; of a server\n{pgn}")), Format::Pgn);
        for text in ["[DhtmlXQ]\n[DhtmlXQ_ver]", "\u{feff}\n[DHJHtmlXQ]", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"] {
            assert_eq!(format("a.pgn", text), Format::DhtmlXq);
        }
        assert_eq!(format("a.html", "<script>a[0]</script> [DhtmlXQ_ver]"), Format::DhtmlXq);
        assert_eq!(format("a.html", "<p>[DHJHtmlXQ_movelist]7747[/DHJHtmlXQ_movelist]</p>"), Format::DhtmlXq);
        assert_eq!(format("a.html", "h2e2 h9g7"), Format::List);
        assert_eq!(format("a.pgn", "XQ\u{12}"), Format::Xqf);
        let journal = "{\"version\":\"0.1.0\",\"seed\":1}\n";
        assert_eq!(
            ["a.journal", "a", "a.pgn"].map(|name| format(name, journal)),
            [Format::Journal, Format::Journal, Format::Pgn]
        );
        assert_eq!(format("a", "{ a comment } 1. h2e2"), Format::List);
        for (name, start, expected) in [
            ("a", "CCBridge Record\0", Format::CcBridge),
            ("a.cbr", "CCBridgeLibrary\0", Format::CcBridge),
            ("a.CBL", "", Format::CcBridge),
            ("a.che", "1 2 ", Format::Che),
            ("a.MXQ", "\u{4}site", Format::Mxq),
            ("a.pgn", "CCBridge Record is a program", Format::Pgn),
        ] {
            assert_eq!(format(name, start), expected, "{name}");
        }
    }
}
