//! Layer 6: text in and out. UCCI, UCI and the dialects around them, and the XBoard protocol.
//!
//! One thread reads ([`reader`]), one acts ([`driver`]); [`traffic`] lies between them and [`Hub`]
//! is what both see.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod answer;
pub mod command;
mod console;
pub mod coordinates;
mod driver;
pub mod go;
mod limits;
mod logfile;
mod mode;
mod output;
mod reader;
mod report;
#[cfg(test)]
mod session;
mod settings;
mod setup;
mod traffic;
mod ucci;
mod uci;
pub mod xboard;

use std::io::{BufRead, BufReader, IsTerminal, Write, stdin};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::engine::{Engine, HashView};
use coordinates::Numbering;
use driver::Driver;
use mode::Mode;
use output::Output;
use report::Reporter;
use traffic::Traffic;

/// What both threads see.
struct Hub {
    output: Arc<Output>,
    traffic: Traffic,
    hash: HashView,
    mode: AtomicU8,
    debug: AtomicBool,
    numbering: Mutex<Numbering>,
    /// The search in progress, for who asks how far it is.
    watched: Mutex<Option<Arc<Mutex<Reporter>>>>,
    /// Whether ending the conversation ends the process.
    process: bool,
}

const MODES: [Mode; 4] = [Mode::Boot, Mode::Ucci, Mode::Uci, Mode::XBoard];

impl Hub {
    fn new(output: Output, hash: HashView, process: bool) -> Hub {
        Hub {
            output: Arc::new(output),
            traffic: Traffic::default(),
            hash,
            mode: AtomicU8::new(0),
            debug: AtomicBool::new(false),
            numbering: Mutex::new(Numbering::default()),
            watched: Mutex::new(None),
            process,
        }
    }

    fn mode(&self) -> Mode {
        MODES[usize::from(self.mode.load(SeqCst)) % MODES.len()]
    }

    fn set_mode(&self, mode: Mode) {
        let index = MODES.iter().position(|&known| known == mode).unwrap_or(0);
        self.mode.store(index as u8, SeqCst);
    }

    fn debug(&self) -> bool {
        self.debug.load(SeqCst)
    }

    fn set_debug(&self, on: bool) {
        self.debug.store(on, SeqCst);
    }

    fn numbering(&self) -> Numbering {
        *self.numbering.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_numbering(&self, numbering: Numbering) {
        *self.numbering.lock().unwrap_or_else(PoisonError::into_inner) = numbering;
    }

    /// Lets [`Hub::show_status`] look at a search, or at none.
    fn watch(&self, reporter: Option<&Arc<Mutex<Reporter>>>) {
        *self.watched.lock().unwrap_or_else(PoisonError::into_inner) = reporter.cloned();
    }

    /// Prints how far the search in progress is; nothing without one.
    fn show_status(&self) {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(reporter) = watched {
            reporter.lock().unwrap_or_else(PoisonError::into_inner).print_status();
        }
    }

    fn is_process(&self) -> bool {
        self.process
    }
}

/// Talks with whoever is at the other end of `input` and `output` until `quit` or the end of input:
/// the whole engine without a process of its own. A search that has no end of its own is stopped at
/// the end of input, as in [`serve`]. Only a failure to write to `output` ends the process.
pub fn converse(input: impl BufRead + Send, output: Box<dyn Write + Send>) {
    let engine = Engine::new();
    let hub = Arc::new(Hub::new(Output::to(output), engine.hash_view(), false));
    let mut driver = Driver::new(Arc::clone(&hub), engine);
    thread::scope(|scope| {
        scope.spawn(|| reader::listen(input, &hub));
        driver.run();
    });
}

/// Talks on standard input and output until `quit` or the end of input, then ends the process with
/// status 0: a large hash table is left to the system, which frees it faster than we could.
pub fn serve() -> ! {
    if stdin().is_terminal() {
        eprintln!("{}", console::HINT);
    }
    let engine = Engine::new();
    let hub = Arc::new(Hub::new(Output::stdout(), engine.hash_view(), true));
    let ears = Arc::clone(&hub);
    let reader = thread::Builder::new()
        .name("reader".to_string())
        .spawn(move || reader::listen(BufReader::new(stdin()), &ears));
    match reader {
        Ok(_) => Driver::new(hub, engine).run(),
        Err(error) => log::error!("no thread to read with: {error}"),
    }
    std::process::exit(0)
}
