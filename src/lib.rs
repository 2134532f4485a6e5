//! Chuhe (楚河), a xiangqi engine.
//!
//! The modules form layers; each may use only those below it (`tests/layering.rs` keeps it so):
//!
//! | layer | modules |
//! |---|---|
//! | 0 | [`types`], [`file`] |
//! | 1 | [`attacks`], [`tt`], [`history`], [`clock`] |
//! | 2 | [`position`] |
//! | 3 | [`rules`], [`eval`], [`notation`] |
//! | 4 | [`search`], [`record`], [`book`] |
//! | 5 | [`engine`] |
//! | 6 | [`protocol`], [`tools`] |

#[forbid(unsafe_code)]
pub mod attacks;
#[forbid(unsafe_code)]
pub mod book;
#[forbid(unsafe_code)]
pub mod clock;
#[forbid(unsafe_code)]
pub mod engine;
pub mod eval;
#[forbid(unsafe_code)]
pub mod file;
#[forbid(unsafe_code)]
pub mod history;
#[forbid(unsafe_code)]
pub mod notation;
#[forbid(unsafe_code)]
pub mod position;
#[forbid(unsafe_code)]
pub mod protocol;
#[forbid(unsafe_code)]
pub mod record;
#[forbid(unsafe_code)]
pub mod rules;
#[forbid(unsafe_code)]
pub mod search;
#[forbid(unsafe_code)]
pub mod tools;
pub mod tt;
#[forbid(unsafe_code)]
pub mod types;
