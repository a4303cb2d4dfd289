//! Round trips, and one-line errors for files of other kinds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use parquet::column::writer::ColumnWriter;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::*;
use crate::group::Group;
use crate::tuple::{Points, Tuple};

/// Returns reproducible tuples, with repeated keys.
fn some_tuples(count: u64) -> Vec<Tuple> {
    let number = |at: u64| at.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let tuple = |at: u64| {
        let (key, rest) = (number(number(at) >> 50), number(at + 1));
        let points = Points::ALL[(rest >> 62) as usize];
        Tuple::new(key, (rest >> 8) as u16, (rest >> 24) as u16, (rest >> 40) as u16, points)
    };
    (0..count).map(tuple).collect()
}

fn some_groups() -> Vec<GroupRow> {
    let group = |tuple: &Tuple| {
        let mut group = Group::new(tuple.key, tuple.mv());
        group.counts = [tuple.key >> 1, 1, tuple.ply().into(), 0];
        GroupRow { group, plies: (0, tuple.ply()), ratings: (tuple.rating(), u16::MAX) }
    };
    some_tuples(1000).iter().map(group).collect()
}

fn write<R: Row>(path: &Path, rows: &[R]) {
    let mut writer = Writer::new(fs::File::create(path).unwrap()).unwrap();
    rows.chunks(70_001).for_each(|rows| writer.push(rows).unwrap());
    writer.finish().unwrap();
}

fn read<R: Row>(path: &Path) -> Result<Vec<R>> {
    let mut found = vec![];
    for_each_block(path, |rows| {
        found.extend_from_slice(rows);
        Ok(())
    })?;
    Ok(found)
}

/// Returns the error of reading a file as the kind that it seems to be.
fn fault(path: &Path) -> Option<String> {
    let read = kind_of(path).and_then(|kind| match kind {
        Kind::Tuples => read::<Tuple>(path).map(drop),
        Kind::Groups => read::<GroupRow>(path).map(drop),
    });
    read.err().map(|error| format!("{error:#}"))
}

#[test]
fn rows_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    // More than a row group, a single row, and none.
    for count in [600_000, 1, 0] {
        let tuples = some_tuples(count);
        write(&path, &tuples);
        assert_eq!(kind_of(&path).unwrap(), Kind::Tuples);
        assert!(read::<Tuple>(&path).unwrap() == tuples, "{count}");
    }
    write(&path, &some_groups());
    assert_eq!(kind_of(&path).unwrap(), Kind::Groups);
    assert_eq!(read::<GroupRow>(&path).unwrap(), some_groups());
    assert!(format!("{:#}", read::<Tuple>(&path).unwrap_err()).ends_with("a.parquet: it has no column result"));
}

/// Writes a file like another writer: one row group with these columns, which claims as many rows as the first column has.
/// Numbers are written in the type of the column, missing ones as NULL.
fn foreign(folder: &Path, columns: &[(&str, &[Option<i64>])]) -> PathBuf {
    let path = folder.join("foreign.parquet");
    let fields: Vec<_> = columns.iter().map(|(field, _)| *field).collect();
    let schema = parse_message_type(&format!("message m {{ {}; }}", fields.join("; "))).unwrap();
    // The other version has other encodings.
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_dictionary_enabled(false)
        .build();
    let file = fs::File::create(&path).unwrap();
    let mut out = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = out.next_row_group().unwrap();
    for (_, values) in columns {
        let mut writer = group.next_column().unwrap().unwrap();
        let levels: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
        let known = values.iter().flatten();
        match writer.untyped() {
            ColumnWriter::Int64ColumnWriter(out) => {
                out.write_batch(&known.copied().collect::<Vec<_>>(), Some(&levels), None)
            }
            ColumnWriter::Int32ColumnWriter(out) => {
                out.write_batch(&known.map(|&value| value as i32).collect::<Vec<_>>(), Some(&levels), None)
            }
            ColumnWriter::DoubleColumnWriter(out) => {
                out.write_batch(&known.map(|&value| value as f64).collect::<Vec<_>>(), Some(&levels), None)
            }
            _ => unreachable!("no other type in these tests"),
        }
        .unwrap();
        writer.close().unwrap();
    }
    group.close().unwrap();
    out.close().unwrap();
    path
}

