//! The thread that reads: bytes to lines, lines to commands, and what cannot wait.

use std::io::{BufRead, ErrorKind};
use std::time::Duration;

use super::Hub;
use super::command::{Command, Greeting, OptionText, parse};
use super::coordinates::{Coordinates, MoveToken};
use super::logfile::LogFile;
use super::mode::Mode;
use super::settings::resolve;
use super::ucci;
use super::xboard::{self, Order};
use crate::engine::options::{OptionId, Value};

/// Longest line kept, in bytes; 5,000 moves need 25,000.
const MAX_LINE: usize = 4 << 20;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// After `quit` the process ends by itself within this time, or is ended.
const PATIENCE: Duration = Duration::from_millis(700);

/// Lines of bytes, without a limit on what comes in.
struct Lines<'a, R> {
    input: R,
    /// Takes down what is read.
    log: Option<&'a LogFile>,
    first: bool,
}

impl<'a, R: BufRead> Lines<'a, R> {
    fn new(input: R, log: Option<&'a LogFile>) -> Lines<'a, R> {
        Lines { input, log, first: true }
    }

    /// Reads the next line into `line`, without its end. `false` at the end of input; read errors
    /// count as that. A line that is too long comes out empty.
    fn next(&mut self, line: &mut Vec<u8>) -> bool {
        line.clear();
        let mut too_long = false;
        let mut any = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return any,
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let end = chunk.iter().position(|&b| b == b'\n');
            let text = &chunk[..end.unwrap_or(chunk.len())];
            too_long |= line.len() + text.len() > MAX_LINE;
            if !too_long {
                line.extend_from_slice(text);
            }
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if too_long {
            line.clear();
            line.shrink_to(1 << 16);
        }
        if std::mem::take(&mut self.first) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        if let Some(log) = self.log.filter(|_| any) {
            log.read(line);
        }
        any
    }
}

/// Reads commands until `quit` or the end of input; what a search must hear goes to it at once, the
/// rest waits its turn.
pub(super) fn listen(input: impl BufRead, hub: &Hub) {
    let mut lines = Lines::new(input, Some(&hub.output.log));
    let mut line = Vec::new();
    // The grammar depends on the last greeting read, however far the other thread is.
    let mut xboard = false;
    while lines.next(&mut line) {
        if xboard {
            match xboard::read(&line) {
                Order::Quit => {
                    hub.traffic.quit();
                    return end_soon(hub);
                }
                Order::Leave(greeting) => {
                    xboard = false;
                    hub.traffic.push_order(Order::Leave(greeting), None);
                }
                order => obey(order, hub),
            }
            continue;
        }
        let command = parse(&line);
        log::debug!("read {command:?}");
        let traffic = &hub.traffic;
        match command {
            Command::Greet(Greeting::XBoard) => {
                xboard = true;
                traffic.push(command);
            }
            Command::Nothing => {}
            Command::Unknown if !hub.debug() => {}
            Command::Stop => traffic.stop(),
            Command::PonderHit { draw } => traffic.ponder_hit(draw),
            Command::Quit => {
                if !traffic.quit() {
                    end_soon(hub);
                }
                return;
            }
            Command::IsReady if traffic.is_searching() => hub.output.print("readyok"),
            Command::Debug(on) => hub.set_debug(on),
            Command::Probe(setup) if traffic.is_searching() => hub.probe(setup.as_ref()),
            Command::SetOption(text) => {
                note_option(&text, hub);
                traffic.push(Command::SetOption(text));
            }
            command => traffic.push(command),
        }
    }
    hub.traffic.end();
}

/// Orders of the XBoard protocol: what the search must hear, and the queue for the rest.
fn obey(order: Order, hub: &Hub) {
    log::debug!("read {order:?}");
    match order {
        Order::Nothing => {}
        Order::Status => hub.show_status(),
        Order::Move(text) => {
            let mv = MoveToken::parse(&text).and_then(|token| token.read(Coordinates::ZeroBased));
            hub.traffic.push_order(Order::Move(text), mv);
        }
        Order::Option { name, value } => {
            let text = OptionText::Named { name, value };
            note_option(&text, hub);
            let OptionText::Named { name, value } = text else { return };
            hub.traffic.push_order(Order::Option { name, value }, None);
        }
        order => hub.traffic.push_order(order, None),
    }
}

/// Three options concern the lines that follow, so they count from here on.
fn note_option(text: &OptionText, hub: &Hub) {
    match resolve(text) {
        Some((OptionId::Batch, Value::Flag(on))) => hub.traffic.set_batch(on),
        Some((OptionId::Debug, Value::Flag(on))) => hub.set_debug(on),
        Some((OptionId::DebugLog, Value::Path(name))) => {
            if let Err(error) = hub.output.log.open(&name) {
                let text = format!("the log file cannot be written: {}", error.kind());
                hub.output.print(&hub.mode().message(&text));
            }
        }
        _ => {}
    }
}

/// Sees to it that the process ends even if something does not come to its end.
fn end_soon(hub: &Hub) {
    if hub.is_process() {
        std::thread::sleep(PATIENCE);
        if hub.mode() == Mode::Ucci {
            hub.output.try_print("bye");
        }
        std::process::exit(0);
    }
}

impl Hub {
    /// Answers `probe`: what the hash table knows of a position.
    pub(super) fn probe(&self, setup: Option<&super::command::Setup>) {
        let mut numbering = self.numbering();
        let game = setup.and_then(|setup| match super::setup::build(setup, &mut numbering) {
            Ok((game, remarks)) if remarks.is_empty() => Some(game),
            _ => None,
        });
        let line = match game {
            None => ucci::pophash(None, None),
            Some(game) => {
                let known = self.hash.probe(game.position());
                let mv = known
                    .and_then(|(entry, _)| entry.mv)
                    .filter(|&mv| game.position().is_legal(mv))
                    .map(|mv| numbering.current().show(mv).to_string());
                ucci::pophash(known, mv)
            }
        };
        self.output.print(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8], capacity: usize) -> Vec<Vec<u8>> {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, bytes), None);
        let mut all = Vec::new();
        let mut line = Vec::new();
        while lines.next(&mut line) {
            all.push(line.clone());
        }
        all
    }

    #[test]
    fn lines_of_any_bytes() {
        for capacity in [1, 3, 100] {
            let got = lines(b"\xef\xbb\xbfuci\r\r\n\n\xcb\xe3\x00\nquit", capacity);
            let want: [&[u8]; 4] = [b"uci\r\r", b"", b"\xcb\xe3\x00", b"quit"];
            assert_eq!(got, want);
        }
        assert!(lines(b"", 10).is_empty());
    }

    #[test]
    fn an_endless_line_is_dropped_and_the_next_is_read() {
        let mut bytes = vec![b'x'; MAX_LINE + 5];
        bytes.extend(b"\nisready\n");
        assert_eq!(lines(&bytes, 1 << 16), [&b""[..], b"isready"]);
        let mut bytes = vec![b'x'; MAX_LINE];
        bytes.push(b'\n');
        assert_eq!(lines(&bytes, 1 << 16)[0].len(), MAX_LINE);
    }
}
