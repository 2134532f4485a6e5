//! What is not searched: whole nodes before their first move, and single moves.

use std::ops::ControlFlow::{self, Break, Continue};

use super::iterate::Iteration;
use super::node::{Expected, Node};
use super::params::*;
use crate::types::{Move, Score};

impl Iteration<'_> {
    /// Tries to settle a node off the principal variation, not in check, without its moves.
    #[inline]
    pub(super) fn prune_node(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let Some(eval) = node.eval else { return Continue(()) };
        let eval = self.refined(node, eval);
        if is_decided(node.beta) {
            return self.null_move(node, eval);
        }
        // Razoring: so far below alpha that only a capture could help.
        if node.depth <= razor_depth() && eval + razor_margin() * node.depth <= node.alpha {
            let score = self.quiescence_again(node);
            if score <= node.alpha || self.stopped {
                return Break(score);
            }
        }
        // Reverse futility: so far above beta that the opponent's best hardly gets below it.
        let margin = rfp_margin() * (node.depth - node.improving as i32);
        if node.depth <= rfp_depth()
            && eval - margin >= node.beta
            && !node.beta.is_loss()
            && !eval.is_decisive()
        {
            return Break(Score::new((eval.value() + node.beta.value()) / 2));
        }
        self.null_move(node, eval)
    }

    /// The evaluation, replaced by the table's value where that is a better bound.
    fn refined(&self, node: &Node<'_>, eval: Score) -> Score {
        let Some(entry) = node.entry else { return eval };
        let score = Score::from_table(entry.score, node.ply);
        let better = super::node::bound_decides(entry.bound, score, eval, eval);
        if better && !score.is_decisive() { score } else { eval }
    }

    fn quiescence_again(&mut self, node: &Node<'_>) -> Score {
        // The node is on the path already; quiescence puts it there itself.
        self.worker.line.pop();
        let score = self.quiescence::<false>(node.pos, node.alpha, node.alpha + 1, node.ply, true);
        self.enter(node.pos, node.in_check, node.ply);
        score
    }

    /// Null move: when even a pass leaves us above beta, some move will too; when it does not get us
    /// mated, some move will not. Zugzwang is common among bare pawns and defenders, so a rook,
    /// knight or cannon is required.
    #[inline]
    fn null_move(&mut self, node: &Node<'_>, eval: Score) -> ControlFlow<Score> {
        let (pos, beta, ply) = (node.pos, node.beta, node.ply);
        let passed = self.worker.stack.before(ply, 1).moved.is_none();
        if node.depth < null_depth()
            || passed
            || ply < self.null_from
            || eval < beta
            || !pos.has_major(pos.side())
        {
            return Continue(());
        }
        let reduction = null_base()
            + node.depth / null_depth_divisor()
            + ((eval - beta) / null_eval_divisor()).min(3);
        let depth = node.depth - 1 - reduction;
        self.worker.stack.at(ply).moved = None;
        let child = self.worker.evaluator.pass(pos, ply);
        self.worker.table.prefetch(child.key());
        let score =
            -self.node::<false>(&child, -beta, -beta + 1, depth, ply + 1, node.expected.child());
        if self.stopped {
            return Break(Score::DRAW);
        }
        if score < beta {
            return Continue(());
        }
        // A mate found behind a pass proves nothing.
        let score = if score.is_decisive() { beta } else { score };
        if node.depth < null_verify_depth() || self.null_from > 0 {
            return Break(score);
        }
        self.null_from = ply + 1 + (3 * depth.max(0) / 4) as usize;
        self.worker.line.pop();
        let verified = self.node::<false>(pos, beta - 1, beta, depth.max(1), ply, Expected::Cut);
        self.enter(pos, node.in_check, ply);
        self.null_from = 0;
        if verified >= beta { Break(score) } else { Continue(()) }
    }

    /// Whether a move off the principal variation is not worth a look. `number` counts from 1,
    /// `reduced` is the depth it would be searched to.
    #[inline]
    pub(super) fn prune_move(
        &self,
        node: &Node<'_>,
        mv: Move,
        reduced: i32,
        history: i32,
        gives_check: bool,
    ) -> Pruned {
        let quiet = node.pos.captured(mv).is_none();
        let depth = reduced.max(0);
        if !quiet {
            let hopeless = node.depth <= see_depth()
                && !node.pos.see_ge(mv, -see_capture_margin() * node.depth);
            return if hopeless { Pruned::Move } else { Pruned::No };
        }
        if gives_check {
            return Pruned::No;
        }
        if node.depth <= history_pruning_depth() && history < -history_pruning() * node.depth {
            return Pruned::Move;
        }
        if depth <= futility_depth()
            && !is_decided(node.alpha)
            && node.eval.is_some_and(|eval| {
                eval + futility_base() + futility_margin() * depth <= node.alpha
            })
        {
            return Pruned::Quiets;
        }
        if depth <= see_depth() && !node.pos.see_ge(mv, -see_quiet_margin() * depth * depth) {
            return Pruned::Move;
        }
        Pruned::No
    }
}

/// The outcome of [`Iteration::prune_move`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pruned {
    /// Search it.
    No,
    /// Leave this move out.
    Move,
    /// Leave this move and all further quiet moves out.
    Quiets,
}

/// Whether a bound is so far from level that only mate or the loss of most of the men lies beyond it.
/// Margins made for quiet play say nothing about that.
#[inline]
fn is_decided(bound: Score) -> bool {
    bound.value().abs() >= DECIDED
}

/// See [`is_decided`]; centipawns, more than two rooks.
const DECIDED: i32 = 1_500;

/// Moves after which quiet ones are left out at low depth.
#[inline]
pub(super) fn late_move_limit(depth: i32, improving: bool) -> usize {
    let limit = lmp_base() + depth * depth;
    (if improving { limit } else { limit / 2 }) as usize
}
