//! Cost of the board operations the search leans on. Each figure is for one pass over the same
//! mixed set of positions, so figures are comparable with each other and over time.

#![allow(missing_docs)] // the macro below makes public functions without any

use std::hint::black_box;

use chuhe::position::{MoveKinds, Position};
use chuhe::tools::perft::EpdLine;
use chuhe::types::Move;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const SUITE: &str = include_str!("../perft-data/perft.epd");
/// Every eighth position: openings to endgames, some in check.
const STEP: usize = 8;

fn positions() -> Vec<Position> {
    let lines = SUITE.lines().filter_map(EpdLine::parse).flatten();
    lines.map(|line| line.position).step_by(STEP).collect()
}

fn generation(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("generation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut over_positions = |name: &str, work: &dyn Fn(&Position) -> usize| {
        group.bench_function(name, |b| {
            b.iter(|| positions.iter().map(|pos| work(black_box(pos))).sum::<usize>());
        });
    };
    let generate = |pos: &Position, kinds| {
        let mut count = 0;
        pos.generate(&pos.check_info(), kinds, |mv| {
            black_box(mv);
            count += 1;
        });
        count
    };
    over_positions("check_info", &|pos| pos.check_info().checkers.count() as usize);
    over_positions("in_check", &|pos| pos.in_check() as usize);
    over_positions("legal_moves", &|pos| pos.legal_moves().len());
    over_positions("captures", &|pos| generate(pos, MoveKinds::CAPTURES));
    over_positions("quiets", &|pos| generate(pos, MoveKinds::QUIETS));
    over_positions("count_legal", &|pos| pos.count_legal() as usize);
    group.finish();
}

fn single_moves(c: &mut Criterion) {
    let pairs: Vec<(Position, Move)> = positions()
        .into_iter()
        .flat_map(|pos| pos.legal_moves().into_iter().map(move |mv| (pos, mv)))
        .collect();
    let captures: Vec<(Position, Move)> =
        pairs.iter().copied().filter(|(pos, mv)| pos.captured(*mv).is_some()).collect();
    let mut group = c.benchmark_group("moves");
    let mut over_pairs =
        |name: &str, pairs: &[(Position, Move)], work: &dyn Fn(&Position, Move) -> u64| {
            group.throughput(Throughput::Elements(pairs.len() as u64));
            group.bench_function(name, |b| {
                b.iter(|| {
                    let each = |(pos, mv): &(Position, Move)| work(black_box(pos), black_box(*mv));
                    pairs.iter().map(each).fold(0, u64::wrapping_add)
                });
            });
        };
    over_pairs("is_legal", &pairs, &|pos, mv| pos.is_legal(mv).into());
    over_pairs("gives_check", &pairs, &|pos, mv| pos.gives_check(mv).into());
    over_pairs("make", &pairs, &|pos, mv| pos.make(mv).key());
    over_pairs("key_after", &pairs, &|pos, mv| pos.key_after(mv));
    over_pairs("see_ge quiets and captures", &pairs, &|pos, mv| pos.see_ge(mv, 0).into());
    over_pairs("see_ge captures", &captures, &|pos, mv| pos.see_ge(mv, 0).into());
    group.finish();
}

criterion_group!(benches, generation, single_moves);
criterion_main!(benches);
