//! From a line of input to a command: pure and total, no I/O, nothing below that can fail.
//!
//! Both protocols share one vocabulary, so there is one grammar: every word and every spelling is
//! understood whatever greeting was sent. Only what the words do depends on the mode.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::GB18030;

use super::go::Go;
use super::xboard::Order;
use crate::engine::options::parse_flag;

/// Which protocol a greeting asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Greeting {
    /// `ucci`
    Ucci,
    /// `uci`
    Uci,
    /// `ucicyclone`, a UCI with bare `fen` lines, which we accept anyway.
    Cyclone,
    /// `xboard`: from here on lines are read by [`super::xboard::order`].
    XBoard,
}

/// The position a move list starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The start position of the game.
    Initial,
    /// A FEN with whatever followed it before the word `moves`, blanks made single.
    Fen(String),
}

/// Arguments of `position` and `probe`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Where the moves start.
    pub start: Start,
    /// Move tokens as they came: which coordinates they use shows only when they are played.
    pub moves: Vec<String>,
}

/// Arguments of `setoption`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionText {
    /// `name <name> [value <value>]`; `None` when the word `value` is missing.
    Named {
        /// The name, blanks made single.
        name: String,
        /// The rest of the line, inner blanks kept.
        value: Option<String>,
    },
    /// `<name> [<value>]`: where the name ends depends on the options that exist.
    Bare(String),
}

