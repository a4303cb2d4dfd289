//! Parsing of input lines.

use crate::board::MoveError;
use crate::engine::event::{Command, Dialect, Fault};
use crate::protocol::error::unknown_command;
use crate::protocol::game::{read_position, read_probe};
use crate::protocol::go::read_go;
use crate::protocol::terminal::{
    SHARED_COMMANDS, TERMINAL_COMMANDS, begins_with_move, read_moves, read_terminal_command,
};
use crate::protocol::token::{Tokens, bytes_of, file_name, text_of};

/// Interpreter of input lines, in either protocol at any time.
#[derive(Clone, Default, Debug)]
pub struct Interpreter {
    /// Protocol of the last handshake.
    dialect: Dialect,
    at_terminal: bool,
}

/// The first words of commands.
pub(super) const COMMANDS: &[&str] = &[
    "ucci",
    "uci",
    "isready",
    "setoption",
    "debug",
    "register",
    "newgame",
    "ucinewgame",
    "uccinewgame",
    "uxinewgame",
    "position",
    "fen",
    "startpos",
    "banmoves",
    "go",
    "ponderhit",
    "stop",
    "probe",
    "domove",
    "quit",
];

/// The first words of positions: old clients leave out `position`.
const POSITION_COMMANDS: &[&str] = &["position", "fen", "startpos"];

/// Commands whose meaning does not depend on the far end of the line, or that must be answered in any case.
const UNAFFECTED: &[&str] = &["ucci", "uci", "isready", "go", "ponderhit", "stop", "quit"];

impl Interpreter {
    /// Creates the interpreter for a user at a terminal, who has more commands than programs.
    pub fn at_terminal() -> Self {
        Self { at_terminal: true, ..Self::default() }
    }

    /// Parses a line, with or without its end: nothing if it is empty, usually one command, several where clients put several
    /// on a line. A command that is understood in part comes with its fault.
    pub fn parse(&mut self, line: &[u8]) -> Vec<Result<Command, Fault>> {
        let commands = self.read_line(line, &text_of(line));
        if let Some(Ok(Command::Handshake(dialect))) = commands.first() {
            self.dialect = *dialect;
        }
        commands
    }

    /// Parses a line to commands and faults, in their order.
    fn read_line(&self, line: &[u8], text: &str) -> Vec<Result<Command, Fault>> {
        let mut tokens = Tokens::new(text);
        if tokens.at_any(if self.at_terminal { TERMINAL_COMMANDS } else { SHARED_COMMANDS }) {
            return tokens.next().map(|word| read_terminal_command(word, tokens)).into_iter().collect();
        }
        if self.at_terminal && begins_with_move(&tokens) {
            return vec![read_moves(tokens)];
        }
        // Users of UCI may put unknown words in front; in UCCI a line with such a beginning is not a command.
        if self.dialect == Dialect::Uci {
            tokens.skip_to_any(COMMANDS);
        }
        if tokens.at_any(POSITION_COMMANDS) {
            return read_position(tokens);
        }
        if tokens.accept("go") {
            return read_go(tokens);
        }
        tokens.next().map(|word| self.read_command(word, tokens, line)).into_iter().collect()
    }

    /// Parses the beginning of a line that has more than `longest` bytes. The line is refused if the lost part could change its
    /// meaning, but commands that need an answer get one.
    pub fn parse_beginning(&mut self, beginning: &[u8], longest: usize) -> Vec<Result<Command, Fault>> {
        // Half a word is another word.
        let end = beginning.iter().rposition(u8::is_ascii_whitespace).unwrap_or(0);
        let beginning = &beginning[..end];
        let text = text_of(beginning);
        let mut tokens = Tokens::new(&text);
        if self.dialect == Dialect::Uci {
            tokens.skip_to_any(COMMANDS);
        }
        let line = format!("a line of more than {longest} bytes is not");
        vec![Err(if tokens.at_any(POSITION_COMMANDS) {
            Fault::BadPosition(format!("bad position: {line} read"))
        } else if tokens.at_any(&["probe"]) {
            Fault::BadProbe(format!("{line} read"))
        } else if tokens.at_any(UNAFFECTED) {
            return self.parse(beginning);
        } else {
            Fault::BadArgument(format!("{line} obeyed"))
        })]
    }

