//! The weights of a network, and the file they come in.
//!
//! Shape: (689 · buckets → width) for each perspective, activation clamp(x, 0, 1)², then
//! (2 · width → 1) for each of 8 output buckets, the side to move first.
//!
//! File, all numbers little-endian:
//!
//! | offset | bytes | meaning |
//! |---|---|---|
//! | 0 | 8 | `CHUHENET` |
//! | 8 | 4 | format version, 1 |
//! | 12 | 4 | offset of the weights, a multiple of 64 |
//! | 16 | 8 | fingerprint of the features ([`features::fingerprint`]) |
//! | 24 | 2 × 4 | king buckets, width, output buckets, unit of the output weights |
//! | 32 | 4 | scale: centipawns for an output of 1 |
//! | 36 | 4 | length of the description |
//! | 40 | 8 | length of the weights |
//! | 48 | 8 | checksum: FNV-1a of the file without these 8 bytes |
//! | 56 | | description, UTF-8, then zeros up to the weights |
//!
//! Weights: first layer `i16[689 · buckets][width]`, its bias `i16[width]` (both in 1/255), output
//! `i16[8][2 · width]` (in 1 / unit), its bias `i32[8]` (in 1 / (255 · unit)), zeros up to a multiple
//! of 64.

use std::fmt;
use std::path::Path;

use super::features::{self, KING_BUCKETS, OUTPUT_BUCKETS, PER_BUCKET, View};
use super::kernel::{Block, Rows, UNIT};
use crate::file::{self, FileError};
use crate::types::{Piece, Square};

/// Largest width a network may have: the output sums of 32 lanes stay within 32 bits.
pub const MAX_WIDTH: usize = 2048;
/// Largest first-layer weight and bias, 1.98: 32 rows and the bias stay within 16 bits.
pub const MAX_WEIGHT: i16 = 505;
/// Largest output weight: its product with an activation stays within 16 bits.
pub const MAX_OUTPUT: i16 = 127;
/// Units of the output weights a network may choose from, so that weights up to 127 / unit can be
/// told apart as finely as possible.
pub const OUTPUT_UNITS: [i32; 5] = [64, 128, 256, 512, 1024];

const MAGIC: &[u8; 8] = b"CHUHENET";
const VERSION: u32 = 1;
const FIXED_HEADER: usize = 56;
const CHECKSUM_AT: usize = 48;
/// No file is read beyond this: the largest network is smaller.
const MAX_FILE: u64 = 64 << 20;

const _: () = assert!(33 * MAX_WEIGHT as i32 <= i16::MAX as i32);
const _: () = assert!(MAX_OUTPUT as i32 * UNIT as i32 <= i16::MAX as i32);
const _: () = assert!(
    (2 * MAX_WIDTH / Block::LEN) as i64 * 2 * (MAX_OUTPUT as i64 * UNIT as i64 * UNIT as i64)
        < (1 << 32)
);

/// What is wrong with a network file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetError {
    /// It cannot be read; the system's words.
    Unreadable(String),
    /// It is no network of this engine.
    NotANetwork,
    /// Its format version is another.
    Version(u32),
    /// It was made for other features.
    Features,
    /// Its shape is not supported: king buckets, width, output buckets.
    Shape(usize, usize, usize),
    /// It has another length than its header says.
    Length,
    /// Its content does not match its checksum.
    Checksum,
    /// A weight, a unit, or the scale is outside its range.
    Range,
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::Unreadable(why) => write!(f, "cannot be read: {why}"),
            NetError::NotANetwork => f.write_str("is not a network file"),
            NetError::Version(n) => write!(f, "has format version {n}, not {VERSION}"),
            NetError::Features => f.write_str("was made for other input features"),
            NetError::Shape(buckets, width, outputs) => {
                write!(f, "has an unsupported shape {buckets} x {PER_BUCKET} - {width} - {outputs}")
            }
            NetError::Length => f.write_str("is cut short or has something after its end"),
            NetError::Checksum => f.write_str("is damaged: the checksum is wrong"),
            NetError::Range => f.write_str("has weights or a scale out of range"),
        }
    }
}

impl std::error::Error for NetError {}

impl From<FileError> for NetError {
    fn from(error: FileError) -> NetError {
        match error {
            FileError::Unreadable(why) => NetError::Unreadable(why),
            FileError::NotAFile | FileError::TooLarge => NetError::NotANetwork,
        }
    }
}

