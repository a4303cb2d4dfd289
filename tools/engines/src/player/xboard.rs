//! Version 2 of the XBoard protocol (CECP) as used by Xiangqi engines: the engine keeps the game and receives the moves.
//!
//! After H. G. Muller and T. Mann, "Chess Engine Communication Protocol". The notation is that of XBoard in Xiangqi, which
//! engines understand: ranks from 0, FENs with `h` and `e` and without fields for castling and en passant.

use std::time::Duration;

use chuhe::board::{Move, Position, Side};

use super::dialect::{Announced, Dialect, Heard, Situation, Thinking};
use super::eval::{Eval, HUNDRED, Said};
use super::failure::{Failure, FailureClass};
use super::features::{CORES, Features, MEMORY};
use super::info::{Info, Reply, Wish};
use super::notation::{read_move, write_fen, write_move};
use super::post::read_thinking;
use super::spec::{Habits, PieceLetters, RankBase, TimeControl};

/// Command to start a search.
const GO: &str = "go";

/// Features that affect the commands sent here.
const USED: [&str; 10] =
    ["ping", "setboard", "usermove", "time", "draw", "reuse", "variants", "memory", "smp", "option"];

pub(crate) struct Xboard {
    features: Features,
    options: Vec<Announced>,
    ranks: RankBase,
    /// Centipawns per score of 100.
    hundred: u32,
    letters: PieceLetters,
    /// Start of the game on the engine's board, and the number of moves of the real game before it.
    start: Position,
    skipped: usize,
    /// Moves on the engine's board.
    moves: Vec<Move>,
    /// Whether the game on the engine's board is over for the engine.
    ended: bool,
    /// Move that the engine has played on its board, as it wrote it; not in `moves` yet.
    own_move: Option<String>,
    /// Question being searched.
    thinking: Option<Question>,
    /// Draw offer or resignation, which counts with the engine's next move.
    wish: Option<Wish>,
    /// Limits sent in this game.
    limits: Vec<String>,
    pings: u32,
}

/// A question to the engine.
struct Question {
    position: Position,
    /// Number of moves in the game so far.
    plies: usize,
    /// All commands between the position and `go`.
    terms: Vec<String>,
}

impl Xboard {
    /// Creates the protocol from the lines of a handshake.
    ///
    /// # Errors
    /// If the engine does not play Xiangqi.
    pub(crate) fn new(lines: &[String], habits: &Habits) -> Result<Self, Failure> {
        let features = Features::read(lines);
        let variants = features.get("variants").unwrap_or_default();
        if !variants.split(',').any(|variant| variant.trim() == "xiangqi") {
            let text = format!("it does not announce xiangqi among its variants, which are {variants:?}");
            return Err(Failure::new(FailureClass::NoHandshake, text));
        }
        Ok(Self {
            options: features.options(),
            features,
            ranks: habits.ranks.unwrap_or(RankBase::Zero),
            hundred: habits.hundred.unwrap_or(HUNDRED),
            letters: habits.letters.unwrap_or(PieceLetters::HorseElephant),
            start: Position::start(),
            skipped: 0,
            moves: Vec::new(),
            ended: false,
            own_move: None,
            thinking: None,
            wish: None,
            limits: Vec::new(),
            pings: 0,
        })
    }

    pub(crate) fn options(&self) -> &[Announced] {
        &self.options
    }

    /// Adds the move that the engine has played on its own board.
    fn learn_own_move(&mut self) {
        let own = self.own_move.take().and_then(|text| read_move(&text, self.ranks));
        self.moves.extend(own);
    }

    /// Whether the game on the engine's board is the beginning of this one.
    fn follows(&self, situation: &Situation) -> bool {
        let same_start = situation.positions.get(self.skipped) == Some(&self.start);
        same_start && situation.moves[self.skipped..].starts_with(&self.moves)
    }

    /// Begins a game on the engine's board with the position after `skipped` moves of the real game.
    fn begin_at(&mut self, position: &Position, skipped: usize) -> Result<Vec<String>, Failure> {
        let mut commands = self.new_game();
        self.skipped = skipped;
        if *position != self.start {
            self.start = *position;
            commands.push(self.set_board()?);
        }
        Ok(commands)
    }

