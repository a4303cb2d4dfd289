//! Weights of the hand-crafted evaluation (HCE), in centipawns; `chuhe-trainer refit` fits them to games.

use crate::board::{FILES, RANKS};

/// Files `a` to `e`; the right half of the board mirrors the left.
pub(super) const HALF: usize = FILES.div_ceil(2);

/// One row per rank, the owner's back rank first.
pub(super) type Table = [[i32; HALF]; RANKS];

pub(super) const KING: Table = [
    [0, 0, 0, -25, -1],
    [0, 0, 0, -44, -39],
    [0, 0, 0, -29, -32],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
];

pub(super) const ADVISOR: Table = [
    [0, 0, 0, -33, 0],
    [0, 0, 0, 0, 2],
    [0, 0, 0, -31, 0],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
];

pub(super) const ELEPHANT: Table = [
    [0, 0, 7, 0, 0],
    [0; HALF],
    [12, 0, 0, 0, 33],
    [0; HALF],
    [0, 0, 1, 0, 0],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [0; HALF],
];

pub(super) const HORSE: Table = [
    [-82, -70, -31, -26, -152],
    [-72, -74, -48, -45, -36],
    [-22, -15, -18, 14, -16],
    [-27, -18, 1, -7, 23],
    [-3, 10, 47, 27, 39],
    [11, 36, 29, 63, 21],
    [16, 83, 30, 89, 23],
    [76, 42, 46, 63, 113],
    [18, 60, 107, 63, 26],
    [30, 41, 64, 71, 104],
];

pub(super) const ROOK: Table = [
    [-13, 39, 24, 53, -45],
    [2, 36, 12, 43, 21],
    [15, 43, 37, 66, 107],
    [29, 56, 50, 72, 77],
    [43, 57, 61, 83, 92],
    [40, 52, 72, 81, 90],
    [68, 73, 91, 90, 87],
    [78, 75, 90, 127, 126],
    [77, 116, 98, 106, 167],
    [63, 81, 98, 133, 197],
];

pub(super) const CANNON: Table = [
    [-22, -11, 20, 35, 63],
    [21, 8, 28, 24, 63],
    [35, 3, 30, 32, 66],
    [21, -11, 22, 9, 42],
    [13, 14, 22, 23, 68],
    [21, -13, -10, 4, 51],
    [16, 8, 5, 4, 29],
    [24, -2, -14, -20, -26],
    [33, 4, -7, -4, -40],
    [60, 33, 7, -37, -2],
];

pub(super) const PAWN: Table = [
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [-7, 0, -8, 0, 38],
    [-3, 0, 17, 0, 33],
    [34, 64, 55, 102, 98],
    [45, 87, 107, 112, 116],
    [36, 91, 128, 189, 171],
    [33, 76, 118, 179, 272],
    [-143, -45, 12, 3, -20],
];

/// Centipawns per square a rook can go to.
pub(super) const ROOK_MOBILITY: i32 = 3;
/// Centipawns per square a horse can go to.
pub(super) const HORSE_MOBILITY: i32 = 7;
/// Centipawns per square a cannon can go to.
pub(super) const CANNON_MOBILITY: i32 = 1;
/// A cannon on an empty line to the enemy king: no defender may step between.
pub(super) const HOLLOW_CANNON: i32 = 42;
/// A cannon with two pieces between it and the enemy king: both are tied down.
pub(super) const DOUBLE_SCREEN: i32 = 24;
/// A rook on the enemy king's file or rank, whatever stands between.
pub(super) const ROOK_ON_KING_LINE: i32 = 7;
/// A missing advisor, for every rook and horse of the enemy.
pub(super) const ADVISOR_MISSING: i32 = 37;
/// A missing elephant, for every cannon of the enemy.
pub(super) const ELEPHANT_MISSING: i32 = 24;
/// Pieces near the enemy palace, by their number.
pub(super) const ATTACKERS_NEAR: [i32; 7] = [0, -45, -27, 13, 55, 84, 121];
/// Tempo: the right to move.
pub(super) const TEMPO: i32 = 11;
