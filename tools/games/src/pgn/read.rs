//! Games from PGN files, with variations, in any notation and encoding; a bad game does not affect the others. Ranks of
//! coordinates count from 0, or from 1 in a game that makes sense only so.

use std::collections::HashSet;
use std::ops::Range;

use chuhe::board::{Move, Position, RankBase};
use chuhe::notation::NotationError;

use super::scanner::{Fault, RESULTS, Scanner, Token};
use crate::game::Variation;
use crate::parts::{coordinates, read_move, without_number};

/// A recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// Line of the first tag or word, from 1.
    pub line: usize,
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    /// Position before the first move.
    pub start: Position,
    /// Moves of the game.
    pub moves: Vec<Move>,
    /// Moves that were not played: alternatives to those of the game.
    pub variations: Vec<Variation>,
    /// Plies at which variations break off, from 1, with the reason.
    pub broken: Vec<(usize, NotationError)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, from the end of the moves or else from a tag.
    pub result: Option<String>,
    /// Bytes of the text that hold the moves, with comments, variations and the result.
    pub move_text: Range<usize>,
}

impl PgnGame {
    /// Returns the value of a tag, by its name in any case; `None` if it is empty or `?`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }
}

fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let value = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str());
    value.filter(|value| !value.is_empty() && *value != "?")
}

/// Error in a PGN file, with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: game {game}: {reason}")]
pub struct PgnFault {
    /// Line, from 1.
    pub line: usize,
    /// Number of the game in the text, from 1.
    pub game: usize,
    /// Reason.
    pub reason: String,
}

/// Iterator over the games of a text. After an error it resumes at the next game that begins with a tag, or, if the error is
/// among the moves, with the number of its first move after an empty line or a result.
pub struct PgnReader<'a> {
    scanner: Scanner<'a>,
    /// Length of the text, in bytes.
    length: usize,
    /// Whether the moves of the game have begun.
    in_moves: bool,
    /// Whether the game broke off at a move that may have been written with ranks from 1.
    at_coordinates: bool,
    games: usize,
    plies: Option<usize>,
}

impl<'a> PgnReader<'a> {
    /// Creates a reader of decoded text.
    pub fn new(text: &'a str) -> Self {
        let length = text.len();
        Self { scanner: Scanner::new(text), length, in_moves: false, at_coordinates: false, games: 0, plies: None }
    }

    /// Ignores everything after `plies` plies, whether playable or not.
    #[must_use]
    pub fn up_to(self, plies: Option<usize>) -> Self {
        Self { plies, ..self }
    }

    /// Parses the next game, if there is one, with ranks from 0 or else from 1.
    fn game(&mut self) -> Result<Option<PgnGame>, Fault> {
        let before = self.scanner;
        let game = self.game_with(RankBase::Zero);
        if game.is_ok() || !self.at_coordinates {
            return game;
        }
        let after = std::mem::replace(&mut self.scanner, before);
        self.game_with(RankBase::One).or_else(|_| {
            (self.scanner, self.in_moves) = (after, true);
            game
        })
    }

    fn game_with(&mut self, ranks: RankBase) -> Result<Option<PgnGame>, Fault> {
        let mut tags = Vec::new();
        (self.in_moves, self.at_coordinates) = (false, false);
        self.scanner.skip_comments()?;
        let line = self.scanner.line;
        let mut names = HashSet::new();
        let mut from = self.scanner.left();
        loop {
            let place = self.scanner;
            let is_behind_empty_line = self.scanner.skip_comments()?;
            let Some((name, value)) = self.scanner.tag()? else {
                from = if tags.is_empty() { from } else { place.left() };
                break;
            };
            if !names.insert(name.to_ascii_lowercase()) && is_behind_empty_line {
                // The tag belongs to the next game: this one has no moves.
                self.scanner = place;
                from = place.left();
                break;
            }
            tags.push((name, value));
        }
        let start = find_tag(&tags, "FEN").map_or_else(|| Ok(Position::start()), Position::from_fen);
        let start = start.map_err(|error| (line, format!("it starts from no position: {error}")))?;
        let mut line_of_play = LineOfPlay { ranks, ..LineOfPlay::new(start, 0, self.plies) };
        let (mut found, mut result, mut any_word) = (Variations::default(), None, false);
        let mut to = None;
        self.in_moves = true;
        while let Some((token, line)) = self.scanner.token()? {
            any_word = true;
            match token {
                Token::Word(word) if RESULTS.contains(&word) => {
                    result = Some(word.to_owned());
                    to = Some(self.scanner.left());
                    self.scanner.skip_advertisement();
                    break;
                }
                Token::Word(word) => {
                    let played = line_of_play.play(word);
                    self.at_coordinates = played.is_err() && coordinates(bare(word), RankBase::One).is_some();
                    played.map_err(|(ply, error)| (line, format!("ply {ply}: {error}")))?;
                }
                Token::Bracket(text) => line_of_play.read_variation(text, &mut found),
            }
        }
        let left = self.scanner.left();
        if tags.is_empty() && !any_word {
            return Ok(None);
        }
        let result = result.or_else(|| find_tag(&tags, "Result").map(str::to_owned));
        let Variations { lines: variations, broken } = found;
        let (moves, move_text) = (line_of_play.moves, self.length - from..self.length - to.unwrap_or(left));
        Ok(Some(PgnGame { line, tags, start, moves, variations, broken, result, move_text }))
    }
}

