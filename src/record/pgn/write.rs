//! The writer: UTF-8, tags in a fixed order, moves wrapped at eighty columns.

use std::fmt::Write as _;

use crate::notation::Notation;
use crate::position::Position;
use crate::record::Record;
use crate::types::Color;

/// Columns a line of moves may have.
const WIDTH: usize = 80;

/// These come first and in this order.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "Red", "Black"];

/// Writes a game, an empty line behind it. `Format` tells readers the notation; `}` in a comment
/// becomes `]`, for it cannot be escaped, and quotes in tags become apostrophes.
pub fn write(record: &Record, notation: Notation) -> String {
    let mut text = String::from("[Game \"Chinese Chess\"]\n");
    for name in FIRST_TAGS {
        tag(&mut text, name, record.tag(name).unwrap_or_default());
    }
    tag(&mut text, "Result", record.outcome.as_str());
    let known = |name: &str| {
        let first = FIRST_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name));
        first || ["Game", "Result"].iter().any(|tag| tag.eq_ignore_ascii_case(name))
    };
    for (name, value) in record.tags.iter().filter(|(name, _)| !known(name)) {
        tag(&mut text, name, value);
    }
    let format = match notation {
        Notation::Iccs | Notation::Wire => "ICCS",
        Notation::Wxf | Notation::WxfFederation => "WXF",
        Notation::Chinese => "Chinese",
    };
    tag(&mut text, "Format", format);
    if record.start != Position::startpos() {
        tag(&mut text, "FEN", &record.start.fen());
    }
    text.push('\n');
    let mut lines = Lines { text, column: 0 };
    lines.comment(&record.comment);
    let (mut pos, mut numbered) = (record.start, false);
    let mut number = 1;
    for ply in &record.plies {
        match pos.side() {
            Color::Red => lines.word(&format!("{number}.")),
            Color::Black if !numbered => lines.word(&format!("{number}...")),
            Color::Black => {}
        }
        lines.word(&notation.write(&pos, ply.mv));
        lines.comment(&ply.comment);
        numbered = ply.comment.is_empty();
        number += u32::from(pos.side() == Color::Black);
        pos = pos.make(ply.mv);
    }
    lines.word(record.outcome.as_str());
    lines.text.push_str("\n\n");
    lines.text
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value: String = value
        .chars()
        .map(|c| if c == '"' { '\'' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// Words with blanks or line breaks between them.
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let width: usize = word.chars().map(columns).sum();
        if self.column > 0 {
            let fits = self.column + 1 + width <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += width;
    }

    /// Lines of a comment stay as they are: it may hold a board.
    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        let comment = format!("{{{}}}", comment.replace('}', "]"));
        for (index, line) in comment.split('\n').enumerate() {
            if index > 0 {
                self.text.push('\n');
                self.column = 0;
            }
            self.word(line);
        }
    }
}

/// Columns a character takes on a terminal, well enough to wrap lines.
fn columns(c: char) -> usize {
    if c as u32 >= 0x1100 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Outcome, Ply, pgn};
    use proptest::prelude::*;

    #[test]
    fn layout() {
        let mut record = Record::new(Position::startpos());
        record.tags.push(("Red".to_string(), "\u{738b} \"x\"".to_string()));
        record.tags.push(("Opening".to_string(), "C30".to_string()));
        for (mv, comment) in [("h2e2", "a}b"), ("h9g7", ""), ("h0g2", "")] {
            record.plies.push(Ply { mv: mv.parse().unwrap(), comment: comment.to_string() });
        }
        record.outcome = Outcome::Draw;
        let expected = "[Game \"Chinese Chess\"]\n[Event \"\"]\n[Site \"\"]\n[Date \"\"]\n[Round \"\"]\n\
            [Red \"\u{738b} 'x'\"]\n[Black \"\"]\n[Result \"1/2-1/2\"]\n[Opening \"C30\"]\n\
            [Format \"ICCS\"]\n\n1. H2-E2 {a]b} 1... H9-G7 2. H0-G2 1/2-1/2\n\n";
        assert_eq!(pgn::write(&record, Notation::Iccs), expected);
    }

    /// A game of random moves.
    fn random_game(seed: u64, plies: usize) -> Record {
        let mut record = Record::new(Position::startpos());
        let (mut pos, mut state) = (record.start, seed | 1);
        for number in 0..plies {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mv = moves[(state >> 33) as usize % moves.len()];
            let comment =
                if number % 7 == 3 { format!("{state} (x) \u{597d}") } else { String::new() };
            record.plies.push(Ply { mv, comment });
            pos = pos.make(mv);
        }
        record.tags = FIRST_TAGS.map(|name| (name.to_string(), "v".to_string())).to_vec();
        record.tags.insert(0, ("Game".to_string(), "Chinese Chess".to_string()));
        record.outcome = Outcome::BlackWins;
        record
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_is_written_reads_back(seed: u64, plies in 0usize..150, skip in 0usize..5) {
            let mut record = random_game(seed, plies);
            // Also games that begin elsewhere, with either side.
            for ply in record.plies.drain(..skip.min(record.plies.len())) {
                record.start = record.start.make(ply.mv);
            }
            for notation in Notation::ALL {
                let text = pgn::write(&record, notation);
                let fits = |line: &str| line.chars().map(columns).sum::<usize>() <= WIDTH;
                let mut moves = text.lines().filter(|line| !line.starts_with('['));
                prop_assert!(moves.all(fits));
                let reading = pgn::read(text.as_bytes());
                prop_assert_eq!(&reading.warnings, &[]);
                prop_assert_eq!(&reading.records[..], std::slice::from_ref(&record));
            }
        }
    }
}
