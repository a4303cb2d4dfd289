//! The recursion: principal variation search, each technique a call into its own file.

use super::correction;
use super::history::{self, Trail};
use super::judgement::{Judgement, Returns};
use super::node::{Node, Pv, Scout};
use super::picker::Picker;
use super::pruning::{self, Prospect};
use super::reductions::{LateMove, TableMove, late_move_reduction, repetition_depth_change, unknown_move_reduction};
use super::singular::{self, Suspicion, Verdict};
use super::window::Window;
use super::{SearchContext, Searcher, Stopped, extensions, known};
use crate::board::{Kind, Move, MoveList, Piece, Position};
use crate::score::{MAX_PLY, Score};
use crate::table::{Bound, Entry};

/// What the loop over the moves has found so far.
struct Findings {
    best: Score,
    best_move: Option<Move>,
    searched: usize,
    quiets: MoveList,
    captures: MoveList,
}

impl Findings {
    /// All moves searched so far lose by force, so that nothing may be left out.
    fn is_losing(&self) -> bool {
        self.best.is_decisive() && self.best < Score::DRAW
    }
}

/// One move and how it shall be searched.
struct Candidate {
    mv: Move,
    is_capture: bool,
    gives_check: bool,
    extension: i32,
    history: i32,
    /// The part of it that depends on the moves before; 0 for captures.
    continuation: i32,
    /// Plies to take off at first.
    reduction: i32,
    is_killer: bool,
}

/// What a node knows before its moves are searched.
struct NodeFacts {
    depth: i32,
    /// The static value before any correction.
    raw_eval: Option<Score>,
    eval: Option<Score>,
    improving: bool,
    cut: bool,
    /// Plies more, or fewer, for the move that the table knows.
    table_move_extension: i32,
    table_move: TableMove,
    /// The position is, or once was, on a principal variation.
    was_pv: bool,
    /// Moves that repeat a position, if a draw would be welcome.
    returns: Returns,
}