impl Iterator for PgnReader<'_> {
    type Item = Result<PgnGame, PgnFault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games += 1;
        let game = self.game().map_err(|(line, reason)| {
            self.scanner.skip_to_game(self.in_moves);
            PgnFault { line, game: self.games, reason }
        });
        game.transpose()
    }
}

/// Contents of round brackets.
#[derive(Default)]
struct Variations {
    lines: Vec<Variation>,
    broken: Vec<(usize, NotationError)>,
}

/// Moves being parsed.
struct LineOfPlay {
    ply: usize,
    start: Position,
    /// Position before the last move, where a variation begins.
    before: Position,
    now: Position,
    moves: Vec<Move>,
    plies: Option<usize>,
    ranks: RankBase,
}

/// Strips the number before a move and the marks after it.
fn bare(word: &str) -> &str {
    without_number(word).trim_end_matches(['!', '?'])
}

impl LineOfPlay {
    fn new(start: Position, ply: usize, plies: Option<usize>) -> Self {
        Self { ply, start, before: start, now: start, moves: vec![], plies, ranks: RankBase::Zero }
    }

    fn play(&mut self, word: &str) -> Result<(), (usize, NotationError)> {
        let text = bare(word);
        let ply = self.ply + self.moves.len();
        if text.is_empty() || text.starts_with('$') || self.plies.is_some_and(|plies| ply >= plies) {
            return Ok(());
        }
        let mv = read_move(&self.now, text, self.ranks).map_err(|error| (ply + 1, error))?;
        (self.before, self.now) = (self.now, self.now.play(mv));
        self.moves.push(mv);
        Ok(())
    }

