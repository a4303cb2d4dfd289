//! Model of the ends of games: whether another search follows, and how a game ended.

use chuhe::board::Side;
use chuhe_games::game::Outcome;

use super::line::Line;
use super::range::Coder;
use super::regression::Regression;
use crate::game::Ending;
use crate::recipe::Adjudication;
use crate::streams::{end_number, read_end};

/// Longest streak that is distinguished.
const LONGEST: u32 = 15;

const STREAKS: u32 = LONGEST + 1;

/// First features of each group: streaks, repetitions and limits, moves without a capture, attackers, ends.
const REPETITIONS: u32 = STREAKS * STREAKS;
const REVERSIBLE: u32 = REPETITIONS + 4 * 2;
const REVERSIBLE_LEVELS: u32 = 64;
const ATTACKERS: u32 = REVERSIBLE + REVERSIBLE_LEVELS;
const ENDS: u32 = ATTACKERS + 2;

/// Bits of the number of an end.
const END_BITS: u32 = 5;

/// Number of visible causes of an end, for each side to move.
const CAUSES: u32 = 6 * 2;

const RATE: f32 = 0.3;

/// Successive scores that may end a game.
#[derive(Clone, Debug)]
pub(super) struct Streaks {
    terms: Adjudication,
    red: u32,
    black: u32,
    level: u32,
}

impl Streaks {
    /// Creates the streaks of a new game.
    pub(super) fn new(terms: Adjudication) -> Self {
        Self { terms, red: 0, black: 0, level: 0 }
    }

    /// Adds the score of a search `ply` plies from the start, for red.
    pub(super) fn add(&mut self, ply: usize, red: i32) {
        let count = |streak: &mut u32, goes_on: bool| *streak = if goes_on { (*streak + 1).min(LONGEST) } else { 0 };
        count(&mut self.red, red >= self.terms.won_score);
        count(&mut self.black, red <= self.terms.won_score.saturating_neg());
        count(&mut self.level, ply >= self.terms.level_after && red.saturating_abs() <= self.terms.level_score);
    }
}

/// Model of all ends.
#[derive(Clone, Debug)]
pub(super) struct Ends(Regression);

impl Ends {
    /// Creates a model that has learnt nothing.
    pub(super) fn new() -> Self {
        Self(Regression::new(ENDS + (CAUSES << END_BITS), RATE))
    }

    /// Codes whether another search follows.
    pub(super) fn goes_on(&mut self, coder: &mut impl Coder, line: &Line, streaks: &Streaks, goes_on: bool) -> bool {
        let reversible = u32::from(line.position.reversible_plies());
        let is_long = u32::from(line.ply() >= streaks.terms.most_plies);
        let features = [
            streaks.red.max(streaks.black) * STREAKS + streaks.level,
            REPETITIONS + line.repetitions().min(3) as u32 * 2 + is_long,
            REVERSIBLE + (reversible / 2).min(REVERSIBLE_LEVELS - 1),
            ATTACKERS + u32::from(line.position.attackers().is_empty()),
        ];
        self.0.bit(coder, &features, goes_on)
    }

    /// Codes the result of a game and the reason for its end; `None` if the bytes decode to none.
    pub(super) fn end(
        &mut self,
        coder: &mut impl Coder,
        line: &Line,
        streaks: &Streaks,
        end: Option<(Outcome, Ending)>,
    ) -> Option<(Outcome, Ending)> {
        let number = end.map_or(0, |(result, ending)| end_number(result, ending));
        let is_red = line.position.side() == Side::Red;
        let context = cause(line, streaks) * 2 + u32::from(is_red);
        let mut prefix: u32 = 1;
        for place in (0..END_BITS).rev() {
            let feature = ENDS + (context << END_BITS) + prefix;
            let bit = self.0.bit(coder, &[feature], number >> place & 1 == 1);
            prefix = prefix << 1 | u32::from(bit);
        }
        read_end((prefix - (1 << END_BITS)) as usize)
    }
}

/// Visible cause of an end.
fn cause(line: &Line, streaks: &Streaks) -> u32 {
    let Streaks { terms, red, black, level } = streaks;
    if line.legal().is_empty() {
        1
    } else if *red >= terms.won_plies.min(LONGEST) {
        2
    } else if *black >= terms.won_plies.min(LONGEST) {
        3
    } else if *level >= terms.level_plies.min(LONGEST) {
        4
    } else {
        u32::from(line.repetitions() > 0) * 5
    }
}
