//! What a `go` line means: limits for the search, and when its answer may be given.

use super::go::Go;
use super::mode::Mode;
use crate::clock::{ClockData, budget};
use crate::engine::Options;
use crate::search::Limits;
use crate::types::Color;

/// In UCCI some clients send a bare `go` and never `stop`: they get this many milliseconds.
const BARE_UCCI: i64 = 5000;

/// A `go` made sense of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// For the search.
    pub(super) limits: Limits,
    /// The answer waits for `ponderhit` or `stop`.
    pub(super) ponder: bool,
    /// The answer waits for `stop`.
    pub(super) infinite: bool,
    /// The search comes to its end even when nobody is left to send commands.
    pub(super) runs_out: bool,
    /// No search at all: the static evaluation is wanted.
    pub(super) evaluate_only: bool,
}

/// Makes sense of `go` for `side` to move.
pub(super) fn plan(go: &Go, mode: Mode, options: &Options, side: Color) -> Plan {
    let clock = clock_data(go, options, side);
    let finite =
        go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.perft.is_some();
    let timed = (!go.infinite).then(|| budget(&clock)).flatten();
    let bare = !finite && !go.infinite && timed.is_none();
    let budget = match mode {
        Mode::Ucci if bare => {
            budget(&ClockData { move_time: Some(BARE_UCCI), overhead: 0, ..ClockData::default() })
        }
        _ => timed,
    };
    let infinite = go.infinite || (bare && budget.is_none());
    // A number is at least 1, however small or negative it was written.
    let positive = |n: i64| u64::try_from(n).unwrap_or(0).max(1);
    let small = |n: i64| u32::try_from(positive(n)).unwrap_or(u32::MAX);
    Plan {
        limits: Limits {
            depth: go.depth.map(small),
            nodes: go.nodes.map(positive),
            mate: go.mate.map(small),
            budget,
            infinite,
            soft_nodes: None,
        },
        ponder: go.ponder,
        infinite,
        runs_out: !infinite && !go.ponder && (finite || go.movetime.is_some()),
        evaluate_only: mode == Mode::Ucci && go.depth == Some(0),
    }
}

fn clock_data(go: &Go, options: &Options, side: Color) -> ClockData {
    let unit = if options.use_millisec { 1 } else { 1000 };
    let in_unit = |t: Option<i64>| t.map(|t| t.saturating_mul(unit));
    let (by_color, increment_by_color) = match side {
        Color::Red => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    };
    let moves_to_go = go.movestogo.filter(|&n| n > 0).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    // `time` alone is the time for this one move; `wtime` and `btime` alone are a whole game's.
    let one_move = go.time.is_some() && go.increment.is_none() && moves_to_go.is_none();
    ClockData {
        time: in_unit(go.time).or(by_color),
        increment: in_unit(go.increment).or(increment_by_color).unwrap_or(0),
        moves_to_go: if one_move { Some(1) } else { moves_to_go },
        move_time: go.movetime,
        overhead: i64::try_from(options.move_overhead).unwrap_or(i64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::{OptionId, Value};

    fn read(text: &str, mode: Mode) -> Plan {
        plan(&Go::parse(text), mode, &Options::default(), Color::Red)
    }

    /// The hard limit in milliseconds.
    fn hard(plan: &Plan) -> Option<u128> {
        plan.limits.budget.map(|budget| budget.hard.as_millis())
    }

    #[test]
    fn no_limits_mean_infinite_or_five_seconds() {
        for text in ["", "draw", "nodes None", "depth abc", "btime 5"] {
            assert!(read(text, Mode::Uci).infinite, "{text}");
            let ucci = read(text, Mode::Ucci);
            assert!(!ucci.infinite && hard(&ucci) == Some(5000), "{text}");
        }
        let infinite = read("infinite time 500 depth 5", Mode::Ucci);
        assert!(infinite.infinite && hard(&infinite).is_none());
        assert_eq!(infinite.limits.depth, Some(5));
        assert!(read("ponder", Mode::Uci).infinite);
        assert!(read("ponder", Mode::Ucci).ponder);
    }

    #[test]
    fn time_alone_is_for_one_move() {
        assert!(hard(&read("time 5000", Mode::Uci)).is_some_and(|ms| ms > 4800));
        assert!(hard(&read("time 5000 movestogo 1", Mode::Uci)).is_some_and(|ms| ms > 4800));
        for text in
            ["time 5000 increment 0", "wtime 5000", "wtime 5000 winc 0", "time 5000 movestogo 9"]
        {
            assert!(hard(&read(text, Mode::Ucci)).is_some_and(|ms| ms < 2500), "{text}");
        }
        assert_eq!(hard(&read("time 0 opptime 0 movetime 300", Mode::Ucci)), Some(290));
        for text in ["time -5", "time 0", "wtime -40 btime 1000", "movetime -1"] {
            assert_eq!(hard(&read(text, Mode::Ucci)), Some(0), "{text}");
        }
    }

    #[test]
    fn seconds_apply_to_the_ucci_clock_only() {
        let mut options = Options::default();
        options.set(OptionId::UseMillisec, Value::Flag(false));
        let read = |text| plan(&Go::parse(text), Mode::Ucci, &options, Color::Red);
        assert!(hard(&read("time 5")).is_some_and(|ms| ms > 4800));
        assert_eq!(hard(&read("movetime 300")), Some(290));
        assert!(hard(&read("wtime 5000")).is_some_and(|ms| ms < 2500));
    }

    #[test]
    fn each_side_has_its_clock() {
        let go = Go::parse("wtime 60000 btime 600 movestogo 1");
        let of = |side| hard(&plan(&go, Mode::Uci, &Options::default(), side));
        assert!(of(Color::Red) > of(Color::Black));
    }

    #[test]
    fn only_searches_with_an_end_of_their_own_outlive_the_client() {
        for (text, want) in [
            ("depth 5", true),
            ("nodes 1", true),
            ("mate 3", true),
            ("movetime 50", true),
            ("depth 5 wtime 1000", true),
            ("infinite depth 5", false),
            ("ponder depth 5", false),
            ("wtime 1000", false),
            ("", false),
        ] {
            assert_eq!(read(text, Mode::Uci).runs_out, want, "{text}");
        }
        assert!(read("depth 0", Mode::Ucci).evaluate_only);
        assert!(!read("depth 0", Mode::Uci).evaluate_only);
        assert_eq!(read("depth -3 nodes 0", Mode::Uci).limits.depth, Some(1));
        assert_eq!(read("depth 0 nodes 0", Mode::Uci).limits.nodes, Some(1));
    }
}
