//! Search output of XBoard engines, after `post`.

use crate::player::eval::RawScore;
use crate::player::info::Info;

/// Offset of mate scores: beyond it they count the moves to a mate.
const MATE: i64 = 100_000;

/// Parses `DEPTH SCORE CENTISECONDS NODES LINE`, or with more numbers and a tab before the line, the first of them the
/// selective depth.
pub(crate) fn read_thinking(line: &str, info: &mut Info) -> bool {
    let (numbers, variation) = line.split_once('\t').map_or((line, None), |(numbers, text)| (numbers, Some(text)));
    let words: Vec<&str> = numbers.split_whitespace().collect();
    let [depth, score, time, nodes, more @ ..] = &words[..] else { return false };
    // Some engines append a mark to the depth while it is unfinished.
    let depth = depth.trim_end_matches(|c: char| !c.is_ascii_digit()).parse();
    let (Ok(depth), Ok(score), Ok(time), Ok(nodes)) =
        (depth, score.parse::<i64>(), time.parse::<u64>(), nodes.parse::<u64>())
    else {
        return false;
    };
    info.depth = Some(depth);
    info.raw_score = Some(read_score(score));
    info.nodes = Some(nodes);
    info.time_ms = Some(time.saturating_mul(10));
    match variation {
        Some(text) => info.set_variation(text.split_whitespace()),
        None => info.set_variation(more.iter().copied()),
    }
    if let Some(selective) = more.first().filter(|_| variation.is_some()).and_then(|word| word.parse().ok()) {
        info.selective_depth = Some(selective);
    }
    true
}

/// Parses centipawns, or moves to a mate beyond [`MATE`].
fn read_score(score: i64) -> RawScore {
    let saturating = |number: i64| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX });
    if score.saturating_abs() < MATE {
        return RawScore::Units(saturating(score));
    }
    // A win takes at least the mating move; zero moves are left only for the side that is mated.
    RawScore::Mate(saturating(if score > 0 { (score - MATE).max(1) } else { score + MATE }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_read() {
        let info = |line: &str| {
            let mut info = Info::default();
            read_thinking(line, &mut info).then_some((info.depth, info.raw_score, info.nodes, info.selective_depth))
        };
        let plain = info("  5 -39 120 67406 1. ... Cb7-e7 2. Ch2-e2");
        assert_eq!(plain, Some((Some(5), Some(RawScore::Units(-39)), Some(67406), None)));
        let long = info("9. 100003 12 7 13 1000 0\th2e2 h9g7");
        assert_eq!(long, Some((Some(9), Some(RawScore::Mate(3)), Some(7), Some(13))));
        let mut shown = Info::default();
        assert!(read_thinking("9. 3 12 7 13 1000 0\th2e2 h9g7", &mut shown));
        assert_eq!((shown.variation.as_deref(), shown.time_ms), (Some("h2e2 h9g7"), Some(120)));
        assert_eq!(info("2& -100001 0 9").unwrap().1, Some(RawScore::Mate(-1)));
        assert_eq!(info("2 100000 0 9").unwrap().1, Some(RawScore::Mate(1)), "the winner is not mated");
        assert_eq!(info("2 -100000 0 9").unwrap().1, Some(RawScore::Mate(0)));
        assert_eq!(info("2 99999 0 9 e1e8").unwrap().1, Some(RawScore::Units(99_999)));
        assert_eq!(info(&format!("2 {} 0 9", i64::MIN)).unwrap().1, Some(RawScore::Mate(i32::MIN)));
        for other in ["", "1 2 3", "5 x 1 2 pv", "Iteration aborted after 9/45 moves", "# 1 2 3 4"] {
            assert_eq!(info(other), None, "{other}");
        }
    }
}