    /// Sets up the start of the game on the engine's board, with its counter of quiet plies at 0 if real moves precede it.
    fn set_board(&self) -> Result<String, Failure> {
        if !self.features.has("setboard") {
            let text = "it has not announced setboard and cannot begin elsewhere than at the start of the game";
            return Err(Failure::new(FailureClass::ProtocolViolation, text));
        }
        let fen = write_fen(&self.start, self.letters);
        let mut fields: Vec<&str> = fen.split_whitespace().filter(|&field| field != "-").collect();
        if let Some(quiet_plies) = fields.get_mut(2).filter(|_| self.skipped > 0) {
            *quiet_plies = "0";
        }
        Ok(format!("setboard {}", fields.join(" ")))
    }

    fn write_user_move(&self, mv: Move) -> String {
        let mv = write_move(mv, self.ranks);
        if self.features.has("usermove") { format!("usermove {mv}") } else { mv }
    }

    /// Handles a resignation: at once during a search, otherwise with the next move.
    fn resigns(&mut self) -> Heard {
        if self.thinking.take().is_some() {
            return Heard::Answer(Reply { mv: None, ponder: None, wish: Some(Wish::Resign) });
        }
        self.wish = Some(Wish::Resign);
        Heard::Other
    }

    /// Handles a claim of a result.
    fn claims(&mut self, line: &str) -> Heard {
        let Some(question) = &self.thinking else {
            self.ended = true;
            return Heard::Other;
        };
        match (line.split_whitespace().next(), question.position.side()) {
            (Some("1-0"), Side::Black) | (Some("0-1"), Side::Red) => self.resigns(),
            _ => self.ask_anew(line),
        }
    }

    /// Repeats the question to an engine that considers the game over. The referee disagrees, whose repetition rules may differ;
    /// without the moves that led to the position the engine has to play.
    fn ask_anew(&mut self, claim: &str) -> Heard {
        let Some(question) = self.thinking.take().filter(|_| !self.moves.is_empty()) else {
            let text = format!("it claims a result instead of moving: {claim:.80}");
            return Heard::Failed(Failure::new(FailureClass::ProtocolViolation, text));
        };
        match self.begin_at(&question.position, question.plies) {
            Ok(mut commands) => {
                commands.extend(question.terms.iter().cloned());
                commands.push(GO.to_owned());
                self.thinking = Some(question);
                Heard::Unwilling(commands)
            }
            Err(failure) => Heard::Failed(failure),
        }
    }

    fn moves_by(&mut self, text: &str) -> Heard {
        self.thinking = None;
        self.own_move = Some(text.to_owned());
        Heard::Answer(Reply { mv: Some(text.to_owned()), ponder: None, wish: self.wish.take() })
    }

    /// Whether a complaint is about something essential for the game: a move, a position, the `go` command.
    fn refuses(&self, complaint: &str) -> bool {
        let mut subject = complaint.split_once(':').map_or("", |(_, subject)| subject).split_whitespace();
        match subject.next() {
            Some("usermove" | "setboard" | "go") => true,
            Some(word) => read_move(word, self.ranks).is_some(),
            None => false,
        }
    }
}

impl Dialect for Xboard {
    fn greeting(&mut self) -> Vec<String> {
        let used = USED.iter().filter(|name| self.features.get(name).is_some());
        let mut commands: Vec<_> = used.map(|name| format!("accepted {name}")).collect();
        if self.features.has("san") {
            commands.push("rejected san".to_owned());
        }
        commands.extend(self.new_game());
        commands.extend(["easy", "post"].map(str::to_owned));
        commands
    }

    fn setting(&self, name: &str, value: &str) -> String {
        let is_check = |option: &Announced| option.name == name && option.definition.starts_with("type check");
        let value = match value {
            "true" if self.options.iter().any(is_check) => "1",
            "false" if self.options.iter().any(is_check) => "0",
            other => other,
        };
        match name {
            MEMORY | CORES => format!("{name} {value}"),
            _ if value.is_empty() => format!("option {name}"),
            _ => format!("option {name}={value}"),
        }
    }

    /// Unknown commands may crash an engine.
    fn sets_unannounced(&self) -> bool {
        false
    }

