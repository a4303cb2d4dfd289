//! A second judge of loops, slow and simple, written from the text of the rules as a reference for the first one. It uses
//! an array of numbered pieces, tries every pair of squares, and shares only names and the exchange values with the library.

use std::collections::BTreeSet;

use chuhe::board::{Kind, Move, Piece, Position, Side, Square, exchange_value};

/// A piece with a number that stays the same when it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Man {
    side: Side,
    kind: Kind,
    number: usize,
}

/// A file in 0..=8 and a rank in 0..=9.
pub(crate) type Point = (i32, i32);

/// The numbers of an attacker and its victim.
type Pair = (usize, usize);

/// Conduct of a side in a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    Idle,
    Attack,
    /// The side chased these pieces throughout, given by their places at the end.
    Chase(BTreeSet<Point>),
    ChaseOfPinnedRook(BTreeSet<Point>),
    Check,
}

/// The rules by which loops are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Law {
    Checks,
    FirstHits,
    Chases(Reading),
    /// Attack rules, with the depth in checks to which mates are searched.
    Attacks(usize),
}

/// Two readings of the rules on chases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// The text of the Asian rules.
    Asian,
    /// Pikafish's reading: a victim is safe or not regardless of the attacker, and a check breaks every chase.
    Pikafish,
}

#[derive(Clone)]
pub(crate) struct Game {
    /// The board before each move and after the last one, starting at the last capture.
    boards: Vec<Board>,
    moves: Vec<(Point, Point)>,
    mover: Side,
}

#[derive(Clone)]
struct Board([[Option<Man>; 9]; 10]);

