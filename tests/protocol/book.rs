//! Opening books: how they are set, when they answer, what is said.

use std::path::Path;

use chuhe::book::key;
use chuhe::position::Position;
use chuhe::types::{Move, Square};

use crate::support::session::{Session, limit};

/// Ten records; the start position has h2e2 47, g3g4 42, g0e2 27.
const BOOK: &str = "tests/data/books/book.dat";

/// Sends a `go` and returns the moves with weights that were shown, and the answer.
fn ask(session: &mut Session, go: &str) -> (Vec<String>, String) {
    let before = session.lines.len();
    session.send(go);
    let answer = session.legal_move(20_000);
    let lines = &session.lines[before..answer.line];
    let shown = lines.iter().filter(|line| line.text.starts_with("info depth 0 "));
    (shown.map(|line| line.text.clone()).collect(), answer.best)
}

/// Whether a `go` is answered from the book.
fn from_book(session: &mut Session, go: &str) -> bool {
    let (shown, _) = ask(session, go);
    !shown.is_empty()
}

#[test]
fn candidates_and_answer_in_both_protocols() {
    let line = |uci: bool, mv: &str, weight: u16| {
        if uci {
            format!(
                "info depth 0 seldepth 0 multipv 1 score cp {weight} nodes 0 nps 0 hashfull 0 \
                 tbhits 0 time 0 pv {mv}"
            )
        } else {
            format!("info depth 0 score {weight} time 0 nodes 0 nps 0 pv {mv}")
        }
    };
    for (uci, set) in [
        (false, "setoption bookfiles"),
        (false, "setoption name BookFile value"),
        (true, "setoption name BookFile value"),
        (true, "setoption bookfiles"),
    ] {
        let mut session = if uci { Session::uci() } else { Session::ucci() };
        session.send(&format!("{set} {BOOK}"));
        session.send("position startpos");
        // The one that is played comes last.
        let wanted = [("g3g4", 42), ("g0e2", 27), ("h2e2", 47)];
        let (shown, best) = ask(&mut session, "go movetime 5000");
        assert_eq!(shown, wanted.map(|(mv, weight)| line(uci, mv, weight)), "{set}");
        assert_eq!(best, "h2e2");
        assert!(session.answer_time() < limit(2500), "{:?}", session.answer_time());
        session.send("position startpos moves c3c4");
        let (shown, best) = ask(&mut session, "go wtime 60000 btime 60000");
        assert_eq!((&shown[..], best.as_str()), (&[line(uci, "h7g7", 22)][..], "h7g7"));
        session.send("position startpos moves h2e2 b9c7");
        assert!(!from_book(&mut session, "go movetime 50"));
        session.close();
    }
}

#[test]
fn only_moves_played_by_the_clock_come_from_the_book() {
    let mut session = Session::ucci();
    session.send(&format!("setoption bookfiles {BOOK}"));
    session.send("position startpos");
    for go in [
        "go",
        "go draw",
        "go time 3000",
        "go time 60000 increment 1000 opptime 60000 oppincrement 1000",
        "go movetime 2000",
        "go depth 2 movetime 2000",
    ] {
        assert!(from_book(&mut session, go), "{go}\n{}", session.dialogue());
    }
    for go in ["go depth 2", "go nodes 300", "go mate 1 nodes 300", "go mate 1 movetime 50"] {
        assert!(!from_book(&mut session, go), "{go}\n{}", session.dialogue());
    }
    for (go, end) in [("go infinite", "stop"), ("go ponder time 300 increment 0", "ponderhit")] {
        session.send(go);
        session.expect(go, 5000, |line| line.starts_with("info depth 1 "));
        session.send(end);
        session.best_move(5000);
        let shown = session.count(|line| line.starts_with("info depth 0 "));
        session.send("isready");
        session.expect_text("readyok", 5000);
        assert_eq!(session.count(|line| line.starts_with("info depth 0 ")), shown, "{go}");
    }
    session.close();
}

