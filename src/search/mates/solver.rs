//! Mate search by depth-first proof-number search (df-pn; Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002): by checks alone, and beside that by quiet moves that threaten to mate by checks.
//!
//! A repeated position never belongs to a mate, whichever side repeats it: so no mate found here is a perpetual
//! check, and a proof holds in any order of moves. Of the positions of the game, only those are avoided that the
//! rules would judge at their next occurrence. A failure caused by a repetition may succeed on another path
//! (Kishimoto and Mueller, "A General Solution to the Graph History Interaction Problem", 2004), so it is not stored
//! as a failure.

use super::child::{Child, Found, ON_NOTHING, next, others, together};
use super::memory::{Known, Memory};
use super::proof::Numbers;
use super::stage::{Means, Stages};
use super::way::Way;
use crate::board::{Key, Kind, Move, Position};
use crate::rules::Rules;
use crate::score::MAX_PLY;
use crate::search::root_moves::RootMoves;
use crate::search::stack::Stack;
use crate::search::thread::ThreadContext;
use crate::smp::stop::Stopped;
use crate::splitmix::mix;

/// Maximum length of a line, in plies.
const LONGEST_LINE: usize = 100;
const _: () = assert!(LONGEST_LINE < MAX_PLY);

/// Maximum nodes for seeing a threat, per unit of its effort.
const THREAT_NODES: u64 = 160;
/// Initial effort of a quiet move of which nothing is known.
const QUIET_EFFORT: u32 = 2;
/// Replies that add one to the initial effort of a quiet move; most of them do not parry the threat.
const REPLIES_PER_EFFORT: u32 = 8;
/// Key salt: results with quiet moves are kept apart from those with checks alone.
const WITH_THREATS: u64 = 0x7472 << 32;
/// Maximum nodes for following a proof to its end: a multiple of those of the proof, plus a constant.
const MEASURE_FACTOR: u64 = 2;
const MEASURE_NODES: u64 = 20_000;

/// Result of a mate search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) enum Answer {
    /// The side to move mates against any defence, within the plies of this line, which ends in mate.
    Mate(Vec<Move>),
    /// The side to move does not mate by the means of this search.
    Nothing,
    /// More nodes are needed.
    Open,
}

/// Inputs of a mate search.
pub(in crate::search) struct Terms<'a, 'b> {
    pub(in crate::search) thread: &'a mut ThreadContext<'b>,
    /// Path, which ends at the position to solve.
    pub(in crate::search) stack: &'a Stack,
    pub(in crate::search) root: &'a RootMoves,
    pub(in crate::search) rules: &'a Rules,
    /// Maximum nodes to spend now.
    pub(in crate::search) nodes: u64,
    /// Maximum means to use.
    pub(in crate::search) means: Means,
}

/// Mate solver of one position at a time.
///
/// Keeps its results until the next position, and its solution until there is another: while a game follows the
/// solution, the rest of it is announced, not another mate that may be farther away.
pub(in crate::search) struct Solver {
    memory: Memory,
    pub(super) way: Way,
    /// Children of the positions of the current line, one position after the other.
    children: Vec<Child>,
    /// Positions of the game that must not occur again, then those of the current line.
    line: Vec<Key>,
    /// Stages of the search.
    stages: Stages,
    /// Nodes spent on this position.
    spent: u64,
    /// Maximum plies of the mate to find, if a longer one is known.
    within: Option<usize>,
}

impl Solver {
    pub(in crate::search) fn new() -> Self {
        Self {
            memory: Memory::new(),
            way: Way::default(),
            children: Vec::new(),
            line: Vec::new(),
            stages: Stages::new(),
            spent: 0,
            within: None,
        }
    }

    /// Prepares for another position.
    pub(in crate::search) fn begin(&mut self) {
        self.memory.forget();
        (self.stages, self.spent, self.within) = (Stages::new(), 0, None);
    }

