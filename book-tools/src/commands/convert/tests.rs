//! There and back.

use super::*;
use chuhe::book::Locks;

fn convert(from: &Path, to: &Path, rekey: bool) {
    Convert { from: from.to_owned(), to: to.to_owned(), rekey, one_sided: false, fen: vec![], keys: None }
        .run()
        .unwrap();
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
fn positions_that_are_found_get_our_keys_and_can_be_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("small.dat"), bytemuck::cast_slice(&small_book())).unwrap();
    convert(&at("small.dat"), &at("ours.book"), true);
    let book = file::open_native(&at("ours.book")).unwrap();
    assert_eq!(book.layout().about.symmetry, Symmetry::MirrorAndColours);
    assert_eq!(book.records().len(), 4, "the position of lock 1 is not known");
    convert(&at("ours.book"), &at("back.dat"), false);
    let back = file::open(&at("back.dat")).unwrap();
    let start = Position::start();
    assert_eq!(back.candidates(&start), file::open(&at("small.dat")).unwrap().candidates(&start));
    let moves = back.candidates(&start.colours_swapped());
    assert_eq!(moves.len(), 2, "the book is for both sides");
}
