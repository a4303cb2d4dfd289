//! Books that an engine scores and extends, with the misbehaving test engine, which always finds the same score.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use book_tools::analysis::{Analyst, Settings};
use book_tools::commands::Arguments;
use book_tools::file;
use chuhe::board::Position;
use chuhe::book::{About, NativeBook, Record, Source, Symmetry, canonical};
use chuhe_engines::player::{EngineSpec, ProtocolChoice, TimeControl};
use clap::Parser;
use indicatif::ProgressBar;

/// Returns the engine of `examples/zoo-for-books`, which cargo builds for tests.
fn zoo() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().parent().unwrap().join("examples/zoo-for-books")
}

/// Runs `book-tools` with these words, with `OUT` as a file of `folder`, and the test engine behind them.
fn run(folder: &Path, words: &str, engine: &str) -> anyhow::Result<()> {
    let words = words.split(' ').map(|word| match word {
        "OUT" | "BOOK" => folder.join(word.to_lowercase()).into_os_string(),
        word => word.into(),
    });
    let engine = engine.split(' ').flat_map(|word| ["--arg".into(), word.into()]);
    let all = ["book-tools".into()].into_iter().chain(words);
    Arguments::parse_from(all.chain(["--engine".into(), zoo().into_os_string()]).chain(engine)).run()
}

fn open(path: &Path) -> NativeBook {
    let book = file::open_native(path).unwrap();
    book.verify().unwrap();
    book
}

#[test]
fn a_book_grows_out_of_nothing_the_same_with_any_number_of_engines() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let grow = "grow -o OUT --depth 3 --positions 40 --plies 6 --moves 3";
    run(folder.path(), grow, "ucci score=5").unwrap();
    let first = fs::read(&out).unwrap();
    run(folder.path(), &format!("{grow} --jobs 3"), "ucci score=5").unwrap();
    assert_eq!(fs::read(&out).unwrap(), first);
    assert!(!folder.path().join("out.journal").exists());
    let book = open(&out);
    let positions = book.records().chunk_by(|a, b| a.key == b.key).count();
    assert_eq!(positions, 40);
    let moves = book.candidates(&Position::start());
    // Three searches; moves that are not their own mirror image come with it.
    assert!((4..=6).contains(&moves.len()), "{moves:?}");
    // Five hundredths of a minor piece are twenty centipawns.
    assert!(moves.iter().all(|found| found.weight == 100 && found.eval.is_some_and(|(score, _)| score.raw() == 20)));
}

#[test]
fn a_book_grows_where_it_ends_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let [book, out] = ["book", "out"].map(|name| folder.path().join(name));
    let start = Position::start();
    let after = start.play("h2e2".parse().unwrap());
    let (key, frame) = canonical(&start, Symmetry::MirrorAndColours);
    let record = Record::new(key, frame.apply("h2e2".parse().unwrap()), 7);
    file::write(&book, Default::default(), [Ok(record)]).unwrap();
    run(folder.path(), "grow BOOK -o OUT --depth 3 --positions 1 --moves 2", "uci score=5").unwrap();
    let grown = open(&out);
    assert_eq!(grown.candidates(&start).len(), 1);
    assert_eq!(grown.candidates(&start)[0].weight, 7);
    let replies = grown.candidates(&after);
    assert_eq!(replies.len(), 2);
    assert_eq!(replies[0].eval.unwrap().0.raw(), 5, "UCI counts in centipawns");
}

