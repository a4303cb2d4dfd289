//! Iterative deepening: one ply more each time, inside a window around the last score.

use super::node::Root;
use super::params;
use super::report::{Iteration, Outcome, Reporter, ScoreBound};
use super::stack::Frame;
use super::window::Window;
use super::{Limits, SearchContext, Searcher, Stopped};
use crate::board::Move;
use crate::score::{MAX_PLY, Score};

/// The deepest iteration; extensions and quiescence go further.
pub const MAX_DEPTH: u32 = 100;

/// So many workers start from different windows.
const WINDOW_WIDTHS: usize = 8;

impl Searcher {
    /// Searches until a limit is reached, a mate is proven or the stop flag is raised. The outcome always has a move,
    /// even if not one iteration could be finished.
    pub fn think(&mut self, context: &SearchContext, reporter: &mut impl Reporter) -> Outcome {
        self.prepare(context);
        let mut outcome = Outcome {
            depth: 0,
            selective_depth: 0,
            score: self.evaluator.evaluate(context.root()),
            pv: vec![context.root_moves[0]],
            nodes: 0,
        };
        for depth in 1..=deepest(context) {
            match self.iterate(context, depth, outcome.score, reporter) {
                Ok(score) => {
                    outcome.score = score;
                    outcome.pv = self.root_line(context);
                    outcome.depth = depth;
                    self.expected = outcome.pv.first().copied();
                }
                Err(Stopped) => {
                    self.take_unfinished(context, &mut outcome);
                    break;
                }
            }
            reporter.iteration(self.report(context, depth, outcome.score, ScoreBound::Exact, outcome.pv.clone()));
            if is_proven(outcome.score, depth) {
                break;
            }
        }
        outcome.selective_depth = self.selective_depth as u32;
        outcome.nodes = self.nodes;
        context.counters.publish(self.worker, self.nodes);
        outcome
    }

    fn prepare(&mut self, context: &SearchContext) {
        self.line.clear();
        self.line.reserve(context.history.len() + MAX_PLY + 1);
        self.line.extend_from_slice(&context.history);
        self.root = context.history.len() - 1;
        self.frames.fill(Frame::default());
        self.frames[0].since_pass = usize::MAX / 2;
        self.evaluator.reset(context.root());
        self.expected = None;
        self.nodes = 0;
        self.selective_depth = 0;
        self.root_effort = context.root_moves.iter().map(|&mv| (mv, 0)).collect();
        self.pv.clear(0);
    }

    /// Searches the root to `depth`, widening the window until the score lies inside.
    fn iterate(
        &mut self,
        context: &SearchContext,
        depth: u32,
        last: Score,
        reporter: &mut impl Reporter,
    ) -> Result<Score, Stopped> {
        self.nominal_depth = depth as i32;
        // Workers that start from slightly different windows look at different trees.
        let mut delta = params::aspiration_delta() + (self.worker % WINDOW_WIDTHS) as i32;
        let narrow = depth as i32 >= params::aspiration_from_depth() && !last.is_decisive();
        let mut window = if narrow { Window::around(last, delta) } else { Window::FULL };
        loop {
            self.pv.clear(0);
            let position = *context.root();
            let score = self.search::<Root>(context, &position, window, depth as i32, false)?;
            if window.contains(score) || window == Window::FULL {
                return Ok(score);
            }
            delta = delta * params::aspiration_growth_percent() / 100;
            let bound = if score <= window.alpha { ScoreBound::AtMost } else { ScoreBound::AtLeast };
            let line = self.root_line(context);
            reporter.iteration(self.report(context, depth, score, bound, line));
            window = match bound {
                ScoreBound::AtMost => Window { alpha: Window::around(score, delta).alpha, beta: window.beta },
                _ => Window { alpha: window.alpha, beta: Window::around(score, delta).beta },
            };
            if score.is_decisive() {
                window = Window::FULL;
            }
        }
    }

    /// A stopped iteration may have found a better move already: what it searched first was the old best move.
    fn take_unfinished(&self, context: &SearchContext, outcome: &mut Outcome) {
        if !self.pv.line(0).is_empty() {
            outcome.pv = self.root_line(context);
        }
    }

    fn root_line(&self, context: &SearchContext) -> Vec<Move> {
        match self.pv.line(0) {
            [] => vec![context.root_moves[0]],
            line => line.to_vec(),
        }
    }

    fn report(&self, context: &SearchContext, depth: u32, score: Score, bound: ScoreBound, pv: Vec<Move>) -> Iteration {
        context.counters.publish(self.worker, self.nodes);
        let total: u64 = self.root_effort.iter().map(|&(_, nodes)| nodes).sum();
        let best = self.root_effort.iter().find(|(mv, _)| *mv == pv[0]).map_or(0, |&(_, nodes)| nodes);
        Iteration {
            rank: 1,
            depth,
            selective_depth: self.selective_depth as u32,
            score,
            bound,
            pv,
            nodes: self.nodes,
            best_move_permille: u32::try_from(best * 1000 / total.max(1)).unwrap_or(1000),
        }
    }
}

/// The last iteration. A mate in so many moves of the winner shows within twice as many plies.
fn deepest(context: &SearchContext) -> u32 {
    let Limits { depth, mate, .. } = context.limits;
    let mate = mate.map(|moves| moves.saturating_mul(2));
    [depth, mate, Some(MAX_DEPTH)].into_iter().flatten().min().unwrap_or(MAX_DEPTH).max(1)
}

/// Whether deeper iterations cannot change anything: the whole way to the mate has been looked at.
fn is_proven(score: Score, depth: u32) -> bool {
    score.is_mate() && score.plies_to_end().is_some_and(|plies| plies <= depth as usize)
}
