//! Any text as a FEN: an error in words, or a position that holds what positions promise.
#![no_main]

use chuhe::position::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match Position::from_fen(text) {
    Ok(pos) => {
        pos.validate().expect("a position that was read is valid");
        assert_eq!(Position::from_fen(&pos.fen()), Ok(pos), "{}", pos.fen());
        for mv in pos.legal_moves() {
            pos.make(mv).validate().expect("a legal move leads to a valid position");
        }
    }
    Err(error) => {
        let words = error.to_string();
        assert!(!words.is_empty() && words.len() < 80 && words.is_ascii(), "{words}");
    }
});
