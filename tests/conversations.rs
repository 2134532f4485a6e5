//! Ten thousand random lines, valid and broken, in conversations with the real binary: whatever comes
//! in, the engine ends by itself with status 0, answers every search once, answers the last
//! `isready`, prints only lines of the right shape and nothing on stderr.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[path = "support/hygiene.rs"]
pub mod hygiene;
#[path = "support/tame.rs"]
pub mod tame;

const CONVERSATIONS: u64 = 250;
const LINES: usize = 40;
/// For one conversation on an ordinary machine; most take some milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// How much slower than an ordinary machine this one may be.
fn slowness() -> u32 {
    let text = std::env::var("CHUHE_TEST_SLOWNESS").unwrap_or_default();
    text.parse().ok().filter(|&n| n >= 1).unwrap_or(3)
}

/// A fixed sequence for each seed (multiplier and increment by Knuth), so that a failure repeats.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const WHOLE: [&str; 40] = [
    "uci",
    "ucci",
    "ucicyclone",
    "hello",
    "isready",
    "ucinewgame",
    "uxinewgame",
    "setoption newgame",
    "position startpos",
    "position startpos moves h2e2 h9g7 h0g2 i9h9",
    "startpos moves h2e2",
    "position startpos moves h3e3 h10g8",
    "position fen 3k5/9/9/9/9/9/p8/9/4R4/4K4 b - - 0 1",
    "position fen 1R2k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1",
    "position fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w -- 0 1 moves",
    "fen 3ak4/4a4/9/9/9/4R4/9/9/9/3AK4 r",
    "position fen 9/9 w",
    "banmoves h2e2 b2e2",
    "go",
    "go infinite",
    "go depth 3",
    "go depth 0",
    "go nodes 100",
    "go movetime 10",
    "go ponder wtime 100 btime 100",
    "go time 100 increment 10 draw",
    "go wtime -5 btime 99999999999999999999",
    "go perft 2",
    "go mate 2 searchmoves h2e2 0000",
    "stop",
    "ponderhit",
    "ponderhit draw",
    "setoption name MultiPV value 3",
    "setoption usemillisec false",
    "setoption name Threads value 2",
    "setoption hashsize 2",
    "setoption batch true",
    "probe startpos moves h2e2",
    "d",
    "flip",
];

const WORDS: [&str; 30] = [
    "go",
    "position",
    "fen",
    "startpos",
    "moves",
    "setoption",
    "name",
    "value",
    "depth",
    "infinite",
    "ponder",
    "searchmoves",
    "h2e2",
    "a0a9",
    "0000",
    "resign",
    "-1",
    "99999999999999999999",
    "w",
    "rnbakabnr/9/1c5c1",
    "MultiPV",
    "repetition",
    "banmoves",
    "debug",
    "on",
    "eval",
    "\u{70ae}",
    "\t",
    "stop",
    "perft",
];

fn line(dice: &mut Dice) -> Vec<u8> {
    match dice.below(8) {
        0 => (0..dice.below(40)).map(|_| dice.below(256) as u8).filter(|&b| b != b'\n').collect(),
        1 | 2 => (0..dice.below(8)).map(|_| dice.pick(&WORDS)).collect::<Vec<_>>().join(" ").into(),
        3 => {
            // One byte of a good line is lost, doubled or another one.
            let mut text = dice.pick(&WHOLE).as_bytes().to_vec();
            let at = dice.below(text.len());
            match dice.below(3) {
                0 => _ = text.remove(at),
                1 => text.insert(at, text[at]),
                _ => text[at] = (32 + dice.below(95)) as u8,
            }
            text
        }
        _ => dice.pick(&WHOLE).into(),
    }
}

/// Waits for the end of the process; `false` when it had to be killed.
fn ends(child: &mut Child, deadline: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

/// Sends bytes to an engine, pausing so many milliseconds before some of them, to its end. What it
/// printed, and what went wrong.
fn send(bytes: Vec<u8>, pauses: Vec<(usize, u64)>) -> (Vec<u8>, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let deadline = Instant::now() + PATIENCE * slowness();
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let mut stdout = child.stdout.take().expect("stdout is a pipe");
    let mut stderr = child.stderr.take().expect("stderr is a pipe");
    let writer = thread::spawn(move || {
        let mut from = 0;
        for (to, millis) in pauses {
            let _ = stdin.write_all(&bytes[from..to]).and_then(|()| stdin.flush());
            thread::sleep(Duration::from_millis(millis));
            from = to;
        }
        // Closed pipes are no fault of the writer: the engine may have been told to quit.
        let _ = stdin.write_all(&bytes[from..]);
    });
    let out = thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stdout.read_to_end(&mut bytes);
        bytes
    });
    let err = thread::spawn(move || {
        let mut text = String::new();
        let _ = stderr.read_to_string(&mut text);
        text
    });
    let mut faults = Vec::new();
    if !ends(&mut child, deadline) {
        faults.push("did not end by itself with status 0".to_string());
    }
    writer.join().expect("the writer never panics");
    let output = out.join().expect("the reader never panics");
    let errors = err.join().expect("the reader never panics");
    if !errors.is_empty() {
        faults.push(format!("stderr: {errors}"));
    }
    (output, faults)
}

