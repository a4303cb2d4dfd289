//! Finding the loop that ends in the last position, and who gave check all the way round.

use super::ruleset::RuleSet;
use crate::board::{Position, Side};

/// What happened in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loop {
    /// Nobody is to blame.
    Idle,
    /// Both sides gave check on every move.
    MutualCheck,
    /// This side gave check on every move and the other did not: it loses.
    PerpetualCheck(Side),
}

/// No position stands again after fewer plies.
const SHORTEST_LOOP: usize = 4;

/// Indices, newest first, of the earlier positions equal to the last one; looks back over `plies` moves at most.
fn earlier_occurrences(line: &[Position], plies: usize) -> impl Iterator<Item = usize> {
    let last = line.len() - 1;
    let key = line[last].key();
    let oldest = last - plies.min(last);
    (oldest..=last.saturating_sub(SHORTEST_LOOP))
        .rev()
        .filter(move |index| (last - index).is_multiple_of(2) && last - index >= SHORTEST_LOOP)
        .filter(move |&index| line[index].key() == key)
}

/// Judges the moves between two occurrences of a position; `window` starts and ends with it.
fn judge_window(window: &[Position]) -> Loop {
    let all_check = |side: Side| window.windows(2).filter(|pair| pair[0].side() == side).all(|pair| pair[1].in_check());
    match (all_check(Side::Red), all_check(Side::Black)) {
        (true, true) => Loop::MutualCheck,
        (true, false) => Loop::PerpetualCheck(Side::Red),
        (false, true) => Loop::PerpetualCheck(Side::Black),
        (false, false) => Loop::Idle,
    }
}

/// The referee's view: has the last position stood as often as the rules allow?
pub(super) fn judge_game(history: &[Position], rules: RuleSet) -> Option<Loop> {
    let plies = usize::from(history[history.len() - 1].reversible_plies());
    let earlier_needed = rules.parameters().occurrences - 1;
    let start = earlier_occurrences(history, plies).nth(earlier_needed - 1)?;
    Some(judge_window(&history[start..]))
}

/// What the search must know about the last position of its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recurrence {
    /// It stands for the first time.
    First,
    /// It has stood before, which decides nothing yet but makes its value depend on the path.
    Open,
    /// It has stood before and the loop is judged.
    Judged(Loop),
}

/// Looks at the last position of `line`, which holds the game and, after index `root`, the moves looked at; no more than
/// `plies` moves back are comparable (since a capture or a pass).
///
/// Inside the tree the second occurrence is judged, since whoever got there once will get there again; positions of the
/// game itself count from the third occurrence on. A verdict against the opponent of the side to move is believed only
/// when the same move closed the loop both times: otherwise he could have deviated.
pub fn recurrence(line: &[Position], root: usize, plies: usize) -> Recurrence {
    if plies < SHORTEST_LOOP {
        return Recurrence::First;
    }
    let mut occurrences = earlier_occurrences(line, plies);
    let Some(nearest) = occurrences.next() else { return Recurrence::First };
    if nearest <= root && occurrences.next().is_none() {
        return Recurrence::Open;
    }
    let judged = judge_window(&line[nearest..]);
    let last = line.len() - 1;
    match judged {
        Loop::PerpetualCheck(loser) if loser != line[last].side() => {
            let same_move_closed = nearest > 0 && line[nearest - 1].key() == line[last - 1].key();
            if same_move_closed { Recurrence::Judged(judged) } else { Recurrence::Open }
        }
        _ => Recurrence::Judged(judged),
    }
}
