//! Levels: numbers in steps that grow with their size.

/// Number of levels of [`level`].
pub(super) const LEVELS: u32 = 16;

/// Number of levels of [`signed_level`].
pub(super) const SIGNED_LEVELS: u32 = 2 * LEVELS;

/// Level of a number that is not negative: two steps for each doubling.
pub(super) fn level(number: i32) -> u32 {
    const STEPS: [i32; LEVELS as usize - 1] = [3, 6, 10, 15, 21, 29, 40, 55, 75, 105, 150, 220, 350, 600, 1200];
    STEPS.partition_point(|&step| step <= number) as u32
}

/// Level of a number of either sign.
pub(super) fn signed_level(number: i32) -> u32 {
    if number < 0 { LEVELS - 1 - level(-number) } else { LEVELS + level(number) }
}
