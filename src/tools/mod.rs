//! Layer 6: what `chuhe` does besides speaking a protocol.

pub mod analyze;
pub mod arena;
pub mod bench;
mod bench_positions;
pub mod cli;
pub mod datagen;
pub mod perft;
pub mod rows;
