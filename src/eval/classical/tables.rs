//! What a man is worth by where it stands.
//!
//! Tables are written as half boards: one row per rank, the owner's home rank first, files a to e;
//! files f to i mirror them. Numbers are our own, from general knowledge of the game, in the unit of
//! the exchange values (a crossed pawn is about 120, a rook about 600).

use super::weight::{Weight, w};
use crate::types::{Color, PieceType, Square};

type Half = [[i32; 5]; 10];

/// Worth of a man before its place counts.
const MATERIAL: [Weight; 7] = [
    w(0, 0),     // king
    w(112, 108), // advisor
    w(114, 112), // elephant
    w(266, 288), // knight
    w(606, 630), // rook
    w(292, 272), // cannon
    w(42, 56),   // pawn
];

/// Home, centre and exposure: the palace rows only.
const KING_MG: Half = rows([[0, 0, 0, -10, 4], [0, 0, 0, -26, -20], [0, 0, 0, -46, -40]]);
/// With few men left the king helps by holding the middle file.
const KING_EG: Half = rows([[0, 0, 0, -4, 6], [0, 0, 0, -6, 8], [0, 0, 0, -8, 4]]);

const ADVISOR: Half = rows([[0, 0, 0, 0, 0], [0, 0, 0, 0, 5], [0, 0, 0, -8, 0]]);
/// Elephants protect each other through e2; at the edge they hang.
const ELEPHANT: Half = rows([[0; 5], [0; 5], [-10, 0, 0, 0, 9], [0; 5], [0, 0, -4, 0, 0]]);

/// Forward posts beside the palace (c7, c8, d7: "angler", "groove" and "corner" knights) are the
/// best places of the board; the own palace centre (e1) is the worst.
const KNIGHT_MG: Half = [
    [-24, -14, -14, -16, -22],
    [-18, -8, -2, -8, -36],
    [-10, -2, 9, 5, 0],
    [-8, 3, 7, 8, 6],
    [-4, 4, 10, 10, 11],
    [0, 8, 13, 17, 15],
    [3, 12, 17, 21, 20],
    [3, 14, 26, 27, 18],
    [-2, 12, 29, 14, 4],
    [-12, 0, 4, 2, -6],
];
const KNIGHT_EG: Half = [
    [-20, -14, -10, -8, -8],
    [-14, -8, -4, -2, -6],
    [-10, -4, 0, 2, 2],
    [-8, -2, 4, 6, 6],
    [-6, 2, 8, 10, 12],
    [-4, 6, 12, 16, 16],
    [-4, 8, 16, 20, 20],
    [-4, 8, 20, 22, 18],
    [-8, 4, 16, 14, 10],
    [-16, -6, 0, 2, -2],
];

/// Ribs (files d and f), the river ranks and the enemy's second rank; not the corner.
const ROOK_MG: Half = [
    [-14, -2, -6, 6, -8],
    [-6, 2, 0, 10, 0],
    [-6, 2, -2, 8, 2],
    [-2, 5, 3, 9, 6],
    [4, 9, 6, 12, 9],
    [6, 11, 8, 14, 12],
    [6, 11, 9, 15, 14],
    [4, 9, 8, 16, 17],
    [6, 11, 10, 18, 20],
    [2, 6, 5, 13, 10],
];
const ROOK_EG: Half = [
    [-8, -4, -2, 0, 0],
    [-4, 0, 0, 2, 4],
    [-2, 0, 0, 2, 4],
    [0, 2, 2, 4, 6],
    [2, 4, 4, 6, 8],
    [4, 6, 6, 8, 10],
    [4, 6, 6, 8, 10],
    [4, 6, 6, 8, 10],
    [4, 6, 6, 10, 12],
    [0, 2, 4, 6, 8],
];

/// The middle file from behind, and the enemy's home rank from the side; never inside the palace.
const CANNON_MG: Half = [
    [0, 1, 2, 4, 2],
    [0, 3, 3, 5, 4],
    [2, 4, 6, 3, 14],
    [0, 2, 1, 1, 9],
    [1, 3, 2, 2, 11],
    [1, 2, 2, 3, 13],
    [2, 3, 1, 3, 13],
    [3, 4, -1, -6, -6],
    [4, 3, -2, -10, -12],
    [10, 8, 2, -10, -12],
];
/// In endings a cannon works best behind its own men.
const CANNON_EG: Half = [
    [2, 3, 5, 10, 12],
    [2, 3, 5, 10, 12],
    [2, 3, 4, 8, 10],
    [0, 0, 2, 4, 6],
    [0, 0, 0, 2, 4],
    [-2, 0, 0, 0, 2],
    [-2, -2, -2, 0, 0],
    [-4, -4, -4, -6, -6],
    [-6, -6, -6, -8, -8],
    [-4, -4, -6, -8, -8],
];

