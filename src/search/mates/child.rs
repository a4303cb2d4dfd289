//! Children of a node in proof-number search (PNS), and their combined proof numbers.

use super::proof::{NEVER, Numbers};
use crate::board::{Key, Move};

/// Index for a result that depends on no position of the line.
pub(super) const ON_NOTHING: usize = usize::MAX;

/// A move, and the proof numbers of the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) mv: Move,
    /// Key of the position after the move, in which the other side is to move.
    pub(super) key: Key,
    pub(super) numbers: Numbers,
    /// Index of the line position on which the numbers depend: reaching it again counts as a repetition.
    pub(super) depends_on: usize,
}

/// Proof numbers found for a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) numbers: Numbers,
    pub(super) depends_on: usize,
}

/// 1 + epsilon trick: stay with the best child until it exceeds the second best by this fraction (Pawlewicz and Lew,
/// 2007).
const MARGIN_PART: u32 = 16;

/// Returns the combined numbers of the children, for the side that chooses among them.
///
/// Weak proof numbers (Ueda, Hashimoto, Hashimoto, Iida, 2008): the effort to refute all children is not the sum of
/// their efforts, since they share most of their subtrees. It is the largest one, plus a little for each of the
/// others.
pub(super) fn together(children: &[Child]) -> Found {
    let ways = children.iter().filter(|child| child.numbers.is_lost());
    if let Some(firmest) = ways.map(|child| child.depends_on).max() {
        // A win that depends on nothing is worth more than another one.
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

/// Returns the effort that all but one of `count` moves add to their refutation.
pub(super) fn others(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(1)).unwrap_or(NEVER)
}

/// Returns the child to search next, and its limits: until another child is better, or the node reaches `limits`.
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
