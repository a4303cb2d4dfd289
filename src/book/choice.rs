//! Book moves of a position, and the choice among them. Pure: randomness comes in as a number.

use crate::board::Move;
use crate::score::Score;

/// A move that a book contains for a position and that is legal there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The move on the board as the caller sees it.
    pub mv: Move,
    /// Weight: how often the move is chosen, relative to the others.
    pub weight: u16,
    /// Score for the mover and depth in plies, if an engine has analysed the move.
    pub eval: Option<(Score, u8)>,
}

impl Candidate {
    /// The score for the mover, if an engine has analysed the move.
    pub fn score(&self) -> Option<Score> {
        self.eval.map(|(score, _)| score)
    }

    /// Sort key: the heaviest first; among equals the order of the moves decides, so that every format gives the same.
    pub(super) fn order(&self) -> (u16, u16) {
        (!self.weight, self.mv.bits())
    }
}

/// Method of choosing a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// Random choice in proportion to the weights.
    #[default]
    Weighted,
    /// The best move: by score if all candidates have one, otherwise by weight. Weight decides among equals.
    Best,
    /// Random choice in proportion to the weights, among moves scored at most this many centipawns below the best. If
    /// no move is scored, all may be chosen.
    Margin(u16),
}

/// Chooses among `candidates`; `random` is a uniformly distributed number. Returns `None` only if there are none.
///
/// ```
/// use chuhe::book::{Candidate, Choice, choose};
/// let [common, rare] = [("h2e2", 3), ("c3c4", 1)]
///     .map(|(mv, weight)| Candidate { mv: mv.parse().unwrap(), weight, eval: None });
/// assert_eq!(choose(&[common, rare], Choice::Best, 0), Some(common));
/// assert_eq!(choose(&[common, rare], Choice::Weighted, u64::MAX), Some(rare));
/// ```
pub fn choose(candidates: &[Candidate], choice: Choice, random: u64) -> Option<Candidate> {
    match choice {
        Choice::Weighted => by_weight(candidates, random),
        Choice::Best => best(candidates),
        Choice::Margin(margin) => by_weight(&within(candidates, i32::from(margin)), random),
    }
}

fn best(candidates: &[Candidate]) -> Option<Candidate> {
    let all_scored = candidates.iter().all(|candidate| candidate.eval.is_some());
    let worth = |candidate: &Candidate| (candidate.score().filter(|_| all_scored), candidate.weight);
    // The first of equals, while `max_by_key` takes the last.
    candidates.iter().rev().max_by_key(|&candidate| worth(candidate)).copied()
}

fn within(candidates: &[Candidate], margin: i32) -> Vec<Candidate> {
    let Some(best) = candidates.iter().filter_map(Candidate::score).max() else { return candidates.to_vec() };
    candidates
        .iter()
        .filter(|candidate| candidate.score().is_some_and(|score| best - score <= margin))
        .copied()
        .collect()
}

/// Chooses in proportion to the weights, or uniformly if all weights are zero.
fn by_weight(candidates: &[Candidate], random: u64) -> Option<Candidate> {
    let total: u64 = candidates.iter().map(|candidate| u64::from(candidate.weight)).sum();
    let weight = |candidate: &Candidate| if total == 0 { 1 } else { u64::from(candidate.weight) };
    let total = if total == 0 { candidates.len() as u64 } else { total };
    // Scales without the bias of a remainder.
    let mut left = ((u128::from(random) * u128::from(total)) >> u64::BITS) as u64;
    for candidate in candidates {
        match left.checked_sub(weight(candidate)) {
            Some(rest) => left = rest,
            None => return Some(*candidate),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(mv: &str, weight: u16, score: Option<i32>) -> Candidate {
        let eval = score.map(|score| (Score::from_eval(score), 10));
        Candidate { mv: mv.parse().unwrap(), weight, eval }
    }

    /// Number of times each move is chosen, over evenly spaced random numbers.
    fn shares(candidates: &[Candidate], choice: Choice) -> Vec<usize> {
        let chosen: Vec<_> = (0..1000)
            .map(|part| choose(candidates, choice, part * (u64::MAX / 1000) + u64::MAX / 2000).unwrap().mv)
            .collect();
        candidates.iter().map(|candidate| chosen.iter().filter(|&&mv| mv == candidate.mv).count()).collect()
    }

    #[test]
    fn weights_are_shares() {
        let all = [
            candidate("h2e2", 5, None),
            candidate("c3c4", 0, None),
            candidate("g3g4", 3, None),
            candidate("c0e2", 2, None),
        ];
        assert_eq!(shares(&all, Choice::Weighted), [500, 0, 300, 200]);
        let none = all.map(|it| Candidate { weight: 0, ..it });
        assert_eq!(shares(&none, Choice::Weighted), [250; 4]);
        for random in [0, u64::MAX] {
            assert!(choose(&all, Choice::Weighted, random).is_some());
        }
        assert_eq!(choose(&[], Choice::Weighted, 5), None);
    }

    #[test]
    fn the_best_has_the_best_score_or_the_most_weight() {
        let scored = [candidate("h2e2", 5, Some(10)), candidate("c3c4", 1, Some(30)), candidate("g3g4", 2, Some(30))];
        assert_eq!(choose(&scored, Choice::Best, 0), Some(scored[2]));
        let partly = [scored[0], candidate("c3c4", 4, None), scored[1]];
        assert_eq!(choose(&partly, Choice::Best, 0), Some(scored[0]));
        let equal = [candidate("h2e2", 5, None), candidate("c3c4", 5, None)];
        assert_eq!(choose(&equal, Choice::Best, 9), Some(equal[0]));
        assert_eq!(choose(&[], Choice::Best, 0), None);
    }

    #[test]
    fn a_margin_leaves_out_what_is_worse() {
        let all = [
            candidate("h2e2", 5, Some(10)),
            candidate("c3c4", 1, Some(30)),
            candidate("g3g4", 3, Some(20)),
            candidate("c0e2", 9, None),
        ];
        assert_eq!(shares(&all, Choice::Margin(0)), [0, 1000, 0, 0]);
        assert_eq!(shares(&all, Choice::Margin(10)), [0, 250, 750, 0]);
        assert_eq!(shares(&all[3..], Choice::Margin(0)), [1000]);
        assert_eq!(choose(&[], Choice::Margin(3), 0), None);
    }
}
