//! The engine with made-up endgame tablebases: whether it plays as they say shows whether it probes them.
#![cfg(feature = "engine")]

mod support;

use std::fs::File;
use std::path::Path;

use chuhe::board::{Position, Side, Square};
use chuhe::endgame::{DISTANCES_EXTENSION, Index, Outcome, RESULTS_EXTENSION, write_distances, write_results};
use chuhe::engine::event::{Command, Go, Limits, Reply};
use chuhe::score::Score;
use support::engine::{depth, mv};
use support::test_engine::{Answer, TestEngine};

/// A position in which the rook on e1 can reach one square of rank 5.
const ROOK_ON_E1: &str = "5k3/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1";
/// A position in which the rook mates on the king's file.
const MATE_ON_D5: &str = "9/3k5/9/9/R8/9/9/9/9/4K4 w - - 0 1";

/// Writes tablebases of one attacker against a king. With black to move, the outcome and the plies are those that `said`
/// gives for the attacker's square; `said` must be symmetric between left and right.
fn write_tables(folder: &Path, material: &str, said: impl Fn(Square) -> (Outcome, u16)) {
    let index = Index::new(material.parse().unwrap()).unwrap();
    let said = |mover, number| match mover {
        Side::Red => (Outcome::Draw, 0),
        Side::Black => said(index.placement(number).attackers[0]),
    };
    let file = |ending: &str| File::create(folder.join(material).with_extension(ending)).unwrap();
    write_results(&mut file(RESULTS_EXTENSION), &index, |mover, number| Some(said(mover, number).0)).unwrap();
    write_distances(&mut file(DISTANCES_EXTENSION), &index, |mover, number| said(mover, number).1).unwrap();
}

/// Black loses if the rook is on rank 5, soonest in the middle.
fn rank_five_wins(rook: Square) -> (Outcome, u16) {
    let plies = 2 + 2 * rook.file().abs_diff(4) as u16;
    if rook.rank() == 5 { (Outcome::Loss, plies) } else { (Outcome::Draw, 0) }
}

/// Black wins if the rook is on a file next to the middle one.
fn the_kings_files_lose(rook: Square) -> (Outcome, u16) {
    if matches!(rook.file(), 3 | 5) { (Outcome::Win, 9) } else { (Outcome::Draw, 0) }
}

struct Table {
    folder: tempfile::TempDir,
}

impl Table {
    fn of(said: impl Fn(Square) -> (Outcome, u16)) -> Self {
        Self::of_material("KR-K", said)
    }

    fn of_material(material: &str, said: impl Fn(Square) -> (Outcome, u16)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_tables(folder.path(), material, said);
        Self { folder }
    }

