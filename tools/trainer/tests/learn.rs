//! Tests the program as a whole: training on generated games is deterministic for any number of threads and interruptions, and
//! the engine reads the result.

mod support;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use chuhe::board::Position;
use chuhe::eval::nnue::{FEATURES, Network, OutputBuckets, Shape};
use chuhe_selfplay::chunk::Chunk;
use chuhe_selfplay::folder;
use chuhe_selfplay::manifest;
use chuhe_trainer::checkpoint::{Checkpoint, Epoch};
use chuhe_trainer::data::Data;
use chuhe_trainer::gradient::{SHARDS, Shard, Target, examine};
use support::{GAMES_FOLDER, SMALL, fails, program, succeeds};
use tempfile::TempDir;

/// Returns the command that trains into a folder, with more options.
fn train(out: &Path, words: &str) -> Command {
    let mut command = program(&format!("train {SMALL} {words} -out"), &[out]);
    command.arg(GAMES_FOLDER.path());
    command
}

fn checkpoint(out: &Path) -> Vec<u8> {
    fs::read(out.join("checkpoint")).unwrap()
}

/// Folder in which the small network has trained without interruption, and the output of that run.
static TRAINED: LazyLock<(TempDir, String)> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let printed = succeeds(&mut train(folder.path(), "-threads 1"));
    (folder, printed)
});

/// Returns the loss on the validation games before the first step.
fn loss_untaught(out: &Path) -> f64 {
    let Checkpoint { settings, .. } = Checkpoint::read(&out.join("checkpoint")).unwrap();
    let (layout, target) = (settings.layout(), Target { scale: settings.scale as f32, result_share: 0.0 });
    let data = Data::read(&[GAMES_FOLDER.path().to_owned()]).unwrap();
    let untaught = Checkpoint::new(settings).parameters.values;
    examine(&mut vec![Shard::new(layout); SHARDS], &untaught, [target], &data.validation)[0]
}

