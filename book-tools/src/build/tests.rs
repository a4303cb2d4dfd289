//! Games, tuples and groups give the same books.

use std::collections::HashMap;
use std::fs::{self, File};

use chuhe::board::{Position, START_FEN, Side};
use chuhe::book::Symmetry;
use chuhe_games::game::Outcome;
use chuhe_games::record::{Ending, EndingClass, GameRecord, GameResult, MoveRecord};

use super::intake::is_large_pgn;
use super::plan::NOTHING;
use super::*;
use crate::aggregate::Rules;
use crate::file::open_native;
use crate::tuple::{Points, tuples};

const GAMES: [&str; 3] = [
    "[RedElo \"2400\"]\n[BlackElo \"2000\"]\n1. h2e2 h9g7 2. h0g2 (2. c3c4) i9h9 1-0\n\n[A \"b\"]\n1. c3c4 0-1\n",
    "[A \"b\"]\n1. h2e2 h2e2 *\n[A \"c\"]\n1. b2e2 b9c7 1/2-1/2\n",
    "[A \"d\"]\n1. h2e2 h9g7 2. h0g2 i9h9 *\n",
];

pub(super) fn inputs(folder: &Path) -> Vec<PathBuf> {
    let write = |(index, text): (usize, &&str)| {
        let path = folder.join(format!("{index}.pgn"));
        fs::write(&path, text).unwrap();
        path
    };
    GAMES.iter().enumerate().map(write).collect()
}

pub(super) fn built(plan: &Plan, inputs: &[PathBuf], out: &Path) -> (Report, Vec<String>) {
    let mut faults = vec![];
    let report = build(plan, inputs, out, &ProgressBar::hidden(), &mut |fault| faults.push(fault.to_owned())).unwrap();
    (report, faults)
}

fn first_moves(path: &Path) -> Vec<(String, u16)> {
    let book = open_native(path).unwrap();
    book.verify().unwrap();
    book.candidates(&Position::start()).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
}

#[test]
fn games_become_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
    let (report, faults) = built(&Plan::default(), &inputs, &out);
    assert_eq!((report.games, report.faults, report.repeated), (4, 1, 0));
    assert!(faults[0].ends_with("1.pgn: line 2: game 1: ply 2: \"h2e2\" is not a legal move here"), "{faults:?}");
    // Central Cannon: a win, a draw and an unknown end, on either side; the Pawn lost its only game.
    assert_eq!(first_moves(&out), [("b2e2".to_owned(), 4), ("h2e2".to_owned(), 4)]);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn a_player_gets_a_book_from_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["a.pgn", "a.book"].map(|name| folder.path().join(name));
    let text = "[Red \"Me\"]\n[Black \"x\"]\n\n1. h2e2 h9g7 1-0\n\n[Red \"x\"]\n[Black \"me\"]\n\n1. c3c4 c6c5 1-0\n\n\
                [Red \"x\"]\n[Black \"y\"]\n\n1. g0e2 1-0\n";
    fs::write(&games, text).unwrap();
    let taken = |change: fn(&mut Plan)| {
        let mut plan = Plan { player: Some("ME".to_owned()), ..Plan::default() };
        plan.rules.worth = [1; 4];
        change(&mut plan);
        built(&plan, std::slice::from_ref(&games), &out).0.tuples
    };
    // Red's first move counts for both sides of the board.
    assert_eq!(taken(|_| {}), 2 + 1);
    assert_eq!(taken(|plan| plan.player_result = vec![Points::Win]), 2);
    assert_eq!(taken(|plan| plan.player_result = vec![Points::Loss, Points::Draw]), 1);
    assert_eq!(taken(|plan| plan.side = Some(Side::Black)), 1);
    let nobody = Plan { player: Some("mee".to_owned()), ..Plan::default() };
    let said = fault(&nobody, std::slice::from_ref(&games), &out);
    assert_eq!(said, format!("{NOTHING}; check the name of --player \"mee\""));
}

