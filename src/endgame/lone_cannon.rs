//! Lone cannon rule: a cannon without advisors of its own does not win. Tables of such endgames confirm the rule.

use crate::board::{Kind, Position, Side, Variant};

/// Whether `position` is drawn because the only attackers are one cannon, or one for each side, without an advisor to jump over.
///
/// Excluded are mates in one, possible where a king's own pieces stand in its way, and positions already mated or stalemated.
#[inline]
pub fn is_drawn_by_a_lone_cannon(position: &Position) -> bool {
    // This test is enough almost everywhere.
    [Kind::Rook, Kind::Horse, Kind::Pawn].iter().all(|&kind| position.of_kind(kind).is_empty()) && is_drawn(position)
}

/// Certainty of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Draw {
    Certain,
    UnlessMateAtOnce,
}

/// Decides positions in which cannons are the only attackers.
#[cold]
fn is_drawn(position: &Position) -> bool {
    let draw = match Side::ALL.map(|side| position.pieces(side, Kind::Cannon).count()) {
        _ if position.variant() != Variant::Standard => None,
        [1, 0] => against_defenders(position, Side::Red),
        [0, 1] => against_defenders(position, Side::Black),
        [1, 1] if position.of_kind(Kind::Advisor).is_empty() => {
            let bare = position.of_kind(Kind::Elephant).is_empty();
            Some(if bare { Draw::Certain } else { Draw::UnlessMateAtOnce })
        }
        _ => None,
    };
    draw.is_some_and(|draw| position.has_legal_move() && (draw == Draw::Certain || !mates_at_once(position)))
}

/// Returns the draw where `owner`'s cannon is the only attacker; `None` if the rule does not apply.
fn against_defenders(position: &Position, owner: Side) -> Option<Draw> {
    let has_elephants = position.pieces(owner, Kind::Elephant).any();
    if position.pieces(owner, Kind::Advisor).any() {
        return None;
    }
    match position.pieces(!owner, Kind::Advisor).count() {
        0 => Some(Draw::Certain),
        1 => Some(if has_elephants { Draw::UnlessMateAtOnce } else { Draw::Certain }),
        _ => (!has_elephants).then_some(Draw::UnlessMateAtOnce),
    }
}

fn mates_at_once(position: &Position) -> bool {
    position.legal_moves().iter().any(|&mv| !position.play(mv).has_legal_move())
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::super::results::Outcome;
    use super::super::tables::Tables;
    use super::*;

    #[track_caller]
    fn assert_drawn(fen: &str, drawn: bool) {
        let position = Position::from_fen(fen).unwrap();
        for position in [position, position.colours_swapped(), position.mirrored()] {
            assert_eq!(is_drawn_by_a_lone_cannon(&position), drawn, "{}", position.to_fen());
        }
    }

    #[test]
    fn a_cannon_without_advisors_wins_nothing() {
        assert_drawn("5k3/9/9/9/9/9/9/4B4/9/3K2C2 w", true);
        assert_drawn("5k3/4a4/9/9/9/9/9/9/9/3K2C2 b", true);
        assert_drawn("2b2kb2/4a4/9/9/9/9/9/4B4/9/3K2C2 w", true);
        assert_drawn("5k3/3c5/9/9/9/9/9/9/9/3K2C2 w", true);
        // A cannon with an advisor or another attacker may win, and some endings are not covered by the rule.
        assert_drawn("5k3/9/9/9/9/9/9/9/4A4/3K2C2 w", false);
        assert_drawn("5k3/9/9/9/9/9/4P4/9/9/3K2C2 w", false);
        assert_drawn("2b2kb2/4a4/3a5/9/9/9/9/4B4/9/3K2C2 w", false);
        assert_drawn("5k3/3c5/9/9/9/9/9/9/4A4/3K2C2 w", false);
        assert_drawn("5k3/9/9/9/9/9/9/9/9/3KC1C2 w", false);
    }

    #[test]
    fn a_mate_at_once_goes_before() {
        // The cannon goes behind the advisors, and the king cannot leave its file.
        assert_drawn("4ka3/4a4/9/9/9/9/9/9/9/3K2C2 w", false);
        assert_drawn("4ka3/4a4/9/9/9/9/9/9/9/3K2C2 b", true);
    }

    #[test]
    fn bare_elephants_and_other_variants_are_not_its_business() {
        assert_drawn("5k3/9/9/9/9/9/9/4B4/9/3K5 w", false);
        let promotion = Position::from_fen_in("5k3/9/9/9/9/9/9/4B4/9/3K2C2 w", Variant::Promotion).unwrap();
        assert!(!is_drawn_by_a_lone_cannon(&promotion));
    }

    /// The embedded tables have such endings against a bare king and its defenders; the rule must agree with them.
    #[test]
    #[cfg_attr(miri, ignore = "many thousand positions")]
    fn the_tables_agree() {
        let mut drawn = 0;
        for defenders in ["", "A", "B", "AA", "AB", "BB", "AAB"] {
            let index = Index::new(format!("KC-K{defenders}").parse().unwrap()).unwrap();
            for number in (0..index.size()).step_by(7) {
                for position in
                    Side::ALL.into_iter().filter_map(|mover| index.position(&index.placement(number), mover))
                {
                    let known = Tables::embedded().outcome(&position);
                    let is_drawn = is_drawn_by_a_lone_cannon(&position);
                    assert_eq!(is_drawn, known == Some(Outcome::Draw), "{}", position.to_fen());
                    drawn += u32::from(is_drawn);
                }
            }
        }
        assert!(drawn > 10_000);
    }
}
