//! Rule sets for judging a game, as presets of one set of parameters.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A preset of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// The Asian rules, which are also those of the WXF: perpetual check and every perpetual chase of one piece lose at
    /// the third occurrence; 120 plies without a capture draw, with ten checks of each side counted.
    #[default]
    Asian,
    /// The rules of the UCCI league's referee: perpetual check, and the chases that its simple test finds, lose at the
    /// fourth occurrence; 100 plies without a capture draw, checks not counted.
    League,
    /// The rules of the referee in Pikafish, 2024 to 2026: the Asian rules, but any check in a loop ends every chase in it.
    Pikafish,
    /// The Chinese rules, approximately: a side that attacks with every move (checks, threatens mate, chases, or
    /// threatens a check followed by a capture, rule 24.3 of 2020) loses.
    Chinese,
    /// Only perpetual check loses, at the third occurrence; 120 plies without a capture draw, checks counted like any other.
    CheckBan,
    /// Every repetition draws; otherwise like [`RuleSet::CheckBan`].
    AlwaysDraw,
}

impl RuleSet {
    /// All presets.
    pub const ALL: [Self; 6] =
        [Self::Asian, Self::League, Self::Pikafish, Self::Chinese, Self::CheckBan, Self::AlwaysDraw];

    /// Synonyms of the presets: names of the rules in other engines, in lower case.
    pub const SYNONYMS: &[(&str, Self)] = &[
        ("wxf", Self::Asian),
        ("asianrule", Self::Asian),
        ("chineserule", Self::Chinese),
        ("computerrule", Self::Pikafish),
        ("allowchase", Self::CheckBan),
        ("nojudgement", Self::AlwaysDraw),
        ("alwaysdraw", Self::AlwaysDraw),
    ];

    /// The name of the preset in options and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asian => "asian",
            Self::League => "league",
            Self::Pikafish => "pikafish",
            Self::Chinese => "chinese",
            Self::CheckBan => "checkban",
            Self::AlwaysDraw => "noban",
        }
    }

    /// The rules that the preset stands for.
    pub const fn rules(self) -> Rules {
        const ASIAN: Rules = Rules {
            occurrences: 3,
            offences: Offences::Checks,
            limit_plies: Some(120),
            check_count: CheckCount::CapPerSide(10),
            limit_first: false,
        };
        match self {
            Self::League => Rules {
                occurrences: 4,
                offences: Offences::ChecksAndFirstHits,
                limit_plies: Some(100),
                check_count: CheckCount::None,
                limit_first: true,
            },
            Self::Asian => Rules { offences: Offences::ChecksAndChases(ChaseRules::ASIAN), ..ASIAN },
            Self::Pikafish => Rules { offences: Offences::ChecksAndChases(ChaseRules::PIKAFISH), ..ASIAN },
            Self::Chinese => Rules { offences: Offences::Attacks { mate_threat_depth: DEEPEST_MATE_THREAT }, ..ASIAN },
            Self::CheckBan => Rules { check_count: CheckCount::All, ..ASIAN },
            Self::AlwaysDraw => Rules { offences: Offences::Nothing, check_count: CheckCount::All, ..ASIAN },
        }
    }
}

/// Error: no preset has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetError(pub String);

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rules {:?} (available: asian, league, pikafish, chinese, checkban, noban)", self.0)
    }
}

impl Error for RuleSetError {}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Parses the names of [`RuleSet::name`] and [`RuleSet::SYNONYMS`], in either case.
    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        let names = Self::ALL.into_iter().map(|set| (set.name(), set)).chain(Self::SYNONYMS.iter().copied());
        let mut known = names.filter(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, set)| set);
        known.next().ok_or_else(|| RuleSetError(text.to_owned()))
    }
}

/// Maximum depth of the search for mate threats, in attacking moves.
pub(super) const DEEPEST_MATE_THREAT: u8 = 3;

/// Offences by which a side loses a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offences {
    /// No offence: every loop draws.
    Nothing,
    /// Perpetual check.
    Checks,
    /// Perpetual check, and perpetual chase by the league's test: the first hit of each move is the same piece.
    ChecksAndFirstHits,
    /// Perpetual check, and any perpetual chase of one and the same piece.
    ChecksAndChases(ChaseRules),
    /// Perpetual attack of any kind, mate threats included.
    Attacks {
        /// Depth of the search for mate threats, in attacking moves.
        mate_threat_depth: u8,
    },
}

