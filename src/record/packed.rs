//! A position with its label in 32 bytes.

use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// A board, its side to move, and what training knows of it.
///
/// 12 bytes occupancy (bit = square), 16 bytes of 4 bits a man (ascending squares), score, and 16
/// bits: result (0–1), side (2), in check (3), capture played (4), ply (5–15).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Packed {
    occupied: [u32; 3],
    men: [u32; 4],
    score: i16,
    bits: u16,
}

const _: () = assert!(size_of::<Packed>() == Packed::LEN);

/// What goes with a position of a training set, seen from its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// Centipawns.
    pub score: i16,
    /// 0 lost, 1 drawn, 2 won.
    pub points: u8,
    /// The side to move is in check.
    pub check: bool,
    /// The move played captures.
    pub capture: bool,
    /// Plies since the start of the game; 2,047 stands for all from there on.
    pub ply: u16,
}

impl Packed {
    /// Bytes.
    pub const LEN: usize = 32;

    /// A position without a label.
    pub fn board(pos: &Position) -> Packed {
        Packed::new(pos, Label::default())
    }

    /// A position with its label.
    pub fn new(pos: &Position, label: Label) -> Packed {
        let bits = pos.occupied().bits();
        let mut men = 0u128;
        for (i, sq) in pos.occupied().into_iter().enumerate() {
            let piece = pos.piece_on(sq).map_or(0, Piece::index) as u128;
            men |= piece << (4 * i);
        }
        let word = |bits: u128, i: u32| (bits >> (32 * i)) as u32;
        Packed {
            occupied: [word(bits, 0), word(bits, 1), word(bits, 2)],
            men: [word(men, 0), word(men, 1), word(men, 2), word(men, 3)],
            score: label.score,
            bits: u16::from(label.points & 3)
                | (pos.side() as u16) << 2
                | (label.check as u16) << 3
                | (label.capture as u16) << 4
                | label.ply.min(2047) << 5,
        }
    }

    /// The label.
    pub fn label(&self) -> Label {
        Label {
            score: self.score,
            points: (self.bits & 3) as u8,
            check: self.bits & 8 != 0,
            capture: self.bits & 16 != 0,
            ply: self.bits >> 5,
        }
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        if self.bits & 4 == 0 { Color::Red } else { Color::Black }
    }

    /// All men in ascending order of their squares.
    pub fn men(&self) -> impl Iterator<Item = (Piece, Square)> + use<> {
        let join = |words: &[u32]| {
            words.iter().rev().fold(0u128, |bits, &word| bits << 32 | u128::from(word))
        };
        let mut men = join(&self.men);
        Bitboard::from_bits(join(&self.occupied)).into_iter().filter_map(move |sq| {
            let piece = Piece::ALL.get((men & 15) as usize).copied();
            men >>= 4;
            piece.map(|piece| (piece, sq))
        })
    }

    /// The king of a side, if it has one.
    pub fn king(&self, side: Color) -> Option<Square> {
        let king = Piece::new(side, PieceType::King);
        self.men().find(|&(piece, _)| piece == king).map(|(_, sq)| sq)
    }

    /// The position; `None` when the board breaks the rules. Its counters start anew.
    pub fn position(&self) -> Option<Position> {
        let mut cells = [None; 90];
        self.men().for_each(|(piece, sq)| cells[sq.index()] = Some(piece));
        let pos = Position::from_men(&cells, self.side()).ok()?;
        // a square with an impossible man was skipped above: then it is another board
        (Packed::board(&pos).occupied == self.occupied).then_some(pos)
    }

    /// The bytes, little-endian.
    pub fn to_bytes(self) -> [u8; Packed::LEN] {
        let mut bytes = [0; Packed::LEN];
        let words = self.occupied.iter().chain(&self.men);
        for (bytes, word) in bytes.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30..].copy_from_slice(&self.bits.to_le_bytes());
        bytes
    }

    /// The reverse of [`Packed::to_bytes`]; any bytes are accepted.
    pub fn from_bytes(bytes: [u8; Packed::LEN]) -> Packed {
        let word = |i: usize| u32::from_le_bytes(std::array::from_fn(|j| bytes[4 * i + j]));
        Packed {
            occupied: std::array::from_fn(word),
            men: std::array::from_fn(|i| word(3 + i)),
            score: i16::from_le_bytes([bytes[28], bytes[29]]),
            bits: u16::from_le_bytes([bytes[30], bytes[31]]),
        }
    }
}
