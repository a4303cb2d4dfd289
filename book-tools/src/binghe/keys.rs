//! Position keys from a table of pseudorandom numbers: the one that all these interfaces share, or
//! another one from a file.

use std::path::Path;

use anyhow::{Context, Result, bail};
use chuhe::board::{Move, Piece, Position, Square};
use chuhe::book::{BINGHE_RED_TO_MOVE, BINGHE_WORDS as WORDS, binghe_index, binghe_key, binghe_words};
use chuhe::file;

/// Table of 14 times 256 numbers: pieces in the order `KABNRCPkabnrcp`, 256 squares each.
pub struct Keys {
    words: Vec<u64>,
}

impl Keys {
    /// Returns the table that Binghe, public-Xiangqi and others share.
    pub fn shared() -> Self {
        Self { words: binghe_words() }
    }

    /// Reads a table from a file: hexadecimal numbers of 64 bits with or without `0x`, separated by commas or white
    /// space; comments extend from `#` to the end of the line.
    ///
    /// # Errors
    /// If the file cannot be read or parsed; the message names the file and the line.
    pub fn open(path: &Path) -> Result<Self> {
        let text = file::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        Self::parse(&String::from_utf8_lossy(&text)).with_context(|| path.display().to_string())
    }

    /// Parses a table from the text of such a file.
    ///
    /// # Errors
    /// If the text is not a table; the message names the line.
    pub fn parse(text: &str) -> Result<Self> {
        let mut words = Vec::with_capacity(WORDS);
        for (line, number) in text.lines().zip(1..) {
            let numbers = line.split('#').next().unwrap_or_default();
            for word in numbers.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()) {
                if words.len() == WORDS {
                    bail!("line {number}: more than {WORDS} numbers");
                }
                words.push(hexadecimal(word).with_context(|| {
                    format!("line {number}: {word:?} is not a hexadecimal number of at most 64 bits")
                })?);
            }
        }
        if words.len() < WORDS {
            let lines = text.lines().count().max(1);
            bail!("line {lines}: ends with {} numbers of {WORDS}", words.len());
        }
        Ok(Self { words })
    }

    /// Returns the key of a position in its own orientation.
    pub fn of(&self, position: &Position) -> u64 {
        binghe_key(&self.words, position)
    }
}

/// Keys of the positions after the moves of one position, updated incrementally.
pub(super) struct KeysAfter<'a> {
    keys: &'a Keys,
    position: &'a Position,
    /// Keys of the position and of its mirror image, with the other side to move.
    before: [u64; 2],
}

impl<'a> KeysAfter<'a> {
    /// Prepares the keys after the moves of a position.
    pub(super) fn new(keys: &'a Keys, position: &'a Position) -> Self {
        let before = [*position, position.mirrored()].map(|position| keys.of(&position) ^ BINGHE_RED_TO_MOVE);
        Self { keys, position, before }
    }

    /// Returns the keys of the position after a legal move, and of its mirror image.
    pub(super) fn both(&self, mv: Move) -> [u64; 2] {
        let delta = self.position.delta(mv);
        let mut keys = self.before;
        let mut toggle = |piece: Piece, square: Square| {
            for (key, square) in keys.iter_mut().zip([square, square.mirrored()]) {
                *key ^= self.keys.words[binghe_index(piece, square)];
            }
        };
        toggle(delta.piece, delta.from);
        toggle(delta.placed(), delta.to);
        if let Some(captured) = delta.captured {
            toggle(captured, delta.to);
        }
        keys
    }
}

fn hexadecimal(word: &str) -> Option<u64> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word);
    // The number parser would accept a sign.
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binghe::tests::{keys, table};
    use proptest::prelude::*;

    /// Returns the key after a move, from the key before it.
    fn after(keys: &Keys, key: u64, position: &Position, mv: Move) -> u64 {
        let word = |piece: Piece, square: Square| keys.words[binghe_index(piece, square)];
        let piece = position.piece_on(mv.from()).unwrap();
        let captured = position.piece_on(mv.to()).map_or(0, |captured| word(captured, mv.to()));
        key ^ word(piece, mv.from()) ^ word(piece, mv.to()) ^ captured ^ BINGHE_RED_TO_MOVE
    }

    /// Returns the table for mirror images, with its columns exchanged instead of those of the position.
    fn mirrored(keys: &Keys) -> Keys {
        // The edges add up to 14: the leftmost column of the board is 3, the rightmost 11.
        let word = |index: usize| match index % 16 {
            column @ 3..=11 => keys.words[index - column + (14 - column)],
            _ => keys.words[index],
        };
        Keys { words: (0..WORDS).map(word).collect() }
    }

    proptest! {
        #[test]
        fn a_move_changes_the_words_of_its_squares(choices in prop::collection::vec(0..1000_usize, 1..60)) {
            let keys = keys();
            let mirrored = mirrored(&keys);
            let mut position = Position::start();
            for choice in choices {
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(choice % moves.len().max(1)) else { break };
                let key = after(&keys, keys.of(&position), &position, mv);
                let both = KeysAfter::new(&keys, &position).both(mv);
                position = position.play(mv);
                prop_assert_eq!(keys.of(&position), key);
                prop_assert_eq!(both, [position, position.mirrored()].map(|position| keys.of(&position)));
                prop_assert_eq!(mirrored.of(&position), keys.of(&position.mirrored()));
            }
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "[0-9a-fx,# \n\\PC]*") {
            prop_assert!(Keys::parse(&text).is_err());
        }
    }

    #[test]
    fn the_order_is_pieces_then_squares() {
        // Only the red King on e0, byte C7, and the black Pawn on a6, byte 63, have a number.
        let mut words = vec!["0".to_owned(); WORDS];
        words[0xC7] = "0x1".into();
        words[13 * 256 + 0x63] = "F0".into();
        let keys = Keys::parse(&words.join("\n")).unwrap();
        let start = Position::start();
        assert_eq!(keys.of(&start), 0xF1 ^ 0xA0CE_2AF9_0C45_2F58);
        assert_eq!(keys.of(&start.play("c3c4".parse().unwrap())), 0xF1);
    }

    #[test]
    fn a_table_may_be_written_in_many_ways() {
        let words = table();
        let plain = words.join(" ");
        let decorated = format!("# a table\n{} # ends\n", words.join(",\r\n\t0X"));
        let start = Position::start();
        assert_eq!(Keys::parse(&plain).unwrap().of(&start), Keys::parse(&decorated).unwrap().of(&start));
    }

    #[test]
    fn a_bad_table_is_named_with_its_line() {
        let words = table();
        let cases = [
            (String::new(), "line 1: ends with 0 numbers of 3584"),
            (words[1..].join("\n"), "line 3583: ends with 3583 numbers of 3584"),
            (format!("{}\n7", words.join(" ")), "line 2: more than 3584 numbers"),
            ("1 2\n3 zz".into(), "line 2: \"zz\" is not a hexadecimal number of at most 64 bits"),
            (
                "11112222333344445".into(),
                "line 1: \"11112222333344445\" is not a hexadecimal number of at most 64 bits",
            ),
            ("1\n\n+2".into(), "line 3: \"+2\" is not a hexadecimal number of at most 64 bits"),
        ];
        for (text, expected) in cases {
            let error = Keys::parse(&text).err().unwrap();
            assert_eq!(format!("{error:#}"), expected);
        }
    }
}
