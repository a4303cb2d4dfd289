//! What all sets of vector instructions do alike.

/// Vectors of a row that are added up in registers before they are written, where the row has so many.
pub(super) const TILE: usize = 8;

/// The entrance of a set of instructions, and all but its `weigh`: `$step` vectors hold 32 numbers.
macro_rules! by_vectors {
    ($features:literal, $vector:ident, $step:literal, $add:ident, $sub:ident) => {
        #[target_feature(enable = $features)]
        pub(super) fn run(work: Work<'_>) -> i32 {
            match work {
                Work::Shift { from, to, plus, minus } => shift(from, to, plus, minus),
                Work::ShiftCapture { from, to, plus, minus } => shift(from, to, plus, minus),
                Work::Sum { from, to, rows } if vectors(from).len().is_multiple_of(TILE) => sum::<TILE>(from, to, rows),
                Work::Sum { from, to, rows } => sum::<$step>(from, to, rows),
                Work::Weigh { views, weights } => return weigh(views.map(vectors), weights.map(vectors)),
            }
            0
        }

        #[target_feature(enable = $features)]
        fn shift<const LESS: usize>(from: &[i16], to: &mut [i16], plus: &[i16], minus: [&[i16]; LESS]) {
            let (from, plus, minus) = (vectors(from), vectors(plus), minus.map(vectors));
            for (index, ((to, from), plus)) in cast_slice_mut(to).iter_mut().zip(from).zip(plus).enumerate() {
                let mut sum = $add(*from, *plus);
                for row in minus {
                    sum = $sub(sum, row[index]);
                }
                *to = sum;
            }
        }

        #[target_feature(enable = $features)]
        fn sum<const TILE: usize>(from: &[i16], to: &mut [i16], rows: &[&[i16]]) {
            let (from, _) = vectors(from).as_chunks::<TILE>();
            let (to, _) = cast_slice_mut::<i16, $vector>(to).as_chunks_mut::<TILE>();
            for (tile, (to, from)) in to.iter_mut().zip(from).enumerate() {
                let mut sums = *from;
                for row in rows {
                    for (sum, row) in sums.iter_mut().zip(&vectors(row)[tile * TILE..][..TILE]) {
                        *sum = $add(*sum, *row);
                    }
                }
                *to = sums;
            }
        }

        fn vectors(numbers: &[i16]) -> &[$vector] {
            cast_slice(numbers)
        }
    };
}

pub(super) use by_vectors;
