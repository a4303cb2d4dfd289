//! The evaluation written by hand: it values what no network has learnt, and networks are measured against it.

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
