//! Databases of other programs, built row by row.

use std::path::Path;

use chuhe::board::Position;
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::*;
use crate::entry::Entry;

/// Returns a made-up table, as the words of a file.
pub(super) fn table() -> Vec<String> {
    let mut state = 0x0BAD_5EED_u64;
    let mut word = || {
        // Xorshift (Marsaglia 2003), which starts with small numbers.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        format!("{state:x}")
    };
    (0..14 * 256).map(|_| word()).collect()
}

pub(super) fn keys() -> Keys {
    Keys::parse(&table().join("\n")).unwrap()
}

fn after(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::start(), |position, mv| position.play(mv.parse().unwrap()))
}

/// Returns the two bytes of a move as a number.
fn number(mv: &str) -> i64 {
    let bytes = |square: &str| i64::from(chuhe::book::square_byte(square.parse().unwrap()));
    256 * bytes(&mv[..2]) + bytes(&mv[2..])
}

/// Score, wins, draws, losses, valid, remark.
type Said = (i64, i64, i64, i64, Option<i64>, Option<&'static str>);

const NOTHING: Said = (0, 0, 0, 0, Some(1), None);

/// Creates a database like another program.
fn database(path: &Path, columns: &str, rows: &[(Value, i64, Said)]) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(&format!("PRAGMA synchronous = OFF; BEGIN; CREATE TABLE bhobk ({columns});")).unwrap();
    for (key, mv, (score, wins, draws, losses, valid, memo)) in rows {
        let insert = "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        connection.execute(insert, rusqlite::params![key, mv, score, wins, draws, losses, valid, memo]).unwrap();
    }
    connection.execute_batch("COMMIT;").unwrap();
}

const COLUMNS: &str = "id INTEGER PRIMARY KEY, vkey, vmove INTEGER, vscore INTEGER, vwin INTEGER, vdraw INTEGER,
                       vlost INTEGER, vvalid INTEGER, vmemo TEXT, vindex INTEGER";

/// Returns the entries of a position in a database, and the reported losses.
fn read(columns: &str, rows: &[(Value, i64, Said)], position: &Position) -> (Vec<Entry>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    database(&path, columns, rows);
    let keys = keys();
    let mut database = Database::open(&path, &keys).unwrap();
    let entries = database.entries(position);
    let losses = database.losses().into_iter();
    (entries, losses.collect())
}

fn key(position: &Position) -> u64 {
    keys().of(position)
}

fn integer(key: u64) -> Value {
    Value::Integer(key as i64)
}

/// Move, weight, score and depth, and whether it is forbidden.
type Shown = (String, u16, Option<(i16, u8)>, bool);

fn shown(entries: &[Entry]) -> Vec<Shown> {
    entries.iter().map(|it| (it.mv.to_string(), it.weight, it.eval, it.forbidden)).collect()
}

/// Returns a position whose key has this top bit.
fn with_top_bit(set: bool) -> Position {
    let first = Position::start().legal_moves().into_iter().map(|mv| Position::start().play(mv));
    first.filter(|position| key(position) != key(&position.mirrored())).find(|it| (key(it) >> 63 == 1) == set).unwrap()
}

