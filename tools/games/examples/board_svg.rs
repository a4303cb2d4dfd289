//! Board as an SVG file: `cargo run -p chuhe-games --example board_svg -- FEN > board.svg`.
//!
//! Options, in front of or after the FEN: `letters` draws letters instead of characters; `coordinates=none`, `iccs`, `wxf` or
//! `chinese` labels the edges; `last=h2e2` marks a move, `arrow=h9g7` draws an arrow and can be repeated; `flipped` puts
//! Black at the bottom. A FEN may be one argument or several; `startpos` is the start position.

use anyhow::{Result, bail};
use chuhe::board::{Move, Position};
use chuhe_games::page::{BoardOptions, Coordinates, PieceStyle, board_svg};

fn main() -> Result<()> {
    let (mut options, mut arrows, mut fen) = (BoardOptions::default(), Vec::<Move>::new(), Vec::new());
    for word in std::env::args().skip(1) {
        match word.split_once('=').unwrap_or((&word, "")) {
            ("letters", "") => options.pieces = PieceStyle::Letters,
            ("flipped", "") => options.is_flipped = true,
            ("coordinates", name) => options.coordinates = coordinates(name)?,
            ("last", mv) => options.last_move = Some(mv.parse()?),
            ("arrow", mv) => arrows.push(mv.parse()?),
            _ => fen.push(word),
        }
    }
    let position = match fen.join(" ").as_str() {
        "" | "startpos" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    print!("{}", board_svg(&position, &BoardOptions { arrows: &arrows, ..options }));
    Ok(())
}

fn coordinates(name: &str) -> Result<Coordinates> {
    Ok(match name {
        "none" => Coordinates::None,
        "iccs" => Coordinates::Iccs,
        "wxf" => Coordinates::Wxf,
        "chinese" => Coordinates::Chinese,
        _ => bail!("unknown coordinates \"{name}\" (available: none, iccs, wxf, chinese)"),
    })
}
