//! Searches of one engine process for a page: moves in a game, and analysis.

use std::time::{Duration, Instant};

use chuhe::board::Side;
use chuhe_engines::player::{ClockState, GameState, Offer, Player, SearchError, SearchResult, TimeControl};
use serde_json::{Value, json};

use super::job::{Job, Wish};
use super::observer::Watcher;
use crate::line::Line;
use crate::naming::{named, variation};
use crate::outbox::Outbox;
use crate::refusal::Refusal;
use crate::request::{Analyse, Clock, Limits, Play};
use crate::score::RedScore;
use crate::settings::{MOST_HASH, MOST_LINES};

/// Time per move where a request names no limit.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// Longest time per move, in milliseconds: an hour.
const LONGEST_MOVE_TIME: u64 = 3_600_000;

/// Time after which an analysis without limits ends.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(3600);

/// Failure of a search.
pub(super) enum Trouble {
    /// The page receives the answer.
    Refused(Refusal),
    /// The page has gone, or does not want the answer.
    Abandoned,
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<SearchError> for Trouble {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Cancelled => Self::Abandoned,
            SearchError::Failed(failure) => Self::Refused(Refusal::new("engine_failed", failure)),
        }
    }
}

/// Limits of a request in the terms of engines.
pub(super) fn time_control(limits: &Limits) -> TimeControl {
    TimeControl {
        move_time: limits.movetime.map(|ms| Duration::from_millis(ms.clamp(1, LONGEST_MOVE_TIME))),
        nodes: limits.nodes,
        depth: limits.depth,
        ..TimeControl::default()
    }
}

/// Limits of a request, or a second if it has none.
pub(super) fn bounded(limits: &Limits) -> TimeControl {
    let limits = time_control(limits);
    let move_time = limits.move_time.or_else(|| limits.is_unlimited().then_some(DEFAULT_MOVE_TIME));
    TimeControl { move_time, ..limits }
}

fn clocks(clock: Clock) -> [ClockState; 2] {
    let state = |time, increment| ClockState {
        time: Some(Duration::from_millis(time)),
        increment: Duration::from_millis(increment),
        moves_to_go: None,
    };
    let mut clocks = [ClockState::default(); 2];
    clocks[Side::Red.index()] = state(clock.red, clock.red_inc);
    clocks[Side::Black.index()] = state(clock.black, clock.black_inc);
    clocks
}

/// Returns the state of a game at the end of a line.
pub(super) fn game_state(line: &Line) -> GameState<'_> {
    GameState {
        positions: &line.positions,
        moves: &line.moves,
        banned: &[],
        clocks: [ClockState::default(); 2],
        draw_offered: false,
    }
}

/// Returns the options for a level; names that an engine does not have are ignored.
pub(super) fn level(elo: Option<i32>) -> Vec<(String, String)> {
    let switch = ["limitstrength", "UCI_LimitStrength"].map(|name| (name.to_owned(), elo.is_some().to_string()));
    let value = elo.into_iter().flat_map(|elo| ["elo", "UCI_Elo"].map(|name| (name.to_owned(), elo.to_string())));
    switch.into_iter().chain(value).collect()
}

/// Returns the options for threads, hash and lines.
pub(super) fn resources(threads: Option<u32>, hash: Option<u32>, multipv: Option<u32>) -> Vec<(String, String)> {
    let most_threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let threads = threads.unwrap_or(1).clamp(1, most_threads);
    let multipv = multipv.unwrap_or(1).clamp(1, MOST_LINES);
    let mut options = vec![("Threads".to_owned(), threads.to_string()), ("MultiPV".to_owned(), multipv.to_string())];
    options.extend(hash.map(|hash| ("Hash".to_owned(), hash.clamp(1, MOST_HASH).to_string())));
    options
}

