//! Entry of the transposition table (TT), and how it is packed into one word.

use std::num::NonZeroU16;

use bytemuck::{Pod, Zeroable};

/// Relation of a stored score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value is at most the score.
    Upper = 1,
    /// The value is at least the score.
    Lower = 2,
    /// The score is the value.
    Exact = 3,
}

/// TT entry as the search stores and finds it: plain data, a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best move, if one is known, in the sixteen bits by which the game names it.
    pub mv: Option<NonZeroU16>,
    /// Score relative to this node.
    pub score: i16,
    /// Static evaluation, if it was computed. `i16::MIN` is not an evaluation and is read back as `None`.
    pub eval: Option<i16>,
    /// Depth of the search, in plies.
    pub depth: u8,
    /// Relation of `score` to the true value.
    pub bound: Bound,
    /// Whether the position was ever on a principal variation (TT PV).
    pub tt_pv: bool,
}

/// Age: the search in which an entry was stored, counted modulo 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Age(pub(super) u8);

impl Age {
    const MODULUS: u8 = 1 << 5;

    pub(super) fn next(self) -> Self {
        Self((self.0 + 1) % Self::MODULUS)
    }

    /// Returns how many searches ago `older` was current.
    pub(super) fn since(self, older: Self) -> u8 {
        (self.0 + Self::MODULUS - older.0) % Self::MODULUS
    }
}

/// An entry and its age in eight bytes. All zero is the empty entry: no bound has the number 0.
///
/// ```text
///  mv 16 | score 16 | eval 16 | depth 8 | flags 8
///                                         age 7..3, tt_pv 2, bound 1..0
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
struct PackedEntry {
    mv: u16,
    score: i16,
    eval: i16,
    depth: u8,
    flags: u8,
}

const _: () = assert!(size_of::<PackedEntry>() == size_of::<u64>());

const NO_EVAL: i16 = i16::MIN;
const BOUND_MASK: u8 = 0b11;
const PV_SHIFT: u32 = 2;
const AGE_SHIFT: u32 = 3;

impl Entry {
    /// Packs the entry and its age into a word, which is not zero.
    pub(super) fn pack(self, age: Age) -> u64 {
        bytemuck::cast(PackedEntry {
            mv: self.mv.map_or(0, NonZeroU16::get),
            score: self.score,
            eval: self.eval.unwrap_or(NO_EVAL),
            depth: self.depth,
            flags: age.0 << AGE_SHIFT | u8::from(self.tt_pv) << PV_SHIFT | self.bound as u8,
        })
    }

    /// Returns the entry in `word` and its age; `None` for the empty word.
    pub(super) fn unpack(word: u64) -> Option<(Self, Age)> {
        let PackedEntry { mv, score, eval, depth, flags } = bytemuck::cast(word);
        let bound = match flags & BOUND_MASK {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let eval = Some(eval).filter(|&eval| eval != NO_EVAL);
        let tt_pv = flags >> PV_SHIFT & 1 == 1;
        Some((Self { mv: NonZeroU16::new(mv), score, eval, depth, bound, tt_pv }, Age(flags >> AGE_SHIFT)))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};

    fn entries() -> impl Strategy<Value = Entry> {
        let moves = any::<u16>().prop_map(NonZeroU16::new);
        let bounds = prop_oneof![Just(Bound::Upper), Just(Bound::Lower), Just(Bound::Exact)];
        let evals = any::<Option<i16>>().prop_map(|eval| eval.filter(|&eval| eval != NO_EVAL));
        (moves, any::<i16>(), evals, any::<u8>(), bounds, any::<bool>())
            .prop_map(|(mv, score, eval, depth, bound, tt_pv)| Entry { mv, score, eval, depth, bound, tt_pv })
    }

    proptest! {
        #[test]
        fn an_entry_survives_its_word(entry in entries(), age in 0..Age::MODULUS) {
            prop_assert_eq!(Entry::unpack(entry.pack(Age(age))), Some((entry, Age(age))));
        }

        #[test]
        fn no_word_is_misread_badly_enough_to_panic(word: u64) {
            let unpacked = Entry::unpack(word);
            prop_assert_eq!(unpacked.map(|(entry, age)| Entry::unpack(entry.pack(age))), unpacked.map(Some));
        }
    }

    #[test]
    fn zero_is_the_empty_word() {
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn age_wraps_around_after_thirty_two_searches() {
        let first = Age::default();
        let later = (0..30).fold(first, |age, _| age.next());
        assert_eq!((later.since(first), first.since(later)), (30, 2));
        assert_eq!(later.next().next(), first);
    }
}
