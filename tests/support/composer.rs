//! Positions won by force, composed at random from a seed.
//!
//! A composition begins with attackers around both kings. It is then changed many times, and a change is kept if the mate
//! becomes no easier: a piece is added, removed or moved, or one move of each side is taken back. The defender's move that
//! is taken back may be a capture, which is how sacrifices arise.

use chuhe::board::{FILES, Kind, Move, Piece, Position, RANKS};
use chuhe::endgame::{Outcome, Tables};
use chuhe::splitmix::SplitMix64;

use super::forced::{Force, Trial};

/// Letters of a FEN, black's back rank first; a dot stands for an empty square.
type Board = [[char; FILES]; RANKS];

/// Most positions that each exhaustive search may visit while a composition is made.
const NODES: u64 = 50_000;
/// Number of changes tried on each composition.
const CHANGES: usize = 400;
/// Number of changes after which a composition without a mate is given up.
const CHANGES_WITHOUT_MATE: usize = 60;

/// A position that is won by force, with the force and the first move.
#[derive(Clone, Debug)]
pub(crate) struct Composition {
    pub(crate) position: Position,
    pub(crate) force: Force,
    pub(crate) key: Move,
}

impl Composition {
    /// Returns the composition of a position, if an exhaustive search of at most `nodes` positions finds a forced win.
    pub(crate) fn of(position: Position, nodes: u64) -> Option<Self> {
        let mut trial = Trial::of(nodes);
        let force = trial.least(&position).ok()??;
        let key = trial.winning_move(&position, force).ok()??;
        Some(Self { position, force, key })
    }

    /// Returns the worth of a composition; harder ones are worth more.
    pub(crate) fn worth(&self) -> u8 {
        let Force { moves, quiets } = self.force;
        let is_sacrifice = self.kind_of_key() == "sacrifice";
        moves + 3 * quiets + u8::from(is_sacrifice) + u8::from(quiets > 0 && !self.position.gives_check(self.key))
    }

    /// Returns the kind of the mate's first move.
    pub(crate) fn kind_of_key(&self) -> &'static str {
        let (position, mv) = (&self.position, self.key);
        let after = position.play(mv);
        let is_taken = || after.captures().iter().any(|take| take.to() == mv.to());
        let is_precious = |piece: Piece| matches!(piece.kind(), Kind::Rook | Kind::Horse | Kind::Cannon);
        let is_even = position.piece_on(mv.to()).is_some_and(is_precious);
        match position.gives_check(mv) {
            false => "quiet",
            true if is_precious(position.moving_piece(mv)) && !is_even && is_taken() => "sacrifice",
            true => "check",
        }
    }

    /// Formats the composition as a line of the suite.
    pub(crate) fn line(&self, source: &str) -> String {
        let Force { moves, quiets } = self.force;
        format!("{}\t{moves}\t{quiets}\t{}\t{source}", self.position.to_fen(), self.kind_of_key())
    }
}

/// Composes a position of the wanted worth, or of the greatest worth that [`CHANGES`] changes reach.
pub(crate) fn compose(random: &mut SplitMix64, wanted: u8) -> Option<Composition> {
    let judge = |position: Position, best: Option<&Composition>| {
        let least = best.map_or(3, Composition::worth);
        Composition::of(position, NODES).filter(|found| found.worth() >= least)
    };
    climb(random, CHANGES, judge, |found| found.worth() >= wanted)
}

/// Hill climbing over positions with red to move. `judge` returns a result for a position that is no worse than the best
/// so far; each candidate is a change of the last accepted position. Ends early when `is_enough` accepts a result.
pub(crate) fn climb<T>(
    random: &mut SplitMix64,
    changes: usize,
    mut judge: impl FnMut(Position, Option<&T>) -> Option<T>,
    is_enough: impl Fn(&T) -> bool,
) -> Option<T> {
    let mut board = chance(random);
    let mut best: Option<T> = None;
    for change in 0..changes {
        if best.is_none() && change > CHANGES_WITHOUT_MATE {
            break;
        }
        let candidate = match &best {
            None => Some(chance(random)),
            Some(_) if random.below(2) == 0 => earlier(random, &board),
            Some(_) => Some(changed(random, &board)),
        };
        let Some((next, position)) = candidate.and_then(|board| Some((board, red_to_move(&board)?))) else { continue };
        if let Some(found) = judge(position, best.as_ref()) {
            board = next;
            let ends = is_enough(&found);
            best = Some(found);
            if ends {
                break;
            }
        }
    }
    best
}

