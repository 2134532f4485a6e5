//! Iterative deepening with aspiration windows, and everything that ends a search.

use std::time::Duration;

use super::job::{Control, Job};
use super::pace::Pace;
use super::params::{aspiration_delta, aspiration_depth};
use super::report::{Info, InfoSink, Outcome};
use super::worker::Worker;
use crate::types::{MAX_PLY, Move, Score};

/// No iteration goes deeper; the table stores depths in eight bits.
const MAX_DEPTH: u32 = 120;
/// Nodes between two looks at the clock and the node limit.
const CHECK_INTERVAL: u64 = 1024;
/// Current moves are reported only after this time, when a user may wonder what goes on.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// Depth, in lengths of the mate found, after which that mate is taken for the shortest: reductions
/// hide shorter ones for a while.
const MATE_CONFIRMATION: i32 = 3;

/// The state of one search.
pub(super) struct Iteration<'a> {
    pub worker: &'a mut Worker,
    pub job: &'a Job,
    pub control: &'a Control,
    sink: &'a mut dyn InfoSink,
    /// Set once the search is to end; values found since then mean nothing.
    pub stopped: bool,
    /// Iterations completed.
    completed: u32,
    /// The iteration being searched.
    pub root_depth: i32,
    /// Root moves before this index belong to better lines of a multi-line search.
    pub first: usize,
    /// No null move above this ply, while one is being verified.
    pub null_from: usize,
    next_check: u64,
    pace: Pace,
    /// The line reported last as the best.
    reported: Vec<Move>,
}

