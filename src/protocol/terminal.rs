//! Commands of users at a terminal, besides those of a protocol.

use std::time::Duration;

use crate::board::Side;
use crate::engine::event::{Command, Fault, Pieces, TerminalCommand, View, WrittenMove};
use crate::protocol::error::{no_plies, perft_depth, unknown_command};
use crate::protocol::token::Tokens;

/// The first words of these commands.
pub(crate) const TERMINAL_COMMANDS: &[&str] =
    &["help", "play", "move", "undo", "new", "d", "moves", "eval", "flip", "perft", "bench"];

/// Those that programs use as well: farms that compare engines read the node count, others the position.
pub(crate) const SHARED_COMMANDS: &[&str] = &["bench", "d"];

/// Examples of moves as a user may write them.
const EXAMPLES_OF_MOVES: &str = "h2e2, C2=5 or 炮二平五";

/// Maximum time of the engine for a move in a game against a user.
const LONGEST_THINK: Duration = Duration::from_secs(24 * 60 * 60);

/// Default depth of `perft`, in plies.
const PERFT_DEPTH: u32 = 3;

/// Parses a command that begins with one of [`TERMINAL_COMMANDS`].
pub(crate) fn read_terminal_command(word: &str, mut tokens: Tokens) -> Result<Command, Fault> {
    Ok(Command::Show(match word.to_ascii_lowercase().as_str() {
        "play" => return read_play(tokens).map(Command::Terminal),
        "move" => return read_moves(tokens),
        "undo" => {
            return Ok(Command::Terminal(TerminalCommand::Undo(
                read_plies(word, &mut tokens)?.map(|plies| plies as usize),
            )));
        }
        "new" => return Ok(Command::Terminal(TerminalCommand::Begin)),
        "help" => View::Help,
        "d" => View::Board(read_pieces(&tokens)),
        "eval" => View::Evaluation,
        "moves" => View::Moves,
        "perft" => View::Perft { depth: perft_depth(read_plies(word, &mut tokens)?.unwrap_or(PERFT_DEPTH))? },
        "bench" => View::Bench { depth: read_plies(word, &mut tokens)? },
        "flip" => return Ok(Command::Flip),
        _ => return Err(unknown_command(word, true)),
    }))
}

/// Whether a line begins with a move, which is a command of its own at a terminal.
pub(crate) fn begins_with_move(tokens: &Tokens) -> bool {
    tokens.peek().is_some_and(|word| word.parse::<WrittenMove>().is_ok())
}

/// Parses one or more moves to play.
pub(crate) fn read_moves(tokens: Tokens) -> Result<Command, Fault> {
    let not_a_move = |word: &str| Fault::BadArgument(format!("{word:?} is not a move like {EXAMPLES_OF_MOVES}"));
    let read = |word: &str| word.parse().map_err(|_| not_a_move(word));
    let moves: Vec<WrittenMove> = tokens.map(read).collect::<Result<_, _>>()?;
    if moves.is_empty() {
        return Err(Fault::BadArgument(format!("move takes moves like {EXAMPLES_OF_MOVES}")));
    }
    Ok(Command::Terminal(TerminalCommand::Move(moves)))
}

/// Parses the user's side and the engine's seconds per move, in any order, or `off`.
fn read_play(tokens: Tokens) -> Result<TerminalCommand, Fault> {
    let (mut side, mut time) = (None, None);
    for word in tokens {
        match word.to_ascii_lowercase().as_str() {
            "off" => return Ok(TerminalCommand::Leave),
            "red" => side = Some(Side::Red),
            "black" => side = Some(Side::Black),
            number => time = Some(read_seconds(number).ok_or_else(|| bad_argument_of_play(word))?),
        }
    }
    Ok(TerminalCommand::Play { side, time })
}

fn bad_argument_of_play(word: &str) -> Fault {
    let most = LONGEST_THINK.as_secs();
    Fault::BadArgument(format!("play takes red, black or off, and a number of seconds up to {most}, not {word:?}"))
}

/// Parses a time for thinking, from a millisecond to a day.
fn read_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (Duration::from_millis(1)..=LONGEST_THINK).contains(&time).then_some(time)
}

/// Returns the number of plies after `word`; none if no word follows.
fn read_plies(word: &str, tokens: &mut Tokens) -> Result<Option<u32>, Fault> {
    match (tokens.number(), tokens.peek()) {
        (Some(number), _) => Ok(Some(u32::try_from(number.max(0)).unwrap_or(u32::MAX))),
        (None, None) => Ok(None),
        (None, Some(found)) => Err(no_plies(word, found)),
    }
}

