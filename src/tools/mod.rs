//! Layer 6: what `chuhe` does besides speaking a protocol.

pub mod analyze;
pub mod bench;
pub mod cli;
pub mod perft;
pub mod rows;
