//! Answers about a position: legal moves, check, repetitions, the end of the game.

use chuhe::board::{Position, Side};
use chuhe::notation::read_any;
use chuhe::referee::explain;
use chuhe::rules::{Conduct, Ending, Loop, Rules, Verdict, judge, repeats_to_lose};
use serde_json::{Value, json};

use crate::line::Line;
use crate::naming::{named, variation};
use crate::refusal::{Answer, Refusal};
use crate::score::side_name;

/// Answers `position`.
pub(crate) fn describe(line: &Line, rules: &Rules) -> Value {
    let last = line.last();
    let legal = last.legal_moves();
    let losing =
        legal.iter().filter(|&&mv| repeats_to_lose(&line.positions, mv, rules) || loses_at_once(line, mv, rules));
    json!({
        "type": "position",
        "fen": last.to_fen(),
        "side": side_name(last.side()),
        "check": last.in_check(),
        "legal": legal.iter().map(|&mv| named(last, mv)).collect::<Vec<_>>(),
        "played": variation(&line.positions[0], &line.moves, usize::MAX),
        "losing": losing.map(ToString::to_string).collect::<Vec<_>>(),
        "end": judge(&line.positions, rules).map(|verdict| end(line, &verdict)),
        "quiet": last.reversible_plies(),
        "quiet_limit": rules.limit_plies(),
        "occurrence": occurrences(&line.positions, last),
    })
}

fn occurrences(positions: &[Position], of: &Position) -> usize {
    positions.iter().filter(|position| position.key() == of.key()).count()
}

/// Whether a move repeats a position so that its mover loses now.
fn loses_at_once(line: &Line, mv: chuhe::board::Move, rules: &Rules) -> bool {
    let next = line.last().play(mv);
    if occurrences(&line.positions, &next) == 0 {
        return false;
    }
    let verdict = judge(&[&line.positions[..], &[next]].concat(), rules);
    verdict.is_some_and(|verdict| {
        matches!(verdict.ending, Ending::Repetition(_)) && verdict.loser == Some(line.last().side())
    })
}

fn end(line: &Line, verdict: &Verdict) -> Value {
    let winner = verdict.loser.map(|loser| !loser);
    let reason = match verdict.ending {
        Ending::Checkmate => "mate",
        Ending::Stalemate => "stalemate",
        Ending::Repetition(_) => "repetition",
        Ending::MoveLimit => "move_limit",
        Ending::NoAttackers => "no_attackers",
    };
    let repeated = match verdict.ending {
        Ending::Repetition(judged) => Some(repetition(line, &judged)),
        _ => None,
    };
    json!({
        "result": result_text(winner),
        "winner": winner.map(side_name),
        "reason": reason,
        "text": explain(&line.positions, &line.moves, verdict),
        "loop": repeated,
    })
}

/// Returns the result as in PGN.
fn result_text(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::Red) => "1-0",
        Some(Side::Black) => "0-1",
        None => "1/2-1/2",
    }
}

fn repetition(line: &Line, judged: &Loop) -> Value {
    let first = line.moves.len().saturating_sub(judged.plies);
    let victims = judged.conduct.iter().filter_map(|conduct| match conduct {
        Conduct::Chase(square) | Conduct::ChaseOfPinnedRook(square) => Some(square.to_string()),
        Conduct::Idle | Conduct::Attack | Conduct::Check => None,
    });
    let conduct = judged.conduct.map(|conduct| match conduct {
        Conduct::Idle => "idle",
        Conduct::Attack => "attack",
        Conduct::Chase(_) => "chase",
        Conduct::ChaseOfPinnedRook(_) => "chase_of_pinned_rook",
        Conduct::Check => "check",
    });
    json!({
        "ending": judged.name(),
        "moves": variation(&line.positions[first], &line.moves[first..], usize::MAX),
        "victims": victims.collect::<Vec<_>>(),
        "conduct": { "red": conduct[Side::Red.index()], "black": conduct[Side::Black.index()] },
    })
}

/// Answers `names`.
pub(crate) fn names(line: &Line) -> Value {
    json!({ "type": "names", "moves": variation(&line.positions[0], &line.moves, usize::MAX) })
}

/// Answers `read_move`: a move typed in any notation.
pub(crate) fn typed(line: &Line, text: &str) -> Answer {
    let mv = read_any(line.last(), text).map_err(|error| Refusal::new("bad_move", error))?;
    Ok(json!({ "type": "names", "moves": [named(line.last(), mv)] }))
}

/// Answers `check_fen`.
pub(crate) fn check_fen(fen: &str) -> Value {
    match Position::from_fen(fen) {
        Ok(position) => json!({ "type": "check_fen", "ok": true, "fen": position.to_fen() }),
        Err(error) => json!({ "type": "check_fen", "ok": false, "detail": Refusal::new("bad_position", error).detail }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::LineText;
    use chuhe::rules::RuleSet;

    fn described(start: &str, moves: &str) -> Value {
        let text = LineText {
            start: (!start.is_empty()).then(|| start.to_owned()),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        };
        describe(&Line::read(&text).unwrap(), &RuleSet::Asian.rules())
    }

    #[test]
    fn a_position_has_its_moves_in_all_notations() {
        let start = described("", "h2e2");
        assert_eq!((start["side"].as_str(), start["check"].as_bool()), (Some("black"), Some(false)));
        assert_eq!(start["played"][0], json!({ "mv": "h2e2", "iccs": "H2-E2", "wxf": "C2=5", "zh": "炮二平五" }));
        assert_eq!((start["legal"].as_array().unwrap().len(), &start["end"]), (45, &Value::Null));
        assert_eq!((&start["quiet"], &start["quiet_limit"], &start["occurrence"]), (&json!(1), &json!(120), &json!(1)));
    }

    #[test]
    fn a_loop_is_announced_before_it_decides_and_explained_when_it_does() {
        let (fen, round) = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8 ");
        let near = described(fen, &(round.to_owned() + "f0e0 e8f8"));
        assert_eq!(near["losing"], json!(["e0f0"]));
        let end = described(fen, &round.repeat(2))["end"].clone();
        assert_eq!((&end["result"], &end["reason"]), (&json!("0-1"), &json!("repetition")));
        assert_eq!(end["loop"]["conduct"], json!({ "red": "check", "black": "idle" }));
        assert_eq!(end["loop"]["moves"].as_array().unwrap().len(), 8);
        assert!(end["text"].as_str().unwrap().starts_with("red loses: perpetual check; loop"));
    }

    #[test]
    fn a_mated_side_has_lost() {
        let end = described("R3k4/R8/9/9/9/9/9/9/9/3K5 b", "")["end"].clone();
        assert_eq!((&end["result"], &end["winner"], &end["reason"]), (&json!("1-0"), &json!("red"), &json!("mate")));
    }
}
