//! Tests of games as users give them, and of what is kept of them.

use super::line::{BEFORE_CAPTURE, LONGEST_MEMORY};
use super::*;
use crate::board::Side;

fn moves(text: &str) -> Vec<MoveText> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

fn written(text: &str) -> Vec<WrittenMove> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

/// Returns a game from the start position.
fn given(text: &str) -> GameText {
    GameText { start: Position::start(), moves: written(text), rank_hint: None }
}

fn game(text: &str) -> (Game, Result<(), GameError>) {
    let mut game = Game::default();
    let result = game.set(&given(text), Variant::Standard);
    (game, result)
}

#[test]
fn the_history_begins_where_the_moves_begin() {
    let (game, result) = game("h2e2 h9g7 h0g2");
    assert_eq!(result, Ok(()));
    assert_eq!(game.history().len(), 4);
    assert_eq!(game.history()[0], Position::start());
}

#[test]
fn an_illegal_move_ends_the_game_before_it() {
    let (game, result) = game("h2e2 a0a9 h9g7");
    let error = result.unwrap_err();
    assert_eq!(error.to_string(), "a0a9 is not legal as move 2 of the game given, the position before it is used");
    assert_eq!(game.history().len(), 2);
    assert_eq!(game.position().unwrap().side(), Side::Black);
}

/// Returns the position as a user gives it bare, without counters or moves.
fn bare(position: &Position) -> GameText {
    let fen: Vec<String> = position.to_fen().split(' ').take(2).map(str::to_owned).collect();
    GameText { start: Position::from_fen(&fen.join(" ")).unwrap(), moves: Vec::new(), rank_hint: None }
}

#[test]
fn a_bare_position_behind_the_last_answer_goes_on_with_the_game() {
    let (mut game, _) = game("h2e2 h9g7");
    let mv = |text: &str| text.parse::<Move>().unwrap();
    game.answer(mv("h0g2"));
    let answered = game.position().unwrap().play(mv("h0g2"));
    let next = answered.play(mv("i9h9"));
    let lengths = [&answered, &next, &next.play(mv("i0h0"))].map(|position| {
        let mut game = game.another();
        game.set(&bare(position), Variant::Standard).unwrap();
        assert_eq!(game.position().unwrap().key(), position.key());
        assert_eq!(game.as_given().last().unwrap().to_fen(), bare(position).start.to_fen());
        game.history().len()
    });
    assert_eq!(lengths, [4, 5, 1], "two moves further is another game");
    let mut given = game.another();
    given.set(&GameText { moves: written("i0h0"), ..bare(&next) }, Variant::Standard).unwrap();
    assert_eq!(given.history().len(), 2, "a user who gives moves gives the game");
    let counted = Position::from_fen(&format!("{} - - 40 30", bare(&next).start.to_fen().split(" - ").next().unwrap()));
    given.set(&GameText { start: counted.unwrap(), ..bare(&next) }, Variant::Standard).unwrap();
    assert_eq!(given.history().len(), 1, "so does a counter that says otherwise");
}

#[test]
fn a_move_that_is_not_added_is_named_and_nothing_has_changed() {
    let (mut game, _) = game("h2e2 h9g7");
    let given = |game: &mut Game| game.play(moves("a0a9")[0]).unwrap_err().to_string();
    assert_eq!(given(&mut game), "a0a9 is not legal here and is not played");
    assert_eq!(game.history().len(), 3);
    game.forget();
    assert_eq!(given(&mut game), "a0a9 is not played: there is no position");
}

#[test]
fn moves_may_be_named_and_are_read_where_they_stand() {
    let (game, result) = game("炮二平五 H8+7 h0g2 车９平８");
    assert_eq!((result, game.rank_base()), (Ok(()), RankBase::Zero));
    assert_eq!(game.moves(), ["h2e2", "h9g7", "h0g2", "i9h9"].map(|mv| mv.parse().unwrap()));
    // Names show no base, but the coordinates beside them do.
    let (game, result) = self::game("炮二平五 h10g8");
    assert_eq!((result, game.rank_base(), game.moves().len()), (Ok(()), RankBase::One, 2));
    let (game, result) = self::game("炮二平五 炮二平五 炮二平五");
    let error = result.unwrap_err().to_string();
    assert_eq!(error, "炮二平五 is not legal as move 3 of the game given, the position before it is used");
    assert_eq!(game.moves().len(), 2);
}

