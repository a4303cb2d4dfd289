//! The hand-written evaluation: a bootstrap until our own network replaces it.

mod material;
mod placement;
mod terms;

pub(super) use material::{material, material_value};
pub use placement::placement_value;
pub(super) use placement::placement_values;
pub(super) use terms::terms;
