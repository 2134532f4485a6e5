//! Every constant of the search that a tuner may turn, declared once.
//!
//! Units: centipawns of the evaluation, plies, or 1/1024 ply where a name ends in `_1024`. In an
//! ordinary build each is a constant to the compiler; with the feature `tune` its present value is
//! read, and every one is an option of the engine.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A constant of the search.
#[derive(Debug)]
pub struct Tunable {
    /// Its name, also as an option.
    pub name: &'static str,
    /// What an ordinary build uses.
    pub default: i32,
    /// What a tuner may try.
    pub range: RangeInclusive<i32>,
    value: AtomicI32,
}

impl Tunable {
    const fn new(name: &'static str, default: i32, range: RangeInclusive<i32>) -> Tunable {
        Tunable { name, default, range, value: AtomicI32::new(default) }
    }

    /// Changes the value, cut to the range; without effect unless built with the feature `tune`.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(*self.range.start(), *self.range.end()), Relaxed);
    }

    #[inline(always)]
    fn get(&self) -> i32 {
        if cfg!(feature = "tune") { self.value.load(Relaxed) } else { self.default }
    }
}

/// Declares the constants: a function that returns the value of each, and the list of all.
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $range:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                all::$name.get()
            }
        )*

        #[allow(non_upper_case_globals)]
        mod all {
            use super::Tunable;
            $(pub(super) static $name: Tunable = Tunable::new(stringify!($name), $default, $range);)*
        }

        /// All constants, in the order of their declaration.
        pub static TUNABLES: &[&Tunable] = &[$(&all::$name),*];
    };
}

tunables! {
    /// First half-width of the aspiration window.
    aspiration_delta = 18, 6..=60;
    /// Iterations before aspiration windows are used.
    aspiration_depth = 4, 2..=8;
    /// Reverse futility: highest depth, and margin a ply.
    rfp_depth = 8, 4..=14;
    /// Margin of reverse futility a ply of depth.
    rfp_margin = 75, 25..=200;
    /// Razoring: highest depth.
    razor_depth = 3, 1..=6;
    /// Margin of razoring a ply of depth.
    razor_margin = 220, 80..=600;
    /// Null move: lowest depth.
    null_depth = 3, 1..=6;
    /// Null move: fixed part of the reduction.
    null_base = 3, 1..=6;
    /// Null move: one more ply of reduction for so many plies of depth.
    null_depth_divisor = 4, 2..=8;
    /// Null move: one more ply of reduction for so many centipawns above beta.
    null_eval_divisor = 200, 60..=600;
    /// Null move: from this depth on a fail-high is verified by a search without null moves.
    null_verify_depth = 12, 8..=30;
    /// Late move pruning: highest depth.
    lmp_depth = 8, 3..=14;
    /// Late move pruning: moves tried at depth 0, before the square of the depth is added.
    lmp_base = 4, 1..=12;
    /// Futility pruning of quiet moves: highest reduced depth.
    futility_depth = 7, 3..=14;
    /// Fixed part of the futility margin.
    futility_base = 110, 20..=300;
    /// Futility margin a ply of depth.
    futility_margin = 85, 25..=250;
    /// Exchange pruning: highest depth.
    see_depth = 8, 3..=14;
    /// Loss allowed to a quiet move, a ply squared.
    see_quiet_margin = 22, 5..=80;
    /// Loss allowed to a capture, a ply.
    see_capture_margin = 95, 25..=300;
    /// Quiet moves with a history below this a ply are pruned at low depth.
    history_pruning = 3000, 500..=8000;
    /// Highest depth at which they are.
    history_pruning_depth = 4, 1..=8;
    /// Late move reductions: fixed part.
    lmr_base_1024 = 700, 0..=2000;
    /// Late move reductions: factor of ln(depth) * ln(move number).
    lmr_factor_1024 = 480, 150..=1000;
    /// More reduction where a cut-off is expected.
    lmr_cut_node_1024 = 1300, 0..=3000;
    /// More reduction when the position does not improve.
    lmr_not_improving_1024 = 700, 0..=2000;
    /// Less reduction on the principal variation.
    lmr_pv_1024 = 1000, 0..=3000;
    /// Less reduction for checks and killers.
    lmr_tactical_1024 = 1000, 0..=3000;
    /// More reduction of a quiet move where a mate has been found already.
    lmr_mate_1024 = 1024, 0..=3000;
    /// History that is worth a ply of reduction.
    lmr_history = 9000, 3000..=30000;
    /// Quiescence: captures that cannot lift the evaluation to within this of alpha are skipped.
    delta_margin = 150, 30..=500;
    /// History bonus a ply of depth.
    bonus_depth = 170, 40..=500;
    /// History bonus, fixed part.
    bonus_base = 90, 0..=400;
    /// Largest history bonus.
    bonus_max = 1700, 500..=4000;
    /// Singular extensions: lowest depth.
    singular_depth = 6, 4..=12;
    /// How far below the table's value all other moves must stay, in 1/16 centipawn a ply.
    singular_margin = 24, 4..=100;
    /// They stay so far below that, and the move is searched two plies deeper.
    singular_double_margin = 20, 0..=100;

    /// Internal iterative reduction: lowest depth.
    iir_depth = 4, 2..=9;

    /// Time for a best move that has just changed, in per cent of the plan.
    pace_unstable = 150, 100..=250;
    /// Less time for one that has long been the same, in per cent of the plan.
    pace_stability_gain = 70, 0..=150;
    /// Time where no effort goes to the best move, in per cent of the plan.
    pace_rivalry = 180, 100..=300;
    /// Less time where all of it does, in per cent of the plan.
    pace_effort_gain = 120, 0..=200;
    /// More time for a falling value, in 1/10,000 of the plan a centipawn.
    pace_fall = 90, 0..=300;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_inside_their_ranges() {
        for tunable in TUNABLES {
            assert!(tunable.range.contains(&tunable.default), "{}", tunable.name);
        }
    }
}
