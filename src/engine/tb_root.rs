//! Root moves that endgame tablebases leave to choose from.

use crate::board::{Move, Position};
use crate::endgame::{Outcome, Tables};
use crate::rules::{Rules, judge, plies_left};

/// Moves for a search to choose from, and the tablebase hits on the way to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RootChoice {
    pub(super) moves: Vec<Move>,
    pub(super) hits: u64,
    /// Outcome of all these moves for the side to move, if it is known.
    pub(super) outcome: Option<Outcome>,
}

impl RootChoice {
    /// Keeps all moves without any probe.
    pub(super) fn all(moves: Vec<Move>) -> Self {
        Self { moves, hits: 0, outcome: None }
    }
}

/// Tablebase result of a move.
struct ProbedMove {
    mv: Move,
    /// Outcome for the side that plays it.
    outcome: Option<Outcome>,
    /// For a win, plies to the end of the game or the next capture, this move included; none if unknown.
    plies: Option<u16>,
    /// Whether the win is in time: the move limit is not known to come before that, nor before the next such turn if this move
    /// itself captures, and the move does not draw the game by repetition.
    is_fit: bool,
}

impl ProbedMove {
    /// Returns the plies that the win takes; an unknown number counts as infinite.
    fn length(&self) -> u16 {
        self.plies.unwrap_or(u16::MAX)
    }
}

/// Returns the best of `moves`, which may be played at the end of `history`.
///
/// These are the wins that are soonest; if none wins before the move limit, those that are not known to lose; if all do, all. A
/// mate exactly at the limit is a draw under some rules.
///
/// The distance falls with every ply of such a win, so no position of it repeats, save those from before the first probe.
/// Checks that a rule set does not count only leave more room below the limit.
pub(super) fn keep_best(tables: &Tables, history: &[Position], moves: Vec<Move>, rules: &Rules) -> RootChoice {
    let Some(position) = history.last().filter(|_| !tables.is_empty()) else { return RootChoice::all(moves) };
    let probed: Vec<ProbedMove> = moves.iter().map(|&mv| probe_move(tables, history, position, mv, rules)).collect();
    let hits = probed.iter().filter(|probed| probed.outcome.is_some()).count() as u64;
    let wins = |probed: &&ProbedMove| probed.outcome == Some(Outcome::Win) && probed.is_fit;
    if let Some(soonest) = probed.iter().filter(wins).map(ProbedMove::length).min() {
        let soonest: Vec<&ProbedMove> =
            probed.iter().filter(wins).filter(|probed| probed.length() == soonest).collect();
        let outcome = soonest[0].plies.map(|_| Outcome::Win);
        return RootChoice { moves: soonest.iter().map(|probed| probed.mv).collect(), hits, outcome };
    }
    let holding: Vec<&ProbedMove> = probed.iter().filter(|probed| probed.outcome != Some(Outcome::Loss)).collect();
    if holding.is_empty() {
        let outcome =
            tables.outcome_within(position, plies_left(history, rules)).filter(|&outcome| outcome == Outcome::Loss);
        return RootChoice { moves, hits, outcome };
    }
    let is_drawn = holding.iter().all(|probed| probed.outcome == Some(Outcome::Draw));
    let moves = holding.iter().map(|probed| probed.mv).collect();
    RootChoice { moves, hits, outcome: is_drawn.then_some(Outcome::Draw) }
}

fn probe_move(tables: &Tables, history: &[Position], position: &Position, mv: Move, rules: &Rules) -> ProbedMove {
    let next = position.play(mv);
    let outcome = tables.outcome(&next).map(Outcome::swapped);
    if outcome != Some(Outcome::Win) {
        return ProbedMove { mv, outcome, plies: None, is_fit: false };
    }
    // A capture resets the count.
    let line = [history, &[next]].concat();
    let (beyond, left) = (tables.distance(&next), plies_left(&line, rules));
    let plies = if position.is_capture(mv) { Some(0) } else { beyond };
    let in_time = beyond.zip(left).is_none_or(|(plies, left)| plies < left);
    ProbedMove {
        mv,
        outcome,
        plies: plies.map(|plies| plies.saturating_add(1)),
        is_fit: in_time && !is_drawn_by_repetition(&line, rules),
    }
}

