//! Arithmetic of accumulators, by the fastest SIMD instructions that the machine has at run time.
//!
//! All kernels give the same results, to the bit. Each is a file of safe code over slices of vectors; the only safety
//! condition is that the machine has the instructions, and it is established where a kernel is entered, here.

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;
mod kernel;
#[cfg(all(target_arch = "aarch64", not(miri)))]
mod neon;
mod scalar;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
mod vectors;

use std::sync::OnceLock;

pub use kernel::Kernel;
pub(super) use kernel::Step;

/// The kernels of this architecture, the fastest first: AVX2 precedes AVX-512, whose wide vectors slow down the search
/// around them. Miri has nothing that is faster than plain loops.
#[allow(unsafe_code)]
static KERNELS: &[Kernel] = &[
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Kernel {
        name: "avx2",
        is_available: || is_x86_feature_detected!("avx2"),
        // SAFETY: callers of a kernel have checked `is_available`, which tests all features that `run` enables.
        run: |work| unsafe { avx2::run(work) },
    },
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Kernel {
        name: "avx512",
        is_available: || {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
        },
        // SAFETY: as above.
        run: |work| unsafe { avx512::run(work) },
    },
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    Kernel {
        name: "neon",
        is_available: || std::arch::is_aarch64_feature_detected!("neon"),
        // SAFETY: as above.
        run: |work| unsafe { neon::run(work) },
    },
    SCALAR,
];

/// The scalar kernel, for every machine.
const SCALAR: Kernel = Kernel { name: "scalar", is_available: || true, run: scalar::run };

/// The kernel that the program uses, once it has been chosen.
static CHOSEN: OnceLock<&'static Kernel> = OnceLock::new();

/// Error: this machine has no kernel of this name, or another one is in use already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown instruction set {name:?} (available: {available})")]
pub struct KernelError {
    name: String,
    available: String,
}

