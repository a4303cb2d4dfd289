//! Encoding of games as four streams of similar data, which compress far better than moves and scores in turn.
//!
//! ```text
//!  games   number of random moves, number of chosen moves, result and ending, nodes, rejected openings
//!  from    origins of the moves              one byte per ply, random moves first
//!  to      targets of the moves              one byte per ply
//!  scores  each score plus the one before    one byte, seldom more
//! ```
//!
//! Numbers are little-endian base 128 (LEB128), seven bits per byte; signed ones are zigzag-encoded, so that small ones stay
//! small. Successive scores are from opposite sides, so their sums are small.

use chuhe::board::{Move, Side, Square};
use chuhe_games::game::Outcome;

use crate::game::{Ending, Game, Played};

/// Number of streams.
pub const STREAMS: usize = 4;

/// Names of the streams, in the order of the files.
pub const NAMES: [&str; STREAMS] = ["games", "from", "to", "scores"];

/// Results in the order of their numbers in files, which are Red's half points.
pub(crate) const RESULTS: [Outcome; 3] = [Outcome::Won(Side::Black), Outcome::Drawn, Outcome::Won(Side::Red)];

/// Encoded games, one after the other.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Streams {
    /// Bytes of the streams, in the order of [`NAMES`].
    pub bytes: [Vec<u8>; STREAMS],
}

