//! Tests of the program as a whole: equal games for any threads and shards, after kills, damage and merges.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use chuhe::eval::nnue::{FEATURES, Network, OutputBuckets, Shape, Weights};
use chuhe_selfplay::chunk::{Chunk, Header};
use chuhe_selfplay::folder;
use chuhe_selfplay::player::Player;
use chuhe_selfplay::recipe::Recipe;

/// Options for quick games, four per chunk.
const QUICK: &str = "-network classical -seed 3 -soft 40 -table 1 -plies 60 -commit test -chunk 4 -every 0";

fn program(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-selfplay"));
    command.args(words.split_whitespace()).env_remove("CHUHE_DATA").stdin(Stdio::null());
    command
}

/// Runs `generate` into a folder.
fn generate(folder: &Path, words: &str) -> Output {
    program(&format!("generate {QUICK} {words}")).arg("-out").arg(folder).output().unwrap()
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    let printed = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert!(output.status.success(), "{}{}", printed(&output.stdout), printed(&output.stderr));
    printed(&output.stdout)
}

/// Returns the only line of the error output.
#[track_caller]
fn fails(output: &Output) -> String {
    let printed = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!output.status.success(), "it ended well");
    assert_eq!(printed.lines().count(), 1, "{printed}");
    printed
}

/// Runs another command over folders.
fn run(words: &str, paths: &[&Path]) -> Output {
    program(words).args(paths).output().unwrap()
}

/// Returns all files of a folder by name.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect()
}

fn only_chunk(folder: &Path, first: u64) -> PathBuf {
    folder::file(folder, first, folder::CHUNK)
}

/// Returns the files of an undisturbed run.
fn undisturbed() -> BTreeMap<PathBuf, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&generate(folder.path(), "-games 12 -threads 1"));
    let files = files(folder.path());
    assert_eq!(files.len(), 3);
    files
}

#[test]
fn threads_shards_and_their_order_change_no_byte() {
    let expected = undisturbed();
    let folder = tempfile::tempdir().unwrap();
    let [threads, shards, merged] = ["threads", "shards", "merged"].map(|name| folder.path().join(name));
    succeeds(&generate(&threads, "-games 12 -threads 3"));
    assert_eq!(files(&threads), expected);
    succeeds(&generate(&shards, "-games 12 -threads 2 -shard 2/2"));
    assert_eq!(files(&shards).len(), 1);
    succeeds(&generate(&shards, "-games 12 -threads 1 -shard 1/2"));
    assert_eq!(files(&shards), expected);
    succeeds(&generate(&merged, "-games 4 -first 8"));
    let printed = succeeds(&run("merge -out", &[&merged, &threads, &shards]));
    assert!(printed.starts_with("2 chunks copied, 4 were there\ngames 0 to 11\n12 games, "), "{printed}");
    assert_eq!(files(&merged), expected);
    let printed = succeeds(&run("verify", &[&merged]));
    assert!(printed.lines().count() == 4 && printed.ends_with("games 0 to 11\n"), "{printed}");
    // Existing games are not made again.
    let printed = succeeds(&generate(&merged, "-games 12"));
    assert!(printed.contains("12 of 12 games are in") && printed.ends_with("| done\n"), "{printed}");
}

#[test]
fn a_chunk_made_again_from_its_header_alone_has_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&generate(folder.path(), "-games 4 -threads 2"));
    let path = only_chunk(folder.path(), 0);
    let Header { recipe, first, games, contents, .. } = Header::read(&path).unwrap();
    let again = |recipe: &Recipe| {
        let mut player = Player::new(recipe, None).unwrap();
        let mut made: Vec<_> =
            (first..first + games).rev().map(|number| player.play(number, &AtomicBool::new(false)).unwrap()).collect();
        made.reverse();
        Chunk::new(recipe, made)
    };
    let chunk = again(&recipe);
    assert_eq!(chunk.header.contents, contents);
    assert_eq!(chunk.to_bytes().unwrap(), fs::read(&path).unwrap());
    assert_ne!(again(&Recipe { seed: recipe.seed + 1, ..recipe }).header.contents, contents);
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let expected = undisturbed();
    let folder = tempfile::tempdir().unwrap();
    let journals = || folder::journals(folder.path()).unwrap();
    let length = |path: &PathBuf| fs::metadata(path).map_or(0, |data| data.len());
    let (mut kills, mut kept) = (0, 0);
    loop {
        let before: u64 = journals().iter().map(length).sum();
        let chunks = folder::chunks(folder.path()).unwrap().len();
        let words = format!("generate {QUICK} -games 12 -threads 2");
        let mut child = program(&words).arg("-out").arg(folder.path()).stdout(Stdio::null()).spawn().unwrap();
        // Wait until a journal is begun, another game is written, or the chunk is finished. An empty journal file does not
        // count: a process killed before its first byte would be killed at the same place forever.
        let progress = || {
            let grown = journals().iter().map(length).sum::<u64>() > before;
            grown || folder::chunks(folder.path()).unwrap().len() > chunks
        };
        let begun = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if progress() {
                break None;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "nothing comes of it");
            thread::sleep(Duration::from_millis(2));
        };
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        kept += usize::from(!journals().is_empty());
        assert!(kills < 60, "it never ends");
    }
    assert!(kills >= 3 && kept >= 1, "{kills} kills, {kept} journals");
    assert_eq!(files(folder.path()), expected);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let words = format!("generate {QUICK} -games 100000 -chunk 100000 -soft 3000 -threads 2");
        let child = program(&words).arg("-out").arg(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while folder::journals(folder.path()).unwrap().is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(120), "it does not begin");
            thread::sleep(Duration::from_millis(10));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(String::from_utf8(output.stdout).unwrap().contains("Interrupted: the same command goes on."));
    }
}

