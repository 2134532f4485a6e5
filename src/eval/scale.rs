//! Pulls values towards a draw: endings that the better side cannot win, or hardly, and a
//! no-capture clock that runs out.

use crate::position::Position;
use crate::types::{Bitboard, Color, PieceType};

/// A scale of `FULL` leaves a value as it is.
const FULL: i32 = 64;
/// Won in theory now and then, drawn in practice.
const DRAWISH: i32 = 12;
const HARD: i32 = 28;
const SOMEWHAT: i32 = 46;

/// The no-capture clock ends the game at 120 plies; the value fades on the way there, so that the
/// better side prefers progress.
const CLOCK_SPAN: i32 = 200;
const CLOCK_END: i32 = 120;

/// The value from the side to move after scaling.
pub(super) fn scaled(pos: &Position, value: i32) -> i32 {
    let better = if value >= 0 { pos.side() } else { !pos.side() };
    faded(pos, value * factor(pos, better) / FULL)
}

/// The value as the clock leaves it, for positions too rich to be among the endings.
pub(super) fn faded(pos: &Position, value: i32) -> i32 {
    let clock = i32::from(pos.rule60()).min(CLOCK_END);
    value * (CLOCK_SPAN - clock) / CLOCK_SPAN
}

/// How much of its lead `us` can hope to turn into a win, of [`FULL`].
fn factor(pos: &Position, us: Color) -> i32 {
    let them = !us;
    let count = |side, kind| pos.pieces(side, kind).count() as i32;
    let last_rank = match us {
        Color::Red => Bitboard::rank(9),
        Color::Black => Bitboard::rank(0),
    };
    let pawns = (pos.pieces(us, PieceType::Pawn) - last_rank).count() as i32;
    let (rooks, knights, cannons) =
        (count(us, PieceType::Rook), count(us, PieceType::Knight), count(us, PieceType::Cannon));
    let minors = knights + cannons;
    let power = 4 * rooks + 2 * minors + pawns;
    if power > 5 {
        return FULL;
    }
    let guards = count(them, PieceType::Advisor) + count(them, PieceType::Elephant);
    let resistance = 4 * count(them, PieceType::Rook)
        + 2 * (count(them, PieceType::Knight) + count(them, PieceType::Cannon));
    let enemy_men = pos.color(them).count() - 1;
    match (rooks, minors, pawns) {
        // Nothing that can mate, save an old pawn on the last rank.
        (0, 0, 0) => i32::from(pos.pieces(us, PieceType::Pawn).any()) * 4,
        // Pawns alone.
        (0, 0, 1) if guards > 0 || resistance > 0 => DRAWISH,
        (0, 0, 2) if guards > 2 || resistance > 0 => DRAWISH,
        (0, 0, 2) if guards == 2 => HARD,
        (0, 0, _) if resistance > 0 || guards > 3 => HARD,
        (0, 0, _) => FULL,
        // A cannon without any man to serve as screen never mates.
        (0, n, 0) if n == cannons && pos.color(us).count() as i32 == n + 1 && enemy_men == 0 => 0,
        (0, 1, 0) if resistance > 0 || guards > 1 => DRAWISH,
        (0, 1, 0) if guards == 1 && knights == 1 => HARD,
        (0, 1, _) if resistance > 0 => HARD,
        (0, 1, _) if guards > 3 => SOMEWHAT,
        (0, 2, 0) if resistance > 0 && guards > 1 => DRAWISH,
        (0, 2, _) if resistance > 2 => HARD,
        (0, 2, 0) if guards > 3 => SOMEWHAT,
        // A rook breaks two guards, not three; and hardly another man with guards.
        (1, 0, 0) if guards > 2 || resistance > 3 => DRAWISH,
        (1, 0, 0) if resistance > 0 && guards > 0 => HARD,
        (1, 0, _) if resistance > 3 => HARD,
        (1, 0, _) if guards > 3 => SOMEWHAT,
        _ => FULL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn red_factor(fen: &str) -> i32 {
        factor(&Position::from_fen(fen).unwrap(), Color::Red)
    }

    #[test]
    fn no_attackers_no_win() {
        assert_eq!(red_factor("4k4/9/9/9/9/9/9/4B4/4A4/3K5 w - - 0 1"), 0);
        assert_eq!(red_factor("4k4/9/9/9/9/9/9/9/9/C2K3C1 w - - 0 1"), 0);
        // with a screen of either side a cannon may win
        assert_eq!(red_factor("4k4/9/9/9/9/9/9/9/4A4/C2K5 w - - 0 1"), FULL);
    }

    #[test]
    fn known_endings() {
        // rook against two guards wins, against the full guard it is drawn
        assert_eq!(red_factor("3ak4/4a4/9/9/9/9/9/R8/9/3K5 w - - 0 1"), FULL);
        assert_eq!(red_factor("2bak1b2/4a4/9/9/9/9/9/R8/9/3K5 w - - 0 1"), DRAWISH);
        assert_eq!(red_factor("4k4/9/9/9/9/4N4/9/9/9/3K5 w - - 0 1"), FULL);
        assert_eq!(red_factor("3ak4/4a4/9/9/9/4N4/9/9/9/3K5 w - - 0 1"), DRAWISH);
        assert_eq!(red_factor(Position::START_FEN), FULL);
    }
}
