//! Options of fastchess and cutechess-cli, each tested by its effect.

#[path = "support/arena.rs"]
mod arena;

use std::fs;

use arena::Arena;
use chuhe::board::Position;
use chuhe_arena::viewing;

/// Two engines that play the first legal move, in games of at most four full moves.
const PAIR: &str = "-engine cmd={zoo} name=A args=ucci_score=30 -engine cmd={zoo} name=B args=uci_comments proto=uci -each nodes=100 \
                    -maxmoves 4";

#[test]
fn event_and_site_are_in_the_games_and_in_the_report() {
    let arena = Arena::new();
    arena.play(&format!(
        "{PAIR} -event Winter_Cup -site My_room -pgnout file={{}}/g.pgn -report {{}}/r.html -journal {{}}/j"
    ));
    assert!(arena.read("g.pgn").contains("[Event \"Winter Cup\"]\n[Site \"My room\"]\n"));
    assert!(arena.read("r.html").contains("<title>Winter Cup</title>") && arena.read("r.html").contains("My room"));
    // The journal stores them too.
    arena.play("pgn {}/j file={}/again.pgn");
    assert_eq!(arena.read("again.pgn"), arena.read("g.pgn"));
}

#[test]
fn scores_come_as_often_as_they_are_wanted() {
    let scores = |words: &str| {
        let output = Arena::new().play(&format!("{PAIR} -rounds 4 {words}"));
        output.matches("Score of A vs B").count()
    };
    // One more is printed at the end.
    assert_eq!([scores(""), scores("-scoreinterval 3"), scores("-scoreinterval 0")], [9, 3, 1]);
}

#[test]
fn the_standing_comes_in_the_words_of_fastchess() {
    let arena = Arena::new();
    let line = format!("{PAIR} -rounds 4 -output format=fastchess -ratinginterval 4 -sprt elo0=0 elo1=5");
    let output = arena.play_to(4, &line);
    assert!(!output.contains("Score of ") && !output.contains("Elo difference"), "{output}");
    let blocks: Vec<&str> = output.split("--------------------------------------------------\n").collect();
    // One block after four games, and one at the end.
    assert_eq!(blocks.len(), 5, "{output}");
    let block: Vec<&str> = blocks[3].lines().collect();
    assert_eq!(block[0], "Results of A vs B (inf nodes=100, NULL, NULL, NULL):");
    assert_eq!(block[2], "LOS: 50.00 %, DrawRatio: 100.00 %, PairsRatio: nan");
    assert_eq!(block[3], "Games: 8, Wins: 0, Losses: 0, Draws: 8, Points: 4.0 (50.00 %)");
    assert_eq!(block[4], "Ptnml(0-2): [0, 0, 4, 0, 0], WL/DD Ratio: 0.00");
    assert!(block[5].starts_with("LLR: ") && block.len() == 6, "{block:?}");
    let usual = arena.play(&format!("{PAIR} -output format=cutechess"));
    assert!(usual.contains("Score of A vs B") && !usual.contains("Results of"), "{usual}");
}

