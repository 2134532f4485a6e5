//! What several commands share: positions, rules and names given on the command line.

use std::fmt;
use std::io::{self, IsTerminal};

use clap::ValueEnum;

use crate::engine::Engine;
use crate::engine::options::{OptionId, Value, find};
use crate::notation::{self, Notation, NotationError};
use crate::position::{DiagramStyle, FenError, Position};
use crate::rules::{Game, RuleSet};
use crate::types::Color;

/// Names of notations on the command line.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NotationName {
    /// h2e2
    Wire,
    /// H2-E2
    Iccs,
    /// C2.5
    Wxf,
    /// Chinese characters
    Chinese,
}

impl From<NotationName> for Notation {
    fn from(name: NotationName) -> Notation {
        match name {
            NotationName::Wire => Notation::Wire,
            NotationName::Iccs => Notation::Iccs,
            NotationName::Wxf => Notation::Wxf,
            NotationName::Chinese => Notation::Chinese,
        }
    }
}

/// Names of diagram styles on the command line.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StyleName {
    Ascii,
    Chinese,
}

/// Why the position given cannot be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InputError {
    Fen(FenError),
    Move { number: usize, error: NotationError },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Fen(error) => write!(f, "bad FEN: {error}"),
            InputError::Move { number, error } => write!(f, "move {number}: {error}"),
        }
    }
}

/// Reads `startpos` or a FEN and the moves after it, from any division into words.
pub(super) fn read_game(words: &[String]) -> Result<Game, InputError> {
    let text = words.join(" ");
    let mut tokens: Vec<&str> = text.split_whitespace().collect();
    if tokens.first() == Some(&"fen") {
        tokens.remove(0);
    }
    let fields = match tokens.first() {
        Some(&"startpos") => 1,
        _ => tokens.iter().enumerate().take_while(|&(i, token)| i == 0 || is_field(token)).count(),
    };
    let (fen, moves) = tokens.split_at(fields);
    let start = match fen {
        ["startpos"] => Position::startpos(),
        _ => Position::from_fen(&fen.join(" ")).map_err(InputError::Fen)?,
    };
    let mut game = Game::new(start);
    let moves = moves.strip_prefix(&["moves"]).unwrap_or(moves);
    for (i, text) in moves.iter().enumerate() {
        let mv = notation::read(game.position(), text)
            .map_err(|error| InputError::Move { number: i + 1, error })?;
        game.play(mv);
    }
    Ok(game)
}

/// Whether a word behind the board belongs to the FEN: side, dashes, or a counter.
fn is_field(token: &str) -> bool {
    matches!(token, "w" | "W" | "r" | "R" | "b" | "B")
        || token.bytes().all(|b| b == b'-')
        || token.parse::<i64>().is_ok()
}

pub(super) fn side_name(side: Color) -> &'static str {
    match side {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

/// Whether the locale that these variables name is a UTF-8 one. The first that is set decides.
fn is_utf8_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty())
        .is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            value.contains("utf-8") || value.contains("utf8")
        })
}

pub(super) fn diagram_style(asked: Option<StyleName>) -> DiagramStyle {
    match asked {
        Some(StyleName::Ascii) => DiagramStyle::Ascii,
        Some(StyleName::Chinese) => DiagramStyle::Chinese,
        None if io::stdout().is_terminal() && is_utf8_locale(|name| std::env::var(name).ok()) => {
            DiagramStyle::Chinese
        }
        None => DiagramStyle::Ascii,
    }
}

/// The rule set of a name or alias, or a message that lists the names.
pub(super) fn rule_set(name: &str) -> Result<RuleSet, String> {
    RuleSet::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = RuleSet::names().collect();
        format!("there are {}", names.join(", "))
    })
}

/// The exit status that shells give to a program that an interrupt has ended.
pub(super) const INTERRUPTED: u8 = 130;

/// The first interrupt calls `stop`; the second ends the program.
pub(super) fn stop_on_interrupt(stop: impl Fn() + Send + 'static) {
    let mut again = false;
    let handler = move || {
        if std::mem::replace(&mut again, true) {
            std::process::exit(INTERRUPTED.into());
        }
        stop();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("an interrupt will end the program at once: {error}");
    }
}

/// An engine with a hash table of `hash` MB and so many threads, ready to search under the rule set
/// of that name.
///
/// # Errors
/// When the memory or the threads cannot be had.
pub(super) fn new_engine(hash: u32, threads: u16, rules: &str) -> Result<Engine, String> {
    let mut engine = Engine::new();
    for (id, value) in [(OptionId::Hash, i64::from(hash)), (OptionId::Threads, threads.into())] {
        if let Some(notice) = engine.set_option(id, Value::Number(value)) {
            return Err(notice.to_string());
        }
    }
    if let Some(value) = find("repetition").and_then(|spec| spec.read(Some(rules))) {
        engine.set_option(OptionId::RepetitionRule, value);
    }
    engine.prepare().map_err(|error| error.to_string())?;
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn positions_in_one_word_or_several() {
        let after = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
        let whole = format!("{} moves h2e2", Position::START_FEN);
        for line in [
            "startpos h2e2",
            "startpos moves H2-E2",
            "startpos 炮二平五",
            "startpos c2=5",
            "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR moves C2.5",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r h2e2",
            &whole,
        ] {
            assert_eq!(read_game(&words(line)).unwrap().position().fen(), after, "{line}");
            let quoted = [line.to_string()];
            assert_eq!(read_game(&quoted).unwrap().position().fen(), after, "{line}");
        }
    }

    #[test]
    fn unreadable_input_is_one_line() {
        for (line, reason) in [
            ("", "bad FEN: no board given"),
            ("9/9 w", "bad FEN: 2 ranks instead of ten"),
            ("h2e2", "bad FEN: 1 ranks instead of ten"),
            ("h2x2/9", "bad FEN: rank 9: unknown letter"),
            ("startpos h2e2 h2e2", "move 2: h2e2 is not a legal move"),
            ("startpos moves h2e2 x", "move 2: \"x\" is not a legal move"),
        ] {
            assert_eq!(read_game(&words(line)).unwrap_err().to_string(), reason);
        }
    }

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        let check = |set: &[(&str, &str)]| {
            is_utf8_locale(|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
            })
        };
        assert!(check(&[("LANG", "zh_CN.UTF-8")]));
        assert!(check(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!check(&[("LC_ALL", "C"), ("LANG", "zh_CN.UTF-8")]));
        assert!(!check(&[("LANG", "zh_CN.GBK")]));
        assert!(!check(&[]));
    }

    #[test]
    fn an_unknown_rule_set_is_answered_with_the_names() {
        assert_eq!(rule_set("AsianRule").map(|rules| rules.name()), Ok("wxf"));
        let message = rule_set("moonrule").unwrap_err();
        assert!(RuleSet::names().all(|name| message.contains(name)), "{message}");
    }
}
