//! PGN that is written is read back by the reader of the engine's own tests.

#[path = "../../../tests/support/pgn.rs"]
mod reader;
mod support;

use chuhe::board::Position;
use chuhe::notation::Notation;
use chuhe_games::encoding::Encoding;
use chuhe_games::pgn::read::PgnReader;
use chuhe_games::pgn::{self, PgnFormat};
use chuhe_games::record::{EndingClass, Eval, GameRecord};

fn last_position(game: &GameRecord) -> Position {
    let start = Position::from_fen(&game.start_fen).unwrap();
    game.moves.iter().fold(start, |position, record| position.play(record.mv.parse().unwrap()))
}

#[test]
fn every_notation_and_encoding_is_read_back_to_the_same_position() {
    for game in support::made_up_games(["Chuhe 楚河", "Other \"engine\""], 6) {
        for notation in Notation::ALL {
            for encoding in [Encoding::Utf8, Encoding::Gb18030] {
                let format = PgnFormat { notation, event: "測試 match".into(), ..PgnFormat::default() };
                let text = pgn::write(&game, &format).unwrap();
                let record = reader::Record::read(&encoding.encode(&text)).unwrap();
                let replayed = record.replay().unwrap();
                assert_eq!(replayed.len(), game.moves.len());
                let (before, mv) = *replayed.last().unwrap();
                assert_eq!(before.play(mv).to_fen(), last_position(&game).to_fen());
                assert_eq!(record.result.as_deref(), Some(game.result.text()));
                assert_eq!(record.tag("Game"), Some("Chinese Chess"));
                assert_eq!(record.tag("Event"), Some("測試 match"));
                assert_eq!(record.tag("Format"), Some(&*notation.to_string()));
                let names = [record.tag("Red").unwrap(), record.tag("Black").unwrap()];
                assert!(names.contains(&"Chuhe 楚河") && names.contains(&"Other 'engine'"), "{names:?}");
            }
        }
    }
}

#[test]
fn tags_and_comments_are_those_that_openbench_reads() {
    let mut game = support::made_up_games(["A", "B"], 3).remove(2);
    game.moves.truncate(2);
    game.moves[0].eval = Some(Eval::Centipawns(12));
    game.moves[0].depth = Some(13);
    game.moves[0].selective_depth = Some(17);
    game.moves[0].nodes = Some(12345);
    game.moves[0].time_ms = 420;
    game.moves[0].left_ms = None;
    game.moves[1].eval = Some(Eval::Mate(-3));
    game.duration_ms = 59_000;
    game.ending.class = EndingClass::TimeLoss;
    game.ending.text = "late {312 ms}".into();
    let text = pgn::write(&game, &PgnFormat::default()).unwrap();
    let (tags, moves) = text.split_once("\n\n").unwrap();
    assert!(tags.starts_with("[Game \"Chinese Chess\"]\n"), "{tags}");
    for tag in [
        "[Date \"2023.11.14\"]",
        "[FEN \"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2\"]",
        "[Format \"ICCS\"]",
        "[TimeControl \"10+0.1\"]",
        "[SetUp \"1\"]\n[FEN ",
        "[GameStartTime \"2023-11-14T22:16:20 +0000\"]",
        "[GameEndTime \"2023-11-14T22:17:19 +0000\"]",
        "[Termination \"time forfeit\"]",
        "[Opening \"central cannon\"]",
    ] {
        assert!(tags.contains(tag), "{tag} in {tags}");
    }
    assert!(moves.starts_with("2... "), "{moves}");
    assert!(moves.contains("{+0.12/13 0.420s, n=12345, sd=17}\n3. "), "{moves}");
    assert!(moves.contains("{-M3/"), "{moves}");
    assert!(moves.ends_with(&format!("late [312 ms]}} {}\n\n", game.result.text())), "{moves}");
}

#[test]
fn a_backslash_in_a_name_is_written_so_that_it_ends_no_tag() {
    for name in ["A\\", r"C:\new\", r"\\x"] {
        let game = support::made_up_games([name, "B"], 1).remove(0);
        let text = pgn::write(&game, &PgnFormat::default()).unwrap();
        assert!(text.contains(&format!(" \"{}\"]\n", name.replace('\\', r"\\"))), "{text}");
        let read = PgnReader::new(&text).next().unwrap().unwrap();
        assert!([read.tag("Red"), read.tag("Black")].contains(&Some(name)), "{text}");
    }
}

#[test]
fn a_game_that_cannot_be_replayed_is_refused_with_its_ply() {
    let mut game = support::made_up_games(["A", "B"], 1).remove(0);
    game.moves[1].mv = "a0a9".into();
    let error = pgn::write(&game, &PgnFormat::default()).unwrap_err();
    assert_eq!(error.to_string(), "game 1: \"a0a9\", ply 2, is not legal");
}
