//! Command line: the options of cutechess-cli and fastchess, and a few of its own.

mod engine;
mod groups;
mod help;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use chuhe::genfens;
use chuhe_console::words::Share;
use chuhe_engines::compliance::Suspect;
use groups::positive;
use words::{Group, suggestion};

use crate::game::{DrawAdjudication, Perpetual, ResignAdjudication};
use crate::schedule::Tournament;
use crate::settings::{LogFile, OpeningsFile, PgnFile, Settings, Spsa, Wording};
use crate::sprt::Sprt;
use crate::viewing::View;

pub use help::help;

/// A parsed command.
#[derive(Clone, Debug)]
pub enum Command {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Play a match or a tuning.
    Play(Box<Settings>),
    /// Resume the match of a journal.
    Resume(Resume),
    /// Show the contents of a journal.
    Show(PathBuf, View),
    /// Merge the journals of the parts of a match into one.
    Merge(PathBuf, Vec<PathBuf>),
    /// Generate openings.
    Generate(Generate),
    /// Run the dialogues of the conformance suite with an engine.
    Compliance(Suspect),
    /// Kill the engines of an arena that was killed.
    Watchdog(Watchdog),
}

/// The two stages of starting a watchdog; only the arena starts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watchdog {
    /// Start the second stage and exit, so that it is no child of the arena.
    Detach,
    /// Wait for the arena to end.
    Watch,
}

impl Watchdog {
    /// Returns the arguments that start this stage.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Detach => &["watchdog"],
            Self::Watch => &["watchdog", "watch"],
        }
    }
}

/// A match to resume, and changes to its command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resume {
    /// Journal of the match.
    pub journal: PathBuf,
    /// Options that replace those of the original command.
    pub changes: Vec<String>,
}

/// Number, kind and destination of openings to generate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generate {
    /// Number of openings.
    pub count: usize,
    /// Parameters of the generator.
    pub settings: genfens::Settings,
    /// Output file, or standard output if there is none.
    pub file: Option<PathBuf>,
}

/// Parses the arguments after the program name.
///
/// # Errors
/// Names the wrong option, and the most similar one that exists.
pub fn parse(arguments: &[String]) -> Result<Command> {
    if let [word, rest @ ..] = arguments
        && matches!(word.as_str(), "-compliance" | "--compliance")
    {
        return groups::suspect(rest).map(Command::Compliance);
    }
    if let Some(step) = [Watchdog::Detach, Watchdog::Watch].into_iter().find(|step| step.arguments() == arguments) {
        return Ok(Command::Watchdog(step));
    }
    if let [word, journal, rest @ ..] = arguments
        && let Some(view) = groups::view(word, rest)?
    {
        return Ok(Command::Show(journal.into(), view));
    }
    if let [word, out, parts @ ..] = arguments
        && word == "merge"
    {
        ensure!(!parts.is_empty(), "merge OUT JOURNAL...: a new journal and those of the parts of a match");
        return Ok(Command::Merge(out.into(), parts.iter().map(PathBuf::from).collect()));
    }
    let words = words::groups(arguments)?;
    let Some(first) = words.first() else { return Ok(Command::Help) };
    match first.word.as_str() {
        "help" | "h" => return Ok(Command::Help),
        "version" | "v" => return Ok(Command::Version),
        "config" => {
            let mut keys = first.keys()?;
            let journal = keys.required("file")?;
            keys.finish()?;
            let changes = words[1..].iter().flat_map(Group::words).collect();
            return Ok(Command::Resume(Resume { journal, changes }));
        }
        "generate-openings" => return Ok(Command::Generate(groups::generate(&words)?)),
        _ => {}
    }
    let mut draft = Draft::default();
    for group in &words {
        draft.take(group)?;
    }
    Ok(Command::Play(Box::new(draft.finish()?)))
}

