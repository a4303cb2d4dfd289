//! Counts of scores, by pairs (pentanomial) or by single games (trinomial).

/// Counts of scores, worst first, from the first engine's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcomes {
    /// Pentanomial counts: pairs of games with 0, 1/2, 1, 3/2 and 2 points.
    Pairs([u64; 5]),
    /// Trinomial counts: games lost, drawn and won, for matches without pairs.
    Games([u64; 3]),
}

impl Outcomes {
    /// Returns the counts, worst score first.
    pub fn counts(&self) -> &[u64] {
        match self {
            Self::Pairs(counts) => counts,
            Self::Games(counts) => counts,
        }
    }

    /// Returns the number of samples: pairs, or games.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Returns the number of games in one sample.
    pub const fn games_per_sample(&self) -> u32 {
        match self {
            Self::Pairs(_) => 2,
            Self::Games(_) => 1,
        }
    }

    /// Returns the scores from 0 to 1 with the number of samples of each.
    pub fn weights(&self) -> Vec<(f64, f64)> {
        let counts = self.counts();
        let best = (counts.len() - 1) as f64;
        counts.iter().enumerate().map(|(index, &count)| (index as f64 / best, count as f64)).collect()
    }
}

/// Returns mean and variance of a weighted list of scores; the weights need not add up to one.
pub(crate) fn mean_and_variance(weights: &[(f64, f64)]) -> (f64, f64) {
    let total: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    let mean = weights.iter().map(|&(score, weight)| score * weight).sum::<f64>() / total;
    let variance = weights.iter().map(|&(score, weight)| (score - mean).powi(2) * weight).sum::<f64>() / total;
    (mean, variance)
}
