//! The moves of one position in a search for mate, and what they come to together.

use super::proof::{NEVER, Numbers};
use crate::board::{Key, Move};

/// Depends on no position of the line looked at.
pub(super) const ON_NOTHING: usize = usize::MAX;

/// A move, and what is known of the position behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) mv: Move,
    /// Of the position behind it, whose side to move is the other one.
    pub(super) key: Key,
    pub(super) numbers: Numbers,
    /// The numbers hold only as long as the position with this index leads the line here: it would be repeated.
    pub(super) depends_on: usize,
}

/// What is found of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) numbers: Numbers,
    pub(super) depends_on: usize,
}

/// By such a part of the second best child's effort the best one is followed beyond it, so as not to go to and fro between the
/// two (Pawlewicz and Lew, 2007).
const MARGIN_PART: u32 = 16;

/// What the children come to for the side that chooses among them.
///
/// The effort to refute all of them is not the sum of what each takes, since they share most of what is behind them: it is
/// the largest one, and a little for each of the others (weak proof numbers: Ueda, Hashimoto, Hashimoto, Iida, 2008).
pub(super) fn together(children: &[Child]) -> Found {
    let ways = children.iter().filter(|child| child.numbers.is_lost());
    if let Some(firmest) = ways.map(|child| child.depends_on).max() {
        // A way that depends on nothing is worth more than another one.
        return Found { numbers: Numbers::WON, depends_on: firmest };
    }
    let left = || children.iter().filter(|child| !child.numbers.is_won());
    let count = left().count();
    if count == 0 {
        let depends_on = children.iter().map(|child| child.depends_on).min().unwrap_or(ON_NOTHING);
        return Found { numbers: Numbers::LOST, depends_on };
    }
    let hardest = left().map(|child| child.numbers.win).max().unwrap_or(NEVER);
    let easiest = left().map(|child| child.numbers.fail).min().unwrap_or(NEVER);
    let fail = hardest.saturating_add(others(count));
    Found { numbers: Numbers::open(easiest, fail), depends_on: ON_NOTHING }
}

/// What all but one of so many moves add to the effort to refute them.
pub(super) fn others(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(1)).unwrap_or(NEVER)
}

/// The child to look at next, and how far: until it is no longer the one, or the whole has reached its limits.
pub(super) fn next(children: &[Child], limits: Numbers) -> Option<(usize, Numbers)> {
    let (mut best, mut second, mut count) = (None::<(usize, u32)>, NEVER, 0);
    for (index, child) in children.iter().enumerate() {
        if child.numbers.is_settled() {
            continue;
        }
        count += 1;
        let fail = child.numbers.fail;
        match best {
            Some((_, least)) if fail >= least => second = second.min(fail),
            _ => {
                second = best.map_or(NEVER, |(_, least)| least);
                best = Some((index, fail));
            }
        }
    }
    let (index, _) = best?;
    let margin = second.saturating_add(1 + second / MARGIN_PART);
    let fail = limits.win.min(margin);
    let win = if limits.fail >= NEVER { NEVER } else { limits.fail.saturating_sub(others(count)) };
    Some((index, Numbers { win, fail }))
}
