//! Databases of both kinds: their moves, and files that are damaged or being written.

use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/books")
}

fn open(name: &str) -> BingheBook {
    BingheBook::open(&folder().join(name)).unwrap()
}

fn after(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::start(), |position, mv| position.play(mv.parse().unwrap()))
}

fn found(book: &BingheBook, position: &Position) -> Vec<(String, u16)> {
    book.candidates(position).iter().map(|candidate| (candidate.mv.to_string(), candidate.weight)).collect()
}

fn expected(moves: &[(&str, u16)]) -> Vec<(String, u16)> {
    moves.iter().map(|&(mv, weight)| (mv.to_owned(), weight)).collect()
}

#[test]
fn both_kinds_of_databases_give_the_same_moves() {
    for name in ["small.obk", "small.pfBook"] {
        let book = open(name);
        // The row whose number is not a move is left out; the one whose move is not legal is never found.
        assert_eq!(book.len(), 9, "{name}");
        let start = Position::start();
        assert_eq!(found(&book, &start), expected(&[("h2e2", 100), ("c3c4", 30)]), "{name}");
        let eval = |index: usize| book.candidates(&start)[index].eval.map(|(score, depth)| (score.raw(), depth));
        assert_eq!([eval(0), eval(1)], [Some((31, 18)), Some((12, 0))], "{name}");
        assert_eq!(book.forbidden(&start), ["a0a1".parse().unwrap()], "{name}");
        // Games of one row make those without games worthless; without games the scores count.
        assert_eq!(found(&book, &after("h2e2")), expected(&[("h9g7", 16), ("b7e7", 7)]), "{name}");
        let by_score = [("h0g2", 100), ("b0c2", weight_by_gap(5, 50))];
        assert_eq!(found(&book, &after("h2e2 h9g7")), expected(&by_score), "{name}");
        assert!(found(&book, &after("g3g4 g6g5")).is_empty());
    }
}

#[test]
fn a_position_is_found_under_the_key_of_its_mirror_image() {
    for name in ["small.obk", "small.pfBook"] {
        let book = open(name);
        assert_eq!(found(&book, &after("b2d2")), expected(&[("h9g7", 12)]), "{name}");
        assert_eq!(found(&book, &after("h2f2")), expected(&[("b9c7", 12)]), "{name}");
        assert_eq!(found(&book, &after("b2e2")), expected(&[("b9c7", 16), ("h7e7", 7)]), "{name}");
    }
}

#[test]
fn no_change_of_a_byte_makes_the_reader_panic() {
    let good = std::fs::read(folder().join("small.obk")).unwrap();
    let step = if cfg!(miri) { 97 } else { 1 };
    for at in (0..good.len()).step_by(step) {
        for value in [0, 0xFF, good[at] ^ 0x10] {
            let mut bytes = good.clone();
            bytes[at] = value;
            match BingheBook::copied(&bytes) {
                Ok(book) => {
                    assert!(book.candidates(&Position::start()).iter().all(|it| Position::start().is_legal(it.mv)))
                }
                Err(fault) => assert!(!fault.to_string().contains('\n')),
            }
        }
    }
    for length in (0..good.len()).step_by(61) {
        assert!(BingheBook::copied(&good[..length]).is_err() || length >= 512, "{length}");
    }
}

#[test]
fn a_cycle_of_pages_is_damage() {
    let mut bytes = std::fs::read(folder().join("small.pfBook")).unwrap();
    // An interior page whose only child is itself.
    let page = &mut bytes[4096..8192];
    page[0] = 5;
    page[3..5].copy_from_slice(&[0, 0]);
    page[8..12].copy_from_slice(&2_u32.to_be_bytes());
    let fault = BingheBook::copied(&bytes).err().unwrap().to_string();
    assert_eq!(fault, "a SQLite database that cannot be used: it is damaged");
}

#[test]
fn a_database_that_is_being_written_is_refused() {
    let folder = std::env::temp_dir().join(format!("chuhe-binghe-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.obk");
    std::fs::copy(super::tests::folder().join("small.obk"), &path).unwrap();
    assert!(BingheBook::open(&path).is_ok());
    std::fs::write(folder.join("a.obk-wal"), "pages").unwrap();
    let fault = BingheBook::open(&path).err().unwrap().to_string();
    assert!(fault.ends_with("another program has not finished writing it"), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}