/// A pawn doubles its worth at the river, is best beside the palace and of little use on the last
/// rank, from where it never returns.
const PAWN_MG: Half = [
    [0; 5],
    [0; 5],
    [0; 5],
    [-4, 0, 2, 0, 10],
    [2, 0, 9, 0, 14],
    [30, 38, 46, 52, 54],
    [38, 50, 62, 72, 74],
    [40, 54, 74, 92, 94],
    [30, 46, 70, 96, 100],
    [-12, -8, -2, 8, 12],
];
const PAWN_EG: Half = [
    [0; 5],
    [0; 5],
    [0; 5],
    [0, 0, 2, 0, 4],
    [6, 0, 8, 0, 10],
    [42, 50, 56, 60, 60],
    [44, 56, 66, 74, 74],
    [38, 52, 68, 84, 84],
    [22, 34, 52, 70, 68],
    [-26, -22, -16, -8, -8],
];

/// Fills the ranks that a table leaves out with zeros.
const fn rows<const N: usize>(given: [[i32; 5]; N]) -> Half {
    let mut half = [[0; 5]; 10];
    let mut rank = 0;
    while rank < N {
        half[rank] = given[rank];
        rank += 1;
    }
    half
}

const fn halves(kind: PieceType) -> (Half, Half) {
    match kind {
        PieceType::King => (KING_MG, KING_EG),
        PieceType::Advisor => (ADVISOR, ADVISOR),
        PieceType::Elephant => (ELEPHANT, ELEPHANT),
        PieceType::Knight => (KNIGHT_MG, KNIGHT_EG),
        PieceType::Rook => (ROOK_MG, ROOK_EG),
        PieceType::Cannon => (CANNON_MG, CANNON_EG),
        PieceType::Pawn => (PAWN_MG, PAWN_EG),
    }
}

/// By colour, type and point, seen from the owner; material included.
static PLACED: [[[Weight; 90]; 7]; 2] = {
    let mut table = [[[Weight::ZERO; 90]; 7]; 2];
    let mut kind = 0;
    while kind < 7 {
        let (mg, eg) = halves(PieceType::ALL[kind]);
        let mut i = 0;
        while i < 90 {
            let sq = Square::ALL[i];
            let file = if sq.file() > 4 { 8 - sq.file() } else { sq.file() } as usize;
            let rank = sq.rank() as usize;
            let weight = MATERIAL[kind].plus(w(mg[rank][file], eg[rank][file]));
            table[0][kind][i] = weight;
            table[1][kind][sq.flip().index()] = weight;
            i += 1;
        }
        kind += 1;
    }
    table
};

/// Material and place of a man, from its owner's side.
#[inline]
pub(super) fn placed(side: Color, kind: PieceType, sq: Square) -> Weight {
    PLACED[side.index()][kind.index()][sq.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_symmetric_and_ordered() {
        for kind in PieceType::ALL {
            for sq in Square::ALL {
                let value = placed(Color::Red, kind, sq);
                assert_eq!(value, placed(Color::Red, kind, sq.mirror()));
                assert_eq!(value, placed(Color::Black, kind, sq.flip()));
            }
        }
        let at = |kind, sq| placed(Color::Red, kind, sq);
        assert!(at(PieceType::Pawn, Square::E6).mg() > 2 * at(PieceType::Pawn, Square::E3).mg());
        assert!(at(PieceType::Pawn, Square::E9).eg() < at(PieceType::Pawn, Square::E3).eg());
        assert!(at(PieceType::Knight, Square::C8).mg() > at(PieceType::Knight, Square::E1).mg());
        assert!(
            at(PieceType::Rook, Square::A0).mg()
                > at(PieceType::Cannon, Square::E2).mg() + at(PieceType::Knight, Square::B0).mg()
        );
    }
}
