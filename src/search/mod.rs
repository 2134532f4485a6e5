//! Layer 4: the search of one worker.
//!
//! A [`Worker`] owns everything one thread needs but the hash table. It is handed a [`Job`], watches
//! a [`Control`], speaks through an [`InfoSink`] and returns an [`Outcome`]; it knows nothing of
//! threads or text.

mod histories;
mod iterate;
mod job;
mod moves;
mod node;
mod pace;
mod params;
mod picker;
mod prune;
mod pv;
mod quiescence;
mod reduce;
mod report;
mod root;
mod singular;
mod stack;
mod worker;

pub use job::{Control, Job, Limits, NodeCounters};
pub use params::{TUNABLES, Tunable};
pub use report::{Info, InfoSink, Outcome, Silent};
pub use worker::Worker;
