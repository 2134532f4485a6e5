//! Quiescence: captures until the position is quiet, all replies while in check.

use std::ops::ControlFlow::{Break, Continue};

use super::iterate::Iteration;
use super::node::{Expected, NO_EVAL, Node, bound_decides};
use super::params::delta_margin;
use super::picker::{Context, Picker};
use crate::position::{Position, exchange_value};
use crate::tt::Bound;
use crate::types::{Move, Score};

impl Iteration<'_> {
    /// The value of a position once captures are played out.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        pos: &Position,
        alpha: Score,
        beta: Score,
        ply: usize,
        checks: bool,
    ) -> Score {
        self.count_node();
        if PV {
            self.worker.pv.clear(ply);
            self.worker.seldepth = self.worker.seldepth.max(ply);
        }
        if self.stopped {
            return Score::DRAW;
        }
        let info = pos.check_info();
        let depth = checks as i32 - 1;
        let mut node = Node::new(pos, &info, (alpha, beta), depth, ply, Expected::Cut);
        self.enter(pos, node.in_check, ply);
        let score = match self.judge(&mut node) {
            Break(score) => score,
            Continue(()) => self.quiet_value::<PV>(&mut node),
        };
        self.worker.line.pop();
        score.clamp(node.floor, node.ceiling)
    }

    fn quiet_value<const PV: bool>(&mut self, node: &mut Node<'_>) -> Score {
        let pos = node.pos;
        node.key = self.table_key(pos);
        node.entry = self.worker.table.probe(node.key);
        if let Some(entry) = node.entry {
            let score = Score::from_table(entry.score, node.ply);
            if !PV
                && entry.depth as i32 >= node.depth
                && bound_decides(entry.bound, score, node.alpha, node.beta)
            {
                return score;
            }
            node.table_move = entry
                .mv
                .filter(|&mv| (node.in_check || pos.captured(mv).is_some()) && pos.is_legal(mv));
        }
        let mut best = -Score::INFINITE;
        if !node.in_check {
            best = self.stand_pat(node);
            if best >= node.beta {
                if node.entry.is_none() {
                    self.store(node, best, None, Bound::Lower, PV);
                }
                return best;
            }
            node.alpha = node.alpha.max(best);
        }
        self.captures::<PV>(node, best)
    }

    /// The static value: the side to move need not capture.
    fn stand_pat(&mut self, node: &mut Node<'_>) -> Score {
        let raw = match node.entry {
            Some(entry) if entry.eval != NO_EVAL => Score::new(entry.eval as i32),
            _ => self.worker.evaluator.evaluate_at(node.pos, node.ply),
        };
        let eval = self.worker.histories.corrected(node.pos, raw);
        node.raw_eval = Some(raw);
        node.eval = Some(eval);
        match node.entry {
            Some(entry) => {
                let score = Score::from_table(entry.score, node.ply);
                let better = bound_decides(entry.bound, score, eval, eval);
                if better && !score.is_decisive() { score } else { eval }
            }
            None => eval,
        }
    }

    fn captures<const PV: bool>(&mut self, node: &mut Node<'_>, mut best: Score) -> Score {
        let (pos, ply) = (node.pos, node.ply);
        let mut picker = Picker::quiescence(node.in_check, node.table_move, node.depth == 0);
        let mut best_move = None;
        let mut any = false;
        loop {
            let cx = Context {
                pos,
                info: node.info,
                histories: &self.worker.histories,
                stack: &self.worker.stack,
                ply,
            };
            let Some(mv) = picker.next(cx) else { break };
            any = true;
            if !node.in_check && self.is_futile(node, mv) {
                continue;
            }
            let child = self.make(pos, mv, ply);
            let score = -self.quiescence::<PV>(&child, -node.beta, -node.alpha, ply + 1, false);
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > node.alpha {
                    best_move = Some(mv);
                    if PV {
                        self.worker.pv.update(ply, mv);
                    }
                    if score >= node.beta {
                        break;
                    }
                    node.alpha = score;
                }
            }
            // Evasions beyond the first few rarely save what those did not.
            if node.in_check && !best.is_loss() && pos.captured(mv).is_none() {
                picker.skip_quiets();
            }
        }
        if node.in_check && !any {
            return Score::mated_in(ply);
        }
        let bound = if best >= node.beta { Bound::Lower } else { Bound::Upper };
        self.store(node, best, best_move, bound, PV);
        best
    }

    /// Whether even winning the victim for nothing leaves the value below alpha.
    #[inline]
    fn is_futile(&self, node: &Node<'_>, mv: Move) -> bool {
        let gain = node.pos.captured(mv).map_or(0, |victim| exchange_value(victim.kind()));
        node.eval.is_some_and(|eval| eval + gain + delta_margin() <= node.alpha)
            && !node.alpha.is_decisive()
            && !node.pos.gives_check(mv)
    }
}
