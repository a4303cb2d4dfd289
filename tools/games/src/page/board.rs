//! Drawing of a board: the background and the pieces that a page's script places, and whole boards as SVG files.

use std::fmt::Write as _;

use chuhe::board::{FILES, Kind, Move, Piece, Position, RANKS, Side, Square};

use super::outlines::{EM, outline};

/// Rules of style, with colours as `var(--name)`.
const STYLE: &str = include_str!("board.css");

/// Names of the colours, with their values in a light and in a dark page.
const COLOURS: [(&str, [&str; 2]); 11] = [
    ("--wood", ["#efd7a7", "#b8935a"]),
    ("--wood-line", ["#6f4f22", "#3d2a10"]),
    ("--water", ["#5d86a0", "#2c4a5c"]),
    ("--piece", ["#fdf3dc", "#efe0bf"]),
    ("--piece-edge", ["#9c7433", "#5e4317"]),
    ("--piece-red", ["#b01e17", "#a31912"]),
    ("--piece-black", ["#23211f", "#1d1b19"]),
    ("--mark", ["#2a7f4f", "#0d4f2b"]),
    ("--arrow", ["#1f6f45", "#0d4f2b"]),
    ("--other", ["#7b4a8f", "#4f2763"]),
    ("--river", ["#6f4f22", "#3d2a10"]),
];

/// Distance of two lines of the board.
const CELL: i32 = 60;
/// Distance of the outer lines from the edge of the picture.
const MARGIN: i32 = 46;
const WIDTH: i32 = 2 * MARGIN + (FILES as i32 - 1) * CELL;
const HEIGHT: i32 = 2 * MARGIN + (RANKS as i32 - 1) * CELL;
/// Radius of a piece.
const DISC: i32 = 27;
/// Heights of characters, in the unit of the picture: of a piece, on the river, and at the edge.
const PIECE_HEIGHT: f64 = 38.0;
const RIVER_HEIGHT: f64 = 40.0;
const EDGE_HEIGHT: f64 = 17.0;
/// Distance from the centre of a square at which arrows begin and end. Arrows from two sides leave a gap there.
const ARROW_START: f64 = 24.0;
const ARROW_END: f64 = 8.0;
const ARROW_WIDTH: f64 = 7.0;

/// Numerals of Red's files.
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Drawing of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PieceStyle {
    /// Chinese characters, as outlines.
    #[default]
    Characters,
    /// Letters of the World Xiangqi Federation.
    Letters,
}

impl PieceStyle {
    const ALL: [Self; 2] = [Self::Characters, Self::Letters];

    /// Returns the beginning of the names of the drawings.
    const fn name(self) -> &'static str {
        match self {
            Self::Characters => "character",
            Self::Letters => "letter",
        }
    }
}

/// Labels at the edges of a board, named by the notation of moves that uses them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Coordinates {
    /// No labels.
    None,
    /// Files `a` to `i` and ranks `0` to `9`.
    #[default]
    Iccs,
    /// Files 1 to 9 from the right hand of each side.
    Wxf,
    /// Files 一 to 九 for Red, 1 to 9 for Black.
    Chinese,
}

/// Options of [`board_svg`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BoardOptions<'a> {
    /// Drawing of the pieces.
    pub pieces: PieceStyle,
    /// Labels at the edges.
    pub coordinates: Coordinates,
    /// Move that led to the position: its squares are marked.
    pub last_move: Option<Move>,
    /// Moves shown as arrows, the most important first.
    pub arrows: &'a [Move],
    /// Whether Black is at the bottom.
    pub is_flipped: bool,
}

/// Returns a picture of the position as a self-contained SVG file, 572 wide and 632 high.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe_games::page::{BoardOptions, board_svg};
/// let moves = ["h2e2".parse().unwrap()];
/// let svg = board_svg(&Position::start(), &BoardOptions { arrows: &moves, ..BoardOptions::default() });
/// assert!(svg.starts_with("<svg ") && svg.contains("class=\"arrow\""));
/// ```
pub fn board_svg(position: &Position, options: &BoardOptions<'_>) -> String {
    let view = View { is_flipped: options.is_flipped };
    let style = options.pieces;
    let is_used = |piece: &Piece| !position.pieces(piece.side(), piece.kind()).is_empty();
    let mut drawings: String =
        Piece::ALL.into_iter().filter(is_used).map(|piece| piece_drawing(piece, style)).collect();
    if options.coordinates == Coordinates::Chinese {
        drawings += &numeral_drawings();
    }
    let arrows: String = options.arrows.iter().rev().map(|mv| arrow(*mv, view)).collect();
    let shown =
        [edges(options.coordinates, view), pieces(position, style, view), marks(options.last_move, view), arrows];
    svg(style, &light(STYLE), &drawings, &shown.concat())
}