fn is_drawn_by_repetition(line: &[Position], rules: &Rules) -> bool {
    let Some((last, earlier)) = line.split_last() else { return false };
    earlier.iter().any(|position| position.key() == last.key())
        && judge(line, rules).is_some_and(|verdict| verdict.loser.is_none())
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::board::Side;
    use crate::endgame::{DISTANCES_EXTENSION, Index, RESULTS_EXTENSION, write_distances, write_results};
    use crate::rules::RuleSet;

    /// Invented tables of rook against king: Black to move loses where the rook stands on rank 5, soonest in the middle, and
    /// wins where it stands on rank 6.
    fn tables() -> Tables {
        tables_with_losses_from(2)
    }

    /// Returns these tables with another shortest loss.
    fn tables_with_losses_from(shortest: u16) -> Tables {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::new("KR-K".parse().unwrap()).unwrap();
        let file = |ending: &str| File::create(folder.path().join("KR-K").with_extension(ending)).unwrap();
        let rook = |number| index.placement(number).attackers[0];
        let outcome = |mover, number| match (mover, rook(number).rank()) {
            (Side::Black, 5) => Outcome::Loss,
            (Side::Black, 6) => Outcome::Win,
            _ => Outcome::Draw,
        };
        let plies = |_, number| shortest + 2 * rook(number).file().abs_diff(4) as u16;
        write_results(&mut file(RESULTS_EXTENSION), &index, |mover, number| Some(outcome(mover, number))).unwrap();
        write_distances(&mut file(DISTANCES_EXTENSION), &index, plies).unwrap();
        let mut tables = Tables::empty();
        assert!(tables.add_folder(folder.path()).is_empty());
        tables
    }

    fn kept(fen: &str, moves: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let moves: Vec<Move> = moves.split(' ').map(|text| text.parse().unwrap()).collect();
        named(&keep_best(&tables(), &[position], moves, &RuleSet::Asian.rules()))
    }

    fn named(kept: &RootChoice) -> String {
        assert!(kept.hits > 0);
        kept.moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }

    const ROOK_ON_A5: &str = "5k3/9/9/9/R8/9/9/9/9/3K5 w - - 0 1";

    #[test]
    fn of_wins_the_soonest_are_kept_and_of_the_rest_what_does_not_lose() {
        assert_eq!(kept(ROOK_ON_A5, "a5a4 a5e5 a5d5 a5a6"), "a5e5");
        assert_eq!(kept(ROOK_ON_A5, "a5d5 a5a6 a5a4 a5c5"), "a5d5");
        assert_eq!(kept(ROOK_ON_A5, "a5a4 a5a6 a5a3"), "a5a4 a5a3");
        assert_eq!(kept(ROOK_ON_A5, "a5a6"), "a5a6", "something has to be played");
    }

    #[test]
    fn a_win_that_comes_too_late_is_none() {
        // The third ply ends it, and the limit is 120.
        let at = |count: u16| ROOK_ON_A5.replace("- 0", &format!("- {count}"));
        assert_eq!(kept(&at(116), "a5a4 a5e5 a5a6"), "a5e5");
        assert_eq!(kept(&at(117), "a5a4 a5e5 a5a6"), "a5a4 a5e5");
    }

    #[test]
    fn of_wins_beyond_a_byte_of_plies_the_soonest_is_kept_too_where_the_limit_allows_them() {
        let position = Position::from_fen(ROOK_ON_A5).unwrap();
        let moves: Vec<Move> = ["a5a4", "a5c5", "a5e5", "a5d5"].map(|text| text.parse().unwrap()).to_vec();
        let kept = |rules: &Rules| named(&keep_best(&tables_with_losses_from(376), &[position], moves.clone(), rules));
        let rules = RuleSet::Asian.rules();
        assert_eq!(kept(&rules), "a5a4 a5c5 a5e5 a5d5", "none of them wins in time, and none loses");
        assert_eq!(kept(&rules.without_limit()), "a5e5");
        // The win by a5e5 takes 377 plies, that by a5d5 two more.
        assert_eq!(kept(&rules.with_limit(378)), "a5e5");
        assert_eq!(kept(&rules.with_limit(376)), "a5a4 a5c5 a5e5 a5d5");
    }

    #[test]
    fn a_win_that_repeats_the_position_for_the_last_time_is_none() {
        let mut history = vec![Position::from_fen(ROOK_ON_A5).unwrap()];
        let mut play = |moves: &str| {
            for mv in moves.split(' ') {
                history.push(history.last().unwrap().play(mv.parse().unwrap()));
            }
            let moves = ["a4a5", "a4e4"].map(|text| text.parse().unwrap()).to_vec();
            named(&keep_best(&tables(), &history, moves, &RuleSet::League.rules()))
        };
        // The position with the rook on rank 5 and Black to move, which is there already, occurs for the second, third and
        // fourth time.
        assert_eq!(play("a5a4 f9f8"), "a4a5");
        assert_eq!(play("a4a5 f8f9 a5a4 f9f8"), "a4a5");
        assert_eq!(play("a4a5 f8f9 a5a4 f9f8"), "a4a5");
        assert_eq!(play("a4a5 f8f9 a5a4 f9f8"), "a4a5 a4e4");
    }

    #[test]
    fn a_table_without_distances_lets_captures_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut tables = Tables::empty();
        for material in ["KR-KA", "KR-K"] {
            let index = Index::new(material.parse().unwrap()).unwrap();
            let mut file = File::create(folder.path().join(material).with_extension(RESULTS_EXTENSION)).unwrap();
            let outcome = |mover, _| Some(if mover == Side::Black { Outcome::Loss } else { Outcome::Win });
            write_results(&mut file, &index, outcome).unwrap();
        }
        assert!(tables.add_folder(folder.path()).is_empty());
        let position = Position::from_fen("5k3/R3a4/9/9/9/9/9/9/9/3K5 w").unwrap();
        let moves = ["a8a7", "a8e8", "a8b8"].map(|text| text.parse().unwrap()).to_vec();
        assert_eq!(named(&keep_best(&tables, &[position], moves, &RuleSet::Asian.rules())), "a8e8");
    }

    #[test]
    fn without_tables_everything_is_kept() {
        let position = Position::start();
        let moves = position.legal_moves().to_vec();
        let kept = keep_best(&Tables::empty(), &[position], moves.clone(), &RuleSet::League.rules());
        assert_eq!(kept, RootChoice::all(moves));
    }
}