/// Returns a position of few pieces that the endgame tablebases give as won and that is won by force.
pub(crate) fn from_tables(random: &mut SplitMix64) -> Option<Composition> {
    Composition::of(won_by_tables(random)?, NODES)
}

/// Returns a random ending of at most five men on each side, with red to move.
pub(crate) fn random_ending(random: &mut SplitMix64) -> Option<Position> {
    let mut board = [['.'; FILES]; RANKS];
    for piece in ['k', 'K'] {
        put(random, &mut board, piece);
    }
    for _ in 0..=random.below(2) {
        let attacker = random.pick(&['R', 'N', 'N', 'C', 'C', 'P', 'P']);
        put(random, &mut board, attacker);
    }
    let defenders = if random.below(2) == 0 { "aabb" } else { "ab" };
    for piece in defenders.chars().filter(|_| random.below(3) > 0).collect::<Vec<_>>() {
        put(random, &mut board, piece);
    }
    if random.below(3) == 0 {
        let piece = random.pick(&['n', 'c', 'p', 'r']);
        put(random, &mut board, piece);
    }
    red_to_move(&board)
}

/// Returns a position of few pieces that the embedded endgame tablebases give as won for Red, the side to move.
pub(crate) fn won_by_tables(random: &mut SplitMix64) -> Option<Position> {
    let mut board = [['.'; FILES]; RANKS];
    for piece in ['k', 'K'] {
        put(random, &mut board, piece);
    }
    for pieces in ["RNCP", "NCP"] {
        let attacker = random.pick(&pieces.chars().collect::<Vec<_>>());
        put(random, &mut board, attacker);
    }
    for piece in "aabb".chars().filter(|_| random.below(3) > 0).collect::<Vec<_>>() {
        put(random, &mut board, piece);
    }
    let position = red_to_move(&board)?;
    Tables::embedded().outcome(&position).filter(|&outcome| outcome == Outcome::Win)?;
    Some(position)
}

fn position_of(board: &Board, side: char) -> Option<Position> {
    let rank = |rank: &[char; FILES]| rank.iter().map(|&piece| if piece == '.' { '1' } else { piece }).collect();
    let ranks: Vec<String> = board.iter().map(rank).collect();
    Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).ok()
}

fn red_to_move(board: &Board) -> Option<Position> {
    position_of(board, 'w').filter(Position::has_legal_move)
}

/// A file and a rank of the board.
type Place = (usize, usize);

fn all_places() -> impl Iterator<Item = Place> {
    (0..RANKS).flat_map(|rank| (0..FILES).map(move |file| (file, rank)))
}

/// Returns a random place where a piece of this letter may stand and is useful.
fn some_place(random: &mut SplitMix64, piece: char) -> Place {
    let elsewhere = |random: &mut SplitMix64, ranks: std::ops::Range<usize>| {
        (random.below(FILES), ranks.start + random.below(ranks.len()))
    };
    let palace = |random: &mut SplitMix64, top: usize| (3 + random.below(3), top + random.below(3));
    match piece {
        'k' => palace(random, 0),
        'K' => palace(random, 7),
        'a' => random.pick(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]),
        'A' => random.pick(&[(3, 9), (5, 9), (4, 8), (3, 7), (5, 7)]),
        'b' => random.pick(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]),
        'B' => random.pick(&[(2, 9), (6, 9), (0, 7), (4, 7), (8, 7), (2, 5), (6, 5)]),
        'P' => elsewhere(random, 0..5),
        'p' => elsewhere(random, 5..RANKS),
        // Attackers mostly stand near the other king.
        'R' | 'N' | 'C' => elsewhere(random, 0..7),
        _ => elsewhere(random, 3..RANKS),
    }
}

