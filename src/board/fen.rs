//! FEN: a strict writer, and a tolerant reader that names what is wrong.

use super::attacks::palace;
use super::bitboard::Bitboard;
use super::piece::{Kind, Piece, Side};
use super::placement::Placement;
use super::position::{Position, Variant};
use super::square::{FILES, RANKS, Square};
use std::error::Error;
use std::fmt;

/// The FEN of the start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Error: a text is not a position that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// The placement is missing.
    Empty,
    /// A letter that stands for no piece.
    Letter(char),
    /// A number of ranks other than ten.
    Ranks(usize),
    /// A rank without exactly nine files.
    Files {
        /// The rank, 0 to 9; red's back rank is 0.
        rank: usize,
        /// The number of squares that it describes.
        files: usize,
    },
    /// A side to move that is neither `w`, `r` nor `b`.
    Side(String),
    /// A side without exactly one king.
    Kings {
        /// The side.
        side: Side,
        /// The number of its kings.
        count: u32,
    },
    /// More pieces of a kind than a side starts with.
    TooMany {
        /// The piece.
        piece: Piece,
        /// The number of these pieces.
        count: u32,
    },
    /// A piece where it can never stand.
    Misplaced {
        /// The piece.
        piece: Piece,
        /// The square on which it stands.
        square: Square,
    },
    /// The kings face each other, so that the side to move could capture one.
    FacingKings,
    /// The side that is not to move is in check.
    WaitingSideInCheck,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the FEN is empty"),
            Self::Letter(letter) => write!(f, "{letter:?} is not a piece"),
            Self::Ranks(count) => write!(f, "the number of ranks in the FEN is {count} instead of ten"),
            Self::Files { rank, files } => write!(f, "rank {rank} of the FEN has {files} files instead of nine"),
            Self::Side(text) => write!(f, "{text:?} is not a side to move"),
            Self::Kings { side, count } => write!(f, "{side:?} has {count} kings"),
            Self::TooMany { piece, count } => write!(f, "there are {count} {piece:?}s, more than a side can have"),
            Self::Misplaced { piece, square } => write!(f, "a {piece:?} cannot stand on {square}"),
            Self::FacingKings => write!(f, "the kings face each other"),
            Self::WaitingSideInCheck => write!(f, "the side that is not to move is in check"),
        }
    }
}

impl Error for FenError {}

impl Position {
    /// The position at the start of a game.
    pub fn start() -> Self {
        Self::from_fen(START_FEN).expect("the start position is legal")
    }

    /// Parses a FEN with the tolerance that real clients need: `E` and `H` for elephant and horse, `r` for red to move,
    /// digits in a row, `[]` after the placement, and any number of missing or meaningless trailing fields.
    ///
    /// ```
    /// use chuhe::board::Position;
    /// let position = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K4R r").unwrap();
    /// assert_eq!(position.to_fen(), "4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1");
    /// assert!(Position::from_fen("4k4/9/9/9/9/9/9/9/9/4K4 w").is_err()); // the kings face each other
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        Self::from_fen_in(text, Variant::Standard)
    }

    /// Parses a FEN in any variant; with promotions, pawns can stand on more squares.
    ///
    /// ```
    /// use chuhe::board::{Position, Variant};
    /// let fen = "3k5/9/9/9/9/9/9/9/9/4KP3 w - - 0 1";
    /// assert_eq!(Position::from_fen_in(fen, Variant::Promotion).unwrap().to_fen(), fen);
    /// assert!(Position::from_fen_in(fen, Variant::Standard).is_err());
    /// ```
    pub fn from_fen_in(text: &str, variant: Variant) -> Result<Self, FenError> {
        let mut fields = text.split_whitespace();
        let placement = read_placement(fields.next().ok_or(FenError::Empty)?)?;
        let side = read_side(fields.next())?;
        let mut counters = fields.filter(|field| *field != "-");
        let reversible = counters.next().and_then(read_counter).unwrap_or(0);
        let number = counters.next().and_then(read_counter).unwrap_or(1);
        check_pieces(&placement, variant)?;
        Self::new(placement, side, variant, reversible, number).checked()
    }

    /// Creates the position of these pieces, with the counters of a new game.
    ///
    /// ```
    /// use chuhe::board::{Piece, Position, Side};
    /// let pieces = [("e0", Piece::RedKing), ("d9", Piece::BlackKing), ("a4", Piece::RedPawn)];
    /// let pieces = pieces.map(|(square, piece)| (square.parse().unwrap(), piece));
    /// assert_eq!(Position::from_pieces(pieces, Side::Black).unwrap().to_fen(), "3k5/9/9/9/9/P8/9/9/9/4K4 b - - 0 1");
    /// ```
    ///
    /// # Errors
    /// Those of [`Position::from_fen`].
    ///
    /// # Panics
    /// If two pieces stand on one square.
    pub fn from_pieces(pieces: impl IntoIterator<Item = (Square, Piece)>, side: Side) -> Result<Self, FenError> {
        let mut placement = Placement::EMPTY;
        for (square, piece) in pieces {
            assert!(placement.on(square).is_none(), "two pieces on {square}");
            placement.put(piece, square);
        }
        check_pieces(&placement, Variant::Standard)?;
        Self::new(placement, side, Variant::Standard, 0, 1).checked()
    }

    fn checked(self) -> Result<Self, FenError> {
        if self.kings_face() {
            Err(FenError::FacingKings)
        } else if self.attackers_of_waiting_king().any() {
            Err(FenError::WaitingSideInCheck)
        } else {
            Ok(self)
        }
    }

    /// Returns the position in another variant.
    ///
    /// # Errors
    /// If a piece cannot stand on its square in that variant.
    pub fn in_variant(&self, variant: Variant) -> Result<Self, FenError> {
        check_pieces(self.placement(), variant)?;
        Ok(Self::new(*self.placement(), self.side(), variant, self.reversible_plies(), self.move_number()))
    }

    /// Writes the FEN: letters `KABNRCP`, side `w` or `b`, plies without a capture, move number.
    pub fn to_fen(&self) -> String {
        let ranks: Vec<String> = (0..RANKS).rev().map(|rank| self.rank_text(rank)).collect();
        let side = match self.side() {
            Side::Red => 'w',
            Side::Black => 'b',
        };
        format!("{} {side} - - {} {}", ranks.join("/"), self.reversible_plies(), self.move_number())
    }

    fn rank_text(&self, rank: usize) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..FILES {
            match self.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }
}