impl Searcher {
    /// The value of `position`, exact inside `window` and a bound outside. `cut` says that the node is expected to fail
    /// high.
    pub(super) fn search<N: Node>(
        &mut self,
        context: &SearchContext,
        position: &Position,
        mut window: Window,
        depth: i32,
        cut: bool,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
            return if N::PV {
                self.quiescence::<Pv>(context, position, window)
            } else {
                self.quiescence::<Scout>(context, position, window)
            };
        }
        self.check_limits(context)?;
        let ply = self.ply();
        if N::PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        if N::ROOT {
            return self.examine::<N>(context, position, window, depth, cut);
        }
        let possible = match self.judge(context, position) {
            Judgement::Decided(score) => return Ok(score),
            Judgement::Undecided(values) => values,
        };
        if ply >= MAX_PLY - 1 {
            return Ok(self.evaluator.evaluate(position));
        }
        match window.within_mates(ply).and_then(|window| window.within(possible)) {
            Ok(narrower) => window = narrower,
            Err(score) => return Ok(score),
        }
        let score = self.examine::<N>(context, position, window, depth, cut)?;
        Ok(possible.nearest(score))
    }

    /// The same for a position that the rules do not decide.
    fn examine<N: Node>(
        &mut self,
        context: &SearchContext,
        position: &Position,
        window: Window,
        mut depth: i32,
        cut: bool,
    ) -> Result<Score, Stopped> {
        let ply = self.ply();
        let excluded = self.frames[ply].excluded;
        let side_search = self.frames[ply].no_pass || excluded.is_some();
        let known = self.recall(context, position, ply);
        let stored_move = known.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let table_move = if N::ROOT { self.expected.or(stored_move) } else { stored_move };
        if !N::PV && !side_search {
            let deep_enough = known.filter(|entry| i32::from(entry.depth) >= depth);
            if let Some(score) = deep_enough.and_then(|entry| self.cutoff(context, position, &entry, window)) {
                return Ok(score);
            }
        }

        let facts = self.facts(position, known, window, depth, cut);
        if facts.eval.is_some() && !N::ROOT && !position.has_legal_move() {
            return Ok(if excluded.is_some() { window.alpha } else { Score::mated_in(ply) });
        }
        if let Some(eval) = facts.eval.filter(|_| !N::PV) {
            let node = Prospect { depth, eval, improving: facts.improving, window };
            if self.manner.prunes_nodes
                && let Some(score) = pruning::reverse_futility(&node)
            {
                return Ok(score);
            }
            if self.manner.prunes_nodes && facts.returns.is_empty() && pruning::razors(&node) {
                let score = self.quiescence::<Scout>(context, position, window)?;
                if score <= window.alpha {
                    return Ok(score);
                }
            }
            if let Some(score) = self.null_move(context, position, &node, cut)? {
                return Ok(score);
            }
            let static_eval = self.frames[ply].static_eval.unwrap_or(eval);
            if self.manner.prunes_nodes
                && let Some(score) = self.probcut(context, position, &node, known, static_eval, cut)?
            {
                return Ok(score);
            }
        }
        if self.manner.reduces {
            depth -= unknown_move_reduction(depth, table_move);
        }

        let was_pv = N::PV || known.is_some_and(|entry| entry.was_pv);
        let kind = |mv| if position.is_capture(mv) { TableMove::Capture } else { TableMove::Quiet };
        let mut facts = NodeFacts { depth, table_move: table_move.map_or(TableMove::Unknown, kind), was_pv, ..facts };
        if let (Some(mv), Some(entry), false) =
            (table_move, known, N::ROOT || side_search || self.frames[ply].path_salt != 0 || !self.manner.reduces)
        {
            let stored = Score::from_table(entry.score, ply);
            let suspicion = Suspicion { depth, window, cut, in_pv: N::PV, stored };
            if singular::is_suspicious(&entry, stored, depth) {
                match self.singular::<N>(context, position, &suspicion, mv)? {
                    Verdict::Extend(plies) => facts.table_move_extension = plies,
                    Verdict::Cut(score) if self.manner.prunes_nodes => return Ok(score),
                    Verdict::Cut(_) => {}
                }
            }
        }
        let found = self.search_moves::<N>(context, position, window, &facts, table_move)?;
        if found.searched == 0 {
            return Ok(if excluded.is_some() { window.alpha } else { Score::mated_in(ply) });
        }
        if found.best >= window.beta {
            self.reward(position, &found, depth);
        }
        let plain = !N::ROOT || self.root_moves.value_the_position();
        if plain && !side_search {
            self.store(context, position, &found, &facts, window, was_pv);
            self.correct(position, &found, window, depth);
        }
        Ok(found.best)
    }

    /// Loops over the moves until one reaches beta or all have been tried.
    fn search_moves<N: Node>(
        &mut self,
        context: &SearchContext,
        position: &Position,
        mut window: Window,
        facts: &NodeFacts,
        table_move: Option<Move>,
    ) -> Result<Findings, Stopped> {
        let ply = self.ply();
        self.frames[ply + 1].killers = [None; 2];
        if let Some(grandchild) = self.frames.get_mut(ply + 2) {
            grandchild.cutoffs = 0;
        }
        let trail = self.trail();
        let mut picker = Picker::all(position, table_move, &self.frames[ply], trail);
        let mut found = Findings {
            best: -Score::INFINITE,
            best_move: None,
            searched: 0,
            quiets: MoveList::new(),
            captures: MoveList::new(),
        };
        while let Some(mv) = picker.next(position, &self.history) {
            if N::ROOT && !self.root_moves.admits(mv) || self.frames[ply].excluded == Some(mv) {
                continue;
            }
            if !N::ROOT && self.manner.prunes_moves && comes_too_late(position, mv, facts, &found) {
                // So will all further quiet moves.
                picker.restrict_quiets(|mv| matters_late(position, mv, facts));
                continue;
            }
            let mut candidate = self.candidate(position, mv, picker.is_killer(mv), &trail);
            if table_move == Some(mv) && facts.table_move_extension != 0 {
                candidate.extension = facts.table_move_extension;
            }
            candidate.reduction = self.reduction::<N>(facts, &candidate, found.searched);
            if !N::ROOT && self.manner.prunes_moves && self.prunes_move(position, &candidate, facts, &found, window) {
                continue;
            }
            let nodes_before = self.nodes;
            let bonus = if N::ROOT { self.begin_root_move(context, mv, found.searched + 1) } else { 0 };
            let asked = if N::ROOT { window.shifted(-bonus) } else { window };
            let child = self.descend(context, position, mv);
            let mut score = self.search_child::<N>(context, &child, asked, facts, &candidate, &found)?;
            self.ascend();
            if N::ROOT {
                self.end_root_move(context, (mv, &child), (score, asked), self.nodes - nodes_before);
                score = score.shifted(bonus);
            }
            found.searched += 1;
            if candidate.is_capture {
                found.captures.push(mv)
            } else {
                found.quiets.push(mv)
            }
            if score > found.best {
                found.best = score;
                if score > window.alpha {
                    found.best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if N::ROOT {
                        self.root_score = score;
                    }
                    if score >= window.beta {
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    window = window.raised(score);
                }
            }
        }
        Ok(found)
    }

    /// Searches the position after one move: the first with the whole window, the others by a reduced scout that is
    /// repeated deeper and wider for as long as it contradicts.
    fn search_child<N: Node>(
        &mut self,
        context: &SearchContext,
        child: &Position,
        window: Window,
        facts: &NodeFacts,
        candidate: &Candidate,
        found: &Findings,
    ) -> Result<Score, Stopped> {
        let mut depth = facts.depth - 1 + candidate.extension;
        let earlier_moves = found.searched;
        if N::PV {
            // A scout leaves no line, and one that already proves the fastest mate is not repeated.
            self.pv.clear(self.ply());
        }
        if N::PV && earlier_moves == 0 {
            return Ok(-self.search::<Pv>(context, child, window.swapped(), depth, false)?);
        }
        let scout = window.scout().swapped();
        let mut score = window.alpha + 1;
        if candidate.reduction > 0 {
            let reduced = depth - candidate.reduction;
            score = -self.search::<Scout>(context, child, scout, reduced, true)?;
            if score > window.alpha && !found.best.is_decisive() {
                depth += repetition_depth_change(score - found.best, depth);
            }
            if depth <= reduced && score > window.alpha && !N::PV {
                return Ok(score);
            }
        }
        if score > window.alpha {
            score = -self.search::<Scout>(context, child, scout, depth, !facts.cut)?;
        }
        if N::PV && score > window.alpha && (N::ROOT || score < window.beta) {
            score = -self.search::<Pv>(context, child, window.swapped(), depth, false)?;
        }
        Ok(score)
    }

    /// By how many plies the move is reduced when it comes after so many others.
    fn reduction<N: Node>(&self, facts: &NodeFacts, candidate: &Candidate, earlier_moves: usize) -> i32 {
        if !self.manner.reduces {
            return 0;
        }
        late_move_reduction(&LateMove {
            depth: facts.depth,
            earlier_moves,
            in_pv: N::PV,
            was_pv: facts.was_pv,
            is_capture: candidate.is_capture,
            improving: facts.improving,
            gives_check: candidate.gives_check,
            is_killer: candidate.is_killer,
            expects_cut: facts.cut,
            table_move: facts.table_move,
            cutoffs_below: self.frames[self.ply() + 1].cutoffs,
            history: candidate.history,
        })
    }

    fn candidate(&self, position: &Position, mv: Move, is_killer: bool, trail: &Trail) -> Candidate {
        let is_capture = position.is_capture(mv);
        let gives_check = position.gives_check(mv);
        let keeps_material = || position.exchange_gains(mv, 0);
        let piece = position.moving_piece(mv);
        Candidate {
            mv,
            is_capture,
            gives_check,
            extension: extensions::check(gives_check, keeps_material, self.ply(), self.nominal_depth),
            history: if is_capture {
                self.history.capture(position.delta(mv), position.piece_on(mv.to()).map_or(Kind::King, Piece::kind))
            } else {
                self.history.quiet(piece, mv, trail)
            },
            continuation: if is_capture { 0 } else { self.history.continuation(piece, mv, trail) },
            reduction: 0,
            is_killer,
        }
    }

    /// Whether a move need not be searched because nothing suggests that it could matter.
    fn prunes_move(
        &self,
        position: &Position,
        candidate: &Candidate,
        facts: &NodeFacts,
        found: &Findings,
        window: Window,
    ) -> bool {
        let reduced_depth = facts.depth - candidate.reduction;
        if found.searched == 0 || found.is_losing() || facts.returns.contains(&candidate.mv) {
            return false;
        }
        let quiet = !candidate.is_capture && !candidate.gives_check;
        let futile = |eval| pruning::quiet_is_futile(reduced_depth, eval, window.alpha);
        if quiet && !candidate.is_killer && facts.eval.is_some_and(futile) {
            return true;
        }
        if quiet && pruning::history_is_bad(reduced_depth, candidate.continuation) {
            return true;
        }
        let depth = if candidate.is_capture { facts.depth } else { reduced_depth };
        pruning::exchange_threshold(depth, candidate.is_capture)
            .is_some_and(|threshold| !position.exchange_gains(candidate.mv, threshold))
    }

    /// The static value, bettered by the table's score where that is on the right side of it.
    fn facts(&mut self, position: &Position, known: Option<Entry>, window: Window, depth: i32, cut: bool) -> NodeFacts {
        let ply = self.ply();
        let returns = if window.alpha < self.manner.draw(position) { self.returns(position) } else { Returns::new() };
        let without_value = NodeFacts {
            depth,
            raw_eval: None,
            eval: None,
            improving: false,
            cut,
            table_move_extension: 0,
            table_move: TableMove::Unknown,
            was_pv: false,
            returns,
        };
        if position.in_check() {
            self.frames[ply].static_eval = None;
            return without_value;
        }
        let raw_eval = self.static_eval(position, known);
        let static_eval = self.corrected(position, raw_eval);
        self.frames[ply].static_eval = Some(static_eval);
        let two_plies_ago = ply.checked_sub(2).and_then(|ply| self.frames[ply].static_eval);
        let improving = two_plies_ago.is_none_or(|before| static_eval > before);
        // What the table knows it knows of the move that a search without it has to do without.
        let whole = known.filter(|_| self.frames[ply].excluded.is_none());
        let better = whole.and_then(|entry| known::better_eval(&entry, static_eval, ply));
        NodeFacts { raw_eval: Some(raw_eval), eval: Some(better.unwrap_or(static_eval)), improving, ..without_value }
    }

    /// Remembers the move that reached beta, and that those tried before it did not.
    fn reward(&mut self, position: &Position, found: &Findings, depth: i32) {
        let Some(best) = found.best_move else { return };
        let bonus = history::bonus(depth);
        let trail = self.trail();
        let ply = self.ply();
        if !position.is_capture(best) {
            self.frames[ply].remember_killer(best);
            for &mv in &found.quiets {
                let signed = if mv == best { bonus } else { -bonus };
                self.history.update_quiet(position.moving_piece(mv), mv, &trail, signed);
            }
        }
        for &mv in &found.captures {
            let delta = position.delta(mv);
            let victim = delta.captured.map_or(Kind::King, |piece| piece.kind());
            self.history.update_capture(delta, victim, if mv == best { bonus } else { -bonus });
        }
    }

    /// Learns from the difference between the static value and what the search has found.
    fn correct(&mut self, position: &Position, found: &Findings, window: Window, depth: i32) {
        let Some(static_eval) = self.frames[self.ply()].static_eval else { return };
        let quiet = found.best_move.is_none_or(|mv| !position.is_capture(mv));
        let fails_high = found.best >= window.beta;
        if quiet && correction::teaches(found.best, static_eval, fails_high, found.best_move.is_some()) {
            self.corrections.update(&self.features(position), depth, found.best - static_eval);
        }
    }

    fn store(
        &self,
        context: &SearchContext,
        position: &Position,
        found: &Findings,
        facts: &NodeFacts,
        window: Window,
        was_pv: bool,
    ) {
        // A ban depends on the way to this position, which the table does not know.
        if found.best.is_ban() {
            return;
        }
        let bound = if found.best >= window.beta {
            Bound::Lower
        } else if found.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let ply = self.ply();
        let entry = Entry {
            mv: found.best_move,
            score: found.best.to_table(ply),
            eval: facts.raw_eval.map(|eval| eval.to_table(0)),
            depth: u8::try_from(facts.depth).unwrap_or(u8::MAX),
            bound,
            was_pv,
        };
        self.remember(context, position, entry);
    }
}

