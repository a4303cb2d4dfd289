//! For people at a terminal: what they may ask for besides a protocol, as text. Programs never see it.

mod board;

use std::env;
use std::io::{self, Write};

use crate::board::{Move, Position, Spelled};
use crate::engine::Scene;
use crate::engine::event::{Pieces, View};
use crate::eval::nnue::Network;
use crate::eval::{Explained, Parts, Term, explain};
use crate::notation::{self, Notation};
use crate::score::Score;
use crate::{bench, commands};

/// The first line a person sees.
pub(crate) const GREETING: &str =
    concat!("Chuhe ", env!("CARGO_PKG_VERSION"), ". It speaks UCCI and UCI; `help` lists what else there is.");

const HELP: &str = "\
d [chinese|letters]  draw the board
eval                 the parts of the static value
moves                the legal moves in coordinates and in Chinese
perft [N]            count the lines of N plies below each move, until told to stop
bench [N]            search the fixed positions of the signature
flip                 exchange the colours
help                 this list
Everything else is UCCI or UCI:
position startpos moves h2e2 h9g7
go depth 12, go infinite, go time 60000 increment 0, go movetime 1000
stop, setoption NAME [VALUE], ucci or uci for the options, quit
";

/// Writes what a person wants to see, as long as he does; `is_wanted` knows.
///
/// # Errors
/// If `out` cannot be written to, or there is no memory for a bench.
pub(crate) fn show(view: View, scene: &Scene, is_wanted: &dyn Fn() -> bool, out: &mut impl Write) -> io::Result<()> {
    let position = match (view, scene.history.last()) {
        (View::Help, _) => return out.write_all(HELP.as_bytes()),
        (View::Bench { depth }, _) => {
            return bench::run(depth.unwrap_or(bench::DEPTH), &bench::RULES.rules(), scene.network, out);
        }
        (_, None) => return writeln!(out, "there is no position, the last one given was wrong"),
        (_, Some(position)) => position,
    };
    match view {
        View::Board(pieces) => show_board(pieces.unwrap_or_else(pieces_of_locale), position, scene, out),
        View::Evaluation => show_evaluation(position, scene.network.map(|network| &**network), out),
        View::Moves => show_moves(position, scene, out),
        View::Perft { depth } => commands::perft(position, depth, is_wanted, out),
        View::Help | View::Bench { .. } => Ok(()),
    }
}

fn show_board(pieces: Pieces, position: &Position, scene: &Scene, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}", board::draw(position, last_move(scene.history), pieces, scene.base))?;
    writeln!(out, "FEN    {}", position.to_fen())?;
    writeln!(out, "key    {:016x}", position.key().0)?;
    writeln!(out, "value  {} centipawns for the side to move", value_of(position, scene).raw())
}

/// For the side to move.
fn value_of(position: &Position, scene: &Scene) -> Score {
    explain(position, scene.network.map(|network| &**network)).value
}

/// The move between the last two positions.
fn last_move(history: &[Position]) -> Option<Move> {
    let [.., before, last] = history else { return None };
    before.legal_moves().into_iter().find(|&mv| before.play(mv) == *last)
}

fn show_evaluation(position: &Position, network: Option<&Network>, out: &mut impl Write) -> io::Result<()> {
    let Explained { parts, value } = explain(position, network);
    match parts {
        Parts::Written { by_side, rest } => {
            writeln!(out, "{:<28}{:>7}{:>7}{:>9}", "centipawns", "red", "black", "balance")?;
            for Term { name, red, black } in by_side {
                writeln!(out, "{name:<28}{red:>7}{black:>7}{:>9}", red - black)?;
            }
            writeln!(out, "{:<42}{:>9}", "mobility, attack, right to move", rest)?;
        }
        Parts::Learnt(worths) => {
            writeln!(out, "centipawns by which a side is better with a piece than without it")?;
            write!(out, "{}", board::draw_worths(&worths))?;
        }
    }
    writeln!(out, "{:<42}{:>9}", "value for the side to move", value.raw())
}

