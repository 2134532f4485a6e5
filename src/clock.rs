//! Layer 1: from clock data to a soft and a hard limit.

use std::time::Duration;

/// How long a search may take on its own clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration begins after this.
    pub soft: Duration,
    /// The search ends at this point wherever it is.
    pub hard: Duration,
}