/// Returns the command of a match with some options replaced; their paths become absolute.
///
/// # Errors
/// If an option must not change during a match, or is malformed.
pub fn amended(command: &[String], changes: &[String]) -> Result<Vec<String>> {
    let mut all = words::groups(command)?;
    for change in words::groups(changes)? {
        let word = change.word.as_str();
        ensure!(
            matches!(
                word,
                "rounds"
                    | "concurrency"
                    | "use-affinity"
                    | "force"
                    | "recover"
                    | "ratinginterval"
                    | "scoreinterval"
                    | "output"
                    | "event"
                    | "site"
                    | "pgnout"
                    | "epdout"
                    | "log"
                    | "report"
            ),
            "-{word} cannot be changed: the journal knows it"
        );
        if word == "report" && groups::report(&change)?.is_none() {
            continue;
        }
        all.retain(|group| group.word != word);
        all.push(change.with_absolute_paths()?);
    }
    Ok(all.iter().flat_map(Group::words).collect())
}

/// Returns the command of a whole match, given that of a part: without the options for the part and its files.
///
/// # Errors
/// If the command is malformed.
pub fn whole(command: &[String]) -> Result<Vec<String>> {
    let of_a_part = ["shard", "journal", "pgnout", "epdout", "log", "report"];
    let groups = words::groups(command)?.into_iter().filter(|group| !of_a_part.contains(&group.word.as_str()));
    Ok(groups.flat_map(|group| group.words().collect::<Vec<_>>()).collect())
}

/// Default number of rounds with an SPRT: more than any test takes.
const ROUNDS_OF_A_TEST: u32 = 1_000_000;

/// Time limits for engines where no clock runs, if given.
#[derive(Clone, Copy, Default)]
struct Patience {
    /// Time from the start of the process to the end of the handshake.
    startup: Option<Duration>,
    /// For the answer to `isready`.
    ping: Option<Duration>,
}

/// Settings under construction.
#[derive(Default)]
struct Draft {
    engines: Vec<engine::Words>,
    each: engine::Words,
    openings: Option<OpeningsFile>,
    tournament: Tournament,
    rounds: Option<u32>,
    games: Option<u32>,
    repeat: Option<u32>,
    no_swap: bool,
    shard: Option<Share>,
    concurrency: Option<usize>,
    affinity: bool,
    force: bool,
    recover: bool,
    sprt: Option<Sprt>,
    spsa: Option<Spsa>,
    draw: Option<DrawAdjudication>,
    resign: Option<ResignAdjudication>,
    max_moves: Option<u32>,
    rules: Option<chuhe::rules::RuleSet>,
    perpetual: Perpetual,
    seed: Option<u64>,
    wording: Wording,
    rating_interval: Option<u32>,
    score_interval: Option<u32>,
    event: Option<String>,
    site: Option<String>,
    patience: Patience,
    ignored: Vec<String>,
    epd: Option<PathBuf>,
    pgn: Option<PgnFile>,
    log: Option<LogFile>,
    report: Option<PathBuf>,
    journal: Option<PathBuf>,
    seen: Vec<String>,
}