#[test]
fn in_a_repertoire_two_worse_moves_never_meet() {
    let folder = tempfile::tempdir().unwrap();
    let [book, out] = ["book", "out"].map(|name| folder.path().join(name));
    let start = Position::start();
    let after = |moves: &[&str]| moves.iter().fold(start, |position, mv| position.play(mv.parse().unwrap()));
    let scored = |position: &Position, mv: &str, score| {
        let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
        Record::new(key, frame.apply(mv.parse().unwrap()), 1).scored(score, 9)
    };
    // A good and a worse first move, and both kinds of replies to the worse one.
    let replied = after(&["c3c4"]);
    let records = [("h2e2", 20), ("c3c4", 5)].map(|(mv, score)| scored(&start, mv, score));
    let replies = [("h9g7", 20), ("a9a8", 5)].map(|(mv, score)| scored(&replied, mv, score));
    let records = file::in_order(records.into_iter().chain(replies).collect());
    file::write(&book, Default::default(), records.into_iter().map(Ok)).unwrap();
    for (word, is_searched) in [("", true), (" --repertoire", false)] {
        let grow = format!("grow BOOK -o OUT --depth 3 --positions 90 --plies 3 --moves 2{word}");
        run(folder.path(), &grow, "uci score=5").unwrap();
        let grown = open(&out);
        let is_known = |moves: &[&str]| !grown.candidates(&after(moves)).is_empty();
        assert!(is_known(&["h2e2"]) && is_known(&["c3c4", "h9g7"]), "{word}");
        assert_eq!(is_known(&["c3c4", "a9a8"]), is_searched, "{word}");
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn as_many_positions_are_searched_as_were_ordered() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for word in ["", " --repertoire"] {
        for positions in [1, 5, 40] {
            let grow = format!("grow -o OUT --depth 3 --positions {positions} --plies 9 --moves 2{word}");
            run(folder.path(), &grow, "uci score=5").unwrap();
            let keys: HashSet<u64> = open(&out).records().iter().map(|record| record.key).collect();
            assert_eq!(keys.len(), positions, "{word}");
            fs::remove_file(&out).unwrap();
        }
    }
}

#[test]
fn every_move_gets_the_score_of_the_position_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let [book, out] = ["book", "out"].map(|name| folder.path().join(name));
    run(folder.path(), "grow -o OUT --depth 3 --positions 9 --plies 4 --moves 2", "ucci").unwrap();
    fs::rename(&out, &book).unwrap();
    assert!(open(&book).records().iter().all(|record| record.eval().is_none()), "the engine said nothing");
    run(folder.path(), "eval BOOK -o OUT --nodes 10 --jobs 2", "ucci score=5").unwrap();
    let scored = open(&out);
    assert_eq!(scored.records().len(), open(&book).records().len());
    assert!(scored.records().iter().all(|record| record.eval() == Some((-20, 4))));
    fs::rename(&out, &book).unwrap();
    run(folder.path(), "eval BOOK -o OUT --nodes 10 --plies 1", "ucci score=9").unwrap();
    let again = open(&out);
    let at_start = again.candidates(&Position::start());
    assert!(at_start.iter().all(|found| found.score().unwrap().raw() == -36));
    let changed = again.records().iter().filter(|record| record.eval() != Some((-20, 4))).count();
    assert_eq!(changed, at_start.len());
    fs::rename(&out, &book).unwrap();
    run(folder.path(), "eval BOOK -o OUT --nodes 10 --missing", "ucci score=1").unwrap();
    assert_eq!(fs::read(&book).unwrap(), fs::read(&out).unwrap(), "nothing was missing");
}

#[test]
fn no_plies_and_no_scores_are_no_book() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let refused = |words: &str| {
        let said = run(folder.path(), words, "ucci").unwrap_err().to_string();
        assert!(!at("out").exists() && !at("out.journal").exists(), "{words}");
        said
    };
    assert!(refused("grow -o OUT --depth 3 --plies 0").contains("--plies 0: nothing would grow"));
    run(folder.path(), "grow -o BOOK --depth 3 --positions 5 --moves 2", "ucci").unwrap();
    assert!(refused("eval BOOK -o OUT --nodes 10 --plies 0").contains("--plies 0: no move"));
    let said = refused("eval BOOK -o OUT --nodes 10");
    assert!(said.contains("the engine gave no score to any of "), "{said}");
}