#[test]
fn the_losses_fall() {
    let (out, printed) = &*TRAINED;
    let games = fs::read_to_string(out.path().join("games.toml")).unwrap();
    assert_eq!(games, manifest::lines(&[GAMES_FOLDER.path().to_owned()]).unwrap());
    let table = fs::read_to_string(out.path().join("loss.csv")).unwrap();
    let losses: Vec<[f64; 2]> = table
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [cells[1], cells[2]].map(|cell| cell.parse().unwrap())
        })
        .collect();
    assert_eq!(losses.len(), 6, "{table}");
    assert!(losses.is_sorted_by(|before, after| after[0] < before[0]), "{table}");
    assert!(losses[5][0] < 0.8 * losses[0][0], "{table}");
    let untaught = loss_untaught(out.path());
    // The speed depends on the few games, which change with the search.
    assert!(losses.iter().all(|[_, validation]| *validation < untaught), "{untaught} before\n{table}");
    assert!(losses[5][1] < 0.9 * untaught, "{untaught} before\n{table}");
    let picture = fs::read_to_string(out.path().join("loss.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    assert!(printed.contains("epoch 6 of 6: ") && printed.contains(", done\nhash "), "{printed}");
}

#[test]
fn two_threads_learn_the_same_as_one() {
    let (alone, printed) = &*TRAINED;
    let folder = TempDir::new().unwrap();
    let printed_by_two = succeeds(&mut train(folder.path(), "-threads 2"));
    assert!(checkpoint(folder.path()) == checkpoint(alone.path()));
    let hash = |printed: &str| printed.lines().last().unwrap().to_owned();
    assert_eq!(hash(&printed_by_two), hash(printed));
    let other = TempDir::new().unwrap();
    let printed_by_other = succeeds(&mut train(other.path(), "-threads 2 -seed 3"));
    assert_ne!(hash(&printed_by_other), hash(printed));
}

#[test]
fn what_was_killed_goes_on_and_learns_the_same() {
    let undisturbed = checkpoint(TRAINED.0.path());
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("checkpoint");
    let modified = || fs::metadata(&path).and_then(|data| data.modified()).ok();
    let mut kills = 0;
    loop {
        let before = modified();
        let mut child = train(folder.path(), "-threads 2 -save 0").stdout(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        // Wait until the run has written two or three times.
        let mut changes = 0;
        let mut last = before;
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            let now = modified();
            changes += usize::from(now != last);
            last = now;
            if changes > 2 + kills * 8 {
                break None;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "nothing comes of it");
            thread::sleep(Duration::from_millis(1));
        };
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(kills < 60, "it never ends");
    }
    assert!(kills >= 2, "{kills} kills");
    assert!(checkpoint(folder.path()) == undisturbed);
    let table = |folder: &Path| fs::read_to_string(folder.join("loss.csv")).unwrap();
    assert_eq!(table(folder.path()), table(TRAINED.0.path()));
    // As if killed after the last checkpoint.
    fs::remove_file(folder.path().join("loss.csv")).unwrap();
    let printed = succeeds(&mut train(folder.path(), ""));
    assert_eq!(printed.lines().last(), TRAINED.1.lines().last());
    assert_eq!(table(folder.path()), table(TRAINED.0.path()));
}

#[cfg(unix)]
#[test]
fn an_epoch_whose_checkpoint_cannot_be_written_is_not_reported() {
    let folder = TempDir::new().unwrap();
    let command = train(folder.path(), "-threads 1");
    // As on a full disk: no file may grow beyond a few kilobytes.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"]).arg(command.get_program());
    let Output { status, stdout, stderr } = limited.args(command.get_args()).output().unwrap();
    let printed = [stdout, stderr].map(|printed| String::from_utf8(printed).unwrap());
    assert!(!status.success() && !printed[0].contains("epoch"), "{printed:?}");
    assert!(printed[1].contains("checkpoint: cannot be written"), "{printed:?}");
    assert!(TRAINED.1.contains("epoch 1 of"));
}

#[test]
fn who_is_not_listened_to_any_more_learns_on() {
    let folder = TempDir::new().unwrap();
    let mut child = train(folder.path(), "-threads 2").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(checkpoint(folder.path()) == checkpoint(TRAINED.0.path()));
}

#[test]
fn the_engine_reads_a_trained_network() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("small.nnue");
    let games = GAMES_FOLDER.path();
    let mut command = program("quantise -positions 300 -out", &[&file, TRAINED.0.path(), games]);
    let printed = succeeds(&mut command);
    assert!(printed.contains("16 bits hold them") && printed.contains("32 bits hold them"), "{printed}");
    let words: Vec<&str> = printed.lines().find(|line| line.contains(" apart ")).unwrap().split([' ', ';']).collect();
    let number = |before: &str| -> f64 {
        let at = words.iter().position(|word| *word == before).unwrap();
        words[at - 1].parse().unwrap()
    };
    assert!(number("centipawns") < 5.0 && number("at") < 25.0, "{printed}");
    let network = Network::read(&file).unwrap();
    assert!(printed.contains(&format!("network {:016x}", network.id())), "{printed}");
    assert!(network.value(&Position::start()).abs() < 150);
    let rook_up = Position::from_fen("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w").unwrap();
    assert!(network.value(&rook_up) > 300, "{}", network.value(&rook_up));
    let checkpoint = TRAINED.0.path().join("checkpoint");
    let compared = succeeds(&mut program("compare -positions 300", &[&checkpoint, &file, games]));
    assert_eq!(compared.trim_end(), printed.lines().find(|line| line.contains(" apart ")).unwrap());
    let itself = succeeds(&mut program("compare", &[&file, &file, games]));
    assert!(itself.contains(": 0.00 centipawns apart on average, 0.0 at most; slope 1.0000"), "{itself}");
}

