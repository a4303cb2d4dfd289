//! Draws a board as SVG: `cargo run -p chuhe-games --example board -- FEN [MOVE...] > board.svg`.
//!
//! The moves, in any notation, are arrows; one that goes there and back has two heads. Pieces are the outlines of
//! `src/page/outlines.txt`, so they need no font.

use std::collections::HashMap;
use std::error::Error;
use std::{env, fs};

use chuhe::board::{Move, Piece, Position, Side, Square};
use chuhe::notation::read_any;

/// File of the outlines: a character and its path on each line, centred, 256 units to an em.
const OUTLINES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/outlines.txt");

/// Distance of two lines of the board, and of its edge from the first line.
const CELL: i32 = 44;
const MARGIN: i32 = 34;

/// Pieces of each side in the order of [`Piece::index`]: king, advisor, elephant, horse, rook, cannon, pawn.
const CHARACTERS: [&str; 2] = ["帥仕相傌俥炮兵", "將士象馬車砲卒"];
/// Scale of a piece's outline.
const GLYPH: f64 = 0.122;
/// Radius of a piece.
const RADIUS: f64 = 20.0;
/// Length of the head of an arrow.
const HEAD: f64 = 13.0;

const STYLE: &str = "<style>.w{fill:#efd7a7}.l{stroke:#6f4f22;stroke-width:1.3;fill:none}.f{stroke:#6f4f22;stroke-width:3;fill:none}\
    .p{fill:#fdf3dc;stroke:#9c7433;stroke-width:1.6}.r{fill:#b01e17}.b{fill:#23211f}.q{fill:none;stroke-width:1.1}\
    .q.r{stroke:#b01e17}.q.b{stroke:#23211f}.a{stroke-width:5}.a.r{stroke:#d02a20}.a.b{stroke:#1d5f8a}.h.r{fill:#d02a20}.h.b{fill:#1d5f8a}\
    .g{fill:none;stroke-width:1.6;stroke-dasharray:4 3}.g.r{stroke:#d02a20}.g.b{stroke:#1d5f8a}\
    text{font:13px system-ui,\"DejaVu Sans\",sans-serif;text-anchor:middle;fill:#6f4f22}</style>";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let fen = arguments.next().ok_or("usage: board FEN [MOVE...] > board.svg")?;
    let start = Position::from_fen(&fen)?;
    let (mut position, mut moves) = (start, Vec::new());
    for text in arguments {
        let mv = read_any(&position, &text)?;
        moves.push((position.side(), mv));
        position = position.play(mv);
    }
    println!("{}", picture(&start, &moves, &outlines()?)?);
    Ok(())
}

/// Reads the outlines, by character.
fn outlines() -> Result<HashMap<char, String>, Box<dyn Error>> {
    let text = fs::read_to_string(OUTLINES).map_err(|error| format!("{OUTLINES}: {error}"))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, path)| Some((name.chars().next()?, path.to_owned())))
        .collect())
}

/// The whole picture: board, pieces, arrows.
fn picture(
    position: &Position,
    moves: &[(Side, Move)],
    outlines: &HashMap<char, String>,
) -> Result<String, Box<dyn Error>> {
    let (width, height) = (2 * MARGIN + 8 * CELL, 2 * MARGIN + 9 * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{STYLE}\n\
         <rect class=\"w\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n{}\n",
        grid()
    );
    for square in Square::all() {
        if let Some(piece) = position.piece_on(square) {
            svg += &disc(square, piece, outlines)?;
        }
    }
    for (index, &(side, mv)) in moves.iter().enumerate() {
        let back = (side, Move::new(mv.to(), mv.from()));
        if !moves[..index].contains(&back) && !moves[..index].contains(&(side, mv)) {
            svg += &arrow(side, mv, moves.contains(&back));
        }
    }
    Ok(svg + "</svg>")
}

/// Where a square lies in the picture.
fn point(square: Square) -> (i32, i32) {
    (MARGIN + square.file() as i32 * CELL, MARGIN + (9 - square.rank() as i32) * CELL)
}

