//! What a side would make with one stone, over all four lines through a cell, looked up by their patterns.

use std::sync::LazyLock;

use crate::pattern::{PATTERNS, Pattern};

/// What a stone on one line is worth, by pattern, in hundredths of an open two.
const VALUES: [i16; PATTERNS] = [0, 4, 14, 24, 36, 130, 150, 200, 260, 600, 0];

/// The sets of cells that are kept. One cell may be in several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A stone there makes five.
    Five,
    /// A stone there makes five next, whatever the other side does; it may be banned.
    Win,
    /// A stone there makes at least one four; it may be banned.
    Four,
    /// A stone there makes an open three; it may be banned.
    Three,
    /// A stone there may be banned.
    Suspect,
}

/// Number of kinds.
pub const KINDS: usize = 5;

/// What a side would make with one stone.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Promise {
    /// How good it is, in hundredths of an open two.
    pub value: i16,
    /// The sets that the cell belongs to, a bit for each [`Kind`].
    pub kinds: u8,
}

/// The promises of all combinations of patterns.
pub struct Promises(Box<[Promise]>);

impl Promises {
    /// Those of a side that is bound by bans, or of one that is not.
    pub fn new(bans: bool) -> &'static Self {
        static FREE: LazyLock<Promises> = LazyLock::new(|| Promises::work_out(false));
        static BOUND: LazyLock<Promises> = LazyLock::new(|| Promises::work_out(true));
        if bans { &BOUND } else { &FREE }
    }

    /// What these patterns, one a line, promise together.
    pub fn get(&self, codes: [Pattern; 4]) -> Promise {
        self.0[codes.iter().fold(0, |index, &code| index * PATTERNS + code as usize)]
    }

    fn work_out(bans: bool) -> Self {
        let pattern = |index: usize, place: u32| Pattern::ALL[index / PATTERNS.pow(3 - place) % PATTERNS];
        let codes = |index| [0, 1, 2, 3].map(|place| pattern(index, place));
        Self((0..PATTERNS.pow(4)).map(|index| promise(codes(index), bans)).collect())
    }
}

/// How many fours a stone makes.
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
