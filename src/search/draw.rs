//! Draws, bans and known outcomes inside the tree: move limit, insufficient material, repetitions and endgame tablebases.

use super::node::NodeType;
use super::tt;
use super::window::Window;
use super::worker::Worker;
use crate::board::Side;
use crate::endgame::{Outcome, is_drawn_by_a_lone_cannon};
use crate::rules::Recurrence;
use crate::score::{MAX_PLY, Score};
use crate::smp::shared::Stopped;
use crate::smp::table::Entry;
use crate::splitmix::mix;

/// Key salts: entries of repeated positions and of positions near the move limit are kept apart.
const SEEN_BEFORE: u64 = mix(0x5ee0);
const NEAR_LIMIT: u64 = mix(0x11e7);

/// Verdict of the rules on one position.
pub(super) enum Verdict {
    /// Not decided; the value lies within this window.
    Open(Window),
    /// Decided, with this score.
    Decided(Score),
}

impl Worker<'_> {
    /// Enters a node: the search may have to stop, and the rules may decide.
    pub(super) fn enter<N: NodeType>(&mut self) -> Result<Verdict, Stopped> {
        self.thread.check_stop(self.stack)?;
        let ply = self.stack.ply();
        if N::PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        Ok(match self.verdict() {
            Verdict::Open(_) if ply >= MAX_PLY - 1 => Verdict::Decided(self.evaluator.evaluate(self.stack.position())),
            verdict => verdict,
        })
    }

    /// Judges the current position: dictated values, move limit, insufficient material and repetitions.
    ///
    /// Probes the endgame tablebases at positions that have not occurred before. Sets the salt of the node, which is not 0 if its
    /// value depends on the path.
    pub(super) fn verdict(&mut self) -> Verdict {
        if let Some(score) = self.position_value() {
            return Verdict::Decided(score);
        }
        let (rules, ply) = (self.rules, self.stack.ply());
        let (side, draw) = (self.stack.position().side(), self.plan.draw(self.stack.position().side()));
        let limited = self.stack.limit_verdict(rules).map(|verdict| match verdict.loser {
            None => draw,
            Some(_) => Score::mated_in(ply),
        });
        if let Some(score) = limited.filter(|_| rules.limit_first) {
            return Verdict::Decided(score);
        }
        let recurrence = self.stack.recurrence(rules);
        if let Some(score) = limited.filter(|_| !matches!(recurrence, Recurrence::Over(_))) {
            return Verdict::Decided(score);
        }
        self.stack.ss_mut().salt = path_salt(recurrence != Recurrence::First, self.stack.is_near_limit(rules));
        match recurrence {
            Recurrence::Over(judged) => Verdict::Decided(match judged.loser() {
                None => draw,
                Some(loser) if loser == side => Score::banned_in(ply),
                Some(_) => -Score::banned_in(ply),
            }),
            Recurrence::First | Recurrence::Open if is_drawn_by_a_lone_cannon(self.stack.position()) => {
                Verdict::Decided(draw)
            }
            Recurrence::First => self.probe_tablebases(draw),
            Recurrence::Open => Verdict::Open(Window::FULL),
            Recurrence::Leads(None) => Verdict::Decided(draw),
            Recurrence::Leads(Some(loser)) => Verdict::Open(possible_values(loser == side, draw)),
        }
    }

    /// Sets the salt of the root, which may be a repetition but is not judged: some move has to be played there.
    pub(super) fn salt_root(&mut self) {
        let rules = self.rules;
        let seen_before = self.stack.recurrence(rules) != Recurrence::First;
        self.stack.ss_mut().salt = path_salt(seen_before, self.stack.is_near_limit(rules));
    }

    /// Returns the score that the user has dictated for the current position, if any.
    fn position_value(&self) -> Option<Score> {
        if self.plan.position_values.is_empty() {
            return None;
        }
        let position = self.stack.position();
        let red = *self.plan.position_values.get(&position.key())?;
        Some(Score::from_eval(match position.side() {
            Side::Red => red,
            Side::Black => red.saturating_neg(),
        }))
    }

    /// TT cutoff: returns the score of the entry if it decides the node and the path does not matter.
    pub(super) fn tt_cutoff(&self, entry: &Entry, window: Window) -> Option<Score> {
        if self.stack.ss().salt != 0 {
            return None;
        }
        // Where the move limit takes precedence over mate, a mate on its last ply comes too late.
        let too_late = usize::from(self.rules.limit_first);
        let plies_left = self.stack.plies_left(self.rules).map(|left| usize::from(left).saturating_sub(too_late));
        tt::cutoff(entry, window, self.stack.ply(), plies_left)
    }

    /// Probes the tablebases, if there are any, for the current position, which has not occurred before.
    ///
    /// Unless the plan asks everywhere, they are probed after captures only. A draw is worth `draw`.
    fn probe_tablebases(&mut self, draw: Score) -> Verdict {
        let position = self.stack.position();
        let outcome = match &self.plan.endgames {
            Some(tables)
                if (position.reversible_plies() == 0 || self.plan.probes_everywhere)
                    && tables.may_know(position)
                    // The tablebase result is that of the position with all moves.
                    && self.stack.ss().excluded.is_none() =>
            {
                tables.outcome_within(position, self.stack.plies_left(self.rules)).unwrap_or(Outcome::Open)
            }
            _ => Outcome::Open,
        };
        self.thread.tb_hits += u64::from(outcome != Outcome::Open);
        match outcome {
            Outcome::Draw => Verdict::Decided(draw),
            other => Verdict::Open(scores_of(other, self.stack.ply(), draw)),
        }
    }

    /// Returns the score nearest to `score` that the known outcome of the root allows.
    ///
    /// Both are from the point of view of the root's side to move, wherever in the tree the search stands.
    pub(super) fn within_root_outcome(&self, score: Score) -> Score {
        let draw = self.plan.draw(self.stack.root().side());
        self.thread.context.root_outcome.map_or(score, |outcome| scores_of(outcome, 0, draw).nearest(score))
    }
}

