//! The moves of a node: order, pruning, extension, reduction, search, and what is learned.

use arrayvec::ArrayVec;

use super::iterate::Iteration;
use super::node::{Expected, Node};
use super::params::*;
use super::picker::{Context, Picker};
use super::prune::{Pruned, late_move_limit};
use super::reduce::Circumstances;
use crate::position::Position;
use crate::tt::Bound;
use crate::types::{Move, Score};

/// One move about to be searched.
struct Candidate {
    /// From 1, among the moves searched.
    number: usize,
    /// Depth after extension, before reduction.
    depth: i32,
    /// Plies searched less at first.
    reduction: i32,
}

impl Iteration<'_> {
    /// Searches the moves of a node and returns its value.
    pub(super) fn moves<const PV: bool>(&mut self, node: &mut Node<'_>) -> Score {
        let (pos, ply, alpha_before) = (node.pos, node.ply, node.alpha);
        let killers = self.worker.stack.at(ply).killers;
        self.worker.stack.at(ply + 1).killers = [None; 2];
        let mut picker = Picker::new(node.in_check, node.table_move, killers);
        let mut tried: ArrayVec<Move, 128> = ArrayVec::new();
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        let excluded = self.worker.stack.at(ply).excluded;
        let mut seen = 0;
        while let Some(mv) = picker.next(self.context(node)) {
            if Some(mv) == excluded {
                continue;
            }
            seen += 1;
            let Some(candidate) =
                self.candidate::<PV>(node, mv, seen, tried.len() + 1, best, &mut picker, killers)
            else {
                continue;
            };
            let child = self.make(pos, mv, ply);
            let score = self.search_move::<PV>(node, &child, &candidate);
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
            tried.push(mv);
        }
        if seen == 0 && excluded.is_some() {
            return node.alpha;
        }
        if seen == 0 {
            // Mate or stalemate: a loss either way.
            return Score::mated_in(ply);
        }
        if best == -Score::INFINITE {
            best = node.alpha; // everything was pruned
        }
        if let Some(mv) = best_move.filter(|_| best >= node.beta) {
            self.learn_cutoff(node, mv, &tried);
        }
        if excluded.is_none() {
            self.record::<PV>(node, best, best_move, alpha_before);
        }
        best
    }

    fn context<'b>(&'b self, node: &Node<'b>) -> Context<'b> {
        Context {
            pos: node.pos,
            info: node.info,
            histories: &self.worker.histories,
            stack: &self.worker.stack,
            ply: node.ply,
        }
    }

    /// Decides whether and how deep a move is searched.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn candidate<const PV: bool>(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        seen: usize,
        number: usize,
        best: Score,
        picker: &mut Picker,
        killers: [Option<Move>; 2],
    ) -> Option<Candidate> {
        let pos = node.pos;
        let quiet = pos.captured(mv).is_none();
        let gives_check = pos.gives_check(mv);
        let history = if quiet {
            self.worker.histories.quiet_score(pos, &self.worker.stack, node.ply, mv)
        } else {
            0
        };
        let reduction = if node.depth >= 2 && number > 1 + PV as usize {
            self.worker.reductions.plies(Circumstances {
                depth: node.depth,
                number: seen,
                pv: PV,
                cut_node: node.expected == Expected::Cut,
                improving: node.improving,
                tactical: gives_check || !quiet || killers.contains(&Some(mv)),
                slow: quiet && !gives_check && node.alpha.is_win(),
                history,
            })
        } else {
            0
        };
        if !best.is_loss() {
            if !node.in_check
                && seen > late_move_limit(node.depth, node.improving)
                && node.depth <= lmp_depth()
            {
                picker.skip_quiets();
            }
            match self.prune_move(node, mv, node.depth - reduction, history, gives_check) {
                Pruned::No => {}
                Pruned::Move => return None,
                Pruned::Quiets => {
                    picker.skip_quiets();
                    return None;
                }
            }
        }
        let extension = match node.table_move_extension.filter(|_| node.table_move == Some(mv)) {
            Some(plies) if plies < 0 => plies,
            plies => self.extension(node, mv, gives_check).max(plies.unwrap_or(0)),
        };
        let depth = node.depth - 1 + extension;
        Some(Candidate { number, depth, reduction: reduction.clamp(0, (depth - 1).max(0)) })
    }

    /// Checks that do not lose the checking man are followed one ply further, up to twice the depth
    /// of the iteration.
    #[inline]
    fn extension(&self, node: &Node<'_>, mv: Move, gives_check: bool) -> i32 {
        (gives_check && (node.ply as i32) < 2 * self.root_depth && node.pos.see_ge(mv, 0)) as i32
    }

    /// Principal variation search of one move: a reduced and a full zero window, then the whole one.
    #[inline]
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node<'_>,
        child: &Position,
        candidate: &Candidate,
    ) -> Score {
        let &Candidate { number, depth, reduction } = candidate;
        let (alpha, beta, ply) = (node.alpha, node.beta, node.ply + 1);
        let zero = alpha + 1;
        if PV && number == 1 {
            return -self.node::<true>(child, -beta, -alpha, depth, ply, Expected::Pv);
        }
        let mut score;
        if reduction > 0 {
            score =
                -self.node::<false>(child, -zero, -alpha, depth - reduction, ply, Expected::Cut);
            if score <= alpha || self.stopped {
                return score;
            }
        }
        let expected = node.expected.child();
        score = -self.node::<false>(child, -zero, -alpha, depth, ply, expected);
        if PV && score > alpha && !self.stopped {
            score = -self.node::<true>(child, -beta, -alpha, depth, ply, Expected::Pv);
        }
        score
    }

    fn learn_cutoff(&mut self, node: &Node<'_>, mv: Move, tried: &[Move]) {
        let worker = &mut *self.worker;
        if node.pos.captured(mv).is_none() {
            let killers = &mut worker.stack.at(node.ply).killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        worker.histories.learn(node.pos, &worker.stack, node.ply, node.depth, mv, tried);
    }

    /// Stores the result and corrects the evaluation by it.
    fn record<const PV: bool>(
        &mut self,
        node: &Node<'_>,
        best: Score,
        best_move: Option<Move>,
        alpha: Score,
    ) {
        let bound = match best {
            s if s >= node.beta => Bound::Lower,
            s if PV && s > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if let Some(eval) = node.eval
            && !best.is_decisive()
            && best_move.is_none_or(|mv| node.pos.captured(mv).is_none())
            && !(bound == Bound::Lower && best <= eval)
            && !(bound == Bound::Upper && best >= eval)
        {
            self.worker.histories.learn_correction(node.pos, eval, best, node.depth);
        }
        self.store(node, best, best_move, bound, PV);
    }
}