#[test]
fn a_name_of_several_moves_is_refused_in_the_ranks_of_the_user() {
    let start = Position::from_fen("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w").unwrap();
    let (mut game, text) = (Game::default(), GameText { start, moves: written("R5=6"), rank_hint: None });
    let error = game.set(&text, Variant::Standard).unwrap_err().to_string();
    let given = "R5=6 may mean any of e3d3, e5d5 as move 1 of the game given, the position before it is used";
    assert_eq!(error, given);
    game.expect_ranks(Some(RankBase::One), RankBase::One, false);
    let error = game.play_on(&written("车五平六")).unwrap_err().to_string();
    assert_eq!(error, "车五平六 may mean any of e4d4, e6d6 here and is not played");
}

#[test]
fn several_moves_are_played_together_or_not_at_all() {
    let (mut game, _) = game("");
    game.ban(&moves("b2e2"));
    let error = game.play_on(&written("h2e2 h9g7 a0a9")).unwrap_err().to_string();
    assert_eq!(error, "a0a9 is not legal as move 3, none of them is played");
    assert_eq!((game.moves().len(), game.banned.len()), (0, 1));
    assert_eq!(game.play_on(&written("h2e2 马8进7")), Ok(()));
    assert_eq!((game.moves().len(), game.history().len(), game.banned.len()), (2, 3, 0));
}

#[test]
fn moves_are_taken_back_as_far_as_the_start_however_long_the_game() {
    let round = "b0c2 b9c7 c2b0 c7b9 ";
    let (mut game, _) = game(&format!("h2e2 h9g7 {}e2e6", round.repeat(100)));
    let before = game.history().len();
    assert!(before < 300, "{before} positions are kept of 404");
    assert_eq!(game.take_back(1), 1);
    assert_eq!((game.moves().len(), game.position().unwrap().side()), (402, Side::Red));
    assert_eq!(game.take_back(401), 401);
    assert_eq!(game.position(), Some(&Position::start().play("h2e2".parse().unwrap())));
    assert_eq!((game.take_back(9), game.take_back(1)), (1, 0));
    assert_eq!(game.history(), [Position::start()]);
    game.play(moves("h2e2")[0]).unwrap();
    game.flip();
    assert_eq!(game.take_back(1), 0, "a flip forgets what was played");
    game.forget();
    assert_eq!(game.take_back(1), 0);
}

#[test]
fn what_cannot_be_in_a_variant_cannot_be_taken_back_to() {
    let start = Position::from_fen_in("3k5/9/9/9/9/9/9/9/5r3/4KP3 b", Variant::Promotion).unwrap();
    let (mut game, text) = (Game::default(), GameText { start, moves: written("f1f0"), rank_hint: None });
    game.set(&text, Variant::Promotion).unwrap();
    game.history.remove(0);
    game.change_variant(Variant::Standard).unwrap();
    assert_eq!((game.moves().len(), game.take_back(1), game.history().len()), (0, 0, 1));
}

#[test]
fn bans_hold_until_the_position_changes() {
    let (mut game, _) = game("");
    let all = game.root_moves(&[], &Rules::default()).len();
    game.ban(&moves("h2e2 a0a9 b2e2"));
    assert_eq!(game.root_moves(&[], &Rules::default()).len(), all - 2);
    game.ban(&moves("h2e2"));
    assert_eq!(game.root_moves(&[], &Rules::default()).len(), all - 1);
    assert!(game.play(moves("a0a9")[0]).is_err());
    assert_eq!(game.root_moves(&[], &Rules::default()).len(), all - 1);
    game.play(moves("h2e2")[0]).unwrap();
    game.ban(&moves("h9g7"));
    game.set(&given(""), Variant::Standard).unwrap();
    assert_eq!(game.root_moves(&[], &Rules::default()).len(), all);
}

#[test]
fn moves_show_from_where_ranks_are_counted() {
    let (mut game, result) = game("h3e3 h10g8");
    assert_eq!((result, game.rank_base()), (Ok(()), RankBase::One));
    game.play(moves("h1g3")[0]).unwrap();
    assert_eq!(game.history().len(), 4);
    game.set(&given("h2e2"), Variant::Standard).unwrap();
    assert_eq!(game.rank_base(), RankBase::Zero);
    // Moves that fit neither base are read in the one in force, even if the other leads further, and show nothing.
    let error = game.set(&given("h3e3 h9g7"), Variant::Standard).unwrap_err().to_string();
    assert!(error.starts_with("h3e3 is not legal as move 1 "), "{error}");
    assert_eq!((game.rank_base(), game.history().len()), (RankBase::Zero, 1));
}

