//! Tests of whole books: opening files and looking up positions.

use std::collections::BTreeMap;
use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::board::random_games::random_games;
use crate::board::{Move, Side};
use crate::score::Score;

/// A book of random games: three moves of every position, one of them with a score.
fn random_book(seed: u64, games: usize, symmetry: Symmetry) -> (Vec<u8>, Vec<Position>) {
    let mut positions = vec![];
    let mut records = BTreeMap::new();
    random_games(seed, games, |position| {
        positions.push(*position);
        let (key, frame) = canonical(position, symmetry);
        for (mv, weight) in position.legal_moves().into_iter().zip([7, 300, 2]) {
            let record = Record::new(key, frame.apply(mv), weight);
            records.entry((key, record.mv)).or_insert(if weight == 2 { record.scored(-15, 9) } else { record });
        }
    });
    let mut records: Vec<_> = records.into_values().collect();
    records.sort_by_key(Record::order);
    let mut writer = Writer::new(Cursor::new(vec![]), About { symmetry, ..About::default() }).unwrap();
    records.into_iter().for_each(|record| writer.push(record).unwrap());
    (writer.finish().unwrap().into_inner(), positions)
}

const GAMES: usize = if cfg!(miri) { 1 } else { 20 };

fn turned(candidates: &[Candidate], turn: impl Fn(Move) -> Move) -> Vec<(u16, Move)> {
    let mut moves: Vec<_> = candidates.iter().map(|candidate| (candidate.weight, turn(candidate.mv))).collect();
    moves.sort_by_key(|(weight, mv)| (*weight, mv.bits()));
    moves
}

#[test]
fn a_position_its_mirror_and_its_colour_flip_agree() {
    let (bytes, positions) = random_book(41, GAMES, Symmetry::MirrorAndColours);
    let book = NativeBook::copied(&bytes).unwrap();
    book.verify().unwrap();
    for position in &positions {
        let here = book.candidates(position);
        assert_eq!(here.is_empty(), !position.has_legal_move());
        assert!(here.iter().all(|candidate| position.is_legal(candidate.mv)));
        assert!(here.is_sorted_by_key(|candidate| !candidate.weight));
        let moves = turned(&here, |mv| mv);
        let rotated = |mv: Move| Move::new(mv.from().rotated(), mv.to().rotated());
        // A position that is its own mirror has each move under one of its two names.
        if position.mirrored() != *position {
            assert_eq!(turned(&book.candidates(&position.mirrored()), Move::mirrored), moves);
        }
        assert_eq!(turned(&book.candidates(&position.colours_swapped()), rotated), moves);
    }
}

#[test]
fn a_book_for_one_side_does_not_know_the_other() {
    for symmetry in [Symmetry::Mirror, Symmetry::EleEye] {
        one_sided_book(symmetry);
    }
}

fn one_sided_book(symmetry: Symmetry) {
    let (bytes, positions) = random_book(42, 1, symmetry);
    let book = NativeBook::copied(&bytes).unwrap();
    for position in positions.iter().filter(|position| position.has_legal_move()) {
        assert!(!book.candidates(position).is_empty());
        assert!(book.candidates(&position.colours_swapped()).is_empty());
        let moves = turned(&book.candidates(position), |mv| mv);
        if position.mirrored() != *position {
            assert_eq!(turned(&book.candidates(&position.mirrored()), Move::mirrored), moves);
        }
    }
    assert!(positions.iter().any(|position| position.side() == Side::Black));
}

#[test]
fn an_unknown_position_has_no_moves() {
    let (bytes, _) = random_book(43, 1, Symmetry::MirrorAndColours);
    let book = NativeBook::copied(&bytes).unwrap();
    let position = Position::from_fen("4k4/9/9/9/9/9/9/9/9/R2K5 w").unwrap();
    assert!(book.candidates(&position).is_empty());
    let nothing = Writer::new(Cursor::new(vec![]), About::default()).unwrap().finish().unwrap().into_inner();
    let nothing = NativeBook::copied(&nothing).unwrap();
    nothing.verify().unwrap();
    assert!(nothing.candidates(&Position::start()).is_empty() && nothing.records().is_empty());
}

