//! Layer 4: game records.

pub mod archive;
mod packed;
