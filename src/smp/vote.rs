//! Vote of the workers on one move.

/// Base weight: an iteration counts as if its score were at least this far above the worst, in hundredths of the
/// game's unit.
const BASE_WEIGHT: i64 = 14;

/// Ballot of one worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ballot {
    /// Move to play, as any number that tells moves apart.
    pub choice: u16,
    /// Depth of the last finished iteration, in plies; 0 if there is none, and then no vote.
    pub depth: u32,
    /// Value of the move for the side to move, in hundredths of the game's unit; 0 is even.
    pub score: i32,
    /// Kind of the score.
    pub standing: Standing,
}

/// Kind of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Proven win.
    Won,
    /// Estimate, or proven loss.
    Held,
    /// Score that depends on the path to the position.
    Conditional,
}

/// Returns the index of the ballot to follow.
///
/// Every worker votes for its move, weighted by depth and by how far its score lies above the worst. A win takes
/// precedence over all votes, the best first. A conditional score does not: it counts as the best that the others
/// have found, or as nothing if it is below even. Ties are broken by the score.
///
/// # Panics
/// If there is no ballot.
pub fn vote(ballots: &[Ballot]) -> usize {
    let finished: Vec<usize> = (0..ballots.len()).filter(|&index| ballots[index].depth > 0).collect();
    let Some(&first) = finished.first() else { return 0 };
    let highest = *finished.iter().max_by_key(|&&index| ballots[index].score).unwrap_or(&first);
    if ballots[highest].standing == Standing::Won {
        return highest;
    }
    let unconditional = || {
        let ballots = finished.iter().map(|&index| &ballots[index]);
        ballots.filter(|ballot| ballot.standing != Standing::Conditional).map(|ballot| ballot.score)
    };
    let worst = unconditional().min().unwrap_or(0);
    let best = unconditional().max().unwrap_or(0);
    let weight = |index: usize| {
        let ballot = &ballots[index];
        if ballot.standing == Standing::Conditional && ballot.score < 0 {
            return 0;
        }
        i64::from(ballot.depth) * (i64::from(ballot.score.clamp(worst, best)) - i64::from(worst) + BASE_WEIGHT)
    };
    let votes = |index: usize| -> i64 {
        let same_choice = |&&other: &&usize| ballots[other].choice == ballots[index].choice;
        finished.iter().filter(same_choice).map(|&other| weight(other)).sum()
    };
    finished
        .iter()
        .copied()
        .rev()
        .max_by_key(|&index| (votes(index), weight(index), ballots[index].score))
        .unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ballot(depth: u32, score: i32, choice: u16) -> Ballot {
        Ballot { choice, depth, score, standing: Standing::Held }
    }

    #[test]
    fn the_majority_wins_among_equals_and_depth_among_loners() {
        assert_eq!(vote(&[ballot(9, 20, 1), ballot(9, 20, 2), ballot(9, 20, 2)]), 1);
        assert_eq!(vote(&[ballot(5, 20, 1), ballot(9, 20, 2)]), 1);
    }

    #[test]
    fn a_win_goes_before_all_votes_and_the_best_first() {
        let won = |depth, score, choice| Ballot { standing: Standing::Won, ..ballot(depth, score, choice) };
        assert_eq!(vote(&[ballot(9, 500, 1), ballot(9, 500, 1), won(5, 9_000, 2), won(5, 9_001, 3)]), 3);
    }

    #[test]
    fn a_conditional_score_is_no_better_than_the_best_and_nothing_below_even() {
        let conditional = |score, choice| Ballot { standing: Standing::Conditional, ..ballot(9, score, choice) };
        assert_eq!(vote(&[ballot(9, 20, 1), conditional(9_000, 2), ballot(9, 20, 1)]), 0);
        assert_eq!(vote(&[ballot(9, 20, 1), conditional(9_000, 2)]), 1);
        assert_eq!(vote(&[conditional(-9_000, 1), conditional(-8_999, 1), ballot(9, 20, 2)]), 2);
    }

    #[test]
    fn a_worker_without_an_iteration_has_no_vote() {
        assert_eq!(vote(&[ballot(0, 900, 1), ballot(4, -10, 2)]), 1);
        assert_eq!(vote(&[ballot(0, 900, 1)]), 0);
    }
}