    /// Pondering is turned off by `easy` instead.
    fn ponder_option(&self) -> Option<&'static str> {
        None
    }

    fn ready_check(&mut self) -> Option<[String; 2]> {
        self.features.has("ping").then(|| {
            self.pings += 1;
            ["ping", "pong"].map(|word| format!("{word} {}", self.pings))
        })
    }

    fn new_game(&mut self) -> Vec<String> {
        self.start = Position::start();
        self.skipped = 0;
        self.moves.clear();
        self.ended = false;
        self.own_move = None;
        self.thinking = None;
        self.wish = None;
        self.limits.clear();
        ["new", "variant xiangqi", "force"].map(str::to_owned).to_vec()
    }

    fn plays_again(&self) -> bool {
        !self.features.lacks("reuse")
    }

    /// Sends the moves that the engine lacks, or the whole game if its board holds another one.
    fn position(&mut self, situation: &Situation) -> Result<Vec<String>, Failure> {
        self.learn_own_move();
        let mut commands = vec!["force".to_owned()];
        if self.ended {
            commands = self.begin_at(situation.position(), situation.moves.len())?;
        } else if !self.follows(situation) {
            commands = self.begin_at(&situation.positions[0], 0)?;
        }
        let unknown = &situation.moves[self.skipped + self.moves.len()..];
        commands.extend(unknown.iter().map(|&mv| self.write_user_move(mv)));
        self.moves.extend(unknown);
        Ok(commands)
    }

    fn before_go(&mut self, situation: &Situation, limits: &TimeControl) -> Vec<String> {
        let limits_said = say_limits(situation, limits);
        let mut commands = Vec::new();
        if let Some(own) = situation.own_clock().time.or(limits.move_time)
            && !self.features.lacks("time")
        {
            // The protocol cannot express that the other side has no clock; it gets this engine's time.
            let other = situation.other_clock().time.unwrap_or(own);
            commands
                .extend([("time", own), ("otim", other)].map(|(word, time)| format!("{word} {}", centiseconds(time))));
        }
        if situation.draw_offered && !self.features.lacks("draw") {
            commands.push("draw".to_owned());
        }
        let terms = [&limits_said[..], &commands].concat();
        let known = self.limits == limits_said;
        self.limits = limits_said;
        self.thinking =
            Some(Question { position: *situation.position(), plies: situation.moves.len(), terms: terms.clone() });
        if known { commands } else { terms }
    }

    fn go(&self, _situation: &Situation, _limits: &TimeControl, _thinking: Thinking) -> String {
        GO.to_owned()
    }

    /// A result may follow the engine's move.
    fn may_say_more(&self) -> bool {
        self.own_move.is_some()
    }

    fn stop(&self) -> &'static str {
        "?"
    }

    fn ponder_hit(&self, _draw_offered: bool) -> Option<&'static str> {
        None
    }

    fn read_move(&mut self, text: &str, _position: &Position) -> Option<Move> {
        read_move(text, self.ranks)
    }

    fn eval(&self, said: Said) -> Eval {
        said.eval(self.hundred)
    }

    fn answers_idle_stop(&self) -> bool {
        false
    }

    fn hear(&mut self, line: &str, info: &mut Info) -> Heard {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["move", mv, ..] => self.moves_by(mv),
            ["offer", "draw", ..] => {
                self.wish = self.wish.or(Some(Wish::Draw));
                Heard::Other
            }
            ["resign", ..] => self.resigns(),
            ["1-0" | "0-1" | "1/2-1/2", ..] => self.claims(line),
            ["Error", ..] | ["Illegal", "move" | "move:", ..] if self.refuses(line) => refused(line),
            ["tellusererror", "Illegal", "position", ..] => refused(line),
            _ if read_thinking(line, info) => Heard::Info,
            _ => Heard::Other,
        }
    }
}

/// Creates the failure of an engine that refuses a command, as the referee sends legal ones only.
fn refused(complaint: &str) -> Heard {
    let text = format!("it refuses what is legal: {complaint:.80}");
    Heard::Failed(Failure::new(FailureClass::ProtocolViolation, text))
}

/// Returns the commands for the limits of a whole game.
fn say_limits(situation: &Situation, limits: &TimeControl) -> Vec<String> {
    let clock = limits.base.filter(|_| situation.own_clock().time.is_some());
    let time = match (clock, limits.move_time) {
        (Some(base), _) => Some(level(limits.moves.unwrap_or(0), base, limits.increment)),
        (None, Some(time)) if time.subsec_nanos() == 0 => Some(format!("st {}", time.as_secs())),
        // `st` takes whole seconds. A session of one move follows the `time` command.
        (None, Some(time)) => Some(level(1, time, Duration::ZERO)),
        (None, None) => None,
    };
    time.into_iter().chain(limits.depth.map(|depth| format!("sd {depth}"))).collect()
}

