//! What the network sees: which man stands where, seen from each side.
//!
//! A *perspective* looks at the board from its own side, own men first: Black's board is turned, and
//! when the own king stands on files f..i the board is mirrored, so that it stands on d or e. Men
//! are numbered in the order K A B N R C P, own set then enemy set; only points a man can reach get
//! a number. Own king 6 (mirroring leaves files d and e), enemy king 9, advisors 5, elephants 7,
//! pawns 55, the rest 90: 343 + 346 = 689 features, of which at most 32 are active. Networks with
//! king buckets have that many copies: index = bucket * 689 + feature.

use arrayvec::ArrayVec;

use crate::position::Position;
use crate::types::{Color, Piece, PieceType, Square};

/// Features of one bucket.
pub const PER_BUCKET: usize = 689;
/// Buckets of a network that tells the own king's points apart: 3 ranks by files d and e.
pub const KING_BUCKETS: usize = 6;
/// Most men on a board, and so most active features of a perspective.
pub const MAX_ACTIVE: usize = 32;
/// Output buckets, by the rooks, knights and cannons left.
pub const OUTPUT_BUCKETS: usize = 8;

/// Marks points a man cannot reach.
const NONE: u16 = u16::MAX;

/// Active features of one perspective, in ascending order of the squares.
pub type Active = ArrayVec<u16, MAX_ACTIVE>;

/// How one side looks at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Whose board it is.
    pub side: Color,
    /// Whether files are mirrored.
    pub mirror: bool,
    /// Where the own king stands: `2 * rank + (file e)`, 0..6.
    pub king: u8,
}

impl View {
    /// The view of `side` while its king stands on `king`, mirrored only if the king demands it.
    #[inline]
    pub fn new(side: Color, king: Square) -> View {
        let seen = king.relative(side);
        let mirror = seen.file() > 4;
        View { side, mirror, king: 2 * seen.rank() + (seen.file() == 4) as u8 }
    }

    /// The view of `side` in a position.
    #[inline]
    pub fn of(pos: &Position, side: Color) -> View {
        View::new(side, pos.king(side))
    }

    /// The same view with the files mirrored; only the rules of [`View::new`] apply at play, but a
    /// king on file e may be looked at either way and training does.
    pub fn mirrored(self) -> View {
        View { mirror: !self.mirror, ..self }
    }

    /// Whether the king stands on the middle file, where both ways of looking are equal.
    pub fn is_central(self) -> bool {
        self.king % 2 == 1
    }

    /// The bucket among `buckets` (1 or [`KING_BUCKETS`]).
    #[inline]
    pub fn bucket(self, buckets: usize) -> usize {
        if buckets == 1 { 0 } else { self.king as usize }
    }

    /// The feature of a man on a point, 0..689, without the bucket.
    ///
    /// Men on points they cannot reach do not occur in a valid position; they get 0.
    #[inline]
    pub fn feature(self, piece: Piece, sq: Square) -> usize {
        let index = TABLE[self.side.index()][self.mirror as usize][piece.index()][sq.index()];
        debug_assert!(index != NONE, "{piece:?} on {sq}");
        if (index as usize) < PER_BUCKET { index as usize } else { 0 }
    }
}

/// The features of a position in a view, without the bucket.
pub fn active(pos: &Position, view: View) -> Active {
    let mut list = Active::new();
    for sq in pos.occupied() {
        if let Some(piece) = pos.piece_on(sq) {
            list.push(view.feature(piece, sq) as u16);
        }
    }
    list
}

/// Whether men of a kind count for the output bucket: rooks, knights and cannons.
#[inline]
pub fn is_major(kind: PieceType) -> bool {
    matches!(kind, PieceType::Rook | PieceType::Knight | PieceType::Cannon)
}

/// Rooks, knights and cannons of both sides.
#[inline]
pub fn majors(pos: &Position) -> usize {
    let majors = pos.kind(PieceType::Rook) | pos.kind(PieceType::Knight);
    (majors | pos.kind(PieceType::Cannon)).count() as usize
}

/// The output bucket of a position, 0..8.
#[inline]
pub fn output_bucket(pos: &Position) -> usize {
    output_bucket_of(majors(pos))
}

/// The output bucket for a number of rooks, knights and cannons of both sides, 0..8.
#[inline]
pub fn output_bucket_of(count: usize) -> usize {
    OUTPUT_OF_COUNT[count.min(12)]
}

/// Output bucket by the number of rooks, knights and cannons of both sides.
const OUTPUT_OF_COUNT: [usize; 13] = [0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7];

