//! Drives the real binary through pipes: send lines, wait for lines, look at everything printed.
//!
//! Every session checks the shape of all output and that stderr stays empty when it is closed, so
//! each test of the protocol is also a test of these.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe::position::Position;

use super::{board, hygiene};

/// Sessions that may run at one time in a test process: more would disturb each other's clocks.
const MAX_SESSIONS: usize = 2;

thread_local! {
    /// Whether this thread has a session: two of one thread could wait for each other's places.
    static HAS_SESSION: Cell<bool> = const { Cell::new(false) };
}

static RUNNING: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// How much slower than an ordinary machine this one may be: all waiting limits are multiplied by
/// it. Set by `CHUHE_TEST_SLOWNESS`, 3 otherwise.
pub fn slowness() -> u32 {
    let text = std::env::var("CHUHE_TEST_SLOWNESS").unwrap_or_default();
    text.parse().ok().filter(|&n| n >= 1).unwrap_or(3)
}

/// A waiting limit in milliseconds of an ordinary machine.
pub fn limit(ms: u64) -> Duration {
    Duration::from_millis(ms) * slowness()
}

/// A place among the sessions that run at one time.
struct Permit;

impl Permit {
    fn take() -> Permit {
        assert!(!HAS_SESSION.replace(true), "close a session before starting the next");
        let mut running = RUNNING.lock().unwrap_or_else(|e| e.into_inner());
        while *running >= MAX_SESSIONS {
            running = FREED.wait(running).unwrap_or_else(|e| e.into_inner());
        }
        *running += 1;
        Permit
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        HAS_SESSION.set(false);
        *RUNNING.lock().unwrap_or_else(|e| e.into_inner()) -= 1;
        FREED.notify_one();
    }
}

/// A line the engine printed.
#[derive(Clone, Debug)]
pub struct Line {
    /// The text without its newline.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// A `bestmove` line with the position its search was started from.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The word after `bestmove`.
    pub best: String,
    /// The word after `ponder`.
    pub ponder: Option<String>,
    /// Position at the `go`; `None` when it was not valid.
    pub position: Option<Position>,
    /// Index of the line in [`Session::lines`].
    pub line: usize,
}

impl Answer {
    /// Whether the move is legal, and the ponder move after it.
    pub fn is_legal(&self) -> bool {
        let Some(pos) = self.position else { return false };
        let Some(best) = board::legal(&pos, &self.best) else { return false };
        self.ponder.as_deref().is_none_or(|mv| board::legal(&pos.make(best), mv).is_some())
    }
}

/// A reason for the engine to print `bestmove` or `nobestmove`.
enum Asked {
    /// A `go` in this position; `None` when it was not valid.
    Search(Option<Box<Position>>),
    /// A `stop` while idle, which UCCI may answer.
    IdleStop,
}

/// A running engine.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<(Instant, Vec<u8>)>,
    errors: Option<JoinHandle<Vec<u8>>>,
    /// All lines so far.
    pub lines: Vec<Line>,
    read: usize,
    newline: &'static str,
    spawned: Instant,
    /// When the last `go`, `stop` or `ponderhit` was sent.
    started: Instant,
    /// When the line the last [`Session::expect`] found was read.
    matched: Instant,
    position: Option<Position>,
    /// What an answer may still come for, oldest first.
    asked: VecDeque<Asked>,
    /// All answers so far.
    pub answers: Vec<Answer>,
    faults: Vec<String>,
    /// Sent and received lines for messages.
    log: String,
    plain: bool,
    closed: bool,
    permit: Option<Permit>,
}

impl Session {
    /// Starts the engine as an interface does.
    pub fn start() -> Session {
        Session::with_args(&[])
    }

    /// Starts the engine and greets it in UCI.
    pub fn uci() -> Session {
        let mut session = Session::start();
        session.send("uci");
        session.expect_text("uciok", 2000);
        session
    }

    /// Starts the engine and greets it in UCCI.
    pub fn ucci() -> Session {
        let mut session = Session::start();
        session.send("ucci");
        session.expect_text("ucciok", 2000);
        session
    }

