//! Accumulators along a line of moves, updated lazily: following a move only records it, and the changes since the last
//! value are added up when the next one is requested.

use std::sync::Arc;

use bytemuck::cast_slice_mut;

use super::features::Perspective;
use super::format::Line;
use super::network::{FeatureWeights, Network};
use super::refresh::RefreshTable;
use super::simd::{Kernel, Step};
use crate::board::{Delta, Kind, Position, Side};
use crate::score::MAX_PLY;

/// Incremental evaluation of a line by a network; agrees with [`Network::value`] to the bit.
#[derive(Clone, Debug)]
pub(in crate::eval) struct Accumulators {
    network: Arc<Network>,
    kernel: &'static Kernel,
    /// The first position of the line, then one entry for each move.
    plies: Vec<Ply>,
    /// The accumulators of both sides at each ply: red's, then black's.
    values: Vec<Line>,
    /// Refresh table, for perspectives that no sequence of updates reaches.
    refresh: RefreshTable,
}

/// State of one position of the line.
#[derive(Clone, Copy, Debug)]
struct Ply {
    /// The perspective of each side, by the side's index.
    perspectives: [Perspective; 2],
    /// The move that leads to the position.
    delta: Option<Delta>,
    /// Whether each side's perspective is the same as at the previous ply, so that the move adds and subtracts the weights
    /// of a few features.
    is_incremental: [bool; 2],
    /// The sum of the PSQT column of each perspective, once its accumulator has been computed.
    psqt: [Option<i32>; 2],
}

/// Incremental update of one perspective by a move.
struct Update<'a> {
    plus: &'a [i16],
    minus: &'a [i16],
    /// The row of a captured piece, which is subtracted too.
    taken: Option<&'a [i16]>,
    /// Change of the PSQT sum.
    psqt: i32,
}

impl<'a> Update<'a> {
    #[inline(always)] // once or twice for every value
    fn of(features: FeatureWeights<'a>, perspective: Perspective, delta: Delta) -> Self {
        let plus = features.of(perspective, delta.placed(), delta.to);
        let minus = features.of(perspective, delta.piece, delta.from);
        let taken = delta.captured.map(|captured| features.of(perspective, captured, delta.to));
        let psqt = plus.psqt - minus.psqt - taken.map_or(0, |taken| taken.psqt);
        Self { plus: plus.row, minus: minus.row, taken: taken.map(|taken| taken.row), psqt }
    }

    fn step(&self, from: &'a [i16], to: &'a mut [i16], weights: &'a [i16]) -> Step<'a> {
        let &Self { plus, minus, taken, .. } = self;
        Step { from, to, plus, minus, taken, weights }
    }
}

impl Accumulators {
    /// Allocates accumulators for the longest line of a search, which begins with `position`.
    pub(in crate::eval) fn new(network: Arc<Network>, position: &Position) -> Self {
        Self::by(Kernel::chosen(), network, position)
    }

    /// Allocates accumulators that use a given kernel.
    fn by(kernel: &'static Kernel, network: Arc<Network>, position: &Position) -> Self {
        let plies = MAX_PLY + 1;
        let values = vec![Line::ZERO; plies * lines_of_ply(&network)];
        let refresh = RefreshTable::new(&network);
        let mut accumulators = Self { network, kernel, plies: Vec::with_capacity(plies), values, refresh };
        accumulators.reset(position);
        accumulators
    }

    /// The network of these accumulators.
    pub(in crate::eval) fn network(&self) -> &Network {
        &self.network
    }

    /// Begins a new line with `position`.
    pub(in crate::eval) fn reset(&mut self, position: &Position) {
        self.plies.clear();
        let perspectives = Side::ALL.map(|side| Perspective::of(side, position, self.network.shape().king_buckets));
        self.plies.push(Ply { perspectives, delta: None, is_incremental: [false; 2], psqt: [None; 2] });
    }

