//! One game between two players: clocks, referee and adjudication, independent of the match.

mod adjudication;
mod clock;
mod line;
mod setup;
mod tables;

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chuhe::board::{Move, Side};
use chuhe::rules;

pub use setup::{DrawAdjudication, GameSetup, Perpetual, ResignAdjudication};
pub use tables::{Decides, TableReferee};

use adjudication::{Adjudicator, Call};
use chuhe_engines::player::{
    Eval as EngineEval, Failure, FailureClass, GameState, Offer, Player, SearchError, SearchResult,
};
use chuhe_games::live::LiveGame;
use chuhe_games::record::{Ending, EndingClass, Eval, GameRecord, GameResult, MoveRecord};
use clock::Clock;
use line::Line;

use crate::seats::Seat;

/// Plays one game, beginning with [`Player::new_game`] for both players.
///
/// Every failure of an engine ends up in the record. `cancel` is polled frequently and interrupts the game.
pub fn play_game(red: &mut Player, black: &mut Player, setup: &GameSetup, cancel: &impl Fn() -> bool) -> GameRecord {
    play_at(None, [red, black], setup, cancel)
}

/// Plays one game, likewise, and notes its moves at a seat.
pub(crate) fn play_at(
    seat: Option<&Seat>,
    [red, black]: [&mut Player; 2],
    setup: &GameSetup,
    cancel: &impl Fn() -> bool,
) -> GameRecord {
    let (began, started) = (SystemTime::now(), Instant::now());
    let clocks = [&*red, &*black].map(|player| Clock::new(player.spec().time));
    let time_control = time_control(red, black);
    let names = [&*red, &*black].map(|player| player.name().to_owned());
    let line = opening(setup);
    let start_fen = line.position().to_fen();
    let opening_moves: Vec<String> = line.moves().iter().map(Move::to_string).collect();
    let mut game = Game {
        players: [red, black],
        setup,
        line,
        clocks,
        moves: Vec::new(),
        offered: false,
        expected: [None; 2],
        adjudicator: Adjudicator::new(setup.draw, setup.resign),
        last_answer: None,
        seat,
    };
    if let Some(seat) = seat {
        seat.begin(LiveGame {
            seat: 0,
            number: setup.number,
            round: setup.round,
            red: names[0].clone(),
            black: names[1].clone(),
            start_fen: start_fen.clone(),
            opening: setup.opening_name.clone(),
            time_control: time_control.clone(),
            started_at_ms: 0,
            moved_at_ms: 0,
            clocks_ms: game.clocks_ms(),
            moves: Vec::new(),
        });
    }
    let (result, ending) = game.play(cancel);
    let moves = std::mem::take(&mut game.moves);
    let [red, black] = names;
    GameRecord {
        number: setup.number,
        round: setup.round,
        red,
        black,
        start_fen,
        opening: setup.opening_name.clone(),
        opening_fen: (!opening_moves.is_empty()).then(|| setup.start.to_fen()),
        opening_moves,
        moves,
        result,
        ending,
        started_at_ms: began.duration_since(UNIX_EPOCH).map_or(0, |time| saturating(time.as_millis())),
        duration_ms: saturating(started.elapsed().as_millis()),
        time_control,
        killed: vec![],
    }
}

/// Returns the reason if a game is over before the first move of an engine.
pub(crate) fn ended(setup: &GameSetup) -> Option<String> {
    let line = opening(setup);
    line.verdict().map(|verdict| line.explain(&verdict))
}

fn opening(setup: &GameSetup) -> Line {
    let mut line = Line::new(setup.start, setup.rules, setup.perpetual);
    for &mv in &setup.opening_moves {
        if !line.position().is_legal(mv) {
            break;
        }
        line.play(mv);
    }
    line
}

fn time_control(red: &Player, black: &Player) -> String {
    let [red, black] = [red, black].map(|player| player.spec().time.to_string());
    if red == black { red } else { format!("{red} against {black}") }
}

