//! Analysis of a whole game: the value of every move, mistakes, accuracy.

use std::time::{Duration, Instant};

use chuhe::board::{Move, Position, Side};
use chuhe::notation::{Notation, write};
use chuhe::rules::{Rules, judge};
use chuhe_engines::player::Player;
use serde_json::{Value, json};

use super::job::{Job, Wish};
use super::observer::Watcher;
use super::search::{Trouble, bounded, game_state};
use crate::line::Line;
use crate::naming::{named, named_with, variation};
use crate::outbox::Outbox;
use crate::request::{Annotate, KnownValue};
use crate::score::{RedScore, side_name};

/// Kinds of mistakes, with the expectation that they give away at least.
const MARKS: [(&str, f64); 3] = [("blunder", 0.20), ("mistake", 0.10), ("inaccuracy", 0.05)];

/// Scale of the accuracy: a move that gives away a quarter of a point counts a little more than a third.
const SHARPNESS: f64 = 4.0;

/// Maximum number of moves of a variation in the result.
const LONGEST_PV: usize = 16;

/// Value of a position of the game.
struct Valued {
    score: RedScore,
    depth: Option<u32>,
    expectation: f64,
    pv: Vec<Move>,
}

/// Analyses a game position by position, and returns the message with the results; ends early if the page cancels.
pub(super) fn annotate(
    player: &mut Player,
    job: &Job,
    outbox: &Outbox,
    line: &Line,
    wanted: &Annotate,
) -> Result<Value, Trouble> {
    let (rules, started, total) = (wanted.rules.rules(), Instant::now(), line.positions.len());
    let mut values: Vec<Valued> = wanted.known.iter().zip(&line.positions).map(known).collect();
    let first = values.len();
    for ply in first..total {
        if job.is_over() {
            break;
        }
        let value = value(player, job, outbox, &line.until(ply), wanted, &rules)?;
        let message = progress(job, &value, ply, total, started.elapsed() / (ply + 1 - first) as u32);
        values.push(value);
        outbox.report(job.number, &message);
    }
    if job.wished() == Wish::Abandon {
        return Err(Trouble::Abandoned);
    }
    // The last search of an analysis that has been ended may have been cut off.
    if job.is_over() {
        values.pop();
    }
    Ok(results(job, line, &values))
}

/// Returns the value that an interrupted analysis has found.
fn known((known, position): (&KnownValue, &Position)) -> Valued {
    let mut now = *position;
    let mut pv = Vec::new();
    for mv in known.pv.iter().take(LONGEST_PV).map_while(|text| text.parse().ok()) {
        if !now.is_legal(mv) {
            break;
        }
        pv.push(mv);
        now = now.play(mv);
    }
    let expectation = known.expectation.clamp(0.0, 1.0);
    Valued { score: RedScore::read(&known.score), depth: known.depth, expectation, pv }
}

fn value(
    player: &mut Player,
    job: &Job,
    outbox: &Outbox,
    line: &Line,
    wanted: &Annotate,
    rules: &Rules,
) -> Result<Valued, Trouble> {
    let position = *line.last();
    if let Some(verdict) = judge(&line.positions, rules) {
        let score = RedScore::over(verdict.loser.map(|loser| !loser));
        return Ok(Valued { score, depth: None, expectation: score.expectation(&position), pv: Vec::new() });
    }
    let mut watcher = Watcher::new(job, outbox, position).silently();
    let found = player.watch(&game_state(line), &bounded(&wanted.limits), &mut watcher)?;
    let known = watcher.score().or_else(|| found.eval.map(|eval| RedScore::new(eval, None, position.side())));
    let score = known.unwrap_or(RedScore::over(None));
    let (depth, pv) =
        watcher.best().map_or((watcher.latest().depth, Vec::new()), |(depth, best)| (depth, best.moves.clone()));
    Ok(Valued { score, depth, expectation: score.expectation(&position), pv })
}

/// Reports the value of a position; positions take `each` on average.
fn progress(job: &Job, value: &Valued, ply: usize, total: usize, each: Duration) -> Value {
    let done = ply + 1;
    let pv = value.pv.iter().take(LONGEST_PV).map(ToString::to_string);
    json!({
        "type": "annotate_progress",
        "job": job.number,
        "done": done,
        "total": total,
        "eta_ms": (each.as_secs_f64() * (total - done) as f64 * 1000.0) as u64,
        "ply": ply,
        "score": value.score.json(),
        "depth": value.depth,
        "expectation": value.expectation,
        "pv": pv.collect::<Vec<_>>(),
    })
}

fn results(job: &Job, line: &Line, values: &[Valued]) -> Value {
    let mut plies = Vec::new();
    let mut losses: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut counts = [[0_u32; 3]; 2];
    for (index, pair) in values.windows(2).enumerate() {
        let [before, after] = pair else { unreachable!("windows of two") };
        let (position, mv) = (&line.positions[index], line.moves[index]);
        let side = position.side();
        let loss = loss(before, after, mv, side);
        let mark = MARKS.iter().position(|(_, least)| loss >= *least);
        losses[side.index()].push(loss);
        if let Some(kind) = mark {
            counts[side.index()][kind] += 1;
        }
        plies.push(ply(position, mv, index + 1, before, after, loss, mark.map(|kind| MARKS[kind].0)));
    }
    let by_side =
        |of: &dyn Fn(usize) -> Value| json!({ "red": of(Side::Red.index()), "black": of(Side::Black.index()) });
    json!({
        "type": "annotated",
        "job": job.number,
        "reason": if job.is_over() { "stopped" } else { "finished" },
        "accuracy": by_side(&|side| json!(accuracy(&losses[side]))),
        "counts": by_side(&|side| {
            json!(MARKS.iter().zip(counts[side]).map(|((name, _), count)| (*name, count)).collect::<std::collections::BTreeMap<_, _>>())
        }),
        "plies": plies,
    })
}

