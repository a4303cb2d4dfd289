//! The rule sets by which a game can be judged, as presets of one set of parameters.

use std::str::FromStr;

/// The presets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// The UCCI league's referee: perpetual check and the chases its simple test sees lose at the fourth occurrence;
    /// 100 plies without a capture draw, checks not counted.
    #[default]
    League,
    /// The Asian rules: perpetual check and every perpetual chase of one piece lose at the third occurrence; 120 plies
    /// without a capture draw, ten checks of each side counted.
    Asian,
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
    pub const ALL: [Self; 5] = [Self::League, Self::Asian, Self::Chinese, Self::CheckBan, Self::AlwaysDraw];

    /// The name by which options and the command line know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::League => "league",
            Self::Asian => "asian",
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
            Self::Asian => Rules { offences: Offences::ChecksAndChases, ..ASIAN },
            Self::Chinese => Rules { offences: Offences::Attacks { mate_threat_depth: DEEPEST_MATE_THREAT }, ..ASIAN },
            Self::CheckBan => Rules { check_count: CheckCount::All, ..ASIAN },
            Self::AlwaysDraw => Rules { offences: Offences::Nothing, check_count: CheckCount::All, ..ASIAN },
        }
    }
}

/// No preset has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no rule set; there are league, asian, chinese, checkban and noban")]
pub struct RuleSetError(pub String);

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Reads the names of [`RuleSet::name`] and the words of UCCI 2.x, `asianrule`, `chineserule` and `alwaysdraw`, in
    /// either case.
    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        let word = text.to_ascii_lowercase();
        let name = if word == "alwaysdraw" { "noban" } else { word.strip_suffix("rule").unwrap_or(&word) };
        Self::ALL.into_iter().find(|set| set.name() == name).ok_or_else(|| RuleSetError(text.to_owned()))
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
    ChecksAndChases,
    /// Every move an attack of whatever kind; mates are looked for so many attacking moves deep.
    Attacks {
        /// Attacking moves, checks but for the last ply.
        mate_threat_depth: u8,
    },
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
        Self { limit_plies: Some(moves.saturating_mul(2)), ..self }
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
    fn every_name_is_read_and_so_are_the_older_words() {
        for set in RuleSet::ALL {
            assert_eq!(set.name().parse(), Ok(set));
        }
        assert_eq!("AsianRule".parse(), Ok(RuleSet::Asian));
        assert_eq!("chineserule".parse(), Ok(RuleSet::Chinese));
        assert_eq!("alwaysdraw".parse(), Ok(RuleSet::AlwaysDraw));
        assert!("fifa".parse::<RuleSet>().is_err());
    }
}
