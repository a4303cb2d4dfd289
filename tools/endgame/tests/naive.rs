//! Compares the solver with a naive one, which finds every placement of every material by placing pieces on squares, and solves them
//! forwards on the engine's own board until nothing changes. The two share only the rules of the game.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chuhe::board::{Key, Kind, Piece, Position, Side, Square};
use chuhe::endgame::{Material, Outcome, Tables};
use chuhe_endgame::generate::{self, End, Settings};
use chuhe_endgame::mates;

/// Returns all positions with these pieces.
fn positions(pieces: &[Piece]) -> Vec<Position> {
    let mut found = vec![];
    put(pieces, &mut vec![], &mut found);
    found
}

/// Places the remaining pieces on all squares, identical ones in one order only.
fn put(pieces: &[Piece], standing: &mut Vec<(Square, Piece)>, found: &mut Vec<Position>) {
    let Some((&piece, rest)) = pieces.split_first() else {
        found.extend(Side::ALL.into_iter().filter_map(|side| Position::from_pieces(standing.clone(), side).ok()));
        return;
    };
    for square in Square::all() {
        let taken = standing.iter().any(|&(other, _)| other == square);
        let behind = standing.last().is_some_and(|&(other, twin)| twin == piece && other > square);
        let at_home = |low: usize| (low..low + 3).contains(&square.seen_by(piece.side()).rank());
        // The engine's board allows a pawn behind its first square, but no table has it.
        let at_its_king = matches!(piece.kind(), Kind::King | Kind::Advisor);
        let hopeless = at_its_king && !at_home(0)
            || piece.kind() == Kind::Pawn && at_home(0)
            || piece.kind() == Kind::Elephant && square.is_across_river(piece.side());
        if !taken && !behind && !hopeless {
            standing.push((square, piece));
            put(rest, standing, found);
            standing.pop();
        }
    }
}

/// Returns the pieces of a material, with the first side as Red.
fn pieces(material: Material) -> Vec<Piece> {
    let of = |side: Side| {
        let force = material.force(side);
        Kind::ALL.into_iter().flat_map(move |kind| vec![Piece::new(side, kind); force.count(kind).into()])
    };
    Side::ALL.into_iter().flat_map(of).collect()
}

/// Decided position: the winner wins within `plies`, all of them quiet but the last.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Known {
    outcome: Outcome,
    plies: u16,
}

struct Naive {
    /// Decided positions, by the engine's keys.
    known: HashMap<Key, Known>,
    /// Whether plies are counted to the mate, through captures.
    to_mate: bool,
}

/// Undecided position and its successors.
struct Open {
    key: Key,
    moves: Vec<Next>,
}

struct Next {
    key: Key,
    captured: bool,
}

impl Open {
    fn new(position: &Position) -> Self {
        let next = |&mv| {
            let next = position.play(mv);
            // Solved materials have the greater force as Red, so colours may be swapped.
            let next = if Material::of(&next).1 { next.colours_swapped() } else { next };
            Next { key: next.key(), captured: position.is_capture(mv) }
        };
        Self { key: position.key(), moves: position.legal_moves().iter().map(next).collect() }
    }
}

impl Naive {
    /// Solves a material whose conversions are solved.
    fn solve(&mut self, material: Material) {
        let mut open: Vec<Open> = positions(&pieces(material)).iter().map(Open::new).collect();
        for plies in 0..=u16::MAX {
            let decided = |open: &Open| Some((open.key, self.decided(open, plies)?));
            let new: Vec<_> = open.iter().filter_map(decided).collect();
            // Mates take no ply and captures one; every longer win needs one that is a ply shorter, perhaps after a capture.
            let longest = || self.known.values().map(|known| known.plies).max().unwrap_or(0);
            if new.is_empty() && plies > if self.to_mate { longest() } else { 1 } {
                break;
            }
            self.known.extend(new);
            open.retain(|open| !self.known.contains_key(&open.key));
        }
    }

