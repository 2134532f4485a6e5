//! Layer 1: from clock data to a soft and a hard limit.
//!
//! A flag fall loses more than any move gains, so the rule above all others is: no limit ever
//! reaches past what is on the clock less a reserve, and the increment counts only for later moves,
//! since it is credited after this one.

use std::time::Duration;

/// What a `go` command says about the time of the side to move. All times in milliseconds; any
/// value is accepted, including negative and absurdly large ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockData {
    /// Time left on the own clock; `None` when the command names no clock.
    pub time: Option<i64>,
    /// Credited after each move.
    pub increment: i64,
    /// Moves to the next time control, this one included; `None` or 0 is sudden death.
    pub moves_to_go: Option<u32>,
    /// A fixed time for this move. It takes precedence over the clock.
    pub move_time: Option<i64>,
    /// Lost on every move between engine and referee.
    pub overhead: i64,
}

impl ClockData {
    /// The default [`ClockData::overhead`] in milliseconds.
    pub const DEFAULT_OVERHEAD: i64 = 10;
}

impl Default for ClockData {
    fn default() -> ClockData {
        ClockData {
            time: None,
            increment: 0,
            moves_to_go: None,
            move_time: None,
            overhead: Self::DEFAULT_OVERHEAD,
        }
    }
}

/// How long to think. `soft <= hard` always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Start no new iteration after this. The search may stretch or shrink it by how settled the
    /// best move looks, never beyond `hard`, and not at all when [`Budget::is_fixed`].
    pub soft: Duration,
    /// Stop in mid-iteration at this.
    pub hard: Duration,
}

impl Budget {
    /// Whether the whole time belongs to this one move, so that stopping early saves nothing.
    pub fn is_fixed(self) -> bool {
        self.soft == self.hard
    }

    fn millis(soft: i64, hard: i64) -> Budget {
        let duration = |ms: i64| Duration::from_millis(ms.max(0) as u64);
        Budget { soft: duration(soft.min(hard)), hard: duration(hard) }
    }
}

/// About 115 days: keeps sums and `Instant` arithmetic far from overflow.
const LONGEST: i64 = 10_000_000_000;
/// How many more own moves a game without a move count is planned for. Xiangqi games between
/// engines last 60 to 80 moves a side, but most of the decisions fall early.
const HORIZON: i64 = 40;
/// The hard limit in soft limits: one difficult move may cost this many ordinary ones.
const STRETCH: i64 = 4;

/// Milliseconds of a clock that are not planned for, as long as they are no more than half of it.
const RESERVE: i64 = 80;