#[test]
fn a_list_of_moves_to_search_may_show_the_base_too() {
    let mut game = Game::default();
    assert_eq!(game.root_moves(&moves("h3e3 b3e3"), &Rules::default()).len(), 2);
    assert_eq!(game.rank_base(), RankBase::One);
    // The base is known from now on.
    assert!(game.root_moves(&moves("h2e2"), &Rules::default()).is_empty());
    let mut other = game.another();
    other.ban(&moves("h3e3"));
    assert_eq!(other.banned, ["h2e2".parse().unwrap()]);
}

#[test]
fn wishes_that_cannot_be_read_leave_nothing_to_search() {
    let searched = |base, text: &str| {
        let mut game = Game::default();
        game.expect_ranks(Some(base), base, false);
        game.root_moves(&moves(text), &Rules::default()).len()
    };
    assert_eq!(searched(RankBase::Zero, "a10a9"), 0, "there is no tenth rank");
    assert_eq!(searched(RankBase::One, "a0a1"), 0, "there is no rank 0");
    assert_eq!(searched(RankBase::One, "a0a1 h3e3"), 1);
}

#[test]
fn bans_wishes_and_moves_that_fit_neither_base_show_nothing() {
    let unknown = |game: &Game| !game.ranks.are_known() && game.rank_base() == RankBase::One;
    let mut game = Game::default();
    game.expect_ranks(None, RankBase::One, false);
    for text in ["h2e2 h3e3", "a0a9", "h2e2 h10g8", "b10c8", "h3e3 a5a6"] {
        game.ban(&moves(text));
        assert!(unknown(&game), "bans {text}");
        game.root_moves(&moves(text), &Rules::default());
        assert!(unknown(&game), "searchmoves {text}");
        assert!(game.set(&given(&format!("{text} a0a9")), Variant::Standard).is_err());
        assert!(unknown(&game), "moves {text}");
        game.set(&given(""), Variant::Standard).unwrap();
    }
    game.ban(&moves("h2e2 b2e2"));
    assert_eq!((game.rank_base(), game.banned.len()), (RankBase::Zero, 2));
}

#[test]
fn an_accent_is_heard_before_the_first_move() {
    let mut game = Game::default();
    game.expect_ranks(None, RankBase::One, false);
    game.set(&given(""), Variant::Standard).unwrap();
    assert_eq!(game.rank_base(), RankBase::One);
    game.set(&GameText { rank_hint: Some(RankBase::Zero), ..given("") }, Variant::Standard).unwrap();
    assert_eq!(game.rank_base(), RankBase::Zero);
    // Moves in the other base outweigh it.
    game.set(&given("h3e3"), Variant::Standard).unwrap();
    assert_eq!(game.rank_base(), RankBase::One);
}

#[test]
fn no_more_is_remembered_than_can_matter() {
    let round = "b0c2 b9c7 c2b0 c7b9 ";
    let (game, result) = game(&format!("{}h2e2 h9g7 e2e6", round.repeat(50)));
    assert_eq!((result, game.position().unwrap().reversible_plies()), (Ok(()), 0));
    assert!((1 + BEFORE_CAPTURE..50).contains(&game.history().len()), "{}", game.history().len());
    let (game, result) = self::game(&round.repeat(5000));
    assert_eq!((result, game.position().unwrap().reversible_plies()), (Ok(()), 20_000));
    assert!((LONGEST_MEMORY..2 * LONGEST_MEMORY).contains(&game.history().len()), "{}", game.history().len());
    let (mut game, _) = self::game(&round.repeat(40));
    assert_eq!(game.history().len(), 161, "all of it may still be repeated");
    game.play(moves("b0c2")[0]).unwrap();
    assert_eq!(game.history().len(), 162);
}

