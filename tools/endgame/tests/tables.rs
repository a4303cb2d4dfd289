//! Tests tables as a whole: their contents on the full board, resumed runs, and the detection of false entries.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chuhe::board::Side;
use chuhe::endgame::{Material, Outcome, Tables, write_results};
use chuhe_endgame::generate::{self, End, Settings};
use chuhe_endgame::probe::Form;
use chuhe_endgame::progress::Progress;
use chuhe_endgame::{checksums, folder, mates, pack, probe, stats, verify};
use twox_hash::XxHash3_64;

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

fn generate(folder: &Path, materials: &[&str], cancelled: bool) -> End {
    generate_within(folder, materials, None, cancelled)
}

/// Generates tables with a limit of the memory in bytes.
fn generate_within(folder: &Path, materials: &[&str], memory: Option<u64>, cancelled: bool) -> End {
    let settings = Settings {
        materials: materials.iter().map(|text| material(text)).collect(),
        folder: folder.to_owned(),
        threads: 2,
        memory,
        interval: Duration::from_secs(3600),
    };
    generate::run(&settings, &AtomicBool::new(cancelled)).unwrap()
}

/// Counts won, lost, drawn and open placements, with the first and with the second side to move.
fn counts(folder: &Path, name: &str) -> [[u64; 4]; 2] {
    let tables = folder::read(folder).unwrap();
    let counts = stats::count(tables.results(material(name)).unwrap(), 2);
    counts.map(|counts| [Outcome::Win, Outcome::Loss, Outcome::Draw, Outcome::Open].map(|outcome| counts.of(outcome)))
}

/// Returns the faults that verification reports.
fn faults(folder: &Path, materials: &[&str]) -> String {
    let materials: Vec<Material> = materials.iter().map(|text| material(text)).collect();
    let mut faults = vec![];
    let progress = Progress::new(0, 0, Duration::from_secs(3600));
    let checked = verify::run(folder, &materials, 2, progress, &mut faults);
    assert_eq!(checked.is_ok(), faults.is_empty());
    String::from_utf8(faults).unwrap()
}

#[test]
fn a_rook_against_a_rook_or_all_defenders_is_won_as_often_as_is_known() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(generate(folder.path(), &["KR-KR", "KR-KAABB"], false), End::Complete);
    assert_eq!(counts(folder.path(), "KR-KR"), [[139_671, 14_400, 193_950, 0]; 2]);
    assert_eq!(counts(folder.path(), "KR-KAABB"), [[590_094, 0, 129_438, 0], [0, 432_474, 408_288, 0]]);
    assert_eq!(faults(folder.path(), &["KR-K", "KR-KAB", "KR-KR"]), "");
    let tables = folder::read(folder.path()).unwrap();
    assert_eq!(mates::longest(&tables, material("KR-KAABB"), 2).unwrap(), [63, 64]);
}

#[test]
fn what_is_held_against_a_rook_by_checks_alone_is_open() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(generate(folder.path(), &["KR-KN", "KR-KNA", "KR-KCA"], false), End::Complete);
    for (name, expected) in [("KR-KN", 3_194), ("KR-KNA", 13_826), ("KR-KCA", 540), ("KR-KC", 0)] {
        let [rook, other] = counts(folder.path(), name);
        assert_eq!(rook[3] + other[3], expected, "{name}");
    }
    assert_eq!(faults(folder.path(), &["KR-KN"]), "");
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_killed_run_has_begun_is_removed_when_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for begun in ["KP-K.wdl.unfinished-killedkilled", "KP-K.dtc.unfinished-AbCd12EfGh34"] {
        fs::write(folder.path().join(begun), "half").unwrap();
    }
    assert_eq!(generate(folder.path(), &["KP-K"], false), End::Complete);
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder.path()).unwrap().map(name).collect();
    names.sort();
    assert_eq!(names, ["KP-K.dtc", "KP-K.wdl"]);
}

