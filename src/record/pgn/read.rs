//! The reader: one pass over the characters, with the position at hand, so that moves can be told
//! from other words by trying them.

use crate::notation;
use crate::position::Position;
use crate::record::{Outcome, Ply, Problem, Record, Warning, decode, san};
use crate::types::Move;

/// All games of a file and what was wrong with it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reading {
    /// Games in file order; damaged ones up to the damage.
    pub records: Vec<Record>,
    /// In file order.
    pub warnings: Vec<Warning>,
}

/// Reads the games of a file in any encoding [`decode`] knows.
pub fn read(bytes: &[u8]) -> Reading {
    read_text(&decode(bytes))
}

/// Reads the games of a text.
pub fn read_text(text: &str) -> Reading {
    let mut reader = Reader::new(text);
    while reader.step() {}
    reader.finish_game();
    if reader.reading.records.is_empty() && reader.reading.warnings.is_empty() {
        reader.warn(Problem::NoGame);
    }
    reader.reading
}

/// How much of an unreadable move a warning shows, in characters.
const SHOWN: usize = 16;

/// How the moves of a game are most likely written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Style {
    /// Coordinates, WXF, Chinese.
    #[default]
    Plain,
    /// `Che2` with ranks from this number.
    Algebraic(u8),
}

/// The game being read.
#[derive(Debug, Default)]
struct Open {
    tags: Vec<(String, String)>,
    fen: Option<String>,
    tag_outcome: Option<Outcome>,
    style: Style,
    /// Set by the first thing behind the tags; `None` inside when the FEN is bad.
    body: Option<Body>,
}

#[derive(Debug)]
struct Body {
    record: Record,
    pos: Position,
    /// The result has been read, or a move could not be: moves are no longer looked at.
    cut: bool,
    done: bool,
    outcome: Option<Outcome>,
    usable: bool,
}

