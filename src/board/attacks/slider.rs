//! Rook and cannon attacks from two small line tables, built at compile time.
//!
//! A rank gives seven inner bits of occupancy, a file eight bits, each gathered by one magic multiplication; one lookup per line
//! serves both rook and cannon. The tables take 85 KiB; larger ones measured no faster once a search fills the cache.

use crate::board::bitboard::Bitboard;
use crate::board::square::{FILES, RANKS, SQUARES, Square};

/// Attacks of the sliding pieces from one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SliderAttacks {
    /// Squares up to and including the first piece in each direction: rook attacks. The empty ones are quiet cannon moves.
    pub rook: Bitboard,
    /// Squares behind the first piece, up to and including the second, which a cannon can capture.
    pub cannon: Bitboard,
}

/// Reach along one line, for both sliders.
#[derive(Clone, Copy)]
struct Reach<T> {
    rook: T,
    cannon: T,
}

/// Reach on a line of `len` squares from square `at`; bit `n` of `inner` says that square `n + 1` is occupied.
const fn reach(len: usize, at: usize, inner: u16) -> Reach<u16> {
    let occupied = inner << 1;
    let mut out = Reach { rook: 0, cannon: 0 };
    let mut upwards = 0;
    while upwards < 2 {
        let mut square = at;
        let mut screens = 0;
        while screens < 2 {
            if upwards == 1 {
                square += 1;
                if square == len {
                    break;
                }
            } else {
                if square == 0 {
                    break;
                }
                square -= 1;
            }
            if screens == 0 {
                out.rook |= 1 << square;
            } else {
                out.cannon |= 1 << square;
            }
            screens += (occupied >> square & 1) as usize;
        }
        upwards += 1;
    }
    out
}

/// Spreads the bits of a line over the squares of file `a`.
const fn on_file(line: u16) -> u128 {
    let mut out = 0;
    let mut rank = 0;
    while rank < RANKS {
        out |= ((line >> rank & 1) as u128) << (rank * FILES);
        rank += 1;
    }
    out
}

const RANK_STATES: usize = 1 << (FILES - 2);
const FILE_STATES: usize = 1 << (RANKS - 2);

static ALONG_RANK: [[Reach<u16>; RANK_STATES]; FILES] = {
    let mut table = [[Reach { rook: 0, cannon: 0 }; RANK_STATES]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut inner = 0;
        while inner < RANK_STATES {
            table[file][inner] = reach(FILES, file, inner as u16);
            inner += 1;
        }
        file += 1;
    }
    table
};

