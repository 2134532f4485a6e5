//! Counting, on one thread or many.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrayvec::ArrayVec;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::replies::count_replies;
use super::table::Table;
use crate::position::{MoveKinds, Position};
use crate::types::Move;

/// The deepest count; deeper requests are cut to it. No count of this depth could end, the bound
/// keeps the recursion within the stack.
pub const MAX_DEPTH: u32 = 64;

/// The most threads a count may use.
pub const MAX_THREADS: u16 = 1024;

/// Subtrees of this many plies are counted without looking at the stop flag; they take about a
/// millisecond.
const UNINTERRUPTED: u32 = 3;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Number of leaves `depth` plies below a position: sequences of legal moves, 1 for depth 0.
///
/// ```
/// use chuhe::{position::Position, tools::perft};
/// assert_eq!(perft::count(&Position::startpos(), 3), 79_666);
/// ```
pub fn count(pos: &Position, depth: u32) -> u64 {
    plain(pos, depth.min(MAX_DEPTH))
}

/// The leaves below each legal move, sorted by the move's text; `depth` counts the move itself.
/// Empty for depth 0 and when there is no legal move. If the threads cannot be had, counts on the
/// calling one.
pub fn divide(pos: &Position, depth: u32, threads: u16) -> Vec<(Move, u64)> {
    divide_until(pos, depth, threads, &NEVER).unwrap_or_default()
}

/// [`divide`] that gives up soon after `stop` becomes true; `None` then.
pub fn divide_until(
    pos: &Position,
    depth: u32,
    threads: u16,
    stop: &AtomicBool,
) -> Option<Vec<(Move, u64)>> {
    let perft = Perft::new(threads, 0).unwrap_or(Perft { pool: None, table: None });
    let result = perft.divide_with(pos, depth, stop);
    (!stop.load(Ordering::Relaxed)).then_some(result)
}

/// Why a [`Perft`] could not be set up.
#[derive(Debug)]
pub enum SetupError {
    /// The system would not start the threads.
    Threads(u16),
    /// The system would not give the memory, in MiB.
    Memory(u32),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Threads(n) => write!(f, "cannot start {n} threads"),
            SetupError::Memory(mib) => write!(f, "cannot allocate a table of {mib} MiB"),
        }
    }
}

impl std::error::Error for SetupError {}

/// A counter with its threads and its table, which stays filled from one count to the next.
#[derive(Debug)]
pub struct Perft {
    /// `None` for one thread: the caller's.
    pool: Option<ThreadPool>,
    table: Option<Table>,
}

impl Perft {
    /// A counter with `threads` threads (0 counts as 1, at most [`MAX_THREADS`]) and a table of
    /// `hash_mib` MiB (0 for none).
    ///
    /// # Errors
    /// When the system refuses threads or memory.
    pub fn new(threads: u16, hash_mib: u32) -> Result<Perft, SetupError> {
        let threads = threads.min(MAX_THREADS);
        let pool = match threads {
            0 | 1 => None,
            n => Some(
                ThreadPoolBuilder::new()
                    .num_threads(n.into())
                    .thread_name(|i| format!("perft-{i}"))
                    .build()
                    .map_err(|_| SetupError::Threads(n))?,
            ),
        };
        let table = match hash_mib {
            0 => None,
            mib => Some(Table::new(mib).ok_or(SetupError::Memory(mib))?),
        };
        Ok(Perft { pool, table })
    }

    /// As the function [`count`].
    pub fn count(&self, pos: &Position, depth: u32) -> u64 {
        if self.pool.is_none() || depth <= 2 {
            return self.walk(pos, depth.min(MAX_DEPTH), &NEVER);
        }
        self.divide(pos, depth).iter().map(|&(_, nodes)| nodes).sum()
    }

    /// As the function [`divide`].
    pub fn divide(&self, pos: &Position, depth: u32) -> Vec<(Move, u64)> {
        self.divide_with(pos, depth, &NEVER)
    }

    /// Runs `work` inside the thread pool, where nested parallel loops share its threads.
    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Whether there is more than one thread.
    pub(super) fn is_parallel(&self) -> bool {
        self.pool.is_some()
    }

    fn divide_with(&self, pos: &Position, depth: u32, stop: &AtomicBool) -> Vec<(Move, u64)> {
        let depth = depth.min(MAX_DEPTH);
        if depth == 0 {
            return Vec::new();
        }
        let mut result = if self.pool.is_none() || depth <= 2 {
            let below = |mv| (mv, self.walk(&pos.make(mv), depth - 1, stop));
            pos.legal_moves().into_iter().map(below).collect()
        } else {
            self.install(|| self.split(pos, depth, stop))
        };
        result.sort_by_cached_key(|(mv, _)| mv.to_string());
        result
    }

