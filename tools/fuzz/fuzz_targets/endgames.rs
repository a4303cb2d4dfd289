//! Readers of endgame tablebases and of their archives: an accepted file gives a result or an error for every placement, and
//! written tables are read back unchanged.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use chuhe::board::{Position, Side};
use chuhe::endgame::{Distances, Index, Material, Outcome, Results, Tables, write_losses, write_packed, write_results};
use libfuzzer_sys::fuzz_target;
use twox_hash::XxHash3_64;

#[derive(Arbitrary, Debug)]
enum Input {
    /// A file of these bytes.
    File(Vec<u8>),
    /// A valid file damaged by these bytes; its checksums are corrected, so that the fuzzer gets past them.
    Damaged { of_distances: bool, damages: Vec<(u32, u8)>, cut: Option<u16> },
    /// A table of these outcomes and distances, repeated in turn.
    Made { entries: Vec<u8>, losses: Vec<u16> },
    /// An archive of these bytes, optionally followed by valid files.
    Archive { start: Vec<u8>, damages: Vec<(u32, u8)>, has_files: bool },
}

/// Material with few placements, and yet a pawn that draws where it has advanced too far.
const MATERIAL: &str = "KP-K";
/// Number of placements whose results are probed, from the first on.
const RESULTS_LOOKED_AT: u64 = 3_000;
/// Number of placements whose distances are probed. Each costs more, so they are a prime number apart to cover all kinds.
const DISTANCES_LOOKED_AT: usize = 30;
const DISTANCE_STEP: usize = 97;
/// Number of placements below which distances are read completely.
const SMALL: u64 = 10_000;
const HEADER: usize = 192;
const BODY_SUM: std::ops::Range<usize> = 160..168;
const HEADER_SUM: std::ops::Range<usize> = 168..176;

static MATERIAL_INDEX: LazyLock<Index> = LazyLock::new(|| {
    let material: Material = MATERIAL.parse().expect("it is one");
    Index::new(material).expect("it has few attackers")
});
/// Valid files of results and of distances.
static SOUND: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let material: Material = MATERIAL.parse().expect("it is one");
    let table = Tables::embedded().results(material).expect("it is embedded");
    let outcome = |mover: Side, number: u64| table.outcome(mover, number);
    let (mut results, mut distances) = (vec![], vec![]);
    write_results(&mut results, &MATERIAL_INDEX, |mover, number| Some(outcome(mover, number)))
        .expect("there is memory");
    let far = |_: Side, number: u64| (number % 40) as u16;
    let is_lost = |mover: Side, number: u64| outcome(mover, number) == Outcome::Loss;
    write_losses(&mut distances, &MATERIAL_INDEX, far, is_lost).expect("there is memory");
    [results, distances]
});

fuzz_target!(|input: Input| match input {
    Input::File(bytes) => look_at(&bytes),
    Input::Damaged { of_distances, damages, cut } => look_at(&damaged(of_distances, &damages, cut)),
    Input::Made { entries, losses } => come_back(&entries, &losses),
    Input::Archive { start, damages, has_files } => {
        let mut archive = start;
        for file in SOUND.iter().filter(|_| has_files) {
            write_packed(&mut archive, file).expect("there is memory");
        }
        write_into(&mut archive, &damages);
        let mut tables = Tables::empty();
        if let Err(fault) = tables.add_archive(&archive) {
            assert!(!fault.to_string().contains('\n'), "{fault}");
        }
        ask(&tables);
    }
});

/// Probes a file; no content may cause a panic.
fn look_at(file: &[u8]) {
    if let Ok(results) = Results::copied(file) {
        let _ = results.verify();
        for number in 0..results.index().size().min(RESULTS_LOOKED_AT) {
            let _ = Side::ALL.map(|mover| results.outcome(mover, number));
        }
    }
    if let Ok(distances) = Distances::copied(file) {
        let _ = distances.verify();
        for number in (0..distances.index().size()).step_by(DISTANCE_STEP).take(DISTANCES_LOOKED_AT) {
            let _ = Side::ALL.map(|mover| distances.distance(mover, number));
        }
        let _ = Side::ALL.map(|mover| distances.longest(mover));
        if distances.index().size() < SMALL {
            let _ = Side::ALL.map(|mover| distances.all(mover));
        }
    }
}

fn come_back(entries: &[u8], losses: &[u16]) {
    let entry = |mover: Side, number: u64| {
        let at = number as usize * 2 + mover.index();
        entries.get(at % entries.len().max(1)).map(|&byte| Outcome::ALL[usize::from(byte) % Outcome::ALL.len()])
    };
    let mut file = vec![];
    write_results(&mut file, &MATERIAL_INDEX, entry).expect("there is memory");
    let results = Results::copied(&file).expect("it is sound");
    results.verify().expect("it is sound");
    let far = |mover: Side, number: u64| {
        losses.get((number as usize ^ mover.index()) % losses.len().max(1)).copied().unwrap_or_default()
    };
    let is_lost = |mover: Side, number: u64| entry(mover, number) == Some(Outcome::Loss);
    let mut file = vec![];
    write_losses(&mut file, &MATERIAL_INDEX, far, is_lost).expect("there is memory");
    let distances = Distances::copied(&file).expect("it is sound");
    for mover in Side::ALL {
        let all = distances.all(mover).expect("it is sound");
        for number in 0..MATERIAL_INDEX.size() {
            if let Some(outcome) = entry(mover, number) {
                assert_eq!(results.outcome(mover, number), outcome);
            }
            if is_lost(mover, number) {
                assert_eq!(all[number as usize], far(mover, number));
            }
        }
    }
}

/// Probes positions of the tables and others.
fn ask(tables: &Tables) {
    for fen in ["4k4/9/9/9/4P4/9/9/9/9/3K5 w", "4k4/9/4P4/9/9/9/9/9/9/3K5 b", "3k5/9/9/4p4/9/9/9/9/9/4K4 b"] {
        let position = Position::from_fen(fen).expect("it is one");
        if tables.may_know(&position) {
            let _ = (tables.outcome(&position), tables.distance(&position));
        }
    }
}

fn write_into(file: &mut [u8], damages: &[(u32, u8)]) {
    let length = file.len();
    for &(at, byte) in damages.iter().filter(|_| length > 0) {
        // Half of the offsets are for the header.
        let end = if at & 1 == 0 { HEADER.min(length) } else { length };
        file[at as usize / 2 % end] = byte;
    }
}

fn damaged(of_distances: bool, damages: &[(u32, u8)], cut: Option<u16>) -> Vec<u8> {
    let mut file = SOUND[usize::from(of_distances)].clone();
    write_into(&mut file, damages);
    if let Some(cut) = cut {
        file.truncate(HEADER.max(usize::from(cut)));
    }
    let body = XxHash3_64::oneshot(&file[HEADER..]);
    file[BODY_SUM].copy_from_slice(&body.to_le_bytes());
    file[HEADER_SUM].fill(0);
    let header = XxHash3_64::oneshot(&file[..HEADER]);
    file[HEADER_SUM].copy_from_slice(&header.to_le_bytes());
    file
}
