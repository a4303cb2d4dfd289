//! Openings from the first moves of PGN games, in any notation, several games per file.

use anyhow::Error;

use super::opening::Opening;
use crate::pgn::read::{PgnGame, PgnReader};

/// Returns the first `plies` of each game, or all its moves; an error comes with its line.
pub(super) fn read_openings(text: &str, plies: Option<usize>) -> Result<Vec<Opening>, (usize, Error)> {
    let games = PgnReader::new(text).up_to(plies);
    games.map(|game| opening(game.map_err(|fault| (fault.line, Error::msg(fault.reason)))?)).collect()
}

fn opening(game: PgnGame) -> Result<Opening, (usize, Error)> {
    let name = game.tag("Opening").or_else(|| game.tag("ECCO")).map(str::to_owned);
    let opening = Opening { name, start: game.start, moves: game.moves };
    opening.check().map_err(|error| (game.line, error))?;
    Ok(opening)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::decode;
    use chuhe::board::Position;
    use encoding_rs::GB18030;

    const GAMES: &str = "[Game \"Chinese Chess\"]\n[Opening \"central cannon\"]\n\n\
        1. 炮二平五 {good} 马８进７ ; rest\n2. H2+3 (2. C2+4 (x) y) R9=8 1-0\n\n\
        [Event \"second\"]\n[FEN \"4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1\"]\n\n1.F1-E1 *\n1. h2e2 h9g7 1/2-1/2";

    fn fens(text: &str, plies: Option<usize>) -> Vec<String> {
        read_openings(text, plies).unwrap().iter().map(|opening| opening.position().to_fen()).collect()
    }

    #[test]
    fn several_games_are_cut_after_so_many_plies() {
        let all = read_openings(GAMES, None).unwrap();
        assert_eq!(all.len(), 3);
        assert_eq!(all[0].name.as_deref(), Some("central cannon"));
        let after = |moves: &[&str]| {
            moves.iter().fold(Position::start(), |position, mv| position.play(mv.parse().unwrap())).to_fen()
        };
        assert_eq!(all[0].position().to_fen(), after(&["h2e2", "h9g7", "h0g2", "i9h9"]));
        let cut = fens(GAMES, Some(1));
        assert_eq!(cut[0], after(&["h2e2"]));
        assert_eq!(cut[2], after(&["h2e2"]));
    }

    #[test]
    fn older_files_are_in_another_encoding() {
        let (bytes, _, _) = GB18030.encode("1. 炮二平五");
        assert_eq!(fens(&decode(bytes.into_owned()).unwrap(), None), fens("1. h2e2", None));
    }

    #[test]
    fn faults_have_a_line() {
        for (text, line) in [
            ("[A \"b\"]\n\n1. h2e2\nh2h9 *", 4),
            ("[A b]\n", 1),
            ("1. h2e2\n{ no end", 2),
            ("[A \"b\"]\n[FEN \"9/9 w\"]\n\n*", 1),
        ] {
            assert_eq!(read_openings(text, None).unwrap_err().0, line, "{text}");
        }
    }
}
