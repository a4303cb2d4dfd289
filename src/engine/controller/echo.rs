//! Debug mode: reports how each command was understood, with clocks in seconds. It shows when a client sends seconds where
//! milliseconds are meant.

use std::fmt::{Display, Write};
use std::time::Duration;

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::board::Side;
use crate::engine::event::{Command, Dialect, GameText, Go, View};
use crate::engine::options::Options;
use crate::smp::time::{Horizon, Timekeeper};

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Reports, in debug mode, how the command was understood, unless a user at a terminal sees its effect.
    pub(super) fn echo(&mut self, phase: &Phase, command: &Command) {
        let is_seen = self.is_for_person && matches!(command, Command::Show(_) | Command::Flip | Command::Wish(_));
        if self.options.debug && !matches!(phase, Phase::Boot) && !is_seen {
            let mover = self.game.position().map_or(Side::Red, |position| position.side());
            let text = format!("got {}", understood(command, mover, &self.options));
            self.message(text);
        }
    }
}

/// Describes the command in words; `mover` is the side whose clock counts.
fn understood(command: &Command, mover: Side, options: &Options) -> String {
    match command {
        Command::Handshake(Dialect::Ucci) => "a handshake in UCCI".into(),
        Command::Handshake(Dialect::Uci) => "a handshake in UCI".into(),
        Command::IsReady => "the question whether all is ready".into(),
        Command::SetOption { name, value } if value.is_empty() => format!("option {name:?} without a value"),
        Command::SetOption { name, value } => format!("option {name:?} with the value {value:?}"),
        Command::Debug(true) => "the wish to see what is understood".into(),
        Command::Debug(false) => "the wish to see no more of this".into(),
        Command::Position(text) => format!("position {}", game(text)),
        Command::BanMoves(moves) if moves.is_empty() => "a ban of no moves".into(),
        Command::BanMoves(moves) => format!("a ban of {}", list(moves)),
        Command::Go(go) => search(go, mover, options),
        Command::Perft { depth } => format!("the order to count {depth} plies"),
        Command::Stop => "the order to stop".into(),
        Command::PonderHit { draw: false } => "the expected move".into(),
        Command::PonderHit { draw: true } => "the expected move with an offer of a half point each".into(),
        Command::Probe(text) => format!("a question about the table at {}", game(text)),
        Command::DoMove(mv) => format!("the move {mv}"),
        Command::Show(View::Help) => "a call for help".into(),
        Command::Show(view) => format!("the wish to see {view:?}"),
        Command::Flip => "the wish to exchange the colours".into(),
        Command::Wish(_) => "an order of play".into(),
        Command::Quit => "the order to quit".into(),
    }
}

fn game(text: &GameText) -> String {
    let fen = text.start.to_fen();
    if text.moves.is_empty() { fen } else { format!("{fen}, then {} moves: {}", text.moves.len(), list(&text.moves)) }
}

fn search(go: &Go, mover: Side, options: &Options) -> String {
    let mut text = String::from(if go.ponder { "the order to ponder" } else { "the order to think" });
    let mut add = |condition: String| write!(text, ", {condition}").expect("a string takes everything");
    if go.draw {
        add("with an offer of a half point each".into());
    }
    if let Some(clock) = go.clock_of(mover).map(|clock| clock.to_time(options)) {
        add(match clock.horizon {
            Horizon::ThisMove => format!("{} for this move", seconds(clock.remaining)),
            Horizon::Game(increment) => {
                format!("{} on the clock and {} more every move", seconds(clock.remaining), seconds(increment))
            }
            Horizon::Moves { moves, increment: Duration::ZERO } => {
                format!("{} for {moves} moves", seconds(clock.remaining))
            }
            Horizon::Moves { moves, increment } => {
                format!("{} for {moves} moves and {} more every move", seconds(clock.remaining), seconds(increment))
            }
        });
        if let Some(opponent) = clock.opponent {
            add(format!("{} for the opponent", seconds(opponent)));
        }
    }
    if let Some(time) = go.move_time {
        add(format!("{} for this move", seconds(Duration::from_millis(u64::try_from(time).unwrap_or(0)))));
    }
    if let Some(depth) = go.limits.depth {
        add(format!("to depth {depth}"));
    }
    if let Some(nodes) = go.limits.nodes {
        add(format!("{nodes} nodes"));
    }
    if let Some(moves) = go.limits.mate {
        add(format!("for a mate in {moves}"));
    }
    if !go.is_bounded() {
        add("until told to stop".into());
    }
    if !go.search_moves.is_empty() {
        add(format!("only about {}", list(&go.search_moves)));
    }
    text
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// Joins moves as they were written, separated by spaces.
fn list(moves: &[impl Display]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::event::{Clock, ClockMode, ClockUnit, Limits, SideClock, SideClocks};

    fn echo(command: &Command, options: &Options) -> String {
        understood(command, Side::Red, options)
    }

    #[test]
    fn clocks_are_said_in_seconds_whatever_their_unit() {
        let mut options = Options::default();
        let mode = ClockMode::Increment(100);
        let clock = Some(Clock { time: 2000, mode, opponent_time: Some(1500), unit: ClockUnit::ByOption });
        let go = Command::Go(Go { clock, draw: true, ..Go::default() });
        let told = "the order to think, with an offer of a half point each, 2 s on the clock and 0.1 s more every move, \
                    1.5 s for the opponent";
        assert_eq!(echo(&go, &options), told);
        options.set("usemillisec", "false").unwrap();
        assert!(echo(&go, &options).contains("2000 s on the clock and 100 s more every move"));
        let side = |time| SideClock { time: Some(time), increment: 0 };
        let clocks = SideClocks { red: side(500), black: side(700), moves_to_go: Some(3) };
        let go = Command::Go(Go { side_clocks: Some(clocks), move_time: Some(300), ..Go::default() });
        assert!(echo(&go, &options).ends_with("0.7 s for the opponent, 0.3 s for this move"));
        let go = Command::Go(Go { side_clocks: Some(clocks), ponder: true, ..Go::default() });
        assert_eq!(echo(&go, &options), "the order to ponder, 0.5 s for 3 moves, 0.7 s for the opponent");
        assert!(understood(&go, Side::Black, &options).contains("0.7 s for 3 moves"));
    }

    #[test]
    fn limits_and_moves_are_named() {
        let options = Options::default();
        let limits = Limits { depth: Some(5), nodes: Some(700), mate: Some(2) };
        let search_moves = vec!["h2e2".parse().unwrap(), "h10g8".parse().unwrap()];
        let go = Command::Go(Go { limits, search_moves, ..Go::default() });
        let told = "the order to think, to depth 5, 700 nodes, for a mate in 2, only about h2e2 h10g8";
        assert_eq!(echo(&go, &options), told);
        assert_eq!(echo(&Command::Go(Go::default()), &options), "the order to think, until told to stop");
        assert_eq!(echo(&Command::BanMoves(vec![]), &options), "a ban of no moves");
        let option = Command::SetOption { name: "Hash".into(), value: "16".into() };
        assert_eq!(echo(&option, &options), "option \"Hash\" with the value \"16\"");
    }
}
