//! Games from PGN with their variations and comments.

use chuhe::board::{MoveText, RankBase};
use chuhe::notation::read_any;
use chuhe_games::pgn::read::PgnGame;

use super::game::Tree;
use crate::refusal::Refusal;

/// Results that end the moves.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Glyphs after a move, with their numbers.
const GLYPHS: [(&str, u16); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

/// Returns a game that has been read, with the comments of its text.
///
/// Ranks of coordinates count from 0, or from 1 in a game that makes sense only so.
pub(crate) fn read(game: &PgnGame, text: &str) -> Result<Tree, Refusal> {
    read_with(game, text, RankBase::Zero).or_else(|refusal| read_with(game, text, RankBase::One).map_err(|_| refusal))
}

fn read_with(game: &PgnGame, text: &str, ranks: RankBase) -> Result<Tree, Refusal> {
    let mut tree = Tree::new(game.start);
    tree.tags = game.tags.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("FEN")).cloned().collect();
    tree.result = game.result.clone();
    let mut reader = Reader { tree, ranks, at: None, open: Vec::new(), skipped: 0 };
    reader.read(&text[game.move_text.clone()])?;
    Ok(reader.tree)
}

struct Reader {
    tree: Tree,
    /// Lowest rank of coordinates.
    ranks: RankBase,
    /// Last move.
    at: Option<usize>,
    /// Moves that the variations in progress are alternatives to.
    open: Vec<Option<usize>>,
    /// Number of open brackets whose contents are skipped, because they are not moves.
    skipped: usize,
}

impl Reader {
    fn read(&mut self, mut rest: &str) -> Result<(), Refusal> {
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return Ok(()) };
            let length = match first {
                '{' => {
                    let end = rest.find('}').unwrap_or(rest.len() - 1);
                    self.comment(&rest[1..end.max(1)]);
                    end + 1
                }
                ';' | '%' => {
                    let end = rest.find('\n').unwrap_or(rest.len());
                    self.comment(&rest[1..end]);
                    end
                }
                '(' => self.bracket(),
                ')' => self.closing_bracket(),
                _ => {
                    let is_end = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';');
                    let end = rest.find(is_end).unwrap_or(rest.len());
                    if self.open.is_empty() && self.skipped == 0 && RESULTS.contains(&&rest[..end]) {
                        return Ok(());
                    }
                    self.word(&rest[..end])?;
                    end
                }
            };
            rest = &rest[length.min(rest.len())..];
        }
    }

    fn comment(&mut self, text: &str) {
        if self.skipped == 0 {
            self.tree.comment_on(self.at, text);
        }
    }

    /// Begins a variation: an alternative to the last move.
    fn bracket(&mut self) -> usize {
        match self.at {
            Some(at) if self.skipped == 0 => {
                self.open.push(self.at);
                self.at = self.tree.nodes[at].parent;
            }
            _ => self.skipped += 1,
        }
        1
    }

    fn closing_bracket(&mut self) -> usize {
        if self.skipped > 0 {
            self.skipped -= 1;
        }
        if self.skipped == 0
            && let Some(at) = self.open.pop()
        {
            self.at = at;
        }
        1
    }

    fn word(&mut self, word: &str) -> Result<(), Refusal> {
        if self.skipped > 0 {
            return Ok(());
        }
        if let Some(number) = word.strip_prefix('$') {
            self.nag(number.parse().ok());
            return Ok(());
        }
        let mut text = without_number(word);
        let mut glyph = None;
        while let Some((rest, number)) =
            GLYPHS.iter().find_map(|&(glyph, number)| Some((text.strip_suffix(glyph)?, number)))
        {
            (text, glyph) = (rest, glyph.or(Some(number)));
        }
        if text.is_empty() {
            self.nag(glyph);
            return Ok(());
        }
        let position = self.tree.position(self.at);
        let from_one = text.parse::<MoveText>().ok().filter(|_| self.ranks == RankBase::One);
        let from_one = from_one.and_then(|coordinates| coordinates.read(RankBase::One));
        match from_one.filter(|&mv| position.is_legal(mv)).map_or_else(|| read_any(position, text), Ok) {
            Ok(mv) => {
                self.at = Some(self.tree.add(self.at, mv)?);
                self.nag(glyph);
            }
            // Anything else in brackets is text; what follows cannot be played.
            Err(_) if !self.open.is_empty() => self.skipped = 1,
            Err(error) => return Err(Refusal::new("bad_move", error)),
        }
        Ok(())
    }

    fn nag(&mut self, number: Option<u16>) {
        if let (Some(at), Some(number)) = (self.at, number)
            && !self.tree.nodes[at].nags.contains(&number)
        {
            self.tree.nodes[at].nags.push(number);
        }
    }
}

/// Strips `12.`, `12...` and `...`; `62.5` is a move itself.
fn without_number(word: &str) -> &str {
    let behind_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind_dots = behind_digits.trim_start_matches(['.', '…']);
    let is_number = behind_dots.len() < behind_digits.len() && !behind_dots.starts_with(|c: char| c.is_ascii_digit());
    if is_number || behind_digits.is_empty() { behind_dots } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_games::pgn::read::PgnReader;

    fn tree(text: &str) -> Tree {
        read(&PgnReader::new(text).next().unwrap().unwrap(), text).unwrap()
    }

    fn shown(tree: &Tree) -> Vec<String> {
        let parent = |at: Option<usize>| at.map_or("-".to_owned(), |at| at.to_string());
        let node = |node: &super::super::game::Node| {
            format!("{} {} {:?} {}", parent(node.parent), node.mv, node.nags, node.comment)
        };
        tree.nodes.iter().map(node).collect()
    }

    #[test]
    fn comments_glyphs_and_variations_belong_to_their_moves() {
        let text = "[Red \"a\"]\n\n{first} 1. 炮二平五! {good (really)} 马８进７ (1... 炮８平５?! 2. 马二进三 {a; b} (2. 马八进七) \
                    马８进７) (good) 2. H2+3 $14 ; to the end\n R9=8 {last} 1-0";
        let tree = tree(text);
        assert_eq!(
            shown(&tree),
            [
                "- h2e2 [1] good (really)",
                "0 h9g7 [] ",
                "0 h7e7 [6] ",
                "2 h0g2 [] a; b",
                "2 b0c2 [] ",
                "3 h9g7 [] ",
                "1 h0g2 [14] to the end",
                "6 i9h9 [] last",
            ]
        );
        assert_eq!((tree.comment.as_str(), tree.result.as_deref()), ("first", Some("1-0")));
    }

    #[test]
    fn ranks_may_count_from_one() {
        assert_eq!(shown(&tree("1. h3e3 h10g8 {good} *")), ["- h2e2 [] ", "0 h9g7 [] good"]);
    }

    #[test]
    fn a_variation_that_breaks_off_keeps_its_beginning() {
        let tree = tree("1. h2e2 (1. c3c4 z9z9 (1. h2e2) h9g7) h9g7 {fine} *");
        assert_eq!(shown(&tree), ["- h2e2 [] ", "- c3c4 [] ", "0 h9g7 [] fine"]);
    }
}
