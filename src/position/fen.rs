//! FEN reading in every dialect seen in the wild, and writing in one.
//!
//! Accepted beyond `board side - - halfmoves fullmoves`: either letter family (`E`/`M` elephants,
//! `H` horses), `r` or `w` or nothing for Red, any tokens of dashes, missing counters, short ranks,
//! one trailing slash, and comments after the fields.

use std::fmt;

use super::{Invalid, Position};
use crate::types::{Color, Piece, Square};

/// Why a text is not a position. The text form is short, ASCII, and quotes no input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenError {
    /// There is no board field.
    Empty,
    /// A character of the board field is neither a man nor a count. The rank is 0..=9.
    BadLetter {
        /// The rank being read, 9 first.
        rank: u8,
    },
    /// A rank describes more than nine files.
    RankTooLong {
        /// The rank being read.
        rank: u8,
    },
    /// The board has fewer than ten ranks.
    TooFewRanks(usize),
    /// The board has more than ten ranks.
    TooManyRanks,
    /// The board is well formed but not a position.
    Invalid(Invalid),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FenError::Empty => f.write_str("no board given"),
            FenError::BadLetter { rank } => write!(f, "rank {rank}: unknown letter"),
            FenError::RankTooLong { rank } => write!(f, "rank {rank}: more than nine files"),
            FenError::TooFewRanks(n) => write!(f, "{n} ranks instead of ten"),
            FenError::TooManyRanks => f.write_str("more than ten ranks"),
            FenError::Invalid(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<Invalid> for FenError {
    fn from(reason: Invalid) -> FenError {
        FenError::Invalid(reason)
    }
}

/// Half-move counters beyond this are clamped.
const MAX_RULE60: i64 = 999;

impl Position {
    /// Reads a position and checks it.
    ///
    /// # Errors
    /// [`FenError`] says what is wrong and where.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        let mut tokens = text.split_ascii_whitespace().peekable();
        let board = tokens.next().ok_or(FenError::Empty)?;
        let mut pos = parse_board(board)?;
        let side = match tokens.peek() {
            Some(&("w" | "W" | "r" | "R")) => Some(Color::Red),
            Some(&("b" | "B")) => Some(Color::Black),
            _ => None,
        };
        if let Some(side) = side {
            tokens.next();
            pos.set_side(side);
        }
        // Counters follow after any dashes; the first token of another kind ends the fields.
        let mut numbers = tokens
            .filter(|token| !token.bytes().all(|b| b == b'-'))
            .map_while(|token| token.parse::<i64>().ok());
        let (rule60, fullmove) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(1));
        pos.rule60 = rule60.clamp(0, MAX_RULE60) as u16;
        pos.fullmove = fullmove.clamp(0, u16::MAX as i64) as u16;
        pos.validate()?;
        Ok(pos)
    }

    /// The canonical FEN: letters K A B N R C P, side `w` or `b`, both counters.
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

fn parse_board(board: &str) -> Result<Position, FenError> {
    let mut pos = Position::empty();
    let board = board.strip_suffix('/').unwrap_or(board);
    let ranks = board.split('/').count();
    if ranks > 10 {
        return Err(FenError::TooManyRanks);
    }
    for (row, text) in board.split('/').enumerate() {
        let rank = 9 - row as u8;
        let mut file = 0;
        for c in text.chars() {
            if let Some(skip @ 1..=9) = c.to_digit(10) {
                file += skip as u8;
            } else {
                let piece = Piece::from_letter(c).ok_or(FenError::BadLetter { rank })?;
                let sq = Square::from_coords(file, rank).ok_or(FenError::RankTooLong { rank })?;
                pos.put(piece, sq);
                file += 1;
            }
            if file > 9 {
                return Err(FenError::RankTooLong { rank });
            }
        }
    }
    if ranks < 10 { Err(FenError::TooFewRanks(ranks)) } else { Ok(pos) }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            let mut gap = 0;
            for file in 0..9 {
                let sq = Square::from_coords(file, rank).expect("inside the board");
                match self.piece_on(sq) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            write!(f, "{gap}")?;
                        }
                        gap = 0;
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        write!(f, " {} - - {} {}", self.side.fen_char(), self.rule60, self.fullmove)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    #[test]
    fn dialects_read_alike() {
        let start = Position::startpos();
        assert_eq!(start.fen(), Position::START_FEN);
        let elephants = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHMAKAMHR";
        let slashed = format!("{BOARD}/ w");
        for text in [
            BOARD.to_string(),
            format!("{BOARD} w"),
            format!("{BOARD} r - - 0 1"),
            format!("{BOARD}  R  --  0\t1"),
            format!("{BOARD} - - 0 1"),
            format!("{BOARD} w - - -5"),
            format!("{BOARD} w - - 0 1 ;A34.\u{fffd} - - 7 9"),
            format!("{elephants} w"),
            slashed,
            BOARD.replace("/9/", "//"),
        ] {
            assert_eq!(Position::from_fen(&text), Ok(start), "{text}");
        }
        let black = Position::from_fen(&format!("{BOARD} b - - 5000 12")).unwrap();
        assert_eq!((black.side(), black.rule60(), black.fullmove()), (Color::Black, 999, 12));
        assert_ne!(black.key(), start.key());
        assert_eq!(Position::from_fen(&format!("{BOARD} w - - 3 0")).unwrap().fullmove(), 0);
    }

    #[test]
    fn errors_say_what_and_where() {
        for (text, reason) in [
            ("", "no board given"),
            ("9/9", "2 ranks instead of ten"),
            ("4k4/9/9/9/9/9/9/9/9/9/4K4 w", "more than ten ranks"),
            ("4k4/9/9/8x/9/9/9/9/9/4K4 w", "rank 6: unknown letter"),
            ("4k4/9/9/91/9/9/9/9/9/4K4 w", "rank 6: more than nine files"),
            ("4k5/9/9/9/9/9/9/9/9/4K4 w", "rank 9: more than nine files"),
            ("4k4/9/9/9/9/9/9/9/9/9 w", "Red has no king"),
            ("3kk4/9/9/9/9/9/9/9/9/4K4 w", "Black has 2 kings"),
            ("4k4/9/9/9/9/9/4K4/9/9/9 w", "a red king cannot stand on e3"),
            ("3k5/9/9/9/9/9/9/9/3A5/3AK4 w", "a red advisor cannot stand on d1"),
            ("3k5/9/9/9/9/9/9/9/P8/4K4 w", "a red pawn cannot stand on a1"),
            ("3k5/9/9/9/9/RRR6/9/9/9/4K4 b", "3 red rooks, a set has 2"),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other"),
            ("3k5/9/9/9/3R5/9/9/9/9/4K4 w", "the side to move could take the king"),
        ] {
            let error = Position::from_fen(text).unwrap_err();
            assert_eq!(error.to_string(), reason, "{text}");
        }
    }
}
