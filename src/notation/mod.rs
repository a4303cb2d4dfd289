//! Notations of moves: ICCS, WXF and Chinese, written and read. The value of a move plays no part here.

mod chinese;
mod description;
mod wxf;

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::board::{Move, MoveList, Position};
use description::Description;

/// A notation of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// Coordinates with a hyphen: `H2-E2`.
    Iccs,
    /// Letters and digits from the mover's point of view: `C2=5`.
    Wxf,
    /// Chinese characters from the mover's point of view: `炮二平五`.
    Chinese,
}

impl Notation {
    /// All three notations.
    pub const ALL: [Self; 3] = [Self::Iccs, Self::Wxf, Self::Chinese];

    /// Returns the only notation that `text` can be in.
    ///
    /// ```
    /// use chuhe::notation::Notation;
    /// assert_eq!(Notation::recognise("b2e5"), Notation::Iccs);
    /// assert_eq!(Notation::recognise("B2-5"), Notation::Wxf);
    /// assert_eq!(Notation::recognise("马８进７"), Notation::Chinese);
    /// ```
    pub fn recognise(text: &str) -> Self {
        match *text.trim().as_bytes() {
            [_, _, b'+' | b'-' | b'=' | b'.', _] => Self::Wxf,
            _ if text.is_ascii() => Self::Iccs,
            _ => Self::Chinese,
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Iccs => "ICCS",
            Self::Wxf => "WXF",
            Self::Chinese => "Chinese",
        })
    }
}

/// Reason why a text is not a move that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// The text does not have the form of a move.
    Unreadable {
        /// The text.
        text: String,
        /// The notation in which it was read.
        notation: Notation,
    },
    /// The text has the form of a move, but no legal move fits it.
    Illegal(String),
    /// Several legal moves fit the text.
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that it may mean.
        moves: Vec<Move>,
    },
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { text, notation } => write!(f, "{text:?} is not a move in {notation} notation"),
            Self::Illegal(text) => write!(f, "{text:?} is not a legal move here"),
            Self::Ambiguous { text, moves } => write!(f, "{text:?} may mean any of {moves:?}"),
        }
    }
}

impl Error for NotationError {}

/// Writes `mv`, which must be legal in `position`.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::notation::{Notation, write};
/// let (start, mv) = (Position::start(), "h2e2".parse().unwrap());
/// assert_eq!(write(&start, mv, Notation::Iccs), "H2-E2");
/// assert_eq!(write(&start, mv, Notation::Wxf), "C2=5");
/// assert_eq!(write(&start, mv, Notation::Chinese), "炮二平五");
/// ```
///
/// # Panics
/// If no piece of the mover stands where the move begins.
pub fn write(position: &Position, mv: Move, notation: Notation) -> String {
    match notation {
        Notation::Iccs => format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase(),
        Notation::Wxf => wxf::write(position, mv),
        Notation::Chinese => chinese::write(position, mv),
    }
}

/// Returns the only legal move of `position` that fits `text`.
///
/// More spellings are read than written: either case, `E` and `H`, traditional characters, any numerals, and a piece named by
/// its file although another stands behind it, as long as only one of them can make the move.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::notation::{Notation, NotationError, read};
/// let start = Position::start();
/// assert_eq!(read(&start, "H2+3", Notation::Wxf), Ok("h0g2".parse().unwrap()));
/// assert_eq!(read(&start, "傌二進三", Notation::Chinese), Ok("h0g2".parse().unwrap()));
/// assert_eq!(read(&start, "车一进三", Notation::Chinese), Err(NotationError::Illegal("车一进三".into())));
/// ```
pub fn read(position: &Position, text: &str, notation: Notation) -> Result<Move, NotationError> {
    match Meaning::parse(text.trim(), notation) {
        None => Err(NotationError::Unreadable { text: text.to_owned(), notation }),
        Some(meaning) => meaning.only_move(position, text),
    }
}

/// Reads a move in any notation.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::notation::read_any;
/// for text in ["h2e2", "H2-E2", "C2=5", "c2.5", "炮二平五", "砲2平5"] {
///     assert_eq!(read_any(&Position::start(), text), Ok("h2e2".parse().unwrap()));
/// }
/// ```
pub fn read_any(position: &Position, text: &str) -> Result<Move, NotationError> {
    read(position, text, Notation::recognise(text))
}

