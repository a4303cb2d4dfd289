//! Scalar kernel: plain loops, compiled to instructions that every machine has.

use super::kernel::{Step, UNIT, Work};

pub(super) fn run(work: Work<'_>) -> i32 {
    match work {
        Work::AddSub { from, to, plus, minus } => add_sub(from, to, plus, minus),
        Work::AddSubSub { from, to, plus, minus } => add_sub(from, to, plus, minus),
        Work::Refresh { kept, to, plus, minus } => refresh(kept, to, plus, minus),
        Work::Step { perspectives } => return perspectives.into_iter().map(step).sum(),
        Work::Forward { perspectives, weights } => return perspectives.into_iter().zip(weights).map(forward).sum(),
    }
    0
}

fn add_sub<const LESS: usize>(from: &[i16], to: &mut [i16], plus: &[i16], minus: [&[i16]; LESS]) {
    for (index, ((to, from), plus)) in to.iter_mut().zip(from).zip(plus).enumerate() {
        *to = minus.iter().fold(from.wrapping_add(*plus), |sum, row| sum.wrapping_sub(row[index]));
    }
}

fn refresh(kept: &mut [i16], to: &mut [i16], plus: &[&[i16]], minus: &[&[i16]]) {
    for row in plus {
        for (kept, row) in kept.iter_mut().zip(*row) {
            *kept = kept.wrapping_add(*row);
        }
    }
    for row in minus {
        for (kept, row) in kept.iter_mut().zip(*row) {
            *kept = kept.wrapping_sub(*row);
        }
    }
    to.copy_from_slice(kept);
}

fn step(Step { from, to, plus, minus, taken, weights }: Step<'_>) -> i32 {
    match taken {
        None => add_sub(from, to, plus, [minus]),
        Some(taken) => add_sub(from, to, plus, [minus, taken]),
    }
    forward((to, weights))
}

fn forward((numbers, weights): (&[i16], &[i16])) -> i32 {
    let weighed = |(&number, &weight): (&i16, &i16)| {
        let clamped = number.clamp(0, UNIT);
        // Sixteen bits suffice for the first product.
        i32::from(clamped * weight) * i32::from(clamped)
    };
    numbers.iter().zip(weights).map(weighed).sum()
}
