//! Books as trees: the positions that can be reached.
//!
//! The moves of a book do not connect all its positions: a book of games has the moves of the players who did not lose, but not
//! the opponents' moves that its positions reply to. So a walk follows the moves of the book, and any legal move to
//! a position of the book.

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;

use chuhe::board::{Move, Position};
use chuhe::book::{Candidate, KeysAfter, Source, Symmetry, canonical};

use crate::catalogue::Catalogue;
use crate::progress::Progress;

/// A position of a book, and the path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Position in the orientation of the board.
    pub position: Position,
    /// Moves from the start of the walk.
    pub line: Vec<Move>,
}

/// Visits every reachable position of the book once, the nearest first, up to `plies` plies from
/// `start`. A position with forbidden moves only has no candidates.
pub fn walk(book: &Source, start: &Position, plies: usize, visit: impl FnMut(&Node, &[Candidate])) {
    walk_with(Progress::new(book.len()), book, start, plies, visit);
}

/// Walks like [`walk`], with another kind of progress.
pub fn walk_with(
    mut progress: Progress,
    book: &Source,
    start: &Position,
    plies: usize,
    mut visit: impl FnMut(&Node, &[Candidate]),
) {
    let catalogue = Catalogue::new(book);
    let moves = |node: &Node, is_new: &dyn Fn(Move) -> bool| -> Result<Vec<Move>, Infallible> {
        let candidates = book.candidates(&node.position);
        if !candidates.is_empty() || catalogue.knows(&node.position) {
            visit(node, &candidates);
        }
        progress.step(candidates.len());
        if node.line.len() == plies {
            return Ok(vec![]);
        }
        let of_book = candidates.iter().map(|candidate| candidate.mv).collect();
        let others = catalogue.may_know_after(&node.position);
        Ok(moves_to_follow(&node.position, of_book, others, is_new, |next| catalogue.knows(next)))
    };
    match explore(&[*start], symmetry(book), moves) {
        Ok(()) => {}
    }
}

/// Returns every position after lines of `plies` plies over the `wanted` moves of the book, once each, for callers that need
/// the lines; a shorter path may exist.
pub fn after_plies(book: &Source, start: &Position, plies: usize, wanted: impl Fn(&Candidate) -> bool) -> Vec<Node> {
    let mut nodes = vec![Node { position: *start, line: vec![] }];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut next = vec![];
        for node in &nodes {
            for candidate in book.candidates(&node.position).iter().filter(|candidate| wanted(candidate)) {
                let position = node.position.play(candidate.mv);
                if seen.insert(canonical(&position, symmetry(book)).0) {
                    next.push(Node { position, line: [&node.line[..], &[candidate.mv]].concat() });
                }
            }
        }
        nodes = next;
    }
    nodes
}

/// Returns the moves to follow: those of the book, and then those of `others` that lead to positions of the book. Only
/// moves to new positions are looked up.
pub fn moves_to_follow(
    position: &Position,
    mut of_book: Vec<Move>,
    mut others: Vec<Move>,
    is_new: &dyn Fn(Move) -> bool,
    knows: impl Fn(&Position) -> bool,
) -> Vec<Move> {
    others.retain(|mv| !of_book.contains(mv) && is_new(*mv) && knows(&position.play(*mv)));
    of_book.extend(others);
    of_book
}

/// Visits every position that can be reached from one of `starts` once, the nearest first. `moves` is called with each
/// position and returns the moves to follow; its second argument tests whether a move leads to a new position.
///
/// # Errors
/// The first error of `moves`, which ends the walk.
pub fn explore<E>(
    starts: &[Position],
    symmetry: Symmetry,
    mut moves: impl FnMut(&Node, &dyn Fn(Move) -> bool) -> Result<Vec<Move>, E>,
) -> Result<(), E> {
    let mut seen = HashSet::new();
    let starts = starts.iter().filter(|start| seen.insert(canonical(start, symmetry).0));
    let mut waiting: VecDeque<_> = starts.map(|start| Node { position: *start, line: vec![] }).collect();
    while let Some(node) = waiting.pop_front() {
        let keys = KeysAfter::new(&node.position, symmetry);
        for mv in moves(&node, &|mv| !seen.contains(&keys.key(mv)))? {
            if seen.insert(keys.key(mv)) {
                let position = node.position.play(mv);
                let line = [&node.line[..], &[mv]].concat();
                waiting.push_back(Node { position, line });
            }
        }
    }
    Ok(())
}

/// Returns the symmetry by which a book identifies positions; a `BOOK.DAT` and a database have mirror images only.
pub fn symmetry(book: &Source) -> Symmetry {
    match book {
        Source::Native(book) => book.layout().about.symmetry,
        Source::EleEye(_) | Source::Binghe(_) => Symmetry::Mirror,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::{EleEyeBook, EleEyeRecord, Locks};

    #[test]
    fn every_position_comes_once_and_the_nearest_first() {
        let start = Position::start();
        let lines = ["h2e2 h9g7 h0g2", "c3c4 h9g7 h2e2", "h2e2 b9c7"];
        let mut records = vec![];
        for line in lines {
            let mut position = start;
            for mv in line.split(' ').map(|mv| mv.parse().unwrap()) {
                records.push(EleEyeRecord::new(Locks::of(&position).lock1, mv, 1));
                position = position.play(mv);
            }
        }
        records.sort_by_key(EleEyeRecord::order);
        records.dedup();
        let book = Source::EleEye(EleEyeBook::copied(bytemuck::cast_slice(&records)).unwrap());
        let visited = |plies| {
            let mut lengths = vec![];
            walk(&book, &start, plies, |node, candidates| lengths.push((node.line.len(), candidates.len())));
            lengths
        };
        assert_eq!(visited(9), [(0, 2), (1, 2), (1, 1), (2, 1), (2, 1)]);
        assert_eq!(visited(0), [(0, 2)]);
    }

    #[test]
    fn answers_to_moves_that_the_book_has_not_are_found() {
        // Red's moves only, as in a book of games that Red has won.
        let start = Position::start();
        let [reply, other] = ["h2e2 h9g7", "h2e2 b9c7"]
            .map(|line| line.split(' ').fold(start, |position, mv| position.play(mv.parse().unwrap())));
        let far = other.play("h0g2".parse().unwrap()).play("a9a8".parse().unwrap());
        let moves = [(start, "h2e2"), (reply, "h0g2"), (other, "h0g2"), (far, "i0h0")];
        let records = moves.map(|(position, mv)| {
            let (key, frame) = canonical(&position, Symmetry::EleEye);
            EleEyeRecord::new((key >> 32) as u32, frame.apply(mv.parse().unwrap()), 1)
        });
        let mut records = records.to_vec();
        records.sort_by_key(EleEyeRecord::order);
        let book = Source::EleEye(EleEyeBook::copied(bytemuck::cast_slice(&records)).unwrap());
        let mut lengths = vec![];
        walk(&book, &start, usize::MAX, |node, _| lengths.push(node.line.len()));
        assert_eq!(lengths, [0, 2, 2, 4]);
    }
}