#[test]
fn forbidden_and_illegal_moves_are_not_given_out() {
    let start = Position::start();
    let (key, frame) = canonical(&start, Symmetry::MirrorAndColours);
    let record = |mv: &str, weight| Record::new(key, frame.apply(mv.parse().unwrap()), weight);
    let mut writer = Writer::new(Cursor::new(vec![]), About::default()).unwrap();
    for record in [record("h2h8", 4), record("h2e2", 3).forbidden(true), record("c3c4", 2).scored(12, 20)] {
        writer.push(record).unwrap();
    }
    let book = NativeBook::copied(&writer.finish().unwrap().into_inner()).unwrap();
    let eval = Some((Score::from_eval(12), 20));
    assert_eq!(book.candidates(&start), [Candidate { mv: "c3c4".parse().unwrap(), weight: 2, eval }]);
    assert_eq!(book.forbidden(&start), ["h2e2".parse().unwrap()]);
}

#[test]
fn what_a_book_forbids_no_later_one_may_play() {
    let (key, frame) = canonical(&Position::start(), Symmetry::MirrorAndColours);
    let mut writer = Writer::new(Cursor::new(vec![]), About::default()).unwrap();
    writer.push(Record::new(key, frame.apply("h2e2".parse().unwrap()), 9).forbidden(true)).unwrap();
    let forbidding = writer.finish().unwrap().into_inner();
    let mut book = Book::empty();
    for bytes in [forbidding, book_of("h2e2"), book_of("c3c4")] {
        book.push(Source::Native(NativeBook::copied(&bytes).unwrap()));
    }
    let found: Vec<_> = book.candidates(&Position::start()).iter().map(|candidate| candidate.mv.to_string()).collect();
    assert_eq!(found, ["c3c4"]);
}

/// A temporary folder, which is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-book-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A book of one move from the start.
fn book_of(mv: &str) -> Vec<u8> {
    let (key, frame) = canonical(&Position::start(), Symmetry::MirrorAndColours);
    let mut writer = Writer::new(Cursor::new(vec![]), About::default()).unwrap();
    writer.push(Record::new(key, frame.apply(mv.parse().unwrap()), 1)).unwrap();
    writer.finish().unwrap().into_inner()
}

fn first_move(book: &Book) -> String {
    book.candidates(&Position::start())[0].mv.to_string()
}

#[test]
fn the_first_file_and_the_first_folder_come_first() {
    let [near, far] = [Folder::new("near"), Folder::new("far")];
    near.write("a.bin", &book_of("h2e2"));
    far.write("a.bin", &book_of("c3c4"));
    far.write("b.bin", &book_of("g3g4"));
    let folders = [near.0.clone(), far.0.clone()];
    let open = |paths: &str| {
        let (book, errors) = Book::open_in(paths.as_ref(), &folders);
        assert!(errors.is_empty(), "{errors:?}");
        first_move(&book)
    };
    assert_eq!(open("a.bin;b.bin"), "h2e2");
    assert_eq!(open(" b.bin ; a.bin "), "g3g4");
    assert_eq!(open(&format!("{};b.bin", far.0.join("a.bin").display())), "c3c4");
    for nothing in ["", ";", " ; "] {
        let (book, errors) = Book::open_in(nothing.as_ref(), &folders);
        assert!(book.is_empty() && errors.is_empty());
    }
}

#[test]
fn each_bad_file_is_one_line_and_the_others_are_read() {
    let folder = Folder::new("bad");
    let good = book_of("h2e2");
    let mut newer = good.clone();
    newer[12] = 9;
    let mut altered = good.clone();
    altered[33] ^= 1;
    folder.write("short.bin", &good[..good.len() - 1]);
    folder.write("tiny.bin", &good[..20]);
    folder.write("long.bin", &[&good[..], b"x"].concat());
    folder.write("newer.bin", &newer);
    folder.write("altered.bin", &altered);
    folder.write("text.dat", b"[Game \"Chinese Chess\"]\n");
    folder.write("empty.dat", b"");
    folder.write("base.obk", b"SQLite format 3\0 and so on");
    folder.write("good.bin", &good);
    let names =
        ["short.bin", "tiny.bin", "long.bin", "newer.bin", "altered.bin", "text.dat", "empty.dat", "base.obk", "none"];
    let (book, errors) =
        Book::open_in(format!("{};good.bin", names.join(";")).as_ref(), std::slice::from_ref(&folder.0));
    assert_eq!(first_move(&book), "h2e2");
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    let words =
        ["truncated", "truncated", "altered", "newer", "altered", "foreign", "foreign", "SQLite", "no such book"];
    assert_eq!(lines.len(), words.len());
    for ((name, word), line) in names.iter().zip(words).zip(&lines) {
        assert!(line.contains(name) && line.contains(word) && !line.contains('\n'), "{line}");
    }
}

