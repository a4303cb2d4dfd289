//! Scores as messages hold them: always for Red, and as the points that Red can expect.

use chuhe::board::{Position, Side};
use chuhe::engine::wdl;
use chuhe_engines::player::Eval;
use serde::Deserialize;
use serde_json::{Value, json};

/// Score for Red, as messages of the page hold it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct ScoreText {
    pub(crate) cp: Option<i32>,
    pub(crate) mate: Option<i32>,
    pub(crate) winner: Option<String>,
}

/// A score with the chances that belong to it, both for Red.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RedScore {
    pub(crate) kind: Kind,
    /// Chances of win, draw and loss, in thousandths.
    pub(crate) wdl: Option<[u32; 3]>,
}

/// Value of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Centipawns(i32),
    /// Mate in this number of moves; negative if Black mates.
    Mate(i32),
    /// The game is over.
    Over {
        winner: Option<Side>,
    },
}

impl RedScore {
    /// Converts an engine's score for the side to move.
    pub(crate) fn new(eval: Eval, wdl: Option<[u32; 3]>, side: Side) -> Self {
        let sign = if side == Side::Red { 1 } else { -1 };
        let kind = match eval {
            Eval::Centipawns(centipawns) => Kind::Centipawns(centipawns.saturating_mul(sign)),
            Eval::Mate(0) => Kind::Over { winner: Some(!side) },
            Eval::Mate(moves) => Kind::Mate(moves.saturating_mul(sign)),
        };
        let wdl = wdl.map(|[win, draw, loss]| if side == Side::Red { [win, draw, loss] } else { [loss, draw, win] });
        Self { kind, wdl }
    }

    /// Returns the score of a game that is over.
    pub(crate) fn over(winner: Option<Side>) -> Self {
        Self { kind: Kind::Over { winner }, wdl: None }
    }

    /// Reads the score of a message.
    pub(crate) fn read(text: &ScoreText) -> Self {
        let winner =
            || [Side::Red, Side::Black].into_iter().find(|&side| text.winner.as_deref() == Some(side_name(side)));
        let kind = match (text.cp, text.mate) {
            (_, Some(0)) => Kind::Over { winner: winner() },
            (_, Some(moves)) => Kind::Mate(moves),
            (centipawns, None) => Kind::Centipawns(centipawns.unwrap_or_default()),
        };
        Self { kind, wdl: None }
    }

    pub(crate) fn json(self) -> Value {
        match self.kind {
            Kind::Centipawns(centipawns) => json!({ "cp": centipawns }),
            Kind::Mate(moves) => json!({ "mate": moves }),
            Kind::Over { winner: Some(winner) } => json!({ "mate": 0, "winner": side_name(winner) }),
            Kind::Over { winner: None } => json!({ "cp": 0 }),
        }
    }

    /// Returns the points that Red can expect, 0 to 1. Engines that report no chances are read by the curve of this one.
    pub(crate) fn expectation(self, position: &Position) -> f64 {
        match (self.kind, self.wdl) {
            (Kind::Mate(moves), _) => f64::from(u8::from(moves > 0)),
            (Kind::Over { winner }, _) => winner.map_or(0.5, |winner| f64::from(u8::from(winner == Side::Red))),
            (Kind::Centipawns(_), Some([win, draw, _])) => (f64::from(win) + f64::from(draw) / 2.0) / 1000.0,
            (Kind::Centipawns(centipawns), None) => {
                let [wins, losses] = wdl::CURVE.decided(f64::from(centipawns), wdl::attackers(position));
                (1.0 + wins - losses) / 2.0
            }
        }
    }

    /// Writes `+0.12`, `-M3` or `#`, for comments in files.
    pub(crate) fn text(self) -> String {
        match self.kind {
            Kind::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
            Kind::Mate(moves) => format!("{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs()),
            Kind::Over { winner: Some(_) } => "#".to_owned(),
            Kind::Over { winner: None } => "+0.00".to_owned(),
        }
    }
}

pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_red() {
        let score = RedScore::new(Eval::Centipawns(40), Some([300, 500, 200]), Side::Black);
        assert_eq!((score.json(), score.wdl), (json!({ "cp": -40 }), Some([200, 500, 300])));
        assert_eq!(RedScore::new(Eval::Mate(3), None, Side::Black).json(), json!({ "mate": -3 }));
        let mated = RedScore::new(Eval::Mate(0), None, Side::Black);
        assert_eq!((mated.json(), mated.text()), (json!({ "mate": 0, "winner": "red" }), "#".to_owned()));
        for eval in [Eval::Centipawns(i32::MIN), Eval::Mate(i32::MIN)] {
            assert!(RedScore::new(eval, None, Side::Black).text().len() > 3, "no overflow");
        }
    }

    #[test]
    fn what_a_message_says_is_read_back() {
        for kind in [Kind::Centipawns(-31), Kind::Mate(-3), Kind::Over { winner: Some(Side::Black) }] {
            let score = RedScore { kind, wdl: None };
            assert_eq!(RedScore::read(&serde_json::from_value(score.json()).unwrap()), score);
        }
    }

    #[test]
    fn expectations_rise_with_the_score_and_mirror_each_other() {
        let start = Position::start();
        let expectation = |kind| RedScore { kind, wdl: None }.expectation(&start);
        let points = [-400, -50, 0, 50, 400].map(|centipawns| expectation(Kind::Centipawns(centipawns)));
        assert!(points.is_sorted() && (points[2] - 0.5).abs() < 1e-9 && (points[0] + points[4] - 1.0).abs() < 1e-9);
        assert_eq!([expectation(Kind::Mate(2)), expectation(Kind::Mate(-2))], [1.0, 0.0]);
        let told = RedScore { kind: Kind::Centipawns(900), wdl: Some([100, 800, 100]) };
        assert_eq!(told.expectation(&start), 0.5, "the engine's own word counts");
    }
}
