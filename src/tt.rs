//! Layer 1: the hash table all workers share.
//!
//! A cluster is four relaxed `AtomicU64`: three entries of one word each and one word with their
//! tags. Words may be torn apart by concurrent writers, so a tag is mixed with a fold of its entry:
//! a mismatched pair looks like a miss. That makes racy access sound at no cost (the idea of hashing
//! data into the key is Robert Hyatt's and Tim Mann's lockless hashing).

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::types::Move;

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Nothing: only the move and the evaluation are of use.
    None,
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// The true value.
    Exact,
}

/// One position's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best or refuting move, not necessarily legal: another position may share the tag.
    pub mv: Option<Move>,
    /// Value in table form (`Score::to_table`).
    pub score: i16,
    /// Static evaluation, or `Score::NONE` in 16 bits.
    pub eval: i16,
    /// Depth searched, -1 at least for quiescence.
    pub depth: i8,
    /// What `score` says.
    pub bound: Bound,
    /// Whether the node was on a principal variation.
    pub pv: bool,
}

const GENERATIONS: u8 = 32;
const ENTRIES: usize = 3;
/// How many plies of depth one search of age is worth when a victim is chosen.
const AGE_WEIGHT: i32 = 4;

impl Entry {
    /// Move 16, score 16, eval 16, depth 8, meta 8 (bound 2, pv 1, generation 5).
    fn pack(self, generation: u8) -> u64 {
        let meta = self.bound as u8 | (self.pv as u8) << 2 | generation << 3;
        self.mv.map_or(0, Move::bits) as u64
            | (self.score as u16 as u64) << 16
            | (self.eval as u16 as u64) << 32
            | (self.depth as u8 as u64) << 48
            | (meta as u64) << 56
    }

    fn unpack(word: u64) -> Entry {
        let meta = (word >> 56) as u8;
        Entry {
            mv: Move::from_bits(word as u16),
            score: (word >> 16) as i16,
            eval: (word >> 32) as i16,
            depth: (word >> 48) as i8,
            bound: match meta & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: meta & 4 != 0,
        }
    }
}

#[derive(Debug)]
#[repr(align(32))]
struct Cluster {
    entries: [AtomicU64; ENTRIES],
    tags: AtomicU64,
}

const _: () = assert!(size_of::<Cluster>() == 32);

/// The low half of the key chooses nothing, so its low bits tell positions of a cluster apart.
fn tag(key: u64, word: u64) -> u16 {
    let fold = word ^ word >> 32;
    (key ^ fold ^ fold >> 16) as u16
}

/// There was not enough memory for a table of this many megabytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// Megabytes asked for.
    pub megabytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not enough memory for a hash table of {} MB", self.megabytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// The table.
pub struct Table {
    clusters: Clusters,
    generation: AtomicU8,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} MB)", self.megabytes())
    }
}

