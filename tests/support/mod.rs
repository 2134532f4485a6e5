//! Shared by the tests that run the engine as a child process.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part of this")]

pub mod board;
pub mod hygiene;
pub mod info;
pub mod pattern;
pub mod session;
