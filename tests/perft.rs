//! Perft against the known counts of `tests/data/perft.tsv`, each row to its last column.

use chuhe::board::{Position, perft};

struct Row {
    fen: String,
    counts: Vec<u64>,
}

fn rows() -> Vec<Row> {
    include_str!("data/perft.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.split('\t');
            let fen = columns.next().unwrap().to_owned();
            Row { fen, counts: columns.map(|count| count.parse().unwrap()).collect() }
        })
        .collect()
}

fn check(wanted: impl Fn(u64) -> bool) -> usize {
    let mut checked = 0;
    for Row { fen, counts } in rows() {
        let position = Position::from_fen(&fen).unwrap();
        for (depth, count) in (1..).zip(counts).filter(|&(_, count)| wanted(count)) {
            assert_eq!(perft(&position, depth), count, "depth {depth} of {fen}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn every_row_to_its_last_column() {
    assert_eq!(check(|_| true), 55);
}

#[test]
#[ignore = "5.4 billion nodes take half a minute in release; run by ci/deep.sh"]
fn the_start_position_six_plies_deep() {
    assert_eq!(perft(&Position::start(), 6), 5_392_831_844);
}
