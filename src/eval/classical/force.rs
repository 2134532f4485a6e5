//! What the men of one side do: where they stand, what they reach, how freely they move.

use super::tables;
use super::weight::{Weight, w};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, PieceType, Square};

/// The men of one side and their attack sets, which the later terms share.
pub(super) struct Force {
    /// Whose men.
    pub(super) side: Color,
    /// Material, place, mobility and pawn structure.
    pub(super) score: Weight,
    /// Points reached by pawns.
    pub(super) pawns: Bitboard,
    /// Points reached by knights.
    pub(super) knights: Bitboard,
    /// Points reached by rooks.
    pub(super) rooks: Bitboard,
    /// Points cannons may move to without capturing.
    pub(super) cannon_quiets: Bitboard,
    /// Men that cannons attack, of either side.
    pub(super) cannon_hits: Bitboard,
    /// Points reached by king, advisors and elephants.
    pub(super) defenders: Bitboard,
    /// Number of men that bear on the enemy palace.
    pub(super) besiegers: i32,
    /// How strongly they do, in units of [`super::king`].
    pub(super) siege: i32,
}

/// By number of free targets. The first few matter most.
const KNIGHT_MOBILITY: [Weight; 9] = [
    w(-32, -40),
    w(-15, -20),
    w(-9, -7),
    w(-2, 3),
    w(4, 13),
    w(16, 19),
    w(20, 17),
    w(19, 19),
    w(23, 18),
];
const ROOK_MOBILITY: [Weight; 18] = [
    w(-43, -40),
    w(-34, -30),
    w(-23, -23),
    w(-16, -19),
    w(-9, -9),
    w(1, -3),
    w(5, 2),
    w(5, 9),
    w(15, 12),
    w(10, 14),
    w(11, 20),
    w(18, 19),
    w(16, 20),
    w(17, 22),
    w(22, 24),
    w(24, 27),
    w(25, 26),
    w(28, 29),
];
const CANNON_MOBILITY: [Weight; 18] = [
    w(-23, -24),
    w(-15, -19),
    w(-7, -13),
    w(-6, -9),
    w(1, -4),
    w(-2, -4),
    w(4, -4),
    w(1, 5),
    w(2, 5),
    w(5, 7),
    w(0, 6),
    w(1, 13),
    w(6, 10),
    w(7, 12),
    w(2, 11),
    w(6, 12),
    w(9, 13),
    w(10, 14),
];

/// Two crossed pawns side by side guard each other.
const PAWN_LINK: Weight = w(12, 12);

/// Siege units of a man that reaches the palace at all, and of each palace point it reaches. A cannon
/// that reaches many has no screens there.
const SIEGE_ROOK: (i32, i32) = (7, 3);
const SIEGE_KNIGHT: (i32, i32) = (8, 5);
const SIEGE_CANNON: (i32, i32) = (5, -1);
const SIEGE_PAWN: i32 = 9;

impl Force {
    /// The force of `side`; `reach` is what the pawns of each side reach.
    pub(super) fn new(pos: &Position, side: Color, reach: [Bitboard; 2]) -> Force {
        let pawns = pos.pieces(side, PieceType::Pawn);
        // Where a man may go without being taken by a pawn.
        let free = !pos.color(side) - reach[(!side).index()];
        let mut force = Force {
            side,
            score: Weight::ZERO,
            pawns: reach[side.index()],
            knights: Bitboard::EMPTY,
            rooks: Bitboard::EMPTY,
            cannon_quiets: Bitboard::EMPTY,
            cannon_hits: Bitboard::EMPTY,
            defenders: Bitboard::EMPTY,
            besiegers: 0,
            siege: 0,
        };
        force.add_home(pos);
        force.add_pawns(pawns);
        force.add_knights(pos, free);
        force.add_sliders(pos, free);
        force
    }

    /// Everything this side attacks, cannons by the men they hit.
    pub(super) fn all(&self) -> Bitboard {
        self.pawns | self.knights | self.rooks | self.cannon_hits | self.defenders
    }

    fn place(&mut self, kind: PieceType, sq: Square) {
        self.score += tables::placed(self.side, kind, sq);
    }

    fn add_home(&mut self, pos: &Position) {
        let occupied = pos.occupied();
        let king = pos.king(self.side);
        self.place(PieceType::King, king);
        self.defenders |= attacks::king(king);
        for sq in pos.pieces(self.side, PieceType::Advisor) {
            self.place(PieceType::Advisor, sq);
            self.defenders |= attacks::advisor(sq);
        }
        for sq in pos.pieces(self.side, PieceType::Elephant) {
            self.place(PieceType::Elephant, sq);
            self.defenders |= attacks::elephant(sq, occupied);
        }
    }

