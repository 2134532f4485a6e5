//! Opening books: known keys and answers, what is looked up mirrored, files that are no books.

mod common;

use std::path::{Path, PathBuf};

use chuhe::book::{Book, BookError, BookMove, MAX_FILE, key};
use chuhe::position::Position;
use chuhe::types::{Move, Square};
use proptest::prelude::*;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/books").join(name)
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// The position after moves from the start.
fn after(line: &str) -> Position {
    line.split_whitespace().fold(Position::startpos(), |pos, text| {
        assert!(pos.is_legal(mv(text)), "{line}: {text}");
        pos.make(mv(text))
    })
}

/// A record as files have it.
fn record(lock: u32, text: &str, weight: u16) -> Vec<u8> {
    let number = |sq: Square| (12 - sq.rank()) * 16 + sq.file() + 3;
    let mut bytes = lock.to_le_bytes().to_vec();
    bytes.extend([number(mv(text).from()), number(mv(text).to())]);
    bytes.extend(weight.to_le_bytes());
    bytes
}

/// A file of `move:weight` words for positions.
fn file(entries: &[(Position, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (pos, moves) in entries {
        for word in moves.split_whitespace() {
            let (text, weight) = word.split_once(':').unwrap();
            bytes.extend(record(key(pos)[2], text, weight.parse().unwrap()));
        }
    }
    bytes
}

/// Moves as `move:weight` words.
fn shown(moves: &[BookMove]) -> String {
    let words: Vec<String> =
        moves.iter().map(|known| format!("{}:{}", known.mv, known.weight)).collect();
    words.join(" ")
}

#[test]
fn every_position_of_the_sample_has_its_keys_and_moves() {
    let book = Book::load(&sample("book.dat")).unwrap();
    assert_eq!(book.len(), 10);
    let rows = common::rows("tests/data/books/book.tsv");
    assert_eq!(rows.len(), 10);
    for row in rows {
        let [line, board, keys, expected] = &row[..] else { panic!("four columns: {row:?}") };
        let pos = after(line);
        assert!(pos.fen().starts_with(board.as_str()), "{line}: {pos}");
        let [_, _, own] = key(&pos);
        let [_, _, mirrored] = key(&pos.mirror());
        assert_eq!(&format!("{own:08x} {mirrored:08x}"), keys, "{line}");
        assert_eq!(&shown(&book.moves(&pos)), expected, "{line}");
    }
}

/// Positions, records and answers of the book that came with the format's first program.
#[test]
fn a_mirrored_position_gives_mirrored_moves() {
    let start = Position::startpos();
    let first = "b2e2:1473 h2e2:1473 c3c4:546 g3g4:546 c0e2:311 g0e2:311 b0c2:89 h0g2:89";
    let reply = "b9c7:761 h9g7:172 b7e7:97 h7e7:1";
    let mut bytes = record(0x5396_644f, "b9c7", 761);
    for (text, weight) in [("h9g7", 172), ("b7e7", 97), ("h7e7", 1)] {
        bytes.extend(record(0x5396_644f, text, weight));
    }
    bytes.extend(file(&[(start, first)]));
    let book = Book::from_bytes(&bytes).unwrap();
    assert_eq!(shown(&book.moves(&start)), first);
    assert_eq!(shown(&book.moves(&after("b2e2"))), reply);
    assert_eq!(shown(&book.moves(&after("h2e2"))), "h9g7:761 b9c7:172 h7e7:97 b7e7:1");
    assert_eq!(shown(&book.moves(&after("g3g4"))), "");
}

#[test]
fn the_mirror_is_asked_only_when_the_position_has_no_record() {
    let (pos, mirror) = (after("h2e2"), after("b2e2"));
    // the record there is may even be useless
    for (own, expected) in [("h9g7:5", "h9g7:5"), ("a0a1:5", ""), ("h9g7:0", "")] {
        let book = Book::from_bytes(&file(&[(mirror, "b7e7:9"), (pos, own)])).unwrap();
        assert_eq!(shown(&book.moves(&pos)), expected);
        assert_eq!(shown(&book.moves(&mirror)), "b7e7:9");
    }
}

#[test]
fn moves_are_legal_different_and_in_order() {
    let start = Position::startpos();
    let words = "g3g4:4 h2e2:7 h2h9:4 a0a5:99 h9g7:50 g3g4:6 c3c4:7 i0i1:0 b0c2:65535";
    let book = Book::from_bytes(&file(&[(start, words)])).unwrap();
    assert_eq!(book.len(), 9);
    assert_eq!(shown(&book.moves(&start)), "b0c2:65535 h2e2:7 c3c4:7 g3g4:6 h2h9:4");
}

#[test]
fn records_are_sorted_if_they_are_not() {
    let mut entries = [
        (Position::startpos(), "b2e2:1 h2e2:1"),
        (after("h2e2"), "h9i7:2 a9a8:2"),
        (after("g3g4"), "a9a8:3"),
    ];
    entries.sort_by_key(|(pos, _)| key(pos)[2]);
    let sorted = Book::from_bytes(&file(&entries)).unwrap();
    entries.reverse();
    let mut bytes = file(&entries);
    assert_eq!(Book::from_bytes(&bytes), Ok(sorted));
    // one record off the board does no harm
    bytes.extend([1, 2, 3, 4, 0, 0x33, 9, 9]);
    let book = Book::from_bytes(&bytes).unwrap();
    assert_eq!(book.len(), 5);
    assert_eq!(shown(&book.moves(&after("h2e2"))), "h9i7:2 a9a8:2");
    assert_eq!(shown(&book.moves(&Position::startpos())), "b2e2:1 h2e2:1");
}

#[test]
fn other_files_are_named() {
    let foreign = |what: &str| format!("is {what}, only BOOK.DAT can be read");
    for (name, what) in [
        ("book.obk", "an SQLite database (OBK, pfBook or XQB)"),
        ("book-xboard.bin", "a book for XBoard (Polyglot)"),
        ("book.tsv", "a text file"),
    ] {
        assert_eq!(Book::load(&sample(name)).unwrap_err().to_string(), foreign(what));
    }
    let good = std::fs::read(sample("book.dat")).unwrap();
    let noise: Vec<u8> =
        (0..8000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let behind = |start: &[u8]| [start, &noise].concat();
    for (bytes, words) in [
        (vec![], "is empty".to_string()),
        (good[1..].to_vec(), "is cut short or is no BOOK.DAT".to_string()),
        (noise.clone(), "is no BOOK.DAT".to_string()),
        (vec![0; 4096], "is no BOOK.DAT".to_string()),
        (behind(b"\x1f\x8b"), foreign("a gzip archive")),
        (behind(b"PK\x03\x04"), foreign("a ZIP archive")),
        (behind(b"XQ\x12"), foreign("a game file of XQStudio")),
        (behind(b"CCBridge Record\0"), foreign("a game file of CCBridge")),
        (b"[Game \"Chinese Chess\"]\n".to_vec(), foreign("a text file")),
        (b"34563456".to_vec(), foreign("a text file")),
    ] {
        let error = Book::from_bytes(&bytes).unwrap_err().to_string();
        assert_eq!(error, words, "{:?}", &bytes[..bytes.len().min(16)]);
    }
    // whatever the first bytes of a book happen to be
    for start in [b"\x1f\x8b", b"XQ", b"PK"] {
        let mut bytes = good.clone();
        bytes[..2].copy_from_slice(start);
        assert_eq!(Book::from_bytes(&bytes).map(|book| book.len()), Ok(10));
    }
}

#[test]
fn devices_pipes_and_giants_are_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    for missing in [path("none"), directory.path().to_path_buf(), PathBuf::new()] {
        assert!(matches!(Book::load(&missing), Err(BookError::Unreadable(_))), "{missing:?}");
    }
    let giant = std::fs::File::create(path("giant")).unwrap();
    giant.set_len(MAX_FILE + 8).unwrap();
    assert_eq!(Book::load(&path("giant")), Err(BookError::TooLarge));
    #[cfg(unix)]
    {
        assert_eq!(Book::load(Path::new("/dev/zero")), Err(BookError::NotAFile));
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
        assert!(made.success());
        assert_eq!(Book::load(&path("pipe")), Err(BookError::NotAFile));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_book_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_any(&bytes)?;
    }

    /// Records with moves on the board, for positions there are.
    #[test]
    fn any_records_give_legal_moves(
        records in prop::collection::vec(
            (0usize..4, 0x30u8..0xd0, 0x30u8..0xd0, any::<u16>()), 0..60),
        cut in 0usize..16,
    ) {
        let locks = ["", "h2e2", "b2e2", "h2e2 h9g7"].map(|line| key(&after(line))[2]);
        let mut bytes = Vec::new();
        for (at, from, to, weight) in records {
            bytes.extend(locks[at].to_le_bytes());
            bytes.extend([from, to]);
            bytes.extend(weight.to_le_bytes());
        }
        bytes.truncate(bytes.len().saturating_sub(if cut < 8 { cut } else { 0 }));
        check_any(&bytes)?;
    }
}

fn check_any(bytes: &[u8]) -> Result<(), TestCaseError> {
    match Book::from_bytes(bytes) {
        Ok(book) => {
            prop_assert!(!book.is_empty() && book.len() * 8 <= bytes.len());
            for line in ["", "h2e2", "b2e2", "h2e2 h9g7"] {
                let pos = after(line);
                let moves = book.moves(&pos);
                prop_assert!(moves.iter().all(|known| known.weight > 0 && pos.is_legal(known.mv)));
                prop_assert!(moves.is_sorted_by(|a, b| a.weight >= b.weight));
            }
        }
        Err(error) => {
            let words = error.to_string();
            prop_assert!(words.is_ascii() && words.len() < 80, "{}", words);
        }
    }
    Ok(())
}
