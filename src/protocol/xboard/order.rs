//! From a line of the XBoard protocol to what it asks for: pure and total.

use std::fmt;

use crate::engine::options::parse_number;
use crate::protocol::command::Greeting;
use crate::protocol::coordinates::MoveToken;

/// One line of input in XBoard mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// `protover N`: the features are wanted.
    Protover,
    /// A greeting of another protocol, which takes over.
    Leave(Greeting),
    /// `new`
    New,
    /// `variant NAME`
    Variant(String),
    /// `force`: play for neither side.
    Force,
    /// `go`: play for the side to move, now.
    Go,
    /// `playother`: play for the side that is not to move.
    PlayOther,
    /// `level MOVES BASE INCREMENT`
    Level {
        /// Moves in a session, 0 for the whole game.
        moves: i64,
        /// Milliseconds of a session.
        base: i64,
        /// Milliseconds a move.
        increment: i64,
    },
    /// `st`: milliseconds for each move.
    MoveTime(i64),
    /// `sd`: plies, 0 for no limit.
    Depth(i64),
    /// `time`: the engine's clock in milliseconds.
    Time(i64),
    /// `otim`: the opponent's clock in milliseconds.
    OpponentTime(i64),
    /// `usermove MOVE`, or the move alone.
    Move(String),
    /// `?`: move at once.
    MoveNow,
    /// `ping N`
    Ping(String),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result ...`: the game is over.
    Result,
    /// `setboard FEN`
    SetBoard(String),
    /// `undo`: one move back.
    Undo,
    /// `remove`: one move of each side back.
    Remove,
    /// `hard`, `easy`: whether to ponder.
    Ponder(bool),
    /// `post`, `nopost`: whether to show thinking.
    Post(bool),
    /// `analyze`
    Analyze,
    /// `exit`: end of analysis.
    Exit,
    /// `.`: how far the search is.
    Status,
    /// `hint`
    Hint,
    /// `memory MB`
    Memory(i64),
    /// `cores N`
    Cores(i64),
    /// `option NAME[=VALUE]`
    Option {
        /// As announced.
        name: String,
        /// `None` for a button.
        value: Option<String>,
    },
    /// `quit`
    Quit,
    /// Blank, or something that needs no reaction.
    Nothing,
    /// What is not understood, as it came.
    Unknown(String),
}

/// Words that need no reaction.
const IGNORED: [&str; 12] = [
    "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "white",
    "black", "bk", "#",
];

/// Reads one line, with or without its line end.
pub fn read(line: &[u8]) -> Order {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let (word, rest) = match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim_start_matches(|c: char| c.is_ascii_whitespace())),
        None => (text, ""),
    };
    let unknown = || Order::Unknown(text.to_string());
    let number = || rest.split_ascii_whitespace().next().and_then(parse_number);
    let numbered = |order: fn(i64) -> Order| number().map_or_else(unknown, order);
    match word.to_ascii_lowercase().as_str() {
        "" => Order::Nothing,
        "protover" => Order::Protover,
        "uci" => Order::Leave(Greeting::Uci),
        "ucicyclone" => Order::Leave(Greeting::Cyclone),
        "ucci" => Order::Leave(Greeting::Ucci),
        "new" => Order::New,
        "variant" => Order::Variant(rest.to_string()),
        "force" => Order::Force,
        "go" => Order::Go,
        "playother" => Order::PlayOther,
        "level" => level(rest).unwrap_or_else(unknown),
        "st" => millis(rest).map_or_else(unknown, Order::MoveTime),
        "sd" => numbered(Order::Depth),
        "time" => numbered(|n| Order::Time(n.saturating_mul(10))),
        "otim" => numbered(|n| Order::OpponentTime(n.saturating_mul(10))),
        "usermove" if !rest.is_empty() => Order::Move(rest.to_string()),
        "?" => Order::MoveNow,
        "ping" => Order::Ping(rest.to_string()),
        "draw" => Order::Draw,
        "result" => Order::Result,
        "setboard" => Order::SetBoard(rest.to_string()),
        "undo" => Order::Undo,
        "remove" => Order::Remove,
        "hard" => Order::Ponder(true),
        "easy" => Order::Ponder(false),
        "post" => Order::Post(true),
        "nopost" => Order::Post(false),
        "analyze" | "analyse" => Order::Analyze,
        "exit" => Order::Exit,
        "." => Order::Status,
        "hint" => Order::Hint,
        "memory" => numbered(Order::Memory),
        "cores" => numbered(Order::Cores),
        "option" if !rest.is_empty() => match rest.split_once('=') {
            Some((name, value)) => Order::Option {
                name: name.trim().to_string(),
                value: Some(value.trim().to_string()),
            },
            None => Order::Option { name: rest.to_string(), value: None },
        },
        "quit" => Order::Quit,
        word if IGNORED.contains(&word) || word.starts_with('#') => Order::Nothing,
        _ if rest.is_empty() && MoveToken::parse(word).is_some() => Order::Move(word.to_string()),
        _ => unknown(),
    }
}

/// Reads `MOVES BASE INCREMENT`: the base in minutes or `minutes:seconds`, the increment in seconds.
fn level(text: &str) -> Option<Order> {
    let mut fields = text.split_ascii_whitespace();
    let moves = parse_number(fields.next()?)?.max(0);
    let base = fields.next()?;
    let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
    let base = parse_number(minutes)?
        .saturating_mul(60_000)
        .saturating_add(parse_number(seconds)?.saturating_mul(1000));
    let increment = fields.next().map_or(Some(0), millis)?;
    Some(Order::Level { moves, base, increment })
}

/// Seconds, perhaps with a fraction, as milliseconds.
fn millis(text: &str) -> Option<i64> {
    let text = text.split_ascii_whitespace().next()?;
    let seconds: f64 = text.parse().ok().filter(|n: &f64| n.is_finite())?;
    // Saturates.
    Some((seconds * 1000.0).round() as i64)
}

impl Order {
    /// Whether it makes a search for the engine's own move pointless.
    pub fn aborts_thinking(&self) -> bool {
        matches!(
            self,
            Order::Leave(_)
                | Order::New
                | Order::Variant(_)
                | Order::Force
                | Order::PlayOther
                | Order::Result
                | Order::SetBoard(_)
                | Order::Undo
                | Order::Remove
                | Order::Analyze
                | Order::Exit
                | Order::Quit
        )
    }

    /// Whether it leaves pondering alone: clocks are told before each move.
    pub fn is_clock(&self) -> bool {
        matches!(self, Order::Time(_) | Order::OpponentTime(_))
    }
}

impl fmt::Display for Order {
    /// A line that [`read`] reads back as this order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Protover => f.write_str("protover 2"),
            Order::Leave(Greeting::Ucci) => f.write_str("ucci"),
            Order::Leave(Greeting::Cyclone) => f.write_str("ucicyclone"),
            Order::Leave(_) => f.write_str("uci"),
            Order::New => f.write_str("new"),
            Order::Variant(name) => write!(f, "variant {name}"),
            Order::Force => f.write_str("force"),
            Order::Go => f.write_str("go"),
            Order::PlayOther => f.write_str("playother"),
            Order::Level { moves, base, increment } => {
                let (minutes, seconds) = (base / 60_000, base / 1000 % 60);
                write!(f, "level {moves} {minutes}:{seconds} {}", *increment as f64 / 1000.0)
            }
            Order::MoveTime(ms) => write!(f, "st {}", *ms as f64 / 1000.0),
            Order::Depth(plies) => write!(f, "sd {plies}"),
            Order::Time(ms) => write!(f, "time {}", ms / 10),
            Order::OpponentTime(ms) => write!(f, "otim {}", ms / 10),
            Order::Move(text) => write!(f, "usermove {text}"),
            Order::MoveNow => f.write_str("?"),
            Order::Ping(text) => write!(f, "ping {text}"),
            Order::Draw => f.write_str("draw"),
            Order::Result => f.write_str("result *"),
            Order::SetBoard(fen) => write!(f, "setboard {fen}"),
            Order::Undo => f.write_str("undo"),
            Order::Remove => f.write_str("remove"),
            Order::Ponder(on) => f.write_str(if *on { "hard" } else { "easy" }),
            Order::Post(on) => f.write_str(if *on { "post" } else { "nopost" }),
            Order::Analyze => f.write_str("analyze"),
            Order::Exit => f.write_str("exit"),
            Order::Status => f.write_str("."),
            Order::Hint => f.write_str("hint"),
            Order::Memory(mb) => write!(f, "memory {mb}"),
            Order::Cores(n) => write!(f, "cores {n}"),
            Order::Option { name, value: Some(value) } => write!(f, "option {name}={value}"),
            Order::Option { name, value: None } => write!(f, "option {name}"),
            Order::Quit => f.write_str("quit"),
            Order::Nothing => Ok(()),
            Order::Unknown(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(line: &str) -> Order {
        read(line.as_bytes())
    }

    #[test]
    fn clocks_in_every_form() {
        let level = |moves, base, increment| Order::Level { moves, base, increment };
        for (line, want) in [
            ("level 40 5 0", level(40, 300_000, 0)),
            ("level 0 0:30 2.5", level(0, 30_000, 2500)),
            ("level 0 2 12", level(0, 120_000, 12_000)),
            ("level 9 1", level(9, 60_000, 0)),
            ("st 5", Order::MoveTime(5000)),
            ("st 0.25", Order::MoveTime(250)),
            ("time 30000\r\n", Order::Time(300_000)),
            ("otim -7", Order::OpponentTime(-70)),
            ("sd 8", Order::Depth(8)),
        ] {
            assert_eq!(of(line), want, "{line}");
        }
        for line in ["level", "level 40", "level x 5 0", "st", "st inf", "time", "sd deep"] {
            assert_eq!(of(line), Order::Unknown(line.to_string()));
        }
    }

    #[test]
    fn moves_options_and_the_rest() {
        assert_eq!(of("usermove H2-E2"), Order::Move("H2-E2".to_string()));
        assert_eq!(of("h2e2"), Order::Move("h2e2".to_string()));
        let option = |name: &str, value: Option<&str>| Order::Option {
            name: name.to_string(),
            value: value.map(str::to_string),
        };
        assert_eq!(of("option MultiPV=3"), option("MultiPV", Some("3")));
        assert_eq!(of("option Move Overhead = 5"), option("Move Overhead", Some("5")));
        assert_eq!(of("option Clear Hash"), option("Clear Hash", None));
        assert_eq!(of("  GO  "), Order::Go);
        assert_eq!(of("usermove"), Order::Unknown("usermove".to_string()));
        assert_eq!(of("accepted setboard"), Order::Nothing);
        assert_eq!(of("position startpos"), Order::Unknown("position startpos".to_string()));
        assert_eq!(of(""), Order::Nothing);
    }

    proptest! {
        #[test]
        fn every_line_is_read_and_settles(line in prop::collection::vec(any::<u8>(), 0..60)) {
            let once = read(&line);
            prop_assert_eq!(of(&once.to_string()), once);
        }

        #[test]
        fn words_in_any_order_settle(words in prop::collection::vec(prop::sample::select(vec![
            "level", "time", "st", "40", "-5", "0:30", "2.5", "99999999999999999999", "usermove",
            "h2e2", "option", "a=b", "=", "setboard", "ping", "go", "?", ".", "variant", "sd", "nan",
        ]), 0..6)) {
            // Values beyond what fits need one more round to settle.
            let once = of(&of(&words.join(" ")).to_string());
            prop_assert_eq!(of(&once.to_string()), once);
        }
    }
}
