//! Chuhe (楚河), a xiangqi engine.
//!
//! The modules form layers; each may use only those below it (`tests/layering.rs` keeps it so):
//!
//! | layer | modules |
//! |---|---|
//! | 0 | [`types`] |
//! | 1 | [`attacks`], [`tt`], [`history`], [`clock`] |
//! | 2 | [`position`] |
//! | 3 | [`rules`], [`eval`], [`notation`] |
//! | 4 | [`search`] |
//! | 5 | [`engine`] |
//! | 6 | [`protocol`], [`tools`] |

pub mod attacks;
pub mod clock;
pub mod engine;
pub mod eval;
pub mod history;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tools;
pub mod tt;
pub mod types;
