//! WXF notation, of the World Xiangqi Federation: `C2=5`, `R+-2`, `Pb+1`.

use super::description::{Description, Direction, Order, Place};
use crate::board::{Kind, Move, Piece, Position};

pub(super) fn write(position: &Position, mv: Move) -> String {
    let Description { kind, place, direction, number } = Description::of(position, mv);
    let direction = match direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Sideways => '=',
    };
    let piece = kind.letter();
    match place {
        Place::File(file) => format!("{piece}{file}{direction}{number}"),
        Place::Order(order) => format!("{piece}{}{direction}{number}", letter(order)),
    }
}

fn letter(order: Order) -> char {
    match order {
        Order::Front => '+',
        Order::Middle => '=',
        Order::Rear => '-',
        Order::Nth(number) => ORDER_LETTERS[number - 1],
    }
}

const ORDER_LETTERS: [char; 5] = ['a', 'b', 'c', 'd', 'e'];

/// Parses `text` without its position.
pub(super) fn parse(text: &str) -> Option<Description> {
    let mut letters = text.chars();
    let [first, second, direction, number] = [(); 4].map(|()| letters.next());
    if letters.next().is_some() {
        return None;
    }
    let (kind, place) = parse_piece(first?, second?)?;
    let direction = match direction? {
        '+' => Direction::Forward,
        '-' => Direction::Back,
        '=' | '.' => Direction::Sideways,
        _ => return None,
    };
    Some(Description { kind, place, direction, number: parse_digit(number?)? })
}

/// Parses `C2`, `C+`, `+C` or `Pb`.
fn parse_piece(first: char, second: char) -> Option<(Kind, Place)> {
    if let Some(order) = parse_sign(first) {
        return Some((parse_kind(second)?, Place::Order(order)));
    }
    let place = if let Some(file) = parse_digit(second) {
        Place::File(file)
    } else if let Some(order) = parse_sign(second) {
        Place::Order(order)
    } else {
        let index = ORDER_LETTERS.iter().position(|&letter| letter == second.to_ascii_lowercase())?;
        Place::Order(Order::Nth(index + 1))
    };
    Some((parse_kind(first)?, place))
}

fn parse_sign(sign: char) -> Option<Order> {
    match sign {
        '+' => Some(Order::Front),
        '=' | '.' => Some(Order::Middle),
        '-' => Some(Order::Rear),
        _ => None,
    }
}

/// Parses a letter of either case, or 1..=7 for king .. pawn.
fn parse_kind(letter: char) -> Option<Kind> {
    match parse_digit(letter) {
        Some(digit) => Kind::ALL.get(digit - 1).copied(),
        None => Piece::from_letter(letter).map(Piece::kind),
    }
}

fn parse_digit(digit: char) -> Option<usize> {
    digit.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::notation::description::tests::Spelling;

    const SPELLING: Spelling = Spelling(Notation::Wxf);

    #[test]
    fn other_spellings_are_read() {
        let start = Position::start();
        for text in ["C2=5", "c2=5", "C2.5", "62.5", "62=5"] {
            assert_eq!(SPELLING.meaning(&start, text), "h2e2", "{text}");
        }
        for text in ["N2+3", "H2+3", "h2+3", "42+3"] {
            assert_eq!(SPELLING.meaning(&start, text), "h0g2", "{text}");
        }
        for text in ["B3+5", "E3+5", "33+5"] {
            assert_eq!(SPELLING.meaning(&start, text), "g0e2", "{text}");
        }
        for text in ["", "C2", "C2=", "C2=55", "C2=0", "C0=5", "C2*5", "X2=5", "82=5", "Cf=5", "C2=五", "炮2=5"] {
            assert!(parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn two_on_a_file_are_front_and_rear() {
        SPELLING.check(
            "3k5/9/2c6/9/9/2c1C4/4N4/4C4/4N4/5K3 b",
            &[
                ("c7c5", &["C-+2"]),
                ("c7d7", &["C-=4", "-C=4"]),
                ("c4c2", &["C++2", "+C+2"]),
                ("c4c5", &["C+-1", "c+-1"]),
            ],
        );
        SPELLING.check(
            "3k5/9/2c6/9/9/2c1C4/4N4/4C4/4N4/5K3 w",
            &[("e4d4", &["C+=6", "+C.6"]), ("e2d2", &["C-=6"]), ("e3g4", &["N++3", "+H+3"]), ("e1c0", &["N--7"])],
        );
    }

    #[test]
    fn a_file_is_enough_where_only_one_can_go() {
        let position = Position::from_fen("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w").unwrap();
        assert_eq!(SPELLING.meaning(&position, "R5+4"), "e5e9");
        assert_eq!(SPELLING.meaning(&position, "R5=6"), "e3d3 e5d5");
    }

    #[test]
    fn advisors_and_elephants_are_printed_by_their_file() {
        SPELLING.check(
            "3k5/9/9/9/9/6B2/9/5A3/9/4KAB2 w",
            &[
                ("f0e1", &["A4+5", "A-+5", "-A+5"]),
                ("f2e1", &["A4-5", "A+-5"]),
                ("g0e2", &["B3+5", "B-+5", "E3+5"]),
                ("g4e2", &["B3-5", "B+-5"]),
            ],
        );
    }

    #[test]
    fn three_pawns_on_a_file_are_front_middle_and_rear() {
        SPELLING.check(
            "5k3/9/2P6/2P6/2P6/9/9/9/9/3K5 w",
            &[
                ("c7c8", &["P++1", "P7+1", "Pa+1"]),
                ("c7b7", &["P+=8", "+P.8"]),
                ("c6b6", &["P==8", "P..8", "=P=8", ".P.8", "Pb=8", "7.=8"]),
                ("c5d5", &["P-=6", "Pc=6", "pC=6"]),
            ],
        );
    }

    #[test]
    fn more_pawns_have_letters_from_the_right_and_from_the_front() {
        SPELLING.check(
            "5k3/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w",
            &[("c8b8", &["Pa=8", "P+=8"]), ("c6d6", &["Pc=6"]), ("c5b5", &["Pd=8", "PD.8", "P-=8"])],
        );
        SPELLING.check(
            "4k4/9/9/9/9/2p3p2/2p3p2/9/6p2/3K5 b",
            &[
                ("c3c2", &["Pa+1"]),
                ("c4b4", &["Pb=2", "P-=2"]),
                ("g1f1", &["Pc=6"]),
                ("g3g2", &["Pd+1", "P=+1"]),
                ("g4h4", &["Pe=8"]),
            ],
        );
    }
}
