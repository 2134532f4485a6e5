//! Singular extensions (Anantharaman, Campbell and Hsu 1988), in the form that asks the table: when
//! every move but the table's fails low well below its value, that move is searched deeper; when
//! another one is as good, the node is probably decided already.

use std::ops::ControlFlow::{self, Break, Continue};

use super::iterate::Iteration;
use super::node::{Expected, Node};
use super::params::*;
use crate::tt::Bound;
use crate::types::Score;

impl Iteration<'_> {
    /// Searches the node without the table's move, where its entry is deep enough to be trusted, and
    /// notes how much deeper that move deserves to be searched. May decide the node.
    pub(super) fn singularity<const PV: bool>(
        &mut self,
        node: &mut Node<'_>,
    ) -> ControlFlow<Score> {
        let (Some(entry), Some(mv)) = (node.entry, node.table_move) else { return Continue(()) };
        let score = Score::from_table(entry.score, node.ply);
        if node.depth < singular_depth()
            || i32::from(entry.depth) < node.depth - 3
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || score.is_decisive()
            || node.ply as i32 >= 2 * self.root_depth
        {
            return Continue(());
        }
        let beta = score - node.depth * singular_margin() / 16;
        self.worker.stack.at(node.ply).excluded = Some(mv);
        // The node is on the path already; the search without the move puts it there itself.
        self.worker.line.pop();
        let depth = (node.depth - 1) / 2;
        let rest = self.node::<false>(node.pos, beta - 1, beta, depth, node.ply, Expected::Cut);
        self.enter(node.pos, node.in_check, node.ply);
        self.worker.stack.at(node.ply).excluded = None;
        if self.stopped {
            return Break(Score::DRAW);
        }
        node.table_move_extension = if rest < beta {
            Some(1 + (!PV && rest < beta - singular_double_margin()) as i32)
        } else if !PV && rest >= node.beta && !rest.is_decisive() {
            return Break(rest); // two moves refute the one that led here
        } else if score >= node.beta {
            Some(-2)
        } else if node.expected == Expected::Cut {
            Some(-1)
        } else {
            None
        };
        Continue(())
    }
}
