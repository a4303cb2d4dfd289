//! Moves of a game with the verdicts of the referee, independent of engines and clocks.

use chuhe::board::{Move, Position};
use chuhe::referee::explain;
use chuhe::rules::{self, Rules, Verdict, judge};

use super::setup::Perpetual;

/// A game from the start of its opening.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Positions from the start on; never empty.
    positions: Vec<Position>,
    moves: Vec<Move>,
    rules: Rules,
    perpetual: Perpetual,
}

impl Line {
    pub(crate) fn new(start: Position, rules: Rules, perpetual: Perpetual) -> Self {
        Self { positions: vec![start], moves: Vec::new(), rules, perpetual }
    }

    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    pub(crate) fn position(&self) -> &Position {
        self.positions.last().expect("never empty")
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, mv: Move) {
        self.positions.push(self.position().play(mv));
        self.moves.push(mv);
    }

    /// Returns the verdict if the game is over.
    ///
    /// Where losing loops are banned, the game goes on while the side to blame can leave the loop.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let verdict = judge(&self.positions, &self.rules)?;
        let can_leave = || {
            self.perpetual == Perpetual::Ban
                && matches!(verdict.ending, rules::Ending::Repetition(_))
                && verdict.loser == Some(self.position().side())
                && self.losing_loops().len() < self.position().legal_moves().len()
        };
        if can_leave() { None } else { Some(verdict) }
    }

    /// Explains a verdict on this game in one line.
    pub(crate) fn explain(&self, verdict: &Verdict) -> String {
        explain(&self.positions, &self.moves, verdict)
    }

    /// Returns the banned moves; empty if that would leave no legal move.
    pub(crate) fn banned(&self) -> Vec<Move> {
        match self.perpetual {
            Perpetual::Lose => Vec::new(),
            Perpetual::Ban => {
                let losing = self.losing_loops();
                if losing.len() < self.position().legal_moves().len() { losing } else { Vec::new() }
            }
        }
    }

    /// Explains the verdict that this legal move would have led to.
    pub(crate) fn explain_ban(&self, mv: Move) -> String {
        let mut line = self.clone();
        line.play(mv);
        judge(&line.positions, &self.banning()).map_or_else(String::new, |verdict| line.explain(&verdict))
    }

    /// Returns the rules with the repetition count at which losing loops are banned.
    fn banning(&self) -> Rules {
        self.rules.judging_at(self.rules.banned_occurrence())
    }

    /// Returns the moves that would lose by repetition.
    fn losing_loops(&self) -> Vec<Move> {
        let last = self.position();
        let rules = self.banning();
        let needed = rules.occurrences() - 1;
        let stood = |mv: Move| {
            let key = last.key_after(mv);
            self.positions.iter().filter(|position| position.key() == key).count()
        };
        let loses = |mv: Move| {
            let line = [&self.positions[..], &[last.play(mv)]].concat();
            judge(&line, &rules).is_some_and(|verdict| {
                matches!(verdict.ending, rules::Ending::Repetition(_)) && verdict.loser == Some(last.side())
            })
        };
        last.legal_moves().into_iter().filter(|&mv| !last.is_capture(mv) && stood(mv) >= needed && loses(mv)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::board::Side;
    use chuhe::rules::RuleSet;

    /// Red gives perpetual check with `f0e0`, `e0f0`.
    const CHECKS: &str = "4k4/9/9/9/9/9/9/9/9/3K1R3 w";
    const ROUND: &str = "f0e0 e9f9 e0f0 f9e9 ";

    fn line(fen: &str, moves: &str, perpetual: Perpetual) -> Line {
        let mut line = Line::new(Position::from_fen(fen).unwrap(), RuleSet::Asian.rules(), perpetual);
        for mv in moves.split_whitespace() {
            line.play(mv.parse().unwrap());
        }
        line
    }

    #[test]
    fn a_losing_loop_loses_and_says_why() {
        let line = line(CHECKS, &ROUND.repeat(2), Perpetual::Lose);
        let verdict = line.verdict().unwrap();
        assert_eq!(verdict.loser, Some(Side::Red));
        assert!(line.explain(&verdict).starts_with("red loses: perpetual check; loop F0-E0 E9-F9"));
        assert!(line.banned().is_empty());
    }

    #[test]
    fn where_loops_are_banned_their_author_has_to_leave() {
        let once = line(CHECKS, ROUND, Perpetual::Ban);
        assert!(once.verdict().is_none() && once.banned().is_empty());
        let twice = line(CHECKS, &ROUND.repeat(2), Perpetual::Ban);
        assert_eq!(twice.verdict(), None, "red is to move and can do otherwise");
        assert_eq!(twice.banned(), ["f0e0".parse().unwrap()]);
        assert!(twice.explain_ban("f0e0".parse().unwrap()).starts_with("red loses: perpetual check"));
    }

    #[test]
    fn the_league_bans_a_round_before_it_judges() {
        let mut league = Line::new(Position::from_fen(CHECKS).unwrap(), RuleSet::League.rules(), Perpetual::Ban);
        let mut banned = Vec::new();
        for _ in 0..2 {
            banned.push(league.banned().len());
            ROUND.split_whitespace().for_each(|mv| league.play(mv.parse().unwrap()));
        }
        assert_eq!(banned, [0, 0]);
        let check = "f0e0".parse().unwrap();
        assert_eq!(league.banned(), [check], "the position after it has stood twice");
        assert!(league.explain_ban(check).starts_with("red loses: perpetual check"));
    }

    #[test]
    fn who_has_no_other_move_loses_by_it() {
        let forced = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
        let line = line(forced, &"f0e0 e8f8 e0f0 f8e8 ".repeat(2), Perpetual::Ban);
        assert_eq!(line.verdict().unwrap().loser, Some(Side::Red));
        assert!(line.banned().is_empty());
    }

    #[test]
    fn idle_loops_are_drawn_in_either_mode() {
        let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(2);
        for perpetual in [Perpetual::Lose, Perpetual::Ban] {
            assert_eq!(line(chuhe::board::START_FEN, &moves, perpetual).verdict().unwrap().loser, None);
        }
    }
}
