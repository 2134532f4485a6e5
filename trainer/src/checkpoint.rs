//! The state of a run on disk, from which it goes on as if it had never stopped.
//!
//! `CHUHECKP`, length of a JSON object (u32), the object, all numbers of the model as f32, FNV-1a of
//! everything before (u64); little-endian.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::model::Model;
use crate::train::Config;

const MAGIC: &[u8; 8] = b"CHUHECKP";

/// Where a run stands, weights aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Its settings.
    pub config: Config,
    /// Centipawns for an output of 1.
    pub scale: i32,
    /// Stands for the content of the data.
    pub data: u64,
    /// Epochs completed.
    pub epoch: u32,
    /// Steps taken.
    pub steps: u64,
    /// Smallest validation loss so far, and after which epoch.
    pub best: Option<(f64, u32)>,
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Writes a file under another name first, so that there is always a whole one.
///
/// # Errors
/// When the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = Path::new(&name);
    fs::write(part, bytes).map_err(Error::file(part))?;
    fs::rename(part, path).map_err(Error::file(path))
}

/// Writes a checkpoint.
///
/// # Errors
/// When the file cannot be written.
pub fn save(path: &Path, state: &State, model: &mut Model) -> Result<(), Error> {
    let text = serde_json::to_vec(state)
        .map_err(|_| Error::Checkpoint(path.to_path_buf(), "cannot be encoded"))?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&text);
    model.visit(|values| bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())));
    let hash = hash(&bytes);
    bytes.extend_from_slice(&hash.to_le_bytes());
    replace(path, &bytes)
}

/// Reads a checkpoint.
///
/// # Errors
/// When the file cannot be read or is damaged.
pub fn load(path: &Path) -> Result<(State, Model), Error> {
    let bytes = fs::read(path).map_err(Error::file(path))?;
    let bad = |what| Error::Checkpoint(path.to_path_buf(), what);
    let (content, stored) =
        bytes.split_last_chunk::<8>().ok_or_else(|| bad("is not a checkpoint"))?;
    if !content.starts_with(MAGIC) || content.len() < 12 {
        return Err(bad("is not a checkpoint"));
    }
    if hash(content) != u64::from_le_bytes(*stored) {
        return Err(bad("is damaged: the checksum is wrong"));
    }
    let len = u32::from_le_bytes([content[8], content[9], content[10], content[11]]) as usize;
    let (text, numbers) = content[12..].split_at_checked(len).ok_or_else(|| bad("is cut short"))?;
    let state: State =
        serde_json::from_slice(text).map_err(|_| bad("was written by another version"))?;
    state.config.check()?;
    let mut model = Model::new(state.config.buckets, state.config.width, state.config.seed);
    model.steps = state.steps;
    let mut rest = numbers.chunks_exact(4);
    let mut missing = false;
    model.visit(|values| {
        for value in values {
            match rest.next() {
                Some(b) => *value = f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
                None => missing = true,
            }
        }
    });
    if missing || rest.next().is_some() {
        return Err(bad("has the wrong length"));
    }
    Ok((state, model))
}