#[test]
fn a_network_takes_the_place_of_a_network_alone() {
    let folder = TempDir::new().unwrap();
    let games = GAMES_FOLDER.path();
    let quantise = |out: &Path| program("quantise -positions 10 -out", &[out, TRAINED.0.path(), games]);
    let before = checkpoint(TRAINED.0.path());
    let printed = fails(&mut quantise(&TRAINED.0.path().join("checkpoint")));
    assert!(printed.ends_with("checkpoint: is read as well; name another file\n"), "{printed}");
    assert!(checkpoint(TRAINED.0.path()) == before);
    let (letter, chunk) = (folder.path().join("letter"), folder::file(games, 0, folder::CHUNK));
    fs::write(&letter, "Dear all").unwrap();
    for foreign in [&letter, &chunk] {
        let before = fs::read(foreign).unwrap();
        let printed = fails(&mut quantise(foreign));
        assert!(printed.contains("holds something that is not a network, and is not replaced"), "{printed}");
        assert!(fs::read(foreign).unwrap() == before);
    }
    let printed = fails(&mut quantise(folder.path()));
    assert!(printed.ends_with("not a regular file\n"), "{printed}");
    let (file, aside) = (folder.path().join("a.nnue"), folder.path().join("a.nnue.part"));
    fs::write(&aside, "mine").unwrap();
    for _ in 0..2 {
        succeeds(&mut quantise(&file));
    }
    assert!(Network::read(&file).is_ok() && fs::read(&aside).unwrap() == b"mine");
}

#[test]
fn a_picture_of_the_ladder_takes_the_place_of_a_picture_alone() {
    let folder = TempDir::new().unwrap();
    let [table, letter, picture] = ["ladder.tsv", "letter", "ladder.svg"].map(|name| folder.path().join(name));
    let rows = include_str!("../ladder.tsv");
    fs::write(&table, rows).unwrap();
    fs::write(&letter, "Dear all").unwrap();
    let printed = fails(&mut program("ladder", &[&table, "-out".as_ref(), &folder.path().join("./ladder.tsv")]));
    assert!(printed.ends_with("ladder.tsv: is read as well; name another file\n"), "{printed}");
    let printed = fails(&mut program("ladder", &[&table, "-out".as_ref(), &letter]));
    assert!(
        printed.contains("letter: holds something that is not a picture of a ladder, and is not replaced"),
        "{printed}"
    );
    assert!(fs::read_to_string(&table).unwrap() == rows && fs::read(&letter).unwrap() == b"Dear all");
    for _ in 0..2 {
        succeeds(&mut program("ladder", &[&table, "-out".as_ref(), &picture]));
    }
    assert_eq!(fs::read_to_string(&picture).unwrap(), include_str!("../ladder.svg"));
}

#[test]
fn what_begins_with_a_network_goes_on_from_where_that_was() {
    let folder = TempDir::new().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("small.nnue"));
    let games = GAMES_FOLDER.path();
    succeeds(&mut program("quantise -positions 100 -out", &[&file, TRAINED.0.path(), games]));
    let words = SMALL.replace("-scale 300 ", "").replace("-width 32", "-width 64").replace("-rate 2e-3", "-rate 2e-4");
    let words = format!("train {words} -from {} -out", file.display());
    let printed = succeeds(&mut program(&words, &[&run, games]));
    assert!(printed.contains("scale 300 (of the network to begin with)"), "{printed}");
    let epochs = |run: &Path| Checkpoint::read(&run.join("checkpoint")).unwrap().epochs;
    let (before, after) = (epochs(TRAINED.0.path()), epochs(&run));
    // So few games are soon fitted as well as possible; the training loss shows which run began at random.
    let first = |epochs: &[Epoch]| epochs[0].training;
    assert!(first(&after) < first(&before), "{before:?} {after:?}");
    let bound = 1.1 * before[5].validation;
    assert!(after.iter().all(|epoch| epoch.validation < bound), "{before:?} {after:?}");
    let from = Network::read(&file).unwrap().id();
    let printed =
        fails(&mut program(&words.replace(&format!(" -from {}", file.display()), " -scale 300"), &[&run, games]));
    assert!(printed.contains(&format!("from is \"{from:016x}\" there and null here")), "{printed}");
    let words = words.replace("-outputs 2", "-outputs 3 -scale 310");
    let printed = fails(&mut program(&words, &[&folder.path().join("other"), games]));
    assert!(printed.contains("has the scale 300, not 310"), "{printed}");
}

