//! When a worker looks for a mate by proof numbers, and what it makes of one: a score that the value of the root does not
//! fall below.

use super::mates::{Answer, Means, Terms};
use super::plan::MateSearch;
use super::report::{Iteration, Outcome, ScoreBound};
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;
use crate::smp::stop::Stopped;

/// Nodes that a solver may spend before any others where mates come first, and how many for each other one after that.
const FIRST_NODES: u64 = 200_000;
const FIRST_FACTOR: u64 = 3;
/// Of so many nodes of a probing search one goes to checks, or one to all means where the score promises more.
const PROBE_PART: u64 = 8;
const PROMISING_PART: u64 = 16;
/// From so many centipawns on it does.
const PROMISING: i32 = 150;

impl Worker<'_> {
    /// Goes on looking for a mate if it is time to; whether it is found now. A worker that helps another one leaves it to that
    /// one. Who has seen a mate or a loss already does not look, but keeps to what was announced before.
    pub(super) fn look_for_mate(&mut self, score: Score) -> Result<bool, Stopped> {
        if self.number > 0 || self.plan.mates == MateSearch::Never || self.has_mate_as_wanted() {
            return Ok(false);
        }
        self.root.release();
        let known = self.mate.as_ref().map(Vec::len);
        if known.is_none() {
            self.mate = self.mates.announced(self.path, &self.root, self.rules);
        }
        let means = self.means_for_mates(score);
        let nodes = self.nodes_for_mates(means);
        if !self.has_mate_as_wanted() && (known.is_some() || !score.is_mate()) && nodes > 0 {
            let before = self.world.nodes;
            let (world, path, root, rules) = (&mut self.world, &*self.path, &self.root, self.rules);
            let answer = self.mates.look(Terms { world, path, root, rules, nodes, means });
            self.mate_nodes += self.world.nodes - before;
            self.learn_of_mate(answer?);
        }
        Ok(self.mate.as_ref().map(Vec::len) != known)
    }

    /// A mate that is longer than what was asked for is known, but not the end of the search.
    fn learn_of_mate(&mut self, answer: Answer) {
        let Answer::Mate(line) = answer else { return };
        let is_first = self.mate.is_none();
        if self.mate.as_ref().is_none_or(|known| line.len() < known.len()) {
            self.mate = Some(line);
        }
        if let Some(plies) = self.wanted_plies().filter(|_| is_first && !self.has_mate_as_wanted()) {
            self.mates.begin_within(plies);
        }
    }

    /// Most plies of a mate that was asked for.
    fn wanted_plies(&self) -> Option<usize> {
        self.limits.mate.map(|moves| (moves as usize).saturating_mul(2).saturating_sub(1))
    }

    /// Whether a mate is proven, and none is wanted that is shorter.
    pub(super) fn has_mate_as_wanted(&self) -> bool {
        let is_wanted = |line: &Vec<Move>| self.wanted_plies().is_none_or(|most| line.len() <= most);
        self.mate.as_ref().is_some_and(is_wanted)
    }

    /// What the solver may try where the root is worth `score`.
    fn means_for_mates(&self, score: Score) -> Means {
        let promising = score > Score::from_eval(PROMISING);
        if self.plan.mates == MateSearch::First || promising { Means::Threats } else { Means::Checks }
    }

    /// How many nodes the solver may spend now.
    fn nodes_for_mates(&self, means: Means) -> u64 {
        let others = self.world.nodes - self.mate_nodes;
        let all = match (self.plan.mates, means) {
            (MateSearch::Never, _) => 0,
            (MateSearch::Probe, Means::Checks) => others / PROBE_PART,
            (MateSearch::Probe, Means::Threats) => others / PROMISING_PART,
            (MateSearch::First, _) => FIRST_NODES + others * FIRST_FACTOR,
        };
        all.saturating_sub(self.mate_nodes)
    }

    /// `line`, or the mate that is proven if it is better.
    pub(super) fn proven(&self, line: &Iteration) -> Iteration {
        match &self.mate {
            Some(mate) if mate_score(mate) > line.score => {
                Iteration { score: mate_score(mate), bound: ScoreBound::Exact, pv: mate.clone(), ..line.clone() }
            }
            _ => line.clone(),
        }
    }

    /// The same of what a search ends with.
    pub(super) fn insist_on_mate(&self, outcome: &mut Outcome) {
        if let Some(mate) = self.mate.as_ref().filter(|mate| mate_score(mate) > outcome.score) {
            outcome.improve(mate_score(mate), mate);
        }
    }
}

fn mate_score(line: &[Move]) -> Score {
    Score::mate_in(line.len())
}
