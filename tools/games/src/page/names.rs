//! Names of moves in the notations that a reader of a page can choose.

use std::collections::HashMap;

use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, write};
use serde::{Serialize, Serializer};

/// Name of a move in WXF notation, with H for horses and E for elephants as on the board, and in Chinese.
pub type MoveName = [String; 2];

/// Returns the names of a legal move.
pub fn name_of(position: &Position, mv: Move) -> MoveName {
    let wxf = write(position, mv, Notation::Wxf).replace('N', "H").replace('B', "E");
    [wxf, write(position, mv, Notation::Chinese)]
}

/// List of names, each once: the moves of thousands of games have a few thousand names.
#[derive(Clone, Debug, Default)]
pub struct MoveNames {
    names: Vec<MoveName>,
    places: HashMap<MoveName, usize>,
}

impl MoveNames {
    /// Returns the place of the names of a legal move in the list, to which it adds them if they are new.
    pub fn place(&mut self, position: &Position, mv: Move) -> usize {
        let name = name_of(position, mv);
        *self.places.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() - 1
        })
    }

    /// Returns the places of the moves from `position` on, up to the first that is not legal.
    pub fn places(&mut self, position: &Position, moves: impl IntoIterator<Item = Move>) -> Vec<usize> {
        let mut position = *position;
        let mut places = vec![];
        for mv in moves {
            if !position.is_legal(mv) {
                break;
            }
            places.push(self.place(&position, mv));
            position = position.play(mv);
        }
        places
    }
}

/// Writes the list alone.
impl Serialize for MoveNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_have_one_place_and_an_illegal_move_none() {
        let mut names = MoveNames::default();
        let moves = ["h0g2", "h9g7", "g0e2", "b9c7", "a0a9", "b0c2"].map(|mv| mv.parse().unwrap());
        assert_eq!(names.places(&Position::start(), moves), [0, 1, 2, 3]);
        assert_eq!(names.places(&Position::start(), moves[..2].iter().copied()), [0, 1]);
        let json = serde_json::to_string(&names).unwrap();
        assert_eq!(json, r#"[["H2+3","马二进三"],["H8+7","马８进７"],["E3+5","相三进五"],["H2+3","马２进３"]]"#);
    }
}