#[test]
fn moves_that_lose_by_repetition_are_left_out_however_long_the_game() {
    // The king goes back and forth, in check all the time: one more round loses for Red.
    let start = Position::from_fen("9/4k4/9/9/1R7/9/9/9/9/3K1R1r1 w - - 0 1").unwrap();
    // Beyond the move limit a game goes on without it.
    let rules = crate::rules::RuleSet::Asian.rules().without_limit();
    let left_out = |rounds: usize| {
        let (quiet, round) = ("b5b4 h0h1 b4b5 h1h0 ", "f0e0 e8f8 e0f0 f8e8");
        let text = GameText { start, moves: written(&[&quiet.repeat(rounds), round].concat()), rank_hint: None };
        let mut game = Game::default();
        assert_eq!(game.set(&text, Variant::Standard), Ok(()));
        let all = game.position().unwrap().legal_moves().len();
        all - game.root_moves(&[], &rules).len()
    };
    assert_eq!((left_out(0), left_out(3000)), (1, 1));
}

#[test]
fn a_move_that_draws_the_game_at_once_is_none_that_loses_by_repetition() {
    // The last round was all checks; the one before was not, so that the third occurrence draws.
    let start = Position::from_fen("n7r/c3k4/9/9/9/9/9/9/9/2BK2Rr1 w - - 0 1").unwrap();
    let text = "g0e0 e8f8 c0a2 h0h1 e0f0 f8e8 a2c0 h1h0 f0e0 e8f8 e0f0 f8e8";
    let mut game = Game::default();
    game.set(&GameText { start, moves: written(text), rank_hint: None }, Variant::Standard).unwrap();
    let kept = game.root_moves(&[], &crate::rules::RuleSet::Asian.rules());
    assert!(kept.contains(&"f0e0".parse().unwrap()), "{kept:?}");
}

#[test]
fn wanted_moves_and_bans_meet() {
    let (mut game, _) = game("");
    game.ban(&moves("h2e2"));
    assert_eq!(game.root_moves(&moves("a0a9 h2e2 b2e2"), &Rules::default()), ["b2e2".parse().unwrap()]);
    assert!(game.root_moves(&moves("h2e2"), &Rules::default()).is_empty());
}

#[test]
fn a_move_that_is_not_legal_means_no_other_one_where_the_protocol_has_its_base() {
    let mut game = Game::default();
    game.expect_ranks(None, RankBase::Zero, true);
    // Counted from one it would be a pawn's move.
    assert!(game.root_moves(&moves("h3h4"), &Rules::default()).is_empty());
    assert_eq!(game.root_moves(&moves("h10g8"), &Rules::default()).len(), 0, "it is black's");
    assert_eq!(game.root_moves(&moves("h2e2"), &Rules::default()).len(), 1);
    game.expect_ranks(None, RankBase::Zero, false);
    assert_eq!(game.root_moves(&moves("g4g5"), &Rules::default()).len(), 1, "who has no base shows it");
}

const PROMOTED: &str = "3k5/9/9/9/9/9/9/9/9/4KP3 w";

#[test]
fn a_start_that_cannot_be_leaves_no_position() {
    let start = Position::from_fen_in(PROMOTED, Variant::Promotion).unwrap();
    let (mut game, text) = (Game::default(), GameText { start, moves: written("f0f1"), rank_hint: None });
    assert_eq!(game.set(&text, Variant::Promotion), Ok(()));
    assert_eq!(game.history().len(), 2);
    let error = game.set(&text, Variant::Standard).unwrap_err();
    assert_eq!(error.to_string(), "a RedPawn cannot stand on f0");
    assert!(game.position().is_none());
}

#[test]
fn the_game_goes_on_in_another_variant_unless_it_cannot() {
    let (mut game, _) = game("a3a4 a6a5 a4a5");
    let moves_before = game.root_moves(&[], &Rules::default()).len();
    game.change_variant(Variant::Promotion).unwrap();
    assert_eq!(game.history().len(), 4);
    assert_eq!(game.root_moves(&[], &Rules::default()).len(), moves_before + 4);
    game.play(moves("d9d9")[0]).unwrap();
    assert!(game.change_variant(Variant::Standard).is_err());
    assert!(game.position().is_none());
}

#[test]
fn a_flip_exchanges_the_colours_and_forgets_the_past() {
    let (mut game, _) = game("h2e2");
    let before = *game.position().unwrap();
    game.flip();
    assert_eq!((game.history().len(), game.position()), (1, Some(&before.colours_swapped())));
    game.flip();
    assert_eq!(game.position(), Some(&before));
}

#[test]
fn without_a_position_there_are_no_moves() {
    let (mut game, _) = game("h2e2");
    game.forget();
    assert!(game.position().is_none() && game.root_moves(&[], &Rules::default()).is_empty());
    assert!(game.play(moves("h9g7")[0]).is_err());
}