    /// Looks only for mates within this many plies from now on; starts afresh unless that is already so.
    pub(in crate::search) fn ask_within(&mut self, plies: usize) {
        if self.within != Some(plies) {
            self.begin();
            self.within = Some(plies);
        }
    }

    /// Forgets the results of earlier positions.
    pub(in crate::search) fn forget(&mut self) {
        self.begin();
        self.way = Way::default();
    }

    /// Returns the rest of a mate found before, if it continues from the current position.
    pub(in crate::search) fn announced(&self, stack: &Stack, root: &RootMoves, rules: &Rules) -> Option<Vec<Move>> {
        let line = self.way.line(stack.position(), root, &stack.near_repetition_limit(rules))?;
        (line.len() < plies_in_time(stack, rules)).then_some(line)
    }

    /// Continues the search for a mate.
    pub(in crate::search) fn look(&mut self, mut terms: Terms) -> Result<Answer, Stopped> {
        let until = terms.thread.nodes + terms.nodes;
        while let Some(index) = self.stages.next(terms.means) {
            if terms.thread.nodes >= until {
                return Ok(Answer::Open);
            }
            match self.take_turn(index, until, &mut terms) {
                Ok(way) => {
                    self.stages.finish(index);
                    if let Some(way) = way {
                        self.way = way;
                        if let Some(line) = self.announced(terms.stack, terms.root, terms.rules) {
                            return Ok(Answer::Mate(line));
                        }
                    }
                }
                Err(Pause::Spent) => {}
                Err(Pause::Stopped) => return Err(Stopped),
            }
        }
        Ok(if self.stages.are_done() { Answer::Nothing } else { Answer::Open })
    }

    /// Continues one stage for a time slice.
    fn take_turn(&mut self, index: usize, until: u64, terms: &mut Terms) -> Result<Option<Way>, Pause> {
        let &mut Terms { ref mut thread, stack, root, rules, .. } = terms;
        let (position, worn, stage) = (*stack.position(), stack.near_repetition_limit(rules), self.stages.get(index));
        let longest = LONGEST_LINE.min(plies_in_time(stack, rules).saturating_sub(1));
        let begun = thread.nodes;
        self.line.clone_from(&worn);
        self.line.push(position.key());
        self.children.clear();
        let mut attempt = Attempt {
            memory: &mut self.memory,
            children: &mut self.children,
            line: &mut self.line,
            last_index: worn.len() + longest.min(self.within.unwrap_or(MAX_PLY)),
            is_limited: self.within.is_some(),
            root_index: worn.len(),
            root,
            means: stage.means,
            effort: stage.effort,
            until: until.min(begun + stage.turn()),
            has_given_up: false,
            spent: self.spent,
            stack,
            thread,
        };
        let found = attempt.solve(&position);
        let has_given_up = attempt.has_given_up;
        let nodes = thread.nodes - begun;
        self.spent += nodes;
        self.stages.spend(index, nodes, has_given_up);
        found
    }
}

/// Returns the plies until the move limit. Captures and checks may leave more, which does not count here.
fn plies_in_time(stack: &Stack, rules: &Rules) -> usize {
    stack.plies_left(rules).map_or(MAX_PLY, |left| usize::from(left).min(MAX_PLY))
}

/// Reason why a solver pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pause {
    Spent,
    Stopped,
}

/// A solver at work.
struct Attempt<'a, 'b> {
    memory: &'a mut Memory,
    children: &'a mut Vec<Child>,
    line: &'a mut Vec<Key>,
    /// Index in the line of the position to solve.
    root_index: usize,
    /// Maximum index in the line of a position to search.
    last_index: usize,
    /// Whether a wanted mate length sets `last_index`; results are then stored by their index in the line.
    is_limited: bool,
    root: &'a RootMoves,
    means: Means,
    /// Effort for seeing a threat.
    effort: u32,
    /// Node count of the worker at which the solver pauses.
    until: u64,
    /// Whether some threat may have been missed for lack of effort.
    has_given_up: bool,
    /// Nodes spent earlier on the position to solve.
    spent: u64,
    stack: &'a Stack,
    thread: &'a mut ThreadContext<'b>,
}

