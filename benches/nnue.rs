//! Speed of the network: bringing the sums up to date after a move, and the output.
#![allow(missing_docs)] // the macros of criterion make public functions

use std::hint::black_box;
use std::sync::Arc;

use chuhe::eval::nnue::{Backend, Change, Network, Parts, State, features};
use chuhe::position::Position;
use chuhe::types::Move;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % n
    }
}

fn network(width: usize) -> Arc<Network> {
    let mut random = Random(3);
    let mut weights = |count: usize, limit: i16| -> Vec<i16> {
        (0..count).map(|_| random.below(2 * limit as usize + 1) as i16 - limit).collect()
    };
    let parts = Parts {
        buckets: 6,
        width,
        scale: 300,
        weights: weights(6 * features::PER_BUCKET * width, 100),
        bias: weights(width, 100),
        output_unit: 64,
        output: weights(features::OUTPUT_BUCKETS * 2 * width, 100),
        ..Parts::default()
    };
    Arc::new(Network::new(&parts).expect("a sound network"))
}

/// Random games from the start position.
fn games() -> Vec<Vec<Move>> {
    let mut random = Random(7);
    let play = |_| {
        let mut pos = Position::startpos();
        let mut moves = Vec::new();
        while moves.len() < 80 && pos.has_legal_move() {
            let list = pos.legal_moves();
            let mv = list[random.below(list.len())];
            moves.push(mv);
            pos = pos.make(mv);
        }
        moves
    };
    (0..50).map(play).collect()
}

fn evaluate(c: &mut Criterion) {
    let games = games();
    let plies: usize = games.iter().map(Vec::len).sum();
    let start = Position::startpos();
    let mut group = c.benchmark_group("nnue");
    group.sample_size(20);
    group.throughput(Throughput::Elements(plies as u64));
    group.bench_function("move alone", |b| {
        b.iter(|| {
            let mut total = 0;
            for game in &games {
                let mut pos = start;
                for &mv in game {
                    pos = pos.make(mv);
                    total ^= pos.key();
                }
            }
            black_box(total)
        });
    });
    for width in [64, 128, 256, 512] {
        let network = network(width);
        for backend in Backend::available() {
            let mut state = State::with_backend(Arc::clone(&network), backend);
            group.bench_function(format!("move and value, {width}, {}", backend.name()), |b| {
                b.iter(|| {
                    let mut total = 0;
                    for game in &games {
                        let mut pos = start;
                        state.reset(&pos);
                        for (ply, &mv) in game.iter().enumerate() {
                            let mut change = Change::default();
                            pos = pos.make_observed(mv, &mut change);
                            state.push(&pos, change, ply);
                            total += state.evaluate_at(&pos, ply + 1);
                        }
                    }
                    black_box(total)
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
