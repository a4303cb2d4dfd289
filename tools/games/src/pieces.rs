//! PGN files in pieces of whole games, so that memory does not depend on the size of the file. In a piece that is not UTF-8 as
//! a whole, each game is decoded by itself: a game that cannot be decoded affects no other one.

use std::io::{self, Read};

use anyhow::Result;

use crate::encoding::{decode, end_lines};
use crate::game::{Faulty, Game};
use crate::pgn::read::{PgnFault, PgnReader};
use crate::pgn::scanner::begins_game;

/// Iterator over the games of a PGN file, in pieces.
pub struct Pieces<R> {
    cuts: Cuts<R>,
    /// Lines and games of earlier pieces.
    lines: usize,
    games: usize,
}

impl<R: Read> Pieces<R> {
    /// Reads about `bytes` bytes at a time, more where a single game is longer.
    pub fn new(file: R, bytes: usize) -> Self {
        let cuts = Cuts { file, bytes: bytes.max(1) as u64, rest: vec![], settled: 0, ended: false };
        Self { cuts, lines: 0, games: 0 }
    }

    fn read(&mut self, piece: Vec<u8>) -> Vec<Result<Game, Faulty>> {
        if str::from_utf8(&piece).is_ok() {
            return self.read_text(piece);
        }
        let mut begins: Vec<usize> = games_begin(&piece).collect();
        begins.push(piece.len());
        let mut start = 0;
        let mut games = Vec::new();
        for end in begins {
            games.extend(self.read_text(piece[start..end].to_vec()));
            start = end;
        }
        games
    }

    /// Parses the games of a text in one encoding.
    fn read_text(&mut self, text: Vec<u8>) -> Vec<Result<Game, Faulty>> {
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        let moved = |fault: PgnFault| {
            PgnFault { line: fault.line + self.lines, game: fault.game + self.games, ..fault }.to_string()
        };
        let games: Vec<_> = match decode(text) {
            Ok(text) => PgnReader::new(&text).map(|game| game.map(Game::from).map_err(moved)).collect(),
            Err(error) => vec![Err(format!("line {}: game {}: {error}", self.lines + 1, self.games + 1))],
        };
        self.lines += lines;
        self.games += games.len();
        games
    }
}

/// Returns all games of a file in memory.
pub(crate) fn games(mut bytes: Vec<u8>) -> Vec<Result<Game, Faulty>> {
    end_lines(&mut bytes);
    Pieces::new(io::empty(), 1).read(bytes)
}

impl<R: Read> Iterator for Pieces<R> {
    type Item = Result<Vec<Result<Game, Faulty>>>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.cuts.next()? {
            Ok(piece) => Some(Ok(self.read(piece))),
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// Iterator over pieces of a file, each of whole games.
struct Cuts<R> {
    file: R,
    bytes: u64,
    rest: Vec<u8>,
    /// Bytes of `rest` with final line ends; a carriage return at the end may still be followed by a line feed.
    settled: usize,
    ended: bool,
}

impl<R: Read> Iterator for Cuts<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            match self.file.by_ref().take(self.bytes).read_to_end(&mut self.rest) {
                Ok(0) => {
                    end_lines(&mut self.rest[self.settled..]);
                    self.ended = true;
                }
                Ok(_) => {
                    self.settle();
                    if let Some(cut) = last_game(&self.rest) {
                        let rest = self.rest.split_off(cut);
                        self.settled -= cut;
                        return Some(Ok(std::mem::replace(&mut self.rest, rest)));
                    }
                }
                Err(error) => {
                    self.ended = true;
                    self.rest.clear();
                    return Some(Err(error));
                }
            }
        }
        (!self.rest.is_empty()).then(|| Ok(std::mem::take(&mut self.rest)))
    }
}

impl<R> Cuts<R> {
    fn settle(&mut self) {
        let open = self.rest.iter().rev().take_while(|byte| **byte == b'\r').count();
        let settled = self.rest.len() - open;
        end_lines(&mut self.rest[self.settled..settled]);
        self.settled = settled;
    }
}

/// Returns where games begin, except for the first.
fn games_begin(bytes: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
    (0..bytes.len()).filter(|&at| begins_game(bytes, at))
}

