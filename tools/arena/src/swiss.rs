//! Pairings of a Swiss tournament: engines with about equal points meet, no two of them twice as long as that is possible.

use std::cmp::Reverse;

/// Most steps of the search for pairings before engines may meet once more.
const MOST_STEPS: u32 = 100_000;

/// An encounter that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting {
    /// Round, from 0.
    pub(crate) round: u32,
    /// The engines.
    pub(crate) engines: [usize; 2],
    /// Half points of each of them.
    pub(crate) half_points: [u32; 2],
}

/// Returns the pairings of `round`, from 0, given all encounters of the rounds before.
///
/// Engines are ranked by points, then in their order; a bye counts as an encounter won in all `games`. With an odd number of
/// engines the last one with the fewest byes gets it. Within equal points the upper half meets the lower half.
pub(crate) fn pairings(engines: usize, games: u32, round: u32, meetings: &[Meeting]) -> Vec<[usize; 2]> {
    let mut met = vec![vec![0_u32; engines]; engines];
    let (mut points, mut played) = (vec![0_u32; engines], vec![0_u32; engines]);
    for Meeting { engines: [first, second], half_points, .. } in meetings {
        met[*first][*second] += 1;
        met[*second][*first] += 1;
        for (engine, half_points) in [(*first, half_points[0]), (*second, half_points[1])] {
            points[engine] += half_points;
            played[engine] += 1;
        }
    }
    let byes: Vec<u32> = played.iter().map(|played| round.saturating_sub(*played)).collect();
    let points: Vec<u32> = points.iter().zip(&byes).map(|(points, byes)| points + byes * 2 * games).collect();
    let mut ranking: Vec<usize> = (0..engines).collect();
    ranking.sort_by_key(|&engine| (Reverse(points[engine]), engine));
    if engines % 2 == 1 {
        let fewest = byes.iter().min().copied().unwrap_or(0);
        let at = ranking.iter().rposition(|&engine| byes[engine] == fewest).expect("one engine has the fewest");
        ranking.remove(at);
    }
    let mut most = 0;
    loop {
        let mut search = Search { met: &met, points: &points, most, steps: 0, pairs: vec![] };
        if search.pair(&ranking) {
            return search.pairs;
        }
        most += 1;
    }
}

/// Search for pairings of engines that have met at most `most` times.
struct Search<'a> {
    met: &'a [Vec<u32>],
    points: &'a [u32],
    most: u32,
    steps: u32,
    pairs: Vec<[usize; 2]>,
}

impl Search<'_> {
    /// Pairs the engines of a ranking, the first one first; `false` if that is not possible, or takes too long.
    fn pair(&mut self, ranking: &[usize]) -> bool {
        let [first, rest @ ..] = ranking else { return true };
        self.steps += 1;
        for other in self.opponents(*first, rest) {
            if self.steps > MOST_STEPS {
                return false;
            }
            self.pairs.push([*first, other]);
            let left: Vec<usize> = rest.iter().copied().filter(|&engine| engine != other).collect();
            if self.pair(&left) {
                return true;
            }
            self.pairs.pop();
        }
        false
    }

    /// Returns the possible opponents of an engine, the best one first: of equal points, half of the group further down.
    fn opponents(&self, engine: usize, rest: &[usize]) -> Vec<usize> {
        let equal = rest.iter().filter(|&&other| self.points[other] == self.points[engine]).count();
        let half = equal / 2;
        let mut opponents: Vec<(usize, usize)> = rest.iter().copied().enumerate().collect();
        opponents.retain(|&(_, other)| self.met[engine][other] <= self.most);
        opponents.sort_by_key(|&(place, other)| {
            (self.points[engine].abs_diff(self.points[other]), place.abs_diff(half), place)
        });
        opponents.into_iter().map(|(_, other)| other).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `rounds` rounds in which the engine with the lower number wins, and returns all encounters.
    fn played(engines: usize, rounds: u32) -> Vec<Meeting> {
        let mut meetings: Vec<Meeting> = vec![];
        for round in 0..rounds {
            let pairs = pairings(engines, 2, round, &meetings);
            let mut seen: Vec<usize> = pairs.concat();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!((pairs.len(), seen.len()), (engines / 2, engines / 2 * 2), "each engine once: {pairs:?}");
            meetings.extend(pairs.into_iter().map(|[first, second]| {
                let half_points = if first < second { [4, 0] } else { [0, 4] };
                Meeting { round, engines: [first, second], half_points }
            }));
        }
        meetings
    }

    #[test]
    fn the_upper_half_meets_the_lower_and_winners_meet_winners() {
        assert_eq!(pairings(8, 2, 0, &[]), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        let second = pairings(8, 2, 1, &played(8, 1));
        assert_eq!(second, [[0, 2], [1, 3], [4, 6], [5, 7]]);
    }

    #[test]
    fn nobody_meets_twice_while_that_is_possible() {
        for engines in [4, 6, 7, 8, 10, 16] {
            let rounds = (engines as u32 - 1).min(5);
            let mut pairs: Vec<[usize; 2]> = played(engines, rounds)
                .iter()
                .map(|meeting| {
                    let [one, other] = meeting.engines;
                    [one.min(other), one.max(other)]
                })
                .collect();
            let all = pairs.len();
            pairs.sort_unstable();
            pairs.dedup();
            if engines >= 7 {
                assert_eq!(pairs.len(), all, "{engines} engines, {rounds} rounds");
            }
        }
        // Two engines meet again in every round.
        assert_eq!(played(2, 4).len(), 4);
    }

    #[test]
    fn byes_go_round_and_count_as_wins() {
        let meetings = played(5, 5);
        let byes = |engine: usize| 5 - meetings.iter().filter(|meeting| meeting.engines.contains(&engine)).count();
        assert_eq!((0..5).map(byes).collect::<Vec<_>>(), [1; 5]);
        // The last engine was free in the first round, and meets one that has won.
        assert_eq!(pairings(3, 2, 0, &[]), [[0, 1]]);
        let won = Meeting { round: 0, engines: [0, 1], half_points: [4, 0] };
        assert_eq!(pairings(3, 2, 1, &[won]), [[0, 2]]);
    }
}
