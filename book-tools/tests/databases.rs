//! Databases of Chinese interfaces, tested through the program: round trips, and messages about bad files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use book_tools::binghe::Keys;
use book_tools::file;
use book_tools::walk::walk;
use chuhe::board::Position;
use chuhe::book::{About, Record, Symmetry, canonical};
use rusqlite::Connection;
use tempfile::TempDir;

/// Creates a folder with a made-up table of keys in `keys`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    // Multiples of an odd number, in which every bit varies.
    let words =
        (1..=14 * 256_u64).map(|index| format!("{:#x}\n", index.wrapping_mul(0x9E37_79B9_7F4A_7C15).swap_bytes()));
    fs::write(folder.path().join("keys"), words.collect::<String>()).unwrap();
    folder
}

/// Runs `book-tools` in a folder; returns its standard output, or its standard error as an error.
fn run(folder: &Path, words: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_book-tools"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    match output.status.code() {
        Some(0) => Ok(text(output.stdout)),
        Some(1) => Err(text(output.stderr)),
        code => panic!("{words}: {code:?}: {}", text(output.stderr)),
    }
}

/// Returns records of all kinds, forbidden moves with replies, and lines that meet again.
fn records(symmetry: Symmetry) -> Vec<Record> {
    let mut records = vec![];
    let mut enter = |line: &str, change: &dyn Fn(Record) -> Record| {
        let mut moves: Vec<_> = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
        let last = moves.pop().unwrap();
        let position = moves.into_iter().fold(Position::start(), |position, mv| position.play(mv));
        assert!(position.is_legal(last), "{line}");
        let (key, frame) = canonical(&position, symmetry);
        records.push(change(Record::new(key, frame.apply(last), 1)));
    };
    enter("h2e2", &|it| Record { weight: 65_535, ..it }.scored(25, 20));
    enter("b2e2", &|it| Record { weight: 0, ..it }.scored(0, 0));
    enter("c3c4", &|it| Record { weight: 7, ..it });
    enter("a3a4", &|it| Record { weight: 2, ..it }.forbidden(true));
    enter("a3a4 h9g7", &|it| it.scored(-31_990, 255));
    enter("h2e2 h9g7", &|it| it);
    enter("h2e2 b9c7", &|it| it.scored(3, 1).forbidden(true));
    enter("h2e2 h9g7 h0g2", &|it| it);
    // Meets the previous line.
    enter("h0g2", &|it| it);
    enter("h0g2 h9g7", &|it| it);
    enter("h2e2 h9g7 h0g2 i9h9", &|it| it);
    enter("c3c4 h9g7", &|it| it);
    enter("c3c4 h9g7 h2e2", &|it| it);
    enter("h2e2 h9g7 c3c4", &|it| it);
    enter("h2e2 h9g7 c3c4 i9h9", &|it| it);
    // The start again, with Black to move.
    let line = ["a0a1", "a9a8", "a1a2", "a8a9", "a2a0"];
    (1..=line.len()).for_each(|moves| enter(&line[..moves].join(" "), &|it| Record { weight: 9, ..it }));
    file::in_order(records)
}

fn book(folder: &Path, symmetry: Symmetry) {
    let about = About { symmetry, ..About::default() };
    file::write(&folder.join("a.book"), about, records(symmetry).into_iter().map(Ok)).unwrap();
}

fn same_file(folder: &Path, a: &str, b: &str) -> bool {
    fs::read(folder.join(a)).unwrap() == fs::read(folder.join(b)).unwrap()
}