    fn add_pawns(&mut self, pawns: Bitboard) {
        for sq in pawns {
            self.place(PieceType::Pawn, sq);
        }
        let crossed = pawns & Bitboard::home(!self.side);
        if crossed.several() {
            let beside = (crossed & Bitboard::from_bits(crossed.bits() << 1)) - Bitboard::file(0);
            self.score += PAWN_LINK * beside.count() as i32;
        }
        // A pawn besieges from a point next to the palace or inside it, unless it is on the last rank.
        let besieging = (crossed & siege_points(!self.side)).count() as i32;
        self.besiegers += besieging;
        self.siege += SIEGE_PAWN * besieging;
    }

    fn besiege(&mut self, targets: Bitboard, (man, point): (i32, i32)) {
        let hits = (targets & Bitboard::palace(!self.side)).count() as i32;
        if hits > 0 {
            self.besiegers += 1;
            self.siege += man + point * hits;
        }
    }

    fn add_knights(&mut self, pos: &Position, free: Bitboard) {
        for sq in pos.pieces(self.side, PieceType::Knight) {
            self.place(PieceType::Knight, sq);
            let targets = attacks::knight(sq, pos.occupied());
            self.knights |= targets;
            self.score += KNIGHT_MOBILITY[(targets & free).count() as usize];
            self.besiege(targets, SIEGE_KNIGHT);
        }
    }

    fn add_sliders(&mut self, pos: &Position, free: Bitboard) {
        let occupied = pos.occupied();
        for sq in pos.pieces(self.side, PieceType::Rook) {
            self.place(PieceType::Rook, sq);
            let targets = attacks::rook(sq, occupied);
            self.rooks |= targets;
            self.score += ROOK_MOBILITY[(targets & free).count() as usize];
            self.besiege(targets, SIEGE_ROOK);
        }
        for sq in pos.pieces(self.side, PieceType::Cannon) {
            self.place(PieceType::Cannon, sq);
            let reach = attacks::reach(sq, occupied);
            let (quiets, hits) = (reach.rook - occupied, reach.cannon & occupied);
            self.cannon_quiets |= quiets;
            self.cannon_hits |= hits;
            self.score += CANNON_MOBILITY[(quiets & free).count() as usize];
            self.besiege(quiets | hits, SIEGE_CANNON);
        }
    }
}

/// The palace of `side` but its home rank, widened by a file on each side and by the rank in front.
fn siege_points(side: Color) -> Bitboard {
    const RED: u128 = 0b0_0111_1100 << 9 | 0b0_0111_1100 << 18 | 0b0_0011_1000 << 27;
    const BLACK: u128 = 0b0_0111_1100 << 72 | 0b0_0111_1100 << 63 | 0b0_0011_1000 << 54;
    Bitboard::from_bits(match side {
        Color::Red => RED,
        Color::Black => BLACK,
    })
}

/// Points reached by a set of pawns.
pub(super) fn pawn_reach(pawns: Bitboard, side: Color) -> Bitboard {
    let crossed = (pawns & Bitboard::home(!side)).bits();
    let right = Bitboard::from_bits(crossed << 1) - Bitboard::file(0);
    let left = Bitboard::from_bits(crossed >> 1) - Bitboard::file(8);
    let forward = match side {
        Color::Red => pawns.bits() << 9,
        Color::Black => pawns.bits() >> 9,
    };
    Bitboard::from_bits(forward) | left | right
}

/// A rook attacked by a lesser man, a knight or cannon attacked by a pawn, a man attacked and not
/// protected at all: each for the attacker.
const ROOK_THREATENED: Weight = w(17, 17);
const MINOR_THREATENED: Weight = w(29, 20);
const LOOSE_MAJOR: Weight = w(37, 24);
const LOOSE_OTHER: Weight = w(9, 25);

/// What `us` threatens to win, apart from attacks on the king.
pub(super) fn threats(pos: &Position, us: Color, own: &Force, enemy: &Force) -> Weight {
    let targets = pos.color(!us);
    let minors = pos.kind(PieceType::Knight) | pos.kind(PieceType::Cannon);
    let majors = minors | pos.kind(PieceType::Rook);
    let lesser = own.pawns | own.knights | own.cannon_hits | own.defenders;
    let small = own.pawns | own.defenders;
    let loose = targets & (own.all() - enemy.all() - pos.kind(PieceType::King));
    let count = |set: Bitboard| set.count() as i32;
    ROOK_THREATENED * count(lesser & targets & pos.kind(PieceType::Rook))
        + MINOR_THREATENED * count(small & targets & minors)
        + LOOSE_MAJOR * count(loose & majors)
        + LOOSE_OTHER * count(loose - majors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bulk_pawn_reach_equals_the_table() {
        for side in Color::ALL {
            for sq in Square::ALL {
                let one = Bitboard::from(sq);
                assert_eq!(pawn_reach(one, side), attacks::pawn(side, sq), "{side:?} {sq}");
            }
        }
    }

    #[test]
    fn siege_points_surround_the_palace() {
        let red = siege_points(Color::Red);
        assert_eq!(red.flip(), siege_points(Color::Black));
        assert_eq!(red.mirror(), red);
        assert!(red.has(Square::E3) && red.has(Square::C1) && !red.has(Square::E0));
        assert_eq!(red.count(), 13);
    }
}
