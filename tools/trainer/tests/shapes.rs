//! Tests runs that are compared with each other: output buckets by material, several seeds, and the course of a training.

mod support;

use std::fs;
use std::path::Path;

use chuhe::board::Position;
use chuhe::eval::nnue::{Network, OutputBuckets};
use support::{GAMES_FOLDER, SMALL, fails, program, succeeds};
use tempfile::TempDir;

/// Returns options of a small network by material, with everything that changes on the way.
fn words() -> String {
    let words = SMALL.replace("-outputs 2", "-outputs material").replace("-epochs 6", "-epochs 5");
    format!("train {words} -result 0.1 -last-result 0.3 -newest 0.4 -seeds 2")
}

fn hashes(printed: &str) -> Vec<&str> {
    printed.lines().filter_map(|line| line.strip_prefix("hash ")).collect()
}

#[test]
fn runs_of_several_seeds_by_material_are_trained_compared_and_read_by_the_engine() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let games = GAMES_FOLDER.path();
    let train = |out: &Path, threads: usize| {
        succeeds(&mut program(&format!("{} -threads {threads} -out", words()), &[out, games]))
    };
    let printed = train(one.path(), 1);
    let (by_one, by_two) = (hashes(&printed), train(two.path(), 2));
    assert!(by_one.len() == 2 && by_one[0] != by_one[1], "{printed}");
    assert_eq!(hashes(&by_two), by_one);
    // The same command finds both runs finished.
    assert_eq!(hashes(&train(two.path(), 2)), by_one);
    let table = fs::read_to_string(one.path().join("runs.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    for (line, seed) in lines[1..].iter().zip([2, 3]) {
        assert!(line.contains(&format!("seed-{seed},32,material,1,{seed},")), "{table}");
        assert!(line.contains(",5,5,0.1,0.3,0.4,"), "{table}");
    }
    let picture = fs::read_to_string(one.path().join("runs.svg")).unwrap();
    assert!(picture.contains("32 wide, 16 outputs by material, seed 3: "), "{picture}");
    let (file, run) = (one.path().join("material.nnue"), one.path().join("seed-2"));
    let losses = fs::read_to_string(run.join("loss.csv")).unwrap();
    assert_eq!(losses.lines().next().unwrap(), "epoch,training,validation,scores,results,rate");
    let printed = succeeds(&mut program("quantise -positions 300 -out", &[&file, &run, games]));
    assert!(printed.contains("32 bits hold them"), "{printed}");
    let network = Network::read(&file).unwrap();
    assert_eq!(network.shape().output_buckets, OutputBuckets::ByMaterial);
    let rook_up = Position::from_fen("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w").unwrap();
    assert!(network.value(&rook_up) > 300, "{}", network.value(&rook_up));
    let compared = succeeds(&mut program("compare -positions 300", &[&run.join("checkpoint"), &file, games]));
    assert_eq!(compared.trim_end(), printed.lines().find(|line| line.contains(" apart ")).unwrap());
}

#[test]
fn a_table_of_runs_replaces_only_its_own_kind() {
    let folder = TempDir::new().unwrap();
    let (run, out) = (folder.path().join("run"), folder.path().join("all"));
    let words = SMALL.replace("-epochs 6", "-epochs 1");
    succeeds(&mut program(&format!("train {words} -out"), &[&run, GAMES_FOLDER.path()]));
    assert!(!run.join("runs.csv").exists());
    for _ in 0..2 {
        succeeds(&mut program("runs -out", &[&out, &run, &run.join("checkpoint")]));
    }
    let table = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    fs::write(folder.path().join("all.svg"), "Dear all").unwrap();
    let printed = fails(&mut program("runs -out", &[&out, &run]));
    assert!(
        printed.contains("all.svg: holds something that is not a picture of runs, and is not replaced"),
        "{printed}"
    );
    let printed = fails(&mut program("runs -out", &[&folder.path().join("none"), folder.path()]));
    assert!(printed.contains("checkpoint"), "{printed}");
}

#[test]
fn a_course_that_cannot_be_taken_is_refused_in_one_line() {
    let folder = TempDir::new().unwrap();
    let refused = |words: &str| {
        let printed =
            fails(&mut program(&format!("train {SMALL} {words} -out"), &[folder.path(), GAMES_FOLDER.path()]));
        assert!(!folder.path().join("checkpoint").exists());
        printed
    };
    for (words, message) in [
        ("-last-result 2", "-last-result is 0 to 1, not 2\n"),
        ("-newest 1.5", "-newest is 0 to 1, not 1.5\n"),
        ("-newest 0.5 -epochs 4", "-newest needs 5 epochs or more, not 4\n"),
        ("-seeds 0", "-seeds is 1 or more, not 0\n"),
        ("-outputs 0", "output buckets: expected 1 to 16, found 0\n"),
        ("-outputs 17", "output buckets: expected 1 to 16, found 17\n"),
    ] {
        let printed = refused(words);
        assert!(printed.ends_with(message), "{words}: {printed}");
    }
}