#[test]
fn king_buckets_are_trained_quantised_and_read() {
    let folder = TempDir::new().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("sets.nnue"));
    let words = SMALL.replace("-outputs 2", "-outputs 16 -kings 6 -result 0.1");
    let mut command = program(&format!("train {words} -out"), &[&run, GAMES_FOLDER.path()]);
    succeeds(&mut command);
    let games = GAMES_FOLDER.path();
    let printed = succeeds(&mut program("quantise -positions 300 -out", &[&file, &run, games]));
    let network = Network::read(&file).unwrap();
    assert_eq!(network.shape(), Shape { width: 32, output_buckets: OutputBuckets::ByPieces(16), king_buckets: 6 });
    let apart: f64 = printed.split(" positions: ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(apart < 6.0, "{printed}");
    // The king buckets have trained more than the factoriser.
    let Checkpoint { settings, parameters, .. } = Checkpoint::read(&run.join("checkpoint")).unwrap();
    let layout = settings.layout();
    let set = |set: usize| &parameters.values[layout.psqt()][set * FEATURES..][..FEATURES];
    assert!(set(0) != set(1) && set(0).iter().any(|&value| value != 0.0));
    let printed = fails(&mut program(&format!("train {SMALL} -kings 2 -out"), &[&run, games]));
    assert!(printed.contains("king buckets: expected 1 or 3 or 6, found 2"), "{printed}");
}

#[test]
fn every_usable_position_is_for_training_or_validation() {
    let paths = [GAMES_FOLDER.path().to_owned()];
    let data = Data::read(&paths).unwrap();
    let (mut usable, mut games) = (0, 0);
    for path in folder::chunks(&paths[0]).unwrap() {
        for game in Chunk::read(&path).unwrap().games {
            games += 1;
            let is_usable = |turn: &chuhe_selfplay::game::Turn| {
                !turn.position.in_check() && !turn.position.is_capture(turn.mv) && turn.score.abs() <= 3000
            };
            usable += game.turns().filter(is_usable).count();
        }
    }
    assert_eq!((data.games, data.training.len() + data.validation.len()), (games, usable));
    let share = data.validation.len() as f64 / usable as f64;
    assert!((0.005..0.15).contains(&share), "{share}");
    // The split is by game, whatever else is read.
    let first = [folder::chunks(&paths[0]).unwrap().remove(0)];
    let part = Data::read(&first).unwrap();
    assert_eq!(part.validation[..], data.validation[..part.validation.len()]);
    assert_ne!(part.identity, data.identity);
}

