//! Piece types and coloured pieces.

use super::Color;

/// The seven kinds of men, in the order K A B N R C P that FEN letters and the network use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceType {
    /// 帥 / 將
    King,
    /// 仕 / 士
    Advisor,
    /// 相 / 象
    Elephant,
    /// 馬
    Knight,
    /// 車
    Rook,
    /// 炮 / 砲
    Cannon,
    /// 兵 / 卒
    Pawn,
}

impl PieceType {
    /// All types in index order.
    pub const ALL: [PieceType; 7] = [
        PieceType::King,
        PieceType::Advisor,
        PieceType::Elephant,
        PieceType::Knight,
        PieceType::Rook,
        PieceType::Cannon,
        PieceType::Pawn,
    ];

    /// 0..7 in the order K A B N R C P.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case FEN letter we print: K A B N R C P.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// Reads a letter of any dialect in either case: `E`, `M` are elephants, `H` is a knight.
    pub const fn from_letter(c: char) -> Option<PieceType> {
        Some(match c.to_ascii_uppercase() {
            'K' => PieceType::King,
            'A' => PieceType::Advisor,
            'B' | 'E' | 'M' => PieceType::Elephant,
            'N' | 'H' => PieceType::Knight,
            'R' => PieceType::Rook,
            'C' => PieceType::Cannon,
            'P' => PieceType::Pawn,
            _ => return None,
        })
    }

    /// How many of this type a full set has on one side.
    pub const fn set_size(self) -> u32 {
        match self {
            PieceType::King => 1,
            PieceType::Pawn => 5,
            _ => 2,
        }
    }
}

/// A man with its colour; `type + 7 * colour`, so it indexes dense tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // fourteen self-explaining names
pub enum Piece {
    RedKing,
    RedAdvisor,
    RedElephant,
    RedKnight,
    RedRook,
    RedCannon,
    RedPawn,
    BlackKing,
    BlackAdvisor,
    BlackElephant,
    BlackKnight,
    BlackRook,
    BlackCannon,
    BlackPawn,
}

impl Piece {
    /// All pieces in index order: the Red set, then the Black set.
    pub const ALL: [Piece; 14] = [
        Piece::RedKing,
        Piece::RedAdvisor,
        Piece::RedElephant,
        Piece::RedKnight,
        Piece::RedRook,
        Piece::RedCannon,
        Piece::RedPawn,
        Piece::BlackKing,
        Piece::BlackAdvisor,
        Piece::BlackElephant,
        Piece::BlackKnight,
        Piece::BlackRook,
        Piece::BlackCannon,
        Piece::BlackPawn,
    ];

    /// Joins colour and type.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece::ALL[kind as usize + 7 * color as usize]
    }

    /// 0..14: type + 7 * colour.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that owns the man.
    #[inline]
    pub const fn color(self) -> Color {
        if (self as u8) < 7 { Color::Red } else { Color::Black }
    }

    /// The type without the colour.
    #[inline]
    pub const fn kind(self) -> PieceType {
        match self {
            Piece::RedKing | Piece::BlackKing => PieceType::King,
            Piece::RedAdvisor | Piece::BlackAdvisor => PieceType::Advisor,
            Piece::RedElephant | Piece::BlackElephant => PieceType::Elephant,
            Piece::RedKnight | Piece::BlackKnight => PieceType::Knight,
            Piece::RedRook | Piece::BlackRook => PieceType::Rook,
            Piece::RedCannon | Piece::BlackCannon => PieceType::Cannon,
            Piece::RedPawn | Piece::BlackPawn => PieceType::Pawn,
        }
    }

    /// The FEN letter: upper case for Red.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.color() {
            Color::Red => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Reads a FEN letter of any dialect; the case gives the colour.
    pub const fn from_letter(c: char) -> Option<Piece> {
        let color = if c.is_ascii_uppercase() { Color::Red } else { Color::Black };
        match PieceType::from_letter(c) {
            Some(kind) => Some(Piece::new(color, kind)),
            None => None,
        }
    }

    /// The same man in the other colour.
    pub const fn flip(self) -> Piece {
        Piece::new(self.color().flip(), self.kind())
    }
}
