//! Game archives: what is written is read, what is damaged is noticed, what was cut off goes on.

mod common;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use chuhe::position::Position;
use chuhe::record::archive::{
    ArchiveError, Ending, Flags, Format, Game, GameResult, Header, Label, NO_SCORE, Packed, Reader,
    Writer,
};
use chuhe::tools::datagen::{self, Args, Openings};
use chuhe::types::Color;
use common::walk::Random;

const HEADER: Header = Header {
    shard: 1,
    shards: 4,
    seed: 0x0123_4567_89ab_cdef,
    network: 77,
    nodes: 300,
    scale: 250,
    flags: Flags::RELABELLED,
};

/// A file of its own for each test, removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("chuhe-{}-{name}.xgr", std::process::id()));
        let _ = fs::remove_file(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Random games, from the start and from elsewhere.
fn games(count: usize) -> Vec<Game> {
    let mut random = Random::new(21);
    let mut start = Position::startpos();
    let play = |i: usize| {
        let mut pos = if i % 3 == 2 { start } else { Position::startpos() };
        let first = pos;
        let mut moves = Vec::new();
        while moves.len() < 20 + i && pos.has_legal_move() {
            let list = pos.legal_moves();
            moves.push(list[random.below(list.len())]);
            pos = pos.make(moves[moves.len() - 1]);
        }
        // counters of a start are not kept
        start = Packed::board(&pos).position().expect("a position of a game");
        let scores = (random.below(9)..moves.len()).map(|ply| match ply % 11 {
            3 => NO_SCORE,
            4 => -31_993,
            _ => random.below(4_001) as i16 - 2_000,
        });
        Game {
            start: first,
            result: [GameResult::BlackWins, GameResult::Draw, GameResult::RedWins][i % 3],
            ending: Ending::ALL[i % Ending::ALL.len()],
            scores: scores.collect(),
            moves,
        }
    };
    (0..count).map(play).collect()
}

fn write(scratch: &Scratch, games: &[Game]) {
    let (mut writer, ..) = Writer::open(&scratch.0, HEADER, Format::Xgr1).expect("a new file");
    games.iter().for_each(|game| writer.append(game).expect("written"));
    writer.close().expect("closed");
}

fn read(bytes: &[u8]) -> Result<Vec<Game>, ArchiveError> {
    Reader::new(bytes)?.collect()
}

#[test]
fn games_come_back_as_they_were() {
    let scratch = Scratch::new("round-trip");
    let games = games(40);
    assert!(games.iter().any(|game| game.start != Position::startpos()));
    write(&scratch, &games);
    let bytes = fs::read(&scratch.0).expect("the file");
    assert_eq!(read(&bytes), Ok(games.clone()));
    let reader = Reader::open(&scratch.0).expect("an archive");
    assert_eq!(reader.header(), HEADER);
    // what a reader in another language would look for
    assert_eq!(&bytes[..8], b"XGR1\x01\0\x01\x04");
    assert_eq!(bytes[8..16], 0x0123_4567_89ab_cdefu64.to_le_bytes());
    assert_eq!(bytes[28..32], [250, 0, 0, 2]);
    assert_eq!(bytes[32..40], 40u64.to_le_bytes());
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    assert!(bytes.len() < 5 * plies, "{} bytes for {plies} plies", bytes.len());
}

#[test]
fn damage_is_noticed_and_never_panics() {
    let scratch = Scratch::new("damage");
    let games = games(6);
    write(&scratch, &games);
    let bytes = fs::read(&scratch.0).expect("the file");
    for cut in 0..bytes.len() {
        assert!(read(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    let mut random = Random::new(3);
    let mut noticed = 0;
    for _ in 0..3_000 {
        let mut damaged = bytes.clone();
        let at = random.below(damaged.len());
        damaged[at] ^= 1 << random.below(8);
        match read(&damaged) {
            Err(error) => {
                noticed += 1;
                let text = error.to_string();
                assert!(text.is_ascii() && !text.contains('\n'), "{text}");
            }
            // a changed score, result, ending or header may be one too
            Ok(other) => assert_eq!(other.len(), games.len()),
        }
    }
    assert!(noticed > 1_000, "{noticed}");
    assert_eq!(
        read(b"XGR3 and more than forty bytes of something"),
        Err(ArchiveError::NotAnArchive)
    );
}

#[test]
fn packed_boards_round_trip() {
    let mut random = Random::new(2);
    for _ in 0..20 {
        common::walk::walk(Position::startpos(), 120, &mut random, |pos| {
            let label = Label {
                score: random_score(pos.key()),
                points: (pos.key() % 3) as u8,
                check: pos.in_check(),
                capture: pos.key() & 8 != 0,
                ply: (pos.key() % 2_048) as u16,
            };
            let packed = Packed::from_bytes(Packed::new(pos, label).to_bytes());
            assert_eq!(packed.label(), label);
            let again = packed.position().expect("a position");
            assert_eq!(again.key(), pos.key(), "{}", pos.fen());
            assert_eq!(packed.king(Color::Red), Some(pos.king(Color::Red)));
        });
    }
    for _ in 0..2_000 {
        let noise = std::array::from_fn(|_| random.below(256) as u8);
        let packed = Packed::from_bytes(noise);
        let _ = packed.position();
        assert_eq!(packed.to_bytes(), noise);
    }
}

fn random_score(key: u64) -> i16 {
    (key >> 40) as i16
}

fn args(out: &Scratch, games: u64, threads: u16) -> Args {
    Args {
        out: Some(out.0.clone()),
        games,
        nodes: 40,
        threads,
        seed: 5,
        shard: "1/3".parse().expect("a shard"),
        openings: Openings::Mix,
        net: None,
        hash: 1,
        format: Format::Xgr1,
        relabel: Vec::new(),
        report: Vec::new(),
    }
}

#[test]
fn a_run_goes_on_where_it_was_cut_off() {
    let go = AtomicBool::new(false);
    let generate = |args: &Args, out: &Scratch| {
        datagen::generate(args, out.0.clone(), &go).expect("a generation")
    };
    let whole = Scratch::new("whole");
    assert_eq!(generate(&args(&whole, 12, 3), &whole), 12);
    let expected = fs::read(&whole.0).expect("the file");
    for (keep, threads) in
        [(0, 1), (20, 2), (40, 1), (expected.len() / 2, 2), (expected.len() - 1, 1)]
    {
        let part = Scratch::new("part");
        let mut bytes = expected[..keep].to_vec();
        if keep >= 40 {
            bytes[32..40].fill(0); // as it is while being written
        }
        fs::write(&part.0, bytes).expect("written");
        assert_eq!(generate(&args(&part, 12, threads), &part), 12);
        assert!(fs::read(&part.0).expect("the file") == expected, "cut at {keep}");
    }
    assert!(read(&expected).expect("games").iter().any(|g| g.start != Position::startpos()));
    // a finished file is left alone, another seed refused
    assert_eq!(generate(&args(&whole, 12, 1), &whole), 12);
    assert!(fs::read(&whole.0).expect("the file") == expected);
    for other in [
        Args { seed: 6, ..args(&whole, 12, 1) },
        Args { openings: Openings::Random, ..args(&whole, 12, 1) },
    ] {
        let error = datagen::generate(&other, whole.0.clone(), &go).expect_err("other settings");
        assert!(error.to_string().contains("another seed"), "{error}");
    }
    assert!(fs::read(&whole.0).expect("the file") == expected);
}

#[test]
fn an_interrupt_keeps_what_there_is() {
    let scratch = Scratch::new("interrupt");
    let stop = AtomicBool::new(true);
    let games = datagen::generate(&args(&scratch, 50, 1), scratch.0.clone(), &stop);
    assert_eq!(games.expect("no failure"), 0);
    assert_eq!(read(&fs::read(&scratch.0).expect("the file")), Ok(Vec::new()));
}

/// The same games with the scores of a longer search: with any number of threads, in one go or cut
/// off, from one archive or two.
#[test]
fn relabelled_games_keep_all_but_their_scores() {
    let go = AtomicBool::new(false);
    let sources = [Scratch::new("source-1"), Scratch::new("source-2")];
    for (seed, source) in [8, 9].into_iter().zip(&sources) {
        let args = Args { seed, ..args(source, 4, 2) };
        datagen::generate(&args, source.0.clone(), &go).expect("a generation");
    }
    let old: Vec<Game> = sources
        .iter()
        .flat_map(|source| read(&fs::read(&source.0).expect("the file")).expect("games"))
        .collect();
    let relabel = |out: &Scratch, from: &[Scratch], nodes: u32, threads: u16| {
        let relabel = from.iter().map(|source| source.0.clone()).collect();
        let args = Args { nodes, relabel, ..args(out, 0, threads) };
        datagen::relabel(&args, out.0.clone(), &go)
    };
    let whole = Scratch::new("relabelled");
    assert_eq!(relabel(&whole, &sources, 90, 2).expect("relabelled"), 8);
    let expected = fs::read(&whole.0).expect("the file");
    let header = Reader::open(&whole.0).expect("an archive").header();
    assert_eq!((header.nodes, header.seed), (90, 8));
    assert_eq!(header.flags, Flags::RELABELLED | Flags::MIXED_OPENINGS);
    let new = read(&expected).expect("games");
    assert_eq!(new.len(), old.len());
    let (mut changed, mut clear, mut agreed) = (0, 0, 0);
    for (old, new) in old.iter().zip(&new) {
        assert_eq!(Game { scores: old.scores.clone(), ..new.clone() }, *old);
        let pairs = || old.scores.iter().zip(&new.scores);
        changed += pairs().filter(|(old, new)| old != new).count();
        let decided = || pairs().filter(|(old, _)| old.abs() > 600);
        clear += decided().count();
        agreed += decided().filter(|(old, new)| old.signum() == new.signum()).count();
    }
    // another search of the same positions agrees on who is better where it is clear
    assert!(clear > 20 && 10 * agreed >= 9 * clear, "{agreed} of {clear}");
    assert!(changed > 50, "{changed}");
    for (keep, threads) in [(0, 1), (41, 1), (expected.len() / 2, 2), (expected.len() - 1, 1)] {
        let part = Scratch::new("relabelled-part");
        let mut bytes = expected[..keep].to_vec();
        if keep >= 40 {
            bytes[32..40].fill(0); // as it is while being written
        }
        fs::write(&part.0, bytes).expect("written");
        assert_eq!(relabel(&part, &sources, 90, threads).expect("relabelled"), 8);
        assert!(fs::read(&part.0).expect("the file") == expected, "cut at {keep}");
    }
    // other nodes, other games or fewer games: refused, and the file left alone
    let [first, second] = sources;
    let error = relabel(&whole, std::slice::from_ref(&first), 80, 1).expect_err("other nodes");
    assert!(error.to_string().contains("another seed"), "{error}");
    let error = relabel(&whole, std::slice::from_ref(&first), 90, 1).expect_err("fewer games");
    assert!(error.to_string().contains("game 5 is another one"), "{error}");
    fs::copy(&first.0, &second.0).expect("copied");
    let error = relabel(&whole, &[first, second], 90, 1).expect_err("other games");
    assert!(error.to_string().contains("game 5 is another one"), "{error}");
    assert!(fs::read(&whole.0).expect("the file") == expected);
}

#[test]
fn damaged_sources_are_not_relabelled() {
    let go = AtomicBool::new(false);
    let (source, out) = (Scratch::new("damaged"), Scratch::new("from-damaged"));
    datagen::generate(&args(&source, 3, 1), source.0.clone(), &go).expect("a generation");
    let mut bytes = fs::read(&source.0).expect("the file");
    let relabel = || {
        let args = Args { relabel: vec![source.0.clone()], ..args(&out, 0, 1) };
        datagen::relabel(&args, out.0.clone(), &go)
    };
    // one that was cut off counts up to there
    fs::write(&source.0, &bytes[..bytes.len() - 1]).expect("written");
    assert_eq!(relabel().expect("relabelled"), 2);
    bytes[40] = 9;
    fs::write(&source.0, &bytes).expect("written");
    fs::remove_file(&out.0).expect("removed");
    let error = relabel().expect_err("damage").to_string();
    assert!(error.contains("damaged") && error.contains("game 1: unknown kind"), "{error}");
    fs::remove_file(&source.0).expect("removed");
    assert!(relabel().is_err());
}
