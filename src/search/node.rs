//! Kinds of nodes as types, so that each is compiled without the others' cases.

/// What a node knows of itself before it is searched.
pub(crate) trait Node {
    /// Searched with an open window: its exact value and line are wanted.
    const PV: bool;
    /// The position that was asked about.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A node on the expected line.
pub(crate) struct Pv;
/// A node asked only whether it is above or below one score.
pub(crate) struct Scout;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
}
