//! Plays every claimed win by continuous fours against every defence, with code that knows only stones and rules.

use chuhe::splitmix::SplitMix64;
use chuhe_gobang::board::Board;
use chuhe_gobang::cell::{Cell, read};
use chuhe_gobang::rules::{Side, Winning};
use chuhe_gobang::search::continuous_fours;

/// Effort of one search, in positions.
const NODES: u32 = 2_000;
/// Number of claims replayed per set of rules.
const CLAIMS: usize = 80;

/// Random board with stones close together, so that there are fours.
fn crowded(random: &mut SplitMix64, winning: Winning) -> Board {
    let mut board = Board::new(winning);
    let stones = 14 + random.below(22);
    for _ in 0..stones {
        let near = || {
            let cell = Cell::at(3 + random.below(9) as i32, 3 + random.below(9) as i32);
            cell.filter(|&cell| board.stone(cell).is_none())
        };
        let Some(cell) = std::iter::repeat_with(near).take(50).flatten().next() else { break };
        let side = board.side();
        if board.is_banned(side, cell) {
            continue;
        }
        board.put(cell);
        if board.winner().is_some() {
            board.take_back();
        }
    }
    board
}

/// Lengths of a side's rows through a cell on the four lines, counted from the stones alone.
fn longest_row(board: &Board, cell: Cell, side: Side) -> impl Iterator<Item = i32> {
    (0..4).map(move |direction| {
        let run = |way: i32| {
            (1..15)
                .take_while(|&steps| {
                    cell.step(direction, way * steps).is_some_and(|next| board.stone(next) == Some(side))
                })
                .count()
        };
        (run(-1) + run(1) + 1) as i32
    })
}

fn makes_five(board: &Board, cell: Cell, side: Side) -> bool {
    let exact = board.winning().is_exact(side);
    longest_row(board, cell, side).any(|length| length == 5 || length > 5 && !exact)
}

/// Plays a claimed win to its end against all defences.
fn assert_wins(board: &mut Board, left: u32) {
    assert!(left > 0, "the win is longer than was said: {:?}", board.moves());
    let side = board.side();
    let (plies, first) = continuous_fours(board, 10 * NODES).expect("who has won before the last four still wins");
    assert!(plies <= left, "the win becomes longer: {:?}", board.moves());
    assert!(board.stone(first).is_none() && !board.is_banned(side, first), "{first} may not be played");
    if makes_five(board, first, side) {
        return;
    }
    board.put(first);
    let other = side.other();
    let empty: Vec<Cell> = Cell::all().filter(|&cell| board.stone(cell).is_none()).collect();
    let fives: Vec<Cell> = empty.iter().copied().filter(|&cell| makes_five(board, cell, side)).collect();
    assert!(!fives.is_empty(), "{first} is not a four: {:?}", board.moves());
    for defence in empty {
        if board.is_banned(other, defence) {
            continue;
        }
        assert!(!makes_five(board, defence, other), "{defence} wins for the defender: {:?}", board.moves());
        board.put(defence);
        let five_is_left = fives.iter().any(|&five| five != defence);
        // Otherwise the attack has to go on.
        if !five_is_left {
            assert_wins(board, left - 2);
        }
        board.take_back();
    }
    board.take_back();
}

#[test]
fn claims_are_wins_against_every_defence() {
    for (seed, winning) in [(1, Winning::Forbidden), (2, Winning::Free), (3, Winning::Exact)] {
        let mut random = SplitMix64::new(seed);
        let (mut claims, mut longest) = (0, 0);
        while claims < CLAIMS {
            let mut board = crowded(&mut random, winning);
            if let Some((plies, _)) = continuous_fours(&board, NODES) {
                assert_wins(&mut board, plies);
                claims += 1;
                longest = longest.max(plies);
            }
        }
        assert!(longest >= 9, "{winning:?}: only short ones, at most {longest} plies");
    }
}

#[test]
fn a_four_wins_where_its_only_answer_is_banned() {
    // Black must not make six on 77, and 27 is closed.
    let mut board = Board::new(Winning::Forbidden);
    read("74377547765778E179E327").unwrap().into_iter().for_each(|cell| board.put(cell));
    assert_eq!(board.side(), Side::White);
    assert_eq!(continuous_fours(&board, NODES), Some((3, "67".parse().unwrap())));
    board.put("E5".parse().unwrap());
    assert_eq!(continuous_fours(&board, NODES), None, "black may not, either");
}