#[test]
fn a_limit_of_the_memory_changes_no_byte() {
    let [whole, paged] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    // Open draws, two pawns, a side without attackers.
    let materials = ["KR-KN", "KPP-KA", "KN-KAAB"];
    assert_eq!(generate(whole.path(), &materials, false), End::Complete);
    // A quarter of a table at most, and less than 256 pages.
    assert_eq!(generate_within(paged.path(), &materials, Some(1 << 20), false), End::Complete);
    let mut names: Vec<_> = fs::read_dir(whole.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert!(names.len() > 20);
    for name in &names {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(read(whole.path()) == read(paged.path()), "{name:?}");
    }
    assert_eq!(fs::read_dir(paged.path()).unwrap().count(), names.len(), "no scratch file is left");
    assert_eq!(generate_within(paged.path(), &["KR-KC"], Some(1 << 20), true), End::Interrupted);
}

#[test]
fn what_is_packed_says_the_same_of_results_and_losses() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), &["KR-KA", "KP-KP"], false);
    let out = folder.path().join("packed");
    let mut printed = vec![];
    pack::run(folder.path(), &[material("KR-KA"), material("KP-KP")], &out, &mut printed).unwrap();
    assert!(String::from_utf8(printed).unwrap().starts_with("KP-K: "));
    let archive = fs::read(&out).unwrap();
    let (whole, mut packed) = (folder::read(folder.path()).unwrap(), Tables::empty());
    packed.add_archive(&archive).unwrap();
    assert_eq!(packed.len(), whole.len());
    let mut losses = 0;
    for name in ["KR-K", "KR-KA", "KP-K", "KP-KP"] {
        let index = whole.results(material(name)).unwrap().index();
        for number in (0..index.size()).step_by(3) {
            for position in Side::ALL.into_iter().filter_map(|mover| index.position(&index.placement(number), mover)) {
                let outcome = whole.outcome(&position);
                assert_eq!(packed.outcome(&position), outcome, "{}", position.to_fen());
                let is_lost = outcome == Some(Outcome::Loss);
                let distance = whole.distance(&position).filter(|_| is_lost);
                assert_eq!(packed.distance(&position), distance, "{}", position.to_fen());
                losses += u32::from(is_lost);
            }
        }
    }
    assert!(losses > 1000);
    assert!(packed.add_archive(&archive[..archive.len() - 1]).is_err());
}

#[test]
fn packing_replaces_packed_tables_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), &["KR-K"], false);
    let pack = |out: &Path| pack::run(folder.path(), &[material("KR-K")], out, &mut vec![]);
    let out = folder.path().join("packed");
    pack(&out).unwrap();
    let packed = fs::read(&out).unwrap();
    pack(&out).unwrap();
    let [text, empty] = ["keep.txt", "empty"].map(|name| folder.path().join(name));
    fs::write(&text, "something dear").unwrap();
    fs::write(&empty, "").unwrap();
    let tables = [folder::results_of, folder::distances_of].map(|name| name(folder.path(), material("KR-K")));
    for other in [&text, &empty, &tables[0], &tables[1]] {
        let before = fs::read(other).unwrap();
        let printed = pack(other).unwrap_err().to_string();
        assert!(printed.starts_with(&format!("{}: ", other.display())) && !printed.contains('\n'), "{printed}");
        assert_eq!(fs::read(other).unwrap(), before);
    }
    assert_eq!(fs::read(&out).unwrap(), packed);
}

#[test]
fn what_is_there_stays_and_what_is_missing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(generate(folder.path(), &["KP-KA"], true), End::Interrupted);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing by halves");
    assert_eq!(generate(folder.path(), &["KP-KA"], false), End::Complete);
    let results = |name| folder::results_of(folder.path(), material(name));
    let made = |name| fs::metadata(results(name)).unwrap().modified().unwrap();
    let (whole, times) = (fs::read(results("KP-KA")).unwrap(), made("KP-K"));
    fs::remove_file(results("KP-KA")).unwrap();
    assert_eq!(generate(folder.path(), &["KP-KA"], false), End::Complete);
    assert_eq!((fs::read(results("KP-KA")).unwrap(), made("KP-K")), (whole, times));
    fs::remove_file(folder::distances_of(folder.path(), material("KP-KA"))).unwrap();
    assert_eq!(generate(folder.path(), &["KP-KA"], false), End::Complete);
    assert_eq!(made("KP-K"), times);
    assert_eq!(faults(folder.path(), &["KP-K", "KP-KA"]), "", "its distances are there again");
}

