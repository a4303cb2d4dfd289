//! Promises: the combined effect of a stone on all four lines through its cell, looked up from their patterns.

use std::sync::LazyLock;

use crate::pattern::{PATTERNS, Pattern};

/// Value of a stone on one line, by pattern, in hundredths of an open two.
const VALUES: [i16; PATTERNS] = [0, 4, 14, 24, 36, 130, 150, 200, 260, 600, 0];

/// Sets of cells that the board maintains; a cell may be in several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A stone there makes five.
    Five,
    /// A stone there wins with the next stone, whatever the other side does; it may be banned.
    Win,
    /// A stone there makes at least one four; it may be banned.
    Four,
    /// A stone there makes an open three; it may be banned.
    Three,
    /// A stone there may be banned.
    Suspect,
}

/// Number of kinds of sets.
pub const KINDS: usize = 5;

/// Effect of a stone on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Promise {
    /// Value of the stone, in hundredths of an open two.
    pub value: i16,
    /// Sets that the cell belongs to, one bit per [`Kind`].
    pub kinds: u8,
}

/// Promises of all combinations of four patterns.
pub struct Promises(Box<[Promise]>);

impl Promises {
    /// Returns the promises for a side that is bound by bans, or for one that is not.
    pub fn new(bans: bool) -> &'static Self {
        static FREE: LazyLock<Promises> = LazyLock::new(|| Promises::work_out(false));
        static BOUND: LazyLock<Promises> = LazyLock::new(|| Promises::work_out(true));
        if bans { &BOUND } else { &FREE }
    }

    /// Returns the promise of these patterns, one per line.
    pub fn get(&self, codes: [Pattern; 4]) -> Promise {
        self.0[codes.iter().fold(0, |index, &code| index * PATTERNS + code as usize)]
    }

    fn work_out(bans: bool) -> Self {
        let pattern = |index: usize, place: u32| Pattern::ALL[index / PATTERNS.pow(3 - place) % PATTERNS];
        let codes = |index| [0, 1, 2, 3].map(|place| pattern(index, place));
        Self((0..PATTERNS.pow(4)).map(|index| promise(codes(index), bans)).collect())
    }
}

/// Number of fours that a stone makes.
pub fn fours(codes: [Pattern; 4]) -> u32 {
    codes
        .iter()
        .map(|code| match code {
            Pattern::Four | Pattern::StraightFour => 1,
            Pattern::DoubleFour => 2,
            _ => 0,
        })
        .sum()
}

fn promise(codes: [Pattern; 4], bans: bool) -> Promise {
    let value: i16 = codes.iter().map(|&code| VALUES[code as usize]).sum();
    let has = |pattern| codes.contains(&pattern);
    let threes = codes.iter().filter(|&&code| code == Pattern::OpenThree).count();
    let fours = fours(codes);
    let five = has(Pattern::Five);
    let suspect = bans && !five && (has(Pattern::Overline) || fours >= 2 || threes >= 2);
    let wins = has(Pattern::StraightFour) || fours >= 2 && !bans;
    let kinds = [
        (Kind::Five, five),
        (Kind::Win, wins),
        (Kind::Four, fours > 0),
        (Kind::Three, threes > 0),
        (Kind::Suspect, suspect),
    ];
    let kinds = kinds.iter().map(|&(kind, is)| u8::from(is) << kind as u8).sum();
    Promise { value, kinds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_lines_does_not_matter_and_fives_outrank_bans() {
        let codes = [Pattern::Four, Pattern::OpenThree, Pattern::Dead, Pattern::DoubleFour];
        let turned = [codes[3], codes[2], codes[1], codes[0]];
        for bans in [false, true] {
            assert_eq!(Promises::new(bans).get(codes), Promises::new(bans).get(turned));
            assert_eq!(Promises::new(bans).get(codes), promise(codes, bans));
        }
        let suspect = |codes| Promises::new(true).get(codes).kinds >> Kind::Suspect as u8 & 1 != 0;
        assert!(suspect(codes) && !suspect([Pattern::Five, codes[0], codes[0], codes[3]]));
    }
}