fn saturating(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// The result and the reason.
type Outcome = (GameResult, Ending);

/// A game in progress.
struct Game<'a> {
    /// Players of Red and Black, in the order of every pair here.
    players: [&'a mut Player; 2],
    setup: &'a GameSetup,
    line: Line,
    clocks: [Clock; 2],
    moves: Vec<MoveRecord>,
    /// Whether the last move came with a draw offer.
    offered: bool,
    /// Move that each pondering player expects.
    expected: [Option<Move>; 2],
    adjudicator: Adjudicator,
    /// Time of the last answer, if nothing has happened since.
    last_answer: Option<Instant>,
    /// Seat at which the moves are noted, if others may watch.
    seat: Option<&'a Seat>,
}

impl Game<'_> {
    fn play(&mut self, cancel: &impl Fn() -> bool) -> Outcome {
        let outcome = match self.prepare() {
            Some(outcome) => outcome,
            None => loop {
                if let Some(outcome) = self.over(cancel).or_else(|| self.ply(cancel)) {
                    break outcome;
                }
            },
        };
        for player in &mut self.players {
            if player.is_pondering() {
                // The game is over; an engine that fails now gets a new process for the next one.
                let _ = player.stop_pondering(&mut || false);
            }
        }
        outcome
    }

    fn prepare(&mut self) -> Option<Outcome> {
        for side in Side::ALL {
            if let Err(failure) = self.players[side.index()].new_game() {
                return Some(failed(side, &failure));
            }
        }
        None
    }

    /// Returns the outcome if the game is over before the next move.
    fn over(&self, cancel: &impl Fn() -> bool) -> Option<Outcome> {
        if let Some(verdict) = self.line.verdict() {
            let class = match verdict.ending {
                rules::Ending::Checkmate => EndingClass::Mate,
                rules::Ending::Stalemate => EndingClass::Stalemate,
                rules::Ending::Repetition(_) => EndingClass::Repetition,
                rules::Ending::MoveLimit => EndingClass::MoveLimit,
                rules::Ending::NoAttackers => EndingClass::NoAttackers,
            };
            let ending = Ending::new(class, self.line.explain(&verdict));
            return Some((verdict.loser.map_or(GameResult::Draw, loses), ending));
        }
        let most = self.setup.max_moves.map(|moves| usize::try_from(moves).unwrap_or(usize::MAX).saturating_mul(2));
        if most.is_some_and(|plies| self.moves.len() >= plies) {
            return Some(draw(EndingClass::MaxMoves, "limit of moves"));
        }
        cancel().then(interrupted)
    }

    /// Plays one move; returns the outcome if the game is over.
    fn ply(&mut self, cancel: &impl Fn() -> bool) -> Option<Outcome> {
        let side = self.line.position().side();
        let banned = self.line.banned();
        let (found, hit) = match self.ask(&banned, cancel) {
            Ok(answer) => answer,
            Err(SearchError::Failed(failure)) => return Some(failed(side, &failure)),
            Err(SearchError::Cancelled) => return Some(interrupted()),
        };
        if found.offer == Some(Offer::Resign) {
            return Some(lost(side, EndingClass::Resignation, "resignation"));
        }
        let mv = match self.permitted(&found, &banned) {
            Ok(mv) => mv,
            Err(failure) => return Some(failed(side, &failure)),
        };
        let latency = self.last_answer.map(|answer| found.asked.saturating_duration_since(answer));
        self.last_answer = Some(found.answered);
        self.clocks[side.index()].spend(found.elapsed);
        if self.line.position().is_capture(mv) {
            self.adjudicator.capture();
        }
        self.line.play(mv);
        let left = self.clocks[side.index()].remaining().time;
        let offer = found.offer == Some(Offer::Draw);
        let eval = found.eval.map(recorded).map(|eval| self.for_mover(eval, side));
        self.moves.push(MoveRecord {
            mv: mv.to_string(),
            eval,
            depth: found.info.depth,
            selective_depth: found.info.selective_depth,
            nodes: found.info.nodes,
            nps: found.info.nps,
            hashfull: found.info.hashfull,
            tbhits: found.info.tbhits,
            time_ms: saturating(found.elapsed.as_millis()),
            reported_ms: found.info.time_ms,
            left_ms: left.map(|time| saturating(time.as_millis())),
            ponder_hit: hit,
            draw_offer: offer,
            banned: banned.iter().map(Move::to_string).collect(),
            latency_us: latency.map(|time| saturating(time.as_micros())),
            illegal_pv: found.info.illegal_pv.clone(),
            pv: found.variation.iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
            lines: found.info.lines.clone(),
        });
        if let (Some(seat), Some(record)) = (self.seat, self.moves.last()) {
            seat.add(record.into(), self.clocks_ms());
        }
        // The rules of the new position take precedence over adjudication.
        if let Some(outcome) = self.over(cancel) {
            return Some(outcome);
        }
        if let Some(outcome) = self.known() {
            return Some(outcome);
        }
        let agreed = self.setup.draw_offers && offer && self.offered;
        self.offered = offer;
        if agreed {
            return Some(draw(EndingClass::Agreement, "agreement"));
        }
        if let Some(call) = self.adjudicator.add_score(side, eval, self.line.moves().len()) {
            return Some(match call {
                Call::Draw => draw(EndingClass::DrawAdjudication, "adjudication"),
                Call::Loses(loser) => lost(loser, EndingClass::WinAdjudication, "adjudication"),
            });
        }
        self.ponder(side, &found);
        None
    }

    /// Returns the time left to Red and Black, in milliseconds.
    fn clocks_ms(&self) -> [Option<u64>; 2] {
        self.clocks.each_ref().map(|clock| clock.remaining().time.map(|time| saturating(time.as_millis())))
    }

    /// Returns the outcome if the endgame tablebases know it.
    fn known(&self) -> Option<Outcome> {
        let verdict = self.setup.tables.as_ref()?.verdict(self.line.positions(), &self.setup.rules)?;
        Some(match verdict.loser {
            Some(loser) => lost(loser, EndingClass::TablebaseWin, &verdict.text),
            None => draw(EndingClass::TablebaseDraw, &verdict.text),
        })
    }

    /// Returns the score for `side`, which has moved.
    fn for_mover(&self, eval: Eval, side: Side) -> Eval {
        let is_reversed = side == Side::Black && self.players[side.index()].spec().scores_for_red;
        match eval {
            Eval::Centipawns(centipawns) if is_reversed => Eval::Centipawns(centipawns.saturating_neg()),
            Eval::Mate(moves) if is_reversed => Eval::Mate(moves.saturating_neg()),
            eval => eval,
        }
    }

    /// Returns the answer of the player to move, and whether it was a ponder hit.
    fn ask(&mut self, banned: &[Move], cancel: &impl Fn() -> bool) -> Result<(SearchResult, bool), SearchError> {
        let side = self.line.position().side();
        let state = GameState {
            positions: self.line.positions(),
            moves: self.line.moves(),
            banned,
            clocks: self.clocks.each_ref().map(Clock::remaining),
            draw_offered: self.offered && self.setup.draw_offers,
        };
        let [red, black] = &mut self.players;
        let (mover, waiting) = match side {
            Side::Red => (red, black),
            Side::Black => (black, red),
        };
        let mut watch = || {
            waiting.read_output();
            cancel()
        };
        if mover.is_pondering() {
            let expected = self.expected[side.index()].take();
            if expected.is_some() && expected.as_ref() == self.line.moves().last() {
                return Ok((mover.ponder_hit(&state, &mut watch)?, true));
            }
            // The time that the engine needs to stop does not count as latency of the arena.
            self.last_answer = None;
            mover.stop_pondering(&mut watch)?;
        }
        Ok((mover.think(&state, &mut watch)?, false))
    }

    /// Returns the move if it is legal and not banned.
    fn permitted(&self, found: &SearchResult, banned: &[Move]) -> Result<Move, Failure> {
        let position = self.line.position();
        let illegal = |text: String| Failure::new(FailureClass::IllegalMove, text);
        match (found.mv, &found.text) {
            (Some(mv), _) if banned.contains(&mv) => {
                let text = format!("{mv}, with which {}", self.line.explain_ban(mv));
                Err(Failure::new(FailureClass::BannedMove, text))
            }
            (Some(mv), _) if position.is_legal(mv) => Ok(mv),
            (_, Some(text)) => Err(illegal(format!("{text:.20} in {}", position.to_fen()))),
            (_, None) => {
                let count = position.legal_moves().len();
                Err(illegal(format!("none offered, {count} legal in {}", position.to_fen())))
            }
        }
    }

    /// Lets `side`, which has just moved, ponder on the reply that it expects.
    fn ponder(&mut self, side: Side, found: &SearchResult) {
        let player = &mut *self.players[side.index()];
        if !player.spec().ponder {
            return;
        }
        let Some(text) = &found.ponder else { return };
        let Some(mv) = player.read_move(text, self.line.position()) else { return };
        let mut line = self.line.clone();
        line.play(mv);
        if line.verdict().is_some() {
            return;
        }
        let state = GameState {
            positions: line.positions(),
            moves: line.moves(),
            banned: &line.banned(),
            clocks: self.clocks.each_ref().map(Clock::remaining),
            draw_offered: false,
        };
        // A failure surfaces when the player is asked for its move.
        if player.ponder(&state).is_ok() {
            self.expected[side.index()] = Some(mv);
        }
    }
}