impl Draft {
    fn take(&mut self, group: &Group) -> Result<()> {
        let word = group.word.as_str();
        if word != "engine" {
            ensure!(!self.seen.iter().any(|seen| seen == word), "-{word} is given twice");
            self.seen.push(word.to_owned());
        }
        match word {
            "engine" => self.engines.push(engine::Words::read(group)?),
            "each" => self.each = engine::Words::read(group)?,
            "openings" => self.openings = Some(groups::openings(group)?),
            "tournament" => self.tournament = groups::tournament(&group.single::<String>()?)?,
            "rounds" => self.rounds = Some(positive(group)?),
            "games" => self.games = Some(positive(group)?),
            "repeat" => self.repeat = Some(if group.values.is_empty() { 2 } else { positive(group)? }),
            "noswap" => self.no_swap = group.alone().map(|()| true)?,
            "concurrency" => self.concurrency = Some(group.single()?),
            "use-affinity" => self.affinity = group.alone().map(|()| true)?,
            "shard" => self.shard = Some(groups::shard(group)?),
            "sprt" => self.sprt = Some(groups::sprt(group)?),
            "spsa" => self.spsa = Some(groups::spsa(group)?),
            "draw" => self.draw = Some(groups::draw(group)?),
            "resign" => self.resign = Some(groups::resign(group)?),
            // As in cutechess-cli, 0 means no limit.
            "maxmoves" => self.max_moves = Some(group.single()?).filter(|moves| *moves > 0),
            "rules" => self.rules = Some(group.single()?),
            "perpetual" => self.perpetual = groups::perpetual(&group.single::<String>()?)?,
            "seed" | "srand" => self.seed = Some(group.single()?),
            "ratinginterval" => self.rating_interval = Some(group.single()?),
            "scoreinterval" => self.score_interval = Some(group.single()?),
            "output" => self.wording = groups::wording(group)?,
            "event" => self.event = Some(group.single()?),
            "site" => self.site = Some(group.single()?),
            "startup-ms" => self.patience.startup = Some(groups::milliseconds(group)?),
            "ping-ms" => self.patience.ping = Some(groups::milliseconds(group)?),
            "epdout" => self.epd = Some(group.file()?),
            ignored if groups::means_nothing_here(ignored) => self.ignored.push(ignored.to_owned()),
            "pgnout" => self.pgn = Some(groups::pgn(group)?),
            "log" => self.log = Some(groups::log(group)?),
            "report" => self.report = groups::report(group)?,
            "journal" => self.journal = Some(group.file()?),
            "force" => self.force = group.alone().map(|()| true)?,
            "recover" => self.recover = group.alone().map(|()| true)?,
            "testEnv" => group.alone()?,
            "variant" => {
                let variant: String = group.single()?;
                ensure!(
                    matches!(variant.as_str(), "standard" | "xiangqi"),
                    "-variant {variant}: only Xiangqi is played here, which is also what `standard` means"
                );
            }
            "config" => bail!("-config stands at the beginning: the journal knows the rest of the command"),
            "help" | "version" | "compliance" | "generate-openings" => bail!("-{word} stands alone"),
            unknown => bail!("-{unknown} is no known word{}", suggestion(unknown, help::words(), "-")),
        }
        Ok(())
    }

    /// Checks that no option was given that has no meaning for tuning.
    fn check_tuning(&self) -> Result<()> {
        const OF_MATCHES: [&str; 16] = [
            "tournament",
            "rounds",
            "games",
            "repeat",
            "noswap",
            "sprt",
            "shard",
            "pgnout",
            "epdout",
            "report",
            "output",
            "scoreinterval",
            "event",
            "site",
            "use-affinity",
            "recover",
        ];
        ensure!(self.engines.len() == 1, "-spsa tunes one engine, not {}", self.engines.len());
        if let Some(word) = self.seen.iter().find(|word| OF_MATCHES.contains(&word.as_str())) {
            bail!("-{word} means nothing to -spsa");
        }
        Ok(())
    }

