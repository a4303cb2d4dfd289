//! Games from CHE, the files of QQ's Xiangqi: decimal numbers, each ended by one other character.
//!
//! The layout is what XQFTOOLS of the ElephantEye project reads: a number, the number of moves, and ten numbers for each move, of
//! which the fourth to the seventh are the rank and the file of the origin and of the destination, ranks from Red's side and
//! files from its left. Games begin from the starting position and have no result, unless a king is taken.

use chuhe::board::{FILES, Kind, Move, Position, RANKS, Square};

use crate::game::{Faulty, Game, Outcome};

/// Numbers of a move.
const MOVE: usize = 10;
/// Place of the first coordinate among them.
const COORDINATES: usize = 3;

/// Reads the game of a file.
///
/// # Errors
/// If it is no such file, or a move is not legal.
pub fn read(bytes: &[u8]) -> Result<Game, Faulty> {
    let mut numbers = bytes.split(|byte| !byte.is_ascii_digit()).map(number);
    let count = numbers.nth(1).flatten().ok_or("no number of moves: no CHE file")?;
    let mut game = Game::bare(Position::start(), vec![]);
    let mut position = game.start;
    for ply in 1..=count {
        let of_move: Vec<Option<usize>> = numbers.by_ref().take(MOVE).collect();
        if of_move.len() < MOVE {
            return Err(format!("ply {ply}: the file ends before its {count} moves"));
        }
        let square = |at: usize| {
            let (rank, file) = (of_move[at]?, of_move[at + 1]?);
            (rank < RANKS && file < FILES).then(|| Square::new(file, rank))
        };
        let squares = square(COORDINATES).zip(square(COORDINATES + 2)).filter(|(from, to)| from != to);
        let (from, to) = squares.ok_or_else(|| format!("ply {ply}: no move"))?;
        let mv = Move::new(from, to);
        if ply == count && position.piece_on(to).is_some_and(|piece| piece.kind() == Kind::King) {
            // QQ plays on until a king is taken.
            game.result = Some(Outcome::Won(position.side()));
            break;
        }
        if !position.is_legal(mv) {
            return Err(format!("ply {ply}: {mv} is not legal"));
        }
        position = position.play(mv);
        game.moves.push(mv);
    }
    Ok(game)
}

/// Reads digits; nothing is 0, as two characters that end a number follow one another.
fn number(digits: &[u8]) -> Option<usize> {
    let text = str::from_utf8(digits).ok()?;
    if text.is_empty() { Some(0) } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::board::Side;

    fn file(moves: &[&str]) -> String {
        let squares = |mv: &str| -> [usize; 4] {
            let mv: Move = mv.parse().unwrap();
            [mv.from().rank(), mv.from().file(), mv.to().rank(), mv.to().file()]
        };
        let texts = moves.iter().map(|mv| {
            let [from_rank, from_file, to_rank, to_file] = squares(mv);
            format!("32 1 0 {from_rank} {from_file} {to_rank} {to_file} 0 0 0 ")
        });
        format!("1 {} {}", moves.len(), texts.collect::<String>())
    }

    #[test]
    fn numbers_are_moves() {
        let game = read(file(&["h2e2", "h9g7", "h0g2"]).as_bytes()).unwrap();
        assert_eq!((game.start, game.result), (Position::start(), None));
        assert_eq!(game.moves, ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()));
    }

    #[test]
    fn a_king_that_is_taken_ends_the_game() {
        let game = read(file(&["h2e2", "a6a5", "e2e6", "a5a4", "e6e9"]).as_bytes()).unwrap();
        assert_eq!((game.moves.len(), game.result), (4, Some(Outcome::Won(Side::Red))));
    }

    #[test]
    fn the_file_of_the_tests_is_read() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/games/small.che");
        assert_eq!(read(&std::fs::read(path).unwrap()).unwrap().moves.len(), 4);
    }

    #[test]
    fn bad_files_have_one_line() {
        let good = file(&["h2e2", "h9g7"]);
        for (text, expected) in [
            ("", "no number of moves"),
            ("my diary", "no number"),
            (&good[..good.len() - 4], "ply 2: the file ends before its 2 moves"),
            (&good.replace("2 7 2 4", "2 7 2 9"), "ply 1: no move"),
            (&good.replace("2 7 2 4", "2 7 8 7"), "ply 1: h2h8 is not legal"),
            ("1 99999999999999999999999 1", "no number of moves"),
        ] {
            match read(text.as_bytes()) {
                Err(fault) => assert!(fault.starts_with(expected), "{fault}"),
                // Words without numbers are a game without moves.
                Ok(game) => assert!(text == "my diary" && game.moves.is_empty(), "{text}"),
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(text in "[0-9 ,\n]{0,200}") {
            let _ = read(text.as_bytes());
        }
    }
}
