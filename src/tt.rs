//! Layer 1: the shared hash table.