/// Returns where the last game begins.
fn last_game(bytes: &[u8]) -> Option<usize> {
    games_begin(bytes).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::splitmix::SplitMix64;

    /// Two good games, one that does not replay, and one more, with both kinds of line ends.
    const TEXT: &str = "[A \"1\"]\n[B \"x\"]\n\n1. h2e2 h9g7 {a\n[b]} 1-0\n\n[A \"2\"]\r\n\r\n1. c3c4 (1. g3g4) 0-1\r\n\r\n\
        [A \"3\"]\n\n1. h2e2 h2e2 *\n \t\n[A \"4\"]\n\n1. 炮二平五 1/2-1/2\n";

    /// Returns the games of a text as read in one piece.
    fn all_games(text: &str) -> Vec<Result<Game, Faulty>> {
        PgnReader::new(text).map(|game| game.map(Game::from).map_err(|fault| fault.to_string())).collect()
    }

    #[test]
    fn pieces_of_any_size_give_the_same_games() {
        let whole = all_games(TEXT);
        assert_eq!(whole.len(), 4);
        let fault = whole[2].as_ref().unwrap_err();
        assert!(fault.starts_with("line 13: game 3: "), "{fault}");
        for bytes in [1, 7, 20, 50, 100, 1000] {
            let pieces = Pieces::new(TEXT.as_bytes(), bytes).map(Result::unwrap);
            assert_eq!(pieces.flatten().collect::<Vec<_>>(), whole, "{bytes}");
        }
    }

    #[test]
    fn lines_may_end_as_on_old_macintoshes() {
        for lines in [TEXT.replace('\r', "").replace('\n', "\r"), TEXT.replace("\r\n", "\n\r")] {
            let whole = games(lines.clone().into_bytes());
            assert_eq!(whole.iter().filter(|game| game.is_ok()).count(), 3);
            for bytes in [1, 7, 20, 50, 100, 1000] {
                let pieces = Pieces::new(lines.as_bytes(), bytes).map(Result::unwrap);
                assert_eq!(pieces.flatten().collect::<Vec<_>>(), whole, "{bytes}");
            }
        }
        assert_eq!(games(TEXT.replace('\r', "").replace('\n', "\r").into_bytes()), games(TEXT.into()));
    }

    #[test]
    fn what_is_put_together_by_chance_is_read_the_same_in_pieces() {
        // Comments stand after moves only: one between tags and an empty line would end a piece, but not a game.
        let parts = [
            "[A \"1\"]",
            "[B \"x",
            "[c]",
            "\n",
            "\n\n",
            "\r",
            "\r\n\r\n",
            " ",
            "1. ",
            "h2e2 ",
            "h9g7 ",
            "1-0",
            " *",
            "h2e2 {",
            "h9g7 }",
            "h2e2 (",
            "h9g7 )",
            "h2e2 ;",
            "bye",
        ];
        let mut random = SplitMix64::new(1);
        for _ in 0..3000 {
            let text: String = (0..30).map(|_| random.pick(&parts)).collect();
            let whole = games(text.clone().into_bytes());
            for bytes in [1, 9, 40] {
                let pieces = Pieces::new(text.as_bytes(), bytes).map(Result::unwrap);
                assert!(pieces.flatten().collect::<Vec<_>>() == whole, "{bytes}: {text:?}");
            }
        }
    }

    #[test]
    fn tags_with_an_empty_line_among_them_are_those_of_one_game() {
        let text =
            "[A \"1\"]\n[Result \"0-1\"]\r\n \r\n[Red \"炮\"]\n\n1. h2e2 h9g7 {\n\n[b] is not a tag}\n\n".repeat(3);
        let (old, _, _) = encoding_rs::GB18030.encode(&text);
        let whole = all_games(&text);
        assert_eq!(whole.len(), 3);
        assert!(whole.iter().flatten().all(|game| game.moves.len() == 2 && game.result.is_some()));
        for text in [text.as_bytes(), &*old] {
            for bytes in [1, 7, 20, 50, 100, 1000] {
                let pieces = Pieces::new(text, bytes).map(Result::unwrap);
                assert_eq!(pieces.flatten().collect::<Vec<_>>(), whole, "{bytes}");
            }
        }
    }

    #[test]
    fn a_game_that_cannot_be_decoded_is_lost_alone_whatever_the_pieces() {
        let (old, _, _) = encoding_rs::GB18030.encode("[A \"5\"]\n\n1. 炮二平五 *\n\n");
        let text = [TEXT.as_bytes(), b"\n[A \"b\"]\n\n1. h2e2 {\xff} *\n\n", &*old, TEXT.as_bytes()].concat();
        let whole = games(text.clone());
        assert_eq!(whole.iter().filter(|game| game.is_ok()).count(), 3 + 1 + 3);
        let fault = whole[4].as_ref().unwrap_err();
        assert_eq!(fault, "line 19: game 5: neither UTF-8 nor GB18030 nor Big5");
        for bytes in [1, 7, 20, 50, 100, 1000] {
            let pieces = Pieces::new(&text[..], bytes).map(Result::unwrap);
            assert_eq!(pieces.flatten().collect::<Vec<_>>(), whole, "{bytes}");
        }
    }

    #[test]
    fn what_is_read_stays_small() {
        let text = TEXT.repeat(100);
        let sizes: Vec<usize> = Cuts { file: text.as_bytes(), bytes: 300, rest: vec![], settled: 0, ended: false }
            .map(|cut| cut.unwrap().len())
            .collect();
        assert_eq!(sizes.iter().sum::<usize>(), text.len());
        assert!(sizes.len() > 10 && sizes.iter().all(|&size| size < 600), "{sizes:?}");
    }
}