/// Limits for the next move; `None` when the data sets no time limit at all.
///
/// A time of 0 or less gives zero limits: the search then answers after its first iteration.
pub fn budget(clock: &ClockData) -> Option<Budget> {
    let overhead = clock.overhead.clamp(0, LONGEST);
    if let Some(time) = clock.move_time {
        let time = time.clamp(0, LONGEST);
        // Overstepping a fixed time is no flag fall, so a tiny one is not swallowed whole.
        let spend = (time - overhead).max(time / 2);
        return Some(Budget::millis(spend, spend));
    }
    let time = clock.time?.clamp(0, LONGEST);
    let increment = clock.increment.clamp(0, LONGEST);
    // Besides the known overhead a busy machine may wake us late.
    let usable = (time - overhead - (time / 2).min(RESERVE)).max(0);
    let moves = match clock.moves_to_go {
        None | Some(0) => HORIZON,
        Some(1) => return Some(Budget::millis(usable, usable)),
        Some(n) => i64::from(n).min(HORIZON),
    };
    let later = moves - 1;
    // Later moves bring increments and cost overhead, but never plan away more than half for it.
    let total = (usable + (increment - overhead) * later).max(usable / 2);
    let share = total / moves;
    // One move may eat a third of the clock, or most of it if the increment refills it.
    let ceiling = if increment >= usable { usable * 4 / 5 } else { usable / 3 };
    // With few moves to the control the share itself may be more than a third.
    let ceiling = ceiling.max(usable * 3 / (2 * moves + 2)).min(usable);
    let soft = share.min(ceiling);
    Some(Budget::millis(soft, soft.saturating_mul(STRETCH).min(ceiling)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(clock: ClockData) -> (i64, i64) {
        let budget = budget(&clock).expect("the data names a time");
        assert!(budget.soft <= budget.hard, "{clock:?} {budget:?}");
        (budget.soft.as_millis() as i64, budget.hard.as_millis() as i64)
    }

    fn left(time: i64) -> ClockData {
        ClockData { time: Some(time), ..ClockData::default() }
    }

    #[test]
    fn no_clock_no_limit() {
        assert_eq!(budget(&ClockData::default()), None);
    }

    #[test]
    fn nothing_left_means_at_once() {
        for time in [0, -1, -5_000, i64::MIN] {
            assert_eq!(limits(left(time)), (0, 0));
            assert_eq!(limits(ClockData { moves_to_go: Some(1), ..left(time) }), (0, 0));
            assert_eq!(limits(ClockData { move_time: Some(time), ..left(9_000) }), (0, 0));
            // the increment is not there yet
            assert_eq!(limits(ClockData { increment: 5_000, ..left(time) }), (0, 0));
        }
    }

    #[test]
    fn never_past_the_clock() {
        let times = [1, 5, 10, 11, 15, 30, 100, 999, 5_000, 60_000, 3_600_000, i64::MAX];
        for time in times {
            for increment in [i64::MIN, -7, 0, 10, 100, 3_000, 1_000_000, i64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(7), Some(u32::MAX)] {
                    for overhead in [i64::MIN, 0, 10, 500, i64::MAX] {
                        let clock = ClockData {
                            time: Some(time),
                            increment,
                            moves_to_go,
                            move_time: None,
                            overhead,
                        };
                        let (_, hard) = limits(clock);
                        let reserve = overhead.max(0).saturating_add((time / 2).min(RESERVE));
                        assert!(hard <= time.saturating_sub(reserve).max(0), "{clock:?} {hard}");
                    }
                }
            }
        }
    }

    #[test]
    fn one_move_takes_nearly_all() {
        let one = |time| limits(ClockData { moves_to_go: Some(1), ..left(time) });
        assert_eq!(one(5_000), (4_910, 4_910));
        assert_eq!(one(100), (40, 40));
        let fixed = ClockData { move_time: Some(4_970), ..left(0) };
        assert_eq!(limits(fixed), (4_960, 4_960));
        assert!(budget(&fixed).is_some_and(Budget::is_fixed));
        assert_eq!(limits(ClockData { move_time: Some(12), ..fixed }), (6, 6));
        assert_eq!(limits(ClockData { move_time: Some(i64::MAX), ..fixed }).1, LONGEST - 10);
    }

    #[test]
    fn shares_are_sensible() {
        // 10 minutes sudden death: 10 to 20 s, at most a minute or so
        let (soft, hard) = limits(left(600_000));
        assert!((10_000..20_000).contains(&soft) && (30_000..90_000).contains(&hard));
        // an increment is spent nearly whole
        let (soft, _) = limits(ClockData { increment: 3_000, ..left(60_000) });
        assert!((3_000..6_000).contains(&soft), "{soft}");
        // 40 moves in 5 minutes, and the last five of them in 20 s
        let (soft, _) = limits(ClockData { moves_to_go: Some(40), ..left(300_000) });
        assert!((6_000..8_000).contains(&soft), "{soft}");
        let (soft, hard) = limits(ClockData { moves_to_go: Some(5), ..left(20_000) });
        assert!((3_500..4_000).contains(&soft) && hard < 10_000, "{soft} {hard}");
        // a nearly empty clock with a rich increment may be emptied to a fifth of what is not in reserve
        let (soft, _) = limits(ClockData { increment: 1_000, ..left(100) });
        assert_eq!(soft, 32);
    }

    #[test]
    fn two_moves_leave_the_second_its_share() {
        let (_, hard) = limits(ClockData { moves_to_go: Some(2), ..left(10_000) });
        assert!(hard <= 5_000, "{hard}");
    }

    /// Plays moves that use the hard limit every third time; returns the lowest clock value seen.
    fn play(start: i64, increment: i64, period: Option<u32>, lag: i64) -> i64 {
        let (mut time, mut lowest) = (start, start);
        for n in 0..300u32 {
            let moves_to_go = period.map(|period| period - n % period);
            if period.is_some() && n > 0 && moves_to_go == period {
                time += start;
            }
            let (soft, hard) = limits(ClockData { increment, moves_to_go, ..left(time) });
            time -= lag + if n % 3 == 0 { hard } else { soft };
            lowest = lowest.min(time);
            time += increment;
        }
        lowest
    }

    #[test]
    fn long_games_keep_their_flag() {
        assert!(play(1_000, 0, None, 0) > 0);
        assert!(play(1_000, 10, None, 8) > 0);
        assert!(play(60_000, 0, None, 0) > 0);
        assert!(play(1_000, 0, Some(10), 8) > 0);
        assert!(play(60_000, 500, None, 10) > 0);
    }
}