#[test]
fn the_journal_of_a_match_becomes_a_book_of_ones_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let [journal, out] = ["a.journal", "a.book"].map(|name| folder.path().join(name));
    let game = |red: &str, black: &str, moves: [&str; 2], result| GameRecord {
        number: 1,
        round: 1,
        red: red.to_owned(),
        black: black.to_owned(),
        start_fen: START_FEN.to_owned(),
        opening: None,
        opening_fen: None,
        opening_moves: vec![],
        moves: moves.map(|mv| MoveRecord { mv: mv.to_owned(), ..MoveRecord::default() }).to_vec(),
        result,
        ending: Ending::new(EndingClass::Resignation, "resigned"),
        started_at_ms: 0,
        duration_ms: 0,
        time_control: "1+0".to_owned(),
        killed: vec![],
    };
    let games = [
        game("Me", "x", ["h2e2", "h9g7"], GameResult::Red),
        game("Me", "x", ["h2e2", "b9c7"], GameResult::Draw),
        game("Me", "x", ["c3c4", "h9g7"], GameResult::Black),
        game("x", "Me", ["h2e2", "b9c7"], GameResult::Black),
    ];
    let lines = games.map(|game| serde_json::to_string(&game).unwrap() + "\n").concat();
    fs::write(&journal, format!("{{\"version\":\"1.0.0\",\"seed\":1}}\n{lines}")).unwrap();
    let made = |change: fn(&mut Plan)| {
        let mut plan = Plan { player: Some("me".to_owned()), symmetry: Symmetry::Mirror, ..Plan::default() };
        change(&mut plan);
        built(&plan, std::slice::from_ref(&journal), &out);
        let book = open_native(&out).unwrap();
        let reply = book.candidates(&Position::start().play("h2e2".parse().unwrap()));
        [first_moves(&out).len(), reply.len()]
    };
    // The cannon from either side, and the reply of the last game; the pawn has lost.
    assert_eq!(made(|_| {}), [2, 1]);
    assert_eq!(made(|plan| plan.rules.min_games = 2), [2, 0]);
    assert_eq!(made(|plan| plan.side = Some(Side::Black)), [0, 1]);
    assert_eq!(made(|plan| plan.player_result = vec![Points::Win]), [2, 1]);
    assert_eq!(made(|plan| plan.player_result = vec![Points::Draw]), [2, 0]);
}

#[test]
fn of_many_faults_ten_are_reported_and_none_quotes_at_length() {
    let folder = tempfile::tempdir().unwrap();
    let [many, few, out] = ["many.txt", "few.txt", "a.book"].map(|name| folder.path().join(name));
    let word = "马".repeat(10_000);
    fs::write(&many, format!("h2e2\n{}", format!("{word}\n").repeat(17))).unwrap();
    fs::write(&few, "h2e2 x\n".repeat(10)).unwrap();
    let (report, faults) = built(&Plan::default(), &[many.clone(), few.clone(), many.clone()], &out);
    assert_eq!((report.games, report.faults), (2, 44));
    assert_eq!(faults.len(), 11 + 10 + 11);
    for many_faults in [&faults[..11], &faults[21..]] {
        assert!(
            many_faults[..10].iter().all(|line| line.contains(&format!("\"{}…\"", "马".repeat(80)))),
            "{}",
            faults[0]
        );
        assert!(many_faults[..10].iter().all(|line| line.chars().filter(|c| *c == '马').count() == 80));
        assert_eq!(many_faults[10], format!("{}: 7 more", many.display()));
    }
    assert!(faults[11..21].iter().all(|line| line.starts_with(&few.display().to_string())), "{faults:?}");
}

