//! From the arguments of `setoption` to an option and a value.

use super::command::OptionText;
use crate::engine::options::{OptionId, Spec, Value, find};

/// The option and its checked value; `None` for what is to be ignored: unknown names and values
/// that do not fit.
pub(super) fn resolve(text: &OptionText) -> Option<(OptionId, Value)> {
    let (spec, value) = match text {
        OptionText::Named { name, value } => (find(name)?, value.as_deref()),
        OptionText::Bare(text) => split(text)?,
    };
    Some((spec.id, spec.read(value)?))
}

/// Splits `<name> [<value>]` behind the longest known name; names may have several words.
fn split(text: &str) -> Option<(&'static Spec, Option<&str>)> {
    let mut best = None;
    let mut name = String::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        rest = tail.trim_start();
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        if let Some(spec) = find(&name) {
            best = Some((spec, (!rest.is_empty()).then_some(rest)));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Kind;
    use crate::protocol::command::{Command, parse};

    fn read(line: &str) -> Option<(OptionId, Value)> {
        match parse(line.as_bytes()) {
            Command::SetOption(text) => resolve(&text),
            _ => None,
        }
    }

    /// The value for an announced rule name.
    fn rule(name: &str) -> Value {
        let Some(Kind::Combo { choices, .. }) = find("repetition").map(|spec| spec.kind) else {
            panic!("the rule is chosen from a list")
        };
        Value::Choice(choices.iter().position(|choice| choice.name == name).unwrap())
    }

    #[test]
    fn every_spelling_in_every_form() {
        for (line, want) in [
            ("setoption hashsize 64", (OptionId::Hash, Value::Number(64))),
            ("setoption Hash 64", (OptionId::Hash, Value::Number(64))),
            ("setoption name hashsize value 64", (OptionId::Hash, Value::Number(64))),
            ("setoption name MultiPV value 999", (OptionId::MultiPv, Value::Number(128))),
            ("setoption Move_Overhead 50", (OptionId::MoveOverhead, Value::Number(50))),
            ("setoption Move  Overhead 50", (OptionId::MoveOverhead, Value::Number(50))),
            (
                "setoption Repetition Rule NoJudgement",
                (OptionId::RepetitionRule, rule("NoJudgement")),
            ),
            ("setoption repetition checkban", (OptionId::RepetitionRule, rule("AllowChase"))),
            ("setoption ponder 1", (OptionId::Ponder, Value::Flag(true))),
            ("setoption ponder", (OptionId::Ponder, Value::Flag(true))),
            ("setoption usemillisec off", (OptionId::UseMillisec, Value::Flag(false))),
            ("setoption newgame", (OptionId::NewGame, Value::Press)),
            ("setoption ucinewgame", (OptionId::NewGame, Value::Press)),
            ("setoption name Clear Hash", (OptionId::ClearHash, Value::Press)),
            ("setoption clear hash", (OptionId::ClearHash, Value::Press)),
        ] {
            assert_eq!(read(line), Some(want), "{line}");
        }
        for line in [
            "setoption",
            "setoption name",
            "setoption name Hash",
            "setoption name Hash value",
            "setoption name Hash value lots",
            "setoption pruning  large",
            "setoption name Style value Risky",
            "setoption name UCI_Variant value chess",
            "setoption \u{70ae} 5",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
