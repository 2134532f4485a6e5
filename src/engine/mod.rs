//! Layer 5: the engine without a voice. It owns the hash table, the workers, the options and the
//! game, starts searches and picks their answer; it knows no protocol.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod core;
mod evalfile;
mod file;
mod level;
mod library;
mod memory;
pub mod options;
mod pool;
mod values;
mod vote;

pub use self::core::{Answer, Engine, HashView, Notice, Request};
pub use self::library::{BookAnswer, BookRefused};
pub use self::options::Options;
pub use self::pool::BoxedSink;