/// The numbers of a network in the order of the file, checked by [`Network::new`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// King buckets, 1 or 6.
    pub buckets: usize,
    /// Neurons of the first layer for one perspective: a multiple of 32, at most [`MAX_WIDTH`].
    pub width: usize,
    /// Centipawns for an output of 1; 1..=10,000.
    pub scale: i32,
    /// First layer `[689 · buckets][width]` in 1/255, within ±[`MAX_WEIGHT`].
    pub weights: Vec<i16>,
    /// First layer `[width]` in 1/255, within ±[`MAX_WEIGHT`].
    pub bias: Vec<i16>,
    /// Unit of the output weights, one of [`OUTPUT_UNITS`].
    pub output_unit: i32,
    /// Output `[8][2 · width]` in 1 / unit, within ±[`MAX_OUTPUT`].
    pub output: Vec<i16>,
    /// Output `[8]` in 1 / (255 · unit).
    pub output_bias: [i32; OUTPUT_BUCKETS],
    /// Where the network comes from: data, settings, version of the trainer.
    pub description: String,
}

/// A network ready to compute with.
pub struct Network {
    pub(super) buckets: usize,
    /// Blocks of one row.
    pub(super) row: usize,
    /// `[689 · buckets][row]`.
    pub(super) weights: Vec<Block>,
    /// `[row]`.
    pub(super) bias: Vec<Block>,
    /// `[8][2 · row]`.
    pub(super) output: Vec<Block>,
    pub(super) output_bias: [i32; OUTPUT_BUCKETS],
    pub(super) output_unit: i32,
    pub(super) scale: i32,
    description: String,
    checksum: u64,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (buckets, width) = (self.buckets, self.width());
        write!(f, "Network({buckets} x {PER_BUCKET} - {width}, {:016x})", self.checksum)
    }
}

fn is_supported(buckets: usize, width: usize) -> bool {
    matches!(buckets, 1 | KING_BUCKETS)
        && (Block::LEN..=MAX_WIDTH).contains(&width)
        && width.is_multiple_of(Block::LEN)
}

fn to_blocks(values: &[i16]) -> Vec<Block> {
    let mut blocks = vec![Block::ZERO; values.len() / Block::LEN];
    for (block, values) in blocks.iter_mut().zip(values.chunks_exact(Block::LEN)) {
        block.0.copy_from_slice(values);
    }
    blocks
}

fn within(values: &[i16], limit: i16) -> bool {
    values.iter().all(|&value| (-limit..=limit).contains(&value))
}

impl Network {
    /// Makes a network of its numbers.
    ///
    /// # Errors
    /// When the shape is not supported, a list has the wrong length, or a number is out of range.
    pub fn new(parts: &Parts) -> Result<Network, NetError> {
        let &Parts { buckets, width, .. } = parts;
        if !is_supported(buckets, width) {
            return Err(NetError::Shape(buckets, width, OUTPUT_BUCKETS));
        }
        if parts.weights.len() != buckets * PER_BUCKET * width
            || parts.bias.len() != width
            || parts.output.len() != OUTPUT_BUCKETS * 2 * width
        {
            return Err(NetError::Length);
        }
        if !within(&parts.weights, MAX_WEIGHT)
            || !within(&parts.bias, MAX_WEIGHT)
            || !within(&parts.output, MAX_OUTPUT)
            || !OUTPUT_UNITS.contains(&parts.output_unit)
            || !(1..=10_000).contains(&parts.scale)
        {
            return Err(NetError::Range);
        }
        let mut network = Network {
            buckets,
            row: width / Block::LEN,
            weights: to_blocks(&parts.weights),
            bias: to_blocks(&parts.bias),
            output: to_blocks(&parts.output),
            output_bias: parts.output_bias,
            output_unit: parts.output_unit,
            scale: parts.scale,
            description: parts.description.clone(),
            checksum: 0,
        };
        network.checksum = checksum(&network.to_bytes());
        Ok(network)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// For anything that is not exactly what [`Network::to_bytes`] writes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetError::NotANetwork);
        }
        if bytes.len() < FIXED_HEADER {
            return Err(NetError::Length);
        }
        let version = u32_at(bytes, 8);
        if version != VERSION {
            return Err(NetError::Version(version));
        }
        if u64_at(bytes, 16) != features::fingerprint() {
            return Err(NetError::Features);
        }
        let short = |at| usize::from(u16_at(bytes, at));
        let (buckets, width, outputs) = (short(24), short(26), short(28));
        if outputs != OUTPUT_BUCKETS || !is_supported(buckets, width) {
            return Err(NetError::Shape(buckets, width, outputs));
        }
        let (start, described) = (u32_at(bytes, 12) as usize, u32_at(bytes, 36) as usize);
        let layout = Layout::new(buckets, width);
        if start != header_len(described)
            || u64_at(bytes, 40) != layout.len as u64
            || bytes.len() != start.saturating_add(layout.len)
        {
            return Err(NetError::Length);
        }
        if checksum(bytes) != u64_at(bytes, CHECKSUM_AT) {
            return Err(NetError::Checksum);
        }
        let body = &bytes[start..];
        let shorts = |range: std::ops::Range<usize>| -> Vec<i16> {
            body[range].chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect()
        };
        let text = &bytes[FIXED_HEADER..FIXED_HEADER + described];
        let mut output_bias = [0; OUTPUT_BUCKETS];
        for (i, bias) in output_bias.iter_mut().enumerate() {
            *bias = u32_at(body, layout.output_bias + 4 * i) as i32;
        }
        Network::new(&Parts {
            buckets,
            width,
            scale: u32_at(bytes, 32) as i32,
            weights: shorts(0..layout.bias),
            bias: shorts(layout.bias..layout.output),
            output: shorts(layout.output..layout.output_bias),
            output_bias,
            output_unit: i32::from(u16_at(bytes, 30)),
            description: String::from_utf8_lossy(text).into_owned(),
        })
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a network.
    pub fn load(path: &Path) -> Result<Network, NetError> {
        Network::from_bytes(&file::read(path, MAX_FILE)?)
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let layout = Layout::new(self.buckets, self.width());
        let start = header_len(self.description.len());
        let mut bytes = Vec::with_capacity(start + layout.len);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(start as u32).to_le_bytes());
        bytes.extend_from_slice(&features::fingerprint().to_le_bytes());
        for short in [self.buckets, self.width(), OUTPUT_BUCKETS, self.output_unit as usize] {
            bytes.extend_from_slice(&(short as u16).to_le_bytes());
        }
        bytes.extend_from_slice(&self.scale.to_le_bytes());
        bytes.extend_from_slice(&(self.description.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(layout.len as u64).to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        bytes.extend_from_slice(self.description.as_bytes());
        bytes.resize(start, 0);
        for blocks in [&self.weights, &self.bias, &self.output] {
            bytes.extend(blocks.iter().flat_map(|block| block.0).flat_map(i16::to_le_bytes));
        }
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.resize(start + layout.len, 0);
        let checksum = checksum(&bytes).to_le_bytes();
        bytes[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&checksum);
        bytes
    }

    /// The rows of the first layer that a move changes in a view.
    #[inline]
    pub(super) fn rows_of(
        &self,
        view: View,
        piece: Piece,
        [from, to]: [Square; 2],
        captured: Option<(Piece, Square)>,
    ) -> Rows<'_> {
        let taken = captured.map(|(victim, sq)| self.row_of(view, victim, sq));
        Rows { add: self.row_of(view, piece, to), sub: self.row_of(view, piece, from), taken }
    }