/// Returns the expectation that a move gave away, for its mover. The move that the engine would play gives away nothing.
fn loss(before: &Valued, after: &Valued, mv: Move, side: Side) -> f64 {
    if before.pv.first() == Some(&mv) {
        return 0.0;
    }
    let change = before.expectation - after.expectation;
    (if side == Side::Red { change } else { -change }).max(0.0)
}

/// Returns the accuracy in percent; `None` without moves.
fn accuracy(losses: &[f64]) -> Option<f64> {
    let sum: f64 = losses.iter().map(|loss| (-SHARPNESS * loss).exp()).sum();
    (!losses.is_empty()).then(|| (1000.0 * sum / losses.len() as f64).round() / 10.0)
}

fn ply(
    position: &Position,
    mv: Move,
    number: usize,
    before: &Valued,
    after: &Valued,
    loss: f64,
    mark: Option<&str>,
) -> Value {
    let best = before.pv.first().filter(|&&best| best != mv && position.is_legal(best));
    named_with(
        position,
        mv,
        json!({
            "ply": number,
            "side": side_name(position.side()),
            "before": before.score.json(),
            "after": after.score.json(),
            "depth": after.depth,
            "expectation": after.expectation,
            "loss": loss,
            "mark": mark,
            "best": best.map(|&best| named(position, best)),
            "pv": variation(position, &before.pv, LONGEST_PV),
            "comment": comment(position, after, best.copied(), mark),
        }),
    )
}

/// Writes `[%eval +0.12/14] [%best H2-E2] blunder`, for comments in files.
fn comment(position: &Position, after: &Valued, best: Option<Move>, mark: Option<&str>) -> String {
    let depth = after.depth.map_or_else(String::new, |depth| format!("/{depth}"));
    let mut text = format!("[%eval {}{depth}]", after.score.text());
    if let (Some(best), Some(mark)) = (best, mark) {
        text += &format!(" [%best {}] {mark}", write(position, best, Notation::Iccs));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Kind;

    fn valued(expectation: f64, best: &str) -> Valued {
        let score = RedScore { kind: Kind::Centipawns(0), wdl: None };
        Valued { score, depth: Some(3), expectation, pv: vec![best.parse().unwrap()] }
    }

    #[test]
    fn losses_belong_to_the_mover() {
        let (high, low, mv) = (valued(0.7, "h2e2"), valued(0.4, "h2e2"), "c3c4".parse().unwrap());
        assert!((loss(&high, &low, mv, Side::Red) - 0.3).abs() < 1e-9);
        assert_eq!(loss(&high, &low, mv, Side::Black), 0.0);
        assert!((loss(&low, &high, mv, Side::Black) - 0.3).abs() < 1e-9);
        assert_eq!(loss(&high, &low, "h2e2".parse().unwrap(), Side::Red), 0.0, "the best move gives away nothing");
    }

    #[test]
    fn accuracy_falls_with_the_losses() {
        assert_eq!((accuracy(&[]), accuracy(&[0.0, 0.0])), (None, Some(100.0)));
        let [small, large] = [0.05, 0.5].map(|loss| accuracy(&[loss, 0.0]).unwrap());
        assert!(small > large && small < 100.0 && large > 50.0, "{small} {large}");
    }

    #[test]
    fn a_blunder_is_named_in_its_comment() {
        let text = crate::line::LineText { start: None, moves: vec!["c3c4".to_owned()] };
        let line = Line::read(&text).unwrap();
        let results = results(&Job::new(5), &line, &[valued(0.6, "h2e2"), valued(0.3, "h9g7")]);
        let ply = &results["plies"][0];
        assert_eq!((ply["mark"].as_str(), ply["best"]["iccs"].as_str()), (Some("blunder"), Some("H2-E2")));
        assert_eq!(ply["comment"], "[%eval +0.00/3] [%best H2-E2] blunder");
        assert_eq!(results["counts"]["red"], json!({ "blunder": 1, "mistake": 0, "inaccuracy": 0 }));
        assert_eq!(results["accuracy"]["black"], Value::Null);
    }

    #[test]
    fn a_reported_value_is_taken_back_up_to_its_first_illegal_move() {
        let found = Valued { depth: Some(9), ..valued(0.6, "h2e2") };
        let message = progress(&Job::new(5), &found, 3, 9, Duration::from_millis(100));
        assert_eq!(message["eta_ms"], 500);
        let mut text: KnownValue = serde_json::from_value(message).unwrap();
        text.pv.push("h2e2".to_owned());
        let again = known((&text, &Position::start()));
        assert_eq!((again.score, again.depth, again.expectation), (found.score, found.depth, found.expectation));
        assert_eq!(again.pv, found.pv);
    }
}
