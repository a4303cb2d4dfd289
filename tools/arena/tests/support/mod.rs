//! Support for the tests of reports.

#[path = "../../../games/tests/support/mod.rs"]
mod made_up;
pub(crate) mod report;

pub(crate) use made_up::made_up_games;
