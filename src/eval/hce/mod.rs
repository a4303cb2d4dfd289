//! Hand-crafted evaluation (HCE): values positions that no network covers, and is the baseline for networks.

mod placement;
mod terms;
mod trace;
mod weights;

pub use placement::{material, placement_value};
pub(super) use placement::{material_value, placement_values};
pub(super) use terms::{EVEN, terms};
pub use trace::{PLACES, TERMS, WEIGHTS, counts, weights};