#[test]
fn every_altered_byte_of_a_book_in_memory_is_refused_and_the_others_are_read() {
    let folder = Folder::new("damaged");
    let good = book_of("h2e2");
    folder.write("good.bin", &book_of("c3c4"));
    for at in (HEADER_BYTES..good.len()).step_by(if cfg!(miri) { 7 } else { 1 }) {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        folder.write("damaged.bin", &damaged);
        let (book, errors) = Book::open_in("damaged.bin;good.bin".as_ref(), std::slice::from_ref(&folder.0));
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        let place = folder.0.join("damaged.bin");
        let expected = format!("{}: altered: its records do not agree with their checksum", place.display());
        assert_eq!((lines, first_move(&book)), (vec![expected], "c3c4".to_owned()), "byte {at}");
    }
}

#[test]
fn a_record_of_a_book_dat_that_is_none_or_out_of_order_is_refused() {
    let folder = Folder::new("damaged-dat");
    let mv: Move = "h2e2".parse().unwrap();
    // More records than are sampled to tell a book from other files.
    let good: Vec<EleEyeRecord> = (1..1000).map(|lock| EleEyeRecord::new(lock, mv, 1)).collect();
    let opened = |records: &[EleEyeRecord]| {
        folder.write("a.dat", bytemuck::cast_slice(records));
        Source::open(&folder.0.join("a.dat")).map(|book| book.len()).map_err(|fault| fault.to_string())
    };
    assert_eq!(opened(&good), Ok(999));
    let with = |at: usize, record| {
        let mut records = good.clone();
        records[at] = record;
        opened(&records)
    };
    assert_eq!(with(17, EleEyeRecord::new(5, mv, 1)), Err("136: out of order".to_owned()));
    let mut bytes: [u8; 8] = bytemuck::cast(good[18]);
    bytes[4] = 0;
    assert_eq!(with(18, bytemuck::cast(bytes)), Err("144: no move".to_owned()));
}

#[test]
fn a_list_without_end_is_cut() {
    let folder = Folder::new("many");
    folder.write("a.bin", &book_of("h2e2"));
    let (book, errors) = Book::open_in("a.bin;".repeat(100_000).as_ref(), std::slice::from_ref(&folder.0));
    assert_eq!((book.sources().len(), errors.len()), (64, 1));
    assert!(errors[0].to_string().contains("64 files at most"), "{}", errors[0]);
}

#[test]
fn a_book_is_left_before_its_lines_end() {
    let mut book = Book::empty();
    assert!(book.continues(&Position::start(), 0) && !book.continues(&Position::start(), 1));
    let mut position = Position::start();
    let mut records = vec![];
    for mv in ["h2e2", "h9g7", "h0g2"] {
        let mv = mv.parse().unwrap();
        let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
        records.push(Record::new(key, frame.apply(mv), 1));
        position = position.play(mv);
    }
    records.sort_by_key(Record::order);
    let mut writer = Writer::new(Cursor::new(vec![]), About::default()).unwrap();
    records.into_iter().for_each(|record| writer.push(record).unwrap());
    let bytes = writer.finish().unwrap().into_inner();
    book.push(Source::Native(NativeBook::copied(&bytes).unwrap()));
    assert!(book.continues(&Position::start(), 3) && !book.continues(&Position::start(), 4));
    assert!(!book.continues(&position, 1));
}

/// Looks up positions in a damaged book, which must return legal moves or none.
fn use_it(bytes: &[u8]) {
    let positions = [Position::start(), Position::start().play("h2e2".parse().unwrap())];
    if let Ok(book) = NativeBook::copied(bytes) {
        let _ = book.verify();
        positions.iter().for_each(|position| {
            book.candidates(position).iter().for_each(|candidate| assert!(position.is_legal(candidate.mv)));
        });
    }
    if let Ok(book) = EleEyeBook::copied(bytes) {
        positions.iter().for_each(|position| {
            book.candidates(position).iter().for_each(|candidate| assert!(position.is_legal(candidate.mv)));
        });
    }
}