#[test]
fn games_scores_or_nothing_make_the_weights() {
    let start = integer(key(&Position::start()));
    let row = |mv, said| (start.clone(), number(mv), said);
    let (games, lost) = read(
        COLUMNS,
        &[
            row("h2e2", (30, 5, 3, 9, Some(1), Some("炮二平五"))),
            row("c3c4", (-70_000, 0, 1, 0, None, None)),
            row("h0g2", (0, 0, 0, 4, Some(1), Some("depth 12"))),
            row("g3g4", (15, 2, 0, 0, Some(0), Some("depth 9"))),
        ],
        &Position::start(),
    );
    let least = -i16::try_from(chuhe::score::Score::MAX_EVAL.raw()).unwrap();
    let expected = [
        ("h2e2", 13, Some((30, 0)), false),
        ("c3c4", 1, Some((least, 0)), false),
        ("h0g2", 0, Some((0, 12)), false),
        ("g3g4", 4, Some((15, 9)), true),
    ];
    assert_eq!(shown(&games), expected.map(|(mv, weight, eval, no)| (mv.to_owned(), weight, eval, no)));
    assert_eq!(lost, ["1 remarks"]);
    let scored = |score, valid| (score, 0, 0, 0, Some(valid), None);
    let rows = [
        row("h2e2", scored(30, 1)),
        row("c3c4", scored(5, 1)),
        row("g3g4", scored(-30, 1)),
        row("h0g2", scored(900, 0)),
        row("b0c2", NOTHING),
    ];
    let (scores, _) = read(COLUMNS, &rows, &Position::start());
    let weights: Vec<_> = scores.iter().map(|entry| entry.weight).collect();
    assert_eq!(weights, [100, crate::analysis::weight(25, 50), 0, 100, 0]);
    let (nothing, _) = read(COLUMNS, &[row("h2e2", NOTHING), row("c3c4", NOTHING)], &Position::start());
    assert_eq!(nothing.iter().map(|entry| (entry.weight, entry.eval)).collect::<Vec<_>>(), [(1, None); 2]);
    let many = [row("h2e2", (0, 60_000, 0, 0, None, None)), row("c3c4", (0, 30_000, 0, 0, None, None))];
    let (many, _) = read(COLUMNS, &many, &Position::start());
    assert_eq!(many.iter().map(|entry| entry.weight).collect::<Vec<_>>(), [65_535, 32_767]);
}

#[test]
fn keys_are_found_in_every_form() {
    let high = with_top_bit(true);
    let bits = f64::from_bits(key(&high));
    let fifteen: f64 = format!("{bits:.14e}").parse().unwrap();
    assert_ne!(bits, fifteen);
    let mv = high.legal_moves()[0].to_string();
    let forms = [integer(key(&high)), Value::Real(bits), Value::Real(fifteen), Value::Real(key(&high) as f64)];
    for form in forms {
        let (entries, lost) = read(COLUMNS, &[(form.clone(), number(&mv), NOTHING)], &high);
        assert_eq!((entries.len(), lost.len()), (1, 0), "{form:?}");
    }
    // The key of another position: the sixth digit differs.
    let (entries, _) = read(COLUMNS, &[(Value::Real(bits * 1.000_001), number(&mv), NOTHING)], &high);
    assert_eq!(entries, []);
    let low = with_top_bit(false);
    let mv = low.legal_moves()[0].to_string();
    let real_column = COLUMNS.replace("vkey,", "vkey REAL,");
    for columns in [COLUMNS, &real_column] {
        assert_eq!(read(columns, &[(integer(key(&low)), number(&mv), NOTHING)], &low).0.len(), 1);
    }
    for foreign in [Value::Null, Value::Text("x".into()), Value::Blob(vec![1]), Value::Real(f64::INFINITY)] {
        assert_eq!(read(COLUMNS, &[(foreign, number(&mv), NOTHING)], &low).0, []);
    }
}