#[test]
fn our_books_come_back_from_both_databases() {
    let folder = folder();
    let at = folder.path();
    for (symmetry, option) in [(Symmetry::MirrorAndColours, ""), (Symmetry::Mirror, "--one-sided")] {
        book(at, symmetry);
        let count = records(symmetry).len();
        for name in ["a.obk", "b.pfBook"] {
            let said = run(at, &format!("convert a.book {name} --keys keys")).unwrap();
            // A record for both sides has rows for both if both are reached.
            let rows: usize =
                said.strip_prefix(&format!("{name}: ")).unwrap().split(' ').next().unwrap().parse().unwrap();
            assert_eq!(rows > count, symmetry == Symmetry::MirrorAndColours, "{rows} {count}");
            assert_eq!(said, format!("{name}: {rows} moves of {count}\n"));
            let said = run(at, &format!("convert {name} back.book --keys keys {option}")).unwrap();
            assert_eq!(said, format!("back.book: {count} moves of {rows}\n"));
            assert!(same_file(at, "a.book", "back.book"), "{name} {option}");
        }
    }
    run(at, "convert a.book again.obk --keys keys").unwrap();
    assert!(same_file(at, "a.obk", "again.obk"));
    run(at, "convert a.obk other.pfBook --keys keys").unwrap();
    assert!(same_file(at, "b.pfBook", "other.pfBook"));
    let names: Vec<_> = fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 7, "nothing else is left: {names:?}");
}

#[test]
fn a_database_that_is_opened_directly_has_the_moves_of_its_book() {
    let folder = folder();
    let at = folder.path();
    book(at, Symmetry::Mirror);
    let ours = file::open(&at.join("a.book")).unwrap();
    for name in ["a.obk", "a.pfBook"] {
        run(at, &format!("convert a.book {name}")).unwrap();
        let direct = file::open(&at.join(name)).unwrap();
        let mut positions = 0;
        walk(&ours, &Position::start(), usize::MAX, |node, candidates| {
            positions += 1;
            assert_eq!(direct.candidates(&node.position), candidates, "{name}: {}", node.position.to_fen());
            let mut forbidden = [ours.forbidden(&node.position), direct.forbidden(&node.position)];
            forbidden.iter_mut().for_each(|moves| moves.sort_by_key(|mv| mv.bits()));
            assert_eq!(forbidden[0], forbidden[1], "{name}: {}", node.position.to_fen());
        });
        let mut reached = 0;
        walk(&direct, &Position::start(), usize::MAX, |_, _| reached += 1);
        assert!(positions > 8 && reached == positions, "{name}: {reached} of {positions}");
    }
}

