//! UCI of Xiangqi engines: the whole game, ranks from 0 or from 1, bans by listing the remaining moves.

use chuhe::board::{Move, Position};

use super::dialect::{Announced, Dialect, GameState, Thinking, join, push_limits};
use super::eval::{Eval, RawScore, SCORE_UNIT};
use super::failure::Failure;
use super::notation::{possible_ranks, read_move, write_fen, write_move};
use super::spec::{PieceLetters, Quirks, RankBase, TimeControl};

pub(crate) struct Uci {
    announces_variant: bool,
    ranks: RankBase,
    /// Whether the rank base is given by the engine or the user.
    ranks_are_known: bool,
    /// Centipawns per score of 100.
    score_unit: u32,
    letters: PieceLetters,
}

impl Uci {
    pub(crate) fn new(options: &[Announced], quirks: &Quirks) -> Self {
        let variant = options.iter().find(|option| option.is_called(VARIANT));
        let announces_variant = variant.is_some_and(|option| option.has_value("xiangqi"));
        // Engines for several variants number the ranks from 1 in all of them.
        let guess = if announces_variant { RankBase::One } else { RankBase::Zero };
        Self {
            announces_variant,
            ranks: quirks.ranks.unwrap_or(guess),
            ranks_are_known: quirks.ranks.is_some(),
            score_unit: quirks.score_unit.unwrap_or(SCORE_UNIT),
            letters: quirks.letters.unwrap_or_default(),
        }
    }

    /// Learns the rank base if `text` can be a move here in only one of them.
    fn learn_from(&mut self, text: &str, position: &Position) {
        if self.ranks_are_known {
            return;
        }
        if let [ranks] = possible_ranks(text, position)[..] {
            self.ranks = ranks;
            self.ranks_are_known = true;
        }
    }
}

const VARIANT: &str = "UCI_Variant";

impl Dialect for Uci {
    fn greeting(&mut self) -> Vec<String> {
        if self.announces_variant { vec![self.setting(VARIANT, "xiangqi")] } else { vec![] }
    }

    fn setting(&self, name: &str, value: &str) -> String {
        if value.is_empty() { format!("setoption name {name}") } else { format!("setoption name {name} value {value}") }
    }

    fn ponder_option(&self) -> Option<&'static str> {
        Some("Ponder")
    }

    fn new_game(&mut self) -> Vec<String> {
        vec!["ucinewgame".to_owned()]
    }

    fn position(&mut self, state: &GameState) -> Result<Vec<String>, Failure> {
        let mut command = match &state.positions[0] {
            start if *start == Position::start() => "position startpos".to_owned(),
            other => format!("position fen {}", write_fen(other, self.letters)),
        };
        if !state.moves.is_empty() {
            command += " moves";
            command += &join(state.moves, |mv| write_move(mv, self.ranks));
        }
        Ok(vec![command])
    }

    fn go(&self, state: &GameState, limits: &TimeControl, thinking: Thinking) -> String {
        let mut command = match thinking {
            Thinking::OwnTime => "go",
            Thinking::OpponentsTime => "go ponder",
        }
        .to_owned();
        match (state.own_clock().time, limits.move_time) {
            (Some(own), _) => {
                let own_moves = state.own_clock().moves_to_go;
                // The protocol cannot express that a side has no clock; an opponent without one gets this engine's time.
                let [red, black] = state.clocks.map(|clock| clock.time.unwrap_or(own).as_millis());
                let [red_adds, black_adds] = state.clocks.map(|clock| clock.increment.as_millis());
                command += &format!(" wtime {red} btime {black} winc {red_adds} binc {black_adds}");
                if let Some(moves) = own_moves {
                    command += &format!(" movestogo {moves}");
                }
            }
            (None, Some(time)) => command += &format!(" movetime {}", time.as_millis()),
            (None, None) => {}
        }
        push_limits(&mut command, limits);
        if !state.banned.is_empty() {
            let allowed: Vec<_> =
                state.position().legal_moves().into_iter().filter(|mv| !state.banned.contains(mv)).collect();
            // Every word after `searchmoves` is taken for a move, so it comes last.
            command += &format!(" searchmoves{}", join(&allowed, |mv| write_move(mv, self.ranks)));
        }
        command
    }

    fn ponder_hit(&self, _draw_offered: bool) -> Option<&'static str> {
        Some("ponderhit")
    }

    fn read_move(&mut self, text: &str, position: &Position) -> Option<Move> {
        self.learn_from(text, position);
        read_move(text, self.ranks)
    }

    fn read_known_move(&self, text: &str) -> Option<Move> {
        read_move(text, self.ranks).filter(|_| self.ranks_are_known)
    }

    /// Requests a search of the starting position, where every legal move reveals the rank base.
    fn probe(&self) -> Option<Vec<String>> {
        (!self.ranks_are_known).then(|| vec!["position startpos".to_owned(), "go depth 1".to_owned()])
    }

    fn learn(&mut self, first_of_line: Option<&str>, mv: Option<&str>) {
        for text in [mv, first_of_line].into_iter().flatten() {
            self.learn_from(text, &Position::start());
        }
    }

    fn eval(&self, raw_score: RawScore) -> Eval {
        raw_score.eval(self.score_unit)
    }
}

