//! Whole files into memory, whatever a client may have named.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Why a file is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// The system refuses; its words.
    Unreadable(String),
    /// A device or a pipe.
    NotAFile,
    /// It has more bytes than allowed.
    TooLarge,
}

/// The content of a plain file of at most `limit` bytes.
///
/// # Errors
/// When it cannot be read, is longer, or is no plain file: a pipe may never deliver, and a device
/// never end.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let unreadable = |error: Error| FileError::Unreadable(error.to_string());
    let about = fs::metadata(path).map_err(unreadable)?;
    if about.is_dir() {
        return Err(unreadable(ErrorKind::IsADirectory.into()));
    }
    if !about.is_file() {
        return Err(FileError::NotAFile);
    }
    if about.len() > limit {
        return Err(FileError::TooLarge);
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    // It may have grown since.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit { Err(FileError::TooLarge) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_files_up_to_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("five");
        assert!(matches!(read(&path, 5), Err(FileError::Unreadable(_))));
        fs::write(&path, b"bytes").unwrap();
        assert_eq!(read(&path, 5).as_deref(), Ok(&b"bytes"[..]));
        assert_eq!(read(&path, 4), Err(FileError::TooLarge));
        assert!(matches!(read(directory.path(), 5), Err(FileError::Unreadable(_))));
        if cfg!(unix) {
            assert_eq!(read(Path::new("/dev/null"), 5), Err(FileError::NotAFile));
        }
    }
}
