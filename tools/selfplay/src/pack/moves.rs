//! Model of the engine's moves: softmax regression over the legal moves.
//!
//! A move is stored as its rank among the legal moves by falling probability; each rank costs what its probability says. The
//! features need the board and the moves before, but no evaluation and no search.

use chuhe::board::{Delta, FILES, Move, RANKS, SQUARES, Side, Square};

use super::line::Line;
use super::range::Coder;
use super::regression::{Regression, chance, exp};

/// Number of features of a move.
const FEATURES: usize = 13;

/// Kinds of pieces, and none.
const KINDS: u32 = 8;
const NO_KIND: u32 = KINDS - 1;
const PLACES: u32 = SQUARES as u32;
/// Squares that differ by more than their wing.
const FOLDED: u32 = (RANKS * FILES.div_ceil(2)) as u32;
const DANGERS: u32 = 4;
const PHASES: u32 = 3;
const BALANCES: u32 = 5;
const OCCURRENCES: u32 = 3;

/// Number of values of each feature, in the order of [`describe`].
const SIZES: [u32; FEATURES] = [
    KINDS * FOLDED * PHASES,
    KINDS * FOLDED,
    KINDS * KINDS * DANGERS * DANGERS,
    KINDS * DANGERS * 8,
    KINDS * KINDS * 8,
    KINDS * 16,
    KINDS * PLACES * KINDS * PLACES,
    KINDS * PLACES * KINDS * PLACES,
    KINDS * KINDS * DANGERS,
    OCCURRENCES * BALANCES * 2,
    KINDS * DANGERS * DANGERS * 2,
    PLACES * PLACES,
    KINDS * 8,
];

/// Number of the first value of each feature.
const OFFSETS: [u32; FEATURES] = {
    let (mut offsets, mut number) = ([0; FEATURES], 1);
    while number < FEATURES {
        offsets[number] = offsets[number - 1] + SIZES[number - 1];
        number += 1;
    }
    offsets
};

const ALL: u32 = OFFSETS[FEATURES - 1] + SIZES[FEATURES - 1];

/// Largest information that is distinguished, in bits.
const MOST_SURPRISING: u32 = 7;

/// Step of the weights.
const RATE: f32 = 0.12;

/// Active features of a move.
type Features = [u32; FEATURES];

/// Model of all moves.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    regression: Regression,
    /// Features of the legal moves.
    features: Vec<Features>,
    /// Indices of the legal moves by falling probability, each with its probability times a common factor.
    order: Vec<(f32, usize)>,
}

/// A coded move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    /// Index among the legal moves.
    pub(super) index: usize,
    /// Rank by probability, from 0 on.
    pub(super) rank: u32,
    /// Information of the move, in whole bits, at most 7.
    pub(super) surprise: u32,
}

/// Facts about a position that all its moves share, as the side to move sees it.
struct Scene {
    side: Side,
    in_check: u32,
    phase: u32,
    balance: u32,
    /// Last move of the other side, and of the side to move: kind and target.
    other: (u32, u32),
    own: (u32, u32),
    was_capture: u32,
}

impl Moves {
    /// Creates a model that has learnt nothing.
    pub(super) fn new() -> Self {
        Self { regression: Regression::new(ALL, RATE), features: vec![], order: vec![] }
    }

    /// Codes the index of a move among the legal moves, of which there is at least one. `expected` is the score that the last
    /// search of the other side makes likely.
    pub(super) fn code(&mut self, coder: &mut impl Coder, line: &mut Line, expected: i32, index: usize) -> Chosen {
        let scene = Scene::of(line, expected);
        self.features.clear();
        for number in 0..line.legal().len() {
            let mv = line.legal()[number];
            self.features.push(describe(line, &scene, mv));
        }
        self.sort();
        let total = self.order.iter().fold(0.0, |sum, (likely, _)| sum + likely);
        let rank = self.code_rank(coder, total, index);
        let (likely, index) = self.order[rank];
        self.learn(total, index);
        Chosen { index, rank: rank as u32, surprise: surprise(likely / total) }
    }

    /// Sorts the legal moves by falling probability.
    fn sort(&mut self) {
        let Self { regression, features, order } = self;
        order.clear();
        order.extend(features.iter().enumerate().map(|(index, features)| (regression.sum(features), index)));
        let highest = order.iter().fold(f32::MIN, |highest, (sum, _)| highest.max(*sum));
        order.iter_mut().for_each(|(sum, _)| *sum = exp(*sum - highest));
        order.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    }

