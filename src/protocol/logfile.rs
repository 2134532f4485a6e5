//! The file that takes down what passes in both directions, for those who look for a fault between
//! client and engine.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::engine::options::{BUILT_IN, EMPTY};

/// The file, or none.
#[derive(Default)]
pub(super) struct LogFile(Mutex<Option<File>>);

impl LogFile {
    /// Goes on in the file with this name, behind what it holds; the empty name ends the log.
    ///
    /// # Errors
    /// When the file cannot be written to. The log is off then.
    pub(super) fn open(&self, name: &str) -> io::Result<()> {
        let name = name.trim().trim_matches('"').trim();
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *file = None;
        if !["", EMPTY, BUILT_IN].iter().any(|off| name.eq_ignore_ascii_case(off)) {
            *file = Some(OpenOptions::new().create(true).append(true).open(name)?);
        }
        Ok(())
    }

    /// Takes down a line that was read.
    pub(super) fn read(&self, line: &[u8]) {
        self.take_down(b">", line);
    }

    /// Takes down a line that was printed.
    pub(super) fn printed(&self, line: &[u8]) {
        self.take_down(b"<", line);
    }

    fn take_down(&self, direction: &[u8], line: &[u8]) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = file.as_mut() else { return };
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let stamp = time_stamp(time.as_secs(), time.subsec_millis());
        let parts = [stamp.as_bytes(), direction, b" ", line.trim_ascii_end(), b"\n"];
        let entry = parts.concat();
        // One call a line and no buffer, so that nothing is lost in a crash. A full disk must not
        // disturb the game.
        if open.write_all(&entry).is_err() {
            *file = None;
        }
    }
}

/// Time of the day, UTC.
fn time_stamp(seconds: u64, millis: u32) -> String {
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{millis:03} ", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_time_and_direction_and_the_empty_name_ends_the_log() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("talk.log");
        let log = LogFile::default();
        log.read(b"nowhere");
        log.open(path.to_str().unwrap()).unwrap();
        log.read(b"go depth 1\r");
        log.printed(b"bestmove h2e2\n");
        log.open(EMPTY).unwrap();
        log.read(b"quit");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<(&str, &str)> = text.lines().map(|line| line.split_at(13)).collect();
        assert_eq!(
            lines.iter().map(|l| l.1).collect::<Vec<_>>(),
            ["> go depth 1", "< bestmove h2e2"]
        );
        assert!(lines.iter().all(|l| l.0.as_bytes()[8] == b'.' && l.0.ends_with(' ')), "{text}");
        assert_eq!(time_stamp(86_400 + 3_723, 45), "01:02:03.045 ");
        assert!(log.open(directory.path().to_str().unwrap()).is_err(), "a directory");
    }
}
