//! Normal distribution.

use std::f64::consts::SQRT_2;

/// Two-sided 95 % point of the standard normal distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Returns the probability that a standard normal variable is below `x`.
pub(super) fn distribution(x: f64) -> f64 {
    libm::erfc(-x / SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_has_its_tabulated_values() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_746), (Z_95, 0.975), (-3.0, 0.001_349_898), (9.0, 1.0)] {
            assert!((distribution(x) - expected).abs() < 1e-9, "{x}");
        }
        // The far tail is small, but not zero.
        assert!((distribution(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-9);
    }
}