    fn path(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    /// Returns the answer to `go` in the position `fen`, with this tablebase and these additional options.
    fn go(&self, options: &[(&str, &str)], fen: &str, go: Go) -> Answer {
        let engine = TestEngine::with(options);
        engine.set("egtbpaths", self.path());
        engine.position(fen, "");
        engine.go(go)
    }
}

fn hits(answer: &Answer) -> u64 {
    answer.infos().iter().map(|info| info.effort.table_hits).max().unwrap()
}

#[test]
fn a_move_that_a_table_says_to_win_is_played() {
    let table = Table::of(rank_five_wins);
    let answer = table.go(&[], ROOK_ON_E1, depth(2));
    let moves = Position::from_fen(ROOK_ON_E1).unwrap().count_legal_moves();
    assert_eq!((answer.best, hits(&answer)), (mv("e1e5"), moves));
    let answer = table.go(&[("UseEgtb", "false")], ROOK_ON_E1, depth(2));
    assert_eq!(hits(&answer), 0);
    assert_ne!(answer.best, mv("e1e5"), "nothing else speaks for it");
}

#[test]
fn of_moves_that_win_the_quickest_is_played() {
    let table = Table::of(rank_five_wins);
    let along_rank_five = "5k3/9/9/9/R8/9/9/9/9/3K5 w - - 0 1";
    assert_eq!(table.go(&[], along_rank_five, depth(2)).best, mv("a5e5"));
}

#[test]
fn a_move_that_a_table_says_to_lose_is_not_played() {
    let table = Table::of(the_kings_files_lose);
    assert_ne!(table.go(&[], MATE_ON_D5, depth(3)).best, mv("a5d5"));
    for options in [("useegtb", "false"), ("UCI_LimitStrength", "true")] {
        assert_eq!(table.go(&[options], MATE_ON_D5, depth(3)).best, mv("a5d5"), "{options:?}");
    }
}

#[test]
fn who_looks_into_a_position_or_wants_several_lines_sees_all_its_moves() {
    let table = Table::of(the_kings_files_lose);
    for analysing in ["true", "false"] {
        let options = [("multipv", "3"), ("UCI_AnalyseMode", analysing)];
        let answer = Table::of(rank_five_wins).go(&options, ROOK_ON_E1, depth(2));
        assert_eq!(answer.infos().iter().map(|info| info.iteration.pv_index).max(), Some(3), "analysing: {analysing}");
    }
    let mate = Go { limits: Limits { mate: Some(1), ..Limits::default() }, ..Go::default() };
    assert_eq!(table.go(&[], MATE_ON_D5, mate).best, mv("a5d5"));
}

/// A position in which the horse can take a pawn, which leads to the tablebase's material, and in which no mate is near.
const HORSE_AGAINST_PAWN: &str = "9/5k3/9/2N6/p8/9/9/9/9/3K5 w - - 0 1";

fn score(answer: &Answer) -> Score {
    answer.last().iteration.score
}

#[test]
fn what_a_capture_leads_to_is_known_in_the_tree() {
    // In analysis mode the root moves are not probed.
    let value = |options: &[(&str, &str)], outcome, plies| {
        let table = Table::of_material("KN-K", |_| (outcome, plies));
        let options = [&[("UCI_AnalyseMode", "true")][..], options].concat();
        let answer = table.go(&options, HORSE_AGAINST_PAWN, depth(3));
        (score(&answer), hits(&answer) > 0)
    };
    let (won, known) = value(&[], Outcome::Loss, 40);
    assert!(won.is_known() && won > Score::DRAW && known, "{won:?}");
    let (alone, known) = value(&[("useegtb", "false")], Outcome::Loss, 40);
    assert!(!alone.is_decisive() && !known, "{alone:?}");
    let (slow, _) = value(&[], Outcome::Loss, 200);
    assert!(!slow.is_decisive(), "{slow:?}: too late for the move limit");
    let (drawn, known) = value(&[], Outcome::Draw, 0);
    assert!(!drawn.is_decisive() && known, "{drawn:?}");
    // In a game, the winning move is played and reported as a win.
    let table = Table::of_material("KN-K", |_| (Outcome::Loss, 40));
    let answer = table.go(&[], HORSE_AGAINST_PAWN, depth(3));
    assert!(answer.best == mv("c6a5") && score(&answer).is_known(), "{:?}", score(&answer));
}

#[test]
fn what_is_known_of_the_root_is_said_of_it() {
    let textbook = "2bakab2/9/9/9/9/9/9/9/4A4/R2K5 b - - 0 1";
    let bare = "3aka3/9/b3b4/9/9/9/9/9/9/R2K5 b - - 0 1";
    let value = |options: &[(&str, &str)], fen: &str| {
        let engine = TestEngine::with(options);
        engine.position(fen, "");
        score(&engine.go(depth(6)))
    };
    assert_eq!(value(&[], bare), Score::DRAW, "by the table in the program");
    assert!(value(&[("useegtb", "false")], bare) < Score::DRAW);
    assert!(value(&[("UCI_AnalyseMode", "true")], bare) == Score::DRAW, "who looks into it learns that too");
    assert!(!value(&[], textbook).is_known(), "no table knows it");
    let won = "3k5/4a4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    assert!(value(&[], won).is_decisive() && value(&[], won) > Score::DRAW);
}

#[test]
fn every_file_that_cannot_be_used_is_one_line_and_the_game_goes_on() {
    let table = Table::of(the_kings_files_lose);
    let path = |name: &str| table.folder.path().join(name);
    std::fs::write(path("KN-K.wdl"), b"no table").unwrap();
    std::fs::write(path("KP-K.wdl"), &std::fs::read(path("KR-K.wdl")).unwrap()[..300]).unwrap();
    let mut damaged = std::fs::read(path("KR-K.wdl")).unwrap();
    damaged[400] ^= 8;
    std::fs::write(path("KR-K.wdl"), damaged).unwrap();
    let engine = TestEngine::start();
    engine.send(Command::SetOption {
        name: "egtbpaths".into(),
        value: format!("{};{}", table.path(), path("missing").display()).into(),
    });
    engine.send(Command::IsReady);
    let said: Vec<String> = std::iter::from_fn(|| match engine.next() {
        Reply::Message(line) => Some(line),
        _ => None,
    })
    .collect();
    assert_eq!(said.len(), 4, "{said:?}");
    for (line, fault) in said.iter().zip(["foreign", "truncated", "altered", "cannot be read"]) {
        assert!(line.contains(fault), "{line}");
    }
    engine.position(MATE_ON_D5, "");
    assert_eq!(engine.go(depth(3)).best, mv("a5d5"));
}

#[test]
fn what_is_drawn_by_the_textbook_is_worth_less_than_what_is_won() {
    // Without tablebases, the rule for lone cannons and the endgame scaling decide.
    let value = |knowledge: &str, fen: &str| {
        let engine = TestEngine::with(&[("useegtb", "false"), ("knowledge", knowledge)]);
        engine.position(fen, "");
        score(&engine.go(depth(8)))
    };
    let drawn = [
        ("rook against all", "2bakab2/9/9/9/9/9/9/9/9/R2K5 w - - 0 1"),
        ("rook and elephants against all", "2bakab2/9/9/9/9/9/9/9/3K5/R1B3B2 w - - 0 1"),
        ("horse against an elephant", "4k4/9/4b4/9/9/9/9/9/9/N2K5 w - - 0 1"),
        ("cannon and elephants against nothing", "4k4/9/9/9/9/9/9/9/9/C1BK2B2 w - - 0 1"),
        ("horse and pawn against all", "2bakab2/9/9/9/4P4/9/9/9/9/N2K5 w - - 0 1"),
    ];
    let won = [
        ("cannon and advisor against an advisor", "3k1a3/9/9/9/9/9/9/9/4A4/C3K4 w - - 0 1"),
        ("cannon and advisor against nothing", "4k4/9/9/9/9/9/9/9/4A4/C3K4 w - - 0 1"),
    ];
    let values = |knowledge| {
        let sorted = |positions: &[(&'static str, &str)]| {
            let mut values: Vec<_> = positions.iter().map(|&(name, fen)| (value(knowledge, fen), name)).collect();
            values.sort_unstable();
            values
        };
        (sorted(&drawn), sorted(&won))
    };
    // The differences of the network's values vary; margins are checked only where a new network does not change them.
    let (drawn_nnue, won_nnue) = values("large");
    assert!(drawn_nnue.last() < won_nnue.first(), "{drawn_nnue:?} {won_nnue:?}");
    let (drawn, won) = values("medium");
    assert!(drawn[drawn.len() - 1].0 + 200 < won[0].0, "{drawn:?} {won:?}");
    let little = Score::DRAW..=Score::from_eval(350);
    assert!(drawn.iter().all(|(value, _)| little.contains(value)), "{drawn:?}");
}
