//! One worker: everything a thread needs for searching, kept from move to move.

use std::sync::Arc;

use super::histories::Histories;
use super::job::{Control, Job, NodeCounters};
use super::pv::PvTable;
use super::reduce::Reductions;
use super::report::{InfoSink, Outcome};
use super::root::RootMove;
use super::stack::Stack;
use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::rules::{Line, RuleSet};
use crate::tt::Table;

/// A searcher. Worker 0 watches the clock and reports; the others only search, and fill the shared
/// table.
#[derive(Debug)]
pub struct Worker {
    pub(super) id: usize,
    pub(super) table: Arc<Table>,
    pub(super) counters: Arc<NodeCounters>,
    pub(super) evaluator: Evaluator,
    pub(super) histories: Histories,
    pub(super) stack: Stack,
    pub(super) pv: PvTable,
    pub(super) line: Line,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) reductions: Reductions,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
}

impl Worker {
    /// A worker without experience that asks the network that is built in, if there is one. `id` counts from 0 and is its index in `counters`.
    pub fn new(id: usize, table: Arc<Table>, counters: Arc<NodeCounters>) -> Worker {
        Worker {
            id,
            table,
            counters,
            evaluator: Evaluator::new(),
            histories: Histories::default(),
            stack: Stack::new(),
            pv: PvTable::new(),
            line: Line::new(RuleSet::default()),
            root_moves: Vec::new(),
            reductions: Reductions::new(),
            nodes: 0,
            seldepth: 0,
        }
    }

    /// Uses another table from the next search on.
    pub fn set_table(&mut self, table: Arc<Table>) {
        self.table = table;
    }

    /// Asks another network from the next search on, or with `None` the hand-made evaluation.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.evaluator = network.map_or_else(Evaluator::classical, Evaluator::with_network);
    }

    /// Forgets what was learned from earlier searches. The table is not this worker's to clear.
    pub fn clear(&mut self) {
        self.histories = Histories::default();
    }

    /// Searches until a limit is reached or `control` says stop. Worker 0 heeds the limits and
    /// reports to `sink`; other workers run until stopped or out of depth.
    ///
    /// The answer is a move of `job.root_moves`, also when stopped at once.
    ///
    /// # Panics
    /// When `job.root_moves` is empty.
    pub fn search(&mut self, job: &Job, control: &Control, sink: &mut dyn InfoSink) -> Outcome {
        assert!(!job.root_moves.is_empty(), "a search needs a move to choose");
        self.nodes = 0;
        self.line = job.game.line(job.rules);
        self.evaluator.reset(job.game.position());
        self.stack.clear();
        // A move that loses by rule is for those who have nothing else.
        let banned = job.game.banned_moves(job.rules);
        let only_banned = job.root_moves.iter().all(|mv| banned.contains(mv));
        let allowed = job.root_moves.iter().filter(|mv| only_banned || !banned.contains(mv));
        self.root_moves = allowed.map(|&mv| RootMove::new(mv)).collect();
        super::iterate::Iteration::new(self, job, control, sink).run()
    }
}
