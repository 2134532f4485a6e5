//! What a man is worth by where it stands.
//!
//! Tables are written as half boards: one row per rank, the owner's home rank first, files a to e;
//! files f to i mirror them. Numbers are our own: first written down from general knowledge of the
//! game, then fitted to the outcome of self-play games of this engine, in the unit of the exchange
//! values (a crossed pawn is about 120, a rook about 600). Points that hardly occur keep the first
//! guess.

use super::weight::{Weight, w};
use crate::types::{Color, PieceType, Square};

type Half = [[i32; 5]; 10];

/// Worth of a man before its place counts.
const MATERIAL: [Weight; 7] = [
    w(0, 0),     // king
    w(131, 75),  // advisor
    w(123, 71),  // elephant
    w(261, 279), // knight
    w(632, 684), // rook
    w(269, 286), // cannon
    w(40, 63),   // pawn
];

/// Home, centre and exposure: the palace rows only.
const KING_MG: Half = rows([[0, 0, 0, -6, 13], [0, 0, 0, -31, -24], [0, 0, 0, -49, -41]]);
/// With few men left the king helps by holding the middle file.
const KING_EG: Half = rows([[0, 0, 0, 0, 3], [0, 0, 0, -3, 6], [0, 0, 0, -9, 4]]);

/// Advisors belong on e1, from where they guard the whole palace.
const ADVISOR_MG: Half = rows([[0, 0, 0, -6, 0], [0, 0, 0, 0, 19], [0, 0, 0, -14, 0]]);
const ADVISOR_EG: Half = rows([[0, 0, 0, 1, 0], [0, 0, 0, 0, 6], [0, 0, 0, -13, 0]]);
/// Elephants protect each other through e2; at the edge they hang.
const ELEPHANT_MG: Half = rows([
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [-13, 0, 0, 0, 20],
    [0, 0, 0, 0, 0],
    [0, 0, -11, 0, 0],
]);
const ELEPHANT_EG: Half =
    rows([[0, 0, 8, 0, 0], [0, 0, 0, 0, 0], [-19, 0, 0, 0, 12], [0, 0, 0, 0, 0], [0, 0, -9, 0, 0]]);

/// Forward posts beside the palace (c7, c8, d7: "angler", "groove" and "corner" knights) are the
/// best places of the board; the own palace centre (e1) is the worst.
const KNIGHT_MG: Half = [
    [-24, -27, -14, -19, -22],
    [-14, -9, -9, -12, -31],
    [1, -2, 2, 9, -1],
    [-8, -1, 6, 3, 5],
    [-3, -2, 13, 11, 12],
    [1, 11, 14, 28, 16],
    [2, 18, 18, 26, 14],
    [4, 13, 18, 26, 19],
    [-2, 11, 30, 18, 4],
    [-12, 0, 4, 2, -6],
];
const KNIGHT_EG: Half = [
    [-20, -12, -9, -11, -8],
    [-15, -9, -7, -1, -6],
    [-7, -1, -9, 3, 1],
    [-7, -5, 4, 6, 5],
    [-5, 0, 12, 11, 13],
    [-3, 9, 13, 18, 17],
    [-5, 15, 15, 22, 17],
    [-2, 7, 9, 19, 18],
    [-8, 5, 16, 15, 11],
    [-16, -6, 1, 2, -2],
];

/// Ribs (files d and f), the river ranks and the enemy's second rank; not the corner.
const ROOK_MG: Half = [
    [-24, 7, -10, 10, -8],
    [-11, -1, -5, 6, -4],
    [-8, -2, 1, 9, 2],
    [-1, 7, 3, 15, 7],
    [4, 11, 9, 12, 12],
    [3, 13, 13, 15, 12],
    [5, 9, 20, 21, 13],
    [2, 2, 8, 23, 19],
    [5, 12, 7, 23, 20],
    [2, -2, 0, 14, 10],
];
const ROOK_EG: Half = [
    [-15, -6, -3, -1, 0],
    [-5, 0, 1, 2, 3],
    [-2, -1, 1, 2, 5],
    [1, 7, 4, 6, 7],
    [2, 5, 6, 7, 9],
    [3, 6, 9, 7, 11],
    [5, 10, 13, 6, 12],
    [4, 4, 7, 8, 10],
    [2, 6, 2, 7, 12],
    [-1, -3, 0, 5, 8],
];

/// The middle file from behind, and the enemy's home rank from the side; never inside the palace.
const CANNON_MG: Half = [
    [-2, -4, 5, 1, 2],
    [-3, -4, 9, 3, 8],
    [12, -1, 15, 13, 18],
    [-1, 8, 4, 5, 6],
    [0, 1, 3, 2, 11],
    [1, -2, 3, 1, 20],
    [5, 2, 0, -4, 8],
    [2, -4, 0, -4, -9],
    [1, -9, -2, -10, -12],
    [14, 4, 5, -11, -12],
];
/// In endings a cannon works best behind its own men.
const CANNON_EG: Half = [
    [2, -1, 5, 9, 13],
    [2, 2, 7, 11, 13],
    [0, 1, 5, 7, 14],
    [-1, 1, 3, 4, 3],
    [2, 2, -4, 2, 8],
    [-1, 1, 0, 1, 4],
    [-1, -1, -5, -1, 0],
    [-5, -5, -3, -9, -7],
    [-9, -9, -7, -8, -8],
    [-1, -5, -3, -9, -8],
];

/// A pawn doubles its worth at the river, is best beside the palace and of little use on the last
/// rank, from where it never returns.
const PAWN_MG: Half = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [-1, 0, -8, 0, 13],
    [-2, 0, 11, 0, 13],
    [27, 39, 45, 52, 54],
    [35, 48, 62, 75, 77],
    [41, 53, 71, 93, 94],
    [30, 46, 71, 100, 101],
    [-12, -8, -1, 9, 12],
];
const PAWN_EG: Half = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 2, 0, 3],
    [10, 0, 1, 0, 15],
    [38, 50, 52, 60, 62],
    [43, 55, 62, 66, 72],
    [39, 52, 67, 87, 84],
    [22, 34, 53, 77, 72],
    [-25, -22, -16, -4, -7],
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
        PieceType::Advisor => (ADVISOR_MG, ADVISOR_EG),
        PieceType::Elephant => (ELEPHANT_MG, ELEPHANT_EG),
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
