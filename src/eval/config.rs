//! User options of the evaluation.

/// Extent of the evaluation; each grade takes more into account.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EvalKind {
    /// Material alone.
    None,
    /// Material and piece-square tables.
    Small,
    /// The full hand-crafted evaluation (HCE), which adds mobility, king attack and the side to move.
    Medium,
    /// The network (NNUE), if there is one; the HCE in variants that the network does not cover.
    #[default]
    Large,
}

/// Settings of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvalConfig {
    /// Extent of the evaluation.
    pub knowledge: EvalKind,
    /// Weight of each side's attack on the other king, by the side's index, in percent.
    pub attack_percent: [i32; 2],
    /// Identity of the network in use; `None` if the hand-crafted evaluation (HCE) values all positions.
    pub network: Option<u64>,
}

impl EvalConfig {
    /// Attack percentage at which an attack counts unchanged.
    pub const EVEN: i32 = 100;
}

impl Default for EvalConfig {
    /// The full hand-crafted evaluation (HCE), with attacks unchanged.
    fn default() -> Self {
        Self { knowledge: EvalKind::default(), attack_percent: [Self::EVEN; 2], network: None }
    }
}