#[test]
fn the_book_can_be_turned_off_and_taken_away() {
    let mut session = Session::uci();
    session.send("position startpos");
    let go = "go movetime 30";
    for (line, wanted) in [
        ("", false),
        ("setoption name BookFile value", false),
        ("setoption name book_file value \"tests/data/books/book.dat\"", true),
        ("setoption usebook off", false),
        ("setoption name OwnBook value true", true),
        ("setoption name OwnBook value false", false),
        ("setoption usebook", true),
        ("setoption bookfiles <empty>", false),
        ("setoption bookfiles ;tests/data/books/book.dat; ", true),
    ] {
        session.send(line);
        assert_eq!(from_book(&mut session, go), wanted, "{line}\n{}", session.dialogue());
    }
    session.close();
}

#[test]
fn what_is_no_book_is_refused_with_one_line() {
    let mut session = Session::ucci();
    session.send("position startpos");
    let refuse = |session: &mut Session, list: &str, words: &str| {
        let before = session.count(|line| line.starts_with("info message "));
        session.send(&format!("setoption bookfiles {list}"));
        session.expect_text(&format!("info message book file {words}"), 5000);
        session.ready();
        let after = session.count(|line| line.starts_with("info message "));
        assert_eq!(after, before + 1, "{list}\n{}", session.dialogue());
    };
    let sqlite = "is an SQLite database (OBK, pfBook or XQB), only BOOK.DAT can be read";
    let polyglot = "is a book for XBoard (Polyglot), only BOOK.DAT can be read";
    let without = format!("{sqlite}, playing without a book");
    refuse(&mut session, "tests/data/books/book.obk", &without);
    assert!(!from_book(&mut session, "go movetime 30"));
    session.send(&format!("setoption bookfiles {BOOK}"));
    let present = "keeping the present book";
    let other = "tests/data/books/book-xboard.bin";
    refuse(&mut session, other, &format!("{polyglot}, {present}"));
    refuse(
        &mut session,
        "README.md",
        &format!("is a text file, only BOOK.DAT can be read, {present}"),
    );
    #[cfg(unix)]
    {
        let missing = "cannot be read: No such file or directory (os error 2)";
        refuse(&mut session, "no/such.dat", &format!("{missing}, {present}"));
        refuse(&mut session, "/dev/zero", &format!("is a device or a pipe, {present}"));
        let list = format!("no/such.dat;{other};no/such.dat");
        refuse(&mut session, &list, &format!("1 of the list {missing}, {present}"));
    }
    refuse(
        &mut session,
        &format!("{BOOK};{other}"),
        &format!("2 of the list {polyglot}, using the others"),
    );
    let nine = [BOOK; 9].join(";");
    refuse(&mut session, &nine, "9 of the list is one too many, using the others");
    assert!(from_book(&mut session, "go movetime 30"));
    session.close();
}

#[test]
fn bans_and_restrictions_hold_for_the_book() {
    let mut session = Session::ucci();
    session.send(&format!("setoption bookfiles {BOOK}"));
    session.send("position startpos");
    let best = |session: &mut Session, go: &str| ask(session, go).1;
    session.send("banmoves h2e2");
    assert_eq!(best(&mut session, "go movetime 2000"), "g3g4");
    session.send("banmoves g3g4");
    assert_eq!(best(&mut session, "go movetime 2000 searchmoves g0e2 a0a1"), "g0e2");
    session.send("banmoves g0e2");
    assert!(!from_book(&mut session, "go movetime 30"));
    session.send("position startpos");
    assert!(!from_book(&mut session, "go movetime 30 searchmoves a0a1"));
    assert_eq!(best(&mut session, "go movetime 2000"), "h2e2");
    session.close();
}

/// The first moves of twenty games from a seed.
fn first_moves(session: &mut Session, seed: u32) -> Vec<String> {
    session.send(&format!("setoption Random Seed {seed}"));
    (0..20).map(|_| ask(session, "go movetime 1000").1).collect()
}

#[test]
fn randomness_draws_by_weight_and_the_seed_repeats_it() {
    let mut session = Session::uci();
    session.send(&format!("setoption name BookFile value {BOOK}"));
    session.send("position startpos");
    assert_eq!(first_moves(&mut session, 1), ["h2e2"; 20]);
    session.send("setoption name Randomness value tiny");
    let drawn = first_moves(&mut session, 1);
    for mv in ["h2e2", "g3g4", "g0e2"] {
        assert!(drawn.iter().any(|known| known == mv), "{mv}: {drawn:?}");
    }
    assert_eq!(first_moves(&mut session, 1), drawn);
    assert_ne!(first_moves(&mut session, 2), drawn);
    session.send("setoption name Randomness value none");
    assert_eq!(first_moves(&mut session, 2), ["h2e2"; 20]);
    session.close();
}

