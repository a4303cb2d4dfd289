//! The benchmark: fixed positions, fixed depth, one thread. Its node count is the signature of the search.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::Position;
use crate::eval::nnue::Network;
use crate::rules::{RuleSet, Rules};
use crate::search::{Limits, OnMate, Plan, SearchContext, Searcher, Silent};
use crate::smp::table::Table;

/// Depth of the signature, in plies: about ten seconds.
pub const DEPTH: u32 = 16;

/// Rules of the signature, which does not depend on the rules of games.
pub const RULES: RuleSet = RuleSet::League;

const TABLE_MEBIBYTES: usize = 16;

/// Openings, middle games and endings of all kinds; none is reached from another one.
const POSITIONS: &[&str] = &[
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "1nbakab1r/r8/6n2/p1p1p1p1p/9/9/P1c1P1P1c/B2C4R/C8/RN1AKABN1 w - - 0 7",
    "1rbakabnr/9/1c4c2/2p3p1p/p3p4/2P5P/P3P1P2/4B1NCR/9/RNBAKA3 w - - 0 7",
    "rnbakab2/4n4/1c5c1/p1p1p1p1r/8p/6P1P/P1P1P4/2CA3C1/4A4/RNB1K1BNR w - - 12 7",
    "2bakab2/3r4r/nc4nc1/p1p1p1p1p/9/9/PCP1P1P1P/5CN1B/8R/RNBAKA3 w - - 10 6",
    "rnbakabr1/9/1c4n2/p1p1p3p/6p2/9/P1P1P1P1P/C1N1C2c1/5R3/R1BAKABN1 w - - 10 6",
    "2bakab1r/9/4c1n2/p3p1C1p/2pn2P2/1r7/P1P1P3P/2N1C4/R8/2BAKABR1 w - - 3 10",
    "rnbakab2/9/4c1n2/p1p1p1R1p/9/5r3/P1P1P3P/NC7/3R5/2BAKA3 w - - 0 10",
    "1rbakab2/9/n3c1n2/p1p1p1p2/8p/2P6/P3P1P1P/2N1B2r1/R6C1/2BAKA1NR w - - 5 10",
    "2bakab2/9/n5n2/p1p1p1p2/8p/C1P1P4/P5NrP/2N1C4/4A1c2/2B1KAB2 w - - 0 15",
    "2bakab1r/1R7/2n1c1nc1/p3p2rp/2p6/6p2/P1P1P1PCP/2N3C1N/3R5/2BAKAB2 w - - 28 15",
    "1Cbakab2/9/2R1c1n2/p3p1p1p/9/6P2/2P1c3P/2N1C1r2/9/2BAKAB2 w - - 0 15",
    "1nbak4/4a4/6n1b/p3p1C2/8P/4C1p2/c1P6/r8/6R2/3AKAB2 w - - 2 21",
    "5Rc2/2r1k4/b8/p3p1p2/8p/9/P1P5P/9/6N2/2BAKA2R w - - 1 21",
    "2bakabR1/9/4c4/R8/6r2/7C1/P3r3P/4B4/4A4/3AKN3 w - - 3 21",
    "1nC1kab2/4a4/c5n2/4p3p/7r1/3N2P2/4P3P/4C1N1B/R8/3AKA3 w - - 11 27",
    "4kab2/4a4/4b3c/p3p3p/2PN3n1/9/3CP3P/4B1R2/9/3AKABr1 w - - 1 27",
    "3ak1b2/3c5/4b4/1N1R5/8p/2P6/Pr4P1P/9/4A4/4KA3 w - - 4 34",
    "2bak2r1/3Ra4/4b4/p3R3p/2p3P2/8P/4N1c2/3K5/c1n6/3A1AB2 w - - 16 34",
    "4k1b2/4a4/3rb4/3N2R2/7P1/9/6p2/9/9/2BAKABc1 w - - 12 34",
    "4ka3/1r2a4/9/8p/9/3p4P/4R4/3AB4/3nK4/2B2A3 w - - 0 43",
    "4kab2/4a4/4b4/p7p/4P4/P7P/5p3/6r1B/4A4/1c2KA3 w - - 12 43",
    "2Rak4/9/3c5/6N1p/p5p2/8P/P5P2/4B4/3K5/3AcA3 w - - 1 56",
    "r2a3r1/3k1C2n/n2a4b/8p/2b1p1p2/2B3P1P/2p1P4/4B4/5K3/RN6R w - - 10 61",
    "3ak4/3N5/6n2/7rp/5PP2/1RB1p4/4P4/3A4c/9/3K1ABN1 w - - 19 81",
    "2ba5/4ak1C1/2n2c3/p7p/2b6/P5n2/1R5N1/r3NARC1/9/3K2B2 b - - 0 81",
    "4kn3/4a4/3ab4/9/9/2p6/9/7RB/4r4/1p3K2c w - - 0 111",
    "5ab2/9/3k1a3/6p2/4r1n2/2p6/9/3A5/2C6/3K2N2 b - - 10 111",
    "3ak4/4a4/4b4/4N4/9/9/9/4B4/4A4/3RKA3 w - - 0 1",
    "3k5/4P4/9/9/9/9/9/9/3p5/4K4 b - - 0 1",
    "4ka3/4a4/9/9/6b2/2P1N4/9/4B4/4A4/4KA3 w - - 0 1",
    "3akab2/9/4b4/9/9/9/4r4/4B4/4A4/2BAK4 b - - 0 1",
];

