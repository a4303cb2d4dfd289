//! Lines about a match in the formats of cutechess-cli and fastchess, which scripts read.

use std::collections::{BTreeMap, HashSet};

use chuhe::board::{FILES, Piece, Position, RANKS, Side, Square};
use chuhe_games::record::{EndingClass, GameRecord, GameResult, MoveRecord};

use crate::screen::printable;
use crate::sprt::{Decision, Sprt};
use crate::stats::{Interval, Tally};

/// Returns `Started game 1 of 40 (A vs B)`.
pub fn started(number: u32, games: u32, red: &str, black: &str) -> String {
    format!("Started game {number} of {games} ({red} vs {black})")
}

/// Returns `Finished game 1 (A vs B): 1-0 {Red mates}`.
pub fn finished(game: &GameRecord) -> String {
    let GameRecord { number, red, black, result, .. } = game;
    format!("Finished game {number} ({red} vs {black}): {} {{{}}}", result.text(), reason(game))
}

/// Returns the standard error of the engine that lost a game, if the engine failed.
pub fn stderr_lines(game: &GameRecord) -> Vec<String> {
    game.loser().map_or_else(Vec::new, |culprit| stderr_of(culprit, &game.ending.stderr))
}

/// Returns a warning for each engine with an illegal move in a PV of this game, naming the first one.
pub fn warnings(game: &GameRecord) -> Vec<String> {
    let of = |name: &String| {
        let mut all = illegal_pvs(game).filter(|(_, mover, _)| *mover == name);
        let (number, _, text) = all.next()?;
        let more = all.count();
        let rest = if more == 0 { String::new() } else { format!("; at {more} more moves of this game") };
        Some(format!("Warning: illegal move in a PV of {name}, move {number} of game {}: {text}{rest}", game.number))
    };
    [&game.red, &game.black].into_iter().filter_map(of).collect()
}

/// Illegal moves in PVs: the move number, the engine, and the text.
fn illegal_pvs(game: &GameRecord) -> impl Iterator<Item = (usize, &String, &String)> {
    movers(game).filter_map(|(number, mover, record)| Some((number, mover, record.illegal_pv.as_ref()?)))
}

/// Returns the moves of the engines with their numbers and movers.
pub(crate) fn movers(game: &GameRecord) -> impl Iterator<Item = (usize, &String, &MoveRecord)> {
    let black_begins = Position::from_fen(&game.start_fen).is_ok_and(|position| position.side() == Side::Black);
    let opening = game.opening_moves.len();
    // Plies since a move of Red, before or in the opening.
    let before = opening + usize::from(black_begins == opening.is_multiple_of(2));
    game.moves.iter().enumerate().map(move |(ply, record)| {
        let mover = if ply.is_multiple_of(2) == black_begins { &game.black } else { &game.red };
        ((before + ply) / 2 + 1, mover, record)
    })
}

/// Returns the standard error of an engine as lines of output.
pub fn stderr_of(engine: &str, stderr: &str) -> Vec<String> {
    stderr.lines().map(|line| printable(&format!("Standard error of {engine}: {line}"))).collect()
}

