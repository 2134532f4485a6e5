//! What the position commands sent to the engine mean, by the library's own rules.

use chuhe::position::Position;
use chuhe::types::Move;

/// The position a `position`, `fen` or `startpos` line sets: the longest legal prefix of its move
/// list is played. `None` for any other line and for a position that is not valid.
pub fn after_line(line: &str) -> Option<Position> {
    let mut words = line.split_ascii_whitespace().peekable();
    if words.peek().is_some_and(|word| word.eq_ignore_ascii_case("position")) {
        words.next();
    }
    let kind = words.next()?;
    let setup: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let mut pos = match kind {
        "startpos" => Position::startpos(),
        "fen" => Position::from_fen(&setup.join(" ")).ok()?,
        _ => return None,
    };
    for word in words {
        let Some(mv) = legal(&pos, word) else { break };
        pos = pos.make(mv);
    }
    Some(pos)
}

/// Whether a line sets a position, valid or not.
pub fn is_position_line(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next().unwrap_or("");
    ["position", "fen", "startpos"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// The move a word names, when it is legal.
pub fn legal(pos: &Position, word: &str) -> Option<Move> {
    word.parse().ok().filter(|&mv| pos.is_legal(mv))
}

/// The first move of a line of moves that is not legal, or `None` when all are.
pub fn first_illegal<'a>(pos: &Position, moves: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut pos = *pos;
    for word in moves {
        let Some(mv) = legal(&pos, word) else { return Some(word) };
        pos = pos.make(mv);
    }
    None
}