const fn recorded(eval: EngineEval) -> Eval {
    match eval {
        EngineEval::Centipawns(centipawns) => Eval::Centipawns(centipawns),
        EngineEval::Mate(moves) => Eval::Mate(moves),
    }
}

const fn loses(side: Side) -> GameResult {
    match side {
        Side::Red => GameResult::Black,
        Side::Black => GameResult::Red,
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

fn lost(side: Side, class: EndingClass, text: &str) -> Outcome {
    (loses(side), Ending::new(class, format!("{} loses: {text}", name(side))))
}

fn draw(class: EndingClass, text: &str) -> Outcome {
    (GameResult::Draw, Ending::new(class, format!("draw: {text}")))
}

fn interrupted() -> Outcome {
    (GameResult::Unfinished, Ending::new(EndingClass::Interrupted, "interrupted"))
}

fn failed(side: Side, failure: &Failure) -> Outcome {
    let (class, what) = match failure.class {
        FailureClass::TimeLoss => (EndingClass::TimeLoss, "time"),
        FailureClass::Crash => (EndingClass::Crash, "crash"),
        FailureClass::Killed => (EndingClass::Killed, "killed"),
        FailureClass::Hang => (EndingClass::Hang, "hang"),
        FailureClass::IllegalMove => (EndingClass::IllegalMove, "illegal move"),
        FailureClass::BannedMove => (EndingClass::BannedMove, "banned move"),
        FailureClass::NoHandshake => (EndingClass::NoHandshake, "no handshake"),
        FailureClass::ProtocolViolation => (EndingClass::ProtocolViolation, "protocol violation"),
        FailureClass::Interrupted => return interrupted(),
    };
    let (result, ending) = lost(side, class, &format!("{what}: {}", failure.text));
    (result, Ending { stderr: failure.stderr_text.clone(), ..ending })
}
