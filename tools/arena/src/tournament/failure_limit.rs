//! Limit on failing engines: the games of an engine that does not even start say nothing about its strength.

use std::collections::BTreeMap;

use chuhe_games::record::{EndingClass, GameRecord};

use crate::attempts::is_of_the_process;

/// Number of consecutive games that an engine may lose by failures of its process before the match stops.
const MOST_FAILURES: u32 = 3;

/// Consecutive failures of each engine.
#[derive(Default)]
pub(super) struct FailureLimit {
    failures: BTreeMap<String, u32>,
}

impl FailureLimit {
    /// Counts a finished game; returns the reason why the match must stop, if there is one.
    pub(super) fn count(&mut self, game: &GameRecord) -> Option<String> {
        let culprit = game.loser().filter(|_| is_of_the_process(game.ending.class));
        for innocent in [&game.red, &game.black].into_iter().filter(|name| Some(name.as_str()) != culprit) {
            self.failures.remove(innocent);
        }
        let culprit = culprit?;
        let count = self.failures.entry(culprit.to_owned()).or_default();
        *count += 1;
        if game.ending.class == EndingClass::NoHandshake {
            return Some(format!("engine {culprit} does not start any more; use -recover to go on"));
        }
        let is_too_much = *count >= MOST_FAILURES;
        is_too_much.then(|| format!("engine {culprit} failed in {count} games in a row; use -recover to go on"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up;
    use chuhe_games::record::GameResult;

    fn game(result: GameResult, class: EndingClass) -> GameRecord {
        made_up::game(1, "a", "b", result, class)
    }

    #[test]
    fn failures_in_a_row_are_too_much_and_others_are_not() {
        let mut failure_limit = FailureLimit::default();
        let crash = game(GameResult::Black, EndingClass::Crash);
        let hang = game(GameResult::Black, EndingClass::Hang);
        assert_eq!((failure_limit.count(&crash), failure_limit.count(&hang)), (None, None));
        assert_eq!(failure_limit.count(&game(GameResult::Black, EndingClass::Mate)), None, "it has played");
        assert_eq!((failure_limit.count(&crash), failure_limit.count(&crash)), (None, None));
        assert!(failure_limit.count(&hang).is_some_and(|why| why.contains("engine a failed in 3 games")));
    }

    #[test]
    fn each_engine_has_a_count_of_its_own_and_late_moves_are_no_crashes() {
        let mut failure_limit = FailureLimit::default();
        for _ in 0..5 {
            assert_eq!(failure_limit.count(&game(GameResult::Red, EndingClass::Crash)), None);
            assert_eq!(failure_limit.count(&game(GameResult::Black, EndingClass::TimeLoss)), None);
        }
        let gone = game(GameResult::Red, EndingClass::NoHandshake);
        assert!(failure_limit.count(&gone).is_some_and(|why| why.contains("engine b does not start")));
    }
}
