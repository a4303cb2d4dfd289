//! Aggregation of sorted tuples or groups into records: counted per move, filtered, weighted.

use std::hash::Hasher as _;

use anyhow::{Context, Result};
use chuhe::board::Move;
use chuhe::book::{Record, scaled_weight};
use clap::Args;
use twox_hash::XxHash3_64;

use crate::group::Group;

/// Weights of results, and filters for moves.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct Rules {
    /// Weight that a game adds to the mover's moves, by its result.
    // For a win, a draw, a loss and a game with an unknown end.
    #[arg(long = "weights", value_name = "WORTH", default_value = "win=2,draw=1,loss=0,unknown=1", value_parser = weights)]
    pub worth: [u32; 4],
    /// Minimum number of games of a move. In a position that is its own mirror image, a game counts for a move and for its mirror
    /// image, and so twice for a move that is both.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_games: u32,
    /// Minimum percentage of points of a move.
    // Among games with a known end; draws count half.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    pub min_score: f64,
    /// Maximum number of moves per position; the heaviest are kept.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    pub max_moves: usize,
}

/// Weights of results that are not given.
const USUAL_WORTH: [u32; 4] = [2, 1, 0, 1];

impl Default for Rules {
    fn default() -> Self {
        Self { worth: USUAL_WORTH, min_games: 1, min_score: 0.0, max_moves: usize::MAX }
    }
}

/// Parses weights such as `win=3,draw=1`; those that are missing stay as they are.
fn weights(text: &str) -> Result<[u32; 4]> {
    let mut worth = USUAL_WORTH;
    for part in text.split(',') {
        let (name, number) = part.split_once('=').with_context(|| format!("{part:?} is not NAME=NUMBER"))?;
        let index = ["win", "draw", "loss", "unknown"].iter().position(|known| *known == name);
        let index = index.with_context(|| format!("unknown result {name:?} (known: win, draw, loss, unknown)"))?;
        worth[index] = number.parse().with_context(|| format!("{number:?} is not a weight"))?;
    }
    Ok(worth)
}

/// Whether a move passes the filters.
fn passes(group: &Group, rules: &Rules) -> bool {
    let [wins, draws, losses, _] = group.counts.map(u128::from);
    let known = wins + draws + losses;
    let score = if known == 0 { 100.0 } else { 50.0 * (2 * wins + draws) as f64 / known as f64 };
    group.games() >= u64::from(rules.min_games) && score >= rules.min_score
}

/// Returns the weight of a move, before it is scaled to sixteen bits.
fn weight(group: &Group, rules: &Rules) -> u64 {
    let weights = group.counts.iter().zip(rules.worth).map(|(count, worth)| count.saturating_mul(u64::from(worth)));
    weights.fold(0, u64::saturating_add)
}

/// Iterator over the records of sorted tuples or groups, one position at a time.
pub struct Records<I: Iterator> {
    played: std::iter::Peekable<I>,
    rules: Rules,
    /// Records of the last position, in reverse order.
    ready: Vec<Record>,
    hash: XxHash3_64,
    worthless: u64,
}

impl<T: Copy + Into<Group>, I: Iterator<Item = Result<T>>> Records<I> {
    /// Creates the iterator; the tuples or groups must be sorted.
    pub fn new(played: I, rules: Rules) -> Self {
        Self { played: played.peekable(), rules, ready: vec![], hash: XxHash3_64::default(), worthless: 0 }
    }

    /// Returns a hash of the sources of the records so far: of every move the number of games by result.
    /// It does not depend on which program has counted them.
    pub fn sources(&self) -> u64 {
        self.hash.finish()
    }

    /// Returns the number of moves so far that passed the filters but have a weight of zero.
    pub fn worthless(&self) -> u64 {
        self.worthless
    }

    fn next_position(&mut self) -> Result<bool> {
        let Some(first) = self.played.next().transpose()? else { return Ok(false) };
        let mut next: Option<Group> = Some(first.into());
        let key = first.into().key;
        let mut groups: Vec<Group> = vec![];
        while let Some(group) = next {
            match groups.last_mut() {
                Some(last) if last.is_same_move(&group) => last.add(&group),
                _ => groups.push(group),
            }
            let is_same = |next: &Result<T>| next.as_ref().map_or(true, |next| (*next).into().key == key);
            next = self.played.next_if(is_same).transpose()?.map(T::into);
        }
        self.hash.write(bytemuck::cast_slice(&groups));
        self.ready = records(key, &groups, &self.rules);
        let is_worthless = |group: &&Group| passes(group, &self.rules) && weight(group, &self.rules) == 0;
        self.worthless += groups.iter().filter(is_worthless).count() as u64;
        self.ready.reverse();
        Ok(true)
    }
}

