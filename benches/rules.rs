//! Cost of adjudication and of the questions a search asks.

#![allow(missing_docs)] // the macro below makes public functions without any

use std::hint::black_box;

use chuhe::position::Position;
use chuhe::rules::{Game, RuleSet};
use chuhe::types::Move;
use criterion::{Criterion, criterion_group, criterion_main};

/// A chase that goes on for ever: rook after knight.
const FEN: &str = "2bakab2/9/4c4/8n/p3p1p1p/9/P1P1P1P1P/4C4/9/2BAKAB1R w - - 0 1";

/// 300 plies in which every position occurs once or twice, then the last loop completes a third
/// occurrence after 120 reversible plies.
fn long_game() -> Game {
    let mut game = Game::new(Position::startpos());
    let mut seed = 7u64;
    while game.moves().len() < 300 {
        let pos = game.position();
        let quiet: Vec<Move> =
            pos.legal_moves().into_iter().filter(|&mv| pos.captured(mv).is_none()).collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let last = game.moves().len().checked_sub(2).map(|i| game.moves()[i]);
        let back = last.map(|mv| Move::new(mv.to(), mv.from())).filter(|mv| quiet.contains(mv));
        // every other move goes back, so that positions recur
        let mv =
            back.filter(|_| seed >> 62 == 0).unwrap_or(quiet[(seed >> 33) as usize % quiet.len()]);
        assert!(game.play(mv));
    }
    let last = game.moves()[298..].to_vec();
    for _ in 0..2 {
        for mv in [last[0], last[1]]
            .map(|mv| Move::new(mv.to(), mv.from()))
            .into_iter()
            .chain(last.clone())
        {
            game.play(mv);
        }
    }
    game
}

fn adjudication(c: &mut Criterion) {
    let game = long_game();
    let rules = RuleSet::default();
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
        for mv in ["i0i1", "i6g5", "i1i0", "g5i6"] {
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
