//! Trees of moves as XQF and CBR store them: after a move comes its continuation, then its alternatives.

use chuhe::board::{Move, Position};

use crate::game::{Faulty, Game, Variation};

/// A node of the tree.
pub(crate) struct Node {
    /// Offset in the file, for messages.
    pub(crate) offset: usize,
    /// Move; `None` if the bytes are not a move.
    pub(crate) mv: Option<Move>,
    /// Whether another move follows this one.
    pub(crate) has_next: bool,
    /// Whether an alternative to this move comes later.
    pub(crate) has_sibling: bool,
    /// Comment on the move; empty if there is none.
    pub(crate) comment: String,
}

/// Reads a tree from its first move on; `next` reads one node after the other.
///
/// # Errors
/// Those of `next`, and if a move is not legal.
pub(crate) fn read(
    start: Position,
    first: Node,
    mut next: impl FnMut() -> Result<Node, Faulty>,
) -> Result<Game, Faulty> {
    let mut game = Game::bare(start, vec![]);
    let mut waiting: Vec<(usize, Position)> = vec![];
    let mut line = Variation { ply: 0, start, moves: vec![] };
    let mut is_main = true;
    let (mut ply, mut position, mut node) = (0, start, first);
    loop {
        let mv = node.mv.filter(|&mv| position.is_legal(mv));
        let mv = mv.ok_or_else(|| illegal(&node, ply))?;
        line.moves.push(mv);
        game.comment(if is_main { 0 } else { game.variations.len() + 1 }, line.moves.len(), &node.comment);
        if node.has_sibling {
            waiting.push((ply, position));
        }
        if node.has_next {
            (ply, position) = (ply + 1, position.play(mv));
        } else {
            let moves = std::mem::take(&mut line.moves);
            if is_main {
                game.moves = moves;
            } else {
                game.variations.push(Variation { moves, ..line });
            }
            let Some(sibling) = waiting.pop() else { return Ok(game) };
            (ply, position) = sibling;
            line = Variation { ply, start: position, moves: vec![] };
            is_main = false;
        }
        node = next()?;
    }
}

fn illegal(node: &Node, ply: usize) -> Faulty {
    let text = node.mv.map_or("no move".to_owned(), |mv| mv.to_string());
    format!("offset {}: ply {}: {text} is not legal", node.offset, ply + 1)
}
