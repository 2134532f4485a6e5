//! Layer 6: what `chuhe` does besides speaking a protocol.

pub mod analyze;
pub mod archive;
pub mod arena;
pub mod bench;
mod bench_positions;
pub mod cli;
mod common;
pub mod datagen;
pub mod judge;
pub mod perft;
pub mod rows;
pub mod solve;
mod tunables;
