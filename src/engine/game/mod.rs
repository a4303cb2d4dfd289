//! The game so far, and the moves that are banned now.

mod line;
mod ranks;
#[cfg(test)]
mod tests;

use std::mem;

use super::event::{GameText, WrittenMove};
use crate::board::{FenError, Move, MoveText, Position, RankBase, Variant};
use crate::rules::{Rules, repeats_to_lose};
use line::{Line, Refusal, drop_irrelevant, push};
use ranks::Ranks;

/// Reason why a game is not accepted as given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum GameError {
    /// The start position cannot arise in the variant.
    #[error(transparent)]
    Start(FenError),
    /// A move cannot be played in its position.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

/// A move that cannot be played in its position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{mv} {why} as move {number} of the game given, the position before it is used")]
pub(super) struct IllegalMove {
    mv: WrittenMove,
    why: Refusal,
    /// Number of the move, from 1 at the position where the moves start.
    number: usize,
}

/// Reason why a move is not added to the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CannotPlay {
    #[error("{0} is not played: there is no position")]
    NoPosition(WrittenMove),
    #[error("{0} {1} here and is not played")]
    Refused(WrittenMove, Refusal),
    #[error("{0} {1} as move {2}, none of them is played")]
    RefusedAmong(WrittenMove, Refusal, usize),
}

/// The game to think about.
#[derive(Debug)]
pub(super) struct Game {
    /// Positions, oldest first, as far back as they can still matter; empty if the last `position` named no legal one.
    history: Vec<Position>,
    /// Position before the first move; none if there is no position.
    start: Option<Position>,
    /// All moves of the game, however old.
    moves: Vec<Move>,
    /// The last position as the user gave it, if the engine knows how the game led there.
    given: Option<Position>,
    /// The game up to the position after the engine's last move. Some users give a bare position before every move, even after
    /// `ucinewgame`; the game then goes on all the same.
    answered: Vec<Position>,
    banned: Vec<Move>,
    /// Rank base of the user.
    ranks: Ranks,
}

impl Default for Game {
    /// Returns the start of a game.
    fn default() -> Self {
        let start = Position::start();
        Self {
            history: vec![start],
            start: Some(start),
            moves: Vec::new(),
            given: None,
            answered: Vec::new(),
            banned: Vec::new(),
            ranks: Ranks::default(),
        }
    }
}

impl Game {
    /// Returns the start of another game of the same user.
    pub(super) fn another(&self) -> Self {
        Self { ranks: self.ranks, answered: self.answered.clone(), ..Self::default() }
    }

    /// Records the engine's move in the current position.
    pub(super) fn answer(&mut self, best: Move) {
        let Some(position) = self.history.last().filter(|position| position.is_legal(best)) else { return };
        let next = position.play(best);
        self.answered.clone_from(&self.history);
        self.answered.push(next);
        drop_irrelevant(&mut self.answered);
    }

    /// Returns the rank base of moves that the user reads.
    pub(super) fn rank_base(&self) -> RankBase {
        self.ranks.in_force()
    }

    /// Sets what is known of the user's rank base beforehand, see [`Ranks::expect`].
    pub(super) fn expect_ranks(&mut self, by_option: Option<RankBase>, assumed: RankBase, strict: bool) {
        self.ranks.expect(by_option, assumed, strict);
    }

    /// Forgets the rank base that the user's moves have shown, since another user may count differently.
    pub(super) fn forget_shown_ranks(&mut self) {
        self.ranks.forget_evidence();
    }

    /// Replaces the game by one of `variant` and lifts the bans.
    ///
    /// # Errors
    /// If the start is impossible, there is no position then. If a move is illegal, it is named, and the game ends before it.
    pub(super) fn set(&mut self, text: &GameText, variant: Variant) -> Result<(), GameError> {
        self.forget();
        self.ranks.note_convention(text.rank_hint);
        let start = text.start.in_variant(variant).map_err(GameError::Start)?;
        self.begin_at(start);
        if let Some(history) = goes_on(&self.answered, &start).filter(|_| text.moves.is_empty()) {
            (self.history, self.given) = (history, Some(start));
        }
        let line = self.line(&text.moves);
        let illegal = line.refused.clone().map(|why| {
            let at = line.moves.len();
            IllegalMove { mv: text.moves[at].clone(), why, number: at + 1 }
        });
        self.follow(line, &text.moves);
        illegal.map_or(Ok(()), |illegal| Err(illegal.into()))
    }

    /// Continues in another variant.
    ///
    /// # Errors
    /// If a position of the game cannot arise there; there is none then until the next [`Game::set`].
    pub(super) fn change_variant(&mut self, variant: Variant) -> Result<(), FenError> {
        let (history, moves) = (mem::take(&mut self.history), mem::take(&mut self.moves));
        let start = self.start.take().and_then(|start| start.in_variant(variant).ok());
        self.history = history.iter().map(|position| position.in_variant(variant)).collect::<Result<_, _>>()?;
        match start {
            Some(start) => (self.start, self.moves) = (Some(start), moves),
            // Moves played before cannot be taken back.
            None => self.start = self.history.last().copied(),
        }
        Ok(())
    }

    /// Continues from the current position with the colours exchanged and without a history.
    pub(super) fn flip(&mut self) {
        let flipped = self.position().map(Position::colours_swapped);
        self.forget();
        if let Some(position) = flipped {
            self.begin_at(position);
        }
    }

    /// Starts the game here.
    fn begin_at(&mut self, start: Position) {
        (self.history, self.start, self.moves) = (vec![start], Some(start), Vec::new());
    }

    /// Removes the position until the next [`Game::set`].
    pub(super) fn forget(&mut self) {
        self.banned.clear();
        self.history.clear();
        self.moves.clear();
        self.start = None;
        self.given = None;
    }