/// Whether enough moves have been tried for a quiet one without check to be left out, before anything is worked out for it.
fn comes_too_late(position: &Position, mv: Move, facts: &NodeFacts, found: &Findings) -> bool {
    found.searched >= pruning::late_move_count(facts.depth, facts.improving)
        && found.searched > 0
        && !found.is_losing()
        && !matters_late(position, mv, facts)
}

/// Whether a move must be searched however late it comes.
fn matters_late(position: &Position, mv: Move, facts: &NodeFacts) -> bool {
    position.is_capture(mv) || position.gives_check(mv) || facts.returns.contains(&mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn a_search_without_a_move_does_not_believe_what_the_table_knows_of_the_position_with_it() {
        let root = Position::start();
        let context = SearchContext::of_game(vec![root], RuleSet::Asian.rules());
        let mut searcher = Searcher::new(0);
        searcher.prepare(&context);
        let mv = context.root_moves[0];
        let entry = Entry { mv: Some(mv), score: 900, eval: None, depth: 9, bound: Bound::Lower, was_pv: false };
        let mut eval = |excluded| {
            searcher.frames[0].excluded = excluded;
            searcher.facts(&root, Some(entry), Window::FULL, 6, true).eval
        };
        assert_eq!(eval(None), Some(Score::from_eval(900)));
        assert!(eval(Some(mv)).is_some_and(|eval| eval < Score::from_eval(300)));
    }
}