/// Returns the salt that keeps a node apart from others with the same position; 0 if none is needed.
fn path_salt(seen_before: bool, near_limit: bool) -> u64 {
    (if seen_before { SEEN_BEFORE } else { 0 }) ^ (if near_limit { NEAR_LIMIT } else { 0 })
}

/// Returns the scores possible for the mover, who wins or loses if a loop inside the tree is repeated to the end.
///
/// The losing side can deviate, but every deviation existed at the first occurrence, so repeating gains at most a
/// draw: if two loops that each lose are mixed into one that does not.
fn possible_values(mover_loses: bool, draw: Score) -> Window {
    if mover_loses { Window { beta: draw, ..Window::FULL } } else { Window { alpha: draw, ..Window::FULL } }
}

/// Returns the scores that remain for a side to move that can reach `outcome`.
///
/// A known win is a lower bound: a mate or a ban in sight scores beyond it.
fn scores_of(outcome: Outcome, ply: usize, draw: Score) -> Window {
    match outcome {
        Outcome::Win => Window { alpha: Score::known_win_in(ply), ..Window::FULL },
        Outcome::Loss => Window { beta: -Score::known_win_in(ply), ..Window::FULL },
        Outcome::Draw => Window { alpha: draw, beta: draw },
        Outcome::Open => Window::FULL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Side};
    use crate::rules::RuleSet;
    use crate::search::node::NonPv;
    use crate::search::{Limits, Plan, SearchContext, Searcher, Silent};
    use crate::smp::table::Bound;

    /// Position in which Red's rook cannot capture anything, with the move counter at `count`.
    fn quiet(count: u16) -> Position {
        Position::from_fen(&format!("4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - {count} 60")).unwrap()
    }

    fn repeated(position: Position) -> Vec<Position> {
        let mut line = vec![position];
        for text in ["a0a1", "e9d9", "a1a0", "d9e9"] {
            line.push(line[line.len() - 1].play(text.parse().unwrap()));
        }
        line
    }

    /// Searches the end of a game while the table claims a large lead for that position; returns the score.
    fn with_a_bold_table(history: Vec<Position>, depth: i32) -> (Score, SearchContext) {
        let position = history[history.len() - 1];
        let context = SearchContext::of_game(history, RuleSet::Asian.rules());
        let bold = Entry { mv: None, score: 5_000, eval: None, depth: 9, bound: Bound::Lower, tt_pv: false };
        context.table.store(position.key().0, bold);
        let mut searcher = Searcher::new(0);
        let score = searcher.begin(&context).search::<NonPv>(Window::around(Score::DRAW, 0).at_beta(), depth, true);
        (score.unwrap(), context)
    }

    #[test]
    fn the_table_decides_nothing_where_the_way_matters_and_learns_nothing_there() {
        let bold = Score::from_eval(5_000);
        for depth in [0, 1, 2] {
            assert_eq!(with_a_bold_table(vec![quiet(0)], depth).0, bold, "depth {depth}: here it is believed");
            for history in [repeated(quiet(0)), vec![quiet(115)], repeated(quiet(112))] {
                let last = history[history.len() - 1];
                let (score, context) = with_a_bold_table(history, depth);
                assert_ne!(score, bold, "depth {depth}: {}", last.to_fen());
                let kept = context.table.probe(last.key().0).expect("nothing was stored over it");
                assert_eq!(kept.score, 5_000, "depth {depth}: {}", last.to_fen());
            }
        }
    }

    #[test]
    fn a_mate_on_the_last_ply_of_the_limit_counts_where_mates_go_first() {
        let plies_left = 40;
        for (set, counts) in [(RuleSet::Asian, true), (RuleSet::League, false)] {
            let context =
                SearchContext::of_game(vec![quiet(set.rules().limit_plies().unwrap() - plies_left)], set.rules());
            let mut searcher = Searcher::new(0);
            let worker = searcher.begin(&context);
            let stored_mate = |plies: u16| {
                let score = Score::mate_in(plies.into()).to_table(0);
                let entry = Entry { mv: None, score, eval: None, depth: 9, bound: Bound::Lower, tt_pv: false };
                worker.tt_cutoff(&entry, Window::around(Score::DRAW, 0).at_beta()).is_some()
            };
            assert_eq!([plies_left - 1, plies_left, plies_left + 1].map(stored_mate), [true, counts, false], "{set:?}");
        }
    }

    #[test]
    fn each_path_condition_has_its_own_salt() {
        let salts = [(false, false), (true, false), (false, true), (true, true)]
            .map(|(seen_before, near_limit)| path_salt(seen_before, near_limit));
        assert_eq!(salts[0], 0);
        let different: std::collections::HashSet<u64> = salts.into_iter().collect();
        assert_eq!(different.len(), salts.len());
    }

    #[test]
    fn a_losing_repetition_is_worth_a_draw_at_most() {
        let (draw, lead) = (Score::from_eval(-15), Score::from_eval(300));
        assert_eq!([lead, -lead].map(|score| possible_values(true, draw).nearest(score)), [draw, -lead]);
        assert_eq!([lead, -lead].map(|score| possible_values(false, draw).nearest(score)), [lead, draw]);
    }

    #[test]
    fn the_rules_decide_in_the_order_of_the_referee() {
        // Black has no move and the limit is reached; in the second position, neither side has an attacker.
        for (fen, league, asian) in [
            ("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 120 90", Score::DRAW, Score::mated_in(0)),
            ("3k5/9/9/9/9/9/9/9/9/4K4 b - - 120 90", Score::DRAW, Score::DRAW),
        ] {
            for (rules, expected) in [(RuleSet::League, league), (RuleSet::Asian, asian)] {
                let position = Position::from_fen(fen).unwrap();
                let context = SearchContext::of_game(vec![position], rules.rules());
                let mut searcher = Searcher::new(0);
                let Verdict::Decided(score) = searcher.begin(&context).verdict() else { panic!("{rules:?}: {fen}") };
                assert_eq!(score, expected, "{rules:?}: {fen}");
            }
        }
    }

    #[test]
    fn a_known_draw_is_worth_the_same_wherever_the_search_was_stopped() {
        let position = Position::from_fen("2bakab2/9/9/9/9/9/9/9/9/R2K5 w").unwrap();
        let plan = Plan { draw_for_red: 25, ..Plan::default() };
        let draw = plan.draw(Side::Red);
        for nodes in 40..80 {
            let context = SearchContext {
                root_outcome: Some(Outcome::Draw),
                limits: Limits { nodes: Some(nodes), ..Limits::default() },
                plan: plan.clone(),
                ..SearchContext::of_game(vec![position], RuleSet::Asian.rules())
            };
            assert_eq!(Searcher::new(0).think(&context, &mut Silent).score, draw, "{nodes} nodes");
        }
    }
}
