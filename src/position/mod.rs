//! Layer 2: one position. State, text form, making moves, legality, generation, exchanges.
//!
//! A position is copied, never unmade: it is 256 bytes, and earlier positions of a line simply stay
//! where they are, which is what repetition rules need.

mod checks;
mod diagram;
mod fen;
mod make;
mod movegen;
mod see;
mod validate;

pub use checks::CheckInfo;
pub use diagram::DiagramStyle;
pub use fen::FenError;
pub use make::{Ignore, Observer};
pub use movegen::MoveKinds;
pub use see::exchange_value;
pub use validate::{Invalid, can_stand};

use crate::attacks;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square, zobrist};

/// A position with its side to move, its counters and its key.
///
/// A value made by [`Position::from_fen`] or by legal moves from one satisfies
/// [`Position::validate`]: both kings stand in their palaces and the side to move cannot take one.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Position {
    colors: [Bitboard; 2],
    kinds: [Bitboard; 7],
    cells: [Option<Piece>; 90],
    side: Color,
    /// Plies since the last capture, saturating.
    rule60: u16,
    /// Full-move number, from 1.
    fullmove: u16,
    key: u64,
}

const _: () = assert!(size_of::<Position>() == 256);

impl Position {
    /// The start position as we print it.
    pub const START_FEN: &'static str =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    /// The start position.
    pub fn startpos() -> Position {
        Position::from_fen(Position::START_FEN).expect("the start position is valid")
    }

    /// The position with these men, by index of their points, counters at their beginning.
    ///
    /// # Errors
    /// When the men break the rules.
    pub fn from_men(cells: &[Option<Piece>; 90], side: Color) -> Result<Position, Invalid> {
        let mut pos = Position::empty();
        for sq in Square::ALL {
            if let Some(piece) = cells[sq.index()] {
                pos.put(piece, sq);
            }
        }
        pos.set_side(side);
        pos.validate()?;
        Ok(pos)
    }

    /// A board without men: no valid position, but what building one or comparing with one starts
    /// from.
    pub(crate) fn empty() -> Position {
        Position {
            colors: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; 7],
            cells: [None; 90],
            side: Color::Red,
            rule60: 0,
            fullmove: 1,
            key: 0,
        }
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Plies since the last capture, as the FEN counts them.
    #[inline]
    pub fn rule60(&self) -> u16 {
        self.rule60
    }

    /// Full-move number, as the FEN counts it.
    #[inline]
    pub fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// The points that do not hold the same man, or none, in another position.
    #[inline]
    pub(crate) fn differences(&self, other: &Position) -> Bitboard {
        let kinds = self.kinds.iter().zip(&other.kinds);
        let colors = self.colors[0] ^ other.colors[0];
        kinds.fold(colors, |all, (&now, &then)| all | (now ^ then))
    }