/// Answers `play` and, with the variation, `hint`.
pub(super) fn play(
    player: &mut Player,
    job: &Job,
    outbox: &Outbox,
    line: &Line,
    wanted: &Play,
    with_pv: bool,
) -> Result<Value, Trouble> {
    let position = *line.last();
    if position.legal_moves().is_empty() {
        return Err(Refusal::new("bad_position", "the side to move has no move").into());
    }
    let mut limits = bounded(&wanted.limits);
    let mut state = game_state(line);
    if let Some(clock) = wanted.limits.clock {
        state.clocks = clocks(clock);
        limits.move_time = None;
    }
    state.draw_offered = wanted.draw_offered;
    let mut watcher = Watcher::new(job, outbox, position);
    let found = player.watch(&state, &limits, &mut watcher)?;
    watcher.flush();
    if matches!(job.wished(), Wish::Drop | Wish::Abandon) {
        return Err(Refusal::new("cancelled", "the answer is no longer needed").into());
    }
    let mut answer = played(&found, line)?;
    let score = watcher.score().or_else(|| found.eval.map(|eval| RedScore::new(eval, None, position.side())));
    let best = watcher.best();
    answer["score"] = json!(score.map(RedScore::json));
    answer["depth"] = json!(best.and_then(|(depth, _)| depth).or(found.info.depth));
    answer["nodes"] = json!(found.info.nodes);
    answer["book"] = json!(best.is_none());
    if with_pv {
        let moves = best.filter(|(_, best)| best.moves.first() == found.mv.as_ref()).map(|(_, best)| &best.moves[..]);
        let alone = found.mv.into_iter().collect::<Vec<_>>();
        answer["pv"] = json!(variation(&position, moves.unwrap_or(&alone), 30));
    }
    Ok(answer)
}

fn played(found: &SearchResult, line: &Line) -> Result<Value, Refusal> {
    let position = line.last();
    let legal = found.mv.filter(|&mv| position.is_legal(mv));
    let mut answer = match (legal, found.offer) {
        (Some(mv), _) => named(position, mv),
        (None, Some(Offer::Resign)) => json!({}),
        (None, _) => {
            let text = found.text.as_deref().unwrap_or("no move");
            let detail = format!("it plays {text:.40}, which is not legal in {}", position.to_fen());
            return Err(Refusal::new("engine_failed", detail));
        }
    };
    answer["type"] = json!("played");
    answer["ms"] = json!(found.elapsed.as_millis() as u64);
    answer["offer"] = json!(found.offer.map(|offer| match offer {
        Offer::Draw => "draw",
        Offer::Resign => "resign",
    }));
    Ok(answer)
}

/// Runs an analysis; returns the reason of its end.
pub(super) fn analyse(
    player: &mut Player,
    job: &Job,
    outbox: &Outbox,
    line: &Line,
    wanted: &Analyse,
) -> Result<&'static str, Trouble> {
    if line.last().legal_moves().is_empty() {
        return Ok("finished");
    }
    let mut watcher =
        Watcher::new(job, outbox, *line.last()).in_slot(&wanted.slot).until(Instant::now() + LONGEST_ANALYSIS);
    player.watch(&game_state(line), &time_control(&wanted.limits), &mut watcher)?;
    watcher.flush();
    Ok(match job.wished() {
        Wish::Replace => "replaced",
        Wish::Continue if watcher.is_late() => "idle",
        Wish::Continue => "finished",
        Wish::Stop | Wish::Drop | Wish::Abandon => "stopped",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_request_within_reason() {
        let none = Limits::default();
        assert!(time_control(&none).is_unlimited());
        assert_eq!(bounded(&none).move_time, Some(DEFAULT_MOVE_TIME));
        assert_eq!(bounded(&Limits { nodes: Some(9), ..none }).move_time, None);
        let long = time_control(&Limits { movetime: Some(u64::MAX), ..none });
        assert_eq!(long.move_time, Some(Duration::from_secs(3600)));
        let [red, black] = clocks(Clock { red: 5, black: 7, red_inc: 1, black_inc: 2 });
        assert_eq!((red.time, black.increment), (Some(Duration::from_millis(5)), Duration::from_millis(2)));
    }

    #[test]
    fn resources_stay_within_the_limits_of_the_server() {
        let options = resources(Some(u32::MAX), Some(u32::MAX), Some(u32::MAX));
        let value = |name: &str| options.iter().find(|(own, _)| own == name).unwrap().1.parse::<u32>().unwrap();
        assert_eq!((value("MultiPV"), value("Hash")), (MOST_LINES, MOST_HASH));
        assert!(value("Threads") <= 4096);
        assert_eq!(resources(None, None, None).len(), 2, "the engine's own size of the table");
        assert_eq!(
            level(None),
            [("limitstrength", "false"), ("UCI_LimitStrength", "false")].map(|(a, b)| (a.into(), b.into()))
        );
        assert_eq!(level(Some(1200)).len(), 4);
    }
}
