//! How often each score was reached, by pairs or by single games.

/// Counts of scores, worst first, seen from the first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcomes {
    /// Pairs of games with 0, 1/2, 1, 3/2 and 2 points: the pentanomial counts.
    Pairs([u64; 5]),
    /// Games lost, drawn and won; for matches without pairs.
    Games([u64; 3]),
}

impl Outcomes {
    /// The counts, worst score first.
    pub fn counts(&self) -> &[u64] {
        match self {
            Self::Pairs(counts) => counts,
            Self::Games(counts) => counts,
        }
    }

    /// Pairs, or games.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Games in one sample.
    pub const fn games_per_sample(&self) -> u32 {
        match self {
            Self::Pairs(_) => 2,
            Self::Games(_) => 1,
        }
    }

    /// Scores from 0 to 1 and how many samples reached each.
    pub fn weights(&self) -> Vec<(f64, f64)> {
        let counts = self.counts();
        let best = (counts.len() - 1) as f64;
        counts.iter().enumerate().map(|(index, &count)| (index as f64 / best, count as f64)).collect()
    }
}

/// Mean and variance of a weighted list of scores; the weights need not add up to one.
pub(crate) fn mean_and_variance(weights: &[(f64, f64)]) -> (f64, f64) {
    let total: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    let mean = weights.iter().map(|&(score, weight)| score * weight).sum::<f64>() / total;
    let variance = weights.iter().map(|&(score, weight)| (score - mean).powi(2) * weight).sum::<f64>() / total;
    (mean, variance)
}
