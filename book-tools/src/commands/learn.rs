//! `learn`: the results of games change the weights of a book.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::hash::Hasher as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::board::{Position, Side};
use chuhe::book::{Record, Symmetry};
use chuhe::file::read;
use chuhe_games::files::{self, Format};
use chuhe_games::game::Game;
use chuhe_games::outputs::check_apart;
use chuhe_games::replace::write_bytes;
use clap::Args;
use twox_hash::XxHash3_64;

use super::edit::alone_with;
use super::outputs;
use crate::file;
use crate::tuple::tuples;

/// Let a book learn from games: after a match, its journal or PGN
///
/// The new weight of a move is its old weight + 2 for each win, + 1 for each draw and - 1 for each loss of its mover, and at
/// least 0: such a move is known, but not played. A move that the book does not have is added if its sum is more than 0. Scores
/// and forbidden moves stay. Games without a result are left out.
///
/// The hashes of the games are kept in a file beside the book, `BOOK.learned`: a game counts once, so the command can be
/// repeated while a journal grows. Games of equal players, moves and results count as one.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools learn my.book match.journal
  book-tools learn my.book games/*.pgn --player Chuhe --max-ply 30")]
pub(super) struct Learn {
    /// The book
    book: PathBuf,
    /// Files with games
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Learn the moves of this player only, by name in any case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Number of plies of each game to learn from
    #[arg(long, value_name = "N", default_value_t = 40)]
    max_ply: u16,
}

/// Changes of the weights, by key and move.
type Changes = BTreeMap<(u64, u16), i64>;

impl Learn {
    pub(super) fn run(self) -> Result<()> {
        let _alone = alone_with(&self.book);
        let inputs: Vec<&Path> = self.games.iter().map(PathBuf::as_path).collect();
        outputs::check_native(&self.book, &inputs)?;
        let learned = learned_file(&self.book);
        check_apart(&learned, &inputs)?;
        let book = file::open_native(&self.book)?;
        let about = book.layout().about;
        let mut records = book.records().to_vec();
        drop(book);
        let mut seen = read_learned(&learned)?;
        let known = seen.len();
        let mut changes = Changes::new();
        for path in &self.games {
            for game in games_of(path)? {
                if game.result.is_some() && self.has_player(&game) && seen.insert(hash(&game)) {
                    self.learn(&game, about.symmetry, &mut changes);
                }
            }
        }
        let changed = apply(&mut records, &changes);
        file::write(&self.book, about, file::in_order(records).into_iter().map(Ok))?;
        let mut hashes: Vec<u64> = seen.iter().copied().collect();
        hashes.sort_unstable();
        let mut text = String::new();
        for hash in &hashes {
            writeln!(text, "{hash:016x}")?;
        }
        write_bytes(&learned, text.as_bytes())?;
        say!("{}: {changed} moves changed by {} new games", self.book.display(), seen.len() - known)?;
        Ok(())
    }

    fn has_player(&self, game: &Game) -> bool {
        Side::ALL.into_iter().any(|side| self.is_wanted(game, side))
    }

    fn is_wanted(&self, game: &Game, side: Side) -> bool {
        let name = game.players[side.index()].to_lowercase();
        self.player.as_ref().is_none_or(|player| player.trim().to_lowercase() == name)
    }

    /// Adds the points of a game's moves.
    fn learn(&self, game: &Game, symmetry: Symmetry, changes: &mut Changes) {
        let mut position: Position = game.start;
        for (ply, &mv) in (0..self.max_ply).zip(&game.moves) {
            let side = position.side();
            let points = game.result.map_or(0, |result| [-1, 1, 2][usize::from(result.half_points(side))]);
            if self.is_wanted(game, side) && !mv.is_promotion() {
                for tuple in tuples(&position, mv, symmetry, ply, 0, crate::tuple::Points::Unknown) {
                    *changes.entry((tuple.key, tuple.mv())).or_default() += points;
                }
            }
            position = position.play(mv);
        }
    }
}

/// Changes the weights of the records and adds new moves; returns the number of both.
fn apply(records: &mut Vec<Record>, changes: &Changes) -> usize {
    let weight = |old: u16, change: i64| (i64::from(old) + change).clamp(0, u16::MAX.into()) as u16;
    let (mut changed, mut known) = (0, HashSet::new());
    for record in records.iter_mut() {
        if let Some(&change) = changes.get(&(record.key, record.mv)) {
            known.insert((record.key, record.mv));
            let new = weight(record.weight, change);
            changed += usize::from(new != record.weight && !record.is_forbidden());
            record.weight = if record.is_forbidden() { record.weight } else { new };
        }
    }
    let new = changes.iter().filter(|(place, change)| **change > 0 && !known.contains(place));
    let added: Vec<Record> = new
        .filter_map(|(&(key, mv), &change)| {
            let mv = chuhe::board::Move::from_bits(mv)?;
            Some(Record::new(key, mv, weight(0, change)))
        })
        .collect();
    changed += added.len();
    records.extend(added);
    changed
}

/// Returns the games that can be replayed; the others are reported.
fn games_of(path: &Path) -> Result<Vec<Game>> {
    let bytes = read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let games = files::read(Format::of(path, &bytes), bytes).with_context(|| path.display().to_string())?;
    let mut good = vec![];
    for game in games {
        match game {
            Ok(game) => good.push(game),
            // Standard error may be closed.
            Err(fault) => drop(writeln!(io::stderr(), "{}: {fault}", path.display())),
        }
    }
    Ok(good)
}

fn hash(game: &Game) -> u64 {
    let mut hash = XxHash3_64::default();
    hash.write(format!("{}\n{:?}\n{:?}\n", game.start.to_fen(), game.players, game.result).as_bytes());
    game.moves.iter().for_each(|mv| hash.write_u16(mv.bits()));
    hash.finish()
}

/// Returns the name of the file with the hashes of the games that a book has learned.
fn learned_file(book: &Path) -> PathBuf {
    let mut name = OsString::from(book);
    name.push(".learned");
    name.into()
}

fn read_learned(path: &Path) -> Result<HashSet<u64>> {
    if !path.exists() {
        return Ok(HashSet::new());
    }
    let text = chuhe::file::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let hash = |(line, number): (&str, usize)| {
        let hash = u64::from_str_radix(line, 16).ok().filter(|_| line.len() == 16);
        ensure!(hash.is_some(), "{}: line {number}: {line:?} is not the hash of a game", path.display());
        Ok(hash.unwrap_or_default())
    };
    text.lines().zip(1..).map(hash).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::{About, canonical};
    use std::fs;

    #[test]
    fn a_game_is_learned_once_and_losses_make_moves_rare() {
        let folder = tempfile::tempdir().unwrap();
        let [book, games] = ["a.book", "a.pgn"].map(|name| folder.path().join(name));
        let start = Position::start();
        let after = start.play("c3c4".parse().unwrap());
        let record = |position: &Position, mv: &str, weight| {
            let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
            Record::new(key, frame.apply(mv.parse().unwrap()), weight)
        };
        let forbidden = record(&after, "h9g7", 9).forbidden(true);
        let records = vec![record(&start, "h2e2", 1), record(&start, "c3c4", 5), forbidden];
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        let text = "[Red \"a\"]\n\n1. h2e2 h9g7 0-1\n\n[Red \"a\"]\n\n1. h2e2 b7e7 1/2-1/2\n\n[Red \"a\"]\n\n1. h2e2 0-1\n\n\
                    [Red \"a\"]\n\n1. c3c4 h9g7 1-0\n\n1. g3g4 *\n";
        fs::write(&games, text).unwrap();
        let learn = || Learn { book: book.clone(), games: vec![games.clone()], player: None, max_ply: 40 }.run();
        let weights = |position: &Position| -> Vec<(String, u16)> {
            let book = file::open_native(&book).unwrap();
            book.candidates(position).iter().map(|it| (it.mv.to_string(), it.weight)).collect()
        };
        for _ in 0..2 {
            learn().unwrap();
            // 1 - 1 + 1 - 1, on one side: on the other the moves are new, and their sum is negative.
            assert_eq!(
                weights(&start),
                [("c3c4", 7), ("g3g4", 2), ("h2e2", 0)].map(|(mv, weight)| (mv.to_owned(), weight))
            );
            let reply = start.play("h2e2".parse().unwrap());
            assert_eq!(weights(&reply), [("h9g7", 2), ("b7e7", 1)].map(|(mv, weight)| (mv.to_owned(), weight)));
            assert!(weights(&after).is_empty(), "a forbidden move stays one");
        }
        fs::write(&games, text.replace("1. g3g4 *", "1. g3g4 1-0")).unwrap();
        learn().unwrap();
        assert_eq!(weights(&start)[1], ("g3g4".to_owned(), 4));
        fs::write(learned_file(&book), "what\n").unwrap();
        assert!(learn().unwrap_err().to_string().ends_with("line 1: \"what\" is not the hash of a game"));
    }

    #[test]
    fn only_the_moves_of_a_player_are_learned_up_to_a_ply() {
        let folder = tempfile::tempdir().unwrap();
        let [book, games] = ["a.book", "a.pgn"].map(|name| folder.path().join(name));
        file::write(&book, About::default(), []).unwrap();
        let game = |red: &str, black: &str, moves: &str| format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n{moves}\n\n");
        let text = [
            game("Me", "x", "1. h2e2 h9g7 2. h0g2 1-0"),
            game("x", "me", "1. c3c4 h9g7 0-1"),
            game("x", "y", "1. g3g4 h9g7 1-0"),
        ];
        fs::write(&games, text.concat()).unwrap();
        Learn { book: book.clone(), games: vec![games], player: Some("ME".to_owned()), max_ply: 2 }.run().unwrap();
        let book = file::open_native(&book).unwrap();
        let moves = |line: &[&str]| -> Vec<String> {
            let position = line.iter().fold(Position::start(), |position, mv| position.play(mv.parse().unwrap()));
            book.candidates(&position).iter().map(|it| it.mv.to_string()).collect()
        };
        assert_eq!(moves(&[]), ["b2e2", "h2e2"]);
        assert_eq!((moves(&["c3c4"]), moves(&["h2e2"])), (vec!["h9g7".to_owned()], vec![]));
        assert!(moves(&["h2e2", "h9g7"]).is_empty(), "the third ply");
    }
}
