//! Trees from games of other formats than PGN, and from messages.

use chuhe::board::Side;
use chuhe::board::{Move, Position};
use chuhe_games::game::{Game, Outcome, Variation};

use super::game::Tree;
use crate::line::start;
use crate::refusal::Refusal;
use crate::request::GameText;

/// Adds moves of a line after `parent`; returns the places of `parent` and of the moves.
fn extend(tree: &mut Tree, parent: Option<usize>, moves: &[Move]) -> Result<Vec<Option<usize>>, Refusal> {
    let mut places = vec![parent];
    for &mv in moves {
        places.push(Some(tree.add(places[places.len() - 1], mv)?));
    }
    Ok(places)
}

/// Returns a game of any format but PGN as a tree.
pub(crate) fn from_moves(game: &Game) -> Result<Tree, Refusal> {
    let mut tree = Tree::new(game.start);
    let mut lines = vec![extend(&mut tree, None, &game.moves)?];
    for variation in &game.variations {
        lines.push(match place(&tree, variation) {
            Some(parent) => extend(&mut tree, parent, &variation.moves)?,
            None => Vec::new(),
        });
    }
    for comment in &game.comments {
        if let Some(&place) = lines.get(comment.line).and_then(|places| places.get(comment.moves)) {
            tree.comment_on(place, &comment.text);
        }
    }
    tree.tags = tags(game);
    tree.result = game.result.map(|outcome| text_of(outcome).to_owned());
    Ok(tree)
}

/// Returns what is known of the players, as PGN names it.
fn tags(game: &Game) -> Vec<(String, String)> {
    let names = ["Red", "Black"].into_iter().zip(game.players.clone()).filter(|(_, name)| !name.is_empty());
    let ratings = ["RedElo", "BlackElo"].into_iter().zip(game.ratings).filter(|(_, rating)| *rating > 0);
    let ratings = ratings.map(|(tag, rating)| (tag, rating.to_string()));
    names.chain(ratings).map(|(tag, value)| (tag.to_owned(), value)).collect()
}

/// Finds the move after which a variation begins: the last one at its ply that leads to its first position.
fn place(tree: &Tree, variation: &Variation) -> Option<Option<usize>> {
    let Some(plies) = variation.ply.checked_sub(1) else {
        return is_same(&tree.start, &variation.start).then_some(None);
    };
    let depth = |mut at: usize| {
        let mut plies = 0;
        while let Some(parent) = tree.nodes[at].parent {
            (at, plies) = (parent, plies + 1);
        }
        plies
    };
    let is_place = |&at: &usize| is_same(&tree.nodes[at].position, &variation.start) && depth(at) == plies;
    (0..tree.nodes.len()).rev().find(is_place).map(Some)
}

fn is_same(one: &Position, other: &Position) -> bool {
    one.key() == other.key()
}

fn text_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won(Side::Red) => "1-0",
        Outcome::Won(Side::Black) => "0-1",
        Outcome::Drawn => "1/2-1/2",
    }
}

/// Reads the game of a message.
pub(crate) fn from_message(text: &GameText) -> Result<Tree, Refusal> {
    let mut tree = Tree::new(start(text.start.as_deref())?);
    let mut places = Vec::with_capacity(text.nodes.len());
    for node in &text.nodes {
        let parent = match usize::try_from(node.parent) {
            Err(_) => None,
            Ok(parent) => {
                let place = places.get(parent).copied();
                Some(place.ok_or_else(|| Refusal::new("bad_message", "a move stands before its parent"))?)
            }
        };
        let mv = node.mv.parse().map_err(|_| Refusal::new("bad_move", format!("{:?} is not a move", node.mv)))?;
        let at = tree.add(parent, mv)?;
        tree.comment_on(Some(at), node.comment.as_deref().unwrap_or_default());
        tree.nodes[at].nags.extend(node.nags.iter().take(8));
        places.push(at);
    }
    tree.comment_on(None, text.comment.as_deref().unwrap_or_default());
    tree.tags = text.tags.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    tree.result = text.result.clone().filter(|result| ["1-0", "0-1", "1/2-1/2"].contains(&result.as_str()));
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::NodeText;
    use chuhe_games::game::Comment;
    use serde_json::json;

    fn node(parent: i64, mv: &str) -> NodeText {
        NodeText { parent, mv: mv.to_owned(), comment: None, nags: vec![] }
    }

    #[test]
    fn variations_find_their_place() {
        let game = chuhe_games::list::read("h2e2 h9g7 h0g2").remove(0).unwrap();
        let positions = chuhe_games::game::replay(game.start, game.moves.clone()).unwrap();
        let variation = |ply: usize, moves: &str| Variation {
            ply,
            start: positions[ply],
            moves: moves.split(' ').map(|mv| mv.parse().unwrap()).collect(),
        };
        let game = Game { variations: vec![variation(1, "b9c7 h0g2"), variation(0, "c3c4")], ..game };
        let tree = from_moves(&game).unwrap();
        let parents: Vec<_> = tree.nodes.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(0), Some(3), None]);
    }

    #[test]
    fn comments_and_players_are_kept() {
        let mut game = chuhe_games::list::read("h2e2 h9g7").remove(0).unwrap();
        let moves = vec!["b9c7".parse().unwrap()];
        game.variations.push(Variation { ply: 1, start: game.start.play(game.moves[0]), moves });
        let comment = |line, moves, text: &str| Comment { line, moves, text: text.to_owned() };
        game.comments =
            vec![comment(0, 0, "first"), comment(1, 1, "of it"), comment(0, 9, "nowhere"), comment(7, 0, "lost")];
        (game.players, game.ratings) = (["甲".to_owned(), String::new()], [2400, 0]);
        let tree = from_moves(&game).unwrap().json();
        assert_eq!((&tree["comment"], &tree["nodes"][2]["comment"]), (&json!("first"), &json!("of it")));
        assert!(tree["nodes"][1]["comment"].is_null());
        assert_eq!(tree["tags"], json!({ "Red": "甲", "RedElo": "2400" }));
    }

    #[test]
    fn a_message_without_order_or_with_a_wrong_move_is_refused() {
        let read = |nodes: Vec<NodeText>| from_message(&GameText { nodes, ..GameText::default() });
        assert_eq!(read(vec![node(-1, "h2e2"), node(0, "h9g7"), node(0, "b9c7")]).unwrap().nodes.len(), 3);
        for nodes in [vec![node(0, "h2e2")], vec![node(-1, "h2e2"), node(0, "h2e2")], vec![node(-1, "x")]] {
            assert!(read(nodes).is_err());
        }
    }
}
