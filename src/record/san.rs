//! Moves in the manner of orthodox chess programs: `Che2`, `Rxc7`, `E0a2`, `gf3`, `Pg6`, `h3e3`.
//!
//! One family counts ranks 0..=9 and gives pawns no letter, the other counts 1..=10 and calls them
//! `P`. Both are read by the same grammar: letter, origin file, origin rank, all optional, then the
//! target.

use crate::position::Position;
use crate::types::{Move, MoveList, PieceType, Square};

/// What a text says about a move.
#[derive(Debug)]
struct Pattern {
    /// `None` for coordinates, where the man does not matter.
    kind: Option<PieceType>,
    file: Option<u8>,
    rank: Option<u8>,
    target: Square,
}

/// Reads a move. `base` is the number of Red's back rank, 0 or 1. `None` unless exactly one legal
/// move fits, where a pawn named by its target alone goes straight ahead.
pub(super) fn read(pos: &Position, text: &str, base: u8) -> Option<Move> {
    let pattern = Pattern::parse(text, base)?;
    let fits: MoveList =
        pos.legal_moves().into_iter().filter(|&mv| pattern.fits(pos, mv)).collect();
    match fits[..] {
        [mv] => Some(mv),
        [] => None,
        _ if pattern.kind == Some(PieceType::Pawn) && pattern.file.is_none() => {
            let mut straight = fits.iter().filter(|mv| mv.from().file() == mv.to().file());
            match (straight.next(), straight.next()) {
                (Some(&mv), None) => Some(mv),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Pattern {
    fn parse(text: &str, base: u8) -> Option<Pattern> {
        if !text.is_ascii() || text.len() > 8 {
            return None;
        }
        let text = text.trim_end_matches(['+', '#']).as_bytes();
        let (target_file, target_rank, rest) = last_point(text, base)?;
        let target = Square::from_coords(target_file?, target_rank)?;
        let rest = rest.strip_suffix(b"x").or_else(|| rest.strip_suffix(b"-")).unwrap_or(rest);
        let (letter, rest) = match rest {
            [letter @ b'A'..=b'Z', rest @ ..] => (Some(letter), rest),
            _ => (None, rest),
        };
        let (file, rank) = origin(rest, base)?;
        let kind = match letter {
            None if file.is_some() && rank.is_some() => None,
            None if rank.is_some() => return None,
            None | Some(b'P') => Some(PieceType::Pawn),
            Some(b'K') => Some(PieceType::King),
            Some(b'A') => Some(PieceType::Advisor),
            Some(b'E' | b'B') => Some(PieceType::Elephant),
            Some(b'H' | b'N') => Some(PieceType::Knight),
            Some(b'R') => Some(PieceType::Rook),
            Some(b'C') => Some(PieceType::Cannon),
            Some(_) => return None,
        };
        Some(Pattern { kind, file, rank, target })
    }

    fn fits(&self, pos: &Position, mv: Move) -> bool {
        let kind = pos.piece_on(mv.from()).map(|piece| piece.kind());
        mv.to() == self.target
            && (self.kind.is_none() || self.kind == kind)
            && self.file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

/// Splits `…file rank` off the end: file (if a file letter stands there), rank 0..=9, the rest.
fn last_point(text: &[u8], base: u8) -> Option<(Option<u8>, u8, &[u8])> {
    let (number, rest) = match text {
        [rest @ .., b'1', b'0'] if base == 1 => (10, rest),
        [rest @ .., digit @ b'0'..=b'9'] => (digit - b'0', rest),
        _ => return None,
    };
    let rank = number.checked_sub(base)?;
    match rest {
        [rest @ .., file @ b'a'..=b'i'] => Some((Some(file - b'a'), rank, rest)),
        _ => Some((None, rank, rest)),
    }
}

/// Reads an origin: nothing, a file, a rank, or both.
fn origin(text: &[u8], base: u8) -> Option<(Option<u8>, Option<u8>)> {
    match text {
        [] => Some((None, None)),
        [file @ b'a'..=b'i'] => Some((Some(file - b'a'), None)),
        _ => match last_point(text, base)? {
            (file, rank, []) => Some((file, Some(rank))),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fen: &str, base: u8, cases: &[(&str, &str)]) {
        let pos = Position::from_fen(fen).unwrap();
        for &(text, wire) in cases {
            let found = read(&pos, text, base).map(|mv| mv.to_string());
            assert_eq!(found.unwrap_or_default(), wire, "{text}");
        }
    }

    #[test]
    fn both_numberings() {
        let zero = [
            ("Che2", "h2e2"),
            ("g4", "g3g4"),
            ("Hc2", "b0c2"),
            ("Chxh9", "h2h9"),
            ("h2e2", "h2e2"),
        ];
        check(Position::START_FEN, 0, &zero);
        let one = [
            ("Che3", "h2e2"),
            ("Pg5", "g3g4"),
            ("Cxh10+", "h2h9"),
            ("h3e3", "h2e2"),
            ("h3-e3", "h2e2"),
        ];
        check(Position::START_FEN, 1, &one);
        // Either cannon may go to e2; the other side's men, chess letters, nonsense.
        let bad = [
            ("Ce2", ""),
            ("g9", ""),
            ("Qd4", ""),
            ("", ""),
            ("x", ""),
            ("e", ""),
            ("\u{70ae}", ""),
        ];
        check(Position::START_FEN, 0, &bad);
    }

    #[test]
    fn disambiguation() {
        // Pawns beside each other, elephants on two ranks, a pawn that may go straight or sideways.
        let fen = "3k5/9/9/9/2P1P4/9/9/9/9/5K3 w";
        check(fen, 0, &[("c6", "c5c6"), ("cd5", "c5d5"), ("ed5", "e5d5"), ("d5", "")]);
        let fen = "3k5/9/9/9/9/2B6/9/9/9/2B2K3 w";
        check(fen, 0, &[("E0a2", "c0a2"), ("E4a2", "c4a2"), ("Ea2", ""), ("Eca2", "")]);
    }
}
