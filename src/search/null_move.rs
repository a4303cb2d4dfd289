//! Null-move pruning (NMP): if passing still reaches beta, a real move will.

use super::node::Scout;
use super::params;
use super::pruning::Prospect;
use super::worker::Worker;
use crate::board::{Kind, Position};
use crate::score::Score;
use crate::smp::stop::Stopped;

impl Worker<'_> {
    /// Null-move pruning (NMP): returns the value of the node if it fails high although the mover passes.
    pub(super) fn null_move(&mut self, node: &Prospect, cut: bool) -> Result<Option<Score>, Stopped> {
        let beta = node.window.beta;
        let last_was_pass = self.path.played_before(1).is_none();
        if !self.plan.pruning.passes()
            || self.path.here().is_side_search()
            || node.depth < params::null_move_min_depth()
            || node.eval < beta
            || beta.is_decisive()
            || last_was_pass
            || !has_attacker(self.path.position())
        {
            return Ok(None);
        }
        let depth = node.depth - reduction(node);
        self.pass();
        let score = -self.search::<Scout>(node.window.at_beta().swapped(), depth, !cut)?;
        self.take_pass_back();
        if score < beta {
            return Ok(None);
        }
        // A mate found after a null move proves nothing beyond beta.
        let score = if score.is_decisive() { beta } else { score };
        let holds = node.depth < params::null_move_verify_depth() || self.verify(node, depth)?;
        Ok(holds.then_some(score))
    }

    /// Verification search against zugzwang: whether a real search of this node without passing reaches beta.
    fn verify(&mut self, node: &Prospect, depth: i32) -> Result<bool, Stopped> {
        self.path.here_mut().no_pass = true;
        let score = self.search::<Scout>(node.window.at_beta(), depth, false);
        self.path.here_mut().no_pass = false;
        Ok(score? >= node.window.beta)
    }
}

fn reduction(node: &Prospect) -> i32 {
    let lead = (node.eval - node.window.beta) * 1024 / params::null_move_eval_divisor();
    let whole = params::null_move_base_1024()
        + params::null_move_slope_1024() * node.depth
        + lead.min(params::null_move_eval_max_1024());
    whole / 1024
}

/// Whether the side to move has an attacker; with pawns and defenders alone it can be in zugzwang.
fn has_attacker(position: &Position) -> bool {
    let own = position.of_side(position.side());
    (own & (position.of_kind(Kind::Rook) | position.of_kind(Kind::Cannon) | position.of_kind(Kind::Horse))).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::window::Window;

    #[test]
    fn a_free_move_saves_more_plies_the_deeper_and_the_better_the_node_is() {
        let beta = Score::DRAW;
        let window = Window { alpha: beta - 1, beta };
        let node = |depth, eval| Prospect { depth, eval: Score::from_eval(eval), improving: false, window };
        let least = params::null_move_base_1024() + 4 * params::null_move_slope_1024();
        assert_eq!(reduction(&node(4, 0)), least / 1024);
        assert!(reduction(&node(20, 0)) > reduction(&node(4, 0)));
        assert_eq!(reduction(&node(4, 20_000)), (least + params::null_move_eval_max_1024()) / 1024);
    }

    #[test]
    fn pawns_and_defenders_alone_do_not_pass() {
        let attacks = |fen: &str| has_attacker(&Position::from_fen(fen).unwrap());
        assert!(attacks("3k5/9/9/9/9/9/9/9/R8/5K3 w"));
        assert!(!attacks("3k5/9/9/9/9/9/9/9/R8/5K3 b"));
        assert!(!attacks("3k5/4P4/9/9/9/9/9/4B4/4A4/5K3 w"));
    }
}