#[test]
fn tuples_of_the_other_kind_of_book_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(folder.path());
    let (played, out) = (folder.path().join("a.tuples"), folder.path().join("a.book"));
    let (both, one_sided) = (Plan::default(), Plan { symmetry: Symmetry::Mirror, ..Plan::default() });
    for (mine, other, said) in [(&both, &one_sided, "without --one-sided"), (&one_sided, &both, "with --one-sided")] {
        write_tuples(mine, &inputs, &played, &ProgressBar::hidden(), &mut |_| ()).unwrap();
        let refused =
            build(other, std::slice::from_ref(&played), &out, &ProgressBar::hidden(), &mut |_| ()).unwrap_err();
        assert!(refused.to_string().ends_with(said) && !out.exists(), "{refused}");
        let book = |from: &[PathBuf]| {
            built(mine, from, &out);
            fs::read(&out).unwrap()
        };
        assert!(book(&inputs) == book(std::slice::from_ref(&played)));
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn every_filter_leaves_something_out() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, out) = (inputs(folder.path()), folder.path().join("a.book"));
    let count = |plan: Plan| built(&plan, &inputs, &out).0;
    let all = count(Plan::default()).tuples;
    assert_eq!(count(Plan { max_ply: 1, ..Plan::default() }).tuples, 2 * 4);
    assert_eq!(count(Plan { min_ply: 1, ..Plan::default() }).tuples, all - 2 * 4);
    assert_eq!(count(Plan { min_rating: 2100, ..Plan::default() }).tuples, 3);
    assert_eq!(count(Plan { only_finished: true, ..Plan::default() }).tuples, all - 5);
    let ended = |outcomes: &[Outcome]| count(Plan { outcomes: outcomes.to_vec(), ..Plan::default() }).tuples;
    assert_eq!(ended(&[Outcome::Drawn]), 3);
    assert_eq!(ended(&[Outcome::Won(Side::Red), Outcome::Won(Side::Black)]), 5 + 2);
    let all_lines = count(Plan { variations: true, ..Plan::default() });
    assert_eq!((all_lines.tuples, all_lines.variations, all_lines.broken), (all + 1, 1, 0));
    assert_eq!(count(Plan { side: Some(Side::Black), ..Plan::default() }).tuples, 5);
    assert_eq!(count(Plan { unique: true, ..Plan::default() }).repeated, 1);
}

#[test]
fn a_game_that_comes_again_is_wanted_if_the_first_one_was_not() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = ["a.pgn", "a.book"].map(|name| folder.path().join(name));
    let game = |tags: &str, result: &str| format!("{tags}\n1. h2e2 h9g7 {result}\n\n");
    let bare = game("[A \"1\"]", "*");
    let known = game("[RedElo \"2500\"]\n[BlackElo \"2500\"]", "1-0");
    let unique = Plan { unique: true, ..Plan::default() };
    let plans = [
        Plan { only_finished: true, ..unique.clone() },
        Plan { outcomes: vec![Outcome::Won(Side::Red)], ..unique.clone() },
        Plan { min_rating: 2000, ..unique },
    ];
    for plan in plans {
        fs::write(&path, [bare.as_str(), &known, &known].concat()).unwrap();
        let report = built(&plan, std::slice::from_ref(&path), &out).0;
        assert_eq!((report.games, report.unwanted, report.repeated), (1, 1, 1), "{plan:?}");
        fs::write(&path, &bare).unwrap();
        let before = fs::read(&out).unwrap();
        assert_eq!(fault(&plan, std::slice::from_ref(&path), &out), NOTHING, "{plan:?}");
        assert_eq!(fs::read(&out).unwrap(), before, "what is there stays");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_no_fault_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = inputs(folder.path());
    games.push(folder.path().join("missing.pgn"));
    for name in ["a.book", "a.tuples"] {
        let out = folder.path().join(name);
        let make = if name.ends_with("book") { build } else { write_tuples };
        let refused = make(&Plan::default(), &games, &out, &ProgressBar::hidden(), &mut |_| ()).unwrap_err();
        assert!(format!("{refused:#}").contains("missing.pgn: cannot be read"), "{refused:#}");
        assert!(!out.exists());
    }
}

