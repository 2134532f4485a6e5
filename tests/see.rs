//! Static exchange evaluation against a search of the exchange with real moves.

mod common;

use std::collections::BTreeSet;

use chuhe::position::{Position, exchange_value};
use chuhe::types::{Move, Square};
use common::walk::{Random, walk};

/// The legal captures on `target` by the least valuable kind of man that has one.
fn cheapest_captures(pos: &Position, target: Square) -> Vec<Move> {
    let value = |mv: &Move| pos.piece_on(mv.from()).map_or(0, |piece| exchange_value(piece.kind()));
    let captures: Vec<Move> =
        pos.legal_moves().into_iter().filter(|mv| mv.to() == target).collect();
    let least = captures.iter().map(value).min();
    captures.into_iter().filter(|mv| Some(value(mv)) == least).collect()
}

/// What the side to move gains on `target` when both take with the least valuable man or stop:
/// every outcome that some choice between equal men leads to.
fn outcomes(pos: &Position, target: Square) -> BTreeSet<i32> {
    let captures = cheapest_captures(pos, target);
    if captures.is_empty() {
        return BTreeSet::from([0]);
    }
    let replies = captures.iter().flat_map(|&mv| outcomes_after(pos, mv));
    replies.map(|gain| gain.max(0)).collect()
}

/// The same when `mv` has to be played.
fn outcomes_after(pos: &Position, mv: Move) -> BTreeSet<i32> {
    let gain = pos.captured(mv).map_or(0, |victim| exchange_value(victim.kind()));
    outcomes(&pos.make(mv), mv.to()).into_iter().map(|reply| gain - reply).collect()
}

#[test]
fn see_equals_the_exchange_search() {
    let mut random = Random::new(21);
    let (mut exchanges, mut ambiguous) = (0, 0);
    let mut visit = |pos: &Position| {
        for mv in pos.legal_moves() {
            let outcomes = outcomes_after(pos, mv);
            exchanges += usize::from(outcomes != BTreeSet::from([0]));
            ambiguous += usize::from(outcomes.len() > 1);
            let (low, high) = (outcomes.first().copied(), outcomes.last().copied());
            for threshold in
                outcomes.iter().flat_map(|&v| [v - 1, v, v + 1]).chain([-300, 0, 1, 300])
            {
                let answer = pos.see_ge(mv, threshold);
                let possible = match answer {
                    true => high >= Some(threshold),
                    false => low < Some(threshold),
                };
                assert!(possible, "{mv} >= {threshold} is {answer}, not {outcomes:?}, in {pos}");
            }
        }
    };
    for line in common::suite() {
        walk(line.position, 6, &mut random, &mut visit);
    }
    for start in common::openings(30) {
        walk(start, 30, &mut random, &mut visit);
    }
    assert!(exchanges > 10_000 && 50 * ambiguous < exchanges, "{exchanges} {ambiguous}");
}

/// Positions made for one feature of the exchange each.
#[test]
fn special_exchanges() {
    for (fen, mv, value) in [
        // an unprotected rook, and a quiet move onto an attacked point
        ("3k5/9/9/r8/9/9/R8/9/9/4K4 w", "a3a6", 600),
        ("3k5/9/9/r8/9/9/1R7/9/9/4K4 w", "b3a3", -600),
        ("3k5/9/9/r8/9/9/1R7/9/9/4K4 w", "b3b4", 0),
        // the king takes back, unless the enemy king guards the open file
        ("4k4/4r4/9/9/9/9/9/9/4R4/3K5 w", "e1e8", 0),
        ("4k4/4r4/9/9/9/9/9/9/4R4/4K4 w", "e1e8", 600),
        // the rook that leaves the line of a cannon uncovers a check, so nobody may take it
        ("CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w", "b9b3", 0),
    ] {
        let pos = Position::from_fen(fen).expect("a position");
        let mv: Move = mv.parse().expect("a move");
        assert_eq!(outcomes_after(&pos, mv), BTreeSet::from([value]), "{fen}");
        assert!(pos.see_ge(mv, value) && !pos.see_ge(mv, value + 1), "{fen}");
    }
}