    /// Zobrist key of placement and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// All men of a side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All men of a type, both sides.
    #[inline]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The men of one side and type.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// What stands on a point.
    #[inline]
    pub fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.cells[sq.index()]
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // Each palace lies in one half of the 128 bits, so no colour mask is needed.
        let kings = self.kinds[PieceType::King.index()].bits();
        let index = match color {
            Color::Red => (kings as u64).trailing_zeros(),
            Color::Black => 64 + ((kings >> 64) as u64).trailing_zeros(),
        };
        Square::new(index as usize).expect("both kings are on the board")
    }

    /// Whether a side owns a rook, knight or cannon.
    #[inline]
    pub fn has_major(&self, color: Color) -> bool {
        let majors = self.kind(PieceType::Rook)
            | self.kind(PieceType::Knight)
            | self.kind(PieceType::Cannon);
        (majors & self.color(color)).any()
    }

    /// A hash of where the men of some kinds stand, to group similar positions. It is computed from
    /// the bitboards on demand and has nothing to do with [`Position::key`].
    #[inline]
    pub fn structure_key(&self, kinds: &[PieceType]) -> u64 {
        let mut hash = 0u64;
        for color in Color::ALL {
            for &kind in kinds {
                let bits = self.pieces(color, kind).bits();
                hash = (hash ^ bits as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
                hash = (hash ^ (bits >> 64) as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
            }
        }
        hash ^ hash >> 32
    }

    /// Puts a man on an empty point.
    fn put(&mut self, piece: Piece, sq: Square) {
        let bit = Bitboard::from(sq);
        self.colors[piece.color().index()] |= bit;
        self.kinds[piece.kind().index()] |= bit;
        self.cells[sq.index()] = Some(piece);
        self.key ^= zobrist::piece(piece, sq);
    }

    /// Points the man on `sq` reaches, own men included; empty when there is none. A cannon's set
    /// holds its quiet targets and the men it may capture.
    pub fn attacks_from(&self, sq: Square) -> Bitboard {
        match self.piece_on(sq) {
            Some(piece) => self.reached(piece, sq, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Quiet and capture targets of `piece` on `sq` under an occupancy.
    #[inline]
    fn reached(&self, piece: Piece, sq: Square, occupied: Bitboard) -> Bitboard {
        match piece.kind() {
            PieceType::King => attacks::king(sq),
            PieceType::Advisor => attacks::advisor(sq),
            PieceType::Elephant => attacks::elephant(sq, occupied),
            PieceType::Knight => attacks::knight(sq, occupied),
            PieceType::Rook => attacks::rook(sq, occupied),
            PieceType::Cannon => {
                let reach = attacks::reach(sq, occupied);
                (reach.rook - occupied) | (reach.cannon & occupied)
            }
            PieceType::Pawn => attacks::pawn(piece.color(), sq),
        }
    }

    /// Men of both sides that could capture on `sq` under the occupancy `occupied`, king safety
    /// aside. Facing kings do not count, a king reaches only its neighbours. For a cannon `sq` is
    /// taken to hold a man.
    pub fn attackers_to(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        let reach = attacks::reach(sq, occupied);
        let pawns = (attacks::pawn_attackers(Color::Red, sq) & self.color(Color::Red))
            | (attacks::pawn_attackers(Color::Black, sq) & self.color(Color::Black));
        let men = (reach.rook & self.kind(PieceType::Rook))
            | (reach.cannon & self.kind(PieceType::Cannon))
            | (attacks::knight_attackers(sq, occupied) & self.kind(PieceType::Knight))
            | (attacks::elephant(sq, occupied) & self.kind(PieceType::Elephant))
            | (attacks::advisor(sq) & self.kind(PieceType::Advisor))
            | (attacks::king(sq) & self.kind(PieceType::King))
            | (pawns & self.kind(PieceType::Pawn));
        men & occupied
    }

    /// The position mirrored left to right.
    pub fn mirror(&self) -> Position {
        self.rebuilt(|piece, sq| (piece, sq.mirror()), self.side)
    }

    /// The position with colours exchanged and the board turned, the other side to move.
    pub fn flip(&self) -> Position {
        self.rebuilt(|piece, sq| (piece.flip(), sq.flip()), !self.side)
    }

    fn rebuilt(&self, map: impl Fn(Piece, Square) -> (Piece, Square), side: Color) -> Position {
        let mut pos = Position { rule60: self.rule60, fullmove: self.fullmove, ..Self::empty() };
        for sq in self.occupied() {
            if let Some(piece) = self.piece_on(sq) {
                let (piece, sq) = map(piece, sq);
                pos.put(piece, sq);
            }
        }
        pos.set_side(side);
        pos
    }

    fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.key ^= zobrist::SIDE;
        }
    }

    /// Whether bitboards, cells and key describe the same board: an invariant for assertions.
    pub fn is_consistent(&self) -> bool {
        self.rebuilt(|piece, sq| (piece, sq), self.side) == *self
    }

    /// What a move captures.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        self.piece_on(mv.to())
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}
