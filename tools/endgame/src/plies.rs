//! Distances of all placements while they are computed: one byte each, or two once a distance does not fit.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, Ordering};

use anyhow::{Context, Result};
use chuhe::board::Side;

use crate::parallel::PIECE;
use crate::storage::{Entries, Storage};

/// Distance of placements that are drawn or not decided yet.
const NEVER: u16 = u16::MAX;
/// Longest distance.
pub(crate) const LONGEST: u16 = NEVER - 1;
/// Byte that stands for [`NEVER`].
const NEVER_IN_A_BYTE: u8 = u8::MAX;
/// Longest distance in a byte.
pub(crate) const LONGEST_IN_A_BYTE: u16 = NEVER_IN_A_BYTE as u16 - 1;

/// Distances by side to move and number.
pub(crate) struct Plies {
    sides: [OfSide; 2],
    /// Whether a piece of the loop over all numbers has even and odd distances that [`Plies::take_new`] has not seen.
    new: Vec<[AtomicBool; 2]>,
    storage: Storage,
}

enum OfSide {
    Bytes(Entries<AtomicU8>),
    Words(Entries<AtomicU16>),
}

impl Plies {
    /// Creates the distances of `size` placements, none of them decided.
    pub(crate) fn new(storage: &Storage, size: u64) -> Result<Self> {
        let of_side = || Ok::<_, anyhow::Error>(OfSide::Bytes(Entries::new(storage, size, NEVER_IN_A_BYTE)?));
        Ok(Self {
            sides: [of_side()?, of_side()?],
            new: (0..size.div_ceil(PIECE)).map(|_| Default::default()).collect(),
            storage: storage.clone(),
        })
    }

    /// Returns the place of the distances.
    pub(crate) fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Returns the distance, if one is known.
    pub(crate) fn get(&self, mover: Side, number: u64) -> Option<u16> {
        let plies = match &self.sides[mover.index()] {
            OfSide::Bytes(bytes) => match bytes.get(number) {
                NEVER_IN_A_BYTE => NEVER,
                plies => plies.into(),
            },
            OfSide::Words(words) => words.get(number),
        };
        (plies != NEVER).then_some(plies)
    }

    /// Returns the numbers with this distance.
    pub(crate) fn numbers_at(&self, mover: Side, numbers: Range<u64>, plies: u16) -> Vec<u64> {
        let mut found = vec![];
        match &self.sides[mover.index()] {
            OfSide::Bytes(bytes) => bytes.for_each(numbers, |number, byte| {
                if byte != NEVER_IN_A_BYTE && u16::from(byte) == plies {
                    found.push(number);
                }
            }),
            OfSide::Words(words) => words.for_each(numbers, |number, word| {
                if word != NEVER && word == plies {
                    found.push(number);
                }
            }),
        }
        found
    }

    /// Stores a distance, which must fit.
    pub(crate) fn set(&self, mover: Side, number: u64, plies: u16) {
        match &self.sides[mover.index()] {
            // `widen` is called before longer distances are stored.
            OfSide::Bytes(bytes) => bytes.set(number, plies as u8),
            OfSide::Words(words) => words.set(number, plies),
        }
        let new = &self.new[at(number / PIECE)][usize::from(plies % 2)];
        if !new.load(Ordering::Relaxed) {
            new.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a piece of the loop over all numbers may have this distance. The levels must be asked for in order, each before
    /// the next but one is stored.
    pub(crate) fn take_new(&self, piece: &Range<u64>, plies: u16) -> bool {
        self.new[at(piece.start / PIECE)][usize::from(plies % 2)].swap(false, Ordering::Relaxed)
    }

    /// Makes room for distances up to [`LONGEST`], one side after the other to save memory.
    pub(crate) fn widen(&mut self) -> Result<()> {
        for of_side in &mut self.sides {
            let OfSide::Bytes(bytes) = of_side else { continue };
            let words = Entries::new(&self.storage, bytes.len(), NEVER)?;
            for number in 0..bytes.len() {
                match bytes.get(number) {
                    NEVER_IN_A_BYTE => {}
                    plies => words.set(number, plies.into()),
                }
            }
            *of_side = OfSide::Words(words);
        }
        Ok(())
    }
}

/// Converts a number to a list index, which fits since all entries are in memory.
pub(crate) fn at(number: u64) -> usize {
    number as usize
}

/// Allocates a list of `size` entries, if there is memory for it.
pub(crate) fn entries<T>(size: u64, new: impl FnMut() -> T) -> Result<Vec<T>> {
    let size = usize::try_from(size)?;
    let mut entries = vec![];
    entries
        .try_reserve_exact(size)
        .with_context(|| format!("{} bytes of memory", size.saturating_mul(size_of::<T>())))?;
    entries.resize_with(size, new);
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_stays_known_when_there_is_more_room() {
        let mut plies = Plies::new(&Storage::Memory, 5).unwrap();
        plies.set(Side::Red, 1, LONGEST_IN_A_BYTE);
        plies.set(Side::Black, 3, 0);
        let all =
            |plies: &Plies| Side::ALL.map(|mover| (0..5).map(|number| plies.get(mover, number)).collect::<Vec<_>>());
        let before = [vec![None, Some(254), None, None, None], vec![None, None, None, Some(0), None]];
        assert_eq!(all(&plies), before);
        plies.widen().unwrap();
        assert_eq!(all(&plies), before);
        plies.set(Side::Red, 0, 255);
        plies.set(Side::Black, 4, LONGEST);
        plies.widen().unwrap();
        let after = [vec![Some(255), Some(254), None, None, None], vec![None, None, None, Some(0), Some(LONGEST)]];
        assert_eq!(all(&plies), after);
        let at = |mover, distance| plies.numbers_at(mover, 0..5, distance);
        assert_eq!((at(Side::Red, 254), at(Side::Red, 255), at(Side::Black, 0)), (vec![1], vec![0], vec![3]));
        assert!(at(Side::Black, 254).is_empty() && at(Side::Red, NEVER).is_empty());
    }

    #[test]
    fn a_piece_is_new_once_for_each_level() {
        let plies = Plies::new(&Storage::Memory, 2 * PIECE).unwrap();
        let [first, second] = [0..PIECE, PIECE..2 * PIECE];
        plies.set(Side::Red, PIECE - 1, 0);
        plies.set(Side::Black, PIECE, 1);
        assert!(plies.take_new(&first, 0) && !plies.take_new(&second, 0));
        plies.set(Side::Red, PIECE, 1);
        plies.set(Side::Red, 0, 1);
        assert!(plies.take_new(&first, 1) && plies.take_new(&second, 1));
        assert!(!plies.take_new(&first, 2) && !plies.take_new(&second, 3));
    }
}
