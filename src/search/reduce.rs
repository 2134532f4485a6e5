//! Late move reductions: how much less deep a move is searched that comes late in the order.

use super::params::*;

/// The part that depends on depth and move number alone, tabulated, in 1/1024 ply.
#[derive(Debug)]
pub(super) struct Reductions(Box<[i32; 128]>);

/// What else a reduction depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    pub depth: i32,
    /// Number of the move at its node, from 1.
    pub number: usize,
    pub pv: bool,
    pub cut_node: bool,
    pub improving: bool,
    /// The move checks or is a killer.
    pub tactical: bool,
    /// Only a mate raises alpha, and the move is quiet and no check.
    pub slow: bool,
    /// From the quiet histories; 0 for captures.
    pub history: i32,
}

impl Reductions {
    pub(super) fn new() -> Reductions {
        let mut logs = Box::new([0; 128]);
        for (i, log) in logs.iter_mut().enumerate().skip(1) {
            *log = ((i as f64).ln() * 1024.0) as i32;
        }
        Reductions(logs)
    }

    /// Plies to search less, possibly negative.
    #[inline]
    pub(super) fn plies(&self, c: Circumstances) -> i32 {
        let log = |n: usize| self.0[n.min(127)];
        let product = log(c.depth as usize) as i64 * log(c.number) as i64 / 1024;
        let mut r = lmr_base_1024() + (product * lmr_factor_1024() as i64 / 1024) as i32;
        r += lmr_cut_node_1024() * c.cut_node as i32;
        r += lmr_not_improving_1024() * !c.improving as i32;
        r -= lmr_pv_1024() * c.pv as i32;
        r -= lmr_tactical_1024() * c.tactical as i32;
        r += lmr_mate_1024() * c.slow as i32;
        r -= c.history * 1024 / lmr_history();
        r / 1024
    }
}
