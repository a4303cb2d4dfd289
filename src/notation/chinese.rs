//! Chinese notation: `炮二平五`, `前车退１`, `三兵进一`. Written in simplified characters.

use super::description::{Description, Direction, Order, Place, file_number};
use crate::board::{Kind, Move, MoveList, Position, Side};

/// Numerals of Red, and of both sides when pawns are counted. Their code points are not consecutive.
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Numerals of Black.
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

pub(super) fn write(position: &Position, mv: Move) -> String {
    let Description { kind, place, direction, number } = Description::of(position, mv);
    let side = position.side();
    let numerals = match side {
        Side::Red => NUMERALS,
        Side::Black => WIDE_DIGITS,
    };
    let piece = piece_name(side, kind);
    let head = match place {
        Place::File(file) => [piece, numerals[file - 1]],
        Place::Order(order) => [order_name(order), piece],
    };
    let direction = match direction {
        Direction::Forward => '进',
        Direction::Back => '退',
        Direction::Sideways => '平',
    };
    head.into_iter().chain([direction, numerals[number - 1]]).collect()
}

fn piece_name(side: Side, kind: Kind) -> char {
    let names = match side {
        Side::Red => ['帅', '仕', '相', '马', '车', '炮', '兵'],
        Side::Black => ['将', '士', '象', '马', '车', '炮', '卒'],
    };
    names[kind.index()]
}

fn order_name(order: Order) -> char {
    match order {
        Order::Front => '前',
        Order::Middle => '中',
        Order::Rear => '后',
        Order::Nth(number) => NUMERALS[number - 1],
    }
}

/// The parsed form of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    description: Description,
    /// File of a piece that is named by its order, where the text gives both.
    file: Option<usize>,
}

impl Reading {
    /// Returns the legal moves that fit.
    pub(super) fn moves(&self, position: &Position) -> MoveList {
        let mut moves = self.description.moves(position);
        if let Some(file) = self.file {
            moves.retain(|mv| file_number(position.side(), mv.from()) == file);
        }
        moves
    }
}

/// The parsed form of one character.
#[derive(Clone, Copy)]
enum Word {
    Piece(Kind),
    Order(Order),
    Direction(Direction),
    Number(usize),
}

impl Word {
    fn read(character: char) -> Option<Self> {
        Some(match character {
            '帅' | '帥' | '将' | '將' => Self::Piece(Kind::King),
            '仕' | '士' => Self::Piece(Kind::Advisor),
            '相' | '象' => Self::Piece(Kind::Elephant),
            '马' | '馬' | '傌' => Self::Piece(Kind::Horse),
            '车' | '車' | '俥' | '硨' | '砗' | '伡' => Self::Piece(Kind::Rook),
            '炮' | '砲' | '包' => Self::Piece(Kind::Cannon),
            '兵' | '卒' => Self::Piece(Kind::Pawn),
            '前' => Self::Order(Order::Front),
            '中' => Self::Order(Order::Middle),
            '后' | '後' => Self::Order(Order::Rear),
            '进' | '進' => Self::Direction(Direction::Forward),
            '退' => Self::Direction(Direction::Back),
            '平' => Self::Direction(Direction::Sideways),
            _ => Self::Number(read_numeral(character)?),
        })
    }
}

/// Parses 1..=9 in any of the three scripts.
fn read_numeral(character: char) -> Option<usize> {
    let of = |digits: &[char]| digits.iter().position(|&digit| digit == character).map(|index| index + 1);
    of(&NUMERALS).or_else(|| of(&WIDE_DIGITS)).or_else(|| of(&['1', '2', '3', '4', '5', '6', '7', '8', '9']))
}