/// A number that changes when the meaning of any feature or output bucket does; network files
/// carry it.
pub fn fingerprint() -> u64 {
    let features = TABLE.as_flattened().as_flattened().as_flattened().iter();
    let outputs = OUTPUT_OF_COUNT.iter().map(|&bucket| bucket as u16);
    // FNV-1a, 64 bit (Fowler, Noll, Vo)
    features
        .copied()
        .chain(outputs)
        .flat_map(u16::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}

/// Feature numbers as seen from Red's side without mirroring.
const fn numbering() -> [[u16; 90]; 14] {
    let mut table = [[NONE; 90]; 14];
    let mut next = 0;
    let mut piece = 0;
    while piece < 14 {
        let mut sq = 0;
        while sq < 90 {
            if reachable(Piece::ALL[piece], Square::ALL[sq]) {
                table[piece][sq] = next;
                next += 1;
            }
            sq += 1;
        }
        piece += 1;
    }
    assert!(next as usize == PER_BUCKET);
    table
}

/// Whether a man can stand on a point, Red being the own side, whose king is kept on files d and e.
const fn reachable(piece: Piece, sq: Square) -> bool {
    let own = sq.relative(piece.color());
    let (file, rank) = (own.file(), own.rank());
    match piece.kind() {
        PieceType::King => {
            let last_file = if matches!(piece.color(), Color::Red) { 4 } else { 5 };
            3 <= file && file <= last_file && rank <= 2
        }
        PieceType::Advisor => 3 <= file && file <= 5 && rank <= 2 && (file == 4) == (rank == 1),
        PieceType::Elephant => {
            (matches!(rank, 0 | 4) && matches!(file, 2 | 6))
                || (rank == 2 && matches!(file, 0 | 4 | 8))
        }
        PieceType::Pawn => rank > 4 || (rank >= 3 && file % 2 == 0),
        PieceType::Knight | PieceType::Rook | PieceType::Cannon => true,
    }
}

/// Feature by side, mirroring, man and point.
static TABLE: [[[[u16; 90]; 14]; 2]; 2] = {
    let numbers = numbering();
    let mut table = [[[[NONE; 90]; 14]; 2]; 2];
    let mut i = 0;
    while i < 2 * 14 * 90 {
        let (mirror, piece, index) = (i / (14 * 90), i / 90 % 14, i % 90);
        let sq = Square::ALL[index];
        let seen = if mirror == 1 { sq.mirror() } else { sq };
        table[0][mirror][piece][index] = numbers[piece][seen.index()];
        let flipped = Piece::ALL[piece].flip();
        table[1][mirror][piece][index] = numbers[flipped.index()][seen.flip().index()];
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Every valid placement of one man beside the two kings, kings everywhere.
    fn placements() -> Vec<Position> {
        let mut all = Vec::new();
        for red in Square::ALL {
            for black in Square::ALL {
                let kings = |cells: &mut [char; 90]| {
                    cells[red.index()] = 'K';
                    cells[black.index()] = 'k';
                };
                // every third pair of kings still has each king on each of its points
                if red.rank() > 2 || black.rank() < 7 || (red.index() + black.index()) % 3 != 0 {
                    continue;
                }
                for letter in "ABNRCPabnrcp".chars() {
                    for sq in Square::ALL {
                        let mut cells = ['1'; 90];
                        kings(&mut cells);
                        if cells[sq.index()] != '1' {
                            continue;
                        }
                        cells[sq.index()] = letter;
                        let rows: Vec<String> =
                            cells.chunks(9).rev().map(|row| row.iter().collect()).collect();
                        let side = if sq.index() % 2 == 0 { "w" } else { "b" };
                        let fen = format!("{} {side} - - 0 1", rows.join("/"));
                        all.extend(Position::from_fen(&fen));
                    }
                }
            }
        }
        all
    }

    #[test]
    fn all_features_are_used_and_none_twice() {
        let mut used = [false; PER_BUCKET];
        let mut buckets = [false; KING_BUCKETS];
        let positions = placements();
        assert!(positions.len() > 5_000, "{}", positions.len());
        for pos in &positions {
            for side in Color::ALL {
                let view = View::of(pos, side);
                buckets[view.bucket(KING_BUCKETS)] = true;
                assert_eq!(view.bucket(1), 0);
                let mut list = active(pos, view);
                assert_eq!(list.len() as u32, pos.occupied().count());
                list.iter().for_each(|&feature| used[feature as usize] = true);
                list.sort_unstable();
                assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{}", pos.fen());
            }
        }
        assert!(used.iter().all(|&used| used));
        assert!(buckets.iter().all(|&used| used));
        let counts = |piece: Piece| {
            numbering()[piece.index()].iter().filter(|&&number| number != NONE).count()
        };
        let own: Vec<usize> = Piece::ALL.iter().map(|&piece| counts(piece)).collect();
        assert_eq!(own, [6, 5, 7, 90, 90, 90, 55, 9, 5, 7, 90, 90, 90, 55]);
    }

    #[test]
    fn colours_are_alike() {
        for pos in placements().iter().step_by(5) {
            let flipped = pos.flip();
            for side in Color::ALL {
                let (view, other) = (View::of(pos, side), View::of(&flipped, !side));
                assert_eq!((view.mirror, view.king), (other.mirror, other.king));
                let mut a = active(pos, view);
                let mut b = active(&flipped, other);
                a.sort_unstable();
                b.sort_unstable();
                assert_eq!(a, b, "{}", pos.fen());
            }
        }
    }

    #[test]
    fn mirror_images_are_alike_unless_the_king_is_central() {
        let mut central = 0;
        for pos in placements().iter().step_by(5) {
            let image = pos.mirror();
            for side in Color::ALL {
                let view = View::of(pos, side);
                let other = View::of(&image, side);
                let other = if view.is_central() { other.mirrored() } else { other };
                assert_eq!(view.king, other.king);
                assert_ne!(view.mirror, other.mirror);
                let mut a = active(pos, view);
                let mut b = active(&image, other);
                a.sort_unstable();
                b.sort_unstable();
                assert_eq!(a, b, "{}", pos.fen());
                central += view.is_central() as usize;
            }
        }
        assert!(central > 500);
    }

    #[test]
    fn output_buckets_follow_the_attackers() {
        assert_eq!(output_bucket(&Position::startpos()), 7);
        let bare = Position::from_fen("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1").unwrap();
        assert_eq!(output_bucket(&bare), 0);
        let some = Position::from_fen("3k1r3/9/2n6/9/9/9/9/R1C1C4/N8/5K3 w - - 0 1").unwrap();
        assert_eq!(output_bucket(&some), OUTPUT_OF_COUNT[6]);
    }

    #[test]
    fn meaning_is_frozen() {
        // Networks in the field depend on it: a change here needs a new generation of networks.
        assert_eq!(fingerprint(), 16_057_551_092_997_791_258);
    }
}