/// One conversation; what went wrong in it.
fn converse(seed: u64) -> Vec<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut script = tame::Script::default();
    let mut pauses = Vec::new();
    for _ in 0..LINES {
        if !script.add(&line(&mut dice)) {
            break;
        }
        // In half of the conversations the engine gets now and then the time to act.
        if seed.is_multiple_of(2) && dice.below(4) == 0 {
            pauses.push((script.bytes.len(), dice.below(4) as u64));
        }
    }
    let (output, mut faults) = send(script.bytes.clone(), pauses);
    for line in output.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        faults.extend(hygiene::line_faults(line));
    }
    let output = String::from_utf8_lossy(&output);
    faults.extend(script.miscount(&output));
    if !faults.is_empty() {
        let mut told = format!("conversation {seed}\n");
        let _ = write!(told, "{}---\n{output}", String::from_utf8_lossy(&script.bytes));
        faults.push(told);
    }
    faults
}

#[test]
fn missing_and_extra_answers_are_seen() {
    let mut script = tame::Script::default();
    assert!(script.add(b"go depth 1") && script.add(b"go infinite") && script.add(b"stop"));
    for (answers, right) in [(1, false), (2, true), (3, true), (4, false)] {
        let output = "bestmove h2e2\n".repeat(answers);
        assert_eq!(script.miscount(&output).is_none(), right, "{answers}");
    }
    assert!(!script.add(b"quit"));
    let mut script = tame::Script::default();
    assert!(script.add(b"\xEF\xBB\xBFgo ") && script.bytes.starts_with(b"\xEF\xBB\xBFgo"));
    assert_eq!(script.searches, 1, "the mark at the beginning is no part of the line");
}

#[test]
fn conversations_with_xboard_are_kept_short() {
    let mut script = tame::Script::default();
    for line in ["xboard", "go", "level 40 5 0", "cores 64", "option EvalFile=x", "new"] {
        assert!(script.add(line.as_bytes()), "{line}");
    }
    let kept = String::from_utf8_lossy(&script.bytes);
    assert_eq!(kept, "xboard\nst 0.01\nsd 2\ngo\nnew\nst 0.01\nsd 2\n");
    assert_eq!(script.miscount("move h2e2\n"), None);
}

#[test]
fn ten_thousand_random_lines() {
    for seed in 0..CONVERSATIONS {
        let faults = converse(seed);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

const XBOARD: [&str; 34] = [
    "protover 2",
    "new",
    "variant xiangqi",
    "variant chess",
    "setboard 3k5/9/9/9/9/9/p8/9/4R4/4K4 b - - 0 1",
    "setboard 9/9 w",
    "usermove h2e2",
    "usermove h9g7",
    "h2e2",
    "usermove a0a9",
    "usermove",
    "go",
    "force",
    "playother",
    "level 40 5 0",
    "level 0 0:01 0",
    "level x",
    "st 1",
    "sd 3",
    "time 10",
    "time -5",
    "otim 99999999999999999999",
    "ping 1",
    "post",
    "nopost",
    "hard",
    "easy",
    "analyze",
    "exit",
    "undo",
    "remove",
    "?",
    "option MultiPV=2",
    "result 1-0 {Red mates}",
];

/// Lines of the XBoard protocol, valid and broken: the engine must live through them, answer the ping
/// at their end and leave when told.
#[test]
fn random_lines_of_xboard() {
    for seed in 0..20 {
        let mut dice = Dice(seed);
        let mut bytes = b"xboard\nprotover 2\nst 1\nsd 2\n".to_vec();
        for _ in 0..100 {
            match dice.below(5) {
                0 => bytes.extend(line(&mut dice).into_iter().filter(|&b| b != b'q' && b != b'u')),
                _ => bytes.extend(dice.pick(&XBOARD).as_bytes()),
            }
            bytes.push(b'\n');
        }
        bytes.extend(b"force\nexit\nping 4711\nquit\n");
        let (output, faults) = send(bytes.clone(), Vec::new());
        let text = String::from_utf8_lossy(&output);
        assert!(faults.is_empty(), "{}\n{}", faults.join("\n"), String::from_utf8_lossy(&bytes));
        assert!(text.lines().any(|line| line == "pong 4711"), "no pong: {text}");
        assert!(text.is_ascii());
    }
}
