//! Views for users at a terminal: text on request, besides a protocol. Programs see the bench alone.

mod board;
mod game;
mod help;
mod help_zh;
mod style;
mod words;

use std::io::{self, Write};

use crate::board::{Position, Spelled};
use crate::engine::ViewContext;
use crate::engine::event::{OutputFormat, Pieces, Reply, View};
use crate::engine::options::Language;
use crate::eval::{Explained, Parts, PieceValue, Term, explain};
use crate::score::Score;
use crate::{bench, commands, protocol};
use board::{drawn, name_of_move};
use style::{Style, pieces_of_locale};

/// Returns the first line that a user at a terminal sees.
pub(crate) fn greeting() -> &'static str {
    words::greeting(Style::of_locale().language)
}

/// Formats `reply` for a user at a terminal: as in the protocol, but with every character that the terminal shows, in the
/// user's language where the text has a translation, and a book move with its weight, which is not a score.
pub(crate) fn lines(reply: &Reply, format: &OutputFormat) -> String {
    // A console of Windows shows the characters of its font, whatever its locale.
    lines_in(reply, format, Style::new(if cfg!(windows) { Pieces::Chinese } else { pieces_of_locale() }))
}

fn lines_in(reply: &Reply, format: &OutputFormat, style: Style) -> String {
    match (reply, style.pieces) {
        (Reply::BookMove { mv, weight }, _) => {
            let text = format!("book {} weight {weight}", Spelled(*mv, format.base));
            protocol::message_to_terminal(&text, format.dialect)
        }
        (Reply::Message(text), Pieces::Chinese) => {
            protocol::message_to_terminal(&words::message(text, style.language), format.dialect)
        }
        _ => protocol::lines(reply, format),
    }
}

/// Writes a view, as long as `is_wanted` returns true.
///
/// # Errors
/// If `out` cannot be written to, or there is no memory for a bench.
pub(crate) fn show(
    view: View,
    context: &ViewContext,
    is_wanted: &dyn Fn() -> bool,
    out: &mut impl Write,
) -> io::Result<()> {
    show_in(Style::of_locale(), view, context, is_wanted, out)
}

fn show_in(
    style: Style,
    view: View,
    context: &ViewContext,
    is_wanted: &dyn Fn() -> bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let position = match (view, context.history.last()) {
        (View::Help, _) => return out.write_all(help::text(style.pieces, style.language).as_bytes()),
        (View::Bench { depth }, _) => {
            return bench::run(depth.unwrap_or(bench::DEPTH), &bench::RULES.rules(), context.network, out).map(drop);
        }
        (_, None) => {
            let text = "there is no position, the last one given was wrong";
            return writeln!(out, "{}", words::message(text, style.language));
        }
        (_, Some(position)) => position,
    };
    match view {
        View::Board(pieces) => {
            let style = Style { pieces: pieces.unwrap_or(style.pieces), ..style };
            show_board(style, position, context, out)
        }
        View::Game(news) => game::tell(news, position, context, style, out),
        View::Evaluation => show_evaluation(position, context, style.language, out),
        View::Moves => show_moves(position, context, style, out),
        View::Perft { depth } => commands::perft(position, depth, is_wanted, out),
        View::Help | View::Bench { .. } => Ok(()),
    }
}

fn show_board(style: Style, position: &Position, context: &ViewContext, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}", drawn(style.pieces, position, context))?;
    writeln!(out, "{}", words::to_move(position.side(), false, style.language))?;
    writeln!(out, "FEN    {}", position.to_fen())?;
    writeln!(out, "{}", words::key(position.key().0, style.language))?;
    let value = protocol::number_of(value_of(position, context), context.dialect);
    writeln!(out, "{}", words::value(value, context.dialect, style.language))
}

/// Returns the static evaluation for the side to move.
fn value_of(position: &Position, context: &ViewContext) -> Score {
    explain(position, context.network.map(|network| &**network)).value
}

