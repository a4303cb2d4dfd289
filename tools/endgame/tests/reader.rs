//! Compares the reader in Python, which was written from the page about the files alone, with the library. `ci/reader.sh` compares
//! more positions.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chuhe::board::{Position, Side};
use chuhe::endgame::{Index, Material, Outcome, Tables, write_distances, write_losses, write_results};
use chuhe::splitmix::{SplitMix64, mix};
use chuhe_endgame::folder;
use chuhe_endgame::generate::{self, Settings};

/// Runs the reader on these positions and returns its lines; `None` without an interpreter.
fn lines_of_the_reader(folder: &Path, fens: &[String]) -> Option<Vec<String>> {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("reader/chuhe_tables.py");
    let mut command = Command::new("python3");
    command.arg(reader).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("not tested: there is no python3");
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let text = fens.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// Returns random positions of a table, in both colours, and their mirror images.
fn positions(index: &Index, count: usize, random: &mut SplitMix64) -> Vec<Position> {
    let mut found = vec![];
    while found.len() < count {
        let placement = index.placement(random.word() % index.size());
        let mover = Side::ALL[usize::from(random.word().is_multiple_of(2))];
        let Some(position) = index.position(&placement, mover) else { continue };
        let position = if random.word().is_multiple_of(2) { position.colours_swapped() } else { position };
        found.push(if random.word().is_multiple_of(2) { position.mirrored() } else { position });
    }
    found
}

/// Compares the reader on random positions of every table of a folder. Returns the lines, without plies.
fn compare(folder: &Path, tables: &Tables) -> Option<Vec<String>> {
    let mut random = SplitMix64::new(63);
    let indexes = tables.materials().into_iter().map(|material| tables.results(material).unwrap().index());
    let positions: Vec<_> = indexes.flat_map(|index| positions(index, 400, &mut random)).collect();
    let fens: Vec<String> = positions.iter().map(Position::to_fen).collect();
    let lines = lines_of_the_reader(folder, &fens)?;
    assert_eq!(lines.len(), fens.len());
    for (position, line) in positions.iter().zip(&lines) {
        let outcome = tables.outcome(position).unwrap();
        let is_decided = matches!(outcome, Outcome::Win | Outcome::Loss);
        let plies = tables.distance(position).filter(|_| is_decided).map(|plies| format!(" {plies}"));
        let expected = format!("{}{}", format!("{outcome:?}").to_lowercase(), plies.unwrap_or_default());
        assert_eq!(*line, expected, "{}", position.to_fen());
    }
    Some(lines.into_iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect())
}

fn materials(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[test]
fn a_reader_written_from_the_page_finds_the_same_in_solved_tables() {
    let folder = tempfile::tempdir().unwrap();
    // Pairs of pawns, attackers on both sides, equal sides, defenders on both sides.
    let materials = materials(&["KR-KN", "KPP-KA", "KP-KP", "KCA-KB"]);
    let interval = Duration::from_secs(3600);
    let settings = Settings { materials, folder: folder.path().to_owned(), threads: 2, memory: None, interval };
    generate::run(&settings, &AtomicBool::new(false)).unwrap();
    let Some(outcomes) = compare(folder.path(), &folder::read(folder.path()).unwrap()) else { return };
    for outcome in ["win", "loss", "draw", "open"] {
        assert!(outcomes.iter().any(|found| found == outcome), "{outcome}");
    }
    let unknown = ["4k4/9/9/9/9/9/9/9/P8/3K5 w", "4k4/9/9/9/9/9/9/9/C8/3K4C w", "4k4/9/9/9/9/9/9/9/9/3K5 w"];
    let lines = lines_of_the_reader(folder.path(), &unknown.map(str::to_owned)).unwrap();
    assert_eq!(lines, ["unknown", "unknown", "draw"], "a pawn behind its squares, no table, no attackers");
}

#[test]
fn a_reader_written_from_the_page_finds_the_same_in_tables_of_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let file = |path: PathBuf| File::create(path).unwrap();
    let chance = |mover: Side, number: u64| mix(2 * number + mover.index() as u64);
    for (at, material) in materials(&["KRA-KA", "KC-KN", "KNB-KA", "KPP-KB", "KPB-KAB"]).into_iter().enumerate() {
        let index = Index::new(material).unwrap();
        // Codes of no bit, one or two; the second side has fewer.
        let outcomes = [1, 2, 3, 4, 4][at];
        let outcome = |mover: Side, number| {
            Outcome::ALL[(chance(mover, number) % (outcomes - (mover.index() as u64).min(outcomes - 1))) as usize]
        };
        write_results(&mut file(folder::results_of(folder.path(), material)), &index, |mover, number| {
            Some(outcome(mover, number))
        })
        .unwrap();
        // Distances of one byte, and of two.
        let longest = [200, 300, 255, 256, 40_000][at];
        let distance = |mover, number| (chance(mover, number) >> 32) as u16 % longest;
        let mut out = file(folder::distances_of(folder.path(), material));
        if at % 2 == 0 {
            write_losses(&mut out, &index, distance, |mover, number| outcome(mover, number) == Outcome::Loss).unwrap();
        } else {
            write_distances(&mut out, &index, distance).unwrap();
        }
    }
    compare(folder.path(), &folder::read(folder.path()).unwrap());
}