#[test]
fn damage_is_named_and_never_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad, merged] = ["good", "bad", "merged"].map(|name| folder.path().join(name));
    succeeds(&generate(&good, "-games 8"));
    fs::create_dir(&bad).unwrap();
    for (name, bytes) in files(&good) {
        fs::write(bad.join(name), bytes).unwrap();
    }
    let broken = only_chunk(&bad, 4);
    let mut bytes = fs::read(&broken).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&broken, &bytes).unwrap();
    let name = format!("{}: damaged: wrong checksum", broken.display());
    assert!(fails(&generate(&bad, "-games 12")).contains(&name));
    assert!(fails(&run("stats", &[&bad])).contains(&name));
    let twice = fails(&run("stats", &[&good, &only_chunk(&good, 0)]));
    assert!(twice.contains("games-000000000000.chunk has games that are in "), "{twice}");
    assert!(fails(&run("merge -out", &[&merged, &bad])).contains(&name));
    let output = run("verify", &[&bad]);
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(printed.contains(&name) && printed.ends_with("1 of 2 chunks have faults\n"), "{printed}");
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("games 0 to 3"));
}

#[test]
fn a_chunk_under_the_name_of_other_games_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&generate(folder.path(), "-games 4"));
    fs::rename(only_chunk(folder.path(), 0), only_chunk(folder.path(), 4)).unwrap();
    let before = files(folder.path());
    let printed = fails(&generate(folder.path(), "-games 8"));
    assert!(printed.contains("games-000000000004.chunk begins with game 0: name it "), "{printed}");
    let other = tempfile::tempdir().unwrap();
    succeeds(&generate(other.path(), "-games 8"));
    assert_eq!(fails(&run("merge -out", &[folder.path(), other.path()])), printed);
    assert_eq!(files(folder.path()), before);
}

#[test]
fn false_games_are_found_by_playing_them_again() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&generate(folder.path(), "-games 4"));
    let path = only_chunk(folder.path(), 0);
    let Chunk { header, mut games } = Chunk::read(&path).unwrap();
    // Scores off by one centipawn, with correct sums.
    for game in &mut games {
        game.moves[2].score += 1;
    }
    folder::save(folder.path(), &Chunk::new(&header.recipe, games)).unwrap();
    let output = run("verify", &[&path]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("differs when played again"));
    succeeds(&run("verify -replays 0", &[&path]));
    let other = tempfile::tempdir().unwrap();
    succeeds(&generate(other.path(), "-games 4"));
    assert!(fails(&run("merge -out", &[other.path(), folder.path()])).contains("but they are others"));
}

#[test]
fn another_run_does_not_get_into_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&generate(folder.path(), "-games 4"));
    for (words, difference) in [
        ("-games 4 -hard 300", "effort.hard_nodes is 320 here and 300 there"),
        ("-games 4 -rules league", "rules is \"asian\" here and \"league\" there"),
    ] {
        let printed = fails(&generate(folder.path(), words));
        assert!(printed.contains("are of another run") && printed.contains(difference), "{printed}");
    }
    let command = "generate -seed 4 -games 4 -chunk 4 -out";
    assert!(fails(&run(command, &[folder.path()])).contains("are of another run"));
    let command = "generate -network other -games 4 -out";
    assert!(fails(&run(command, &[folder.path()])).contains("other: cannot be read"));
    assert!(fails(&program("stats").output().unwrap()).contains("CHUHE_DATA"));
    let printed = succeeds(&program("stats").env("CHUHE_DATA", folder.path()).output().unwrap());
    assert!(printed.starts_with("games       4 in 1 chunks"), "{printed}");
}

