//! Horse and elephant attacks, looked up by the occupancy of the four squares that can block them.

use crate::board::bitboard::Bitboard;
use crate::board::square::{FILES, RANKS, SQUARES, Square};

const BLOCKERS: usize = 4;
const STATES: usize = 1 << BLOCKERS;
type Table = [[Bitboard; STATES]; SQUARES];

/// The four straight neighbours, in the order of the index bits.
const STRAIGHT: [(i32, i32); BLOCKERS] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
/// The four diagonal neighbours, in the order of the index bits.
const DIAGONAL: [(i32, i32); BLOCKERS] = [(1, -1), (1, 1), (-1, -1), (-1, 1)];

/// Neighbours of each square in the low and the high half of the word. Folded onto each other, they do not overlap.
type Neighbours = [[u64; 2]; SQUARES];

/// The squares that lie these steps from `square`.
const fn near(square: Square, steps: [(i32, i32); BLOCKERS]) -> Bitboard {
    let (mut near, mut step) = (Bitboard::EMPTY, 0);
    while step < BLOCKERS {
        near = near.with_some(square.offset(steps[step].0, steps[step].1));
        step += 1;
    }
    near
}

const fn neighbours(steps: [(i32, i32); BLOCKERS]) -> Neighbours {
    let mut table = [[0; 2]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        table[index] = near(Square::from_bit(index as u32), steps).halves();
        index += 1;
    }
    table
}

/// Bit of a product at which the index begins: its last four bits.
const INDEX_AT: u32 = u64::BITS - BLOCKERS as u32;

/// Factor that sends the neighbours to the index bits, after a rotation that brings the square itself to bit 0.
const fn pack(steps: [(i32, i32); BLOCKERS]) -> u64 {
    let (mut factor, mut bit) = (0, 0);
    while bit < BLOCKERS {
        let (files, ranks) = steps[bit];
        let turned = (ranks * FILES as i32 + files).rem_euclid(u64::BITS as i32) as u32;
        factor |= 1 << (INDEX_AT + bit as u32 - turned);
        bit += 1;
    }
    factor
}

static STRAIGHT_NEIGHBOURS: Neighbours = neighbours(STRAIGHT);
static DIAGONAL_NEIGHBOURS: Neighbours = neighbours(DIAGONAL);

/// Occupancy of the neighbours, in the order of the index bits.
#[inline(always)] // the factor is a constant
fn state(square: Square, occupied: Bitboard, neighbours: &Neighbours, pack: u64) -> usize {
    let ([low, high], near) = (occupied.halves(), neighbours[square.index()]);
    let turned = (low & near[0] | high & near[1]).rotate_right(square.index() as u32);
    (turned.wrapping_mul(pack) >> INDEX_AT) as usize
}

fn straight_state(square: Square, occupied: Bitboard) -> usize {
    state(square, occupied, &STRAIGHT_NEIGHBOURS, const { pack(STRAIGHT) })
}

fn diagonal_state(square: Square, occupied: Bitboard) -> usize {
    state(square, occupied, &DIAGONAL_NEIGHBOURS, const { pack(DIAGONAL) })
}

/// The two squares that one blocker bars: targets of a horse on `square` for a straight step, attackers for a diagonal one.
const fn horse_pair(square: Square, step: (i32, i32)) -> Bitboard {
    let (x, y) = step;
    let [one, other] = if x == 0 {
        [square.offset(-1, 2 * y), square.offset(1, 2 * y)]
    } else if y == 0 {
        [square.offset(2 * x, -1), square.offset(2 * x, 1)]
    } else {
        [square.offset(2 * x, y), square.offset(x, 2 * y)]
    };
    Bitboard::EMPTY.with_some(one).with_some(other)
}

const fn elephant_end(square: Square, step: (i32, i32)) -> Bitboard {
    match square.offset(2 * step.0, 2 * step.1) {
        Some(end) if (end.rank() < RANKS / 2) == (square.rank() < RANKS / 2) => Bitboard::of(end),
        _ => Bitboard::EMPTY,
    }
}

const HORSE: u8 = 0;
const HORSE_REVERSED: u8 = 1;
const ELEPHANT: u8 = 2;

