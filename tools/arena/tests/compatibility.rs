//! Options that users of fastchess and cutechess-cli know, each tested by its effect, and the table of them in the manual.

#[path = "support/arena.rs"]
mod arena;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::time::{Duration, Instant};

use arena::{Arena, refusal, text};
use chuhe::board::Side;
use chuhe::endgame::{Index, Outcome, write_results};
use chuhe_arena::cli::{self, Command};
use chuhe_arena::viewing;
use chuhe_games::record::{EndingClass, GameRecord};

/// Two engines that play the first legal move, in games of at most four full moves.
const PAIR: &str = "-engine cmd={zoo} name=A args=ucci_score=30 -engine cmd={zoo} name=B args=uci_comments proto=uci -each nodes=100 \
                    -maxmoves 4";

fn games(arena: &Arena) -> Vec<GameRecord> {
    viewing::games(&arena.path("j")).unwrap()
}

#[test]
fn games_are_written_as_cutechess_users_write_it() {
    let arena = Arena::new();
    arena.play(&format!("{PAIR} -pgnout {{}}/g.pgn min fi"));
    assert!(!arena.read("g.pgn").contains('{') && arena.read("g.pgn").matches("[Result ").count() == 2);
    arena.play(&format!("{PAIR} -pgnout {{}}/all.pgn"));
    assert!(arena.read("all.pgn").contains("[GameStartTime \"20"), "{}", arena.read("all.pgn"));
}

#[test]
fn comments_have_what_is_wanted() {
    let arena = Arena::new();
    let all = "nodes=false seldepth=false nps=true hashfull=true tbhits=true timeleft=true latency=true pv=true";
    arena.play(&format!("{PAIR} -pgnout {{}}/g.pgn notation=uci {all}").replace("nodes=100", "tc=60"));
    let pgn = arena.read("g.pgn");
    for part in ["nps=4242", "hashfull=12", "tbhits=3", "tl=", "pv=\"A0-A1\"", "latency="] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    assert!(!pgn.contains(" n=") && !pgn.contains("sd="), "{pgn}");
    arena.play(&format!("{PAIR} -pgnout {{}}/s.pgn notation=san"));
    assert!(arena.read("s.pgn").contains("[Format \"WXF\"]"), "{}", arena.read("s.pgn"));
    assert!(refusal(&arena, &format!("{PAIR} -pgnout {{}}/x.pgn min pv=true")).contains("no comments then, as pv="));
}

#[test]
fn tags_are_those_of_the_standard() {
    let arena = Arena::new();
    fs::write(arena.path("o.epd"), "4k4/9/9/9/9/9/9/8R/9/3K5 w\n").unwrap();
    let line = PAIR.replace("args=uci_comments", "args=uci_comments nodes=50");
    arena.play(&format!("{line} -openings file={{}}/o.epd -pgnout {{}}/g.pgn"));
    let pgn = arena.read("g.pgn");
    let tags =
        ["[SetUp \"1\"]\n[FEN \"4k4/", "[GameEndTime \"20", "[TimeControl \"-\"]", "[RedSearchLimits \"nodes=100\"]"];
    assert!(tags.iter().all(|tag| pgn.contains(tag)), "{pgn}");
    // A journal of an earlier version of the file, without the tag, is recognised.
    arena.play(&format!("{line} -openings file={{}}/o.epd -pgnout {{}}/h.pgn -journal {{}}/j"));
    fs::write(arena.path("h.pgn"), arena.read("h.pgn").replace("[SetUp \"1\"]\n", "")).unwrap();
    arena.play(&format!("{line} -openings file={{}}/o.epd -pgnout {{}}/h.pgn -journal {{}}/j"));
    assert_eq!(arena.read("h.pgn").matches("[SetUp \"1\"]").count(), 2);
}

#[test]
fn engines_are_started_and_limited_as_is_said() {
    let arena = Arena::new();
    let engines = "-engine cmd={zoo} name=A arg=ucci arg=score=30 plies=3 initstr=hello\\nthere -engine cmd={zoo} name=B \
                   args=ucci_dies_wails_from=2 depth=3 stderr={}/errors";
    arena.play(&format!("{engines} -maxmoves 4 -recover -log file={{}}/log engine=true -each proto=ucci"));
    let log = arena.read("log");
    let first = log.find("A < hello").expect("the first line is sent");
    assert!(log.contains("A < there") && first < log.find("A < ucci").unwrap(), "{log}");
    assert!(log.contains("A < go depth 3") && log.contains("B < go depth 3"), "{log}");
    assert!(arena.read("errors").contains("line 2 of 3"), "{}", arena.read("errors"));
    for (key, instead) in [("book=x", "-openings file=BOOK"), ("bookdepth=3", "plies="), ("conf=x", "cmd=")] {
        let errors = refusal(&arena, &format!("{PAIR} -engine cmd={{zoo}} {key}"));
        assert!(errors.contains("is not taken") && errors.contains(instead), "{errors}");
    }
}

