//! The engine between the protocols and the search: the game, the workers and the clock. Every question has one answer.

mod active;

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chuhe::smp::pool::Pool;
use chuhe::smp::shared::{NodeCounters, StopFlag};
use chuhe::smp::table::{Bound, Table};
use chuhe::smp::time::{AlarmId, Budget, Circumstances, Clock, Latency, Progress, TimeManager, Timekeeper};

use active::ActiveSearch;
pub use active::Answer;

use crate::board::Board;
use crate::cell::{CELLS, Cell, CellSet};
use crate::event::{Event, Iteration};
use crate::rules::Rules;
use crate::search::{Aim, CurrentMoves, MAX_DEPTH, SURE, Searcher, Task};

/// Overhead: time that a move may lose on the way to the manager, on a machine with some other load.
const OVERHEAD: Duration = Duration::from_millis(18);
/// Error if threads cannot be started.
const UNSTARTED: &str = "the threads cannot be started";

/// A request to search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Question {
    /// Root moves to choose from; empty means all.
    pub among: Vec<Cell>,
    /// Clock; without one, the search runs until it is stopped or everything is proven.
    pub clock: Option<Clock>,
    /// Whether the answer is suppressed.
    pub silent: bool,
    /// Depth limit, in plies.
    pub depth: Option<i32>,
}

/// Output of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The search is restricted to these moves.
    Searching(Vec<Cell>),
    /// A finished iteration.
    SearchInfo(SearchInfo),
    /// The answer.
    Answer(Answer),
}

/// A finished iteration, with the speed of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The iteration.
    pub found: Iteration,
    /// Nodes per second, all workers together.
    pub nodes_per_second: u64,
}

/// The engine.
pub struct Engine {
    pool: Pool<Searcher>,
    table: Arc<Table>,
    time: TimeManager,
    latency: Latency,
    board: Board,
    /// Number of leading stones that were set up together and have no order among themselves.
    setup: usize,
    rules: Rules,
    searches: u64,
    active: Option<ActiveSearch>,
}

impl Engine {
    /// Creates an engine with `threads` workers, which report to `events`, and a table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the table cannot be allocated or the threads cannot be started.
    pub fn new(threads: usize, mebibytes: usize, events: Sender<Event>) -> Result<Self> {
        let table = Arc::new(Table::new(mebibytes)?);
        let mut pool = Pool::new(events, Searcher::new);
        pool.resize(threads.max(1)).context(UNSTARTED)?;
        // Stopped workers report by themselves, so the alarm needs no handler.
        let time = TimeManager::spawn(|_| ()).context(UNSTARTED)?;
        let rules = Rules::default();
        let board = Board::new(rules.winning);
        let latency = Latency::default();
        Ok(Self { pool, table, time, latency, board, setup: 0, rules, searches: 0, active: None })
    }

    /// Rules of the game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Current position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether a search is under way.
    pub fn is_thinking(&self) -> bool {
        self.active.is_some()
    }

    /// Whether the current search will be answered.
    pub fn owes_an_answer(&self) -> bool {
        self.active.as_ref().is_some_and(|search| !search.silent)
    }

