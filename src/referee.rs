//! The judge at the command line: one game, or a file of cases with known verdicts.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use crate::board::{FenError, Move, Position, Side};
use crate::notation::{self, Notation, NotationError, read_any};
use crate::rules::{Conduct, Ending, Loop, RuleSet, Rules, Verdict, judge};

/// A game as text: a FEN and the moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// No position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Not a legal move of its position, or one of several.
    #[error("move {number}: {error}")]
    Illegal {
        /// Counted from 1.
        number: usize,
        /// The reason.
        error: NotationError,
    },
}

impl Record {
    /// Reads a FEN, and moves separated by blanks, in ICCS, WXF or Chinese notation; behind the FEN there may be `moves` and others,
    /// as in a `position` command, which come first.
    ///
    /// # Errors
    /// Names what is wrong first.
    pub fn read(fen: &str, moves: &str) -> Result<Self, RecordError> {
        let (fen, before) = fen.split_once(" moves").unwrap_or((fen, ""));
        let mut record = Self { positions: vec![Position::from_fen(fen)?], moves: Vec::new() };
        for (index, text) in before.split_whitespace().chain(moves.split_whitespace()).enumerate() {
            let last = record.positions[index];
            let mv = read_any(&last, text).map_err(|error| RecordError::Illegal { number: index + 1, error })?;
            record.positions.push(last.play(mv));
            record.moves.push(mv);
        }
        Ok(record)
    }

    /// The positions, oldest first; never empty.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The verdict in one line: who loses, why, and the loop in ICCS and in Chinese.
    ///
    /// ```
    /// use chuhe::referee::Record;
    /// use chuhe::rules::RuleSet;
    /// let moves = "f0e0 e8f8 e0f0 f8e8 ".repeat(2);
    /// let record = Record::read("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", &moves).unwrap();
    /// let line = record.report(&RuleSet::Asian.rules());
    /// assert!(line.starts_with("red loses: perpetual check; loop F0-E0 E8-F8 E0-F0 F8-E8"), "{line}");
    /// ```
    pub fn report(&self, rules: &Rules) -> String {
        let verdict = judge(&self.positions, rules);
        verdict.map_or_else(|| Word::None.to_string(), |verdict| explain(&self.positions, &self.moves, &verdict))
    }
}

/// The verdict on a game in one line: who loses, why, and the loop in ICCS and in Chinese. `moves` lie between `positions`.
pub fn explain(positions: &[Position], moves: &[Move], verdict: &Verdict) -> String {
    let mut line = format!("{}: {}", Word::from(Some(*verdict)), verdict.ending.name());
    if let Ending::Repetition(judged) = verdict.ending {
        line += &positions.last().map_or_else(String::new, |last| victims(last, &judged));
        for notation in [Notation::Iccs, Notation::Chinese] {
            line += if notation == Notation::Iccs { "; loop" } else { ";" };
            line += &loop_text(positions, moves, judged.plies, notation);
        }
    }
    line
}

fn loop_text(positions: &[Position], moves: &[Move], plies: usize, notation: Notation) -> String {
    let first = moves.len() - plies;
    let written = (first..moves.len()).map(|index| notation::write(&positions[index], moves[index], notation));
    written.fold(String::new(), |text, mv| text + " " + &mv)
}

/// Which pieces were chased by the one who loses, or by both if nobody does, by where they stand now.
fn victims(last: &Position, judged: &Loop) -> String {
    let victim = |conduct: Conduct| match conduct {
        Conduct::Chase(square) | Conduct::ChaseOfPinnedRook(square) => {
            last.piece_on(square).map(|piece| format!(" of {piece:?} {square}"))
        }
        Conduct::Idle | Conduct::Attack | Conduct::Check => None,
    };
    let of_interest = Side::ALL.into_iter().filter(|&side| judged.loser().is_none_or(|loser| loser == side));
    of_interest.filter_map(|side| victim(judged.conduct[side.index()])).collect::<Vec<_>>().join(" and")
}

/// A verdict in the words of the files of cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    None,
    Draw,
    Loses(Side),
}

impl From<Option<Verdict>> for Word {
    fn from(verdict: Option<Verdict>) -> Self {
        verdict.map_or(Self::None, |verdict| verdict.loser.map_or(Self::Draw, Self::Loses))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Draw => "draw",
            Self::Loses(Side::Red) => "red loses",
            Self::Loses(Side::Black) => "black loses",
        })
    }
}

/// By which rules the cases of a set are judged, and at which occurrence their moves end.
fn rules_of(set: &str) -> Option<Rules> {
    match set {
        "asian" | "asian-disputed" => Some(RuleSet::Asian.rules().judging_at(2)),
        "chinese-1999" | "chinese-approx" => Some(RuleSet::Chinese.rules().judging_at(2)),
        "ucci-league" => Some(RuleSet::League.rules()),
        name => RuleSet::from_str(name).ok().map(RuleSet::rules),
    }
}

/// How many cases of a file were judged, and how many otherwise than it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Judged.
    pub judged: usize,
    /// Judged otherwise, or no legal game.
    pub wrong: usize,
    /// Of sets whose rules are not known here.
    pub skipped: usize,
}