#[test]
fn scores_of_an_engine_may_be_those_of_red() {
    let arena = Arena::new();
    let line = PAIR.replace("score=30", "score=30 whitepov score=100");
    arena.play(&format!("{line} -journal {{}}/j"));
    let evals = |game: usize, from: usize| {
        let game = &games(&arena)[game];
        game.moves[from..].iter().step_by(2).map(|record| format!("{:?}", record.eval.unwrap())).collect::<Vec<_>>()
    };
    assert!(evals(0, 0).iter().all(|eval| eval == "Centipawns(30)"), "{:?}", evals(0, 0));
    assert!(evals(1, 1).iter().all(|eval| eval == "Centipawns(-30)"), "{:?}", evals(1, 1));
}

#[test]
fn a_swiss_tournament_pairs_by_results_and_resumes() {
    let arena = Arena::new();
    let engine = |name: &str, resigns: u32| format!("-engine cmd={{zoo}} name={name} args=ucci_resign_from={resigns} ");
    let engines: String =
        ["A", "B", "C", "D", "E"].iter().zip([9, 8, 7, 6, 5]).map(|(name, at)| engine(name, at)).collect();
    let line = format!("{engines} -each nodes=1 -tournament swiss -rounds 4 -concurrency 2 -force -journal {{}}/j");
    let output = arena.play(&line);
    assert_eq!(output.matches("Finished game ").count(), 16, "{output}");
    let pairs = |games: &[GameRecord]| {
        let mut rounds: BTreeMap<u32, Vec<[String; 2]>> = BTreeMap::new();
        for game in games.iter().filter(|game| game.number % 2 == 1) {
            let mut pair = [game.red.clone(), game.black.clone()];
            pair.sort();
            rounds.entry(game.round).or_default().push(pair);
        }
        rounds
    };
    let played = pairs(&games(&arena));
    let mut all: Vec<_> = played.values().flatten().cloned().collect();
    assert!(played.len() == 4 && played.values().all(|pairs| pairs.len() == 2), "{played:?}");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 8, "no two engines meet twice: {played:?}");
    // The stronger engine of each pair wins, and E is free in the first round, which counts as a win.
    assert!(played[&1].contains(&["A".into(), "C".into()]) && played[&1].contains(&["B".into(), "D".into()]));
    assert!(played[&2].contains(&["A".into(), "E".into()]), "{played:?}");
    assert!(played[&3].contains(&["A".into(), "B".into()]), "{played:?}");
    let journal = arena.read("j");
    let kept: Vec<&str> = journal.split_inclusive('\n').take(8).collect();
    fs::write(arena.path("j"), kept.concat()).unwrap();
    assert!(arena.play(&line).contains("Resumed after 7 of 16 games"));
    assert_eq!(pairs(&games(&arena)), played);
    assert!(refusal(&arena, &format!("{line} -shard 1/2")).contains("played as a whole"));
}

#[test]
fn seeds_and_reversed_colours_are_obeyed() {
    let arena = Arena::new();
    let engines: String =
        ["A", "B", "C", "D"].iter().map(|name| format!("-engine cmd={{zoo}} name={name} args=ucci ")).collect();
    let output = arena.play(&format!("{engines} -each nodes=1 -maxmoves 2 -tournament gauntlet -seeds 2 -games 1"));
    let started: Vec<&str> = output
        .lines()
        .filter(|line| line.starts_with("Started"))
        .filter_map(|line| line.split_once(" (")?.1.strip_suffix(')'))
        .collect();
    assert_eq!(started, ["A vs C", "A vs D", "B vs C", "B vs D"], "{output}");
    let ranks: Vec<String> = output
        .lines()
        .skip_while(|line| !line.starts_with("Rank"))
        .skip(1)
        .take(4)
        .map(|line| line.split_whitespace().take(2).collect())
        .collect();
    assert_eq!(ranks, ["0A", "0B", "1C", "2D"], "{output}");
    assert!(arena.play(&format!("{PAIR} -reverse")).contains("Started game 1 of 2 (B vs A)"));
    assert!(arena.play(&format!("{PAIR} -seeds 2")).contains("-seeds: nothing to do: only a gauntlet has seeds"));
    let errors = refusal(&arena, &format!("{engines} -each nodes=1 -tournament gauntlet -seeds 4"));
    assert!(errors.contains("-seeds: a gauntlet leaves"), "{errors}");
}

