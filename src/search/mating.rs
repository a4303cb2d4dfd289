//! Mate search by proof numbers (PNS, df-pn) beside the main search: its share of the nodes, and the use of its
//! mates.
//!
//! A proven mate is a lower bound of the root's value, and may end the search.

use super::mates::{Answer, Attack, Problem};
use super::plan::{MateSearch, OnMate};
use super::shared::{Iteration, Outcome};
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;
use crate::smp::shared::Stopped;
use crate::smp::table::Bound;

/// Nodes granted to the solver before any others where mates come first, and its factor to all others after that.
const FIRST_NODES: u64 = 200_000;
const FIRST_FACTOR: u64 = 3;
/// Granted to the solver in a probing search: one node per this many others, for checks alone.
///
/// It rarely uses them: where checks lead to nothing, they are soon exhausted.
const PROBE_PART: u64 = 8;
/// Granted to the solver for quiet moves as well, which take longer: one node per this many others.
const THREAT_PART: u64 = 128;
/// Minimum nodes spent on shortening a proven mate: some 50 milliseconds of one core.
const SHORTEN_NODES: u64 = 50_000;
/// Score from which a game is as good as decided, in centipawns.
///
/// The side that can end it by force should see that, so a probing search spends as many nodes on checks and threats
/// as on everything else.
const DECIDED: u32 = 800;

impl Worker<'_> {
    /// Continues the search for a mate, or for a shorter one than is known, up to `part` of the `parts` of its share.
    /// Worker 0 does this for all.
    ///
    /// Returns whether a mate was found in this call.
    pub(super) fn search_for_mate(&mut self, score: Score, part: u64, parts: u64) -> Result<bool, Stopped> {
        if self.thread.worker > 0 || self.plan.mates == MateSearch::Never {
            return Ok(false);
        }
        self.root.release();
        let problem = Problem { stack: self.stack, moves: &self.root, rules: self.rules };
        let known = self.mate.as_ref().map(Vec::len);
        if known.is_none() {
            self.mate = self.mates.continued_mate(problem);
        }
        if let Some(plies) = self.plies_to_beat(score) {
            if plies == 0 {
                return Ok(self.mate.as_ref().map(Vec::len) != known);
            }
            self.mates.limit_plies(plies);
        }
        let (attack, share) = self.share_of_solver(score);
        let nodes = (share * part / parts).saturating_sub(self.mate_nodes);
        if nodes > 0 {
            let before = self.thread.nodes;
            let answer = self.mates.search(problem, &mut self.thread, nodes, attack);
            self.mate_nodes += self.thread.nodes - before;
            if let Answer::Mate(line) = answer?
                && self.mate.as_ref().is_none_or(|known| line.len() < known.len())
            {
                self.mate = Some(line);
            }
        }
        if let Some(&[first, ..]) = self.mate.as_deref() {
            self.root.record_win(first);
        }
        Ok(self.mate.as_ref().map(Vec::len) != known)
    }

    /// Returns the maximum plies of a mate that improves on `score`, the result of the search; `None` if any mate
    /// does.
    fn plies_to_beat(&self, score: Score) -> Option<usize> {
        let by_search = score.plies_to_end().filter(|_| is_mate_for_us(score));
        let known = self.mate.as_ref().map(Vec::len).into_iter().chain(by_search).min()?;
        let wanted = self.wanted_plies().filter(|&wanted| wanted < known);
        Some(wanted.unwrap_or_else(|| known.saturating_sub(2)))
    }

    /// Returns the maximum plies of a mate that meets the mate limit, if there is one.
    fn wanted_plies(&self) -> Option<usize> {
        self.thread.context.limits.mate.map(|moves| (moves as usize).saturating_mul(2).saturating_sub(1))
    }

    /// Returns the score of the mate that the solver or the normal search has proven.
    pub(super) fn proven_score(&self) -> Option<Score> {
        self.mate.as_deref().map(mate_score)
    }

    /// Whether a mate ends the search after an iteration of this depth with these lines.
    pub(super) fn ends_by_mate(&mut self, lines: &[Iteration], depth: u32) -> bool {
        let by_search = lines.iter().all(|line| is_proven(line.score, depth)).then(|| lines[0].score);
        let best = lines[0].score.max(self.proven_score().unwrap_or(-Score::INFINITE));
        let is_as_wanted = |plies| best.plies_to_end().is_some_and(|found| is_mate_for_us(best) && found <= plies);
        if self.wanted_plies().is_some_and(is_as_wanted) {
            return true;
        }
        let Some(score) = by_search.into_iter().chain(self.proven_score()).max() else { return false };
        match self.plan.on_mate {
            OnMate::Continue => false,
            OnMate::Stop => self.thread.context.limits.mate.is_none() || by_search.is_some(),
            OnMate::Shorten => self.ends_after_shortening(score),
        }
    }

    /// Lets a search that has proven this score end after as many nodes again.
    ///
    /// Returns whether it ends at once, since no mate is shorter.
    fn ends_after_shortening(&mut self, score: Score) -> bool {
        if self.ending_mate != Some(score) {
            self.ending_mate = Some(score);
            self.thread.end_after_as_many_again(SHORTEN_NODES);
        }
        score.plies_to_end() == Some(1)
    }

    /// Returns the attack that the solver may try at this `score`, and the nodes that it may have spent then.
    fn share_of_solver(&self, score: Score) -> (Attack, u64) {
        let others = self.own_nodes();
        let is_decided = self.mate.is_some() || score.raw().unsigned_abs() >= DECIDED;
        match self.plan.mates {
            MateSearch::Never => (Attack::Checks, 0),
            MateSearch::Probe if is_decided => (Attack::Threats, others),
            MateSearch::Probe if self.mate_nodes < others / THREAT_PART => (Attack::Threats, others / THREAT_PART),
            MateSearch::Probe => (Attack::Checks, others / PROBE_PART),
            MateSearch::First => (Attack::Threats, FIRST_NODES + others * FIRST_FACTOR),
        }
    }

    /// Returns `line`, or the proven mate if that is not worse.
    pub(super) fn proven(&self, line: Iteration) -> Iteration {
        match &self.mate {
            Some(mate) if mate_score(mate) >= line.score => {
                Iteration { score: mate_score(mate), bound: Bound::Exact, pv: mate.clone(), ..line }
            }
            _ => line,
        }
    }

    /// Replaces the outcome of the search by the proven mate if that is better.
    pub(super) fn prefer_mate(&self, outcome: &mut Outcome) {
        if let Some(mate) = self.mate.as_ref().filter(|mate| mate_score(mate) > outcome.score) {
            outcome.improve(mate_score(mate), Bound::Exact, outcome.score_depth, mate);
        }
    }
}