    /// Parses the contents of round brackets: alternatives to the last move, or a comment if they are not moves.
    fn read_variation(&self, text: &str, found: &mut Variations) {
        let Some(ply) = (self.ply + self.moves.len()).checked_sub(1) else { return };
        let mut line = Self { ranks: self.ranks, ..Self::new(self.before, ply, self.plies) };
        let mut nested = Variations::default();
        let mut scanner = Scanner::new(text);
        while let Ok(Some((token, _))) = scanner.token() {
            match token {
                Token::Word(word) if RESULTS.contains(&word) => break,
                Token::Word(word) => {
                    if let Err(fault) = line.play(word) {
                        nested.broken.push(fault);
                        break;
                    }
                }
                Token::Bracket(text) => line.read_variation(text, &mut nested),
            }
        }
        if !line.moves.is_empty() {
            found.lines.push(Variation { ply, start: line.start, moves: line.moves });
            found.lines.extend(nested.lines);
            found.broken.extend(nested.broken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::scanner::DEEPEST;

    fn moves(moves: &[Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn variations_begin_before_the_move_they_follow() {
        let text =
            "1. 炮二平五 马８进７ (1... 炮８平５ 2. 马二进三 (2. 马八进七) 马８进７) 2. H2+3 (good) (C2+4!) R9=8 1-0";
        let game = PgnReader::new(text).next().unwrap().unwrap();
        assert_eq!(moves(&game.moves), ["h2e2", "h9g7", "h0g2", "i9h9"]);
        let found: Vec<_> = game.variations.iter().map(|line| (line.ply, moves(&line.moves).join(" "))).collect();
        let expected = [(1, "h7e7 h0g2 h9g7"), (2, "b0c2"), (2, "e2e6")];
        assert_eq!(found[..2], expected.map(|(ply, text)| (ply, text.to_owned()))[..2]);
        assert_eq!(game.result.as_deref(), Some("1-0"));
    }

    #[test]
    fn the_text_of_the_moves_has_the_comments_and_nothing_of_other_games() {
        let text = "[A \"1\"]\n\n{before} 1. c3c4 {a} (1. g3g4 {b}) c6c5 1-0\n\n[A \"2\"]\n\n1. h2e2 *\n\n[A \"3\"]\n\n[A \"4\"]\n";
        let texts: Vec<_> = PgnReader::new(text).map(|game| text[game.unwrap().move_text].trim()).collect();
        assert_eq!(texts, ["{before} 1. c3c4 {a} (1. g3g4 {b}) c6c5 1-0", "1. h2e2 *", "", ""]);
        let bare = "{of a server} 1. c3c4 c6c5 {good";
        let games: Vec<_> = PgnReader::new(&bare[..bare.len() - 6]).map(|game| game.unwrap().move_text).collect();
        assert_eq!(games.iter().map(|range| &bare[range.clone()]).collect::<Vec<_>>(), ["1. c3c4 c6c5"]);
    }

    #[test]
    fn ranks_count_from_one_where_only_that_makes_sense() {
        let text = "[A \"1\"]\n\n1. h3e3 {+0.31/20 1.2s} h10g8 (1... b10c8 2. H1-G3) 2. h1g3 i10h10 1-0\n\n\
                    [A \"2\"]\n\n1. h2e2 {+0.31/20 1.2s} h9g7 (1... b9c7 2. H0-G2) 2. h0g2 i9h9 1-0\n\n\
                    [A \"3\"]\n\n1. h3e3 h9g7 2. h2e2 *\n\n[A \"4\"]\n\n1. i4i5 *\n";
        let games: Vec<_> = PgnReader::new(text).collect();
        for game in &games[..2] {
            let game = game.as_ref().unwrap();
            assert_eq!(moves(&game.moves), ["h2e2", "h9g7", "h0g2", "i9h9"]);
            assert_eq!(game.variations.len(), 1);
            assert_eq!(moves(&game.variations[0].moves), ["b9c7", "h0g2"]);
        }
        // A game that makes sense in neither is named as one with ranks from 0.
        let fault = games[2].as_ref().unwrap_err();
        assert_eq!((fault.line, fault.reason.as_str()), (11, "ply 1: \"h3e3\" is not a legal move here"));
        assert_eq!(moves(&games[3].as_ref().unwrap().moves), ["i3i4"]);
    }

    #[test]
    fn brackets_in_the_comments_of_a_variation_do_not_end_it() {
        let text = "1. h2e2 h9g7 (1... b9c7 {:) sharp} 2. h0g2) 2. h0g2 1-0";
        let game = PgnReader::new(text).next().unwrap().unwrap();
        assert_eq!(moves(&game.moves), ["h2e2", "h9g7", "h0g2"]);
        let found: Vec<_> = game.variations.iter().map(|line| (line.ply, moves(&line.moves).join(" "))).collect();
        assert_eq!(found, [(1, "b9c7 h0g2".to_owned())]);
    }

    #[test]
    fn a_comment_without_end_is_a_fault_of_its_own_game() {
        let [comment, bracket] = ["a comment has no end", "a bracket has no end"];
        for (open, reason) in [("{", comment), ("(1... b9c7 {", comment), ("(1... b9c7", bracket)] {
            let text = format!(
                "[A \"1\"]\n\n1. h2e2 {open} 1-0\n\n[A \"2\"]\n\n1. c3c4 {{fine}} (1. g3g4) 0-1\n\n[A \"3\"]\n\n1. g3g4 1-0\n"
            );
            let games: Vec<_> = PgnReader::new(&text).map(|game| game.map(|game| game.result.unwrap())).collect();
            let fault = PgnFault { line: 3, game: 1, reason: reason.to_owned() };
            assert_eq!(games, [Err(fault), Ok("0-1".to_owned()), Ok("1-0".to_owned())], "{open}");
        }
    }

    #[test]
    fn several_tags_may_stand_in_a_line_and_quotation_marks_in_a_tag() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 0 1";
        let text = format!("[A \"x\"] [FEN \"{fen}\"][B \"the \"old\" way\"]\n[Result \"1-0\"]\n\n1. h0g2\n");
        let game = PgnReader::new(&text).next().unwrap().unwrap();
        let tags: Vec<_> = game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(tags, [("A", "x"), ("FEN", fen), ("B", "the \"old\" way"), ("Result", "1-0")]);
        assert_eq!((moves(&game.moves).join(" "), game.start), ("h0g2".to_owned(), Position::from_fen(fen).unwrap()));
    }

    #[test]
    fn a_backslash_in_a_tag_stands_before_what_would_end_it() {
        for (written, meant) in [
            (r"A\\", r"A\"),
            (r#"the \"old\" way"#, r#"the "old" way"#),
            (r#"\"]"#, "\"]"),
            (r"\\\\server\\x", r"\\server\x"),
            // Older versions wrote a single backslash.
            (r"A\", r"A\"),
            (r"C:\games\x", r"C:\games\x"),
        ] {
            let text = format!("[Red \"{written}\"]\n[Black \"b\"]\n\n1. h2e2 *\n");
            let game = PgnReader::new(&text).next().unwrap().unwrap();
            assert_eq!((game.tag("Red"), game.tag("Black")), (Some(meant), Some("b")), "{written}");
        }
    }

    #[test]
    fn a_game_without_moves_is_one_of_its_own() {
        let text = "[A \"1\"]\n[Result \"1-0\"]\n\n[A \"2\"]\n\n[Result \"0-1\"]\n\n1. c3c4 c6c5\n";
        let games: Vec<_> = PgnReader::new(text).map(|game| game.unwrap()).collect();
        let found: Vec<_> = games.iter().map(|game| (game.moves.len(), game.result.as_deref())).collect();
        assert_eq!(found, [(0, Some("1-0")), (2, Some("0-1"))]);
    }

    #[test]
    fn a_comment_among_the_tags_of_a_game_is_no_empty_line() {
        let text = "[A \"1\"]\n[B \"b\"]\n{from a server,\nin two lines}\n[a \"2\"]\n\n1. c3c4 1-0\n";
        let games: Vec<_> = PgnReader::new(text).map(|game| game.unwrap().tags.len()).collect();
        assert_eq!(games, [3]);
    }

    #[test]
    fn what_has_no_end_is_looked_for_once() {
        let many = 20_000;
        for (text, games) in [
            ("[A \"1\"]\n1. h2e2 1-0 {\n".repeat(many), many),
            (format!("[A \"1\"]\n1. h2e2 1-0\n{}", "[x \"a\n".repeat(many)), 2),
            (format!("[A \"1\"] 1. h2e2 1-0 {}", "[x \"a ".repeat(many)), 1),
            ("[A \"1\"] 1. h2e2 1-0 ".repeat(many), many),
            (format!("1. h2e2 h2e2\n\n{}", "{\n\n1. h2e2 ".repeat(many)), many + 1),
            (format!("{}[A \"1\"]", "1. h2e2 h2e2 {\n\n".repeat(many)), many + 1),
            ((0..many).map(|number| format!("[T{number} \"x\"]\n\n")).collect(), 1),
        ] {
            assert_eq!(PgnReader::new(&text).count(), games);
        }
    }

    #[test]
    fn what_stands_behind_a_result_is_no_game() {
        let games = "[A \"1\"]\n\n1. c3c4 1-0 {Black resigns: after\n2. h0g2 i9h9\nnothing holds}\n\n[www.example.com]\n\n\
                     [A \"2\"]\n\n1. g3g4 0-1\n\n[A \"3\"]\n\n1. h2e2 *\n";
        let found: Vec<_> = PgnReader::new(games).map(|game| moves(&game.unwrap().moves).join(" ")).collect();
        assert_eq!(found, ["c3c4", "g3g4", "h2e2"]);
        let torn = "[A \"1\"]\n\n1. h2e2 1-0\n\n[FEN nothing]\n[A \"2\"]\n\n1. c3c4 0-1\n";
        let found: Vec<_> = PgnReader::new(torn).map(|game| game.map(|game| game.moves.len())).collect();
        assert!(matches!(found[..], [Ok(1), Err(PgnFault { line: 5, .. })]), "{found:?}");
        let torn = "[A \"1\"]\n[B\n\n[A \"2\"]\n\n1. g3g4 0-1\n";
        let found: Vec<_> = PgnReader::new(torn).map(|game| game.map(|game| game.moves.len())).collect();
        assert!(matches!(found[..], [Err(PgnFault { line: 2, .. }), Ok(1)]), "{found:?}");
    }

    /// Returns the moves of the games, and the lines of the errors.
    fn read(text: &str) -> Vec<Result<String, usize>> {
        let games = PgnReader::new(text);
        games.map(|game| game.map(|game| moves(&game.moves).join(" ")).map_err(|fault| fault.line)).collect()
    }

    fn good(moves: &str) -> Result<String, usize> {
        Ok(moves.to_owned())
    }

    #[test]
    fn several_games_may_stand_in_a_line() {
        let text = "[A \"1\"] 1. h2e2 h9g7 1-0 {see [A \"x\"]} bye [B] [A \"2\"][B \"2\"] 1. c3c4 c6c5 0-1 1. g3g4 *\n";
        assert_eq!(read(text), [good("h2e2 h9g7"), good("c3c4 c6c5"), good("g3g4")]);
        let faulty = "[A \"1\"] 1. h2e2 h2e2 1-0 [A \"2\"] 1. c3c4 1-0 ; [A \"x\"]\nbye [A \"y\"]\n";
        assert_eq!(read(faulty), [Err(1), good("c3c4")]);
    }

    #[test]
    fn a_bad_game_without_tags_leaves_the_next_one() {
        let text = "1. h2e2 h2e2 1-0\n\n1. c3c4 {for\n\n1. b2e2} c6c5 1-0\n\n1. g3g4 a0a9 {not\n\n1. h2e2}\n2. h0g2\n\n\
                    3. h2e2\n\n1. a0a1 *\n";
        assert_eq!(read(text), [Err(1), good("c3c4 c6c5"), Err(7), good("a0a1")]);
        // These moves belong to the game with the bad tags.
        assert_eq!(read("[A d]\n\n\n1. h2e2 *\n\n[A \"2\"]\n\n1. c3c4 *\n"), [Err(1), good("c3c4")]);
        assert_eq!(read("[FEN \"9/9 w\"]\n\n1. h2e2 *\n\n[A \"2\"]\n\n1. c3c4 *\n"), [Err(1), good("c3c4")]);
        assert_eq!(read("1. h2e2 h2e2\n2. c3c4 *\n1. c3c4 *\n1. g3g4 *\n"), [Err(1), good("c3c4"), good("g3g4")]);
        assert_eq!(read("[A \"1\"]\n\n1. h2e2 h2e2\n1. b2e2\n\n1. c3c4 *\n"), [Err(3), good("c3c4")]);
    }

    #[test]
    fn variations_without_end_are_a_fault_of_their_game() {
        let nested = |levels: usize| {
            let text =
                format!("1. h2e2 {}{} h9g7 1-0\n[A \"b\"]\n1. c3c4 *", "(1. b2e2 ".repeat(levels), ")".repeat(levels));
            let games: Vec<_> = PgnReader::new(&text).map(|game| game.map(|game| game.variations.len())).collect();
            games.into_iter().map(|game| game.map_err(|fault| fault.to_string())).collect::<Vec<_>>()
        };
        assert_eq!(nested(DEEPEST), [Ok(DEEPEST), Ok(0)]);
        let fault = || Err("line 1: game 1: variations are more than 100 deep".to_owned());
        assert_eq!(nested(DEEPEST + 1), [fault(), Ok(0)]);
        assert_eq!(nested(100_000), [fault(), Ok(0)]);
    }

    #[test]
    fn what_follows_a_result_is_no_game() {
        let text =
            "[Result \"0-1\"]\n1. h2e2\n 0-1\n=====\n欢迎访问 www\n\n[A \"b\"]\n1. h2e2 *\n1. c3c4 h9g7 *\nbye\n";
        let games: Vec<_> = PgnReader::new(text).map(|game| moves(&game.unwrap().moves)).collect();
        assert_eq!(games, [vec!["h2e2"], vec!["h2e2"], vec!["c3c4", "h9g7"]]);
    }

    #[test]
    fn a_bad_game_is_named_and_the_next_is_read() {
        let text = "[A \"b\"]\n1. h2e2 h9g7\n2. h2e2 *\n[A \"c\"]\n[A d]\n1. c3c4 *\n\n[A \"e\"]\n1. g3g4 *\n";
        let games: Vec<_> = PgnReader::new(text).collect();
        let faults: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).map(ToString::to_string).collect();
        assert_eq!(
            faults,
            ["line 3: game 1: ply 3: \"h2e2\" is not a legal move here", "line 5: game 2: \"[A d]\" is not a tag"]
        );
        assert_eq!(moves(&games[2].as_ref().unwrap().moves), ["g3g4"]);
        assert_eq!(games.len(), 3);
    }
}
