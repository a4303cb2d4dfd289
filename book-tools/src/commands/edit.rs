//! `import-moves`, `set` and `del`: manual changes.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::board::{Move, Position};
use chuhe::book::{About, NativeBook, Record, canonical};
use chuhe_games::encoding::decode;
use chuhe_games::replace::folder_of;
use clap::Args;

use super::outputs;
use super::position::{read_fen, read_move};
use crate::analysis::{FULL_WEIGHT, gap, weight};
use crate::cloud::{self, CloudMove, Standing};
use crate::file;

/// Add moves from a list to a book
///
/// A line of the list is `FEN ; MOVE WEIGHT`, with `startpos` for the FEN of the start and `forbidden` for the weight of
/// a move that is never to be played from the book; the engine's own search may still find it. Moves that are already in the
/// book get the new weight. The list is UTF-8, GB18030 or Big5.
///
/// Behind the semicolon there may also be an answer of the cloud book chessdb.cn, `move:h2e2,score:1,rank:2,...|...`: the moves
/// get their scores, and as weights 100 for the best move, falling to 0 at 50 centipawns below it. A move of `querybest`, which
/// has no score, gets weight 100. A line that is an answer alone belongs to the position of `--fen`.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools import-moves my.book list.txt
  book-tools import-moves my.book answer.txt --fen startpos")]