#[test]
fn an_entry_that_its_successors_contradict_is_found() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), &["KP-KA"], false);
    assert_eq!(faults(folder.path(), &["KP-K", "KP-KA"]), "");
    let tables = folder::read(folder.path()).unwrap();
    let results = tables.results(material("KP-KA")).unwrap();
    let (index, last) = (results.index(), results.index().size());
    let drawn = |&number: &u64| {
        results.outcome(Side::Red, number) == Outcome::Draw
            && index.position(&index.placement(number), Side::Red).is_some_and(|position| position.has_legal_move())
    };
    let changed = (0..last).rev().find(drawn).unwrap();
    let mut file = File::create(folder::results_of(folder.path(), material("KP-KA"))).unwrap();
    let outcome = |mover, number| {
        let lie = (mover, number) == (Side::Red, changed);
        Some(if lie { Outcome::Win } else { results.outcome(mover, number) })
    };
    write_results(&mut file, index, outcome).unwrap();
    let printed = faults(folder.path(), &["KP-K", "KP-KA"]);
    assert!(
        printed.starts_with("KP-KA: ") && printed.contains("it says (Win, 0), but its successors say (Draw, 0)"),
        "{printed}"
    );
}

/// Ranges of the checksums in a header: that of the body and its own.
const BODY_SUM: std::ops::Range<usize> = 160..168;
const HEADER_SUM: std::ops::Range<usize> = 168..176;
const HEADER_BYTES: usize = 192;

/// Damages the last block of a file and updates the checksums to match.
fn damage_unseen(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let end = bytes.iter().rposition(|&byte| byte != 0).unwrap();
    bytes[end] ^= 0x55;
    let sum = XxHash3_64::oneshot(&bytes[HEADER_BYTES..]);
    bytes[BODY_SUM].copy_from_slice(&sum.to_le_bytes());
    bytes[HEADER_SUM].fill(0);
    let sum = XxHash3_64::oneshot(&bytes[..HEADER_BYTES]);
    bytes[HEADER_SUM].copy_from_slice(&sum.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn counts_come_in_whole_lines_even_where_distances_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), &["KP-K"], false);
    let distances = folder::distances_of(folder.path(), material("KP-K"));
    damage_unseen(&distances);
    let mut printed = vec![];
    let error = stats::run(folder.path(), &[material("KP-K")], false, 2, &mut printed).unwrap_err();
    assert!(format!("{error:#}").starts_with(&format!("{}: altered: ", distances.display())), "{error:#}");
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.starts_with("KP-K, KP (first) to move: ") && printed.ends_with('\n'), "{printed:?}");
}

#[test]
fn a_probe_names_the_best_move_first() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), &["KR-KA"], false);
    let printed = |fen: &str| {
        let (tables, mut printed) = (folder::read(folder.path()).unwrap(), vec![]);
        probe::one(&tables, fen, Form::Text, &mut printed).map(|()| String::from_utf8(printed).unwrap())
    };
    let lines = printed("3a1k3/9/9/9/9/9/9/9/R8/4K4 w").unwrap();
    let moves: Vec<&str> = lines.lines().collect();
    assert_eq!(moves[..2], ["win, 1 plies to the end or a capture", "a1f1 win, 1 plies to the end or a capture"]);
    let plies = |line: &str| line.split(' ').nth(2).unwrap().parse::<u8>().unwrap();
    assert!(moves.len() > 15 && moves[1..].is_sorted_by_key(|line| plies(line)), "{lines}");
    let lines = printed("3a1k3/9/9/9/9/9/9/9/R8/4K4 b").unwrap();
    assert!(lines.starts_with("loss, ") && lines.contains("f9f8 loss, "), "{lines}");
    assert!(printed("3a1k3/9/9/9/9/9/9/9/C8/4K4 w").unwrap_err().to_string().contains("no table of KC-KA"));
    generate(folder.path(), &["KP-KA"], false);
    let error = printed("3k1a3/9/9/9/9/9/9/4P4/9/4K4 w").unwrap_err().to_string();
    assert!(error.contains("the table of KP-KA has no such placement"), "{error}");
}

