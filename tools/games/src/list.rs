//! Lists: one game per line, as moves in any notation, optionally after `startpos` or a FEN and `moves`, optionally with a
//! result at the end. Lines that begin with `#` are comments. Ranks of coordinates count from 0, or from 1 if a line makes
//! sense only so.

use anyhow::{Context, Result, bail};
use chuhe::board::{Position, RankBase};

use crate::game::{Faulty, Game, Outcome};
use crate::parts::{read_move, without_number};

/// Returns the games of a decoded text, including errors for those that do not replay.
pub fn read(text: &str) -> Vec<Result<Game, Faulty>> {
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let read = |line| game(line, RankBase::Zero).or_else(|error| game(line, RankBase::One).map_err(|_| error));
    lines.map(|(line, number)| read(line).map_err(|error| format!("line {number}: {error:#}"))).collect()
}

fn game(line: &str, ranks: RankBase) -> Result<Game> {
    let line = line.strip_prefix("position ").unwrap_or(line).trim();
    let (start, moves) = match line.split_once(" moves ") {
        Some((start, moves)) => (position(start)?, moves),
        None if line.contains('/') && !line.contains(" 1/2-1/2") && !line.starts_with("1/2") => (position(line)?, ""),
        None => (Position::start(), line.strip_prefix("startpos").unwrap_or(line)),
    };
    let mut game = Game::bare(start, vec![]);
    let mut now = start;
    for word in moves.split_whitespace() {
        if game.result.is_some() {
            bail!("{word:?} follows the result");
        }
        if let Some(outcome) = Outcome::from_text(word) {
            game.result = Some(outcome);
            continue;
        }
        let text = without_number(word);
        if word == "*" || text.is_empty() {
            continue;
        }
        let mv = read_move(&now, text, ranks).with_context(|| format!("ply {}", game.moves.len() + 1))?;
        now = now.play(mv);
        game.moves.push(mv);
    }
    Ok(game)
}

fn position(text: &str) -> Result<Position> {
    let fen = text.trim().strip_prefix("fen ").unwrap_or(text.trim());
    if fen == "startpos" {
        return Ok(Position::start());
    }
    let is_counter = |word: &str| word == "-" || word.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((_, word)) =
        fen.split_whitespace().enumerate().find(|&(at, word)| at > 5 || at > 1 && !is_counter(word))
    {
        bail!("{word:?} stands after the position; `moves` comes before its moves");
    }
    Ok(Position::from_fen(fen)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_game() {
        let text = "# mine\n\nh2e2 h9g7 1-0\nposition startpos moves h2e2\n\
            fen 4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1 moves f1e1\n1.炮二平五 1...马８进７ 2 … 2. H2+3 1/2-1/2\n";
        let games: Vec<_> = read(text).into_iter().map(Result::unwrap).collect();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 1, 1, 3]);
        assert_eq!(games[3].result, Some(Outcome::Drawn));
        assert_eq!(games[2].start.piece_on("f1".parse().unwrap()).map(|piece| piece.letter()), Some('R'));
    }

    #[test]
    fn a_bad_line_is_named() {
        let faults: Vec<_> = read("h2e2\nh2e2 h2e2\nfen 9/9 w moves a0a1\n1-0 h2e2\n");
        let faults: Vec<_> = faults.into_iter().filter_map(Result::err).collect();
        assert_eq!(faults.len(), 3);
        assert!(faults[0].starts_with("line 2: ply 2: "), "{}", faults[0]);
        assert!(faults[1].starts_with("line 3: ") && faults[2].starts_with("line 4: "));
        for line in ["4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1 f1e1", "4k4/9/9/9/9/9/9/9/5R3/3K5 w f1e1 1-0"] {
            let fault = read(line).remove(0).unwrap_err();
            assert!(fault.contains("\"f1e1\" stands after the position"), "{fault}");
        }
    }
}
