//! Makes any bytes a conversation that comes to its end soon: lines that would search for hours, take
//! the machine's memory or read its files are changed or left out, all others stay byte for byte.
//! Shared by the test of random conversations and the fuzz target for them.

use chuhe::protocol::command::{Command, Greeting, parse};
use chuhe::protocol::go::Go;
use chuhe::protocol::xboard::order::{self, Order};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A harmless conversation and the answers it may have.
#[derive(Debug, Default)]
pub struct Script {
    /// Lines, each with its end.
    pub bytes: Vec<u8>,
    /// Searches: each has one answer.
    pub searches: usize,
    /// Stops: each may be answered by a line of its own when it comes while nothing is searched.
    pub stops: usize,
    /// Lines are read as those of XBoard now.
    xboard: bool,
    /// They were: there moves are told in other words, and as often as the game wants.
    uncounted: bool,
}

/// Keeps a search of XBoard's short; a new game forgets the second half.
const SHORT_GAME: &[u8] = b"\nst 0.01\nsd 2";

impl Script {
    /// Adds a line that is kept, changed, or left out; `false` after a `quit`, which ends it all.
    pub fn add(&mut self, line: &[u8]) -> bool {
        // A mark at the beginning of the input is no part of its first line.
        let line = match line.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) if self.bytes.is_empty() => {
                self.bytes.extend(BYTE_ORDER_MARK);
                rest
            }
            _ => line,
        };
        if self.xboard {
            return self.add_order(line);
        }
        let command = parse(line);
        match &command {
            Command::Greet(Greeting::XBoard) => {
                (self.xboard, self.uncounted) = (true, true);
                self.bytes.extend(line);
                self.bytes.extend(SHORT_GAME);
            }
            Command::Go(go) => {
                self.searches += usize::from(go.perft.is_none());
                self.bytes.extend(Command::Go(short(go)).to_string().bytes());
            }
            Command::SetOption(text) if !is_harmless(&text.to_string()) => return true,
            Command::Bench => return true,
            Command::Stop => {
                self.stops += 1;
                self.bytes.extend(line);
            }
            _ => self.bytes.extend(line),
        }
        self.bytes.push(b'\n');
        command != Command::Quit
    }

    /// The same for a line of XBoard's.
    fn add_order(&mut self, line: &[u8]) -> bool {
        let order = order::read(line);
        match &order {
            Order::Level { .. } | Order::MoveTime(_) | Order::Depth(_) => return true,
            Order::Memory(_) | Order::Cores(_) => return true,
            Order::Option { name, value } => {
                let text = format!("{name} {}", value.as_deref().unwrap_or_default());
                if !is_harmless(&text) {
                    return true;
                }
            }
            Order::Leave(_) => self.xboard = false,
            _ => {}
        }
        self.bytes.extend(line);
        if matches!(order, Order::New | Order::Variant(_)) {
            self.bytes.extend(SHORT_GAME);
        }
        self.bytes.push(b'\n');
        order != Order::Quit
    }

    /// What is wrong with the number of answers in everything that was printed.
    pub fn miscount(&self, output: &str) -> Option<String> {
        let answers = output
            .lines()
            .filter(|line| matches!(line.split(' ').next(), Some("bestmove" | "nobestmove")))
            .count();
        let fits =
            self.uncounted || (self.searches..=self.searches + self.stops).contains(&answers);
        (!fits).then(|| {
            format!("{answers} answers to {} searches and {} stops", self.searches, self.stops)
        })
    }
}

/// Few nodes, whatever else was asked for. An endless search keeps being one: the next `go` or the end
/// of input ends it.
fn short(go: &Go) -> Go {
    let mut go = go.clone();
    go.perft = go.perft.map(|depth| depth.min(2));
    let endless = go == Go { infinite: true, searchmoves: go.searchmoves.clone(), ..Go::default() };
    if !endless {
        go.nodes = Some(go.nodes.unwrap_or(300).clamp(-1, 300));
    }
    go
}

/// Whether an option neither takes much memory, nor opens files, nor starts many threads.
fn is_harmless(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let word: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let most = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.parse::<u64>().unwrap_or(u64::MAX))
        .max();
    let within = |limit: u64| most.is_some_and(|n| (1..=limit).contains(&n));
    match () {
        () if word.contains("file") => false,
        () if word.contains("thread") => within(2),
        () if word.contains("hash") && !word.contains("clear") => within(4),
        () => true,
    }
}
