//! How much memory this machine lets us use.

use std::fs;

/// Mebibytes of physical memory, or what a container grants us if that is less; `None` where the
/// system does not tell through files.
pub(super) fn total_megabytes() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let physical = meminfo_kilobytes(&info)? >> 10;
    // Both generations of Linux control groups, as a process inside a container sees them.
    let granted = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok())
        .map(|bytes| bytes >> 20)
        .min();
    Some(granted.map_or(physical, |limit| limit.min(physical)))
}

fn meminfo_kilobytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_total() {
        let text = "MemFree: 5 kB\nMemTotal:       16303428 kB\nSwapTotal: 7 kB\n";
        assert_eq!(meminfo_kilobytes(text), Some(16_303_428));
        assert_eq!(meminfo_kilobytes("MemTotal: lots"), None);
        assert_eq!(meminfo_kilobytes(""), None);
    }
}
