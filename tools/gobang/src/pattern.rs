//! Patterns: the effect of a stone on one of the lines through its cell, looked up from the cells within five steps.
//!
//! ```text
//!  index   17 ............ 10   9 ............. 0
//!         [ closed, -4 .. +4 ] [ own, -5 .. +5  ]      the cell itself has no bit; closed: opponent or edge
//! ```
//!
//! The fifth cell matters only where a row of six does not win, and only if it holds a stone of the same side.

use std::sync::LazyLock;

/// Distance within which another stone matters.
pub const REACH: i32 = 5;

/// Pattern that a stone makes on a line, in ascending order of value except for the overline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Pattern {
    /// No five is possible any more.
    Dead,
    /// One more stone makes a two.
    One,
    /// One more stone makes a three.
    Two,
    /// One more stone makes an open three.
    OpenTwo,
    /// One more stone makes a four.
    Three,
    /// One more stone makes a straight four.
    OpenThree,
    /// One more stone makes five.
    Four,
    /// Either of two cells completes five, but the four stones are not adjacent: two fours on one line.
    DoubleFour,
    /// Straight four: four adjacent stones, and a stone at either end makes five.
    StraightFour,
    /// Five.
    Five,
    /// More than five stones, where they do not win.
    Overline,
}

/// Number of patterns.
pub const PATTERNS: usize = 11;

impl Pattern {
    /// All patterns in the order of their indices.
    pub const ALL: [Self; PATTERNS] = [
        Self::Dead,
        Self::One,
        Self::Two,
        Self::OpenTwo,
        Self::Three,
        Self::OpenThree,
        Self::Four,
        Self::DoubleFour,
        Self::StraightFour,
        Self::Five,
        Self::Overline,
    ];
}

const OWN_BITS: usize = 10;
const CLOSED_BITS: usize = 8;
const INDICES: usize = 1 << (OWN_BITS + CLOSED_BITS);
/// Farthest cell of a five on either side of the stone.
const ARM: i32 = 4;

/// Bit of the cell `steps` steps away; `steps` must not be zero or beyond ±[`REACH`].
pub const fn bit(steps: i32) -> u16 {
    1 << if steps < 0 { steps + REACH } else { steps + REACH - 1 }
}

/// Patterns of all surroundings of a cell.
pub struct Patterns(Box<[Pattern]>);

impl Patterns {
    /// Returns the patterns for a side that wins with five or more.
    pub fn free() -> &'static Self {
        static FREE: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(false));
        &FREE
    }

    /// Returns the patterns for a side that wins with exactly five.
    pub fn exact() -> &'static Self {
        static EXACT: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(true));
        &EXACT
    }

    /// Returns the pattern for own stones `own` and unavailable cells `closed`, both as sums of [`bit`]s.
    pub fn get(&self, own: u16, closed: u16) -> Pattern {
        self.0[index(own, closed)]
    }

    fn new(exact: bool) -> Self {
        let mut patterns = Self(vec![Pattern::Dead; INDICES].into());
        // From many stones to few: each pattern depends on those with one more stone.
        for own in (0..1 << OWN_BITS).rev() {
            for inner in 0..1 << CLOSED_BITS {
                let closed = inner << 1;
                patterns.0[index(own, closed)] = patterns.judge(own, closed, exact);
            }
        }
        patterns
    }

    fn judge(&self, own: u16, closed: u16, exact: bool) -> Pattern {
        let (left, right) = (row(own, -1), row(own, 1));
        let length = left + right + 1;
        if length == 5 || length > 5 && !exact {
            return Pattern::Five;
        }
        if length > 5 {
            return Pattern::Overline;
        }
        let with = |steps: i32| self.get(own | bit(steps), closed);
        let open = |steps: i32| (1..=ARM).contains(&steps.abs()) && (own | closed) & bit(steps) == 0;
        let cells = || (-ARM..=ARM).filter(|&steps| open(steps));
        let makes_five = |steps: i32| open(steps) && with(steps) == Pattern::Five;
        if length == 4 && makes_five(-left - 1) && makes_five(right + 1) {
            return Pattern::StraightFour;
        }
        match cells().filter(|&steps| makes_five(steps)).count() {
            0 => {}
            1 => return Pattern::Four,
            _ => return Pattern::DoubleFour,
        }
        let best = cells().map(with).filter(|&pattern| pattern < Pattern::Five).max();
        match best.unwrap_or(Pattern::Dead) {
            Pattern::StraightFour => Pattern::OpenThree,
            Pattern::Four | Pattern::DoubleFour => Pattern::Three,
            Pattern::OpenThree => Pattern::OpenTwo,
            Pattern::Three => Pattern::Two,
            Pattern::OpenTwo | Pattern::Two => Pattern::One,
            _ => Pattern::Dead,
        }
    }
}

fn index(own: u16, closed: u16) -> usize {
    usize::from(own) | usize::from(closed >> 1 & 0xFF) << OWN_BITS
}

/// Number of adjacent own stones, from the next cell in this direction on.
fn row(own: u16, direction: i32) -> i32 {
    (1..=REACH).take_while(|steps| own & bit(steps * direction) != 0).count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pattern of a line like `_XX*O`: `*` is the cell, X a stone of the side, O one of the opponent, `|` the edge.
    fn pattern(line: &str, patterns: &Patterns) -> Pattern {
        let cells: Vec<char> = line.chars().collect();
        let here = cells.iter().position(|&cell| cell == '*').unwrap() as i32;
        let (mut own, mut closed) = (0, 0);
        for steps in (-REACH..=REACH).filter(|&steps| steps != 0) {
            match usize::try_from(here + steps).ok().and_then(|at| cells.get(at)) {
                Some('X') => own |= bit(steps),
                Some('_') => {}
                _ => closed |= bit(steps),
            }
        }
        patterns.get(own, closed)
    }

    #[test]
    fn rows_are_named_as_players_name_them() {
        use Pattern::*;
        for (line, free, exact) in [
            ("|XXXX*|", Five, Five),
            ("|XX*XX|", Five, Five),
            ("|XXX*XX|", Five, Overline),
            ("_XXX*_", StraightFour, StraightFour),
            ("OXXX*_", Four, Four),
            ("_XXX*O", Four, Four),
            ("X_XXX*_", StraightFour, Four),
            ("X_XXX*_X", StraightFour, Dead),
            ("X_X*X_X", DoubleFour, DoubleFour),
            ("XXX_*_XXX", DoubleFour, DoubleFour),
            ("__XX*__", OpenThree, OpenThree),
            ("O_XX*_O", Three, Three),
            ("|_XX*__|", OpenThree, OpenThree),
            ("_X_X*_", OpenThree, OpenThree),
            ("OXX*__", Three, Three),
            ("X__XX*__X", OpenThree, Three),
            ("O_X*___", OpenTwo, OpenTwo),
            ("O__*__O", One, One),
            ("O_X_*O", Dead, Dead),
            ("_____*_____", One, One),
        ] {
            assert_eq!((pattern(line, Patterns::free()), pattern(line, Patterns::exact())), (free, exact), "{line}");
        }
    }

    #[test]
    fn left_and_right_are_alike() {
        for patterns in [Patterns::free(), Patterns::exact()] {
            for own in 0..1 << OWN_BITS {
                for closed in (0..1u16 << 10).step_by(2).filter(|closed| closed & 1 << 9 == 0) {
                    let turned = |bits: u16| bits.reverse_bits() >> 6;
                    assert_eq!(patterns.get(own, closed), patterns.get(turned(own), turned(closed)));
                }
            }
        }
    }
}
