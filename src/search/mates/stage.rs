//! Stages of the mate search, run side by side: checks alone, and quiet moves as well, with growing effort for their
//! threats.

/// Efforts of the threat stages: a threatened mate that takes more counts as none.
const THREAT_EFFORTS: [u32; 4] = [12, 48, 192, 768];

/// Minimum nodes of a stage's time slice.
const MIN_SLICE: u64 = 4_000;

/// Attack: the moves that the attacker may play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::search) enum Attack {
    /// Checks alone.
    Checks,
    /// Checks, and quiet moves that threaten to mate by checks.
    Threats,
}

/// Stage of the mate search: tries all moves of its kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) attack: Attack,
    /// Effort for seeing a threat; the greater it is, the fewer nodes the stage gets beside the others.
    pub(super) effort: u32,
    /// Nodes spent on the stage.
    nodes: u64,
    /// Whether everything has been tried.
    is_done: bool,
    /// Whether some threat may have been missed for lack of effort.
    is_incomplete: bool,
}

/// All stages.
///
/// Where a position is rich in checks, or in threats that are soon seen, a stage may never be exhausted, so no stage
/// waits for the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages([Stage; 1 + THREAT_EFFORTS.len()]);

impl Stages {
    pub(super) fn new() -> Self {
        let stage = |attack, effort| Stage { attack, effort, nodes: 0, is_done: false, is_incomplete: false };
        let [first, second, third, fourth] = THREAT_EFFORTS.map(|effort| stage(Attack::Threats, effort));
        Self([stage(Attack::Checks, THREAT_EFFORTS[0]), first, second, third, fourth])
    }

    /// Returns the stage to continue with, among those that need no more than `most`.
    ///
    /// Checks get as many nodes as the threats that are soon seen, and those get four times as many as the threats
    /// that take four times the effort, and so on.
    pub(super) fn next(&self, most: Attack) -> Option<usize> {
        let open = self.0.iter().enumerate().filter(|(_, stage)| !stage.is_done && stage.attack <= most);
        open.min_by_key(|(_, stage)| (stage.nodes + MIN_SLICE) * u64::from(stage.effort)).map(|(index, _)| index)
    }

    /// Whether nothing is left to try.
    pub(super) fn are_done(&self) -> bool {
        self.0.iter().all(|stage| stage.is_done)
    }

    pub(super) fn get(&self, index: usize) -> &Stage {
        &self.0[index]
    }

    /// Records nodes spent on a stage, and whether a threat may have been missed.
    pub(super) fn spend(&mut self, index: usize, nodes: u64, is_incomplete: bool) {
        let stage = &mut self.0[index];
        stage.nodes += nodes;
        stage.is_incomplete |= is_incomplete;
    }

    /// Marks a stage as exhausted.
    ///
    /// If every threat was followed to its end, more effort finds no other, and all threat stages are exhausted.
    pub(super) fn finish(&mut self, index: usize) {
        let Stage { attack, is_incomplete, .. } = self.0[index];
        self.0[index].is_done = true;
        if attack == Attack::Threats && !is_incomplete {
            self.0.iter_mut().filter(|stage| stage.attack == attack).for_each(|stage| stage.is_done = true);
        }
    }
}

impl Stage {
    /// Returns the nodes of the stage's next time slice.
    pub(super) fn slice(&self) -> u64 {
        MIN_SLICE.max(self.nodes / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the stages that get a time slice, until none is left or `count` have been given.
    fn turns(stages: &mut Stages, most: Attack, count: usize) -> Vec<usize> {
        let turn = |_| {
            let index = stages.next(most)?;
            stages.spend(index, stages.get(index).slice(), true);
            Some(index)
        };
        (0..count).map_while(turn).collect()
    }

    #[test]
    fn every_stage_runs_and_the_easier_ones_get_more() {
        let mut stages = Stages::new();
        let turns = turns(&mut stages, Attack::Threats, 200);
        assert_eq!(turns[..4], [0, 1, 0, 1]);
        let nodes = stages.0.map(|stage| stage.nodes);
        assert!(nodes[0] < 2 * nodes[1] && nodes[1] < 2 * nodes[0], "{nodes:?}");
        for pair in nodes[1..].windows(2) {
            assert!(pair[1] * 2 < pair[0] && pair[1] * 8 > pair[0], "{nodes:?}");
        }
    }

    #[test]
    fn checks_alone_are_all_that_some_may_try() {
        let mut stages = Stages::new();
        assert_eq!(turns(&mut stages, Attack::Checks, 9), [0; 9]);
        stages.finish(0);
        assert_eq!(stages.next(Attack::Checks), None);
        assert!(!stages.are_done());
    }

    #[test]
    fn more_effort_is_spent_on_threats_only_where_less_was_not_enough() {
        for (is_incomplete, left) in [(true, Some(2)), (false, None)] {
            let mut stages = Stages::new();
            stages.finish(0);
            stages.spend(1, 100, is_incomplete);
            stages.finish(1);
            assert_eq!(stages.next(Attack::Threats), left);
            assert_eq!(stages.are_done(), left.is_none());
        }
    }
}
