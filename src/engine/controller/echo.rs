//! Debug mode: how each command was understood, with clocks in seconds. It shows when a client sends seconds where milliseconds are
//! meant.

use std::fmt::{Display, Write};
use std::time::Duration;

use crate::board::Side;
use crate::engine::event::{Command, Dialect, GameText, Go, View};
use crate::engine::options::Options;
use crate::smp::time::Horizon;

/// Describes the command; `mover` is the side whose clock counts.
pub(super) fn describe(command: &Command, mover: Side, options: &Options) -> String {
    match command {
        Command::Handshake(Dialect::Ucci) => "ucci".into(),
        Command::Handshake(Dialect::Uci) => "uci".into(),
        Command::IsReady => "isready".into(),
        Command::SetOption { name, value } if value.is_empty() => format!("setoption {name:?} without a value"),
        Command::SetOption { name, value } => format!("setoption {name:?} value {value:?}"),
        Command::Debug(true) => "debug on".into(),
        Command::Debug(false) => "debug off".into(),
        Command::Position(text) => format!("position {}", game(text)),
        Command::BanMoves(moves) if moves.is_empty() => "banmoves without moves".into(),
        Command::BanMoves(moves) => format!("banmoves {}", list(moves)),
        Command::Go(go) => search(go, mover, options),
        Command::Perft { depth } => format!("go perft {depth}"),
        Command::Stop => "stop".into(),
        Command::PonderHit { draw: false } => "ponderhit".into(),
        Command::PonderHit { draw: true } => "ponderhit draw".into(),
        Command::Probe(text) => format!("probe {}", game(text)),
        Command::DoMove(mv) => format!("move {mv}"),
        Command::Show(View::Help) => "help".into(),
        Command::Show(view) => format!("show {view:?}"),
        Command::Flip => "flip".into(),
        Command::Terminal(command) => format!("{command:?}"),
        Command::Quit => "quit".into(),
    }
}

fn game(text: &GameText) -> String {
    let fen = text.start.to_fen();
    if text.moves.is_empty() { fen } else { format!("{fen} moves {}", list(&text.moves)) }
}

fn search(go: &Go, mover: Side, options: &Options) -> String {
    let mut text = String::from(if go.ponder { "go ponder" } else { "go" });
    let mut add = |condition: String| write!(text, " {condition}").expect("a string takes everything");
    if go.draw {
        add("draw".into());
    }
    if let Some(clock) = go.clock_of(mover).map(|clock| clock.to_time(options)) {
        add(format!("time {}", seconds(clock.remaining)));
        match clock.horizon {
            Horizon::ThisMove => add("for this move".into()),
            Horizon::Game(increment) => add(format!("increment {}", seconds(increment))),
            Horizon::Moves { moves, increment: Duration::ZERO } => add(format!("movestogo {moves}")),
            Horizon::Moves { moves, increment } => add(format!("movestogo {moves} increment {}", seconds(increment))),
        }
        if let Some(opponent) = clock.opponent {
            add(format!("opptime {}", seconds(opponent)));
        }
    }
    if let Some(time) = go.move_time {
        add(format!("movetime {}", seconds(Duration::from_millis(u64::try_from(time).unwrap_or(0)))));
    }
    if let Some(depth) = go.limits.depth {
        add(format!("depth {depth}"));
    }
    if let Some(nodes) = go.limits.nodes {
        add(format!("nodes {nodes}"));
    }
    if let Some(moves) = go.limits.mate {
        add(format!("mate {moves}"));
    }
    if !go.is_bounded() {
        add("infinite".into());
    }
    if !go.search_moves.is_empty() {
        add(format!("searchmoves {}", list(&go.search_moves)));
    }
    text
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// Returns the moves as they were written, one blank apart.
fn list(moves: &[impl Display]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::event::{Clock, ClockMode, ClockUnit, Limits, SideClock, SideClocks};

    fn echo(command: &Command, options: &Options) -> String {
        describe(command, Side::Red, options)
    }

    #[test]
    fn clocks_are_in_seconds_whatever_their_unit() {
        let mut options = Options::default();
        let mode = ClockMode::Increment(100);
        let clock = Some(Clock { time: 2000, mode, opponent_time: Some(1500), unit: ClockUnit::ByOption });
        let go = Command::Go(Go { clock, draw: true, ..Go::default() });
        assert_eq!(echo(&go, &options), "go draw time 2 s increment 0.1 s opptime 1.5 s");
        options.set("usemillisec", "false").unwrap();
        assert!(echo(&go, &options).contains("time 2000 s increment 100 s"));
        let side = |time| SideClock { time: Some(time), increment: 0 };
        let clocks = SideClocks { red: side(500), black: side(700), moves_to_go: Some(3) };
        let go = Command::Go(Go { side_clocks: Some(clocks), move_time: Some(300), ..Go::default() });
        assert!(echo(&go, &options).ends_with("opptime 0.7 s movetime 0.3 s"));
        let go = Command::Go(Go { side_clocks: Some(clocks), ponder: true, ..Go::default() });
        assert_eq!(echo(&go, &options), "go ponder time 0.5 s movestogo 3 opptime 0.7 s");
        assert!(describe(&go, Side::Black, &options).contains("time 0.7 s movestogo 3"));
    }

    #[test]
    fn limits_and_moves_are_named() {
        let options = Options::default();
        let limits = Limits { depth: Some(5), nodes: Some(700), mate: Some(2) };
        let search_moves = vec!["h2e2".parse().unwrap(), "h10g8".parse().unwrap()];
        let go = Command::Go(Go { limits, search_moves, ..Go::default() });
        assert_eq!(echo(&go, &options), "go depth 5 nodes 700 mate 2 searchmoves h2e2 h10g8");
        let go = Command::Go(Go { infinite: true, ..Go::default() });
        assert_eq!(echo(&go, &options), "go infinite");
    }
}
