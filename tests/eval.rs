//! Properties of the static evaluation.

mod common;

use std::sync::Arc;

use chuhe::eval::Evaluator;
use chuhe::position::Position;
use chuhe::types::{Color, Score};
use proptest::prelude::*;

fn pos(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|err| panic!("{fen}: {err}"))
}

fn value(pos: &Position) -> i32 {
    Evaluator::classical().evaluate(pos).value()
}

/// Starting points of walks: an opening, middlegames, endings.
const ROOTS: [&str; 6] = [
    Position::START_FEN,
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1",
    "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1",
    "3k1a3/2P1aP3/4b1n2/8C/6b2/1R5R1/9/9/1rcpr4/3c1K3 w - - 0 1",
    "4k4/9/9/9/9/4N4/9/9/9/3K5 w - - 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn symmetric_and_bounded(root in 0..ROOTS.len(), steps in prop::collection::vec(any::<u16>(), 0..120)) {
        let mut pos = pos(ROOTS[root]);
        let mut evaluator = Evaluator::classical();
        for step in steps {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos = pos.make(moves[step as usize % moves.len()]);
            let value = evaluator.evaluate(&pos);
            prop_assert!(!value.is_decisive());
            prop_assert_eq!(value, evaluator.evaluate(&pos.mirror()), "mirror of {}", pos.fen());
            prop_assert_eq!(value, evaluator.evaluate(&pos.flip()), "flip of {}", pos.fen());
            prop_assert_eq!(value, Evaluator::classical().evaluate(&pos), "state leaks at {}", pos.fen());
        }
    }
}

/// The network that is built in, or one of arbitrary weights where there is none.
fn with_network() -> Evaluator {
    let evaluator = Evaluator::new();
    if evaluator.network().is_some() {
        return evaluator;
    }
    Evaluator::with_network(Arc::new(common::arbitrary_network(32)))
}

/// A network sees the mirror image as the same board unless a king stands on the middle file.
#[test]
fn networks_are_symmetric() {
    let mut evaluator = with_network();
    let (mut mirrored, mut step) = (0, 7usize);
    for root in ROOTS {
        let mut pos = pos(root);
        for _ in 0..100 {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            step = step.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            pos = pos.make(moves[(step >> 33) % moves.len()]);
            let value = evaluator.evaluate(&pos);
            assert!(!value.is_decisive());
            assert_eq!(value, evaluator.evaluate(&pos.flip()), "flip of {}", pos.fen());
            if [Color::Red, Color::Black].iter().all(|&side| pos.king(side).file() != 4) {
                assert_eq!(value, evaluator.evaluate(&pos.mirror()), "mirror of {}", pos.fen());
                mirrored += 1;
            }
        }
    }
    assert!(mirrored > 30, "{mirrored}");
}

#[test]
fn start_position_is_nearly_level() {
    let start = value(&Position::startpos());
    assert!((1..=30).contains(&start), "only the move counts: {start}");
}

#[test]
fn material_rules() {
    // Black lacks the man named; the loss must show at about its worth.
    for (what, fen, least) in [
        ("rook", "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 450),
        ("cannon", "rnbakabnr/9/1c7/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 180),
        ("knight", "rnbakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 150),
        ("advisor", "rnbak1bnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 60),
        ("pawn", "rnbakabnr/9/1c5c1/p1p1p3p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 20),
    ] {
        let value = value(&pos(fen));
        assert!(value > least, "{what}: {value}");
    }
}

#[test]
fn a_side_that_cannot_win_is_never_better() {
    // Red has a full guard and nothing else, Black a lone knight, or nothing.
    for fen in
        ["4k4/9/9/9/9/4n4/9/4B4/4A4/2BAK4 w - - 0 1", "3k5/9/9/9/9/9/9/4B4/4A4/2BAK4 w - - 0 1"]
    {
        let pos = pos(fen);
        assert!(value(&pos) <= 0, "{fen}: {}", value(&pos));
        let network = with_network().evaluate(&pos).value();
        assert!(network <= 0, "{fen}: {network}");
    }
    assert_eq!(value(&pos("3k5/9/9/9/9/9/9/4B4/4A4/2BAK4 w - - 0 1")), 0);
}

#[test]
fn values_fade_with_the_clock() {
    let values: Vec<i32> = [0, 40, 80, 119]
        .into_iter()
        .map(|clock| value(&pos(&format!("3k5/4a4/4b4/9/9/9/R8/9/4A4/4K4 w - - {clock} 60"))))
        .collect();
    assert!(values.is_sorted_by(|a, b| a > b), "{values:?}");
    assert!(values[3] > 0);
}

#[test]
fn a_hollow_cannon_frightens() {
    let hollow = pos("rnbakabnr/9/1c5c1/p1p3p1p/4C4/9/P1P1P1P1P/7C1/9/RNBAKABNR b - - 0 1");
    let aside = pos("rnbakabnr/9/1c5c1/p1p3p1p/3C5/9/P1P1P1P1P/7C1/9/RNBAKABNR b - - 0 1");
    assert!(value(&hollow) < value(&aside) - 60, "{} {}", value(&hollow), value(&aside));
}

#[test]
fn any_placement_stays_in_range() {
    // the most lopsided board there is
    let rout = pos("4k4/9/9/2PPPPP2/9/9/9/1C5C1/9/RNBAKABNR w - - 0 1");
    let value = value(&rout);
    assert!(value > 2_000 && value <= Score::EVAL_MAX.value(), "{value}");
}
