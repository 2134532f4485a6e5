//! Layer 1: statistics tables of the search.
