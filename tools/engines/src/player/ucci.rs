//! UCCI in practice: clocks in two units, a FEN after the last capture, banned moves, draw offers.

use std::time::Duration;

use chuhe::board::{Move, Position};

use super::dialect::{Announced, ClockState, Dialect, GameState, LineKind, Thinking, join, parse_line, push_limits};
use super::eval::{Eval, RawScore, UCCI_SCORE_UNIT};
use super::failure::Failure;
use super::info::Info;
use super::notation::{read_move, write_fen, write_move};
use super::spec::{ClockUnit, PieceLetters, Quirks, RankBase, TimeControl};

pub(crate) struct Ucci {
    /// Whether the engine has the option that selects milliseconds.
    announces_unit: bool,
    announces_new_game: bool,
    unit: ClockUnit,
    ranks: RankBase,
    /// Centipawns per score of 100.
    score_unit: u32,
    letters: PieceLetters,
}

impl Ucci {
    pub(crate) fn new(options: &[Announced], quirks: &Quirks) -> Self {
        let announces = |name| options.iter().any(|option| option.is_called(name));
        let announces_unit = announces("usemillisec");
        // UCCI's own unit is the second. An engine with UCI options uses the clocks of UCI in UCCI too.
        let knows_uci = options.iter().any(|option| option.name.starts_with("UCI_"));
        let default = if announces_unit || knows_uci { ClockUnit::Milliseconds } else { ClockUnit::Seconds };
        Self {
            announces_unit,
            announces_new_game: announces("newgame"),
            unit: quirks.unit.unwrap_or(default),
            ranks: quirks.ranks.unwrap_or(RankBase::Zero),
            score_unit: quirks.score_unit.unwrap_or(UCCI_SCORE_UNIT),
            letters: quirks.letters.unwrap_or_default(),
        }
    }

    /// Converts to the engine's unit; fractions of a second are dropped if that is the second.
    fn amount(&self, time: Duration) -> u128 {
        match self.unit {
            ClockUnit::Milliseconds => time.as_millis(),
            ClockUnit::Seconds => u128::from(time.as_secs()),
        }
    }

    fn push_clock(&self, command: &mut String, clock: &ClockState, prefix: &str) {
        let Some(time) = clock.time else { return };
        *command += &format!(" {prefix}time {}", self.amount(time));
        if let Some(moves) = clock.moves_to_go {
            *command += &format!(" {prefix}movestogo {moves}");
        }
        if clock.moves_to_go.is_none() || !clock.increment.is_zero() {
            *command += &format!(" {prefix}increment {}", self.amount(clock.increment));
        }
    }
}

impl Dialect for Ucci {
    fn greeting(&mut self) -> Vec<String> {
        let value = self.unit == ClockUnit::Milliseconds;
        if self.announces_unit { vec![format!("setoption usemillisec {value}")] } else { vec![] }
    }

    fn setting(&self, name: &str, value: &str) -> String {
        format!("setoption {name} {value}").trim_end().to_owned()
    }

    fn ponder_option(&self) -> Option<&'static str> {
        Some("ponder")
    }

    fn new_game(&mut self) -> Vec<String> {
        vec![if self.announces_new_game { "setoption newgame" } else { "uccinewgame" }.to_owned()]
    }

    fn position(&mut self, state: &GameState) -> Result<Vec<String>, Failure> {
        let played = state.positions.iter().zip(state.moves);
        let last_capture = played.rev().position(|(position, &mv)| position.is_capture(mv));
        let first = last_capture.map_or(0, |back| state.moves.len() - back);
        let mut command = format!("position fen {}", write_fen(&state.positions[first], self.letters));
        let write = |mv| write_move(mv, self.ranks);
        if first < state.moves.len() {
            command += " moves";
            command += &join(&state.moves[first..], write);
        }
        let mut commands = vec![command];
        if !state.banned.is_empty() {
            commands.push(format!("banmoves{}", join(state.banned, write)));
        }
        Ok(commands)
    }

    fn go(&self, state: &GameState, limits: &TimeControl, thinking: Thinking) -> String {
        let mut command = match (thinking, state.draw_offered) {
            (Thinking::OpponentsTime, _) => "go ponder",
            (Thinking::OwnTime, true) => "go draw",
            (Thinking::OwnTime, false) => "go",
        }
        .to_owned();
        match (state.own_clock().time, limits.move_time) {
            (Some(_), _) => {
                self.push_clock(&mut command, state.own_clock(), "");
                self.push_clock(&mut command, state.other_clock(), "opp");
            }
            (None, Some(time)) => command += &format!(" time {} movestogo 1", self.amount(time)),
            (None, None) => {}
        }
        push_limits(&mut command, limits);
        command
    }

    fn ponder_hit(&self, draw_offered: bool) -> Option<&'static str> {
        Some(if draw_offered { "ponderhit draw" } else { "ponderhit" })
    }

    fn read_known_move(&self, text: &str) -> Option<Move> {
        read_move(text, self.ranks)
    }

    fn read_move(&mut self, text: &str, _position: &Position) -> Option<Move> {
        read_move(text, self.ranks)
    }

    fn eval(&self, raw_score: RawScore) -> Eval {
        raw_score.ucci_eval(self.score_unit)
    }

    fn answers_idle_stop(&self) -> bool {
        true
    }

    fn parse_line(&mut self, line: &str, info: &mut Info) -> LineKind {
        let before = info.raw_score;
        let heard = parse_line(line, info);
        if is_of_book(line) {
            info.raw_score = before;
        }
        heard
    }
}

