//! Proven mates hold against every reply, and are announced again on the way.

use super::{Answer, Attack, Problem};
use crate::board::{Move, Position};
use crate::rules::RuleSet;
use crate::search::worker::Worker;
use crate::search::{SearchContext, Searcher};
use crate::smp::shared::Stopped;

/// Returns every `step`th position of the suite.
fn suite(step: usize) -> impl Iterator<Item = Position> {
    let lines = include_str!("../../../tests/data/mates.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.step_by(step).map(|line| Position::from_fen(line.split('\t').next().unwrap()).unwrap())
}

fn context(history: Vec<Position>) -> SearchContext {
    SearchContext::of_game(history, RuleSet::Asian.rules())
}

fn search(worker: &mut Worker, nodes: u64) -> Result<Answer, Stopped> {
    let problem = Problem { stack: worker.stack, moves: &worker.root, rules: worker.rules };
    worker.mates.search(problem, &mut worker.thread, nodes, Attack::Threats)
}

fn continued(worker: &Worker) -> Option<Vec<Move>> {
    worker.mates.continued_mate(Problem { stack: worker.stack, moves: &worker.root, rules: worker.rules })
}

fn mate(worker: &mut Worker) -> Option<Vec<Move>> {
    match search(worker, 100_000) {
        Ok(Answer::Mate(line)) => Some(line),
        _ => None,
    }
}

/// Follows the solution of a solver after every reply, and returns the number of its positions.
fn follow(searcher: &Searcher, root: Position) -> usize {
    let solution = &searcher.mates.solution;
    let (mut to_do, mut done) = (vec![root], std::collections::HashSet::new());
    while let Some(position) = to_do.pop() {
        if !done.insert(position.key()) {
            continue;
        }
        let distance = solution.plies(position.key()).expect("it belongs to the solution");
        let nearer: Vec<Position> = position
            .legal_moves()
            .iter()
            .map(|&mv| position.play(mv))
            .filter(|next| solution.plies(next.key()).is_some_and(|there| there < distance))
            .collect();
        let needed = if distance % 2 == 1 { 1 } else { position.legal_moves().len() };
        assert!(nearer.len() >= needed, "{distance} plies from the mate in {}", position.to_fen());
        assert_eq!(position.has_legal_move(), distance > 0, "{}", position.to_fen());
        to_do.extend(nearer);
    }
    done.len()
}

#[test]
#[cfg_attr(miri, ignore = "searches")]
fn every_reply_leads_nearer_to_the_mate() {
    let mut positions = 0;
    for position in suite(if cfg!(debug_assertions) { 12 } else { 3 }) {
        let (context, mut searcher) = (context(vec![position]), Searcher::new(0));
        if let Some(line) = mate(&mut searcher.begin(&context)) {
            assert_eq!(searcher.mates.solution.plies(position.key()).map(usize::from), Some(line.len()));
            positions += follow(&searcher, position);
        }
    }
    assert!(positions > 1_000, "{positions}");
}

#[test]
#[cfg_attr(miri, ignore = "searches")]
fn an_announced_mate_continues_without_another_search() {
    let mut reported = 0;
    for position in suite(20) {
        let (first, mut searcher) = (context(vec![position]), Searcher::new(0));
        let Some(line) = mate(&mut searcher.begin(&first)).filter(|line| line.len() > 2) else { continue };
        let after = position.play(line[0]);
        for reply in after.legal_moves() {
            let next = context(vec![position, after, after.play(reply)]);
            let worker = searcher.begin(&next);
            let rest = continued(&worker).expect("the rest of it");
            assert!(rest.len() <= line.len() - 2, "{} plies of {}", rest.len(), line.len());
            reported += 1;
        }
        // If the mating move may not be played, it is not announced, and neither is it in a new game.
        let second = SearchContext { root_moves: vec![position.legal_moves()[0]], ..context(vec![position]) };
        let worker = searcher.begin(&second);
        let now = continued(&worker);
        assert!(now.is_none_or(|now| now[0] == second.root_moves[0]));
        searcher.new_game();
        let worker = searcher.begin(&first);
        assert_eq!(continued(&worker), None);
    }
    assert!(reported > 10, "{reported}");
}

#[test]
fn a_solver_stops_at_the_flag_and_at_its_nodes() {
    let position = Position::from_fen("3a3R1/R3a1C2/b3Nk1Pb/8n/2c2C1PP/2Bp2Bp1/6p2/2PA5/4N4/3K1c3 w").unwrap();
    let (context, mut searcher) = (context(vec![position]), Searcher::new(0));
    let mut worker = searcher.begin(&context);
    assert_eq!(search(&mut worker, 50), Ok(Answer::Unknown));
    assert!(worker.thread.nodes <= 51, "{}", worker.thread.nodes);
    context.stop.raise();
    worker.thread.allow_stop();
    assert_eq!(search(&mut worker, 1_000_000), Err(Stopped));
    assert!(worker.thread.nodes <= 52, "{}", worker.thread.nodes);
}

#[test]
fn a_side_without_attackers_does_not_mate() {
    let bare = Position::from_fen("3k5/4a4/9/9/9/9/9/9/4A4/4KA3 w").unwrap();
    let (context, mut searcher) = (context(vec![bare]), Searcher::new(0));
    assert_eq!(search(&mut searcher.begin(&context), 100_000), Ok(Answer::NoMate));
}