/// Judges a file of cases, one a line: FEN, moves, verdict, set of rules, notes, separated by tabs; `#` begins a comment.
/// Writes each disagreement, and at last the count of each set.
///
/// # Errors
/// If `out` cannot be written to.
pub fn check_cases(text: &str, out: &mut impl Write) -> io::Result<Tally> {
    let mut sets: Vec<(&str, Tally)> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
    {
        let mut columns = line.split('\t').chain(std::iter::repeat(""));
        let mut next = || columns.next().unwrap_or_default().trim();
        let (fen, moves, expected, set) = (next(), next(), next(), next());
        if !sets.iter().any(|(name, _)| *name == set) {
            sets.push((set, Tally::default()));
        }
        let tally = &mut sets.iter_mut().find(|(name, _)| *name == set).expect("it was just added").1;
        let Some(rules) = rules_of(set) else {
            tally.skipped += 1;
            continue;
        };
        tally.judged += 1;
        let ours = match Record::read(fen, moves) {
            Ok(record) if Word::from(judge(&record.positions, &rules)).to_string() == expected => continue,
            Ok(record) => record.report(&rules),
            Err(error) => error.to_string(),
        };
        tally.wrong += 1;
        writeln!(out, "line {}: {set}: {expected} expected, judged {ours}", index + 1)?;
    }
    let mut total = Tally::default();
    for (set, tally) in sets {
        match tally.skipped {
            0 => writeln!(out, "{set}: {} of {} agree", tally.judged - tally.wrong, tally.judged)?,
            skipped => writeln!(out, "{set}: {skipped} not judged, the rules are not known here")?,
        }
        total.judged += tally.judged;
        total.wrong += tally.wrong;
        total.skipped += tally.skipped;
    }
    writeln!(out, "{} of {} cases agree", total.judged - total.wrong, total.judged)?;
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chase_names_its_victim_and_its_loop() {
        let fen = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w";
        let record = Record::read(fen, "h6i6 i0h0 i6h6 h0i0").unwrap();
        let line = record.report(&RuleSet::Asian.rules().judging_at(2));
        let expected = "red loses: perpetual chase of BlackCannon i0; loop H6-I6 I0-H0 I6-H6 H0-I0; \
                        车二平一 炮９平８ 车一平二 炮８平９";
        assert_eq!(line, expected);
        assert_eq!(record.report(&RuleSet::Asian.rules()), "none");
    }

    #[test]
    fn the_victim_is_that_of_the_loser() {
        let fen = "5k3/9/9/9/9/9/7r1/9/2nRA3c/4K4 w - - 0 1";
        let record = Record::read(fen, &"e1f0 h3h1 f0e1 h1h3 ".repeat(2)).unwrap();
        let line = record.report(&RuleSet::Asian.rules());
        assert!(line.starts_with("black loses: perpetual chase of a pinned rook of RedRook d1; loop"), "{line}");
    }

    #[test]
    fn moves_behind_the_fen_are_played_first() {
        let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let pasted = Record::read(&format!("{fen} moves a0a1 d9d8"), "a1a0").unwrap();
        assert_eq!(pasted, Record::read(fen, "a0a1 d9d8 a1a0").unwrap());
        assert!(matches!(Record::read(&format!("{fen} moves a0c9"), ""), Err(RecordError::Illegal { number: 1, .. })));
    }

    #[test]
    fn moves_are_read_in_every_notation_and_what_is_wrong_is_named() {
        let start = crate::board::START_FEN;
        let record = Record::read(start, "h2e2 H8+7 马二进三 车９平８").unwrap();
        assert_eq!(record, Record::read(start, "h2e2 h9g7 h0g2 i9h9").unwrap());
        let fault = |fen: &str, moves: &str| Record::read(fen, moves).unwrap_err().to_string();
        assert_eq!(fault(start, "炮二平五 炮二平九"), "move 2: \"炮二平九\" is not a legal move here");
        assert_eq!(fault(start, "h2e2 hlep"), "move 2: \"hlep\" is not a move in ICCS notation");
        let rooks = "3k5/9/9/9/4R4/9/4R4/9/9/5K3 w";
        assert_eq!(fault(rooks, "R5=6"), "move 1: \"R5=6\" may mean any of [e3d3, e5d5]");
    }

    #[test]
    fn disagreements_are_written_and_counted() {
        let cases = "# a comment\n\
                     3k5/9/9/9/9/9/9/9/4R4/4K4 w\te1d1\tblack loses\tasian\tmate\n\
                     3k5/9/9/9/9/9/9/9/4R4/4K4 w\te1d1\tdraw\tasian\twrong\n\
                     3k5/9/9/9/9/9/9/9/4R4/4K4 w\te1e0\tnone\tleague\tno move\n\
                     3k5/9/9/9/9/9/9/9/4R4/4K4 w\t\tnone\tfide\tother rules\n";
        let mut out = Vec::new();
        let tally = check_cases(cases, &mut out).unwrap();
        assert_eq!(tally, Tally { judged: 3, wrong: 2, skipped: 1 });
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("line 3: asian: draw expected, judged black loses: mate"), "{out}");
        assert!(out.ends_with("1 of 3 cases agree\n"), "{out}");
    }
}