/// Parses `option name Clear Hash type button`.
pub(crate) fn read_option(line: &str) -> Option<Announced> {
    let rest = line.trim().strip_prefix("option ")?.trim_start().strip_prefix("name ")?.trim_start();
    let (name, definition) = rest.find(" type ").map_or((rest, ""), |at| rest.split_at(at));
    Some(Announced { name: name.trim().to_owned(), definition: definition.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::dialect::ClockState;
    use super::*;

    const VARIANTS: &str = "option name UCI_Variant type combo default chess var chess var xiangqi";

    fn uci(options: &[&str]) -> Uci {
        let options: Vec<_> = options.iter().map(|line| read_option(line).unwrap()).collect();
        Uci::new(&options, &Quirks::default())
    }

    fn clock(ms: u64) -> ClockState {
        ClockState { time: Some(Duration::from_millis(ms)), increment: Duration::from_millis(5), moves_to_go: None }
    }

    #[test]
    fn what_an_option_takes_is_known() {
        let option = read_option("option name Multi PV type spin default 1 min 1 max 128").unwrap();
        assert_eq!(
            (option.name.as_str(), option.definition.as_str()),
            ("Multi PV", "type spin default 1 min 1 max 128")
        );
        assert_eq!(option.excludes("500").as_deref(), Some("the engine takes numbers from 1 to 128"));
        assert!(option.excludes("abc").is_some() && option.excludes("128").is_none());
    }

    #[test]
    fn the_variant_is_set_and_hints_at_ranks_from_one() {
        let mut fairy = uci(&[VARIANTS]);
        assert_eq!(fairy.greeting(), ["setoption name UCI_Variant value xiangqi"]);
        assert_eq!((fairy.ranks, fairy.ranks_are_known), (RankBase::One, false));
        let mut chess_only = uci(&["option name UCI_Variant type combo default chess var chess"]);
        assert!(chess_only.greeting().is_empty());
        assert_eq!(chess_only.ranks, RankBase::Zero);
    }

    #[test]
    fn what_the_engine_writes_outweighs_the_hint() {
        let mut wrong = uci(&[VARIANTS]);
        assert!(wrong.probe().is_some());
        wrong.learn(None, Some("h2e2"));
        assert_eq!((wrong.ranks, wrong.probe()), (RankBase::Zero, None));
        let mut silent = uci(&[]);
        silent.learn(None, None);
        assert_eq!(silent.read_move("h10g8", &Position::start().play("h2e2".parse().unwrap())), "h9g7".parse().ok());
        assert_eq!(silent.ranks, RankBase::One);
        let mut uci = Uci::new(&[], &Quirks { ranks: Some(RankBase::One), ..Quirks::default() });
        uci.learn(Some("h2e2"), None);
        assert_eq!(uci.ranks, RankBase::One);
    }

    #[test]
    fn red_is_white_and_the_game_is_sent_from_its_start() {
        let (start, mv) = (Position::start(), "h2e2".parse().unwrap());
        let positions = [start, start.play(mv)];
        let clocks = [clock(900), clock(800)];
        let state = GameState { positions: &positions, moves: &[mv], banned: &[], clocks, draw_offered: true };
        let mut uci = uci(&[]);
        assert_eq!(uci.position(&state).unwrap(), ["position startpos moves h2e2"]);
        let text = "go wtime 900 btime 800 winc 5 binc 5";
        assert_eq!(uci.go(&state, &TimeControl::default(), Thinking::OwnTime), text);
        uci.ranks = RankBase::One;
        assert_eq!(uci.position(&state).unwrap(), ["position startpos moves h3e3"]);
    }

    #[test]
    fn bans_are_the_moves_that_are_left() {
        let positions = [Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w").unwrap()];
        let banned = ["e0e1".parse().unwrap()];
        let state = GameState {
            positions: &positions,
            moves: &[],
            banned: &banned,
            clocks: [ClockState::default(); 2],
            draw_offered: false,
        };
        let limits =
            TimeControl { nodes: Some(5), move_time: Some(Duration::from_millis(70)), ..TimeControl::default() };
        assert_eq!(uci(&[]).go(&state, &limits, Thinking::OwnTime), "go movetime 70 nodes 5 searchmoves e0f0");
    }

    #[test]
    fn names_may_have_blanks() {
        let option = read_option("option name Clear Hash type button").unwrap();
        assert!(option.is_called("clear_hash") && option.is_called("Clear Hash"));
        assert_eq!(read_option("option Hash type spin"), None);
    }
}
