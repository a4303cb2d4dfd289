//! Games from MXQ, the files of the server Yitian (弈天): texts, each after a byte with its length.
//!
//! The layout is what XQFTOOLS of the ElephantEye project reads: site, date, event, ratings of Red and Black, five unknown
//! texts, a comment, an unknown one, then moves such as `7C-4C` (files 0 to 8 from Red's left, ranks A to J from its side),
//! and `Ends`. The event is "Red-胜-Black" with the result in the middle, in the code page of mainland China or of Taiwan.

use chuhe::board::{FILES, Kind, Move, Position, RANKS, Side, Square};

use crate::encoding::{decode, readings};
use crate::game::{Faulty, Game, Outcome, loses_king};

/// Texts before the first move, and the places of those that are read.
const HEADING: usize = 12;
const EVENT: usize = 2;
const RATINGS: [usize; 2] = [3, 4];
const COMMENT: usize = 10;
/// Text after the last move.
const END: &[u8] = b"Ends";
/// Results of the event, from Red's point of view.
const RESULTS: [(&str, Outcome); 5] = [
    ("-胜-", Outcome::Won(Side::Red)),
    ("-勝-", Outcome::Won(Side::Red)),
    ("-和-", Outcome::Drawn),
    ("-负-", Outcome::Won(Side::Black)),
    ("-負-", Outcome::Won(Side::Black)),
];

/// Reads the game of a file.
///
/// # Errors
/// If it is no such file, or a move is not legal.
pub fn read(bytes: &[u8]) -> Result<Game, Faulty> {
    let mut texts = Texts { bytes, at: 0 };
    let heading = (0..HEADING).map(|_| texts.next()).collect::<Result<Vec<_>, _>>()?;
    let mut game = Game::bare(Position::start(), vec![]);
    let rating = |place: usize| str::from_utf8(heading[place]).ok().and_then(|text| text.trim().parse().ok());
    game.ratings = RATINGS.map(|place| rating(place).unwrap_or_default());
    if let Some((players, result)) = event(heading[EVENT]) {
        (game.players, game.result) = (players, Some(result));
    }
    game.comment(0, 0, &decode(heading[COMMENT].to_vec()).unwrap_or_default());
    let mut position = game.start;
    loop {
        let (offset, ply) = (texts.at, game.moves.len() + 1);
        let text = texts.next()?;
        if text == END {
            return Ok(game);
        }
        let mv = read_move(text).ok_or_else(|| format!("offset {offset}: ply {ply}: no move"))?;
        if position.piece_on(mv.to()).is_some_and(|piece| piece.kind() == Kind::King) {
            // The server lets a king be taken, which ends the game.
            return Ok(game);
        }
        if !position.is_legal(mv) {
            let next = texts.next().ok().and_then(read_move);
            if next.is_some_and(|next| loses_king(&position, mv, next)) {
                return Ok(game);
            }
            return Err(format!("offset {offset}: ply {ply}: {mv} is not legal"));
        }
        position = position.play(mv);
        game.moves.push(mv);
    }
}

/// Returns the players and the result.
fn event(bytes: &[u8]) -> Option<([String; 2], Outcome)> {
    readings(bytes).into_iter().find_map(|text| {
        let found = |(mark, result): (&str, Outcome)| {
            let (red, black) = text.split_once(mark)?;
            Some(([red, black].map(|name| name.trim().to_owned()), result))
        };
        RESULTS.into_iter().find_map(found)
    })
}

/// Reads a move such as `7C-4C`.
fn read_move(text: &[u8]) -> Option<Move> {
    let &[from_file, from_rank, _, to_file, to_rank, ..] = text else { return None };
    let square = |file: u8, rank: u8| {
        let (file, rank) = (file.checked_sub(b'0')?.into(), rank.to_ascii_uppercase().checked_sub(b'A')?.into());
        (file < FILES && rank < RANKS).then(|| Square::new(file, rank))
    };
    let (from, to) = (square(from_file, from_rank)?, square(to_file, to_rank)?);
    (from != to).then(|| Move::new(from, to))
}

/// Reader of texts after their lengths.
struct Texts<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Texts<'a> {
    fn next(&mut self) -> Result<&'a [u8], Faulty> {
        let length = self.bytes.get(self.at).map(|length| usize::from(*length));
        let text = length.and_then(|length| self.bytes.get(self.at + 1..self.at + 1 + length));
        let text = text.ok_or_else(|| format!("offset {}: the file is truncated", self.at))?;
        self.at += 1 + text.len();
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GB18030};

    fn file(event: &[u8], moves: &[&str]) -> Vec<u8> {
        let moves = moves.iter().map(|mv| {
            let mv: Move = mv.parse().unwrap();
            let square = |square: Square| format!("{}{}", square.file(), char::from(b'A' + square.rank() as u8));
            format!("{}-{}", square(mv.from()), square(mv.to())).into_bytes()
        });
        let heading = ["弈天", "2008-06-01", "", "2300", "2250", "", "", "", "", "", "评注", ""];
        let texts = heading.iter().enumerate().map(|(place, text)| match place {
            EVENT => event.to_vec(),
            _ => GB18030.encode(text).0.into_owned(),
        });
        let texts = texts.chain(moves).chain([END.to_vec()]);
        texts.flat_map(|text| [vec![text.len() as u8], text].concat()).collect()
    }

    #[test]
    fn names_and_result_come_from_the_event_in_either_code_page() {
        for (event, result, names) in [
            (GB18030.encode("甲-胜-乙").0, Some(Outcome::Won(Side::Red)), ["甲", "乙"]),
            (GB18030.encode("甲-和-乙").0, Some(Outcome::Drawn), ["甲", "乙"]),
            (BIG5.encode("甲-勝-乙").0, Some(Outcome::Won(Side::Red)), ["甲", "乙"]),
            (BIG5.encode("甲-負-乙").0, Some(Outcome::Won(Side::Black)), ["甲", "乙"]),
            (GB18030.encode("测试").0, None, ["", ""]),
        ] {
            let game = read(&file(&event, &["h2e2", "h9g7"])).unwrap();
            assert_eq!((game.result, game.players), (result, names.map(str::to_owned)));
            assert_eq!((game.moves.len(), game.ratings), (2, [2300, 2250]));
            assert_eq!((game.comments.len(), &*game.comments[0].text), (1, "评注"));
        }
    }

    #[test]
    fn the_file_of_the_tests_is_read() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/games/small.mxq");
        let game = read(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!((game.moves.len(), game.result), (4, Some(Outcome::Won(Side::Red))));
    }

    #[test]
    fn truncated_and_altered_files_are_named() {
        let whole = file(b"", &["h2e2", "h9g7"]);
        for length in 0..whole.len() {
            let fault = read(&whole[..length]).unwrap_err();
            assert!(fault.starts_with("offset "), "{fault}");
        }
        let ignored = ["h2e2", "h9g7", "e2e6", "d9e8", "e6e9"];
        assert_eq!(read(&file(b"", &ignored)).unwrap().moves.len(), 3, "a check was ignored, the king taken");
        for (moves, expected) in [(["h2e2", "h2e2"], "ply 2: h2e2 is not legal"), (["h2h8", "h9g7"], "ply 1: h2h8")] {
            assert!(read(&file(b"", &moves)).unwrap_err().contains(expected));
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, at in 0..100_usize, byte: u8) {
            let _ = read(&bytes);
            let mut altered = file(b"", &["h2e2", "h9g7"]);
            let place = at % altered.len();
            altered[place] = byte;
            let _ = read(&altered);
        }
    }
}