fn all_points() -> impl Iterator<Item = Point> {
    (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
}

fn on_board((file, rank): Point) -> bool {
    (0..9).contains(&file) && (0..10).contains(&rank)
}

/// Returns the rank from the side's view: 0 is its own back rank, 5 the first rank across the river.
fn rank_for(side: Side, rank: i32) -> i32 {
    if side == Side::Red { rank } else { 9 - rank }
}

fn in_palace(side: Side, (file, rank): Point) -> bool {
    (3..=5).contains(&file) && rank_for(side, rank) <= 2
}

impl Board {
    fn from_fen(fen: &str) -> (Self, Side) {
        let mut words = fen.split(' ');
        let mut board = Self([[None; 9]; 10]);
        let mut number = 0;
        for (rank, text) in (0..10).rev().zip(words.next().unwrap().split('/')) {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as i32;
                    continue;
                }
                let kind = match letter.to_ascii_lowercase() {
                    'k' => Kind::King,
                    'a' => Kind::Advisor,
                    'b' => Kind::Elephant,
                    'n' => Kind::Horse,
                    'r' => Kind::Rook,
                    'c' => Kind::Cannon,
                    'p' => Kind::Pawn,
                    other => panic!("{other} is not a piece"),
                };
                let side = if letter.is_ascii_uppercase() { Side::Red } else { Side::Black };
                board.put((file, rank), Some(Man { side, kind, number }));
                (file, number) = (file + 1, number + 1);
            }
        }
        (board, if words.next() == Some("b") { Side::Black } else { Side::Red })
    }

    fn at(&self, (file, rank): Point) -> Option<Man> {
        self.0[rank as usize][file as usize]
    }

    fn put(&mut self, (file, rank): Point, man: Option<Man>) {
        self.0[rank as usize][file as usize] = man;
    }

    fn men(&self, side: Side) -> Vec<(Point, Man)> {
        let man_at = |point| self.at(point).filter(|man| man.side == side).map(|man| (point, man));
        all_points().filter_map(man_at).collect()
    }

    fn find(&self, number: usize) -> Point {
        all_points().find(|&point| self.at(point).is_some_and(|man| man.number == number)).unwrap()
    }

    fn king(&self, side: Side) -> Point {
        self.men(side).into_iter().find(|(_, man)| man.kind == Kind::King).unwrap().0
    }

    fn moved(&self, from: Point, to: Point) -> Self {
        let mut after = self.clone();
        after.put(to, self.at(from));
        after.put(from, None);
        after
    }

    /// Whether two boards look the same; pieces of the same kind and side are interchangeable.
    fn looks_like(&self, other: &Self) -> bool {
        all_points().all(|point| self.at(point).map(face) == other.at(point).map(face))
    }

    /// Returns the number of pieces between two points; `None` if they do not share a file or rank.
    fn between(&self, from: Point, to: Point) -> Option<usize> {
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        if (files == 0) == (ranks == 0) {
            return None;
        }
        let step = (files.signum(), ranks.signum());
        let far = files.abs().max(ranks.abs());
        let inner = (1..far).map(|n| (from.0 + n * step.0, from.1 + n * step.1));
        Some(inner.filter(|&point| self.at(point).is_some()).count())
    }

    /// Whether the piece on `from` can move to `to`, regardless of the safety of its king.
    fn goes(&self, from: Point, to: Point) -> bool {
        let Some(man) = self.at(from) else { return false };
        if from == to || self.at(to).is_some_and(|target| target.side == man.side) {
            return false;
        }
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let free = |point| self.at(point).is_none();
        match man.kind {
            Kind::King => files.abs() + ranks.abs() == 1 && in_palace(man.side, to),
            Kind::Advisor => files.abs() == 1 && ranks.abs() == 1 && in_palace(man.side, to),
            Kind::Elephant => {
                let eye = (from.0 + files / 2, from.1 + ranks / 2);
                files.abs() == 2 && ranks.abs() == 2 && free(eye) && rank_for(man.side, to.1) <= 4
            }
            Kind::Horse if files.abs() == 2 && ranks.abs() == 1 => free((from.0 + files / 2, from.1)),
            Kind::Horse if files.abs() == 1 && ranks.abs() == 2 => free((from.0, from.1 + ranks / 2)),
            Kind::Horse => false,
            Kind::Rook => self.between(from, to) == Some(0),
            Kind::Cannon => self.between(from, to) == Some(usize::from(self.at(to).is_some())),
            Kind::Pawn => {
                let forward = if man.side == Side::Red { 1 } else { -1 };
                let crossed = rank_for(man.side, from.1) >= 5;
                (files, ranks) == (0, forward) || crossed && files.abs() == 1 && ranks == 0
            }
        }
    }

    /// Returns the numbers of the pieces that attack the king of `side`, including the other king on an open file.
    fn checkers(&self, side: Side) -> BTreeSet<usize> {
        let king = self.king(side);
        let attacks = |&(point, man): &(Point, Man)| {
            let faces = man.kind == Kind::King && point.0 == king.0 && self.between(point, king) == Some(0);
            faces || man.kind != Kind::King && self.goes(point, king)
        };
        self.men(!side).into_iter().filter(attacks).map(|(_, man)| man.number).collect()
    }

    /// Whether a move leaves the mover's king attacked only by `tolerated` pieces.
    fn may_go(&self, from: Point, to: Point, tolerated: &BTreeSet<usize>) -> bool {
        self.goes(from, to) && {
            let side = self.at(from).unwrap().side;
            self.moved(from, to).checkers(side).is_subset(tolerated)
        }
    }

    fn legal(&self, from: Point, to: Point) -> bool {
        self.may_go(from, to, &BTreeSet::new())
    }

    fn legal_moves(&self, side: Side) -> Vec<(Point, Point)> {
        let from_each = |(from, _)| all_points().map(move |to| (from, to));
        self.men(side).into_iter().flat_map(from_each).filter(|&(from, to)| self.legal(from, to)).collect()
    }

    /// Returns everything that `side` validly threatens, as if it were its turn.
    fn threats(&self, side: Side) -> BTreeSet<Pair> {
        let mut pairs = BTreeSet::new();
        for (from, attacker) in self.men(side) {
            for (to, victim) in self.men(!side) {
                if self.threatens(from, to) {
                    pairs.insert((attacker.number, victim.number));
                }
            }
        }
        pairs
    }

    fn threatens(&self, from: Point, to: Point) -> bool {
        let (attacker, victim) = (self.at(from).unwrap(), self.at(to).unwrap());
        if matches!(attacker.kind, Kind::King | Kind::Pawn) || Self::is_no_victim(victim, to) {
            return false;
        }
        let existing = self.checkers(attacker.side);
        let mut without = self.clone();
        without.put(from, None);
        let exposed = without.checkers(attacker.side);
        let mut pinners = exposed.difference(&existing).peekable();
        if pinners.peek().is_some() && !pinners.any(|&pinner| pinner == victim.number) {
            return false;
        }
        if !self.may_go(from, to, &existing) {
            return false;
        }
        match (attacker.kind, victim.kind) {
            (Kind::Horse | Kind::Cannon, Kind::Rook) => return true,
            (Kind::Advisor | Kind::Elephant, Kind::Rook | Kind::Cannon | Kind::Horse) => return true,
            _ => {}
        }
        let taken = self.moved(from, to);
        let protected = taken.men(victim.side).into_iter().any(|(protector, _)| taken.legal(protector, to));
        !protected && (attacker.kind != victim.kind || !self.legal(to, from))
    }

    /// Whether the rook with this number blocks the leg of a horse that would otherwise attack its king.
    fn is_pinned_by_horse(&self, number: usize) -> bool {
        let point = self.find(number);
        let rook = self.at(point).unwrap();
        let mut without = self.clone();
        without.put(point, None);
        let exposed = without.checkers(rook.side);
        let is_horse = |&pinner: &usize| self.at(self.find(pinner)).unwrap().kind == Kind::Horse;
        rook.kind == Kind::Rook && exposed.difference(&self.checkers(rook.side)).any(is_horse)
    }

    /// Whether `side`, to move, can mate within this many moves that all give check.
    fn mates(&self, side: Side, moves: usize) -> bool {
        moves > 0
            && self.legal_moves(side).into_iter().map(|(from, to)| self.moved(from, to)).any(|checked| {
                !checked.checkers(!side).is_empty() && {
                    let answers = checked.legal_moves(!side);
                    answers.into_iter().all(|(from, to)| checked.moved(from, to).mates(side, moves - 1))
                }
            })
    }

    /// Whether `side`, to move, has a quiet check that wins a piece against every reply, one that it could not win without
    /// the check.
    fn takes_after_check(&self, side: Side) -> bool {
        let quiets = self.legal_moves(side).into_iter().filter(|&(_, to)| self.at(to).is_none());
        let mut checked = quiets.map(|(from, to)| self.moved(from, to)).filter(|next| !next.checkers(!side).is_empty());
        let standing = self.won_by_taking(side, 0);
        checked.any(|next| {
            next.legal_moves(!side).into_iter().all(|(from, to)| {
                let lost = next.at(to).map_or(0, |man| exchange_value(man.kind));
                !next.moved(from, to).won_by_taking(side, lost).is_subset(&standing)
            })
        })
    }

    /// Returns the points where `side`, to move, can capture with a piece other than king or pawn and gain more than `lost`
    /// in the whole exchange.
    fn won_by_taking(&self, side: Side, lost: i32) -> BTreeSet<Point> {
        let position = Position::from_fen(&self.to_fen(side)).unwrap();
        let square = |(file, rank): Point| Square::new(file as usize, rank as usize);
        let wins = |&(from, to): &(Point, Point)| {
            let may_chase = self.at(from).is_some_and(|man| !matches!(man.kind, Kind::King | Kind::Pawn));
            let wanted = self.at(to).is_some_and(|victim| !Self::is_no_victim(victim, to));
            may_chase && wanted && position.exchange_gains(Move::new(square(from), square(to)), lost + 1)
        };
        self.legal_moves(side).into_iter().filter(wins).map(|(_, to)| to).collect()
    }

    fn is_no_victim(man: Man, point: Point) -> bool {
        man.kind == Kind::King || man.kind == Kind::Pawn && rank_for(man.side, point.1) <= 4
    }

    fn to_fen(&self, side: Side) -> String {
        let letter = |man: Option<Man>| man.map_or('1', |man| Piece::new(man.side, man.kind).letter());
        let ranks: Vec<String> =
            self.0.iter().rev().map(|rank| rank.iter().map(|&man| letter(man)).collect()).collect();
        format!("{} {}", ranks.join("/"), if side == Side::Red { 'w' } else { 'b' })
    }

    /// Returns the piece that, by the league rules, is hit by the piece that has just moved from `from` to `to`.
    fn first_hit(&self, from: Point, to: Point) -> Option<usize> {
        const HORSE: [Point; 8] = [(-1, 2), (1, 2), (-2, 1), (2, 1), (-2, -1), (2, -1), (-1, -2), (1, -2)];
        let man = self.at(to).unwrap();
        let targets: Vec<Point> = match man.kind {
            Kind::Horse => HORSE.into_iter().map(|(files, ranks)| (to.0 + files, to.1 + ranks)).collect(),
            Kind::Rook | Kind::Cannon => {
                let rays = if from.0 == to.0 { [(1, 0), (-1, 0)] } else { [(0, -1), (0, 1)] };
                let on_ray = |(files, ranks)| (1..10).map(move |n| (to.0 + n * files, to.1 + n * ranks));
                rays.into_iter().flat_map(on_ray).collect()
            }
            _ => Vec::new(),
        };
        let reached = targets.into_iter().filter(|&target| on_board(target) && self.goes(to, target));
        let mut men = reached.filter_map(|target| self.at(target).map(|victim| (target, victim)));
        let hit = men.find(|&(target, victim)| self.league_hits(man.kind, target, victim));
        hit.map(|(_, victim)| victim.number)
    }

    fn league_hits(&self, attacker: Kind, target: Point, victim: Man) -> bool {
        let protected = || {
            // A protector can capture on the square as if an enemy piece stood there.
            let mut board = self.clone();
            board.put(target, Some(Man { side: !victim.side, ..victim }));
            board.men(victim.side).into_iter().any(|(point, _)| board.goes(point, target))
        };
        let crossed_pawn = victim.kind == Kind::Pawn && rank_for(victim.side, target.1) >= 5;
        match attacker {
            Kind::Horse | Kind::Cannon if victim.kind == Kind::Rook => true,
            Kind::Horse => (victim.kind == Kind::Cannon || crossed_pawn) && !protected(),
            Kind::Rook => (matches!(victim.kind, Kind::Horse | Kind::Cannon) || crossed_pawn) && !protected(),
            Kind::Cannon => (victim.kind == Kind::Horse || crossed_pawn) && !protected(),
            _ => false,
        }
    }
}

