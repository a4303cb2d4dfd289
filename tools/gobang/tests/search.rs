//! Tests of the search through its public interface.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Instant;

use chuhe::smp::shared::{NodeCounters, StopFlag};
use chuhe::smp::table::Table;
use chuhe_gobang::board::Board;
use chuhe_gobang::cell::read;
use chuhe_gobang::engine::{Answer, Engine, Question, Reply};
use chuhe_gobang::event::{Event, Iteration};
use chuhe_gobang::rules::{Rules, Winning};
use chuhe_gobang::search::{Aim, CurrentMoves, SURE, Searcher, Task};

fn task(winning: Winning, moves: &str, depth: i32) -> Task {
    let mut board = Board::new(winning);
    read(moves).unwrap().into_iter().for_each(|cell| board.put(cell));
    Task {
        id: 1,
        root_moves: board.vicinity().iter().collect(),
        board,
        looks_at_all: false,
        aim: Aim::Best,
        in_game: false,
        table: Arc::new(Table::new(1).unwrap()),
        stop: StopFlag::default(),
        counters: NodeCounters::new(1),
        current_moves: CurrentMoves::default(),
        depth,
    }
}

fn search(task: &Task) -> Iteration {
    Searcher::new(0).search(task, &mut |_| ()).expect("worker 0 always finds something")
}

#[test]
fn an_open_three_is_stopped_or_answered_by_a_four() {
    for winning in [Winning::Forbidden, Winning::Free, Winning::Exact] {
        let found = search(&task(winning, "E176E5771C78", 4));
        assert!(read("7475797A").unwrap().contains(&found.line[0]), "{winning:?}: {found:?}");
    }
}

#[test]
fn whoever_can_make_five_does_though_the_other_side_could_too() {
    for in_game in [true, false] {
        // 78 makes five; 18 would stop the opponent's five.
        let found = search(&Task { in_game, ..task(Winning::Free, "74737514761577161317", 4) });
        assert_eq!(found.line[0], read("78").unwrap()[0], "{found:?}");
    }
}

#[test]
fn an_open_three_of_the_side_to_move_wins() {
    let found = search(&task(Winning::Free, "76E177E5781C", 4));
    assert!(found.score >= SURE && read("7579").unwrap().contains(&found.line[0]), "{found:?}");
    assert!(found.winning.contains(&found.line[0]));
}

#[test]
fn a_move_that_one_reply_refutes_is_not_called_winning_after_one_that_wins() {
    let task = |root: &str| {
        let root_moves = read(root).unwrap();
        Task { root_moves, looks_at_all: true, ..task(Winning::Exact, "3A69B455546699646C388C349A5A", 1) }
    };
    assert!(search(&task("98")).score < SURE, "its first reply loses, another one does not");
    assert_eq!(search(&task("989C")).winning, read("9C").unwrap());
}

#[test]
fn the_last_worker_looks_for_continuous_threes_while_the_others_go_on() {
    let wins = |number, workers| {
        let task = Task { counters: NodeCounters::new(workers), ..task(Winning::Free, "69664B555A783C2D6B", 4) };
        Searcher::new(number).search(&task, &mut |_| ()).is_some_and(|found| found.score >= SURE)
    };
    assert_eq!([wins(0, 1), wins(0, 2), wins(1, 2)], [true, false, true]);
}

#[test]
fn a_search_is_the_same_each_time() {
    let found = || search(&task(Winning::Forbidden, "786869877776", 6));
    assert_eq!(found(), found());
}

#[test]
fn a_search_that_is_stopped_at_once_has_looked_at_the_moves() {
    let task = Task { counters: NodeCounters::new(2), ..task(Winning::Forbidden, "7868", 60) };
    task.stop.raise();
    assert_eq!(search(&task).depth, 1);
    assert_eq!(Searcher::new(1).search(&task, &mut |_| ()), None, "helpers are not needed");
}

#[test]
fn the_worst_move_is_named_and_two_are_offered_that_no_symmetry_makes_one() {
    let root_moves = read("77017A").unwrap();
    let worst = Task { aim: Aim::Worst, looks_at_all: true, root_moves, ..task(Winning::Forbidden, "78687969", 3) };
    assert_eq!(search(&worst).line[0], "01".parse().unwrap());
    let two = Task { aim: Aim::BestTwo, ..task(Winning::Forbidden, "78", 3) };
    let found = search(&two);
    let second = found.second.expect("there are others");
    assert!(!two.board.same(found.line[0]).contains(second), "{found:?}");
}

/// Plays a game of the engine against itself at depth 2; returns the final position.
fn game(winning: Winning, threads: usize) -> Board {
    let (events, queue) = channel::<Event>();
    let mut engine = Engine::new(threads, 1, events).unwrap();
    engine.set_rules(Rules { winning, ..Rules::default() });
    loop {
        let question = Question { depth: Some(2), ..Question::default() };
        let mut replies = engine.ask(&question, Instant::now());
        while engine.is_thinking() {
            replies.extend(engine.handle(queue.recv().unwrap(), Instant::now()));
        }
        match replies.pop() {
            Some(Reply::Answer(Answer::Move { cell, .. })) => {
                let mut board = engine.board().clone();
                let side = board.side();
                assert!(board.stone(cell).is_none() && !board.is_banned(side, cell), "{:?} {cell}", board.moves());
                assert!(engine.put(cell));
            }
            Some(Reply::Answer(Answer::None)) => return engine.board().clone(),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn games_end_without_an_illegal_move() {
    for winning in [Winning::Forbidden, Winning::Free, Winning::Exact] {
        let board = game(winning, 2);
        assert!(board.winner().is_some() || board.moves().len() > 200, "{:?}", board.moves());
    }
}
