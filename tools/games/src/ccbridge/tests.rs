//! Records and libraries, written by a few functions.

use super::*;

/// Writes a record of moves: text, whether the line ends, whether an alternative follows, and a comment.
fn record_of(moves: &[(&str, bool, bool, &str)], result: u8) -> Vec<u8> {
    record_of_kind(2, moves, result)
}

fn record_of_kind(kind: u8, moves: &[(&str, bool, bool, &str)], result: u8) -> Vec<u8> {
    let layout = if kind == 1 { FIRST } else { SECOND };
    let mut bytes = vec![0; layout.nodes];
    bytes[..RECORD.len()].copy_from_slice(RECORD);
    bytes[KIND] = kind;
    for (at, name) in layout.names.into_iter().zip(["红方", "黑方"]) {
        let text: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes[at..at + text.len()].copy_from_slice(&text);
    }
    bytes[layout.result] = result;
    bytes[layout.side] = 1;
    let start = Position::start();
    for index in 0..SQUARES {
        let piece = start.piece_on(square_of_index(index as u8).unwrap());
        bytes[layout.board + index] = piece.map_or(0, |piece| {
            let letter = piece.letter().to_ascii_uppercase();
            let low = PIECES.find(letter).unwrap() as u8 + 1;
            low | if piece.side() == Side::Red { 0x10 } else { 0x20 }
        });
    }
    let index = |square: Square| {
        let (row, file) = (RANKS - 1 - square.rank(), square.file());
        (if kind == 1 { 16 * file + row } else { FILES * row + file }) as u8
    };
    let mut node = |squares: [u8; 2], flags: u8, comment: &str| {
        let text: Vec<u8> = comment.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let flags = flags | if text.is_empty() { 0 } else { HAS_COMMENT };
        bytes.extend([flags, 0, squares[0], squares[1]]);
        if !text.is_empty() {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text);
        }
    };
    node([0, 0], u8::from(moves.is_empty()), "开局");
    for (mv, ends, sibling, comment) in moves {
        let mv: Move = mv.parse().unwrap();
        let flags = if *ends { LINE_ENDS } else { 0 } | if *sibling { HAS_SIBLING } else { 0 };
        node([mv.from(), mv.to()].map(index), flags, comment);
    }
    bytes
}

/// Writes a library: its header with an index of some slots, then the records.
fn library_of(records: &[Vec<u8>]) -> Vec<u8> {
    let slots = 128_u32;
    let mut bytes = vec![0; 66_624 + 276 * slots as usize];
    bytes[..LIBRARY.len()].copy_from_slice(LIBRARY);
    bytes[60..64].copy_from_slice(&slots.to_le_bytes());
    for record in records {
        bytes.extend(record);
        let length = bytes.len() - 66_624 - 276 * slots as usize;
        bytes.resize(bytes.len() + length.next_multiple_of(SLOT) - length, 0);
    }
    bytes
}

const TREE: [(&str, bool, bool, &str); 3] =
    [("h2e2", false, false, ""), ("h9g7", true, true, "常见"), ("b9c7", true, false, "")];

fn moves(texts: &[&str]) -> Vec<Move> {
    texts.iter().map(|mv| mv.parse().unwrap()).collect()
}

#[test]
fn a_record_has_moves_variations_names_and_a_result() {
    for kind in [1, 2] {
        let [Ok(game)] = &read(&record_of_kind(kind, &TREE, 2))[..] else { panic!("one game") };
        assert_eq!((game.start, &game.moves), (Position::start(), &moves(&["h2e2", "h9g7"])), "{kind}");
        assert_eq!(game.result, Some(Outcome::Won(Side::Black)), "{kind}");
        assert_eq!(game.players, ["红方", "黑方"].map(str::to_owned), "{kind}");
        let [variation] = &game.variations[..] else { panic!("one variation") };
        assert_eq!((variation.ply, &variation.moves), (1, &moves(&["b9c7"])), "{kind}");
        let comments: Vec<_> = game.comments.iter().map(|it| (it.line, it.moves, &*it.text)).collect();
        assert_eq!(comments, [(0, 2, "常见"), (0, 0, "开局")], "{kind}");
    }
    let [Ok(empty)] = &read(&record_of(&[], 0))[..] else { panic!("one game") };
    assert_eq!((empty.moves.len(), empty.result), (0, None));
}

#[test]
fn a_library_has_long_records_too_and_one_bad_record_leaves_the_others() {
    let comment = "长".repeat(3 * SLOT);
    let long = record_of(&[("c3c4", false, false, &comment), ("c6c5", true, false, "")], 3);
    let bad = record_of(&[("h2h8", true, false, "")], 1);
    let bytes = library_of(&[record_of(&TREE, 1), long, bad, record_of(&TREE[..1], 0)]);
    let mut whole = bytes.clone();
    whole.truncate(bytes.len() - 1);
    let games = read(&bytes);
    let lengths: Vec<_> = games.iter().map(|game| game.as_ref().ok().map(|game| game.moves.len())).collect();
    // The last record's only line does not end in it.
    assert_eq!(lengths, [Some(2), Some(2), None, None]);
    let fault = games[2].as_ref().unwrap_err();
    assert!(fault.starts_with("offset ") && fault.ends_with("ply 1: h2h8 is not legal"), "{fault}");
}

#[test]
fn the_files_of_the_tests_are_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/games");
    for (name, lengths) in [("small.cbr", vec![2]), ("first.cbr", vec![2]), ("small.cbl", vec![2, 2])] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let games: Vec<Game> = read(&bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), lengths, "{name}");
    }
}

#[test]
fn truncated_and_altered_files_are_named() {
    for kind in [1, 2] {
        let whole = record_of_kind(kind, &TREE, 1);
        for length in 0..whole.len() {
            let fault = read(&whole[..length]).remove(0).unwrap_err();
            assert!(fault.starts_with("offset "), "{fault}");
        }
    }
    let mut newer = record_of(&TREE, 1)[..SECOND.nodes].to_vec();
    newer[KIND] = 3;
    assert!(read(&newer).remove(0).unwrap_err().ends_with("of kind 3, which may have another layout"));
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(
        at in proptest::collection::vec((0..3000_usize, proptest::prelude::any::<u8>()), 0..20),
        kind in 1..4_u8,
    ) {
        let mut bytes = library_of(&[record_of_kind(kind, &TREE, 1)]);
        let first = bytes.len() - SLOT;
        for (place, byte) in at {
            bytes[first + place] = byte;
        }
        let _ = read(&bytes);
    }
}
