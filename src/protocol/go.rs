//! The command `go`: words of UCCI and of UCI in any order, since clients mix them.

use std::mem;

use super::error::{no_plies, perft_depth, quote};
use super::token::Tokens;
use crate::board::MoveText;
use crate::engine::event::{Clock, ClockMode, ClockUnit, Command, Fault, Go, SideClocks};

/// Words of a `go`, before they are combined.
#[derive(Default)]
struct Words {
    go: Go,
    time: Option<i64>,
    increment: Option<i64>,
    moves_to_go: Option<u32>,
    opponent_time: Option<i64>,
    move_time: Option<i64>,
    sides: SideClocks,
    /// The first limit that lacks its number.
    without_number: Option<String>,
    /// Unknown words.
    unknown: Vec<String>,
    /// The number after `perft`, or the text in its place if there is none.
    perft: Option<Result<i64, String>>,
}

/// The words that `go` knows.
const KNOWN: &[&str] = &[
    "ponder",
    "draw",
    "infinite",
    "depth",
    "mate",
    "nodes",
    "time",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "searchmoves",
    "increment",
    "movestogo",
    "opptime",
    "oppincrement",
    "oppmovestogo",
    "perft",
];

/// Time of a search whose only limit cannot be read, in milliseconds.
const EMERGENCY_TIME: i64 = 1000;

/// Parses the words after `go`: a search, with its faults before it since the answer may follow at once, or a count of leaves.
///
/// Limits that lack their number and unknown words are skipped and reported as faults, since a `go` without an answer would
/// hang the client. Without any word the search is infinite; where a limit may be meant that cannot be read, it ends soon.
pub(super) fn read_go(mut tokens: Tokens) -> Vec<Result<Command, Fault>> {
    let mut words = Words::default();
    while let Some(word) = tokens.next() {
        words.read(word, &mut tokens);
    }
    if let Some(plies) = words.perft {
        let depth = plies.map_err(|found| no_plies("go perft", &found)).and_then(|plies| perft_depth(count(plies)));
        return vec![depth.map(|depth| Command::Perft { depth })];
    }
    let (without_number, unknown) = (words.without_number.take(), mem::take(&mut words.unknown));
    let mut go = words.into_go();
    let may_hang = !go.infinite && !go.is_bounded() && (without_number.is_some() || !unknown.is_empty());
    if may_hang {
        let (mode, unit) = (ClockMode::ThisMove, ClockUnit::Milliseconds);
        go.clock = Some(Clock { time: EMERGENCY_TIME, mode, opponent_time: None, unit });
    }
    let effect = |otherwise| if may_hang { ", so the search ends after a second" } else { otherwise };
    let mut faults = Vec::new();
    if let Some(word) = &without_number {
        faults.push(format!("missing number after {word:?}{}", effect(", which limits nothing")));
    }
    if !unknown.is_empty() {
        let effect = if without_number.is_some() { "" } else { effect("") };
        faults.push(format!("go does not know {}{effect}", quote(&unknown)));
    }
    faults.into_iter().map(|fault| Err(Fault::InPart(fault))).chain([Ok(Command::Go(go))]).collect()
}

impl Words {
    fn read(&mut self, written: &str, tokens: &mut Tokens) {
        let word = &*written.to_ascii_lowercase();
        match word {
            "ponder" => self.go.ponder = true,
            "draw" => self.go.draw = true,
            "infinite" => self.go.infinite = true,
            "depth" => self.go.limits.depth = self.limit(word, tokens).map(count).or(self.go.limits.depth),
            "mate" => self.go.limits.mate = self.limit(word, tokens).map(count).or(self.go.limits.mate),
            "nodes" => {
                let nodes = self.limit(word, tokens).map(|nodes| nodes.max(1).unsigned_abs());
                self.go.limits.nodes = nodes.or(self.go.limits.nodes);
            }
            "time" => self.time = self.limit(word, tokens).or(self.time),
            "movetime" => self.move_time = self.limit(word, tokens).or(self.move_time),
            "wtime" => self.sides.red.time = self.limit(word, tokens).or(self.sides.red.time),
            "btime" => self.sides.black.time = self.limit(word, tokens).or(self.sides.black.time),
            "searchmoves" => self.go.search_moves.extend(read_moves(tokens)),
            // The word alone makes the clock one for more than this move, whatever its number.
            "increment" => self.increment = tokens.number().or(self.increment).or(Some(0)),
            "movestogo" => self.moves_to_go = tokens.number().map(count).or(self.moves_to_go).or(Some(0)),
            "opptime" => self.opponent_time = tokens.number().or(self.opponent_time),
            "winc" => self.sides.red.increment = tokens.number().unwrap_or_default(),
            "binc" => self.sides.black.increment = tokens.number().unwrap_or_default(),
            // Read and ignored.
            "oppincrement" | "oppmovestogo" => drop(tokens.number()),
            "perft" => {
                let found = tokens.peek().unwrap_or_default().to_owned();
                self.perft = Some(tokens.number().ok_or(found));
            }
            _ => {
                self.unknown.push(written.to_owned());
                // A number after an unknown word belongs to it.
                tokens.number();
            }
        }
    }

