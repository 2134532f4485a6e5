//! Setting positions: dialects, invalid boards, banned moves.

use crate::input::shown_fen;
use crate::support::session::Session;
use crate::{MATE_IN_ONE, MATED, STALEMATED, THREE_MOVES};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

#[test]
fn dialects_of_the_start_position() {
    let board = START.split(' ').next().unwrap();
    let he = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
    let mixed = "rnmakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHBAKAMNR";
    let mut session = Session::uci();
    for line in [
        "position startpos".to_owned(),
        "position startpos moves".to_owned(),
        "startpos".to_owned(),
        format!("position fen {START}"),
        format!("position fen {START} moves"),
        format!("position fen {board}"),
        format!("position fen {board} w"),
        format!("position fen {board} W"),
        format!("position fen {board} r"),
        format!("position fen {board} R - - 0 1"),
        format!("position fen {board} w -- 0 1"),
        format!("position fen {board} w 0 1"),
        format!("position fen {board} moves"),
        format!("position fen {board} r moves"),
        format!("position fen {board}/ w - - 0 1"),
        format!("position {board} w - - 0 1"),
        format!("fen {board} w - - 0 1"),
        format!("fen {board} r moves"),
        format!("position fen {he} w - - 0 1"),
        format!("position fen {mixed} w - - 0 1 moves "),
        format!("position fen {} w - - 0 1", board.replace("1c5c1", "1c5c").replace("/9/", "/8/")),
        format!("position fen {board} w - - -5 1"),
        format!("position fen {board} w - - 0 1 ;comment"),
    ] {
        session.send(&format!("position fen {MATE_IN_ONE}"));
        session.send(&line);
        assert_eq!(shown_fen(&mut session), START, "{line}");
    }
    session.close();
}

#[test]
fn counters() {
    let mut session = Session::uci();
    for (given, shown) in [
        ("3ak4/4a4/9/9/9/4R4/9/4B4/4A4/3AK4 w - - 7 30", "w - - 7 30"),
        ("3ak4/4a4/9/9/9/4R4/9/4B4/4A4/3AK4 b - - 0 0", "b - - 0 0"),
        ("3ak4/4a4/9/9/9/4R4/9/4B4/4A4/3AK4 b 5", "b - - 5 1"),
        ("3ak4/4a4/9/9/9/4R4/9/4B4/4A4/3AK4 w - - 5000 3", "w - - 999 3"),
    ] {
        session.send(&format!("position fen {given}"));
        let fen = shown_fen(&mut session);
        assert!(fen.ends_with(shown), "{given}: {fen}");
        session.send("go depth 2");
        session.legal_move(10_000);
    }
    session.close();
}

#[test]
fn league_line_with_a_comment_that_is_not_utf8() {
    let mut session = Session::ucci();
    let setup = "rnbakab1r/9/1c1c2n2/p1p1p3p/6p2/2P6/P3P1P1P/1C2B1NC1/9/RNBAKA1R1 b - - 0 4";
    let mut bytes = format!("position fen {setup}   ;A34.").into_bytes();
    bytes.extend_from_slice(b"\xB7\xC9\xCF\xE0\xBE\xD6 - - 0 1 moves i9i8\n");
    session.note(&format!("position fen {setup} moves i9i8"));
    session.send_bytes(&bytes);
    let fen = shown_fen(&mut session);
    let after = "rnbakab2/8r/1c1c2n2/p1p1p3p/6p2/2P6/P3P1P1P/1C2B1NC1/9/RNBAKA1R1 w - - 1 5";
    assert_eq!(fen, after);
    session.send("go time 60000 increment 1000 opptime 60999 oppincrement 1000 depth 4");
    session.legal_move(20_000);
    session.close();
}

/// Boards that cannot be: one for each rule.
const INVALID: [&str; 26] = [
    "foobar",
    "4k4/9/9/9/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/9/9/9/9/9/3K5 w",
    "4k5/9/9/9/9/9/9/9/9/3K5 w",
    "4k4/9/9/9/4Q4/9/9/9/9/3K5 w",
    "9/9/9/9/9/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/9/9/9/9/9 w",
    "4k4/4k4/9/9/9/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/9/9/9/9/2K6 w",
    "2k6/9/9/9/9/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/9/9/9/9/4K4 w",
    "4k4/4R4/9/9/9/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/9/9/9/3r5/3K5 b",
    "4k4/9/9/9/9/9/9/9/3A5/4KA3 b",
    "4k4/9/9/9/9/9/A8/9/9/3K5 w",
    "4k4/9/9/9/2B6/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/9/9/B8/B8/3K5 w",
    "4k4/9/9/9/9/9/9/P8/9/3K5 w",
    "4k4/9/9/9/9/9/1P7/9/9/3K5 w",
    "4k4/9/p8/9/9/9/9/9/9/3K5 w",
    "4k4/9/9/1p7/9/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/RRR6/9/9/9/3K5 b",
    "4k4/9/9/9/9/NNN6/9/9/9/3K5 b",
    "4k4/9/9/9/9/CCC6/9/9/9/3K5 b",
    "4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 b",
    "4k4/9/9/9/9/9/9/3A1A3/4A4/3K5 b",
];

