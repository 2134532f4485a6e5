//! Scores and variations as both protocols show them.

use crate::MATE_IN_ONE;
use crate::support::board;
use crate::support::info::{Info, Value};
use crate::support::session::{Answer, Session};

/// Positions with something to say: opening, middle game, few men, near mate, in check.
const POSITIONS: [&str; 6] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 3 4",
    "2bakab2/9/4c1n2/p3p3p/2p3p2/9/P1P1P1P1P/4C1N2/9/2BAKAB2 w - - 0 20",
    "4k4/9/9/9/9/4N4/9/9/9/3K5 w - - 0 1",
    "3k5/9/9/9/9/9/p8/9/4R4/4K4 b - - 0 1",
    MATE_IN_ONE,
];

/// The lines of one search with their places, its answer last.
fn search(session: &mut Session, setup: &str, go: &str) -> (Vec<Info>, Answer) {
    let before = session.lines.len();
    session.send(setup);
    session.send(go);
    let answer = session.legal_move(60_000);
    let lines = &session.lines[before..answer.line];
    (lines.iter().filter_map(|line| Info::parse(&line.text)).collect(), answer)
}

#[test]
fn variations_are_legal_and_lead_to_the_answer() {
    for start in [Session::uci, Session::ucci] {
        let mut session = start();
        for fen in POSITIONS {
            for go in ["go depth 8", "go movetime 100", "go nodes 3000"] {
                let (infos, answer) = search(&mut session, &format!("position fen {fen}"), go);
                let pos = answer.position.expect("a valid position");
                for info in &infos {
                    let illegal = board::first_illegal(&pos, info.pv.iter().map(String::as_str));
                    assert_eq!(illegal, None, "{fen}: {info:?}");
                }
                let last =
                    infos.last().unwrap_or_else(|| panic!("no info\n{}", session.dialogue()));
                assert_eq!(last.pv.first(), Some(&answer.best), "{fen} {go}: {last:?}");
                if let Some(ponder) = &answer.ponder {
                    assert_eq!(last.pv.get(1), Some(ponder), "{fen} {go}: {last:?}");
                    let best = board::legal(&pos, &answer.best).expect("checked above");
                    let reply = board::legal(&pos.make(best), ponder).expect("checked above");
                    assert!(pos.make(best).make(reply).has_legal_move(), "{fen}: the game is over");
                }
                let times: Vec<u64> = infos.iter().filter_map(|info| info.time).collect();
                let nodes: Vec<u64> = infos.iter().filter_map(|info| info.nodes).collect();
                assert!(times.is_sorted() && nodes.is_sorted(), "{fen}: {infos:?}");
            }
        }
        session.close();
    }
}

#[test]
fn order_of_fields() {
    let mut session = Session::uci();
    search(&mut session, "position startpos", "go depth 6");
    let full = session.lines.iter().filter(|line| line.text.contains(" pv "));
    for line in full {
        let order = [
            "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time",
            "pv",
        ];
        let places: Vec<usize> =
            order.iter().filter_map(|name| line.text.find(&format!(" {name} "))).collect();
        assert!(places.len() >= 6 && places.is_sorted(), "{}", line.text);
    }
    session.send("ucci");
    session.expect_text("ucciok", 2000);
    let before = session.lines.len();
    search(&mut session, "position startpos", "go depth 6");
    for line in session.lines[before..].iter().filter(|line| line.text.contains(" pv ")) {
        let words: Vec<&str> = line.text.split(' ').collect();
        assert!(words[0] == "info" && words[1] == "depth" && words[3] == "score", "{}", line.text);
        assert!(words[4].parse::<i32>().is_ok(), "{}", line.text);
        assert_eq!((words[5], words[7], words[9]), ("time", "nodes", "nps"), "{}", line.text);
    }
    session.close();
}

#[test]
fn mate_scores() {
    // One move and two moves to mate, and the side that is about to be mated in one.
    let mated_next = "4k4/R8/9/9/9/9/9/9/1R7/3K5 b - - 0 1";
    for (fen, mate, number) in [
        (MATE_IN_ONE, 1, 9999),
        ("4k4/9/9/9/9/4N4/9/9/9/3K5 w - - 0 1", 2, 9997),
        (mated_next, -1, -9998),
    ] {
        let mut session = Session::uci();
        let setup = format!("position fen {fen}");
        let (infos, _) = search(&mut session, &setup, "go depth 6");
        assert_eq!(infos.last().and_then(|info| info.score), Some(Value::Mate(mate)), "{fen}");
        session.send("ucci");
        session.expect_text("ucciok", 2000);
        let (infos, _) = search(&mut session, &setup, "go depth 6");
        let score = infos.last().and_then(|info| info.score);
        assert_eq!(score, Some(Value::Centipawns(number)), "{fen}");
        session.close();
    }
}

#[test]
fn scores_are_for_the_side_to_move() {
    // Red has a rook more.
    let board = "2bakab2/9/9/p3p3p/9/9/P3P3P/9/9/R1BAKAB2";
    let mut session = Session::uci();
    for (side, sign) in [("w", 1), ("b", -1)] {
        let (infos, _) =
            search(&mut session, &format!("position fen {board} {side}"), "go depth 5");
        let score = infos.last().and_then(|info| info.score).map_or(0, Value::centipawns);
        assert!(score * sign > 100, "{side}: {score}");
    }
    session.close();
}

#[test]
fn ordinary_ucci_scores_stay_within_bounds() {
    let mut session = Session::ucci();
    let all_red = "3k5/9/9/9/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let (infos, _) = search(&mut session, &format!("position fen {all_red}"), "go depth 1");
    assert!(!infos.is_empty());
    for info in infos {
        let score = info.score.map_or(0, Value::centipawns);
        assert!(score.abs() <= 9000 || (9800..10_000).contains(&score.abs()), "{score}");
    }
    assert_eq!(session.count(|line| line.contains("score cp") || line.contains("score mate")), 0);
    session.close();
}

#[test]
fn several_variations() {
    for start in [Session::uci, Session::ucci] {
        let mut session = start();
        session.send("setoption name MultiPV value 5");
        let (infos, answer) = search(&mut session, "position startpos", "go depth 6");
        let full: Vec<&Info> = infos.iter().filter(|info| info.multipv == 5).collect();
        let depth = full.last().map(|info| info.depth).expect("five variations");
        assert_eq!(depth, 6);
        let group: Vec<&Info> = infos.iter().rev().take(5).rev().collect();
        let places: Vec<u32> = group.iter().map(|info| info.multipv).collect();
        assert_eq!(places, [1, 2, 3, 4, 5], "{group:?}");
        assert!(group.iter().all(|info| info.depth == depth), "{group:?}");
        let scores: Vec<i64> =
            group.iter().filter_map(|info| info.score).map(Value::centipawns).collect();
        assert!(scores.len() == 5 && scores.is_sorted_by(|a, b| a >= b), "{group:?}");
        let mut firsts: Vec<&str> = group.iter().map(|info| info.pv[0].as_str()).collect();
        assert_eq!(firsts[0], answer.best);
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 5, "{group:?}");
        session.close();
    }
}

#[test]
fn console_commands() {
    let mut session = Session::uci();
    session.send("position startpos moves h2e2");
    session.send("d");
    session.expect_text(
        "Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
        2000,
    );
    session.expect("key", 2000, |line| {
        let key = line.strip_prefix("Key: ").unwrap_or("");
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_hexdigit())
    });
    session.close();
}
