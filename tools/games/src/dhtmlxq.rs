//! Games from DhtmlXQ, the text format of Xiangqi web pages: pieces and moves as digits, ranks from the top.

use std::collections::BTreeMap;

use chuhe::board::{FILES, Move, Position, RANKS, Square};

use crate::game::{Faulty, Game, Outcome, Variation, replay};
use crate::parts::position;

/// Beginnings of tags; some programs write the second one.
pub(crate) const MARKS: [&str; 2] = ["[DhtmlXQ", "[DHJHtmlXQ"];

/// Returns the games of a decoded text, including errors for those that do not replay.
pub fn read(text: &str) -> Vec<Result<Game, Faulty>> {
    // The first tag of a game has no name.
    let begins_game = |(at, mark): &(usize, &str)| text[at + mark.len()..].starts_with(']');
    let marks = MARKS.iter().flat_map(|mark| text.match_indices(mark));
    let mut starts: Vec<_> = marks.filter(begins_game).map(|(at, _)| at).collect();
    starts.sort_unstable();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts.iter().zip(ends).map(|(&start, end)| (start, &text[start..end]));
    parts.map(|(at, part)| game(part).map_err(|fault| format!("offset {at}: {fault}"))).collect()
}

/// Returns the fields of a game, `[DhtmlXQ_name]value[/DhtmlXQ_name]`, by name.
fn fields(text: &str) -> BTreeMap<&str, &str> {
    let mut fields = BTreeMap::new();
    for part in text.split('[').filter(|part| !part.starts_with('/')) {
        if let Some((name, value)) = part.split_once(']')
            && let Some((_, name)) = name.split_once("HtmlXQ_").or_else(|| name.split_once("htmlXQ_"))
        {
            fields.insert(name, value.trim());
        }
    }
    fields
}

fn game(text: &str) -> Result<Game, Faulty> {
    let fields = fields(text);
    if !["movelist", "binit"].iter().any(|name| fields.contains_key(name)) {
        return Err("neither movelist nor binit: no game".to_owned());
    }
    let main = read_moves(fields.get("movelist").copied().unwrap_or_default())?;
    let start = match fields.get("binit") {
        Some(digits) => {
            let squares = read_squares(digits)?;
            position(&squares, main.first().copied()).map_err(|error| format!("binit: {error}"))?
        }
        None => Position::start(),
    };
    let main_positions = positions(start, &main, 0)?;
    let mut game = Game::bare(start, main);
    game.result = fields.get("result").and_then(|result| outcome(result));
    game.players = ["red", "black"].map(|name| fields.get(name).copied().unwrap_or_default().to_owned());
    let mut lines = BTreeMap::from([(0, (0, main_positions))]);
    let mut places = BTreeMap::from([(0, (0, 0))]);
    let mut branches: Vec<_> = fields.iter().filter_map(|(name, value)| Some((branch(name)?, *value))).collect();
    // A line branches off from lines with smaller numbers, so parents come first.
    branches.sort_by_key(|(branch, _)| branch[2]);
    for ([parent, ply, own], value) in branches {
        let moves = read_moves(value)?;
        let (first, of_parent) = lines.get(&parent).ok_or_else(|| format!("line {own} leaves no line {parent}"))?;
        let at = ply.checked_sub(first + 1).and_then(|index| of_parent.get(index));
        let start = *at.ok_or_else(|| format!("line {own} leaves line {parent} at ply {ply}, where it is not"))?;
        lines.insert(own, (ply - 1, positions(start, &moves, ply - 1)?));
        game.variations.push(Variation { ply: ply - 1, start, moves });
        places.insert(own, (game.variations.len(), ply - 1));
    }
    comments(&fields, &places, &mut game);
    Ok(game)
}

/// Adds the comments that belong to a line of the game; `places` has the number of each line and the plies before it.
fn comments(fields: &BTreeMap<&str, &str>, places: &BTreeMap<usize, (usize, usize)>, game: &mut Game) {
    for (name, text) in fields {
        let Some([own, ply]) = commented(name) else { continue };
        if let Some(&(line, first)) = places.get(&own)
            && let Some(moves) = ply.checked_sub(first).filter(|&moves| moves > 0 || line == 0)
        {
            game.comment(line, moves, &text.replace("||", "\n"));
        }
    }
}

/// Parses `comment12` and `comment2_15`: line and ply, 0 before the first move.
fn commented(name: &str) -> Option<[usize; 2]> {
    let place = name.strip_prefix("comment")?;
    let (line, ply) = place.split_once('_').unwrap_or(("0", place));
    Some([line.parse().ok()?, ply.parse().ok()?])
}

/// Parses `move_0_12_3`: parent, ply from 1, own number.
fn branch(name: &str) -> Option<[usize; 3]> {
    let mut numbers = name.strip_prefix("move_")?.split('_').map(|number| number.parse().ok());
    let branch = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(branch)
}

fn outcome(text: &str) -> Option<Outcome> {
    use chuhe::board::Side;
    match text {
        "红胜" | "紅勝" => Some(Outcome::Won(Side::Red)),
        "黑胜" | "黑勝" => Some(Outcome::Won(Side::Black)),
        "和棋" | "和局" | "和" => Some(Outcome::Drawn),
        other => Outcome::from_text(other),
    }
}