fn read_placement(text: &str) -> Result<Placement, FenError> {
    let text = text.split('[').next().unwrap_or(text);
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != RANKS {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut placement = Placement::EMPTY;
    for (rank, text) in (0..RANKS).rev().zip(ranks) {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(run) = letter.to_digit(10) {
                file += run as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenError::Letter(letter))?;
            if file < FILES {
                placement.put(piece, Square::new(file, rank));
            }
            file += 1;
        }
        if file != FILES {
            return Err(FenError::Files { rank, files: file });
        }
    }
    Ok(placement)
}

fn read_side(field: Option<&str>) -> Result<Side, FenError> {
    match field {
        None | Some("w" | "W" | "r" | "R" | "-") => Ok(Side::Red),
        Some("b" | "B") => Ok(Side::Black),
        Some(other) => Err(FenError::Side(other.to_owned())),
    }
}

/// Parses a counter; a number that is too large becomes the largest one.
fn read_counter(field: &str) -> Option<u16> {
    let digits = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| field.parse().unwrap_or(u16::MAX))
}

/// Checks the number and the squares of the pieces. The moves of a position that passes fit into a `MoveList`.
fn check_pieces(placement: &Placement, variant: Variant) -> Result<(), FenError> {
    for piece in Piece::ALL {
        let (side, kind) = (piece.side(), piece.kind());
        let squares = placement.of_kind(kind) & placement.of_side(side);
        let count = squares.count();
        if kind == Kind::King && count != 1 {
            return Err(FenError::Kings { side, count });
        }
        if count > kind.most() {
            return Err(FenError::TooMany { piece, count });
        }
        if let Some(square) = (squares & !homes(side, kind, variant)).first() {
            return Err(FenError::Misplaced { piece, square });
        }
    }
    Ok(())
}

/// Files of the back-rank squares of advisors and elephants, on which pawns promoted there advance to the river.
const PROMOTION_FILES: [usize; 4] = [2, 3, 5, 6];

