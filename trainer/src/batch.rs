//! Batches: features and targets of some thousand positions, ready for the kernels.

use chuhe::eval::nnue::features::{PER_BUCKET, View, output_bucket_of};
use chuhe::record::archive::Packed;
use chuhe::types::{PieceType, Square};

use crate::random::mix;
use crate::sigmoid;

/// What turns labels into targets.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// Share of the game result in the target, 0..=1.
    pub lambda: f32,
    /// Centipawns for an output of 1.
    pub scale: f32,
}

/// Features and targets of positions.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// For each position the features of the side to move, then as many of the other.
    features: Vec<u16>,
    /// Where the features of each position begin, and where the last ones end.
    starts: Vec<u32>,
    /// Output bucket of each position.
    pub buckets: Vec<u8>,
    /// Target of each position, 0..=1.
    pub targets: Vec<f32>,
    /// Winning chance according to the score alone.
    pub chances: Vec<f32>,
    /// Points made, 0, ½ or 1.
    pub points: Vec<f32>,
}

impl Batch {
    /// Positions.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Removes all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.features.clear();
        self.starts.clear();
        self.starts.push(0);
        self.buckets.clear();
        self.targets.clear();
        self.chances.clear();
        self.points.clear();
    }

    /// The features of the side to move and of the other, bucket included.
    #[inline(always)]
    pub fn lists(&self, i: usize) -> (&[u16], &[u16]) {
        let both = &self.features[self.starts[i] as usize..self.starts[i + 1] as usize];
        both.split_at(both.len() / 2)
    }

    /// Adds a position. `mirror`: a perspective whose king stands on the middle file, where both
    /// ways of looking are equal, takes the one it does not take at play.
    pub fn push(&mut self, packed: &Packed, buckets: usize, targets: Targets, mirror: bool) {
        let side = packed.side();
        let view = |side| {
            // a packed board always has its kings; any square will do for one that has not
            let view = View::new(side, packed.king(side).unwrap_or(Square::E0));
            if mirror && view.is_central() { view.mirrored() } else { view }
        };
        let mut majors = 0;
        for view in [view(side), view(!side)] {
            let base = view.bucket(buckets) * PER_BUCKET;
            let feature = |(piece, sq)| (base + view.feature(piece, sq)) as u16;
            self.features.extend(packed.men().map(feature));
        }
        for (piece, _) in packed.men() {
            let kind = piece.kind();
            majors +=
                matches!(kind, PieceType::Rook | PieceType::Knight | PieceType::Cannon) as usize;
        }
        self.starts.push(self.features.len() as u32);
        self.buckets.push(output_bucket_of(majors) as u8);
        let label = packed.label();
        let chance = sigmoid(f32::from(label.score) / targets.scale);
        let points = f32::from(label.points) / 2.0;
        self.targets.push((1.0 - targets.lambda) * chance + targets.lambda * points);
        self.chances.push(chance);
        self.points.push(points);
    }
}

/// Whether the sample `index` is mirrored in an epoch: half of them are.
pub fn is_mirrored(seed: u64, epoch: u32, index: u32) -> bool {
    mix(mix(seed ^ u64::from(epoch) << 32) ^ u64::from(index)) & 1 == 1
}