impl Attempt<'_, '_> {
    /// Returns the solution, if there is a mate.
    fn solve(&mut self, position: &Position) -> Result<Option<Way>, Pause> {
        let before = self.thread.nodes;
        let found = self.examine(position, true, Numbers::UNBOUNDED)?;
        if !found.numbers.is_won() {
            return Ok(None);
        }
        let spent = self.spent + self.thread.nodes - before;
        self.until = self.until.max(self.thread.nodes + MEASURE_FACTOR * spent + MEASURE_NODES);
        let mut way = Way::new(position.variant());
        let length = self.measure(position, true, &mut way)?;
        Ok(length.map(|_| way))
    }

    /// Returns the index in the line of the current position.
    fn index(&self) -> usize {
        self.line.len() - 1
    }

    fn check_stop(&mut self) -> Result<(), Pause> {
        self.thread.check_stop(self.stack).map_err(|_| Pause::Stopped)?;
        self.thread.nodes += 1;
        if self.thread.nodes > self.until { Err(Pause::Spent) } else { Ok(()) }
    }

    /// Searches the last position of the line until its numbers reach `limits`.
    fn examine(&mut self, position: &Position, attacking: bool, limits: Numbers) -> Result<Found, Pause> {
        let begun = self.thread.nodes;
        self.check_stop()?;
        if !attacking && self.is_empty_threat(position)? {
            let found = Found { numbers: Numbers::WON, depends_on: ON_NOTHING };
            self.keep(position.key(), found, self.thread.nodes - begun);
            return Ok(found);
        }
        let first = self.children.len();
        self.expand(position, attacking)?;
        let found = loop {
            let found = together(&self.children[first..]);
            if found.numbers.reach(limits) {
                break found;
            }
            let Some((index, limits)) = next(&self.children[first..], limits) else { break found };
            let Child { mv, key, .. } = self.children[first + index];
            let child = position.play(mv);
            self.line.push(key);
            let Found { numbers, depends_on } = self.examine(&child, !attacking, limits)?;
            self.line.pop();
            self.children[first + index] = Child { mv, key, numbers, depends_on };
            self.learn_from_each_other(first, attacking);
        };
        self.children.truncate(first);
        self.keep(position.key(), found, self.thread.nodes - begun);
        Ok(found)
    }

    /// Updates the unsettled children from the table: the search of one may have settled others.
    fn learn_from_each_other(&mut self, first: usize, attacking: bool) {
        for index in first..self.children.len() {
            let child = self.children[index];
            if !child.numbers.is_settled()
                && let Some(known) = self.probe(child.key, !attacking, self.line.len())
            {
                self.children[index] = Child { numbers: known.numbers, ..child };
            }
        }
    }

    /// Returns the stored result of the position with this key at this index of the line.
    ///
    /// `attacking` says whether the side to move is the attacker.
    fn probe(&self, key: Key, attacking: bool, index: usize) -> Option<Known> {
        let proves = |known: &Known| if attacking { known.numbers.is_won() } else { known.numbers.is_lost() };
        let by = |means| self.memory.probe(self.slot(key, means, index));
        match self.means {
            Means::Checks => by(Means::Checks),
            // A proof by checks is a proof here as well.
            Means::Threats => by(Means::Checks).filter(proves).or_else(|| by(Means::Threats)),
        }
    }

    /// Returns the table key of the results for a position with these means.
    fn slot(&self, key: Key, means: Means, index: usize) -> Key {
        let key = if self.is_limited { key.salted(mix(index as u64)) } else { key };
        match means {
            Means::Checks => key,
            Means::Threats => key.salted(mix(WITH_THREATS ^ u64::from(self.effort))),
        }
    }

