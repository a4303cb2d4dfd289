//! The numbers of the hand-written evaluation, in centipawns; `chuhe-trainer refit` fits them to games.

use crate::board::{FILES, RANKS};

/// Files `a` to `e`; the right half of the board mirrors the left.
pub(super) const HALF: usize = FILES.div_ceil(2);

/// One row per rank, the owner's back rank first.
pub(super) type Table = [[i32; HALF]; RANKS];

pub(super) const KING: Table = [
    [0, 0, 0, -5, 10],
    [0, 0, 0, -35, -25],
    [0, 0, 0, -60, -55],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
];

pub(super) const ADVISOR: Table = [
    [0; HALF],
    [0, 0, 0, 0, 10],
    [0, 0, 0, -10, 0],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
];

pub(super) const ELEPHANT: Table = [
    [0; HALF],
    [0; HALF],
    [-20, 0, 0, 0, 15],
    [0; HALF],
    [0, 0, -5, 0, 0],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
];

pub(super) const HORSE: Table = [
    [-50, -25, -25, -25, -45],
    [-30, -10, 0, -20, -70],
    [-15, -10, 20, 10, 0],
    [-5, 10, 15, 20, 20],
    [-10, 20, 25, 35, 30],
    [0, 30, 35, 45, 45],
    [10, 35, 50, 50, 40],
    [10, 35, 45, 60, 40],
    [5, 50, 50, 40, 10],
    [-15, 0, 15, 0, -25],
];

pub(super) const ROOK: Table = [
    [-40, 5, -10, 20, -20],
    [-15, 10, 0, 25, -15],
    [-20, 5, 0, 25, 10],
    [-5, 10, 5, 25, 20],
    [5, 15, 10, 30, 25],
    [5, 15, 15, 30, 30],
    [10, 20, 20, 40, 35],
    [5, 15, 15, 40, 45],
    [10, 25, 20, 50, 60],
    [10, 15, 15, 35, 30],
];

pub(super) const CANNON: Table = [
    [0, 0, 5, 10, 10],
    [0, 5, 10, 10, 10],
    [5, 5, 15, 15, 30],
    [0, 0, 0, 5, 15],
    [0, 0, 5, 5, 20],
    [0, 0, 0, 5, 25],
    [0, 5, 5, 10, 20],
    [5, 5, 0, -10, -5],
    [10, 10, 0, -20, -20],
    [20, 20, 5, -10, -15],
];

pub(super) const PAWN: Table = [
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [-10, 0, 0, 0, 15],
    [0, 0, 15, 0, 25],
    [30, 45, 55, 65, 70],
    [50, 75, 90, 110, 110],
    [55, 85, 115, 145, 150],
    [50, 80, 115, 160, 175],
    [0, 5, 10, 20, 25],
];

/// Centipawns per square a rook can go to.
pub(super) const ROOK_MOBILITY: i32 = 4;
/// Centipawns per square a horse can go to.
pub(super) const HORSE_MOBILITY: i32 = 10;
/// Centipawns per square a cannon can go to.
pub(super) const CANNON_MOBILITY: i32 = 2;
/// A cannon that sees the enemy king on an empty line: no defender may step between.
pub(super) const HOLLOW_CANNON: i32 = 110;
/// A cannon with two pieces between it and the enemy king: both are tied down.
pub(super) const DOUBLE_SCREEN: i32 = 25;
/// A rook on the enemy king's file or rank, whatever stands between.
pub(super) const ROOK_ON_KING_LINE: i32 = 12;
/// A missing advisor, for every rook and horse of the enemy.
pub(super) const ADVISOR_MISSING: i32 = 14;
/// A missing elephant, for every cannon of the enemy.
pub(super) const ELEPHANT_MISSING: i32 = 12;
/// A piece near the enemy palace, and more for each further one.
pub(super) const ATTACKERS_NEAR: [i32; 7] = [0, 5, 20, 45, 80, 120, 160];
/// The right to move.
pub(super) const TEMPO: i32 = 12;
