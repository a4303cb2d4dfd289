//! Distances of all placements while they are computed: one byte each, or two once a distance does not fit.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

use anyhow::{Context, Result};
use chuhe::board::Side;

/// Distance of placements that are drawn or not decided yet.
const NEVER: u16 = u16::MAX;
/// Longest distance.
pub(crate) const LONGEST: u16 = NEVER - 1;
/// Byte that stands for [`NEVER`].
const NEVER_IN_A_BYTE: u8 = u8::MAX;
/// Longest distance in a byte.
pub(crate) const LONGEST_IN_A_BYTE: u16 = NEVER_IN_A_BYTE as u16 - 1;

/// Distances by side to move and number.
pub(crate) struct Plies([OfSide; 2]);

enum OfSide {
    Bytes(Vec<AtomicU8>),
    Words(Vec<AtomicU16>),
}

impl Plies {
    /// Creates the distances of `size` placements, none of them decided.
    pub(crate) fn new(size: u64) -> Result<Self> {
        let of_side = || Ok::<_, anyhow::Error>(OfSide::Bytes(entries(size, || AtomicU8::new(NEVER_IN_A_BYTE))?));
        Ok(Self([of_side()?, of_side()?]))
    }

    /// Returns the distance, if one is known.
    pub(crate) fn get(&self, mover: Side, number: u64) -> Option<u16> {
        let plies = match &self.0[mover.index()] {
            OfSide::Bytes(bytes) => match bytes[at(number)].load(Ordering::Relaxed) {
                NEVER_IN_A_BYTE => NEVER,
                plies => plies.into(),
            },
            OfSide::Words(words) => words[at(number)].load(Ordering::Relaxed),
        };
        (plies != NEVER).then_some(plies)
    }

    /// Stores a distance, which must fit.
    pub(crate) fn set(&self, mover: Side, number: u64, plies: u16) {
        match &self.0[mover.index()] {
            // `widen` is called before longer distances are stored.
            OfSide::Bytes(bytes) => bytes[at(number)].store(plies as u8, Ordering::Relaxed),
            OfSide::Words(words) => words[at(number)].store(plies, Ordering::Relaxed),
        }
    }

    /// Makes room for distances up to [`LONGEST`], one side after the other to save memory.
    pub(crate) fn widen(&mut self) -> Result<()> {
        for of_side in &mut self.0 {
            let OfSide::Bytes(bytes) = of_side else { continue };
            let size = bytes.len() as u64;
            let mut narrow = std::mem::take(bytes).into_iter().map(AtomicU8::into_inner);
            let wide = || match narrow.next() {
                None | Some(NEVER_IN_A_BYTE) => AtomicU16::new(NEVER),
                Some(plies) => AtomicU16::new(plies.into()),
            };
            *of_side = OfSide::Words(entries(size, wide)?);
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
        let mut plies = Plies::new(5).unwrap();
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
    }
}