    /// Returns the number after a word that limits the search.
    fn limit(&mut self, word: &str, tokens: &mut Tokens) -> Option<i64> {
        let number = tokens.number();
        if number.is_none() {
            self.without_number.get_or_insert_with(|| word.to_owned());
            // The text in place of the number belongs to the word.
            if !tokens.at_any(KNOWN) {
                tokens.next();
            }
        }
        number
    }

    /// Combines the words: the mover's clock goes before one by colour; a time per move is the only limit, or one beside the
    /// clock.
    fn into_go(self) -> Go {
        let mut go = self.go;
        let opponent_time = self.opponent_time;
        if go.infinite {
            return go;
        }
        // Some clients send `movestogo 0` for a game without sessions.
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
        if let Some(time) = self.time {
            let mode = match (moves_to_go, self.increment) {
                (Some(moves), increment) => ClockMode::MovesToGo { moves, increment: increment.unwrap_or(0) },
                (None, Some(increment)) => ClockMode::Increment(increment),
                (None, None) if self.moves_to_go.is_some() => ClockMode::Increment(0),
                (None, None) => ClockMode::ThisMove,
            };
            go.clock = Some(Clock { time, mode, opponent_time, unit: ClockUnit::ByOption });
        } else if self.sides.red.time.or(self.sides.black.time).is_some() {
            go.side_clocks = Some(SideClocks { moves_to_go, ..self.sides });
        } else if let Some(time) = self.move_time {
            let (mode, unit) = (ClockMode::ThisMove, ClockUnit::Milliseconds);
            go.clock = Some(Clock { time, mode, opponent_time, unit });
            return go;
        }
        go.move_time = self.move_time;
        go
    }
}

/// Parses moves up to the first word that is not one.
fn read_moves(tokens: &mut Tokens) -> Vec<MoveText> {
    std::iter::from_fn(|| {
        let mv = tokens.peek()?.parse().ok()?;
        tokens.next();
        Some(mv)
    })
    .collect()
}

