//! Any bytes as a game record, and as an archive of training games.
#![no_main]

use chuhe::record::{archive, pgn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for record in pgn::read(bytes).records {
        let mut pos = record.start;
        for mv in record.moves() {
            assert!(pos.is_legal(mv));
            pos = pos.make(mv);
        }
    }
    if let Ok(reader) = archive::Reader::new(bytes) {
        for game in reader.take(100) {
            if game.is_err() {
                break;
            }
        }
    }
});
