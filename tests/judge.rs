//! The repetition judge against a slow second implementation, and against itself with the board mirrored, on random loops:
//! known ones with other pieces around them, and random walks that prefer to check, to attack and to go back.

mod support;

use std::collections::BTreeMap;

use chuhe::board::{Move, Piece, Position, Side, Square};
use chuhe::rules::{Conduct, Ending, Loop, RuleSet, Rules, judge};
use chuhe::splitmix::SplitMix64;
use support::naive_judge::{Deed, Game, Law, Point, Reading};

/// Move limit that no game reaches, so that loops alone decide.
const NO_LIMIT: u16 = 20_000;

/// Number of loops judged from each source.
const LOOPS: usize = if cfg!(miri) { 2 } else { 1500 };

/// One loop in this many is also judged by the Chinese rules, for which the second judge has to search for mates.
const CHINESE_EVERY: usize = 8;

/// Depth in checks to which [`RuleSet::Chinese`] looks for mates.
const MATE_THREAT_DEPTH: usize = 3;

/// A game whose last position has occurred before.
struct Played {
    fen: String,
    moves: Vec<Move>,
    history: Vec<Position>,
}

impl Played {
    fn start(position: Position) -> Self {
        Self { fen: position.to_fen(), moves: Vec::new(), history: vec![position] }
    }

    fn last(&self) -> Position {
        self.history[self.history.len() - 1]
    }

    fn play(&mut self, mv: Move) {
        self.history.push(self.last().play(mv));
        self.moves.push(mv);
    }

    fn text(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        format!("{} moves {}", self.fen, moves.join(" "))
    }

    fn repeats(&self) -> bool {
        self.history[..self.history.len() - 1].iter().any(|earlier| earlier.key() == self.last().key())
    }
}

fn point(square: Square) -> Point {
    (square.file() as i32, square.rank() as i32)
}

fn law(set: RuleSet) -> Option<Law> {
    match set {
        RuleSet::League => Some(Law::FirstHits),
        RuleSet::Asian => Some(Law::Chases(Reading::Asian)),
        RuleSet::Pikafish => Some(Law::Chases(Reading::Pikafish)),
        RuleSet::CheckBan => Some(Law::Checks),
        RuleSet::Chinese => Some(Law::Attacks(MATE_THREAT_DEPTH)),
        RuleSet::AlwaysDraw => None,
    }
}

fn rules(set: RuleSet, occurrence: usize) -> Rules {
    set.rules().judging_at(occurrence).with_limit(NO_LIMIT)
}

fn judged(history: &[Position], set: RuleSet, occurrence: usize) -> Option<Loop> {
    match judge(history, &rules(set, occurrence))?.ending {
        Ending::Repetition(judged) => Some(judged),
        Ending::Checkmate | Ending::Stalemate | Ending::MoveLimit | Ending::NoAttackers => None,
    }
}

fn agree(conduct: Conduct, deed: &Deed) -> bool {
    match (conduct, deed) {
        (Conduct::Idle, Deed::Idle) | (Conduct::Attack, Deed::Attack) | (Conduct::Check, Deed::Check) => true,
        (Conduct::Chase(square), Deed::Chase(chased)) => chased.contains(&point(square)),
        (Conduct::ChaseOfPinnedRook(square), Deed::ChaseOfPinnedRook(rooks)) => rooks.contains(&point(square)),
        _ => false,
    }
}

/// Checks that both judges agree on the last position, and counts their verdicts in `seen`.
fn compare(played: &Played, set: RuleSet, seen: &mut BTreeMap<String, usize>) {
    let Some(law) = law(set) else { return };
    let mut game = Game::new(&played.fen);
    for mv in &played.moves {
        game.play(point(mv.from()), point(mv.to()));
    }
    for occurrence in 2..=4 {
        let fast = judged(&played.history, set, occurrence);
        let Some((plies, mut deeds)) = game.judge(occurrence, law) else {
            assert_eq!(fast, None, "{set:?} at occurrence {occurrence}: {}", played.text());
            return;
        };
        if deeds.contains(&Deed::Check) {
            // Perpetual check is the worst offence, so the other side's conduct is not examined.
            deeds = deeds.map(|deed| if deed == Deed::Check { deed } else { Deed::Idle });
        }
        let fast = fast.unwrap_or_else(|| panic!("{set:?} sees no loop: {}", played.text()));
        let agreed =
            fast.plies == plies && fast.conduct.iter().zip(&deeds).all(|(&conduct, deed)| agree(conduct, deed));
        assert!(agreed, "{set:?}: {fast:?}, but slowly {plies} {deeds:?}: {}", played.text());
        *seen.entry(format!("{set:?} {}", fast.name())).or_default() += 1;
    }
}

