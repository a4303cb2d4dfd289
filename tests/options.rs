//! Effects of the options: each has a test that fails if the option is ignored.

mod support;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chuhe::board::{Move, Position, START_FEN};
use chuhe::engine::event::{Bound, ClockMode, Command, Dialect, GameText, Go, Info, Limits, Reply};
use chuhe::engine::options::{Change, OPTIONS, OptionKind, Options};
use chuhe::rules::RuleSet;
use chuhe::score::Score;
use chuhe::search::{Plan, Pruning, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use support::engine::{MATE_IN_ONE, depth, mv, nodes, timed};
use support::network::toy_file;
use support::test_engine::{Answer, TestEngine};

const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

fn mate(moves: u32) -> Go {
    Go { limits: Limits { mate: Some(moves), ..Limits::default() }, ..Go::default() }
}

/// Returns the static evaluation of `fen`.
fn static_value(engine: &TestEngine, fen: &str) -> Score {
    engine.position(fen, "");
    engine.send(Command::Go(depth(0)));
    let value = match engine.next() {
        Reply::StaticValue(value) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(engine.next(), Reply::NoBestMove);
    value
}

/// Returns the first move and the score of each line of the last iteration.
fn last_lines(infos: &[&Info]) -> Vec<(Move, Score)> {
    let deepest = infos.last().unwrap().iteration.depth;
    let last = infos.iter().filter(|info| info.iteration.depth == deepest);
    let exact: Vec<_> = last.filter(|info| info.iteration.bound == Bound::Exact).collect();
    for (index, info) in exact.iter().enumerate() {
        assert_eq!(info.iteration.pv_index, index + 1);
    }
    exact.iter().map(|info| (info.iteration.pv[0], info.iteration.score)).collect()
}

#[test]
fn multipv_shows_as_many_lines_best_first() {
    let engine = TestEngine::with(&[("MultiPV", "4")]);
    engine.position(MIDDLE_GAME, "");
    let answer = engine.go(depth(7));
    let lines = last_lines(&answer.infos());
    assert_eq!(lines.len(), 4);
    assert!(lines.is_sorted_by(|a, b| a.1 >= b.1), "{lines:?}");
    assert_eq!(lines.iter().map(|line| line.0.to_string()).collect::<HashSet<_>>().len(), 4, "{lines:?}");
    assert_eq!(answer.best, lines[0].0);
    // Every iteration reports all its lines.
    for depth in 1..=7 {
        let of_depth = |info: &&&Info| info.iteration.depth == depth && info.iteration.bound == Bound::Exact;
        assert_eq!(answer.infos().iter().filter(of_depth).count(), 4, "depth {depth}");
    }
}

#[test]
fn multipv_skips_banned_moves_and_ends_with_the_moves() {
    let engine = TestEngine::with(&[("multipv", "120")]);
    engine.position(MATE_IN_ONE, "");
    let all = Position::from_fen(MATE_IN_ONE).unwrap().legal_moves().len();
    assert_eq!(last_lines(&engine.go(depth(3)).infos()).len(), all);
    engine.position(MATE_IN_ONE, "");
    engine.send(Command::BanMoves(vec![mv("e1d1").into(), mv("e1e8").into()]));
    let answer = engine.go(depth(3));
    let lines = last_lines(&answer.infos());
    assert_eq!(lines.len(), all - 2);
    assert!(!lines.iter().any(|line| [mv("e1d1"), mv("e1e8")].contains(&line.0)), "{lines:?}");
    engine.position(MATE_IN_ONE, "");
    let two = vec![mv("e1e2").into(), mv("e1e3").into()];
    assert_eq!(last_lines(&engine.go(Go { search_moves: two, ..depth(3) }).infos()).len(), 2);
}

/// Largest difference that earlier searches may make to a value, in centipawns.
const TT_DIFFERENCE: i32 = 10;

/// The second-best move of a MultiPV search has the same value as in a search of that move alone.
#[test]
fn a_line_of_lower_rank_has_the_value_of_its_move() {
    let engine = TestEngine::with(&[("multipv", "2"), ("pruning", "none"), ("usehash", "false")]);
    engine.position(MIDDLE_GAME, "");
    let lines = last_lines(&engine.go(depth(3)).infos());
    engine.set("multipv", "1");
    for (mv, score) in lines {
        let alone = engine.go(Go { search_moves: vec![mv.into()], ..depth(3) });
        let alone = alone.last().iteration.score;
        // The correction history of one search affects the next one.
        assert!((alone.raw() - score.raw()).abs() <= TT_DIFFERENCE, "{mv}: {alone:?}, not {score:?}");
    }
}

#[test]
fn progress_inside_an_iteration_is_reported_late_and_seldom_and_details_on_request() {
    let engine = TestEngine::with(&[("UCI_ShowCurrLine", "true"), ("UCI_ShowRefutations", "true")]);
    engine.position(MIDDLE_GAME, "");
    let began = Instant::now();
    engine.send(Command::Go(Go::default()));
    let (mut moves, mut lines, mut refutations) = (vec![], 0, 0);
    while moves.len() < 3 || lines < 1 || refutations < 1 {
        match engine.next() {
            Reply::CurrentMove { depth, mv, number } => {
                assert!(began.elapsed() >= Duration::from_secs(1));
                assert!(number >= 1 && depth >= 1 && Position::from_fen(MIDDLE_GAME).unwrap().is_legal(mv));
                moves.push(Instant::now());
            }
            Reply::CurrentLine { worker, line } => {
                assert_eq!(worker, 1);
                let mut position = Position::from_fen(MIDDLE_GAME).unwrap();
                for mv in line {
                    assert!(position.is_legal(mv));
                    position = position.play(mv);
                }
                lines += 1;
            }
            Reply::Refutation(line) => {
                let position = Position::from_fen(MIDDLE_GAME).unwrap();
                assert!(line.len() == 2 && position.is_legal(line[0]) && position.play(line[0]).is_legal(line[1]));
                refutations += 1;
            }
            Reply::Info(_) => {}
            other => panic!("{other:?}"),
        }
    }
    engine.send(Command::Stop);
    engine.answer();
}

#[test]
fn details_are_not_reported_unasked() {
    let engine = TestEngine::start();
    engine.position(MIDDLE_GAME, "");
    let answer = engine.go(nodes(1_200_000));
    let detail = |reply: &Reply| matches!(reply, Reply::Refutation(_) | Reply::CurrentLine { .. });
    assert!(!answer.said.iter().any(detail));
}

/// Positions with a mate within this many plies; full pruning finds few of the mates that early.
const COMPOSITIONS: [(&str, u32); 10] = [
    ("3ak1b2/1R5N1/3a5/9/9/3c5/9/5A3/7C1/2BK5 w", 4),
    ("5a3/4ak3/4b1C1b/9/9/2N6/9/4R4/4A4/2B1KA3 w", 6),
    ("3a5/4a4/b3k3b/9/2N6/9/9/6C2/R2KA4/2B6 w", 6),
    ("2b2ab2/4ak3/4C4/4N4/9/9/R8/9/4K4/2B2A3 w", 6),
    ("3a5/5k3/4b3b/9/5N3/3R5/9/4B3C/1c3K3/3A5 w", 4),
    ("2ba5/9/4k4/7N1/5P2R/9/9/9/4AC3/4KcB2 w", 6),
    ("5a3/3R5/b3k4/9/6b2/9/9/3C5/4A4/2B1K4 w", 6),
    ("5ab2/1N2k4/5a2b/4PN3/5n1c1/9/9/6R2/9/2BAK4 w", 4),
    ("3a2b2/9/3a1k3/1N1C5/6b2/9/9/8R/c3A4/2BAK4 w", 6),
    ("5ab2/5k3/3a5/9/6bR1/9/9/8C/9/2B1KA3 w", 4),
];

fn think(fen: &str, limits: Limits, plan: Plan, table: impl Into<Arc<Table>>) -> chuhe::search::Outcome {
    let root = Position::from_fen(fen).unwrap();
    let context =
        SearchContext { limits, rules: RuleSet::Asian.rules(), plan, ..SearchContext::new(table.into(), vec![root]) };
    Searcher::new(0).think(&context, &mut Silent)
}

#[test]
fn without_pruning_no_composition_hides() {
    let engine = TestEngine::start();
    let mut hidden = 0;
    for (fen, plies) in COMPOSITIONS {
        engine.position(fen, "");
        let mates = |grade| {
            engine.set("pruning", grade);
            engine.set("newgame", "");
            let score = engine.go(depth(plies)).last().iteration.score;
            score.is_mate() && score > Score::DRAW
        };
        assert!(mates("none"), "{fen}");
        hidden += usize::from(!mates("large"));
        // A search for a mate must not prune it away, whatever the option says.
        let moves = plies / 2 + 1;
        let score = engine.go(mate(moves)).last().iteration.score;
        assert!(score.is_mate() && score.plies_to_end().unwrap() < 2 * moves as usize, "{fen}: {score:?}");
    }
    assert!(hidden >= COMPOSITIONS.len() / 2, "pruning hides {hidden} only");
}

#[test]
fn each_grade_of_pruning_takes_fewer_nodes() {
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let openings = include_str!("data/openings.epd").lines().filter(|line| !line.starts_with('#'));
    let openings = openings.filter_map(|line| line.split(';').next()).take(8);
    let positions: Vec<&str> = openings.chain([MIDDLE_GAME]).collect();
    let cost = |pruning| -> u64 {
        let plan = || Plan { pruning, ..Plan::default() };
        positions.iter().map(|fen| think(fen, limits, plan(), Table::new(4).unwrap()).nodes).sum()
    };
    let costs = [Pruning::None, Pruning::Small, Pruning::Medium, Pruning::Large].map(cost);
    assert!(costs.is_sorted_by(|more, less| more > less), "{costs:?}");
}

#[test]
fn a_search_for_a_mate_ends_with_it_or_at_its_depth() {
    let engine = TestEngine::start();
    engine.position("4k4/9/9/9/9/9/9/R8/1R7/3K5 w", "");
    let answer = engine.go(mate(5));
    let score = answer.last().iteration.score;
    assert!(score.is_mate() && score.plies_to_end().unwrap() < 10, "{score:?}");
    engine.position(START_FEN, "");
    let answer = engine.go(mate(2));
    assert_eq!(answer.last().iteration.depth, 4);
}

#[test]
fn a_node_limit_is_exact() {
    let engine = TestEngine::start();
    engine.position(MIDDLE_GAME, "");
    for limit in [1, 777, 12_345] {
        assert_eq!(engine.go(nodes(limit)).nodes(), limit);
    }
}

#[test]
fn each_grade_of_knowledge_sees_more() {
    let folder = tempfile::tempdir().unwrap();
    let engine = TestEngine::with(&[("EvalFile", toy_file(folder.path(), 1).to_str().unwrap())]);
    let values = |fen: &str| {
        ["none", "small", "medium", "large"].map(|grade| {
            engine.set("knowledge", grade);
            static_value(&engine, fen).raw()
        })
    };
    // Equal material, but red is developed; then a hollow cannon in front of the king.
    let developed = values("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R b");
    assert_eq!(developed[0], 0);
    assert!(developed[1] < 0);
    let attacked = values("rnbakabnr/9/7c1/p1p3p1p/4C4/9/P1P3P1P/7C1/9/RNBAKABNR w");
    assert!(attacked[2] > attacked[1] + 50, "{attacked:?}");
    for (less, more) in [(0, 1), (1, 2), (2, 3)] {
        assert_ne!(attacked[less], attacked[more], "{attacked:?}");
    }
    let material = values("rnbakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")[0];
    assert_eq!(material, Score::MINOR);
}

#[test]
fn knowledge_reaches_the_search() {
    let value = |grade| {
        let engine = TestEngine::with(&[("knowledge", grade)]);
        engine.position(START_FEN, "");
        engine.go(depth(1)).last().iteration.score
    };
    assert_eq!(value("none"), Score::DRAW);
    assert_ne!(value("large"), Score::DRAW);
}

/// Returns the moves that the engine plays in the start position with seeds 1 to 8.
fn openings(engine: &TestEngine, set: &[(&str, &str)]) -> Vec<Move> {
    set.iter().for_each(|(name, value)| engine.set(name, value));
    let seeds = 1..=8;
    seeds
        .map(|seed| {
            engine.set("randomseed", &seed.to_string());
            engine.set("newgame", "");
            engine.position(START_FEN, "");
            engine.go(depth(3)).best
        })
        .collect()
}

#[test]
fn randomness_varies_the_play_as_its_seed_says() {
    let different = |moves: &[Move]| moves.iter().map(|mv| mv.bits()).collect::<HashSet<_>>().len();
    let engine = TestEngine::start();
    assert_eq!(different(&openings(&engine, &[])), 1);
    let varied = openings(&engine, &[("randomness", "huge")]);
    assert!(different(&varied) >= 3, "{varied:?}");
    assert_eq!(openings(&engine, &[]), varied, "the same seeds, the same moves");
    // The option's name in UCCI 2.
    assert_eq!(openings(&engine, &[("selectivity", "none")]).first(), openings(&TestEngine::start(), &[]).first());
}

#[test]
fn chance_never_costs_a_mate_or_breaks_a_ban() {
    let engine = TestEngine::with(&[("randomness", "huge")]);
    for seed in 1..=10 {
        engine.set("randomseed", &seed.to_string());
        engine.position(MATE_IN_ONE, "");
        assert!([mv("e1d1"), mv("e1e8")].contains(&engine.go(depth(3)).best));
        engine.send(Command::BanMoves(vec![mv("e1d1").into()]));
        assert_eq!(engine.go(depth(3)).best, mv("e1e8"));
    }
}

/// A game in which red is a rook up but has let black repeat: the third occurrence is a draw, and black can reach it.
const SHUFFLE: (&str, &str) =
    ("1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "h0g2 b9c7 g2h0 c7b9 h0g2 b9c7 g2h0");

/// Returns the score of a draw by repetition from the view of the side that can reach it.
fn draw_value(options: &[(&str, &str)]) -> i32 {
    let engine = TestEngine::with(options);
    engine.set("repetition", "asian");
    engine.position(SHUFFLE.0, SHUFFLE.1);
    let answer = engine.go(depth(5));
    assert_eq!(answer.best, mv("c7b9"));
    answer.last().iteration.score.raw()
}

#[test]
fn a_third_stand_is_drawn_in_uci_and_open_in_ucci_unless_rules_are_named() {
    let engine = TestEngine::start();
    let is_drawn = || {
        engine.position(SHUFFLE.0, SHUFFLE.1);
        let answer = engine.go(Go { search_moves: vec![mv("c7b9").into()], ..depth(3) });
        answer.last().iteration.score == Score::DRAW
    };
    let greet = |dialect| {
        engine.send(Command::Handshake(dialect));
        assert_eq!(engine.next(), Reply::Introduction);
    };
    assert!(!is_drawn());
    greet(Dialect::Uci);
    assert!(is_drawn());
    greet(Dialect::Ucci);
    assert!(!is_drawn());
    engine.set("repetition", "wxf");
    assert!(is_drawn());
    greet(Dialect::Uci);
    engine.set("Repetition Rule", "league");
    assert!(!is_drawn());
}

#[test]
fn style_says_what_a_draw_is_worth() {
    assert_eq!(draw_value(&[]), 0);
    assert!(draw_value(&[("style", "solid")]) > 0);
    assert!(draw_value(&[("style", "risky")]) < 0);
    assert_eq!(draw_value(&[("style", "solid")]), -draw_value(&[("style", "risky")]));
}

#[test]
fn a_limit_of_moves_makes_a_draw_of_a_won_ending() {
    let value = |limit: &str| {
        let engine = TestEngine::with(&[("movelimit", limit)]);
        // No capture is possible in this position, and eighteen plies have been played without one.
        engine.position("2bak4/4a4/4b4/9/9/9/9/9/RR7/4K4 w - - 18 60", "");
        engine.go(depth(6)).last().iteration.score
    };
    assert_eq!(value("10"), Score::DRAW);
    assert!(value("30").raw() > 300 && value("0").raw() > 300);
}

/// The value of a draw is from the view of the side that searches, even if the other side reaches the draw.
#[test]
fn a_draw_that_the_opponent_takes_is_worth_the_same_to_us() {
    let engine = TestEngine::with(&[("style", "risky"), ("repetition", "asian"), ("pruning", "none")]);
    let (fen, moves) = SHUFFLE;
    let (before, last) = moves.rsplit_once(' ').unwrap();
    engine.position(fen, before);
    // Red allows it: black's only good reply is the third repetition.
    let answer = engine.go(Go { search_moves: vec![mv(last).into()], ..depth(2) });
    assert_eq!(answer.last().iteration.score.raw(), draw_value(&[("style", "risky")]));
}

#[test]
fn style_weighs_our_attack() {
    let engine = TestEngine::start();
    let attack = "rnbakabnr/9/7c1/p1p3p1p/4C4/9/P1P3P1P/7C1/9/RNBAKABNR";
    let values = |side: &str| {
        ["solid", "normal", "risky"].map(|style| {
            engine.set("style", style);
            static_value(&engine, &format!("{attack} {side}")).raw()
        })
    };
    assert!(values("w").is_sorted_by(|less, more| less < more), "{:?}", values("w"));
    // Only the attack of the side to move is weighted, and black's is small.
    let black = values("b");
    assert!((black[2] - black[1]).abs() < 50, "{black:?}");
}

#[test]
fn the_opponent_changes_what_a_draw_is_worth() {
    assert!(draw_value(&[("UCI_Opponent", "none 2000 human Somebody")]) < 0);
    assert!(draw_value(&[("UCI_Opponent", "none 3500 computer Something")]) > 0);
    assert_eq!(draw_value(&[("UCI_Opponent", "")]), 0);
}

#[test]
fn analysis_knows_no_taste_and_no_chance() {
    assert_eq!(draw_value(&[("style", "risky"), ("UCI_AnalyseMode", "true")]), 0);
    let varied = openings(&TestEngine::start(), &[("randomness", "huge"), ("analysemode", "true")]);
    assert!(varied.iter().all(|&mv| mv == varied[0]), "{varied:?}");
}

#[test]
fn a_worker_that_rests_hears_stop_all_the_same() {
    let engine = TestEngine::start();
    engine.position(MIDDLE_GAME, "");
    engine.set("idle", "large");
    engine.send(Command::Go(Go::default()));
    assert!(matches!(engine.next(), Reply::Info(_)));
    let sent = Instant::now();
    engine.send(Command::Stop);
    engine.answer();
    assert!(sent.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_table_that_is_off_is_neither_written_nor_read() {
    let engine = TestEngine::with(&[("usehash", "false")]);
    let probe = |engine: &TestEngine| {
        engine.send(Command::Probe(GameText { start: Position::start(), moves: Vec::new(), rank_hint: None }));
        match engine.next() {
            Reply::TableContent(content) => content,
            other => panic!("{other:?}"),
        }
    };
    engine.position(START_FEN, "");
    let answer = engine.go(depth(5));
    assert!(probe(&engine).is_none());
    assert_eq!(answer.last().effort.hashfull, 0);

    let limits = Limits { depth: Some(5), ..Limits::default() };
    let filled = || {
        let table = Arc::new(Table::new(4).unwrap());
        think(MIDDLE_GAME, limits, Plan::default(), Arc::clone(&table));
        Arc::into_inner(table).expect("the search has ended")
    };
    let off = || Plan { uses_table: false, ..Plan::default() };
    let alone = think(MIDDLE_GAME, limits, off(), Table::new(4).unwrap());
    assert_eq!(think(MIDDLE_GAME, limits, off(), filled()), alone);
    assert_ne!(think(MIDDLE_GAME, limits, Plan::default(), filled()).nodes, alone.nodes);
}

#[test]
fn levels_spend_more_nodes_the_higher_they_are() {
    let spent = |options: &[(&str, &str)]| {
        let engine = TestEngine::with(options);
        engine.position(MIDDLE_GAME, "");
        engine.go(nodes(20_000)).nodes()
    };
    let level = |elo| spent(&[("UCI_LimitStrength", "true"), ("UCI_Elo", elo)]);
    assert_eq!(spent(&[("UCI_Elo", "800")]), 20_000);
    assert_eq!(spent(&[("limitstrength", "true"), ("elo", "2800")]), 20_000);
    assert!(level("800") < level("1200") && level("1200") < level("1800") && level("1800") < 20_000);
    let skill = |level| spent(&[("Skill Level", level)]);
    assert_eq!((skill("0"), skill("4"), skill("20")), (level("800"), level("1200"), 20_000));
    assert!(skill("4") < skill("10") && skill("10") < 20_000);
}

#[test]
fn the_weakest_level_mates_in_one_and_waits_when_it_shall() {
    let engine = TestEngine::with(&[("limitstrength", "true"), ("elo", "800")]);
    for seed in 1..=10 {
        engine.set("randomseed", &seed.to_string());
        engine.position(MATE_IN_ONE, "");
        assert!([mv("e1d1"), mv("e1e8")].contains(&engine.go(timed(1000, ClockMode::ThisMove)).best));
    }
    // A position with many moves, one of which leaves black without a legal move.
    let fen = "3k5/4P4/4P4/R8/C1N6/9/9/9/4A4/2BAK2NR w";
    let root = Position::from_fen(fen).unwrap();
    let mates = |mv: Move| !root.play(mv).has_legal_move();
    assert!(root.legal_moves().into_iter().any(mates));
    engine.position(fen, "");
    assert!(mates(engine.go(depth(9)).best));
    engine.position(START_FEN, "");
    engine.send(Command::Go(Go::default()));
    std::thread::sleep(Duration::from_millis(200));
    engine.send(Command::IsReady);
    loop {
        match engine.next() {
            Reply::Info(_) | Reply::Effort(_) => {}
            Reply::Ready => break,
            other => panic!("an infinite search ends by stop alone: {other:?}"),
        }
    }
    engine.send(Command::Stop);
    engine.answer();
}

#[test]
fn a_proven_mate_ends_the_search_on_the_clock_of_a_game_alone_unless_the_user_wants_to_go_on() {
    let of_game = || timed(3_600_000, ClockMode::Increment(0));
    for (value, go, goes_on) in [("true", depth(12), true), ("true", of_game(), false), ("false", of_game(), true)] {
        let engine = TestEngine::with(&[("forcedatonce", value)]);
        engine.position(MATE_IN_ONE, "");
        let answer = engine.go(go);
        let last = answer.last();
        assert_eq!(last.iteration.score, Score::mate_in(1), "{value}");
        assert_eq!(last.iteration.depth >= 12, goes_on, "{value}: {last:?}");
    }
}

#[test]
fn a_clock_in_nodes_makes_games_repeatable() {
    let game = |rate: &str| -> Vec<(Move, u64)> {
        let engine = TestEngine::with(&[("nodestime", rate)]);
        let clock = || timed(20_000, ClockMode::Increment(100));
        ["", "h2e2 h9g7", "h2e2 h9g7 h0g2 i9h9"]
            .map(|moves| {
                engine.position(START_FEN, moves);
                let answer = engine.go(clock());
                (answer.best, answer.nodes())
            })
            .into()
    };
    let first = game("20");
    assert_eq!(game("20"), first);
    let double = game("40");
    assert!(double.iter().zip(&first).all(|(more, less)| more.1 > less.1), "{first:?} {double:?}");
}

#[test]
fn wdl_is_shown_on_request_and_sums_to_a_thousand() {
    let engine = TestEngine::start();
    engine.position(MIDDLE_GAME, "");
    assert!(engine.go(depth(4)).infos().iter().all(|info| info.wdl.is_none()));
    engine.set("UCI_ShowWDL", "true");
    for fen in [MIDDLE_GAME, MATE_IN_ONE] {
        engine.position(fen, "");
        let answer = engine.go(depth(4));
        assert!(answer.infos().iter().all(|info| info.wdl.unwrap().iter().sum::<u32>() == 1000));
    }
    assert_eq!(engine.go(depth(4)).last().wdl, Some([1000, 0, 0]));
}

#[test]
fn a_dictated_value_holds_wherever_its_position_is_met() {
    let engine = TestEngine::start();
    engine.position(START_FEN, "");
    let after = Position::start().play(mv("a3a4"));
    assert_ne!(engine.go(depth(4)).best, mv("a3a4"));
    engine.set("UCI_SetPositionValue", &format!("value 700 {}", after.to_fen()));
    let answer = engine.go(depth(4));
    assert_eq!((answer.best, answer.last().iteration.score.raw()), (mv("a3a4"), 700));
    // From red's view, also with black to move; and deeper than one ply.
    engine.position("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "");
    engine.set("UCI_SetPositionValue", &format!("clear {}", after.to_fen()));
    assert_ne!(engine.go(depth(4)).best, mv("a3a4"));
    let answered = after.play(mv("a6a5"));
    engine.set("UCI_SetPositionValue", &format!("-700 {}", answered.to_fen()));
    engine.position(START_FEN, "a3a4");
    let answer = engine.go(depth(4));
    assert_eq!((answer.best, answer.last().iteration.score.raw()), (mv("a6a5"), 700));
    engine.set("UCI_SetPositionValue", "clearall");
    // Any number is a value, and the smallest one has no counterpart.
    engine.position(START_FEN, "");
    engine.set("UCI_SetPositionValue", &format!("{} {}", i32::MIN, after.to_fen()));
    let answer = engine.go(depth(3));
    assert!(answer.best != mv("a3a4") && answer.said.iter().all(|reply| !matches!(reply, Reply::Message(_))));
    engine.set("UCI_SetPositionValue", "clearall");
    engine.position(START_FEN, "a3a4");
    assert!(engine.go(depth(4)).last().iteration.score.raw() < 400);
    engine.send(Command::SetOption { name: "UCI_SetPositionValue".into(), value: "value seven 9/9".into() });
    assert!(matches!(engine.next(), Reply::Message(_)));
}

#[test]
fn moves_proven_lost_or_won_are_reported_in_analysis() {
    let engine = TestEngine::start();
    let proven = |fen: &str, go: Go| {
        engine.position(fen, "");
        let Answer { said, best } = engine.go(go);
        let proven_moves = said.into_iter().rev().find_map(|reply| match reply {
            Reply::ProvenMoves { winning, losing } => Some((winning, losing)),
            _ => None,
        });
        (best, proven_moves)
    };
    // Two rooks against a bare king: the infinite search ends on its own with the mate.
    let (best, proven_moves) = proven("4k4/9/9/9/9/9/9/R8/1R7/3K5 w", Go::default());
    let (winning, losing) = proven_moves.expect("a mate is a proof");
    assert!(winning.contains(&best) && losing.is_empty(), "{winning:?} {losing:?}");
    // Now the king is to move, and every move loses.
    let (_, proven_moves) = proven("4k4/9/9/9/9/9/9/R8/1R7/3K5 b", Go::default());
    let (winning, losing) = proven_moves.expect("a mate is a proof");
    assert_eq!((winning.len(), losing.len()), (0, 2), "{winning:?} {losing:?}");
    assert_eq!(proven("4k4/9/9/9/9/9/9/R8/1R7/3K5 w", depth(6)).1, None, "this is no analysis");
}

#[test]
fn the_text_about_the_engine_can_be_read_alone() {
    let about = OPTIONS.iter().find(|spec| spec.uci == Some("UCI_EngineAbout")).unwrap();
    assert!(matches!(about.kind, OptionKind::Text { default, .. } if default.contains("Chuhe")));
    let mut options = Options::default();
    assert_eq!(options.set("UCI_EngineAbout", "something else").unwrap().change, Change::Nothing);
}

#[test]
fn a_larger_table_is_filled_less() {
    let filled = |mebibytes| {
        let engine = TestEngine::with(&[("hashsize", mebibytes)]);
        engine.position(MIDDLE_GAME, "");
        engine.go(nodes(60_000)).last().effort.hashfull
    };
    let (small, large) = (filled("1"), filled("16"));
    assert!(small > 4 * large, "{small} and {large} of a thousand");
}

/// The system lists the threads of a process by name.
#[cfg(target_os = "linux")]
#[test]
fn as_many_workers_run_as_are_wanted() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let mut engine = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    for wanted in [3, 1, 2] {
        write!(input, "ucci\nsetoption hashsize 1\nsetoption threads {wanted}\nisready\n").unwrap();
        assert!(lines.any(|line| line.unwrap() == "readyok"));
        let workers = || {
            let tasks = std::fs::read_dir(format!("/proc/{}/task", engine.id())).unwrap();
            let names = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
            names.filter(|name| name.starts_with("worker")).count()
        };
        // A thread sets its name when it first runs.
        let deadline = Instant::now() + Duration::from_secs(60);
        while workers() != wanted {
            assert!(Instant::now() < deadline, "{} workers, not {wanted}", workers());
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
}
