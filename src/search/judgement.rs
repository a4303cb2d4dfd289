//! Rules of the game inside the tree: move limit, insufficient material and repetitions.

use super::known;
use super::window::Window;
use super::worker::Worker;
use crate::board::Side;
use crate::endgame::is_drawn_by_a_lone_cannon;
use crate::rules::Recurrence;
use crate::score::Score;
use crate::smp::table::Entry;
use crate::splitmix::mix;

/// Key salts: entries of repeated positions and of positions near the move limit are kept apart.
const SEEN_BEFORE: u64 = mix(0x5ee0);
const NEAR_LIMIT: u64 = mix(0x11e7);

/// Verdict of the rules on one position.
pub(super) enum Judgement {
    /// Not decided; the value lies within this window.
    Undecided(Window),
    /// Decided, with this score.
    Decided(Score),
}

impl Worker<'_> {
    /// Judges the current position: dictated values, move limit, insufficient material and repetitions.
    ///
    /// Probes the endgame tablebases where none of these decides. Sets the salt of the node, which is not 0 if its
    /// value depends on the path.
    pub(super) fn judge(&mut self) -> Judgement {
        if let Some(score) = self.dictated() {
            return Judgement::Decided(score);
        }
        let (rules, ply) = (self.rules, self.path.ply());
        let (side, draw) = (self.path.position().side(), self.plan.draw(self.path.position().side()));
        let limited = self.path.limit_verdict(rules).map(|verdict| match verdict.loser {
            None => draw,
            Some(_) => Score::mated_in(ply),
        });
        if let Some(score) = limited.filter(|_| rules.limit_first) {
            return Judgement::Decided(score);
        }
        let recurrence = self.path.recurrence(rules);
        if let Some(score) = limited.filter(|_| !matches!(recurrence, Recurrence::Over(_))) {
            return Judgement::Decided(score);
        }
        self.path.here_mut().salt = path_salt(recurrence != Recurrence::First, self.path.is_near_limit(rules));
        match recurrence {
            Recurrence::Over(judged) => Judgement::Decided(match judged.loser() {
                None => draw,
                Some(loser) if loser == side => Score::banned_in(ply),
                Some(_) => -Score::banned_in(ply),
            }),
            Recurrence::First | Recurrence::Open if is_drawn_by_a_lone_cannon(self.path.position()) => {
                Judgement::Decided(draw)
            }
            Recurrence::First => self.look_up(draw),
            Recurrence::Open => Judgement::Undecided(Window::FULL),
            Recurrence::Leads(None) => Judgement::Decided(draw),
            Recurrence::Leads(Some(loser)) => Judgement::Undecided(possible_values(loser == side, draw)),
        }
    }

    /// Sets the salt of the root, which may be a repetition but is not judged: some move has to be played there.
    pub(super) fn salt_root(&mut self) {
        let rules = self.rules;
        let seen_before = self.path.recurrence(rules) != Recurrence::First;
        self.path.here_mut().salt = path_salt(seen_before, self.path.is_near_limit(rules));
    }

    /// Returns the score that the user has dictated for the current position, if any.
    fn dictated(&self) -> Option<Score> {
        if self.plan.position_values.is_empty() {
            return None;
        }
        let position = self.path.position();
        let red = *self.plan.position_values.get(&position.key())?;
        Some(Score::from_eval(match position.side() {
            Side::Red => red,
            Side::Black => -red,
        }))
    }

    /// TT cutoff: returns the score of the entry if it decides the node and the path does not matter.
    pub(super) fn table_cutoff(&self, entry: &Entry, window: Window) -> Option<Score> {
        if self.path.here().salt != 0 {
            return None;
        }
        // Where the move limit takes precedence over mate, a mate on its last ply comes too late.
        let too_late = usize::from(self.rules.limit_first);
        let plies_left = self.path.plies_left(self.rules).map(|left| usize::from(left).saturating_sub(too_late));
        known::cutoff(entry, window, self.path.ply(), plies_left)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::RuleSet;
    use crate::search::node::Scout;
    use crate::search::{SearchContext, Searcher};
    use crate::smp::table::Bound;

    /// Position in which Red's rook cannot capture anything, with the move counter at `count`.
    fn quiet(count: u16) -> Position {
        Position::from_fen(&format!("4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - {count} 60")).unwrap()
    }

    fn going_round(position: Position) -> Vec<Position> {
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
        let bold = Entry { mv: None, score: 5_000, eval: None, depth: 9, bound: Bound::Lower, was_pv: false };
        context.table.store(position.key().0, bold);
        let mut searcher = Searcher::new(0);
        let score = searcher.begin(&context).search::<Scout>(Window::around(Score::DRAW, 0).at_beta(), depth, true);
        (score.unwrap(), context)
    }

    #[test]
    fn the_table_decides_nothing_where_the_way_matters_and_learns_nothing_there() {
        let bold = Score::from_eval(5_000);
        for depth in [0, 1, 2] {
            assert_eq!(with_a_bold_table(vec![quiet(0)], depth).0, bold, "depth {depth}: here it is believed");
            for history in [going_round(quiet(0)), vec![quiet(115)], going_round(quiet(112))] {
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
                let entry = Entry { mv: None, score, eval: None, depth: 9, bound: Bound::Lower, was_pv: false };
                worker.table_cutoff(&entry, Window::around(Score::DRAW, 0).at_beta()).is_some()
            };
            assert_eq!([plies_left - 1, plies_left, plies_left + 1].map(stored_mate), [true, counts, false], "{set:?}");
        }
    }

    #[test]
    fn what_is_learnt_on_one_way_orders_the_moves_there_alone() {
        let salts = [(false, false), (true, false), (false, true), (true, true)]
            .map(|(seen_before, near_limit)| path_salt(seen_before, near_limit));
        assert_eq!(salts[0], 0);
        let different: std::collections::HashSet<u64> = salts.into_iter().collect();
        assert_eq!(different.len(), salts.len());
    }

    #[test]
    fn going_round_is_worth_a_draw_at_most_to_whoever_would_lose_by_it() {
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
                let Judgement::Decided(score) = searcher.begin(&context).judge() else { panic!("{rules:?}: {fen}") };
                assert_eq!(score, expected, "{rules:?}: {fen}");
            }
        }
    }
}
