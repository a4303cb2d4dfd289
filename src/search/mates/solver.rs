//! Depth-first proof-number search for a mate (Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications",
//! 2002): by checks alone, and beside that by quiet moves too that threaten to mate by checks.
//!
//! A position that stands again is no way to the mate, whoever brings it about: so nothing found here is a perpetual check,
//! and what is proven holds in any order of moves. Of the positions of the game those alone are avoided that the referee
//! would judge if they stood once more. What has failed because of a repetition alone may succeed on another way
//! (Kishimoto and Mueller, "A General Solution to the Graph History Interaction Problem", 2004), so it is not kept as failed.

use super::child::{Child, Found, ON_NOTHING, next, others, together};
use super::memory::{Known, Memory};
use super::proof::Numbers;
use super::stage::{Means, Stages};
use super::way::Way;
use crate::board::{Key, Kind, Move, Position};
use crate::rules::Rules;
use crate::score::MAX_PLY;
use crate::search::path::Path;
use crate::search::root_moves::RootMoves;
use crate::search::world::World;
use crate::smp::stop::Stopped;
use crate::splitmix::mix;

/// The longest line looked at, in plies.
const LONGEST_LINE: usize = 100;
const _: () = assert!(LONGEST_LINE < MAX_PLY);

/// Most nodes to see a threat, for each unit of the effort that it may take.
const THREAT_NODES: u64 = 160;
/// The effort that a quiet move is taken for before anything is known of it.
const QUIET_EFFORT: u32 = 2;
/// So many replies to it make it one more, as most of them do not parry the threat.
const REPLIES_PER_EFFORT: u32 = 8;
/// What is kept of positions where quiet moves count too lies under other keys.
const WITH_THREATS: u64 = 0x7472 << 32;
/// A proof that is found is followed to its end in so many times its nodes, and so many more.
const MEASURE_FACTOR: u64 = 2;
const MEASURE_NODES: u64 = 20_000;

/// What a solver has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::search) enum Answer {
    /// The side to move mates, whatever is played against it, within the plies of this line, which ends in mate.
    Mate(Vec<Move>),
    /// It does not by the means known here.
    Nothing,
    /// More nodes are needed.
    Open,
}

/// What a solver works with.
pub(in crate::search) struct Terms<'a, 'b> {
    pub(in crate::search) world: &'a mut World<'b>,
    /// Its end is the position to look at.
    pub(in crate::search) path: &'a Path,
    pub(in crate::search) root: &'a RootMoves,
    pub(in crate::search) rules: &'a Rules,
    /// Most nodes to spend now.
    pub(in crate::search) nodes: u64,
    /// Most that is tried.
    pub(in crate::search) means: Means,
}

/// Looks for a mate in one position; what it has found so far it keeps until the next one, and the way to a mate until there is
/// another: whoever plays on is told the rest of it, not another mate that may be farther away.
pub(in crate::search) struct Solver {
    memory: Memory,
    pub(super) way: Way,
    /// Of the positions of the line under way, one after the other.
    children: Vec<Child>,
    /// The positions of the game that must not stand again, and those of the line under way.
    line: Vec<Key>,
    /// What has been tried.
    stages: Stages,
    /// Nodes that were spent on this position.
    spent: u64,
    /// Plies within which a mate is wanted, if a longer one is known.
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

    /// Turns to another position.
    pub(in crate::search) fn begin(&mut self) {
        self.memory.forget();
        (self.stages, self.spent, self.within) = (Stages::new(), 0, None);
    }

    /// Looks for a mate within this many plies alone from now on: anew, unless that is asked already.
    pub(in crate::search) fn ask_within(&mut self, plies: usize) {
        if self.within != Some(plies) {
            self.begin();
            self.within = Some(plies);
        }
    }

    /// Forgets what it has found in earlier positions.
    pub(in crate::search) fn forget(&mut self) {
        self.begin();
        self.way = Way::default();
    }

    /// What is left of the way to a mate that was found before, if it leads on from here.
    pub(in crate::search) fn announced(&self, path: &Path, root: &RootMoves, rules: &Rules) -> Option<Vec<Move>> {
        let line = self.way.line(path.position(), root, &path.worn_out(rules))?;
        (line.len() < plies_in_time(path, rules)).then_some(line)
    }

