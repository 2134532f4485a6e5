//! Layer 3: verdicts over a sequence of positions.
