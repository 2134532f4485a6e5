//! Layer 1: from clock data to a soft and a hard limit.