    /// Returns the result of a position that is decided in exactly `plies`, when all shorter results are known.
    fn decided(&self, open: &Open, plies: u16) -> Option<Known> {
        let mut lost = true;
        let mut latest = 0;
        for next in &open.moves {
            let known = self.known.get(&next.key);
            match known.map(|known| (known.outcome, if next.captured && !self.to_mate { 0 } else { known.plies })) {
                Some((Outcome::Loss, before)) if before + 1 == plies => {
                    return Some(Known { outcome: Outcome::Win, plies });
                }
                Some((Outcome::Win, before)) => latest = latest.max(before + 1),
                _ => lost = false,
            }
        }
        (lost && latest == plies).then_some(Known { outcome: Outcome::Loss, plies })
    }
}

/// Generates the tables of a material and of all that it converts to.
fn tables(wanted: Material) -> Tables {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        materials: vec![wanted],
        folder: folder.path().to_owned(),
        threads: 2,
        memory: None,
        interval: Duration::from_secs(3600),
    };
    assert_eq!(generate::run(&settings, &AtomicBool::new(false)).unwrap(), End::Complete);
    let mut tables = Tables::empty();
    assert!(tables.add_folder(folder.path()).is_empty());
    tables
}

#[track_caller]
fn assert_agree(wanted: &str) -> usize {
    let wanted: Material = wanted.parse().unwrap();
    let tables = tables(wanted);
    let mut naive = Naive { known: HashMap::new(), to_mate: false };
    let mut compared = 0;
    for material in wanted.closure() {
        naive.solve(material);
        let distances = tables.distances(material).unwrap();
        let all = Side::ALL.map(|mover| distances.all(mover).unwrap());
        for position in positions(&pieces(material)) {
            let known = naive.known.get(&position.key());
            let fen = position.to_fen();
            let expected = known.map_or(Outcome::Draw, |known| known.outcome);
            for position in [position, position.colours_swapped()] {
                let found = tables.outcome(&position);
                let is_open = found == Some(Outcome::Open) && expected == Outcome::Draw;
                assert!(is_open || found == Some(expected), "{fen}: {found:?}, not {expected:?}");
            }
            let place = distances
                .index()
                .placement_of(&position, false)
                .and_then(|placement| distances.index().place(&placement));
            let plies = all[position.side().index()][place.unwrap().number as usize];
            assert_eq!(plies, known.map_or(0, |known| known.plies), "{fen}");
            // Unpacking a block takes long.
            if compared % 1000 == 0 {
                assert_eq!(tables.distance(&position.colours_swapped()), Some(plies), "{fen}");
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn a_horse_against_an_advisor_is_solved_as_a_naive_solver_does() {
    assert!(assert_agree("KN-KA") > 40_000);
}

#[test]
fn two_pawns_are_solved_as_a_naive_solver_does() {
    assert!(assert_agree("KPP-K") > 100_000);
}

#[test]
fn a_pawn_against_a_pawn_is_solved_as_a_naive_solver_does() {
    assert!(assert_agree("KP-KP") > 200_000);
}

#[test]
fn cannon_and_advisor_are_solved_as_a_naive_solver_does() {
    assert!(assert_agree("KCA-K") > 20_000);
}

#[test]
fn the_longest_mates_are_those_of_a_naive_solver() {
    for name in ["KR-KA", "KN-KA", "KPP-K"] {
        let wanted: Material = name.parse().unwrap();
        let mut naive = Naive { known: HashMap::new(), to_mate: true };
        wanted.closure().into_iter().for_each(|material| naive.solve(material));
        let mut longest = [0; 2];
        for position in positions(&pieces(wanted)) {
            let plies = naive.known.get(&position.key()).map_or(0, |known| known.plies);
            let longest = &mut longest[position.side().index()];
            *longest = plies.max(*longest);
        }
        assert!(longest.iter().all(|&plies| plies > 0));
        assert_eq!(mates::longest(&tables(wanted), wanted, 2).unwrap(), longest, "{name}");
    }
}
