//! Vote of the workers: turns the outcomes of this game into ballots.

use super::report::Outcome;
use crate::score::Score;
use crate::smp::vote::{Ballot, Standing, vote as count};

/// Returns the index of the outcome to play.
///
/// A mate takes precedence over all votes, the shortest first. A ban, which depends on the path, does not.
///
/// # Panics
/// If there is no outcome.
pub fn vote(outcomes: &[Outcome]) -> usize {
    count(&outcomes.iter().map(ballot).collect::<Vec<_>>())
}

fn ballot(outcome: &Outcome) -> Ballot {
    let score = outcome.score;
    let standing = match score {
        _ if score.is_ban() => Standing::Conditional,
        _ if score.is_mate() && score > Score::DRAW => Standing::Won,
        _ => Standing::Held,
    };
    Ballot { choice: outcome.pv[0].bits(), depth: outcome.depth, score: score.raw(), standing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ScoreBound;

    fn outcome(depth: u32, score: Score, mv: &str) -> Outcome {
        let pv = vec![mv.parse().unwrap()];
        Outcome { depth, selective_depth: depth, score, bound: ScoreBound::Exact, score_depth: depth, pv, nodes: 1 }
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
