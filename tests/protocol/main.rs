//! The protocol as clients see it: the real binary is started, fed bytes, and its lines are
//! compared. Every session also scans the shape of all output and that stderr stays empty.

#[path = "../support/mod.rs"]
mod support;

mod book;
mod dialects;
mod greeting;
mod input;
mod limits;
mod output;
mod positions;
mod stopping;
mod xboard;

/// A position with a mate in one for Red (b0b9 or a8f8).
const MATE_IN_ONE: &str = "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1";

/// Black to move has been mated.
const MATED: &str = "1R2k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1";

/// Black to move has no move and is not in check, which loses as well.
const STALEMATED: &str = "4k4/9/4P4/9/9/9/9/9/9/3K1R3 b - - 0 1";

/// Black to move has exactly three moves: a3a2, a3b3 and d9d8.
const THREE_MOVES: &str = "3k5/9/9/9/9/9/p8/9/4R4/4K4 b - - 0 1";