/// One line of input.
// There is never more than a handful of these, so the size of `Go` does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A greeting: banner and mode switch.
    Greet(Greeting),
    /// `isready`
    IsReady,
    /// `setoption`
    SetOption(OptionText),
    /// `ucinewgame` and its cousins.
    NewGame {
        /// The word was `uxinewgame`, which only the XBoard adapter sends.
        adapter: bool,
    },
    /// `position`, or a bare `fen` or `startpos`.
    Position(Setup),
    /// `banmoves`, tokens as they came.
    BanMoves(Vec<String>),
    /// `go` (and `perft n`).
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit [draw]`
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `probe`; `None` when its position cannot be made out.
    Probe(Option<Setup>),
    /// `debug on`, `debug off`
    Debug(bool),
    /// `quit`
    Quit,
    /// A line of the XBoard protocol, which has a grammar of its own.
    Order(Order),
    /// `d`: the board.
    Show,
    /// `eval`
    Eval,
    /// `bench`
    Bench,
    /// `flip`: colours and side to move exchanged.
    Flip,
    /// `compiler`
    Compiler,
    /// `help`
    Help,
    /// Blank, or a known word that lacks what it needs: nothing happens.
    Nothing,
    /// A word that is no command.
    Unknown,
}

/// Reads one line, without its line end or with it. Bytes that are not UTF-8 become replacement
/// characters; they occur in comments behind a FEN. Behind `setoption` they are taken for GBK, in which
/// Chinese interfaces on Windows send the names of files.
pub fn parse(line: &[u8]) -> Command {
    let text = String::from_utf8_lossy(line);
    let text = match text {
        Cow::Owned(text) if is_option(&text) => GB18030.decode_without_bom_handling(line).0,
        text => text,
    };
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let (word, rest) = match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim_start_matches(|c: char| c.is_ascii_whitespace())),
        None => (text, ""),
    };
    let mut tokens = rest.split_ascii_whitespace();
    match word.to_ascii_lowercase().as_str() {
        "" => Command::Nothing,
        "ucci" => Command::Greet(Greeting::Ucci),
        "uci" => Command::Greet(Greeting::Uci),
        "ucicyclone" => Command::Greet(Greeting::Cyclone),
        "xboard" => Command::Greet(Greeting::XBoard),
        "isready" => Command::IsReady,
        "setoption" => parse_option(rest),
        "ucinewgame" | "uccinewgame" | "usinewgame" | "ccinewgame" => {
            Command::NewGame { adapter: false }
        }
        "uxinewgame" => Command::NewGame { adapter: true },
        "position" => parse_setup(rest).map_or(Command::Nothing, Command::Position),
        "fen" | "startpos" => parse_setup(text).map_or(Command::Nothing, Command::Position),
        "banmoves" => match tokens.map(str::to_string).collect::<Vec<_>>() {
            moves if moves.is_empty() => Command::Nothing,
            moves => Command::BanMoves(moves),
        },
        "go" => Command::Go(Go::parse(rest)),
        "perft" => match Go::parse(text) {
            go if go.perft.is_some() => Command::Go(go),
            _ => Command::Nothing,
        },
        "stop" => Command::Stop,
        "ponderhit" => {
            Command::PonderHit { draw: tokens.any(|token| token.eq_ignore_ascii_case("draw")) }
        }
        "probe" => Command::Probe(parse_setup(rest)),
        "debug" => tokens.next().and_then(parse_flag).map_or(Command::Nothing, Command::Debug),
        "quit" => Command::Quit,
        "d" => Command::Show,
        "eval" => Command::Eval,
        "bench" => Command::Bench,
        "flip" => Command::Flip,
        "compiler" => Command::Compiler,
        "help" => Command::Help,
        _ => Command::Unknown,
    }
}

/// Whether the first word of a line is `setoption`.
fn is_option(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next();
    word.is_some_and(|word| word.eq_ignore_ascii_case("setoption"))
}

/// Reads `{startpos | [fen] <FEN>} [moves ...]`; `None` when it starts with neither.
fn parse_setup(text: &str) -> Option<Setup> {
    let mut tokens = text.split_ascii_whitespace().peekable();
    let first = *tokens.peek()?;
    let initial = first.eq_ignore_ascii_case("startpos");
    let bare = first.contains('/');
    if !initial && !bare && !first.eq_ignore_ascii_case("fen") {
        return None;
    }
    if !bare {
        tokens.next();
    }
    // Comments may stand between the FEN and its moves: read on to the word itself.
    let before: Vec<&str> =
        tokens.by_ref().take_while(|token| !token.eq_ignore_ascii_case("moves")).collect();
    let start = if initial { Start::Initial } else { Start::Fen(before.join(" ")) };
    Some(Setup { start, moves: tokens.map(str::to_string).collect() })
}

fn parse_option(rest: &str) -> Command {
    if rest.is_empty() {
        return Command::Nothing;
    }
    let mut words = rest.splitn(2, |c: char| c.is_ascii_whitespace());
    let named = words.next().is_some_and(|word| word.eq_ignore_ascii_case("name"));
    let body = words.next().unwrap_or("").trim_matches(|c: char| c.is_ascii_whitespace());
    if !named || body.is_empty() {
        return Command::SetOption(OptionText::Bare(rest.to_string()));
    }
    let mut name = Vec::new();
    let mut value = None;
    let mut at = body;
    while !at.is_empty() {
        let end = at.find(|c: char| c.is_ascii_whitespace()).unwrap_or(at.len());
        let (token, tail) = at.split_at(end);
        at = tail.trim_start_matches(|c: char| c.is_ascii_whitespace());
        if token.eq_ignore_ascii_case("value") {
            value = Some(at.to_string());
            break;
        }
        name.push(token);
    }
    if name.is_empty() {
        return Command::Nothing;
    }
    Command::SetOption(OptionText::Named { name: name.join(" "), value })
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Initial => f.write_str("startpos")?,
            Start::Fen(fen) => write!(f, "fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for OptionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionText::Named { name, value: None } => write!(f, "name {name}"),
            OptionText::Named { name, value: Some(value) } => {
                write!(f, "name {name} value {value}")
            }
            OptionText::Bare(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Command {
    /// A line that [`parse`] reads back as this command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Greet(Greeting::Ucci) => f.write_str("ucci"),
            Command::Greet(Greeting::Uci) => f.write_str("uci"),
            Command::Greet(Greeting::Cyclone) => f.write_str("ucicyclone"),
            Command::Greet(Greeting::XBoard) => f.write_str("xboard"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption(text) => write!(f, "setoption {text}"),
            Command::NewGame { adapter: false } => f.write_str("ucinewgame"),
            Command::NewGame { adapter: true } => f.write_str("uxinewgame"),
            Command::Position(setup) => write!(f, "position {setup}"),
            Command::BanMoves(moves) => write!(f, "banmoves {}", moves.join(" ")),
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit { draw: false } => f.write_str("ponderhit"),
            Command::PonderHit { draw: true } => f.write_str("ponderhit draw"),
            Command::Probe(None) => f.write_str("probe"),
            Command::Probe(Some(setup)) => write!(f, "probe {setup}"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::Quit => f.write_str("quit"),
            Command::Order(order) => order.fmt(f),
            Command::Show => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Bench => f.write_str("bench"),
            Command::Flip => f.write_str("flip"),
            Command::Compiler => f.write_str("compiler"),
            Command::Help => f.write_str("help"),
            Command::Nothing => Ok(()),
            Command::Unknown => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Command {
        parse(line.as_bytes())
    }

    fn setup(line: &str) -> Setup {
        match read(line) {
            Command::Position(setup) => setup,
            other => panic!("{line:?} read as {other:?}"),
        }
    }

    #[test]
    fn positions_in_every_spelling() {
        let start = Setup { start: Start::Initial, moves: vec![] };
        for line in
            ["position startpos", "startpos", "POSITION  startpos  moves", "startpos moves "]
        {
            assert_eq!(setup(line), start, "{line}");
        }
        let fen = "9/9/9/9/9/9/9/9/9/9 w -- 0 1";
        for line in [
            format!("position fen {fen} moves h2e2 H9-G7"),
            format!("fen {fen}\tmoves  h2e2 H9-G7 \r"),
            format!("position {fen} moves h2e2 H9-G7"),
        ] {
            let got = setup(&line);
            assert_eq!(got.start, Start::Fen(fen.to_string()), "{line}");
            assert_eq!(got.moves, ["h2e2", "H9-G7"], "{line}");
        }
        for line in ["position", "position midgamepos", "position moves h2e2"] {
            assert_eq!(read(line), Command::Nothing, "{line}");
        }
    }

    #[test]
    fn comment_bytes_between_fen_and_moves() {
        let mut line = b"position fen 9/9 b - - 0 4   ;A34.".to_vec();
        line.extend([0xcb, 0xe3, 0xff, 0x00]);
        line.extend(b" - - 0 1 moves i9i8");
        match parse(&line) {
            Command::Position(Setup { start: Start::Fen(fen), moves }) => {
                assert!(fen.starts_with("9/9 b - - 0 4 ;A34."), "{fen}");
                assert_eq!(moves, ["i9i8"]);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn file_names_in_gbk() {
        let bare = |text: &str| Command::SetOption(OptionText::Bare(text.to_string()));
        // the second byte of the last character is a backslash
        let line = b"setoption bookfiles C:\\\xcf\xf3\xc6\xe5\\\x81\x5c.dat\r";
        assert_eq!(parse(line), bare("bookfiles C:\\\u{8c61}\u{68cb}\\\u{4e57}.dat"));
        assert_eq!(read("setoption bookfiles \u{8c61}"), bare("bookfiles \u{8c61}"));
        assert_eq!(parse(b"\xcf\xf3 setoption"), Command::Unknown);
    }

    #[test]
    fn options_in_both_forms() {
        let named = |name: &str, value: Option<&str>| {
            Command::SetOption(OptionText::Named {
                name: name.to_string(),
                value: value.map(str::to_string),
            })
        };
        let bare = |text: &str| Command::SetOption(OptionText::Bare(text.to_string()));
        for (line, want) in [
            ("setoption name Hash value 32", named("Hash", Some("32"))),
            ("setoption name Clear  Hash", named("Clear Hash", None)),
            ("setoption name EvalFile value /a  b/c d", named("EvalFile", Some("/a  b/c d"))),
            ("setoption name Hash value", named("Hash", Some(""))),
            ("setoption NAME Hash VALUE 5 ", named("Hash", Some("5"))),
            ("setoption pruning  large", bare("pruning  large")),
            ("setoption newgame", bare("newgame")),
            ("setoption name", bare("name")),
            ("setoption name value 5", Command::Nothing),
            ("setoption", Command::Nothing),
        ] {
            assert_eq!(read(line), want, "{line}");
        }
    }

    #[test]
    fn words_match_whole_and_in_any_case() {
        assert_eq!(read(" QUIT \r\r"), Command::Quit);
        assert_eq!(read("quitting"), Command::Unknown);
        assert_eq!(read("ponderhit draw"), Command::PonderHit { draw: true });
        assert_eq!(read("# comment"), Command::Unknown);
        assert_eq!(read("banmoves"), Command::Nothing);
        assert_eq!(read("perft"), Command::Nothing);
        assert_eq!(read("probe nonsense"), Command::Probe(None));
        assert_eq!(read("uxinewgame"), Command::NewGame { adapter: true });
        assert!(matches!(read("perft 3"), Command::Go(go) if go.perft == Some(3)));
    }

    fn token() -> impl Strategy<Value = String> {
        "[a-zA-Z0-9/.;_-]{1,8}".prop_filter("words with a meaning of their own", |token| {
            !["moves", "value", "name", "fen", "startpos"].contains(&token.to_lowercase().as_str())
        })
    }

    fn tokens() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec(token(), 1..6)
    }

    fn any_setup() -> impl Strategy<Value = Setup> {
        let start = prop_oneof![
            Just(Start::Initial),
            tokens().prop_map(|words| Start::Fen(words.join(" "))),
        ];
        (start, prop::collection::vec(token(), 0..6))
            .prop_map(|(start, moves)| Setup { start, moves })
    }

    fn any_option() -> impl Strategy<Value = OptionText> {
        prop_oneof![
            (tokens(), prop::option::of(prop::collection::vec(token(), 0..4))).prop_map(
                |(name, value)| OptionText::Named {
                    name: name.join(" "),
                    value: value.map(|words| words.join("  ")),
                }
            ),
            tokens().prop_map(|words| OptionText::Bare(words.join(" "))),
        ]
    }

    fn any_command() -> impl Strategy<Value = Command> {
        use Command::*;
        prop_oneof![
            prop::sample::select(vec![
                Greet(Greeting::Ucci),
                Greet(Greeting::Uci),
                Greet(Greeting::Cyclone),
                Greet(Greeting::XBoard),
                IsReady,
                NewGame { adapter: true },
                NewGame { adapter: false },
                Stop,
                PonderHit { draw: true },
                PonderHit { draw: false },
                Probe(None),
                Debug(true),
                Debug(false),
                Quit,
                Show,
                Eval,
                Bench,
                Flip,
                Compiler,
                Help,
                Nothing,
                Unknown,
            ]),
            any_setup().prop_map(Position),
            any_setup().prop_map(|setup| Probe(Some(setup))),
            tokens().prop_map(BanMoves),
            any_option().prop_map(SetOption),
            super::super::go::tests::any_go().prop_map(Go),
        ]
    }

    proptest! {
        #[test]
        fn display_reads_back(command in any_command()) {
            prop_assert_eq!(read(&command.to_string()), command);
        }

        #[test]
        fn every_line_is_read_and_settles(line in prop::collection::vec(any::<u8>(), 0..80)) {
            let once = parse(&line);
            prop_assert_eq!(read(&once.to_string()), once);
        }

        #[test]
        fn words_in_any_order_settle(words in prop::collection::vec(prop::sample::select(vec![
            "go", "position", "fen", "startpos", "moves", "setoption", "name", "value", "depth",
            "infinite", "-5", "99999999999999999999", "searchmoves", "a0a1", "0000", "perft", "ponder",
            "9/9", "banmoves", "probe", "time", "debug", "on", "\u{70ae}", " ",
        ]), 0..9)) {
            let once = read(&words.join(" "));
            prop_assert_eq!(read(&once.to_string()), once);
        }
    }
}