/// Parses `text` without its position.
pub(super) fn parse(text: &str) -> Option<Reading> {
    let words: Vec<Word> = text.chars().map(Word::read).collect::<Option<_>>()?;
    let (head, direction, number) = match words[..] {
        [ref head @ .., Word::Direction(direction), Word::Number(number)] => (head, direction, number),
        _ => return None,
    };
    let (kind, place, file) = match *head {
        [Word::Piece(kind), Word::Number(file)] => (kind, Place::File(file), None),
        [Word::Number(number), Word::Piece(kind)] => (kind, Place::Order(Order::Nth(number)), None),
        [Word::Order(order), Word::Piece(kind)] | [Word::Piece(kind), Word::Order(order)] => {
            (kind, Place::Order(order), None)
        }
        // Where two files have several pawns, books keep the file, and some leave out the pawn: 前兵四平五, 前四平五.
        [Word::Order(order), Word::Piece(kind), Word::Number(file)] => (kind, Place::Order(order), Some(file)),
        [Word::Order(order), Word::Number(file)] => (Kind::Pawn, Place::Order(order), Some(file)),
        _ => return None,
    };
    Some(Reading { description: Description { kind, place, direction, number }, file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::notation::description::tests::Spelling;

    const SPELLING: Spelling = Spelling(Notation::Chinese);

    #[test]
    fn traditional_characters_and_any_numerals_are_read_for_either_side() {
        let start = Position::start();
        let black = Position::start().play("h2e2".parse().unwrap());
        for (red_move, black_move, texts) in [
            ("h2e2", "b7e7", ["炮二平五", "砲２平５", "包2平5", "炮二平5"]),
            ("h0g2", "b9c7", ["马二进三", "馬２進３", "傌2进3", "马二進3"]),
            ("i0i1", "a9a8", ["车一进一", "車１進１", "俥1进1", "硨一進1"]),
            ("c0e2", "g9e7", ["相七进五", "象７進５", "相7进5", "象七進5"]),
            ("d0e1", "f9e8", ["仕六进五", "士６進５", "仕6进5", "士六進5"]),
            ("e0e1", "e9e8", ["帅五进一", "將５進１", "帥5进1", "将五進1"]),
            ("c3c4", "g6g5", ["兵七进一", "卒７進１", "卒7进1", "兵七進1"]),
        ] {
            for text in texts {
                assert_eq!(SPELLING.meaning(&start, text), red_move, "{text}");
                assert_eq!(SPELLING.meaning(&black, text), black_move, "{text}");
            }
        }
        for text in
            ["", "炮", "炮二平", "炮二平零", "炮二平０", "二平五", "炮炮平五", "前中进一", "炮二平五五", "炮 二平五"]
        {
            assert!(parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn two_on_a_file_are_front_and_rear() {
        SPELLING.check(
            "3k5/9/2c6/9/9/2c1C4/4N4/4C4/4N4/5K3 b",
            &[("c7c5", &["后炮进２", "後砲進二", "炮后进2"]), ("c4c5", &["前炮退１", "炮前退1"])],
        );
        SPELLING.check(
            "3k5/9/2c6/9/9/2c1C4/4N4/4C4/4N4/5K3 w",
            &[("e4d4", &["前炮平六", "前炮五平六"]), ("e3g4", &["前马进三"]), ("e1c0", &["后马退七", "後傌退7"])],
        );
    }

    #[test]
    fn advisors_and_elephants_are_printed_by_their_file() {
        SPELLING.check(
            "3k5/9/9/9/9/6B2/9/5A3/9/4KAB2 w",
            &[
                ("f0e1", &["仕四进五", "后仕进五"]),
                ("f2e1", &["仕四退五", "前士退五"]),
                ("g0e2", &["相三进五", "後相進五"]),
                ("g4e2", &["相三退五", "前象退5"]),
            ],
        );
    }

    #[test]
    fn three_pawns_on_a_file_are_front_middle_and_rear() {
        SPELLING.check(
            "5k3/9/2P6/2P6/2P6/9/9/9/9/3K5 w",
            &[
                ("c7c8", &["前兵进一", "兵七进一", "一兵进一"]),
                ("c6b6", &["中兵平八", "二兵平八", "中兵七平八"]),
                ("c5d5", &["后兵平六", "三兵平六", "後卒平6"]),
            ],
        );
    }

    #[test]
    fn more_pawns_on_a_file_are_counted_from_the_front() {
        SPELLING.check(
            "5k3/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w",
            &[
                ("c8b8", &["一兵平八", "前兵平八"]),
                ("c6d6", &["三兵平六"]),
                ("c5b5", &["四兵平八", "后兵平八", "4兵平8"]),
            ],
        );
        SPELLING.check(
            "4k4/9/9/9/6p2/6p2/6p2/6p2/6p2/3K5 b",
            &[
                ("g1f1", &["一卒平６", "１卒平６", "前卒平６"]),
                ("g3h3", &["三卒平８", "中卒平８"]),
                ("g4f4", &["四卒平６"]),
            ],
        );
    }

    #[test]
    fn pawns_on_two_files_are_counted_from_the_right_and_from_the_front() {
        SPELLING.check(
            "4k4/3P1P3/9/3P1P3/9/9/9/9/9/3K5 w",
            &[
                ("f8e8", &["一兵平五", "前兵四平五", "前四平五"]),
                ("f6e6", &["二兵平五", "后兵四平五", "後四平5"]),
                ("d8e8", &["三兵平五", "前兵六平五"]),
                ("d6e6", &["四兵平五", "后六平五"]),
                ("d8c8", &["三兵平七", "前兵平七"]),
            ],
        );
        SPELLING.check(
            "4k4/9/9/9/9/2p3p2/2p3p2/9/6p2/3K5 b",
            &[
                ("c3c2", &["一卒进１"]),
                ("c4b4", &["二卒平２"]),
                ("g1f1", &["三卒平６", "前卒７平６"]),
                ("g3g2", &["四卒进１", "中卒７进１", "中卒进１"]),
                ("g4h4", &["五卒平８", "后７平８"]),
            ],
        );
        let position = Position::from_fen("4k4/3P1P3/9/3P1P3/9/9/9/9/9/3K5 w").unwrap();
        assert_eq!(SPELLING.meaning(&position, "前兵进一"), "d8d9 f8f9");
    }
}
