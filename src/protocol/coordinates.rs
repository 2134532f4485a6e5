//! Moves on the wire: ranks 0..=9, or 1..=10 for clients of one family.
//!
//! In our own numbering a move has four characters. Clients of Fairy-Stockfish's UCI count ranks
//! from one; they are recognised by what they send.

use std::fmt;

use crate::position::Position;
use crate::types::{Move, Square};

/// How ranks are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Coordinates {
    /// `a0`..`i9`
    #[default]
    ZeroBased,
    /// `a1`..`i10`
    OneBased,
}

impl Coordinates {
    /// The other numbering.
    pub fn other(self) -> Coordinates {
        match self {
            Coordinates::ZeroBased => Coordinates::OneBased,
            Coordinates::OneBased => Coordinates::ZeroBased,
        }
    }

    fn base(self) -> u8 {
        match self {
            Coordinates::ZeroBased => 0,
            Coordinates::OneBased => 1,
        }
    }

    /// A move for printing.
    pub fn show(self, mv: Move) -> impl fmt::Display {
        Shown(mv, self)
    }
}

struct Shown(Move, Coordinates);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for sq in [self.0.from(), self.0.to()] {
            write!(f, "{}{}", char::from(b'a' + sq.file()), sq.rank() + self.1.base())?;
        }
        Ok(())
    }
}

/// A move token split into files (0..=8) and rank numbers (0..=10), not yet tied to a numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveToken {
    points: [(u8, u8); 2],
}

impl MoveToken {
    /// Reads file letter, rank digits, optional hyphen, file letter, rank digits, in either case.
    pub fn parse(text: &str) -> Option<MoveToken> {
        let (first, rest) = point(text.as_bytes())?;
        let rest = rest.strip_prefix(b"-").unwrap_or(rest);
        let (second, rest) = point(rest)?;
        rest.is_empty().then_some(MoveToken { points: [first, second] })
    }

    /// The move in a numbering; `None` off the board or from a point to itself.
    pub fn read(self, coordinates: Coordinates) -> Option<Move> {
        let square = |(file, number): (u8, u8)| {
            Square::from_coords(file, number.checked_sub(coordinates.base())?)
        };
        let (from, to) = (square(self.points[0])?, square(self.points[1])?);
        (from != to).then(|| Move::new(from, to))
    }

    /// The numbering this token proves: only one has a rank 10, only the other a rank 0.
    pub fn evidence(self) -> Option<Coordinates> {
        self.points.into_iter().find_map(|(_, number)| match number {
            0 => Some(Coordinates::ZeroBased),
            10 => Some(Coordinates::OneBased),
            _ => None,
        })
    }
}

fn point(text: &[u8]) -> Option<((u8, u8), &[u8])> {
    let (&file, rest) = text.split_first()?;
    let file = file.to_ascii_lowercase().wrapping_sub(b'a');
    if file > 8 {
        return None;
    }
    let (number, rest) = match rest {
        [b'1', b'0', rest @ ..] => (10, rest),
        [digit @ b'0'..=b'9', rest @ ..] => (digit - b'0', rest),
        _ => return None,
    };
    Some(((file, number), rest))
}

/// Why a move list was cut short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// The token at this place (from 1) is not a move at all.
    Unreadable(usize),
    /// The move at this place (from 1) is not legal there.
    Illegal(usize, String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable(n) => write!(f, "move {n} of the list cannot be read"),
            MoveError::Illegal(n, mv) => write!(f, "move {n} of the list is not legal: {mv}"),
        }
    }
}

impl std::error::Error for MoveError {}

/// The legal prefix of a move list from a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The moves that could be played.
    pub moves: Vec<Move>,
    /// What ended it early.
    pub error: Option<MoveError>,
}

/// Reads a move list in one numbering, up to the first token that is no legal move.
fn read_as<T: AsRef<str>>(start: &Position, tokens: &[T], coordinates: Coordinates) -> Line {
    let mut pos = *start;
    let mut moves = Vec::with_capacity(tokens.len());
    for (index, text) in tokens.iter().enumerate() {
        let Some(token) = MoveToken::parse(text.as_ref()) else {
            return Line { moves, error: Some(MoveError::Unreadable(index + 1)) };
        };
        match token.read(coordinates).filter(|&mv| pos.is_legal(mv)) {
            Some(mv) => {
                pos = pos.make(mv);
                moves.push(mv);
            }
            None => {
                // A token that parses holds letters, digits and a hyphen: safe to print.
                let error = MoveError::Illegal(index + 1, text.as_ref().to_ascii_lowercase());
                return Line { moves, error: Some(error) };
            }
        }
    }
    Line { moves, error: None }
}

/// The numbering of a connection: fixed by the user, or found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Numbering {
    /// What the user fixed; `None` leaves it to the evidence.
    pub fixed: Option<Coordinates>,
    /// What the evidence says so far.
    found: Coordinates,
}

impl Numbering {
    /// The numbering in use.
    pub fn current(self) -> Coordinates {
        self.fixed.unwrap_or(self.found)
    }

    /// Takes a hint from something other than a move.
    pub fn assume(&mut self, coordinates: Coordinates) {
        self.found = coordinates;
    }

