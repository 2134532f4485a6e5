//! `XGR2`: the compact archive says what the plain one says, in the bytes it said it in before.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use chuhe::position::Position;
use chuhe::record::archive::{
    ArchiveError, Ending, Flags, Format, Game, GameResult, Header, NO_SCORE, Packed, Reader,
    Writer, quantise,
};
use chuhe::tools::archive::convert;
use common::walk::Random;
use tempfile::TempDir;

const HEADER: Header = Header {
    shard: 1,
    shards: 4,
    seed: 0x0123_4567_89ab_cdef,
    network: 77,
    nodes: 300,
    scale: 250,
    flags: Flags::MIXED_OPENINGS,
};

/// Random games, from the start and from elsewhere, with scores of every kind.
fn games(count: usize, moves: usize) -> Vec<Game> {
    let mut random = Random::new(29);
    let mut start = Position::startpos();
    let mut play = |i: usize| {
        let first = if i % 3 == 2 { start } else { Position::startpos() };
        let mut pos = first;
        let mut played = Vec::new();
        while played.len() < moves + i % 20 && pos.has_legal_move() {
            let list = pos.legal_moves();
            played.push(list[random.below(list.len())]);
            pos = pos.make(played[played.len() - 1]);
        }
        // counters of a start are not kept
        start = Packed::board(&pos).position().expect("a position of a game");
        let unscored = random.below(9).min(played.len());
        let mut score = 0;
        let mut tell = |ply: usize| match random.below(24) {
            0 => NO_SCORE,
            1 => 31_000 + ply as i16,
            2 => -31_993,
            3 => (random.below(60_001) as i32 - 30_000) as i16,
            _ => {
                score = (score + random.below(121) as i16 - 60).clamp(-2_500, 2_500);
                score
            }
        };
        let scores = (unscored..played.len()).map(&mut tell);
        Game {
            start: first,
            result: [GameResult::BlackWins, GameResult::Draw, GameResult::RedWins][i * 7 % 3],
            ending: Ending::ALL[i % Ending::ALL.len()],
            scores: scores.collect(),
            moves: played,
        }
    };
    (0..count).map(&mut play).collect()
}

fn rounded(games: &[Game]) -> Vec<Game> {
    let round = |game: &Game| {
        let scores = game.scores.iter().map(|&score| quantise(score)).collect();
        Game { scores, ..game.clone() }
    };
    games.iter().map(round).collect()
}

fn write(path: &Path, games: &[Game], format: Format) -> Vec<u8> {
    let (mut writer, ..) = Writer::open(path, HEADER, format).expect("a new file");
    games.iter().for_each(|game| writer.append(game).expect("written"));
    writer.close().expect("closed");
    fs::read(path).expect("the file")
}

fn read(bytes: &[u8]) -> Result<Vec<Game>, ArchiveError> {
    Reader::new(bytes)?.collect()
}

#[test]
fn scores_are_rounded_evenly() {
    let chance = |score: i16| 1.0 / (1.0 + (-f64::from(score) / 300.0).exp());
    let mut last = quantise(-30_000);
    let mut levels = 1;
    for score in -30_000..=30_000 {
        let rounded = quantise(score);
        assert_eq!(quantise(rounded), rounded, "{score}");
        assert_eq!(quantise(-score), -rounded, "{score}");
        assert!(rounded >= last, "{score}");
        assert!((chance(rounded) - chance(score)).abs() < 1.0 / 511.0 + 0.0008, "{score}");
        // training leaves out the same positions
        assert_eq!(rounded.abs() > 2_000, score.abs() > 2_000, "{score}");
        levels += (rounded != last) as u32;
        last = rounded;
    }
    assert_eq!((levels, quantise(0), quantise(-5)), (271, 0, -5));
    for exact in [NO_SCORE, 32_000, -32_000, 31_987, -30_001] {
        assert_eq!(quantise(exact), exact);
    }
}

