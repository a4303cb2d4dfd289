//! Files for the page to save: PGN, FEN, and the board as SVG.

use chuhe::board::Move;
use chuhe::notation::Notation;
use chuhe_games::page::{BoardOptions, Coordinates, PieceStyle, board_svg};
use serde_json::{Value, json};

use crate::line::Line;
use crate::refusal::{Answer, Refusal};
use crate::request::{CoordinatesName, Export, ExportFormat, GameText, NotationName, PiecesName};
use crate::tree;

/// Maximum number of arrows on a board.
const MOST_ARROWS: usize = 32;

/// Answers `export`.
pub(crate) fn export(wanted: &Export) -> Answer {
    match wanted.format {
        ExportFormat::Pgn => {
            let none = GameText::default();
            let game = tree::from_message(wanted.game.as_ref().unwrap_or(&none))?;
            let text = tree::write(&game, notation(wanted.notation))?;
            Ok(file("game.pgn", "application/x-chess-pgn", text))
        }
        ExportFormat::Fen => Ok(file("position.fen", "text/plain", Line::read(&wanted.line)?.last().to_fen() + "\n")),
        ExportFormat::Svg => svg(wanted),
    }
}

fn file(name: &str, mime: &str, text: String) -> Value {
    json!({ "type": "file", "name": name, "mime": mime, "text": text })
}

fn notation(name: NotationName) -> Notation {
    match name {
        NotationName::Iccs => Notation::Iccs,
        NotationName::Wxf => Notation::Wxf,
        NotationName::Chinese => Notation::Chinese,
    }
}

fn svg(wanted: &Export) -> Answer {
    let line = Line::read(&wanted.line)?;
    let read = |text: &String| text.parse().map_err(|_| Refusal::new("bad_move", format!("{text:?} is not a move")));
    let arrows: Vec<Move> = wanted.arrows.iter().take(MOST_ARROWS).map(read).collect::<Result<_, _>>()?;
    let options = BoardOptions {
        pieces: match wanted.pieces {
            PiecesName::Character => PieceStyle::Characters,
            PiecesName::Letter => PieceStyle::Letters,
        },
        coordinates: match wanted.coordinates {
            CoordinatesName::None => Coordinates::None,
            CoordinatesName::Iccs => Coordinates::Iccs,
            CoordinatesName::Wxf => Coordinates::Wxf,
            CoordinatesName::Chinese => Coordinates::Chinese,
        },
        last_move: line.moves.last().copied(),
        arrows: &arrows,
        is_flipped: wanted.flipped,
    };
    Ok(file("board.svg", "image/svg+xml", board_svg(line.last(), &options)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exported(text: &str) -> Answer {
        export(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn each_format_has_its_file() {
        let pgn = exported(
            r#"{"format": "pgn", "notation": "chinese", "game": {"tags": {"Red": "a"}, "result": "1-0",
                "nodes": [{"parent": -1, "mv": "h2e2", "comment": "hello"}]}}"#,
        )
        .unwrap();
        let text = pgn["text"].as_str().unwrap();
        assert!(text.contains("[Red \"a\"]") && text.contains("1. 炮二平五 {hello} 1-0"), "{text}");
        let fen = exported(r#"{"format": "fen", "moves": ["h2e2"]}"#).unwrap();
        assert!(fen["text"].as_str().unwrap().ends_with(" b - - 1 1\n"), "{fen}");
        let svg = exported(r#"{"format": "svg", "moves": ["h2e2"], "arrows": ["h9g7"], "pieces": "letter"}"#).unwrap();
        assert!(svg["text"].as_str().unwrap().contains("class=\"arrow\""));
        assert_eq!(exported(r#"{"format": "svg", "arrows": ["x"]}"#).unwrap_err().code, "bad_move");
    }
}
