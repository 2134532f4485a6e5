//! Layer 4: the search of one worker.
//!
//! A [`Worker`] owns everything one thread needs but the hash table. It is handed a [`Job`], watches
//! a [`Control`], speaks through an [`InfoSink`] and returns an [`Outcome`]; it knows nothing of
//! threads or text.

mod job;
mod report;

pub use job::{Control, Job, Limits, NodeCounters};
pub use report::{Info, InfoSink, Outcome, Silent};