#[test]
fn openings_in_which_nothing_is_left_to_play_are_refused() {
    let arena = Arena::new();
    let round = "h2e2 h9g7 e2h2 g7h9 ";
    for (name, text, why) in [
        ("bare.epd", "4k4/9/9/9/9/9/9/9/9/3K5 w", "opening 2 is over before the first move of an engine: draw: "),
        ("long.epd", "4k4/9/9/9/9/9/9/8R/9/3K5 w - - 300 200", "opening 2 is over"),
        ("loop.pgn", &format!("1. {}*", round.repeat(5)), "opening 2 is over"),
    ] {
        let good = if name.ends_with("pgn") { "1. h2e2 *\n\n" } else { "4k4/9/9/9/9/9/9/8R/9/3K5 w\n" };
        fs::write(arena.path(name), format!("{good}{text}\n")).unwrap();
        let output = arena.run(&format!("{PAIR} -openings file={{}}/{name} -journal {{}}/j"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(why) && said.contains(name), "{said}");
        assert!(!arena.path("j").exists(), "{name}");
    }
    // Without the moves after the loop the game can start.
    arena.play(&format!("{PAIR} -openings file={{}}/loop.pgn plies=4"));
}

#[test]
#[cfg(unix)]
fn a_report_that_cannot_be_written_costs_no_standing() {
    let arena = Arena::new();
    fs::create_dir(arena.path("folder")).unwrap();
    // The folder is removed after the first process was checked.
    let script = format!("rm -rf '{}'; exec '{}' ucci\n", arena.path("folder").display(), arena::zoo().display());
    fs::write(arena.path("script"), script).unwrap();
    let output = arena.run(
        "-engine cmd=sh name=A args={}/script -engine cmd={zoo} name=B args=ucci -each nodes=100 -maxmoves 4 \
         -report {}/folder/r.html",
    );
    let (said, errors) = (arena::text(&output), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.code() == Some(1) && errors.contains("r.html"), "{errors}");
    assert!(said.contains("\nElo difference: ") && said.ends_with("\nFinished match\n"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_a_failure_and_costs_nothing_else() {
    let arena = Arena::new();
    let into_full = |line: &str| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = arena.command(line).stdout(full).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, errors) = into_full(&format!("{PAIR} -rounds 2 -journal {{}}/j"));
    let shown = "chuhe-arena: lines are missing from standard output: No space left on device";
    assert!(status == Some(1) && errors.starts_with(shown) && errors.lines().count() == 1, "{errors}");
    assert_eq!(viewing::games(&arena.path("j")).unwrap().len(), 4);
    for line in
        ["--help", "--version", "stats {}/j", "--generate-openings 1 --nodes 50", "--compliance -proto uci sh -c exit"]
    {
        let (status, errors) = into_full(line);
        assert!(status == Some(1) && errors.contains("No space left on device"), "{line}: {status:?} {errors}");
    }
}

#[test]
fn rules_are_reported_to_who_can_be_reported() {
    let arena = Arena::new();
    let play = |engines: [&str; 2], words: &str| {
        let [a, b] = engines;
        let pair = format!(
            "-engine cmd={{zoo}} name=A args={a} -engine cmd={{zoo}} name=B args={b} -each nodes=9 -maxmoves 2"
        );
        let _ = fs::remove_file(arena.path("log"));
        let shown = arena.play(&format!("{pair} -log file={{}}/log engine=true {words}"));
        let rules = shown.lines().find(|line| line.starts_with("Rules: ")).expect("it is said").to_owned();
        (rules, arena.read("log"))
    };
    let (rules, log) = play(["ucci_knows-rules", "uci_knows-rules"], "");
    assert_eq!(rules, "Rules: asian; told: A, B");
    assert!(log.contains("A < setoption repetition asian"), "{log}");
    assert!(log.contains("B < setoption name Repetition_Rule value AsianRule"), "{log}");
    let (rules, _) = play(["ucci_knows-rules", "ucci"], "");
    assert_eq!(rules, "Rules: league; told: A; not told: B (no option)", "all speak UCCI");
    let (rules, _) = play(["ucci_knows-rules", "ucci"], "-rules asian");
    let page = include_str!("../../../docs/en/src/matches.md").replace("Chuhe;", "A;").replace("Fairy (", "B (");
    assert!(page.lines().any(|line| line == rules), "matches.md shows another line than {rules}");
    let (rules, log) = play(["ucci_knows-rules", "uci_knows-rules"], "-rules league");
    assert_eq!(rules, "Rules: league; told: A; not told: B (no such value of Repetition_Rule)");
    assert!(log.contains("A < setoption repetition league") && !log.contains("Repetition_Rule value"), "{log}");
    let set = "uci_knows-rules option.repetition=ChineseRule";
    let (rules, log) = play(["ucci", set], "-rules chinese");
    assert_eq!(rules, "Rules: chinese; set by the user: B (Repetition_Rule=ChineseRule); not told: A (no option)");
    assert_eq!(
        log.matches("B < setoption name Repetition_Rule value ChineseRule").count(),
        1,
        "as the user says it, and not by the arena"
    );
}

#[test]
fn the_rules_of_a_match_are_in_its_journal_and_in_its_report() {
    let arena = Arena::new();
    arena.play(&format!("{PAIR} -journal {{}}/j"));
    arena.play("report {}/j {}/r.html");
    assert!(arena.read("r.html").contains("asian") && arena.read("j").contains("\"rules\":\"asian\""));
    let output = arena.run(&format!("{PAIR} -journal {{}}/j -rules league"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("rules was \"asian\", now it is \"league\""), "{errors}");
}

#[test]
fn illegal_moves_in_a_pv_are_warned_of() {
    let arena = Arena::new();
    let showing = PAIR.replace("uci_comments", "uci_illegal-pv");
    let shown = arena.play(&format!("{showing} -journal {{}}/j"));
    let warnings: Vec<&str> = shown.lines().filter(|line| line.starts_with("Warning: ")).collect();
    assert_eq!(warnings.len(), 2, "one a game: {shown}");
    // Ranks from 1, as the engine writes them.
    let expected = "Warning: illegal move in a PV of B, move 1 of game 2: a1a10 after ";
    assert!(warnings[1].starts_with(expected) && warnings[1].ends_with("; at 3 more moves of this game"), "{shown}");
    let summary = "\nIllegal moves in PVs of B: at 8 moves\n";
    assert!(shown.contains(summary) && arena.play("stats {}/j").contains(summary), "{shown}");
    assert!(!arena.play(PAIR).contains("Warning"));
}

#[test]
fn a_clock_of_increments_alone_is_played_by() {
    let arena = Arena::new();
    let shown = arena.play(&format!("{} -journal {{}}/j", PAIR.replace("nodes=100", "tc=0+30")));
    assert!(!shown.contains("on time"), "{shown}");
    let first = &viewing::games(&arena.path("j")).unwrap()[0].moves[0];
    assert!(first.left_ms.is_some_and(|left| (30_001..=60_000).contains(&left)), "{first:?}");
}

#[test]
fn the_ends_of_the_games_are_written_and_nothing_else_is_replaced() {
    let arena = Arena::new();
    let line = format!("{PAIR} -rounds 2 -openings file={{openings}} -concurrency 2 -force -journal {{}}/j -epdout");
    arena.play(&format!("{line} {{}}/ends.epd"));
    let ends: Vec<String> = arena.read("ends.epd").lines().map(str::to_owned).collect();
    let games = viewing::games(&arena.path("j")).unwrap();
    let expected: Vec<String> = games
        .iter()
        .map(|game| {
            let start = Position::from_fen(&game.start_fen).unwrap();
            game.moves.iter().fold(start, |position, record| position.play(record.mv.parse().unwrap())).to_fen()
        })
        .collect();
    assert_eq!(ends, expected);
    fs::write(arena.path("mine"), "my list\n").unwrap();
    let output = arena.run(&format!("{line} file={{}}/mine"));
    assert!(!output.status.success() && arena.read("mine") == "my list\n");
    // The same match writes the same list again, without duplicates.
    arena.play(&format!("{line} file={{}}/ends.epd"));
    assert_eq!(arena.read("ends.epd").lines().count(), 4);
}

#[test]
fn games_are_appended_to_those_of_others() {
    let arena = Arena::new();
    let mine = "[Event \"mine\"]\n\n1. h2e2 h9g7 1-0\n";
    fs::write(arena.path("all.pgn"), mine).unwrap();
    let line = format!("{PAIR} -journal {{}}/j -pgnout file={{}}/all.pgn append=true");
    arena.play(&line);
    let all = arena.read("all.pgn");
    assert!(all.starts_with(&format!("{mine}\n[Game ")) && all.matches("[GameNumber ").count() == 2, "{all}");
    // The same match again adds nothing, and a resumed match adds only its new games.
    arena.play(&line);
    assert_eq!(arena.read("all.pgn"), all);
    arena.play(&format!("{line} -rounds 2"));
    let more = arena.read("all.pgn");
    assert!(more.starts_with(&all) && more.matches("[GameNumber ").count() == 4, "{more}");
    fs::write(arena.path("diary"), "Dear diary").unwrap();
    let output = arena.run(&format!("{PAIR} -pgnout file={{}}/diary append=true"));
    assert!(!output.status.success() && arena.read("diary") == "Dear diary");
}

#[test]
fn games_have_as_much_detail_as_is_wanted() {
    let arena = Arena::new();
    let pgn = |name: &str, words: &str| {
        arena.play(&format!("{PAIR} -pgnout file={{}}/{name} {words}"));
        arena.read(name)
    };
    let usual = pgn("usual", "");
    assert!(usual.contains("n=77") && usual.contains("[PlyCount ") && !usual.contains("nps="), "{usual}");
    let least = pgn("least", "min=true");
    assert!(!least.contains('{') && !least.contains("[PlyCount ") && least.contains("[Result \"1/2-1/2\"]"), "{least}");
    assert!(least.matches("\n1. ").count() == 2, "{least}");
    let speed = pgn("speed", "nps=true");
    assert!(speed.contains("n=77, nps=4242"), "{speed}");
    // An underscore is a space in the words of these tests.
    let with_lines = |name: &str, pattern: &str| {
        let mut command = arena.command(&format!("{PAIR} -pgnout file={{}}/{name}"));
        command.arg(format!("match_line={pattern}")).output().unwrap()
    };
    assert!(with_lines("lines", "^info string pgncomment").status.success());
    let lines = arena.read("lines");
    assert!(lines.contains("line=\"info string pgncomment answer 2 [of many]\""), "{lines}");
    assert!(!lines.contains("line=\"info nodes"), "{lines}");
    assert!(String::from_utf8_lossy(&with_lines("x", "(").stderr).contains("match_line=("));
}

#[test]
fn games_begin_with_the_moves_of_their_openings() {
    let arena = Arena::new();
    let games = "[Opening \"centre\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 *\n\n[FEN \"4k4/9/9/9/9/9/9/9/9/3K1R3 b - - 0 7\"]\n\n7... e9e8 *\n";
    fs::write(arena.path("o.pgn"), games).unwrap();
    arena.play(&format!("{PAIR} -rounds 2 -openings file={{}}/o.pgn plies=3 -pgnout file={{}}/g.pgn -journal {{}}/j"));
    let written = arena.read("g.pgn");
    assert!(written.contains("\n\n1. H2-E2 {book} H9-G7 {book}\n2. H0-G2 {book} "), "{written}");
    assert!(written.contains("[FEN \"4k4/9/9/9/9/9/9/9/9/3K1R3 b - - 0 7\"]\n"), "{written}");
    assert!(written.contains("\n\n7... E9-E8 {book}\n8. "), "{written}");
    // Three moves of the opening and four of each engine.
    assert!(written.contains("[PlyCount \"11\"]"), "{written}");
    let record = &viewing::games(&arena.path("j")).unwrap()[0];
    assert_eq!((record.opening_moves.len(), record.moves.len()), (3, 8));
}

#[test]
fn engines_may_take_as_long_as_is_said() {
    let arena = Arena::new();
    for (behaviour, word) in [("slow-start=1500", "-startup-ms"), ("slow-ready=1500", "-ping-ms")] {
        let line = PAIR.replace("ucci_score=30", &format!("uci_{behaviour} proto=uci"));
        let output = arena.run(&format!("{line} {word} 300"));
        assert_eq!(output.status.code(), Some(1), "{word}: {output:?}");
        let output = arena.run(&format!("{line} {word} 60000"));
        assert!(output.status.success(), "{word}: {output:?}");
    }
}