fn show_evaluation(
    position: &Position,
    context: &ViewContext,
    language: Language,
    out: &mut impl Write,
) -> io::Result<()> {
    let Explained { parts, value } = explain(position, context.network.map(|network| &**network));
    let number = |centipawns| protocol::number_of(Score::from_eval(centipawns), context.dialect);
    match parts {
        // For developers, in English alone.
        Parts::Hce { by_side, rest } => {
            let unit = words::unit(context.dialect, Language::English);
            writeln!(out, "{unit:<28}{:>7}{:>7}{:>9}", "red", "black", "balance")?;
            for Term { name, red, black } in by_side {
                writeln!(out, "{name:<28}{:>7}{:>7}{:>9}", number(red), number(black), number(red - black))?;
            }
            writeln!(out, "{:<42}{:>9}", "mobility, attack, right to move", number(rest))?;
        }
        Parts::Nnue(values) => {
            writeln!(out, "{}", words::piece_values(context.dialect, language))?;
            let values: Vec<_> = values.iter().map(|one| PieceValue { value: number(one.value), ..*one }).collect();
            write!(out, "{}", board::draw_piece_values(&values))?;
        }
    }
    writeln!(out, "{}{:>9}", words::total(language), protocol::number_of(value, context.dialect))
}

fn show_moves(position: &Position, context: &ViewContext, style: Style, out: &mut impl Write) -> io::Result<()> {
    let moves = position.legal_moves();
    for &mv in &moves {
        // Promotions have no name in the notations of the game.
        let name = if mv.is_promotion() { String::new() } else { name_of_move(position, mv, style.pieces) };
        writeln!(out, "{:<7}{name}", Spelled(mv, context.base).to_string())?;
    }
    writeln!(out, "{}", words::count_of_moves(moves.len(), style.language))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::RankBase;
    use crate::engine::event::Dialect;
    use crate::eval::nnue::{Network, random_network};
    use crate::rules::Rules;

    fn shown(view: View, history: &[Position]) -> String {
        shown_by(view, history, None)
    }

    fn shown_by(view: View, history: &[Position], network: Option<&Arc<Network>>) -> String {
        shown_in(Language::English, view, history, network)
    }

    fn shown_in(language: Language, view: View, history: &[Position], network: Option<&Arc<Network>>) -> String {
        let mut out = Vec::new();
        let (rules, dialect) = (&Rules::default(), Dialect::Uci);
        let context = ViewContext { history, opponent: None, dialect, base: RankBase::Zero, rules, network };
        let style = Style { pieces: Pieces::Chinese, language };
        show_in(style, view, &context, &|| true, &mut out).unwrap();
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
    fn views_are_in_the_language_of_the_user() {
        let network = Arc::new(random_network(3));
        let start = Position::start();
        let value = network.value(&start);
        let text = |view| shown_in(Language::Chinese, view, &[start], Some(&network));
        let board = text(View::Board(None));
        assert!(board.contains("轮到红方走棋\n") && board.contains("\n键值   "), "{board}");
        assert!(board.ends_with(&format!("\n分值   {value} 厘兵（走棋方）\n")), "{board}");
        let evaluation = text(View::Evaluation);
        assert!(evaluation.starts_with("每个棋子的价值"), "{evaluation}");
        assert!(
            evaluation.ends_with(&format!("{value:>9}\n")) && evaluation.contains("\n走棋方的分值"),
            "{evaluation}"
        );
        assert!(text(View::Moves).ends_with("共 44 种着法\n"));
    }

    #[test]
    fn the_evaluation_is_the_sum_of_its_terms() {
        let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
        let Explained { parts, value } = explain(&Position::from_fen(fen).unwrap(), None);
        let Parts::Hce { by_side, rest } = parts else { panic!("there is no network") };
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
    fn people_hear_text_as_it_is_and_weights_of_book_moves() {
        let said = |reply: &Reply, dialect, pieces| {
            let style = Style { pieces, language: Language::English };
            lines_in(reply, &OutputFormat { dialect, ..OutputFormat::default() }, style)
        };
        let book = Reply::BookMove { mv: "h2e2".parse().unwrap(), weight: 12 };
        let message = Reply::Message("象棋.draw: cannot be read".into());
        for (dialect, prefix) in [(Dialect::Ucci, "info message "), (Dialect::Uci, "info string ")] {
            assert_eq!(said(&book, dialect, Pieces::Letters), format!("{prefix}book h2e2 weight 12\n"));
            let expected = format!("{prefix}象棋.draw: cannot be read\n");
            assert_eq!(said(&message, dialect, Pieces::Chinese), expected);
            assert_eq!(said(&message, dialect, Pieces::Letters), format!("{prefix}??.d-raw: cannot be read\n"));
            assert_eq!(said(&Reply::Ready, dialect, Pieces::Chinese), "readyok\n");
        }
    }
}
