//! Depth-first proof-number search (df-pn; Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications",
//! 2002): by checks alone, and beside that by quiet moves that threaten to mate by checks.
//!
//! A repeated position never belongs to a mate, whichever side repeats it: so no mate found here is a perpetual
//! check, and a proof holds in any order of moves. Of the positions of the game, only those are avoided that the
//! rules would judge at their next occurrence. A failure caused by a repetition may succeed on another path
//! (Kishimoto and Mueller, "A General Solution to the Graph History Interaction Problem", 2004), so it is not stored
//! as a failure.

use super::pn_table::{PnTable, Stored};
use super::proof::{Child, NO_DEPENDENCY, PnResult, ProofNumbers, combine, select, weak_effort};
use super::stage::Attack;
use crate::board::{Key, Kind, Move, Position};
use crate::rules::Rules;
use crate::score::MAX_PLY;
use crate::search::root_moves::RootMoves;
use crate::search::stack::Stack;
use crate::search::thread::ThreadContext;
use crate::splitmix::mix;

/// Maximum nodes for seeing a threat, per unit of its effort.
const THREAT_NODES: u64 = 160;
/// Initial effort of a quiet move of which nothing is known.
const QUIET_EFFORT: u32 = 2;
/// Replies that add one to the initial effort of a quiet move; most of them do not parry the threat.
const REPLIES_PER_EFFORT: u32 = 8;
/// Key salt: results with quiet moves are kept apart from those with checks alone.
const WITH_THREATS: u64 = 0x7472 << 32;

/// Mate problem: the position at the end of a path, whose side to move looks for a mate.
#[derive(Clone, Copy)]
pub(in crate::search) struct Problem<'a> {
    pub(in crate::search) stack: &'a Stack,
    /// Moves that may be played in the position.
    pub(in crate::search) moves: &'a RootMoves,
    pub(in crate::search) rules: &'a Rules,
}

impl Problem<'_> {
    /// Returns the plies until the move limit. Captures and checks may leave more, which does not count here.
    pub(super) fn plies_left(&self) -> usize {
        self.stack.plies_left(self.rules).map_or(MAX_PLY, |left| usize::from(left).min(MAX_PLY))
    }
}

/// Reason why a search pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    Spent,
    Stopped,
}

/// One time slice of the search of one stage.
pub(super) struct PnSearch<'a, 'b> {
    pub(super) table: &'a mut PnTable,
    /// Children of the positions of the current line, one position after the other.
    pub(super) children: Vec<Child>,
    /// Positions of the game that must not occur again, then those of the current line.
    pub(super) line: Vec<Key>,
    /// Index in the line of the position to solve.
    pub(super) root_index: usize,
    /// Maximum index in the line of a position to search.
    pub(super) last_index: usize,
    /// Whether a wanted mate length sets `last_index`; results are then stored by their index in the line.
    pub(super) is_limited: bool,
    pub(super) attack: Attack,
    /// Effort for seeing a threat.
    pub(super) effort: u32,
    /// Node count of the worker at which the search pauses.
    pub(super) until: u64,
    /// Whether some threat may have been missed for lack of effort.
    pub(super) is_incomplete: bool,
    pub(super) problem: Problem<'a>,
    pub(super) thread: &'a mut ThreadContext<'b>,
}

impl PnSearch<'_, '_> {
    /// Returns the index in the line of the current position.
    fn index(&self) -> usize {
        self.line.len() - 1
    }

    pub(super) fn check_stop(&mut self) -> Result<(), Pause> {
        self.thread.check_stop(self.problem.stack).map_err(|_| Pause::Stopped)?;
        self.thread.nodes += 1;
        if self.thread.nodes > self.until { Err(Pause::Spent) } else { Ok(()) }
    }

