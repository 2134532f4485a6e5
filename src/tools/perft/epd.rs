//! Lines of known counts: `FEN ;D1 44 ;D2 1920 ;id name`.

use std::fmt;

use super::MAX_DEPTH;
use crate::position::{FenError, Position};

/// One position and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdLine {
    /// The position.
    pub position: Position,
    /// Depth in plies and number of leaves, in the order of the line.
    pub counts: Vec<(u32, u64)>,
    /// The text after `id`; empty when the line has none.
    pub id: String,
}

/// Why a line could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpdError {
    /// The position is none.
    Fen(FenError),
    /// A field is neither `Dn count` nor `id name`; the field's first characters.
    Field(String),
    /// There is no count to check.
    NoCount,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Fen(error) => error.fmt(f),
            EpdError::Field(field) => write!(f, "not `Dn count` or `id name`: {field:?}"),
            EpdError::NoCount => f.write_str("no count given"),
        }
    }
}

impl std::error::Error for EpdError {}

impl EpdLine {
    /// Reads one line; `None` for a blank line or a comment, which starts with `#`.
    ///
    /// # Errors
    /// The first thing wrong with the line.
    pub fn parse(line: &str) -> Option<Result<EpdLine, EpdError>> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') { None } else { Some(parse(line)) }
    }
}

fn parse(line: &str) -> Result<EpdLine, EpdError> {
    let mut fields = line.split(';').map(str::trim);
    let position = Position::from_fen(fields.next().unwrap_or_default()).map_err(EpdError::Fen)?;
    let mut result = EpdLine { position, counts: Vec::new(), id: String::new() };
    for field in fields.filter(|field| !field.is_empty()) {
        match field.split_once(char::is_whitespace) {
            Some(("id", name)) => result.id = name.trim().trim_matches('"').to_string(),
            Some((name, value)) => {
                let count = parse_count(name, value.trim());
                result.counts.push(count.ok_or_else(|| EpdError::Field(excerpt(field)))?);
            }
            None => return Err(EpdError::Field(excerpt(field))),
        }
    }
    if result.counts.is_empty() { Err(EpdError::NoCount) } else { Ok(result) }
}

fn parse_count(name: &str, value: &str) -> Option<(u32, u64)> {
    let depth = name.strip_prefix(['D', 'd'])?.parse().ok()?;
    (depth <= MAX_DEPTH).then_some((depth, value.parse().ok()?))
}

fn excerpt(field: &str) -> String {
    field.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let line = EpdLine::parse("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 ;D1 2;D2 5 ; id a/b c ;");
        let line = line.unwrap().unwrap();
        assert_eq!(line.counts, [(1, 2), (2, 5)]);
        assert_eq!((line.id.as_str(), line.position.fullmove()), ("a/b c", 1));
        for blank in ["", "   ", "# 9/9 ;D1 1", "\r"] {
            assert_eq!(EpdLine::parse(blank), None);
        }
        for (text, message) in [
            (";D1 1", "no board given"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w", "no count given"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w ;id x", "no count given"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w ;D1", "not `Dn count` or `id name`: \"D1\""),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w ;D1 -1", "not `Dn count` or `id name`: \"D1 -1\""),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w ;D99 1", "not `Dn count` or `id name`: \"D99 1\""),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w ;E1 1", "not `Dn count` or `id name`: \"E1 1\""),
        ] {
            let error = EpdLine::parse(text).unwrap().unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}
