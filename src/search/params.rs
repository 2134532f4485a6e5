//! Every constant of the search that a tuner may turn, in one place.
//!
//! Units: centipawns of the evaluation, plies, or 1/1024 ply where a name ends in `_1024`.

/// First half-width of the aspiration window.
pub(super) const ASPIRATION_DELTA: i32 = 18;
/// Iterations before aspiration windows are used.
pub(super) const ASPIRATION_DEPTH: i32 = 4;

/// Reverse futility: highest depth, and margin a ply.
pub(super) const RFP_DEPTH: i32 = 8;
/// Margin of reverse futility a ply of depth.
pub(super) const RFP_MARGIN: i32 = 75;

/// Razoring: highest depth.
pub(super) const RAZOR_DEPTH: i32 = 3;
/// Margin of razoring a ply of depth.
pub(super) const RAZOR_MARGIN: i32 = 220;

/// Null move: lowest depth.
pub(super) const NULL_DEPTH: i32 = 3;
/// Null move: fixed part of the reduction.
pub(super) const NULL_BASE: i32 = 3;
/// Null move: one more ply of reduction for so many plies of depth.
pub(super) const NULL_DEPTH_DIVISOR: i32 = 4;
/// Null move: one more ply of reduction for so many centipawns above beta.
pub(super) const NULL_EVAL_DIVISOR: i32 = 200;
/// Null move: from this depth on a fail-high is verified by a search without null moves.
pub(super) const NULL_VERIFY_DEPTH: i32 = 12;

/// Late move pruning: highest depth.
pub(super) const LMP_DEPTH: i32 = 8;
/// Late move pruning: moves tried at depth 0, before the square of the depth is added.
pub(super) const LMP_BASE: i32 = 4;

/// Futility pruning of quiet moves: highest reduced depth.
pub(super) const FUTILITY_DEPTH: i32 = 7;
/// Fixed part of the futility margin.
pub(super) const FUTILITY_BASE: i32 = 110;
/// Futility margin a ply of depth.
pub(super) const FUTILITY_MARGIN: i32 = 85;

/// Exchange pruning: highest depth.
pub(super) const SEE_DEPTH: i32 = 8;
/// Loss allowed to a quiet move, a ply squared.
pub(super) const SEE_QUIET_MARGIN: i32 = 22;
/// Loss allowed to a capture, a ply.
pub(super) const SEE_CAPTURE_MARGIN: i32 = 95;

/// Quiet moves with a history below this a ply are pruned at low depth.
pub(super) const HISTORY_PRUNING: i32 = 3000;
/// Highest depth at which they are.
pub(super) const HISTORY_PRUNING_DEPTH: i32 = 4;

/// Late move reductions: fixed part.
pub(super) const LMR_BASE_1024: i32 = 700;
/// Late move reductions: factor of ln(depth) * ln(move number).
pub(super) const LMR_FACTOR_1024: i32 = 480;
/// More reduction where a cut-off is expected.
pub(super) const LMR_CUT_NODE_1024: i32 = 1300;
/// More reduction when the position does not improve.
pub(super) const LMR_NOT_IMPROVING_1024: i32 = 700;
/// Less reduction on the principal variation.
pub(super) const LMR_PV_1024: i32 = 1000;
/// Less reduction for checks and killers.
pub(super) const LMR_TACTICAL_1024: i32 = 1000;
/// History that is worth a ply of reduction.
pub(super) const LMR_HISTORY: i32 = 9000;

/// Quiescence: captures that cannot lift the evaluation to within this of alpha are skipped.
pub(super) const DELTA_MARGIN: i32 = 150;

/// History bonus a ply of depth.
pub(super) const BONUS_DEPTH: i32 = 170;
/// History bonus, fixed part.
pub(super) const BONUS_BASE: i32 = 90;
/// Largest history bonus.
pub(super) const BONUS_MAX: i32 = 1700;

/// Internal iterative reduction: lowest depth.
pub(super) const IIR_DEPTH: i32 = 4;
