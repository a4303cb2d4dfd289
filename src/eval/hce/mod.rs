//! Hand-crafted evaluation (HCE): values positions that no network covers, and is the baseline for networks.

mod material;
mod placement;
mod terms;
mod trace;
mod weights;

pub(super) use material::{material, material_value};
pub use placement::placement_value;
pub(super) use placement::placement_values;
pub(super) use terms::terms;
pub use trace::{PLACES, TERMS, WEIGHTS, counts, material_of, weights};