pub(super) struct ImportMoves {
    /// The book, created if missing
    book: PathBuf,
    /// The list
    list: PathBuf,
    /// Position of answers of chessdb.cn that stand alone on their line: a FEN, or startpos
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

/// Add a move to a position, or change its weight
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools set my.book startpos 炮二平五 100
  book-tools set my.book startpos a0a1 forbidden")]
pub(super) struct Set {
    /// The book, created if missing
    book: PathBuf,
    /// A FEN, or startpos
    fen: String,
    /// Move in ICCS, WXF or Chinese notation
    mv: String,
    /// 0 to 65535, or `forbidden`: never to be played from the book
    weight: String,
}

/// Remove a move of a position, or all of them
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools del my.book startpos 马八进七
  book-tools del my.book startpos")]
pub(super) struct Del {
    /// The book
    book: PathBuf,
    /// A FEN, or startpos
    fen: String,
    /// Move in ICCS, WXF or Chinese notation; all moves if not given
    mv: Option<String>,
}

/// A change of one move.
#[derive(Clone, Copy)]
struct Change {
    position: Position,
    mv: Move,
    /// Weight; `None` if the move is forbidden.
    weight: Option<u16>,
    /// Score to enter, if one is known.
    score: Option<i16>,
}

/// Centipawns below the best move at which moves of the cloud book weigh nothing.
const CLOUD_MARGIN: u16 = 50;

impl Change {
    fn read(fen: &str, mv: &str, weight: &str) -> Result<Self> {
        let position = read_fen(fen)?;
        let mv = read_move(&position, mv)?;
        let weight = match weight {
            "forbidden" => None,
            number => Some(number.parse().with_context(|| format!("{number:?} is not a weight up to 65535"))?),
        };
        Ok(Self { position, mv, weight, score: None })
    }
}

impl ImportMoves {
    pub(super) fn run(self) -> Result<()> {
        let _alone = alone_with(&self.book);
        let place = self.list.display();
        let bytes = chuhe::file::read(&self.list).with_context(|| format!("{place}: cannot be read"))?;
        let text = decode(bytes).with_context(|| place.to_string())?;
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
        let read = |line| read_changes(line, self.fen.as_deref());
        let changes = lines.map(|(line, number)| read(line).with_context(|| format!("{place}: line {number}")));
        enter(&self.book, &changes.collect::<Result<Vec<_>>>()?.concat())
    }
}

/// Reads a line; an answer alone belongs to the position `of_answers`.
fn read_changes(line: &str, of_answers: Option<&str>) -> Result<Vec<Change>> {
    if cloud::is_answer(line.trim()) {
        let fen = of_answers.context("an answer of the cloud without its position, which --fen names")?;
        return from_cloud(fen, line.trim());
    }
    let (fen, rest) = line.split_once(';').context("there is no semicolon after the position")?;
    if cloud::is_answer(rest.trim()) {
        return from_cloud(fen.trim(), rest.trim());
    }
    let (mv, weight) = rest.trim().split_once(' ').context("there is no weight after the move")?;
    Ok(vec![Change::read(fen.trim(), mv, weight.trim())?])
}

fn from_cloud(fen: &str, answer: &str) -> Result<Vec<Change>> {
    let position = read_fen(fen)?;
    let moves = cloud::read(answer)?;
    let best = moves.iter().filter_map(|it| it.score()).max();
    let change = |it: &CloudMove| {
        ensure!(position.is_legal(it.mv), "{} is not a legal move in {}", it.mv, position.to_fen());
        let weight = match it.standing {
            Standing::Scored(score) => best.map_or(0, |best| weight(gap(best, score), CLOUD_MARGIN)),
            Standing::Unknown => 0,
            Standing::Best => FULL_WEIGHT,
        };
        Ok(Change { position, mv: it.mv, weight: Some(weight), score: it.score() })
    };
    moves.iter().map(change).collect()
}

impl Set {
    pub(super) fn run(self) -> Result<()> {
        let _alone = alone_with(&self.book);
        enter(&self.book, &[Change::read(&self.fen, &self.mv, &self.weight)?])
    }
}

impl Del {
    pub(super) fn run(self) -> Result<()> {
        let _alone = alone_with(&self.book);
        let book = file::open_native(&self.book)?;
        let position = read_fen(&self.fen)?;
        let (key, frame) = canonical(&position, book.layout().about.symmetry);
        let mv = self.mv.as_ref().map(|mv| read_move(&position, mv)).transpose()?.map(|mv| frame.apply(mv).bits());
        let goes = |record: &&Record| record.key == key && mv.is_none_or(|mv| record.mv == mv);
        ensure!(book.records_of_key(key).iter().any(|record| goes(&record)), "{}: no such move", self.book.display());
        let records: Vec<_> = book.records().iter().filter(|record| !goes(record)).copied().collect();
        rewrite(&self.book, book.layout().about, records)
    }
}

/// Locks books of the same folder against changes by these commands until the file is dropped: each command reads a whole book
/// and replaces it by a new one. The folder is locked, since the book becomes another file; on systems that do not lock
/// folders, the last one wins.
pub(super) fn alone_with(book: &Path) -> Option<File> {
    File::open(folder_of(book)).ok().filter(|folder| folder.lock().is_ok())
}

fn enter(path: &Path, changes: &[Change]) -> Result<()> {
    let book = if path.exists() {
        Some(file::open_native(path)?)
    } else {
        outputs::check_native(path, &[])?;
        None
    };
    let about = book.as_ref().map_or_else(About::default, |book| book.layout().about);
    let mut records = book.as_ref().map_or_else(Vec::new, |book| book.records().to_vec());
    for change in changes {
        let (key, frame) = canonical(&change.position, about.symmetry);
        let mv = frame.apply(change.mv);
        let known = book.as_ref().and_then(|book| find(book, key, mv));
        let record = known.unwrap_or_else(|| Record::new(key, mv, 0)).forbidden(change.weight.is_none());
        let record = Record { weight: change.weight.unwrap_or(record.weight), ..record };
        records.push(change.score.map_or(record, |score| record.scored(score, 0)));
    }
    drop(book);
    rewrite(path, about, records)
}

fn find(book: &NativeBook, key: u64, mv: Move) -> Option<Record> {
    book.records_of_key(key).iter().find(|record| record.mv == mv.bits()).copied()
}

fn rewrite(path: &Path, about: About, records: Vec<Record>) -> Result<()> {
    let count = file::write(path, about, file::in_order(records).into_iter().map(Ok))?;
    say!("{}: {count} moves", path.display())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_games::encoding::Encoding;
    use std::fs;

    fn moves(path: &Path) -> Vec<(String, u16)> {
        let book = file::open_native(path).unwrap();
        book.candidates(&Position::start()).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    #[test]
    fn answers_of_the_cloud_become_scores_and_weights() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("a.book");
        let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/games/chessdb.txt");
        ImportMoves { book: book.clone(), list, fen: None }.run().unwrap();
        let book = file::open_native(&book).unwrap();
        let found = book.candidates(&Position::start());
        let of = |mv: &str| found.iter().find(|it| it.mv.to_string() == mv).unwrap();
        assert_eq!((of("h2e2").weight, of("h2e2").score().map(|score| score.raw())), (100, Some(1)));
        assert_eq!(["c3c4", "a0a1", "i3i4"].map(|mv| of(mv).weight), [weight(1, CLOUD_MARGIN), 0, 0]);
        assert!(of("i3i4").score().is_none());
        let reply = Position::start().play("h2e2".parse().unwrap());
        assert_eq!(book.candidates(&reply).len(), 2);
        for bad in ["startpos ; move:h2h8,score:1", "startpos ; move:h2e2,score:"] {
            assert!(read_changes(bad, None).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_answer_alone_belongs_to_the_position_of_the_option() {
        let folder = tempfile::tempdir().unwrap();
        let [book, list] = ["my.book", "answer.txt"].map(|name| folder.path().join(name));
        let import = |answer: &str, fen: Option<&str>| {
            fs::write(&list, answer).unwrap();
            ImportMoves { book: book.clone(), list: list.clone(), fen: fen.map(str::to_owned) }.run()
        };
        let error = format!("{:#}", import("move:h2e2,score:1", None).unwrap_err());
        assert!(error.ends_with("line 1: an answer of the cloud without its position, which --fen names"), "{error}");
        import("move:h2e2,score:1|move:c3c4,score:-50\0\n", Some("startpos")).unwrap();
        assert_eq!(moves(&book), [("h2e2".into(), 100), ("c3c4".into(), 0)]);
        import("search:c3c4\n", Some("startpos")).unwrap();
        assert_eq!(moves(&book), [("h2e2".into(), 100), ("c3c4".into(), 100)]);
    }

    #[test]
    fn moves_come_change_and_go() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("my.book");
        let set = |mv: &str, weight: &str| {
            Set { book: book.clone(), fen: "startpos".into(), mv: mv.into(), weight: weight.into() }.run()
        };
        set("炮二平五", "5").unwrap();
        set("c3c4", "7").unwrap();
        assert_eq!(moves(&book), [("c3c4".into(), 7), ("h2e2".into(), 5)]);
        set("h2e2", "9").unwrap();
        set("c3c4", "forbidden").unwrap();
        assert_eq!(moves(&book), [("h2e2".into(), 9)]);
        set("c3c4", "1").unwrap();
        assert_eq!(moves(&book), [("h2e2".into(), 9), ("c3c4".into(), 1)]);
        assert!(set("h2h8", "1").is_err() && set("h2e2", "70000").is_err());
        let del =
            |mv: Option<&str>| Del { book: book.clone(), fen: "startpos".into(), mv: mv.map(str::to_owned) }.run();
        del(Some("h2e2")).unwrap();
        assert_eq!(moves(&book), [("c3c4".into(), 1)]);
        assert!(del(Some("h2e2")).is_err());
        del(None).unwrap();
        assert!(moves(&book).is_empty());
    }

    #[test]
    fn no_book_is_made_under_the_name_of_another_format() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["new.dat", "new.obk"] {
            let book = folder.path().join(name);
            let set = Set { book: book.clone(), fen: "startpos".into(), mv: "h2e2".into(), weight: "5".into() };
            assert!(set.run().unwrap_err().to_string().contains("name extension of another format"));
            assert!(!book.exists());
        }
    }

    #[test]
    #[cfg(unix)]
    fn changes_at_the_same_time_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("my.book");
        let first_moves: Vec<String> = Position::start().legal_moves().iter().map(ToString::to_string).collect();
        std::thread::scope(|scope| {
            for mv in &first_moves {
                let set = Set { book: book.clone(), fen: "startpos".into(), mv: mv.clone(), weight: "5".into() };
                scope.spawn(|| set.run().unwrap());
            }
        });
        assert_eq!(moves(&book).len(), first_moves.len());
    }

    #[test]
    fn a_list_is_entered_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let [book, list] = ["my.book", "list"].map(|name| folder.path().join(name));
        let import = |text: &[u8]| {
            fs::write(&list, text).unwrap();
            ImportMoves { book: book.clone(), list: list.clone(), fen: None }.run()
        };
        import(b"# mine\nstartpos ; h2e2 3\nstartpos;c3c4 4\n").unwrap();
        assert_eq!(moves(&book), [("c3c4".into(), 4), ("h2e2".into(), 3)]);
        let error = import(b"startpos ; g3g4 3\nstartpos ; g3g5 3\n").unwrap_err();
        assert!(format!("{error:#}").contains("list: line 2: "), "{error:#}");
        assert_eq!(moves(&book).len(), 2);
        import("\u{feff}startpos ; 兵七进一 6\n".as_bytes()).unwrap();
        import(&Encoding::Gb18030.encode("startpos ; 炮二平五 5\n")).unwrap();
        assert_eq!(moves(&book), [("c3c4".into(), 6), ("h2e2".into(), 5)]);
    }
}