/// Returns why a game ended, with the words that OpenBench looks for: `on time`, `disconnect`, `stalls` and `illegal`.
pub fn reason(game: &GameRecord) -> String {
    let (winner, loser) = match game.result {
        GameResult::Red => ("Red", "Black"),
        GameResult::Black => ("Black", "Red"),
        GameResult::Draw | GameResult::Unfinished => ("Nobody", "Nobody"),
    };
    let text = behind_loser(&game.ending.text);
    let with_text = |head: String| if text.is_empty() { head } else { format!("{head}: {text}") };
    match game.ending.class {
        EndingClass::Mate => format!("{winner} mates"),
        EndingClass::Stalemate => format!("{winner} wins by stalemate"),
        EndingClass::Repetition if game.result == GameResult::Draw => format!("Draw by {text}"),
        EndingClass::Repetition => format!("{loser} loses by {text}"),
        EndingClass::MoveLimit => "Draw by the limit of moves without a capture".to_owned(),
        EndingClass::NoAttackers => "Draw by insufficient mating material".to_owned(),
        EndingClass::Resignation => format!("{loser} resigns"),
        EndingClass::Agreement => "Draw by agreement".to_owned(),
        EndingClass::DrawAdjudication => "Draw by adjudication".to_owned(),
        EndingClass::WinAdjudication => format!("{winner} wins by adjudication"),
        EndingClass::TablebaseDraw => format!("Draw by adjudication: {text}"),
        EndingClass::TablebaseWin => format!("{winner} wins by adjudication: {text}"),
        EndingClass::MaxMoves => "Draw by adjudication: maximum game length".to_owned(),
        EndingClass::TimeLoss => format!("{loser} loses on time"),
        EndingClass::Killed => with_text(format!("{loser} disconnects, killed")),
        EndingClass::Crash => with_text(format!("{loser} disconnects")),
        EndingClass::Hang => with_text(format!("{loser}'s connection stalls")),
        EndingClass::IllegalMove => with_text(format!("{loser} makes an illegal move")),
        EndingClass::BannedMove => with_text(format!("{loser} makes an illegal move, which was forbidden")),
        EndingClass::NoHandshake => with_text(format!("{loser}'s connection stalls at the handshake")),
        EndingClass::ProtocolViolation => with_text(format!("{loser} breaks the protocol")),
        EndingClass::Interrupted => "Interrupted".to_owned(),
    }
}

/// Returns the text of an ending without `red loses: ` and without the name of its class.
fn behind_loser(text: &str) -> &str {
    let classes = ["crash", "killed", "hang", "illegal move", "banned move", "no handshake", "protocol violation"];
    let heads = ["red loses: ", "black loses: ", "draw: "];
    let offence = heads.iter().find_map(|head| text.strip_prefix(head)).unwrap_or(text);
    let details = offence.split_once(": ").filter(|(class, _)| classes.contains(class)).map(|(_, details)| details);
    details.unwrap_or(offence)
}

/// Returns `Score of A vs B: 2 - 1 - 3  [0.583] 6`.
pub fn score(first: &str, second: &str, tally: &Tally) -> String {
    let Tally { wins, losses, draws, .. } = tally;
    let share = tally.score().unwrap_or(0.5);
    format!("Score of {first} vs {second}: {wins} - {losses} - {draws}  [{share:.3}] {}", tally.games())
}

/// Returns the lines with Elo, LOS and pentanomial counts of the first of two engines.
pub fn rating(tally: &Tally) -> Vec<String> {
    let Some(estimate) = tally.estimate() else { return Vec::new() };
    let with_error = |interval: &Interval| format!("{:.2} +/- {:.2}", rounded(interval.value, 2), error(interval));
    let draws = tally.draw_ratio().unwrap_or(0.0) * 100.0;
    let superiority = estimate.superiority * 100.0;
    let elo = with_error(&estimate.elo);
    let mut lines = vec![format!("Elo difference: {elo}, LOS: {superiority:.1} %, DrawRatio: {draws:.1} %")];
    if tally.complete_pairs() > 0 {
        let pairs = tally.pairs;
        let ratio = tally.pairs_ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        let normalised = with_error(&estimate.normalised_elo);
        lines.push(format!("nElo difference: {normalised}, Ptnml(0-2): {pairs:?}, PairsRatio: {ratio}"));
    }
    lines
}

/// Returns the error margin for printing: an unknown one is infinite.
pub(crate) fn error(interval: &Interval) -> f64 {
    interval.known_error().unwrap_or(f64::INFINITY)
}

/// Rounds a number to `digits` decimals; zero has no minus sign.
pub(crate) fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (value * unit).round() / unit + 0.0
}

