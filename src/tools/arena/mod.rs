//! `chuhe match`: an open match runner for xiangqi, and `chuhe merge` for its results.
//!
//! | module | what it knows |
//! |---|---|
//! | [`spec`], [`openings`], [`schedule`] | who plays, from where, in which order |
//! | [`wire`], [`process`], [`player`] | engine languages as text; a child process; one engine at the board |
//! | [`game`], [`adjudicate`] | one game, judged by the rules of this program and no engine |
//! | [`runner`], [`stop`] | many games on many threads; ending early |
//! | [`stats`], [`sprt`], [`standings`], [`report`] | what the results say |
//! | [`journal`], [`merge`] | the JSON lines file, resuming, shards |
#![forbid(unsafe_code)]

pub mod adjudicate;
pub mod game;
pub mod journal;
pub mod merge;
pub mod openings;
pub mod player;
pub mod process;
pub mod report;
pub mod runner;
pub mod schedule;
mod session;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod stop;
pub mod wire;

use std::fmt;

pub use session::{Args, run};

/// Why a match cannot be played. One line each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArenaError {
    /// The command line or an opening file is wrong.
    Config(String),
    /// A result file cannot be used.
    File(String),
    /// An engine does not start.
    Engine(String),
}

impl fmt::Display for ArenaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ArenaError::Config(text) | ArenaError::File(text) | ArenaError::Engine(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for ArenaError {}