    /// Starts the engine with arguments. Its output is then for people and its shape is free.
    pub fn with_args(args: &[&str]) -> Session {
        let permit = Permit::take();
        let spawned = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(args)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let (sender, output) = channel();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        thread::spawn(move || {
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                if sender.send((Instant::now(), std::mem::take(&mut line))).is_err() {
                    break;
                }
            }
        });
        let mut stderr = child.stderr.take().expect("stderr is a pipe");
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            bytes
        });
        Session {
            stdin: child.stdin.take(),
            child,
            output,
            errors: Some(errors),
            lines: Vec::new(),
            read: 0,
            newline: "\n",
            spawned,
            started: spawned,
            matched: spawned,
            position: Some(Position::startpos()),
            asked: VecDeque::new(),
            answers: Vec::new(),
            faults: Vec::new(),
            log: String::new(),
            plain: !args.is_empty(),
            closed: false,
            permit: Some(permit),
        }
    }

    /// From now on lines end in CR LF.
    pub fn use_crlf(&mut self) {
        self.newline = "\r\n";
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        let bytes = format!("{line}{}", self.newline);
        self.note(line);
        self.send_bytes(bytes.as_bytes());
    }

    /// Sends several lines with one write, as clients in a hurry do.
    pub fn send_burst(&mut self, lines: &[&str]) {
        let mut bytes = String::new();
        for line in lines {
            self.note(line);
            bytes.push_str(line);
            bytes.push_str(self.newline);
        }
        self.send_bytes(bytes.as_bytes());
    }

    /// Sends raw bytes. Nothing is concluded from them about positions and searches.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        // An engine that has gone cannot be written to; its absence shows where an answer is due.
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Keeps account of a line that is being sent.
    pub fn note(&mut self, line: &str) {
        let _ = writeln!(self.log, "> {}", shortened(line));
        let word = line.split_ascii_whitespace().next().unwrap_or("").to_ascii_lowercase();
        if board::is_position_line(line) {
            self.position = board::after_line(line);
        }
        if word == "go" && !line.contains("perft") {
            self.asked.push_back(Asked::Search(self.position.map(Box::new)));
        }
        if word == "stop" && self.asked.iter().all(|asked| matches!(asked, Asked::IdleStop)) {
            self.asked.push_back(Asked::IdleStop);
        }
        if matches!(word.as_str(), "go" | "stop" | "ponderhit") {
            self.started = Instant::now();
        }
    }

    /// Closes the engine's standard input.
    pub fn close_stdin(&mut self) {
        self.log.push_str("> (end of input)\n");
        self.stdin = None;
    }

    /// Reads what has arrived, waiting for at least one line until `deadline`. False when nothing
    /// came or the output has ended.
    fn pump(&mut self, deadline: Instant) -> bool {
        let wait = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(wait) {
            Ok((at, bytes)) => {
                self.accept(at, &bytes);
                while let Ok((at, bytes)) = self.output.try_recv() {
                    self.accept(at, &bytes);
                }
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }

    fn accept(&mut self, at: Instant, bytes: &[u8]) {
        let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        if !self.plain {
            self.faults.extend(hygiene::line_faults(line));
            if !bytes.ends_with(b"\n") {
                self.faults.push("output ends without a newline".to_owned());
            }
        }
        let text = String::from_utf8_lossy(line).into_owned();
        let _ = writeln!(self.log, "< {}", shortened(&text));
        let words: Vec<&str> = text.split(' ').collect();
        match words[0] {
            "nobestmove" => _ = self.asked.pop_front(),
            "bestmove" => {
                // An idle stop before this search was not answered, and will not be.
                let mut position = None;
                while let Some(asked) = self.asked.pop_front() {
                    if let Asked::Search(pos) = asked {
                        position = pos.map(|pos| *pos);
                        break;
                    }
                }
                let best = words.get(1).copied().unwrap_or("").to_owned();
                let follows = words.get(2) == Some(&"ponder");
                let ponder = follows.then(|| words.get(3).unwrap_or(&"").to_string());
                self.answers.push(Answer { best, ponder, position, line: self.lines.len() });
            }
            _ => {}
        }
        self.lines.push(Line { text, at });
    }

    /// Waits at most `ms` (times the slowness) for a line that satisfies `wanted`, reading on
    /// behind the last line found. `None` when it does not come.
    pub fn wait_for(&mut self, ms: u64, mut wanted: impl FnMut(&str) -> bool) -> Option<Line> {
        let deadline = Instant::now() + limit(ms);
        loop {
            while self.read < self.lines.len() {
                let line = &self.lines[self.read];
                self.read += 1;
                if wanted(&line.text) {
                    self.matched = line.at;
                    return Some(line.clone());
                }
            }
            if !self.pump(deadline) {
                return None;
            }
        }
    }

    /// Waits for a line that satisfies `wanted`; fails the test with the dialogue otherwise.
    pub fn expect(&mut self, what: &str, ms: u64, wanted: impl FnMut(&str) -> bool) -> Line {
        match self.wait_for(ms, wanted) {
            Some(line) => line,
            None => panic!("no {what} within {ms} ms (x {})\n{}", slowness(), self.dialogue()),
        }
    }

    /// Waits for one exact line.
    pub fn expect_text(&mut self, text: &str, ms: u64) -> Line {
        self.expect(&format!("{text:?}"), ms, |line| line == text)
    }

    /// Waits for the answer to a `go` that has a move.
    pub fn best_move(&mut self, ms: u64) -> Answer {
        self.expect("bestmove", ms, |line| line.starts_with("bestmove "));
        let found = self.answers.iter().find(|answer| answer.line + 1 == self.read);
        found.expect("a bestmove line was just read").clone()
    }

    /// Waits for the answer and fails unless it is legal in the position of its `go`.
    pub fn legal_move(&mut self, ms: u64) -> Answer {
        let answer = self.best_move(ms);
        assert!(answer.is_legal(), "illegal answer {answer:?}\n{}", self.dialogue());
        answer
    }

    /// Sends `isready` and waits for `readyok`.
    pub fn ready(&mut self) {
        self.send("isready");
        self.expect_text("readyok", 5000);
    }

    /// Reads whatever comes during `ms` milliseconds (not scaled).
    pub fn listen(&mut self, ms: u64) {
        let deadline = Instant::now() + Duration::from_millis(ms);
        while Instant::now() < deadline {
            if !self.pump(deadline) {
                thread::sleep(deadline.saturating_duration_since(Instant::now()));
            }
        }
    }

    /// Lines that arrived behind the last one found.
    pub fn unread(&self) -> &[Line] {
        &self.lines[self.read..]
    }

    /// Fails when a line that arrived and was not yet read satisfies `unwanted`.
    pub fn expect_none(&mut self, what: &str, unwanted: impl Fn(&str) -> bool) {
        self.listen(0);
        if let Some(line) = self.unread().iter().find(|line| unwanted(&line.text)) {
            panic!("unexpected {what}: {:?}\n{}", line.text, self.dialogue());
        }
    }

    /// Time from the last `go`, `stop` or `ponderhit` to the line found last.
    pub fn answer_time(&self) -> Duration {
        self.matched.saturating_duration_since(self.started)
    }

    /// Time from the start of the process to the line found last.
    pub fn since_start(&self) -> Duration {
        self.matched.saturating_duration_since(self.spawned)
    }

    /// Number of lines that satisfy `wanted` so far.
    pub fn count(&self, wanted: impl Fn(&str) -> bool) -> usize {
        self.lines.iter().filter(|line| wanted(&line.text)).count()
    }

    /// Process number, to look at its processor time.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the process to end by itself; its output is read to the end.
    pub fn wait_exit(&mut self, ms: u64) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit(ms);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                while self.pump(Instant::now() + Duration::from_secs(5)) {}
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            self.pump(Instant::now() + Duration::from_millis(5));
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for the process to end by itself with status 0.
    pub fn expect_exit(&mut self, ms: u64) {
        match self.wait_exit(ms) {
            Some(status) if status.success() => {}
            Some(status) => panic!("ended with {status}\n{}", self.dialogue()),
            None => panic!("still running after {ms} ms (x {})\n{}", slowness(), self.dialogue()),
        }
    }

    /// Ends the engine (with `quit` unless it has ended) and returns what was wrong with its exit,
    /// the shape of its output or its stderr.
    pub fn finish(&mut self) -> Vec<String> {
        self.closed = true;
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.send("quit");
        }
        self.stdin = None;
        let mut faults = std::mem::take(&mut self.faults);
        match self.wait_exit(2000) {
            Some(status) if status.success() || self.plain => {}
            Some(status) => faults.push(format!("process ended with {status}")),
            None => {
                faults.push("process did not end after quit".to_owned());
                let _ = self.child.kill();
                let _ = self.child.wait();
            }
        }
        // Faults of lines that came after the search for them began.
        faults.append(&mut self.faults);
        if let Some(bytes) = self.errors.take().and_then(|reader| reader.join().ok())
            && !bytes.is_empty()
            && !self.plain
        {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(500)]).into_owned();
            faults.push(format!("stderr is not empty: {text:?}"));
        }
        faults.sort();
        faults.dedup();
        faults.truncate(20);
        faults
    }

    /// Gives up the place among the running sessions, once the engine has ended.
    pub fn release(&mut self) {
        if self.closed {
            self.permit = None;
        }
    }

    /// [`Session::finish`], failing the test on any fault.
    pub fn close(mut self) {
        let faults = self.finish();
        assert!(faults.is_empty(), "{}\n{}", faults.join("\n"), self.dialogue());
    }

    /// What was sent and received, the last part of it when it is long.
    pub fn dialogue(&self) -> String {
        let lines: Vec<&str> = self.log.lines().collect();
        let from = lines.len().saturating_sub(40);
        let cut = if from > 0 { "...\n" } else { "" };
        format!("--- dialogue\n{cut}{}\n---", lines[from..].join("\n"))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.closed {
            let _ = self.child.kill();
            let _ = self.child.wait();
            assert!(thread::panicking(), "a session was dropped without being closed");
        }
    }
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(160) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}