/// Error for bytes that are not games, with the name of the stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the stream of {0} is invalid")]
pub struct StreamError(pub &'static str);

impl Streams {
    /// Appends a game. Its number is not stored, as it follows from the position in the chunk.
    pub fn push(&mut self, game: &Game) {
        let [games, from, to, scores] = &mut self.bytes;
        let end = end_number(game.result, game.ending);
        for number in [game.opening.len() as u64, game.moves.len() as u64, end as u64, game.nodes, game.rejected.into()]
        {
            write_number(games, number);
        }
        for mv in game.opening.iter().copied().chain(game.moves.iter().map(|played| played.mv)) {
            from.push(byte(mv.from()));
            to.push(byte(mv.to()));
        }
        let mut expected = 0;
        for played in &game.moves {
            let score = i64::from(played.score);
            write_number(scores, fold(score - expected));
            expected = -score;
        }
    }
}

/// Decoder for the output of [`Streams::push`].
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: [&'a [u8]; STREAMS],
}

impl<'a> Reader<'a> {
    /// Creates a decoder at the first game.
    pub fn new(streams: [&'a [u8]; STREAMS]) -> Self {
        Self { rest: streams }
    }

    /// Whether all bytes have been read.
    pub fn is_at_end(&self) -> bool {
        self.rest.iter().all(|rest| rest.is_empty())
    }

    /// Decodes the next game, which gets this number.
    ///
    /// # Errors
    /// The stream that ends too early or holds an invalid value.
    pub fn next(&mut self, number: u64) -> Result<Game, StreamError> {
        let [games, from, to, scores] = &mut self.rest;
        let wrong = StreamError(NAMES[0]);
        let mut field = || read_number(games).ok_or(wrong);
        let [opening, chosen, end, nodes, rejected] = [field()?, field()?, field()?, field()?, field()?];
        let index = |number: u64| usize::try_from(number).map_err(|_| wrong);
        let (opening, chosen, end) = (index(opening)?, index(chosen)?, index(end)?);
        let (result, ending) = read_end(end).ok_or(wrong)?;
        let plies = opening.checked_add(chosen).ok_or(wrong)?;
        let origins = from.split_off(..plies).ok_or(StreamError(NAMES[1]))?;
        let targets = to.split_off(..plies).ok_or(StreamError(NAMES[2]))?;
        let read = origins.iter().zip(targets).map(|(&from, &to)| read_move(from, to));
        let mut opening_moves = read.collect::<Result<Vec<Move>, StreamError>>()?;
        let chosen_moves = opening_moves.split_off(opening);
        let mut expected = 0;
        let mut moves = Vec::with_capacity(chosen);
        for mv in chosen_moves {
            let read = read_number(scores).and_then(|folded| i16::try_from(unfold(folded).checked_add(expected)?).ok());
            let score = read.ok_or(StreamError(NAMES[3]))?;
            moves.push(Played { mv, score });
            expected = -i64::from(score);
        }
        let rejected = u32::try_from(rejected).map_err(|_| wrong)?;
        Ok(Game { number, opening: opening_moves, moves, result, ending, nodes, rejected })
    }
}

/// Number of an end in files.
pub(crate) fn end_number(result: Outcome, ending: Ending) -> usize {
    usize::from(result.half_points(Side::Red)) + RESULTS.len() * ending as usize
}

/// End of this number.
pub(crate) fn read_end(number: usize) -> Option<(Outcome, Ending)> {
    Some((RESULTS[number % RESULTS.len()], *Ending::ALL.get(number / RESULTS.len())?))
}

fn byte(square: Square) -> u8 {
    u8::try_from(square.index()).expect("ninety squares")
}

fn read_move(from: u8, to: u8) -> Result<Move, StreamError> {
    let square = |index: u8, stream| Square::from_index(index.into()).ok_or(StreamError(stream));
    let (from, to) = (square(from, NAMES[1])?, square(to, NAMES[2])?);
    if from == to { Err(StreamError(NAMES[2])) } else { Ok(Move::new(from, to)) }
}

/// Zigzag encoding: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
pub(crate) fn fold(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

pub(crate) fn unfold(folded: u64) -> i64 {
    (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed()
}

const CONTINUES: u8 = 0x80;

/// Appends a number as LEB128: seven bits per byte, lowest first, with a flag in all bytes but the last.
pub(crate) fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= CONTINUES.into() {
        bytes.push(CONTINUES | low_bits(number));
        number >>= 7;
    }
    bytes.push(low_bits(number));
}

fn low_bits(number: u64) -> u8 {
    u8::try_from(number & 0x7F).expect("seven bits")
}

/// Takes a number off the front; `None` if it is unterminated or too large.
pub(crate) fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = *bytes.split_off_first()?;
        let bits = u64::from(byte & !CONTINUES);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & CONTINUES == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::game::tests::game;
    use proptest::prelude::*;

    fn any_move() -> impl Strategy<Value = Move> {
        (0..90_usize, 0..90_usize).prop_filter_map("moves go somewhere", |(from, to)| {
            let [from, to] = [from, to].map(|index| Square::from_index(index).unwrap());
            (from != to).then(|| Move::new(from, to))
        })
    }

    /// Any game that can be encoded; its moves need not be legal.
    pub(crate) fn any_game(number: u64) -> impl Strategy<Value = Game> {
        let opening = prop::collection::vec(any_move(), 0..13);
        let moves =
            prop::collection::vec((any_move(), any::<i16>()).prop_map(|(mv, score)| Played { mv, score }), 0..200);
        let end = (prop::sample::select(&RESULTS[..]), prop::sample::select(&Ending::ALL[..]));
        (opening, moves, end, any::<u64>(), any::<u32>()).prop_map(
            move |(opening, moves, (result, ending), nodes, rejected)| Game {
                number,
                opening,
                moves,
                result,
                ending,
                nodes,
                rejected,
            },
        )
    }

    fn slices(streams: &Streams) -> [&[u8]; STREAMS] {
        streams.bytes.each_ref().map(Vec::as_slice)
    }

    proptest! {
        #[test]
        fn games_survive_their_streams(one in any_game(7), other in any_game(8)) {
            let mut streams = Streams::default();
            streams.push(&one);
            streams.push(&other);
            let mut reader = Reader::new(slices(&streams));
            prop_assert_eq!(reader.next(7), Ok(one));
            prop_assert!(!reader.is_at_end());
            prop_assert_eq!(reader.next(8), Ok(other));
            prop_assert!(reader.is_at_end());
            prop_assert!(reader.next(9).is_err());
        }

        #[test]
        fn rubbish_is_an_error_and_no_more(streams in [(); STREAMS].map(|()| prop::collection::vec(any::<u8>(), 0..40))) {
            let mut reader = Reader::new(streams.each_ref().map(Vec::as_slice));
            while reader.next(0).is_ok() {}
        }

        #[test]
        fn numbers_survive_folding_and_writing(number in any::<i64>(), small in -63_i64..64) {
            for (number, most) in [(number, 10), (small, 1)] {
                let mut bytes = vec![];
                write_number(&mut bytes, fold(number));
                prop_assert!(bytes.len() <= most);
                prop_assert_eq!(read_number(&mut &bytes[..]).map(unfold), Some(number));
            }
        }
    }

    #[test]
    fn a_number_without_end_or_too_large_is_none() {
        assert_eq!(read_number(&mut &[0x80][..]), None);
        assert_eq!(read_number(&mut &[0xFF; 11][..]), None);
        assert_eq!(read_number(&mut &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01][..]), Some(u64::MAX));
        assert_eq!(read_number(&mut &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02][..]), None);
    }

    #[test]
    fn scores_that_follow_each_other_take_a_byte() {
        let mut streams = Streams::default();
        streams.push(&game("h2e2", &[("h7e7", -20), ("e2e6", 31), ("d9e8", -90), ("a0a1", 60)]));
        assert_eq!(streams.bytes.each_ref().map(Vec::len), [5, 5, 5, 4]);
    }
}