/// A text with the form of a move in WXF or Chinese notation. The position decides which move it is.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::notation::NamedMove;
/// let mv: NamedMove = "炮二平五".parse().unwrap();
/// assert_eq!(mv.read(&Position::start()), Ok("h2e2".parse().unwrap()));
/// assert!("h2e2".parse::<NamedMove>().is_err(), "coordinates need no position");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMove {
    text: String,
    meaning: Meaning,
}

/// The parsed form of a text, without its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Iccs(Move),
    Wxf(Description),
    Chinese(chinese::Reading),
}

impl Meaning {
    fn parse(text: &str, notation: Notation) -> Option<Self> {
        match notation {
            Notation::Iccs => text.parse().ok().map(Self::Iccs),
            Notation::Wxf => wxf::parse(text).map(Self::Wxf),
            Notation::Chinese => chinese::parse(text).map(Self::Chinese),
        }
    }

    /// Returns the legal moves that fit.
    fn moves(&self, position: &Position) -> MoveList {
        match self {
            Self::Iccs(mv) => [*mv].into_iter().filter(|&mv| position.is_legal(mv)).collect(),
            Self::Wxf(description) => description.moves(position),
            Self::Chinese(reading) => reading.moves(position),
        }
    }

    /// Returns the only legal move that fits; `text` is the one that was parsed.
    fn only_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        match *self.moves(position) {
            [] => Err(NotationError::Illegal(text.to_owned())),
            [mv] => Ok(mv),
            ref moves => Err(NotationError::Ambiguous { text: text.to_owned(), moves: moves.to_vec() }),
        }
    }
}

impl NamedMove {
    /// Returns the only legal move of `position` that it names.
    ///
    /// # Errors
    /// If no legal move fits, or several do.
    pub fn read(&self, position: &Position) -> Result<Move, NotationError> {
        self.meaning.only_move(position, &self.text)
    }
}

impl FromStr for NamedMove {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let notation = Notation::recognise(text);
        let meaning = Meaning::parse(text, notation).filter(|meaning| !matches!(meaning, Meaning::Iccs(_)));
        let text = text.to_owned();
        match meaning {
            Some(meaning) => Ok(Self { text, meaning }),
            None => Err(NotationError::Unreadable { text, notation }),
        }
    }
}

