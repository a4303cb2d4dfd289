//! Command lines, valid and faulty.

use std::time::Duration;

use super::builder::ROUNDS_OF_A_TEST;
use super::command::{heads, help_words};
use super::*;
use crate::game::Perpetual;
use crate::settings::Settings;
use crate::viewing::{Form, View};
use chuhe::engine::options::Language;
use chuhe_engines::player::{Protocol, ProtocolChoice};
use chuhe_games::encoding::Encoding;
use chuhe_games::openings::read::Format;

fn read(line: &str) -> Result<Command> {
    parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

fn settings(line: &str) -> Settings {
    match read(line) {
        Ok(Command::Play(settings)) => *settings,
        other => panic!("{line}: {other:?}"),
    }
}

fn error(line: &str) -> String {
    format!("{:#}", read(line).unwrap_err())
}

const LANGUAGES: [Language; 2] = [Language::English, Language::Chinese];

const TWO: &str = "-engine cmd=./a -engine cmd=b/b proto=uci dir=b -each tc=10+0.1";

#[test]
fn a_usual_command_is_understood() {
    let line = "-recover -variant standard -testEnv -concurrency 2 -rounds 50 -games 2 -repeat --srand 42 \
                -resign movecount=3 score=400 twosided=true -draw movenumber=40 movecount=8 score=10 -maxmoves 200 \
                -openings file=book.epd format=epd order=random start=5 -sprt elo0=-1.5 elo1=3 model=logistic \
                -engine dir=x cmd=./E proto=uci tc=40/1:00+0.5 timemargin=250 option.Threads=1 name=E-dev ponder \
                -engine cmd=/usr/games/fairy-stockfish args=uci\u{20} nodes=100 restart=on \
                -each option.Hash=16 -pgnout file=games.pgn nodes=true seldepth=true notation=wxf encoding=gbk -log file=log engine=true \
                -rules asian -perpetual ban -journal m.journal -report r.html -tournament gauntlet";
    let settings = settings(line);
    let [first, second] = settings.engines.as_slice() else { panic!("two engines") };
    assert_eq!((first.name.as_str(), second.name.as_str()), ("E-dev", "fairy-stockfish"));
    assert_eq!((first.protocol, second.protocol), (ProtocolChoice::Uci, ProtocolChoice::Auto));
    assert_eq!(first.time.to_string(), "40/60+0.5");
    assert_eq!(second.time.to_string(), "inf nodes=100");
    assert_eq!((first.time_margin, first.ponder, second.ponder), (Duration::from_millis(250), true, false));
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(first.options, [option("Hash", "16"), option("Threads", "1")]);
    assert_eq!((settings.rounds, settings.games, settings.repeat, settings.swap), (50, 2, 2, true));
    assert_eq!((settings.seed, settings.concurrency, settings.affinity), (Some(42), 2, false));
    assert_eq!((settings.perpetual, settings.max_moves), (Perpetual::Ban, Some(200)));
    let openings = settings.openings.unwrap();
    assert!(openings.random && openings.start == 5 && openings.format == Format::Epd);
    assert!(settings.resign.unwrap().two_sided && settings.sprt.is_some());
    assert!(settings.pgn.unwrap().encoding == Encoding::Gb18030 && settings.log.unwrap().engine);
}

#[test]
fn a_quick_match_takes_names_with_blanks() {
    let words = ["-quick", "cmd=/my engines/a", "cmd=b", "book=first moves.epd"].map(str::to_owned);
    let Ok(Command::Play(settings)) = parse(&words) else { panic!("it is a match") };
    assert_eq!(settings.engines[0].command.as_os_str(), "/my engines/a");
    assert_eq!(settings.openings.unwrap().path.as_os_str(), "first moves.epd");
}

#[test]
fn unknown_words_and_keys_name_the_nearest_known_ones() {
    assert_eq!(error("-zzz cmd=a"), "unknown option -zzz");
    assert_eq!(error("-tc 8+0.08"), "unknown option -tc; tc= goes after -engine or -each");
    assert_eq!(error("-enigne cmd=a"), "unknown option -enigne; did you mean -engine?");
    assert_eq!(error("--concurency 2"), "unknown option -concurency; did you mean -concurrency?");
    assert_eq!(error("-engine cmd=a tmiemargin=3"), "-engine has no key \"tmiemargin\"; did you mean timemargin?");
    assert!(error(&format!("{TWO} -rules fide")).contains("league"));
}

#[test]
fn faults_are_named() {
    for (line, expected) in [
        ("-engine cmd=a", "at least two"),
        ("-engine name=a -engine cmd=b -each st=1", "engine 1: cmd="),
        ("-engine cmd=a -engine cmd=b", "a has no time control"),
        ("-engine cmd=a score=pawns -engine cmd=b -each st=1", "score=pawns: neither cp nor minor"),
        ("-engine cmd=a args='x -engine cmd=b -each st=1", "args='x: a quote has no end"),
        ("-engine cmd=a -engine cmd=b -each depth=0", "at least 1"),
        ("-engine cmd=a tc=x -engine cmd=b", "is not a time control"),
        ("-engine cmd=a tc=0+0 -engine cmd=b", "tc=0+0: no time at all"),
        ("-engine cmd=a tc=40/0 -engine cmd=b", "tc=40/0: no time at all"),
        ("-engine cmd=a tc=1e19 -engine cmd=b", "\"1e19\" is not a time control"),
        ("-engine cmd=a st=1e19 -engine cmd=b", "1e19 s is more than a year"),
        (&format!("{TWO} -rounds 2147483648 -games 2147483648"), "too many games"),
        ("-engine cmd=a name=x -engine cmd=b name=x -each st=1", "two engines are called \"x\""),
        ("-engine cmd=a st=1 -engine cmd=b proto=xboard nodes=9", "b: nodes= cannot be said in its protocol"),
        ("-engine cmd=a proto=xboard ponder -engine cmd=b -each st=1", "a: ponder cannot be said in its protocol"),
        (&format!("{TWO} -rounds 0"), "at least 1"),
        (&format!("{TWO} -draw movecount=0 score=10"), "-draw movecount=: at least 1"),
        (&format!("{TWO} -resign movecount=0 score=400"), "-resign movecount=: at least 1"),
        (&format!("{TWO} -rounds 2 -rounds 3"), "given twice"),
        (&format!("{TWO} -openings order=random"), "needs file="),
        (&format!("{TWO} -openings file=a format=sgf"), "invalid value \"sgf\" (possible values: epd, fen, pgn, book)"),
        (&format!("{TWO} -openings file=a.epd plies=3"), "plies="),
        (&format!("{TWO} -sprt elo0=3 elo1=1"), "not below"),
        (&format!("{TWO} -variant shogi"), "only Xiangqi"),
        (&format!("{TWO} -spsa iterations=5 names=x"), "tunes one engine"),
        ("-engine cmd=a nodes=5 -spsa iterations=5", "file= or names="),
        ("-engine cmd=a nodes=5 -spsa iterations=0 names=x", "at least 1"),
        ("-engine cmd=a nodes=5 -spsa iterations=5 names=x -rounds 3", "has no effect with -spsa"),
        ("-engine cmd=a nodes=5 -spsa iterations=5 names=x -recover", "has no effect with -spsa"),
        (&format!("{TWO} -use-affinity -each option.Threads=2"), "given twice"),
        ("-engine cmd=a -engine cmd=b -each st=1 option.Threads=2 -use-affinity", "several threads"),
        ("-engine cmd=a -engine cmd=b proto=xboard option.cores=2 -each st=1 -use-affinity", "several threads"),
        ("-engine cmd=a -engine cmd=b ponder -each st=1 -use-affinity", "one core, but b ponders"),
        ("stray", "unexpected argument \"stray\": options begin with a dash"),
        ("--compliance", "needs an engine"),
        ("--compliance -proto ucci", "needs an engine"),
        ("--compliance -proto xboard engine", "-proto: invalid value \"xboard\" (possible values: ucci, uci, auto)"),
        ("--compliance -proto", "-proto needs a value"),
        ("--compliance -prot uci engine", "-compliance has no option -prot; did you mean -proto?"),
        (&format!("{TWO} -config file=x"), "comes first"),
    ] {
        assert!(error(line).contains(expected), "{line}: {}", error(line));
    }
}

#[test]
fn a_test_plays_pairs_until_it_is_decided() {
    for odd in ["-noswap", "-games 3", "-games 1", "-repeat 1"] {
        assert!(error(&format!("{TWO} -sprt elo0=0 elo1=5 {odd}")).contains("counts pairs"), "{odd}");
    }
    assert_eq!(settings(&format!("{TWO} -sprt elo0=0 elo1=5")).rounds, ROUNDS_OF_A_TEST);
    assert_eq!(settings(&format!("{TWO} -sprt elo0=0 elo1=5 -rounds 7 -games 4")).rounds, 7);
    assert_eq!(settings(TWO).rounds, 1);
}

#[test]
fn one_core_a_game_is_for_engines_that_think_by_turns() {
    let line = "-engine cmd=a -engine cmd=b option.Threads=1 -each st=1";
    assert!(settings(&format!("{line} -use-affinity")).affinity && !settings(line).affinity);
}

#[test]
fn what_fastchess_says_of_pairs_is_no_file() {
    let report = |words: &str| settings(&format!("{TWO} -report {words}")).report;
    assert_eq!(report("penta=true"), None);
    for words in ["r.html", "file=r.html", "r.html penta=true", "penta=true file=r.html"] {
        assert_eq!(report(words), Some("r.html".into()), "{words}");
    }
    let refused = |words: &str| error(&format!("{TWO} -report {words}"));
    assert!(refused("penta=false").contains("always counted"), "{}", refused("penta=false"));
    assert_eq!(refused("pentta=true"), "-report has no key \"pentta\"; did you mean penta?");
    assert_eq!(error("report j penta=true"), "-report has no key \"penta\"");
}

#[test]
fn no_moves_at_most_are_no_limit() {
    assert_eq!(settings(&format!("{TWO} -maxmoves 0")).max_moves, None);
}

#[test]
fn a_match_that_goes_on_may_be_longer_but_no_other_one() {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let changed = amended(&words("-engine cmd=a -rounds 2 -report r"), &words("-rounds 9 -pgnout file=g")).unwrap();
    let here = std::env::current_dir().unwrap();
    let pgn = format!("file={}", here.join("g").display());
    assert_eq!(changed, ["-engine", "cmd=a", "-report", "r", "-rounds", "9", "-pgnout", &pgn]);
    // `-report penta=true` does not cancel an earlier report.
    let kept = amended(&words("-engine cmd=a -report r"), &words("-report penta=true")).unwrap();
    assert_eq!(kept, ["-engine", "cmd=a", "-report", "r"]);
    let refused = amended(&words("-engine cmd=a"), &words("-openings file=x")).unwrap_err().to_string();
    assert!(refused.contains("-openings cannot be changed"), "{refused}");
}

#[test]
fn two_copies_of_an_engine_get_different_names() {
    let settings = settings("-engine cmd=./a -engine cmd=./a -each nodes=5");
    assert_eq!((settings.engines[0].name.as_str(), settings.engines[1].name.as_str()), ("a", "a 2"));
}

#[test]
fn other_commands_than_a_match() {
    for (line, form) in [("stats j", Form::Text), ("stats j --json", Form::Json), ("stats j --csv", Form::Csv)] {
        assert!(matches!(read(line), Ok(Command::Show(_, View::Stats(found))) if found == form), "{line}");
    }
    assert!(matches!(read("report j r.html"), Ok(Command::Show(_, View::Report(_)))));
    assert!(matches!(read("pgn j file=g.pgn notation=wxf"), Ok(Command::Show(_, View::Pgn(_)))));
    assert!(error("report j").contains("report JOURNAL FILE") && error("watch j x").contains("takes a journal"));
    for line in ["", "--help", "-h", "help", "help stats", "stats --help", "pgn a.journal -h", "speed --help"] {
        assert!(matches!(read(line), Ok(Command::Help)), "{line}");
    }
    assert!(matches!(read("--compliance ./engine --help"), Ok(Command::Compliance(_))), "an argument of the engine");
    assert!(matches!(read("-version"), Ok(Command::Version)));
    let line = "--generate-openings 500 --plies 8 --seed 1 --nodes 20000 --limit 60 -o file.epd";
    let Ok(Command::Generate(generate)) = read(line) else { panic!("generate") };
    assert_eq!((generate.count, generate.settings.limit), (500, 60));
    assert_eq!(
        error("--generate-openings 5 --pliess 3"),
        "-generate-openings has no option -pliess; did you mean -plies?"
    );
    let Ok(Command::Compliance(compliance)) = read("--compliance engine --flag x") else { panic!("compliance") };
    assert_eq!((compliance.program.as_str(), compliance.args.len()), ("engine", 2));
    assert_eq!(compliance.protocol, None);
    let Ok(Command::Compliance(of_uci)) = read("--compliance -proto uci engine -proto x") else { panic!("-proto") };
    assert_eq!((of_uci.protocol, of_uci.args.len()), (Some(Protocol::Uci), 2));
    assert!(matches!(read("watchdog"), Ok(Command::Watchdog(Watchdog::Detach))));
    assert!(matches!(read("watchdog watch"), Ok(Command::Watchdog(Watchdog::Watch))));
    let Ok(Command::Resume(resume)) = read("-config file=m.journal -rounds 9") else { panic!("resume") };
    assert_eq!((resume.journal.as_path(), resume.changes.len()), (std::path::Path::new("m.journal"), 2));
}

#[test]
fn the_help_names_the_rule_sets() {
    let names = chuhe::rules::RuleSet::ALL.map(|rules| rules.name()).join("|");
    for language in LANGUAGES {
        assert!(heads(&help(language)).any(|head| head == format!("-rules {names}")), "{names}");
    }
}

#[test]
fn both_languages_explain_the_same_options() {
    let [english, chinese] = LANGUAGES.map(help);
    assert_eq!(heads(&chinese).collect::<Vec<_>>(), heads(&english).collect::<Vec<_>>());
    assert!(heads(&english).count() > 50);
}

#[test]
fn the_examples_of_the_help_are_understood() {
    let examples = |text: &str| -> Vec<String> {
        let text = text.replace("\\\n", " ");
        text.lines().filter_map(|line| line.strip_prefix("    chuhe-arena ")).map(str::to_owned).collect()
    };
    let [english, chinese] = LANGUAGES.map(|language| examples(&help(language)));
    assert!(english == chinese && english.len() >= 10, "{english:?}");
    for example in english {
        assert!(read(&example).is_ok(), "{example}: {}", error(&example));
    }
}

#[test]
fn every_word_of_the_help_is_known() {
    for word in help_words() {
        let group = Group { word: word.to_owned(), values: Vec::new() };
        if let Err(error) = SettingsBuilder::new().take(&group) {
            assert!(!error.to_string().contains("no known word"), "{word}");
        }
    }
}