#[test]
fn the_arena_waits_between_games_and_takes_the_cores_that_are_named() {
    let arena = Arena::new();
    let began = Instant::now();
    arena.play(&format!("{PAIR} -wait 700"));
    assert!(began.elapsed() >= Duration::from_millis(700));
    let errors = refusal(&arena, &format!("{PAIR} -use-affinity 99999"));
    assert!(errors.contains("there is no core 99999") || errors.contains("Linux only"), "{errors}");
    assert!(refusal(&arena, &format!("{PAIR} -use-affinity 3-x")).contains("neither a core nor FIRST-LAST"));
    let cores = std::thread::available_parallelism().unwrap().get();
    let many = format!("{PAIR} -rounds 1 -concurrency {}", cores + 1);
    assert!(arena.run(&many).status.code() == Some(1));
    arena.play(&format!("{many} -force-concurrency"));
}

#[test]
fn games_share_openings_by_the_policy() {
    let arena = Arena::new();
    let engines: String =
        ["A", "B", "C"].iter().map(|name| format!("-engine cmd={{zoo}} name={name} args=ucci ")).collect();
    let starts = |policy: &str| {
        let _ = fs::remove_file(arena.path("j"));
        let rest = format!("-each nodes=1 -maxmoves 1 -openings file={{openings}} {policy} -journal {{}}/j");
        arena.play(&format!("{engines} {rest}"));
        let mut starts: Vec<String> = games(&arena).into_iter().map(|game| game.start_fen).collect();
        starts.sort();
        starts.dedup();
        starts.len()
    };
    assert_eq!([starts(""), starts("policy=default"), starts("policy=round")], [1, 3, 1]);
    assert!(
        refusal(&arena, &format!("{PAIR} -openings file={{openings}} policy=x"))
            .contains("possible values: default, encounter")
    );
}

#[test]
fn results_are_shown_as_often_and_in_the_columns_that_are_wanted() {
    let arena = Arena::new();
    let output = arena.play(&format!("{PAIR} -rounds 2 -outcomeinterval 2 -show-latency"));
    assert_eq!(output.matches("Player: A\n   \"Draw by adjudication\": ").count(), 3, "{output}");
    assert!(output.contains("\nLatency of A: ") && output.contains("\nLatency of B: unknown"), "{output}");
    assert!(output.contains("\nAverages of A: depth 3.0, 77 nodes, "), "{output}");
    let engines: String =
        ["A", "B", "C"].iter().map(|name| format!("-engine cmd={{zoo}} name={name} args=ucci ")).collect();
    let output = arena.play(&format!("{engines} -each nodes=1 -maxmoves 2 -resultformat name,points,tc"));
    assert!(output.lines().any(|line| line.split_whitespace().eq(["Name", "Points", "TC"])), "{output}");
    assert!(refusal(&arena, &format!("{PAIR} -resultformat x")).contains("possible values: rank, name"));
}

#[test]
fn dialogues_are_printed_and_logs_are_as_is_said() {
    let arena = Arena::new();
    let output = arena.play(&format!("{PAIR} -debug -log file={{}}/log level=warn"));
    assert!(output.contains(" >A: ucci\n") && output.contains(" <A: ucciok\n"), "{output}");
    assert_eq!(arena.read("log"), "", "nothing to warn of");
    arena.play(&format!("{PAIR} -log file={{}}/log"));
    arena.play(&format!("{PAIR} -log file={{}}/log append=true realtime=true"));
    assert_eq!(arena.read("log").matches("Finished match").count(), 2);
    arena.play(&format!("{PAIR} -log file={{}}/log append=false"));
    assert_eq!(arena.read("log").matches("Finished match").count(), 1);
    for _ in 0..2 {
        arena.play(&format!("{PAIR} -log file={{}}/packed compress=true"));
    }
    let mut unpacked = String::new();
    let packed = File::open(arena.path("packed.gz")).unwrap();
    flate2::read::MultiGzDecoder::new(packed).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked.matches("Finished match").count(), 2);
    let dying = PAIR.replace("uci_comments", "uci_dies_wails_from=2");
    arena.play(&format!("{dying} -recover -log file={{}}/errors level=err"));
    assert!(arena.read("errors").contains("line 1 of 3") && !arena.read("errors").contains("Finished"));
    let errors = refusal(&arena, &format!("{PAIR} -log file={{}}/log level=loud"));
    assert!(errors.contains("possible values: trace, info"), "{errors}");
}