/// Returns the board without pieces, with the drawings of all pieces and numerals for a script to place.
pub fn empty_board() -> String {
    let drawings = PieceStyle::ALL.into_iter().flat_map(|style| Piece::ALL.map(|piece| piece_drawing(piece, style)));
    svg(PieceStyle::Characters, STYLE, &(drawings.collect::<String>() + &numeral_drawings()), "")
}

/// Returns the colours as rules of style, for light and dark pages.
pub(super) fn colours() -> String {
    let set = |index: usize| -> String {
        COLOURS.iter().fold(String::new(), |text, (name, values)| text + &format!(" {name}: {};", values[index]))
    };
    format!(":root {{{} }}\n@media (prefers-color-scheme: dark) {{ :root {{{} }} }}\n", set(0), set(1))
}

/// Replaces the names of colours by those of a light page: programs other than browsers know no names.
fn light(style: &str) -> String {
    COLOURS.iter().fold(style.to_owned(), |text, (name, [value, _])| text.replace(&format!("var({name})"), value))
}

fn svg(pieces: PieceStyle, style: &str, drawings: &str, content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"xiangqi {}s\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-label=\"Board\">\n<style>\n{style}</style>\n<defs>\n{drawings}</defs>\n{}{content}</svg>\n",
        pieces.name(),
        background(),
    )
}

/// Returns the drawing of a piece around the origin, under the name `character-` or `letter-` and its letter in FEN. Letters of
/// both sides are alike, so Black's are on a dark disc.
fn piece_drawing(piece: Piece, style: PieceStyle) -> String {
    let (class, letter) = (side_class(piece.side()), piece.letter());
    let (class, face) = match style {
        PieceStyle::Characters => {
            let (scale, path) = (scale(PIECE_HEIGHT), outline(character(piece)));
            (class.to_string(), format!("<path class=\"piece-ink\" transform=\"scale({scale})\" d=\"{path}\"/>"))
        }
        PieceStyle::Letters => {
            let text = wxf_letter(piece.kind());
            (format!("{class} dark"), format!("<text class=\"piece-letter piece-ink\" y=\"11\">{text}</text>"))
        }
    };
    format!(
        "<g id=\"{}-{letter}\" class=\"{class}\"><circle class=\"piece-shadow\" cy=\"2.5\" r=\"{DISC}\"/>\
         <circle class=\"piece-disc\" r=\"{DISC}\"/><circle class=\"piece-ring\" r=\"23\"/>{face}</g>\n",
        style.name(),
    )
}

fn numeral_drawings() -> String {
    let drawing = |(numeral, number): (char, usize)| {
        format!(
            "<path id=\"numeral-{number}\" transform=\"scale({})\" d=\"{}\"/>\n",
            scale(EDGE_HEIGHT),
            outline(numeral)
        )
    };
    NUMERALS.into_iter().zip(1..).map(drawing).collect()
}

/// Returns the factor that draws an em at this height.
fn scale(height: f64) -> String {
    format!("{:.4}", height / f64::from(EM))
}

const fn side_class(side: Side) -> char {
    match side {
        Side::Red => 'r',
        Side::Black => 'b',
    }
}

const fn character(piece: Piece) -> char {
    let characters = match piece.side() {
        Side::Red => ['帥', '仕', '相', '傌', '俥', '炮', '兵'],
        Side::Black => ['將', '士', '象', '馬', '車', '砲', '卒'],
    };
    characters[piece.kind().index()]
}

/// Returns the letter of the World Xiangqi Federation.
const fn wxf_letter(kind: Kind) -> char {
    match kind {
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        _ => kind.letter(),
    }
}

/// Returns the name of a piece in words.
fn name(piece: Piece) -> String {
    let side = match piece.side() {
        Side::Red => "red",
        Side::Black => "black",
    };
    let kind = match piece.kind() {
        Kind::King => "king",
        Kind::Advisor => "advisor",
        Kind::Elephant => "elephant",
        Kind::Horse => "horse",
        Kind::Rook => "rook",
        Kind::Cannon => "cannon",
        Kind::Pawn => "pawn",
    };
    format!("{side} {kind}")
}

/// Returns wood, lines and river.
fn background() -> String {
    let at = |step: i32| MARGIN + step * CELL;
    let line = |x1, y1, x2, y2| format!("M{} {}L{} {}", at(x1), at(y1), at(x2), at(y2));
    let ranks = (0..10).map(|rank| line(0, rank, 8, rank));
    let files = (1..8).map(|file| line(file, 0, file, 4) + &line(file, 5, file, 9));
    let palaces = [0, 7].map(|top| line(3, top, 5, top + 2) + &line(5, top, 3, top + 2));
    let path: String = ranks.chain(files).chain(palaces).chain([corners()]).collect();
    format!(
        "<rect class=\"wood\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\"/>\n<path class=\"grid-line\" d=\"{path}\"/>\n\
         <rect class=\"frame\" x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{}\" height=\"{}\"/>\n{}",
        8 * CELL,
        9 * CELL,
        river()
    )
}

