//! A child process that talks in lines.
//!
//! Its output is read by a thread that stamps every line with its time of arrival, so that a busy
//! referee does not charge an engine for its own delays. Standard error is drained by another. The
//! child has a process group of its own: an interrupt from the terminal reaches the referee alone,
//! and the whole group is killed at the end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::spec::EngineSpec;
use super::stop::StopSwitch;

/// Lines that may wait; a child that writes more is held up, not stored.
const BACKLOG: usize = 4096;

/// Longer lines are cut into pieces of this length, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// What a process reports.
#[derive(Debug)]
pub enum Event {
    /// A line without its end, and when it came.
    Line(String, Instant),
    /// No more lines will come.
    Closed,
    /// The match is to end.
    Interrupt,
}

/// Why no line came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The time is up.
    Timeout,
    /// The child closed its output: it has ended or is about to.
    Closed,
    /// The match is to end.
    Interrupted,
}

/// A running child. Dropping it says `quit`, waits a little, and kills what is left.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<Event>,
    stop: StopSwitch,
    registration: u64,
    /// How long the child may take to end after `quit`.
    patience: Duration,
    closed: bool,
    /// The system has told how it ended.
    reaped: bool,
    name: String,
}

impl Process {
    /// Starts the program of an engine.
    ///
    /// # Errors
    /// When the program or its directory is not there or cannot be run.
    pub fn start(spec: &EngineSpec, stop: &StopSwitch, patience: Duration) -> io::Result<Process> {
        let (program, arguments) = spec.command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // CREATE_NEW_PROCESS_GROUP
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, 0x200);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let (sender, events) = sync_channel(BACKLOG);
        if let Some(output) = child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || forward(output, &sender));
        }
        if let Some(errors) = child.stderr.take() {
            let name = spec.name.clone();
            thread::spawn(move || drain(errors, &name));
        }
        let registration = stop.register(sender);
        let (stop, name) = (stop.clone(), spec.name.clone());
        Ok(Process {
            child,
            input,
            events,
            stop,
            registration,
            patience,
            closed: false,
            reaped: false,
            name,
        })
    }

    /// Sends a line. A child that has gone away is noticed when its answer is awaited.
    pub fn send(&mut self, line: &str) {
        log::info!("{} < {line}", self.name);
        let Some(input) = &mut self.input else { return };
        if input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).is_err() {
            self.input = None;
        }
    }

    /// The next line and when it came.
    ///
    /// # Errors
    /// When none comes before `deadline`.
    pub fn receive(&mut self, deadline: Instant) -> Result<(String, Instant), Silence> {
        if self.stop.is_set() {
            return Err(Silence::Interrupted);
        }
        if self.closed {
            return Err(Silence::Closed);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left) {
            Ok(Event::Line(line, at)) => {
                log::info!("{} > {line}", self.name);
                Ok((line, at))
            }
            Ok(Event::Interrupt) => Err(Silence::Interrupted),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Timeout),
            Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => {
                self.closed = true;
                Err(Silence::Closed)
            }
        }
    }

    /// Drops the lines that wait: they belong to an earlier question.
    pub fn discard_waiting(&mut self) {
        for _ in 0..BACKLOG {
            match self.events.try_recv() {
                Ok(Event::Line(..)) => {}
                Ok(Event::Closed) => self.closed = true,
                Ok(Event::Interrupt) | Err(_) => break,
            }
        }
    }

    /// How the child ended, in words, once its output is closed.
    pub fn exit_text(&mut self) -> String {
        // Its output closes a moment before the system has its status.
        thread::sleep(Duration::from_millis(20));
        match self.child.try_wait() {
            Ok(Some(status)) => {
                // Its number may soon be another's, so its helpers are ended now.
                self.kill_group();
                self.reaped = true;
                status.to_string()
            }
            _ => "closed its output".to_string(),
        }
    }

    /// Ends the engine and its helpers, which may be there when the engine itself is gone.
    fn kill_group(&self) {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
        }
    }

    fn kill(&mut self) {
        if !self.reaped {
            self.kill_group();
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        let deadline = Instant::now() + self.patience;
        // The flag may be set here, so the channel is read directly.
        let mut left = if self.closed { Duration::ZERO } else { self.patience };
        while !left.is_zero() {
            match self.events.recv_timeout(left) {
                Ok(Event::Line(..) | Event::Interrupt) => {}
                Ok(Event::Closed) | Err(_) => break,
            }
            left = deadline.saturating_duration_since(Instant::now());
        }
        self.stop.cancel(self.registration);
        self.kill();
    }
}

/// Reads lines until the end and passes them on.
fn forward(output: impl Read, sender: &SyncSender<Event>) {
    let mut reader = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let at = Instant::now();
                let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
                if sender.send(Event::Line(line, at)).is_err() {
                    return;
                }
            }
        }
    }
    let _ = sender.send(Event::Closed);
}

fn drain(errors: impl Read, name: &str) {
    let mut reader = BufReader::new(errors);
    let mut bytes = Vec::new();
    while let Ok(1..) = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
        log::info!("{name} (stderr): {}", String::from_utf8_lossy(&bytes).trim_end());
        bytes.clear();
    }
}
