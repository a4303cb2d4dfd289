//! A set of instructions as the rest of the program sees it.

use std::fmt;

use super::work::Work;

/// A set of instructions by which accumulators are calculated.
pub struct Kernel {
    pub(super) name: &'static str,
    /// Whether this machine has the instructions.
    pub(super) is_available: fn() -> bool,
    /// Returns what is weighed, and 0 of other work. May only be called if they are available.
    pub(super) run: fn(Work<'_>) -> i32,
}

impl Kernel {
    /// As it is called on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// `to` becomes `from` with one row more and one less, or two.
    ///
    /// # Panics
    /// Here and below if a row does not begin at a multiple of 64 bytes or its length is none of 32.
    pub fn shift(&self, from: &[i16], to: &mut [i16], plus: &[i16], minus: &[i16], taken: Option<&[i16]>) {
        (self.run)(match taken {
            None => Work::Shift { from, to, plus, minus: [minus] },
            Some(taken) => Work::ShiftCapture { from, to, plus, minus: [minus, taken] },
        });
    }

    /// `kept` changes by some rows more and some less, and `to` becomes what it is then.
    pub fn renew(&self, kept: &mut [i16], to: &mut [i16], plus: &[&[i16]], minus: &[&[i16]]) {
        (self.run)(Work::Renew { kept, to, plus, minus });
    }

    /// The clamped squares of both views, weighed.
    pub fn weigh(&self, views: [&[i16]; 2], weights: [&[i16]; 2]) -> i32 {
        (self.run)(Work::Weigh { views, weights })
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
