//! What the words after `go` mean.

use std::time::Duration;

use crate::support::session::{Session, limit};
use crate::{MATE_IN_ONE, THREE_MOVES};

/// Every finite form of `go` answers exactly once, with a legal move, in time (milliseconds).
fn answers_in_time(session: &mut Session, go: &str, ms: u64) {
    session.send("position startpos");
    session.send(go);
    session.legal_move(ms + 1000);
    assert!(session.answer_time() <= limit(ms), "{go}: {:?}", session.answer_time());
    // A second answer would come before this one.
    let count = session.answers.len();
    session.ready();
    assert_eq!(session.answers.len(), count, "{go} answered twice\n{}", session.dialogue());
}

#[test]
fn finite_searches_in_both_protocols() {
    for start in [Session::uci, Session::ucci] {
        let mut session = start();
        for depth in 1..=8 {
            answers_in_time(&mut session, &format!("go depth {depth}"), 20_000);
        }
        for (go, ms) in [
            ("go nodes 1", 500),
            ("go nodes 20000", 5000),
            ("go movetime 50", 150),
            ("go movetime 0", 200),
            ("go movetime -10", 200),
            ("go time 100", 200),
            ("go time 1", 200),
            ("go time 0", 200),
            ("go time -5", 200),
            ("go time -5 increment 1000", 200),
            ("go time 1000 increment 0", 700),
            ("go time 100 movestogo 1", 200),
            ("go wtime 100 btime 100", 200),
            ("go wtime -40 btime 1000 winc 0 binc 0", 200),
            ("go wtime 1000 btime 1000 winc 100 binc 100 movestogo 40", 700),
            ("go time 0 opptime 0 movetime 300", 500),
            ("go movetime 300 depth 64", 500),
            ("go depth 2 wtime 1000000 btime 1000000", 5000),
            ("go draw time 500 increment 0", 500),
            ("go time 300 opptime 1 oppincrement 1 oppmovestogo 1 movestogo 10", 300),
            ("go depth 500 movetime 100", 300),
            ("go wtime 99999999999999999999 btime 1 movetime 50", 200),
            ("go movestogo 0 wtime 200 btime 200", 300),
            ("go increment 100000 time 100", 200),
        ] {
            answers_in_time(&mut session, go, ms);
        }
        session.close();
    }
}

#[test]
fn searches_without_a_usable_limit_wait_for_stop() {
    let mut session = Session::uci();
    for go in [
        "go",
        "go infinite",
        "go depth infinite",
        "go nodes None",
        "go depth abc",
        "go wtime",
        "go movetime xyz",
        "go ponder",
        "go infinite wtime 1 btime 1",
        "go infinite depth 2",
        "go infinite nodes 10",
        "go draw",
    ] {
        session.send("position startpos");
        session.send(go);
        session.listen(150);
        session.expect_none(&format!("answer to {go}"), |line| line.starts_with("bestmove"));
        session.send("stop");
        session.legal_move(1000);
    }
    session.send("go infinite searchmoves 0000");
    session.listen(100);
    session.expect_none("answer", |line| line.starts_with("bestmove"));
    session.send("stop");
    session.expect_text("bestmove (none)", 1000);
    session.close();
}

#[test]
fn depth_zero() {
    let mut session = Session::ucci();
    session.send("position startpos");
    session.send("go depth 0");
    session.expect("static score", 2000, |line| {
        let number = line.strip_prefix("info depth 0 score ");
        number.is_some_and(|text| text.parse::<i32>().is_ok())
    });
    session.expect_text("nobestmove", 2000);
    session.send("uci");
    session.expect_text("uciok", 2000);
    session.send("go depth 0");
    session.legal_move(2000);
    session.close();
}

#[test]
fn one_legal_move_is_answered_at_once() {
    let mut session = Session::ucci();
    session.send(&format!("position fen {THREE_MOVES}"));
    session.send("banmoves a3a2 a3b3");
    session.send("go time 600000 increment 0");
    assert_eq!(session.legal_move(1000).best, "d9d8");
    assert!(session.count(|line| line.starts_with("info depth ")) > 0);
    session.close();
}

#[test]
fn root_moves_can_be_named() {
    let mut session = Session::uci();
    session.send("position startpos");
    session.send("go searchmoves a0a1 i0i1 depth 4");
    let best = session.legal_move(10_000).best;
    assert!(best == "a0a1" || best == "i0i1", "{best}");
    session.send("go depth 4 searchmoves a0a9 i0i1 a0a9");
    assert_eq!(session.legal_move(10_000).best, "i0i1");
    session.send("go depth 4 searchmoves a0a9");
    session.expect_text("bestmove (none)", 2000);
    session.close();
}

#[test]
fn mate_search_ends_by_itself() {
    let mut session = Session::uci();
    session.send(&format!("position fen {MATE_IN_ONE}"));
    session.send("go mate 2");
    let best = session.legal_move(10_000).best;
    assert!(best == "b0b9" || best == "a8f8", "{best}");
    session.close();
}

#[test]
fn units_of_ucci_time() {
    let mut session = Session::ucci();
    session.send("setoption usemillisec false");
    session.send("position startpos");
    // Two seconds for the whole game: far more than two milliseconds for this move.
    session.send("go time 2 increment 0");
    session.legal_move(2000);
    let took = session.answer_time();
    assert!(took > Duration::from_millis(15), "took {took:?}");
    session.send("go time 1");
    session.legal_move(1500);
    let took = session.answer_time();
    assert!(took > Duration::from_millis(500), "one second for one move, took {took:?}");
    // `movetime` and the clocks by colour are milliseconds always.
    session.send("go movetime 20");
    session.legal_move(500);
    assert!(session.answer_time() < limit(300));
    session.send("go wtime 100 btime 100");
    session.legal_move(500);
    assert!(session.answer_time() < limit(200));
    session.send("setoption usemillisec true");
    session.send("go time 100");
    session.legal_move(500);
    assert!(session.answer_time() < limit(200));
    session.close();
}

#[test]
fn clock_of_the_side_to_move_counts() {
    let mut session = Session::uci();
    for (setup, go) in [
        ("position startpos", "go wtime 100 btime 600000 winc 0 binc 0"),
        ("position startpos moves h2e2", "go wtime 600000 btime 100 winc 0 binc 0"),
    ] {
        session.send(setup);
        session.send(go);
        session.legal_move(500);
        assert!(session.answer_time() < limit(200), "{go}: {:?}", session.answer_time());
    }
    session.close();
}

#[test]
fn perft_lists_root_moves_and_total() {
    let mut session = Session::uci();
    session.send("position startpos");
    for (depth, nodes) in [(1, 44_u64), (2, 1920), (3, 79_666)] {
        let before = session.lines.len();
        session.send(&format!("go perft {depth}"));
        session.expect_text(&format!("Nodes searched: {nodes}"), 20_000);
        let split: Vec<u64> = session.lines[before..]
            .iter()
            .filter_map(|line| line.text.split_once(": "))
            .filter(|(mv, _)| mv.len() == 4)
            .filter_map(|(_, count)| count.parse().ok())
            .collect();
        assert_eq!((split.len(), split.iter().sum()), (44, nodes));
    }
    assert!(session.answers.is_empty(), "perft is not answered with a move");
    session.close();
}