    /// Plays one more move and lifts the bans.
    ///
    /// # Errors
    /// If the move is not legal, or there is no position; nothing changes then.
    pub(super) fn play(&mut self, mv: MoveText) -> Result<(), CannotPlay> {
        self.play_on(&[mv.into()])
    }

    /// Plays these moves and lifts the bans.
    ///
    /// # Errors
    /// If one of the moves is refused, or there is no position; nothing changes then.
    pub(super) fn play_on(&mut self, moves: &[WrittenMove]) -> Result<(), CannotPlay> {
        let [first, ..] = moves else { return Ok(()) };
        if self.history.is_empty() {
            return Err(CannotPlay::NoPosition(first.clone()));
        }
        let line = self.line(moves);
        if let Some(why) = line.refused {
            let at = line.moves.len();
            let mv = moves[at].clone();
            return Err(match moves.len() {
                1 => CannotPlay::Refused(mv, why),
                _ => CannotPlay::RefusedAmong(mv, why, at + 1),
            });
        }
        self.follow(line, moves);
        self.banned.clear();
        self.given = None;
        Ok(())
    }

    /// Plays a legal move, independent of the user's rank base, and lifts the bans.
    pub(super) fn play_known(&mut self, mv: Move) {
        push(&mut self.history, mv);
        self.moves.push(mv);
        self.banned.clear();
        self.given = None;
    }

    /// Takes back `count` moves, as far as there are any, and lifts the bans. Returns their number.
    pub(super) fn take_back(&mut self, count: usize) -> usize {
        let count = count.min(self.moves.len());
        let Some(start) = self.start.filter(|_| count > 0) else { return 0 };
        self.moves.truncate(self.moves.len() - count);
        self.banned.clear();
        self.given = None;
        self.history = vec![start];
        for &mv in &self.moves {
            push(&mut self.history, mv);
        }
        count
    }

    /// Returns all moves since the start of the game as it was given.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Bans these moves in the current position, and only these.
    pub(super) fn ban(&mut self, moves: &[MoveText]) {
        self.banned = self.read(moves);
    }

    /// Returns the positions so far, oldest first and as far back as they can still matter; empty if there is nothing to
    /// search.
    pub(super) fn history(&self) -> &[Position] {
        &self.history
    }

    /// Returns the positions as the user gave them: without those before a bare position.
    pub(super) fn as_given(&self) -> &[Position] {
        self.given.as_ref().map_or(&self.history, std::slice::from_ref)
    }

    /// Returns the position to search, if there is one.
    pub(super) fn position(&self) -> Option<&Position> {
        self.history.last()
    }

    /// Returns the moves that may be played: legal, not banned, and among `wanted` if that names any. Moves that are one round
    /// from losing by repetition are left out, unless there is no other.
    pub(super) fn root_moves(&mut self, wanted: &[MoveText], rules: &Rules) -> Vec<Move> {
        // If moves are wanted but none of them can be read here, there is nothing to search.
        let readable = (!wanted.is_empty()).then(|| self.read(wanted));
        root_moves(&self.history, &self.banned, readable.as_deref(), rules)
    }

    /// Reads moves of the current position. They may show the user's rank base if it is unknown.
    fn read(&mut self, moves: &[MoveText]) -> Vec<Move> {
        let Some(position) = self.history.last() else { return Vec::new() };
        let is_legal = |mv: &MoveText, base| mv.read(base).is_some_and(|mv| position.is_legal(mv));
        if !self.ranks.are_known()
            && let Some(base) = self.ranks.candidates().find(|&base| moves.iter().all(|mv| is_legal(mv, base)))
        {
            // Moves that are readable in the protocol's own base too show nothing.
            self.ranks.learn(base, moves);
        }
        moves.iter().filter_map(|mv| mv.read(self.ranks.in_force())).collect()
    }

    /// Returns the game continued by these moves, in the base in which all are legal. Without such a base it ends before the
    /// first move that is not legal in the base in force.
    fn line(&self, moves: &[WrittenMove]) -> Line {
        let mut in_each_base = self.ranks.candidates().map(|base| Line::of(&self.history, moves, base));
        let whole = in_each_base.find(|line| line.refused.is_none());
        whole.unwrap_or_else(|| Line::of(&self.history, moves, self.ranks.in_force()))
    }

    /// Continues by the line that was found for `written`.
    fn follow(&mut self, line: Line, written: &[WrittenMove]) {
        if line.refused.is_none() {
            let shown: Vec<MoveText> = written.iter().filter_map(WrittenMove::in_coordinates).collect();
            self.ranks.learn(line.base, &shown);
        }
        self.history = line.history;
        self.moves.extend(line.moves);
    }
}

/// Returns the game up to `start`, if that is the last position of `answered` or one move later and its count of plies without
/// a capture does not contradict that.
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
        drop_irrelevant(&mut history);
    }
    Some(history)
}

/// Returns the moves that may be played at the end of `history`, see [`Game::root_moves`].
pub(super) fn root_moves(history: &[Position], banned: &[Move], wanted: Option<&[Move]>, rules: &Rules) -> Vec<Move> {
    let Some(position) = history.last() else { return Vec::new() };
    let allowed = |mv: &Move| !banned.contains(mv) && wanted.is_none_or(|wanted| wanted.contains(mv));
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(allowed).collect();
    // The rules need a copy of the game, so they are consulted only for moves that lead back to an earlier position.
    let returns = |mv| history.iter().any(|earlier| earlier.key() == position.key_after(mv));
    let is_harmless = |mv: &Move| !(returns(*mv) && repeats_to_lose(history, *mv, rules));
    let harmless: Vec<Move> = moves.iter().copied().filter(is_harmless).collect();
    if harmless.is_empty() { moves } else { harmless }
}
