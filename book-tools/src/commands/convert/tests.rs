//! Round trips.

use super::*;
use chuhe::book::Locks;
use std::fs;

fn convert(from: &Path, to: &Path, rekey: bool) {
    attempt(from, to, rekey, false).unwrap();
}

fn attempt(from: &Path, to: &Path, rekey: bool, allow_loss: bool) -> Result<()> {
    let (from, to) = (from.to_owned(), to.to_owned());
    Convert { from, to, rekey, one_sided: false, fen: vec![], keys: None, allow_loss }.run()
}

fn there_and_back(dat: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    convert(dat, &at("a.book"), false);
    convert(&at("a.book"), &at("b.dat"), false);
    assert!(fs::read(at("b.dat")).unwrap() == fs::read(dat).unwrap());
    convert(&at("a.book"), &at("a.txt"), false);
    convert(&at("a.txt"), &at("b.book"), false);
    assert!(fs::read(at("b.book")).unwrap() == fs::read(at("a.book")).unwrap());
    let [ours, theirs] = [file::open(&at("a.book")).unwrap(), file::open(dat).unwrap()];
    let mut position = Position::start();
    let mut plies = 0;
    while let Some(first) = theirs.candidates(&position).first() {
        assert_eq!(ours.candidates(&position), theirs.candidates(&position));
        assert_eq!(ours.candidates(&position.mirrored()), theirs.candidates(&position.mirrored()));
        position = position.play(first.mv);
        plies += 1;
    }
    assert!(plies > 1);
}

fn small_book() -> Vec<EleEyeRecord> {
    let mut position = Position::start();
    let mut records = vec![];
    for mv in ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()) {
        let (key, frame) = canonical(&position, Symmetry::EleEye);
        records.push(EleEyeRecord::new((key >> 32) as u32, frame.apply(mv), 7));
        position = position.play(mv);
    }
    records.push(EleEyeRecord::new(Locks::of(&Position::start()).lock1, "b2e2".parse().unwrap(), 7));
    records.push(EleEyeRecord::new(1, "b2e2".parse().unwrap(), 0));
    records.sort_by_key(EleEyeRecord::order);
    records
}

#[test]
fn a_book_dat_comes_back_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("small.dat");
    fs::write(&small, bytemuck::cast_slice(&small_book())).unwrap();
    there_and_back(&small);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/eleeye-BOOK.DAT");
    if published.exists() {
        there_and_back(&published);
    }
}

#[test]
fn keys_are_made_ours_only_where_that_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("small.dat"), bytemuck::cast_slice(&small_book())).unwrap();
    attempt(&at("small.dat"), &at("ours.book"), true, true).unwrap();
    for (from, to) in [("small.dat", "a.dat"), ("small.dat", "a.obk"), ("ours.book", "a.book"), ("ours.book", "a.txt")]
    {
        let refused = attempt(&at(from), &at(to), true, true).unwrap_err().to_string();
        assert!(refused.starts_with("--rekey: ") && !at(to).exists(), "{from} {to}: {refused}");
    }
}

#[test]
fn positions_that_are_found_get_our_keys_and_can_be_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("small.dat"), bytemuck::cast_slice(&small_book())).unwrap();
    let refused = attempt(&at("small.dat"), &at("ours.book"), true, false).unwrap_err().to_string();
    assert!(refused.contains("without 1 moves of positions to which no way was found") && !at("ours.book").exists());
    attempt(&at("small.dat"), &at("ours.book"), true, true).unwrap();
    let book = file::open_native(&at("ours.book")).unwrap();
    assert_eq!(book.layout().about.symmetry, Symmetry::MirrorAndColours);
    assert_eq!(book.records().len(), 4, "the position of lock 1 is not known");
    convert(&at("ours.book"), &at("back.dat"), false);
    let back = file::open(&at("back.dat")).unwrap();
    let start = Position::start();
    assert_eq!(back.candidates(&start), file::open(&at("small.dat")).unwrap().candidates(&start));
    let moves = back.candidates(&start.colours_swapped());
    assert_eq!(moves.len(), 2, "the book is for both sides");
    attempt(&at("back.dat"), &at("again.book"), true, false).expect("nothing is lost: what red has is what black has");
    assert!(fs::read(at("again.book")).unwrap() == fs::read(at("ours.book")).unwrap());
}