#[test]
fn both_formats_say_the_same() {
    let dir = TempDir::new().expect("a directory");
    let path = |name: &str| dir.path().join(name);
    let games = games(60, 30);
    let first = write(&path("a.1"), &games, Format::Xgr1);
    let done = convert(&path("a.1"), &path("a.2"), Format::Xgr2).expect("converted");
    assert_eq!((done.games, done.cut), (60, None));
    let compact = fs::read(path("a.2")).expect("the file");
    assert_eq!(done.bytes, compact.len() as u64);
    assert!(2 * compact.len() < first.len(), "{} of {} bytes", compact.len(), first.len());
    assert_eq!(read(&compact), Ok(rounded(&games)));
    assert_eq!(compact, write(&path("b.2"), &games, Format::Xgr2));
    let reader = Reader::open(&path("a.2")).expect("an archive");
    assert_eq!((reader.header(), reader.format(), reader.promised()), (HEADER, Format::Xgr2, 60));
    convert(&path("a.2"), &path("b.1"), Format::Xgr1).expect("converted");
    let plain = fs::read(path("b.1")).expect("the file");
    assert_eq!(plain, write(&path("c.1"), &rounded(&games), Format::Xgr1));
    convert(&path("b.1"), &path("c.2"), Format::Xgr2).expect("converted");
    assert!(fs::read(path("c.2")).expect("the file") == compact);
    let error = convert(&path("b.1"), &path("c.2"), Format::Xgr2).expect_err("it exists");
    assert!(error.to_string().ends_with("exists already"), "{error}");
    assert!(!path("c.2.part").exists());
}

#[test]
fn the_format_stays_as_it_is() {
    let golden = |name: &str| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/archives").join(name);
        fs::read(path).expect("a golden file")
    };
    let (plain, compact) = (golden("golden.xgr1"), golden("golden.xgr2"));
    let games = read(&plain).expect("games");
    assert!(games.iter().any(|game| game.start != Position::startpos()));
    assert_eq!(read(&compact), Ok(games.clone()));
    let dir = TempDir::new().expect("a directory");
    let header = Reader::new(&plain[..]).expect("an archive").header();
    for (format, bytes) in [(Format::Xgr1, plain), (Format::Xgr2, compact)] {
        let path = dir.path().join(format!("{format:?}"));
        let (mut writer, ..) = Writer::open(&path, header, format).expect("a new file");
        games.iter().for_each(|game| writer.append(game).expect("written"));
        writer.close().expect("closed");
        assert!(fs::read(&path).expect("the file") == bytes, "{format:?}");
    }
}