#[test]
fn invalid_boards_in_uci() {
    let mut session = Session::uci();
    for fen in INVALID {
        session.send(&format!("position fen {fen}"));
        session.expect(&format!("message about {fen}"), 2000, |line| {
            line.starts_with("info string invalid position: ")
        });
        session.send("go depth 3");
        session.expect(&format!("no move for {fen}"), 2000, |line| line == "bestmove (none)");
        assert!(session.count(|line| line == "info depth 0 score cp 0") > 0, "{fen}");
        session.send("position startpos");
        session.send("go depth 2");
        session.legal_move(10_000);
    }
    session.close();
}

#[test]
fn invalid_boards_in_ucci() {
    let mut session = Session::ucci();
    for fen in INVALID {
        session.send(&format!("position fen {fen}"));
        session.expect(&format!("message about {fen}"), 2000, |line| {
            line.starts_with("info message invalid position: ")
        });
        session.send("go depth 3");
        session.expect(&format!("no move for {fen}"), 2000, |line| line == "nobestmove");
        session.send("position startpos");
        session.send("go depth 2");
        session.legal_move(10_000);
    }
    session.close();
}

#[test]
fn finished_games_have_no_move() {
    for fen in [MATED, STALEMATED] {
        let mut session = Session::uci();
        session.send(&format!("position fen {fen}"));
        session.send("go depth 5");
        session.expect_text("info depth 0 score mate 0", 2000);
        session.expect_text("bestmove (none)", 2000);
        session.send("ucci");
        session.expect_text("ucciok", 2000);
        session.send(&format!("position fen {fen}"));
        session.send("go depth 5");
        session.expect_text("nobestmove", 2000);
        session.send("uxinewgame");
        session.send(&format!("position fen {fen}"));
        session.send("go time 1000 increment 10");
        session.expect_text("bestmove (none)", 2000);
        session.close();
    }
}

#[test]
fn held_modes_hold_no_move_too() {
    let mut session = Session::ucci();
    session.send(&format!("position fen {MATED}"));
    for (go, release) in [("go infinite", "stop"), ("go ponder time 100", "ponderhit")] {
        session.send(go);
        session.listen(200);
        session.expect_none("early answer", |line| line == "nobestmove");
        session.send(release);
        session.expect_text("nobestmove", 1000);
    }
    session.close();
}

#[test]
fn banned_moves() {
    let mut session = Session::ucci();
    session.send("position startpos");
    session.send("go depth 5");
    let best = session.legal_move(20_000).best;
    // Entries that are illegal, doubled or nonsense are skipped; the rest counts.
    session.send(&format!("banmoves {best} a0a9 {best} xyzzy"));
    session.send("go depth 5");
    assert_ne!(session.legal_move(20_000).best, best);
    session.send("go depth 4");
    assert_ne!(session.legal_move(20_000).best, best, "the ban holds for the next go, too");
    session.send("position startpos");
    session.send(&format!("go depth 4 searchmoves {best}"));
    assert_eq!(session.legal_move(20_000).best, best, "position lifts the ban");
    session.send(&format!("position fen {THREE_MOVES}"));
    session.send("banmoves a3a2");
    session.send("banmoves a3b3");
    session.send("go depth 4");
    assert_eq!(session.legal_move(10_000).best, "d9d8", "bans add up");
    session.send("banmoves d9d8");
    session.send("go depth 4");
    session.expect_text("nobestmove", 2000);
    session.send(&format!("position fen {THREE_MOVES}"));
    session.send("uci");
    session.expect_text("uciok", 2000);
    session.send("banmoves a3a2 a3b3 d9d8");
    session.send("go depth 4");
    session.expect_text("bestmove (none)", 2000);
    session.close();
}

#[test]
fn banned_moves_of_the_specification() {
    let mut session = Session::ucci();
    session.send(
        "position fen 1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1 \
         moves h6i4 i9h9 i4h6 h9i9",
    );
    session.send("banmoves h6i4");
    session.send("go depth 6");
    assert_ne!(session.legal_move(30_000).best, "h6i4");
    session.close();
}

#[test]
fn ban_before_any_position_is_for_the_start_position() {
    let mut session = Session::ucci();
    session.send("go depth 3");
    let best = session.legal_move(10_000).best;
    session.send(&format!("banmoves {best}"));
    session.send("go depth 3");
    assert_ne!(session.legal_move(10_000).best, best);
    session.close();
}
