//! A game under way as the page draws it: the position, the last move by its names, the values for Red, the clocks.

use chuhe::board::{Move, Position, Side};
use chuhe_games::live::{LiveGame, LiveMove};
use chuhe_games::page::{MoveName, name_of};
use chuhe_games::record::{Eval, GameRecord};
use serde::Serialize;

/// Value of a mate in the curve, less its number of moves.
const MATE: i32 = 30_000;

/// A finished game as the page lists it.
#[derive(Serialize)]
pub(super) struct Ended {
    number: u32,
    red: String,
    black: String,
    /// Result as in PGN.
    result: &'static str,
    /// Class of the ending.
    ending: String,
    plies: usize,
}

impl From<&GameRecord> for Ended {
    fn from(game: &GameRecord) -> Self {
        Self {
            number: game.number,
            red: game.red.clone(),
            black: game.black.clone(),
            result: game.result.text(),
            ending: format!("{:?}", game.ending.class),
            plies: game.moves.len(),
        }
    }
}

/// A seat of the match: its game and the position on the board.
#[derive(Serialize)]
pub(super) struct SeatView<'a> {
    number: u32,
    round: u32,
    red: &'a str,
    black: &'a str,
    opening: Option<&'a str>,
    time_control: &'a str,
    /// Position on the board.
    fen: String,
    /// Number of moves of the engines.
    plies: usize,
    /// Last move, such as `h2e2`, and its names.
    last: Option<(&'a str, MoveName)>,
    /// Values for Red in hundredths of a pawn, ply by ply.
    values: Vec<Option<i32>>,
    /// Last thoughts of Red and Black.
    thoughts: [Option<Thought>; 2],
    /// Time left to Red and Black after their last moves, in milliseconds.
    clocks: [Option<u64>; 2],
    /// Time of the last move, in milliseconds since 1970.
    moved_at: u64,
    /// Result, once the journal has the game.
    result: Option<&'a Ended>,
}

/// The value of an engine's last move, for Red, and the search that led to it.
#[derive(Clone, Copy, Serialize)]
struct Thought {
    cp: Option<i32>,
    mate: Option<i32>,
    depth: Option<u32>,
    nodes: Option<u64>,
    ms: u64,
}

impl<'a> SeatView<'a> {
    /// Returns the view of a game; `None` if its first position is none.
    pub(super) fn new(game: &'a LiveGame, result: Option<&'a Ended>) -> Option<Self> {
        let mut position = Position::from_fen(&game.start_fen).ok()?;
        let mut view = Self {
            number: game.number,
            round: game.round,
            red: &game.red,
            black: &game.black,
            opening: game.opening.as_deref(),
            time_control: &game.time_control,
            fen: String::new(),
            plies: 0,
            last: None,
            values: Vec::new(),
            thoughts: [None; 2],
            clocks: game.clocks_ms,
            moved_at: game.moved_at_ms,
            result,
        };
        let last = game.moves.len().saturating_sub(1);
        for (index, played) in game.moves.iter().enumerate() {
            let Some(mv) = played.mv.parse().ok().filter(|mv: &Move| position.is_legal(*mv)) else { break };
            let thought = Thought::new(played, position.side());
            if index == last {
                view.last = Some((&played.mv, name_of(&position, mv)));
            }
            view.thoughts[position.side().index()] = Some(thought);
            view.values.push(thought.value());
            position = position.play(mv);
            view.plies = index + 1;
        }
        view.fen = position.to_fen();
        Some(view)
    }
}

impl Thought {
    fn new(played: &LiveMove, mover: Side) -> Self {
        let for_red = |value: i32| if mover == Side::Red { value } else { value.saturating_neg() };
        let (cp, mate) = match played.eval {
            Some(Eval::Centipawns(value)) => (Some(for_red(value)), None),
            Some(Eval::Mate(moves)) => (None, Some(for_red(moves))),
            None => (None, None),
        };
        Self { cp, mate, depth: played.depth, nodes: played.nodes, ms: played.time_ms }
    }

    /// Returns the value in hundredths of a pawn; a mate is worth more than any other value.
    fn value(self) -> Option<i32> {
        self.cp.or_else(|| self.mate.map(|moves| moves.signum() * (MATE - moves.saturating_abs().min(MATE))))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn game(moves: &[(&str, Option<Eval>)]) -> LiveGame {
        let of = |&(mv, eval): &(&str, Option<Eval>)| LiveMove {
            mv: mv.into(),
            eval,
            depth: Some(8),
            nodes: None,
            time_ms: 100,
        };
        LiveGame {
            seat: 2,
            number: 7,
            round: 4,
            red: "A".into(),
            black: "B".into(),
            start_fen: chuhe::board::START_FEN.into(),
            opening: Some("centre".into()),
            time_control: "10+0.1".into(),
            started_at_ms: 0,
            moved_at_ms: 5,
            clocks_ms: [Some(9000), Some(8000)],
            moves: moves.iter().map(of).collect(),
        }
    }

    fn shown(moves: &[(&str, Option<Eval>)]) -> Value {
        serde_json::to_value(SeatView::new(&game(moves), None).unwrap()).unwrap()
    }

    #[test]
    fn the_board_stands_after_the_last_move_and_values_are_reds() {
        let seat = shown(&[("h2e2", Some(Eval::Centipawns(30))), ("h9g7", Some(Eval::Centipawns(-20)))]);
        assert!(seat["fen"].as_str().unwrap().starts_with("rnbakab1r/9/1c4nc1/"), "{seat}");
        assert_eq!(seat["last"], json!(["h9g7", ["H8+7", "马８进７"]]));
        assert_eq!((&seat["values"], &seat["plies"]), (&json!([30, 20]), &json!(2)));
        assert_eq!((&seat["thoughts"][0]["cp"], &seat["thoughts"][1]["cp"]), (&json!(30), &json!(20)));
        assert_eq!((&seat["clocks"], &seat["result"]), (&json!([9000, 8000]), &Value::Null));
    }

    #[test]
    fn mates_are_above_all_other_values_and_the_nearest_is_the_best() {
        let seat = shown(&[("h2e2", Some(Eval::Mate(3))), ("h9g7", Some(Eval::Mate(2))), ("b2d2", None)]);
        assert_eq!(seat["values"], json!([29_997, -29_998, null]));
        assert_eq!((&seat["thoughts"][1]["mate"], &seat["thoughts"][1]["cp"]), (&json!(-2), &Value::Null));
    }

    #[test]
    fn a_game_is_shown_up_to_a_move_that_is_none() {
        let seat = shown(&[("h2e2", None), ("a0a9", None), ("h9g7", None)]);
        assert_eq!((&seat["plies"], &seat["last"]), (&json!(1), &Value::Null));
        assert!(SeatView::new(&LiveGame { start_fen: "nothing".into(), ..game(&[]) }, None).is_none());
    }
}