/// Writes `level MOVES MINUTES:SECONDS INCREMENT`; the base is in whole seconds, at least one, and `time` is exact.
fn level(moves: u32, base: Duration, increment: Duration) -> String {
    let base = base.as_secs().max(1);
    format!("level {moves} {}:{:02} {}", base / 60, base % 60, increment.as_secs_f64())
}

fn centiseconds(time: Duration) -> u128 {
    time.as_millis() / 10
}

#[cfg(test)]
mod tests {
    use super::super::dialect::Remaining;
    use super::*;

    const FEATURES: &str = "feature variants=\"normal,xiangqi\" ping=1 setboard=1 usermove=1 done=1";

    fn xboard(features: &str) -> Xboard {
        Xboard::new(&[features.to_owned()], &Habits::default()).unwrap()
    }

    fn at<'a>(positions: &'a [Position], moves: &'a [Move]) -> Situation<'a> {
        Situation { positions, moves, banned: &[], clocks: [Remaining::default(); 2], draw_offered: false }
    }

    fn game(start: Position, moves: &str) -> (Vec<Position>, Vec<Move>) {
        let mut positions = vec![start];
        let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        for &mv in &moves {
            positions.push(positions[positions.len() - 1].play(mv));
        }
        (positions, moves)
    }

    fn position(xboard: &mut Xboard, (positions, moves): &(Vec<Position>, Vec<Move>)) -> Vec<String> {
        xboard.position(&at(positions, moves)).unwrap()
    }

    fn answer(mv: Option<&str>, wish: Option<Wish>) -> Heard {
        Heard::Answer(Reply { mv: mv.map(str::to_owned), ponder: None, wish })
    }

    fn hear(xboard: &mut Xboard, line: &str) -> Heard {
        xboard.hear(line, &mut Info::default())
    }

    #[test]
    fn who_does_not_play_xiangqi_is_sent_away() {
        let lines = ["feature variants=\"normal,xiangqiplus\" done=1".to_owned()];
        let failure = Xboard::new(&lines, &Habits::default()).map(|_| ()).unwrap_err();
        assert_eq!(failure.class, FailureClass::NoHandshake);
        assert!(failure.text.contains("normal,xiangqiplus"), "{failure}");
    }

    #[test]
    fn the_greeting_accepts_what_is_used_and_sets_the_game_up() {
        let mut engine = xboard("feature variants=xiangqi ping=1 analyze=1 san=1 done=1");
        let expected =
            ["accepted ping", "accepted variants", "rejected san", "new", "variant xiangqi", "force", "easy", "post"];
        assert_eq!(engine.greeting(), expected);
    }

    #[test]
    fn pings_are_numbered_where_they_are_announced() {
        let mut engine = xboard(FEATURES);
        assert_eq!(engine.ready_check().unwrap(), ["ping 1", "pong 1"]);
        assert_eq!(engine.ready_check().unwrap(), ["ping 2", "pong 2"]);
        assert_eq!(xboard("feature variants=xiangqi").ready_check(), None);
    }

    #[test]
    fn options_have_their_commands() {
        let engine = xboard("feature variants=xiangqi option=\"OwnBook -check 1\" option=\"Style -string true\"");
        assert_eq!(engine.setting("OwnBook", "false"), "option OwnBook=0");
        assert_eq!(engine.setting("Style", "true"), "option Style=true");
        assert_eq!(engine.setting("Clear", ""), "option Clear");
        assert_eq!((engine.setting(MEMORY, "16"), engine.setting(CORES, "2")), ("memory 16".into(), "cores 2".into()));
    }

    #[test]
    fn only_what_the_engine_does_not_know_is_sent() {
        let mut engine = xboard(FEATURES);
        assert_eq!(engine.new_game(), ["new", "variant xiangqi", "force"]);
        let start = Position::start();
        assert_eq!(position(&mut engine, &game(start, "h2e2")), ["force", "usermove h2e2"]);
        assert_eq!(hear(&mut engine, "move h9g7"), answer(Some("h9g7"), None));
        assert_eq!(position(&mut engine, &game(start, "h2e2 h9g7 h0g2")), ["force", "usermove h0g2"]);
        let mut bare = xboard("feature variants=xiangqi");
        assert_eq!(position(&mut bare, &game(start, "h2e2 h9g7")), ["force", "h2e2", "h9g7"]);
    }