/// Searches every position from a clean slate and prints the results, with `N nodes M nps` in the last line. Positions are
/// evaluated by `network`; none: by the hand-crafted evaluation (HCE). Returns the nodes per second.
///
/// # Errors
/// If there is no memory for the small table, or `out` cannot be written to.
pub fn run(depth: u32, rules: &Rules, network: Option<&Arc<Network>>, out: &mut impl Write) -> io::Result<f64> {
    let mut table = Arc::new(Table::new(TABLE_MEBIBYTES).map_err(io::Error::other)?);
    let mut searcher = Searcher::new(0);
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, fen) in POSITIONS.iter().enumerate() {
        Arc::get_mut(&mut table).expect("the last search has dropped its share").clear(1);
        searcher.new_game();
        let position = Position::from_fen(fen).map_err(io::Error::other)?;
        let context = SearchContext {
            limits: Limits { depth: Some(depth), ..Limits::default() },
            rules: *rules,
            plan: Plan { network: network.cloned(), on_mate: OnMate::Stop, ..Plan::default() },
            ..SearchContext::new(Arc::clone(&table), vec![position])
        };
        let started = Instant::now();
        let outcome = searcher.think(&context, &mut Silent);
        time += started.elapsed();
        nodes += outcome.nodes;
        let best = outcome.pv.first().map_or_else(|| "none".to_owned(), ToString::to_string);
        writeln!(out, "{:2} {best} {:?} {} nodes {fen}", index + 1, outcome.score, outcome.nodes)?;
    }
    let speed = per_second(nodes, time.as_secs_f64());
    writeln!(out, "{nodes} nodes {speed:.0} nps")?;
    Ok(speed)
}

/// Returns a speed; zero if no time has passed.
pub fn per_second(nodes: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_played_on() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.to_fen(), *fen);
            assert!(position.has_legal_move(), "{fen}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a search of all positions")]
    fn the_signature_is_the_same_twice() {
        let signature = || {
            let mut out = Vec::new();
            run(2, &RULES.rules(), Network::embedded(), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            let last = text.lines().last().unwrap();
            assert!(last.ends_with(" nps"), "{last}");
            last.split(' ').next().unwrap().parse::<u64>().unwrap()
        };
        let first = signature();
        assert!(first > 1000);
        assert_eq!(signature(), first);
    }
}