fn face(man: Man) -> (Side, Kind) {
    (man.side, man.kind)
}

impl Game {
    pub(crate) fn new(fen: &str) -> Self {
        let (board, mover) = Board::from_fen(fen);
        Self { boards: vec![board], moves: Vec::new(), mover }
    }

    /// Plays a legal move; a capture discards all earlier positions.
    pub(crate) fn play(&mut self, from: Point, to: Point) {
        let last = self.boards.last().unwrap();
        let (captures, next) = (last.at(to).is_some(), last.moved(from, to));
        if captures {
            (self.boards, self.moves) = (Vec::new(), Vec::new());
        } else {
            self.moves.push((from, to));
        }
        self.boards.push(next);
        self.mover = !self.mover;
    }

    /// Judges the moves since the last position occurred `occurrence - 1` occurrences ago. Returns their number in plies and
    /// the conduct of red and black; `None` if the position has not occurred that often.
    pub(crate) fn judge(&self, occurrence: usize, law: Law) -> Option<(usize, [Deed; 2])> {
        let last = self.boards.len() - 1;
        let same = |&back: &usize| self.boards[last - back].looks_like(&self.boards[last]);
        let back = (2..=last).step_by(2).filter(same).nth(occurrence - 2)?;
        Some((back, [Side::Red, Side::Black].map(|side| self.deed(last - back, side, law))))
    }