    /// Searches the last position of the line until its numbers reach the thresholds (MID in Nagai's paper).
    ///
    /// `attacking` says whether the side to move is the attacker.
    pub(super) fn search(
        &mut self,
        position: &Position,
        attacking: bool,
        thresholds: ProofNumbers,
    ) -> Result<PnResult, Pause> {
        let begun = self.thread.nodes;
        self.check_stop()?;
        if !attacking && self.is_empty_threat(position)? {
            let result = PnResult::of(ProofNumbers::PROVEN);
            self.store(position.key(), result, self.thread.nodes - begun);
            return Ok(result);
        }
        let first = self.children.len();
        if attacking {
            self.expand_attack(position)?
        } else {
            self.expand_defence(position)?
        }
        let result = loop {
            let result = combine(&self.children[first..]);
            if result.numbers.reach(thresholds) {
                break result;
            }
            let Some((index, thresholds)) = select(&self.children[first..], thresholds) else { break result };
            let Child { mv, key, .. } = self.children[first + index];
            self.line.push(key);
            let child_result = self.search(&position.play(mv), !attacking, thresholds)?;
            self.line.pop();
            self.children[first + index].result = child_result;
            self.update_children(first, attacking);
        };
        self.children.truncate(first);
        self.store(position.key(), result, self.thread.nodes - begun);
        Ok(result)
    }

    /// Updates the unsolved children from the table: the search of one may have solved others.
    fn update_children(&mut self, first: usize, attacking: bool) {
        for index in first..self.children.len() {
            let child = self.children[index];
            if !child.numbers().is_solved()
                && let Some(stored) = self.probe(child.key, !attacking, self.line.len())
            {
                self.children[index].result.numbers = stored.numbers;
            }
        }
    }

    /// Returns the stored result of the position with this key at this index of the line.
    fn probe(&self, key: Key, attacking: bool, index: usize) -> Option<Stored> {
        let decides = |numbers: ProofNumbers| if attacking { numbers.is_proven() } else { numbers.is_disproven() };
        let by = |attack| self.table.probe(self.table_key(key, attack, index));
        match self.attack {
            Attack::Checks => by(Attack::Checks),
            // A proof by checks is a proof here as well.
            Attack::Threats => {
                by(Attack::Checks).filter(|stored| decides(stored.numbers)).or_else(|| by(Attack::Threats))
            }
        }
    }

    /// Returns the table key of the results for a position by this attack.
    fn table_key(&self, key: Key, attack: Attack, index: usize) -> Key {
        let key = if self.is_limited { key.salted(mix(index as u64)) } else { key };
        match attack {
            Attack::Checks => key,
            Attack::Threats => key.salted(mix(WITH_THREATS ^ u64::from(self.effort))),
        }
    }

    fn store(&mut self, key: Key, result: PnResult, work: u64) {
        let key = self.table_key(key, self.attack, self.index());
        let holds = result.depends_on >= self.index();
        let numbers = if holds { result.numbers } else { result.numbers.on_other_paths() };
        let before = self.table.probe(key).map_or(0, |stored| stored.work);
        let work = before.saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        self.table.store(key, Stored { numbers, work });
    }

    /// Adds the children of the last position of the line, in which the attacker moves.
    pub(super) fn expand_attack(&mut self, position: &Position) -> Result<(), Pause> {
        let (checks, at_root) = (position.checks(), self.index() == self.root_index);
        for mv in position.legal_moves() {
            let is_check = position.is_check(mv, &checks);
            let counts = is_check || self.attack == Attack::Threats;
            if !counts || at_root && !self.problem.moves.admits(mv) {
                continue;
            }
            self.add_child(position, mv, true, |search, child| search.initial_defence(child, is_check))?;
        }
        Ok(())
    }

    /// Adds the children of the last position of the line, in which the defender moves, up to the first escape.
    fn expand_defence(&mut self, position: &Position) -> Result<(), Pause> {
        let after_quiet = !position.in_check();
        for mv in position.legal_moves() {
            let numbers =
                self.add_child(position, mv, false, |search, child| search.initial_attack(child, after_quiet))?;
            if numbers.is_disproven() {
                break;
            }
        }
        Ok(())
    }

