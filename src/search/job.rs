//! What a search has to do, and the signals that end it.

use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::{Duration, Instant};

use crate::clock::Budget;
use crate::rules::{Game, RuleSet};
use crate::types::MoveList;

/// One search.
#[derive(Clone, Debug)]
pub struct Job {
    /// The game up to and including the position to search.
    pub game: Game,
    /// The moves to choose from: legal, not banned, at least one.
    pub root_moves: MoveList,
    /// When to stop.
    pub limits: Limits,
    /// How many best lines to find; at least 1, more than the root has moves is fine.
    pub multipv: usize,
    /// How repetitions and long games are judged.
    pub rules: RuleSet,
}

/// When a search ends by itself; all that are given apply together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Iterations, at least 1.
    pub depth: Option<u32>,
    /// Nodes of all workers together.
    pub nodes: Option<u64>,
    /// No further iteration once this many nodes are searched.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves or fewer is found.
    pub mate: Option<u32>,
    /// Time on the own clock, which stands still while pondering.
    pub budget: Option<Budget>,
    /// Hold the answer: run until stopped even when nothing is left to find out. The *worker* does
    /// not hold; it returns when it is done, and whoever prints waits.
    pub infinite: bool,
}

/// The signals of one `go`: made before the search starts, so that a stop can never be lost, and
/// never used again.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    started: Instant,
    /// Microseconds after `started` at which the own clock began to run.
    clock_began: AtomicU64,
}

impl Control {
    /// Fresh signals; the clock runs from now unless `pondering`.
    pub fn new(pondering: bool) -> Control {
        Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            started: Instant::now(),
            clock_began: AtomicU64::new(0),
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// What [`Control::stop`] sets, for work that is not a search.
    #[inline]
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The predicted move was played: the own clock runs from now.
    pub fn ponderhit(&self) {
        self.clock_began.store(self.elapsed().as_micros() as u64, Relaxed);
        // Whoever sees the clock running must also see since when.
        self.pondering.store(false, Release);
    }

    /// Whether limits of time are still to be ignored.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Time since `go`.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on the own clock; `None` while pondering.
    pub fn on_clock(&self) -> Option<Duration> {
        if self.is_pondering() {
            return None;
        }
        let began = Duration::from_micros(self.clock_began.load(Relaxed));
        Some(self.elapsed().saturating_sub(began))
    }
}

/// One counter on a cache line of its own, so that workers do not slow each other down.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Padded(AtomicU64);

/// Nodes searched, one counter a worker. Counters are written by their worker alone.
#[derive(Debug)]
pub struct NodeCounters(Box<[Padded]>);

impl NodeCounters {
    /// Counters for `workers` workers.
    pub fn new(workers: usize) -> NodeCounters {
        NodeCounters((0..workers).map(|_| Padded::default()).collect())
    }

    /// Nodes of all workers.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(super) fn set(&self, worker: usize, nodes: u64) {
        self.0[worker].0.store(nodes, Relaxed);
    }

    /// Sets all counters to zero, before a search.
    pub fn reset(&self) {
        self.0.iter().for_each(|counter| counter.0.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Miri, which reorders what the memory model lets it, fails this with weaker orderings.
    #[test]
    fn whoever_sees_a_ponderhit_sees_when_it_was() {
        let control = Control::new(true);
        thread::sleep(Duration::from_millis(2));
        thread::scope(|scope| {
            let clock = scope.spawn(|| {
                while control.is_pondering() {
                    std::hint::spin_loop();
                }
                control.clock_began.load(Relaxed)
            });
            control.ponderhit();
            assert!(clock.join().is_ok_and(|began| began >= 2000));
        });
        assert!(control.on_clock().is_some_and(|time| time <= control.elapsed()));
    }

    #[test]
    fn a_stop_reaches_every_thread() {
        let control = Control::new(false);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !control.is_stopped() {
                        std::hint::spin_loop();
                    }
                });
            }
            control.stop();
        });
    }
}