fn show_moves(position: &Position, scene: &Scene, out: &mut impl Write) -> io::Result<()> {
    let moves = position.legal_moves();
    for &mv in &moves {
        // Promotions have no name in the notations of the game.
        let name = if mv.is_promotion() { String::new() } else { notation::write(position, mv, Notation::Chinese) };
        writeln!(out, "{:<7}{name}", Spelled(mv, scene.base).to_string())?;
    }
    writeln!(out, "{} moves", moves.len())
}

/// Chinese pieces where the locale can show them.
fn pieces_of_locale() -> Pieces {
    let of = |name| env::var(name).ok().filter(|value| !value.is_empty());
    pieces_in(&["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(of).unwrap_or_default())
}

fn pieces_in(locale: &str) -> Pieces {
    let locale = locale.to_ascii_lowercase();
    if locale.contains("utf-8") || locale.contains("utf8") { Pieces::Chinese } else { Pieces::Letters }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::RankBase;
    use crate::eval::nnue::random_network;
    use crate::rules::Rules;

    fn shown(view: View, history: &[Position]) -> String {
        shown_by(view, history, None)
    }

    fn shown_by(view: View, history: &[Position], network: Option<&Arc<Network>>) -> String {
        let mut out = Vec::new();
        let scene = Scene { history, base: RankBase::Zero, rules: &Rules::default(), network };
        show(view, &scene, &|| true, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_network_says_what_each_piece_is_worth_to_it() {
        let network = Arc::new(random_network(3));
        let start = Position::start();
        let text = shown_by(View::Evaluation, &[start], Some(&network));
        let value = network.value(&start);
        assert_eq!(text.lines().count(), 1 + 10 + 1);
        assert!(text.ends_with(&format!("{value:>9}\n")), "{text}");
        let rook = "i0".parse().unwrap();
        let worth = value - network.value(&start.without(rook));
        assert!(text.lines().nth(10).unwrap().ends_with(&format!(" R {worth}")), "{text}");
        let text = shown_by(View::Board(Some(Pieces::Letters)), &[start], Some(&network));
        assert!(text.contains(&format!("value  {value} centipawns")), "{text}");
    }

    #[test]
    fn the_board_comes_with_fen_key_and_value() {
        let start = Position::start();
        let after = start.play("h2e2".parse().unwrap());
        let text = shown(View::Board(Some(Pieces::Letters)), &[start, after]);
        assert!(text.contains(&format!("FEN    {}\n", after.to_fen())) && text.contains("[C]"), "{text}");
        assert!(text.contains("key    ") && text.contains("value  "), "{text}");
        assert!(!shown(View::Board(Some(Pieces::Letters)), &[start]).contains('['));
    }

    #[test]
    fn the_evaluation_is_the_sum_of_its_terms() {
        let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
        let Explained { parts, value } = explain(&Position::from_fen(fen).unwrap(), None);
        let Parts::Written { by_side, rest } = parts else { panic!("nobody has learnt it") };
        let red: i32 = by_side.iter().map(|term| term.red - term.black).sum::<i32>() + rest;
        assert_eq!(-red, value.raw());
        assert!(shown(View::Evaluation, &[Position::from_fen(fen).unwrap()]).contains("material"));
    }

    #[test]
    fn moves_have_their_chinese_names() {
        let text = shown(View::Moves, &[Position::start()]);
        assert!(text.contains("h2e2   炮二平五\n") && text.ends_with("44 moves\n"), "{text}");
        assert!(shown(View::Perft { depth: 1 }, &[Position::start()]).contains("44 nodes"));
    }

    #[test]
    fn without_a_position_there_is_a_word_about_it_and_help_all_the_same() {
        assert!(shown(View::Board(None), &[]).starts_with("there is no position"));
        let help = shown(View::Help, &[]);
        for word in ["d ", "eval", "moves", "perft", "bench", "flip", "help"] {
            assert!(help.lines().any(|line| line.starts_with(word)), "{word}");
        }
    }

    #[test]
    fn the_locale_decides_between_characters_and_letters() {
        assert_eq!((pieces_in("zh_CN.UTF-8"), pieces_in("C.utf8")), (Pieces::Chinese, Pieces::Chinese));
        assert_eq!((pieces_in("C"), pieces_in("zh_CN.GB18030")), (Pieces::Letters, Pieces::Letters));
    }
}