    /// Parses the command that begins with `word`; `line` is the whole line as it came.
    fn read_command(&self, word: &str, tokens: Tokens, line: &[u8]) -> Result<Command, Fault> {
        Ok(match word.to_ascii_lowercase().as_str() {
            "ucci" => Command::Handshake(Dialect::Ucci),
            "uci" => Command::Handshake(Dialect::Uci),
            "isready" => Command::IsReady,
            "setoption" => return read_option(tokens, line),
            "debug" => return read_debug(tokens),
            "register" => return Err(Fault::NotUnderstood("there is nothing to register".to_owned())),
            // Commands of other protocols at the start of a game.
            "newgame" | "ucinewgame" | "uccinewgame" | "uxinewgame" => {
                Command::SetOption { name: "newgame".into(), value: "".into() }
            }
            "banmoves" => Command::BanMoves(tokens.filter_map(|text| text.parse().ok()).collect()),
            "ponderhit" => Command::PonderHit { draw: tokens.at_any(&["draw"]) },
            "stop" => Command::Stop,
            "probe" => return read_probe(tokens),
            "domove" => return read_single_move(tokens),
            "quit" => Command::Quit,
            _ => return Err(unknown_command(word, self.at_terminal)),
        })
    }
}

/// Parses `setoption word value`, where the value is all that follows, or UCI's `setoption name words value words`.
fn read_option(mut tokens: Tokens, line: &[u8]) -> Result<Command, Fault> {
    let name = if tokens.accept("name") {
        let words = tokens.until(&["value"]);
        tokens.accept("value");
        // The form in which users of UCI write an empty value.
        tokens.accept("<empty>");
        words.join(" ")
    } else {
        tokens.next().unwrap_or_default().to_owned()
    };
    if name.is_empty() {
        return Err(Fault::NotUnderstood("setoption without the name of an option".to_owned()));
    }
    // The value may be a path in any encoding.
    Ok(Command::SetOption { name, value: file_name(bytes_of(line, tokens.rest())) })
}

/// Parses `debug on` and `debug off`: unlike the option of that name, a command that counts at any time.
fn read_debug(mut tokens: Tokens) -> Result<Command, Fault> {
    let word = tokens.next().unwrap_or("on");
    match word.to_ascii_lowercase().as_str() {
        "on" | "true" => Ok(Command::Debug(true)),
        "off" | "false" => Ok(Command::Debug(false)),
        _ => Err(Fault::BadArgument(format!("debug is on or off, not {word:?}"))),
    }
}