/// Returns the line about the SPRT in the words of cutechess-cli, which gives the LLR as a share of the upper bound.
pub fn sprt(sprt: &Sprt, tally: &Tally) -> String {
    let outcomes = tally.outcomes();
    let (ratio, (lower, upper)) = (sprt.log_likelihood_ratio(&outcomes), sprt.bounds());
    let percent = 100.0 * ratio / upper;
    let verdict = match sprt.decision(&outcomes) {
        Decision::Open => "",
        Decision::AcceptH0 => " - H0 was accepted",
        Decision::AcceptH1 => " - H1 was accepted",
    };
    let [ratio, lower, upper] = [ratio, lower, upper].map(significant);
    format!("SPRT: llr {ratio} ({percent:.1}%), lbound {lower}, ubound {upper}{verdict}")
}

/// Formats a number with three significant digits, as `%.3g` does in C for numbers of this size.
fn significant(number: f64) -> String {
    let digits = if number == 0.0 { 0 } else { 2 - number.abs().log10().floor() as i32 };
    let text = format!("{:.*}", usize::try_from(digits.max(0)).unwrap_or(0), number + 0.0);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Returns the lines about failures: crashes and the like, games repeated because an engine was killed, and illegal moves in
/// PVs.
pub fn failures(games: &[GameRecord]) -> Vec<String> {
    let failures = games.iter().filter(|game| game.ending.class.is_failure());
    let failures = counted(failures.filter_map(|game| Some((game.loser()?, game.ending.class))));
    let by_tables = |class| games.iter().filter(|game| game.ending.class == class).count();
    let [won, drawn] = [EndingClass::TablebaseWin, EndingClass::TablebaseDraw].map(by_tables);
    let ended =
        (won + drawn > 0).then(|| format!("Ended by tablebases: {won} won, {drawn} drawn of {} games", games.len()));
    let kills = counted(games.iter().flat_map(|game| &game.killed));
    let illegal_pvs = counted(games.iter().flat_map(illegal_pvs).map(|(_, name, _)| name));
    let failures = failures.iter().map(|((name, class), count)| format!("Failures of {name}: {class:?} {count}"));
    failures
        .chain(kills.iter().map(|(name, count)| format!("Played again, {name} having been killed: {count}")))
        .chain(illegal_pvs.iter().map(|(name, count)| format!("Illegal moves in PVs of {name}: at {count} moves")))
        .chain(ended)
        .collect()
}

fn counted<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    items.fold(BTreeMap::new(), |mut counts, item| {
        *counts.entry(item).or_default() += 1;
        counts
    })
}

/// Returns the final position of a game as a board, Red's pieces in capitals, with files and ranks.
pub fn board(game: &GameRecord) -> Vec<String> {
    let Some(position) = game.last_position() else { return Vec::new() };
    let rows = (0..RANKS).rev().map(|rank| {
        let letter = |file| position.piece_on(Square::new(file, rank)).map_or('.', Piece::letter);
        (0..FILES).fold(format!("  {rank} "), |row, file| format!("{row} {}", letter(file)))
    });
    rows.chain(["     a b c d e f g h i".to_owned()]).collect()
}

/// Returns a line with the number of games that repeat an earlier one move by move and so add no evidence.
pub fn repetitions(games: &[GameRecord]) -> Option<String> {
    let mut seen = HashSet::new();
    let played = games.iter().filter(|game| !game.moves.is_empty()).map(|game| {
        let moves: Vec<&str> = game.moves.iter().map(|record| record.mv.as_str()).collect();
        (&game.red, &game.black, &game.start_fen, moves)
    });
    let count = played.filter(|game| !seen.insert(game.clone())).count();
    (count > 0).then(|| format!("Repeated games: {count} of {} are earlier ones move by move", games.len()))
}

