//! One switch that ends a match from outside: it is set once, and wakes everyone who waits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use super::process::Event;

/// Shared by the interrupt handler, the collector of results and all processes.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    set: AtomicBool,
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, SyncSender<Event>>>,
}

impl StopSwitch {
    /// Whether the match is to end.
    pub fn is_set(&self) -> bool {
        self.0.set.load(Ordering::SeqCst)
    }

    /// Ends the match.
    pub fn set(&self) {
        self.0.set.store(true, Ordering::SeqCst);
        let waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for sender in waiting.values() {
            // A full channel has a reader that is awake and looks at the flag.
            let _ = sender.try_send(Event::Interrupt);
        }
    }

    /// Wakes the reader of a channel when the switch is set. The number cancels it.
    pub(super) fn register(&self, sender: SyncSender<Event>) -> u64 {
        let id = self.0.next.fetch_add(1, Ordering::SeqCst);
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id, sender);
        id
    }

    /// Forgets a reader.
    pub(super) fn cancel(&self, id: u64) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}
