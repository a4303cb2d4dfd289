//! Loops in random games: the search scores a repetition as the referee judges the game.
#![cfg(feature = "engine")]

use std::sync::Arc;

use chuhe::board::{Move, Position, Side};
use chuhe::rules::{Recurrence, RuleSet, Rules, judge, recurrence};
use chuhe::score::Score;
use chuhe::search::{Limits, Outcome, Plan, Pruning, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use chuhe::splitmix::SplitMix64;

/// Number of random games in which wins are looked for.
const GAMES: usize = 3_400;
/// Most moves of the winner that are searched to prove a win; a win that needs more is skipped.
const MOST_MOVES: usize = 100;

/// Returns the positions in which loops are known to exist.
fn starts() -> Vec<Position> {
    let mut fens: Vec<&str> = include_str!("data/repetition.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split('\t').next())
        .collect();
    fens.sort_unstable();
    fens.dedup();
    fens.into_iter().map(|fen| Position::from_fen(fen).unwrap()).collect()
}

/// Returns the quiet moves of the last position of `line`. Those that check or return to a position of the line are
/// listed several times.
fn inviting_moves(line: &[Position]) -> Vec<Move> {
    let last = &line[line.len() - 1];
    let returns = |mv| line.iter().any(|earlier| earlier.key() == last.key_after(mv));
    let quiet = last.legal_moves().into_iter().filter(|&mv| !last.is_capture(mv));
    quiet
        .flat_map(|mv| [mv].repeat(1 + 12 * usize::from(returns(mv)) + 3 * usize::from(last.gives_check(mv))))
        .collect()
}

/// Plays random games without captures, which prefer to repeat and to check, and passes each to `look` after every move.
fn wander(seed: u64, games: usize, plies: usize, mut look: impl FnMut(&[Position], &mut SplitMix64)) {
    let starts = starts();
    let mut random = SplitMix64::new(seed);
    for _ in 0..games {
        let mut line = vec![random.pick(&starts)];
        for _ in 0..plies {
            let moves = inviting_moves(&line);
            if moves.is_empty() {
                break;
            }
            line.push(line[line.len() - 1].play(random.pick(&moves)));
            look(&line, &mut random);
        }
    }
}

/// Returns the loser if the moves since the previous occurrence of the last position are repeated until the referee ends
/// the game.
fn played_on(line: &[Position], rules: &Rules) -> Option<Side> {
    let mut line = line.to_vec();
    let key = line[line.len() - 1].key();
    let before = line[..line.len() - 1].iter().rposition(|earlier| earlier.key() == key).unwrap();
    for index in before.. {
        let (last, next) = (line[line.len() - 1], line[index + 1].key());
        let mv = last.legal_moves().into_iter().find(|&mv| last.key_after(mv) == next).unwrap();
        line.push(last.play(mv));
        if let Some(verdict) = judge(&line, rules) {
            return verdict.loser;
        }
    }
    unreachable!("a loop comes to an end")
}

#[test]
fn what_a_loop_leads_to_is_what_the_referee_says_at_its_end() {
    let (mut over, mut open, mut leads, mut lost) = (0, 0, 0, 0);
    let games = if cfg!(miri) { 1 } else { 3_000 };
    wander(1, games, 40, |line, random| {
        let last = line.len() - 1;
        let root = random.below(line.len());
        let plies = usize::from(line[last].reversible_plies());
        let earlier = line[..last].iter().filter(|earlier| earlier.key() == line[last].key()).count();
        for set in RuleSet::ALL {
            let rules = set.rules();
            let mut searched = line.to_vec();
            let found = recurrence(&mut searched, root, plies, &rules);
            assert!(searched == line, "the line is left alone");
            let shown = || {
                format!("{set:?}, root {root}: {}", line.iter().map(Position::to_fen).collect::<Vec<_>>().join("\n"))
            };
            match found {
                Recurrence::First => assert_eq!(earlier, 0, "{}", shown()),
                Recurrence::Over(judged) => {
                    assert!(earlier + 1 >= rules.occurrences(), "{}", shown());
                    let verdict = judge(line, &rules).unwrap_or_else(|| panic!("{}", shown()));
                    let limited = matches!(verdict.ending, chuhe::rules::Ending::MoveLimit);
                    assert!(limited || verdict.loser == judged.loser(), "{}", shown());
                    over += 1;
                }
                Recurrence::Open => {
                    assert!(earlier > 0 && earlier + 1 < rules.occurrences(), "{}", shown());
                    open += 1;
                }
                Recurrence::Leads(loser) => {
                    assert!(earlier > 0 && earlier + 1 < rules.occurrences(), "{}", shown());
                    assert_eq!(loser, played_on(line, &rules), "{}", shown());
                    leads += 1;
                    lost += usize::from(loser.is_some());
                }
            }
        }
    });
    println!("{over} over, {open} open, {leads} lead to an end, {lost} to a loss");
    assert!(cfg!(miri) || over > 3_000 && open > 3_000 && leads > 3_000 && lost > 300);
}

/// A worker and the table for its searches.
struct TestWorker {
    searcher: Searcher,
    table: Arc<Table>,
    plan: Plan,
}

impl TestWorker {
    fn new(plan: Plan) -> Self {
        Self { searcher: Searcher::new(0), table: Arc::new(Table::new(1).unwrap()), plan }
    }

    fn think(&mut self, history: &[Position], root_moves: Vec<Move>, depth: u32, rules: Rules) -> Outcome {
        let context = SearchContext {
            limits: Limits { depth: Some(depth), ..Limits::default() },
            root_moves,
            rules,
            plan: self.plan.clone(),
            ..SearchContext::new(Arc::clone(&self.table), history.to_vec())
        };
        self.searcher.think(&context, &mut Silent)
    }
}

/// Returns the score of a game that ends after one move, from its mover's view.
fn value(loser: Option<Side>, mover: Side) -> Score {
    match loser {
        None => Score::DRAW,
        Some(loser) if loser == mover => Score::banned_in(1),
        Some(_) => -Score::banned_in(1),
    }
}

#[test]
fn a_move_that_repeats_a_position_of_the_game_is_worth_what_the_referee_says() {
    let mut worker = TestWorker::new(Plan { uses_table: false, ..Plan::default() });
    let mut judged = [0; 3];
    wander(2, 1_500, 40, |line, _| {
        let (last, before) = line.split_last().unwrap();
        let root = &before[before.len() - 1];
        if !before.iter().any(|earlier| earlier.key() == last.key()) {
            return;
        }
        let mv = root.legal_moves().into_iter().find(|&mv| root.key_after(mv) == last.key()).unwrap();
        for set in RuleSet::ALL {
            let score = worker.think(before, vec![mv], 1, set.rules()).score;
            let shown = || format!("{set:?}: {}", line.iter().map(Position::to_fen).collect::<Vec<_>>().join("\n"));
            match judge(line, &set.rules()) {
                Some(verdict) => {
                    assert_eq!(score, value(verdict.loser, root.side()), "{}", shown());
                    let index = verdict.loser.map_or(0, |loser| 1 + usize::from(loser == root.side()));
                    judged[index] += 1;
                }
                None => assert_ne!(score.plies_to_end(), Some(1), "{score:?} {}", shown()),
            }
        }
    });
    assert!(judged.iter().all(|&count| count > 100), "draws, wins, losses: {judged:?}");
}

/// Reason why an announced win has not been proven.
enum Doubt {
    /// A game that was not won.
    Fallen(Vec<Position>),
    /// The proof needs more moves than [`MOST_MOVES`].
    TooMuch,
}

/// A win to be proven against every reply.
struct Proof<'a> {
    worker: &'a mut TestWorker,
    winner: Side,
    depth: u32,
    rules: Rules,
    /// Number of the winner's moves that may still be searched.
    moves_left: usize,
    /// Maximum length of a game, in positions.
    longest: usize,
}

impl Proof<'_> {
    /// Searches again for the winner after each reply; every line must end in the announced win.
    fn holds(&mut self, line: &mut Vec<Position>) -> Result<(), Doubt> {
        let last = line[line.len() - 1];
        let mut moves = last.legal_moves().to_vec();
        if last.side() == self.winner {
            self.moves_left = self.moves_left.checked_sub(1).ok_or(Doubt::TooMuch)?;
            moves = vec![self.worker.think(line, moves, self.depth, self.rules).pv[0]];
        }
        for mv in moves {
            line.push(last.play(mv));
            match judge(line, &self.rules) {
                Some(verdict) if verdict.loser == Some(!self.winner) => {}
                None if line.len() < self.longest => self.holds(line)?,
                _ => return Err(Doubt::Fallen(line.clone())),
            }
            line.pop();
        }
        Ok(())
    }
}

