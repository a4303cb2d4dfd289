//! Averages over the moves of an engine: depth, nodes, speed, time.

use chuhe_games::record::{GameRecord, MoveRecord};
use serde::Serialize;

/// Averages over all moves of an engine.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Averages {
    /// Number of moves.
    pub(crate) moves: u64,
    /// Nodes per second of the time on the clock; `None` if the engine does not count nodes.
    pub(crate) nodes_per_second: Option<u64>,
    pub(crate) nodes_per_move: Option<u64>,
    /// Depth in plies, without moves of a book.
    pub(crate) depth: Option<f64>,
    /// Time of a move in milliseconds.
    pub(crate) time_ms: Option<u64>,
    /// Time on the clock beyond the time that the engine reports, in milliseconds.
    pub(crate) latency_ms: Option<f64>,
}

impl Averages {
    /// Returns the averages over the moves of `engine`.
    pub(crate) fn of<'a>(games: impl IntoIterator<Item = &'a GameRecord>, engine: &str) -> Self {
        let (mut moves, mut time, mut counted, mut nodes, mut counted_time, mut deep, mut depth) =
            (0, 0, 0, 0, 0, 0, 0);
        let mut latencies = Mean::default();
        for (_, record) in moves_of(games, engine) {
            moves += 1;
            time += record.time_ms;
            if let Some(searched) = record.nodes {
                counted += 1;
                nodes += searched;
                counted_time += record.time_ms;
            }
            // A move of a book has depth 0.
            if let Some(plies) = record.depth.filter(|depth| *depth > 0) {
                deep += 1;
                depth += u64::from(plies);
            }
            if let Some(latency) = record.latency_ms() {
                latencies.add(latency as f64);
            }
        }
        Self {
            moves,
            nodes_per_second: (nodes * 1000).checked_div(counted_time),
            nodes_per_move: nodes.checked_div(counted),
            depth: (deep > 0).then(|| rounded(depth as f64 / deep as f64)),
            time_ms: time.checked_div(moves),
            latency_ms: latencies.value().map(rounded),
        }
    }

    /// Returns a line such as `Averages of A: depth 9.3, 20000 nodes, 812345 nodes/s, 0.025 s a move, 812 moves`; `None`
    /// without a move.
    pub(crate) fn line(&self, engine: &str) -> Option<String> {
        let time = self.time_ms?;
        let parts = [
            self.depth.map(|depth| format!("depth {depth:.1}")),
            self.nodes_per_move.map(|nodes| format!("{nodes} nodes")),
            self.nodes_per_second.map(|speed| format!("{speed} nodes/s")),
            Some(format!("{:.3} s a move", time as f64 / 1000.0)),
            Some(format!("{} moves", self.moves)),
        ];
        Some(format!("Averages of {engine}: {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", ")))
    }

    /// Returns a line about the latency: the time on the clock beyond the time that the engine reports.
    pub(crate) fn latency_line(&self, engine: &str) -> String {
        match self.latency_ms {
            Some(latency) => format!("Latency of {engine}: {latency:.1} ms a move beyond the time that it reports"),
            None => format!("Latency of {engine}: unknown, it reports no time"),
        }
    }
}

/// A mean value of numbers that come one by one.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, number: f64) {
        self.sum += number;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// Rounds to tenths.
fn rounded(number: f64) -> f64 {
    (10.0 * number).round() / 10.0
}

/// Returns the moves of `engine` with their index in the game.
pub(crate) fn moves_of<'a>(
    games: impl IntoIterator<Item = &'a GameRecord>,
    engine: &str,
) -> impl Iterator<Item = (usize, &'a MoveRecord)> {
    games.into_iter().flat_map(move |game| {
        let starts_black = game.start_fen.split_whitespace().nth(1) == Some("b");
        let is_own = move |index: usize| {
            let mover = if index.is_multiple_of(2) == starts_black { &game.black } else { &game.red };
            mover == engine
        };
        game.moves.iter().enumerate().filter(move |(index, _)| is_own(*index))
    })
}

#[cfg(test)]
mod tests {
    use chuhe_games::record::{EndingClass, GameResult};

    use super::*;
    use crate::made_up::game;

    #[test]
    fn each_engine_has_averages_of_its_own() {
        let record = |depth, nodes, time_ms, reported_ms| MoveRecord {
            depth: Some(depth),
            nodes,
            time_ms,
            reported_ms,
            ..MoveRecord::default()
        };
        let mut played = game(1, "A", "B", GameResult::Draw, EndingClass::Agreement);
        played.moves = vec![
            record(0, None, 0, None),
            record(2, None, 4, None),
            record(4, Some(100), 20, Some(18)),
            record(3, None, 6, None),
        ];
        let [one, other] = ["A", "B"].map(|name| Averages::of([&played], name));
        assert_eq!(
            one.line("A").unwrap(),
            "Averages of A: depth 4.0, 100 nodes, 5000 nodes/s, 0.010 s a move, 2 moves"
        );
        assert_eq!(other.line("B").unwrap(), "Averages of B: depth 2.5, 0.005 s a move, 2 moves");
        assert_eq!(one.latency_line("A"), "Latency of A: 2.0 ms a move beyond the time that it reports");
        assert_eq!(other.latency_line("B"), "Latency of B: unknown, it reports no time");
        assert_eq!(Averages::of([&played], "C").line("C"), None);
    }
}
