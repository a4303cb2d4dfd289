//! The arithmetic of accumulators, by the widest instructions that the machine turns out to have.
//!
//! All sets of instructions do the same, to the bit. Each is a file of safe code over slices of vectors; what has to be promised is
//! that the machine knows the instructions, and that is promised where a set is entered.

// An interpreter has nothing that is faster than plain loops.
#[cfg_attr(all(target_arch = "x86_64", not(miri)), path = "x86_64.rs")]
#[cfg_attr(all(target_arch = "aarch64", not(miri)), path = "aarch64.rs")]
#[cfg_attr(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri), path = "other.rs")]
mod machine;
mod plain;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
mod vectors;

use std::fmt;
use std::sync::OnceLock;

use super::ACCUMULATOR_UNIT;

/// Numbers are clamped to this.
const UNIT: i16 = ACCUMULATOR_UNIT as i16;
const _: () = assert!(UNIT as i32 == ACCUMULATOR_UNIT);

/// What there is to calculate. Rows are equally long, by a multiple of 32 numbers, and begin at multiples of 64 bytes.
///
/// Sums wrap on the way: a row may be added before another is taken off. What comes out fits, as [`super::Bounds`] proves.
enum Work<'a> {
    /// `to` becomes `from` with one row more and one less.
    Shift { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 1] },
    /// `to` becomes `from` with one row more and two less.
    ShiftCapture { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 2] },
    /// `kept` changes by rows more and rows less, and `to` becomes what it is then.
    Renew { kept: &'a mut [i16], to: &'a mut [i16], plus: &'a [&'a [i16]], minus: &'a [&'a [i16]] },
    /// The clamped squares of both views, weighed, are the result. No weight is larger than 128.
    Weigh { views: [&'a [i16]; 2], weights: [&'a [i16]; 2] },
}

/// A set of instructions by which accumulators are calculated.
pub struct Kernel {
    name: &'static str,
    /// Whether this machine has the instructions.
    is_available: fn() -> bool,
    /// Returns what is weighed, and 0 of other work. May only be called if they are available.
    run: fn(Work<'_>) -> i32,
}

/// Which one the program uses, once it has been decided.
static CHOSEN: OnceLock<&'static Kernel> = OnceLock::new();

/// For every machine.
static SCALAR: Kernel = Kernel { name: "scalar", is_available: || true, run: plain::run };

/// There is no such set of instructions on this machine, or another one is in use already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this machine calculates by {available}, not by {name:?}")]
pub struct KernelError {
    name: String,
    available: String,
}

impl Kernel {
    /// Those that this machine has, the fastest first.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        machine::KERNELS.iter().chain([&SCALAR]).filter(|kernel| (kernel.is_available)())
    }