#[test]
fn an_announced_win_holds_whatever_is_answered() {
    let (mut mates, mut bans, mut too_much) = (0, 0, 0);
    for (seed, depth, pruning) in [(3, 3, Pruning::None), (4, 5, Pruning::Large)] {
        let mut worker = TestWorker::new(Plan { pruning, ..Plan::default() });
        wander(seed, GAMES, 24, |line, random| {
            let set = RuleSet::ALL[random.below(RuleSet::ALL.len())];
            let (last, before) = line.split_last().unwrap();
            let rules = set.rules();
            let seen_before = before.iter().any(|earlier| earlier.key() == last.key());
            if !seen_before || random.below(2) > 0 || judge(line, &rules).is_some() {
                return;
            }
            worker.searcher.new_game();
            worker.table = Arc::new(Table::new(1).unwrap());
            let score = worker.think(line, last.legal_moves().to_vec(), depth, rules).score;
            if score < Score::DRAW || !score.is_decisive() {
                return;
            }
            let mut proof = Proof {
                worker: &mut worker,
                winner: last.side(),
                depth,
                rules,
                moves_left: MOST_MOVES,
                longest: line.len() + 40,
            };
            match proof.holds(&mut line.to_vec()) {
                Ok(()) => {
                    mates += usize::from(score.is_mate());
                    bans += usize::from(score.is_ban());
                }
                Err(Doubt::TooMuch) => too_much += 1,
                Err(Doubt::Fallen(game)) => {
                    let game = game.iter().map(Position::to_fen).collect::<Vec<_>>().join("\n");
                    panic!("{set:?} {pruning:?} {score:?} after {} positions: {game}", line.len());
                }
            }
        });
    }
    println!("{mates} mates, {bans} bans, {too_much} with too many replies");
    assert!(mates > 100 && bans > 30, "{mates} mates, {bans} bans");
}