const fn table<const PIECE: u8>() -> Table {
    let mut table = [[Bitboard::EMPTY; STATES]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_bit(index as u32);
        let mut state = 0;
        while state < STATES {
            let mut blocker = 0;
            while blocker < BLOCKERS {
                if state >> blocker & 1 == 0 {
                    let more = match PIECE {
                        HORSE => horse_pair(square, STRAIGHT[blocker]),
                        HORSE_REVERSED => horse_pair(square, DIAGONAL[blocker]),
                        _ => elephant_end(square, DIAGONAL[blocker]),
                    };
                    table[index][state] = Bitboard(table[index][state].0 | more.0);
                }
                blocker += 1;
            }
            state += 1;
        }
        index += 1;
    }
    table
}

static HORSE_ATTACKS: Table = table::<HORSE>();
static HORSE_ATTACKERS: Table = table::<HORSE_REVERSED>();
static ELEPHANT_ATTACKS: Table = table::<ELEPHANT>();

/// Squares that a horse on `square` attacks.
pub fn horse_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE_ATTACKS[square.index()][straight_state(square, occupied)]
}

/// Squares from which a horse attacks `square`.
pub fn horse_attackers(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE_ATTACKERS[square.index()][diagonal_state(square, occupied)]
}

/// Squares from which a horse attacks `square` on an empty board.
pub fn horse_near(square: Square) -> Bitboard {
    HORSE_ATTACKERS[square.index()][0]
}

static DIAGONALS: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        table[index] = near(Square::from_bit(index as u32), DIAGONAL);
        index += 1;
    }
    table
};

/// The diagonal neighbours of `square`, which are the legs of the horses that attack it.
pub fn diagonals(square: Square) -> Bitboard {
    DIAGONALS[square.index()]
}

/// The square that blocks a horse's jump from `from` to `to`.
pub fn horse_leg(from: Square, to: Square) -> Square {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    from.offset(files / 2, ranks / 2).expect("the leg of a horse is on the board")
}

/// Squares that an elephant on `square` attacks; it stays on its side of the river.
pub fn elephant_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANT_ATTACKS[square.index()][diagonal_state(square, occupied)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix::SplitMix64;

    fn sparse_board(random: &mut SplitMix64) -> Bitboard {
        Bitboard(Bitboard::ALL.0 & ((random.word() as u128) << 64 | random.word() as u128))
    }

    #[test]
    fn a_horse_is_blocked_by_its_leg() {
        let mut random = SplitMix64::new(2);
        for _ in 0..if cfg!(miri) { 3 } else { 500 } {
            let occupied = sparse_board(&mut random);
            for from in Square::all() {
                let mut expected = Bitboard::EMPTY;
                for (x, y) in [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)] {
                    let leg = from.offset(x / 2, y / 2);
                    if let Some(to) = from.offset(x, y).filter(|_| leg.is_some_and(|leg| !occupied.has(leg))) {
                        assert_eq!(Some(horse_leg(from, to)), leg);
                        expected = expected.with(to);
                    }
                }
                assert_eq!(horse_attacks(from, occupied), expected);
            }
        }
    }

    #[test]
    fn horse_attackers_are_the_horses_that_attack() {
        let mut random = SplitMix64::new(3);
        for _ in 0..if cfg!(miri) { 1 } else { 100 } {
            let occupied = sparse_board(&mut random);
            for to in Square::all() {
                let expected = Square::all().filter(|&from| horse_attacks(from, occupied).has(to)).collect();
                assert_eq!(horse_attackers(to, occupied), expected);
            }
        }
    }

    #[test]
    fn an_elephant_stays_at_home_and_is_blocked_by_its_eye() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let at_home = elephant_attacks(square("e2"), Bitboard::EMPTY);
        assert_eq!(at_home, ["c0", "g0", "c4", "g4"].map(square).into_iter().collect());
        assert_eq!(elephant_attacks(square("c4"), Bitboard::EMPTY), ["a2", "e2"].map(square).into_iter().collect());
        let blocked = elephant_attacks(square("e7"), Bitboard::of(square("d8")));
        assert_eq!(blocked, ["g9", "c5", "g5"].map(square).into_iter().collect());
    }
}
