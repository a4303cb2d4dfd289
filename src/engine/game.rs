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

/// What there is to think about.
#[derive(Debug)]
pub(super) struct Game {
    /// Oldest first; empty if the last `position` named no legal one.
    history: Vec<Position>,
    banned: Vec<Move>,
    /// From where the user counts ranks.
    ranks: Ranks,
}

impl Default for Game {
    /// The start of a game.
    fn default() -> Self {
        Self { history: vec![Position::start()], banned: Vec::new(), ranks: Ranks::default() }
    }
}

impl Game {
    /// The start of another game of the same user.
    pub(super) fn another(&self) -> Self {
        Self { ranks: self.ranks, ..Self::default() }
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
        self.history.push(text.start.in_variant(variant).map_err(GameError::Start)?);
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
    }

    /// Plays one more move and lifts the bans.
    ///
    /// # Errors
    /// If it is not legal; nothing has changed then.
    pub(super) fn play(&mut self, mv: MoveText) -> Result<(), IllegalMove> {
        self.play_all(&[mv])?;
        self.banned.clear();
        Ok(())
    }

    /// Forbids these moves in the current position, and only these.
    pub(super) fn ban(&mut self, moves: &[MoveText]) {
        self.banned = self.read(moves);
    }

    /// The positions so far, oldest first; empty if there is nothing to search.
    pub(super) fn history(&self) -> &[Position] {
        &self.history
    }

    /// The position to search, if there is one.
    pub(super) fn position(&self) -> Option<&Position> {
        self.history.last()
    }

    /// The moves that may be played: legal, not banned, and among `wanted` if that names any; without those that are one
    /// round from losing by repetition, unless there is no other.
    pub(super) fn root_moves(&mut self, wanted: &[MoveText], rules: &Rules) -> Vec<Move> {
        let wanted = self.read(wanted);
        root_moves(&self.history, &self.banned, &wanted, rules)
    }

    /// What moves of the current position mean. If nothing is known of the user's base, they may show it.
    fn read(&mut self, moves: &[MoveText]) -> Vec<Move> {
        let Some(position) = self.history.last() else { return Vec::new() };
        let is_legal = |mv: &MoveText, base| mv.read(base).is_some_and(|mv| position.is_legal(mv));
        if !self.ranks.are_known()
            && let Some(base) = self.ranks.candidates().find(|&base| moves.iter().all(|mv| is_legal(mv, base)))
        {
            self.ranks.learn(base, moves);
            return moves.iter().filter_map(|mv| mv.read(base)).collect();
        }
        moves.iter().filter_map(|mv| mv.read(self.ranks.in_force())).collect()
    }

    /// Plays the moves in the base in which they are legal, or legal the longest.
    fn play_all(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove> {
        let mut longest = Vec::new();
        for base in self.ranks.candidates() {
            let line = self.line(moves, base);
            if line.len() == moves.len() {
                self.history.extend(line);
                self.ranks.learn(base, moves);
                return Ok(());
            }
            if line.len() > longest.len() {
                longest = line;
            }
        }
        let number = longest.len() + 1;
        self.history.extend(longest);
        Err(IllegalMove { mv: moves[number - 1], number })
    }

    /// The positions behind the moves, as far as they are legal in this base.
    fn line(&self, moves: &[MoveText], base: RankBase) -> Vec<Position> {
        let Some(&(mut position)) = self.position() else { return Vec::new() };
        let next = |mv: &MoveText| {
            let mv = mv.read(base).filter(|&mv| position.is_legal(mv))?;
            position = position.play(mv);
            Some(position)
        };
        moves.iter().map_while(next).collect()
    }
}

/// What may be played at the end of `history`, see [`Game::root_moves`].
pub(super) fn root_moves(history: &[Position], banned: &[Move], wanted: &[Move], rules: &Rules) -> Vec<Move> {
    let Some(position) = history.last() else { return Vec::new() };
    let allowed = |mv: &Move| !banned.contains(mv) && (wanted.is_empty() || wanted.contains(mv));
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(allowed).collect();
    let harmless: Vec<Move> = moves.iter().copied().filter(|&mv| !repeats_to_lose(history, mv, rules)).collect();
    if harmless.is_empty() { moves } else { harmless }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Side;

    fn moves(text: &str) -> Vec<MoveText> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
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

    #[test]
    fn bans_hold_until_the_position_changes() {
        let (mut game, _) = game("");
        let all = game.root_moves(&[], &Rules::default()).len();
        game.ban(&moves("h2e2 a0a9 b2e2"));
        assert_eq!(game.root_moves(&[], &Rules::default()).len(), all - 2);
        game.ban(&moves("h2e2"));
        assert_eq!(game.root_moves(&[], &Rules::default()).len(), all - 1);
        assert!(game.play(moves("a0a9")[0]).is_err());
    /// A game from the start.
    fn told(text: &str) -> GameText {
        GameText { start: Position::start(), moves: moves(text), accent: None }
    }

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
        // What fits neither base is read in the one that goes further, and shows nothing.
        assert!(game.set(&told("h3e3 h9g7"), Variant::Standard).is_err());
        assert_eq!((game.rank_base(), game.history().len()), (RankBase::Zero, 2));
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
    fn wanted_moves_and_bans_meet() {
        let (mut game, _) = game("");
        game.ban(&moves("h2e2"));
        assert_eq!(game.root_moves(&moves("a0a9 h2e2 b2e2"), &Rules::default()), ["b2e2".parse().unwrap()]);
        assert!(game.root_moves(&moves("h2e2"), &Rules::default()).is_empty());
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
