//! Search window: the open interval of scores that matter to a node.

use crate::score::Score;

/// Search window (alpha, beta): scores at or below `alpha` and at or above `beta` need not be exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const FULL: Self = Self { alpha: Score::mated_in(0), beta: Score::INFINITE };

    /// Returns the aspiration window of `delta` centipawns to either side of `score`.
    pub(crate) fn around(score: Score, delta: i32) -> Self {
        Self { alpha: (score - delta).max(Self::FULL.alpha), beta: (score + delta).min(Self::FULL.beta) }
    }

    /// Returns the zero window at alpha: is the value above alpha?
    pub(crate) fn scout(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// Returns the zero window at beta: does the value reach beta?
    pub(crate) fn at_beta(self) -> Self {
        Self { alpha: self.beta - 1, beta: self.beta }
    }

    /// Returns the window as the opponent sees it.
    pub(crate) fn swapped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Returns the window with both bounds moved by `by` centipawns, except where they are mates or bans.
    pub(crate) fn shifted(self, by: i32) -> Self {
        Self { alpha: self.alpha.shifted(by), beta: self.beta.shifted(by) }
    }

    /// Mate-distance pruning: nothing at `ply` is worse than being mated here or better than mating next ply.
    ///
    /// If that leaves no score in between, the error is the value of the node.
    pub(crate) fn within_mates(self, ply: usize) -> Result<Self, Score> {
        let alpha = self.alpha.max(Score::mated_in(ply));
        let beta = self.beta.min(Score::mate_in(ply + 1));
        if alpha >= beta { Err(alpha) } else { Ok(Self { alpha, beta }) }
    }

    /// Returns the part of the window in which a value out of `possible`, bounds included, can lie.
    ///
    /// If that part is empty, the error is the possible value nearest to the window.
    pub(crate) fn within(self, possible: Self) -> Result<Self, Score> {
        let (alpha, beta) = (self.alpha.max(possible.alpha), self.beta.min(possible.beta));
        if alpha >= beta { Err(possible.nearest(self.alpha)) } else { Ok(Self { alpha, beta }) }
    }

    /// Returns the score, clamped to the window.
    pub(crate) fn nearest(self, score: Score) -> Score {
        score.clamp(self.alpha, self.beta)
    }

    /// Returns the score halfway between the bounds.
    pub(crate) fn middle(self) -> Score {
        self.alpha + (self.beta - self.alpha + 1) / 2
    }

    pub(crate) fn raised(self, alpha: Score) -> Self {
        Self { alpha, ..self }
    }

    pub(crate) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_seen_twice_is_itself() {
        let window = Window::around(Score::from_eval(30), 20);
        assert_eq!(window.swapped().swapped(), window);
        assert!(window.contains(Score::from_eval(30)) && !window.contains(window.beta));
        assert!(window.swapped().contains(Score::from_eval(-30)));
    }

    #[test]
    fn the_middle_lies_inside() {
        let window = |alpha, beta| Window { alpha: Score::from_eval(alpha), beta: Score::from_eval(beta) };
        assert_eq!(window(10, 20).middle(), Score::from_eval(15));
        assert_eq!(window(10, 12).middle(), Score::from_eval(11));
        assert_eq!(window(10, 11).middle(), Score::from_eval(11), "a window cannot be empty");
    }

    #[test]
    fn a_shorter_mate_closes_the_window() {
        let window = Window { alpha: Score::mate_in(5), beta: Score::INFINITE };
        assert_eq!(window.within_mates(8), Err(Score::mate_in(5)));
        assert!(window.within_mates(2).is_ok());
    }

    #[test]
    fn possible_values_narrow_a_window_or_decide_it() {
        let at_least = Window { alpha: Score::DRAW, ..Window::FULL };
        let asked = Window::around(Score::DRAW, 50);
        assert_eq!(asked.within(Window::FULL), Ok(asked));
        assert_eq!(asked.within(at_least), Ok(asked.raised(Score::DRAW)));
        assert_eq!(Window::around(Score::from_eval(-300), 50).within(at_least), Err(Score::DRAW));
        let at_most = at_least.swapped();
        assert_eq!(Window::around(Score::from_eval(300), 50).within(at_most), Err(Score::DRAW));
        assert_eq!(at_most.nearest(Score::from_eval(300)), Score::DRAW);
        assert_eq!(at_most.nearest(Score::from_eval(-300)), Score::from_eval(-300));
    }
}
