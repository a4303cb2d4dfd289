//! The game so far and the moves that are forbidden now.

use std::mem;

use super::event::GameText;
use super::ranks::Ranks;
use crate::board::{FenError, Move, MoveText, Position, RankBase, Variant};
use crate::rules::{Rules, repeats_to_lose};

/// Why a game is not played as given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum GameError {
    /// Its start cannot arise in the variant.
    #[error(transparent)]
    Start(FenError),
    /// A move cannot be played where it stands.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

/// A move that cannot be played where it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{mv} is not legal as move {number} of the game given, the position before it is used")]
pub(super) struct IllegalMove {
    mv: MoveText,
    /// Counted from 1 behind the position where the moves start.
    number: usize,
}

/// Why a move is not added to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CannotPlay {
    #[error("{0} is not played: there is no position")]
    NoPosition(MoveText),
    #[error("{0} is not legal here and is not played")]
    Illegal(MoveText),
}

/// What there is to think about.
#[derive(Debug)]
pub(super) struct Game {
    /// Oldest first, as far back as it can still matter; empty if the last `position` named no legal one.
    history: Vec<Position>,
    /// The last position as the user gave it, where it is known how the game came to it.
    given: Option<Position>,
    /// The game up to the position behind the engine's last move. Some users give a bare position before every move, and
    /// `ucinewgame` too; the game goes on all the same.
    answered: Vec<Position>,
    banned: Vec<Move>,
    /// From where the user counts ranks.
    ranks: Ranks,
}

impl Default for Game {
    /// The start of a game.
    fn default() -> Self {
        Self {
            history: vec![Position::start()],
            given: None,
            answered: Vec::new(),
            banned: Vec::new(),
            ranks: Ranks::default(),
        }
    }
}

impl Game {
    /// The start of another game of the same user.
    pub(super) fn another(&self) -> Self {
        Self { ranks: self.ranks, answered: self.answered.clone(), ..Self::default() }
    }

    /// Remembers the engine's move in the current position.
    pub(super) fn answer(&mut self, best: Move) {
        let Some(position) = self.history.last().filter(|position| position.is_legal(best)) else { return };
        let next = position.play(best);
        self.answered.clone_from(&self.history);
        self.answered.push(next);
        forget_what_cannot_matter(&mut self.answered);
    }

    /// The base in which the user is spoken to.
    pub(super) fn rank_base(&self) -> RankBase {
        self.ranks.in_force()
    }

    /// How the user counts ranks.
    pub(super) fn ranks_mut(&mut self) -> &mut Ranks {
        &mut self.ranks
    }

    /// Replaces the game by one of `variant` and lifts the bans.
    ///
    /// # Errors
    /// Says why the start cannot be, and there is no position then; or names the first illegal move, before which the game
    /// then ends.
    pub(super) fn set(&mut self, text: &GameText, variant: Variant) -> Result<(), GameError> {
        self.forget();
        self.ranks.hear(text.accent);
        let start = text.start.in_variant(variant).map_err(GameError::Start)?;
        match goes_on(&self.answered, &start).filter(|_| text.moves.is_empty()) {
            Some(history) => (self.history, self.given) = (history, Some(start)),
            None => self.history.push(start),
        }
        Ok(self.play_all(&text.moves)?)
    }