    fn finish(self) -> Result<Settings> {
        if self.spsa.is_some() {
            self.check_tuning()?;
        }
        let enough = self.engines.len() >= 2 || self.spsa.is_some();
        ensure!(enough, "a match takes at least two engines: -engine cmd=A -engine cmd=B");
        let mut engines = engine::specs(self.engines, &self.each)?;
        for engine in &mut engines {
            let Patience { startup, ping } = self.patience;
            engine.timeouts.handshake = startup.unwrap_or(engine.timeouts.handshake);
            engine.timeouts.ready = ping.unwrap_or(engine.timeouts.ready);
        }
        ensure!(self.sprt.is_none() || engines.len() == 2, "-sprt compares two engines, not {}", engines.len());
        ensure!(self.concurrency != Some(0), "-concurrency is at least 1");
        if self.sprt.is_some() {
            // An SPRT counts pairs: each opening with both colours.
            let pairs = !self.no_swap
                && self.games.unwrap_or(2).is_multiple_of(2)
                && self.repeat.unwrap_or(2).is_multiple_of(2);
            ensure!(pairs, "-sprt counts pairs of games with colours exchanged: no -noswap, even -games and -repeat");
        }
        if self.affinity {
            let several = engines.iter().find(|engine| groups::wants_several_threads(&engine.options));
            if let Some(engine) = several {
                bail!("-use-affinity gives each game one core, but {} is set to several threads", engine.name);
            }
            if let Some(engine) = engines.iter().find(|engine| engine.ponder) {
                bail!("-use-affinity gives each game one core, but {} ponders while its opponent thinks", engine.name);
            }
        }
        let games = self.games.unwrap_or(2);
        // An SPRT ends the match by itself.
        let rounds = self.rounds.unwrap_or(if self.sprt.is_some() { ROUNDS_OF_A_TEST } else { 1 });
        ensure!(
            engines.len() * (engines.len() - 1) / 2 < 1_000_000
                && u64::from(rounds) * u64::from(games) * (engines.len() as u64).pow(2) < 100_000_000,
            "too many games"
        );
        Ok(Settings {
            engines,
            openings: self.openings,
            tournament: self.tournament,
            rounds,
            games,
            repeat: self.repeat.unwrap_or(2),
            swap: !self.no_swap,
            shard: self.shard,
            concurrency: self.concurrency.unwrap_or(1),
            affinity: self.affinity,
            force: self.force,
            recover: self.recover,
            sprt: self.sprt,
            spsa: self.spsa,
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves,
            rules: self.rules,
            perpetual: self.perpetual,
            seed: self.seed,
            wording: self.wording,
            rating_interval: self.rating_interval.unwrap_or(10),
            score_interval: self.score_interval.unwrap_or(1),
            pgn: self.pgn.map(|pgn| pgn.of(self.event.as_deref(), self.site.as_deref())),
            event: self.event,
            site: self.site,
            ignored: self.ignored,
            epd: self.epd,
            log: self.log,
            report: self.report,
            journal: self.journal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engines::compliance;
    use chuhe_engines::player::ProtocolChoice;
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
    fn unknown_words_and_keys_name_the_nearest_known_ones() {
        assert_eq!(error("-enigne cmd=a"), "-enigne is no known word; did you mean -engine?");
        assert_eq!(error("--concurency 2"), "-concurency is no known word; did you mean -concurrency?");
        assert_eq!(error("-engine cmd=a tmiemargin=3"), "-engine knows no \"tmiemargin\"; did you mean timemargin?");
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
            ("-engine cmd=a tc=x -engine cmd=b", "is no time control"),
            ("-engine cmd=a tc=0+0 -engine cmd=b", "tc=0+0: no time at all"),
            ("-engine cmd=a tc=40/0 -engine cmd=b", "tc=40/0: no time at all"),
            ("-engine cmd=a name=x -engine cmd=b name=x -each st=1", "two engines are called \"x\""),
            ("-engine cmd=a st=1 -engine cmd=b proto=xboard nodes=9", "b: nodes= cannot be said in its protocol"),
            ("-engine cmd=a proto=xboard ponder -engine cmd=b -each st=1", "a: ponder cannot be said in its protocol"),
            (&format!("{TWO} -rounds 0"), "at least 1"),
            (&format!("{TWO} -draw movecount=0 score=10"), "-draw movecount=: at least 1"),
            (&format!("{TWO} -resign movecount=0 score=400"), "-resign movecount=: at least 1"),
            (&format!("{TWO} -rounds 2 -rounds 3"), "given twice"),
            (&format!("{TWO} -openings order=random"), "wants file="),
            (&format!("{TWO} -openings file=a format=sgf"), "none of epd, fen, pgn, book"),
            (&format!("{TWO} -openings file=a.epd plies=3"), "plies="),
            (&format!("{TWO} -sprt elo0=3 elo1=1"), "not below"),
            (&format!("{TWO} -variant shogi"), "only Xiangqi"),
            (&format!("{TWO} -spsa iterations=5 names=x"), "tunes one engine"),
            ("-engine cmd=a nodes=5 -spsa iterations=5", "file= or names="),
            ("-engine cmd=a nodes=5 -spsa iterations=0 names=x", "at least 1"),
            ("-engine cmd=a nodes=5 -spsa iterations=5 names=x -rounds 3", "means nothing to -spsa"),
            ("-engine cmd=a nodes=5 -spsa iterations=5 names=x -recover", "means nothing to -spsa"),
            (&format!("{TWO} -use-affinity -each option.Threads=2"), "given twice"),
            ("-engine cmd=a -engine cmd=b -each st=1 option.Threads=2 -use-affinity", "several threads"),
            ("-engine cmd=a -engine cmd=b proto=xboard option.cores=2 -each st=1 -use-affinity", "several threads"),
            ("-engine cmd=a -engine cmd=b ponder -each st=1 -use-affinity", "one core, but b ponders"),
            ("stray", "stands behind no word"),
            ("--compliance", "wants an engine"),
            ("--compliance -proto ucci", "wants an engine"),
            ("--compliance -proto xboard engine", "-proto: \"xboard\" is none of ucci, uci, auto"),
            ("--compliance -proto", "-proto wants a value"),
            ("--compliance -prot uci engine", "-compliance knows no -prot; did you mean -proto?"),
            (&format!("{TWO} -config file=x"), "stands at the beginning"),
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
        assert_eq!(refused("tetra=true"), "-report knows no \"tetra\"; did you mean penta?");
        assert_eq!(error("report j penta=true"), "-report knows no \"penta\"");
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
        assert!(matches!(read("stats j"), Ok(Command::Show(_, View::Stats))));
        assert!(matches!(read("report j r.html"), Ok(Command::Show(_, View::Report(_)))));
        assert!(matches!(read("pgn j file=g.pgn notation=wxf"), Ok(Command::Show(_, View::Pgn(_)))));
        assert!(error("report j").contains("report JOURNAL FILE") && error("watch j x").contains("takes a journal"));
        assert!(matches!(read(""), Ok(Command::Help)) && matches!(read("--help"), Ok(Command::Help)));
        assert!(matches!(read("-version"), Ok(Command::Version)));
        let line = "--generate-openings 500 --plies 8 --seed 1 --nodes 20000 --limit 60 -o file.epd";
        let Ok(Command::Generate(generate)) = read(line) else { panic!("generate") };
        assert_eq!((generate.count, generate.settings.limit), (500, 60));
        assert_eq!(error("--generate-openings 5 --plys 3"), "-generate-openings knows no -plys; did you mean -plies?");
        let Ok(Command::Compliance(compliance)) = read("--compliance engine --flag x") else { panic!("compliance") };
        assert_eq!((compliance.program.as_str(), compliance.args.len()), ("engine", 2));
        assert_eq!(compliance.protocol, None);
        let Ok(Command::Compliance(of_uci)) = read("--compliance -proto uci engine -proto x") else { panic!("-proto") };
        assert_eq!((of_uci.protocol, of_uci.args.len()), (Some(compliance::Protocol::Uci), 2));
        assert!(matches!(read("watchdog"), Ok(Command::Watchdog(Watchdog::Detach))));
        assert!(matches!(read("watchdog watch"), Ok(Command::Watchdog(Watchdog::Watch))));
        let Ok(Command::Resume(resume)) = read("-config file=m.journal -rounds 9") else { panic!("resume") };
        assert_eq!((resume.journal.as_path(), resume.changes.len()), (std::path::Path::new("m.journal"), 2));
    }

    #[test]
    fn the_help_names_the_rule_sets() {
        let names = chuhe::rules::RuleSet::ALL.map(|rules| rules.name()).join("|");
        assert!(help().contains(&format!("-rules {names} ")), "{names}");
    }

    #[test]
    fn every_word_of_the_help_is_known() {
        for word in help::words() {
            let group = Group { word: word.to_owned(), values: Vec::new() };
            if let Err(error) = Draft::default().take(&group) {
                assert!(!error.to_string().contains("no known word"), "{word}");
            }
        }
    }
}