#[test]
fn a_move_that_weighs_nothing_comes_back_from_a_database_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (key, frame) = canonical(&Position::start(), Symmetry::MirrorAndColours);
    let record = |mv: &str| Record::new(key, frame.apply(mv.parse().unwrap()), 0);
    let records = vec![record("a0a1"), record("h2e2").scored(30, 9)];
    file::write(&at("a.book"), About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
    for name in ["a.obk", "a.pfBook"] {
        convert(&at("a.book"), &at(name), false);
        convert(&at(name), &at("back.book"), false);
        let back = file::open_native(&at("back.book")).unwrap();
        assert_eq!(back.records().len(), 2);
        assert!(back.records().iter().all(|record| record.weight == 0), "{name}");
    }
}

#[test]
fn what_a_format_has_no_place_for_is_no_silent_loss() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let start = Position::start();
    let record = |mv: &str| {
        let (key, frame) = canonical(&start, Symmetry::MirrorAndColours);
        Record::new(key, frame.apply(mv.parse().unwrap()), 5)
    };
    let records = vec![record("h2e2").scored(30, 9), record("a0a1").forbidden(true), record("c3c4")];
    file::write(&at("a.book"), About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
    let refused = attempt(&at("a.book"), &at("a.dat"), false, false).unwrap_err().to_string();
    assert!(refused.contains("without 1 forbidden moves, and without 1 scores; --allow-loss"), "{refused}");
    assert!(!at("a.dat").exists());
    attempt(&at("a.book"), &at("a.dat"), false, true).unwrap();
    assert_eq!(file::open(&at("a.dat")).unwrap().candidates(&start).len(), 2);
    let unknown = attempt(&at("a.book"), &at("a.csv"), false, true).unwrap_err().to_string();
    assert!(unknown.contains("neither .book nor .dat") && !at("a.csv").exists(), "{unknown}");
}

#[test]
fn a_move_that_is_there_twice_is_no_silent_loss() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let lock = Locks::of(&Position::start()).lock1;
    let records = [5, 7].map(|weight| EleEyeRecord::new(lock, "h2e2".parse().unwrap(), weight));
    fs::write(at("twice.dat"), bytemuck::cast_slice(&records)).unwrap();
    fs::write(at("twice.txt"), "# chuhe-book 1\n0a53b5a0d7d82ce3 h2e2 7\n0a53b5a0d7d82ce3 h2e2 5\n").unwrap();
    for name in ["twice.dat", "twice.txt"] {
        let refused = attempt(&at(name), &at("a.book"), false, false).unwrap_err().to_string();
        assert!(refused.contains("without 1 rows that repeat a move") && !at("a.book").exists(), "{refused}");
        attempt(&at(name), &at("a.book"), false, true).unwrap();
        assert_eq!(file::open(&at("a.book")).unwrap().len(), 1);
        fs::remove_file(at("a.book")).unwrap();
    }
}

/// The published book, if available: most of its positions follow moves that it does not have.
#[test]
fn most_of_the_published_book_is_found_from_the_start() {
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/eleeye-BOOK.DAT");
    if !published.exists() {
        eprintln!("skipped: {} is not there", published.display());
        return;
    }
    let book = file::open(&published).unwrap();
    let mut reached = 0;
    crate::walk::walk(&book, &Position::start(), usize::MAX, |_, _| reached += 1);
    assert!(reached >= 8_706, "{reached} of 10841");
    let folder = tempfile::tempdir().unwrap();
    let refused = attempt(&published, &folder.path().join("ours.book"), true, false).unwrap_err().to_string();
    assert!(refused.contains("no way was found"), "{refused}");
}
