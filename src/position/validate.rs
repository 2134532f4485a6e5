//! What makes a placement of men a xiangqi position.

use std::fmt;

use super::Position;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// Why a placement is not a position. The text form is short, ASCII, and quotes no input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// A side has not exactly one king.
    KingCount(Color, u32),
    /// A man stands where its kind can never stand.
    Unreachable(Piece, Square),
    /// A side has more men of a kind than a set holds.
    TooMany(Piece, u32),
    /// The kings face each other on an open file.
    KingsFace,
    /// The side to move could take the enemy king.
    KingCapture,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Invalid::KingCount(side, 0) => write!(f, "{} has no king", side_name(side)),
            Invalid::KingCount(side, n) => write!(f, "{} has {n} kings", side_name(side)),
            Invalid::Unreachable(piece, sq) => {
                write!(f, "a {} cannot stand on {sq}", piece_name(piece))
            }
            Invalid::TooMany(piece, n) => {
                let most = piece.kind().set_size();
                write!(f, "{n} {}s, a set has {most}", piece_name(piece))
            }
            Invalid::KingsFace => f.write_str("the kings face each other"),
            Invalid::KingCapture => f.write_str("the side to move could take the king"),
        }
    }
}

impl std::error::Error for Invalid {}

fn side_name(side: Color) -> &'static str {
    match side {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

fn piece_name(piece: Piece) -> &'static str {
    const NAMES: [&str; 14] = [
        "red king",
        "red advisor",
        "red elephant",
        "red horse",
        "red rook",
        "red cannon",
        "red pawn",
        "black king",
        "black advisor",
        "black elephant",
        "black horse",
        "black rook",
        "black cannon",
        "black pawn",
    ];
    NAMES[piece.index()]
}

/// Points Red's men of each kind can ever reach; Black's are these turned round.
const fn reachable_for_red(kind: PieceType) -> Bitboard {
    use Square::*;
    const fn set(squares: &[Square]) -> Bitboard {
        let mut result = Bitboard::EMPTY;
        let mut i = 0;
        while i < squares.len() {
            result = result.with(squares[i]);
            i += 1;
        }
        result
    }
    match kind {
        PieceType::King => Bitboard::palace(Color::Red),
        PieceType::Advisor => set(&[D0, F0, E1, D2, F2]),
        PieceType::Elephant => set(&[C0, G0, A2, E2, I2, C4, G4]),
        PieceType::Pawn => {
            let home = set(&[A3, C3, E3, G3, I3, A4, C4, E4, G4, I4]);
            Bitboard::from_bits(home.bits() | Bitboard::home(Color::Black).bits())
        }
        PieceType::Knight | PieceType::Rook | PieceType::Cannon => Bitboard::ALL,
    }
}

/// Whether a man can ever stand on a point.
pub fn can_stand(piece: Piece, sq: Square) -> bool {
    reachable_for_red(piece.kind()).contains(sq.relative(piece.color()))
}

impl Position {
    /// Checks everything a position must satisfy before it may be searched.
    ///
    /// # Errors
    /// The first rule that is broken, men before king safety.
    pub fn validate(&self) -> Result<(), Invalid> {
        for side in Color::ALL {
            let kings = self.pieces(side, PieceType::King).count();
            if kings != 1 {
                return Err(Invalid::KingCount(side, kings));
            }
        }
        for piece in Piece::ALL {
            let men = self.pieces(piece.color(), piece.kind());
            if let Some(sq) = men.into_iter().find(|&sq| !can_stand(piece, sq)) {
                return Err(Invalid::Unreachable(piece, sq));
            }
            if men.count() > piece.kind().set_size() {
                return Err(Invalid::TooMany(piece, men.count()));
            }
        }
        let king = self.king(self.side);
        let reach = crate::attacks::rook(king, self.occupied());
        if reach.has(self.king(!self.side)) {
            return Err(Invalid::KingsFace);
        }
        if self.can_take_king() {
            return Err(Invalid::KingCapture);
        }
        Ok(())
    }
}