impl<'a> Iteration<'a> {
    pub(super) fn new(
        worker: &'a mut Worker,
        job: &'a Job,
        control: &'a Control,
        sink: &'a mut dyn InfoSink,
    ) -> Iteration<'a> {
        Iteration {
            worker,
            job,
            control,
            sink,
            stopped: false,
            completed: 0,
            root_depth: 0,
            first: 0,
            null_from: 0,
            next_check: 0,
            pace: Pace::default(),
            reported: Vec::new(),
        }
    }

    fn is_main(&self) -> bool {
        self.worker.id == 0
    }

    pub(super) fn run(mut self) -> Outcome {
        let limit = self.job.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let lines = self.job.multipv.clamp(1, self.worker.root_moves.len());
        for depth in 1..=limit {
            self.root_depth = depth as i32;
            for root_move in &mut self.worker.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -Score::INFINITE;
            }
            for first in 0..lines {
                self.first = first;
                self.aspirate(depth as i32);
                self.worker.root_moves[..=first].sort_by_key(|rm| std::cmp::Reverse(rm.score));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            self.report(lines, depth);
            self.pace.learn(&self.worker.root_moves[0], self.worker.nodes);
            if self.is_main() && self.is_done(depth) {
                break;
            }
        }
        self.finish(lines)
    }

    /// Searches one line with a window around its last value, widened until the value lies inside.
    fn aspirate(&mut self, depth: i32) {
        let previous = self.worker.root_moves[self.first].previous;
        let mut delta = aspiration_delta();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= aspiration_depth() && !previous.is_decisive() {
            (alpha, beta) = (previous - delta, previous + delta);
        }
        let mut reduced = 0;
        loop {
            let score = self.search_root(alpha, beta, (depth - reduced).max(1));
            let first = self.first;
            self.worker.root_moves[first..].sort_by_key(|rm| std::cmp::Reverse(rm.score));
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = Score::new((alpha.value() + beta.value()) / 2);
                alpha = score - delta;
                reduced = 0;
            } else if score >= beta {
                beta = score + delta;
                reduced = (reduced + 1).min(2);
            } else {
                return;
            }
            delta += delta / 2;
            if delta > 600 || score.is_decisive() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Whether nothing is gained by another iteration.
    fn is_done(&self, depth: u32) -> bool {
        let limits = &self.job.limits;
        let total = self.worker.counters.total();
        if self.out_of_limits() || limits.soft_nodes.is_some_and(|nodes| total >= nodes) {
            return true;
        }
        let best = &self.worker.root_moves[0];
        if let Some(plies) = best.score.mate_plies() {
            let moves = (plies + 1) / 2;
            if limits.mate.is_some_and(|n| moves <= n as i32 && best.score.is_win()) {
                return true;
            }
            let lines = self.job.multipv.min(self.worker.root_moves.len());
            let all_mates = self.worker.root_moves[..lines].iter().all(|rm| rm.score.is_mate());
            // With a depth limit people expect that depth.
            if limits.depth.is_none()
                && all_mates
                && depth as i32 >= MATE_CONFIRMATION * (plies + 1)
            {
                return true;
            }
        }
        let Some(budget) = limits.budget else { return false };
        // A forced move needs no thought, only enough to name a reply to ponder on.
        if !budget.is_fixed()
            && self.worker.root_moves.len() == 1
            && depth >= 4
            && !self.control.is_pondering()
        {
            return true;
        }
        let soft = if budget.is_fixed() {
            budget.soft
        } else {
            budget.soft.mul_f64(self.pace.scale()).min(budget.hard)
        };
        self.control.on_clock().is_some_and(|time| time >= soft)
    }

    /// Whether a hard limit is reached.
    fn out_of_limits(&self) -> bool {
        let limits = &self.job.limits;
        if self.control.is_stopped() {
            return true;
        }
        if limits.nodes.is_some_and(|nodes| self.worker.counters.total() >= nodes) {
            return true;
        }
        limits
            .budget
            .is_some_and(|budget| self.control.on_clock().is_some_and(|time| time >= budget.hard))
    }

    /// Counts a node, and looks at the signals now and then. The first iteration is always
    /// completed unless a stop is *asked* for.
    #[inline]
    pub(super) fn count_node(&mut self) {
        self.worker.nodes += 1;
        if self.control.is_stopped() {
            self.stopped = true;
        } else if self.worker.nodes >= self.next_check {
            self.check_limits();
        }
    }

    #[cold]
    fn check_limits(&mut self) {
        let worker = &mut *self.worker;
        worker.counters.set(worker.id, worker.nodes);
        let interval = match self.job.limits.nodes {
            Some(nodes) => nodes.saturating_sub(worker.nodes).clamp(1, CHECK_INTERVAL),
            None => CHECK_INTERVAL,
        };
        self.next_check = worker.nodes + interval;
        if self.is_main() && self.completed > 0 && self.out_of_limits() {
            self.stopped = true;
        }
    }

    pub(super) fn report_current(&mut self, mv: Move, number: usize) {
        if self.is_main() && self.control.elapsed() > CURRENT_MOVE_AFTER {
            self.sink.current_move(self.root_depth as u32, mv, number);
        }
    }

    /// Reports the lines of an iteration.
    fn report(&mut self, lines: usize, depth: u32) {
        if !self.is_main() {
            return;
        }
        let worker = &*self.worker;
        worker.counters.set(worker.id, worker.nodes);
        let (nodes, time) = (worker.counters.total(), self.control.elapsed());
        let hashfull = worker.table.hashfull();
        for (i, rm) in worker.root_moves[..lines].iter().enumerate() {
            let score = if rm.score == -Score::INFINITE { rm.previous } else { rm.score };
            self.sink.info(&Info {
                depth,
                seldepth: rm.seldepth.max(1) as u32,
                multipv: i + 1,
                score,
                nodes,
                time,
                hashfull,
                pv: &rm.pv,
            });
        }
        self.reported.clone_from(&worker.root_moves[0].pv);
    }

    /// The answer. When an unfinished iteration changed it, its line is reported once more, so that
    /// the last report always names the answer.
    fn finish(mut self, lines: usize) -> Outcome {
        let worker = &*self.worker;
        worker.counters.set(worker.id, worker.nodes);
        if self.worker.root_moves[0].score == -Score::INFINITE {
            let rm = &mut self.worker.root_moves[0];
            rm.score = if rm.previous == -Score::INFINITE { Score::DRAW } else { rm.previous };
        }
        if self.reported != self.worker.root_moves[0].pv {
            let shown = if self.completed == 0 { 1 } else { lines };
            self.report(shown, self.completed.max(1));
        }
        let best = &self.worker.root_moves[0];
        Outcome {
            depth: self.completed,
            seldepth: best.seldepth as u32,
            score: best.score,
            pv: best.pv.clone(),
        }
    }
}

const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);
