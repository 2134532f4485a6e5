//! What several test binaries share; each uses only a part.
#![allow(dead_code)]

pub(crate) mod naive;
pub(crate) mod walk;

use std::fs;
use std::path::Path;

use chuhe::eval::nnue::{Network, Parts, features};
use chuhe::position::Position;
use chuhe::tools::perft::EpdLine;

/// A file of the source tree as text.
pub(crate) fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of `perft-data/perft.epd`.
pub(crate) fn suite() -> Vec<EpdLine> {
    let text = read("perft-data/perft.epd");
    let lines: Vec<EpdLine> =
        text.lines().filter_map(EpdLine::parse).map(|line| line.expect("a good line")).collect();
    assert!(lines.len() > 400, "{} lines", lines.len());
    lines
}

/// Rows of a tab-separated file, comments left out.
pub(crate) fn rows(path: &str) -> Vec<Vec<String>> {
    let split = |line: &str| line.split('\t').map(str::to_string).collect();
    read(path).lines().filter(|line| !line.starts_with('#')).map(split).collect()
}

/// Start positions of the opening list, every `step`th.
pub(crate) fn openings(step: usize) -> Vec<Position> {
    let parse = |line: &str| {
        let fen: Vec<&str> = line.split_whitespace().take(6).collect();
        Position::from_fen(&fen.join(" ")).expect("a good opening")
    };
    read("tests/data/openings.epd").lines().step_by(step).map(parse).collect()
}

/// A network of arbitrary weights, always the same, with six king buckets.
pub(crate) fn arbitrary_network(width: usize) -> Network {
    let weights = |count: usize, limit: usize| -> Vec<i16> {
        let weight = |i: usize| (i.wrapping_mul(0x9e37_79b1) >> 7) % (2 * limit + 1);
        (0..count).map(|i| weight(i) as i16 - limit as i16).collect()
    };
    let parts = Parts {
        buckets: 6,
        width,
        scale: 300,
        weights: weights(6 * features::PER_BUCKET * width, 60),
        bias: weights(width, 100),
        output_unit: 64,
        output: weights(features::OUTPUT_BUCKETS * 2 * width, 60),
        ..Parts::default()
    };
    Network::new(&parts).expect("a sound network")
}