/// Returns every known loop: a position, and the moves that end with its second or fourth occurrence.
fn known_loops() -> Vec<(Position, Vec<Move>)> {
    let lines = include_str!("data/repetition.tsv").lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let mut columns = line.split('\t');
        let position = Position::from_fen(columns.next().unwrap()).unwrap();
        let moves = columns.next().unwrap().split(' ').map(|text| text.parse().unwrap());
        (position, moves.collect())
    };
    let loops: Vec<_> = lines.map(read).collect();
    assert!(loops.len() > 300, "{} loops", loops.len());
    loops
}

/// Returns the position with a few pieces removed, added or moved, or the position itself if the result would be illegal.
fn altered(position: Position, random: &mut SplitMix64) -> Position {
    let mut board: Vec<Option<Piece>> = Square::all().map(|square| position.piece_on(square)).collect();
    for _ in 0..1 + random.below(3) {
        let square = random.below(board.len());
        let piece = random.pick(&Piece::ALL);
        match (random.below(3), board[square]) {
            (_, None) => board[square] = Some(piece),
            (0, Some(_)) => board[square] = None,
            (1, Some(_)) => board[square] = Some(piece),
            (_, Some(_)) => {
                let other = random.below(board.len());
                board.swap(square, other);
            }
        }
    }
    let letter = |rank: usize, file: usize| board[Square::new(file, rank).index()].map_or('1', Piece::letter);
    let ranks: Vec<String> = (0..10).rev().map(|rank| (0..9).map(|file| letter(rank, file)).collect()).collect();
    let side = if position.side() == Side::Red { 'w' } else { 'b' };
    Position::from_fen(&format!("{} {side}", ranks.join("/"))).unwrap_or(position)
}

/// Plays the moves from the position; none if one of them is illegal or a capture.
fn replayed(position: Position, moves: &[Move]) -> Option<Played> {
    let mut played = Played::start(position);
    for &mv in moves {
        let last = played.last();
        if !last.is_legal(mv) || last.is_capture(mv) {
            return None;
        }
        played.play(mv);
    }
    played.repeats().then_some(played)
}

/// Returns known loops with other pieces around them.
fn altered_loops(seed: u64, count: usize) -> Vec<Played> {
    let (known, mut random) = (known_loops(), SplitMix64::new(seed));
    let mut found = Vec::new();
    while found.len() < count {
        let (position, moves) = &known[random.below(known.len())];
        found.extend(replayed(altered(*position, &mut random), moves));
    }
    found
}

/// Picks a quiet move that goes back, checks, attacks, or does none of these.
fn step(played: &Played, random: &mut SplitMix64) -> Option<Move> {
    let position = played.last();
    let quiets = position.quiets();
    let back = played.moves.iter().rev().nth(1).map(|mv| Move::new(mv.to(), mv.from()));
    let attacks = |mv: Move| {
        let after = position.play(mv);
        let piece = after.piece_on(mv.to()).unwrap();
        (after.reach(piece, mv.to()) & after.of_side(after.side())).any()
    };
    let liked: Vec<Move> = match random.below(8) {
        0..=3 => quiets.iter().copied().filter(|&mv| Some(mv) == back).collect(),
        4 => quiets.iter().copied().filter(|&mv| position.gives_check(mv)).collect(),
        5 | 6 => quiets.iter().copied().filter(|&mv| attacks(mv)).collect(),
        _ => Vec::new(),
    };
    let choices = if liked.is_empty() { quiets.to_vec() } else { liked };
    (!choices.is_empty()).then(|| random.pick(&choices))
}