proptest! {
    #[test]
    fn random_bytes_are_no_book_and_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(NativeBook::copied(&bytes).is_err());
        use_it(&bytes);
    }

    #[test]
    fn a_cut_book_is_not_read(cut in 0..20_000_usize) {
        let (bytes, _) = random_book(44, 1, Symmetry::MirrorAndColours);
        let cut = cut % bytes.len();
        prop_assert!(NativeBook::copied(&bytes[..cut]).is_err());
        use_it(&bytes[..cut]);
    }

    #[test]
    fn an_altered_body_is_no_harm_and_is_found_by_verifying(at in any::<prop::sample::Index>(), mask in 1..=u8::MAX) {
        let (mut bytes, _) = random_book(45, 1, Symmetry::MirrorAndColours);
        let body = bytes.len() - HEADER_BYTES;
        bytes[HEADER_BYTES + at.index(body)] ^= mask;
        use_it(&bytes);
        prop_assert!(NativeBook::copied(&bytes).unwrap().verify().is_err());
    }

    #[test]
    fn an_index_of_any_numbers_is_no_harm(words in prop::collection::vec(any::<u64>(), 2..9)) {
        let mut bytes = book_of("h2e2");
        let start = bytes.len() - 16;
        for (place, word) in bytes[start..].chunks_exact_mut(8).zip(&words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        use_it(&bytes);
    }

    #[test]
    fn a_damaged_book_dat_is_no_harm(
        records in prop::collection::vec((any::<u32>(), any::<u16>(), any::<u16>()), 1..50),
    ) {
        let mut records = records;
        records.push((Locks::of(&Position::start()).lock1, 0x1234, 5));
        records.sort();
        let bytes: Vec<u8> = records
            .iter()
            .flat_map(|(lock, mv, weight)| [&lock.to_le_bytes()[..], &mv.to_le_bytes(), &weight.to_le_bytes()].concat())
            .collect();
        use_it(&bytes);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many positions")]
fn the_embedded_book_is_sound_and_can_be_reached_from_the_start() {
    let book = NativeBook::embedded().unwrap();
    book.verify().unwrap();
    let records = book.records().len();
    let (book, errors) = Book::open_in(EMBEDDED.as_ref(), &[]);
    assert!(errors.is_empty() && book.candidates(&Position::start()).len() > 2);
    let symmetry = Symmetry::MirrorAndColours;
    let mut seen = std::collections::HashSet::new();
    let mut waiting = vec![Position::start()];
    let mut moves = 0;
    while let Some(position) = waiting.pop() {
        let candidates = book.candidates(&position);
        if !candidates.is_empty() && seen.insert(canonical(&position, symmetry).0) {
            moves += candidates.len();
            assert!(candidates[0].weight == 100 && candidates.iter().all(|candidate| candidate.eval.is_some()));
            waiting.extend(candidates.iter().map(|candidate| position.play(candidate.mv)));
        }
    }
    assert_eq!(moves, records, "every record is a legal move of a position that can arise");
}

#[test]
fn the_embedded_book_stands_anywhere_in_a_list() {
    let folder = Folder::new("embedded");
    folder.write("a.bin", &book_of("a0a1"));
    let open = |paths: &str| Book::open_in(paths.as_ref(), std::slice::from_ref(&folder.0)).0;
    assert_eq!(first_move(&open("a.bin;<embedded>")), "a0a1");
    assert_ne!(first_move(&open(" <embedded> ;a.bin")), "a0a1");
    let after = Position::start().play(open("<embedded>").candidates(&Position::start())[0].mv);
    assert!(open("a.bin").candidates(&after).is_empty() && !open("a.bin;<embedded>").candidates(&after).is_empty());
}

#[test]
#[cfg_attr(miri, ignore = "it has no files of the system")]
fn a_book_lives_on_when_its_file_is_cut() {
    let folder = Folder::new("cut");
    let (bytes, positions) = random_book(46, 4, Symmetry::MirrorAndColours);
    let dat = [EleEyeRecord::new(Locks::of(&Position::start()).lock1, "h2e2".parse().unwrap(), 9)];
    folder.write("a.book", &bytes);
    folder.write("b.dat", &bytemuck::cast_slice(&dat).repeat(1000));
    let answers = |book: &Book| positions.iter().map(|position| book.candidates(position)).collect::<Vec<_>>();
    for name in ["a.book", "b.dat"] {
        let (book, errors) = Book::open_in(name.as_ref(), std::slice::from_ref(&folder.0));
        assert!(errors.is_empty() && !book.candidates(&Position::start()).is_empty(), "{errors:?}");
        let before = answers(&book);
        std::fs::OpenOptions::new().write(true).open(folder.0.join(name)).unwrap().set_len(0).unwrap();
        assert_eq!(answers(&book), before);
    }
}
