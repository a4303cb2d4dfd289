//! Games as PGN, with variations and comments.

use std::fmt::Write as _;

use chuhe::board::{START_FEN, Side};
use chuhe::notation::{self, Notation};
use chuhe_games::pgn::{comment_text, tag_value};

use super::game::Tree;
use crate::refusal::Refusal;

/// Maximum nesting depth of variations, below that of readers.
const DEEPEST: usize = 90;

/// Tags of every game, in the order of PGN.
const FIRST: [&str; 6] = ["Event", "Site", "Date", "Round", "Red", "Black"];

/// Tags that are written from the game itself.
const OWN: [&str; 4] = ["Game", "Result", "FEN", "Format"];

/// Writes a game as PGN.
pub(crate) fn write(tree: &Tree, notation: Notation) -> Result<String, Refusal> {
    let mut writer = Writer { tree, notation, children: children(tree), text: tags(tree, notation) };
    writer.text.push('\n');
    if !tree.comment.is_empty() {
        writer.comment(&tree.comment);
        writer.text.push('\n');
    }
    writer.line(None, 0)?;
    let result = tree.result.as_deref().unwrap_or("*");
    Ok(format!("{}{result}\n\n", writer.text))
}

fn tags(tree: &Tree, notation: Notation) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        writeln!(text, "[{name} \"{}\"]", tag_value(value)).expect("a string takes everything");
    };
    let value = |name: &str| tree.tags.iter().find(|(own, _)| own == name).map_or("?", |(_, value)| value);
    tag("Game", "Chinese Chess");
    for name in FIRST {
        tag(name, value(name));
    }
    tag("Result", tree.result.as_deref().unwrap_or("*"));
    if tree.start.to_fen() != START_FEN {
        tag("FEN", &tree.start.to_fen());
    }
    tag("Format", &notation.to_string());
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_further = |name: &str| is_name(name) && !FIRST.contains(&name) && !OWN.contains(&name);
    tree.tags.iter().filter(|(name, _)| is_further(name)).for_each(|(name, value)| tag(name, value));
    text
}

/// Returns the continuations of the start and, one further on, of every move.
fn children(tree: &Tree) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); tree.nodes.len() + 1];
    for (at, node) in tree.nodes.iter().enumerate() {
        children[node.parent.map_or(0, |parent| parent + 1)].push(at);
    }
    children
}

struct Writer<'a> {
    tree: &'a Tree,
    notation: Notation,
    children: Vec<Vec<usize>>,
    text: String,
}

impl Writer<'_> {
    /// Writes the line after a move: each move, then the alternatives to it.
    fn line(&mut self, mut at: Option<usize>, depth: usize) -> Result<(), Refusal> {
        let mut needs_number = true;
        loop {
            let next = self.children[at.map_or(0, |at| at + 1)].clone();
            let Some((&main, others)) = next.split_first() else { return Ok(()) };
            self.mv(main, needs_number);
            if depth == 0 && self.tree.position(at).side() == Side::Black {
                self.text.pop();
                self.text.push('\n');
            }
            for &other in others {
                self.variation(other, depth + 1)?;
            }
            needs_number = !others.is_empty() || !self.tree.nodes[main].comment.is_empty();
            at = Some(main);
        }
    }

    fn variation(&mut self, first: usize, depth: usize) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::new("too_large", format!("variations are more than {DEEPEST} deep")));
        }
        self.text.push('(');
        self.mv(first, true);
        self.line(Some(first), depth)?;
        self.text.truncate(self.text.trim_end().len());
        self.text.push_str(") ");
        Ok(())
    }

    fn mv(&mut self, at: usize, needs_number: bool) {
        let node = &self.tree.nodes[at];
        let before = self.tree.position(node.parent);
        let number = before.move_number().max(1);
        match before.side() {
            Side::Red => self.text += &format!("{number}. "),
            Side::Black if needs_number => self.text += &format!("{number}... "),
            Side::Black => {}
        }
        self.text += &notation::write(before, node.mv, self.notation);
        for nag in &node.nags {
            self.text += &format!(" ${nag}");
        }
        self.text.push(' ');
        if !node.comment.is_empty() {
            self.comment(&node.comment);
        }
    }

    fn comment(&mut self, text: &str) {
        self.text += &format!("{{{}}} ", comment_text(text));
    }
}

#[cfg(test)]
mod tests {
    use super::super::pgn::read;
    use super::*;
    use chuhe_games::pgn::read::PgnReader;

    fn tree(text: &str) -> Tree {
        read(&PgnReader::new(text).next().unwrap().unwrap(), text).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back_in_every_notation() {
        let text = "[Red \"the \\\"first\\\"\"]\n[FEN \"4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 3 40\"]\n[Mine \"7\"]\n\n{before} 1... e9f9 {of it} \
                    (1... e9d9 2. e1e5 (2. e1e6 {a} d9d8)) 2. e1f1 $2 0-1\n";
        let first = tree(text);
        for notation in Notation::ALL {
            let written = write(&first, notation).unwrap();
            let again = tree(&written);
            assert_eq!(again.json()["nodes"], first.json()["nodes"], "{written}");
            assert_eq!((again.json()["start"].clone(), &*again.comment), (first.json()["start"].clone(), "before"));
            assert!(again.tags.contains(&("Mine".to_owned(), "7".to_owned())), "{written}");
        }
    }

    #[test]
    fn no_text_ends_its_comment_or_tag() {
        let mut tree = tree("1. h2e2 *");
        tree.comment_on(Some(0), "} 1. c3c4 (x) {\n\n[A \"1\"]");
        tree.tags.push(("Event".to_owned(), "a\"]\n[B \"c".to_owned()));
        tree.tags.push(("No name\"]".to_owned(), "x".to_owned()));
        let written = write(&tree, Notation::Iccs).unwrap();
        let games: Vec<_> = PgnReader::new(&written).map(Result::unwrap).collect();
        assert_eq!((games.len(), games[0].moves.len(), games[0].variations.len()), (1, 1, 0), "{written}");
    }
}