    /// Appends a move to the line.
    pub(in crate::eval) fn push(&mut self, delta: Delta) {
        let before = self.last();
        let mut ply =
            Ply { perspectives: before.perspectives, delta: Some(delta), is_incremental: [true; 2], psqt: [None; 2] };
        if delta.piece.kind() == Kind::King {
            // The king may have crossed the middle file or changed its king bucket.
            let side = delta.piece.side();
            let perspective = Perspective::new(side, delta.to, self.network.shape().king_buckets);
            ply.is_incremental[side.index()] = perspective == before.perspectives[side.index()];
            ply.perspectives[side.index()] = perspective;
        }
        self.plies.push(ply);
    }

    /// Takes back the last move.
    pub(in crate::eval) fn pop(&mut self) {
        self.plies.pop();
        debug_assert!(!self.plies.is_empty(), "more moves were taken back than followed");
    }

    /// The value of `position`, the end of the line, for the side to move, in unclamped centipawns.
    pub(in crate::eval) fn value(&mut self, position: &Position) -> i32 {
        self.make_room();
        let bucket = self.network.shape().output_buckets.of(position);
        let sides = [position.side(), !position.side()];
        let last = self.plies.len() - 1;
        let (screlu, psqt) = match self.steps_to(last, sides) {
            Some(psqt) => self.step(last, sides, psqt, bucket),
            None => {
                let psqt = sides.map(|side| self.materialize(position, side));
                let perspectives = sides.map(|side| self.accumulator(last, side));
                (self.kernel.forward(perspectives, self.network.output_weights(bucket)), psqt)
            }
        };
        self.network.centipawns(bucket, screlu, psqt)
    }

    fn last(&self) -> &Ply {
        self.plies.last().expect("the ply that a line begins with is never taken back")
    }

    /// Brings both accumulators before the ply `last` up to date, if updates lead from there to `last`, which has not been
    /// computed; returns their sums of the PSQT column.
    fn steps_to(&mut self, last: usize, sides: [Side; 2]) -> Option<[i32; 2]> {
        let Ply { is_incremental, psqt, .. } = self.plies[last];
        if is_incremental != [true; 2] || psqt != [None; 2] {
            return None;
        }
        let [own, other] = sides.map(|side| self.last_computed(side, last));
        let (own, other) = (own?, other?);
        Some([self.update(own, sides[0], last), self.update(other, sides[1], last)])
    }

    /// Computes both accumulators of the ply `last` from those before it, whose PSQT sums are `psqt`. Returns the forward pass
    /// over them and their PSQT sums.
    fn step(&mut self, last: usize, sides: [Side; 2], mut psqt: [i32; 2], bucket: usize) -> (i32, [i32; 2]) {
        let (features, width) = (self.network.features(), self.network.shape().width);
        let ply = &mut self.plies[last];
        let delta = ply.delta.expect("a ply that updates lead to follows a move");
        let (earlier, later) = cast_slice_mut::<Line, i16>(&mut self.values).split_at_mut(last * 2 * width);
        let (red, black) = earlier[(last - 1) * 2 * width..].split_at(width);
        let (to_red, to_black) = later[..2 * width].split_at_mut(width);
        let (from, [to_own, to_other]) = match sides[0] {
            Side::Red => ([red, black], [to_red, to_black]),
            Side::Black => ([black, red], [to_black, to_red]),
        };
        let [own, other] = sides.map(|side| Update::of(features, ply.perspectives[side.index()], delta));
        for ((psqt, side), update) in psqt.iter_mut().zip(sides).zip([&own, &other]) {
            *psqt += update.psqt;
            ply.psqt[side.index()] = Some(*psqt);
        }
        let weights = self.network.output_weights(bucket);
        let screlu =
            self.kernel.step([own.step(from[0], to_own, weights[0]), other.step(from[1], to_other, weights[1])]);
        (screlu, psqt)
    }

    /// Brings the accumulator of `side` at the end of the line up to date; returns its sum of the PSQT column.
    fn materialize(&mut self, position: &Position, side: Side) -> i32 {
        let plies = self.plies.len();
        match self.last_computed(side, plies) {
            Some(computed) => self.update(computed, side, plies),
            None => self.refresh(position, side),
        }
    }

