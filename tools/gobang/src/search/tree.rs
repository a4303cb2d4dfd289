//! The recursion: principal variation search.

use chuhe::smp::stop::Stopped;
use chuhe::smp::table::{Bound, Entry};

use super::fours::Fours;
use super::moves::{Duty, candidates};
use super::{MAX_PLY, SURE, WIN, Worker, from_table, to_table};
use crate::board::Kind;
use crate::cell::Cell;

/// Effort for continuous fours at a leaf, in positions.
const LEAF_FOURS: u32 = 80;
/// The same at nodes above the leaves.
const NODE_FOURS: u32 = 300;
/// Plies that answers to threats may add to the depth, as a multiple of it.
const STRETCH: i32 = 2;
/// A static value that is so far above the window per ply of depth will stay above it.
const FUTILITY_PER_PLY: i32 = 120;
/// Where the static value is believed, in plies.
const FUTILITY_DEPTH: i32 = 2;
/// Moves that are looked at beside so many a ply, unless all of them lose.
const MOVES_AT_LEAST: usize = 12;
/// Moves that are looked at more for each ply of depth.
const MOVES_PER_PLY: usize = 5;
/// Moves that are never reduced.
const UNREDUCED: usize = 3;
/// From so many moves on, late ones are reduced by two plies.
const TWICE_REDUCED: usize = 10;

/// An open interval of scores that matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// Every score matters.
    pub(super) const FULL: Self = Self { alpha: -WIN - 1, beta: WIN + 1 };

    /// As the other side sees it.
    fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The empty window at its lower end.
    fn scout(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }

    fn is_scout(self) -> bool {
        self.beta - self.alpha <= 1
    }
}

impl Worker<'_> {
    /// The value of the position for the side to move, exact inside the window and a bound outside.
    pub(super) fn value(&mut self, window: Window, depth: i32, ply: usize) -> Result<i32, Stopped> {
        self.lines[ply].clear();
        self.visit()?;
        if self.board.winner().is_some() {
            return Ok(-(WIN - ply as i32));
        }
        if self.board.is_full() || ply + 1 >= MAX_PLY {
            return Ok(0);
        }
        if let Some(sure) = self.sure_in_sight(ply) {
            return Ok(sure);
        }
        let (duty, cells) = candidates(&mut self.board);
        let depth = match duty {
            Duty::None => depth,
            // What has to be answered is looked at a little longer.
            Duty::Three | Duty::Four if (ply as i32) < self.root_depth * STRETCH => depth.max(1),
            Duty::Three | Duty::Four => depth,
        };
        if depth <= 0 {
            return Ok(self.at_rest(duty, ply));
        }
        let key = self.board.key();
        let known = self.task.table.probe(key);
        if let Some(entry) = known
            && window.is_scout()
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
            if window.is_scout() && depth <= FUTILITY_DEPTH {
                let eval = self.evaluate();
                if eval - FUTILITY_PER_PLY * depth >= window.beta && window.beta.abs() < SURE {
                    return Ok(eval);
                }
            }
            if let Some(win) = Fours::new(&mut self.board, self.task, NODE_FOURS).win() {
                return Ok(WIN - ply as i32 - win.plies as i32);
            }
        }
        let table_move = known.and_then(|entry| entry.mv).and_then(Cell::from_word);
        let mut moves = self.ordered(&cells, table_move, ply);
        if moves.is_empty() {
            // All of them are banned. What has to be stopped is not; otherwise there may be a move far away.
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
        for (index, cell) in task.underway.in_turn(key, likely).chain((most..).zip(others.iter().copied())) {
            // Only what all of them lose is lost.
            if index >= most && best > -SURE {
                break;
            }
            let here = Window { alpha, beta: window.beta };
            let reduction = self.reduction(index, cell, depth, duty);
            let score = self.child(cell, here, depth, ply, index, reduction)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(cell);
                    self.extend_line(cell, ply);
                }
            }
            if alpha >= window.beta {
                self.reward(cell, &tried, depth, ply);
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
            was_pv: !window.is_scout(),
        };
        self.task.table.store(key, entry);
        Ok(best)
    }

    /// The value of a move: the first one in the whole window, the others in an empty one unless they are better.
    pub(super) fn child(
        &mut self,
        cell: Cell,
        window: Window,
        depth: i32,
        ply: usize,
        index: usize,
        reduction: i32,
    ) -> Result<i32, Stopped> {
        let _mark = self.task.underway.mark(self.board.key(), cell, depth);
        self.board.put(cell);
        self.task.table.prefetch(self.board.key());
        let score = self.child_value(window, depth, ply, index, reduction);
        self.board.take_back();
        score
    }

    fn child_value(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        index: usize,
        reduction: i32,
    ) -> Result<i32, Stopped> {
        if index > 0 {
            let scout = window.scout().turned();
            let mut score = -self.value(scout, depth - 1 - reduction, ply + 1)?;
            if score > window.alpha && reduction > 0 {
                score = -self.value(scout, depth - 1, ply + 1)?;
            }
            if score <= window.alpha || window.is_scout() {
                return Ok(score);
            }
        }
        Ok(-self.value(window.turned(), depth - 1, ply + 1)?)
    }

    /// The expected line of a ply begins with this move.
    pub(super) fn extend_line(&mut self, cell: Cell, ply: usize) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(cell);
        if let Some(rest) = after.first() {
            line.extend_from_slice(rest);
        }
    }

    /// Plies by which a late quiet move is looked at less deep.
    pub(super) fn reduction(&self, index: usize, cell: Cell, depth: i32, duty: Duty) -> i32 {
        let side = self.board.side();
        let attacks = |kind| self.board.set(side, kind).contains(cell);
        if index < UNREDUCED || depth < 3 || duty != Duty::None || attacks(Kind::Four) || attacks(Kind::Three) {
            return 0;
        }
        if index < TWICE_REDUCED || depth < 5 { 1 } else { 2 }
    }

    /// What needs no search: five now, two fives against us, or a straight four of ours.
    fn sure_in_sight(&mut self, ply: usize) -> Option<i32> {
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

    /// The value at the end of a line.
    fn at_rest(&mut self, duty: Duty, ply: usize) -> i32 {
        let win = Fours::new(&mut self.board, self.task, LEAF_FOURS).win();
        match win {
            Some(win) => WIN - ply as i32 - win.plies as i32,
            None if duty == Duty::None => self.evaluate(),
            // Who is attacked and cannot attack is behind, whatever the patterns say.
            None => self.evaluate().min(-THREATENED),
        }
    }
}

/// What an open three or a four of the other side costs at the end of a line.
const THREATENED: i32 = 150;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chuhe::smp::counters::NodeCounters;
    use chuhe::smp::stop::StopFlag;
    use chuhe::smp::table::Table;

    use super::*;
    use crate::board::Board;
    use crate::cell::read;
    use crate::rules::Winning;
    use crate::search::{Aim, Memory, Task, Underway};

    /// The value after these moves for a node below the root, one ply deep.
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
            underway: Underway::default(),
            depth: 1,
        };
        Worker::new(0, &task, &mut Memory::empty()).value(Window::FULL, 1, 1).unwrap()
    }

    #[test]
    fn only_what_every_reply_loses_is_lost() {
        // The other side threatens to win by continuous fours; what stops them seems to be worth less than 17 others.
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