/// The text as it was written.
impl fmt::Display for NamedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::{random_games, random_games_in};
    use proptest::prelude::*;

    #[test]
    fn the_first_moves_of_a_game_have_their_usual_names() {
        let mut position = Position::start();
        for (iccs, wxf, chinese) in [
            ("H2-E2", "C2=5", "炮二平五"),
            ("H9-G7", "N8+7", "马８进７"),
            ("H0-G2", "N2+3", "马二进三"),
            ("I9-H9", "R9=8", "车９平８"),
            ("I0-H0", "R1=2", "车一平二"),
            ("H7-H3", "C8+4", "炮８进４"),
            ("C3-C4", "P7+1", "兵七进一"),
            ("C6-C5", "P3+1", "卒３进１"),
            ("F0-E1", "A4+5", "仕四进五"),
            ("C9-E7", "B3+5", "象３进５"),
            ("E0-F0", "K5=4", "帅五平四"),
            ("D9-E8", "A4+5", "士４进５"),
            ("H0-I0", "R2=1", "车二平一"),
        ] {
            let mv = iccs.parse().unwrap();
            for (notation, text) in Notation::ALL.into_iter().zip([iccs, wxf, chinese]) {
                assert_eq!(write(&position, mv, notation), text);
                assert_eq!(Notation::recognise(text), notation);
                assert_eq!(read_any(&position, text), Ok(mv));
            }
            position = position.play(mv);
        }
    }

    #[test]
    fn every_move_of_random_games_survives_each_notation() {
        for variant in Variant::ALL {
            random_games_in(variant, 9, if cfg!(miri) { 1 } else { 100 }, |position| {
                for mv in position.legal_moves() {
                    for notation in Notation::ALL {
                        let text = write(position, mv, notation);
                        assert_eq!(read(position, &text, notation), Ok(mv), "{text} in {}", position.to_fen());
                        assert_eq!(Notation::recognise(&text), notation, "{text}");
                    }
                }
            });
        }
    }

    #[test]
    fn a_promotion_goes_sideways_to_its_own_file() {
        let fen = "3k5/9/9/9/9/9/9/3A5/9/3AK4 w";
        let position = Position::from_fen_in(fen, Variant::Promotion).unwrap();
        let mv = "d0d0".parse().unwrap();
        for (notation, text) in Notation::ALL.into_iter().zip(["D0-D0", "A6=6", "仕六平六"]) {
            assert_eq!(write(&position, mv, notation), text);
            assert_eq!(read_any(&position, text), Ok(mv));
        }
    }

    #[test]
    fn both_sides_say_the_same_in_wxf() {
        random_games(10, if cfg!(miri) { 1 } else { 20 }, |position| {
            let swapped = position.colours_swapped();
            for mv in position.legal_moves() {
                let rotated = Move::new(mv.from().rotated(), mv.to().rotated());
                let [ours, theirs] = [(position, mv), (&swapped, rotated)].map(|(p, mv)| write(p, mv, Notation::Wxf));
                assert_eq!(ours, theirs, "{mv} in {}", position.to_fen());
            }
        });
    }

    #[test]
    fn every_fault_has_its_name() {
        let start = Position::start();
        let unreadable = |text: &str, notation| NotationError::Unreadable { text: text.into(), notation };
        for (text, notation) in
            [("", Notation::Iccs), ("h2", Notation::Iccs), ("C2=0", Notation::Wxf), ("炮二", Notation::Chinese)]
        {
            assert_eq!(read_any(&start, text), Err(unreadable(text, notation)));
        }
        assert_eq!(read(&start, "h2e2", Notation::Wxf), Err(unreadable("h2e2", Notation::Wxf)));
        for text in ["h2h8", "e9e8", "C2+8", "炮二进八", "帅五退一", "前炮进一"] {
            assert_eq!(read_any(&start, text), Err(NotationError::Illegal(text.into())));
        }
        let rooks = Position::from_fen("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w").unwrap();
        let moves = ["e3d3", "e5d5"].map(|mv| mv.parse().unwrap()).to_vec();
        let error = NotationError::Ambiguous { text: "R5=6".into(), moves };
        assert_eq!(read_any(&rooks, "R5=6").map_err(|error| error.to_string()), Err(error.to_string()));
        assert_eq!(error.to_string(), "\"R5=6\" may mean any of [e3d3, e5d5]");
    }

    fn named(text: &str) -> NamedMove {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_is_kept_and_means_what_the_position_makes_of_it() {
        let start = Position::start();
        for (text, mv) in [("C2=5", "h2e2"), ("c2.5", "h2e2"), ("炮二平五", "h2e2"), ("傌八进七", "b0c2")] {
            assert_eq!(named(text).read(&start), Ok(mv.parse().unwrap()), "{text}");
            assert_eq!(named(text).to_string(), text);
        }
        let black = start.play("h2e2".parse().unwrap());
        assert_eq!(named("炮二平五").read(&black), Ok("b7e7".parse().unwrap()));
        assert_eq!(named("车一进三").read(&start), Err(NotationError::Illegal("车一进三".into())));
    }

    #[test]
    fn a_name_of_several_moves_is_refused_with_all_of_them() {
        let rooks = Position::from_fen("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w").unwrap();
        let error = named("车五平六").read(&rooks).unwrap_err();
        assert_eq!(error.to_string(), "\"车五平六\" may mean any of [e3d3, e5d5]");
        assert_eq!(named("前车平六").read(&rooks), Ok("e5d5".parse().unwrap()));
        let pawns = Position::from_fen("4k4/2P3P2/2P3P2/9/9/9/9/9/9/3K5 w").unwrap();
        assert!(matches!(named("前兵进一").read(&pawns), Err(NotationError::Ambiguous { .. })));
        assert_eq!(named("前兵三平四").read(&pawns), Ok("g8f8".parse().unwrap()), "the file tells them apart");
    }

    #[test]
    fn coordinates_and_rubbish_are_no_names() {
        for text in ["", "h2e2", "H2-E2", "hlep", "C2=0", "炮二", "position"] {
            assert!(matches!(text.parse::<NamedMove>(), Err(NotationError::Unreadable { .. })), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in "\\PC*") {
            for notation in Notation::ALL {
                let _ = read(&Position::start(), &text, notation);
            }
        }

        #[test]
        fn nothing_that_looks_like_a_move_makes_a_reader_panic(
            wxf in "[+=.KABNRCPa-e0-9-]{4}",
            chinese in "[前中后炮兵马仕一二九进退平０-９1-9]{2,6}",
        ) {
            let crowded = Position::from_fen("4k4/2P3P2/2P3P2/9/4P4/9/9/9/9/3K5 w").unwrap();
            let _ = (read_any(&crowded, &wxf), read_any(&crowded, &chinese));
        }
    }
}
