//! The rule sets by which a game can be judged, as presets of one set of parameters.

use std::str::FromStr;

/// The presets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// The Asian rules, which are those of the WXF too: perpetual check and every perpetual chase of one piece lose at the third
    /// occurrence; 120 plies without a capture draw, ten checks of each side counted.
    #[default]
    Asian,
    /// The UCCI league's referee: perpetual check and the chases its simple test sees lose at the fourth occurrence;
    /// 100 plies without a capture draw, checks not counted.
    League,
    /// The referee in Pikafish of 2024 to 2026: the Asian rules, but a single check in a loop ends every chase in it.
    Pikafish,
    /// The Chinese rules, approximately: a side that attacks with every move (checks, threatens mate, chases, or threatens to
    /// check and then to take, as 24.3 of the rules of 2020 says) loses.
    Chinese,
    /// Only perpetual check loses, at the third occurrence; 120 plies without a capture draw, checks counted like any other.
    CheckBan,
    /// Every repetition draws; the rest as before.
    AlwaysDraw,
}

impl RuleSet {
    /// All presets.
    pub const ALL: [Self; 6] =
        [Self::Asian, Self::League, Self::Pikafish, Self::Chinese, Self::CheckBan, Self::AlwaysDraw];

    /// Other words for them: names of the rules in other engines, in small letters.
    pub const SYNONYMS: &[(&str, Self)] = &[
        ("wxf", Self::Asian),
        ("asianrule", Self::Asian),
        ("chineserule", Self::Chinese),
        ("computerrule", Self::Pikafish),
        ("allowchase", Self::CheckBan),
        ("nojudgement", Self::AlwaysDraw),
        ("alwaysdraw", Self::AlwaysDraw),
    ];

    /// The name by which options and the command line know it.
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

    /// What the preset stands for.
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

/// No preset has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rules {0:?} (available: asian, league, pikafish, chinese, checkban, noban)")]
pub struct RuleSetError(pub String);

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Reads the names of [`RuleSet::name`] and the words of [`RuleSet::SYNONYMS`], in either case.
    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        let names = Self::ALL.into_iter().map(|set| (set.name(), set)).chain(Self::SYNONYMS.iter().copied());
        let mut known = names.filter(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, set)| set);
        known.next().ok_or_else(|| RuleSetError(text.to_owned()))
    }
}

/// How deep the rules look that look for threats of mate, in attacking moves.
pub(super) const DEEPEST_MATE_THREAT: u8 = 3;

/// What makes a side lose by going round in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offences {
    /// Nothing does.
    Nothing,
    /// Perpetual check.
    Checks,
    /// Perpetual check, and the perpetual chase that the league's referee sees: each move's first hit is the same piece.
    ChecksAndFirstHits,
    /// Perpetual check, and any perpetual chase of one and the same piece.
    ChecksAndChases(ChaseRules),
    /// Every move an attack of whatever kind; mates are looked for so many attacking moves deep.
    Attacks {
        /// Attacking moves, checks but for the last ply.
        mate_threat_depth: u8,
    },
}

/// Conditions of a chase, where rule sets differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChaseRules {
    /// The piece that has just moved threatens anew whatever it did not threaten before, even if another piece did.
    pub(crate) mover_threatens_anew: bool,
    /// A chase of a rook that is pinned by a horse is worse than another one.
    pub(crate) ranks_pinned_rook: bool,
    /// A loop with any check in it is no chase by either side.
    pub(crate) any_check_ends_chase: bool,
}

impl ChaseRules {
    /// The text of the Asian rules and of the WXF.
    pub(crate) const ASIAN: Self =
        Self { mover_threatens_anew: true, ranks_pinned_rook: true, any_check_ends_chase: false };
    /// Pikafish's reading of it.
    pub(crate) const PIKAFISH: Self =
        Self { mover_threatens_anew: false, ranks_pinned_rook: false, any_check_ends_chase: true };
}

/// Which checks count towards the move limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckCount {
    /// A checking move and the reply to a check add nothing.
    None,
    /// The first checks of each side count; later ones and the replies to them add nothing.
    CapPerSide(u32),
    /// All do.
    All,
}

/// The rules in force: a preset, perhaps with another move limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub(crate) occurrences: usize,
    pub(crate) offences: Offences,
    /// Plies without a capture that draw the game, if any number does.
    pub(crate) limit_plies: Option<u16>,
    pub(crate) check_count: CheckCount,
    /// Whether the limit and bare material are looked at before repetition and mate.
    pub(crate) limit_first: bool,
}

impl Rules {
    /// How often a position must have stood for the referee to judge the loop.
    pub const fn occurrences(&self) -> usize {
        self.occurrences
    }

    /// The occurrence of a position from which on the referee forbids the moves of whoever would be to blame, if it does that: the
    /// league's `banmoves` come one occurrence before its verdict.
    pub const fn banned_occurrence(&self) -> usize {
        match self.offences {
            Offences::ChecksAndFirstHits if self.occurrences > 2 => self.occurrences - 1,
            _ => self.occurrences,
        }
    }

    /// Plies without a capture after which the game is drawn, before checks are left out of the count; `None` without a limit.
    pub const fn limit_plies(&self) -> Option<u16> {
        self.limit_plies
    }

    /// The same rules with a game drawn after `moves` full moves without a capture.
    #[must_use]
    pub fn with_draw_moves(self, moves: u16) -> Self {
        self.with_limit(moves.saturating_mul(2))
    }

    /// These rules with a game drawn after `plies` without a capture.
    #[must_use]
    pub fn with_limit(self, plies: u16) -> Self {
        Self { limit_plies: Some(plies), ..self }
    }

    /// The same rules without a move limit.
    #[must_use]
    pub fn without_limit(self) -> Self {
        Self { limit_plies: None, ..self }
    }

    /// The same rules with loops judged at this occurrence of a position, 2 being the first repetition.
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
