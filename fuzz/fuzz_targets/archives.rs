//! Any bytes as a game archive, most of them behind a good header. What is read is written again in
//! both formats and must come back.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use chuhe::record::archive::{Format, Game, Header, MAX_MOVES, NO_SCORE, Reader, Writer, quantise};
use libfuzzer_sys::fuzz_target;

static SCRATCH: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("chuhe-fuzz-{}.xgr", std::process::id())));

/// Writes games and reads them back.
fn again(games: &[Game], format: Format) -> Vec<Game> {
    let _ = std::fs::remove_file(&*SCRATCH);
    let header = Header { shards: 1, ..Header::default() };
    let (mut writer, ..) = Writer::open(&SCRATCH, header, format).expect("a new file");
    for game in games {
        writer.append(game).expect("a game that was read");
    }
    writer.close().expect("a whole file");
    let reader = Reader::open(&SCRATCH).expect("what was written");
    reader.map(|game| game.expect("what was written")).collect()
}

fn check(bytes: &[u8]) {
    let reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut games = Vec::new();
    for game in reader {
        match game {
            Ok(game) => games.push(game),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for game in &games {
        assert!(game.moves.len() <= MAX_MOVES && game.scores.len() <= game.moves.len());
        let mut pos = game.start;
        for &mv in &game.moves {
            assert!(pos.is_legal(mv));
            pos = pos.make(mv);
        }
    }
    if games.is_empty() {
        return;
    }
    assert_eq!(again(&games, Format::Xgr1), games);
    for game in &mut games {
        for score in game.scores.iter_mut().filter(|score| **score != NO_SCORE) {
            *score = quantise(*score);
        }
    }
    assert_eq!(again(&games, Format::Xgr2), games);
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    let magic = match kind % 3 {
        0 => return check(rest),
        1 => b"XGR1",
        _ => b"XGR2",
    };
    let mut file = [0; 40];
    file[..4].copy_from_slice(magic);
    file[4] = 1; // the version
    file[7] = 1; // of one shard
    file[32] = kind >> 6; // games promised
    check(&[&file, rest].concat());
});