    /// Goes on looking for a mate.
    pub(in crate::search) fn look(&mut self, mut terms: Terms) -> Result<Answer, Stopped> {
        let until = terms.world.nodes + terms.nodes;
        while let Some(index) = self.stages.next(terms.means) {
            if terms.world.nodes >= until {
                return Ok(Answer::Open);
            }
            match self.take_turn(index, until, &mut terms) {
                Ok(way) => {
                    self.stages.finish(index);
                    if let Some(way) = way {
                        self.way = way;
                        if let Some(line) = self.announced(terms.path, terms.root, terms.rules) {
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

    /// Goes on with one stage for a while.
    fn take_turn(&mut self, index: usize, until: u64, terms: &mut Terms) -> Result<Option<Way>, Pause> {
        let &mut Terms { ref mut world, path, root, rules, .. } = terms;
        let (position, worn, stage) = (*path.position(), path.worn_out(rules), self.stages.get(index));
        let longest = LONGEST_LINE.min(plies_in_time(path, rules).saturating_sub(1));
        let begun = world.nodes;
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
            path,
            world,
        };
        let found = attempt.solve(&position);
        let has_given_up = attempt.has_given_up;
        let nodes = world.nodes - begun;
        self.spent += nodes;
        self.stages.spend(index, nodes, has_given_up);
        found
    }
}

/// Plies until the move limit; captures and checks may leave more than that, but whoever is near to it is not told so.
fn plies_in_time(path: &Path, rules: &Rules) -> usize {
    path.plies_left(rules).map_or(MAX_PLY, |left| usize::from(left).min(MAX_PLY))
}

/// Why a solver does not go on.
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
    /// Where the position to solve stands in the line.
    root_index: usize,
    /// Where the last position may stand that is looked at.
    last_index: usize,
    /// Whether that is a matter of what is wanted: what is found is kept by how near it is to there.
    is_limited: bool,
    root: &'a RootMoves,
    means: Means,
    /// To see a threat.
    effort: u32,
    /// As nodes of the world.
    until: u64,
    /// Some threat may have been missed for want of effort.
    has_given_up: bool,
    /// Nodes that were spent on the position to solve before.
    spent: u64,
    path: &'a Path,
    world: &'a mut World<'b>,
}

impl Attempt<'_, '_> {
    /// The way to the mate, if there is one.
    fn solve(&mut self, position: &Position) -> Result<Option<Way>, Pause> {
        let before = self.world.nodes;
        let found = self.examine(position, true, Numbers::UNBOUNDED)?;
        if !found.numbers.is_won() {
            return Ok(None);
        }
        let spent = self.spent + self.world.nodes - before;
        self.until = self.until.max(self.world.nodes + MEASURE_FACTOR * spent + MEASURE_NODES);
        let mut way = Way::new(position.variant());
        let length = self.measure(position, true, &mut way)?;
        Ok(length.map(|_| way))
    }

    /// Where the current position stands in the line.
    fn index(&self) -> usize {
        self.line.len() - 1
    }

    fn visit(&mut self) -> Result<(), Pause> {
        self.world.visit(self.path).map_err(|_| Pause::Stopped)?;
        self.world.nodes += 1;
        if self.world.nodes > self.until { Err(Pause::Spent) } else { Ok(()) }
    }

    /// Looks at the last position of the line until its numbers reach `limits`.
    fn examine(&mut self, position: &Position, attacking: bool, limits: Numbers) -> Result<Found, Pause> {
        let begun = self.world.nodes;
        self.visit()?;
        if !attacking && self.is_empty_threat(position)? {
            let found = Found { numbers: Numbers::WON, depends_on: ON_NOTHING };
            self.keep(position.key(), found, self.world.nodes - begun);
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
        self.keep(position.key(), found, self.world.nodes - begun);
        Ok(found)
    }

    /// What was found of one child may be known of others too.
    fn learn_from_each_other(&mut self, first: usize, attacking: bool) {
        for index in first..self.children.len() {
            let child = self.children[index];
            if !child.numbers.is_settled()
                && let Some(known) = self.recall(child.key, !attacking, self.line.len())
            {
                self.children[index] = Child { numbers: known.numbers, ..child };
            }
        }
    }

    /// What is known of the position with this key, in which the side to move attacks or not, and which stands at this place of
    /// the line.
    fn recall(&self, key: Key, attacking: bool, index: usize) -> Option<Known> {
        let proves = |known: &Known| if attacking { known.numbers.is_won() } else { known.numbers.is_lost() };
        let by = |means| self.memory.recall(self.slot(key, means, index));
        match self.means {
            Means::Checks => by(Means::Checks),
            // What is proven by checks is proven.
            Means::Threats => by(Means::Checks).filter(proves).or_else(|| by(Means::Threats)),
        }
    }

    /// Under which key it lies what these means make of a position.
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
        let before = self.memory.recall(slot).map_or(0, |known| known.work);
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
                None => match self.recall(key, false, self.line.len()) {
                    Some(Known { numbers, .. }) => Child { numbers, ..child },
                    None => Child { numbers: self.first_look_at_defence(&position.play(mv), is_check)?, ..child },
                },
            };
            self.children.push(child);
        }
        Ok(())
    }

    fn first_look_at_defence(&mut self, position: &Position, is_check: bool) -> Result<Numbers, Pause> {
        self.visit()?;
        Ok(match position.count_legal_moves() {
            // Where nobody has an attacker left it is a draw by some rules.
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
                None => match self.recall(key, true, self.line.len()) {
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
        self.visit()?;
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

    /// Whether the line must not go on to the position with this key, and on which of its positions that depends.
    fn outside(&self, key: Key) -> Option<usize> {
        let repeated = self.line.iter().rposition(|&earlier| earlier == key);
        match repeated {
            Some(index) if index <= self.root_index => Some(ON_NOTHING),
            None if self.line.len() > self.last_index => Some(if self.is_limited { ON_NOTHING } else { 0 }),
            other => other,
        }
    }

    /// Whether the attacker has left the other side a move without threatening anything.
    fn is_empty_threat(&mut self, position: &Position) -> Result<bool, Pause> {
        if self.means == Means::Checks
            || position.in_check()
            || self.recall(position.key(), false, self.index()).is_some()
        {
            return Ok(false);
        }
        Ok(!self.by_checks(&position.pass())?.numbers.is_won())
    }

    /// Whether the side to move mates by checks, as far as little effort shows it.
    fn by_checks(&mut self, position: &Position) -> Result<Found, Pause> {
        let (means, until, first) = (self.means, self.until, self.children.len());
        let index = self.line.len();
        self.means = Means::Checks;
        self.until = until.min(self.world.nodes + THREAT_NODES * u64::from(self.effort));
        self.line.push(position.key());
        let limits = Numbers { win: self.effort, fail: self.effort };
        let found = self.examine(position, true, limits);
        self.line.truncate(index);
        self.children.truncate(first);
        (self.means, self.until) = (means, until);
        let found = match found {
            Err(Pause::Spent) if self.world.nodes <= until => {
                Found { numbers: Numbers::open(1, 1), depends_on: ON_NOTHING }
            }
            other => other?,
        };
        self.has_given_up |= !found.numbers.is_settled();
        Ok(found)
    }

    /// Follows the proof of the last position of the line to all its ends: how many plies it takes at most. None if it
    /// cannot be followed.
    fn measure(&mut self, position: &Position, attacking: bool, way: &mut Way) -> Result<Option<u16>, Pause> {
        if let Some(length) = way.distance(position.key()) {
            return Ok(Some(length));
        }
        if way.is_full() {
            return Ok(None);
        }
        self.visit()?;
        let length = if attacking { self.measure_attack(position, way)? } else { self.measure_defence(position, way)? };
        if let Some(length) = length {
            way.add(position.key(), length);
        }
        Ok(length)
    }

    /// The nearest of all ways that are proven.
    fn measure_attack(&mut self, position: &Position, way: &mut Way) -> Result<Option<u16>, Pause> {
        let mut children = self.attacks_of(position)?;
        if !children.iter().any(|child| child.numbers.is_lost()) {
            // What was proven has been forgotten since, or was proven on other ways alone.
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

    /// The farthest of all ways, if there is one after every reply: what was left out of the search as hopeless counts too.
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

    /// The children of the last position of the line, in which the attacker moves.
    fn attacks_of(&mut self, position: &Position) -> Result<Vec<Child>, Pause> {
        let first = self.children.len();
        self.expand_attack(position)?;
        Ok(self.children.split_off(first))
    }
}

/// Whether the side that waits has a piece that can give check.
fn can_attack(position: &Position) -> bool {
    [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn]
        .iter()
        .any(|&kind| position.pieces(!position.side(), kind).any())
}