/// File of a network with arbitrary weights, of this width.
fn network_file(folder: &Path, width: usize) -> PathBuf {
    let shape = Shape { width, output_buckets: OutputBuckets::ByPieces(2), king_buckets: 1 };
    let number =
        |index: usize, most: i16| (index * 2_654_435_761 % (2 * usize::from(most.unsigned_abs()) + 1)) as i16 - most;
    let weights = Weights {
        biases: (0..width).map(|index| number(index, 100)).collect(),
        feature_weights: (0..FEATURES * width).map(|index| number(index, 60)).collect(),
        output_weights: (0..4 * width).map(|index| number(index, 50)).collect(),
        output_biases: vec![0; 2],
        psqt: (0..FEATURES).map(|input| if input < FEATURES / 2 { 8_000 } else { -8_000 }).collect(),
    };
    let path = folder.join(format!("{width}.nnue"));
    fs::write(&path, Network::new(shape, 400, &weights).unwrap().bytes()).unwrap();
    path
}

#[test]
fn a_network_values_the_positions_and_its_games_are_played_again_with_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [hce, nnue] = ["classical", "nnue"].map(|name| folder.path().join(name));
    let [network, another] = [32, 64].map(|width| network_file(folder.path(), width));
    succeeds(&generate(&hce, "-games 4"));
    let games = || format!("-games 4 -network {}", network.display());
    let printed = succeeds(&generate(&nnue, &games()));
    let id = format!("{:016x}", Network::read(&network).unwrap().id());
    assert!(printed.contains(&format!("{id} evaluation")), "{printed}");
    assert_eq!(Header::read(&only_chunk(&nnue, 0)).unwrap().recipe.network, id);
    let of = |folder: &Path| Chunk::read(&only_chunk(folder, 0)).unwrap().games;
    assert!(of(&hce).iter().zip(of(&nnue)).all(|(one, other)| one.moves != other.moves));
    succeeds(&run(&format!("verify -network {}", network.display()), &[&nnue]));
    // A network is ignored for games that did not use it.
    succeeds(&run(&format!("verify -network {}", network.display()), &[&hce]));
    for words in ["verify".to_owned(), format!("verify -network {}", another.display())] {
        let printed = run(&words, &[&nnue]);
        let printed = String::from_utf8(printed.stderr).unwrap();
        assert!(printed.contains(&format!("these games are valued by {id}, not by ")), "{printed}");
    }
    let printed = fails(&generate(&nnue, "-games 4"));
    assert!(printed.contains(&format!("network is \"{id}\" here and \"classical\" there")), "{printed}");
}

#[test]
fn packed_chunks_are_read_like_others_and_unpacked_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let [games, packed, moved, again] = ["games", "packed", "moved", "again"].map(|name| folder.path().join(name));
    succeeds(&generate(&games, "-games 12"));
    let printed = succeeds(&run("merge -pack -threads 2 -out", &[&packed, &games]));
    assert!(printed.starts_with("3 chunks copied, 0 were there\ngames 0 to 11\n"), "{printed}");
    assert!(succeeds(&run("merge -pack -out", &[&packed, &games])).starts_with("0 chunks copied, 3 were there"));
    succeeds(&run("merge -out", &[&moved, &packed]));
    assert_eq!(files(&moved), files(&packed));
    let size = |folder: &Path| fs::metadata(only_chunk(folder, 0)).unwrap().len();
    assert!(size(&packed) < size(&games));
    let but_size = |printed: String| printed.lines().filter(|line| !line.starts_with("size")).collect::<String>();
    assert_eq!(but_size(succeeds(&run("stats", &[&moved]))), but_size(succeeds(&run("stats", &[&games]))));
    succeeds(&run("verify", &[&moved]));
    succeeds(&run("unpack -out", &[&again, &moved]));
    assert_eq!(files(&again), files(&games));
    // A run goes on in a packed folder.
    assert!(succeeds(&generate(&packed, "-games 16")).contains("12 of 16 games are in"));
}

#[test]
fn two_processes_do_not_make_the_same_chunk() {
    let folder = tempfile::tempdir().unwrap();
    let journal = File::create(folder::file(folder.path(), 0, folder::JOURNAL)).unwrap();
    journal.lock().unwrap();
    assert!(fails(&generate(folder.path(), "-games 4")).contains("another process is making these games"));
}

#[test]
fn a_position_takes_less_than_three_bytes_even_in_a_small_chunk() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&generate(folder.path(), "-chunk 200 -games 200 -plies 400 -threads 2"));
    let path = only_chunk(folder.path(), 0);
    let Header { positions, .. } = Header::read(&path).unwrap();
    let bytes = fs::metadata(&path).unwrap().len();
    assert!(positions > 10_000 && bytes < positions * 3, "{bytes} bytes for {positions} positions");
}

#[test]
fn games_are_read_back_as_a_trainer_does() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&generate(folder.path(), "-games 4"));
    let chunk = Chunk::read(&only_chunk(folder.path(), 0)).unwrap();
    for game in &chunk.games {
        let turns: Vec<_> = game.turns().collect();
        assert_eq!((turns.len(), turns[0].ply), (game.moves.len(), game.opening.len()));
        assert_eq!(turns[0].position, game.start());
        assert!(turns.iter().all(|turn| turn.position.is_legal(turn.mv)));
        assert!(turns.iter().any(chuhe_selfplay::game::Turn::is_usable));
    }
}