    /// The last ply before `end` whose accumulator of `side` has been computed and from which updates lead to `end`, with
    /// its sum of the PSQT column.
    fn last_computed(&self, side: Side, end: usize) -> Option<(usize, i32)> {
        for (number, ply) in self.plies[..end].iter().enumerate().rev() {
            if let Some(psqt) = ply.psqt[side.index()] {
                return Some((number, psqt));
            }
            if !ply.is_incremental[side.index()] {
                break;
            }
        }
        None
    }

    /// Updates the accumulators of `side` after the ply `computed`, up to `end`; `psqt` is its PSQT sum. Returns the PSQT sum
    /// of the last.
    fn update(&mut self, (computed, mut psqt): (usize, i32), side: Side, end: usize) -> i32 {
        if computed + 1 == end {
            return psqt;
        }
        let (features, width) = (self.network.features(), self.network.shape().width);
        let values = cast_slice_mut::<Line, i16>(&mut self.values);
        for (number, ply) in self.plies[..end].iter_mut().enumerate().skip(computed + 1) {
            let (Some(delta), perspective) = (ply.delta, ply.perspectives[side.index()]) else { break };
            let (earlier, later) = values.split_at_mut(number * 2 * width);
            let from = &earlier[((number - 1) * 2 + side.index()) * width..][..width];
            let to = &mut later[side.index() * width..][..width];
            let Update { plus, minus, taken, psqt: change } = Update::of(features, perspective, delta);
            self.kernel.add_sub(from, to, plus, minus, taken);
            psqt += change;
            ply.psqt[side.index()] = Some(psqt);
        }
        psqt
    }

    /// Refreshes the accumulator of `side` at the end of the line from the refresh table; returns its PSQT sum.
    fn refresh(&mut self, position: &Position, side: Side) -> i32 {
        let perspective = self.last().perspectives[side.index()];
        let width = self.network.shape().width;
        let last = self.plies.len() - 1;
        let to = &mut cast_slice_mut::<Line, i16>(&mut self.values)[(last * 2 + side.index()) * width..][..width];
        let psqt = self.refresh.refresh(self.kernel, &self.network, perspective, position, to);
        self.plies[last].psqt[side.index()] = Some(psqt);
        psqt
    }

    fn accumulator(&self, ply: usize, side: Side) -> &[i16] {
        let width = self.network.shape().width;
        &bytemuck::cast_slice(&self.values)[(ply * 2 + side.index()) * width..][..width]
    }