    /// Codes for one move after the other whether it is the one; returns its rank.
    fn code_rank(&self, coder: &mut impl Coder, total: f32, index: usize) -> usize {
        let mut rest = total;
        for (rank, &(likely, candidate)) in self.order[..self.order.len() - 1].iter().enumerate() {
            if coder.bit(candidate == index, chance(likely / rest)) {
                return rank;
            }
            rest = (rest - likely).max(f32::MIN_POSITIVE);
        }
        self.order.len() - 1
    }

    fn learn(&mut self, total: f32, index: usize) {
        for &(likely, candidate) in &self.order {
            let happened = if candidate == index { 1.0 } else { 0.0 };
            self.regression.learn(&self.features[candidate], happened - likely / total);
        }
    }
}

impl Scene {
    fn of(line: &Line, expected: i32) -> Self {
        let position = &line.position;
        let side = position.side();
        let [other, own] = line.last;
        let moved = |delta: Option<Delta>| match delta {
            Some(Delta { piece, to, .. }) => (piece.kind().index() as u32, seen(to, side)),
            None => (NO_KIND, 0),
        };
        Self {
            side,
            in_check: position.in_check().into(),
            phase: phase(position.occupied().count()),
            balance: balance(expected),
            other: moved(other),
            own: moved(own),
            was_capture: other.is_some_and(|other| other.captured.is_some()).into(),
        }
    }
}

/// Returns the features of a legal move.
fn describe(line: &mut Line, scene: &Scene, mv: Move) -> Features {
    let Scene { side, in_check, phase, balance, other, own, was_capture } = *scene;
    let Delta { piece, from, to, captured } = line.position.delta(mv);
    let kind = piece.kind().index() as u32;
    let taken = captured.map_or(NO_KIND, |piece| piece.kind().index() as u32);
    let takes = u32::from(captured.is_some());
    let checks = u32::from(line.position.gives_check(mv));
    let is_new = u32::from(!line.was_legal(mv));
    let [before, danger] = [line.danger(piece.kind(), from, from), line.danger(piece.kind(), from, to)];
    let [last, mine] = line.last;
    let retakes = u32::from(last.is_some_and(|last| last.to == to));
    let is_attacked = u32::from(last.is_some_and(|last| line.attackers(from).has(last.to)));
    let goes_on = u32::from(mine.is_some_and(|mine| mine.to == from));
    let goes_back = u32::from(mine.is_some_and(|mine| mine.from == to));
    let known = (line.occurrences_after(mv) as u32).min(OCCURRENCES - 1);
    let (from, to) = (seen(from, side), seen(to, side));
    let mut features = [
        (kind * FOLDED + folded(to)) * PHASES + phase,
        kind * FOLDED + folded(from),
        ((kind * KINDS + taken) * DANGERS + danger) * DANGERS + before,
        (kind * DANGERS + danger) * 8 + checks * 4 + takes * 2 + in_check,
        (kind * KINDS + other.0) * 8 + retakes * 4 + was_capture * 2 + is_attacked,
        kind * 16 + goes_on * 8 + goes_back * 4 + is_new * 2 + takes,
        ((other.0 * PLACES + other.1) * KINDS + kind) * PLACES + to,
        ((own.0 * PLACES + own.1) * KINDS + kind) * PLACES + to,
        (line.victim(mv) * KINDS + kind) * DANGERS + danger,
        (known * BALANCES + balance) * 2 + takes,
        ((kind * DANGERS + danger) * DANGERS + before) * 2 + is_new,
        from * PLACES + to,
        kind * 8 + goes_on * 4 + checks * 2 + u32::from(line.gave_check[1]),
    ];
    features.iter_mut().zip(OFFSETS).for_each(|(feature, offset)| *feature += offset);
    features
}

/// Phase of the game by the number of pieces.
fn phase(pieces: u32) -> u32 {
    match pieces {
        25.. => 0,
        15..25 => 1,
        _ => 2,
    }
}

/// Whether a score is bad, worse, level, better or good.
fn balance(score: i32) -> u32 {
    [-100, -20, 21, 101].iter().filter(|&&limit| score >= limit).count() as u32
}

/// Information of an event of this probability, in whole bits.
fn surprise(probability: f32) -> u32 {
    let is_exceeded = |&bits: &u32| probability * (2 << bits) as f32 > 1.0;
    (0..MOST_SURPRISING).find(is_exceeded).unwrap_or(MOST_SURPRISING)
}

/// Index of a square as seen by a side.
fn seen(square: Square, side: Side) -> u32 {
    square.seen_by(side).index() as u32
}

/// Index of a square that is the same on both wings.
fn folded(square: u32) -> u32 {
    let files = FILES as u32;
    let (file, rank) = (square % files, square / files);
    rank * files.div_ceil(2) + file.min(files - 1 - file)
}