    /// Reads a move list, learning the numbering from it where it is not fixed: a rank 10 or a
    /// rank 0 proves one; else a list that fails at its first move but is legal throughout in the
    /// other numbering does.
    pub fn read_line<T: AsRef<str>>(&mut self, start: &Position, tokens: &[T]) -> Line {
        if self.fixed.is_none() {
            let proof = tokens
                .iter()
                .filter_map(|text| MoveToken::parse(text.as_ref()))
                .find_map(MoveToken::evidence);
            self.found = proof.unwrap_or(self.found);
        }
        let line = read_as(start, tokens, self.current());
        let misread = line.moves.is_empty() && line.error.is_some();
        if self.fixed.is_none() && misread {
            let other = read_as(start, tokens, self.found.other());
            if other.error.is_none() {
                self.found = self.found.other();
                return other;
            }
        }
        line
    }

    /// Reads moves that are all played from one position, as in `banmoves` and `searchmoves`;
    /// what is not legal there is left out.
    pub fn read_alternatives<T: AsRef<str>>(&mut self, pos: &Position, tokens: &[T]) -> Vec<Move> {
        let tokens: Vec<MoveToken> =
            tokens.iter().filter_map(|text| MoveToken::parse(text.as_ref())).collect();
        if self.fixed.is_none() {
            self.found = tokens.iter().find_map(|token| token.evidence()).unwrap_or(self.found);
        }
        let legal = |coordinates: Coordinates| -> Vec<Move> {
            tokens
                .iter()
                .filter_map(|token| token.read(coordinates))
                .filter(|&mv| pos.is_legal(mv))
                .collect()
        };
        legal(self.current())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tokens_in_both_numberings() {
        let zero = |text| MoveToken::parse(text).and_then(|t| t.read(Coordinates::ZeroBased));
        let one = |text| MoveToken::parse(text).and_then(|t| t.read(Coordinates::OneBased));
        let mv: Move = "h2e2".parse().unwrap();
        for text in ["h2e2", "H2E2", "h2-e2", "H2-E2"] {
            assert_eq!(zero(text), Some(mv), "{text}");
        }
        assert_eq!(one("h3e3"), Some(mv));
        assert_eq!(one("a10-a9"), "a9a8".parse().ok());
        assert_eq!(one("a10b10"), "a9b9".parse().ok());
        for text in ["a0a1", "h2h2", "a10a10"] {
            assert_eq!(one(text), None, "{text}");
        }
        for text in
            ["", "h2", "h2e", "h2e2x", "h2--e2", "0000", "h11e2", "j0a0", "\u{70ae}\u{4e8c}"]
        {
            assert_eq!(MoveToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbering_follows_the_evidence() {
        let start = Position::startpos();
        let mut numbering = Numbering::default();
        let zero = numbering.read_line(&start, &["h2e2", "h9g7"]);
        assert_eq!((zero.error, numbering.current()), (None, Coordinates::ZeroBased));
        // a rank 10
        let one = numbering.read_line(&start, &["h3e3", "h10g8"]);
        assert_eq!((one.moves, numbering.current()), (zero.moves, Coordinates::OneBased));
        // a rank 0
        assert_eq!(numbering.read_line(&start, &["h0g2"]).error, None);
        assert_eq!(numbering.current(), Coordinates::ZeroBased);
        // neither, but only one reading is legal: the horse behind the river does not exist
        assert_eq!(numbering.read_line(&start, &["b1c3"]).error, None);
        assert_eq!(numbering.current(), Coordinates::OneBased);
        assert_eq!(numbering.read_line(&start, &["h2e2"]).error, None, "back again");
        assert_eq!(numbering.current(), Coordinates::ZeroBased);
        // fixed: no second thoughts
        numbering.fixed = Some(Coordinates::ZeroBased);
        let line = numbering.read_line(&start, &["b1c3"]);
        assert_eq!(line.error, Some(MoveError::Illegal(1, "b1c3".to_string())));
    }

    #[test]
    fn bad_moves_keep_the_prefix() {
        let start = Position::startpos();
        let line = Numbering::default().read_line(&start, &["h2e2", "h9g7", "a0a9", "b9c7"]);
        assert_eq!(line.moves.len(), 2);
        assert_eq!(line.error.unwrap().to_string(), "move 3 of the list is not legal: a0a9");
        let line = Numbering::default().read_line(&start, &["h2e2", "?", "b9c7"]);
        assert_eq!(line.moves.len(), 1);
        assert_eq!(line.error, Some(MoveError::Unreadable(2)));
    }

    #[test]
    fn alternatives_skip_what_is_not_legal() {
        let start = Position::startpos();
        let mut numbering = Numbering::default();
        let moves = numbering.read_alternatives(&start, &["a0a9", "i0i1", "zz99", "h2e2", "h2e2"]);
        assert_eq!(moves.len(), 3);
        assert!(numbering.read_alternatives(&start, &["0000"]).is_empty());
    }

    proptest! {
        #[test]
        fn printed_moves_read_back(from in 0usize..90, to in 0usize..90, one in any::<bool>()) {
            prop_assume!(from != to);
            let mv = Move::new(Square::ALL[from], Square::ALL[to]);
            let numbering = if one { Coordinates::OneBased } else { Coordinates::ZeroBased };
            let text = numbering.show(mv).to_string();
            prop_assert_eq!(MoveToken::parse(&text).and_then(|t| t.read(numbering)), Some(mv));
        }
    }
}