    /// Returns the indices of the moves of `side` from the position with index `start` on.
    fn moves_of(&self, start: usize, side: Side) -> Vec<usize> {
        let plies = self.moves.len();
        let moved = |&index: &usize| (plies - index).is_multiple_of(2) == (side == self.mover);
        (start..plies).filter(moved).collect()
    }

    fn checks(&self, index: usize, side: Side) -> bool {
        !self.boards[index + 1].checkers(!side).is_empty()
    }

    fn deed(&self, start: usize, side: Side, law: Law) -> Deed {
        let moves = self.moves_of(start, side);
        if moves.iter().all(|&index| self.checks(index, side)) {
            return Deed::Check;
        }
        match law {
            Law::Checks => Deed::Idle,
            Law::FirstHits => self.chase(&moves, |index| self.tag(index, side)),
            Law::Chases(Reading::Asian) => {
                let pinned = self.chase(&moves, |index| {
                    let threatened = self.new_threats(index, side).into_iter();
                    threatened.filter(|&number| self.boards[index + 1].is_pinned_by_horse(number)).collect()
                });
                match pinned {
                    Deed::Chase(rooks) => Deed::ChaseOfPinnedRook(rooks),
                    _ => self.chase(&moves, |index| self.new_threats(index, side)),
                }
            }
            Law::Chases(Reading::Pikafish) => {
                let both = [Side::Red, Side::Black];
                let anyone_checks =
                    (start..self.moves.len()).any(|index| both.iter().any(|&by| self.checks(index, by)));
                if anyone_checks {
                    Deed::Idle
                } else {
                    self.chase(&moves, |index| self.victims_no_longer_safe(index, side))
                }
            }
            Law::Attacks(depth) => {
                let attacks = |&index: &usize| {
                    self.checks(index, side)
                        || !self.new_threats(index, side).is_empty()
                        || self.boards[index + 1].mates(side, depth)
                        || self.boards[index].checkers(side).is_empty()
                            && self.boards[index + 1].takes_after_check(side)
                            && !self.boards[index].takes_after_check(side)
                };
                if moves.iter().all(attacks) { Deed::Attack } else { Deed::Idle }
            }
        }
    }