#[test]
fn words_for_which_there_is_nothing_to_do_say_so_in_a_line() {
    let arena = Arena::new();
    let words = "-autosaveinterval 20 -bookmode ram -crc32 pgn=true -tbpieces 6 -randomseed -check-mate-pvs";
    let output = arena.play(&format!("{} {words}", PAIR.replace("score=30", "score=30 trust")));
    for word in ["-autosaveinterval", "-bookmode", "-crc32", "trust", "-tbpieces and the like"] {
        assert!(output.contains(&format!("{word}: nothing to do")), "{word}: {output}");
    }
    let errors = refusal(&arena, &format!("{PAIR} -randomseed -seed 3"));
    assert!(errors.contains("-randomseed and -seed exclude each other"), "{errors}");
}

#[test]
fn a_journal_may_be_named_as_a_configuration() {
    let arena = Arena::new();
    arena.play(&format!("{PAIR} -config outname={{}}/j"));
    assert_eq!(games(&arena).len(), 2);
    arena.play("-config file={}/j outname={}/k -rounds 2");
    assert_eq!((games(&arena).len(), viewing::games(&arena.path("k")).unwrap().len()), (2, 4));
    arena.play(&format!("-config file={{}}/new discard=true {PAIR}"));
    assert_eq!(viewing::games(&arena.path("new")).unwrap().len(), 2);
    assert!(refusal(&arena, "-config file={}/j stats=false").contains("counts all of its games"));
}

#[test]
fn positions_are_appended_to_those_of_others() {
    let arena = Arena::new();
    fs::write(arena.path("e.epd"), "4k4/9/9/9/9/9/9/8R/9/3K5 w - - 0 1\n").unwrap();
    let line = format!("{PAIR} -journal {{}}/j -epdout file={{}}/e.epd append=true");
    arena.play(&line);
    arena.play(&line);
    assert_eq!(arena.read("e.epd").lines().count(), 3);
    assert!(refusal(&arena, &format!("{PAIR} -epdout {{}}/e.epd")).contains("name another file for -epdout"));
}

#[test]
fn strict_and_lenient_are_words() {
    let arena = Arena::new();
    let dying = PAIR.replace("uci_comments", "uci_dies_from=2");
    arena.play_to(5, &format!("{dying} -recover -strict"));
    arena.play_to(0, &format!("{dying} -recover"));
    arena.play_to(0, &format!("{PAIR} -strict"));
    let repeating = PAIR.replace("uci_comments", "uci_repeats-itself");
    assert!(arena.play(&format!("{repeating} -recover")).contains("breaks the protocol"));
    let output = arena.play(&format!("{repeating} -lenient"));
    assert!(!output.contains("breaks the protocol"), "{output}");
    assert!(output.contains("Note on B: warning: it answers without being asked"), "{output}");
    let flooding = PAIR.replace("uci_comments proto=uci", "ucci_chatters=100001").replace("-maxmoves 4", "-maxmoves 1");
    assert!(arena.play(&format!("{flooding} -recover")).contains("more than 100000 lines for one answer"));
    let output = arena.play(&format!("{flooding} -lenient"));
    assert!(!output.contains("breaks the protocol") && output.contains("warning: it writes more than"), "{output}");
}