fn put(random: &mut SplitMix64, board: &mut Board, piece: char) {
    let (file, rank) = some_place(random, piece);
    if board[rank][file] == '.' {
        board[rank][file] = piece;
    }
}

/// Returns a random board with attackers around both kings.
fn chance(random: &mut SplitMix64) -> Board {
    let mut board = [['.'; FILES]; RANKS];
    put(random, &mut board, 'k');
    put(random, &mut board, 'K');
    for (pieces, percent) in [("RRNNCCPPP", 50), ("aabb", 70), ("rrnnccpp", 40), ("AABB", 20)] {
        for piece in pieces.chars() {
            if random.below(100) < percent {
                put(random, &mut board, piece);
            }
        }
    }
    board
}

/// Returns the board with a piece added, removed or moved.
fn changed(random: &mut SplitMix64, board: &Board) -> Board {
    let mut next = *board;
    for _ in 0..=random.below(2) {
        let (file, rank) = (random.below(FILES), random.below(RANKS));
        let piece = next[rank][file];
        match piece {
            '.' => {
                let piece = random.pick(&"RNCPabrncpAB".chars().collect::<Vec<_>>());
                put(random, &mut next, piece);
            }
            'k' | 'K' => {}
            _ => {
                next[rank][file] = '.';
                if random.below(2) == 0 {
                    put(random, &mut next, piece);
                }
            }
        }
    }
    next
}

/// Returns a position that may have occurred two plies earlier, with red to move in both.
fn earlier(random: &mut SplitMix64, board: &Board) -> Option<Board> {
    let taken = if random.below(3) > 0 { random.pick(&['R', 'N', 'C', 'P']) } else { '.' };
    let (before_reply, replied_on) = taken_back(random, board, 'b', taken)?;
    // If a piece was taken, it had moved to that square; otherwise any piece may have moved.
    let moved_to = (taken != '.').then_some(replied_on);
    let taken = if random.below(5) == 0 { random.pick(&['r', 'n', 'c', 'p', 'a', 'b']) } else { '.' };
    match moved_to {
        Some(place) => taken_back_from(random, &before_reply, 'w', place, taken),
        None => taken_back(random, &before_reply, 'w', taken).map(|(board, _)| board),
    }
}

/// Takes back a move of this side by a random piece that captured `taken`, and returns the board before it and the place
/// that the piece moved to.
fn taken_back(random: &mut SplitMix64, board: &Board, side: char, taken: char) -> Option<(Board, Place)> {
    let is_own = |&(file, rank): &Place| {
        let piece = board[rank][file];
        if side == 'w' { piece.is_ascii_uppercase() } else { piece.is_ascii_lowercase() }
    };
    let place = random.pick(&all_places().filter(is_own).collect::<Vec<_>>());
    Some((taken_back_from(random, board, side, place, taken)?, place))
}

/// Takes back a move to `to` that captured `taken`, and returns the board before it.
fn taken_back_from(random: &mut SplitMix64, board: &Board, side: char, to: Place, taken: char) -> Option<Board> {
    let before = |from: Place| {
        let mut before = *board;
        (before[from.1][from.0], before[to.1][to.0]) = (board[to.1][to.0], taken);
        let position = position_of(&before, side)?;
        position.is_legal(move_between(from, to)?).then_some(before)
    };
    let empty = all_places().filter(|&(file, rank)| board[rank][file] == '.');
    let boards: Vec<Board> = empty.filter_map(before).collect();
    if boards.is_empty() { None } else { Some(random.pick(&boards)) }
}

fn move_between(from: Place, to: Place) -> Option<Move> {
    let square =
        |(file, rank): Place| format!("{}{}", char::from(b'a' + u8::try_from(file).unwrap()), RANKS - 1 - rank);
    format!("{}{}", square(from), square(to)).parse().ok()
}