    fn keep(&mut self, key: Key, found: Found, work: u64) {
        let slot = self.slot(key, self.means, self.index());
        let holds = found.depends_on >= self.index();
        let numbers = if holds { found.numbers } else { found.numbers.as_a_hint() };
        let before = self.memory.probe(slot).map_or(0, |known| known.work);
        let work = before.saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        self.memory.keep(slot, Known { numbers, work });
    }

    /// Adds the children of the last position of the line.
    fn expand(&mut self, position: &Position, attacking: bool) -> Result<(), Pause> {
        if attacking { self.expand_attack(position) } else { self.expand_defence(position) }
    }

    fn expand_attack(&mut self, position: &Position) -> Result<(), Pause> {
        let (checks, at_root) = (position.checks(), self.index() == self.root_index);
        for mv in position.legal_moves() {
            let is_check = position.is_check(mv, &checks);
            let counts = is_check || self.means == Means::Threats;
            if !counts || at_root && !self.root.admits(mv) {
                continue;
            }
            let key = position.key_after(mv);
            let child = Child { mv, key, numbers: Numbers::WON, depends_on: ON_NOTHING };
            let child = match self.outside(key) {
                Some(depends_on) => Child { depends_on, ..child },
                None => match self.probe(key, false, self.line.len()) {
                    Some(Known { numbers, .. }) => Child { numbers, ..child },
                    None => Child { numbers: self.first_look_at_defence(&position.play(mv), is_check)?, ..child },
                },
            };
            self.children.push(child);
        }
        Ok(())
    }

    fn first_look_at_defence(&mut self, position: &Position, is_check: bool) -> Result<Numbers, Pause> {
        self.check_stop()?;
        Ok(match position.count_legal_moves() {
            // By some rules it is a draw if neither side has an attacker left.
            0 if can_attack(position) => Numbers::LOST,
            0 => Numbers::WON,
            replies => {
                let fail = u32::try_from(replies).unwrap_or(u32::MAX);
                let quiet = QUIET_EFFORT + fail.saturating_sub(1) / REPLIES_PER_EFFORT;
                Numbers::open(1, if is_check { fail } else { quiet })
            }
        })
    }

    fn expand_defence(&mut self, position: &Position) -> Result<(), Pause> {
        let is_quiet = !position.in_check();
        for mv in position.legal_moves() {
            let key = position.key_after(mv);
            let child = Child { mv, key, numbers: Numbers::LOST, depends_on: ON_NOTHING };
            let child = match self.outside(key) {
                Some(depends_on) => Child { depends_on, ..child },
                None => match self.probe(key, true, self.line.len()) {
                    Some(Known { numbers, .. }) => Child { numbers, ..child },
                    None => Child { numbers: self.first_look_at_attack(&position.play(mv), is_quiet)?, ..child },
                },
            };
            let escapes = child.numbers.is_lost();
            self.children.push(child);
            if escapes {
                break;
            }
        }
        Ok(())
    }

    fn first_look_at_attack(&mut self, position: &Position, after_quiet: bool) -> Result<Numbers, Pause> {
        self.check_stop()?;
        Ok(match self.means {
            Means::Checks => {
                let checks = position.checks();
                let count = position.legal_moves().iter().filter(|&&mv| position.is_check(mv, &checks)).count();
                if count == 0 { Numbers::LOST } else { Numbers::open(1, 1 + others(count)) }
            }
            // Most replies do not parry the threat.
            Means::Threats if after_quiet => {
                let found = self.by_checks(position)?;
                if found.numbers.is_won() { found.numbers } else { Numbers::open(2, 1) }
            }
            Means::Threats => Numbers::open(1, 1),
        })
    }

    /// Whether the line must not continue to the position with this key: returns the line index on which that
    /// depends.
    fn outside(&self, key: Key) -> Option<usize> {
        let repeated = self.line.iter().rposition(|&earlier| earlier == key);
        match repeated {
            Some(index) if index <= self.root_index => Some(ON_NOTHING),
            None if self.line.len() > self.last_index => Some(if self.is_limited { ON_NOTHING } else { 0 }),
            other => other,
        }
    }