/// Returns random walks that end with a repeated position.
fn walked_loops(seed: u64, count: usize) -> Vec<Played> {
    const LONGEST_WALK: usize = 40;
    let (known, mut random) = (known_loops(), SplitMix64::new(seed));
    let mut found = Vec::new();
    while found.len() < count {
        let (position, _) = &known[random.below(known.len())];
        let mut played = Played::start(altered(*position, &mut random));
        let plies = 8 + random.below(LONGEST_WALK);
        while let Some(mv) = step(&played, &mut random) {
            played.play(mv);
            if played.moves.len() >= plies && played.repeats() {
                found.push(played);
                break;
            }
            if played.moves.len() > 2 * LONGEST_WALK {
                break;
            }
        }
    }
    found
}

fn loops() -> Vec<Played> {
    let mut all = altered_loops(1, LOOPS);
    all.extend(walked_loops(2, LOOPS));
    all
}

#[test]
fn two_judges_agree_on_every_loop() {
    let mut seen = BTreeMap::new();
    for (index, played) in loops().iter().enumerate() {
        for set in RuleSet::ALL {
            if set != RuleSet::Chinese || index % CHINESE_EVERY == 0 {
                compare(played, set, &mut seen);
            }
        }
    }
    println!("{seen:#?}");
    let expected = [
        "League perpetual check",
        "League perpetual chase",
        "League repetition",
        "Asian perpetual check",
        "Asian perpetual chase",
        "Asian perpetual chase of a pinned rook",
        "Asian mutual perpetual chase",
        "Asian repetition",
        "Pikafish perpetual check",
        "Pikafish perpetual chase",
        "Pikafish mutual perpetual chase",
        "Pikafish repetition",
        "Chinese perpetual attack",
        "Chinese mutual perpetual attack",
        "Chinese repetition",
        "CheckBan perpetual check",
        "CheckBan mutual perpetual check",
        "CheckBan repetition",
    ];
    let missing: Vec<_> = expected.into_iter().filter(|name| !seen.contains_key(*name)).collect();
    assert!(missing.is_empty() || cfg!(miri), "chance made no {missing:?}");
}

fn loser(history: &[Position], set: RuleSet) -> Option<Side> {
    judged(history, set, 2).expect("the last position stands for the second time").loser()
}

#[test]
fn a_verdict_keeps_in_the_mirror_and_follows_the_colours() {
    for played in loops() {
        let mirrored: Vec<Position> = played.history.iter().map(Position::mirrored).collect();
        let swapped: Vec<Position> = played.history.iter().map(Position::colours_swapped).collect();
        // The league rules look for the first hit in a fixed order, right before left and up before down, which is not symmetric.
        for set in RuleSet::ALL.into_iter().filter(|&set| set != RuleSet::League) {
            let verdict = loser(&played.history, set);
            assert_eq!(loser(&mirrored, set), verdict, "{set:?}: {}", played.text());
            assert_eq!(loser(&swapped, set), verdict.map(|side| !side), "{set:?}: {}", played.text());
        }
    }
}

#[test]
fn a_verdict_does_not_depend_on_where_the_loop_is_closed() {
    let mut turned = 0;
    for played in loops() {
        let plies = judged(&played.history, RuleSet::Asian, 2).unwrap().plies;
        let circle = &played.moves[played.moves.len() - plies..];
        let visited = &played.history[played.history.len() - plies..];
        let visits_twice = visited
            .iter()
            .enumerate()
            .any(|(index, position)| visited[..index].iter().any(|earlier| earlier.key() == position.key()));
        if visits_twice {
            continue;
        }
        turned += 1;
        let mut further = Played { history: visited[plies - 1..].to_vec(), ..Played::start(played.last()) };
        circle.iter().for_each(|&mv| further.play(mv));
        let verdicts = |played: &Played| RuleSet::ALL.map(|set| loser(&played.history, set));
        let verdict = verdicts(&played);
        for &mv in circle {
            further.play(mv);
            assert_eq!(verdicts(&further), verdict, "{}", further.text());
        }
    }
    assert!(turned > LOOPS / 2, "{turned} simple loops");
}