static ALONG_FILE: [[Reach<u128>; FILE_STATES]; RANKS] = {
    let mut table = [[Reach { rook: 0, cannon: 0 }; FILE_STATES]; RANKS];
    let mut rank = 0;
    while rank < RANKS {
        let mut inner = 0;
        while inner < FILE_STATES {
            let line = reach(RANKS, rank, inner as u16);
            table[rank][inner] = Reach { rook: on_file(line.rook), cannon: on_file(line.cannon) };
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// Masks and factors of a file: from the occupancy to the state of its inner squares, and from a reach to the board.
///
/// Multiplications take fewer instructions than shifts of two words by a variable number of bits.
struct OfFile {
    /// The inner squares.
    inner: u128,
    /// Sends the inner square of rank `k` (1 to 8) to bit `FILE_STATE_AT + k - 1` of a product; no two products collide.
    pack: u128,
    /// Moves a reach from file `a` to this file.
    unit: u64,
}

/// Masks and factors of a rank, whose inner squares all lie in one half of the word.
struct OfRank {
    /// The inner squares in the low and the high half; one of the two is empty.
    inner: [u64; 2],
    /// Moves them to the last bits of a half.
    pack: u64,
    /// Move a reach to the low half, and to the double of the high half: the first square of rank 7 lies in the low half.
    units: [u64; 2],
}

/// Bit of a product at which the state of a file begins: its last eight bits.
const FILE_STATE_AT: usize = 120;
/// Bit of a product at which the state of a rank begins: its last seven bits.
const RANK_STATE_AT: usize = 57;

static OF_FILE: [OfFile; FILES] = {
    const NONE: OfFile = OfFile { inner: 0, pack: 0, unit: 0 };
    let mut table = [NONE; FILES];
    let mut file = 0;
    while file < FILES {
        let mut pack = 0;
        let mut k = 1;
        while k <= RANKS - 2 {
            pack |= 1 << (FILE_STATE_AT + k - 1 - (k * FILES + file));
            k += 1;
        }
        table[file] = OfFile { inner: on_file(0b01_1111_1110) << file, pack, unit: 1 << file };
        file += 1;
    }
    table
};

static OF_RANK: [OfRank; RANKS] = {
    const NONE: OfRank = OfRank { inner: [0; 2], pack: 0, units: [0; 2] };
    const HALF: usize = u64::BITS as usize;
    let mut table = [NONE; RANKS];
    let mut rank = 0;
    while rank < RANKS {
        let (first, first_inner) = (rank * FILES, rank * FILES + 1);
        table[rank] = OfRank {
            inner: Bitboard(((RANK_STATES - 1) as u128) << first_inner).halves(),
            pack: 1 << (RANK_STATE_AT - first_inner % HALF),
            units: [
                if first < HALF { 1 << first } else { 0 },
                if first_inner < HALF { 0 } else { 1 << (first_inner - HALF) },
            ],
        };
        rank += 1;
    }
    table
};

impl OfFile {
    fn state(&self, occupied: Bitboard) -> usize {
        ((occupied.0 & self.inner).wrapping_mul(self.pack) >> FILE_STATE_AT) as usize
    }

    fn on_board(&self, reach: u128) -> u128 {
        reach * u128::from(self.unit)
    }
}

impl OfRank {
    fn state(&self, occupied: Bitboard) -> usize {
        let [low, high] = occupied.halves();
        ((low & self.inner[0] | high & self.inner[1]).wrapping_mul(self.pack) >> RANK_STATE_AT) as usize
    }

    fn on_board(&self, reach: u16) -> u128 {
        let [low, doubled] = self.units.map(|unit| u64::from(reach).wrapping_mul(unit));
        u128::from(doubled >> 1) << u64::BITS | u128::from(low)
    }
}

/// Rook and cannon attacks from `square` on a board with these squares occupied.
#[inline(always)] // most callers use one of the two
pub fn slider_attacks(square: Square, occupied: Bitboard) -> SliderAttacks {
    let (rank, file) = (square.rank(), square.file());
    let (of_rank, of_file) = (&OF_RANK[rank], &OF_FILE[file]);
    let along_rank = &ALONG_RANK[file][of_rank.state(occupied)];
    let along_file = &ALONG_FILE[rank][of_file.state(occupied)];
    SliderAttacks {
        rook: Bitboard(of_rank.on_board(along_rank.rook) | of_file.on_board(along_file.rook)),
        cannon: Bitboard(of_rank.on_board(along_rank.cannon) | of_file.on_board(along_file.cannon)),
    }
}

static LINES: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let (file, rank) = (index % FILES, index / FILES);
        table[index] = Bitboard(Bitboard::file(file).0 | Bitboard::rank(rank).0);
        index += 1;
    }
    table
};

/// The rank and the file of `square`.
pub fn lines(square: Square) -> Bitboard {
    LINES[square.index()]
}

static BY_FILE: [Bitboard; FILES] = {
    let mut table = [Bitboard::EMPTY; FILES];
    let mut file = 0;
    while file < FILES {
        table[file] = Bitboard::file(file);
        file += 1;
    }
    table
};

/// The squares strictly between two squares of one rank or file.
pub fn between(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let span = Bitboard::of(high).0 - 2 * Bitboard::of(low).0;
    let on_one_rank = high.index() - low.index() < FILES;
    if on_one_rank { Bitboard(span) } else { Bitboard(span & BY_FILE[a.file()].0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix::SplitMix64;

    fn walk(square: Square, occupied: Bitboard) -> SliderAttacks {
        let mut out = SliderAttacks { rook: Bitboard::EMPTY, cannon: Bitboard::EMPTY };
        for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let mut screens = 0;
            let mut at = square.offset(files, ranks);
            while let Some(next) = at.filter(|_| screens < 2) {
                let reached = if screens == 0 { &mut out.rook } else { &mut out.cannon };
                *reached = reached.with(next);
                screens += usize::from(occupied.has(next));
                at = next.offset(files, ranks);
            }
        }
        out
    }

    #[test]
    fn the_tables_match_a_walk_over_the_board() {
        let mut random = SplitMix64::new(1);
        for round in 0..if cfg!(miri) { 10 } else { 5_000 } {
            let mut occupied = Bitboard::ALL.0;
            for _ in 0..=round % 4 {
                occupied &= (random.word() as u128) << 64 | random.word() as u128;
            }
            for square in Square::all() {
                assert_eq!(slider_attacks(square, Bitboard(occupied)), walk(square, Bitboard(occupied)));
            }
        }
    }

    #[test]
    fn between_excludes_both_ends() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        assert_eq!(between(square("a0"), square("d0")), [square("b0"), square("c0")].into_iter().collect());
        assert_eq!(between(square("e3"), square("e0")), [square("e1"), square("e2")].into_iter().collect());
        assert_eq!(between(square("e0"), square("e1")), Bitboard::EMPTY);
        assert_eq!(between(square("i9"), square("a9")).count(), 7);
    }
}