    /// Grows the storage for the line; the lines of a search fit into the initial one.
    fn make_room(&mut self) {
        let needed = self.plies.len() * lines_of_ply(&self.network);
        if self.values.len() < needed {
            self.values.resize(needed, Line::ZERO);
        }
    }
}

fn lines_of_ply(network: &Network) -> usize {
    2 * network.shape().width * size_of::<i16>() / size_of::<Line>()
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::random_weights;
    use super::super::{KING_BUCKET_COUNTS, OutputBuckets, Shape};
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::random_games_in;
    use crate::splitmix::SplitMix64;

    /// Accumulators for networks of this seed, with every number of king buckets, both output sets and every kernel.
    fn accumulators(seed: u64) -> impl Iterator<Item = Accumulators> {
        let shapes = KING_BUCKET_COUNTS.into_iter().flat_map(|king_buckets| {
            [OutputBuckets::ByPieces(8), OutputBuckets::ByMaterial].map(|outputs| (king_buckets, outputs))
        });
        // Miri is slow: one shape stands for all.
        shapes.filter(|&shape| !cfg!(miri) || shape == (3, OutputBuckets::ByMaterial)).flat_map(move |shape| {
            let (king_buckets, output_buckets) = shape;
            let shape = Shape { width: if cfg!(miri) { 32 } else { 96 }, output_buckets, king_buckets };
            let network = Arc::new(Network::new(shape, 380, &random_weights(shape, seed)).unwrap());
            Kernel::all().map(move |kernel| Accumulators::by(kernel, Arc::clone(&network), &Position::start()))
        })
    }

    /// Walks down and up again as a search does, and evaluates now and then.
    fn wander(accumulators: &mut Accumulators, start: &Position, random: &mut SplitMix64) {
        accumulators.reset(start);
        let mut line = vec![*start];
        let mut asked = 0;
        for _ in 0..if cfg!(miri) { 12 } else { 400 } {
            let position = line[line.len() - 1];
            if random.below(3) > 0 {
                assert_eq!(
                    accumulators.value(&position),
                    accumulators.network.value(&position),
                    "{}",
                    position.to_fen()
                );
                asked += 1;
            }
            let moves = position.legal_moves();
            if line.len() > 1 && (moves.is_empty() || line.len() > 12 || random.below(3) == 0) {
                accumulators.pop();
                line.pop();
            } else if !moves.is_empty() {
                // King moves are preferred, so that kings cross the middle file often.
                let kings: Vec<_> =
                    moves.iter().copied().filter(|&mv| position.moving_piece(mv).kind() == Kind::King).collect();
                let mv =
                    if !kings.is_empty() && random.below(3) == 0 { random.pick(&kings) } else { random.pick(&moves) };
                accumulators.push(position.delta(mv));
                line.push(position.play(mv));
            }
        }
        assert!(asked > 0);
    }

    #[test]
    fn what_was_added_up_on_the_way_is_the_value_to_the_bit() {
        for mut accumulators in accumulators(41) {
            for variant in Variant::ALL {
                let mut random = SplitMix64::new(42);
                let mut number = 0;
                random_games_in(variant, 43, if cfg!(miri) { 1 } else { 4 }, |position| {
                    number += 1;
                    if number % 20 == 1 {
                        wander(&mut accumulators, position, &mut random);
                    }
                });
            }
        }
    }

    #[test]
    fn composed_positions_have_the_same_value_in_both_ways() {
        let composed = Position::from_fen("3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w").unwrap();
        let back_ranks = Position::from_fen("4k1p2/9/2p5p/9/9/9/9/P7P/4P4/2P2K3 b").unwrap();
        let mut random = SplitMix64::new(47);
        for mut accumulators in accumulators(48) {
            for position in [composed, back_ranks] {
                for position in [position, position.mirrored()] {
                    wander(&mut accumulators, &position, &mut random);
                    wander(&mut accumulators, &position.colours_swapped(), &mut random);
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn after_every_move_of_a_game_both_views_are_as_if_begun_anew() {
        for mut followed in accumulators(44) {
            for variant in Variant::ALL {
                let mut last: Option<Position> = None;
                random_games_in(variant, 45, 4, |position| {
                    let mv =
                        last.and_then(|last| last.legal_moves().into_iter().find(|&mv| last.play(mv) == *position));
                    match last.zip(mv) {
                        Some((last, mv)) => followed.push(last.delta(mv)),
                        None => followed.reset(position),
                    }
                    last = Some(*position);
                    assert_eq!(followed.value(position), followed.network.value(position), "{}", position.to_fen());
                    for side in Side::ALL {
                        let expected = followed.network.accumulator(position, side);
                        let ply = followed.plies.len() - 1;
                        assert_eq!(followed.accumulator(ply, side), expected.values, "{}", position.to_fen());
                        assert_eq!(followed.plies[ply].psqt[side.index()], Some(expected.psqt));
                    }
                });
            }
        }
    }

    #[test]
    fn a_view_is_turned_when_its_king_crosses_the_middle() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w").unwrap();
        let turns = |side: Side, mv: &str, king_buckets| {
            let shape = Shape { width: 32, output_buckets: OutputBuckets::ByPieces(1), king_buckets };
            let network = Arc::new(Network::new(shape, 380, &random_weights(shape, 46)).unwrap());
            let mut accumulators = Accumulators::new(network, &position);
            accumulators.push(position.delta(mv.parse().unwrap()));
            !accumulators.last().is_incremental[side.index()]
        };
        assert!(turns(Side::Red, "e0f0", 1) && !turns(Side::Black, "e0f0", 1) && !turns(Side::Red, "e0e1", 1));
        assert!(turns(Side::Red, "e0e1", 3) && turns(Side::Red, "e0d0", 6) && !turns(Side::Black, "e0e1", 6));
    }
}
