//! From a file to a book, and what to say of files that are something else.

use std::fmt;
use std::path::Path;

use super::{Book, Record, square_of};
use crate::file::{self, FileError};
use crate::types::Move;

/// Bytes of a record: lock, origin, target, weight.
const RECORD: usize = 8;
/// Largest file read, in bytes: eight million records.
pub const MAX_FILE: u64 = 64 << 20;

/// Why a file is no book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BookError {
    /// It cannot be read; the system's words.
    Unreadable(String),
    /// A device or a pipe.
    NotAFile,
    /// More than [`MAX_FILE`] bytes.
    TooLarge,
    /// It has no bytes.
    Empty,
    /// It seems to be something else, named here with its article.
    Foreign(&'static str),
    /// It does not consist of whole records.
    Length,
    /// Most of its records name no move.
    NoMoves,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Unreadable(why) => write!(f, "cannot be read: {why}"),
            BookError::NotAFile => f.write_str("is a device or a pipe"),
            BookError::TooLarge => write!(f, "has more than {} MiB", MAX_FILE >> 20),
            BookError::Empty => f.write_str("is empty"),
            BookError::Foreign(what) => write!(f, "is {what}, only BOOK.DAT can be read"),
            BookError::Length => f.write_str("is cut short or is no BOOK.DAT"),
            BookError::NoMoves => f.write_str("is no BOOK.DAT"),
        }
    }
}

impl std::error::Error for BookError {}

impl From<FileError> for BookError {
    fn from(error: FileError) -> BookError {
        match error {
            FileError::Unreadable(why) => BookError::Unreadable(why),
            FileError::NotAFile => BookError::NotAFile,
            FileError::TooLarge => BookError::TooLarge,
        }
    }
}

impl Book {
    /// Reads the content of a file. Records that name no move of the board are left out; records
    /// need not be sorted.
    ///
    /// # Errors
    /// When it is not a BOOK.DAT: empty, no whole number of records, for the most part not moves, or
    /// recognisably another kind of file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        if is_text(bytes) {
            return Err(BookError::Foreign("a text file"));
        }
        let other = |error| signature(bytes).map_or(error, BookError::Foreign);
        if !bytes.len().is_multiple_of(RECORD) {
            return Err(other(BookError::Length));
        }
        let total = bytes.len() / RECORD;
        let mut records: Vec<Record> = bytes.chunks_exact(RECORD).filter_map(record).collect();
        if records.is_empty() || records.len() * 2 < total {
            return Err(other(BookError::NoMoves));
        }
        // Stable, so that the moves of a position keep their order; nothing to do as a rule.
        records.sort_by_key(|record| record.lock);
        Ok(Book { records })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a BOOK.DAT.
    pub fn load(path: &Path) -> Result<Book, BookError> {
        Book::from_bytes(&file::read(path, MAX_FILE)?)
    }
}

/// A record, if its move is one of two different points.
fn record(bytes: &[u8]) -> Option<Record> {
    let &[a, b, c, d, from, to, low, high] = bytes else { return None };
    let (from, to) = (square_of(from)?, square_of(to)?);
    (from != to).then(|| Record {
        lock: u32::from_le_bytes([a, b, c, d]),
        mv: Move::new(from, to),
        weight: u16::from_le_bytes([low, high]),
    })
}

/// Whether there is no binary data at all. Digits and letters can look like records.
fn is_text(bytes: &[u8]) -> bool {
    let plain = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(plain))
}

/// What a file that is no BOOK.DAT seems to be. Never asked of one that is: its first bytes may be
/// any.
fn signature(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 5] = [
        (b"SQLite format 3\0", "an SQLite database (OBK, pfBook or XQB)"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"CCBridge", "a game file of CCBridge"),
        (b"XQ", "a game file of XQStudio"),
    ];
    let known = KNOWN.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, what)| what);
    known.or_else(|| is_polyglot(bytes).then_some("a book for XBoard (Polyglot)"))
}

/// Whether these are 16-byte records in the order of their first eight bytes, high byte first, each
/// with a move `90 * from + to` of two points behind them.
fn is_polyglot(bytes: &[u8]) -> bool {
    let big_endian = |record: &[u8]| {
        let (key, rest) = record.split_first_chunk::<8>()?;
        let (mv, _) = rest.split_first_chunk::<2>()?;
        let (from, to) = (u16::from_be_bytes(*mv) / 90, u16::from_be_bytes(*mv) % 90);
        (from < 90 && from != to).then_some(u64::from_be_bytes(*key))
    };
    let keys: Option<Vec<u64>> = bytes.chunks(16).map(big_endian).collect();
    bytes.len().is_multiple_of(16) && keys.is_some_and(|keys| keys.is_sorted())
}
