//! The root: the same principal variation search, over the list of moves that may be answered.

use super::iterate::Iteration;
use super::node::Expected;
use super::reduce::Circumstances;
use crate::position::Position;
use crate::tt::{Bound, Entry};
use crate::types::{Move, Score};

/// A move that may be answered, with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Value in the present iteration, `-INFINITE` while it has not beaten alpha.
    pub score: Score,
    /// Value in the last complete iteration.
    pub previous: Score,
    /// The line behind the value, starting with `mv`.
    pub pv: Vec<Move>,
    pub seldepth: usize,
    /// Nodes spent on it in this search.
    pub nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            pv: vec![mv],
            seldepth: 0,
            nodes: 0,
        }
    }
}

impl Iteration<'_> {
    /// Searches the root moves from `self.first` on. Returns the best value, which is meaningless
    /// when the search was stopped.
    pub(super) fn search_root(&mut self, mut alpha: Score, beta: Score, depth: i32) -> Score {
        let pos = *self.job.game.position();
        let alpha_before = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        self.evaluate_root(&pos);
        for index in self.first..self.worker.root_moves.len() {
            let mv = self.worker.root_moves[index].mv;
            let number = index - self.first + 1;
            self.report_current(mv, index + 1);
            let nodes_before = self.worker.nodes;
            self.worker.seldepth = 0;
            let child = self.make(&pos, mv, 0);
            let mut score = alpha;
            let mut full = number == 1;
            if !full {
                let reduction = if depth >= 3 && number > 2 {
                    let tactical = pos.captured(mv).is_some() || pos.gives_check(mv);
                    let c = Circumstances {
                        depth,
                        number,
                        pv: true,
                        cut_node: false,
                        improving: true,
                        tactical,
                        slow: false,
                        history: 0,
                    };
                    self.worker.reductions.plies(c).clamp(0, depth - 2)
                } else {
                    0
                };
                let zero = alpha + 1;
                score = -self.node::<false>(
                    &child,
                    -zero,
                    -alpha,
                    depth - 1 - reduction,
                    1,
                    Expected::Cut,
                );
                if score > alpha && reduction > 0 {
                    score = -self.node::<false>(&child, -zero, -alpha, depth - 1, 1, Expected::All);
                }
                full = score > alpha;
            }
            if full {
                score = -self.node::<true>(&child, -beta, -alpha, depth - 1, 1, Expected::Pv);
            }
            if self.stopped {
                return best;
            }
            let spent = self.worker.nodes - nodes_before;
            let seldepth = self.worker.seldepth;
            let root_move = &mut self.worker.root_moves[index];
            root_move.nodes += spent;
            if number == 1 || score > alpha {
                root_move.score = score;
                root_move.seldepth = seldepth;
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(self.worker.pv.line(1));
            } else {
                root_move.score = -Score::INFINITE;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.store_root(&pos, best, best_move, depth, alpha_before, beta);
        best
    }

    /// Gives the root's grandchildren an evaluation to compare with.
    fn evaluate_root(&mut self, pos: &Position) {
        let eval = (!pos.in_check()).then(|| {
            let raw = self.worker.evaluator.evaluate_at(pos, 0);
            self.worker.histories.corrected(pos, raw)
        });
        self.worker.stack.at(0).eval = eval;
    }

    fn store_root(
        &self,
        pos: &Position,
        best: Score,
        best_move: Option<Move>,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) {
        if self.first > 0 || self.worker.root_moves.len() != pos.legal_moves().len() {
            return; // some moves were left out: not the position's value
        }
        let bound = match best {
            s if s.is_rule() => Bound::None,
            s if s >= beta => Bound::Lower,
            s if s > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry {
            mv: best_move,
            score: best.to_table(0),
            eval: Score::NONE.value() as i16,
            depth: depth as i8,
            bound,
            pv: true,
        };
        self.worker.table.store(self.table_key(pos), entry);
    }
}
