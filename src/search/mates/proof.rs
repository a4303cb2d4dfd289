//! Proof and disproof numbers (Allis, "Searching for Solutions in Games and Artificial Intelligence", 1994), and how those
//! of the children combine. Always from the side to move, as phi and delta of df-pn are.

use crate::board::{Key, Move};

/// Proof number `pn` and disproof number `dn`.
///
/// Each is the least effort to prove that the side to move reaches its goal (to mate, or to escape), or that it
/// fails: roughly the number of positions still to be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    pub(super) pn: u32,
    pub(super) dn: u32,
}

/// Infinity: more than any effort.
pub(super) const INFINITE: u32 = 1 << 30;

/// Effort for a result that has failed on one path and may succeed on another.
const PATH_DEPENDENT: u32 = 1 << 20;

impl ProofNumbers {
    pub(super) const PROVEN: Self = Self { pn: 0, dn: INFINITE };
    pub(super) const DISPROVEN: Self = Self { pn: INFINITE, dn: 0 };
    pub(super) const UNBOUNDED: Self = Self { pn: INFINITE, dn: INFINITE };

    /// Returns numbers that prove nothing.
    pub(super) fn open(pn: u32, dn: u32) -> Self {
        Self { pn: pn.clamp(1, INFINITE - 1), dn: dn.clamp(1, INFINITE - 1) }
    }

    pub(super) const fn is_proven(self) -> bool {
        self.pn == 0
    }

    pub(super) const fn is_disproven(self) -> bool {
        self.dn == 0
    }

    pub(super) const fn is_solved(self) -> bool {
        self.is_proven() || self.is_disproven()
    }

    /// Whether one of the numbers has reached its threshold.
    pub(super) const fn reach(self, thresholds: Self) -> bool {
        self.pn >= thresholds.pn || self.dn >= thresholds.dn
    }

    /// Returns numbers to start from on other paths, where a proof of this path does not hold.
    pub(super) const fn on_other_paths(self) -> Self {
        match self {
            Self { pn: 0, .. } => Self { pn: 1, dn: PATH_DEPENDENT },
            Self { dn: 0, .. } => Self { pn: PATH_DEPENDENT, dn: 1 },
            open => open,
        }
    }
}

/// Index for a result that depends on no position of the line.
pub(super) const NO_DEPENDENCY: usize = usize::MAX;

/// Proof numbers found for a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct PnResult {
    pub(super) numbers: ProofNumbers,
    /// Index of the line position on which the numbers depend: reaching it again counts as a repetition.
    pub(super) depends_on: usize,
}

impl PnResult {
    /// Returns a result that holds on every path.
    pub(super) const fn of(numbers: ProofNumbers) -> Self {
        Self { numbers, depends_on: NO_DEPENDENCY }
    }
}

/// A move, and the proof numbers of the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) mv: Move,
    /// Key of the position after the move, in which the other side is to move.
    pub(super) key: Key,
    pub(super) result: PnResult,
}

impl Child {
    pub(super) const fn numbers(&self) -> ProofNumbers {
        self.result.numbers
    }
}

/// 1 + epsilon trick: stay with the best child until it exceeds the second best by this fraction (Pawlewicz and Lew,
/// 2007).
const EPSILON_DIVISOR: u32 = 16;

/// Returns the combined numbers of the children, for the side that chooses among them.
///
/// Weak proof numbers (Ueda, Hashimoto, Hashimoto, Iida, 2008): the effort to refute all children is not the sum of
/// their efforts, since they share most of their subtrees. It is the largest one, plus a little for each of the
/// others.
pub(super) fn combine(children: &[Child]) -> PnResult {
    let proofs = children.iter().filter(|child| child.numbers().is_disproven());
    if let Some(depends_on) = proofs.map(|child| child.result.depends_on).max() {
        // A win that depends on nothing is worth more than another one.
        return PnResult { numbers: ProofNumbers::PROVEN, depends_on };
    }
    let left = || children.iter().map(Child::numbers).filter(|numbers| !numbers.is_proven());
    let count = left().count();
    if count == 0 {
        let depends_on = children.iter().map(|child| child.result.depends_on).min().unwrap_or(NO_DEPENDENCY);
        return PnResult { numbers: ProofNumbers::DISPROVEN, depends_on };
    }
    let hardest = left().map(|numbers| numbers.pn).max().unwrap_or(INFINITE);
    let easiest = left().map(|numbers| numbers.dn).min().unwrap_or(INFINITE);
    PnResult::of(ProofNumbers::open(easiest, hardest.saturating_add(weak_effort(count))))
}

/// Returns the effort that all but one of `count` moves add to their refutation.
pub(super) fn weak_effort(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(1)).unwrap_or(INFINITE)
}

/// Returns the child to search next, and its thresholds: until another child is better, or the node reaches `thresholds`.
pub(super) fn select(children: &[Child], thresholds: ProofNumbers) -> Option<(usize, ProofNumbers)> {
    let (mut best, mut second, mut count) = (None::<(usize, u32)>, INFINITE, 0);
    for (index, child) in children.iter().enumerate() {
        if child.numbers().is_solved() {
            continue;
        }
        count += 1;
        let dn = child.numbers().dn;
        match best {
            Some((_, least)) if dn >= least => second = second.min(dn),
            _ => {
                second = best.map_or(INFINITE, |(_, least)| least);
                best = Some((index, dn));
            }
        }
    }
    let (index, _) = best?;
    let margin = second.saturating_add(1 + second / EPSILON_DIVISOR);
    let dn = thresholds.pn.min(margin);
    let pn = if thresholds.dn >= INFINITE { INFINITE } else { thresholds.dn.saturating_sub(weak_effort(count)) };
    Some((index, ProofNumbers { pn, dn }))
}
