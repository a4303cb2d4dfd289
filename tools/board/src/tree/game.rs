//! A game with variations and comments. The first continuation of a position belongs to the main line.

use std::collections::HashMap;

use chuhe::board::{Move, Position};
use serde_json::{Value, json};

use crate::naming::named_with;
use crate::refusal::Refusal;

/// Maximum number of moves of a game with all variations.
const MOST_NODES: usize = 20_000;

/// Maximum number of characters of all comments of a game.
const MOST_TEXT: usize = 1 << 20;

/// A move, with the position that it leads to.
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    pub(super) mv: Move,
    pub(super) position: Position,
    pub(super) comment: String,
    /// Numeric annotation glyphs of PGN.
    pub(super) nags: Vec<u16>,
}

/// A game.
pub(crate) struct Tree {
    pub(super) start: Position,
    pub(super) tags: Vec<(String, String)>,
    pub(super) result: Option<String>,
    /// Comment before the first move.
    pub(super) comment: String,
    /// Moves; each stands after the move before it.
    pub(super) nodes: Vec<Node>,
    children: HashMap<(Option<usize>, Move), usize>,
    text: usize,
}

impl Tree {
    pub(crate) fn new(start: Position) -> Self {
        Self {
            start,
            tags: Vec::new(),
            result: None,
            comment: String::new(),
            nodes: Vec::new(),
            children: HashMap::new(),
            text: 0,
        }
    }

    /// Returns the position after a move, or the start.
    pub(super) fn position(&self, at: Option<usize>) -> &Position {
        at.map_or(&self.start, |at| &self.nodes[at].position)
    }

    /// Adds a legal move after `parent`, unless it is there already; returns its index.
    pub(super) fn add(&mut self, parent: Option<usize>, mv: Move) -> Result<usize, Refusal> {
        if let Some(&at) = self.children.get(&(parent, mv)) {
            return Ok(at);
        }
        let before = self.position(parent);
        if !before.is_legal(mv) {
            return Err(Refusal::new("bad_move", format!("{mv} is not legal in {}", before.to_fen())));
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(Refusal::new("too_large", format!("more than {MOST_NODES} moves")));
        }
        let position = before.play(mv);
        self.nodes.push(Node { parent, mv, position, comment: String::new(), nags: Vec::new() });
        let at = self.nodes.len() - 1;
        self.children.insert((parent, mv), at);
        Ok(at)
    }

    /// Appends a comment on a move, or on the start.
    pub(super) fn comment_on(&mut self, at: Option<usize>, text: &str) {
        let text = text.trim();
        let comment = at.map_or(&mut self.comment, |at| &mut self.nodes[at].comment);
        self.text += text.len();
        if text.is_empty() || self.text > MOST_TEXT {
            return;
        }
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }

    /// Returns the game as messages hold it.
    pub(crate) fn json(&self) -> Value {
        let nodes = self.nodes.iter().map(|node| {
            let parent = node.parent.map_or(-1, |at| at as i64);
            let mut fields = json!({ "parent": parent });
            if !node.comment.is_empty() {
                fields["comment"] = json!(node.comment);
            }
            if !node.nags.is_empty() {
                fields["nags"] = json!(node.nags);
            }
            named_with(self.position(node.parent), node.mv, fields)
        });
        let tags: serde_json::Map<_, _> = self.tags.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({
            "start": self.start.to_fen(),
            "tags": tags,
            "result": self.result.as_deref().unwrap_or("*"),
            "comment": self.comment,
            "nodes": nodes.collect::<Vec<_>>(),
        })
    }
}
