//! Attacks on the king: men that bear on the palace, checks at hand, cannons on its lines, and what
//! is left of its guard.

use super::force::Force;
use super::weight::{Weight, w};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, PieceType, Square};

/// A cannon on the king's file with nothing between: no own man may step in, every enemy man that
/// does gives check.
const HOLLOW_CANNON: Weight = w(56, 16);
const HOLLOW_CANNON_UNITS: i32 = 21;
/// The same along a rank: it shuts the guards out.
const HOLLOW_ON_RANK: Weight = w(15, 6);
/// Two men between a cannon and the king: both are tied, or one is about to uncover a check.
const CANNON_PIN: Weight = w(24, 24);
/// Three men between on the middle file: the usual central cannon.
const CANNON_FAR: Weight = w(5, 2);
/// A rook whose line to the king one man closes.
const ROOK_PIN: Weight = w(4, 7);
/// Two cannons on the king's file: a double check behind one another is in the air.
const DOUBLE_CANNON_UNITS: i32 = 12;
/// A cannon on the king's home rank, beside the palace.
const BOTTOM_CANNON_UNITS: i32 = 8;

/// Units for kinds of check that could be given on a point the defender does not guard, and on one
/// that he does.
const SAFE_CHECK_ROOK: i32 = 21;
const SAFE_CHECK_KNIGHT: i32 = 17;
const SAFE_CHECK_CANNON: i32 = 11;
const GUARDED_CHECK: i32 = 2;

/// Units per missing advisor and per missing elephant for each enemy rook, knight, cannon.
/// Advisors keep out rooks and knights, elephants cannons; but advisors are also the screens that
/// an attacking cannon needs.
const NO_ADVISOR: [i32; 3] = [5, 5, -4];
const NO_ELEPHANT: [i32; 3] = [1, 0, 4];

/// Units below this are everyday pressure.
const UNITS_MAX: i32 = 180;

/// What the attack of `own` on the enemy king is worth to it.
pub(super) fn attack(pos: &Position, own: &Force, enemy: &Force) -> Weight {
    let (us, them) = (own.side, enemy.side);
    let king = pos.king(them);
    let (mut sum, mut units) = line_pressure(pos, us, king);
    units += own.siege + checks(pos, king, own, enemy);
    let count = |kind| pos.pieces(us, kind).count() as i32;
    let missing = |kind| 2 - pos.pieces(them, kind).count() as i32;
    let attackers = [count(PieceType::Rook), count(PieceType::Knight), count(PieceType::Cannon)];
    let weigh = |by: [i32; 3]| by.iter().zip(attackers).map(|(unit, n)| unit * n).sum::<i32>();
    let bare = missing(PieceType::Advisor) * weigh(NO_ADVISOR)
        + missing(PieceType::Elephant) * weigh(NO_ELEPHANT);
    sum += w(bare, bare / 2);
    units += bare;
    // One man alone mates nobody: it counts in full only with help.
    let units = if own.besiegers > 1 { units } else { units / 2 }.min(UNITS_MAX);
    sum + w(units * units / 72, units / 3)
}

/// Men that look along the king's file and rank: value and units.
#[inline]
fn line_pressure(pos: &Position, us: Color, king: Square) -> (Weight, i32) {
    let (rooks, cannons) = (pos.kind(PieceType::Rook), pos.kind(PieceType::Cannon));
    let mut sum = Weight::ZERO;
    let mut units = 0;
    let snipers = attacks::line(king) & (rooks | cannons) & pos.color(us);
    for sniper in snipers {
        let men = (attacks::between(king, sniper) & pos.occupied()).count();
        let on_file = sniper.file() == king.file();
        if rooks.has(sniper) {
            if men == 1 {
                sum += ROOK_PIN;
            }
            continue;
        }
        match men {
            0 if on_file => {
                sum += HOLLOW_CANNON;
                units += HOLLOW_CANNON_UNITS;
            }
            0 => sum += HOLLOW_ON_RANK,
            2 => sum += CANNON_PIN,
            3 if on_file => sum += CANNON_FAR,
            _ => {}
        }
        if !on_file && king.relative(!us).rank() == 0 {
            units += BOTTOM_CANNON_UNITS;
        }
    }
    if (snipers & cannons & Bitboard::file(king.file())).several() {
        units += DOUBLE_CANNON_UNITS;
    }
    (sum, units)
}

/// Units for checks that `own` could give with its next move.
#[inline]
fn checks(pos: &Position, king: Square, own: &Force, enemy: &Force) -> i32 {
    let occupied = pos.occupied();
    let reach = attacks::reach(king, occupied);
    let open = !pos.color(own.side);
    let guarded = enemy.all();
    // A cannon checks from the points behind the first man of each direction.
    let first = reach.rook & occupied;
    let behind = attacks::rook(king, occupied - first) - reach.rook;
    let leaps = attacks::knight_attackers(king, occupied);
    let mut units = 0;
    let mut count = |points: Bitboard, safe: i32| {
        let points = points & open;
        if (points - guarded).any() {
            units += safe;
        } else if points.any() {
            units += GUARDED_CHECK;
        }
    };
    count(reach.rook & own.rooks, SAFE_CHECK_ROOK);
    count(leaps & own.knights, SAFE_CHECK_KNIGHT);
    count(behind & (own.cannon_quiets | own.cannon_hits), SAFE_CHECK_CANNON);
    units
}
