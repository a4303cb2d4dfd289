//! Every way to write a move, there and back: random games and crowds of pawns.

mod support;

use std::collections::HashMap;

use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, read, write};
use support::crowd::{crowded_position, pawn_crowds};
use support::random::Random;

const LONGEST_GAME: usize = 200;

#[track_caller]
fn assert_survives(position: &Position, mv: Move) {
    for notation in Notation::ALL {
        let text = write(position, mv, notation);
        assert_eq!(read(position, &text, notation), Ok(mv), "{text} for {mv} in {}", position.to_fen());
        assert_eq!(Notation::recognise(&text), notation, "{text}");
    }
}

/// How many moves were written and read.
fn check_all_moves(position: &Position) -> usize {
    let moves = position.legal_moves();
    moves.iter().for_each(|&mv| assert_survives(position, mv));
    moves.len()
}

#[test]
#[ignore = "seven million moves take ten seconds in release; run by ci/deep.sh"]
fn every_move_of_a_thousand_random_games_survives_each_notation() {
    let mut random = Random::new(1);
    let mut count = 0;
    for _ in 0..1000 {
        let mut position = Position::start();
        for _ in 0..LONGEST_GAME {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            count += check_all_moves(&position);
            position = position.play(random.pick(&moves));
        }
    }
    println!("{count} moves of random games");
    assert!(count > 1_000_000);
}

/// Checks so many crowded boards and says how many there were of each formation of the mover's pawns.
fn check_crowds(boards: usize) -> HashMap<Vec<usize>, usize> {
    let mut random = Random::new(2);
    let (mut formations, mut count) = (HashMap::new(), 0);
    for _ in 0..boards {
        let position = crowded_position(&mut random);
        *formations.entry(pawn_crowds(&position)).or_default() += 1;
        count += check_all_moves(&position);
    }
    println!("{count} moves of {boards} crowded boards: {formations:?}");
    formations
}

#[track_caller]
fn assert_all_formations(formations: &HashMap<Vec<usize>, usize>) {
    for formation in [&[][..], &[2], &[3], &[4], &[5], &[2, 2], &[3, 2]] {
        assert!(formations.contains_key(formation), "no board with pawns {formation:?} on a file");
    }
}

#[test]
fn every_move_of_crowded_boards_survives_each_notation() {
    assert_all_formations(&check_crowds(2000));
}

#[test]
#[ignore = "two hundred thousand boards take five seconds in release; run by ci/deep.sh"]
fn every_move_of_many_crowded_boards_survives_each_notation() {
    assert_all_formations(&check_crowds(200_000));
}
