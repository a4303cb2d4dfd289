//! Answers of the cloud book chessdb.cn: `move:h2e2,score:1,rank:2,note:...|move:c3c4,...`, as its action `queryall` gives them,
//! and `move:h2e2`, `egtb:h2e2` or `search:h2e2` of its action `querybest`.

use anyhow::{Context, Result, bail};
use chuhe::board::Move;
use chuhe::score::Score;

/// Answers that mean that there are no moves.
const WITHOUT_MOVES: [&str; 6] =
    ["unknown", "invalid board", "checkmate", "stalemate", "nobestmove", "invalid movelist"];

/// Names of the field with the move: of the book, of the endgame tablebases, and of a search that the cloud has begun.
const MOVES: [&str; 3] = ["move", "egtb", "search"];

/// Answer of the cloud for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Score as in [`Score::to_table`].
    Scored(i16),
    /// No score yet (`??`).
    Unknown,
    /// Chosen as the best, without a score.
    Best,
}

/// A move of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CloudMove {
    /// Move.
    pub mv: Move,
    /// Value and notes of the cloud for it.
    pub standing: Standing,
}

impl CloudMove {
    /// Score as in [`Score::to_table`], if there is one.
    pub fn score(self) -> Option<i16> {
        match self.standing {
            Standing::Scored(score) => Some(score),
            Standing::Unknown | Standing::Best => None,
        }
    }
}

/// Whether a text is such an answer.
pub fn is_answer(text: &str) -> bool {
    let is_move = |name: &str| text.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    MOVES.into_iter().any(is_move) || WITHOUT_MOVES.contains(&bare(text))
}

/// Removes blanks and the zero that ends some answers.
fn bare(text: &str) -> &str {
    text.trim_end_matches('\0').trim()
}

/// Parses an answer; fields other than the move and `score` are ignored.
///
/// # Errors
/// If a move or a score cannot be read; the message quotes it.
pub fn read(answer: &str) -> Result<Vec<CloudMove>> {
    let answer = bare(answer);
    if WITHOUT_MOVES.contains(&answer) {
        return Ok(vec![]);
    }
    answer.split('|').map(str::trim).filter(|text| !text.is_empty()).map(read_move).collect()
}

fn read_move(text: &str) -> Result<CloudMove> {
    let field = |name: &str| text.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix(':'));
    let Some(mv) = MOVES.into_iter().find_map(field) else { bail!("{text:?} has no move") };
    let standing = match field("score") {
        None => Standing::Best,
        Some("??") => Standing::Unknown,
        Some(number) => {
            let score = number.parse().with_context(|| format!("{number:?} is not a score"))?;
            Standing::Scored(Score::from_eval(score).to_table(0))
        }
    };
    Ok(CloudMove { mv: mv.parse()?, standing })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_have_scores_or_none() {
        let answer =
            "move:h2e2,score:1,rank:2,note:! (44-03),winrate:50.08|move:c3c4,score:-3,rank:1|move:a0a1,score:??\0";
        let found: Vec<_> = read(answer).unwrap().iter().map(|it| (it.mv.to_string(), it.standing)).collect();
        let expected = [("h2e2", Standing::Scored(1)), ("c3c4", Standing::Scored(-3)), ("a0a1", Standing::Unknown)];
        assert_eq!(found, expected.map(|(mv, standing)| (mv.to_owned(), standing)));
        assert!(is_answer(answer) && is_answer("unknown\0") && !is_answer("h2e2 100") && !is_answer("moves: h2e2"));
        assert_eq!(read("unknown").unwrap(), []);
        for (bad, said) in
            [("move:z9z9,score:1", "z9z9"), ("move:h2e2,score:x", "\"x\" is not a score"), ("score:1", "no move")]
        {
            let error = format!("{:#}", read(bad).unwrap_err());
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_move_of_querybest_is_the_best() {
        for answer in ["move:h2e2", "egtb:h2e2\0", "search:h2e2|"] {
            let best = CloudMove { mv: "h2e2".parse().unwrap(), standing: Standing::Best };
            assert!(is_answer(answer) && best.score().is_none());
            assert_eq!(read(answer).unwrap(), [best], "{answer:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(move:[a-i0-9]{0,5},score:[-?0-9]{0,12},\\PC{0,9}\\|?){0,4}") {
            let _ = read(&text);
        }
    }
}
