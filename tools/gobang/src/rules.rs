//! The rules of a game: who wins with what, what is banned, and how the opening is made fair.

/// A side. Black begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Moves first, and is bound by the bans.
    Black,
    /// Moves second.
    White,
}

impl Side {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// As an index of arrays.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Winning {
    /// Black may not make more than five, two fours or two threes, and wins with exactly five; white wins with five or more.
    #[default]
    Forbidden,
    /// Five or more wins, for both.
    Free,
    /// Exactly five wins, for both, and nothing is banned.
    Exact,
}

impl Winning {
    /// Whether the side wins with exactly five only.
    pub fn is_exact(self, side: Side) -> bool {
        self == Self::Exact || self == Self::Forbidden && side == Side::Black
    }

    /// Whether the side is bound by bans.
    pub fn bans(self, side: Side) -> bool {
        self == Self::Forbidden && side == Side::Black
    }
}

/// After how many stones the one who is to move may take the other side instead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Exchange {
    /// Never.
    #[default]
    Never,
    /// After the first.
    First,
    /// After the third.
    Third,
}

impl Exchange {
    /// Whether it may happen now.
    pub fn is_due(self, stones: usize) -> bool {
        match self {
            Self::Never => false,
            Self::First => stones == 1,
            Self::Third => stones == 3,
        }
    }
}

/// All of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// What wins and what is banned.
    pub winning: Winning,
    /// Whether sides may be exchanged.
    pub exchange: Exchange,
    /// Black offers two fifth stones, of which white leaves one on the board.
    pub two_fifths: bool,
}

/// How many stones there are when black offers fifth stones.
pub const BEFORE_FIFTH: usize = 4;

impl Rules {
    /// Whether the next stone is one of which two are offered.
    pub fn offers_two(&self, stones: usize) -> bool {
        self.two_fifths && stones == BEFORE_FIFTH
    }
}
