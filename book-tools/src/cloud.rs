//! Answers of the cloud book chessdb.cn: `move:h2e2,score:1,rank:2,note:...|move:c3c4,...`, as its action `queryall` gives them.

use anyhow::{Context, Result, bail};
use chuhe::board::Move;
use chuhe::score::Score;

/// Answers that mean that there are no moves.
const WITHOUT_MOVES: [&str; 6] =
    ["unknown", "invalid board", "checkmate", "stalemate", "nobestmove", "invalid movelist"];

/// A move of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CloudMove {
    /// Move.
    pub mv: Move,
    /// Score as in [`Score::to_table`]; `None` if the cloud has none (`??`).
    pub score: Option<i16>,
}

/// Whether a text is such an answer.
pub fn is_answer(text: &str) -> bool {
    text.starts_with("move:") || WITHOUT_MOVES.contains(&text.trim_end_matches('\0').trim())
}

/// Parses an answer; fields other than `move` and `score` are ignored.
///
/// # Errors
/// If a move or a score cannot be read; the message quotes it.
pub fn read(answer: &str) -> Result<Vec<CloudMove>> {
    let answer = answer.trim_end_matches('\0').trim();
    if WITHOUT_MOVES.contains(&answer) {
        return Ok(vec![]);
    }
    answer.split('|').map(read_move).collect()
}

fn read_move(text: &str) -> Result<CloudMove> {
    let field = |name: &str| text.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix(':'));
    let Some(mv) = field("move") else { bail!("{text:?} has no move") };
    let mv = mv.parse()?;
    let score = match field("score") {
        None | Some("??") => None,
        Some(number) => Some(number.parse::<i32>().with_context(|| format!("{number:?} is no score"))?),
    };
    Ok(CloudMove { mv, score: score.map(|score| Score::from_eval(score).to_table(0)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_have_scores_or_none() {
        let answer =
            "move:h2e2,score:1,rank:2,note:! (44-03),winrate:50.08|move:c3c4,score:-3,rank:1|move:a0a1,score:??\0";
        let found: Vec<_> = read(answer).unwrap().iter().map(|it| (it.mv.to_string(), it.score)).collect();
        let expected = [("h2e2", Some(1)), ("c3c4", Some(-3)), ("a0a1", None)];
        assert_eq!(found, expected.map(|(mv, score)| (mv.to_owned(), score)));
        assert!(is_answer(answer) && is_answer("unknown") && !is_answer("h2e2 100"));
        assert_eq!(read("unknown").unwrap(), []);
        for (bad, said) in
            [("move:z9z9,score:1", "z9z9"), ("move:h2e2,score:x", "\"x\" is no score"), ("score:1", "no move")]
        {
            let error = format!("{:#}", read(bad).unwrap_err());
            assert!(error.contains(said), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(move:[a-i0-9]{0,5},score:[-?0-9]{0,12},\\PC{0,9}\\|?){0,4}") {
            let _ = read(&text);
        }
    }
}
