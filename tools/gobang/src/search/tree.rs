//! Principal variation search (PVS).

use chuhe::smp::shared::Stopped;
use chuhe::smp::table::{Bound, Entry};

use super::moves::{Duty, candidates};
use super::task::{SURE, WIN, from_table, to_table};
use super::worker::{MAX_PLY, Worker};
use crate::board::Kind;
use crate::cell::Cell;

/// Effort for continuous fours at a leaf, in positions.
const LEAF_FOURS: u32 = 80;
/// Effort for continuous fours at a node above the leaves, in positions.
const NODE_FOURS: u32 = 300;
/// Threat extension: ply limit, as a multiple of the root depth.
const STRETCH: i32 = 2;
/// Reverse futility pruning (RFP): margin per ply of depth.
const FUTILITY_PER_PLY: i32 = 120;
/// Reverse futility pruning (RFP): greatest depth, in plies.
const FUTILITY_DEPTH: i32 = 2;
/// Late move pruning (LMP): number of moves searched at any depth; more only if all of them lose.
const MOVES_AT_LEAST: usize = 12;
/// Late move pruning (LMP): additional moves per ply of depth.
const MOVES_PER_PLY: usize = 5;
/// Late move reductions (LMR): number of first moves that are never reduced.
const UNREDUCED: usize = 3;
/// Late move reductions (LMR): number of first moves that are reduced by at most one ply.
const TWICE_REDUCED: usize = 10;

/// Search window: the open interval between alpha and beta.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// Full window, which contains every score.
    pub(super) const FULL: Self = Self { alpha: -WIN - 1, beta: WIN + 1 };

    /// Window from the opponent's point of view.
    fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Null window at alpha.
    fn null_window(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }

    fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }
}

impl Worker<'_> {
    /// Searches the position; the score is exact inside the window and a bound outside.
    pub(super) fn value(&mut self, window: Window, depth: i32, ply: usize) -> Result<i32, Stopped> {
        self.lines[ply].clear();
        self.count_node()?;
        if self.board.winner().is_some() {
            return Ok(-(WIN - ply as i32));
        }
        if self.board.is_full() || ply + 1 >= MAX_PLY {
            return Ok(0);
        }
        if let Some(sure) = self.immediate_result(ply) {
            return Ok(sure);
        }
        let (duty, cells) = candidates(&mut self.board);
        let depth = match duty {
            Duty::None => depth,
            // Threat extension: a forced answer is searched at least one ply deep.
            Duty::Three | Duty::Four if (ply as i32) < self.root_depth * STRETCH => depth.max(1),
            Duty::Three | Duty::Four => depth,
        };
        if depth <= 0 {
            return Ok(self.leaf_value(duty, ply));
        }
        let key = self.board.key();
        let known = self.task.table.probe(key);
        if let Some(entry) = known
            && window.is_null()
            && i32::from(entry.depth) >= depth
        {
            let score = from_table(entry.score, ply);
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            };
            if settles {
                return Ok(score);
            }
        }
        if duty == Duty::None {
            if window.is_null() && depth <= FUTILITY_DEPTH {
                let eval = self.evaluate();
                if eval - FUTILITY_PER_PLY * depth >= window.beta && window.beta.abs() < SURE {
                    return Ok(eval);
                }
            }
            if let Some(win) = self.continuous_fours(NODE_FOURS) {
                return Ok(WIN - ply as i32 - win.plies as i32);
            }
        }
        let tt_move = known.and_then(|entry| entry.mv).and_then(Cell::from_word);
        let mut moves = self.ordered(&cells, tt_move, ply);
        if moves.is_empty() {
            // All candidates are banned. At a four the five cannot be stopped; otherwise a distant move may be legal.
            let elsewhere = Cell::all().filter(|&cell| self.board.stone(cell).is_none()).collect();
            moves = self.ordered(&elsewhere, None, ply);
            moves.truncate(1);
            match duty {
                Duty::Four => return Ok(-(WIN - ply as i32 - 2)),
                Duty::None | Duty::Three if moves.is_empty() => return Ok(0),
                Duty::None | Duty::Three => {}
            }
        }
        self.try_moves(&moves, window, depth, ply, duty)
    }

    fn try_moves(
        &mut self,
        moves: &[Cell],
        window: Window,
        depth: i32,
        ply: usize,
        duty: Duty,
    ) -> Result<i32, Stopped> {
        let (key, task) = (self.board.key(), self.task);
        let (mut alpha, mut best, mut best_move) = (window.alpha, -WIN, None);
        let most = MOVES_AT_LEAST + MOVES_PER_PLY * usize::try_from(depth).unwrap_or(0);
        let (likely, others) = moves.split_at(most.min(moves.len()));
        let mut tried = Vec::with_capacity(likely.len());
        for (index, cell) in task.current_moves.in_turn(key, likely).chain((most..).zip(others.iter().copied())) {
            // A node is lost only if all its moves lose.
            if index >= most && best > -SURE {
                break;
            }
            let here = Window { alpha, beta: window.beta };
            let reduction = self.reduction(index, cell, depth, duty);
            let score = self.search_child(cell, here, depth, ply, index, reduction)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(cell);
                    self.update_pv(cell, ply);
                }
            }
            if alpha >= window.beta {
                self.update_histories(cell, &tried, depth, ply);
                break;
            }
            tried.push(cell);
        }
        let bound = match best_move {
            Some(_) if best >= window.beta => Bound::Lower,
            Some(_) => Bound::Exact,
            None => Bound::Upper,
        };
        let entry = Entry {
            mv: best_move.map(Cell::word),
            score: to_table(best, ply),
            eval: None,
            depth: u8::try_from(depth).unwrap_or(u8::MAX),
            bound,
            tt_pv: !window.is_null(),
        };
        self.task.table.store(key, entry);
        Ok(best)
    }

    /// Searches a move: the first with the full window, others with a null window and again if they raise alpha.
    pub(super) fn search_child(
        &mut self,
        cell: Cell,
        window: Window,
        depth: i32,
        ply: usize,
        index: usize,
        reduction: i32,
    ) -> Result<i32, Stopped> {
        let _mark = self.task.current_moves.mark(self.board.key(), cell, depth);
        self.board.put(cell);
        self.task.table.prefetch(self.board.key());
        let score = self.search_windows(window, depth, ply, index, reduction);
        self.board.take_back();
        score
    }

    fn search_windows(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        index: usize,
        reduction: i32,
    ) -> Result<i32, Stopped> {
        if index > 0 {
            let null_window = window.null_window().turned();
            let mut score = -self.value(null_window, depth - 1 - reduction, ply + 1)?;
            if score > window.alpha && reduction > 0 {
                score = -self.value(null_window, depth - 1, ply + 1)?;
            }
            if score <= window.alpha || window.is_null() {
                return Ok(score);
            }
        }
        Ok(-self.value(window.turned(), depth - 1, ply + 1)?)
    }

    /// Sets the principal variation of a ply to this move and the variation of the next ply.
    pub(super) fn update_pv(&mut self, cell: Cell, ply: usize) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(cell);
        if let Some(rest) = after.first() {
            line.extend_from_slice(rest);
        }
    }

    /// Late move reductions (LMR): plies by which the depth of a late quiet move is reduced.
    pub(super) fn reduction(&self, index: usize, cell: Cell, depth: i32, duty: Duty) -> i32 {
        let side = self.board.side();
        let attacks = |kind| self.board.set(side, kind).contains(cell);
        if index < UNREDUCED || depth < 3 || duty != Duty::None || attacks(Kind::Four) || attacks(Kind::Three) {
            return 0;
        }
        if index < TWICE_REDUCED || depth < 5 { 1 } else { 2 }
    }

    /// Score of a position that needs no search: five now, two fives of the opponent, or a winning four of the side to move.
    fn immediate_result(&mut self, ply: usize) -> Option<i32> {
        let side = self.board.side();
        let in_plies = |plies: i32| WIN - ply as i32 - plies;
        if !self.board.set(side, Kind::Five).is_empty() {
            return Some(in_plies(1));
        }
        match self.board.set(side.other(), Kind::Five).len() {
            0 => {}
            1 => return None,
            _ => return Some(-in_plies(2)),
        }
        let wins = *self.board.set(side, Kind::Win);
        wins.iter().any(|cell| !self.board.is_banned(side, cell)).then(|| in_plies(3))
    }

    /// Score of a leaf.
    fn leaf_value(&mut self, duty: Duty, ply: usize) -> i32 {
        let win = self.continuous_fours(LEAF_FOURS);
        match win {
            Some(win) => WIN - ply as i32 - win.plies as i32,
            None if duty == Duty::None => self.evaluate(),
            // A side under threat that cannot attack is behind, whatever the patterns say.
            None => self.evaluate().min(-THREATENED),
        }
    }
}

