//! Kernels, each for one set of instructions, and their calculations.

use std::fmt;

use crate::eval::nnue::format::QA;

/// Upper limit of an activation (QA).
pub(super) const UNIT: i16 = QA as i16;
const _: () = assert!(UNIT as i32 == QA);

/// A calculation. Rows are equally long, by a multiple of 32 numbers, and begin at multiples of 64 bytes.
///
/// Intermediate sums wrap: a row may be added before another is subtracted. Results fit, as
/// [`crate::eval::nnue::Bounds`] proves.
pub(super) enum Work<'a> {
    /// Incremental update: sets `to` to `from` plus one row and minus one.
    AddSub { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 1] },
    /// Incremental update of a capture: sets `to` to `from` plus one row and minus two.
    AddSubSub { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 2] },
    /// Refresh: adds and subtracts rows in the cached accumulator `kept`, and copies it to `to`.
    Refresh { kept: &'a mut [i16], to: &'a mut [i16], plus: &'a [&'a [i16]], minus: &'a [&'a [i16]] },
    /// Incremental updates of both perspectives by one move, and the forward pass over the results.
    Step { perspectives: [Step<'a>; 2] },
    /// Forward pass: returns the weighted SCReLU sum of both perspectives. No weight is larger than 128.
    Forward { perspectives: [&'a [i16]; 2], weights: [&'a [i16]; 2] },
}

/// One perspective of a move: its incremental update, and the output weights of the result.
pub struct Step<'a> {
    /// The accumulator before the move.
    pub from: &'a [i16],
    /// The accumulator after it.
    pub to: &'a mut [i16],
    /// The row that is added.
    pub plus: &'a [i16],
    /// The row that is subtracted.
    pub minus: &'a [i16],
    /// The row of a captured piece, which is subtracted too.
    pub taken: Option<&'a [i16]>,
    /// The output weights.
    pub weights: &'a [i16],
}

/// A kernel: arithmetic of accumulators by one set of instructions.
pub struct Kernel {
    pub(super) name: &'static str,
    /// Whether this machine has the instructions.
    pub(super) is_available: fn() -> bool,
    /// Returns the sum of [`Work::Forward`] and [`Work::Step`], and 0 for other work. May only be called if the instructions are
    /// available.
    pub(super) run: fn(Work<'_>) -> i32,
}

impl Kernel {
    /// The name of the kernel on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Incremental update: sets `to` to `from` plus one row and minus one, or minus two for a capture.
    ///
    /// # Panics
    /// In this and the following methods, if a row is not aligned to 64 bytes or its length is not a multiple of 32.
    pub fn add_sub(&self, from: &[i16], to: &mut [i16], plus: &[i16], minus: &[i16], taken: Option<&[i16]>) {
        (self.run)(match taken {
            None => Work::AddSub { from, to, plus, minus: [minus] },
            Some(taken) => Work::AddSubSub { from, to, plus, minus: [minus, taken] },
        });
    }

    /// Incremental updates of both perspectives by one move, and the forward pass over the results, whose sum it returns: as
    /// [`Kernel::add_sub`] for each and [`Kernel::forward`], but the results are used while they are at hand.
    pub fn step(&self, perspectives: [Step<'_>; 2]) -> i32 {
        (self.run)(Work::Step { perspectives })
    }

    /// Refresh: adds and subtracts rows in the cached accumulator `kept`, and copies it to `to`.
    pub fn refresh(&self, kept: &mut [i16], to: &mut [i16], plus: &[&[i16]], minus: &[&[i16]]) {
        (self.run)(Work::Refresh { kept, to, plus, minus });
    }

    /// Forward pass: the weighted SCReLU sum of both perspectives.
    pub fn forward(&self, perspectives: [&[i16]; 2], weights: [&[i16]; 2]) -> i32 {
        (self.run)(Work::Forward { perspectives, weights })
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
