//! Any text as a move, in every notation, in positions that such texts lead to.
#![no_main]

use chuhe::notation::{self, Notation};
use chuhe::position::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut pos = Position::startpos();
    for word in text.split('\n') {
        match notation::read(&pos, word) {
            Ok(mv) => {
                assert!(pos.is_legal(mv), "{word}");
                for form in Notation::ALL {
                    let written = form.write(&pos, mv);
                    assert_eq!(notation::read(&pos, &written), Ok(mv), "{written}");
                }
                pos = pos.make(mv);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