    /// Sets the rules; the stones stay on the board.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        let stones = self.board.moves().to_vec();
        let (setup, moves) = stones.split_at(self.setup);
        self.set_position(setup, moves);
    }

    /// Sets up a position: the unordered stones `setup`, then `moves`, black and white alternating.
    ///
    /// The cells must be distinct.
    pub fn set_position(&mut self, setup: &[Cell], moves: &[Cell]) {
        self.board = Board::setup(self.rules.winning, setup);
        self.setup = setup.len();
        moves.iter().for_each(|&cell| self.board.put(cell));
    }

    /// Plays a stone of the side to move if the cell is empty; returns whether it was.
    pub fn put(&mut self, cell: Cell) -> bool {
        let empty = self.board.stone(cell).is_none();
        if empty {
            self.board.put(cell);
        }
        empty
    }

    /// Takes back the last stone if it is on `cell`; returns whether it was.
    ///
    /// Among unordered stones, each stone of the side that moved last counts as the last.
    pub fn take_back(&mut self, cell: Cell) -> bool {
        let mut stones = self.board.moves().to_vec();
        let Some(last) = stones.len().checked_sub(1) else { return false };
        let Some(at) = stones.iter().position(|&stone| stone == cell) else { return false };
        let may_be_last = at == last || last < self.setup && at % 2 == last % 2;
        if may_be_last {
            stones.swap_remove(at);
            let (setup, moves) = stones.split_at(self.setup.min(last));
            self.set_position(setup, moves);
        }
        may_be_last
    }

    /// Clears the table and the memory of the workers for a new game. No search may be under way.
    pub fn forget(&mut self) {
        self.pool.forget();
        if let Some(table) = Arc::get_mut(&mut self.table) {
            table.clear(1);
        }
    }

    /// Starts a search. Replies that need no search are returned at once.
    pub fn ask(&mut self, question: &Question, now: Instant) -> Vec<Reply> {
        let moves = self.legal_moves(&question.among);
        if moves.is_empty() {
            return if question.silent { vec![] } else { vec![Reply::Answer(Answer::None)] };
        }
        let stones = self.board.moves().len();
        let named = !question.among.is_empty();
        let aim = match (self.rules.offers_two(stones), named) {
            (true, true) => Aim::Worst,
            (true, false) => Aim::BestTwo,
            (false, _) => Aim::Best,
        };
        self.searches += 1;
        self.table.advance_age();
        let budget = question.clock.map(|clock| self.budget(&clock));
        let task = Arc::new(Task {
            id: self.searches,
            board: self.board.clone(),
            root_moves: moves.clone(),
            looks_at_all: named,
            aim,
            in_game: question.clock.is_some(),
            table: Arc::clone(&self.table),
            stop: StopFlag::default(),
            counters: NodeCounters::new(self.pool.size()),
            current_moves: CurrentMoves::default(),
            depth: question.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
        });
        let due_at = budget.as_ref().map(|budget| now + budget.within_iteration());
        if let Some(due_at) = due_at {
            self.time.arm(AlarmId(task.id), &task.stop, due_at);
        }
        self.pool.start(&task);
        self.active = Some(ActiveSearch {
            asked_at: now,
            budget,
            due_at,
            last: None,
            outcomes: vec![None; self.pool.size()],
            searching: self.pool.size(),
            silent: question.silent,
            may_exchange: self.rules.exchange.is_due(stones) && !named,
            task,
        });
        if named { vec![Reply::Searching(moves)] } else { vec![] }
    }

    /// Ponders in silence on the position after these moves; the current position is unchanged.
    pub fn ponder(&mut self, moves: &[Cell], now: Instant) {
        let put = moves.iter().take_while(|&&cell| self.put(cell)).count();
        self.ask(&Question { silent: true, ..Question::default() }, now);
        (0..put).for_each(|_| self.board.take_back());
    }

    /// Stops the search, if there is one; its answer follows from a later event.
    pub fn stop(&mut self) {
        if let Some(search) = &self.active {
            search.task.stop.raise();
        }
    }

    /// Stops the search and suppresses its answer.
    pub fn stop_silently(&mut self) {
        if let Some(search) = &mut self.active {
            search.silent = true;
        }
        self.stop();
    }

    /// Processes an event of a worker; returns the replies.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Reply> {
        let Some(mut search) = self.active.take() else { return vec![] };
        match event {
            Event::Iteration(id, found) if id == search.task.id => {
                let thought = self.on_iteration(&mut search, found, now);
                self.active = Some(search);
                vec![Reply::SearchInfo(thought)]
            }
            Event::Finished { search: id, worker, last } if id == search.task.id => {
                let has_won = search.task.aim == Aim::Best && last.as_ref().is_some_and(|found| found.score >= SURE);
                if worker == 0 || has_won {
                    search.task.stop.raise();
                }
                search.outcomes[worker] = last;
                search.searching -= 1;
                if search.searching > 0 {
                    self.active = Some(search);
                    return vec![];
                }
                self.time.disarm();
                if let Some(due_at) = search.due_at {
                    self.latency.observe(now.saturating_duration_since(due_at));
                }
                if search.silent { vec![] } else { vec![Reply::Answer(search.answer())] }
            }
            _ => {
                self.active = Some(search);
                vec![]
            }
        }
    }

    /// Legal moves in `among`, or all legal moves if it is empty; none if the game is over.
    fn legal_moves(&mut self, among: &[Cell]) -> Vec<Cell> {
        if self.board.winner().is_some() {
            return vec![];
        }
        let side = self.board.side();
        let mut board = self.board.clone();
        let mut is_legal = |cell: &Cell| board.stone(*cell).is_none() && !board.is_banned(side, *cell);
        if among.is_empty() {
            return Cell::all().filter(is_legal).collect();
        }
        let mut named = CellSet::default();
        let mut is_new = |cell: &&Cell| {
            let new = !named.contains(**cell);
            named.set(**cell, true);
            new
        };
        among.iter().filter(|cell| is_new(cell)).copied().filter(|cell| is_legal(cell)).collect()
    }

    fn budget(&self, clock: &Clock) -> Budget {
        let stones = self.board.moves().len();
        let move_number = u16::try_from(stones.min(CELLS) / 2 + 1).unwrap_or(u16::MAX);
        let latency = self.latency.expected();
        Budget::new(clock, &Circumstances { overhead: OVERHEAD, latency, move_number, ..Circumstances::default() })
    }

    fn on_iteration(&self, search: &mut ActiveSearch, found: Iteration, now: Instant) -> SearchInfo {
        let elapsed = now.saturating_duration_since(search.asked_at);
        if let Some(budget) = &mut search.budget {
            let progress = Progress {
                best: found.line[0].word().get(),
                score: found.score,
                bound: Bound::Exact,
                best_permille: found.best_permille,
            };
            budget.revise(&progress);
            let due_at = budget.deadline(elapsed).map(|deadline| search.asked_at + deadline);
            match due_at {
                Some(due_at) => self.time.arm(AlarmId(search.task.id), &search.task.stop, due_at),
                None => search.task.stop.raise(),
            }
            search.due_at = due_at.or(search.due_at.map(|before| before.min(now)));
        }
        search.last = Some(found.clone());
        let nodes = u128::from(search.task.counters.total());
        let per_second = nodes * 1_000_000 / elapsed.as_micros().max(1);
        SearchInfo { found, nodes_per_second: u64::try_from(per_second).unwrap_or(u64::MAX) }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Stop the search before the workers are joined.
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use chuhe::smp::time::Horizon;

    use super::*;
    use crate::cell::read;
    use crate::rules::{Side, Winning};

    fn iteration(depth: i32, score: i32, cell: Cell) -> Iteration {
        Iteration { depth, score, line: vec![cell], second: None, best_permille: 1000, winning: vec![], losing: vec![] }
    }

    #[test]
    fn who_has_seen_farthest_decides_unless_another_one_has_won() {
        let (events, _queue) = channel();
        let mut engine = Engine::new(2, 1, events).unwrap();
        engine.ask(&Question::default(), Instant::now());
        let search = engine.active.as_mut().unwrap();
        let [here, there] = [Cell::CENTRE, Cell::CENTRE.step(0, 1).unwrap()];
        let mut answer = |outcomes: [Iteration; 2]| {
            search.outcomes = outcomes.map(Some).to_vec();
            search.last.clone_from(&search.outcomes[0]);
            search.answer()
        };
        let plays = |cell| Answer::Move { cell, expected: None };
        assert_eq!(answer([iteration(5, 90, here), iteration(6, 10, there)]), plays(there));
        assert_eq!(answer([iteration(6, 10, here), iteration(5, 90, there)]), plays(here));
        assert_eq!(answer([iteration(6, 10, here), iteration(5, SURE, there)]), plays(there));
        assert_eq!(answer([iteration(6, 10, here), iteration(6, 40, there)]), plays(there));
    }

    #[test]
    fn a_win_that_any_worker_has_found_ends_the_search() {
        let (events, queue) = channel();
        let mut engine = Engine::new(2, 1, events).unwrap();
        let begun = Instant::now();
        engine.ask(&Question::default(), begun);
        let says = |score| Event::Finished { search: 1, worker: 1, last: Some(iteration(5, score, Cell::CENTRE)) };
        let is_asked_to_stop =
            |engine: &Engine| engine.active.as_ref().is_some_and(|search| search.task.stop.is_raised());
        engine.active.as_mut().unwrap().searching += 1;
        engine.handle(says(SURE - 1), begun);
        assert!(!is_asked_to_stop(&engine));
        engine.active.as_mut().unwrap().searching += 1;
        engine.handle(says(SURE), begun);
        assert!(is_asked_to_stop(&engine));
        while engine.is_thinking() {
            engine.handle(queue.recv().unwrap(), begun);
        }
    }

    #[test]
    fn stones_given_together_have_no_order_when_they_are_taken_back_or_judged_anew() {
        let (events, _queue) = channel();
        let mut engine = Engine::new(1, 1, events).unwrap();
        let cells = |text: &str| read(text).unwrap();
        engine.set_position(&cells("74017503760577077809790B"), &cells("E1E3"));
        let takes_back = |engine: &mut Engine, text: &str| engine.take_back(cells(text)[0]);
        assert!(!takes_back(&mut engine, "E1"), "moves have an order");
        assert!(takes_back(&mut engine, "E3") && takes_back(&mut engine, "E1"));
        assert!(!takes_back(&mut engine, "74"), "a stone of white was the last");
        assert!(!takes_back(&mut engine, "E1"), "there is none");
        engine.set_rules(Rules { winning: Winning::Free, ..Rules::default() });
        assert_eq!(engine.board().winner(), Some(Side::Black));
        engine.set_rules(Rules::default());
        assert_eq!(engine.board().winner(), None, "six are not five");
        assert!(takes_back(&mut engine, "03") && takes_back(&mut engine, "79"));
        assert_eq!(engine.board().winner(), Some(Side::Black), "five are left");
        assert_eq!((engine.board().moves().len(), engine.board().side()), (10, Side::Black));
        assert!(cells("747576777801050709").iter().all(|&cell| engine.board().stone(cell).is_some()));
    }

    #[test]
    fn a_machine_that_is_late_twice_is_given_less_of_the_clock() {
        let (events, queue) = channel();
        let mut engine = Engine::new(1, 1, events).unwrap();
        let clock = Clock { remaining: Duration::from_millis(200), horizon: Horizon::ThisMove, opponent: None };
        let question = Question { clock: Some(clock), depth: Some(1), ..Question::default() };
        let quiet = engine.budget(&clock).within_iteration();
        for _ in 0..2 {
            let begun = Instant::now();
            engine.ask(&question, begun);
            while engine.is_thinking() {
                engine.handle(queue.recv().unwrap(), begun + Duration::from_millis(250));
            }
        }
        assert!(engine.budget(&clock).within_iteration() + Duration::from_millis(40) < quiet);
    }
}
