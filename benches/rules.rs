//! Cost of adjudication and of the questions a search asks.

#![allow(missing_docs)] // the macro below makes public functions without any

use std::hint::black_box;

use chuhe::position::Position;
use chuhe::rules::{Game, RuleSet};
use chuhe::types::{Move, PieceType};
use criterion::{Criterion, criterion_group, criterion_main};

/// A rook after a knight for ever.
const FEN: &str = "3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1";

/// A number below `n` from a linear congruential generator.
fn below(seed: &mut u64, n: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % n
}

/// A quiet move of any man but a pawn.
fn quiet(pos: &Position, seed: &mut u64) -> Option<Move> {
    let can_return =
        |mv: &Move| pos.captured(*mv).is_none() && !pos.kind(PieceType::Pawn).has(mv.from());
    let moves: Vec<Move> = pos.legal_moves().into_iter().filter(can_return).collect();
    (!moves.is_empty()).then(|| moves[below(seed, moves.len())])
}

/// Goes away at random for `away` moves by each side and comes back the same way.
fn excursion(game: &Game, away: usize, seed: &mut u64) -> Option<Vec<Move>> {
    let mut game = game.clone();
    let first = game.moves().len();
    for ply in 0..4 * away {
        let mv = if ply < 2 * away {
            quiet(game.position(), seed)?
        } else {
            // side by side the moves are taken back, last first
            let back = 2 * away - 2 - (ply - 2 * away) / 2 * 2 + ply % 2;
            let mv = game.moves()[first + back];
            Move::new(mv.to(), mv.from())
        };
        if game.position().captured(mv).is_some() || !game.play(mv) {
            return None;
        }
    }
    Some(game.moves()[first..].to_vec())
}

/// 300 plies without a capture; the last 120 are a long loop, twice.
fn long_game() -> Game {
    let mut seed = 1;
    let mut game = Game::new(Position::startpos());
    while game.moves().len() < 300 {
        // short excursions one after the other, which differ, then the long one
        let away = if game.moves().len() < 180 { 3 } else { 15 };
        if let Some(moves) = excursion(&game, away, &mut seed) {
            let times = if away == 15 { 2 } else { 1 };
            for mv in moves.iter().cycle().take(times * moves.len()) {
                assert!(game.play(*mv));
            }
        }
    }
    game
}

fn adjudication(c: &mut Criterion) {
    let game = long_game();
    // every short excursion ends where it began: count only the two long ones
    let rules = RuleSet { occurrences: Some(3), ..RuleSet::default() };
    assert_eq!(game.judgement(rules).moves.len(), 120);
    let mut group = c.benchmark_group("adjudication");
    group.bench_function("verdict_300_plies", |b| b.iter(|| black_box(&game).verdict(rules)));
    group.bench_function("judgement_300_plies", |b| b.iter(|| black_box(&game).judgement(rules)));
    // every position of the game in turn, as a match runner asks
    group.bench_function("all_positions_of_300_plies", |b| {
        b.iter(|| {
            let mut replay = Game::new(*game.start());
            let mut decided = 0;
            for &mv in game.moves() {
                replay.play(mv);
                decided += usize::from(replay.verdict(rules).word() != "undecided");
            }
            decided
        });
    });
    group.finish();
}

/// A repetition met in a search, without and with a look at the board.
fn search(c: &mut Criterion) {
    let mut game = Game::new(Position::from_fen(FEN).expect("a good FEN"));
    for _ in 0..2 {
        for mv in ["h0i0", "i9h7", "i0h0", "h7i9"] {
            assert!(game.play(mv.parse().expect("a move")), "{mv}");
        }
    }
    let mut group = c.benchmark_group("repetition_in_search");
    for name in ["alwaysdraw", "checkonly", "wxf", "computer", "cxa"] {
        let rules = RuleSet::by_name(name).expect("a rule set");
        let mut line = game.line(rules);
        let pos = *game.position();
        group.bench_function(name, |b| b.iter(|| line.repetition(black_box(&pos), None)));
    }
    group.finish();
}

criterion_group!(benches, adjudication, search);
criterion_main!(benches);
