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
