//! The search: one worker's memory and its way through the tree. Knows positions, not the world.
//!
//! | word | meaning |
//! |---|---|
//! | ply | one move of one side; also the distance of a node from the root |
//! | depth | plies still to be searched before quiescence; shrinks by reductions, grows by extensions |
//! | iteration | one search of the root to a nominal depth |
//! | window | the open interval (alpha, beta) of scores that matter to a node |
//! | scout | a node searched with an empty window: above or below? |
//! | cut, all | a node where some move reaches beta, a node where none does |
//! | quiet | a move that captures nothing |

mod alphabeta;
mod context;
mod correction;
mod deepening;
mod extensions;
mod history;
mod judgement;
mod known;
mod manner;
mod node;
mod null_move;
mod params;
mod picker;
mod preferences;
mod probcut;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod report;
mod root;
mod singular;
mod stack;
mod survival;
mod vote;
mod window;

pub use context::{Limits, NodeCounters, SearchContext, SearchId, StopFlag, Stopped};
pub(crate) use correction::Corrections;
pub use deepening::MAX_DEPTH;
pub use params::{Parameter, parameters};
pub(crate) use preferences::luck;
pub use preferences::{Noise, PositionValues, Preferences, Pruning};
pub use report::{
    Attendant, CurrentLine, Iteration, Outcome, ProvenMoves, Refutation, Reporter, RootMove, ScoreBound, Silent,
};
pub use vote::vote;

use std::sync::Arc;

use crate::board::{Move, Piece, Position};
use crate::eval::{self, Evaluator};
use crate::score::{MAX_PLY, Score};
use correction::Features;
use history::{CONTINUED_PLIES, History, Trail};
use manner::Manner;
use pv::PvTable;
use root::RootMoves;
use stack::Frame;

/// One worker: what it remembers between searches, and the line it is looking at.
pub struct Searcher {
    worker: usize,
    history: Box<History>,
    corrections: Arc<Corrections>,
    evaluator: Evaluator,
    /// The game, and from `root` on the line looked at.
    line: Vec<Position>,
    root: usize,
    frames: Box<[Frame]>,
    pv: PvTable,
    nodes: u64,
    selective_depth: usize,
    root_moves: RootMoves,
    manner: Manner,
    /// The root move to search first: the best one of the last iteration.
    expected: Option<Move>,
    /// Plies of the iteration under way.
    nominal_depth: i32,
    /// What the root's expected line has been found to be worth; means nothing while there is none.
    root_score: Score,
}

/// How often a worker publishes its nodes.
const PUBLISH_INTERVAL: u64 = 256;

/// How often it says where it is; a multiple of the other interval.
const LINE_INTERVAL: u64 = 1 << 20;

impl Searcher {
    /// A worker with an empty memory; worker 0 is the one that reports.
    pub fn new(worker: usize) -> Self {
        Self::sharing(worker, Corrections::empty())
    }

    /// The same with corrections that other workers share.
    pub(crate) fn sharing(worker: usize, corrections: Arc<Corrections>) -> Self {
        Self {
            worker,
            history: History::empty(),
            corrections,
            evaluator: Evaluator::new(&Position::start()),
            line: Vec::new(),
            root: 0,
            frames: vec![Frame::default(); MAX_PLY + 1].into_boxed_slice(),
            pv: PvTable::new(),
            nodes: 0,
            selective_depth: 0,
            root_moves: RootMoves::default(),
            manner: Manner::default(),
            expected: None,
            nominal_depth: 0,
            root_score: Score::DRAW,
        }
    }

    /// Forgets what earlier games have taught, what it shares with others too.
    pub fn new_game(&mut self) {
        self.forget_history();
        self.corrections.forget();
    }

    /// Forgets what is its own of that.
    pub(crate) fn forget_history(&mut self) {
        self.history.forget();
    }

    /// Distance of the current position from the root.
    fn ply(&self) -> usize {
        self.line.len() - 1 - self.root
    }

    /// Plays `mv` on the current line.
    fn descend(&mut self, context: &SearchContext, position: &Position, mv: Move) -> Position {
        self.prefetch(context, position.key_after(mv));
        let delta = position.delta(mv);
        let ply = self.ply();
        self.frames[ply].played = Some((delta.piece, mv));
        self.frames[ply + 1].since_pass = self.frames[ply].since_pass + 1;
        self.frames[ply + 1].structure = self.frames[ply].structure.after(delta);
        self.evaluator.push(delta);
        let child = position.play(mv);
        self.line.push(child);
        self.nodes += 1;
        child
    }

    /// Takes the last move of the line back.
    fn ascend(&mut self) {
        self.line.pop();
        self.evaluator.pop();
    }

    /// The move that led to the current position; `None` at the root and after a pass.
    fn previous_move(&self) -> Option<(Piece, Move)> {
        self.ply().checked_sub(1).and_then(|ply| self.frames[ply].played)
    }

    /// The moves that a move of the current position would continue.
    fn trail(&self) -> Trail {
        let ply = self.ply();
        CONTINUED_PLIES.map(|back| ply.checked_sub(back).and_then(|ply| self.frames[ply].played))
    }

    /// What the error of the static value of `position`, the current one, may depend on.
    fn features(&self, position: &Position) -> Features {
        let structure = self.frames[self.ply()].structure;
        Features { side: position.side(), structure, previous: self.previous_move() }
    }

    /// `eval` of `position`, the current one, as it should have been judging by earlier errors.
    fn corrected(&self, position: &Position, eval: Score) -> Score {
        Score::from_eval(eval.raw() + self.corrections.value(&self.features(position)))
    }

    /// Plies back to which positions can repeat the current one.
    fn reversible_plies(&self) -> usize {
        let since_capture = self.line.last().map_or(0, Position::reversible_plies);
        usize::from(since_capture).min(self.frames[self.ply()].since_pass)
    }

    /// Publishes the nodes now and then, and says whether the search is over. Worker 0 always finishes the first iteration,
    /// it takes a fraction of a millisecond: whatever happens, there is a move that was looked at.
    fn check_limits(&self, context: &SearchContext) -> Result<(), Stopped> {
        if self.nodes.is_multiple_of(PUBLISH_INTERVAL) {
            context.counters.publish(self.worker, self.nodes);
            self.attend(context);
        }
        let spent = self.manner.node_limit.is_some_and(|most| {
            let others = if context.counters.workers() > 1 { context.counters.total_without(self.worker) } else { 0 };
            self.nodes + others >= most
        });
        if spent || context.stop.is_raised() && (self.nominal_depth > 1 || self.worker > 0) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Gives the surroundings their chance.
    fn attend(&self, context: &SearchContext) {
        let Some(attendant) = &context.preferences.attendant else { return };
        if context.preferences.shows_current_line && self.nodes.is_multiple_of(LINE_INTERVAL) {
            let played = self.frames[..self.ply()].iter().map_while(|frame| frame.played);
            let line = played.map(|(_, mv)| mv).collect();
            attendant.current_line(CurrentLine { worker: self.worker + 1, line });
        }
        attendant.rest(self.worker, &context.stop);
    }
}

/// What `position` is worth without looking ahead, for the side to move, seen as `preferences` say.
pub fn static_value(position: &Position, preferences: &Preferences) -> Score {
    eval::value(position, preferences.outlook(position.side()), preferences.network_in_use().map(|network| &**network))
}