/// Lines, palaces, and the names of files and ranks.
fn grid() -> String {
    let at = |step: i32| MARGIN + step * CELL;
    let mut path = String::new();
    let mut line = |column1, row1, column2, row2| {
        path += &format!("M{} {}L{} {}", at(column1), at(row1), at(column2), at(row2));
    };
    for row in 1..9 {
        line(0, row, 8, row);
    }
    for column in 1..8 {
        line(column, 0, column, 4);
        line(column, 5, column, 9);
    }
    for top in [0, 7] {
        line(3, top, 5, top + 2);
        line(5, top, 3, top + 2);
    }
    let names = |class: &str, texts: Vec<(i32, i32, String)>| -> String {
        texts
            .into_iter()
            .map(|(x, y, text)| format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"))
            .collect()
    };
    let files = (0..9).zip('a'..='i').map(|(file, letter)| (at(file), at(9) + 30, letter.to_string()));
    let ranks = (0..10).map(|rank| (9, at(9 - rank) + 5, rank.to_string()));
    let names = files.chain(ranks).map(|(x, y, text)| format!("<text x=\"{x}\" y=\"{y}\">{text}</text>"));
    format!(
        "<path class=\"l\" d=\"{path}\"/><rect class=\"f\" x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{}\" height=\"{}\"/>{}",
        8 * CELL,
        9 * CELL,
        names.collect::<String>()
    )
}

/// A piece on its square.
fn disc(square: Square, piece: Piece, outlines: &HashMap<char, String>) -> Result<String, String> {
    let (x, y) = point(square);
    let (class, names) = match piece.side() {
        Side::Red => ("r", CHARACTERS[0]),
        Side::Black => ("b", CHARACTERS[1]),
    };
    let name = names.chars().nth(piece.kind().index()).expect("every kind has a character");
    let path = outlines.get(&name).ok_or_else(|| format!("{OUTLINES}: no outline of {name}"))?;
    Ok(format!(
        "<g transform=\"translate({x} {y})\"><circle class=\"p\" r=\"{RADIUS}\"/><circle class=\"q {class}\" r=\"17\"/>\
         <path class=\"{class}\" transform=\"scale({GLYPH})\" d=\"{path}\"/></g>\n"
    ))
}

/// The arrow of a move, and a dashed circle where it ends; with two heads if the piece goes back there later and there is room.
fn arrow(side: Side, mv: Move, returns: bool) -> String {
    let ((x1, y1), (x2, y2)) = (point(mv.from()), point(mv.to()));
    let (dx, dy) = (f64::from(x2 - x1), f64::from(y2 - y1));
    let length = dx.hypot(dy);
    let (ux, uy) = (dx / length, dy / length);
    // Along the way, and to its right.
    let place = |along: f64, aside: f64| {
        let (x, y) = (f64::from(x1) + ux * along - uy * aside, f64::from(y1) + uy * along + ux * aside);
        format!("{x:.1} {y:.1}")
    };
    let class = if side == Side::Red { "r" } else { "b" };
    let head = |tip: f64, back: f64| {
        format!("<path class=\"h {class}\" d=\"M{}L{}L{}z\"/>", place(tip, 0.0), place(back, -7.0), place(back, 7.0))
    };
    let (start, tip) = (RADIUS + 3.0, length - 2.0);
    let is_long = returns && tip - start > 3.0 * HEAD;
    let line_start = if is_long { start + HEAD - 1.0 } else { start };
    let line =
        format!("<path class=\"a {class}\" d=\"M{}L{}\"/>", place(line_start, 0.0), place(tip - HEAD + 1.0, 0.0));
    let tail = if is_long { head(start, start + HEAD) } else { String::new() };
    format!(
        "<circle class=\"g {class}\" cx=\"{x2}\" cy=\"{y2}\" r=\"{RADIUS}\"/>{line}{}{tail}\n",
        head(tip, tip - HEAD)
    )
}