/// A book with these records, `line move weight` each.
fn write(path: &Path, records: &[(&str, &str, u16)]) {
    let number = |sq: Square| (12 - sq.rank()) * 16 + sq.file() + 3;
    let mut bytes = Vec::new();
    for (line, text, weight) in records {
        let pos = line
            .split_whitespace()
            .fold(Position::startpos(), |pos, text| pos.make(text.parse().expect("a move")));
        let mv: Move = text.parse().expect("a move");
        bytes.extend(key(&pos)[2].to_le_bytes());
        bytes.extend([number(mv.from()), number(mv.to())]);
        bytes.extend(weight.to_le_bytes());
    }
    std::fs::write(path, bytes).expect("written");
}

#[test]
fn the_book_never_repeats_a_position() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("my book.dat");
    let line = "h0g2 h9g7 g2h0";
    write(&path, &[(line, "g7h9", 900), (line, "g7e8", 1), ("h0g2 h9g7", "g2h0", 9)]);
    let mut session = Session::ucci();
    session.send(&format!("setoption bookfiles {}", path.display()));
    session.send(&format!("position startpos moves {line}"));
    assert_eq!(
        ask(&mut session, "go time 3000"),
        (vec!["info depth 0 score 1 time 0 nodes 0 nps 0 pv g7e8".to_string()], "g7e8".to_string(),)
    );
    // without a past the same board is another matter
    session.send(&format!(
        "position fen {}",
        "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b"
    ));
    assert_eq!(ask(&mut session, "go time 3000").1, "g7h9");
    session.close();
}

#[test]
fn the_first_book_that_knows_a_position_answers() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("other.dat");
    write(&path, &[("", "b0c2", 60_000), ("b0c2", "b9c7", 3)]);
    let mut session = Session::ucci();
    for (list, first) in [
        (format!("{BOOK};{}", path.display()), "h2e2"),
        (format!("\"{}\"; {BOOK}", path.display()), "b0c2"),
    ] {
        session.send(&format!("setoption bookfiles {list}"));
        session.send("position startpos");
        let (shown, best) = ask(&mut session, "go time 3000");
        assert_eq!(best, first);
        if best == "b0c2" {
            assert_eq!(shown, ["info depth 0 score 9000 time 0 nodes 0 nps 0 pv b0c2"]);
        }
        session.send("position startpos moves b0c2");
        assert_eq!(ask(&mut session, "go time 3000").1, "b9c7");
    }
    session.close();
}

#[test]
fn one_based_clients_get_one_based_book_moves() {
    let mut session = Session::uci();
    session.send("setoption name UCI_Coordinates value OneBased");
    session.send(&format!("setoption name BookFile value {BOOK}"));
    session.send("position startpos");
    session.send("go movetime 2000");
    session.expect("a candidate", 5000, |line| {
        line.ends_with(" score cp 47 nodes 0 nps 0 hashfull 0 tbhits 0 time 0 pv h3e3")
    });
    session.expect_text("bestmove h3e3", 5000);
    session.close();
}

#[test]
fn xboard_plays_from_the_book() {
    let mut session = Session::start();
    session.send("xboard");
    session.send("protover 2");
    session.expect_text("feature option=\"OwnBook -check 1\"", 5000);
    session.expect_text("feature option=\"BookFile -file <empty>\"", 5000);
    session.expect_text("feature done=1", 5000);
    session.send("new");
    session.send("variant xiangqi");
    session.send(&format!("option BookFile={BOOK}"));
    session.send("post");
    session.send("level 0 5 0");
    session.send("usermove c3c4");
    session.expect_text("0 22 0 0 h7g7", 5000);
    session.expect_text("move h7g7", 5000);
    session.send("draw");
    session.send("ping 1");
    session.expect_text("pong 1", 5000);
    session.expect_none("offer", |line| line.contains("draw"));
    session.close();
}
