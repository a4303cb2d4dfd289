//! When to look deeper than the nominal depth.

/// Plies from the root, in multiples of the nominal depth, beyond which nothing is extended.
const FURTHEST: usize = 2;

/// A check that does not lose the checking piece forces the opponent: it is followed one ply further.
pub(crate) fn check(gives_check: bool, keeps_material: impl FnOnce() -> bool, ply: usize, nominal_depth: i32) -> i32 {
    let near_enough = ply < FURTHEST * usize::try_from(nominal_depth).unwrap_or(0);
    i32::from(gives_check && near_enough && keeps_material())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_checks_near_the_root_are_extended() {
        assert_eq!(check(true, || true, 5, 8), 1);
        assert_eq!(check(true, || false, 5, 8), 0);
        assert_eq!(check(false, || true, 5, 8), 0);
        assert_eq!(check(true, || true, 16, 8), 0);
    }
}
