//! The help text: the available commands, a line each.

use super::help_zh;
use crate::engine::event::Pieces;
use crate::engine::options::Language;

const OF_PEOPLE: &str = "\
For people at a terminal:
help                   this list
play [red|black] [N]   play against the engine, which takes N seconds a move (1)
play off               leave that game
move MOVE...           play moves; MOVE alone does the same
undo [N]               take back your last move, or the last N moves
new                    begin another game
d [chinese|letters]    draw the board, with FEN, key and value
moves                  list the legal moves
eval                   show the parts of the static value
flip                   exchange the colours
perft [N]              count the lines of N plies below each move
bench [N]              search the fixed positions of the signature
";

const OF_PROTOCOLS: &str = "
Words of UCCI and UCI:
ucci                   speak UCCI, as at the start, and list the options
uci                    speak UCI and list the options
isready                wait until all is ready
setoption NAME VALUE   set an option; also setoption name NAME value VALUE
newgame                forget what the last game has taught; also ucinewgame,
                       uccinewgame, uxinewgame
position startpos moves MOVE...
                       set up a game; also position fen FEN moves MOVE...,
                       and the same without the word position: startpos, fen
banmoves MOVE...       forbid moves in this position
domove MOVE            play a move and say nothing
go LIMITS              search: go depth 12, go nodes 100000, go movetime 1000,
                       go mate 3, go infinite, go time 60000 increment 0
stop                   end what is under way
ponderhit              the move expected by go ponder was played
probe startpos moves MOVE...
                       show what the hash table knows
debug on               say what each command is taken for; debug off: do not
register               nothing, there is nothing to register
quit                   end the program
";

/// Returns examples of moves as a user may write them.
pub(super) fn examples(pieces: Pieces) -> &'static str {
    match pieces {
        Pieces::Chinese => "h2e2, C2=5 or 炮二平五",
        Pieces::Letters => "h2e2 or C2=5",
    }
}

/// Returns the list of the commands, in characters that the terminal shows.
pub(super) fn text(pieces: Pieces, language: Language) -> String {
    match (language, pieces) {
        (Language::Chinese, Pieces::Chinese) => [help_zh::OF_PEOPLE, help_zh::OF_PROTOCOLS, help_zh::NOTES].concat(),
        _ => in_english(pieces),
    }
}

fn in_english(pieces: Pieces) -> String {
    let notes = format!(
        "\nMOVE is {}; after banmoves, domove and go h2e2 alone.\n\
         All values are for the side to move. In UCCI a horse or cannon is worth 100,\n\
         in UCI 400 centipawns.\n\
         A weaker opponent: setoption limitstrength true, setoption elo 1200.\n\
         A hint in a game: go movetime 1000.\n",
        examples(pieces)
    );
    [OF_PEOPLE, OF_PROTOCOLS, &notes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::words_of_commands;
    use crate::score::Score;

    #[test]
    fn every_command_has_its_place_in_both_languages() {
        let width = |line: &str| line.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
        for language in [Language::English, Language::Chinese] {
            let help = text(Pieces::Chinese, language);
            for word in words_of_commands() {
                let is_it = |found: &str| found == word;
                let has_it = |line: &str| line.split([' ', ',', ';', '；', '、', '：']).any(is_it);
                assert!(help.lines().any(has_it), "{word}");
            }
            assert!(help.lines().all(|line| width(line) <= 80), "{help}");
        }
        assert!(text(Pieces::Letters, Language::English).is_ascii());
        assert!(text(Pieces::Letters, Language::Chinese).is_ascii());
    }

    #[test]
    fn both_languages_have_the_same_commands() {
        let commands = |text: [&'static str; 2]| {
            let is_command = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
            let lines = text.into_iter().flat_map(str::lines).filter(is_command);
            lines.filter_map(|line| line.split("  ").next()).collect::<Vec<_>>()
        };
        let [english, chinese] = [[OF_PEOPLE, OF_PROTOCOLS], [help_zh::OF_PEOPLE, help_zh::OF_PROTOCOLS]].map(commands);
        assert_eq!(english, chinese);
        assert!(english.len() > 20);
    }

    #[test]
    fn the_unit_is_that_of_the_protocols() {
        assert_eq!(Score::MINOR, 400);
    }
}
