//! Weights of the moves of a database, which has games and scores instead.

/// Weight of the best move, for weights that are made from scores.
pub const FULL_WEIGHT: u16 = 100;

/// Centipawns below the best move at which the weight becomes zero, for weights of a database without games.
const MARGIN: u16 = 50;

/// A row of a database, for its weight among those of its position.
#[derive(Clone, Copy, Debug)]
pub struct BingheRow {
    /// Points of its games: two for a win, one for a draw.
    pub points: u64,
    /// Whether it has any games.
    pub has_games: bool,
    /// Score as in [`Score::to_table`](crate::score::Score::to_table), and depth in plies.
    pub eval: Option<(i16, u8)>,
    /// Whether the move may be played.
    pub is_valid: bool,
}

/// Returns the weights of all rows of a position: their points. If no row has games, they are made from the scores, and
/// without scores all are 1.
pub fn binghe_weights(rows: &[BingheRow]) -> Vec<u16> {
    let heaviest = rows.iter().map(|row| row.points).max().unwrap_or_default();
    let has_games = rows.iter().any(|row| row.has_games);
    let scores = rows.iter().filter(|row| row.is_valid).filter_map(|row| row.eval);
    let best = scores.map(|(score, _)| score).max();
    let weight = |row: &BingheRow| match (best, row.eval) {
        _ if has_games && row.points == 0 => 0,
        _ if has_games => scaled_weight(row.points, heaviest),
        (None, _) => 1,
        (Some(_), None) => 0,
        (Some(best), Some((score, _))) => weight_by_gap(i32::from(best) - i32::from(score), MARGIN),
    };
    rows.iter().map(weight).collect()
}

/// Returns the weight of a move by its gap to the best, in centipawns: [`FULL_WEIGHT`] for the best, decreasing up to the
/// margin, zero beyond.
pub fn weight_by_gap(gap: i32, margin: u16) -> u16 {
    let span = i32::from(margin) + 1;
    let left = (span - gap.max(0)).max(0);
    ((left * i32::from(FULL_WEIGHT) + span - 1) / span) as u16
}

/// Scales a weight to sixteen bits, in proportion if the heaviest move of the position exceeds them.
pub fn scaled_weight(weight: u64, heaviest: u64) -> u16 {
    let most = u64::from(u16::MAX);
    let (weight, heaviest) = (weight.min(heaviest), heaviest.max(1));
    if heaviest <= most {
        return weight as u16;
    }
    (u128::from(weight) * u128::from(most) / u128::from(heaviest)).max(1) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_end_at_the_margin() {
        assert_eq!([0, 10, 20, 21, 9000].map(|gap| weight_by_gap(gap, 20)), [100, 53, 5, 0, 0]);
        assert_eq!([0, 1].map(|gap| weight_by_gap(gap, 0)), [100, 0]);
    }

    #[test]
    fn games_come_before_scores_and_scores_before_nothing() {
        let row = |points, has_games, score: Option<i16>| BingheRow {
            points,
            has_games,
            eval: score.map(|score| (score, 0)),
            is_valid: true,
        };
        assert_eq!(binghe_weights(&[row(5, true, None), row(0, true, Some(90))]), [5, 0]);
        assert_eq!(
            binghe_weights(&[row(0, false, Some(0)), row(0, false, Some(-51)), row(0, false, None)]),
            [100, 0, 0]
        );
        assert_eq!(binghe_weights(&[row(0, false, None); 2]), [1, 1]);
        assert_eq!(binghe_weights(&[row(200_000, true, None), row(1, true, None)]), [65_535, 1]);
    }
}