struct Reader<'a> {
    text: &'a str,
    /// Byte offset of the next character.
    at: usize,
    line: usize,
    game: Open,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0, line: 1, game: Open::default(), reading: Reading::default() }
    }

    fn warn(&mut self, problem: Problem) {
        self.reading.warnings.push(Warning { line: self.line, problem });
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn advance(&mut self, bytes: usize) {
        let skipped = &self.text[self.at..self.at + bytes];
        self.line += skipped.bytes().filter(|&b| b == b'\n').count();
        self.at += bytes;
    }

    fn at_line_start(&self) -> bool {
        let line = self.text[..self.at].rsplit('\n').next().unwrap_or_default();
        line.chars().all(char::is_whitespace)
    }

    /// Takes one thing off the text; `false` at its end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return false };
        if c.is_whitespace() {
            self.advance(rest.len() - rest.trim_start().len());
        } else if c == '[' && self.tag() {
            // taken
        } else if self.game.body.as_ref().is_some_and(|body| body.done) {
            // Advertisements behind the result.
            self.advance(line_length(rest));
        } else if c == '%' && self.at_line_start() {
            self.advance(line_length(rest));
        } else if c == ';' {
            let length = line_length(rest);
            self.comment(rest[1..length].trim());
            self.advance(length);
        } else if c == '{' {
            self.braces();
        } else if c == '(' {
            self.variation();
        } else if matches!(c, ')' | '}' | ']' | '[') {
            self.advance(1);
        } else {
            let length = rest.find(|c: char| c.is_whitespace() || "{}();[]".contains(c));
            let word = &rest[..length.unwrap_or(rest.len())];
            self.word(word);
            self.advance(word.len());
        }
        true
    }

    /// Reads a tag line; `false` when this is none.
    fn tag(&mut self) -> bool {
        if !self.at_line_start() {
            return false;
        }
        let line = &self.rest()[..line_length(self.rest())];
        let Some((name, value)) = parse_tag(line) else { return false };
        if self.game.body.is_some() {
            self.finish_game();
        }
        let game = &mut self.game;
        match name.to_ascii_lowercase().as_str() {
            "fen" => game.fen = Some(value.to_string()),
            "result" => game.tag_outcome = Outcome::parse(value.trim()),
            "variant" if value == "Xiangqi" => game.style = Style::Algebraic(1),
            "variant" if value.eq_ignore_ascii_case("xiangqi") => game.style = Style::Algebraic(0),
            "format" | "setup" | "variant" => {}
            _ => game.tags.push((name.to_string(), value.to_string())),
        }
        self.advance(line.len());
        true
    }

    /// The body of the open game, started if need be.
    fn body(&mut self) -> &mut Body {
        if self.game.body.is_none() {
            let parsed =
                self.game.fen.as_deref().map_or(Ok(Position::startpos()), Position::from_fen);
            let (start, usable) = match parsed {
                Ok(start) => (start, true),
                Err(reason) => {
                    self.warn(Problem::BadFen(reason.to_string()));
                    (Position::startpos(), false)
                }
            };
            self.game.body = Some(Body {
                record: Record::new(start),
                pos: start,
                cut: !usable,
                done: false,
                outcome: None,
                usable,
            });
        }
        self.game.body.as_mut().expect("the body was just made")
    }

    fn comment(&mut self, text: &str) {
        let body = self.body();
        if body.cut || text.is_empty() {
            return;
        }
        let slot = match body.record.plies.last_mut() {
            Some(ply) => &mut ply.comment,
            None => &mut body.record.comment,
        };
        if !slot.is_empty() {
            slot.push('\n');
        }
        slot.push_str(text);
    }

    /// A `{…}` comment. One that never closes, or that swallows the next game or the next comment,
    /// ends before the first line that starts with a number and a legal move.
    fn braces(&mut self) {
        let rest = &self.rest()[1..];
        let close = rest.find('}');
        // Nothing behind the closing brace matters, and the rest of the file may be long.
        let within = &rest[..close.unwrap_or(rest.len())];
        let is_game =
            |at: usize| parse_tag(within[at + 2..].lines().next().unwrap_or_default()).is_some();
        let next_game = within.find("\n\n[").filter(|&at| is_game(at));
        let sound = close.is_some() && next_game.is_none() && !within.contains('{');
        if let (true, Some(end)) = (sound, close) {
            self.comment(rest[..end].trim());
            self.advance(end + 2);
            return;
        }
        let limit = next_game.unwrap_or(rest.len());
        let cut = self.numbered_move(&rest[..limit]);
        let (end, closed) = match (cut, close) {
            (Some(at), _) => (at, false),
            (None, Some(end)) if end < limit => (end, true),
            _ => (limit, false),
        };
        if !closed {
            self.warn(Problem::OpenComment);
        }
        self.comment(rest[..end].trim());
        self.advance(end + 1 + usize::from(closed));
    }

    /// Offset of the first line, but the first, that starts with a move number and a legal move.
    fn numbered_move(&mut self, text: &str) -> Option<usize> {
        let style = self.game.style;
        let pos = self.body().pos;
        let mut offset = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let line_start = line.trim_start();
            let word = without_number(line_start);
            let numbered = word.len() < line_start.len();
            if index > 0 && numbered {
                let dots = |word: &&str| word.chars().all(|c| matches!(c, '.' | '\u{2026}'));
                let first = word.split_whitespace().find(|word| !dots(word)).unwrap_or_default();
                if read_move(&pos, first, style).is_some() {
                    return Some(offset);
                }
            }
            offset += line.len();
        }
        None
    }

    /// Skips a variation with all it holds.
    fn variation(&mut self) {
        let rest = self.rest();
        let (mut depth, mut brace) = (0usize, false);
        for (at, c) in rest.char_indices() {
            match c {
                '{' => brace = true,
                '}' => brace = false,
                '(' if !brace => depth += 1,
                ')' if !brace => depth -= 1,
                '\n' if rest[at..].starts_with("\n\n[") => break,
                _ => {}
            }
            if depth == 0 {
                self.body();
                self.advance(at + 1);
                return;
            }
        }
        self.warn(Problem::OpenVariation);
        self.body();
        self.advance(rest.find("\n\n[").unwrap_or(rest.len()));
    }

    fn word(&mut self, word: &str) {
        if let Some(outcome) = Outcome::parse(word) {
            let body = self.body();
            body.outcome = Some(outcome);
            body.done = true;
            return;
        }
        let text = without_number(word).trim_end_matches(['!', '?', '+', '#']);
        let is_mark = word.starts_with('$') || text.chars().all(|c| matches!(c, '.' | '\u{2026}'));
        let is_number = text.chars().all(|c| c.is_ascii_digit());
        if is_mark || is_number {
            self.body();
            return;
        }
        let style = self.game.style;
        let body = self.body();
        if body.cut {
            return;
        }
        match read_move(&body.pos, text, style) {
            Some(mv) => {
                body.pos = body.pos.make(mv);
                body.record.plies.push(Ply { mv, comment: String::new() });
            }
            None => {
                body.cut = true;
                let problem = Problem::BadMove {
                    ply: body.record.plies.len() + 1,
                    text: text.chars().take(SHOWN).collect(),
                    fen: body.pos.fen(),
                };
                self.warn(problem);
            }
        }
    }

    /// Puts the open game on the list, unless there is nothing in it.
    fn finish_game(&mut self) {
        let has_tags = !self.game.tags.is_empty() || self.game.fen.is_some();
        if self.game.body.is_none() && !has_tags {
            return;
        }
        self.body();
        let game = std::mem::take(&mut self.game);
        let Some(Body { mut record, outcome, usable, .. }) = game.body else { return };
        // Words that are not moves do not make a game.
        let is_game = has_tags || !record.plies.is_empty();
        if !usable || !is_game {
            return;
        }
        if let (Some(end), Some(tag)) = (outcome, game.tag_outcome)
            && end != tag
        {
            self.warn(Problem::ResultsDiffer);
        }
        record.tags = game.tags;
        record.outcome = outcome.or(game.tag_outcome).unwrap_or_default();
        self.reading.records.push(record);
    }
}

