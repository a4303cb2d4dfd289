//! Material of a position: the pieces of each side without their squares, in the canonical order of the tables.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::board::{Kind, Piece, Position, Side};

/// Kinds that can cross the river, strongest first.
pub const ATTACKERS: [Kind; 4] = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn];

/// Kinds that stay by their king.
pub const DEFENDERS: [Kind; 2] = [Kind::Advisor, Kind::Elephant];

/// All kinds but the king, attackers first.
const KINDS: [Kind; 6] = [ATTACKERS[0], ATTACKERS[1], ATTACKERS[2], ATTACKERS[3], DEFENDERS[0], DEFENDERS[1]];

/// Pieces of one side without its king. The greater force has the stronger attackers, or equal attackers and more defenders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Force {
    /// Number of pieces of each of the [`KINDS`].
    counts: [u8; KINDS.len()],
}

impl Force {
    /// Returns the force of `side` in `position`.
    pub fn of(position: &Position, side: Side) -> Self {
        // There are at most five of a kind.
        Self { counts: KINDS.map(|kind| position.pieces(side, kind).count() as u8) }
    }

    /// Number of pieces of a kind; 1 for the king.
    pub fn count(&self, kind: Kind) -> u8 {
        KINDS.iter().position(|&other| other == kind).map_or(1, |at| self.counts[at])
    }

    /// Number of pieces that can cross the river.
    pub fn attackers(&self) -> u8 {
        self.counts[..ATTACKERS.len()].iter().sum()
    }

    /// Number of pieces, including the king.
    pub fn piece_count(&self) -> u8 {
        1 + self.counts.iter().sum::<u8>()
    }

    /// Returns the force with one piece of `kind` less, if it has one that can be captured.
    #[must_use]
    pub fn without(mut self, kind: Kind) -> Option<Self> {
        let count = self.count_mut(kind)?;
        *count = count.checked_sub(1)?;
        Some(self)
    }

    fn with(mut self, kind: Kind) -> Option<Self> {
        let count = self.count_mut(kind)?;
        *count += 1;
        (u32::from(*count) <= kind.most()).then_some(self)
    }

    fn count_mut(&mut self, kind: Kind) -> Option<&mut u8> {
        KINDS.iter().position(|&other| other == kind).map(|at| &mut self.counts[at])
    }
}

/// Formats a force as in `KRAAB`: the king, the attackers, the defenders.
impl fmt::Display for Force {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Kind::King.letter())?;
        for kind in KINDS {
            for _ in 0..self.count(kind) {
                write!(f, "{}", kind.letter())?;
            }
        }
        Ok(())
    }
}

/// Material of both sides, the greater [`Force`] first. Independent of colours: the first side plays from Red's side of the
/// board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material {
    forces: [Force; 2],
}

impl Material {
    /// Returns the material of two forces, and whether the sides were swapped.
    pub fn new(red: Force, black: Force) -> (Self, bool) {
        let swapped = red < black;
        (Self { forces: if swapped { [black, red] } else { [red, black] } }, swapped)
    }

    /// Returns the material of `position`, and whether its colours have to be swapped.
    pub fn of(position: &Position) -> (Self, bool) {
        Self::new(Force::of(position, Side::Red), Force::of(position, Side::Black))
    }

    /// Returns the force of the first side (Red) or of the second (Black).
    pub fn force(&self, side: Side) -> Force {
        self.forces[side.index()]
    }

    /// Whether both sides have equal forces.
    pub fn is_even(&self) -> bool {
        self.forces[0] == self.forces[1]
    }

    /// Whether neither side has an attacker: such a position is drawn, and the side to move always has a legal move.
    pub fn is_bare(&self) -> bool {
        self.attackers() == 0
    }

    /// Number of pieces of both sides that can cross the river.
    pub fn attackers(&self) -> u8 {
        self.forces.iter().map(Force::attackers).sum()
    }

    /// Number of pieces, including the kings.
    pub fn piece_count(&self) -> u8 {
        self.forces.iter().map(Force::piece_count).sum()
    }

    /// Returns the material after the capture of a piece of `side`, and whether the sides are swapped. Returns `None` if there is
    /// no such piece, or it cannot be captured: only attackers can reach defenders.
    pub fn after_capture(&self, side: Side, kind: Kind) -> Option<(Self, bool)> {
        if DEFENDERS.contains(&kind) && self.force(!side).attackers() == 0 {
            return None;
        }
        let mut forces = self.forces;
        forces[side.index()] = forces[side.index()].without(kind)?;
        Some(Self::new(forces[0], forces[1]))
    }