    /// The one in use: the fastest, unless another was chosen before.
    pub fn chosen() -> &'static Self {
        CHOSEN.get_or_init(|| Self::all().next().unwrap_or(&SCALAR))
    }

    /// Lets the whole program use the one of this name. Only before it uses any.
    ///
    /// # Errors
    /// If the machine has none of this name, or another one is in use.
    pub fn choose(name: &str) -> Result<(), KernelError> {
        let found = Self::all().find(|kernel| kernel.name == name);
        match found.map(|kernel| CHOSEN.get_or_init(|| kernel)) {
            Some(used) if used.name == name => Ok(()),
            _ => {
                let available: Vec<_> = Self::all().map(|kernel| kernel.name).collect();
                Err(KernelError { name: name.to_owned(), available: available.join(", ") })
            }
        }
    }

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

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};
    use proptest::prelude::*;

    use super::super::network::Line;
    use super::*;
    use crate::splitmix::SplitMix64;

    /// A row that begins where rows begin.
    struct Row(Vec<Line>);

    impl Row {
        fn of(width: usize, number: impl FnMut() -> i16) -> Self {
            let mut row = Self(vec![Line::ZERO; width * size_of::<i16>() / size_of::<Line>()]);
            row.numbers_mut().fill_with(number);
            row
        }

        fn numbers(&self) -> &[i16] {
            cast_slice(&self.0)
        }

        fn numbers_mut(&mut self) -> &mut [i16] {
            cast_slice_mut(&mut self.0)
        }
    }

    /// What a kernel makes of a row and others: with one more and one less, two less, all but two more and two less, and what
    /// it keeps of that.
    fn moved(kernel: &Kernel, from: &[i16], rows: &[&[i16]]) -> [Vec<i16>; 4] {
        let to = |work: &dyn Fn(&mut [i16])| {
            let mut to = Row::of(from.len(), || 77);
            work(to.numbers_mut());
            to.numbers().to_vec()
        };
        let mut kept = Row::of(from.len(), || 0);
        kept.numbers_mut().copy_from_slice(from);
        let (minus, plus) = rows.split_at(2);
        let mut renewed = Row::of(from.len(), || 77);
        kernel.renew(kept.numbers_mut(), renewed.numbers_mut(), plus, minus);
        [
            to(&|to| kernel.shift(from, to, rows[0], rows[1], None)),
            to(&|to| kernel.shift(from, to, rows[0], rows[1], Some(rows[2]))),
            renewed.numbers().to_vec(),
            kept.numbers().to_vec(),
        ]
    }

    /// The same, number by number.
    fn by_definition(from: &[i16], rows: &[&[i16]]) -> [Vec<i16>; 4] {
        let each = |plus: &[&[i16]], minus: &[&[i16]]| -> Vec<i16> {
            let sum = |rows: &[&[i16]], at: usize| rows.iter().map(|row| i64::from(row[at])).sum::<i64>();
            let number = |at: usize| (i64::from(from[at]) + sum(plus, at) - sum(minus, at)) as i16;
            (0..from.len()).map(number).collect()
        };
        let renewed = each(&rows[2..], &rows[..2]);
        [each(&rows[..1], &rows[1..2]), each(&rows[..1], &rows[1..3]), renewed.clone(), renewed]
    }

    #[track_caller]
    fn assert_all_agree(from: &[i16], rows: &[&[i16]]) {
        let expected = by_definition(from, rows);
        for kernel in Kernel::all() {
            assert_eq!(moved(kernel, from, rows), expected, "{kernel:?}");
        }
    }

    #[track_caller]
    fn assert_all_weigh(views: [&[i16]; 2], weights: [&[i16]; 2], expected: i32) {
        for kernel in Kernel::all() {
            assert_eq!(kernel.weigh(views, weights), expected, "{kernel:?}");
        }
    }

    /// By the definition of a network's value.
    fn weighed(views: [&[i16]; 2], weights: [&[i16]; 2]) -> i32 {
        let weighed = |(&number, &weight): (&i16, &i16)| i32::from(number).clamp(0, 255).pow(2) * i32::from(weight);
        views.into_iter().zip(weights).flat_map(|(view, weights)| view.iter().zip(weights)).map(weighed).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 200 }))]

        #[test]
        fn kernels_agree_on_whatever_numbers(seed in any::<u64>(), steps in 1..=if cfg!(miri) { 2_usize } else { 24 }, count in 3..=32_usize) {
            let mut random = SplitMix64::new(seed);
            let width = 32 * steps;
            let mut row = |spread: usize| Row::of(width, || (random.below(spread) as i32 - spread as i32 / 2) as i16);
            let from = row(1 << 16);
            let rows: Vec<Row> = (0..count).map(|_| row(1 << 16)).collect();
            assert_all_agree(from.numbers(), &rows.iter().map(Row::numbers).collect::<Vec<_>>());
            // Sums of squares have to fit, as those of a network do.
            let most = (i32::MAX / (2 * 255 * 255 * width as i32)).min(128) as usize;
            let (views, weights) = ([row(1 << 10), row(1 << 16)], [row(2 * most), row(2 * most)]);
            let (views, weights) = (views.each_ref().map(Row::numbers), weights.each_ref().map(Row::numbers));
            assert_all_weigh(views, weights, weighed(views, weights));
        }
    }

    #[test]
    fn kernels_agree_on_extreme_numbers() {
        let extremes = [i16::MIN, -129, -1, 0, 1, 254, 255, 256, i16::MAX];
        let width = 64;
        let full = |number| Row::of(width, || number);
        for number in extremes {
            let rows: Vec<Row> = extremes.iter().map(|&other| full(other)).collect();
            assert_all_agree(full(number).numbers(), &rows.iter().map(Row::numbers).collect::<Vec<_>>());
            let squares = i32::from(number).clamp(0, 255).pow(2);
            for weight in [-128_i16, -127, -1, 0, 1, 127, 128] {
                let (numbers, weights, none) = (full(number), full(weight), full(0));
                let [numbers, weights, none] = [&numbers, &weights, &none].map(Row::numbers);
                let once = squares * i32::from(weight) * 64;
                assert_all_weigh([numbers, numbers], [weights, none], once);
                assert_all_weigh([numbers, numbers], [none, weights], once);
                assert_all_weigh([none, numbers], [weights, weights], once);
            }
        }
    }

    #[test]
    fn what_the_machine_has_can_be_named_and_nothing_else() {
        let names: Vec<_> = Kernel::all().map(Kernel::name).collect();
        assert_eq!(names.last(), Some(&"scalar"));
        let told = Kernel::choose("abacus").unwrap_err().to_string();
        assert_eq!(told, format!("this machine calculates by {}, not by \"abacus\"", names.join(", ")));
        let used = Kernel::chosen().name();
        assert_eq!(Kernel::choose(used), Ok(()));
        // It is too late for another.
        assert!(names.iter().all(|&name| Kernel::choose(name).is_ok() == (name == used)));
    }
}
