//! Races: stop, ponderhit, quit, end of input, commands that arrive while a search runs.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::session::{Session, limit};
use crate::{MATE_IN_ONE, THREE_MOVES};

#[test]
fn two_hundred_stops_each_in_time() {
    let mut session = Session::uci();
    session.ready();
    let mut slow = 0;
    for round in 0..200 {
        session.send(["position startpos", "position startpos moves h2e2"][round % 2]);
        let pause = [0, 1, 5, 20][round % 4];
        if pause == 0 {
            session.send_burst(&["go infinite", "stop"]);
        } else {
            session.send("go infinite");
            thread::sleep(Duration::from_millis(pause));
            session.send("stop");
        }
        session.legal_move(1000);
        // The bound is 50 ms; a busy machine may delay a few by a scheduler's turn.
        slow += u32::from(session.answer_time() > Duration::from_millis(50));
    }
    session.ready();
    assert_eq!(session.answers.len(), 200, "one answer each\n{}", session.dialogue());
    assert!(slow <= 10, "{slow} of 200 answers took over 50 ms");
    session.close();
}

#[test]
fn ponder_hit_and_miss() {
    let mut session = Session::ucci();
    session.send("setoption ponder true");
    for pause in [0, 1, 10, 300] {
        session.send("position startpos moves h2e2 h9g7");
        session.send("go ponder time 400 increment 0");
        session.listen(pause);
        session.expect_none("answer while pondering", |line| line.contains("bestmove"));
        session.send("ponderhit");
        session.legal_move(400);
        assert!(session.answer_time() < limit(400), "{:?}", session.answer_time());

        session.send("position startpos moves h2e2 h9g7");
        session.send("go ponder time 400 increment 0");
        session.listen(pause);
        session.send("stop");
        session.legal_move(500);

        session.send("position startpos moves h2e2 h9g7");
        session.send("go ponder time 60000 increment 0");
        session.listen(pause);
        session.send_burst(&["ponderhit", "stop"]);
        session.legal_move(500);
        session.send_burst(&["go ponder time 400 increment 0", "ponderhit"]);
        session.legal_move(500);
    }
    assert_eq!(session.answers.len(), 16, "{}", session.dialogue());
    session.send("ponderhit");
    session.ready();
    assert_eq!(session.answers.len(), 16, "an idle ponderhit is ignored");
    session.close();
}

#[test]
fn pondering_outlasts_the_clock() {
    let mut session = Session::uci();
    session.send(&format!("position fen {MATE_IN_ONE}"));
    session.send("go ponder wtime 100 btime 100");
    session.listen(600);
    session.expect_none("answer while pondering", |line| line.starts_with("bestmove"));
    session.send("ponderhit");
    session.legal_move(300);
    session.close();
}

/// Processor time of a process so far, in clock ticks of the kernel (100 a second).
#[cfg(target_os = "linux")]
fn processor_ticks(id: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The name in parentheses may hold blanks; fields 14 and 15 are user and system time.
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    fields.skip(11).take(2).filter_map(|text| text.parse::<u64>().ok()).sum()
}

#[test]
#[cfg(target_os = "linux")]
fn an_exhausted_infinite_search_sleeps() {
    let mut session = Session::uci();
    session.send(&format!("position fen {MATE_IN_ONE}"));
    session.send("go infinite");
    session.listen(1500);
    let before = processor_ticks(session.id());
    session.listen(1500);
    let used = processor_ticks(session.id()) - before;
    assert!(used <= 15, "{used} of 150 ticks used while waiting for stop");
    session.expect_none("early answer", |line| line.starts_with("bestmove"));
    assert!(session.lines.len() < 50 + 40, "{} lines", session.lines.len());
    session.send("stop");
    session.legal_move(300);
    session.close();
}

#[test]
fn ready_while_searching_does_not_disturb() {
    let mut session = Session::uci();
    session.send("position startpos");
    session.send("go infinite");
    for _ in 0..100 {
        session.send("isready");
        session.expect_text("readyok", 500);
    }
    session.expect_none("answer", |line| line.starts_with("bestmove"));
    session.send("stop");
    session.legal_move(500);
    assert_eq!(session.count(|line| line == "readyok"), 100);
    assert_eq!(session.answers.len(), 1);
    session.close();
}

#[test]
fn finite_searches_queue_up() {
    let mut session = Session::uci();
    session.send_burst(&[
        "position startpos",
        "go depth 6",
        &format!("position fen {THREE_MOVES}"),
        "go depth 6",
        &format!("position fen {MATE_IN_ONE}"),
        "go movetime 50",
    ]);
    for _ in 0..3 {
        session.legal_move(20_000);
    }
    session.ready();
    assert_eq!(session.answers.len(), 3);
    session.close();
}

#[test]
fn endless_search_gives_way_to_the_next_go() {
    let mut session = Session::uci();
    session.send("position startpos");
    session.send("go infinite");
    session.listen(50);
    session.send(&format!("position fen {THREE_MOVES}"));
    session.listen(50);
    session.expect_none("answer", |line| line.starts_with("bestmove"));
    session.send("go depth 3");
    session.legal_move(1000);
    session.legal_move(5000);
    session.close();
}