fn read_single_move(mut tokens: Tokens) -> Result<Command, Fault> {
    let nothing = |error: MoveError| Fault::BadArgument(format!("nothing to play: {error}"));
    tokens.next().unwrap_or_default().parse().map(Command::DoMove).map_err(nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::board::{MoveText, Position, RankBase, START_FEN, Variant};
    use crate::engine::event::{GameText, Go, Limits, View};
    use proptest::prelude::*;

    fn parse(line: &str) -> Vec<Result<Command, Fault>> {
        Interpreter::default().parse(line.as_bytes())
    }

    fn command(line: &str) -> Command {
        match parse(line).as_slice() {
            [Ok(command)] => command.clone(),
            other => panic!("{line} is {other:?}"),
        }
    }

    fn option(name: &str, value: &str) -> Command {
        Command::SetOption { name: name.into(), value: value.into() }
    }

    fn mv(text: &str) -> MoveText {
        text.parse().unwrap()
    }

    fn start_and(moves: &[&str]) -> GameText {
        let start = Position::start().in_variant(Variant::Promotion).unwrap();
        GameText { start, moves: moves.iter().map(|text| text.parse().unwrap()).collect(), rank_hint: None }
    }

    #[test]
    fn every_command_is_understood() {
        assert_eq!(command("ucci"), Command::Handshake(Dialect::Ucci));
        assert_eq!(command("uci"), Command::Handshake(Dialect::Uci));
        assert_eq!(command("isready"), Command::IsReady);
        assert_eq!(command("position startpos moves h2e2 h9g7"), Command::Position(start_and(&["h2e2", "h9g7"])));
        let bare = GameText { rank_hint: Some(RankBase::Zero), ..start_and(&[]) };
        assert_eq!(command("startpos"), Command::Position(bare.clone()));
        assert_eq!(command(&format!("fen {START_FEN} moves")), Command::Position(bare));
        assert_eq!(command("banmoves h2e2 zzzz a0a9"), Command::BanMoves(vec![mv("h2e2"), mv("a0a9")]));
        assert_eq!(command("banmoves"), Command::BanMoves(vec![]));
        let limits = Limits { depth: Some(6), ..Limits::default() };
        assert_eq!(command("go draw depth 6"), Command::Go(Go { draw: true, limits, ..Go::default() }));
        assert_eq!(command("go"), Command::Go(Go::default()));
        assert_eq!(command("go perft 3"), Command::Perft { depth: 3 });
        assert_eq!(command("stop"), Command::Stop);
        assert_eq!(command("ponderhit"), Command::PonderHit { draw: false });
        assert_eq!(command("ponderhit draw"), Command::PonderHit { draw: true });
        assert_eq!(command("probe startpos moves h2e2"), Command::Probe(start_and(&["h2e2"])));
        assert_eq!(command("domove h2-e2"), Command::DoMove(mv("h2e2")));
        assert_eq!(command("debug"), Command::Debug(true));
        assert_eq!(command("debug OFF"), Command::Debug(false));
        assert_eq!(command("quit"), Command::Quit);
        assert_eq!(parse("\r\n"), []);
    }

    #[test]
    fn options_are_understood_in_both_forms() {
        assert_eq!(command("setoption usemillisec true"), option("usemillisec", "true"));
        assert_eq!(command("setoption bookfiles C:\\my books;b.dat"), option("bookfiles", "C:\\my books;b.dat"));
        assert_eq!(command("setoption newgame"), option("newgame", ""));
        assert_eq!(command("uxinewgame"), option("newgame", ""));
        assert_eq!(command("setoption name Move Overhead value 100"), option("Move Overhead", "100"));
        assert_eq!(command("setoption NAME Clear Hash"), option("Clear Hash", ""));
        assert_eq!(command("setoption name Debug Log File value <empty>"), option("Debug Log File", ""));
        assert_eq!(command("setoption debug off"), option("debug", "off"));
        let register = Fault::NotUnderstood("there is nothing to register".into());
        assert_eq!(parse("register later"), [Err(register)]);
        for line in ["setoption", "setoption name value 3"] {
            let unnamed = Fault::NotUnderstood("setoption without the name of an option".into());
            assert_eq!(parse(line), [Err(unnamed)]);
        }
    }

    #[test]
    fn every_word_of_a_command_begins_one() {
        for word in COMMANDS {
            assert!(!parse(word).contains(&Err(unknown_command(word, false))), "{word}");
        }
    }

    #[test]
    fn words_that_mean_nothing_are_skipped_in_uci_alone() {
        let mut interpreter = Interpreter::default();
        assert!(interpreter.parse(b"joho isready")[0].is_err());
        assert_eq!(interpreter.parse(b"uci"), [Ok(Command::Handshake(Dialect::Uci))]);
        assert_eq!(interpreter.parse(b"joho debug on"), [Ok(Command::Debug(true))]);
        assert_eq!(interpreter.parse(b"and now startpos moves h2e2").len(), 1);
        assert_eq!(interpreter.parse(b"foo bar"), [Err(unknown_command("foo", false))]);
        assert_eq!(interpreter.parse(b"setoption name go value stop"), [Ok(option("go", "stop"))]);
        interpreter.parse(b"ucci");
        assert!(interpreter.parse(b"joho isready")[0].is_err());
    }

    #[test]
    fn people_may_ask_for_more_than_programs() {
        for line in ["help", "eval", "moves", "perft 3", "flip", "play", "undo", "new", "h2e2", "C2=5"] {
            assert!(matches!(parse(line)[..], [Err(Fault::NotUnderstood(_))]), "{line}");
            assert!(Interpreter::at_terminal().parse(line.as_bytes())[0].is_ok(), "{line}");
        }
        for user in [Interpreter::default(), Interpreter::at_terminal()] {
            let bench = Ok(Command::Show(View::Bench { depth: Some(3) }));
            assert_eq!(user.clone().parse(b"bench 3"), [bench], "farms that compare engines ask for it");
            let board = Ok(Command::Show(View::Board(None)));
            assert_eq!(user.clone().parse(b"d"), [board], "programs read the position back");
        }
        assert_eq!(Interpreter::at_terminal().parse(b"isready"), [Ok(Command::IsReady)]);
        let helped = Fault::NotUnderstood("unknown command \"hlep\"; \"help\" lists them".into());
        assert_eq!(Interpreter::at_terminal().parse(b"hlep"), [Err(helped)]);
    }

    #[test]
    #[cfg(unix)]
    fn values_keep_their_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let said = Interpreter::default().parse(b"setoption logfile /tmp/\xcf\xf3 \xc6\xe5.log\r\n");
        let [Ok(Command::SetOption { value, .. })] = &said[..] else { panic!("an option") };
        assert_eq!(value.as_bytes(), b"/tmp/\xcf\xf3 \xc6\xe5.log");
    }

    #[test]
    fn faults_say_what_is_wrong() {
        let fault = |line: &str| parse(line).pop().unwrap().unwrap_err();
        assert_eq!(fault("xyzzy 3"), Fault::NotUnderstood("unknown command \"xyzzy\"".into()));
        assert_eq!(fault("readyokisready"), Fault::NotUnderstood("unknown command \"readyokisready\"".into()));
        let ranks = "bad position: the number of ranks in the FEN is 1 instead of ten";
        assert_eq!(fault("position fen xyz"), Fault::BadPosition(ranks.into()));
        let missing = "bad position: neither fen nor startpos is given";
        assert_eq!(fault("position"), Fault::BadPosition(missing.into()));
        let probe = "neither fen nor startpos is given";
        assert_eq!(fault("probe"), Fault::BadProbe(probe.into()));
        assert_eq!(fault("domove"), Fault::BadArgument("nothing to play: \"\" is not a move like h2e2".into()));
        assert_eq!(fault("debug maybe"), Fault::BadArgument("debug is on or off, not \"maybe\"".into()));
        assert!(matches!(fault("probe startpos moves h2"), Fault::BadProbe(_)));
    }

    #[test]
    fn moves_before_an_unreadable_one_count() {
        let said = parse("position startpos moves h2e2 oops h9g7");
        let fault = "the list of moves ends before \"oops\", which is not a move like h2e2";
        let position = Command::Position(start_and(&["h2e2"]));
        assert_eq!(said, [Ok(position), Err(Fault::InPart(fault.into()))]);
    }

    #[test]
    fn moves_for_which_the_word_is_missing_are_named() {
        let fault = "the word moves is missing before \"h2e2\", which is not played";
        let said = parse("position startpos h2e2 h9g7");
        assert_eq!(said, [Ok(Command::Position(start_and(&[]))), Err(Fault::InPart(fault.into()))]);
        assert!(matches!(&parse("startpos h2e2 go depth 1")[..], [Ok(_), Err(_), Ok(Command::Go(_))]));
        assert!(matches!(&parse("probe startpos h2e2")[..], [Err(Fault::BadProbe(_))]));
    }

    #[test]
    fn position_and_go_may_share_a_line() {
        let [Ok(position), Ok(Command::Go(go))] = &parse("position startpos moves h2e2 go movetime 3000")[..] else {
            panic!("two commands");
        };
        assert_eq!(position, &Command::Position(start_and(&["h2e2"])));
        assert_eq!(go.clock.unwrap().time, 3000);
        assert!(matches!(&parse("position fen 9/9 w go depth 1")[..], [Err(_), Ok(Command::Go(_))]));
    }

    #[test]
    fn a_limit_without_its_number_is_named_before_the_search_begins() {
        let [Err(Fault::InPart(fault)), Ok(Command::Go(go))] = &parse("go time abc")[..] else {
            panic!("a fault and a search");
        };
        assert_eq!(fault, "missing number after \"time\", so the search ends after a second");
        assert!(go.is_bounded());
        assert!(matches!(&parse("position startpos go depth x")[..], [Ok(_), Err(_), Ok(Command::Go(_))]));
    }

    #[test]
    fn the_beginning_of_a_line_is_obeyed_where_its_end_makes_no_difference() {
        let mut interpreter = Interpreter::default();
        let mut parse = |line: &str| interpreter.parse_beginning(line.as_bytes(), 7);
        let fault = "bad position: a line of more than 7 bytes is not read";
        for line in ["position startpos moves h2e2 h9g7 h", "fen 9/9", " startpos moves h2e2"] {
            assert_eq!(parse(line), [Err(Fault::BadPosition(fault.into()))]);
        }
        assert!(matches!(&parse("probe startpos moves h2")[..], [Err(Fault::BadProbe(_))]));
        for line in ["setoption bookfiles a;b", "banmoves h2e2 b2", "xyzzy xyzzy", "    ", "domove h2e2     "] {
            assert_eq!(parse(line), [Err(Fault::BadArgument("a line of more than 7 bytes is not obeyed".into()))]);
        }
        assert_eq!(parse("isready        "), [Ok(Command::IsReady)]);
        assert_eq!(parse("go depth 3 searchmoves h2e2 h2"), super::tests::parse("go depth 3 searchmoves h2e2"));
        assert_eq!(parse("quit   now"), [Ok(Command::Quit)]);
        assert!(matches!(&parse("isreadyisreadyisready")[..], [Err(Fault::BadArgument(_))]));
        assert_eq!(parse("go depth 1234567 nodes 12"), super::tests::parse("go depth 1234567 nodes"));
        interpreter.parse(b"uci");
        let refused = interpreter.parse_beginning(b"joho position startpos moves", 7);
        assert!(matches!(&refused[..], [Err(Fault::BadPosition(_))]));
    }

    const VALID: &[&str] = &[
        "ucci",
        "uci",
        "debug on",
        "isready",
        "setoption hashsize 16",
        "setoption name Move Overhead value 5",
        "position startpos moves h2e2 h9g7",
        "position fen 4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1 moves i0i9",
        "banmoves h2e2 b2e2",
        "go ponder time 300000 increment 0",
        "go depth 3 searchmoves a3a4",
        "go wtime 1 btime 2 winc 3 binc 4",
        "ponderhit draw",
        "probe startpos",
        "domove h2e2",
        "stop",
        "quit",
    ];

    /// Generates lines of protocol words in random order, some glued together.
    fn jumble() -> impl Strategy<Value = String> {
        let words: Vec<&str> =
            VALID.iter().flat_map(|line| line.split(' ')).chain(["-", "99999999999999999999", "炮"]).collect();
        let word = prop::sample::select(words);
        let glue = prop::sample::select(vec![" ", " ", "\t", "", "\u{0}", "  "]);
        prop::collection::vec((word, glue), 0..30)
            .prop_map(|words| words.into_iter().map(|(word, glue)| format!("{word}{glue}")).collect())
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_parser_panic(line in prop::collection::vec(any::<u8>(), 0..300)) {
            Interpreter::default().parse(&line);
        }

        #[test]
        fn no_order_of_words_makes_the_parser_panic(line in jumble()) {
            Interpreter::default().parse(line.as_bytes());
        }

        #[test]
        fn every_command_survives_its_surroundings(
            line in prop::sample::select(VALID),
            blank in "[ \t]{1,3}",
            end in "[ \t]{0,2}\r?\n?",
            bom in any::<bool>(),
        ) {
            let dressed = format!("{}{blank}{}{end}", if bom { "\u{feff}" } else { "" }, line.replace(' ', &blank));
            prop_assert_eq!(parse(&dressed), parse(line));
            prop_assert!(parse(line).iter().all(Result::is_ok));
        }

        #[test]
        fn the_case_of_a_command_does_not_count(line in prop::sample::select(VALID)) {
            // A FEN alone is spelled with both cases.
            prop_assume!(!line.contains("fen") && !line.contains("setoption"));
            prop_assert_eq!(parse(&line.to_ascii_uppercase()), parse(line));
        }
    }
}