#[test]
fn real_databases_are_looked_at_without_a_conversion() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/books");
    for name in ["small.obk", "small.pfBook"] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::copy(data.join(name), at.join(name)).unwrap();
        let said = run(at, &format!("probe {name}")).unwrap();
        let moves: Vec<_> = said.lines().skip(1).collect();
        assert_eq!(
            moves,
            ["h2e2 炮二平五    100  76.9 %  31 cp, depth 18", "c3c4 兵七进一     30  23.1 %  12 cp, depth 0"],
            "{name}"
        );
        let moves = "9 moves, 8 of them scored, 1 forbidden\n4 positions\n";
        assert!(run(at, &format!("stats {name}")).unwrap().starts_with(moves), "{name}");
        assert!(run(at, &format!("verify {name}")).is_ok(), "{name}");
        assert!(
            run(at, &format!("sample {name} --plies 3 --choose best")).unwrap().starts_with("H2-E2 H9-G7 "),
            "{name}"
        );
        run(at, &format!("page {name} -o a.html")).unwrap();
        run(at, &format!("export-openings {name} -o a.epd --plies 2")).unwrap();
        assert_eq!(fs::read_to_string(at.join("a.epd")).unwrap().lines().count(), 2, "{name}");
        // A change needs a book of our own.
        let said = run(at, &format!("learn {name} a.pgn")).unwrap_err();
        assert!(said.starts_with(&format!("book-tools: {name}: ")) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn rows_are_what_interfaces_look_for() {
    let folder = folder();
    let at = folder.path();
    book(at, Symmetry::Mirror);
    let keys = Keys::open(&at.join("keys")).unwrap();
    for (name, table) in [("a.obk", "bhobk"), ("a.pfBook", "pfBook")] {
        run(at, &format!("convert a.book {name} --keys keys")).unwrap();
        let connection = Connection::open(at.join(name)).unwrap();
        let query = format!("SELECT vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo FROM {table} WHERE vkey = ?1");
        let mut statement = connection.prepare(&query).unwrap();
        let mut high_keys = 0;
        for (line, mv, rest) in [
            ("", "h2e2", (25, 32_767, 1, 0, 1, "depth 20")),
            ("", "a3a4", (0, 1, 0, 0, 0, "")),
            ("a3a4", "h9g7", (-31_990, 0, 1, 0, 1, "depth 255")),
            ("h2e2", "b9c7", (3, 0, 1, 0, 0, "depth 1")),
            ("h2e2 h9g7", "h0g2", (0, 0, 1, 0, 1, "")),
            ("h0g2", "h9g7", (0, 0, 1, 0, 1, "")),
        ] {
            let line = line.split_whitespace().map(|mv| mv.parse().unwrap());
            let position = line.fold(Position::start(), |position, mv| position.play(mv));
            let key = keys.of(&position);
            let value: rusqlite::types::Value = match (key >> 63, name) {
                (1, "a.obk") => f64::from_bits(key).into(),
                _ => (key as i64).into(),
            };
            high_keys += key >> 63;
            let mv: chuhe::board::Move = mv.parse().unwrap();
            let [from, to] = [mv.from(), mv.to()].map(|square| i64::from(chuhe::book::square_byte(square)));
            let rows = statement.query_map([value], |row| {
                let number = |column| row.get::<_, i64>(column);
                let memo: String = row.get(6)?;
                Ok((number(0)?, (number(1)?, number(2)?, number(3)?, number(4)?, number(5)?, memo)))
            });
            let (a, b, c, d, e, memo) = rest;
            let wanted = (256 * from + to, (a, b, c, d, e, memo.to_owned()));
            assert!(rows.unwrap().any(|row| row.unwrap() == wanted), "{name}: {wanted:?}");
        }
        assert!((1..6).contains(&high_keys), "both kinds of keys have been tried");
    }
}

#[test]
fn a_database_becomes_a_book_dat_a_text_or_a_book_from_another_start() {
    let folder = folder();
    let at = folder.path();
    book(at, Symmetry::Mirror);
    run(at, "convert a.book a.obk --keys keys").unwrap();
    run(at, "convert a.book direct.dat --allow-loss").unwrap();
    run(at, "convert a.obk a.dat --keys keys --allow-loss").unwrap();
    assert!(same_file(at, "a.dat", "direct.dat"));
    run(at, "convert a.obk a.txt --keys keys --one-sided").unwrap();
    run(at, "convert a.txt text.book").unwrap();
    assert!(same_file(at, "a.book", "text.book"));
    // A position that no row leads to.
    let endgame = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";
    let position = Position::from_fen(endgame).unwrap();
    let (key, frame) = canonical(&position, Symmetry::Mirror);
    let more = Record::new(key, frame.apply("a0a9".parse().unwrap()), 3);
    let mut all = records(Symmetry::Mirror);
    all.push(more);
    let about = About { symmetry: Symmetry::Mirror, ..About::default() };
    file::write(&at.join("b.book"), about, file::in_order(all).into_iter().map(Ok)).unwrap();
    let with_fen = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_book-tools"));
        let command = command.args(words.split(' ')).args(["--fen", endgame]).current_dir(at);
        let output = command.output().unwrap();
        assert!(output.status.success());
    };
    with_fen("convert b.book b.obk --keys keys");
    with_fen("convert b.obk c.book --keys keys --one-sided");
    assert!(same_file(at, "b.book", "c.book"));
    let said = run(at, "convert b.obk d.book --keys keys --one-sided").unwrap_err();
    assert!(
        said.contains("d.book: not written, for it would be without 1 rows of positions that are not reached"),
        "{said}"
    );
    assert!(!at.join("d.book").exists());
    let said = run(at, "convert b.obk d.book --keys keys --one-sided --allow-loss").unwrap();
    assert!(said.ends_with("\nd.book: lost 1 rows of positions that are not reached\n"), "{said}");
    assert!(same_file(at, "a.book", "d.book"));
}