    /// Whether the attacker has just made a quiet move without a threat.
    fn is_empty_threat(&mut self, position: &Position) -> Result<bool, Pause> {
        if self.means == Means::Checks
            || position.in_check()
            || self.probe(position.key(), false, self.index()).is_some()
        {
            return Ok(false);
        }
        Ok(!self.by_checks(&position.pass())?.numbers.is_won())
    }

    /// Returns the numbers of a short search for a mate by checks.
    fn by_checks(&mut self, position: &Position) -> Result<Found, Pause> {
        let (means, until, first) = (self.means, self.until, self.children.len());
        let index = self.line.len();
        self.means = Means::Checks;
        self.until = until.min(self.thread.nodes + THREAT_NODES * u64::from(self.effort));
        self.line.push(position.key());
        let limits = Numbers { win: self.effort, fail: self.effort };
        let found = self.examine(position, true, limits);
        self.line.truncate(index);
        self.children.truncate(first);
        (self.means, self.until) = (means, until);
        let found = match found {
            Err(Pause::Spent) if self.thread.nodes <= until => {
                Found { numbers: Numbers::open(1, 1), depends_on: ON_NOTHING }
            }
            other => other?,
        };
        self.has_given_up |= !found.numbers.is_settled();
        Ok(found)
    }

    /// Follows the proof of the last position of the line to all its ends, and returns its maximum plies.
    ///
    /// Returns `None` if the proof cannot be followed.
    fn measure(&mut self, position: &Position, attacking: bool, way: &mut Way) -> Result<Option<u16>, Pause> {
        if let Some(length) = way.distance(position.key()) {
            return Ok(Some(length));
        }
        if way.is_full() {
            return Ok(None);
        }
        self.check_stop()?;
        let length = if attacking { self.measure_attack(position, way)? } else { self.measure_defence(position, way)? };
        if let Some(length) = length {
            way.add(position.key(), length);
        }
        Ok(length)
    }

    /// Returns the length of the shortest proven mate, in plies.
    fn measure_attack(&mut self, position: &Position, way: &mut Way) -> Result<Option<u16>, Pause> {
        let mut children = self.attacks_of(position)?;
        if !children.iter().any(|child| child.numbers.is_lost()) {
            // The proof has been overwritten since, or held on other paths alone.
            self.examine(position, true, Numbers::UNBOUNDED)?;
            children = self.attacks_of(position)?;
        }
        let mut nearest = None;
        for child in children.iter().filter(|child| child.numbers.is_lost()) {
            let length = self.measure_child(position, child.mv, false, way)?;
            nearest = [nearest, length].into_iter().flatten().min();
        }
        Ok(nearest.map(|length| length + 1))
    }

    /// Returns the length of the longest defence, in plies, if every reply loses; replies skipped by the search count
    /// too.
    fn measure_defence(&mut self, position: &Position, way: &mut Way) -> Result<Option<u16>, Pause> {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(can_attack(position).then_some(0));
        }
        let mut farthest = 0;
        for &mv in &replies {
            let Some(length) = self.measure_child(position, mv, true, way)? else { return Ok(None) };
            farthest = farthest.max(length);
        }
        Ok(Some(farthest + 1))
    }

    fn measure_child(
        &mut self,
        position: &Position,
        mv: Move,
        attacking: bool,
        way: &mut Way,
    ) -> Result<Option<u16>, Pause> {
        let child = position.play(mv);
        self.line.push(child.key());
        let length = self.measure(&child, attacking, way);
        self.line.pop();
        length
    }

    /// Returns the children of the last position of the line, in which the attacker moves.
    fn attacks_of(&mut self, position: &Position) -> Result<Vec<Child>, Pause> {
        let first = self.children.len();
        self.expand_attack(position)?;
        Ok(self.children.split_off(first))
    }
}

/// Whether the side not to move has a piece that can give check.
fn can_attack(position: &Position) -> bool {
    [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn]
        .iter()
        .any(|&kind| position.pieces(!position.side(), kind).any())
}