impl Table {
    /// An empty table of about `megabytes` (at least one) mebibytes.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<Table, OutOfMemory> {
        let count = megabytes.max(1).checked_mul((1 << 20) / size_of::<Cluster>());
        let clusters = count.and_then(Clusters::new).ok_or(OutOfMemory { megabytes })?;
        Ok(Table { clusters, generation: AtomicU8::new(0) })
    }

    /// Size in mebibytes.
    pub fn megabytes(&self) -> usize {
        size_of_val(&*self.clusters) >> 20
    }

    /// Begins a new search: older entries become cheaper to replace.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// Forgets everything, with as many threads as there are processors.
    pub fn clear(&self) {
        use rayon::prelude::*;
        self.clusters.par_chunks(1 << 16).for_each(|chunk| {
            for cluster in chunk {
                cluster.entries.iter().for_each(|entry| entry.store(0, Relaxed));
                cluster.tags.store(0, Relaxed);
            }
        });
        self.generation.store(0, Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // the high half of key * count: any count works, and the low bits stay free for the tag
        let index = (key as u128 * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Asks the processor to fetch a key's cluster.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch is a hint and never faults; the address is that of a live cluster.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The record of a position, if there is one.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        let tags = cluster.tags.load(Relaxed);
        for (i, entry) in cluster.entries.iter().enumerate() {
            let word = entry.load(Relaxed);
            if tag(key, word) == (tags >> (16 * i)) as u16 && word != 0 {
                return Some(Entry::unpack(word));
            }
        }
        None
    }

    /// Records a position. Keeps a deeper record of the same position from the same search unless
    /// the new one is exact; otherwise the shallowest and oldest of the cluster gives way.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let cluster = self.cluster(key);
        let generation = self.generation.load(Relaxed);
        let tags = cluster.tags.load(Relaxed);
        let (mut slot, mut least) = (0, i32::MAX);
        for (i, stored) in cluster.entries.iter().enumerate() {
            let word = stored.load(Relaxed);
            if word == 0 {
                if least > i32::MIN {
                    (slot, least) = (i, i32::MIN);
                }
                continue;
            }
            let old = Entry::unpack(word);
            let age = (generation + GENERATIONS - (word >> 59) as u8) % GENERATIONS;
            if tag(key, word) == (tags >> (16 * i)) as u16 {
                entry.mv = entry.mv.or(old.mv);
                let deeper = old.depth as i32 > entry.depth as i32 + 3 + 2 * entry.pv as i32;
                if age == 0 && deeper && entry.bound != Bound::Exact {
                    return;
                }
                slot = i;
                break;
            }
            let worth = old.depth as i32 - AGE_WEIGHT * age as i32;
            if worth < least {
                (slot, least) = (i, worth);
            }
        }
        let word = entry.pack(generation);
        let shift = 16 * slot;
        let tags = tags & !(0xffff << shift) | (tag(key, word) as u64) << shift;
        cluster.entries[slot].store(word, Relaxed);
        cluster.tags.store(tags, Relaxed);
    }

    /// Share of entries written by the present search, in per mille of a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.entries)
            .map(|entry| entry.load(Relaxed))
            .filter(|&word| word != 0 && (word >> 59) as u8 == generation)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

/// Zeroed clusters straight from the system, which hands out untouched pages: a large table costs
/// nothing until it is used.
///
/// A request for the alignment of a cluster would make the allocator clear the memory by hand, so
/// plainly aligned memory with room to spare is asked for and the clusters begin inside it.
struct Clusters {
    memory: NonNull<u8>,
    layout: Layout,
    first: NonNull<Cluster>,
    count: usize,
}

impl Clusters {
    /// `None` when there is not enough memory. `count` is above zero.
    fn new(count: usize) -> Option<Clusters> {
        let spare = align_of::<Cluster>();
        let bytes = count.checked_mul(size_of::<Cluster>())?.checked_add(spare)?;
        let layout = Layout::from_size_align(bytes, align_of::<u64>()).ok()?;
        // SAFETY: the layout has a size above zero.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let gap = memory.align_offset(spare);
        debug_assert!(gap < spare);
        // SAFETY: `gap` is less than the spare room, so the pointer stays inside the block.
        let first = unsafe { memory.add(gap) }.cast();
        Some(Clusters { memory, layout, first, count })
    }
}

impl Deref for Clusters {
    type Target = [Cluster];

    #[inline]
    fn deref(&self) -> &[Cluster] {
        // SAFETY: `first` is aligned and begins `count` clusters of memory that lives as long as
        // `self`; zero bytes are valid atomics, and atomics are never borrowed mutably.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl Drop for Clusters {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout and given to nobody else.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

// SAFETY: the block is owned and reached only through shared references to atomics.
unsafe impl Send for Clusters {}
// SAFETY: as above.
unsafe impl Sync for Clusters {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn entry(depth: i8) -> Entry {
        Entry {
            mv: Some(Move::new(Square::H2, Square::E2)),
            score: -123,
            eval: 77,
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn entries_round_trip() {
        for depth in [-1, 0, 1, 127] {
            for bound in [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact] {
                for pv in [false, true] {
                    let e = Entry { bound, pv, ..entry(depth) };
                    assert_eq!(Entry::unpack(e.pack(31)), e);
                }
            }
        }
    }

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(42), None);
        table.store(42, entry(5));
        assert_eq!(table.probe(42), Some(entry(5)));
        assert_eq!(table.probe(43), None);
        table.store(42, Entry { mv: None, ..entry(6) });
        assert_eq!(table.probe(42), Some(entry(6)), "the move survives a store without one");
        table.store(42, entry(0));
        assert_eq!(table.probe(42).map(|e| e.depth), Some(6), "deeper entries are kept");
        table.age();
        table.store(42, entry(1));
        assert_eq!(table.probe(42).map(|e| e.depth), Some(1));
        table.clear();
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn shallow_and_old_entries_give_way() {
        let table = Table::new(1).unwrap();
        // keys that differ only in low bits share a cluster
        for (key, depth) in [(1, 9), (2, 3), (3, 7)] {
            table.store(key, entry(depth));
        }
        table.store(4, entry(1));
        assert_eq!(table.probe(2), None);
        assert!(table.probe(1).is_some() && table.probe(3).is_some() && table.probe(4).is_some());
    }

    /// Records of one key are told apart by their depth alone, so that a torn one would show.
    #[test]
    fn racing_writers_leave_whole_records_or_none() {
        let table = Table::new(1).unwrap();
        let record = |depth: i8| Entry { score: -i16::from(depth), ..entry(depth) };
        let rounds = if cfg!(miri) { 40 } else { 100_000 };
        std::thread::scope(|scope| {
            for writer in 0..2u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..rounds {
                        // low keys share the first cluster
                        let key = (round + writer) % 5;
                        table.store(key, record((round % 100) as i8));
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found, record(found.depth));
                        }
                    }
                });
            }
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn fullness_counts_the_present_search() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.hashfull(), 0);
        for i in 0..300_000u64 {
            table.store(i.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1));
        }
        assert!(table.hashfull() > 900, "{}", table.hashfull());
        table.age();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "ends the interpreter instead of the allocation")]
    fn absurd_sizes_are_refused() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(1 << 40).is_err());
    }
}
