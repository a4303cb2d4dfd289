//! Moves in all notations, as messages hold them.

use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, write};
use serde_json::{Value, json};

/// Returns a move object; the move must be legal in the position.
pub(crate) fn named(position: &Position, mv: Move) -> Value {
    let [iccs, wxf, zh] = Notation::ALL.map(|notation| write(position, mv, notation));
    json!({ "mv": mv.to_string(), "iccs": iccs, "wxf": wxf, "zh": zh })
}

/// Returns the move object with further fields.
pub(crate) fn named_with(position: &Position, mv: Move, fields: Value) -> Value {
    let mut object = named(position, mv);
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
        object.extend(fields);
    }
    object
}

/// Returns the move objects of a variation of legal moves, at most `longest` of them.
pub(crate) fn variation(position: &Position, moves: &[Move], longest: usize) -> Vec<Value> {
    let mut now = *position;
    let mut objects = Vec::with_capacity(moves.len().min(longest));
    for &mv in moves.iter().take(longest) {
        objects.push(named(&now, mv));
        now = now.play(mv);
    }
    objects
}