#[test]
fn many_positions_are_answered_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), &["KR-KA"], false);
    let tables = folder::read(folder.path()).unwrap();
    let fens = "3a1k3/9/9/9/9/9/9/9/R8/4K4 w\n\n  4k4/9/9/9/9/9/9/9/9/3K5 b \r\nnonsense \"quoted\"\n5k3/9/9/9/9/9/9/9/9/R2K5 b";
    let answers = |form, fens: &[u8]| {
        let mut printed = vec![];
        let result = probe::many(&tables, fens, form, &mut printed).map_err(|error| error.to_string());
        (String::from_utf8(printed).unwrap(), result)
    };
    let (printed, result) = answers(Form::Json { moves: true }, fens.as_bytes());
    let lines: Vec<serde_json::Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["outcome"], "win");
    assert_eq!(lines[0]["moves"][0], serde_json::json!({ "move": "a1f1", "outcome": "win", "plies": 1 }));
    assert_eq!(lines[1]["fen"], "4k4/9/9/9/9/9/9/9/9/3K5 b", "without blanks around it");
    assert_eq!(lines[1]["outcome"], "draw");
    assert!(lines[1]["plies"].is_null());
    assert_eq!(lines[2]["fen"], "nonsense \"quoted\"");
    assert!(lines[2]["error"].is_string() && lines[2].get("outcome").is_none());
    assert_eq!(lines.last().unwrap()["outcome"], "loss");
    assert_eq!(result, Err("1 of 4 positions have no answer".to_owned()));
    let (printed, result) = answers(Form::Json { moves: false }, b"5k3/9/9/9/9/9/9/9/9/R2K5 b\n");
    assert_eq!(printed, "{\"fen\":\"5k3/9/9/9/9/9/9/9/9/R2K5 b\",\"outcome\":\"loss\",\"plies\":4}\n");
    assert_eq!(result, Ok(()));
    let (printed, result) = answers(Form::Text, b"4k4/9/9/9/9/9/9/9/C8/3K5 w\n5k3/9/9/9/9/9/9/9/9/R2K5 b\n\xff\xfe\n");
    assert!(printed.starts_with("4k4/9/9/9/9/9/9/9/C8/3K5 w\nerror: there is no table of KC-K\n\n5k3/"), "{printed}");
    assert!(printed.contains("R2K5 b\nloss, 4 plies to the end or a capture\nf9"), "{printed}");
    assert_eq!(result, Err("2 of 3 positions have no answer".to_owned()), "bytes that are not text are not a position");
}

#[test]
fn checksums_are_those_that_the_manual_publishes() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["KR-KAABB", "KN-KAB", "KC-KAA", "KP-KABB", "KPP-KA"];
    generate(folder.path(), &names, false);
    let mut printed = vec![];
    checksums::run(folder.path(), &names.map(material), &mut printed).unwrap();
    let page = include_str!("../../../docs/en/src/tablebase-checksums.md");
    for line in String::from_utf8(printed).unwrap().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let row = format!("| {} | `{}` | `{}` |", words[0], words[1], words[2]);
        assert!(page.contains(&row), "{row}");
    }
    let whole = fs::read(folder::results_of(folder.path(), material("KPP-KA"))).unwrap();
    let mut printed = vec![];
    checksums::run(folder.path(), &[material("KPP-KA")], &mut printed).unwrap();
    let sum = format!("KPP-KA {:016x} ", XxHash3_64::oneshot(&whole));
    assert!(String::from_utf8(printed).unwrap().starts_with(&sum));
    assert!(checksums::run(folder.path(), &[material("KR-KN")], &mut vec![]).is_err());
}
