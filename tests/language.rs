//! Languages of the user: help, errors, and a game at a terminal.
#![cfg(unix)]

mod support;

use support::terminal::{converse, engine, leave, person_with};

const MATE_IN_ONE: &str = "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";

#[test]
fn help_is_in_the_language_of_the_system_if_the_terminal_shows_it() {
    for (locale, line) in [
        ("zh_CN.UTF-8", "quit                   退出程序"),
        ("zh_CN.GB18030", "quit                   end the program"),
        ("en_GB.UTF-8", "quit                   end the program"),
    ] {
        let mut session = person_with(locale);
        converse(&mut session, &[("help", &[line]), ("quit", &["bye"])]);
        session.exp_eof().unwrap();
    }
}

/// Returns the page's dialogue of a game, each line of input with the output below it.
fn shown_game(page: &str) -> Vec<(&str, Vec<&str>)> {
    let block = page.split("```text\n> play\n").nth(1).expect("the page has a game").split("```").next().unwrap();
    let mut steps = vec![("play", vec![])];
    for line in block.lines() {
        match line.strip_prefix("> ") {
            Some(input) => steps.push((input, vec![])),
            None => steps.last_mut().unwrap().1.push(line),
        }
    }
    steps
}

#[test]
fn the_manual_shows_a_game_as_it_is() {
    for (locale, page) in [
        ("C.UTF-8", include_str!("../docs/en/src/getting-started.md")),
        ("zh_CN.UTF-8", include_str!("../docs/zh/src/getting-started.md")),
    ] {
        let mut session = person_with(locale);
        for (input, output) in shown_game(page) {
            // The board and the engine's move depend on the engine.
            let is_sentence = |line: &&str| !line.starts_with([' ', '.']);
            let sentences = output.into_iter().filter(is_sentence).map(|line| match line.split_once(['）', ')']) {
                Some((start, _)) if line.contains("Chuhe)") || line.contains("楚河）") => start,
                _ => line,
            });
            converse(&mut session, &[(input, &sentences.collect::<Vec<_>>())]);
        }
        leave(session);
    }
}

#[test]
fn a_game_is_in_chinese_where_the_system_is() {
    let mut session = person_with("zh_CN.UTF-8");
    converse(
        &mut session,
        &[
            ("hlep", &["没有 \"hlep\" 这个命令；输入 help 列出命令"]),
            ("move", &["move 之后是着法，如 h2e2、C2=5 或 炮二平五"]),
            ("move xyz", &["\"xyz\" 不是着法；着法写作 h2e2、C2=5 或 炮二平五"]),
            ("play white", &["play 之后是 red、black 或 off，以及不超过 86400 的秒数，不能是 \"white\""]),
            ("undo all", &["undo 之后是步数，不能是 \"all\""]),
            ("undo", &["没有可悔的棋"]),
            ("play off", &["没有与引擎的对弈"]),
            ("ponderhit", &["在当前状态下没有作用"]),
            ("position startpos moves 炮二平五 H8+7", &[]),
            ("d", &["轮到红方走棋", "FEN    rnbakab1r/9/1c4nc1/"]),
            ("undo 2", &["悔棋 2 步", "轮到红方走棋"]),
            ("a0a9", &["a0a9 不合法，未走"]),
            ("move 炮二平五 炮五平五", &["炮五平五（第 2 着）不合法，所有着法都没有走"]),
            ("position fen 3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", &[]),
            ("R5=6", &["R5=6 可能是 e3d3, e5d5 中的任何一着，没有走"]),
            ("move e3e4 d9d8 R5=6", &["R5=6 可能是 e4d4, e5d5 中的任何一着（第 3 着），所有着法都没有走"]),
            (MATE_IN_ONE, &[]),
            (
                "play 0.1",
                &["您执红，楚河执黑，每步思考 0.1 秒；输入 stop 让它立即走棋", "轮到红方走棋", "输入着法，如"],
            ),
            ("车五平六", &["红方：车五平六 (e1d1)", "棋局结束，黑方负：将死；输入 new 重新开局，输入 undo 悔棋"]),
            ("new", &["新的一局", "轮到红方走棋"]),
            ("C2=5", &["1. 红方：炮二平五 (h2e2)", "1. 黑方（楚河）：", "轮到红方走棋"]),
            ("play off", &["与引擎的对弈已结束；输入 play 从当前局面重新开始"]),
            ("position fen 5k3/9/9/9/9/9/9/3R5/9/3K5 w", &[]),
            ("d2f2", &["红方：车六平四 (d2f2)", "轮到黑方走棋，正被将军"]),
            // A search that is not at its greatest depth before the next line is read.
            ("position fen 1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w", &[]),
            ("go infinite\nd", &["引擎正在思考，此时不能执行；输入 stop 结束思考"]),
            ("stop", &["bestmove "]),
            ("position fen x\nd", &["没有局面：上次给出的局面有误"]),
            ("e0e1", &["没有走 e0e1：没有局面"]),
        ],
    );
    leave(session);
}

#[test]
fn errors_of_the_command_line_are_in_the_language_of_the_system() {
    for (locale, shown) in
        [("zh_CN.UTF-8", "错误：没有“bensh”这个命令\n"), ("C.UTF-8", "error: unrecognized subcommand 'bensh'\n")]
    {
        let output = engine().env("LC_ALL", locale).arg("bensh").output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.starts_with(shown), "{text}");
    }
}
