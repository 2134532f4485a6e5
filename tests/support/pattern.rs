//! The regular expressions of the case collection: common syntax plus one negative look-ahead,
//! which the regex library leaves out on purpose.

use regex::bytes::{Regex, RegexBuilder};

/// A compiled expression.
pub struct Pattern {
    wanted: Regex,
    unwanted: Option<Regex>,
}

impl Pattern {
    /// Compiles `head(?!not)tail`: matches `head tail` unless `head not` matches too.
    pub fn new(text: &str) -> Result<Pattern, String> {
        let compile = |text: &str| {
            RegexBuilder::new(text).unicode(false).build().map_err(|e| format!("{text}: {e}"))
        };
        let Some((head, rest)) = text.split_once("(?!") else {
            return Ok(Pattern { wanted: compile(text)?, unwanted: None });
        };
        let (not, tail) = rest.split_once(')').ok_or_else(|| format!("{text}: unclosed (?!"))?;
        Ok(Pattern {
            wanted: compile(&format!("{head}{tail}"))?,
            unwanted: Some(compile(&format!("{head}(?:{not})"))?),
        })
    }

    /// Whether the line matches anywhere.
    pub fn matches(&self, line: &str) -> bool {
        let line = line.as_bytes();
        self.wanted.is_match(line) && self.unwanted.as_ref().is_none_or(|re| !re.is_match(line))
    }
}

#[test]
fn negative_look_ahead() {
    let pattern = Pattern::new("^bestmove (?!h2e2|b2e2)").unwrap();
    assert!(pattern.matches("bestmove h0g2"));
    assert!(!pattern.matches("bestmove h2e2 ponder h9g7"));
    assert!(!pattern.matches("nobestmove"));
}