/// Returns a line about the latency of the arena: from the answer of one engine to the request to the other.
pub fn latency(games: &[GameRecord]) -> Option<String> {
    let mut all: Vec<u64> = games.iter().flat_map(|game| &game.moves).filter_map(|mv| mv.latency_us).collect();
    all.sort_unstable();
    let (median, most) = (*all.get(all.len() / 2)?, *all.last()?);
    let ms = |us: u64| us as f64 / 1000.0;
    Some(format!("Latency of the arena: median {:.3} ms, maximum {:.3} ms, {} moves", ms(median), ms(most), all.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::game;
    use crate::sprt::Model;

    #[test]
    fn the_lines_are_worded_as_scripts_expect_them() {
        assert_eq!(started(1, 40, "A", "B"), "Started game 1 of 40 (A vs B)");
        let mate = game(7, "A", "B", GameResult::Black, EndingClass::Mate);
        assert_eq!(finished(&mate), "Finished game 7 (A vs B): 0-1 {Black mates}");
        // OpenBench takes the third word as the number and the seventh as the result.
        let line = finished(&mate);
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!((words[2], words[6]), ("7", "0-1"));
        let tally = Tally { wins: 2, losses: 1, draws: 3, pairs: [0, 1, 0, 2, 0] };
        assert_eq!(score("A", "B", &tally), "Score of A vs B: 2 - 1 - 3  [0.583] 6");
        let lines = rating(&tally);
        assert!(lines[0].starts_with("Elo difference: 58.4") && lines[0].contains(", LOS: "), "{lines:?}");
        assert!(lines[1].contains("Ptnml(0-2): [0, 1, 0, 2, 0]"), "{lines:?}");
        assert!(rating(&Tally::default()).is_empty());
    }

    #[test]
    fn failures_contain_the_words_that_are_counted() {
        for (class, word) in [
            (EndingClass::TimeLoss, "Red loses on time"),
            (EndingClass::Crash, "disconnect"),
            (EndingClass::Hang, "stalls"),
            (EndingClass::NoHandshake, "stalls"),
            (EndingClass::IllegalMove, "illegal"),
            (EndingClass::BannedMove, "illegal"),
        ] {
            let mut game = game(1, "A", "B", GameResult::Black, class);
            game.ending.text = "red loses: illegal move: a0a9 in x".into();
            let reported = reason(&game);
            assert!(reported.contains(word) && !reported.contains("loses: illegal"), "{reported}");
            assert_eq!(failures(&[game]), [format!("Failures of A: {class:?} 1")]);
        }
    }

    #[test]
    fn games_played_twice_are_reported() {
        let with_move = |number, red, black, mv: &str| GameRecord {
            moves: vec![MoveRecord { mv: mv.to_owned(), ..MoveRecord::default() }],
            ..game(number, red, black, GameResult::Draw, EndingClass::Agreement)
        };
        let new = [with_move(1, "A", "B", "h2e2"), with_move(2, "B", "A", "h2e2"), with_move(3, "A", "B", "b2e2")];
        assert_eq!(repetitions(&new), None);
        let again = [new.to_vec(), new[..2].to_vec()].concat();
        let reported = "Repeated games: 2 of 5 are earlier ones move by move";
        assert_eq!(repetitions(&again).as_deref(), Some(reported));
        // Games without moves do not count as repetitions.
        assert_eq!(repetitions(&[1, 2].map(|n| game(n, "A", "B", GameResult::Red, EndingClass::Crash))), None);
    }

    #[test]
    fn who_was_killed_has_not_failed_and_is_reported() {
        let mut games = [1, 2].map(|number| game(number, "A", "B", GameResult::Draw, EndingClass::Mate));
        games[0].killed = vec!["B".into(), "B".into()];
        games[1].killed = vec!["A".into()];
        let reported = ["Played again, A having been killed: 1", "Played again, B having been killed: 2"];
        assert_eq!(failures(&games), reported);
    }

    #[test]
    fn illegal_moves_in_a_pv_are_warned_of_once_a_game() {
        let moves = |ply: usize| MoveRecord {
            illegal_pv: [1, 3].contains(&ply).then(|| "a0a9 after h9g7".to_owned()),
            ..MoveRecord::default()
        };
        let mut game = game(7, "A", "B", GameResult::Draw, EndingClass::Agreement);
        game.moves = (0..5).map(moves).collect();
        let reported =
            "Warning: illegal move in a PV of B, move 1 of game 7: a0a9 after h9g7; at 1 more moves of this game";
        assert_eq!(warnings(&game), [reported]);
        assert_eq!(failures(&[game.clone()]), ["Illegal moves in PVs of B: at 2 moves"]);
        game.start_fen = "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1".into();
        assert!(warnings(&game)[0].starts_with("Warning: illegal move in a PV of A, "));
        game.moves.clear();
        assert!(warnings(&game).is_empty() && failures(&[game]).is_empty());
    }

    #[test]
    fn loops_are_reported_with_who_is_to_blame() {
        let mut game = game(1, "A", "B", GameResult::Black, EndingClass::Repetition);
        game.ending.text = "red loses: perpetual check; loop F0-E0".into();
        assert_eq!(reason(&game), "Red loses by perpetual check; loop F0-E0");
        game.result = GameResult::Draw;
        game.ending.text = "draw: repetition; loop F0-E0".into();
        assert_eq!(reason(&game), "Draw by repetition; loop F0-E0");
    }

    #[test]
    fn one_pair_has_no_error_bar_of_zero() {
        let one = Tally { wins: 1, losses: 1, draws: 0, pairs: [0, 0, 1, 0, 0] };
        let five = Tally { wins: 0, losses: 0, draws: 10, pairs: [0, 0, 5, 0, 0] };
        for tally in [one, five] {
            let lines = rating(&tally).join("\n");
            assert!(lines.contains("Elo difference: 0.00 +/- inf,") && !lines.contains("+/- 0.00"), "{lines}");
        }
        let two = Tally { wins: 2, losses: 1, draws: 1, pairs: [0, 0, 1, 1, 0] };
        assert!(!rating(&two).join("\n").contains("+/- inf"), "{:?}", rating(&two));
    }

    #[test]
    fn games_ended_by_tablebases_are_counted() {
        let games = [(1, EndingClass::TablebaseWin), (2, EndingClass::TablebaseDraw), (3, EndingClass::Mate)]
            .map(|(number, class)| game(number, "A", "B", GameResult::Red, class));
        assert_eq!(failures(&games), ["Ended by tablebases: 1 won, 1 drawn of 3 games"]);
    }

    #[test]
    fn the_test_says_when_it_is_over() {
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let won = Tally { pairs: [0, 0, 0, 0, 9999], ..Tally::default() };
        assert!(sprt(&test, &won).ends_with("H1 was accepted"));
        assert_eq!(sprt(&test, &Tally::default()), "SPRT: llr 0 (0.0%), lbound -2.94, ubound 2.94");
        let lost = Tally { pairs: [40, 100, 200, 80, 30], ..Tally::default() };
        let line = sprt(&test, &lost);
        assert!(line.starts_with("SPRT: llr -") && line.contains(" (-"), "{line}");
        assert_eq!([2.254, -0.0123, 12.0, 0.5].map(significant), ["2.25", "-0.0123", "12", "0.5"]);
    }

    #[test]
    fn the_last_position_is_drawn() {
        let mut one = game(1, "A", "B", GameResult::Draw, EndingClass::Mate);
        one.moves = ["h2e2", "h9g7"].map(|mv| MoveRecord { mv: mv.to_owned(), ..MoveRecord::default() }).to_vec();
        let board = board(&one);
        assert_eq!((board[0].as_str(), board[2].as_str()), ("  9  r n b a k a b . r", "  7  . c . . . . n c ."));
        assert_eq!((board[7].as_str(), board.len()), ("  2  . C . . C . . . .", 11));
        one.start_fen = "nowhere".into();
        assert!(super::board(&one).is_empty());
    }

    #[test]
    fn the_latency_is_a_median_and_a_maximum() {
        let mut one = game(1, "A", "B", GameResult::Draw, EndingClass::Mate);
        assert_eq!(latency(&[one.clone()]), None);
        one.moves =
            [10, 3000, 20].map(|latency| MoveRecord { latency_us: Some(latency), ..MoveRecord::default() }).to_vec();
        assert_eq!(latency(&[one]).unwrap(), "Latency of the arena: median 0.020 ms, maximum 3.000 ms, 3 moves");
    }
}
