//! Layer 4: the search of one worker.
