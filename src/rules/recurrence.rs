//! Repetition inside a search: whether the game is over at the last position of the line, and otherwise how it would
//! end if both sides repeated the loop.

use super::limit::move_limit_reached;
use super::repetition::{Conduct, Loop, SHORTEST_LOOP, earlier_occurrences, judge_line, judge_window};
use super::ruleset::Rules;
use super::window::move_between;
use crate::board::{Position, Side};

/// The meaning of a repetition inside a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recurrence {
    /// The position occurs for the first time.
    First,
    /// The position occurred in the game or at the root, but not since. This search has not examined the alternatives
    /// there, or at the root not all of them: the only conclusion is that the value depends on the path.
    Open,
    /// The position occurred before inside the tree, but not as often as the referee requires. This side loses if both
    /// sides keep repeating until the referee judges; `None` is a draw.
    Leads(Option<Side>),
    /// The position occurred as often as the rules allow: the game is over.
    Over(Loop),
}

/// Classifies the last position of `line`, which holds the game and, after index `root`, the moves of the search.
///
/// At most `plies` moves back are comparable (since a capture or a pass). The line is restored before the function
/// returns; nothing is allocated if it has room for the rounds of the loop until the verdict.
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

/// The side that loses if the moves since index `start`, where the last position occurred before, are repeated to the end.
fn loser_of_going_on(line: &mut Vec<Position>, start: usize, plies: usize, rules: &Rules) -> Option<Side> {
    // Every window that the referee may judge contains this loop, and an offence in the whole is one in each part.
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
