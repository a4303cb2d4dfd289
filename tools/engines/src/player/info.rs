//! Search output and answers of engines, in the syntax that UCCI and UCI share.

use super::eval::RawScore;

/// Latest values of a search's output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Selective depth, in plies.
    pub selective_depth: Option<u32>,
    /// Score for the mover.
    pub(crate) raw_score: Option<RawScore>,
    /// Nodes of the whole search.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Time of the search as the engine measures it, in milliseconds.
    pub time_ms: Option<u64>,
    /// Filling of the transposition table, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tablebases.
    pub tbhits: Option<u64>,
    /// Lines that the user wanted to keep.
    pub lines: Vec<String>,
    /// First illegal move in the principal variations, with the moves that lead to it.
    pub illegal_pv: Option<String>,
    /// Last principal variation, as the engine writes it.
    pub(crate) variation: Option<String>,
}

impl Info {
    /// Updates the values from the words after `info`. Lines about other moves than the best one (multi-PV) are ignored.
    pub(crate) fn read<'a>(&mut self, words: impl Iterator<Item = &'a str> + Clone) {
        if other_line(words.clone()) {
            return;
        }
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "depth" => read_number(&mut words, &mut self.depth),
                "seldepth" => read_number(&mut words, &mut self.selective_depth),
                "nodes" => read_number(&mut words, &mut self.nodes),
                "nps" => read_number(&mut words, &mut self.nps),
                "time" => read_number(&mut words, &mut self.time_ms),
                "hashfull" => read_number(&mut words, &mut self.hashfull),
                "tbhits" => read_number(&mut words, &mut self.tbhits),
                "score" => self.read_score(&mut words),
                "pv" => {
                    return self.set_variation(words);
                }
                // Free text up to the end of the line.
                "string" | "message" => return,
                _ => {}
            }
        }
    }

    /// Stores a principal variation, unless it has no move.
    pub(crate) fn set_variation<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let words: Vec<&str> = words.collect();
        if !words.is_empty() {
            self.variation = Some(words.join(" "));
        }
    }

    /// Returns the first word of the last principal variation.
    pub(crate) fn first_of_line(&self) -> Option<&str> {
        self.variation.as_deref()?.split(' ').next()
    }

    /// Parses `12`, `cp 12` or `mate 3`.
    fn read_score<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        self.raw_score = raw_score(words).or(self.raw_score);
    }
}

/// Parses `12`, `cp 12` or `mate 3`.
pub(crate) fn raw_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<RawScore> {
    match words.next() {
        Some("cp") => words.next().and_then(saturating).map(RawScore::Centipawns),
        Some("mate") => words.next().and_then(saturating).map(RawScore::Mate),
        word => word.and_then(saturating).map(RawScore::Units),
    }
}

fn other_line<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    words.any(|word| word == "multipv") && words.next().is_some_and(|number| number != "1")
}

pub(crate) fn read_number<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>, number: &mut Option<T>) {
    if let Some(read) = words.next().and_then(|word| word.parse().ok()) {
        *number = Some(read);
    }
}

fn saturating(word: &str) -> Option<i32> {
    let number: i64 = word.parse().ok()?;
    Some(i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }))
}

/// Answer of an engine to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    /// Move as the engine wrote it; `None` for `nobestmove`, `(none)` and the like.
    pub(crate) mv: Option<String>,
    /// Predicted reply.
    pub(crate) ponder: Option<String>,
    pub(crate) offer: Option<Offer>,
}

/// Draw offer or resignation of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// The engine offers a draw, or agrees to one.
    Draw,
    /// The engine resigns.
    Resign,
}

impl Reply {
    /// Parses `bestmove m [ponder p] [draw|resign]` and `nobestmove`; other lines are not answers.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        if first == "nobestmove" {
            return Some(Self { mv: None, ponder: None, offer: None });
        }
        if first != "bestmove" {
            return None;
        }
        let is_move = |word: &&str| !matches!(*word, "(none)" | "0000" | "null" | "none");
        let mv = words.next().filter(is_move).map(str::to_owned);
        let mut reply = Self { mv, ponder: None, offer: None };
        while let Some(word) = words.next() {
            match word {
                "ponder" => reply.ponder = words.next().filter(is_move).map(str::to_owned),
                "draw" => reply.offer = Some(Offer::Draw),
                "resign" => reply.offer = Some(Offer::Resign),
                _ => {}
            }
        }
        Some(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(lines: &[&str]) -> Info {
        let mut info = Info::default();
        lines.iter().for_each(|line| info.read(line.split_whitespace()));
        info
    }

    #[test]
    fn scores_come_bare_in_cp_and_as_mates() {
        assert_eq!(info(&["depth 6 score -4 pv b0c2"]).raw_score, Some(RawScore::Units(-4)));
        assert_eq!(info(&["score cp 53 lowerbound"]).raw_score, Some(RawScore::Centipawns(53)));
        assert_eq!(info(&["score mate -2"]).raw_score, Some(RawScore::Mate(-2)));
        assert_eq!(info(&["score 99999999999"]).raw_score, Some(RawScore::Units(i32::MAX)));
    }

    #[test]
    fn the_last_word_on_each_thing_counts() {
        let all = info(&[
            "depth 6 seldepth 9 multipv 1 score cp 4 nodes 1000 nps 5 time 7 hashfull 33 tbhits 8 pv b1c3 h8e8",
            "depth 7 multipv 2 score cp -50 pv a1a2",
            "depth x score seldepth",
            "nodes 5000 time 5000",
            "string score 7 depth 7",
        ]);
        assert_eq!((all.first_of_line(), all.raw_score), (Some("b1c3"), Some(RawScore::Centipawns(4))));
        assert_eq!(
            all,
            Info {
                depth: Some(6),
                selective_depth: Some(9),
                raw_score: Some(RawScore::Centipawns(4)),
                nodes: Some(5000),
                nps: Some(5),
                time_ms: Some(5000),
                hashfull: Some(33),
                tbhits: Some(8),
                variation: Some("b1c3 h8e8".to_owned()),
                ..Info::default()
            }
        );
    }

    #[test]
    fn answers_are_distinguished_from_everything_else() {
        let read = |line: &str| Reply::read(line).unwrap();
        let reply = read("bestmove b0c2 ponder b9c7 draw");
        assert_eq!(
            (reply.mv.as_deref(), reply.ponder.as_deref(), reply.offer),
            (Some("b0c2"), Some("b9c7"), Some(Offer::Draw))
        );
        assert_eq!(read("bestmove b0c2 resign").offer, Some(Offer::Resign));
        for none in ["nobestmove", "bestmove (none)", "bestmove 0000", "bestmove"] {
            assert_eq!(read(none).mv, None, "{none}");
        }
        assert_eq!(Reply::read("info message bestmove"), None);
        assert_eq!(Reply::read(""), None);
    }
}