/// Returns the positions of a line that leaves the game after `ply` plies.
fn positions(start: Position, moves: &[Move], ply: usize) -> Result<Vec<Position>, Faulty> {
    replay(start, moves.iter().copied()).map_err(|(index, mv)| format!("ply {}: {mv} is not legal", ply + index + 1))
}

fn read_squares(digits: &str) -> Result<Vec<Option<Square>>, Faulty> {
    let pairs = pairs(digits)?;
    if pairs.len() != 32 {
        return Err(format!("binit: {} pieces instead of 32", pairs.len()));
    }
    Ok(pairs.into_iter().map(square).collect())
}

fn read_moves(digits: &str) -> Result<Vec<Move>, Faulty> {
    let squares: Vec<_> = pairs(digits)?.into_iter().map(square).collect();
    let (moves, rest) = squares.as_chunks();
    let read = |&[from, to]: &[Option<_>; 2]| from.zip(to).filter(|(from, to)| from != to);
    let moves: Option<Vec<_>> = moves.iter().map(|pair| read(pair).map(|(from, to)| Move::new(from, to))).collect();
    moves.filter(|_| rest.is_empty()).ok_or_else(|| format!("{digits:?} are not moves"))
}

fn pairs(digits: &str) -> Result<Vec<[usize; 2]>, Faulty> {
    let bytes: Option<Vec<usize>> = digits.chars().map(|c| c.to_digit(10).map(|digit| digit as usize)).collect();
    let (pairs, rest) = bytes.as_deref().unwrap_or(&[0]).as_chunks();
    if rest.is_empty() { Ok(pairs.to_vec()) } else { Err(format!("{digits:?} are not coordinates")) }
}

fn square([file, row]: [usize; 2]) -> Option<Square> {
    (file < FILES).then(|| Square::new(file, RANKS - 1 - row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::board::Side;

    const GAME: &str = "[DhtmlXQ]\n[DhtmlXQ_ver]www[/DhtmlXQ_ver]\n[DhtmlXQ_title]a||b[/DhtmlXQ_title]\n\
        [DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]\n\
        [DhtmlXQ_result]红胜[/DhtmlXQ_result]\n[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\n\
        [DhtmlXQ_move_0_2_1]10227967[/DhtmlXQ_move_0_2_1]\n[DhtmlXQ_move_1_3_2]1927[/DhtmlXQ_move_1_3_2]\n\
        [DhtmlXQ_comment0]残局||a[/DhtmlXQ_comment0][DhtmlXQ_comment2]b[/DhtmlXQ_comment2]\n\
        [DhtmlXQ_comment2_3]c[/DhtmlXQ_comment2_3][DhtmlXQ_comment2_2]lost[/DhtmlXQ_comment2_2]\n[/DhtmlXQ]\n";

    #[test]
    fn a_game_has_its_moves_and_variations() {
        let games = read(&format!("<p>{GAME}</p>{}", GAME.replace("Dhtml", "DHJHtml")));
        assert_eq!(games.len(), 2);
        for game in games {
            let game = game.unwrap();
            assert_eq!(game.start, Position::start());
            assert_eq!(game.moves, ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()));
            assert_eq!(game.result, Some(Outcome::Won(Side::Red)));
            let lines: Vec<_> = game.variations.iter().map(|line| (line.ply, line.moves.len())).collect();
            assert_eq!(lines, [(1, 2), (2, 1)]);
            let comments: Vec<_> = game.comments.iter().map(|it| (it.line, it.moves, &*it.text)).collect();
            assert_eq!(comments, [(0, 0, "残局\na"), (0, 2, "b"), (2, 1, "c")]);
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (from, to, fault) in [
            ("774770627967", "77477062796", "coordinates"),
            ("774770627967", "77477747", "ply 2"),
            ("774770627967", "0909", "are not moves"),
            ("move_1_3_2", "move_7_3_2", "leaves no line"),
            ("move_1_3_2", "move_1_9_2", "leaves line 1 at ply 9"),
            ("091929", "09192", "coordinates"),
            ("09192939", "091929", "31 pieces"),
        ] {
            let found = read(&GAME.replace(from, to)).remove(0).unwrap_err();
            assert!(found.contains(fault), "{found}");
        }
    }

    #[test]
    fn what_tells_neither_moves_nor_pieces_is_no_game() {
        for text in ["", "a page about [DhtmlXQ_ver]www[/DhtmlXQ_ver]", "[DhtmlXQ][DhtmlXQ_title]a[/DhtmlXQ_title]"] {
            assert_eq!(read(text), [Err("offset 0: neither movelist nor binit: no game".to_owned())], "{text}");
        }
        assert!(read("[DhtmlXQ][DhtmlXQ_movelist][/DhtmlXQ_movelist]")[0].is_ok());
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(digits in "[0-9]{0,80}", name in "[a-z_0-9]{0,12}", text in "\\PC{0,40}") {
            let _ = read(&format!("[DhtmlXQ][DhtmlXQ_movelist]{digits}[/DhtmlXQ_movelist][DhtmlXQ_{name}]{digits}{text}"));
        }
    }
}
