//! Rook and cannon attacks from two small line tables, built at compile time.
//!
//! A rank gives seven inner bits of occupancy, a file eight bits gathered by one magic multiplication; one lookup per line
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

/// The inner squares of file `a`.
const INNER_FILE: u128 = on_file(0b01_1111_1110);
/// Lowest bit of the byte into which the multiplication packs the inner file.
const PACKED_AT: usize = 112;
/// Magic factor: sends bit `9 * k` (`k` = 1..=8) to bit `PACKED_AT + k - 1`, where no two products collide.
const PACK: u128 = {
    let mut factor = 0;
    let mut k = 1;
    while k <= RANKS - 2 {
        factor |= 1 << (PACKED_AT - 1 - 8 * k);
        k += 1;
    }
    factor
};

/// Rook and cannon attacks from `square` on a board with these squares occupied.
pub fn slider_attacks(square: Square, occupied: Bitboard) -> SliderAttacks {
    let (rank, file) = (square.rank(), square.file());
    let rank_index = (occupied.0 >> (rank * FILES + 1)) as usize % RANK_STATES;
    let file_index = (((occupied.0 >> file) & INNER_FILE).wrapping_mul(PACK) >> PACKED_AT) as usize % FILE_STATES;
    let along_rank = &ALONG_RANK[file][rank_index];
    let along_file = &ALONG_FILE[rank][file_index];
    SliderAttacks {
        rook: Bitboard((along_rank.rook as u128) << (rank * FILES) | along_file.rook << file),
        cannon: Bitboard((along_rank.cannon as u128) << (rank * FILES) | along_file.cannon << file),
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