#[test]
fn shares_of_a_book_are_merged_into_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    run(folder.path(), "grow -o OUT --depth 3 --positions 30 --plies 6 --moves 3", "ucci").unwrap();
    let (book, name) = (open(&at("out")), at("book"));
    let about = About { sources: 77, ..book.layout().about };
    file::write(&name, about, book.records().iter().copied().map(Ok)).unwrap();
    // Some of the deepest moves are not scored, but are in the shares.
    let eval = "eval BOOK -o OUT --nodes 10 --plies 3";
    run(folder.path(), eval, "ucci score=5").unwrap();
    fs::rename(at("out"), at("whole")).unwrap();
    let moves = |name: &str| open(&at(name)).records().len();
    for count in [2, 3] {
        let parts: Vec<String> = (1..=count).map(|number| format!("part{number}")).collect();
        for (part, number) in parts.iter().zip(1..) {
            run(folder.path(), &format!("{eval} --shard {number}/{count}"), "ucci score=5").unwrap();
            fs::rename(at("out"), at(part)).unwrap();
        }
        assert!(parts.iter().all(|part| (1..moves("whole")).contains(&moves(part))));
        assert_eq!(parts.iter().map(|part| moves(part)).sum::<usize>(), moves("whole"), "each move is in one share");
        let parts = parts.iter().map(|part| at(part).into_os_string());
        let words = ["book-tools", "merge", "-o"].map(Into::into).into_iter().chain([at("merged").into_os_string()]);
        Arguments::parse_from(words.chain(parts)).run().unwrap();
        assert!(fs::read(at("merged")).unwrap() == fs::read(at("whole")).unwrap(), "{count} shares");
    }
    for shard in ["0/2", "3/2", "1", "a/b", "1/0"] {
        let words = ["book-tools", "eval", "x", "-o", "y", "--engine", "z", "--depth", "1", "--shard", shard];
        assert!(Arguments::try_parse_from(words).is_err(), "{shard}");
    }
}

#[test]
fn an_engine_that_does_not_start_leaves_no_journal() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let engine = EngineSpec::new(folder.path().join("no-such-engine"));
    let settings = Settings { engine, jobs: 1, symmetry: Symmetry::MirrorAndColours, moves: 1, margin: 0 };
    let mut analyst = Analyst::new(settings, &journal, false).unwrap();
    assert!(journal.exists() && analyst.think(&[Position::start()], &ProgressBar::hidden()).is_err());
    assert!(!journal.exists());
}

#[test]
fn a_mate_needs_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let [book, out] = ["book", "out"].map(|name| folder.path().join(name));
    let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1").unwrap();
    let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
    file::write(&book, Default::default(), [Ok(Record::new(key, frame.apply("e1d1".parse().unwrap()), 1))]).unwrap();
    let fen = position.to_fen();
    let words = ["book-tools", "eval", book.to_str().unwrap(), "-o", out.to_str().unwrap(), "--fen", &fen];
    Arguments::parse_from(words.iter().chain(&["--engine", "/no/such/engine", "--depth", "1"])).run().unwrap();
    let found = Source::Native(open(&out)).candidates(&position)[0];
    assert_eq!(found.score(), Some(chuhe::score::Score::mate_in(1)));
}

#[test]
fn an_interrupted_analysis_goes_on_and_asks_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let [program, journal] = ["engine", "journal"].map(|name| folder.path().join(name));
    symlink(zoo(), &program).unwrap();
    let settings = Settings {
        engine: EngineSpec {
            args: vec!["ucci".into(), "score=3".into()],
            protocol: ProtocolChoice::Ucci,
            time: TimeControl { depth: Some(2), ..TimeControl::default() },
            ..EngineSpec::new(&program)
        },
        jobs: 2,
        symmetry: Symmetry::MirrorAndColours,
        moves: 2,
        margin: 10,
    };
    let start = Position::start();
    let positions: Vec<Position> = start.legal_moves().into_iter().map(|mv| start.play(mv)).collect();
    let bar = ProgressBar::hidden();
    let mut analyst = Analyst::new(settings.clone(), &journal, false).unwrap();
    analyst.think(&positions[..9], &bar).unwrap();
    drop(analyst);
    assert!(Analyst::new(settings.clone(), &journal, false).is_err(), "it is there");
    let other = Settings { margin: 11, ..settings.clone() };
    assert!(Analyst::new(other, &journal, true).is_err(), "not under other settings");
    // An engine that cannot answer: the same name, but a program that ends at once.
    fs::remove_file(&program).unwrap();
    symlink("/bin/true", &program).unwrap();
    let mut analyst = Analyst::new(settings, &journal, true).unwrap();
    let bar = ProgressBar::hidden();
    analyst.think(&positions[..9], &bar).unwrap();
    assert_eq!(bar.position(), 9);
    let key = canonical(&positions[3], Symmetry::MirrorAndColours).0;
    assert_eq!(analyst.lines(key).unwrap().len(), 2);
    let fault = format!("{:#}", analyst.think(&positions, &bar).unwrap_err());
    assert!(fault.contains("engine fails at ") && fault.contains(" b "), "{fault}");
}