/// Conditions of a chase, where rule sets differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChaseRules {
    /// Whether the moved piece makes a new threat even if another piece threatened the victim already.
    pub(crate) mover_threatens_anew: bool,
    /// Whether a chase of a rook that is pinned by a horse is worse than another chase.
    pub(crate) ranks_pinned_rook: bool,
    /// Whether a loop with any check in it is not a chase by either side.
    pub(crate) any_check_ends_chase: bool,
}

impl ChaseRules {
    /// The text of the Asian rules and of the WXF.
    pub(crate) const ASIAN: Self =
        Self { mover_threatens_anew: true, ranks_pinned_rook: true, any_check_ends_chase: false };
    /// Pikafish's interpretation of the Asian rules.
    pub(crate) const PIKAFISH: Self =
        Self { mover_threatens_anew: false, ranks_pinned_rook: false, any_check_ends_chase: true };
}

/// Checks that count towards the move limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckCount {
    /// No check counts: a checking move and the reply to a check add nothing.
    None,
    /// The first checks of each side count, up to this number; later ones and the replies to them add nothing.
    CapPerSide(u32),
    /// All checks count.
    All,
}

/// The rules in force: a preset, possibly with another move limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub(crate) occurrences: usize,
    pub(crate) offences: Offences,
    /// Plies without a capture that draw the game; `None` without a limit.
    pub(crate) limit_plies: Option<u16>,
    pub(crate) check_count: CheckCount,
    /// Whether the move limit and a lack of attackers are tested before repetition and mate.
    pub(crate) limit_first: bool,
}

impl Rules {
    /// The occurrence of a position at which the referee judges the loop.
    pub const fn occurrences(&self) -> usize {
        self.occurrences
    }

    /// Occurrence of a position from which on moves of the side to blame are forbidden, by referees that forbid moves:
    /// the league's `banmoves` come one occurrence before its verdict.
    pub const fn banned_occurrence(&self) -> usize {
        match self.offences {
            Offences::ChecksAndFirstHits if self.occurrences > 2 => self.occurrences - 1,
            _ => self.occurrences,
        }
    }

    /// Plies without a capture that draw the game, before checks are excluded from the count; `None` without a limit.
    pub const fn limit_plies(&self) -> Option<u16> {
        self.limit_plies
    }

    /// Returns the rules with a draw after `plies` plies without a capture.
    #[must_use]
    pub fn with_limit(self, plies: u16) -> Self {
        Self { limit_plies: Some(plies), ..self }
    }

    /// Returns the rules without a move limit.
    #[must_use]
    pub fn without_limit(self) -> Self {
        Self { limit_plies: None, ..self }
    }

    /// Returns the rules with loops judged at this occurrence of a position; 2 is the first repetition.
    #[must_use]
    pub fn judging_at(self, occurrences: usize) -> Self {
        Self { occurrences, ..self }
    }
}

impl Default for Rules {
    fn default() -> Self {
        RuleSet::default().rules()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_and_so_are_those_of_other_engines() {
        for set in RuleSet::ALL {
            assert_eq!(set.name().parse(), Ok(set));
        }
        for (word, set) in [
            ("WXF", RuleSet::Asian),
            ("AsianRule", RuleSet::Asian),
            ("ChineseRule", RuleSet::Chinese),
            ("ComputerRule", RuleSet::Pikafish),
            ("AllowChase", RuleSet::CheckBan),
            ("NoJudgement", RuleSet::AlwaysDraw),
            ("alwaysdraw", RuleSet::AlwaysDraw),
        ] {
            assert_eq!(word.parse(), Ok(set), "{word}");
        }
    }

    #[test]
    fn who_names_other_rules_reads_all_that_there_are() {
        let error = "fifa".parse::<RuleSet>().unwrap_err().to_string();
        assert!(error.contains("\"fifa\"") && RuleSet::ALL.iter().all(|set| error.contains(set.name())), "{error}");
    }
}