/// Whether a line shows a book move: its score is the move's weight.
fn is_of_book(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("info") && words.by_ref().take(2).eq(["depth", "0"]) && words.any(|word| word == "pv")
}

/// Parses `option usemillisec type check default true`.
pub(crate) fn read_option(line: &str) -> Option<Announced> {
    let rest = line.trim().strip_prefix("option ")?.trim_start();
    let (name, definition) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Announced { name: name.to_owned(), definition: definition.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_of_a_move_in_a_book_is_no_value() {
        let mut info = Info::default();
        let mut raw_score = |line: &str| {
            ucci(&[]).parse_line(line, &mut info);
            info.raw_score
        };
        assert_eq!(raw_score("info depth 0 score 100 pv h2e2"), None);
        assert!(raw_score("info depth 1 score 12 pv h2e2").is_some());
    }

    fn ucci(options: &[&str]) -> Ucci {
        let options: Vec<_> = options.iter().map(|line| read_option(line).unwrap()).collect();
        Ucci::new(&options, &Quirks::default())
    }

    fn clock(ms: u64) -> ClockState {
        let increment = Duration::from_millis(1500);
        ClockState { time: Some(Duration::from_millis(ms)), increment, moves_to_go: None }
    }

    fn at<'a>(positions: &'a [Position], moves: &'a [Move], clocks: [ClockState; 2]) -> GameState<'a> {
        GameState { positions, moves, banned: &[], clocks, draw_offered: false }
    }

    #[test]
    fn milliseconds_are_set_where_they_are_announced_and_known_from_ucis_options() {
        let mut announcing = ucci(&["option usemillisec type check default false"]);
        assert_eq!(announcing.greeting(), ["setoption usemillisec true"]);
        assert_eq!(announcing.unit, ClockUnit::Milliseconds);
        let mut from_uci = ucci(&["option UCI_Variant type combo default xiangqi var xiangqi"]);
        assert!(from_uci.greeting().is_empty());
        assert_eq!(from_uci.unit, ClockUnit::Milliseconds);
        assert_eq!(ucci(&["option hashsize type spin"]).unit, ClockUnit::Seconds);
    }

    #[test]
    fn a_new_game_is_said_as_it_is_announced() {
        assert_eq!(ucci(&["option newgame type button"]).new_game(), ["setoption newgame"]);
        assert_eq!(ucci(&[]).new_game(), ["uccinewgame"]);
    }

    #[test]
    fn clocks_are_those_of_the_mover_and_of_the_other() {
        let limits = TimeControl::default();
        let positions = [Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b").unwrap()];
        let state = at(&positions, &[], [clock(10_999), clock(2500)]);
        let milliseconds = ucci(&["option usemillisec type check"]);
        let text = "go time 2500 increment 1500 opptime 10999 oppincrement 1500";
        assert_eq!(milliseconds.go(&state, &limits, Thinking::OwnTime), text);
        let offered = GameState { draw_offered: true, ..state };
        let text = "go draw time 2 increment 1 opptime 10 oppincrement 1";
        assert_eq!(ucci(&[]).go(&offered, &limits, Thinking::OwnTime), text);
        let sessions = ClockState { increment: Duration::ZERO, moves_to_go: Some(7), ..clock(9000) };
        let text = "go ponder time 9000 movestogo 7 opptime 9000 oppmovestogo 7";
        let state = at(&positions, &[], [sessions; 2]);
        assert_eq!(milliseconds.go(&state, &limits, Thinking::OpponentsTime), text);
    }

    #[test]
    fn other_limits_need_no_clock() {
        let positions = [Position::start()];
        let state = at(&positions, &[], [ClockState::default(); 2]);
        let say = |limits| ucci(&[]).go(&state, &limits, Thinking::OwnTime);
        let limits = TimeControl { move_time: Some(Duration::from_secs(2)), ..TimeControl::default() };
        assert_eq!(say(limits), "go time 2 movestogo 1");
        assert_eq!(
            say(TimeControl { nodes: Some(100), depth: Some(3), ..TimeControl::default() }),
            "go depth 3 nodes 100"
        );
    }

    #[test]
    fn the_position_begins_after_the_last_capture() {
        let mut positions = vec![Position::start()];
        let moves = ["h2e2", "h9g7", "e2e6", "a9a8", "h0g2"].map(|mv| mv.parse::<Move>().unwrap());
        for &mv in &moves {
            positions.push(positions[positions.len() - 1].play(mv));
        }
        let commands = |plies: usize| {
            ucci(&[]).position(&at(&positions[..=plies], &moves[..plies], [ClockState::default(); 2])).unwrap()
        };
        assert_eq!(commands(2), [format!("position fen {} moves h2e2 h9g7", positions[0].to_fen())]);
        assert_eq!(commands(3), [format!("position fen {}", positions[3].to_fen())]);
        assert_eq!(commands(5), [format!("position fen {} moves a9a8 h0g2", positions[3].to_fen())]);
    }

    #[test]
    fn banned_moves_follow_the_position() {
        let positions = [Position::start()];
        let banned = ["a0a1", "h2e2"].map(|mv| mv.parse().unwrap());
        let state = GameState { banned: &banned, ..at(&positions, &[], [ClockState::default(); 2]) };
        assert_eq!(ucci(&[]).position(&state).unwrap()[1], "banmoves a0a1 h2e2");
    }
}
