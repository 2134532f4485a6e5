//! The arithmetic of the network in plain code. Every instruction set runs these very functions or,
//! for what is dear, a hand-written twin that gives the same number: nothing here rounds, and no sum
//! overflows for weights within the limits that the network checks, so order does not matter.

/// 32 neurons, one cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; Block::LEN]);

impl Block {
    pub(super) const LEN: usize = 32;
    pub(super) const ZERO: Block = Block([0; Block::LEN]);
}

/// One unit of a first-layer value: the activation saturates at 1.
pub(super) const UNIT: i16 = 255;

/// Rows of the first layer that a move adds and takes away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    /// The man on its new point.
    pub(super) add: &'a [Block],
    /// The man on its old point.
    pub(super) sub: &'a [Block],
    /// The man it captured.
    pub(super) taken: Option<&'a [Block]>,
}

/// `out = from + add - sub - taken`, neuron by neuron. All slices have the same length.
#[inline(always)]
pub(super) fn update(out: &mut [Block], from: &[Block], rows: Rows<'_>) {
    for ((out, from), (add, sub)) in out.iter_mut().zip(from).zip(rows.add.iter().zip(rows.sub)) {
        for i in 0..Block::LEN {
            out.0[i] = from.0[i].wrapping_add(add.0[i]).wrapping_sub(sub.0[i]);
        }
    }
    for (out, taken) in out.iter_mut().zip(rows.taken.unwrap_or_default()) {
        for i in 0..Block::LEN {
            out.0[i] = out.0[i].wrapping_sub(taken.0[i]);
        }
    }
}

/// [`update`] for both perspectives and then [`forward`], in one pass over memory. `weights` are
/// the output weights of each perspective; both perspectives have a captured man, or none has.
pub(super) fn step(
    out: [&mut [Block]; 2],
    from: [&[Block]; 2],
    rows: [Rows<'_>; 2],
    weights: [&[Block]; 2],
) -> i64 {
    let mut sum = 0;
    for (((out, from), rows), weights) in out.into_iter().zip(from).zip(rows).zip(weights) {
        update(out, from, rows);
        sum += forward(out, &[], weights);
    }
    sum
}

/// Blocks a refresh keeps in registers while it goes through the rows.
const TILE: usize = 4;

/// Adds some rows to an accumulator and subtracts others. `rows` holds all rows, each as long as
/// `values`.
#[inline(always)]
pub(super) fn refresh(values: &mut [Block], rows: &[Block], add: &[u16], sub: &[u16]) {
    let len = values.len();
    for (index, tile) in values.chunks_mut(TILE).enumerate() {
        let row = |feature: u16| {
            let start = feature as usize * len + index * TILE;
            rows.get(start..start + tile_len(len, index)).unwrap_or_default()
        };
        let mut sum = [Block::ZERO; TILE];
        for (sum, value) in sum.iter_mut().zip(tile.iter()) {
            *sum = *value;
        }
        for &feature in add {
            for (sum, weight) in sum.iter_mut().zip(row(feature)) {
                for i in 0..Block::LEN {
                    sum.0[i] = sum.0[i].wrapping_add(weight.0[i]);
                }
            }
        }
        for &feature in sub {
            for (sum, weight) in sum.iter_mut().zip(row(feature)) {
                for i in 0..Block::LEN {
                    sum.0[i] = sum.0[i].wrapping_sub(weight.0[i]);
                }
            }
        }
        for (value, sum) in tile.iter_mut().zip(sum) {
            *value = sum;
        }
    }
}

#[inline(always)]
fn tile_len(len: usize, index: usize) -> usize {
    (len - index * TILE).min(TILE)
}

/// The output sum: Σ clamp(x, 0, 1)² · w over both perspectives, in units of
/// 1 / (255² · output unit).
/// `weights` holds those of the side to move, then the other's.
#[inline(always)]
pub(super) fn forward(own: &[Block], other: &[Block], weights: &[Block]) -> i64 {
    let mut sums = [0i32; Block::LEN];
    for (block, weights) in own.iter().chain(other).zip(weights) {
        for (sum, (&value, &weight)) in sums.iter_mut().zip(block.0.iter().zip(&weights.0)) {
            let active = value.clamp(0, UNIT);
            // 255 * 127 fits 16 bits; so the square costs two cheap multiplications
            let product = active.wrapping_mul(weight);
            *sum = sum.wrapping_add(i32::from(product) * i32::from(active));
        }
    }
    sums.iter().map(|&sum| i64::from(sum)).sum()
}