    /// The first-layer weights of a man on a point, in a view.
    #[inline]
    fn row_of(&self, view: View, piece: Piece, sq: Square) -> &[Block] {
        let feature = view.bucket(self.buckets) * PER_BUCKET + view.feature(piece, sq);
        &self.weights[feature * self.row..][..self.row]
    }

    /// The output weights of a bucket: those of the side to move, then the other's.
    #[inline]
    pub(super) fn output_weights(&self, bucket: usize) -> &[Block] {
        &self.output[bucket * 2 * self.row..][..2 * self.row]
    }

    /// The value in centipawns for an output sum.
    #[inline]
    pub(super) fn value(&self, sum: i64, bucket: usize) -> i32 {
        const UNIT_SQUARED: i64 = UNIT as i64 * UNIT as i64;
        let sum = sum + i64::from(UNIT) * i64::from(self.output_bias[bucket]);
        // Divided by a constant and a power of two, toward zero like the product of both: a
        // division by a variable costs as much as a hundred neurons.
        let scaled = sum * i64::from(self.scale) / UNIT_SQUARED;
        let value = (scaled + (scaled >> 63 & (i64::from(self.output_unit) - 1)))
            >> self.output_unit.trailing_zeros();
        // far beyond any evaluation, but no `as` may wrap
        value.clamp(-1_000_000, 1_000_000) as i32
    }

    /// Neurons of the first layer for one perspective.
    pub fn width(&self) -> usize {
        self.row * Block::LEN
    }

    /// King buckets, 1 or 6.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// Centipawns for an output of 1.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Where the network comes from.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Identifies the network: the checksum of its file.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }
}

/// Where the sections of the weights begin, in bytes.
struct Layout {
    bias: usize,
    output: usize,
    output_bias: usize,
    len: usize,
}

impl Layout {
    fn new(buckets: usize, width: usize) -> Layout {
        let bias = 2 * buckets * PER_BUCKET * width;
        let output = bias + 2 * width;
        let output_bias = output + 2 * OUTPUT_BUCKETS * 2 * width;
        Layout {
            bias,
            output,
            output_bias,
            len: (output_bias + 4 * OUTPUT_BUCKETS).next_multiple_of(64),
        }
    }
}

fn header_len(description: usize) -> usize {
    (FIXED_HEADER + description).next_multiple_of(64)
}

/// FNV-1a, 64 bit (Fowler, Noll, Vo), of a file without its checksum.
fn checksum(bytes: &[u8]) -> u64 {
    let (head, tail) = bytes.split_at(CHECKSUM_AT);
    head.iter().chain(&tail[8..]).fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Little-endian numbers; the callers have checked the length.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