fn read_pieces(tokens: &Tokens) -> Option<Pieces> {
    if tokens.at_any(&["chinese"]) {
        Some(Pieces::Chinese)
    } else {
        tokens.at_any(&["letters"]).then_some(Pieces::Letters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<Command, Fault> {
        let mut tokens = Tokens::new(line);
        tokens.next().map(|word| read_terminal_command(word, tokens)).expect("a word")
    }

    fn message(line: &str) -> String {
        match command(line) {
            Err(Fault::BadArgument(text)) => text,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn every_word_is_read() {
        for word in TERMINAL_COMMANDS {
            let is_read = if *word == "move" { command("move h2e2") } else { command(word) };
            assert!(is_read.is_ok(), "{word}");
        }
        assert_eq!(command("D Chinese"), Ok(Command::Show(View::Board(Some(Pieces::Chinese)))));
        assert_eq!(command("d letters"), Ok(Command::Show(View::Board(Some(Pieces::Letters)))));
        assert_eq!(command("d"), Ok(Command::Show(View::Board(None))));
        assert_eq!(command("perft 5"), Ok(Command::Show(View::Perft { depth: 5 })));
        assert_eq!(command("perft"), Ok(Command::Show(View::Perft { depth: PERFT_DEPTH })));
        assert_eq!(command("perft -1"), Ok(Command::Show(View::Perft { depth: 0 })));
        assert_eq!(command("perft 64"), Ok(Command::Show(View::Perft { depth: 64 })));
        assert_eq!(message("perft 100000"), "perft counts no more than 64 plies");
        assert_eq!(command("bench"), Ok(Command::Show(View::Bench { depth: None })));
        assert_eq!(command("flip"), Ok(Command::Flip));
    }

    #[test]
    fn moves_are_read_in_every_notation() {
        let moves = ["h2e2", "H9-G7", "C2=5", "马8进7"].map(|text| text.parse().unwrap());
        assert_eq!(
            command("move h2e2 H9-G7 C2=5 马8进7"),
            Ok(Command::Terminal(TerminalCommand::Move(moves.to_vec())))
        );
        assert_eq!(message("move"), "move takes moves like h2e2, C2=5 or 炮二平五");
        let output = "\"h2\" is not a move like h2e2, C2=5 or 炮二平五";
        assert_eq!(message("move h2e2 h2"), output);
        for (line, is_move) in [("炮二平五", true), ("h2e2 h9g7", true), ("c2.5", true), ("hlep", false), ("d", false)]
        {
            assert_eq!(begins_with_move(&Tokens::new(line)), is_move, "{line}");
        }
    }

    #[test]
    fn a_game_has_sides_and_a_time() {
        let play = |side, seconds: Option<f64>| {
            Ok(Command::Terminal(TerminalCommand::Play { side, time: seconds.map(Duration::from_secs_f64) }))
        };
        assert_eq!(command("play"), play(None, None));
        assert_eq!(command("play BLACK 2.5"), play(Some(Side::Black), Some(2.5)));
        assert_eq!(command("play 3 red"), play(Some(Side::Red), Some(3.0)));
        assert_eq!(command("play off"), Ok(Command::Terminal(TerminalCommand::Leave)));
        assert_eq!(command("new"), Ok(Command::Terminal(TerminalCommand::Begin)));
        assert_eq!(command("undo"), Ok(Command::Terminal(TerminalCommand::Undo(None))));
        assert_eq!(command("undo 3"), Ok(Command::Terminal(TerminalCommand::Undo(Some(3)))));
        for word in ["white", "0", "-1", "1e9", "nan", "inf", "1s"] {
            let output = format!("play takes red, black or off, and a number of seconds up to 86400, not {word:?}");
            assert_eq!(message(&format!("play {word}")), output);
        }
    }

    #[test]
    fn what_is_no_number_of_plies_is_refused() {
        for (line, output) in [
            ("bench x", "bench takes a number of plies, not \"x\""),
            ("perft start", "perft takes a number of plies, not \"start\""),
            ("perft 5x", "perft takes a number of plies, not \"5x\""),
        ] {
            assert_eq!(message(line), output);
        }
        assert_eq!(command("bench 3 and more"), Ok(Command::Show(View::Bench { depth: Some(3) })));
    }
}
