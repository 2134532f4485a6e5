//! Speed of the static evaluation.

#![allow(missing_docs)] // the macro below makes public functions without any

use chuhe::eval::Evaluator;
use chuhe::position::Position;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Positions of a few hundred pseudo-random games, so that branch prediction learns no single board.
fn positions() -> Vec<Position> {
    let mut seed = 7u64;
    let mut all = Vec::new();
    while all.len() < 4_096 {
        let mut pos = Position::startpos();
        for ply in 0..80 {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            pos = pos.make(moves[(seed >> 33) as usize % moves.len()]);
            if ply > 8 && !pos.in_check() {
                all.push(pos);
            }
        }
    }
    all
}

fn evaluate(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("eval");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("classical", |b| {
        b.iter_batched(
            Evaluator::classical,
            |mut evaluator| {
                for pos in &positions {
                    black_box(evaluator.evaluate(black_box(pos)));
                }
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