/// Bytes up to the end of the line.
fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// `[Name "value"]`: the value goes from the first quote to the last, since files hold unescaped
/// quotes and brackets.
fn parse_tag(line: &str) -> Option<(&str, &str)> {
    let inside = line.trim().strip_prefix('[')?;
    let (name, value) = inside.split_once('"')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (value, _) = value.rsplit_once('"')?;
    is_name.then_some((name, value))
}

/// Takes `12.` or `12...` off the front of a word.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = word.len() - rest.len();
    if (1..=4).contains(&digits) && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

/// Reads a move in the likely style first, then in all others.
fn read_move(pos: &Position, text: &str, style: Style) -> Option<Move> {
    let plain = || notation::read(pos, text).ok();
    match style {
        Style::Algebraic(base) => san::read(pos, text, base).or_else(plain),
        Style::Plain => plain()
            .or_else(|| san::read(pos, text, 0))
            .or_else(|| text.contains("10").then(|| san::read(pos, text, 1)).flatten()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(record: &Record) -> String {
        record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn spellings_mix() {
        let reading = read_text("1.炮二平五 N8+7 2.h0g2 {x} Rh9 3. I0-H0! $4 C2+4 *");
        assert_eq!(reading.warnings, []);
        assert_eq!(wire(&reading.records[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b7b3");
        assert_eq!(reading.records[0].plies[2].comment, "x");
    }

    #[test]
    fn wild_tags() {
        let text = "[Event \"2000[Game \"Chinese Chess\"]\n[result \"1-0\"]\n[fen \"bad\"]\n\n1. C2.5 *\n\n\
                    [Red \"A \"x\" B\"]\n[Result \"0-1\"]\n1. C2.5 0-1 www.example.org\nC8.5 2. N2+3\n";
        let reading = read_text(text);
        assert_eq!(reading.records.len(), 1, "the first has no position");
        assert!(matches!(reading.warnings[..], [Warning { line: 5, problem: Problem::BadFen(_) }]));
        let record = &reading.records[0];
        assert_eq!((record.tag("red"), record.outcome), (Some("A \"x\" B"), Outcome::BlackWins));
        assert_eq!(wire(record), "h2e2", "nothing counts behind the result");
    }

    #[test]
    fn damage_is_reported_with_its_line() {
        let reading =
            read_text("[Red \"A\"]\n\n1. C2.5 C8.5\n2. R1+9 N8+7 1-0\n\n[Red \"B\"]\n1. C8.5 *\n");
        assert_eq!(wire(&reading.records[0]), "h2e2 h7e7");
        assert_eq!((wire(&reading.records[1]).as_str(), reading.records.len()), ("b2e2", 2));
        assert_eq!(reading.records[0].outcome, Outcome::RedWins);
        let [Warning { line: 4, problem: Problem::BadMove { ply: 3, text, .. } }] =
            &reading.warnings[..]
        else {
            panic!("{:?}", reading.warnings)
        };
        assert_eq!(text, "R1+9");
        assert!(reading.warnings[0].to_string().starts_with("line 4: ply 3: \"R1+9\""));
    }

    #[test]
    fn brackets_and_braces() {
        let plain = "1. C2.5 (1. P7+1 {)} (1. P3+1)) C8.5 *";
        assert_eq!(wire(&read_text(plain).records[0]), "h2e2 h7e7");
        let lost = "[Red \"A\"]\n1. C2.5 {lost\n1. ... C8.5 {good}\n2. N2+3 *";
        let reading = read_text(lost);
        assert_eq!(wire(&reading.records[0]), "h2e2 h7e7 h0g2");
        assert!(matches!(reading.warnings[..], [Warning { problem: Problem::OpenComment, .. }]));
        let next =
            "[Red \"A\"]\n1. C2.5 (1. P7+1\n\n[Red \"B\"]\n1. C2.5 {never\n\n[Red \"C\"]\n1. C8.5";
        let reading = read_text(next);
        assert_eq!(reading.records.len(), 3);
        assert_eq!(reading.warnings.len(), 2);
        let written = "1. C2.5 {see {below}\n C8.5} C8.5";
        assert_eq!(wire(&read_text(written).records[0]), "h2e2 h7e7");
    }

    #[test]
    fn nothing_in_it() {
        for text in ["", "\n\n", "hello world", "}])"] {
            let reading = read_text(text);
            assert!(reading.records.is_empty(), "{text:?}");
            assert_eq!(reading.warnings.len(), 1, "{text:?}: {:?}", reading.warnings);
        }
        // A position alone is a record: endgame collections consist of them.
        assert_eq!(read_text("[FEN \"3k5/9/9/9/9/9/9/R8/9/5K3 w\"]\n").records.len(), 1);
    }
}
