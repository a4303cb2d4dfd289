//! Rules of a game: the winning condition, the bans, and the measures that balance the opening.

/// A side. Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The side that moves first; only black is bound by bans.
    Black,
    /// The side that moves second.
    White,
}

impl Side {
    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// Index of the side in arrays.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Winning condition and bans.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Winning {
    /// Renju: black wins with exactly five and may not make more than five, two fours or two threes; white wins with five or
    /// more.
    #[default]
    Forbidden,
    /// Freestyle: five or more win, for both sides.
    Free,
    /// Exactly five wins, for both sides; nothing is banned.
    Exact,
}

impl Winning {
    /// Whether the side wins only with exactly five.
    pub fn is_exact(self, side: Side) -> bool {
        self == Self::Exact || self == Self::Forbidden && side == Side::Black
    }

    /// Whether the side is bound by bans.
    pub fn bans(self, side: Side) -> bool {
        self == Self::Forbidden && side == Side::Black
    }
}

/// Number of stones after which the side to move may take the other side instead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Exchange {
    /// No exchange.
    #[default]
    Never,
    /// After the first stone.
    First,
    /// After the third stone.
    Third,
}

impl Exchange {
    /// Whether the sides may be exchanged after this number of stones.
    pub fn is_due(self, stones: usize) -> bool {
        match self {
            Self::Never => false,
            Self::First => stones == 1,
            Self::Third => stones == 3,
        }
    }
}

/// Rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// Winning condition and bans.
    pub winning: Winning,
    /// Exchange of the sides in the opening.
    pub exchange: Exchange,
    /// Whether black offers two fifth moves, of which white leaves one on the board.
    pub two_fifths: bool,
}

/// Number of stones on the board when black offers two fifth moves.
pub const BEFORE_FIFTH: usize = 4;

impl Rules {
    /// Whether two alternatives are offered for the next move.
    pub fn offers_two(&self, stones: usize) -> bool {
        self.two_fifths && stones == BEFORE_FIFTH
    }
}
