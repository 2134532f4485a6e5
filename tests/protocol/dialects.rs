//! Transcripts of real clients, and squares counted from one.

use crate::input::shown_fen;
use crate::support::session::{Session, limit};

const AFTER_TWO: &str = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";

#[test]
fn xboard_adapter_in_ucci_mode() {
    let mut session = Session::ucci();
    session.send("setoption newgame");
    session.ready();
    session.send("uxinewgame");
    session.send("setoption ponder 1");
    session.send("setoption threads 2");
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    session.send(&format!("position fen {start} moves h2e2"));
    session.send("go time 3000 opptime 3000 movestogo 40");
    session.legal_move(3000);
    session.send(&format!("position fen {start} moves h2e2 h9g7 h0g2"));
    session.send("go ponder time 3000 opptime 3000 movestogo 39");
    session.listen(100);
    session.send("ponderhit");
    session.legal_move(3000);
    session.send(
        "position fen rheakaeCr/9/1c5c1/p3p1p1p/2p6/6P2/P1P1P3P/1C7/9/RHEAKAEHR b - - 0 1 moves",
    );
    session.send("go time 0 opptime 0 movetime 400");
    session.legal_move(600);
    assert!(session.answer_time().as_millis() > 50, "movetime beats the clock");
    session.send("go time 3000 opptime 2000 oppincrement 200 increment 200 depth 5");
    session.legal_move(3000);
    session.close();
}

#[test]
fn xboard_adapter_in_uci_mode() {
    let mut session = Session::uci();
    session.ready();
    session.send("ucinewgame");
    session.send("setoption name Ponder value true");
    session.send("setoption name Threads value 2");
    let fen = "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r moves";
    session.send(&format!("{fen} h2e2"));
    session.send("go btime 3000 wtime 3000 movestogo 40");
    session.legal_move(3000);
    session.send(&format!("{fen} h2e2 h9g7"));
    assert_eq!(shown_fen(&mut session), AFTER_TWO);
    session.send("go infinite");
    session.listen(50);
    session.send("stop");
    session.legal_move(500);
    session.close();
}

#[test]
fn java_interface_that_never_waits() {
    let mut session = Session::start();
    session.send_burst(&[
        "uci",
        "stop",
        "setoption name Threads value 2",
        "setoption name Hash value 32",
        "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7",
        "go movetime 100",
    ]);
    session.expect_text("uciok", 1000);
    session.legal_move(1000);
    session.close();
}

#[test]
fn gtk_interface() {
    let mut session = Session::ucci();
    for line in [
        "setoption newgame",
        "setoption idle large",
        "setoption style risky",
        "setoption knowledge none",
        "setoption pruning  large",
        "setoption randomness none",
        "setoption usebook true",
        "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w -- 0 1  moves h2e2",
        "go depth 5 ",
    ] {
        session.send(line);
    }
    session.legal_move(20_000);
    session.close();
}

#[test]
fn bare_go_in_ucci_ends_by_itself() {
    let mut session = Session::ucci();
    session.send("position startpos");
    session.send("go draw");
    session.legal_move(7000);
    assert!(session.answer_time() < limit(6000), "{:?}", session.answer_time());
    session.close();
}

#[test]
fn squares_counted_from_one() {
    let mut session = Session::uci();
    session.send("setoption name UCI_Coordinates value OneBased");
    session.send_bytes(b"position startpos moves h3e3 h10g8\n");
    assert_eq!(shown_fen(&mut session), AFTER_TWO);
    session.send_bytes(b"go depth 4\n");
    let line = session.expect("bestmove", 10_000, |line| line.starts_with("bestmove "));
    let zero_based: Vec<String> = line.text.split(' ').skip(1).step_by(2).map(zero_based).collect();
    session.note("position startpos moves h2e2 h9g7");
    let position = crate::support::board::after_line("position startpos moves h2e2 h9g7");
    let first = zero_based.first().and_then(|mv| crate::support::board::legal(&position?, mv));
    assert!(first.is_some(), "{}", line.text);
    session.send("setoption name UCI_Coordinates value ZeroBased");
    session.send("position startpos moves h2e2 h9g7");
    assert_eq!(shown_fen(&mut session), AFTER_TWO);
    session.send("go depth 4");
    session.legal_move(10_000);
    session.close();
}

/// Rewrites a move whose ranks count from 1 (`h10g8`) to ranks from 0.
fn zero_based(mv: &str) -> String {
    let mut out = String::new();
    let mut rest = mv;
    while let Some(file) = rest.chars().next().filter(char::is_ascii_lowercase) {
        let digits: String = rest[1..].chars().take_while(char::is_ascii_digit).collect();
        let rank: u32 = digits.parse().unwrap_or(0);
        assert!((1..=10).contains(&rank), "rank of {mv}");
        out.push(file);
        out.push_str(&(rank - 1).to_string());
        rest = &rest[1 + digits.len()..];
    }
    out
}

#[test]
fn rank_ten_switches_the_connection() {
    let mut session = Session::uci();
    session.send("position startpos moves h3e3 h10g8");
    assert_eq!(shown_fen(&mut session), AFTER_TWO);
    session.send("position startpos moves h2e2 h9g7 b0c2");
    let fen = shown_fen(&mut session);
    assert!(
        fen.starts_with("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C4/9/R1BAKABNR b"),
        "{fen}"
    );
    session.close();
}