impl<T: Copy + Into<Group>, I: Iterator<Item = Result<T>>> Iterator for Records<I> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.ready.pop() {
                return Some(Ok(record));
            }
            match self.next_position() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn records(key: u64, groups: &[Group], rules: &Rules) -> Vec<Record> {
    let passing = groups.iter().filter(|group| passes(group, rules));
    let moves = passing.filter_map(|group| Some((Move::from_bits(group.mv())?, weight(group, rules))));
    let moves: Vec<_> = moves.filter(|(mv, weight)| *weight > 0 && !mv.is_promotion()).collect();
    let heaviest = moves.iter().map(|(_, weight)| *weight).max().unwrap_or_default();
    let mut records: Vec<_> =
        moves.iter().map(|&(mv, weight)| Record::new(key, mv, scaled_weight(weight, heaviest))).collect();
    records.sort_by_key(Record::order);
    records.truncate(rules.max_moves);
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuple::{Points, Tuple};

    fn made(tuples: &[(u64, &str, Points)], rules: Rules) -> Vec<(u64, String, u16)> {
        let mut tuples: Vec<_> = tuples
            .iter()
            .map(|(key, mv, points)| Tuple::new(*key, mv.parse::<Move>().unwrap().bits(), 3, 0, *points))
            .collect();
        tuples.sort();
        let records = Records::new(tuples.into_iter().map(Ok), rules).map(Result::unwrap);
        records.map(|record| (record.key, record.turned_move().unwrap().to_string(), record.weight)).collect()
    }

    const PLAYED: [(u64, &str, Points); 8] = [
        (7, "h2e2", Points::Win),
        (7, "c3c4", Points::Loss),
        (7, "h2e2", Points::Draw),
        (9, "h2e2", Points::Unknown),
        (7, "c3c4", Points::Win),
        (7, "c3c4", Points::Win),
        (7, "g3g4", Points::Loss),
        (7, "g3g4", Points::Loss),
    ];

    #[test]
    fn weights_are_named() {
        assert_eq!(weights("loss=1,win=9").unwrap(), [9, 1, 1, 1]);
        assert_eq!(weights("win=2,draw=1,loss=0,unknown=1").unwrap(), USUAL_WORTH);
        assert!(weights("won=1").is_err() && weights("win").is_err());
    }

    #[test]
    fn wins_and_draws_make_weight() {
        let expected = [(7, "c3c4", 4), (7, "h2e2", 3), (9, "h2e2", 1)];
        assert_eq!(made(&PLAYED, Rules::default()), expected.map(|(key, mv, weight)| (key, mv.to_owned(), weight)));
    }

    #[test]
    fn every_rule_leaves_something_out() {
        let of = |rules: Rules| {
            made(&PLAYED, rules).into_iter().map(|(key, mv, _)| format!("{key}{mv}")).collect::<Vec<_>>()
        };
        assert_eq!(of(Rules { min_games: 3, ..Rules::default() }), ["7c3c4"]);
        assert_eq!(of(Rules { min_score: 70.0, ..Rules::default() }), ["7h2e2", "9h2e2"]);
        assert_eq!(of(Rules { max_moves: 1, ..Rules::default() }), ["7c3c4", "9h2e2"]);
        assert_eq!(of(Rules { worth: [0, 0, 1, 0], ..Rules::default() }), ["7g3g4", "7c3c4"]);
    }

    #[test]
    fn heavy_moves_keep_their_proportion() {
        let rules = Rules { worth: [60_000, 1, 30_000, 1], ..Rules::default() };
        let weights: Vec<_> = made(&PLAYED[..6], rules).into_iter().map(|(_, _, weight)| weight).collect();
        // 150,000 and 60,001 of 150,000; the other position needs no scaling.
        assert_eq!(weights, [65_535, 26_214, 1]);
    }
}
