//! The one way out: whole lines, ASCII, flushed, one write call each.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use super::logfile::LogFile;

/// Longest line in bytes, line end included: a widely used adapter copies lines unchecked into a
/// buffer of 2,048.
pub(super) const MAX_LINE: usize = 1900;

/// Where lines go. Any number of threads may print; lines never mix.
pub(super) struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
    /// Takes down what is printed, and what the reader hands it.
    pub(super) log: LogFile,
}

impl Output {
    /// Lines go to standard output.
    pub(super) fn stdout() -> Output {
        Output::to(Box::new(io::stdout()))
    }

    /// Lines go to `sink`.
    pub(super) fn to(sink: Box<dyn Write + Send>) -> Output {
        Output { sink: Mutex::new(sink), log: LogFile::default() }
    }

    /// Prints each line of `text`; empty ones are left out. Characters other than printable ASCII
    /// become `?`, and a line that is too long is cut at a blank.
    ///
    /// When the other end is gone there is nobody left to talk to: the process ends with status 0.
    pub(super) fn print(&self, text: &str) {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines().filter(|line| !line.is_empty()) {
            let bytes = presentable(line);
            self.log.printed(&bytes);
            if sink.write_all(&bytes).and_then(|()| sink.flush()).is_err() {
                std::process::exit(0);
            }
        }
    }

    /// Like [`Output::print`] but gives up when another thread is in the middle of a line.
    pub(super) fn try_print(&self, line: &str) {
        if let Ok(mut sink) = self.sink.try_lock() {
            let _ = sink.write_all(&presentable(line)).and_then(|()| sink.flush());
        }
    }
}

fn presentable(line: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        line.chars().map(|c| if matches!(c, ' '..='~') { c as u8 } else { b'?' }).collect();
    if bytes.len() >= MAX_LINE {
        bytes.truncate(MAX_LINE - 1);
        if let Some(blank) = bytes.iter().rposition(|&b| b == b' ') {
            bytes.truncate(blank);
        }
    }
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::Arc;

    /// A sink whose contents stay readable.
    #[derive(Clone, Default)]
    pub(in crate::protocol) struct Tape(Arc<Mutex<Vec<u8>>>);

    impl Tape {
        pub(in crate::protocol) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Tape {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_come_out_clean() {
        let tape = Tape::default();
        let output = Output::to(Box::new(tape.clone()));
        output.print("one\n\ntwo \u{70ae}\t!\r\n");
        output.try_print("three");
        assert_eq!(tape.text(), "one\ntwo ??!\nthree\n");
    }

    #[test]
    fn long_lines_are_cut_at_a_blank() {
        let tape = Tape::default();
        let output = Output::to(Box::new(tape.clone()));
        output.print(&"h2e2 ".repeat(1000));
        let text = tape.text();
        assert!(text.len() <= MAX_LINE && text.len() > MAX_LINE - 10);
        assert!(text.ends_with("h2e2\n"));
    }
}