#[test]
fn tablebases_end_the_games_that_they_know() {
    let arena = Arena::new();
    fs::write(arena.path("won.epd"), "5k3/9/9/9/9/9/9/9/9/R2K5 w\n").unwrap();
    fs::write(arena.path("two.epd"), "5k3/9/9/9/9/9/9/9/R8/R2K5 w\n").unwrap();
    let line = |openings: &str, words: &str| {
        format!("{PAIR} -openings file={{}}/{openings} -journal {{}}/{openings}.j {words}")
    };
    let output = arena.play(&line("won.epd", "-tb {}/none"));
    assert!(output.contains("-tb: ") && output.contains("/none: cannot be read"), "{output}");
    assert!(output.contains("Tablebases: 40, for up to "), "{output}");
    assert!(output.contains("{Red wins by adjudication: tablebase KR-K}"), "{output}");
    assert!(output.contains("\nEnded by tablebases: 2 won, 0 drawn of 2 games\n"), "{output}");
    let games = viewing::games(&arena.path("won.epd.j")).unwrap();
    assert!(games.iter().all(|game| game.ending.class == EndingClass::TablebaseWin && game.moves.len() == 1));
    let errors = refusal(&arena, &line("won.epd", ""));
    assert!(errors.contains("tablebases was"), "{errors}");
    // A table of a folder. Without distances a win is known only if the move limit does not matter.
    fs::create_dir(arena.path("tables")).unwrap();
    let index = Index::new("KRR-K".parse().unwrap()).unwrap();
    let outcome = |mover: Side| if mover == Side::Red { Outcome::Win } else { Outcome::Loss };
    let mut file = File::create(arena.path("tables/KRR-K.wdl")).unwrap();
    write_results(&mut file, &index, |mover, _| Some(outcome(mover))).unwrap();
    let with_table = |words: &str, last: Option<&str>| {
        let _ = fs::remove_file(arena.path("two.epd.j"));
        let mut command = arena.command(&line("two.epd", &format!("-tb {{}}/tables {words}")));
        let output = text(&command.args(last).output().unwrap());
        assert!(output.contains("Tablebases: 41"), "{output}");
        output.contains("Ended by tablebases: 2 won")
    };
    assert!(with_table("-tbignore50", None) && with_table("-tbpieces 4 -tbignore50", None));
    assert!(!with_table("", None) && !with_table("-tbpieces 3 -tbignore50", None));
    assert!(with_table("-tbignore50 -tbadjudicate", Some("WIN_LOSS")));
    assert!(!with_table("-tbignore50 -tbadjudicate", Some("DRAW")));
}

/// Words of a command line of fastchess with every option of its manual's list, in groups that go together.
const OF_FASTCHESS: [&str; 5] = [
    "-engine cmd=new name=new option.Hash=64 nodes=2000 -engine cmd=old name=old -each tc=60+0.6 proto=uci restart=on dir=. \
     -openings file=book.epd format=epd order=random start=3 -rounds 200 -repeat -concurrency 4 -srand 7",
    "-engine cmd=a args=x timemargin=50 st=1 -engine cmd=b plies=9 tc=40/1:30+0.5 -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 \
     model=normalized -draw movenumber=34 movecount=8 score=20 -resign movecount=3 score=600 twosided=true -maxmoves 200 -recover",
    "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1+0.1 -tournament gauntlet -seeds 1 -noswap -reverse -wait 10 -games 2 \
     -variant standard -openings file=b.pgn format=pgn plies=12 -tb one:two -tbpieces 6 -tbignore50 -tbadjudicate BOTH -event Cup -site here -force-concurrency",
    "-engine cmd=a -engine cmd=b -each depth=5 -output format=fastchess -pgnout file=g.pgn notation=san append=true nodes=true \
     seldepth=true nps=true hashfull=true tbhits=true pv=true timeleft=true latency=true match_line=^info -epdout file=e.epd \
     append=true -ratinginterval 10 -scoreinterval 1 -report penta=true -autosaveinterval 20 -config outname=c.json -crc32 \
     pgn=true -check-mate-pvs -show-latency -testEnv -log file=l level=warn append=true compress=true realtime=true engine=true \
     -use-affinity 3,5,7-11,13 -startup-ms 10000 -ucinewgame-ms 60000 -ping-ms 60000",
    "-quick cmd=a cmd=b book=book.epd",
];

/// Words of command lines of cutechess-cli, likewise.
const OF_CUTECHESS: [&str; 3] = [
    "-engine cmd=a name=A dir=. proto=uci arg=x arg=y initstr=hello stderr=err restart=auto trust whitepov tscale=2 ponder tc=inf \
     depth=9 option.Threads=1 -engine cmd=b proto=xboard st=2 -each timemargin=20 -variant xiangqi -concurrency 2",
    "-engine cmd=a -engine cmd=b -each tc=40/60 -draw movenumber=40 movecount=5 score=10 -resign movecount=3 score=500 \
     -maxmoves 300 -tb a;b -tbpieces 5 -tbignore50 -tournament round-robin -event x -games 2 -rounds 100 -sprt elo0=0 elo1=5 \
     alpha=0.05 beta=0.05 -ratinginterval 20 -outcomeinterval 20 -resultformat wide -debug -openings file=b.pgn format=pgn \
     order=random plies=12 start=3 policy=encounter -bookmode ram -pgnout g.pgn min fi -epdout e.epd -recover -repeat 2 -site y \
     -srand 5 -wait 100 -seeds 1",
    "-engine cmd=a -engine cmd=b -each nodes=1000 -noswap -reverse",
];