#[test]
fn what_is_in_the_way_is_said_in_one_line() {
    let out = TRAINED.0.path();
    let printed = fails(&mut train(out, "-batch 128"));
    assert!(printed.contains("checkpoint: made with other settings: batch is 256 there and 128 here"), "{printed}");
    let printed = fails(&mut train(out, "-result 2"));
    assert!(printed.contains("-result is 0 to 1, not 2"), "{printed}");
    for (word, number) in
        [("-rate", "NaN"), ("-decay", "NaN"), ("-last-rate", "inf"), ("-rate", "1.5"), ("-decay", "-1")]
    {
        // Without `=`, a dash would begin another option.
        let printed = fails(&mut train(&out.join("none"), &format!("{word}={number}")));
        assert!(printed.ends_with(&format!("{word} is 0 to 1, not {number}\n")), "{printed}");
        assert!(!out.join("none").exists());
    }
    let printed = fails(&mut train(out, "-batch 0"));
    assert!(printed.ends_with("-batch is 1 or more, not 0\n"), "{printed}");
    let printed = fails(&mut train(out, "-epochs 0"));
    assert!(printed.ends_with("-epochs is 1 or more, not 0\n"), "{printed}");
    let printed = succeeds(&mut program("train -help", &[]));
    assert!(printed.contains("Positions of a step at most; fewer to learn from are refused"), "{printed}");
    let printed = fails(&mut train(out, "-width 33"));
    assert!(printed.contains("width: expected a multiple of 32 up to 4096, found 33"), "{printed}");
    let folder = TempDir::new().unwrap();
    let printed = fails(&mut train(folder.path(), "-batch 1000000"));
    assert!(printed.contains("do not fill a batch of 1000000"), "{printed}");
    let chunk = folder::file(GAMES_FOLDER.path(), 0, folder::CHUNK);
    let printed = fails(train(folder.path(), "").arg(chunk));
    assert!(printed.contains("games-000000000000.chunk has games that are in "), "{printed}");
    let empty = TempDir::new().unwrap();
    fails(&mut program(&format!("train {SMALL} -out"), &[folder.path(), empty.path()]));
    let lock = File::create(folder.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let printed = fails(&mut train(folder.path(), ""));
    assert!(printed.contains("another process is learning there"), "{printed}");
    let foreign: PathBuf = folder.path().join("foreign");
    fs::write(&foreign, "nothing").unwrap();
    let printed = fails(&mut program("compare", &[&foreign, &foreign, GAMES_FOLDER.path()]));
    assert!(printed.contains("foreign: file: expected ChuheNN"), "{printed}");
}

#[test]
fn nothing_is_examined_with_no_position() {
    let folder = TempDir::new().unwrap();
    let (out, run, games) = (folder.path().join("small.nnue"), TRAINED.0.path(), GAMES_FOLDER.path());
    let printed = fails(&mut program("quantise -positions 0 -out", &[&out, run, games]));
    assert!(printed.contains("the number of positions is 1 or more, not 0") && !out.exists(), "{printed}");
    let trained = run.join("checkpoint");
    let printed = fails(&mut program("compare -positions 0", &[&trained, &trained, games]));
    assert!(printed.contains("the number of positions is 1 or more, not 0"), "{printed}");
}

#[test]
fn packed_games_are_the_same_data() {
    let folder = TempDir::new().unwrap();
    for path in folder::chunks(GAMES_FOLDER.path()).unwrap() {
        let packed = Chunk::read(&path).unwrap().to_packed_bytes().unwrap();
        fs::write(folder.path().join(path.file_name().unwrap()), packed).unwrap();
    }
    let [packed, plain] = [folder.path(), GAMES_FOLDER.path()].map(|folder| Data::read(&[folder.to_owned()]).unwrap());
    assert_eq!((packed.games, &packed.identity), (plain.games, &plain.identity));
    assert!(packed.training == plain.training && packed.validation == plain.validation);
}

#[test]
fn numbers_in_the_source_are_not_fitted_to_too_few_games() {
    let folder = TempDir::new().unwrap();
    let few = folder.path().join("few");
    fs::create_dir(&few).unwrap();
    let Chunk { header, mut games } = Chunk::read(&folder::file(GAMES_FOLDER.path(), 0, folder::CHUNK)).unwrap();
    // None of the first games is for validation.
    games.truncate(2);
    folder::save(&few, &Chunk::new(&header.recipe, games)).unwrap();
    for (words, text) in [
        ("refit -scale 400 -source", include_str!("../../../src/eval/hce/weights.rs")),
        ("wdl -source", include_str!("../../../src/engine/wdl.rs")),
    ] {
        let source = folder.path().join("source.rs");
        fs::write(&source, text).unwrap();
        let printed = fails(&mut program(words, &[&source, &few]));
        assert!(printed.ends_with("there are too few games\n"), "{words}: {printed}");
        assert_eq!(fs::read_to_string(&source).unwrap(), text);
    }
}

#[test]
fn without_a_scale_the_one_that_fits_the_results_is_kept() {
    let folder = TempDir::new().unwrap();
    let words = SMALL.replace("-scale 300 ", "").replace("-epochs 6", "-epochs 1");
    let mut command = program(&format!("train {words} -out"), &[folder.path(), GAMES_FOLDER.path()]);
    let printed = succeeds(&mut command);
    let scale: i32 = printed.split("scale ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(printed.contains("(fitted to the results)") && (51..5000).contains(&scale), "{printed}");
    let file = folder.path().join("network");
    succeeds(&mut program("quantise -out", &[&file, folder.path(), GAMES_FOLDER.path()]));
    assert_eq!(Network::read(&file).unwrap().scale(), scale);
}