/// Returns the corners around the first squares of cannons and pawns.
fn corners() -> String {
    let cannons = [(1, 2), (7, 2), (1, 7), (7, 7)];
    let pawns = [0, 2, 4, 6, 8].into_iter().flat_map(|file| [(file, 3), (file, 6)]);
    let mut path = String::new();
    for (file, rank) in cannons.into_iter().chain(pawns) {
        for (x, y) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
            if (0..=8).contains(&(file + x)) {
                let (left, top) = (MARGIN + file * CELL + 5 * x, MARGIN + rank * CELL + 14 * y);
                let _ = write!(path, "M{left} {top}v{}h{}", -9 * y, 9 * x);
            }
        }
    }
    path
}

/// Returns 楚河 and 漢界, and waves for boards without Chinese characters.
fn river() -> String {
    let middle = MARGIN as f64 + 4.5 * f64::from(CELL);
    let names = [('楚', 1.25), ('河', 2.35), ('漢', 5.65), ('界', 6.75)].map(|(character, column)| {
        let x = f64::from(MARGIN) + column * f64::from(CELL);
        format!(
            "<path class=\"river\" transform=\"translate({x} {middle})scale({})\" d=\"{}\"/>\n",
            scale(RIVER_HEIGHT),
            outline(character)
        )
    });
    let waves = [(-9.6, 0.35), (0.0, 0.6), (9.6, 0.35)].map(|(below, column)| {
        let x = f64::from(MARGIN) + column * f64::from(CELL);
        format!("<path class=\"water\" d=\"M{x} {}q20 -11 40 0{}\"/>\n", middle + below, "t40 0".repeat(10))
    });
    names.concat() + &waves.concat()
}

/// The side of the board that is at the bottom.
#[derive(Clone, Copy)]
struct View {
    is_flipped: bool,
}

impl View {
    fn point(self, square: Square) -> (i32, i32) {
        let square = if self.is_flipped { square.rotated() } else { square };
        (MARGIN + square.file() as i32 * CELL, MARGIN + (RANKS - 1 - square.rank()) as i32 * CELL)
    }
}

fn pieces(position: &Position, style: PieceStyle, view: View) -> String {
    let piece = |square| {
        let (piece, (x, y)) = (position.piece_on(square)?, view.point(square));
        Some(format!(
            "<g class=\"piece {}\" transform=\"translate({x} {y})\"><title>{}</title><use href=\"#{}-{}\"/></g>\n",
            side_class(piece.side()),
            name(piece),
            style.name(),
            piece.letter()
        ))
    };
    Square::all().filter_map(piece).collect()
}

/// Returns the labels of files and ranks.
fn edges(coordinates: Coordinates, view: View) -> String {
    let (top, bottom) = (14, HEIGHT - 5);
    let text = |x, y, label: String| format!("<text class=\"edge\" x=\"{x}\" y=\"{y}\">{label}</text>\n");
    let numeral = |x, y, number| {
        format!("<g class=\"edge\" transform=\"translate({x} {})\"><use href=\"#numeral-{number}\"/></g>\n", y - 5)
    };
    let files = (0..FILES).map(|file| (file, view.point(Square::new(file, 0)).0));
    let (red_y, black_y) = if view.is_flipped { (top, bottom) } else { (bottom, top) };
    match coordinates {
        Coordinates::None => String::new(),
        Coordinates::Iccs => {
            let letters = files.map(|(file, x)| text(x, bottom, char::from(b'a' + file as u8).to_string()));
            let ranks = (0..RANKS).map(|rank| text(9, view.point(Square::new(0, rank)).1 + 5, rank.to_string()));
            letters.chain(ranks).collect()
        }
        Coordinates::Wxf => files
            .map(|(file, x)| text(x, red_y, (FILES - file).to_string()) + &text(x, black_y, (file + 1).to_string()))
            .collect(),
        Coordinates::Chinese => {
            files.map(|(file, x)| numeral(x, red_y, FILES - file) + &text(x, black_y, (file + 1).to_string())).collect()
        }
    }
}

/// Returns four corners around the squares of the last move.
fn marks(last_move: Option<Move>, view: View) -> String {
    let Some(mv) = last_move else { return String::new() };
    [(mv.from(), 14.0), (mv.to(), 29.0)]
        .map(|(square, size)| {
            let ((x, y), arm) = (view.point(square), size / 2.2);
            let (x, y) = (f64::from(x), f64::from(y));
            let corner = |right: f64, down: f64| {
                let (inner_y, inner_x) = (y + down * (size - arm), x + right * (size - arm));
                format!("M{} {inner_y:.1}V{}H{inner_x:.1}", x + right * size, y + down * size)
            };
            let path = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(right, down)| corner(right, down));
            format!("<path class=\"mark\" d=\"{}\"/>\n", path.concat())
        })
        .concat()
}

