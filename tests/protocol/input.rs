//! What clients may write: line ends, blanks, case, long lines, nonsense.

use crate::support::session::{Session, limit};

/// The position the engine reports, through the console command `d`.
pub(crate) fn shown_fen(session: &mut Session) -> String {
    session.send("d");
    let line = session.expect("Fen: line", 5000, |line| line.starts_with("Fen: "));
    line.text["Fen: ".len()..].to_owned()
}

#[test]
fn line_ends_mark_and_blanks() {
    let mut session = Session::start();
    session.send_bytes(b"\xEF\xBB\xBFuci\r\n");
    session.expect_text("uciok", 2000);
    session.send_bytes(b"\r\n\n   \n\t\n  isready \t \r\r\n");
    session.expect_text("readyok", 5000);
    session.note("position startpos moves h2e2");
    session.send_bytes(b"\tposition  startpos\t moves   h2e2 \r\n");
    session.note("go depth 3");
    session.send_bytes(b"GO\tDepth  3\r\r\n");
    session.legal_move(10_000);
    session.close();
}

#[test]
fn commands_and_moves_in_upper_case() {
    let mut session = Session::start();
    session.send("UCCI");
    session.expect_text("ucciok", 2000);
    session.send("ISREADY");
    session.expect_text("readyok", 5000);
    session.note("position startpos moves h2e2 h9g7");
    session.send_bytes(b"POSITION STARTPOS MOVES H2E2 h9-g7\n");
    session.note("go depth 2");
    session.send_bytes(b"Go DEPTH 2\n");
    session.legal_move(10_000);
    session.close();
}

#[test]
fn a_word_matches_only_as_a_whole() {
    let mut session = Session::uci();
    for line in ["quitting", "uciok", "stopp", "isready2", "go2 depth 1"] {
        session.send(line);
    }
    session.ready();
    assert_eq!(session.count(|line| line.starts_with("bestmove")), 0, "{}", session.dialogue());
    session.close();
}

#[test]
fn unknown_commands_are_silent_unless_debugging() {
    let mut session = Session::uci();
    let before = session.lines.len();
    for line in ["xyzzy 1 2 3", "# comment", "banmoves", "position", "setoption", "ponderhit"] {
        session.send(line);
    }
    session.ready();
    assert_eq!(session.lines.len(), before + 1, "{}", session.dialogue());
    session.send("debug on");
    session.send("xyzzy");
    session.expect("note", 2000, |line| line.starts_with("info string unknown command"));
    session.close();
}

#[test]
fn very_long_lines() {
    let mut session = Session::uci();
    for megabytes in [1, 10] {
        let mut line = b"position fen ".to_vec();
        line.resize(megabytes << 20, b'9');
        line.push(b'\n');
        session.send_bytes(&line);
        session.ready();
    }
    session.send("position startpos");
    session.send("go depth 3");
    session.legal_move(10_000);
    session.close();
}

#[test]
fn a_list_of_5000_moves() {
    let mut session = Session::uci();
    let cycle = ["h0g2", "h9g7", "g2h0", "g7h9"];
    let moves: Vec<&str> = cycle.into_iter().cycle().take(5000).collect();
    session.send(&format!("position startpos moves {}", moves.join(" ")));
    let sent = std::time::Instant::now();
    session.ready();
    assert!(sent.elapsed() < limit(50), "{:?}\n{}", sent.elapsed(), session.dialogue());
    session.send("go depth 3");
    session.legal_move(20_000);
    session.close();
}

#[cfg(unix)]
#[test]
fn network_files_that_never_end() {
    let pipe = std::env::temp_dir().join(format!("chuhe-pipe-{}", std::process::id()));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "a named pipe can be made");
    let mut session = Session::uci();
    for path in [std::path::Path::new("/dev/zero"), &pipe] {
        session.send(&format!("setoption name EvalFile value {}", path.display()));
        session.expect("refusal", 2000, |line| line.starts_with("info string network file "));
        session.ready();
    }
    session.close();
    let _ = std::fs::remove_file(pipe);
}

#[test]
fn files_that_are_no_networks() {
    let directory = std::env::temp_dir().join(format!("chuhe-files-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the files");
    let file = |name: &str, bytes: &[u8]| {
        let path = directory.join(name);
        std::fs::write(&path, bytes).expect("a file is written");
        path
    };
    let embedded = include_bytes!("../../net/chuhe.nnue");
    let bad = [
        directory.join("nosuch.nnue"),
        directory.clone(),
        file("empty.nnue", b""),
        file("garbage.nnue", &[0xA5; 70_000]),
        file("cut.nnue", &embedded[..embedded.len() - 1]),
        file("long.nnue", &[&embedded[..], b"x"].concat()),
    ];
    for start in [Session::uci, Session::ucci] {
        let mut session = start();
        for path in &bad {
            session.send(&format!("setoption name EvalFile value {}", path.display()));
            session.expect("refusal", 2000, |line| {
                line.starts_with("info ") && line.contains("network")
            });
            session.send("position startpos");
            session.send("go depth 3");
            session.legal_move(20_000);
        }
        session.close();
    }
    let _ = std::fs::remove_dir_all(directory);
}

#[test]
fn ten_thousand_lines_of_noise() {
    let words: [&[u8]; 24] = [
        b"position",
        b"fen",
        b"startpos",
        b"moves",
        b"h2e2",
        b"a0a9",
        b"setoption",
        b"name",
        b"value",
        b"MultiPV",
        b"banmoves",
        b"debug",
        b"ponderhit",
        b"stop",
        b"-1",
        b"9999999999999999999999",
        b"rnbakabnr/9/1c5c1",
        b"w",
        b"\x00\x01",
        b"\xC5\xDA\xB6\xFE",
        b"\xE7\x82\xAE",
        b"probe",
        b"\t ",
        b"d",
    ];
    // A fixed linear congruential sequence (multiplier and increment by Knuth): the same bytes in
    // each run, so that a failure can be repeated.
    let mut state = 20_240_601_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut session = Session::uci();
    for _ in 0..100 {
        let mut bytes = Vec::new();
        for _ in 0..100 {
            for _ in 0..next(8) {
                bytes.extend_from_slice(words[next(words.len())]);
                bytes.push(if next(9) == 0 { next(256) as u8 } else { b' ' });
            }
            bytes.push(b'\n');
        }
        session.send_bytes(&bytes);
        session.ready();
    }
    session.send("debug off");
    session.send("uci");
    session.expect_text("uciok", 5000);
    session.send("position startpos");
    session.send("go depth 2");
    session.best_move(20_000);
    session.close();
}

#[test]
fn last_line_without_newline() {
    let mut session = Session::start();
    session.note("go depth 4");
    session.send_bytes(b"uci\nposition startpos\ngo depth 4");
    session.close_stdin();
    session.legal_move(20_000);
    session.expect_exit(2000);
    session.close();
}

#[test]
fn move_list_keeps_its_legal_prefix() {
    for bad in ["a0a9", "h2h2", "zz99", "e9e8", "h9g7x"] {
        let mut session = Session::uci();
        session.send(&format!("position startpos moves h2e2 h9g7 {bad} b9c7"));
        session.expect("message", 5000, |line| line.starts_with("info string "));
        let fen = shown_fen(&mut session);
        assert_eq!(fen, "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
        session.send("go depth 3");
        session.legal_move(10_000);
        session.close();
    }
}
