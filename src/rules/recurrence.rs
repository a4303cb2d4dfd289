//! What a search must know about the last position of its line: whether the game is over there, and if not, how it would end
//! if both sides went on as they did since the position stood before.

use super::limit::move_limit_reached;
use super::repetition::{Conduct, Loop, SHORTEST_LOOP, earlier_occurrences, judge_line, judge_window};
use super::ruleset::Rules;
use super::window::move_between;
use crate::board::{Position, Side};

/// What a repetition inside a search means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recurrence {
    /// The position stands for the first time.
    First,
    /// It stood before in the game or at the root, but not since. What else could have been played there this search has not
    /// looked at, or, at the root, not at all of it: nothing follows but that its value depends on the path.
    Open,
    /// It stood before inside the tree, but not as often as the referee wants. Both sides going round until he speaks, this
    /// is who loses; nobody if it draws.
    Leads(Option<Side>),
    /// It stands as often as the rules allow: the game is over.
    Over(Loop),
}

/// Looks at the last position of `line`, which holds the game and, after index `root`, the moves looked at; no more than
/// `plies` moves back are comparable (since a capture or a pass). The line is left as it was; where it has room for as many
/// positions more as its loop needs to be gone round, nothing is allocated.
pub fn recurrence(line: &mut Vec<Position>, root: usize, plies: usize, rules: &Rules) -> Recurrence {
    if plies < SHORTEST_LOOP {
        return Recurrence::First;
    }
    let Some(nearest) = earlier_occurrences(line, plies).next() else { return Recurrence::First };
    match judge_line(line, plies, rules) {
        Some(judged) => Recurrence::Over(judged),
        None if nearest <= root => Recurrence::Open,
        None => Recurrence::Leads(loser_of_going_on(line, nearest, plies, rules)),
    }
}

/// Who loses if the moves since index `start`, where the last position stood before, are repeated until the game is over.
fn loser_of_going_on(line: &mut Vec<Position>, start: usize, plies: usize, rules: &Rules) -> Option<Side> {
    // Whatever window the referee will look at, it contains this loop, and nobody does more in the whole than in a part.
    if judge_window(&line[start..], rules).conduct == [Conduct::Idle; 2] {
        return None;
    }
    let closed = line.len();
    let mut loser = None;
    for index in start.. {
        let next = line[line.len() - 1].play(move_between(&line[index], &line[index + 1]));
        line.push(next);
        let limited = move_limit_reached(line, rules);
        let judged = judge_line(line, plies + line.len() - closed, rules).filter(|_| !(limited && rules.limit_first));
        loser = judged.and_then(|judged| judged.loser());
        if limited || judged.is_some() {
            break;
        }
    }
    line.truncate(closed);
    loser
}