const NUMBERS: [Option<i64>; 3] = [Some(1), Some(2), Some(3)];

#[test]
fn any_integers_in_any_order_will_do() {
    let folder = tempfile::tempdir().unwrap();
    let columns = [
        ("optional double remark", &NUMBERS),
        ("optional int64 ply", &NUMBERS),
        ("optional int32 rating (INTEGER(32,true))", &NUMBERS),
        ("required int64 key (INTEGER(64,false))", &[Some(-1), Some(0), Some(i64::MIN)]),
        ("optional int32 result (UINT_8)", &[Some(3), Some(0), Some(1)]),
        ("required int32 move", &NUMBERS),
    ];
    let path = foreign(folder.path(), &columns.map(|(field, values)| (field, values.as_slice())));
    let tuple = |key, number, points| Tuple::new(key, number, number, number, points);
    let expected = [tuple(u64::MAX, 1, Points::Win), tuple(0, 2, Points::Unknown), tuple(1 << 63, 3, Points::Loss)];
    assert_eq!(kind_of(&path).unwrap(), Kind::Tuples);
    assert_eq!(read::<Tuple>(&path).unwrap(), expected);
}

#[test]
fn other_columns_are_said_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let said = |ply: (&str, &[Option<i64>])| {
        let rest = ["optional int64 key", "optional int64 move", "optional int64 result", "optional int64 rating"];
        let columns: Vec<_> = rest.into_iter().map(|field| (field, NUMBERS.as_slice())).chain([ply]).collect();
        let path = foreign(folder.path(), &columns);
        let said = fault(&path).unwrap_or_default();
        said.strip_prefix(&format!("{}: ", path.display())).unwrap_or_default().to_owned()
    };
    for (field, reason) in [
        ("optional double ply", "column ply holds no integers: cast them to BIGINT"),
        ("optional int64 ply (DECIMAL(18,0))", "column ply holds no integers: cast them to BIGINT"),
        ("optional int32 ply (DATE)", "column ply holds no integers: cast them to BIGINT"),
    ] {
        assert_eq!(said((field, &NUMBERS)), reason);
    }
    assert_eq!(said(("optional int64 play", &NUMBERS)).split(':').next(), Some("it lacks columns"));
    assert_eq!(said(("optional int64 plies", &NUMBERS)).split(':').next(), Some("it lacks columns"));
    let ply = "optional int64 ply";
    assert_eq!(said((ply, &[Some(1), None, Some(2)])), "column ply: there are NULLs in it");
    assert_eq!(said((ply, &[Some(1), Some(2), Some(65_536)])), "column ply: 65536 is not from 0 to 65535");
    assert_eq!(said((ply, &[Some(1), Some(-1), Some(2)])), "column ply: -1 is not from 0 to 65535");
    let path = folder.path().join("text");
    for text in ["", "PAR1", "h2e2 h9g7\n", "PAR1PAR1PAR1"] {
        fs::write(&path, text).unwrap();
        let said = fault(&path).unwrap();
        assert!(said.starts_with(&format!("{}: ", path.display())) && said.lines().count() == 1, "{said:?}");
    }
    assert!(fault(&folder.path().join("none")).unwrap().contains("none: cannot be read"));
}

/// Checks that bytes give no error or one of a single line. A panic fails the test by itself.
#[track_caller]
fn assert_one_line_or_none(path: &Path, bytes: &[u8], what: &str) -> bool {
    // Some systems flush an overwritten file to disk at once, which is slow.
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
    let said = fault(path);
    if let Some(said) = &said {
        assert!(said.starts_with(&format!("{}: ", path.display())) && said.lines().count() == 1, "{what}: {said:?}");
    }
    said.is_some()
}

#[test]
fn a_cut_or_damaged_file_is_said_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    for kind in [Kind::Tuples, Kind::Groups] {
        match kind {
            Kind::Tuples => write(&path, &some_tuples(60)),
            Kind::Groups => write(&path, &some_groups()[..20]),
        }
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            assert!(assert_one_line_or_none(&path, &whole[..length], &format!("{kind:?} cut at {length}")), "{length}");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            let flip = [0x01, 0x80, 0xFF][at % 3];
            bytes[at] ^= flip;
            assert_one_line_or_none(&path, &bytes, &format!("{kind:?} byte {at} ^ {flip:#x}"));
        }
    }
}