#[test]
fn a_large_file_is_read_in_pieces_and_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [path, whole, pieces] = ["a.pgn", "whole", "pieces"].map(|name| folder.path().join(name));
    fs::write(&path, GAMES.join("\n").repeat(200)).unwrap();
    let small = Plan { memory: 1, ..Plan::default() };
    assert!(is_large_pgn(&path, small.piece()) && !is_large_pgn(&path, Plan::default().piece()));
    let inputs = [path];
    assert_eq!(built(&small, &inputs, &pieces), built(&Plan::default(), &inputs, &whole));
    assert_eq!(fs::read(&pieces).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn progress_counts_bytes_within_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = ["a.pgn", "a.book"].map(|name| folder.path().join(name));
    fs::write(&path, GAMES.join("\n").repeat(200)).unwrap();
    let size = fs::metadata(&path).unwrap().len();
    let small = Plan { memory: 1, ..Plan::default() };
    let bar = ProgressBar::hidden();
    let mut places = vec![];
    // One game of four has an error, which is reported while the file is read.
    build(&small, &[path], &out, &bar, &mut |_| places.push(bar.position())).unwrap();
    assert_eq!(bar.length(), Some(size));
    assert!(places.is_sorted() && places[0] > 0, "{places:?}");
    assert!(places[0] < places[places.len() - 1] && places[0] < size, "{places:?} of {size}");
}

#[test]
fn tuples_are_an_input_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tuples");
    let start = Position::start();
    let mv = "h2e2".parse().unwrap();
    let made = tuples(&start, mv, Symmetry::MirrorAndColours, 0, 0, Points::Win);
    fs::write(&path, bytemuck::cast_slice(&made)).unwrap();
    let out = folder.path().join("a.book");
    assert_eq!(built(&Plan::default(), &[path], &out).0.tuples, 2);
    assert_eq!(first_moves(&out), [("b2e2".to_owned(), 2), ("h2e2".to_owned(), 2)]);
}

fn tuples_written(plan: &Plan, inputs: &[PathBuf], out: &Path) -> Report {
    write_tuples(plan, inputs, out, &ProgressBar::hidden(), &mut |_| {}).unwrap()
}

fn fault(plan: &Plan, inputs: &[PathBuf], out: &Path) -> String {
    format!("{:#}", build(plan, inputs, out, &ProgressBar::hidden(), &mut |_| {}).unwrap_err())
}

/// Groups tuples like `GROUP BY key, move`, in an arbitrary order, and with some moves in two rows.
fn grouped(tuples: &[Tuple]) -> Vec<GroupRow> {
    let mut rows: HashMap<(u64, u16, bool), GroupRow> = HashMap::new();
    for tuple in tuples {
        let group = Group::new(tuple.key, tuple.mv());
        let row = rows.entry((tuple.key, tuple.mv(), tuple.ply() > 1)).or_insert(GroupRow {
            group,
            plies: (u16::MAX, 0),
            ratings: (u16::MAX, 0),
        });
        row.group.add(&Group::from(*tuple));
        row.plies = (row.plies.0.min(tuple.ply()), row.plies.1.max(tuple.ply()));
        row.ratings = (row.ratings.0.min(tuple.rating()), row.ratings.1.max(tuple.rating()));
    }
    rows.into_values().collect()
}

fn write_groups(path: &Path, tuples: &Path) {
    let mut found = vec![];
    columns::for_each_block(tuples, |block: &[Tuple]| {
        found.extend_from_slice(block);
        Ok(())
    })
    .unwrap();
    let mut writer = Writer::new(File::create(path).unwrap()).unwrap();
    writer.push(&grouped(&found)).unwrap();
    writer.finish().unwrap();
}

