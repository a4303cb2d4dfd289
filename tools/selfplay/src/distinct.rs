//! Estimates the share of distinct keys in fixed memory, from a sample of the keys selected by their hashes.
//!
//! Adaptive sampling (Wegman; Flajolet, "On adaptive sampling", 1990).

use std::collections::HashMap;

use chuhe::splitmix::mix;

/// Default number of distinct keys kept.
const CAPACITY: usize = 1 << 20;

/// Keys seen so far, or a sample of them: whenever there are too many, half of the distinct ones are dropped.
#[derive(Clone, Debug)]
pub struct Distinct {
    capacity: usize,
    /// Sampling level: only keys whose hash begins with this many zero bits are kept.
    zeros: u32,
    /// Number of occurrences by hash.
    seen: HashMap<u64, u32>,
}

impl Default for Distinct {
    fn default() -> Self {
        Self::within(CAPACITY)
    }
}

impl Distinct {
    /// Creates a counter that keeps at most `capacity` keys.
    pub fn within(capacity: usize) -> Self {
        Self { capacity, zeros: 0, seen: HashMap::new() }
    }

    /// Counts a key.
    pub fn add(&mut self, key: u64) {
        let hash = mix(key);
        if hash.leading_zeros() < self.zeros {
            return;
        }
        let count = self.seen.entry(hash).or_default();
        *count = count.saturating_add(1);
        while self.seen.len() > self.capacity {
            self.zeros += 1;
            let zeros = self.zeros;
            self.seen.retain(|hash, _| hash.leading_zeros() >= zeros);
        }
    }

    /// Ratio of distinct keys to all keys, from 0 to 1; 1 if there are none.
    pub fn share(&self) -> f64 {
        let all: u64 = self.seen.values().map(|&count| u64::from(count)).sum();
        if all == 0 { 1.0 } else { self.seen.len() as f64 / all as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_keys_are_counted_exactly() {
        let mut distinct = Distinct::within(100);
        assert_eq!(distinct.share(), 1.0);
        for key in [1, 2, 3, 3, 3, 4, 4, 2] {
            distinct.add(key);
        }
        assert_eq!(distinct.share(), 0.5);
    }

    #[test]
    fn many_keys_are_estimated_in_little_memory() {
        let mut distinct = Distinct::within(2000);
        // Every fifth key comes twice.
        for key in 0..120_000 {
            distinct.add(key);
            if key % 5 == 0 {
                distinct.add(key);
            }
        }
        assert!(distinct.seen.len() <= 2000 && distinct.zeros > 0);
        let share = distinct.share();
        assert!((share - 120.0 / 144.0).abs() < 0.02, "{share}");
    }
}