/// Squares on which a piece can ever stand.
fn homes(side: Side, kind: Kind, variant: Variant) -> Bitboard {
    let named = |squares: &[(usize, usize)]| -> Bitboard {
        squares.iter().map(|&(file, rank)| Square::new(file, rank).seen_by(side)).collect()
    };
    match kind {
        Kind::King => palace(side),
        Kind::Advisor => named(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]),
        Kind::Elephant => named(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]),
        // Composed positions have pawns behind their starting rank.
        Kind::Pawn => Square::all()
            .filter(|square| {
                let on_its_way = square.file() % 2 == 0;
                let promoted = variant == Variant::Promotion && PROMOTION_FILES.contains(&square.file());
                square.is_across_river(side) || on_its_way || promoted
            })
            .collect(),
        Kind::Horse | Kind::Rook | Kind::Cannon => Bitboard::ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_start_position_is_written_as_it_is_read() {
        assert_eq!(Position::start().to_fen(), START_FEN);
    }

    #[test]
    fn real_clients_are_understood() {
        let start = Position::start();
        for text in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR W - -",
            "  rnbakabnr/54/1c32c1/p1p1p1p1p/36/09/P1P1P1P1P/1C05C1/9/RNBAKABNR w",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w - - x y\r",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\tw\t0\t1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - -3 0",
        ] {
            assert_eq!(Position::from_fen(text).map(|p| p.key()), Ok(start.key()), "{text}");
        }
        let counted = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K4R b - - 17 42").unwrap();
        assert_eq!((counted.reversible_plies(), counted.move_number(), counted.side()), (17, 42, Side::Black));
        let endless = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K4R b - - 70000 99999999999999999999").unwrap();
        assert_eq!((endless.reversible_plies(), endless.move_number()), (u16::MAX, u16::MAX));
    }

    #[test]
    fn every_fault_has_its_name() {
        let fault = |text: &str| Position::from_fen(text).unwrap_err();
        assert_eq!(fault(""), FenError::Empty);
        assert_eq!(fault("xyz"), FenError::Ranks(1));
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/9/4K4 w"), FenError::Ranks(11));
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/3KZ4 w"), FenError::Letter('Z'));
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/3K6 w"), FenError::Files { rank: 0, files: 10 });
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/3K99999999RRRR w"), FenError::Files { rank: 0, files: 80 });
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/3K5 q"), FenError::Side("q".into()));
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/9 w"), FenError::Kings { side: Side::Red, count: 0 });
        assert_eq!(fault("3kk4/9/9/9/9/9/9/9/9/3K5 w"), FenError::Kings { side: Side::Black, count: 2 });
        let rooks = FenError::TooMany { piece: Piece::RedRook, count: 3 };
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/RRRK5 w"), rooks);
        let at = |piece, text: &str| FenError::Misplaced { piece, square: text.parse().unwrap() };
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/K8 w"), at(Piece::RedKing, "a0"));
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/3K1P3 w"), at(Piece::RedPawn, "f0"));
        assert_eq!(fault("4k4/9/9/1p7/9/9/9/9/9/3K5 w"), at(Piece::BlackPawn, "b6"));
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/4B4/3K5 w"), at(Piece::RedElephant, "e1"));
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/4K4 b"), FenError::FacingKings);
        assert_eq!(fault("4k4/9/9/9/9/9/9/9/4R4/3K5 w"), FenError::WaitingSideInCheck);
    }

    #[test]
    fn composed_positions_have_pawns_on_their_own_back_ranks() {
        for fen in ["3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w - - 0 1", "4k4/9/9/9/9/9/9/9/P3P3P/2P2K3 b - - 0 1"] {
            assert_eq!(Position::from_fen(fen).map(|position| position.to_fen()), Ok(fen.to_owned()));
        }
        // Such a pawn can only step forward.
        let position = Position::from_fen("4k4/9/9/9/9/9/9/9/9/2P2K3 w").unwrap();
        let steps: Vec<_> =
            position.legal_moves().into_iter().filter(|mv| mv.from() == "c0".parse().unwrap()).collect();
        assert_eq!(steps, ["c0c1".parse().unwrap()]);
    }

    #[test]
    fn promoted_pawns_stand_on_the_files_where_they_were_made() {
        let read = |text: &str| Position::from_fen_in(text, Variant::Promotion).map(|position| position.to_fen());
        for fen in ["3k5/9/9/9/9/3P5/5P3/2P6/6P2/3PK4 w - - 0 1", "2ppk4/6p2/5p3/3p5/9/9/9/9/9/3K5 b - - 0 1"] {
            assert_eq!(read(fen), Ok(fen.to_owned()));
            assert!(matches!(Position::from_fen(fen), Err(FenError::Misplaced { .. })));
        }
        for (fen, piece, square) in [
            ("3k5/9/9/9/9/9/9/9/1P7/4K4 w", Piece::RedPawn, "b1"),
            ("3k5/9/9/9/9/9/9/9/9/4K2P1 w", Piece::RedPawn, "h0"),
            ("3k5/1p7/9/9/9/9/9/9/9/4K4 w", Piece::BlackPawn, "b8"),
        ] {
            assert_eq!(read(fen), Err(FenError::Misplaced { piece, square: square.parse().unwrap() }));
        }
    }

    #[test]
    fn a_promoted_pawn_keeps_a_position_out_of_the_standard_game() {
        let promoted = Position::from_fen_in("3k5/9/9/9/9/9/9/9/9/4KP3 w", Variant::Promotion).unwrap();
        let square = "f0".parse().unwrap();
        let misplaced = FenError::Misplaced { piece: Piece::RedPawn, square };
        assert_eq!(promoted.in_variant(Variant::Standard), Err(misplaced));
        let there = Position::start().in_variant(Variant::Promotion).unwrap();
        assert_ne!(there, Position::start());
        assert_eq!(there.in_variant(Variant::Standard), Ok(Position::start()));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*") {
            let _ = Position::from_fen(&text);
        }

        #[test]
        fn nothing_that_looks_like_a_fen_makes_the_reader_panic(text in "[rnbakcpRNBAKCPeh1-9/]{0,90} ?[wbr]? ?-? ?-? ?[0-9]{0,7} ?[0-9]{0,7}") {
            let _ = Position::from_fen(&text);
        }
    }
}
