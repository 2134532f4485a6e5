//! Worker threads that live as long as the engine.
//!
//! Each thread owns its worker, large tables included, so that memory is touched first by the thread
//! that uses it. Workers share the hash table and nothing else; orders and answers travel through
//! channels.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use crate::eval::nnue::Network;
use crate::search::{Control, InfoSink, Job, NodeCounters, Outcome, Silent, Worker};
use crate::tt::Table;

/// A sink that may be handed to another thread.
pub type BoxedSink = Box<dyn InfoSink + Send>;

/// What a thread is told.
enum Order {
    Search {
        job: Arc<Job>,
        control: Arc<Control>,
        /// Stopped when this thread's search ends, however it ends.
        stops: Option<StopOnDrop>,
        sink: BoxedSink,
        reply: Sender<(usize, Outcome)>,
    },
    UseTable(Arc<Table>),
    UseNetwork(Option<Arc<Network>>),
    Forget {
        done: Sender<()>,
    },
}

/// Stops a search when dropped, so that helpers end even when the main worker's thread dies.
struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct Thread {
    orders: Sender<Order>,
    handle: Option<JoinHandle<()>>,
}

/// The threads.
pub(super) struct Pool {
    asked: usize,
    threads: Vec<Thread>,
    counters: Arc<NodeCounters>,
}

/// Threads grow the stack by one frame for each ply; a debug build's frames are large.
const STACK_BYTES: usize = 32 << 20;

impl Pool {
    /// Starts `count` threads (at least one). Fewer are started when the system refuses more.
    pub(super) fn new(asked: usize, table: &Arc<Table>) -> Pool {
        let count = asked.max(1);
        let counters = Arc::new(NodeCounters::new(count));
        let mut threads = Vec::with_capacity(count);
        for id in 0..count {
            let (orders, inbox) = channel();
            let (table, counters) = (Arc::clone(table), Arc::clone(&counters));
            let spawned = Builder::new()
                .name(format!("search-{id}"))
                .stack_size(STACK_BYTES)
                .spawn(move || serve(id, table, counters, &inbox));
            match spawned {
                Ok(handle) => threads.push(Thread { orders, handle: Some(handle) }),
                Err(error) => {
                    log::warn!("only {id} of {count} search threads could be started: {error}");
                    break;
                }
            }
        }
        Pool { asked, threads, counters }
    }

    /// Threads that are running.
    pub(super) fn running(&self) -> usize {
        self.threads.len()
    }

    /// Threads that were asked for.
    pub(super) fn asked(&self) -> usize {
        self.asked
    }

    /// Nodes of the present or last search.
    pub(super) fn counters(&self) -> &Arc<NodeCounters> {
        &self.counters
    }

    /// Makes all workers use another table.
    pub(super) fn use_table(&self, table: &Arc<Table>) {
        for thread in &self.threads {
            // A thread that is gone is noticed by the next search.
            let _ = thread.orders.send(Order::UseTable(Arc::clone(table)));
        }
    }

    /// Makes all workers ask another network, or none.
    pub(super) fn use_network(&self, network: Option<&Arc<Network>>) {
        for thread in &self.threads {
            let _ = thread.orders.send(Order::UseNetwork(network.cloned()));
        }
    }

    /// Makes all workers forget what they learned, and waits for it.
    pub(super) fn forget(&self) {
        let (done, all_done) = channel();
        for thread in &self.threads {
            let _ = thread.orders.send(Order::Forget { done: done.clone() });
        }
        drop(done);
        while all_done.recv().is_ok() {}
    }

    /// Runs one search on all threads and waits for it. The main worker speaks to `sink`; once it
    /// is done the others are stopped through `helpers`, a control of their own, so that the signals
    /// of the client's `control` stay what the client said.
    ///
    /// The outcomes come main worker first; one is missing for each thread that died.
    pub(super) fn search(&self, job: Job, control: &Arc<Control>, sink: BoxedSink) -> Vec<Outcome> {
        self.counters.reset();
        let helpers = Arc::new(Control::new(false));
        let job = Arc::new(job);
        let (reply, replies) = channel();
        let mut sink = Some(sink);
        for (id, thread) in self.threads.iter().enumerate() {
            let order = Order::Search {
                job: Arc::clone(&job),
                control: Arc::clone(if id == 0 { control } else { &helpers }),
                stops: (id == 0).then(|| StopOnDrop(Arc::clone(&helpers))),
                sink: sink.take().unwrap_or_else(|| Box::new(Silent)),
                reply: reply.clone(),
            };
            let _ = thread.orders.send(order);
        }
        drop(reply);
        let mut outcomes: Vec<(usize, Outcome)> = replies.into_iter().collect();
        outcomes.sort_by_key(|&(id, _)| id);
        outcomes.into_iter().map(|(_, outcome)| outcome).collect()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in &mut self.threads {
            // Closing the channel ends the thread's loop.
            let (closed, _) = channel();
            thread.orders = closed;
        }
        for thread in &mut self.threads {
            if let Some(handle) = thread.handle.take() {
                let _ = handle.join();
            }
        }
    }
}

/// A thread's life.
fn serve(id: usize, table: Arc<Table>, counters: Arc<NodeCounters>, inbox: &Receiver<Order>) {
    let mut worker = Worker::new(id, table, counters);
    while let Ok(order) = inbox.recv() {
        match order {
            Order::Search { job, control, stops, mut sink, reply } => {
                let outcome = worker.search(&job, &control, sink.as_mut());
                drop(stops);
                // The sink goes first: nothing may be reported once the outcome is known.
                drop(sink);
                let _ = reply.send((id, outcome));
            }
            Order::UseTable(table) => worker.set_table(table),
            Order::UseNetwork(network) => worker.set_network(network),
            Order::Forget { done } => {
                worker.clear();
                drop(done);
            }
        }
    }
}