    /// Returns all materials that captures can lead to, without bare ones: fewest pieces first, this one last.
    pub fn closure(&self) -> Vec<Self> {
        let mut found = vec![*self];
        let mut next = 0;
        while let Some(material) = found.get(next).copied() {
            for piece in Piece::ALL {
                if let Some((left, _)) = material.after_capture(piece.side(), piece.kind())
                    && !left.is_bare()
                    && !found.contains(&left)
                {
                    found.push(left);
                }
            }
            next += 1;
        }
        found.sort_by_key(|material| (material.piece_count(), *material));
        found
    }
}

/// Formats a material as in `KR-KAABB`: the side with the stronger attackers first.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.forces[0], self.forces[1])
    }
}

/// Text that does not name a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialError(pub String);

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a material such as KR-KAABB", self.0)
    }
}

impl Error for MaterialError {}

impl FromStr for Material {
    type Err = MaterialError;

    /// Parses two sides in either order, their pieces in any order, with the letters of a FEN in either case.
    fn from_str(text: &str) -> Result<Self, MaterialError> {
        let read = || {
            let (first, second) = text.split_once('-')?;
            Some(Self::new(force(first)?, force(second)?).0)
        };
        read().ok_or_else(|| MaterialError(text.to_owned()))
    }
}

fn force(text: &str) -> Option<Force> {
    let mut kings = 0;
    let mut force = Force::default();
    for letter in text.chars() {
        match Piece::from_letter(letter)?.kind() {
            Kind::King => kings += 1,
            kind => force = force.with(kind)?,
        }
    }
    (kings == 1).then_some(force)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(text: &str) -> Material {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_is_read_whatever_its_order() {
        for (text, name) in [
            ("KR-KAABB", "KR-KAABB"),
            ("kbbaa-rk", "KR-KAABB"),
            ("KPN-K", "KNP-K"),
            ("KNA-KRC", "KRC-KNA"),
            ("KRAB-KRABB", "KRABB-KRAB"),
            ("KPP-KCH", "KNC-KPP"),
        ] {
            assert_eq!(material(text).to_string(), name);
            assert_eq!(material(name), material(text));
        }
        for text in ["", "KR", "R-K", "KK-K", "KRRR-K", "KAAA-K", "KX-K", "KPPPPPP-K", "KR-K-K"] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_position_and_its_colour_flip_have_the_same_material() {
        let position = Position::from_fen("4k4/4a4/4b4/9/9/9/9/9/R8/3K5 w").unwrap();
        assert_eq!(Material::of(&position), (material("KR-KAB"), false));
        assert_eq!(Material::of(&position.colours_swapped()), (material("KR-KAB"), true));
    }

    #[test]
    fn captures_leave_what_can_be_taken() {
        let names = |text: &str| material(text).closure().iter().map(Material::to_string).collect::<Vec<_>>();
        assert_eq!(names("KR-KAB"), ["KR-K", "KR-KB", "KR-KA", "KR-KAB"]);
        // The first side's advisor cannot be captured.
        assert_eq!(names("KRA-KA"), ["KRA-K", "KRA-KA"]);
        assert_eq!(names("KR-KN"), ["KN-K", "KR-K", "KR-KN"]);
        assert_eq!(material("KNP-KAABB").closure().len(), 27);
        // When the second side has lost its pawn, the first side's advisor is safe again.
        assert_eq!(names("KPA-KP"), ["KP-K", "KP-KA", "KP-KP", "KPA-K", "KPA-KP"]);
        assert!(names("KAB-KB").iter().eq(["KAB-KB"]));
    }

    #[test]
    fn a_force_knows_its_men() {
        let force = material("KRCPPABB-K").force(Side::Red);
        assert_eq!((force.piece_count(), force.attackers()), (8, 4));
        assert_eq!(Kind::ALL.map(|kind| force.count(kind)), [1, 1, 2, 0, 1, 1, 2]);
        assert_eq!(force.without(Kind::King), None);
        assert_eq!(force.without(Kind::Horse), None);
        assert_eq!(force.without(Kind::Pawn).unwrap().to_string(), "KRCPABB");
    }
}
