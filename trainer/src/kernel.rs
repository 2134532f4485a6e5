//! The inner loops: one tile of 16 neurons through a whole batch, and the optimiser.
//!
//! Plain code compiled for each instruction set, as a row is one AVX-512 register or two AVX ones.
//! Nothing is contracted into fused multiply-adds, so all of them give the same numbers.

use crate::batch::Batch;
use crate::model::{Adam, Rates, Row, Tile};

/// Runs a kernel compiled for the best instructions of this processor.
macro_rules! dispatch {
    ($name:ident, $avx512:ident, $avx2:ident, $plain:ident, ($($arg:ident: $type:ty),*)) => {
        pub(crate) fn $name($($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
                fn $avx512($($arg: $type),*) {
                    $plain($($arg),*)
                }
                #[target_feature(enable = "avx2")]
                fn $avx2($($arg: $type),*) {
                    $plain($($arg),*)
                }
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
                {
                    // SAFETY: the processor has just been asked for these features.
                    return unsafe { $avx512($($arg),*) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has just been asked for this feature.
                    return unsafe { $avx2($($arg),*) };
                }
            }
            $plain($($arg),*)
        }
    };
}

dispatch!(forward, forward_avx512, forward_avx2, forward_plain, (tile: &mut Tile, batch: &Batch));
dispatch!(
    backward,
    backward_avx512,
    backward_avx2,
    backward_plain,
    (tile: &mut Tile, batch: &Batch, slopes: &[f32])
);
dispatch!(
    optimise,
    optimise_avx512,
    optimise_avx2,
    optimise_plain,
    (tile: &mut Tile, rates: &Rates)
);

const LANES: usize = Row::LEN;

/// The sum of the bias and the rows of some features.
#[inline(always)]
fn sum(bias: &Row, rows: &[Row], list: &[u16]) -> Row {
    let mut x = *bias;
    for &feature in list {
        let row = &rows[feature as usize];
        for j in 0..LANES {
            x.0[j] += row.0[j];
        }
    }
    x
}

/// Adds up the lanes in a fixed order.
#[inline(always)]
fn total(row: &Row) -> f32 {
    let mut lanes = row.0;
    let mut half = LANES / 2;
    while half > 0 {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
        half /= 2;
    }
    lanes[0]
}

#[inline(always)]
fn forward_plain(tile: &mut Tile, batch: &Batch) {
    let len = batch.len();
    tile.sums.resize(len, [Row::ZERO; 2]);
    tile.share.resize(len, 0.0);
    let results = tile.sums.iter_mut().zip(&mut tile.share).zip(&batch.buckets);
    for (i, ((sums, share), &bucket)) in results.enumerate() {
        let (own, other) = batch.lists(i);
        let x =
            [sum(&tile.bias.value, &tile.merged, own), sum(&tile.bias.value, &tile.merged, other)];
        *sums = x;
        let weights = &tile.output.values[2 * bucket as usize..][..2];
        let mut products = Row::ZERO;
        for j in 0..LANES {
            let (a, b) = (x[0].0[j].clamp(0.0, 1.0), x[1].0[j].clamp(0.0, 1.0));
            products.0[j] = a * a * weights[0].0[j] + b * b * weights[1].0[j];
        }
        *share = total(&products);
    }
}

#[inline(always)]
fn backward_plain(tile: &mut Tile, batch: &Batch, slopes: &[f32]) {
    let Tile { sums, output, bias, gradient, .. } = tile;
    let all = slopes.iter().zip(sums.iter()).zip(&batch.buckets);
    for (i, ((&slope, sums), &bucket)) in all.enumerate() {
        let lists = batch.lists(i);
        for (p, list) in [lists.0, lists.1].into_iter().enumerate() {
            let at = 2 * bucket as usize + p;
            let (weights, output_gradient) = (&output.values[at], &mut output.gradients[at]);
            let mut delta = Row::ZERO;
            for j in 0..LANES {
                let x = sums[p].0[j];
                let active = x.clamp(0.0, 1.0);
                output_gradient.0[j] += slope * (active * active);
                let inner = slope * weights.0[j] * 2.0 * active;
                delta.0[j] = if x < 1.0 { inner } else { 0.0 };
            }
            for j in 0..LANES {
                bias.gradient.0[j] += delta.0[j];
            }
            for &feature in list {
                let row = &mut gradient[feature as usize];
                for j in 0..LANES {
                    row.0[j] += delta.0[j];
                }
            }
        }
    }
}

/// One step of AdamW (Loshchilov, Hutter 2019) for a row, clipped to ±limit.
#[inline(always)]
fn adam(
    value: &mut Row,
    gradient: &Row,
    moments: &mut Adam,
    rates: &Rates,
    decay: f32,
    limit: f32,
) {
    for j in 0..LANES {
        let g = gradient.0[j];
        let m = Rates::BETA1 * moments.first.0[j] + (1.0 - Rates::BETA1) * g;
        let v = Rates::BETA2 * moments.second.0[j] + (1.0 - Rates::BETA2) * (g * g);
        moments.first.0[j] = m;
        moments.second.0[j] = v;
        let w = value.0[j];
        let step = m * rates.first / ((v * rates.second).sqrt() + Rates::EPSILON);
        value.0[j] = (w - rates.lr * (step + decay * w)).clamp(-limit, limit);
    }
}

#[inline(always)]
fn optimise_plain(tile: &mut Tile, rates: &Rates) {
    let decay = rates.decay;
    let features = tile.shared.len();
    if features == 0 {
        let rows = tile.merged.iter_mut().zip(&mut tile.gradient).zip(&mut tile.own_moments);
        for ((value, gradient), moments) in rows {
            adam(value, gradient, moments, rates, decay, Rates::INPUT_LIMIT);
            *gradient = Row::ZERO;
        }
    } else {
        let half = Rates::INPUT_LIMIT / 2.0;
        for feature in 0..features {
            let mut gradient = Row::ZERO;
            for row in tile.gradient[feature..].iter().step_by(features) {
                for j in 0..LANES {
                    gradient.0[j] += row.0[j];
                }
            }
            let moments = &mut tile.shared_moments[feature];
            adam(&mut tile.shared[feature], &gradient, moments, rates, decay, half);
        }
        let blocks = tile.merged.chunks_mut(features).zip(tile.own.chunks_mut(features));
        let states = tile.gradient.chunks_mut(features).zip(tile.own_moments.chunks_mut(features));
        for ((merged, own), (gradient, moments)) in blocks.zip(states) {
            let rows = merged.iter_mut().zip(own).zip(gradient.iter_mut().zip(moments));
            for (((merged, own), (gradient, moments)), shared) in rows.zip(&tile.shared) {
                adam(own, gradient, moments, rates, decay, half);
                *gradient = Row::ZERO;
                for j in 0..LANES {
                    merged.0[j] = own.0[j] + shared.0[j];
                }
            }
        }
    }
    let bias = &mut tile.bias;
    adam(&mut bias.value, &bias.gradient, &mut bias.moments, rates, 0.0, Rates::INPUT_LIMIT);
    bias.gradient = Row::ZERO;
    let output = &mut tile.output;
    let rows = output.values.iter_mut().zip(&mut output.gradients).zip(&mut output.moments);
    for ((value, gradient), moments) in rows {
        adam(value, gradient, moments, rates, decay, Rates::OUTPUT_LIMIT);
        *gradient = Row::ZERO;
    }
}