/// Converts a number to a count: negative ones become zero, too large ones the maximum.
fn count(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Side;
    use crate::engine::event::Limits;

    fn go(text: &str) -> Go {
        let (go, faults) = faulty(text);
        assert!(faults.is_empty(), "{text}: {faults:?}");
        go
    }

    /// Returns a search that is carried out, with the messages of its faults.
    fn faulty(text: &str) -> (Go, Vec<String>) {
        let mut commands = read_go(Tokens::new(text));
        let Some(Ok(Command::Go(go))) = commands.pop() else { panic!("{text} is not a search") };
        let message = |command| match command {
            Err(Fault::InPart(text)) => text,
            other => panic!("{text} is {other:?}"),
        };
        (go, commands.into_iter().map(message).collect())
    }

    fn timed(text: &str) -> (i64, ClockMode) {
        let clock = go(text).clock.unwrap_or_else(|| panic!("{text} has no clock"));
        assert_eq!(clock.unit, ClockUnit::ByOption);
        (clock.time, clock.mode)
    }

    #[test]
    fn the_four_modes_are_read() {
        assert_eq!(go("depth 6").limits, Limits { depth: Some(6), ..Limits::default() });
        assert_eq!(go("nodes 20000").limits, Limits { nodes: Some(20000), ..Limits::default() });
        assert_eq!(go("infinite"), Go { infinite: true, ..Go::default() });
        assert_eq!(go(""), Go::default());
        assert_eq!(timed("time 300000 increment 0"), (300_000, ClockMode::Increment(0)));
        assert_eq!(timed("time 300 movestogo 1"), (300, ClockMode::MovesToGo { moves: 1, increment: 0 }));
        assert_eq!(timed("time 300"), (300, ClockMode::ThisMove));
        assert_eq!(timed("time -50 increment 0"), (-50, ClockMode::Increment(0)));
    }

    #[test]
    fn sessions_may_have_an_increment_besides() {
        let mode = ClockMode::MovesToGo { moves: 40, increment: 9 };
        assert_eq!(timed("time 2000 movestogo 40 increment 9"), (2000, mode));
        let sides = go("wtime 2000 btime 2000 winc 9 binc 8 movestogo 40");
        assert_eq!(sides.clock_of(Side::Red).unwrap().mode, mode);
        assert_eq!(sides.clock_of(Side::Black).unwrap().mode, ClockMode::MovesToGo { moves: 40, increment: 8 });
    }

    #[test]
    fn words_come_in_any_order_and_any_case() {
        assert_eq!(
            timed("time 300 opptime 400 MOVESTOGO 1 oppmovestogo 1"),
            (300, ClockMode::MovesToGo { moves: 1, increment: 0 })
        );
        assert_eq!(timed("oppincrement 7 increment 5 opptime 1 Time 2"), (2, ClockMode::Increment(5)));
        assert_eq!(go("opptime 400 time 300").clock.unwrap().opponent_time, Some(400));
        let level = go("ponder draw nodes 216");
        assert!(level.ponder && level.draw && level.clock.is_none());
        let mixed = go("time 2000 opptime 2000 increment 0 oppincrement 0 depth 5");
        assert_eq!((mixed.limits.depth, mixed.clock.unwrap().mode), (Some(5), ClockMode::Increment(0)));
    }

    #[test]
    fn the_words_of_uci_are_read() {
        let clock = go("movetime 3000").clock.unwrap();
        assert_eq!((clock.time, clock.mode, clock.unit), (3000, ClockMode::ThisMove, ClockUnit::Milliseconds));
        let sides = go("wtime 500 btime 600 winc 5 binc 6");
        assert_eq!(sides.clock_of(Side::Red).unwrap().mode, ClockMode::Increment(5));
        let black = sides.clock_of(Side::Black).unwrap();
        assert_eq!((black.time, black.mode, black.opponent_time), (600, ClockMode::Increment(6), Some(500)));
        assert_eq!(
            go("wtime 9 btime 8 movestogo 3").clock_of(Side::Red).unwrap().mode,
            ClockMode::MovesToGo { moves: 3, increment: 0 }
        );
        assert_eq!(go("mate 3").limits.mate, Some(3));
        assert_eq!(go("infinite wtime 9 btime 8").clock_of(Side::Red), None);
        assert!(!go("infinite depth 3 nodes 100").is_bounded());
        let both = go("wtime 500 btime 600 movetime 3000");
        assert_eq!((both.clock_of(Side::Red).unwrap().time, both.move_time), (500, Some(3000)));
    }

    #[test]
    fn moves_to_search_end_at_the_first_word_that_is_none() {
        let (go, faults) = faulty("searchmoves a3a4 I3-I4 depth 3 bookmove h2e2");
        assert_eq!(faults, [r#"go does not know "bookmove", "h2e2""#]);
        assert_eq!(go.search_moves, ["a3a4", "i3i4"].map(|mv| mv.parse().unwrap()));
        assert_eq!(go.limits.depth, Some(3));
    }

    #[test]
    fn numbers_saturate_and_rubbish_is_skipped() {
        let huge = "99999999999999999999";
        assert_eq!(timed(&format!("time {huge} increment -{huge}")), (i64::MAX, ClockMode::Increment(i64::MIN)));
        assert_eq!(go(&format!("depth {huge} nodes {huge}")).limits.depth, Some(u32::MAX));
        assert_eq!(go("depth -3 nodes -3").limits, Limits { depth: Some(0), nodes: Some(1), mate: None });
        assert_eq!(timed("time 500 movestogo 0"), (500, ClockMode::Increment(0)));
        let named = |text: &str| {
            let (go, faults) = faulty(text);
            assert!(faults[0].starts_with("go does not know ") && !faults[0].contains("ends"), "{text}: {faults:?}");
            go.clock.map(|clock| (clock.time, clock.mode))
        };
        assert_eq!(
            named("time 500 movestogo x"),
            Some((500, ClockMode::Increment(0))),
            "a word of a clock for more than one move"
        );
        assert_eq!(named("time 500 increment 0,5"), Some((500, ClockMode::Increment(0))));
        assert_eq!(timed("time 500 increment opptime 400"), (500, ClockMode::Increment(0)));
        assert_eq!(named("time 500 increment 7 increment x"), Some((500, ClockMode::Increment(7))));
    }

    #[test]
    fn words_that_mean_nothing_are_named_and_do_not_make_a_search_endless() {
        for (text, named) in [
            ("dept 5", r#""dept""#),
            ("Dept 5 movetme 300", r#""Dept", "movetme""#),
            ("5", r#""5""#),
            ("ponder foo", r#""foo""#),
            ("searchmoves h2e2 dept 5", r#""dept""#),
            ("1 a b c d e f", r#""1", "a", "b", "c", "d" and 2 more"#),
            (&"x".repeat(50), &format!("\"{}...\"", "x".repeat(20))),
        ] {
            let (go, faults) = faulty(text);
            assert_eq!(faults, [format!("go does not know {named}, so the search ends after a second")], "{text}");
            assert_eq!(go.clock.map(|clock| (clock.time, clock.mode)), Some((1000, ClockMode::ThisMove)), "{text}");
        }
        let (go, faults) = faulty("infinite foo");
        assert_eq!((go.clock, faults), (None, vec![r#"go does not know "foo""#.to_owned()]));
        let (go, faults) = faulty("depth 3 foo 7 nodes 9");
        assert_eq!((go.limits.nodes, go.clock, faults.len()), (Some(9), None, 1));
        assert_eq!(faulty("depth x foo").1.len(), 2);
    }

    #[test]
    fn leaves_may_be_counted_in_place_of_a_search() {
        for (text, depth) in [("perft 3", 3), ("Perft -1", 0), ("perft 64", 64)] {
            assert_eq!(read_go(Tokens::new(text)), [Ok(Command::Perft { depth })], "{text}");
        }
        for (text, fault) in [
            ("perft 65", "perft counts no more than 64 plies"),
            ("perft x", "go perft takes a number of plies, not \"x\""),
            ("perft", "go perft takes a number of plies, not \"\""),
        ] {
            assert_eq!(read_go(Tokens::new(text)), [Err(Fault::BadArgument(fault.into()))], "{text}");
        }
    }

    #[test]
    fn fractions_are_rounded_down() {
        assert_eq!(timed("time 2.5"), (2, ClockMode::ThisMove));
        assert_eq!(timed("time 1999.999 increment 0.5"), (1999, ClockMode::Increment(0)));
        assert_eq!(timed("time -0.5 movestogo 3"), (-1, ClockMode::MovesToGo { moves: 3, increment: 0 }));
        assert_eq!(go("depth 4.0").limits.depth, Some(4));
        assert_eq!(go("movetime .5 infinite").clock, None);
        assert_eq!(go("wtime 12.25 btime 9").clock_of(Side::Red).unwrap().time, 12);
    }

    #[test]
    fn a_limit_that_cannot_be_read_is_no_licence_to_think_for_ever() {
        for text in
            ["time abc", "movetime", "depth x nodes", "wtime 2,5", "time 1e3 increment 5", "ponder time .", "mate ?"]
        {
            let (go, faults) = faulty(text);
            let clock = go.clock.unwrap();
            assert_eq!((clock.time, clock.mode, clock.unit), (1000, ClockMode::ThisMove, ClockUnit::Milliseconds));
            let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
            assert!(fault.starts_with("missing number after ") && fault.ends_with(" ends after a second"), "{fault}");
        }
        // Another limit that can be read is enough, and `infinite` needs none.
        let go_but = |text: &str, word: &str| {
            let (go, faults) = faulty(text);
            assert_eq!(faults, [format!("missing number after {word:?}, which limits nothing")], "{text}");
            go
        };
        assert_eq!(go_but("depth x nodes 7", "depth").limits, Limits { nodes: Some(7), ..Limits::default() });
        assert_eq!(go_but("wtime x btime 700", "wtime").clock_of(Side::Red).unwrap().time, 700);
        assert_eq!(go_but("infinite depth x", "depth"), Go { infinite: true, ..Go::default() });
    }
}
