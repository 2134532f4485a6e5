//! Trains networks for Chuhe: a sparse trainer for one architecture, on the processor.
//!
//! The first layer is cut into tiles of 16 neurons. A tile's weights of all features fit into the
//! second-level cache, so a tile goes through the whole batch before the next one starts; threads
//! own tiles, share nothing but the outputs, and the result does not depend on their number.

#[forbid(unsafe_code)]
pub mod batch;
#[forbid(unsafe_code)]
pub mod checkpoint;
#[forbid(unsafe_code)]
pub mod data;
#[forbid(unsafe_code)]
pub mod gradcheck;
mod kernel;
#[forbid(unsafe_code)]
pub mod measure;
#[forbid(unsafe_code)]
pub mod model;
#[forbid(unsafe_code)]
pub mod random;
#[forbid(unsafe_code)]
pub mod reference;
#[forbid(unsafe_code)]
pub mod train;

use std::fmt;
use std::path::{Path, PathBuf};

use chuhe::eval::nnue::NetError;
use chuhe::record::archive::ArchiveError;

/// What can go wrong; the text is one line.
#[derive(Debug)]
pub enum Error {
    /// A file cannot be read or written.
    File(PathBuf, std::io::Error),
    /// An archive is damaged.
    Archive(PathBuf, ArchiveError),
    /// A network is damaged or cannot be made.
    Network(PathBuf, NetError),
    /// A checkpoint is damaged.
    Checkpoint(PathBuf, &'static str),
    /// A checkpoint belongs to a run with other settings.
    OtherSettings(PathBuf),
    /// The archives have no position to learn from, or none to check with.
    NoData,
    /// Settings that make no sense.
    Settings(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Archive(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Network(path, error) => write!(f, "{} {error}", path.display()),
            Error::Checkpoint(path, what) => write!(f, "{}: {what}", path.display()),
            Error::OtherSettings(path) => {
                write!(f, "{} belongs to a run with other settings or data", path.display())
            }
            Error::NoData => f.write_str("too few positions to train and to validate with"),
            Error::Settings(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// For `map_err` on file operations.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        |error| Error::File(path.to_path_buf(), error)
    }
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
