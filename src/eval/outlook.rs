//! What the user can change about the evaluation.

/// How much is looked at; each grade sees more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Knowledge {
    /// Material alone.
    None,
    /// Where the pieces stand as well.
    Small,
    /// How they move, how they attack the kings, and whose turn it is, as well: all that was written by hand.
    Medium,
    /// What the network has learnt, if there is one; in a variant that it does not know, all that was written by hand.
    #[default]
    Large,
}

/// How positions are valued.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outlook {
    /// How much is looked at.
    pub knowledge: Knowledge,
    /// What each side's attack on the other king weighs, by the side's index, in percent.
    pub attack_percent: [i32; 2],
    /// The identity of the network that is asked; none: what was written by hand values all positions.
    pub network: Option<u64>,
}

impl Outlook {
    /// The percentage at which an attack weighs what it weighs at full strength.
    pub const EVEN: i32 = 100;
}

impl Default for Outlook {
    /// All that was written by hand, at full strength.
    fn default() -> Self {
        Self { knowledge: Knowledge::default(), attack_percent: [Self::EVEN; 2], network: None }
    }
}
