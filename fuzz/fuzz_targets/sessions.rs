//! Any lines as a conversation with the whole engine: it ends, every search has its answer and no
//! other, and every line that is printed has the shape clients rely on.
#![no_main]

use std::io::Write;
use std::sync::{Arc, Mutex};

use chuhe::protocol::converse;
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/hygiene.rs"]
mod hygiene;
#[path = "../../tests/support/tame.rs"]
mod tame;

/// What the engine prints, kept.
#[derive(Clone, Default)]
struct Tape(Arc<Mutex<Vec<u8>>>);

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics here").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|text: &[u8]| {
    let mut script = tame::Script::default();
    let _ = text.split(|&b| b == b'\n').all(|line| script.add(line));
    let tape = Tape::default();
    converse(&script.bytes[..], Box::new(tape.clone()));
    let output = tape.0.lock().expect("nobody panics here");
    for line in output.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        let faults = hygiene::line_faults(line);
        assert!(faults.is_empty(), "{faults:?}");
    }
    let output = String::from_utf8_lossy(&output);
    assert_eq!(script.miscount(&output), None, "{output}");
});