#[test]
fn bad_input_ends_in_one_line_that_names_the_file() {
    let folder = folder();
    let at = folder.path();
    book(at, Symmetry::Mirror);
    run(at, "convert a.book a.obk --keys keys").unwrap();
    run(at, "convert a.book a.dat --allow-loss").unwrap();
    run(at, "convert a.book a.txt").unwrap();
    let whole = fs::read(at.join("a.obk")).unwrap();
    fs::write(at.join("cut.obk"), &whole[..whole.len() - 4096]).unwrap();
    fs::write(at.join("stub.obk"), &whole[..60]).unwrap();
    let mut altered = whole.clone();
    altered[4096..].fill(0xA5);
    fs::write(at.join("altered.obk"), altered).unwrap();
    let connection = Connection::open(at.join("foreign.obk")).unwrap();
    connection.execute_batch("CREATE TABLE games (pgn TEXT);").unwrap();
    let keys = fs::read_to_string(at.join("keys")).unwrap();
    fs::write(at.join("short"), &keys[..keys.len() / 2]).unwrap();
    fs::write(at.join("other"), keys.replace('1', "2")).unwrap();
    let malformed = "database disk image is malformed";
    for (words, expected) in [
        // Its keys are not those of the shared table.
        ("a.obk x.book", "a.obk: none of its ".into()),
        ("cut.obk x.book --keys keys", format!("cut.obk: {malformed}")),
        ("stub.obk x.book --keys keys", format!("stub.obk: {malformed}")),
        ("altered.obk x.book --keys keys", format!("altered.obk: {malformed}")),
        ("foreign.obk x.book --keys keys", "foreign.obk: a SQLite database without a table bhobk or pfBook".into()),
        ("a.obk x.book --keys missing", "missing: cannot be read: ".into()),
        ("a.obk x.book --keys a.obk", "a.obk: line 1: ".into()),
        ("a.obk x.book --keys short", "short: line 1792: ".into()),
        ("a.obk x.book --keys other", "a.obk: none of its ".into()),
        ("a.txt x.obk --keys keys", "a.txt: a text has no positions; make a book of it first".into()),
        ("a.book no/x.obk --keys keys", "no/x.obk: cannot be written: ".into()),
        ("a.book x.book --keys keys", "--keys: neither file is a database".into()),
        ("a.book x.dat --one-sided", "--one-sided: ".into()),
        ("a.dat x.book --fen startpos", "--fen: ".into()),
        ("a.obk x.book --keys keys --fen 9/9", "\"9/9\" is not a position".into()),
    ] {
        let said = run(at, &format!("convert {words}")).unwrap_err();
        assert!(said.starts_with(&format!("book-tools: {expected}")), "{words}: {said}");
        assert_eq!(said.lines().count(), 1, "{words}: {said}");
        assert!(!["x.book", "x.obk", "x.pfBook", "x.dat"].iter().any(|name| at.join(name).exists()), "{words}");
    }
    assert!(fs::read_dir(at).unwrap().all(|entry| !name(&entry.unwrap().path()).contains(".new-")));
}

fn name(path: &Path) -> String {
    PathBuf::from(path.file_name().unwrap()).display().to_string()
}

#[test]
fn a_key_is_shown_with_its_mirror() {
    let folder = folder();
    let at = folder.path();
    let keys = Keys::open(&at.join("keys")).unwrap();
    let position = Position::start().play("h2e2".parse().unwrap());
    let [key, mirror] = [keys.of(&position), keys.of(&position.mirrored())];
    let said = run(at, "key h2e2 --keys keys").unwrap();
    assert!(said.ends_with(&format!(".obk       {key:016x}, its mirror {mirror:016x}\n")), "{said}");
    let said: serde_json::Value = serde_json::from_str(&run(at, "key h2e2 --keys keys --json").unwrap()).unwrap();
    assert_eq!([&said["binghe"], &said["binghe_mirrored"]], [&format!("{key:016x}"), &format!("{mirror:016x}")]);
    let shared = Keys::shared().of(&position);
    assert!(run(at, "key h2e2").unwrap().contains(&format!(".obk       {shared:016x}, its mirror ")));
}

#[test]
fn databases_work_without_a_table_of_ones_own() {
    let folder = folder();
    let at = folder.path();
    book(at, Symmetry::Mirror);
    for name in ["x.obk", "y.pfBook"] {
        run(at, &format!("convert a.book {name}")).unwrap();
        run(at, &format!("convert {name} back.book --one-sided")).unwrap();
        let [before, after] = ["a.book", "back.book"].map(|book| run(at, &format!("probe {book}")).unwrap());
        assert_eq!(before, after, "{name}");
    }
}
