//! Iterative deepening at the root, one ply at a time.

use chuhe::smp::shared::Stopped;

use super::moves::{Duty, candidates};
use super::task::{Aim, SURE, WIN, is_decided};
use super::threes;
use super::tree::Window;
use super::worker::Worker;
use crate::board::Kind;
use crate::cell::{Cell, CellSet};
use crate::event::Iteration;

/// Effort for continuous fours at the root, in positions.
const ROOT_FOURS: u32 = 20_000;
/// Iteration after which the last worker searches for continuous threes.
const THREES_AFTER: i32 = 4;
/// Aspiration window: half its width around the previous score.
const ASPIRATION: i32 = 60;
/// Aspiration window: first iteration that uses it.
const ASPIRATION_DEPTH: i32 = 5;

/// Root of a search.
struct Root {
    /// Root moves, best first as far as known.
    moves: Vec<Cell>,
    /// Obligation of the side to move.
    duty: Duty,
    /// Proven root moves with their scores.
    proven: Vec<(Cell, i32)>,
}

impl Worker<'_> {
    /// Runs iterations until everything is proven or the stop flag is raised; returns the last finished one.
    pub(super) fn deepen(mut self, report: &mut dyn FnMut(Iteration)) -> Option<Iteration> {
        let all: CellSet = self.task.root_moves.iter().copied().collect();
        let mut root = self.root(&all);
        let mut last: Option<Iteration> = None;
        for depth in 1..=self.task.depth {
            let Ok(found) = self.iterate(&mut root, depth, last.as_ref()) else { break };
            self.checks_stop = true;
            report(found.clone());
            let settled = self.is_settled(&root, &found, depth);
            last = Some(found);
            if settled {
                break;
            }
            if self.task.aim != Aim::Best {
                continue;
            }
            // A proof ends the search.
            let Ok(win) = self.forced_win(&all, depth) else { break };
            if let Some(win) = win {
                report(win.clone());
                last = Some(win);
                break;
            }
        }
        self.task.counters.publish(self.number, self.nodes, 0);
        last
    }

    /// Creates the root with the candidates of any node, or with all moves if all have to be searched.
    fn root(&mut self, all: &CellSet) -> Root {
        let (duty, likely) = candidates(&mut self.board);
        // Not needed inside the tree, where a five in sight already ends the search.
        let fives = self.board.set(self.board.side(), Kind::Five).and(all);
        let (duty, likely) = if fives.is_empty() { (duty, likely) } else { (Duty::None, fives) };
        let likely = if self.task.looks_at_all { *all } else { likely.and(all) };
        let mut moves = self.ordered(&likely, None, 0);
        if moves.is_empty() {
            moves = self.ordered(all, None, 0);
        }
        if moves.is_empty() {
            moves.clone_from(&self.task.root_moves);
        }
        Root { moves, duty, proven: vec![] }
    }

    /// Returns a win by continuous fours after the first iteration, or by continuous threes after a later one, if it begins with
    /// one of these moves.
    fn forced_win(&mut self, all: &CellSet, depth: i32) -> Result<Option<Iteration>, Stopped> {
        // The work of continuous threes cannot be shared, so only the last worker does it.
        let is_last = self.number + 1 == self.task.counters.workers();
        let win = match depth {
            1 => self.continuous_fours(ROOT_FOURS).map(|win| (win.plies, win.first)),
            THREES_AFTER if is_last => threes::solve(self)?,
            _ => None,
        };
        let win = win.filter(|(_, first)| all.contains(*first));
        let proven_at = if depth == 1 { 1 } else { depth + 1 };
        Ok(win.map(|(plies, first)| Iteration { depth: proven_at, ..proof(first, plies) }))
    }

    /// Whether deeper iterations cannot change the move.
    fn is_settled(&self, root: &Root, found: &Iteration, depth: i32) -> bool {
        let alone = root.moves.len() == 1 && self.task.in_game && self.task.aim == Aim::Best;
        // Any win is good enough; a losing side searches for the longest defence.
        let proven = found.score >= SURE || is_decided(found.score) && WIN - found.score.abs() <= depth;
        alone || proven && self.task.aim == Aim::Best
    }

    /// Runs one iteration for the aim of the search.
    fn iterate(&mut self, root: &mut Root, depth: i32, last: Option<&Iteration>) -> Result<Iteration, Stopped> {
        self.root_depth = depth;
        match self.task.aim {
            Aim::Best => self.best(root, depth, last.map(|last| last.score)),
            Aim::Worst => self.worst(root, depth),
            Aim::BestTwo => {
                let best = self.best(root, depth, None)?;
                let same = self.task.board.same(best.line[0]);
                let others = root.moves.iter().copied().filter(|&cell| !same.contains(cell)).collect();
                let mut rest = Root { moves: others, duty: root.duty, proven: vec![] };
                if rest.moves.is_empty() {
                    return Ok(best);
                }
                let second = self.best(&mut rest, depth, None)?;
                Ok(Iteration { second: Some(second.line[0]), ..best })
            }
        }
    }

    /// Searches for the best move with an aspiration window, then with the full window if the score is outside.
    fn best(&mut self, root: &mut Root, depth: i32, last: Option<i32>) -> Result<Iteration, Stopped> {
        let narrow = last.filter(|score| depth >= ASPIRATION_DEPTH && !is_decided(*score));
        let window =
            narrow.map_or(Window::FULL, |score| Window { alpha: score - ASPIRATION, beta: score + ASPIRATION });
        let found = self.search_root(root, depth, window)?;
        if narrow.is_some() && (found.score <= window.alpha || found.score >= window.beta) {
            return self.search_root(root, depth, Window::FULL);
        }
        Ok(found)
    }

    fn search_root(&mut self, root: &mut Root, depth: i32, window: Window) -> Result<Iteration, Stopped> {
        let (key, task) = (self.board.key(), self.task);
        let (before, mut alpha) = (self.nodes, window.alpha);
        let (mut best, mut best_nodes) = (None, 0);
        self.lines[0].clear();
        for (index, cell) in task.current_moves.in_turn(key, &root.moves) {
            let nodes = self.nodes;
            let reduction = self.reduction(index, cell, depth, root.duty);
            let score = self.search_child(cell, Window { alpha, beta: window.beta }, depth, 0, index, reduction)?;
            // Outside the window a score is a bound: an upper bound proves no win, a lower bound no loss.
            if score >= SURE && score > alpha || score <= -SURE && score < window.beta {
                root.proven.retain(|&(known, _)| known != cell);
                root.proven.push((cell, score));
            }
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((cell, score));
                best_nodes = self.nodes - nodes;
                self.update_pv(cell, 0);
            }
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        let (cell, score) = best.unwrap_or((root.moves[0], 0));
        root.moves.retain(|&other| other != cell);
        root.moves.insert(0, cell);
        let share = best_nodes * 1000 / (self.nodes - before).max(1);
        Ok(Iteration {
            best_permille: u32::try_from(share).unwrap_or(1000),
            winning: proven(root, |score| score >= SURE),
            losing: proven(root, |score| score <= -SURE),
            ..iteration(depth, score, self.line(cell))
        })
    }

    /// Searches for the move with the lowest exact score.
    fn worst(&mut self, root: &mut Root, depth: i32) -> Result<Iteration, Stopped> {
        let mut worst: Option<Iteration> = None;
        for &cell in &root.moves {
            let score = self.search_child(cell, Window::FULL, depth, 0, 0, 0)?;
            if worst.as_ref().is_none_or(|found| score < found.score) {
                self.update_pv(cell, 0);
                worst = Some(iteration(depth, score, self.line(cell)));
            }
        }
        worst.ok_or(Stopped)
    }

    /// Principal variation that begins with this move.
    fn line(&self, cell: Cell) -> Vec<Cell> {
        if self.lines[0].first() == Some(&cell) { self.lines[0].clone() } else { vec![cell] }
    }
}

fn iteration(depth: i32, score: i32, line: Vec<Cell>) -> Iteration {
    Iteration { depth, score, line, second: None, best_permille: 1000, winning: vec![], losing: vec![] }
}

/// Iteration for a win that was found without searching other moves.
fn proof(first: Cell, plies: u32) -> Iteration {
    let score = WIN - i32::try_from(plies).unwrap_or(0);
    Iteration { winning: vec![first], ..iteration(1, score, vec![first]) }
}

fn proven(root: &Root, is: impl Fn(i32) -> bool) -> Vec<Cell> {
    let mut cells: Vec<Cell> = root.proven.iter().filter(|&&(_, score)| is(score)).map(|&(cell, _)| cell).collect();
    cells.sort_unstable();
    cells
}
