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
/// Of so many nodes of a probing search at least one is left to the solver, which rarely needs it: where checks lead to nothing
/// they are soon tried.
const PROBE_PART: u64 = 8;
/// The same as long as it may also try quiet moves, which takes longer: less than a hundredth.
const THREAT_PART: u64 = 128;
/// In centipawns: from here on a game is as good as decided, and whoever can end it by force had better see it. So a probing search
/// looks for checks and threats with as many nodes as it spends otherwise.
const DECIDED: u32 = 800;

impl Worker<'_> {
    /// Goes on looking for a mate if it is time to; whether it is found now. A worker that helps another one leaves it to that
    /// one. Who has seen a mate already does not look, but keeps to what was announced before.
    pub(super) fn look_for_mate(&mut self, score: Score) -> Result<bool, Stopped> {
        if self.number > 0 || self.plan.mates == MateSearch::Never || self.has_mate_as_wanted() {
            return Ok(false);
        }
        self.root.release();
        let known = self.mate.as_ref().map(Vec::len);
        if known.is_none() {
            self.mate = self.mates.announced(self.path, &self.root, self.rules);
        }
        let (means, nodes) = self.share_of_solver(score);
        if !self.has_mate_as_wanted() && (known.is_some() || !is_mate_for_us(score)) && nodes > 0 {
            let before = self.world.nodes;
            let (world, path, root, rules) = (&mut self.world, &*self.path, &self.root, self.rules);
            let answer = self.mates.look(Terms { world, path, root, rules, nodes, means });
            self.mate_nodes += self.world.nodes - before;
            self.learn_of_mate(answer?);
        }
        if let Some(&[first, ..]) = self.mate.as_deref() {
            self.root.learn_win(first);
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

    /// What the solver may try now where the position seems worth `score`, and how many nodes it may spend on it.
    fn share_of_solver(&self, score: Score) -> (Means, u64) {
        let others = self.world.nodes - self.mate_nodes;
        let is_decided = score.raw().unsigned_abs() >= DECIDED;
        let (means, nodes) = match self.plan.mates {
            MateSearch::Never => (Means::Checks, 0),
            MateSearch::Probe if is_decided => (Means::Threats, others),
            MateSearch::Probe if self.mate_nodes < others / THREAT_PART => (Means::Threats, others / THREAT_PART),
            MateSearch::Probe => (Means::Checks, others / PROBE_PART),
            MateSearch::First => (Means::Threats, FIRST_NODES + others * FIRST_FACTOR),
        };
        (means, nodes.saturating_sub(self.mate_nodes))
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
            outcome.improve(mate_score(mate), ScoreBound::Exact, outcome.score_depth, mate);
        }
    }
}

/// Whether the side to move mates.
fn is_mate_for_us(score: Score) -> bool {
    score.is_mate() && score > Score::DRAW
}

fn mate_score(line: &[Move]) -> Score {
    Score::mate_in(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::RuleSet;
    use crate::search::{Limits, Plan, SearchContext, Searcher, Silent};

    fn probing(fen: &str, depth: u32) -> SearchContext {
        let plan = Plan { mates: MateSearch::Probe, ..Plan::default() };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let context = SearchContext::of_game(vec![Position::from_fen(fen).unwrap()], RuleSet::Asian.rules());
        SearchContext { plan, limits, ..context }
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches")]
    fn a_probe_costs_next_to_nothing_where_checks_lead_nowhere() {
        let openings = include_str!("../../tests/data/openings.epd").lines().filter(|line| !line.starts_with('#'));
        let (mut nodes, mut for_mates) = (0, 0);
        for line in openings.step_by(5) {
            let fen: Vec<&str> = line.split(' ').take(2).collect();
            let (context, mut searcher) = (probing(&fen.join(" "), 8), Searcher::new(0));
            let mut worker = searcher.begin(&context);
            worker.think(&mut Silent);
            nodes += worker.world.nodes;
            for_mates += worker.mate_nodes;
        }
        assert!(for_mates > 0 && for_mates * 100 < nodes, "{for_mates} of {nodes}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches")]
    fn a_probe_sees_beyond_the_horizon_where_checks_lead_to_a_mate() {
        // A mate in ten, all of it checks.
        let fen = "2N1k3P/1P2a4/1N1a4P/9/2b4P1/2Bc2R1p/pC4Cpn/B1p2A1rc/3KAp3/9 w";
        let said = |plan: Plan| {
            let context = SearchContext { plan, ..probing(fen, 7) };
            Searcher::new(0).think(&context, &mut Silent).score
        };
        let (alone, probing) = (said(Plan::default()), said(Plan { mates: MateSearch::Probe, ..Plan::default() }));
        assert!(!alone.is_mate() && probing.is_mate() && probing > Score::DRAW, "{alone:?} {probing:?}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches")]
    fn where_the_game_is_decided_a_probe_sees_what_threats_lead_to() {
        let suite = include_str!("../../tests/data/mates.tsv").lines().filter(|line| line.contains("\tquiet\t"));
        let positions: Vec<&str> = suite.step_by(17).filter_map(|line| line.split('\t').next()).collect();
        let seen = |plan: Plan| {
            let limits = Limits { nodes: Some(40_000), ..Limits::default() };
            let sees = |fen: &&&str| {
                let context = SearchContext { plan: plan.clone(), limits, ..probing(fen, 1) };
                is_mate_for_us(Searcher::new(0).think(&context, &mut Silent).score)
            };
            positions.iter().filter(sees).count()
        };
        let (alone, probing) = (seen(Plan::default()), seen(Plan { mates: MateSearch::Probe, ..Plan::default() }));
        assert!(positions.len() > 10 && probing >= alone + 2, "{alone} and {probing} of {}", positions.len());
    }
}
