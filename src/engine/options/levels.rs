//! The options that limit the strength of play.

use super::spec::{Change, OptionKind, OptionSpec};
use super::values::{ELO_RANGE, FULL_SKILL};

/// Whether `elo` limits the strength.
pub(super) const STRENGTH_LIMITED: OptionSpec = OptionSpec {
    ucci: Some("limitstrength"),
    uci: Some("UCI_LimitStrength"),
    also: &[],
    kind: OptionKind::Check { default: false, store: |options, on| options.limits_strength = on },
    change: Change::Setting,
    about: "limit the strength to `elo`",
};

/// The level of play on the engine's own scale.
pub(super) const ELO: OptionSpec = OptionSpec {
    ucci: Some("elo"),
    uci: Some("UCI_Elo"),
    also: &[],
    kind: OptionKind::Spin {
        min: *ELO_RANGE.start(),
        max: *ELO_RANGE.end(),
        default: 1600,
        store: |options, elo| options.elo = i32::try_from(elo).unwrap_or(i32::MAX),
    },
    change: Change::Setting,
    about: "strength with `limitstrength`, on the engine's own scale, which is not calibrated against people",
};

/// The level of play on the scale of other engines.
pub(super) const SKILL_LEVEL: OptionSpec = OptionSpec {
    ucci: None,
    uci: Some("Skill Level"),
    also: &[],
    kind: OptionKind::Spin {
        min: 0,
        max: FULL_SKILL as i64,
        default: FULL_SKILL as i64,
        store: |options, level| options.skill = level as i32,
    },
    change: Change::Setting,
    about: "strength while `UCI_LimitStrength` is off: 0 to 19 mean an `elo` of 800 to 2700, 20: full strength",
};
