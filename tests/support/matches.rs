//! A match: games in pairs, each opening once with either colour, and what came of them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chuhe::board::{Move, Position, Side};

use super::game::{Ending, Failure, Game, Verdict};
use super::player::{Clock, Contestant, Player};
use super::tally::Tally;

const NO_PANIC: &str = "no game panicked";

/// Where a pair of games starts.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub(crate) name: String,
    pub(crate) position: Position,
}

impl Opening {
    /// The openings that come with the tests.
    pub(crate) fn all() -> Vec<Self> {
        let text = include_str!("../data/openings.epd");
        text.lines().filter(|line| !line.starts_with('#')).map(Self::read).collect()
    }

    fn read(line: &str) -> Self {
        let (fen, name) = line.split_once(" id ").unwrap_or_else(|| panic!("no id: {line}"));
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{error}: {line}"));
        Self { name: name.trim_matches(['"', ';']).to_owned(), position }
    }
}

/// Two contestants and the conditions; the first one is ours.
pub(crate) struct Match {
    pub(crate) contestants: [Contestant; 2],
    pub(crate) openings: Vec<Opening>,
    /// Rounded up to pairs.
    pub(crate) games: usize,
    /// On each clock at the start.
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
    /// So long after its time is up an engine counts as hanging and not as late.
    pub(crate) patience: Duration,
    /// Games at the same time.
    pub(crate) concurrency: usize,
}

/// One finished game.
pub(crate) struct Played {
    /// Which contestant won.
    pub(crate) winner: Option<usize>,
    pub(crate) ending: Ending,
    pub(crate) plies: usize,
    /// The least time each contestant's clock showed after a move.
    pub(crate) least_left: [Duration; 2],
}

impl Match {
    /// Plays it and prints one line a game.
    pub(crate) fn run(&self) -> Tally {
        let names = self.contestants.each_ref().map(|contestant| contestant.name.clone());
        let tally = Mutex::new(Tally::new(names, self.base + self.increment));
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                scope.spawn(|| {
                    loop {
                        let pair = next.fetch_add(1, Ordering::Relaxed);
                        if pair >= self.games.div_ceil(2) {
                            break;
                        }
                        self.play_pair(pair, &tally);
                    }
                });
            }
        });
        tally.into_inner().expect(NO_PANIC)
    }

    fn play_pair(&self, pair: usize, tally: &Mutex<Tally>) {
        let opening = &self.openings[pair % self.openings.len()];
        let mut players = None;
        let mut half_points = 0;
        for red in [0, 1] {
            let played = match players.take().map_or_else(|| self.start(), Ok).and_then(begin) {
                Ok(mut ready) => {
                    let played = self.play_game(red, opening, &mut ready);
                    // After a failure nobody knows in which state it is.
                    players = (!matches!(played.ending, Ending::Failure(_))).then_some(ready);
                    played
                }
                Err((who, failure)) => {
                    let least_left = [self.base; 2];
                    Played { winner: Some(1 - who), ending: Ending::Failure(failure), plies: 0, least_left }
                }
            };
            let [red_name, black_name] = [red, 1 - red].map(|who| &self.contestants[who].name);
            let (ending, plies, opening) = (played.ending.name(), played.plies, &opening.name);
            let result = match played.winner {
                None => "1/2-1/2",
                Some(winner) if winner == red => "1-0",
                Some(_) => "0-1",
            };
            println!(
                "game {}: {red_name} - {black_name} {result} {ending}, {plies} plies ({opening})",
                2 * pair + red + 1
            );
            half_points += played.winner.map_or(1, |winner| if winner == 0 { 2 } else { 0 });
            tally.lock().expect(NO_PANIC).add_game(played);
        }
        let ends = players.map(|players| players.map(Player::quit));
        tally.lock().expect(NO_PANIC).add_pair(half_points, ends);
    }

    fn start(&self) -> Result<[Player; 2], (usize, Failure)> {
        let [first, second] = &self.contestants;
        Ok([
            Player::start(first).map_err(|failure| (0, failure))?,
            Player::start(second).map_err(|failure| (1, failure))?,
        ])
    }

    fn play_game(&self, red: usize, opening: &Opening, players: &mut [Player; 2]) -> Played {
        let mut game = Game::new(opening.position);
        let owner = |side| if side == Side::Red { red } else { 1 - red };
        let mut clocks = [self.base; 2];
        let mut least_left = clocks;
        let verdict = loop {
            if let Some(verdict) = game.verdict() {
                break verdict;
            }
            let side = game.position().side();
            let who = owner(side);
            let lost = |ending| Verdict { winner: Some(!side), ending };
            match self.ask_for_move(who, &game, players, &mut clocks) {
                Ok(Some(mv)) => game.play(mv),
                Ok(None) => break lost(Ending::Resignation),
                Err(failure) => {
                    println!("{}, ply {}: {failure}", self.contestants[who].name, game.plies() + 1);
                    println!("  > {}", game.command());
                    players[who].last_lines().iter().for_each(|line| println!("  < {line}"));
                    break lost(Ending::Failure(failure));
                }
            }
            least_left[who] = least_left[who].min(clocks[who] - self.increment);
        };
        Played { winner: verdict.winner.map(owner), ending: verdict.ending, plies: game.plies(), least_left }
    }

    /// The move of the player whose turn it is, its clock updated; `None` if it resigns.
    fn ask_for_move(
        &self,
        who: usize,
        game: &Game,
        players: &mut [Player; 2],
        clocks: &mut [Duration; 2],
    ) -> Result<Option<Move>, Failure> {
        let clock = Clock { own: clocks[who], other: clocks[1 - who], increment: self.increment };
        let answer = players[who].think(&game.command(), clock, self.patience)?;
        let late = answer.elapsed.saturating_sub(clock.own);
        if late > self.contestants[who].margin {
            return Err(Failure::TimeLoss(late));
        }
        clocks[who] = clock.own.saturating_sub(answer.elapsed) + self.increment;
        if answer.resigns {
            return Ok(None);
        }
        let mv = answer.mv.parse().ok().filter(|&mv| game.position().is_legal(mv));
        mv.map(Some).ok_or(Failure::IllegalMove(answer.mv))
    }
}

fn begin(mut players: [Player; 2]) -> Result<[Player; 2], (usize, Failure)> {
    for (who, player) in players.iter_mut().enumerate() {
        player.begin().map_err(|failure| (who, failure))?;
    }
    Ok(players)
}
