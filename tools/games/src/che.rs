//! Games from CHE, the files of QQ's Xiangqi: decimal numbers, each ended by one other character.
//!
//! The layout is what XQFTOOLS of the ElephantEye project reads, and a published file of 62 moves agrees with it
//! (`blog.csdn.net/jcwKyl/article/details/2223585`): a number, the number of moves, and ten numbers for each move: a piece, 32,
//! the side (1 for Red, 0 for Black), rank and file of the origin, those of the destination, 0, the number of the move, and 0.
//! Ranks count from Red's side and files from its left. Games begin from the starting position and have no result, unless a king
//! is taken: QQ does not look at checks.

use chuhe::board::{FILES, Kind, Move, Position, RANKS, Square};

use crate::game::{Faulty, Game, Outcome, loses_king};

/// Numbers of a move.
const MOVE: usize = 10;
/// Place of the first coordinate among them.
const COORDINATES: usize = 3;

/// Reads the game of a file.
///
/// # Errors
/// If it is no such file, or a move is not legal.
pub fn read(bytes: &[u8]) -> Result<Game, Faulty> {
    let moves = read_moves(bytes)?;
    let mut game = Game::bare(Position::start(), vec![]);
    let mut position = game.start;
    for (index, &mv) in moves.iter().enumerate() {
        let takes_king = position.piece_on(mv.to()).is_some_and(|piece| piece.kind() == Kind::King);
        match moves[index + 1..] {
            [] if takes_king => game.result = Some(Outcome::Won(position.side())),
            [last] if loses_king(&position, mv, last) => game.result = Some(Outcome::Won(!position.side())),
            _ if position.is_legal(mv) => {
                position = position.play(mv);
                game.moves.push(mv);
                continue;
            }
            _ => return Err(format!("ply {}: {mv} is not legal", index + 1)),
        }
        break;
    }
    Ok(game)
}

/// Reads the moves, legal or not.
fn read_moves(bytes: &[u8]) -> Result<Vec<Move>, Faulty> {
    let mut numbers = bytes.split(|byte| !byte.is_ascii_digit()).map(number);
    let count = numbers.nth(1).flatten().ok_or("no number of moves: not a CHE file")?;
    let mut moves = vec![];
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
        moves.push(Move::new(from, to));
    }
    Ok(moves)
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
        let texts = moves.iter().zip(1..).map(|(mv, number)| {
            let [from_rank, from_file, to_rank, to_file] = squares(mv);
            format!("21 32 {} {from_rank} {from_file} {to_rank} {to_file} 0 {number} 0 ", number % 2)
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
    fn a_king_may_be_taken_after_a_check_was_ignored() {
        // The advisor becomes the screen of the cannon.
        let game = read(file(&["h2e2", "h9g7", "e2e6", "d9e8", "e6e9"]).as_bytes()).unwrap();
        assert_eq!((game.moves.len(), game.result), (3, Some(Outcome::Won(Side::Red))));
        let blunder = ["h2e2", "h9g7", "e2e6", "d9e8", "e6e9", "a6a5"];
        assert!(read(file(&blunder).as_bytes()).unwrap_err().starts_with("ply 4: "), "the game goes on");
    }

    #[test]
    fn the_files_of_the_tests_are_read() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/games");
        for (name, moves, result) in [("small.che", 4, None), ("taken.che", 3, Some(Outcome::Won(Side::Red)))] {
            let game = read(&std::fs::read(folder.join(name)).unwrap()).unwrap();
            assert_eq!((game.moves.len(), game.result), (moves, result), "{name}");
        }
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