    /// Counts each position two plies down as a job of its own: some thousand jobs in a middle
    /// game, and still enough to keep all threads busy where there are few root moves.
    fn split(&self, pos: &Position, depth: u32, stop: &AtomicBool) -> Vec<(Move, u64)> {
        let moves = pos.legal_moves();
        let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let jobs: Vec<(&AtomicU64, Position)> = moves
            .iter()
            .zip(&totals)
            .flat_map(|(&mv, total)| {
                let child = pos.make(mv);
                child.legal_moves().into_iter().map(move |reply| (total, child.make(reply)))
            })
            .collect();
        jobs.par_iter().with_max_len(1).for_each(|(total, pos)| {
            total.fetch_add(self.walk(pos, depth - 2, stop), Ordering::Relaxed);
        });
        moves.into_iter().zip(totals.into_iter().map(AtomicU64::into_inner)).collect()
    }

    /// Counts with the table and the stop flag; meaningless once the flag is set.
    fn walk(&self, pos: &Position, depth: u32, stop: &AtomicBool) -> u64 {
        let Some(table) = self.table.as_ref().filter(|_| depth > 2) else {
            if depth <= UNINTERRUPTED {
                return plain(pos, depth);
            }
            let mut nodes = 0;
            pos.generate(&pos.check_info(), MoveKinds::all(), |mv| {
                if !stop.load(Ordering::Relaxed) {
                    nodes += self.walk(&pos.make(mv), depth - 1, stop);
                }
            });
            return nodes;
        };
        // Children are looked up before they are made: most of the deep ones have been counted. A
        // position and its mirror image have the same counts and share an entry.
        let mirrored = pos.mirror();
        let mut children: ArrayVec<(Move, u64), 128> = ArrayVec::new();
        pos.generate(&pos.check_info(), MoveKinds::all(), |mv| {
            let key = pos.key_after(mv).min(mirrored.key_after(mv.mirror()));
            table.prefetch(key, depth - 1);
            children.push((mv, key));
        });
        let mut nodes = 0;
        for (mv, key) in children {
            nodes += match table.probe(key, depth - 1) {
                Some(known) => known,
                None if stop.load(Ordering::Relaxed) => return 0,
                None => {
                    let below = self.walk(&pos.make(mv), depth - 1, stop);
                    if !stop.load(Ordering::Relaxed) {
                        table.store(key, depth - 1, below);
                    }
                    below
                }
            };
        }
        nodes
    }
}

/// The bare count. The last two plies are counted from target sets, mostly without making moves.
fn plain(pos: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.count_legal().into(),
        2 => count_replies(pos),
        _ => {
            let mut nodes = 0;
            pos.generate(&pos.check_info(), MoveKinds::all(), |mv| {
                nodes += plain(&pos.make(mv), depth - 1);
            });
            nodes
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_depths() {
        let start = Position::startpos();
        assert_eq!([0, 1, 2].map(|depth| count(&start, depth)), [1, 44, 1920]);
        assert!(divide(&start, 0, 1).is_empty());
        assert_eq!(divide(&start, 1, 1).len(), 44);
        assert!(divide(&start, 1, 1).iter().all(|&(_, nodes)| nodes == 1));
        let mated = Position::from_fen("1R2k4/R8/9/9/9/9/9/9/9/3K5 b").unwrap();
        assert_eq!((count(&mated, 0), count(&mated, 1), count(&mated, 9)), (1, 0, 0));
        assert!(divide(&mated, 3, 2).is_empty());
    }

    #[test]
    fn threads_and_table_change_nothing() {
        let start = Position::startpos();
        let expected = divide(&start, 4, 1);
        assert_eq!(expected.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 3_290_240);
        assert!(expected.is_sorted_by_key(|(mv, _)| mv.to_string()));
        for (threads, hash) in [(0, 0), (3, 0), (1, 1), (3, 1)] {
            let perft = Perft::new(threads, hash).unwrap();
            for _ in 0..2 {
                assert_eq!(perft.divide(&start, 4), expected, "{threads} threads, {hash} MiB");
                assert_eq!(perft.count(&start, 4), 3_290_240);
            }
            assert_eq!(perft.count(&start, 1), 44);
            assert_eq!(perft.count(&start, 0), 1);
        }
    }

    #[test]
    fn stop_ends_a_hopeless_count() {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let counting = scope.spawn(|| divide_until(&Position::startpos(), 60, 2, &stop));
            std::thread::sleep(std::time::Duration::from_millis(30));
            stop.store(true, Ordering::Relaxed);
            assert!(counting.join().unwrap().is_none());
        });
        stop.store(false, Ordering::Relaxed);
        let finished = divide_until(&Position::startpos(), 2, 1, &stop);
        assert_eq!(finished.map(|moves| moves.len()), Some(44));
    }
}
