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
    w(124, 82),  // advisor
    w(118, 79),  // elephant
    w(264, 285), // knight
    w(632, 676), // rook
    w(277, 285), // cannon
    w(40, 66),   // pawn
];

/// Home, centre and exposure: the palace rows only.
const KING_MG: Half = rows([[0, 0, 0, -9, 7], [0, 0, 0, -27, -22], [0, 0, 0, -47, -40]]);
/// With few men left the king helps by holding the middle file.
const KING_EG: Half = rows([[0, 0, 0, -2, 5], [0, 0, 0, -6, 7], [0, 0, 0, -8, 4]]);

/// Advisors belong on e1, from where they guard the whole palace.
const ADVISOR_MG: Half = rows([[0, 0, 0, -5, 0], [0, 0, 0, 0, 13], [0, 0, 0, -10, 0]]);
const ADVISOR_EG: Half = rows([[0, 0, 0, 0, 0], [0, 0, 0, 0, 6], [0, 0, 0, -11, 0]]);
/// Elephants protect each other through e2; at the edge they hang.
const ELEPHANT_MG: Half =
    rows([[0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [-13, 0, 0, 0, 15], [0, 0, 0, 0, 0], [0, 0, -8, 0, 0]]);
const ELEPHANT_EG: Half =
    rows([[0, 0, 3, 0, 0], [0, 0, 0, 0, 0], [-14, 0, 0, 0, 11], [0, 0, 0, 0, 0], [0, 0, -7, 0, 0]]);

/// Forward posts beside the palace (c7, c8, d7: "angler", "groove" and "corner" knights) are the
/// best places of the board; the own palace centre (e1) is the worst.
const KNIGHT_MG: Half = [
    [-24, -20, -14, -17, -22],
    [-17, -8, -4, -9, -35],
    [-3, -2, 4, 6, 0],
    [-8, 2, 7, 7, 6],
    [-4, 2, 11, 11, 11],
    [0, 9, 13, 20, 15],
    [3, 13, 18, 22, 19],
    [3, 14, 24, 27, 18],
    [-2, 12, 29, 15, 4],
    [-12, 0, 4, 2, -6],
];
const KNIGHT_EG: Half = [
    [-20, -14, -10, -9, -8],
    [-14, -8, -5, -2, -6],
    [-8, -3, -3, 2, 2],
    [-8, -3, 4, 6, 6],
    [-6, 1, 9, 10, 12],
    [-4, 7, 12, 17, 16],
    [-4, 10, 16, 21, 19],
    [-4, 8, 17, 21, 18],
    [-8, 4, 16, 14, 10],
    [-16, -6, 0, 2, -2],
];

/// Ribs (files d and f), the river ranks and the enemy's second rank; not the corner.
const ROOK_MG: Half = [
    [-19, 4, -7, 7, -8],
    [-8, 1, -1, 8, -1],
    [-6, 1, -1, 8, 2],
    [-2, 6, 3, 11, 6],
    [4, 9, 7, 12, 10],
    [5, 12, 9, 14, 12],
    [6, 10, 13, 16, 14],
    [4, 7, 8, 18, 17],
    [6, 11, 9, 19, 20],
    [2, 4, 4, 13, 10],
];
const ROOK_EG: Half = [
    [-10, -4, -2, 0, 0],
    [-4, 0, 0, 2, 4],
    [-2, 0, 0, 2, 4],
    [0, 3, 3, 5, 6],
    [2, 4, 5, 6, 8],
    [4, 6, 7, 8, 10],
    [4, 7, 8, 8, 10],
    [4, 5, 6, 8, 10],
    [4, 6, 5, 9, 12],
    [0, 1, 3, 6, 8],
];

/// The middle file from behind, and the enemy's home rank from the side; never inside the palace.
const CANNON_MG: Half = [
    [0, 0, 3, 3, 2],
    [-1, 1, 5, 4, 5],
    [6, 0, 10, 7, 16],
    [0, 4, 2, 2, 8],
    [1, 2, 2, 2, 11],
    [1, 1, 2, 2, 15],
    [3, 2, 0, 1, 11],
    [3, 1, -1, -6, -7],
    [3, -1, -2, -10, -12],
    [11, 7, 3, -10, -12],
];
/// In endings a cannon works best behind its own men.
const CANNON_EG: Half = [
    [2, 2, 5, 10, 12],
    [2, 3, 6, 10, 12],
    [2, 2, 5, 8, 11],
    [0, 0, 2, 4, 5],
    [0, 0, -1, 2, 5],
    [-2, 0, 0, 0, 3],
    [-2, -2, -3, -1, 0],
    [-4, -4, -4, -7, -6],
    [-7, -7, -6, -8, -8],
    [-3, -4, -5, -8, -8],
];

/// A pawn doubles its worth at the river, is best beside the palace and of little use on the last
/// rank, from where it never returns.
const PAWN_MG: Half = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [-2, 0, -3, 0, 11],
    [0, 0, 12, 0, 13],
    [29, 38, 46, 52, 54],
    [37, 50, 62, 73, 75],
    [40, 54, 73, 92, 94],
    [30, 46, 70, 97, 100],
    [-12, -8, -2, 8, 12],
];
const PAWN_EG: Half = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 2, 0, 4],
    [7, 0, 6, 0, 11],
    [41, 50, 55, 60, 61],
    [44, 56, 65, 72, 74],
    [38, 52, 68, 85, 84],
    [22, 34, 52, 72, 69],
    [-26, -22, -16, -7, -8],
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
