//! Any bytes as an opening book. Half of the inputs are put behind the keys of known positions, which
//! no fuzzer guesses.
#![no_main]

use std::sync::LazyLock;

use chuhe::book::{Book, draw, key};
use chuhe::position::Position;
use libfuzzer_sys::fuzz_target;

/// The start and what the first moves lead to, each with its mirror image.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let start = Position::startpos();
    let first = start.legal_moves().into_iter().map(|mv| start.make(mv));
    [start].into_iter().chain(first).collect()
});

fn check(bytes: &[u8]) {
    match Book::from_bytes(bytes) {
        Ok(book) => {
            assert!(!book.is_empty() && book.len() * 8 <= bytes.len());
            for pos in POSITIONS.iter() {
                let moves = book.moves(pos);
                assert!(moves.iter().all(|known| known.weight > 0 && pos.is_legal(known.mv)));
                assert!(moves.is_sorted_by(|a, b| a.weight >= b.weight));
                assert!(draw(&moves, 0.5).is_some_and(|at| at < moves.len()) || moves.is_empty());
            }
        }
        Err(error) => {
            let words = error.to_string();
            assert!(!words.is_empty() && words.len() < 80 && words.is_ascii(), "{words}");
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    if kind & 1 == 0 {
        return check(rest);
    }
    let mut file = Vec::new();
    for record in rest.chunks(5) {
        let (&at, rest) = record.split_first().unwrap_or((&0, &[]));
        let pos = POSITIONS[usize::from(at) % POSITIONS.len()];
        file.extend(key(&pos)[2].to_le_bytes());
        file.extend(rest);
    }
    check(&file);
});
