//! Proof numbers (Allis, "Searching for Solutions in Games and Artificial Intelligence", 1994), seen from the side to
//! move.

/// Proof number `win` and disproof number `fail`.
///
/// Each is the least effort to prove that the side to move reaches its goal (to mate, or to escape), or that it
/// fails: roughly the number of positions still to be settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) win: u32,
    pub(super) fail: u32,
}

/// Infinity: more than any effort.
pub(super) const NEVER: u32 = 1 << 30;

/// Effort for a result that has failed on one path and may succeed on another.
const HARDLY: u32 = 1 << 20;

impl Numbers {
    pub(super) const WON: Self = Self { win: 0, fail: NEVER };
    pub(super) const LOST: Self = Self { win: NEVER, fail: 0 };
    pub(super) const UNBOUNDED: Self = Self { win: NEVER, fail: NEVER };

    /// Returns numbers that prove nothing.
    pub(super) fn open(win: u32, fail: u32) -> Self {
        Self { win: win.clamp(1, NEVER - 1), fail: fail.clamp(1, NEVER - 1) }
    }

    pub(super) const fn is_won(self) -> bool {
        self.win == 0
    }

    pub(super) const fn is_lost(self) -> bool {
        self.fail == 0
    }

    pub(super) const fn is_settled(self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// Whether one of the numbers has reached its limit.
    pub(super) const fn reach(self, limits: Self) -> bool {
        self.win >= limits.win || self.fail >= limits.fail
    }

    /// Returns numbers to start from on other paths, where a proof of this path does not hold.
    pub(super) const fn as_a_hint(self) -> Self {
        match self {
            Self { win: 0, .. } => Self { win: 1, fail: HARDLY },
            Self { fail: 0, .. } => Self { win: HARDLY, fail: 1 },
            open => open,
        }
    }
}