fn parse(line: &str) -> anyhow::Result<Command> {
    cli::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

#[test]
fn the_options_of_both_manuals_are_understood() {
    for line in OF_FASTCHESS.into_iter().chain(OF_CUTECHESS) {
        assert!(matches!(parse(line), Ok(Command::Play(_))), "{line}: {:?}", parse(line).unwrap_err());
    }
}

/// Returns the options in example lines, and the keys of `-engine`, `-openings`, `-pgnout`, `-log` and `-config` as
/// `-word key=`.
fn words_of(lines: &[&str]) -> Vec<String> {
    let mut words = vec![];
    for line in lines {
        let mut option = "";
        for word in line.split_whitespace() {
            if word.starts_with('-') && word[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                option = if word == "-each" { "-engine" } else { word };
                words.push(word.to_owned());
            } else if matches!(option, "-engine" | "-openings" | "-pgnout" | "-log" | "-config") {
                let (key, value) = word.split_once('=').map_or((word, ""), |(key, _)| (key, "="));
                let key = if key.starts_with("option.") { "option.NAME" } else { key };
                words.push(format!("{option} {key}{value}"));
            }
        }
    }
    words.retain(|word| !word.ends_with(".pgn"));
    words.sort();
    words.dedup();
    words
}

#[test]
fn the_table_in_the_manual_has_every_option_with_its_status() {
    let pages = ["en", "zh"].map(|language| {
        let path = format!("{}/../../docs/{language}/src/match-options.md", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(path).unwrap()
    });
    let tables = pages.map(|page| {
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let row = |line: &str| {
            let cells: Vec<String> =
                line.trim_matches('|').split(" | ").map(|cell| cell.trim().replace('`', "")).collect();
            (cells[0].clone(), [cells[1].clone(), cells[2].clone(), cells[3].clone()])
        };
        rows.map(row).collect::<BTreeMap<String, [String; 3]>>()
    });
    let signs = |cells: &[String; 3]| cells.clone();
    assert_eq!(
        tables[0].iter().map(|(word, cells)| (word, signs(cells))).collect::<Vec<_>>(),
        tables[1].iter().map(|(word, cells)| (word, signs(cells))).collect::<Vec<_>>()
    );
    let table = &tables[0];
    for (at, lines) in [(0, &OF_FASTCHESS[..]), (1, &OF_CUTECHESS[..])] {
        for word in words_of(lines) {
            let cells = table.get(&word).unwrap_or_else(|| panic!("{word} is not in the table"));
            assert_eq!(cells[at], "+", "{word}");
        }
    }
    for (word, [of_fastchess, of_cutechess, here]) in table {
        let theirs = |lines: &[&str]| words_of(lines).contains(word);
        let (one, other) = (theirs(&OF_FASTCHESS), theirs(&OF_CUTECHESS));
        assert!(here == "–" || (one, other) == (of_fastchess == "+", of_cutechess == "+"), "{word}");
        let line = example(word);
        match here.as_str() {
            "=" | "~" => assert!(parse(&line).is_ok(), "{line}: {:?}", parse(&line).unwrap_err()),
            "0" => {
                let Ok(Command::Play(settings)) = parse(&line) else { panic!("{line}") };
                assert!(!settings.nothing_to_do.is_empty() || word == "-testEnv", "{line}");
            }
            "–" => assert!(parse(&line).is_err(), "{line}"),
            other => panic!("{word}: {other}"),
        }
    }
}

/// Returns a command line with an option, or with a key of an option.
fn example(word: &str) -> String {
    let all: Vec<&str> = OF_FASTCHESS.into_iter().chain(OF_CUTECHESS).collect();
    let (option, key) = word.split_once(' ').unwrap_or((word, ""));
    let has_option = |line: &&&str| line.split_whitespace().any(|other| other == option);
    let known = all.iter().filter(has_option).find(|line| words_of(&[line]).iter().any(|other| other == word));
    known.map_or_else(
        || match option {
            "-tournament" => format!("-engine cmd=a -engine cmd=b -each st=1 -tournament {key}"),
            "-engine" => format!("-engine cmd=a {key}x -engine cmd=b -each st=1"),
            other => format!("-engine cmd=a -engine cmd=b -each st=1 {other}"),
        },
        |line| (*line).to_owned(),
    )
}
