//! Game records of many programs, read as their index says.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use chuhe::notation::Notation;
use chuhe::position::Position;
use chuhe::record::{Problem, Record, pgn};

fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Board and side: the fields that programs agree on.
fn board(pos: &Position) -> String {
    pos.fen().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn moves(record: &Record) -> String {
    record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_sample_reads_as_indexed() {
    let mut files: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for row in common::rows("tests/data/records/index.tsv") {
        files.entry(row[0].clone()).or_default().push(row);
    }
    assert!(files.len() >= 16, "{}", files.len());
    for (name, rows) in &files {
        let reading = pgn::read(&sample(name));
        assert_eq!(reading.records.len(), rows.len(), "{name}: {:?}", reading.warnings);
        let clean = rows.iter().all(|row| row[2] == "ok");
        // A damaged byte inside a comment costs one character of it and is no warning.
        if name != "bad-pgn-gbk-bad-byte.pgn" {
            assert_eq!(reading.warnings.is_empty(), clean, "{name}: {:?}", reading.warnings);
        }
        for (record, row) in reading.records.iter().zip(rows) {
            assert_eq!(board(&record.start), row[3], "{name}");
            assert_eq!(moves(record), row[5], "{name}");
            assert_eq!(board(&record.last_position()), row[4], "{name}");
            assert_eq!(record.outcome.as_str(), row[6], "{name}");
        }
    }
}

#[test]
fn tags_and_comments_survive() {
    let reading = pgn::read(&sample("pgn-chinese-gbk-crlf.pgn"));
    let record = &reading.records[0];
    assert_eq!(record.tag("Red"), Some("王嘉良"));
    assert_eq!(record.comment, "全国赛对局，注解为测试文字。");
    assert_eq!(record.plies[0].comment, "中炮。");
    assert_eq!(record.plies.last().map(|ply| ply.comment.as_str()), Some("红胜。"));
    let reading = pgn::read(&sample("pgn-trad-big5.pgn"));
    assert_eq!(reading.records[0].tag("Black"), Some("鄒煜滋"));
    // A variation is skipped with its comments, the main line keeps its own.
    let reading = pgn::read(&sample("pgn-rav-chinese.pgn"));
    assert_eq!(reading.records[0].plies[0].comment, "中炮开局。");
    assert!(reading.records[0].comment.contains("(半角括号)"));
}

#[test]
fn damage_names_its_place() {
    let reading = pgn::read(&sample("bad-pgn-illegal.pgn"));
    let [warning] = &reading.warnings[..] else { panic!("{:?}", reading.warnings) };
    let Problem::BadMove { ply, text, fen } = &warning.problem else { panic!("{warning}") };
    assert_eq!((warning.line, *ply, text.as_str()), (24, 21, "帅五进九"));
    assert_eq!(*fen, reading.records[0].last_position().fen());
    let reading = pgn::read(&sample("bad-pgn-open-comment.pgn"));
    assert!(matches!(reading.warnings[0].problem, Problem::OpenComment));
}

#[test]
fn every_sample_survives_rewriting() {
    let index = common::rows("tests/data/records/index.tsv");
    let mut games = 0;
    for name in index.iter().map(|row| &row[0]) {
        for record in pgn::read(&sample(name)).records {
            for notation in Notation::ALL {
                let again = pgn::read_text(&pgn::write(&record, notation));
                assert_eq!(again.warnings, [], "{name}");
                assert_eq!(moves(&again.records[0]), moves(&record), "{name}");
                assert_eq!(again.records[0].outcome, record.outcome, "{name}");
            }
            games += 1;
        }
    }
    assert!(games > 20, "{games}");
}

/// No prefix and no single damaged byte makes the reader panic or lose its way.
#[test]
fn damaged_files_do_no_harm() {
    for name in ["pgn-chinese-gbk-crlf.pgn", "pgn-rav-chinese.pgn", "pgn-xboard-fen.pgn"] {
        let whole = sample(name);
        for cut in (0..whole.len()).step_by(37) {
            let reading = pgn::read(&whole[..cut]);
            assert!(reading.records.len() <= 1, "{name} cut at {cut}");
            let mut damaged = whole.clone();
            damaged[cut] = b"{}()[];\xff\0"[cut % 9];
            let reading = pgn::read(&damaged);
            assert!(!reading.records.is_empty() || !reading.warnings.is_empty(), "{name} at {cut}");
        }
    }
}
