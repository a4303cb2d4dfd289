//! The rule sets by which a game can be judged, as presets of one set of parameters.

/// Which tournament's rules are in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// The UCCI league: a verdict at the fourth occurrence, 100 plies without a capture, checks not counted.
    #[default]
    League,
    /// The Asian rules: a verdict at the third occurrence, 120 plies, ten checks of each side counted.
    Asian,
}

/// Which checks count towards the move limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckCount {
    /// A checking move and the reply to a check add nothing.
    None,
    /// The first checks of each side count; later ones and the replies to them add nothing.
    CapPerSide(u32),
}

/// What a preset stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parameters {
    /// How often a position must have stood for the referee to judge the loop.
    pub(crate) occurrences: usize,
    /// Plies without a capture that end the game.
    pub(crate) limit_plies: u16,
    /// How checks count towards that limit.
    pub(crate) check_count: CheckCount,
    /// Whether the limit and bare material are looked at before repetition and mate.
    pub(crate) limit_first: bool,
}

impl RuleSet {
    /// Plies without a capture after which the game is drawn, before checks are left out of the count.
    pub const fn limit_plies(self) -> u16 {
        self.parameters().limit_plies
    }

    pub(crate) const fn parameters(self) -> Parameters {
        match self {
            Self::League => {
                Parameters { occurrences: 4, limit_plies: 100, check_count: CheckCount::None, limit_first: true }
            }
            Self::Asian => Parameters {
                occurrences: 3,
                limit_plies: 120,
                check_count: CheckCount::CapPerSide(10),
                limit_first: false,
            },
        }
    }
}