#[test]
fn damage_is_noticed() {
    let dir = TempDir::new().expect("a directory");
    let bytes = write(&dir.path().join("a"), &games(6, 25), Format::Xgr2);
    for cut in 0..bytes.len() {
        assert!(read(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    let mut random = Random::new(3);
    for _ in 0..2_000 {
        let mut damaged = bytes.clone();
        let at = random.below(damaged.len());
        damaged[at] ^= 1 << random.below(8);
        let error = read(&damaged).expect_err("damage").to_string();
        assert!(error.is_ascii() && !error.contains('\n'), "{error}");
    }
    let header: [u8; 40] = std::array::from_fn(|i| bytes[i]);
    let endless = [&header[..], &[255; 100]].concat();
    assert_eq!(read(&endless), Err(ArchiveError::BadGame(1, "impossible length")));
}

/// FNV-1a in 32 bits, as the document tells it.
fn fnv(start: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

/// Bytes that no writer wrote, but with the right checksum, meet the decoder itself.
#[test]
fn forged_games_are_games_or_errors() {
    let dir = TempDir::new().expect("a directory");
    let mut header = write(&dir.path().join("a"), &[], Format::Xgr2);
    assert_eq!(header.len(), 40);
    header[32..].fill(0);
    let mut random = Random::new(8);
    let (mut read_well, mut refused) = (0, 0);
    for i in 0..600 {
        let length = random.below(if i % 10 == 0 { 3_000 } else { 120 });
        let payload: Vec<u8> = match i % 3 {
            0 => vec![random.below(256) as u8; length],
            _ => (0..length).map(|_| random.below(256) as u8).collect(),
        };
        let mut frame: Vec<u8> = match length {
            0..128 => vec![length as u8],
            _ => vec![length as u8 | 128, (length >> 7) as u8],
        };
        frame.extend(payload);
        let block = fnv(fnv(2_166_136_261, &header[..32]), &0u64.to_le_bytes());
        let hash = fnv(block, &frame);
        frame.extend_from_slice(&((hash >> 16) as u16 ^ hash as u16).to_le_bytes());
        match read(&[&header[..], &frame].concat()) {
            Ok(games) => {
                read_well += 1;
                let game = &games[0];
                assert!(game.moves.len() <= 4_096 && game.scores.len() <= game.moves.len());
                assert_eq!(game.samples().count(), game.moves.len());
            }
            Err(ArchiveError::BadGame(1, "wrong checksum")) => panic!("checksum {i}"),
            Err(_) => refused += 1,
        }
    }
    assert!(read_well > 0 && refused > 50, "{read_well} read, {refused} refused");
}

#[test]
fn a_file_goes_on_where_it_was_cut_off() {
    let dir = TempDir::new().expect("a directory");
    let games = games(8, 12);
    let whole = write(&dir.path().join("whole"), &games, Format::Xgr2);
    let part = dir.path().join("part");
    for cut in 0..whole.len() {
        let mut bytes = whole[..cut].to_vec();
        if cut >= 40 {
            bytes[32..40].fill(0); // as it is while being written
        }
        match cut % 3 {
            0 if cut >= 40 => bytes.resize(5_000, 0), // power failed
            _ => {}
        }
        fs::write(&part, bytes).expect("written");
        // the format asked for is that of a new file
        let format = if cut < 40 { Format::Xgr2 } else { Format::Xgr1 };
        let (mut writer, done, _) = Writer::open(&part, HEADER, format).expect("a file cut off");
        games[done as usize..].iter().for_each(|game| writer.append(game).expect("written"));
        writer.close().expect("closed");
        assert!(fs::read(&part).expect("the file") == whole, "cut at {cut}");
    }
    // damage is no cut
    let mut bytes = whole.clone();
    bytes[60] ^= 1;
    fs::write(&part, &bytes).expect("written");
    assert!(matches!(
        Writer::open(&part, HEADER, Format::Xgr2),
        Err(ArchiveError::BadGame(1, "wrong checksum"))
    ));
    assert!(fs::read(&part).expect("the file") == bytes);
}

/// What was learned is forgotten after 4,096 games; writing may go on on either side of that.
#[test]
fn blocks_follow_each_other() {
    let dir = TempDir::new().expect("a directory");
    let games = games(4_100, 1);
    let whole = write(&dir.path().join("whole"), &games, Format::Xgr2);
    assert_eq!(read(&whole), Ok(rounded(&games)));
    let path = dir.path().join("part");
    for range in [0..4_095, 4_095..4_096, 4_096..4_100] {
        let (mut writer, done, _) = Writer::open(&path, HEADER, Format::Xgr2).expect("a file");
        assert_eq!(done, range.start as u64);
        games[range].iter().for_each(|game| writer.append(game).expect("written"));
        writer.close().expect("closed");
    }
    assert!(fs::read(&path).expect("the file") == whole);
}

#[test]
fn games_that_cannot_be_are_not_written() {
    let dir = TempDir::new().expect("a directory");
    let game = games(1, 10).remove(0);
    let illegal = Game { moves: vec![game.moves[0]; 2], scores: Vec::new(), ..game.clone() };
    let too_many = Game { scores: vec![0; 20], ..game };
    for (i, game) in [illegal, too_many].iter().enumerate() {
        let path = dir.path().join(i.to_string());
        let (mut writer, ..) = Writer::open(&path, HEADER, Format::Xgr2).expect("a new file");
        assert!(matches!(writer.append(game), Err(ArchiveError::BadGame(1, _))));
        assert_eq!(fs::metadata(&path).expect("the file").len(), 40);
    }
}

/// Writes the golden files. Only for a new version of the format, never for a changed one.
#[test]
#[ignore = "writes to the source tree"]
fn write_golden_files() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/archives");
    fs::create_dir_all(&dir).expect("a directory");
    for (name, format) in [("golden.xgr1", Format::Xgr1), ("golden.xgr2", Format::Xgr2)] {
        let path = dir.join(name);
        assert!(!path.exists(), "{name} is there");
        write(&path, &rounded(&games(40, 40)), format);
    }
}