impl Kernel {
    /// The kernels that this machine supports, the fastest first.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        KERNELS.iter().filter(|kernel| (kernel.is_available)())
    }

    /// The kernel in use: the fastest one, unless another was chosen before.
    pub fn chosen() -> &'static Self {
        CHOSEN.get_or_init(|| Self::all().next().expect("the scalar kernel is always available"))
    }

    /// Makes the whole program use the kernel of this name. Must be called before any kernel is used.
    ///
    /// # Errors
    /// If the machine has no kernel of this name, or another one is in use.
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
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};
    use proptest::prelude::*;

    use super::super::format::Line;
    use super::*;
    use crate::splitmix::SplitMix64;

    /// A row, aligned as the rows of a network are.
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

    /// Results of a kernel on a row: plus one row and minus one; plus one and minus two; a refresh with all but two
    /// added and two subtracted; and the cached row after that refresh.
    fn moved(kernel: &Kernel, from: &[i16], rows: &[&[i16]]) -> [Vec<i16>; 4] {
        let to = |work: &dyn Fn(&mut [i16])| {
            let mut to = Row::of(from.len(), || 77);
            work(to.numbers_mut());
            to.numbers().to_vec()
        };
        let mut kept = Row::of(from.len(), || 0);
        kept.numbers_mut().copy_from_slice(from);
        let (minus, plus) = rows.split_at(2);
        let mut refreshed = Row::of(from.len(), || 77);
        kernel.refresh(kept.numbers_mut(), refreshed.numbers_mut(), plus, minus);
        [
            to(&|to| kernel.add_sub(from, to, rows[0], rows[1], None)),
            to(&|to| kernel.add_sub(from, to, rows[0], rows[1], Some(rows[2]))),
            refreshed.numbers().to_vec(),
            kept.numbers().to_vec(),
        ]
    }

    /// Results of [`moved`] by definition, number by number.
    fn by_definition(from: &[i16], rows: &[&[i16]]) -> [Vec<i16>; 4] {
        let each = |plus: &[&[i16]], minus: &[&[i16]]| -> Vec<i16> {
            let sum = |rows: &[&[i16]], at: usize| rows.iter().map(|row| i64::from(row[at])).sum::<i64>();
            let number = |at: usize| (i64::from(from[at]) + sum(plus, at) - sum(minus, at)) as i16;
            (0..from.len()).map(number).collect()
        };
        let refreshed = each(&rows[2..], &rows[..2]);
        [each(&rows[..1], &rows[1..2]), each(&rows[..1], &rows[1..3]), refreshed.clone(), refreshed]
    }

    /// Both accumulators after a move, a capture if `taken`, and the sum of the forward pass over them.
    fn stepped(
        kernel: &Kernel,
        from: [&[i16]; 2],
        rows: &[&[i16]],
        weights: [&[i16]; 2],
        taken: bool,
    ) -> ([Vec<i16>; 2], i32) {
        let mut to = [(); 2].map(|()| Row::of(from[0].len(), || 77));
        let [own, other] = to.each_mut().map(Row::numbers_mut);
        let step = |side: usize, to| {
            let taken = taken.then(|| rows[2]);
            Step { from: from[side], to, plus: rows[side], minus: rows[1 - side], taken, weights: weights[side] }
        };
        let sum = kernel.step([step(0, own), step(1, other)]);
        (to.each_ref().map(|row| row.numbers().to_vec()), sum)
    }

    #[track_caller]
    fn assert_all_step(from: [&[i16]; 2], rows: &[&[i16]], weights: [&[i16]; 2]) {
        for taken in [false, true] {
            let after = |side: usize| {
                let less = [rows[1 - side], rows[2]];
                by_definition(from[side], &[rows[side], less[0], less[1]])[usize::from(taken)].clone()
            };
            let expected = [after(0), after(1)];
            let sum = weighed(expected.each_ref().map(Vec::as_slice), weights);
            for kernel in Kernel::all() {
                assert_eq!(stepped(kernel, from, rows, weights, taken), (expected.clone(), sum), "{kernel:?} {taken}");
            }
        }
    }

    #[track_caller]
    fn assert_all_agree(from: &[i16], rows: &[&[i16]]) {
        let expected = by_definition(from, rows);
        for kernel in Kernel::all() {
            assert_eq!(moved(kernel, from, rows), expected, "{kernel:?}");
        }
    }

    #[track_caller]
    fn assert_all_forward(perspectives: [&[i16]; 2], weights: [&[i16]; 2], expected: i32) {
        for kernel in Kernel::all() {
            assert_eq!(kernel.forward(perspectives, weights), expected, "{kernel:?}");
        }
    }

    /// The weighted SCReLU sum by the definition of a network's value.
    fn weighed(perspectives: [&[i16]; 2], weights: [&[i16]; 2]) -> i32 {
        let weighed = |(&number, &weight): (&i16, &i16)| i32::from(number).clamp(0, 255).pow(2) * i32::from(weight);
        perspectives
            .into_iter()
            .zip(weights)
            .flat_map(|(perspective, weights)| perspective.iter().zip(weights))
            .map(weighed)
            .sum()
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
            let (perspectives, weights) = ([row(1 << 10), row(1 << 16)], [row(2 * most), row(2 * most)]);
            let (perspectives, weights) = (perspectives.each_ref().map(Row::numbers), weights.each_ref().map(Row::numbers));
            assert_all_forward(perspectives, weights, weighed(perspectives, weights));
            assert_all_step(perspectives, &rows.iter().map(Row::numbers).collect::<Vec<_>>(), weights);
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
                assert_all_forward([numbers, numbers], [weights, none], once);
                assert_all_forward([numbers, numbers], [none, weights], once);
                assert_all_forward([none, numbers], [weights, weights], once);
            }
        }
    }

    #[test]
    fn what_the_machine_has_can_be_named_and_nothing_else() {
        let names: Vec<_> = Kernel::all().map(Kernel::name).collect();
        assert_eq!(names.last(), Some(&"scalar"));
        let error = Kernel::choose("abacus").unwrap_err().to_string();
        assert_eq!(error, format!("unknown instruction set \"abacus\" (available: {})", names.join(", ")));
        let used = Kernel::chosen().name();
        assert_eq!(Kernel::choose(used), Ok(()));
        // Another kernel can no longer be chosen.
        assert!(names.iter().all(|&name| Kernel::choose(name).is_ok() == (name == used)));
    }
}
