//! The judge at the command line: one game, or a file with one a line.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Write};

use crate::board::{FenError, Move, Position, Side};
use crate::notation::{self, Notation, NotationError, read_any};
use crate::rules::{Conduct, Ending, Loop, RuleSet, Rules, Verdict, judge};

/// A game as text: a FEN and the moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

/// Reason why a text is not a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// The FEN has an error.
    Fen(FenError),
    /// A move is not legal in its position, or its text fits several.
    Illegal {
        /// Number of the move, from 1.
        number: usize,
        /// The reason.
        error: NotationError,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => fmt::Display::fmt(error, f),
            Self::Illegal { number, error } => write!(f, "{}", refusal(*number, error)),
        }
    }
}

impl Error for RecordError {}

impl From<FenError> for RecordError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

/// Formats the message about a move that is not played.
fn refusal(number: usize, error: &NotationError) -> String {
    match error {
        NotationError::Illegal(text) => format!("{text} is not legal as move {number}"),
        error => format!("move {number}: {error}"),
    }
}

impl Record {
    /// Reads a FEN and moves separated by blanks, in ICCS, WXF or Chinese notation. Behind the FEN there may be `moves` and
    /// more of them, as in a `position` command, which come first.
    ///
    /// # Errors
    /// If the FEN or a move is wrong; the first error is returned.
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

    /// Returns the positions, oldest first; never empty.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the verdict in one line: who loses, why, and the loop in ICCS and in Chinese.
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

/// Returns the verdict on a game in one line: who loses, why, and the loop in ICCS and in Chinese. `moves` lie between
/// `positions`.
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

/// Names the pieces that the losing side chased, or that both sides did if neither loses, by their present squares.
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

/// A verdict in the words of case files.
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

impl Word {
    /// Whether the text is a verdict, or the dash of files that give none.
    fn is_read_from(text: &str) -> bool {
        let words = [Self::None, Self::Draw, Self::Loses(Side::Red), Self::Loses(Side::Black)];
        text == "-" || words.iter().any(|word| word.to_string() == text)
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

/// Returns the rules named in the fourth column of a line: a rule set, or a published set of cases.
fn rules_of(set: &str) -> Option<RuleSet> {
    match set {
        "asian-disputed" => Some(RuleSet::Asian),
        "chinese-1999" | "chinese-approx" => Some(RuleSet::Chinese),
        "pikafish-2026" => Some(RuleSet::Pikafish),
        "ucci-league" => Some(RuleSet::League),
        name => name.parse().ok(),
    }
}

/// Rules and occurrence by which lines are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Rules for lines that name none.
    pub rule_set: RuleSet,
    /// Occurrence of a position at which it is judged, if not the one that the rules name: 2 for loops that are given once.
    pub occurrence: Option<usize>,
}

impl Terms {
    /// Returns the rules in force.
    pub fn rules(self) -> Rules {
        self.of(self.rule_set)
    }

    fn of(self, set: RuleSet) -> Rules {
        self.occurrence.map_or(set.rules(), |occurrence| set.rules().judging_at(occurrence))
    }
}

/// Counts of the lines of a file by their outcome.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Lines that were read, without empty ones and comments.
    pub lines: usize,
    /// Lines that are not games.
    pub unreadable: usize,
    /// Lines with the verdict that they name.
    pub agreed: usize,
    /// Lines with another verdict than the one that they name.
    pub differing: usize,
    /// First fourth column after a verdict that names no known rules; that verdict was not checked.
    pub unknown_rules: Option<String>,
}

/// Judges every line of `input`, and writes one line with the answer to each.
///
/// The columns of a line are separated by tabs: FEN, moves, the verdict that is expected if it is known, and the rules for
/// that. Between FEN and moves the word `moves` does as well. Empty lines and those that begin with `#` have no answer.
///
/// # Errors
/// If `input` cannot be read or `out` cannot be written to.
pub fn judge_lines(mut input: impl BufRead, terms: Terms, out: &mut impl Write) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes)? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
        if !line.starts_with('#') && !line.trim().is_empty() {
            let answer = judge_line(line, terms, &mut tally);
            writeln!(out, "{answer}")?;
        }
        bytes.clear();
    }
    Ok(tally)
}

