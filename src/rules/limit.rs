//! The natural limit: which plies without a capture count.

/// Of the plies since the last capture, those that do not count: checks of a side beyond the first
/// `counted` and the moves that answer them. `checks` tells of each ply whether it gave check; the
/// sides take turns.
pub(super) fn free_plies(checks: impl Iterator<Item = bool>, counted: Option<u16>) -> u16 {
    let Some(counted) = counted else { return 0 };
    let mut given = [0u16; 2];
    let mut free = 0u16;
    let mut answers_free = false;
    for (i, check) in checks.enumerate() {
        given[i & 1] = given[i & 1].saturating_add(u16::from(check));
        let excess = check && given[i & 1] > counted;
        free = free.saturating_add(u16::from(excess || answers_free));
        answers_free = excess;
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_checks_beyond_the_count_and_their_answers_are_free() {
        let free = |pattern: &str, counted| free_plies(pattern.chars().map(|c| c == '+'), counted);
        assert_eq!(free("+.+.+.+.", None), 0);
        assert_eq!(free("+.+.+.+.", Some(4)), 0);
        assert_eq!(free("+.+.+.+.", Some(3)), 2);
        assert_eq!(free("+.+.+.+", Some(3)), 1);
        assert_eq!(free("+.+...+.", Some(0)), 6);
        // both sides have a count of their own
        assert_eq!(free("++++", Some(1)), 2);
        assert_eq!(free("+++++", Some(1)), 3);
        assert_eq!(free("....", Some(0)), 0);
    }
}
