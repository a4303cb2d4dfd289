//! Several workers, one answer.

use super::report::Outcome;
use crate::score::Score;

/// A finished iteration counts as if the score were at least this many centipawns above the worst.
const BASE_WEIGHT: i64 = 14;

/// The index of the outcome to play: every worker votes for its move, weighted by depth and by how far its score lies
/// above the worst; a mate goes before all votes, the shortest first. A ban, which depends on the way to it, does not:
/// it counts as the best that the others have found, or as nothing if it loses. The score decides between equals.
///
/// # Panics
/// If there is no outcome.
pub fn vote(outcomes: &[Outcome]) -> usize {
    let finished: Vec<usize> = (0..outcomes.len()).filter(|&index| outcomes[index].depth > 0).collect();
    let Some(&first) = finished.first() else { return 0 };
    let best_score = |&&index: &&usize| outcomes[index].score;
    let highest = *finished.iter().max_by_key(best_score).unwrap_or(&first);
    if outcomes[highest].score.is_mate() && outcomes[highest].score > Score::DRAW {
        return highest;
    }
    let without_bans = || finished.iter().map(|&index| outcomes[index].score).filter(|score| !score.is_ban());
    let worst = without_bans().min().unwrap_or(Score::DRAW);
    let best = without_bans().max().unwrap_or(Score::DRAW);
    let weight = |index: usize| {
        let outcome = &outcomes[index];
        if outcome.score.is_ban() && outcome.score < Score::DRAW {
            return 0;
        }
        i64::from(outcome.depth) * (i64::from(outcome.score.clamp(worst, best) - worst) + BASE_WEIGHT)
    };
    let votes = |index: usize| -> i64 {
        let same_move = |&&other: &&usize| outcomes[other].pv[0] == outcomes[index].pv[0];
        finished.iter().filter(same_move).map(|&other| weight(other)).sum()
    };
    finished
        .iter()
        .copied()
        .rev()
        .max_by_key(|&index| (votes(index), weight(index), outcomes[index].score))
        .unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(depth: u32, score: Score, mv: &str) -> Outcome {
        Outcome { depth, selective_depth: depth, score, pv: vec![mv.parse().unwrap()], nodes: 1 }
    }

    #[test]
    fn the_move_of_the_majority_wins() {
        let even = Score::from_eval(20);
        let outcomes = [outcome(9, even, "h2e2"), outcome(9, even, "c3c4"), outcome(9, even, "c3c4")];
        assert_eq!(vote(&outcomes), 1);
    }

    #[test]
    fn a_mate_goes_before_all_votes() {
        let outcomes = [
            outcome(9, Score::from_eval(500), "h2e2"),
            outcome(9, Score::from_eval(500), "h2e2"),
            outcome(5, Score::mate_in(7), "c3c4"),
            outcome(5, Score::mate_in(5), "g3g4"),
        ];
        assert_eq!(vote(&outcomes), 3);
    }

    #[test]
    fn a_ban_is_a_vote_like_others() {
        let even = Score::from_eval(20);
        let outcomes = [outcome(9, even, "h2e2"), outcome(9, -Score::banned_in(9), "c3c4"), outcome(9, even, "h2e2")];
        assert_eq!(vote(&outcomes), 0);
        assert_eq!(vote(&outcomes[..2]), 1, "one against one");
        let (early, late) = (Score::banned_in(7), Score::banned_in(9));
        let outcomes = [outcome(9, early, "h2e2"), outcome(9, late, "h2e2"), outcome(9, even, "g3g4")];
        assert_eq!(vote(&outcomes), 2);
        assert_eq!(vote(&outcomes[..2]), 1, "both lose, the later the better");
    }

    #[test]
    fn a_worker_that_finished_nothing_has_no_vote() {
        let outcomes = [outcome(0, Score::from_eval(900), "h2e2"), outcome(4, Score::from_eval(-10), "c3c4")];
        assert_eq!(vote(&outcomes), 1);
        assert_eq!(vote(&outcomes[..1]), 0);
    }
}