    /// Adds a child with its stored numbers, or else with its `initial` ones. A child outside the search fails for the
    /// attacker.
    fn add_child(
        &mut self,
        position: &Position,
        mv: Move,
        attacking: bool,
        initial: impl FnOnce(&mut Self, &Position) -> Result<ProofNumbers, Pause>,
    ) -> Result<ProofNumbers, Pause> {
        let key = position.key_after(mv);
        let result = if let Some(depends_on) = self.outside(key) {
            let numbers = if attacking { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN };
            PnResult { numbers, depends_on }
        } else if let Some(stored) = self.probe(key, !attacking, self.line.len()) {
            PnResult::of(stored.numbers)
        } else {
            PnResult::of(initial(self, &position.play(mv))?)
        };
        self.children.push(Child { mv, key, result });
        Ok(result.numbers)
    }

    /// Returns the initial numbers of a position in which the defender moves.
    fn initial_defence(&mut self, position: &Position, is_check: bool) -> Result<ProofNumbers, Pause> {
        self.check_stop()?;
        Ok(match position.count_legal_moves() {
            // By some rules it is a draw if neither side has an attacker left.
            0 if can_attack(position) => ProofNumbers::DISPROVEN,
            0 => ProofNumbers::PROVEN,
            replies => {
                let dn = u32::try_from(replies).unwrap_or(u32::MAX);
                let quiet = QUIET_EFFORT + dn.saturating_sub(1) / REPLIES_PER_EFFORT;
                ProofNumbers::open(1, if is_check { dn } else { quiet })
            }
        })
    }

    /// Returns the initial numbers of a position in which the attacker moves.
    fn initial_attack(&mut self, position: &Position, after_quiet: bool) -> Result<ProofNumbers, Pause> {
        self.check_stop()?;
        Ok(match self.attack {
            Attack::Checks => {
                let checks = position.checks();
                let count = position.legal_moves().iter().filter(|&&mv| position.is_check(mv, &checks)).count();
                if count == 0 { ProofNumbers::DISPROVEN } else { ProofNumbers::open(1, 1 + weak_effort(count)) }
            }
            // Most replies do not parry the threat.
            Attack::Threats if after_quiet => {
                let numbers = self.search_checks(position)?;
                if numbers.is_proven() { numbers } else { ProofNumbers::open(2, 1) }
            }
            Attack::Threats => ProofNumbers::open(1, 1),
        })
    }

    /// Whether the line must not continue to the position with this key: returns the line index on which that
    /// depends.
    fn outside(&self, key: Key) -> Option<usize> {
        let repeated = self.line.iter().rposition(|&earlier| earlier == key);
        match repeated {
            Some(index) if index <= self.root_index => Some(NO_DEPENDENCY),
            None if self.line.len() > self.last_index => Some(if self.is_limited { NO_DEPENDENCY } else { 0 }),
            other => other,
        }
    }

    /// Whether the attacker has just made a quiet move without a threat.
    fn is_empty_threat(&mut self, position: &Position) -> Result<bool, Pause> {
        if self.attack == Attack::Checks
            || position.in_check()
            || self.probe(position.key(), false, self.index()).is_some()
        {
            return Ok(false);
        }
        Ok(!self.search_checks(&position.pass())?.is_proven())
    }

    /// Returns the numbers of a short search for a mate by checks.
    fn search_checks(&mut self, position: &Position) -> Result<ProofNumbers, Pause> {
        let (attack, until, first) = (self.attack, self.until, self.children.len());
        let index = self.line.len();
        self.attack = Attack::Checks;
        self.until = until.min(self.thread.nodes + THREAT_NODES * u64::from(self.effort));
        self.line.push(position.key());
        let thresholds = ProofNumbers { pn: self.effort, dn: self.effort };
        let result = self.search(position, true, thresholds);
        self.line.truncate(index);
        self.children.truncate(first);
        (self.attack, self.until) = (attack, until);
        let numbers = match result {
            Err(Pause::Spent) if self.thread.nodes <= until => ProofNumbers::open(1, 1),
            other => other?.numbers,
        };
        self.is_incomplete |= !numbers.is_solved();
        Ok(numbers)
    }
}

/// Whether the side not to move has a piece that can give check.
pub(super) fn can_attack(position: &Position) -> bool {
    [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn]
        .iter()
        .any(|&kind| position.pieces(!position.side(), kind).any())
}
