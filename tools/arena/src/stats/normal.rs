//! The normal distribution.

use std::f64::consts::PI;

/// Two-sided 95 % point of the normal distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Probability that a standard normal variable is below `x`, by the series of Marsaglia, "Evaluating the Normal
/// Distribution", 2004.
pub(super) fn distribution(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    (0.5 + sum * (-x * x / 2.0).exp() / (2.0 * PI).sqrt()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_has_its_tabulated_values() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_746), (Z_95, 0.975), (-3.0, 0.001_349_898), (9.0, 1.0)] {
            assert!((distribution(x) - expected).abs() < 1e-9, "{x}");
        }
    }
}