#[test]
fn tuples_and_groups_give_the_book_that_the_games_give() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name);
    let games = inputs(folder.path());
    let [direct, parquet, plain, groups, out] =
        ["direct", "a.parquet", "a.tuples", "groups.parquet", "out"].map(in_folder);
    let rules = Rules { min_games: 2, min_score: 40.0, max_moves: 1, worth: [5, 3, 1, 2] };
    for plan in [
        Plan::default(),
        Plan { rules, memory: 1, ..Plan::default() },
        Plan { min_ply: 1, max_ply: 3, only_finished: true, ..Plan::default() },
        Plan { min_rating: 2100, symmetry: Symmetry::Mirror, ..Plan::default() },
    ] {
        let (report, _) = built(&plan, &games, &direct);
        for tuples in [&plain, &parquet] {
            let written = tuples_written(&plan, &games, tuples);
            assert_eq!(written, Report { records: 0, worthless: 0, ..report.clone() });
            built(&plan, std::slice::from_ref(tuples), &out);
            assert!(fs::read(&out).unwrap() == fs::read(&direct).unwrap(), "{} {plan:?}", tuples.display());
        }
        write_groups(&groups, &parquet);
        let (of_groups, _) = built(&plan, std::slice::from_ref(&groups), &out);
        assert_eq!((of_groups.tuples, of_groups.records), (report.tuples, report.records));
        assert!(fs::read(&out).unwrap() == fs::read(&direct).unwrap(), "groups {plan:?}");
    }
}

#[test]
fn one_kind_of_tuples_becomes_the_other_and_is_filtered_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let games = inputs(folder.path());
    let [parquet, plain, again] = ["a.parquet", "a.tuples", "b.tuples"].map(|name| folder.path().join(name));
    let (all, part) = (Plan::default(), Plan { max_ply: 2, ..Plan::default() });
    tuples_written(&all, &games, &parquet);
    tuples_written(&part, &[parquet], &again);
    tuples_written(&part, &games, &plain);
    assert_eq!(fs::read(&plain).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn groups_cannot_be_taken_apart() {
    let folder = tempfile::tempdir().unwrap();
    let games = inputs(folder.path());
    let [tuples, groups, out] = ["a.parquet", "groups.parquet", "out"].map(|name| folder.path().join(name));
    tuples_written(&Plan::default(), &games, &tuples);
    let group = Group::from(Tuple::new(7, 8, 0, 0, Points::Win));
    let mut writer = Writer::new(File::create(&groups).unwrap()).unwrap();
    writer.push(&[GroupRow { group, plies: (0, 7), ratings: (0, 2400) }]).unwrap();
    writer.finish().unwrap();
    let only_groups = std::slice::from_ref(&groups);
    let said = |plan: Plan| fault(&plan, only_groups, &out);
    assert!(
        said(Plan { max_ply: 1, min_ply: 0, ..Plan::default() }).contains("groups.parquet: a group of plies 0 to 7")
    );
    assert!(
        said(Plan { min_rating: 2300, ..Plan::default() }).contains("groups.parquet: a group of ratings 0 to 2400")
    );
    assert!(said(Plan { side: Some(Side::Red), ..Plan::default() }).contains("--colour"));
    let refused = fault(&Plan { unique: true, ..Plan::default() }, std::slice::from_ref(&tuples), &out);
    assert!(refused.starts_with(&format!("{}: --colour, --player, --result", tuples.display())), "{refused}");
    assert_eq!(said(Plan { max_ply: 90, min_ply: 80, ..Plan::default() }), NOTHING);
    let mixed = fault(&Plan::default(), &[groups.clone(), tuples.clone()], &out);
    assert!(mixed.ends_with("a.parquet does not: build two books and merge them"), "{mixed}");
    let write = |inputs: &[PathBuf], out: &Path| {
        let written = write_tuples(&Plan::default(), inputs, out, &ProgressBar::hidden(), &mut |_| {});
        format!("{:#}", written.unwrap_err())
    };
    assert!(write(only_groups, &folder.path().join("b.tuples")).contains("cannot be taken apart"));
    assert!(write(&games, &out).ends_with("out: ends neither with .parquet nor with .tuples"));
    fs::write(&tuples, "no Parquet").unwrap();
    assert!(
        fault(&Plan::default(), std::slice::from_ref(&tuples), &out).starts_with(&format!("{}: ", tuples.display()))
    );
}
