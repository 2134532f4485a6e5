//! A shared table of counted positions.
//!
//! Each entry is two words, the count and `key ^ count` (the XOR check of R. Hyatt and T. Mann, "A
//! lock-less transposition table implementation", 2002): a torn pair fails the check, so relaxed
//! atomics are enough and a count is only ever used for the full 64-bit key it was stored under.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::types::zobrist;

/// Four entries: one cache line.
const WAYS: usize = 4;

#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

const BUCKETS_PER_MIB: usize = (1 << 20) / size_of::<Bucket>();

/// The table. Depth is part of the key, so one position may be held at several depths.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// A table of `mib` MiB, at least one; `None` when the memory cannot be had.
    pub(super) fn new(mib: u32) -> Option<Table> {
        let len = (mib.max(1) as usize).checked_mul(BUCKETS_PER_MIB)?;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(len).ok()?;
        buckets.resize_with(len, Bucket::default);
        Some(Table { buckets })
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]; WAYS] {
        // The high half of key * len spreads any number of buckets evenly.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize].0
    }

    /// Touches a key's bucket, so that the probe that follows need not wait for memory. A plain load
    /// whose result nobody uses would be dropped; this one decides nothing but is kept.
    pub(super) fn prefetch(&self, key: u64, depth: u32) {
        std::hint::black_box(self.bucket(mix(key, depth))[0][0].load(Ordering::Relaxed));
    }

    /// The count stored for a position key and a depth.
    pub(super) fn probe(&self, key: u64, depth: u32) -> Option<u64> {
        let key = mix(key, depth);
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ data == key).then_some(data)
        })
    }

    /// Stores a count in place of the smallest one of its bucket, which is the cheapest to redo.
    pub(super) fn store(&self, key: u64, depth: u32, nodes: u64) {
        let key = mix(key, depth);
        let load = |entry: &&[AtomicU64; 2]| entry[1].load(Ordering::Relaxed);
        if let Some([check, data]) = self.bucket(key).iter().min_by_key(load) {
            check.store(key ^ nodes, Ordering::Relaxed);
            data.store(nodes, Ordering::Relaxed);
        }
    }
}

fn mix(key: u64, depth: u32) -> u64 {
    key ^ zobrist::counter(u64::from(depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_it_was_given_and_nothing_else() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.buckets.len() * size_of::<Bucket>(), 1 << 20);
        assert_eq!(table.probe(7, 3), None);
        table.store(7, 3, 1000);
        table.store(7, 4, 40_000);
        assert_eq!(table.probe(7, 3), Some(1000));
        assert_eq!(table.probe(7, 4), Some(40_000));
        assert_eq!(table.probe(7, 5), None);
        assert_eq!(table.probe(8, 3), None);
    }

    #[test]
    fn a_full_bucket_gives_up_its_smallest_count() {
        let table = Table::new(1).unwrap();
        for key in 0..6 {
            table.store(key, 2, 100 + key);
        }
        // Keys that differ in low bits share a bucket; 100 went first, then 101.
        let kept: Vec<_> = (0..6).map(|key| table.probe(key, 2)).collect();
        assert_eq!(kept, [None, None, Some(102), Some(103), Some(104), Some(105)]);
    }

    #[test]
    fn a_torn_entry_is_not_believed() {
        let table = Table::new(1).unwrap();
        table.store(7, 3, 1000);
        let [_, data] = table
            .bucket(mix(7, 3))
            .iter()
            .find(|[_, d]| d.load(Ordering::Relaxed) == 1000)
            .unwrap();
        data.store(999, Ordering::Relaxed);
        assert_eq!(table.probe(7, 3), None);
    }
}