    /// Goes on in another variant.
    ///
    /// # Errors
    /// Says why a position of the game cannot arise there; there is none then until the next [`Game::set`].
    pub(super) fn change_variant(&mut self, variant: Variant) -> Result<(), FenError> {
        let history = mem::take(&mut self.history);
        self.history = history.iter().map(|position| position.in_variant(variant)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Goes on from the current position with the colours exchanged; there is no past.
    pub(super) fn flip(&mut self) {
        let flipped = self.position().map(Position::colours_swapped);
        self.forget();
        self.history.extend(flipped);
    }

    /// There is no position until the next [`Game::set`].
    pub(super) fn forget(&mut self) {
        self.banned.clear();
        self.history.clear();
        self.given = None;
    }

    /// Plays one more move and lifts the bans.
    ///
    /// # Errors
    /// If it is not legal, or there is no position; nothing has changed then.
    pub(super) fn play(&mut self, mv: MoveText) -> Result<(), CannotPlay> {
        if self.history.is_empty() {
            return Err(CannotPlay::NoPosition(mv));
        }
        self.play_all(&[mv]).map_err(|_| CannotPlay::Illegal(mv))?;
        self.banned.clear();
        self.given = None;
        Ok(())
    }

    /// Forbids these moves in the current position, and only these.
    pub(super) fn ban(&mut self, moves: &[MoveText]) {
        self.banned = self.read(moves);
    }

    /// The positions so far, oldest first and as far back as they can still matter; empty if there is nothing to search.
    pub(super) fn history(&self) -> &[Position] {
        &self.history
    }

    /// The same as the user gave it: without what came before a bare position.
    pub(super) fn as_given(&self) -> &[Position] {
        self.given.as_ref().map_or(&self.history, std::slice::from_ref)
    }

    /// The position to search, if there is one.
    pub(super) fn position(&self) -> Option<&Position> {
        self.history.last()
    }

    /// The moves that may be played: legal, not banned, and among `wanted` if that names any; without those that are one
    /// round from losing by repetition, unless there is no other.
    pub(super) fn root_moves(&mut self, wanted: &[MoveText], rules: &Rules) -> Vec<Move> {
        // Wishes none of which can be read here are wishes all the same, and leave nothing to search.
        let readable = (!wanted.is_empty()).then(|| self.read(wanted));
        root_moves(&self.history, &self.banned, readable.as_deref(), rules)
    }

    /// What moves of the current position mean. If nothing is known of the user's base, they may show it.
    fn read(&mut self, moves: &[MoveText]) -> Vec<Move> {
        let Some(position) = self.history.last() else { return Vec::new() };
        let is_legal = |mv: &MoveText, base| mv.read(base).is_some_and(|mv| position.is_legal(mv));
        if !self.ranks.are_known()
            && let Some(base) = self.ranks.candidates().find(|&base| moves.iter().all(|mv| is_legal(mv, base)))
        {
            // They do not show it where they mean something in the protocol's own base as well.
            self.ranks.learn(base, moves);
        }
        moves.iter().filter_map(|mv| mv.read(self.ranks.in_force())).collect()
    }

    /// Plays the moves in the base in which all are legal; if there is none, those before the first that is not legal in the base
    /// in force.
    fn play_all(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove> {
        for base in self.ranks.candidates() {
            let line = self.line(moves, base);
            if line.played == moves.len() {
                self.history = line.history;
                self.ranks.learn(base, moves);
                return Ok(());
            }
        }
        let Line { history, played } = self.line(moves, self.ranks.in_force());
        self.history = history;
        Err(IllegalMove { mv: moves[played], number: played + 1 })
    }

    /// The game with these moves, as far as they are legal in this base.
    fn line(&self, moves: &[MoveText], base: RankBase) -> Line {
        let mut line = Line { history: self.history.clone(), played: 0 };
        for mv in moves {
            let Some(&position) = line.history.last() else { break };
            let Some(mv) = mv.read(base).filter(|&mv| position.is_legal(mv)) else { break };
            line.history.push(position.play(mv));
            line.played += 1;
            forget_what_cannot_matter(&mut line.history);
        }
        line
    }
}

/// The game up to `start`, if that is the last position of `answered` or one move behind it and its count of plies without a
/// capture does not speak against it.
fn goes_on(answered: &[Position], start: &Position) -> Option<Vec<Position>> {
    let last = answered.last()?;
    let is_start = |position: &Position| {
        let counted = [0, position.reversible_plies()].contains(&start.reversible_plies());
        position.key() == start.key() && position.variant() == start.variant() && counted
    };
    let mut history = answered.to_vec();
    if !is_start(last) {
        let reply = last.legal_moves().into_iter().find(|&mv| last.key_after(mv) == start.key())?;
        history.push(Some(last.play(reply)).filter(is_start)?);
        forget_what_cannot_matter(&mut history);
    }
    Some(history)
}

/// A game played on.
struct Line {
    history: Vec<Position>,
    /// How many moves have been played.
    played: usize,
}

/// Positions kept before the last capture. They cannot stand again, but we know our last game by the position behind our
/// last move, and the opponent may have captured since.
const BEFORE_CAPTURE: usize = 8;

/// No more positions are kept. Whatever limit is set, at most 2,000 plies without a capture, the game is drawn before then;
/// a user who goes on all the same shall not wait for it.
const LONGEST_MEMORY: usize = 4096;

/// Drops the positions that no rule asks about any more, once they are the larger half.
fn forget_what_cannot_matter(history: &mut Vec<Position>) {
    let Some(last) = history.last() else { return };
    let comparable = usize::from(last.reversible_plies()) + 1;
    let needed = (comparable + BEFORE_CAPTURE).min(LONGEST_MEMORY);
    if history.len() >= 2 * needed {
        history.drain(..history.len() - needed);
    }
}

/// What may be played at the end of `history`, see [`Game::root_moves`].
pub(super) fn root_moves(history: &[Position], banned: &[Move], wanted: Option<&[Move]>, rules: &Rules) -> Vec<Move> {
    let Some(position) = history.last() else { return Vec::new() };
    let allowed = |mv: &Move| !banned.contains(mv) && wanted.is_none_or(|wanted| wanted.contains(mv));
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(allowed).collect();
    // To ask the rules costs a copy of the game, so it is asked for those alone that lead back.
    let returns = |mv| history.iter().any(|earlier| earlier.key() == position.key_after(mv));
    let is_harmless = |mv: &Move| !(returns(*mv) && repeats_to_lose(history, *mv, rules));
    let harmless: Vec<Move> = moves.iter().copied().filter(is_harmless).collect();
    if harmless.is_empty() { moves } else { harmless }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Side;

    fn moves(text: &str) -> Vec<MoveText> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    /// A game from the start.
    fn told(text: &str) -> GameText {
        GameText { start: Position::start(), moves: moves(text), accent: None }
    }

    fn game(text: &str) -> (Game, Result<(), GameError>) {
        let mut game = Game::default();
        let result = game.set(&told(text), Variant::Standard);
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

    /// The game so far as a user tells it who gives a bare position.
    fn bare(position: &Position) -> GameText {
        let fen: Vec<String> = position.to_fen().split(' ').take(2).map(str::to_owned).collect();
        GameText { start: Position::from_fen(&fen.join(" ")).unwrap(), moves: Vec::new(), accent: None }
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
        let mut told = game.another();
        told.set(&GameText { moves: moves("i0h0"), ..bare(&next) }, Variant::Standard).unwrap();
        assert_eq!(told.history().len(), 2, "whoever gives moves gives the game");
        let counted =
            Position::from_fen(&format!("{} - - 40 30", bare(&next).start.to_fen().split(" - ").next().unwrap()));
        told.set(&GameText { start: counted.unwrap(), ..bare(&next) }, Variant::Standard).unwrap();
        assert_eq!(told.history().len(), 1, "so does a counter that says otherwise");
    }

    #[test]
    fn a_move_that_is_not_added_is_named_and_nothing_has_changed() {
        let (mut game, _) = game("h2e2 h9g7");
        let told = |game: &mut Game| game.play(moves("a0a9")[0]).unwrap_err().to_string();
        assert_eq!(told(&mut game), "a0a9 is not legal here and is not played");
        assert_eq!(game.history().len(), 3);
        game.forget();
        assert_eq!(told(&mut game), "a0a9 is not played: there is no position");
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
        game.set(&told(""), Variant::Standard).unwrap();
        assert_eq!(game.root_moves(&[], &Rules::default()).len(), all);
    }

    #[test]
    fn moves_show_from_where_ranks_are_counted() {
        let (mut game, result) = game("h3e3 h10g8");
        assert_eq!((result, game.rank_base()), (Ok(()), RankBase::One));
        game.play(moves("h1g3")[0]).unwrap();
        assert_eq!(game.history().len(), 4);
        game.set(&told("h2e2"), Variant::Standard).unwrap();
        assert_eq!(game.rank_base(), RankBase::Zero);
        // What fits neither base is read in the one in force, even where it goes further in the other, and shows nothing.
        let error = game.set(&told("h3e3 h9g7"), Variant::Standard).unwrap_err().to_string();
        assert!(error.starts_with("h3e3 is not legal as move 1 "), "{error}");
        assert_eq!((game.rank_base(), game.history().len()), (RankBase::Zero, 1));
    }

    #[test]
    fn a_list_of_moves_to_search_may_show_the_base_too() {
        let mut game = Game::default();
        assert_eq!(game.root_moves(&moves("h3e3 b3e3"), &Rules::default()).len(), 2);
        assert_eq!(game.rank_base(), RankBase::One);
        // From now on it is known.
        assert!(game.root_moves(&moves("h2e2"), &Rules::default()).is_empty());
        let mut other = game.another();
        other.ban(&moves("h3e3"));
        assert_eq!(other.banned, ["h2e2".parse().unwrap()]);
    }

    #[test]
    fn wishes_that_cannot_be_read_leave_nothing_to_search() {
        let wishes = |base, text: &str| {
            let mut game = Game::default();
            game.ranks_mut().expect(Some(base), base, false);
            game.root_moves(&moves(text), &Rules::default()).len()
        };
        assert_eq!(wishes(RankBase::Zero, "a10a9"), 0, "there is no tenth rank");
        assert_eq!(wishes(RankBase::One, "a0a1"), 0, "there is no rank 0");
        assert_eq!(wishes(RankBase::One, "a0a1 h3e3"), 1);
    }

    #[test]
    fn bans_wishes_and_moves_that_fit_neither_base_show_nothing() {
        let unknown = |game: &Game| !game.ranks.are_known() && game.rank_base() == RankBase::One;
        let mut game = Game::default();
        game.ranks_mut().expect(None, RankBase::One, false);
        for text in ["h2e2 h3e3", "a0a9", "h2e2 h10g8", "b10c8", "h3e3 a5a6"] {
            game.ban(&moves(text));
            assert!(unknown(&game), "bans {text}");
            game.root_moves(&moves(text), &Rules::default());
            assert!(unknown(&game), "wishes {text}");
            assert!(game.set(&told(&format!("{text} a0a9")), Variant::Standard).is_err());
            assert!(unknown(&game), "moves {text}");
            game.set(&told(""), Variant::Standard).unwrap();
        }
        game.ban(&moves("h2e2 b2e2"));
        assert_eq!((game.rank_base(), game.banned.len()), (RankBase::Zero, 2));
    }

    #[test]
    fn an_accent_is_heard_before_the_first_move() {
        let mut game = Game::default();
        game.ranks_mut().expect(None, RankBase::One, false);
        game.set(&told(""), Variant::Standard).unwrap();
        assert_eq!(game.rank_base(), RankBase::One);
        game.set(&GameText { accent: Some(RankBase::Zero), ..told("") }, Variant::Standard).unwrap();
        assert_eq!(game.rank_base(), RankBase::Zero);
        // It is no more than an accent.
        game.set(&told("h3e3"), Variant::Standard).unwrap();
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
        // The king goes to and fro, in check all the time: one round more, and red has lost.
        let start = Position::from_fen("9/4k4/9/9/1R7/9/9/9/9/3K1R1r1 w - - 0 1").unwrap();
        // Behind the move limit a game goes on without it.
        let rules = crate::rules::RuleSet::Asian.rules().without_limit();
        let left_out = |rounds: usize| {
            let (quiet, round) = ("b5b4 h0h1 b4b5 h1h0 ", "f0e0 e8f8 e0f0 f8e8");
            let text = GameText { start, moves: moves(&[&quiet.repeat(rounds), round].concat()), accent: None };
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
        game.set(&GameText { start, moves: moves(text), accent: None }, Variant::Standard).unwrap();
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
        game.ranks_mut().expect(None, RankBase::Zero, true);
        // Counted from one it would be a pawn's move.
        assert!(game.root_moves(&moves("h3h4"), &Rules::default()).is_empty());
        assert_eq!(game.root_moves(&moves("h10g8"), &Rules::default()).len(), 0, "it is black's");
        assert_eq!(game.root_moves(&moves("h2e2"), &Rules::default()).len(), 1);
        game.ranks_mut().expect(None, RankBase::Zero, false);
        assert_eq!(game.root_moves(&moves("g4g5"), &Rules::default()).len(), 1, "who has no base shows it");
    }

    const PROMOTED: &str = "3k5/9/9/9/9/9/9/9/9/4KP3 w";

    #[test]
    fn a_start_that_cannot_be_leaves_no_position() {
        let start = Position::from_fen_in(PROMOTED, Variant::Promotion).unwrap();
        let (mut game, text) = (Game::default(), GameText { start, moves: moves("f0f1"), accent: None });
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
}