    #[test]
    fn another_game_than_the_one_on_its_board_is_sent_as_a_whole() {
        let mut engine = xboard(FEATURES);
        let start = Position::start();
        position(&mut engine, &game(start, "h2e2"));
        hear(&mut engine, "move h9g7");
        let commands = position(&mut engine, &game(start, "h2e2 b9c7"));
        assert_eq!(commands, ["new", "variant xiangqi", "force", "usermove h2e2", "usermove b9c7"]);
        hear(&mut engine, "move rubbish");
        assert_eq!(position(&mut engine, &game(start, "h2e2 b9c7 h0g2")), ["force", "usermove h0g2"]);
    }

    #[test]
    fn other_starts_are_written_as_xboard_writes_them() {
        let start =
            Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1").unwrap();
        let mut engine = xboard(FEATURES);
        let fen = "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RHEAKAEHR b 1 1";
        let setup = ["new", "variant xiangqi", "force", fen];
        assert_eq!(position(&mut engine, &game(start, "")), setup);
        assert_eq!(position(&mut engine, &game(start, "h9g7")), ["force", "usermove h9g7"]);
        engine.new_game();
        assert_eq!(position(&mut engine, &game(start, "")), setup);
        let (positions, moves) = game(start, "");
        let failure = xboard("feature variants=xiangqi").position(&at(&positions, &moves)).unwrap_err();
        assert!(failure.class == FailureClass::ProtocolViolation && failure.text.contains("setboard"), "{failure}");
    }

    #[test]
    fn habits_are_kept() {
        let habits =
            Habits { ranks: Some(RankBase::One), letters: Some(PieceLetters::KnightBishop), ..Habits::default() };
        let mut engine = Xboard::new(&[FEATURES.to_owned()], &habits).unwrap();
        let start = Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b").unwrap();
        let commands = position(&mut engine, &game(start, "h9g7"));
        assert!(commands[3].starts_with("setboard rnbakabnr/") && commands[4] == "usermove h10g8", "{commands:?}");
        assert_eq!(engine.read_move("h10g8", &start), "h9g7".parse().ok());
    }

    #[test]
    fn limits_are_said_once_and_the_clocks_before_each_move() {
        let clock = |ms| Remaining { time: Some(Duration::from_millis(ms)), ..Remaining::default() };
        let (positions, moves) = game(Position::start(), "h2e2");
        let situation = Situation { clocks: [clock(12_345), clock(90_009)], ..at(&positions, &moves) };
        let limits = "90+0.5".parse().unwrap();
        let mut engine = xboard(FEATURES);
        assert_eq!(engine.before_go(&situation, &limits), ["level 0 1:30 0.5", "time 9000", "otim 1234"]);
        assert_eq!(engine.before_go(&situation, &limits), ["time 9000", "otim 1234"]);
        engine.new_game();
        let offered = Situation { draw_offered: true, ..situation };
        assert_eq!(engine.before_go(&offered, &limits), ["level 0 1:30 0.5", "time 9000", "otim 1234", "draw"]);
        let mut timeless = xboard("feature variants=xiangqi time=0 draw=0");
        assert_eq!(timeless.before_go(&offered, &"40/0.2".parse().unwrap()), ["level 40 0:01 0"]);
    }

    #[test]
    fn other_limits_need_no_clock() {
        let (positions, moves) = game(Position::start(), "");
        let say = |limits| xboard(FEATURES).before_go(&at(&positions, &moves), &limits);
        let for_each = |ms| TimeControl { move_time: Some(Duration::from_millis(ms)), ..TimeControl::default() };
        assert_eq!(say(for_each(2000)), ["st 2", "time 200", "otim 200"]);
        assert_eq!(say(for_each(300)), ["level 1 0:01 0", "time 30", "otim 30"]);
        assert_eq!(say(TimeControl { depth: Some(5), ..TimeControl::default() }), ["sd 5"]);
        let clock_that_does_not_count = "10+0.1".parse().unwrap();
        assert!(say(clock_that_does_not_count).is_empty());
    }