/// Judges one line and returns the answer.
fn judge_line(line: &str, terms: Terms, tally: &mut Tally) -> String {
    let mut columns = line.split('\t').map(str::trim).chain(std::iter::repeat(""));
    let mut next = || columns.next().unwrap_or_default();
    let fen = next();
    let moves = if fen.contains(" moves") { "" } else { next() };
    let (expected, set) = (next(), next());
    tally.lines += 1;
    let record = match Record::read(fen, moves) {
        Ok(record) => record,
        Err(error) => {
            tally.unreadable += 1;
            return format!("unreadable: {error}");
        }
    };
    let Some(named) = rules_of(set) else {
        if !set.is_empty() && !Word::is_read_from(set) && Word::is_read_from(expected) {
            tally.unknown_rules.get_or_insert_with(|| set.to_owned());
        }
        return record.report(&terms.rules());
    };
    let rules = terms.of(named);
    let answer = record.report(&rules);
    if Word::from(judge(&record.positions, &rules)).to_string() == expected {
        tally.agreed += 1;
        return answer;
    }
    tally.differing += 1;
    format!("{answer}; expected {expected:?} by {}", named.name())
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
        assert_eq!(fault(start, "炮二平五 炮二平九"), "炮二平九 is not legal as move 2");
        assert_eq!(fault(start, "h2e2 hlep"), "move 2: \"hlep\" is not a move in ICCS notation");
        let rooks = "3k5/9/9/9/4R4/9/4R4/9/9/5K3 w";
        assert_eq!(fault(rooks, "R5=6"), "move 1: \"R5=6\" may mean any of [e3d3, e5d5]");
    }

    const WHOLE_GAMES: Terms = Terms { rule_set: RuleSet::Asian, occurrence: None };

    fn judged(text: &str, terms: Terms) -> (Vec<String>, Tally) {
        let mut out = Vec::new();
        let tally = judge_lines(text.as_bytes(), terms, &mut out).unwrap();
        (String::from_utf8(out).unwrap().lines().map(str::to_owned).collect(), tally)
    }

    #[test]
    fn every_line_has_an_answer_and_differences_are_counted() {
        let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 w";
        let text = format!(
            "# a comment\n\n{fen}\te1d1\tblack loses\tasian\tmate\r\n{fen} moves e1d1\tdraw\n{fen}\te1d1\tdraw\tasian\twrong\n\
             {fen}\te1e0\tnone\tleague\tno move\n{fen}\t\tnone\tfide\tother rules\n{fen}"
        );
        let (lines, tally) = judged(&text, WHOLE_GAMES);
        let expected = [
            "black loses: mate",
            "black loses: mate",
            "black loses: mate; expected \"draw\" by asian",
            "unreadable: e1e0 is not legal as move 1",
            "none",
            "none",
        ];
        assert_eq!(lines, expected);
        let unknown_rules = Some("fide".to_owned());
        assert_eq!(tally, Tally { lines: 6, unreadable: 1, agreed: 1, differing: 1, unknown_rules });
    }

    #[test]
    fn a_line_is_judged_as_the_same_game_is_alone() {
        // At the second occurrence a draw, at the third a loss: the nearest loop is part of a longer one.
        let fen = "R8/4k4/P8/4P2r1/2bPr3P/7c1/9/5c3/5N3/3AK4 w";
        let moves = "d0e1 h6h5 a9h9 h5h6 h9a9 h4e4 e1f0 e4h4 f0e1";
        let alone = Record::read(fen, moves).unwrap();
        for set in RuleSet::ALL {
            for terms in
                [2, 3, 4].map(Some).into_iter().chain([None]).map(|occurrence| Terms { rule_set: set, occurrence })
            {
                let (lines, _) = judged(&format!("{fen}\t{moves}\n"), terms);
                assert_eq!(lines, [alone.report(&terms.rules())], "{terms:?}");
                // Rules that the line names are judged at the same occurrence.
                let named = Terms { rule_set: RuleSet::AlwaysDraw, ..terms };
                let (lines, _) = judged(&format!("{fen}\t{moves}\tdraw\t{}\n", set.name()), named);
                assert!(lines[0].starts_with(&alone.report(&terms.rules())), "{named:?}: {lines:?}");
            }
        }
    }

    #[test]
    fn a_loop_that_is_given_once_is_judged_if_that_is_said() {
        let text = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w\tf0e0 e8f8 e0f0 f8e8\n";
        assert_eq!(judged(text, WHOLE_GAMES).0, ["none"]);
        let (lines, _) = judged(text, Terms { occurrence: Some(2), ..WHOLE_GAMES });
        assert!(lines[0].starts_with("red loses: perpetual check; loop F0-E0"), "{lines:?}");
    }
}
