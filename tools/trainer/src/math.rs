//! Functions that mathematical libraries round differently: own versions, so that training gives the same bits on every machine.

/// Returns e to the power of `x`, accurate to a few units in the last place. Clamps `x` so that the result is finite and
/// positive.
pub fn exp(x: f32) -> f32 {
    const LARGEST: f32 = 87.0;
    // Two parts of ln 2, so that the difference from `x` keeps its digits.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const MANTISSA_BITS: u32 = 23;
    const EXPONENT_BIAS: i32 = 127;
    let x = x.clamp(-LARGEST, LARGEST);
    let power = (x * std::f32::consts::LOG2_E + 0.5).floor();
    let rest = x - power * LN_2_HIGH - power * LN_2_LOW;
    let series = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let value = series.into_iter().fold(0.0, |sum, factor| sum * rest + factor);
    // At most 126 in either direction.
    let exponent = power as i32 + EXPONENT_BIAS;
    value * f32::from_bits(exponent.cast_unsigned() << MANTISSA_BITS)
}

/// Logistic function: the expected result of a game, 0 to 1, for log odds `x`.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Returns the cosine of `x` between 0 and pi.
pub fn cos(x: f64) -> f64 {
    let square = x * x;
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..=16 {
        term *= -square / f64::from((2 * n - 1) * (2 * n));
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_they_are_called() {
        for n in -860..=860 {
            let x = n as f32 / 10.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 1e-6, "exp {x}");
            assert!((f64::from(sigmoid(x)) - exact / (1.0 + exact)).abs() < 1e-6, "sigmoid {x}");
        }
        assert_eq!((exp(0.0), sigmoid(0.0), cos(0.0)), (1.0, 0.5, 1.0));
        assert!(exp(f32::INFINITY).is_finite() && exp(f32::NEG_INFINITY) > 0.0);
        for n in 0..=100 {
            let x = std::f64::consts::PI * f64::from(n) / 100.0;
            assert!((cos(x) - x.cos()).abs() < 1e-12, "cos {x}");
        }
    }

    #[test]
    fn bits_are_the_same_everywhere() {
        let bits = [-3.7_f32, -0.1, 0.3, 1.0, 12.5].map(|x| exp(x).to_bits());
        assert_eq!(bits, BITS);
    }

    const BITS: [u32; 5] = [1_019_906_302, 1_063_756_653, 1_068_288_044, 1_076_754_516, 1_216_546_345];
}
