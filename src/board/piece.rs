//! Sides, kinds and the fourteen pieces, with their FEN letters.

use std::ops::Not;

/// A side. Red sits at rank 0 and moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Upper-case letters, moves up the board.
    Red,
    /// Lower-case letters, moves down the board.
    Black,
}

impl Side {
    /// Both sides, red first.
    pub const ALL: [Self; 2] = [Self::Red, Self::Black];

    /// The index of the side: 0 for red, 1 for black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The sign of the side's values: 1 for red, -1 for black.
    pub const fn sign(self) -> i32 {
        match self {
            Self::Red => 1,
            Self::Black => -1,
        }
    }
}

impl Not for Side {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }
}

/// The kind of a piece, which decides how it moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// King (general), one step inside the palace.
    King,
    /// Advisor, one diagonal step inside the palace.
    Advisor,
    /// Elephant, two diagonal steps on its own side of the river.
    Elephant,
    /// Horse, one step straight and one diagonal, unless its leg is blocked.
    Horse,
    /// Rook (chariot).
    Rook,
    /// Cannon, captures over exactly one screen.
    Cannon,
    /// Pawn (soldier), sideways too once across the river.
    Pawn,
}

impl Kind {
    /// All kinds, king first.
    pub const ALL: [Self; 7] =
        [Self::King, Self::Advisor, Self::Elephant, Self::Horse, Self::Rook, Self::Cannon, Self::Pawn];

    /// The index of the kind: 0 for the king to 6 for the pawn.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case FEN letter.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// Number of pieces of this kind that a side has at the start, which is also the most it may have.
    pub const fn most(self) -> u32 {
        [1, 2, 2, 2, 2, 2, 5][self as usize]
    }
}

/// One of the fourteen pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Piece {
    RedKing,
    RedAdvisor,
    RedElephant,
    RedHorse,
    RedRook,
    RedCannon,
    RedPawn,
    BlackKing,
    BlackAdvisor,
    BlackElephant,
    BlackHorse,
    BlackRook,
    BlackCannon,
    BlackPawn,
}

impl Piece {
    /// All pieces, red first, kinds in the order of [`Kind::ALL`].
    pub const ALL: [Self; 14] = [
        Self::RedKing,
        Self::RedAdvisor,
        Self::RedElephant,
        Self::RedHorse,
        Self::RedRook,
        Self::RedCannon,
        Self::RedPawn,
        Self::BlackKing,
        Self::BlackAdvisor,
        Self::BlackElephant,
        Self::BlackHorse,
        Self::BlackRook,
        Self::BlackCannon,
        Self::BlackPawn,
    ];

    /// The piece of this side and kind.
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self::ALL[side as usize * Kind::ALL.len() + kind as usize]
    }

    /// The index of the piece in [`Piece::ALL`], 0 to 13.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that owns the piece.
    pub const fn side(self) -> Side {
        if self.index() < Kind::ALL.len() { Side::Red } else { Side::Black }
    }

    /// The kind of the piece.
    pub const fn kind(self) -> Kind {
        KINDS[self.index()]
    }

    /// The FEN letter, upper case for red.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::Red => self.kind().letter(),
            Side::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// Parses a FEN letter; `E` also means elephant and `H` also means horse.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'A' => Kind::Advisor,
            'B' | 'E' => Kind::Elephant,
            'N' | 'H' => Kind::Horse,
            'R' => Kind::Rook,
            'C' => Kind::Cannon,
            'P' => Kind::Pawn,
            _ => return None,
        };
        Some(Self::new(if letter.is_ascii_uppercase() { Side::Red } else { Side::Black }, kind))
    }

    /// The piece of the same kind on the other side.
    pub const fn swapped(self) -> Self {
        Self::ALL[(self.index() + Kind::ALL.len()) % Self::ALL.len()]
    }
}

/// The kind of each piece.
const KINDS: [Kind; Piece::ALL.len()] = {
    let mut kinds = [Kind::King; Piece::ALL.len()];
    let mut index = 0;
    while index < kinds.len() {
        kinds[index] = Kind::ALL[index % Kind::ALL.len()];
        index += 1;
    }
    kinds
};

const _: () = assert!(size_of::<Option<Piece>>() == 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_survives_its_letter_and_its_parts() {
        for piece in Piece::ALL {
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::new(piece.side(), piece.kind()), piece);
            assert_eq!(piece.swapped().swapped(), piece);
        }
        assert_eq!(Piece::from_letter('h'), Some(Piece::BlackHorse));
        assert_eq!(Piece::from_letter('E'), Some(Piece::RedElephant));
        assert_eq!(Piece::from_letter('x'), None);
    }
}