    #[test]
    fn draws_are_offered_with_a_move_and_games_given_up() {
        let (positions, moves) = game(Position::start(), "h2e2");
        let ask = |engine: &mut Xboard| engine.before_go(&at(&positions, &moves), &TimeControl::default());
        let mut engine = xboard(FEATURES);
        ask(&mut engine);
        assert_eq!(hear(&mut engine, "offer draw"), Heard::Other);
        assert_eq!(hear(&mut engine, "move h9g7"), answer(Some("h9g7"), Some(Wish::Draw)));
        ask(&mut engine);
        assert_eq!(hear(&mut engine, "1-0 {White mates}"), answer(None, Some(Wish::Resign)));
        ask(&mut engine);
        assert_eq!(hear(&mut engine, "resign"), answer(None, Some(Wish::Resign)));
        assert_eq!(hear(&mut engine, "1-0 {nobody asks}"), Heard::Other);
        assert_eq!(hear(&mut engine, "resign"), Heard::Other);
        assert_eq!(hear(&mut engine, "move a9a8"), answer(Some("a9a8"), Some(Wish::Resign)));
    }

    #[test]
    fn who_takes_a_game_for_over_is_asked_without_its_history() {
        let clock = Remaining { time: Some(Duration::from_secs(5)), ..Remaining::default() };
        let mut engine = xboard(FEATURES);
        let (positions, moves) = game(Position::start(), "h2e2 h9g7 h0g2");
        let situation = Situation { clocks: [clock; 2], ..at(&positions, &moves) };
        let limits = "5".parse().unwrap();
        engine.position(&situation).unwrap();
        engine.before_go(&situation, &limits);
        let Heard::Unwilling(commands) = hear(&mut engine, "1/2-1/2 {3 repetitions}") else { panic!("it is asked") };
        let fen = "setboard rheakae1r/9/1c4hc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1H2/9/RHEAKAE1R b 0 2";
        let expected = ["new", "variant xiangqi", "force", fen, "level 0 0:05 0", "time 500", "otim 500", "go"];
        assert_eq!(commands, expected);
        assert_eq!(hear(&mut engine, "move b9c7"), answer(Some("b9c7"), None));
        let (positions, moves) = game(Position::start(), "h2e2 h9g7 h0g2 b9c7 b0c2");
        assert_eq!(engine.position(&at(&positions, &moves)).unwrap(), ["force", "usermove b0c2"]);
        engine.before_go(&at(&positions, &moves), &limits);
        assert!(matches!(hear(&mut engine, "0-1 {I win}"), Heard::Unwilling(_)));
        let Heard::Failed(failure) = hear(&mut engine, "0-1 {I do}") else { panic!("it has its chance no more") };
        assert!(failure.text.contains("0-1 {I do}"), "{failure}");
    }

    #[test]
    fn who_takes_a_game_for_over_unasked_is_not_shown_the_rest_of_it() {
        let mut engine = xboard(FEATURES);
        position(&mut engine, &game(Position::start(), "h2e2"));
        assert!(!engine.may_say_more());
        hear(&mut engine, "move h9g7");
        assert!(engine.may_say_more());
        assert_eq!(hear(&mut engine, "1/2-1/2 {dull}"), Heard::Other);
        let commands = position(&mut engine, &game(Position::start(), "h2e2 h9g7 h0g2"));
        assert!(commands.len() == 4 && commands[3].starts_with("setboard rheakae1r/"), "{commands:?}");
        assert_eq!(position(&mut engine, &game(Position::start(), "h2e2 h9g7 h0g2 b9c7")), ["force", "usermove b9c7"]);
    }

    #[test]
    fn who_refuses_what_is_legal_does_not_play_on() {
        for line in [
            "Illegal move: h2e2",
            "Illegal move (game over): h2e2",
            "Error (unknown command): usermove h2e2",
            "Error (bad FEN): setboard 9/9 w 0 1",
            "tellusererror Illegal position",
        ] {
            let Heard::Failed(failure) = hear(&mut xboard(FEATURES), line) else { panic!("{line}") };
            assert!(failure.class == FailureClass::ProtocolViolation && failure.text.contains(line), "{failure}");
        }
        for line in ["Error (unknown command): easy", "Error", "Illegal move: otim 100", "tellusererror Hello", "# go"]
        {
            assert_eq!(hear(&mut xboard(FEATURES), line), Heard::Other, "{line}");
        }
    }
}