/// Minimum deficit at a leaf where an open three or a four of the opponent is unanswered.
const THREATENED: i32 = 150;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chuhe::smp::shared::NodeCounters;
    use chuhe::smp::shared::StopFlag;
    use chuhe::smp::table::Table;

    use super::*;
    use crate::board::Board;
    use crate::cell::read;
    use crate::rules::Winning;
    use crate::search::worker::Memory;
    use crate::search::{Aim, CurrentMoves, Task};

    /// Score of the position after these moves, one ply deep at a node below the root.
    fn value(winning: Winning, moves: &str) -> i32 {
        let mut board = Board::new(winning);
        read(moves).unwrap().into_iter().for_each(|cell| board.put(cell));
        let task = Task {
            id: 1,
            root_moves: vec![Cell::CENTRE],
            board,
            looks_at_all: false,
            aim: Aim::Best,
            in_game: false,
            table: Arc::new(Table::new(1).unwrap()),
            stop: StopFlag::default(),
            counters: NodeCounters::new(1),
            current_moves: CurrentMoves::default(),
            depth: 1,
        };
        Worker::new(0, &task, &mut Memory::empty()).value(Window::FULL, 1, 1).unwrap()
    }

    #[test]
    fn only_what_every_reply_loses_is_lost() {
        // The opponent threatens to win by continuous fours; the moves that stop it are ordered after 17 others.
        for (winning, moves) in [
            (Winning::Exact, "497ACCB89D537C3DDCB3AE968D3A721E9C8E8B"),
            (Winning::Free, "6226B54C938A7853BE5B38D86E456DBA8BB3A539B4D5979E3B277E228C"),
            (Winning::Forbidden, "C528843E9E5A253DA31367578217784798C82275CC366416D3BABC2B"),
        ] {
            let found = value(winning, moves);
            assert!(found > -SURE, "{winning:?}: {found}");
        }
        let lost = value(Winning::Exact, "38A7665495344C379C7748679658BA65");
        assert!(lost <= -SURE, "{lost}");
    }
}
