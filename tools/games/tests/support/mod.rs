//! Made-up games for the tests of game output.

#![allow(dead_code, reason = "every test crate uses a part of this")]

use std::sync::Arc;

use chuhe::board::Position;
use chuhe::rules::RuleSet;
use chuhe::search::{Limits, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use chuhe_games::record::{Ending, EndingClass, Eval, GameRecord, GameResult, MoveRecord};

/// Maximum length of a made-up game, in plies.
const MOST_PLIES: usize = 120;

/// Returns games between `engines`, in pairs of one opening with colours exchanged, by a search of a few nodes that plays
/// a random move now and then. Their endings are of many kinds, not all of them true.
pub(crate) fn made_up_games(engines: [&str; 2], count: u32) -> Vec<GameRecord> {
    let mut inventor = Inventor::new();
    (1..=count).map(|number| inventor.game(engines, number)).collect()
}

struct Inventor {
    searcher: Searcher,
    table: Arc<Table>,
    random: u64,
}

impl Inventor {
    fn new() -> Self {
        let table = Table::new(1).expect("a small table fits everywhere");
        Self { searcher: Searcher::new(0), table: Arc::new(table), random: 0x0DDB_1A5E_5BAD_5EED }
    }

    fn below(&mut self, end: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % end
    }

    fn game(&mut self, engines: [&str; 2], number: u32) -> GameRecord {
        let red_first = number % 2 == 1;
        let mut position = Position::start();
        for mv in if number.div_ceil(2).is_multiple_of(2) { vec!["h2e2", "h9g7", "h0g2"] } else { vec![] } {
            position = position.play(mv.parse().unwrap());
        }
        let start_fen = position.to_fen();
        let mut moves = vec![];
        while moves.len() < MOST_PLIES && position.has_legal_move() {
            let record = self.think(&position, moves.len());
            position = position.play(record.mv.parse().unwrap());
            moves.push(record);
        }
        let (result, class, text) = self.ending(&position, moves.last(), number);
        GameRecord {
            number,
            round: number.div_ceil(2),
            red: engines[usize::from(!red_first)].into(),
            black: engines[usize::from(red_first)].into(),
            opening: (number.div_ceil(2).is_multiple_of(2)).then(|| "central cannon".to_owned()),
            start_fen,
            opening_fen: None,
            opening_moves: vec![],
            duration_ms: moves.iter().map(|record| record.time_ms).sum(),
            moves,
            result,
            ending: Ending::new(class, text),
            started_at_ms: 1_700_000_000_000 + u64::from(number) * 60_000,
            time_control: "10+0.1".into(),
            killed: vec![],
        }
    }

    fn think(&mut self, position: &Position, ply: usize) -> MoveRecord {
        let context = SearchContext {
            limits: Limits { nodes: Some(400), ..Limits::default() },
            rules: RuleSet::Asian.rules(),
            ..SearchContext::new(Arc::clone(&self.table), vec![*position])
        };
        let outcome = self.searcher.think(&context, &mut Silent);
        let strays = self.below(8) == 0;
        let mv = if strays { context.root_moves[self.below(context.root_moves.len())] } else { outcome.pv[0] };
        let score = outcome.score;
        let eval = match score.plies_to_end() {
            Some(plies) => {
                let moves = plies.div_ceil(2) as i32;
                Eval::Mate(if score.raw() < 0 { -moves } else { moves })
            }
            None => Eval::Centipawns(score.raw()),
        };
        MoveRecord {
            mv: mv.to_string(),
            eval: (ply > 0).then_some(eval),
            depth: Some(outcome.depth),
            selective_depth: Some(outcome.selective_depth),
            nodes: Some(outcome.nodes),
            time_ms: (600_u64.saturating_sub(4 * ply as u64)).max(90) + self.below(300) as u64,
            left_ms: Some(12_000_u64.saturating_sub(80 * ply as u64)),
            ponder_hit: false,
            ..MoveRecord::default()
        }
    }

    fn ending(
        &mut self,
        position: &Position,
        last: Option<&MoveRecord>,
        number: u32,
    ) -> (GameResult, EndingClass, String) {
        let mover_loses = match position.side() {
            chuhe::board::Side::Red => GameResult::Black,
            chuhe::board::Side::Black => GameResult::Red,
        };
        if !position.has_legal_move() {
            return match position.in_check() {
                true => (mover_loses, EndingClass::Mate, "mated".into()),
                false => (mover_loses, EndingClass::Stalemate, "no legal move".into()),
            };
        }
        let lead = match last.and_then(|record| record.eval) {
            Some(Eval::Centipawns(centipawns)) => centipawns,
            Some(Eval::Mate(moves)) => moves.signum() * 10_000,
            None => 0,
        };
        if lead > 150 {
            return (mover_loses, EndingClass::WinAdjudication, "scores beyond 8.00 for three moves".into());
        }
        match number % 5 {
            0 => (mover_loses, EndingClass::TimeLoss, "overran its clock by 312 ms".into()),
            1 => (mover_loses, EndingClass::Repetition, "perpetual check, plies 101 to 108 {2-fold}".into()),
            2 => (GameResult::Draw, EndingClass::Repetition, "both sides check for ever".into()),
            3 => (GameResult::Draw, EndingClass::MoveLimit, "60 moves without a capture".into()),
            _ => (GameResult::Draw, EndingClass::MaxMoves, "limit of moves".into()),
        }
    }
}