    /// Returns the chase of all pieces that are `targets` of every one of `moves`; idle if there are none.
    fn chase(&self, moves: &[usize], targets: impl Fn(usize) -> BTreeSet<usize>) -> Deed {
        let sets = moves.iter().map(|&index| targets(index));
        let common = sets.reduce(|left, right| left.intersection(&right).copied().collect()).unwrap();
        let end = self.boards.last().unwrap();
        if common.is_empty() { Deed::Idle } else { Deed::Chase(common.into_iter().map(|man| end.find(man)).collect()) }
    }

    /// Returns the league's tag of a move: at most one piece.
    fn tag(&self, index: usize, side: Side) -> BTreeSet<usize> {
        let (from, to) = self.moves[index];
        let hit = if self.checks(index, side) { None } else { self.boards[index + 1].first_hit(from, to) };
        hit.into_iter().collect()
    }

    /// Returns the victims of the threats that a move made: pieces that were safe before, and pieces that the moving piece did
    /// not threaten before.
    fn new_threats(&self, index: usize, side: Side) -> BTreeSet<usize> {
        if self.checks(index, side) {
            return BTreeSet::new();
        }
        let mover = self.boards[index + 1].at(self.moves[index].1).unwrap().number;
        let (before, after) = (self.boards[index].threats(side), self.boards[index + 1].threats(side));
        let was_safe = |victim: usize| before.iter().all(|&(_, threatened)| threatened != victim);
        let made = after
            .iter()
            .filter(|&&(attacker, victim)| was_safe(victim) || attacker == mover && !before.contains(&(mover, victim)));
        made.map(|&(_, victim)| victim).collect()
    }

    /// Returns the pieces that could not be taken before a move and can be taken after it.
    fn victims_no_longer_safe(&self, index: usize, side: Side) -> BTreeSet<usize> {
        let victims =
            |pairs: BTreeSet<Pair>| -> BTreeSet<usize> { pairs.into_iter().map(|(_, victim)| victim).collect() };
        let before = victims(self.boards[index].threats(side));
        victims(self.boards[index + 1].threats(side)).difference(&before).copied().collect()
    }
}