#[test]
fn bursts_of_clients_that_do_not_wait() {
    let mut session = Session::uci();
    let setups = [
        "position startpos".to_owned(),
        format!("position fen {MATE_IN_ONE}"),
        format!("fen {THREE_MOVES}"),
    ];
    for round in 0..100 {
        session.send_burst(&[
            "stop",
            "setoption name Threads value 1",
            "setoption name Hash value 16",
            &setups[round % 3],
            "go infinite",
        ]);
    }
    session.send("stop");
    for _ in 0..100 {
        session.legal_move(5000);
    }
    session.ready();
    assert_eq!(session.answers.len(), 100, "{}", session.dialogue());
    session.close();
}

#[test]
fn idle_stop() {
    let mut session = Session::uci();
    session.send("stop");
    session.send("stop");
    session.ready();
    assert_eq!(session.count(|line| line.contains("bestmove")), 0);
    session.send("ucci");
    session.expect_text("ucciok", 2000);
    session.send("stop");
    session.expect_text("nobestmove", 1000);
    session.send("position startpos");
    session.send("go depth 2");
    session.legal_move(10_000);
    // The first stop may have crossed the answer on its way; the second can not.
    session.send("stop");
    session.send("stop");
    session.expect_text("nobestmove", 1000);
    session.ready();
    assert_eq!(session.count(|line| line == "nobestmove"), 2, "{}", session.dialogue());
    session.close();
}

#[test]
fn two_quick_stops_give_one_answer() {
    let mut session = Session::ucci();
    session.send("position startpos");
    session.send("go infinite");
    session.listen(100);
    session.send_burst(&["stop", "stop"]);
    session.legal_move(500);
    session.ready();
    assert_eq!(session.count(|line| line.contains("bestmove")), 1, "{}", session.dialogue());
    session.close();
}

#[test]
fn quit_during_a_search() {
    for setup in ["setoption name Threads value 4", "setoption name Hash value 1024"] {
        for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 60"] {
            let mut session = Session::uci();
            session.send(setup);
            session.ready();
            session.send(go);
            session.listen(50);
            session.send("quit");
            session.expect_exit(1000);
            session.close();
        }
    }
}

#[test]
fn quit_says_bye_in_ucci() {
    let mut session = Session::ucci();
    session.send_burst(&["position startpos", "go infinite", "quit"]);
    session.expect_text("bye", 1000);
    session.expect_exit(1000);
    assert_eq!(session.lines.last().map(|line| line.text.as_str()), Some("bye"));
    session.close();
}

#[test]
fn end_of_input() {
    let mut session = Session::uci();
    session.close_stdin();
    session.expect_exit(1000);
    session.close();

    for go in ["go infinite", "go ponder wtime 60000 btime 60000", "go wtime 600000 btime 600000"] {
        let mut session = Session::uci();
        session.send(go);
        session.listen(50);
        session.close_stdin();
        session.legal_move(1000);
        session.expect_exit(1000);
        session.close();
    }

    for go in ["go depth 7", "go nodes 50000", "go movetime 400"] {
        let mut session = Session::start();
        session.send_burst(&["ucci", "position startpos", go, "position startpos moves h2e2", go]);
        session.close_stdin();
        session.legal_move(20_000);
        session.legal_move(20_000);
        session.expect_exit(1000);
        session.close();
    }
}

#[test]
fn closed_output_ends_the_process() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let deadline = Instant::now() + limit(3000);
    let status = loop {
        // Writing fails once the process has gone, which is what is waited for.
        let _ = std::io::Write::write_all(&mut stdin, b"ucci\nposition startpos\ngo depth 3\n");
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            break None;
        }
        thread::sleep(Duration::from_millis(10));
    };
    let output = child.wait_with_output().unwrap();
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn batch_file() {
    let mut session = Session::start();
    session.send_burst(&[
        "ucci",
        "setoption batch true",
        "position startpos",
        "go time 300",
        &format!("position fen {MATE_IN_ONE}"),
        "go depth 5",
        "position startpos moves h2e2",
        "go time 300",
        "quit",
    ]);
    for _ in 0..3 {
        session.legal_move(20_000);
    }
    session.expect_text("bye", 2000);
    session.expect_exit(1000);
    session.close();
}

#[test]
fn a_count_of_leaves_can_be_stopped() {
    let mut session = Session::uci();
    session.send("position startpos");
    session.send_burst(&["go perft 30", "isready"]);
    session.expect_text("readyok", 1000);
    session.send("stop");
    session.expect_text("info string the count was stopped", 1000);
    session.send_burst(&["go perft 30", "go depth 2", "stop"]);
    session.legal_move(1000);
    assert_eq!(session.answers.len(), 1, "{}", session.dialogue());
    session.send_burst(&["go perft 30", "quit"]);
    session.expect_exit(1000);
    session.close();
}