#[test]
fn whole_numbers_that_a_column_makes_of_real_keys_are_found() {
    // The bits of minus five thousand: a table can be made to produce any key.
    let wanted = (-5000_f64).to_bits();
    let mut words = vec!["0".to_owned(); 14 * 256];
    words[0xC7] = format!("{:x}", wanted ^ 0xA0CE_2AF9_0C45_2F58);
    let keys = Keys::parse(&words.join(" ")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let columns = COLUMNS.replace("vkey,", "vkey INTEGER,");
    database(&path, &columns, &[(Value::Real(-5000.0), number("h2e2"), NOTHING)]);
    assert_eq!(Database::open(&path, &keys).unwrap().entries(&Position::start()).len(), 1);
}

#[test]
fn rows_of_the_mirror_count_too_and_the_first_of_a_move() {
    let position = after("h2e2");
    let [here, there] = [integer(key(&position)), integer(key(&position.mirrored()))];
    let wins = |wins| (0, wins, 0, 0, Some(1), None);
    let rows = [
        (there.clone(), number("b9c7"), wins(1)),
        (there.clone(), number("a9a8"), wins(2)),
        (here.clone(), number("h9g7"), wins(3)),
        (here, number("h2e2"), wins(4)),
        (there, 0x3333, wins(5)),
        (integer(77), number("h2e2"), wins(6)),
    ];
    let (entries, lost) = read(COLUMNS, &rows, &position);
    let found: Vec<_> = entries.iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect();
    assert_eq!(found, [("h9g7".to_owned(), 6), ("i9i8".to_owned(), 4)]);
    let expected =
        ["1 rows of positions that are not reached", "2 rows whose moves are not legal", "1 rows that repeat a move"];
    assert_eq!(lost, expected);
    let start = integer(key(&Position::start()));
    let (entries, _) = read(COLUMNS, &[(start, number("h2e2"), NOTHING)], &Position::start());
    assert_eq!(entries.len(), 1, "the start is its own mirror");
}

#[test]
fn other_databases_are_named_and_few_columns_suffice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let keys = keys();
    let fault = |sql: &str| {
        let _ = std::fs::remove_file(&path);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let error = Database::open(&path, &keys).err().map(|error| format!("{error:#}"));
        error.map(|error| error.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned())
    };
    let foreign = "a SQLite database without a table bhobk or pfBook";
    assert_eq!(fault("CREATE TABLE xqbook (k BLOB);").as_deref(), Some(foreign));
    assert_eq!(fault("CREATE VIEW bhobk AS SELECT 1 AS vkey, 2 AS vmove;").as_deref(), Some(foreign));
    let columnless = "its table pfbook has no column vmove";
    assert_eq!(fault("CREATE TABLE pfbook (vkey);").as_deref(), Some(columnless));
    let small = format!(
        "CREATE TABLE BHOBK (VKEY, VMOVE); INSERT INTO bhobk VALUES ({}, '{}');",
        key(&Position::start()) as i64,
        number("h2e2")
    );
    assert_eq!(fault(&small), None);
    let entries = Database::open(&path, &keys).unwrap().entries(&Position::start());
    assert_eq!(shown(&entries), [("h2e2".to_owned(), 1, None, false)]);
}

#[test]
fn errors_of_sqlite_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE bhobk (vkey, vmove);").unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    for (old, new) in [("bhobk", "b\n\u{1}bk"), ("TABLE", "TABLX")] {
        for at in 0..bytes.len() - old.len() {
            if bytes[at..].starts_with(old.as_bytes()) {
                bytes[at..at + old.len()].copy_from_slice(new.as_bytes());
            }
        }
    }
    std::fs::write(&path, bytes).unwrap();
    let said = format!("{:#}", Database::open(&path, &keys()).err().unwrap());
    assert!(said.contains("malformed database schema (b bk)") && !said.contains(char::is_control), "{said:?}");
}

#[test]
fn endings_tell_the_dialect() {
    let found = ["obk", "OBK", "pfBook", "pfbook", "db", ""].map(Dialect::of_ending);
    let [obk, pf_book] = Dialect::ALL.map(Some);
    assert_eq!(found, [obk, obk, pf_book, pf_book, None, None]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn an_altered_database_causes_no_panic(changes in prop::collection::vec((0..12_288_usize, any::<u8>()), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let start = Position::start();
        let keys = keys();
        let rows: Vec<_> = start.legal_moves().into_iter().map(|mv| {
            (integer(keys.of(&start)), number(&mv.to_string()), (3, 2, 1, 0, Some(1), Some("x")))
        }).collect();
        database(&path, COLUMNS, &rows);
        let mut bytes = std::fs::read(&path).unwrap();
        for (place, byte) in changes {
            let place = place % bytes.len();
            bytes[place] ^= byte;
        }
        std::fs::write(&path, bytes).unwrap();
        if let Ok(mut database) = Database::open(&path, &keys) {
            let entries = database.entries(&start);
            prop_assert!(entries.iter().all(|entry| start.is_legal(entry.mv)));
        }
    }
}
