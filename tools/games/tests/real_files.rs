//! Real files of other programs, where available: every game is read to its last move.

use std::fs;
use std::path::PathBuf;

use chuhe_games::files::{Format, read};
use chuhe_games::game::Game;

/// Returns the files of a folder with this extension; none if the folder does not exist.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not there", folder.display());
        return vec![];
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|it| it == ending)).collect();
    paths.sort();
    paths
}

fn only_game(path: &PathBuf) -> Game {
    let bytes = fs::read(path).unwrap();
    let mut games = read(Format::of(path, &bytes), bytes).unwrap();
    assert_eq!(games.len(), 1, "{}", path.display());
    games.remove(0).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

#[test]
fn championship_games_are_read_to_their_last_move() {
    for path in files("ccgc", "pgn") {
        let game = only_game(&path);
        assert!(game.result.is_some(), "{}", path.display());
        // Numbers are ASCII and end with a point; the last one is the number of moves.
        let bytes = fs::read(&path).unwrap();
        let numbers = bytes
            .split(|byte| byte.is_ascii_whitespace())
            .filter_map(|word| str::from_utf8(word.strip_suffix(b".")?).ok()?.parse::<usize>().ok());
        let last = numbers.max().unwrap();
        assert!([2 * last - 1, 2 * last].contains(&game.moves.len()), "{}: {}", path.display(), game.moves.len());
    }
}

#[test]
fn xqf_files_are_read_and_agree_with_their_pgn() {
    for path in files("xqf", "xqf") {
        let game = only_game(&path);
        assert!(!game.moves.is_empty(), "{}", path.display());
        let twin = path.with_extension("pgn");
        if twin.exists() {
            let twin = only_game(&twin);
            assert_eq!((game.start, &game.moves, game.result), (twin.start, &twin.moves, twin.result));
            // XQFTOOLS writes the comments into PGN as they are.
            let text = chuhe_games::encoding::decode(fs::read(path.with_extension("pgn")).unwrap()).unwrap();
            let flat = |text: &str| text.split_whitespace().collect::<String>();
            for comment in &game.comments {
                assert!(flat(&text).contains(&flat(&comment.text)), "{}: {}", path.display(), comment.text);
            }
        }
    }
}

#[test]
fn the_files_of_other_programs_are_recognised_and_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/games");
    let names =
        ["small.cbr", "first.cbr", "small.cbl", "small.che", "small.mxq", "big5.pgn", "ranks.pgn", "pikafish.pgn"];
    for name in names {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).unwrap();
        let games = chuhe_games::files::read(chuhe_games::files::Format::of(&path, &bytes), bytes).unwrap();
        for game in games {
            let game = game.unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let line: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
            assert!("h2e2 h9g7 h0g2 i9h9".starts_with(&line.join(" ")) && line.len() > 1, "{name}: {line:?}");
            assert!(game.result.is_some() || name == "small.che", "{name}");
            assert!(!game.players[1].is_empty() || name == "small.che", "{name}");
        }
    }
}
