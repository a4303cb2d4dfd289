//! Loops that all SIMD kernels share.

/// Vectors of a row that are processed together, in rows with a multiple of this many.
pub(super) const TILE: usize = 8;

/// Partial sums that are kept apart, so that no addition has to wait for the one before.
pub(super) const LANES: usize = 4;

/// Defines the entry point of a kernel and its loops, from the vector instructions `$add` and `$sub`, the empty sum
/// `$zero`, `$more`, which adds products to a sum, and `$total`, which adds up [`LANES`] sums. `$step` vectors hold 32 numbers.
macro_rules! by_vectors {
    ($features:literal, $vector:ident, $sum:ident, $step:literal, $add:ident, $sub:ident, $zero:expr, $more:ident, $total:ident) => {
        #[target_feature(enable = $features)]
        pub(super) fn run(work: Work<'_>) -> i32 {
            match work {
                Work::AddSub { from, to, plus, minus } if is_tiled(from) => add_sub::<TILE, 1>(from, to, plus, minus),
                Work::AddSub { from, to, plus, minus } => add_sub::<$step, 1>(from, to, plus, minus),
                Work::AddSubSub { from, to, plus, minus } if is_tiled(from) => {
                    add_sub::<TILE, 2>(from, to, plus, minus)
                }
                Work::AddSubSub { from, to, plus, minus } => add_sub::<$step, 2>(from, to, plus, minus),
                Work::Refresh { kept, to, plus, minus } if is_tiled(kept) => refresh::<TILE>(kept, to, plus, minus),
                Work::Refresh { kept, to, plus, minus } => refresh::<$step>(kept, to, plus, minus),
                Work::Step { perspectives } if is_tiled(perspectives[0].from) => return step::<TILE>(perspectives),
                Work::Step { perspectives } => return step::<$step>(perspectives),
                Work::Forward { perspectives, weights } if is_tiled(perspectives[0]) => {
                    return forward::<TILE>(perspectives, weights);
                }
                Work::Forward { perspectives, weights } => return forward::<$step>(perspectives, weights),
            }
            0
        }

        #[target_feature(enable = $features)]
        fn add_sub<const T: usize, const LESS: usize>(
            from: &[i16],
            to: &mut [i16],
            plus: &[i16],
            minus: [&[i16]; LESS],
        ) {
            let (to, _) = cast_slice_mut::<i16, $vector>(to).as_chunks_mut::<T>();
            // Slices of one length, so that the loop needs no bounds checks.
            let count = to.len();
            let (from, plus) = (&tiles::<T>(from)[..count], &tiles::<T>(plus)[..count]);
            // No `map`: it could not be inlined into a function with target features of its own.
            let mut less = [from; LESS];
            for (tiled, row) in less.iter_mut().zip(minus) {
                *tiled = &tiles::<T>(row)[..count];
            }
            for (tile, ((to, from), plus)) in to.iter_mut().zip(from).zip(plus).enumerate() {
                for (index, to) in to.iter_mut().enumerate() {
                    let mut sum = $add(from[index], plus[index]);
                    for row in less {
                        sum = $sub(sum, row[tile][index]);
                    }
                    *to = sum;
                }
            }
        }

        #[target_feature(enable = $features)]
        fn step<const T: usize>(perspectives: [Step<'_>; 2]) -> i32 {
            let mut sums: [$sum; LANES] = [$zero; LANES];
            for Step { from, to, plus, minus, taken, weights } in perspectives {
                match taken {
                    None => add_sub_forward::<T, 1>(from, to, plus, [minus], weights, &mut sums),
                    Some(taken) => add_sub_forward::<T, 2>(from, to, plus, [minus, taken], weights, &mut sums),
                }
            }
            $total(sums)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn add_sub_forward<const T: usize, const LESS: usize>(
            from: &[i16],
            to: &mut [i16],
            plus: &[i16],
            minus: [&[i16]; LESS],
            weights: &[i16],
            sums: &mut [$sum; LANES],
        ) {
            let (to, _) = cast_slice_mut::<i16, $vector>(to).as_chunks_mut::<T>();
            let count = to.len();
            let (from, plus) = (&tiles::<T>(from)[..count], &tiles::<T>(plus)[..count]);
            let weights = &tiles::<T>(weights)[..count];
            let mut less = [from; LESS];
            for (tiled, row) in less.iter_mut().zip(minus) {
                *tiled = &tiles::<T>(row)[..count];
            }
            for (tile, (((to, from), plus), weights)) in to.iter_mut().zip(from).zip(plus).zip(weights).enumerate() {
                for (index, to) in to.iter_mut().enumerate() {
                    let mut number = $add(from[index], plus[index]);
                    for row in less {
                        number = $sub(number, row[tile][index]);
                    }
                    *to = number;
                    sums[index % LANES] = $more(sums[index % LANES], number, weights[index]);
                }
            }
        }

        #[target_feature(enable = $features)]
        fn refresh<const T: usize>(kept: &mut [i16], to: &mut [i16], plus: &[&[i16]], minus: &[&[i16]]) {
            let (kept, _) = cast_slice_mut::<i16, $vector>(kept).as_chunks_mut::<T>();
            let (to, _) = cast_slice_mut::<i16, $vector>(to).as_chunks_mut::<T>();
            for (tile, (to, kept)) in to.iter_mut().zip(kept).enumerate() {
                let mut sums = *kept;
                for row in plus {
                    for (sum, row) in sums.iter_mut().zip(&tiles::<T>(row)[tile]) {
                        *sum = $add(*sum, *row);
                    }
                }
                for row in minus {
                    for (sum, row) in sums.iter_mut().zip(&tiles::<T>(row)[tile]) {
                        *sum = $sub(*sum, *row);
                    }
                }
                (*kept, *to) = (sums, sums);
            }
        }

        #[target_feature(enable = $features)]
        fn forward<const T: usize>(perspectives: [&[i16]; 2], weights: [&[i16]; 2]) -> i32 {
            let mut sums: [$sum; LANES] = [$zero; LANES];
            for (perspective, weights) in perspectives.into_iter().zip(weights) {
                for (numbers, weights) in tiles::<T>(perspective).iter().zip(tiles::<T>(weights)) {
                    for (index, (&number, &weight)) in numbers.iter().zip(weights).enumerate() {
                        sums[index % LANES] = $more(sums[index % LANES], number, weight);
                    }
                }
            }
            $total(sums)
        }

        fn is_tiled(numbers: &[i16]) -> bool {
            numbers.len().is_multiple_of(TILE * size_of::<$vector>() / size_of::<i16>())
        }

        fn tiles<const T: usize>(numbers: &[i16]) -> &[[$vector; T]] {
            cast_slice::<i16, $vector>(numbers).as_chunks().0
        }
    };
}

pub(super) use by_vectors;