fn arrow(mv: Move, view: View) -> String {
    let [(x1, y1), (x2, y2)] =
        [mv.from(), mv.to()].map(|square| view.point(square)).map(|(x, y)| (f64::from(x), f64::from(y)));
    let length = (x2 - x1).hypot(y2 - y1);
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    let head = 12.0 + ARROW_WIDTH / 2.0;
    let (tip_x, tip_y) = (x2 - dx * ARROW_END, y2 - dy * ARROW_END);
    let (end_x, end_y) = (tip_x - dx * head, tip_y - dy * head);
    let (side_x, side_y) = (dy * head * 0.7, -dx * head * 0.7);
    format!(
        "<path class=\"arrow\" stroke-width=\"{ARROW_WIDTH}\" d=\"M{:.1} {:.1}L{end_x:.1} {end_y:.1}\"/>\n\
         <path class=\"tip\" d=\"M{tip_x:.1} {tip_y:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>\n",
        x1 + dx * ARROW_START,
        y1 + dy * ARROW_START,
        end_x + side_x,
        end_y + side_y,
        end_x - side_x,
        end_y - side_y,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDGAME: &str = "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w";

    fn drawn(options: &BoardOptions<'_>) -> String {
        board_svg(&Position::from_fen(MIDGAME).unwrap(), options)
    }

    #[test]
    fn every_piece_is_placed_and_only_what_occurs_is_drawn() {
        let svg = board_svg(&Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w").unwrap(), &BoardOptions::default());
        assert_eq!(svg.matches("class=\"piece ").count(), 3);
        assert_eq!(svg.matches("id=\"character-").count(), 3);
        assert!(svg.contains("translate(286 586)\"><title>red king</title><use href=\"#character-K\"/>"), "{svg}");
        assert_eq!(drawn(&BoardOptions::default()).matches("class=\"piece ").count(), 32);
    }

    #[test]
    fn a_flipped_board_has_red_at_the_top() {
        let svg = drawn(&BoardOptions { is_flipped: true, ..BoardOptions::default() });
        assert!(svg.contains("translate(286 46)\"><title>red king"), "{svg}");
        let mark = |is_flipped| marks(Some("a0a1".parse().unwrap()), View { is_flipped });
        assert_ne!(mark(true), mark(false));
    }

    #[test]
    fn labels_fit_the_notation() {
        let labels = |coordinates| edges(coordinates, View { is_flipped: false });
        assert_eq!(labels(Coordinates::None), "");
        let iccs = labels(Coordinates::Iccs);
        assert!(iccs.contains("x=\"46\" y=\"627\">a<") && iccs.contains("y=\"51\">9<"), "{iccs}");
        let wxf = labels(Coordinates::Wxf);
        assert!(wxf.contains("x=\"46\" y=\"627\">9<") && wxf.contains("x=\"46\" y=\"14\">1<"), "{wxf}");
        let chinese = labels(Coordinates::Chinese);
        assert!(chinese.contains("translate(46 622)\"><use href=\"#numeral-9\"/>"), "{chinese}");
        assert!(chinese.contains("x=\"526\" y=\"14\">9<"), "{chinese}");
    }

    #[test]
    fn a_file_needs_no_colour_names_and_no_chinese_font() {
        let moves = ["b2b9".parse().unwrap()];
        for pieces in [PieceStyle::Characters, PieceStyle::Letters] {
            for coordinates in [Coordinates::Iccs, Coordinates::Wxf, Coordinates::Chinese] {
                let last_move = Some("c3c4".parse().unwrap());
                let svg = drawn(&BoardOptions { pieces, coordinates, last_move, arrows: &moves, is_flipped: false });
                assert!(svg.chars().all(|c| c < '\u{2e80}') && !svg.contains("var("), "{svg}");
                assert!(svg.matches("class=\"mark\"").count() == 2 && svg.matches("class=\"arrow\"").count() == 1);
            }
        }
        let empty = empty_board();
        assert!(empty.contains("var(--wood)") && empty.matches("id=\"character-").count() == 14);
        assert!(COLOURS.iter().all(|(name, _)| colours().matches(&format!(" {name}: ")).count() == 2));
    }

    #[test]
    fn arrows_of_two_cannons_do_not_touch() {
        let tip = |mv: &str| arrow(mv.parse().unwrap(), View { is_flipped: false });
        assert!(tip("b2e2").contains("class=\"tip\" d=\"M278.0 466.0"), "{}", tip("b2e2"));
        assert!(tip("h2e2").contains("class=\"tip\" d=\"M294.0 466.0"), "{}", tip("h2e2"));
    }
}