/// Whether deeper iterations cannot change the score: the whole line to the mate has been searched.
fn is_proven(score: Score, depth: u32) -> bool {
    score.is_mate() && score.plies_to_end().is_some_and(|plies| plies <= depth as usize)
}

/// Whether the side to move mates.
pub(super) fn is_mate_for_us(score: Score) -> bool {
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
    use crate::search::{Limits, MAX_DEPTH, Plan, SearchContext, Searcher, Silent};

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
            worker.think();
            nodes += worker.thread.nodes;
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

    /// Every `step`th position of the suite.
    fn suite(step: usize) -> impl Iterator<Item = &'static str> {
        let lines = include_str!("../../tests/data/mates.tsv").lines().filter(|line| !line.starts_with('#'));
        lines.step_by(step).filter_map(|line| line.split('\t').next())
    }

    fn with_mate(fen: &str, on_mate: OnMate, nodes: u64) -> Outcome {
        let context = probing(fen, MAX_DEPTH);
        let plan = Plan { on_mate, ..context.plan };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Searcher::new(0).think(&SearchContext { plan, limits, ..context }, &mut Silent)
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches")]
    fn a_search_with_limits_uses_them_up_and_shortens_the_mate() {
        // The first mate that is proven here may take 25 moves, the shortest one takes 7.
        let fen = "3a1kb2/2N1a4/6n2/p3N1p2/6P2/9/P3P4/4B4/3p1C3/c1rAK4 w";
        let outcome = with_mate(fen, OnMate::Continue, 100_000);
        assert_eq!((outcome.nodes, outcome.score), (100_000, Score::mate_in(13)));
        assert_eq!(outcome.pv.len(), 13);
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches")]
    fn on_the_clock_of_a_game_a_mate_ends_the_search_after_an_effort_to_shorten_it() {
        const MOST: u64 = 400_000;
        let (mut first, mut last) = (0, 0);
        for fen in suite(23) {
            let [stopped, shortened] = [OnMate::Stop, OnMate::Shorten].map(|on_mate| with_mate(fen, on_mate, MOST));
            if !is_mate_for_us(stopped.score) || stopped.pv.len() == 1 || stopped.nodes > MOST / 8 {
                continue;
            }
            let effort = shortened.nodes - stopped.nodes;
            assert!(effort >= stopped.nodes.max(SHORTEN_NODES) && shortened.nodes < MOST, "{effort} {fen}");
            (first, last) = (first + stopped.pv.len(), last + shortened.pv.len());
        }
        assert!(first > 0 && last < first, "{first} {last}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches")]
    fn in_decided_games_a_probe_finds_mates_by_threats() {
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
