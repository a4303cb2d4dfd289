//! Reader of Parquet files: every error is one line that begins with the file name.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs, process};

use anyhow::Result;
use book_tools::columns::{GroupRow, Kind, Row, Writer, for_each_block, kind_of};
use book_tools::group::Group;
use book_tools::tuple::{Points, Tuple};
use libfuzzer_sys::fuzz_target;

static PATH: LazyLock<PathBuf> =
    LazyLock::new(|| env::temp_dir().join(format!("chuhe-fuzz-{}.parquet", process::id())));
static TUPLES: LazyLock<Vec<u8>> = LazyLock::new(|| written(&tuples()));
static GROUPS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let group = |tuple| GroupRow { group: Group::from(tuple), plies: (0, 9), ratings: (0, 2400) };
    written(&tuples().map(group))
});

// The first byte selects the file: the other bytes alone, or a valid file that they damage, each after two bytes for its
// offset.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let file = match choice % 3 {
        0 => bytes.to_vec(),
        1 => damaged(TUPLES.clone(), bytes),
        _ => damaged(GROUPS.clone(), bytes),
    };
    fs::write(&*PATH, file).expect("there is room");
    if let Err(error) = read() {
        let said = format!("{error:#}");
        assert!(said.starts_with(&format!("{}: ", PATH.display())) && said.lines().count() == 1, "{said:?}");
    }
});

fn read() -> Result<()> {
    match kind_of(&PATH)? {
        Kind::Tuples => for_each_block(&PATH, |_: &[Tuple]| Ok(())),
        Kind::Groups => for_each_block(&PATH, |_: &[GroupRow]| Ok(())),
    }
}

fn tuples() -> [Tuple; 40] {
    std::array::from_fn(|at| Tuple::new(at as u64 / 3, at as u16, 7, 2400, Points::ALL[at % 4]))
}

fn written<R: Row>(rows: &[R]) -> Vec<u8> {
    let mut writer = Writer::new(vec![]).expect("there is memory");
    writer.push(rows).expect("there is memory");
    writer.finish().expect("there is memory")
}

fn damaged(mut file: Vec<u8>, damages: &[u8]) -> Vec<u8> {
    for &[high, low, byte] in damages.as_chunks().0 {
        let at = usize::from(u16::from_be_bytes([high, low])) % file.len();
        file[at] = byte;
    }
    file
}
