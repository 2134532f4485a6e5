//! The line that ends a search, and when it offers peace or gives up.

use super::coordinates::Coordinates;
use super::mode::Mode;
use crate::engine::Options;
use crate::position::Position;
use crate::search::Outcome;
use crate::types::{Color, Move, PieceType};

/// A draw that was offered is taken when we stand this badly, in centipawns.
const BAD: i32 = -150;
/// ... or when we stand at most this well and neither side has more than [`FEW`] attackers.
const LEVEL: i32 = 20;
const FEW: u32 = 2;
/// With the option to give up set, this score is a lost game.
const HOPELESS: i32 = -1500;

/// The move to ponder on: legal after the first of the line, and not the end of the game.
pub(super) fn ponder_move(pos: &Position, pv: &[Move]) -> Option<Move> {
    let (&best, &reply) = (pv.first()?, pv.get(1)?);
    let after = pos.make(best);
    (after.is_legal(reply) && after.make(reply).has_legal_move()).then_some(reply)
}

/// The `bestmove` line; `offered` when the opponent offered a draw.
pub(super) fn best_move(
    mode: Mode,
    options: &Options,
    pos: &Position,
    outcome: &Outcome,
    offered: bool,
    coordinates: Coordinates,
) -> Option<String> {
    let &best = outcome.pv.first()?;
    let mut line = mode.best_move(best, ponder_move(pos, &outcome.pv), coordinates);
    if mode == Mode::Ucci {
        let score = outcome.score.value();
        let accepts = offered && accepts_peace(pos, score);
        if gives_up(options, score) {
            line.push_str(" resign");
        } else if accepts || offers_peace(options, pos, score) {
            line.push_str(" draw");
        }
    }
    Some(line)
}

/// Whether a draw is good enough for the side to move, with this score in centipawns.
pub(super) fn accepts_peace(pos: &Position, score: i32) -> bool {
    score <= BAD || score <= LEVEL && has_few_attackers(pos) || is_dead(pos)
}

/// Whether to offer a draw unasked.
pub(super) fn offers_peace(options: &Options, pos: &Position, score: i32) -> bool {
    options.offer_peace && (is_dead(pos) || score.abs() <= LEVEL && has_few_attackers(pos))
}

/// Whether to resign.
pub(super) fn gives_up(options: &Options, score: i32) -> bool {
    options.give_up && score <= HOPELESS
}

/// Whether no man on the board can cross the river.
fn is_dead(pos: &Position) -> bool {
    pos.kind(PieceType::Pawn).is_empty() && attackers(pos) == [0, 0]
}

fn has_few_attackers(pos: &Position) -> bool {
    attackers(pos).into_iter().all(|count| count <= FEW)
}

/// Rooks, knights and cannons of each side.
fn attackers(pos: &Position) -> [u32; 2] {
    Color::ALL.map(|side| {
        [PieceType::Rook, PieceType::Knight, PieceType::Cannon]
            .map(|kind| pos.pieces(side, kind).count())
            .iter()
            .sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::{OptionId, Value};
    use crate::types::Score;

    fn answer(fen: &str, score: i32, pv: &str, offered: bool, options: &Options) -> String {
        let pos = Position::from_fen(fen).unwrap();
        let pv = pv.split(' ').map(|mv| mv.parse().unwrap()).collect();
        let outcome = Outcome { depth: 5, seldepth: 5, score: Score::new(score), pv };
        best_move(Mode::Ucci, options, &pos, &outcome, offered, Coordinates::ZeroBased).unwrap()
    }

    #[test]
    fn ponder_moves_are_legal_and_do_not_end_the_game() {
        let plain = Options::default();
        let start = Position::START_FEN;
        assert_eq!(answer(start, 0, "h2e2 h9g7", false, &plain), "bestmove h2e2 ponder h9g7");
        assert_eq!(answer(start, 0, "h2e2 h2e2", false, &plain), "bestmove h2e2");
        assert_eq!(answer(start, 0, "h2e2", false, &plain), "bestmove h2e2");
        // the reply is mate
        let mated_next = "3k5/9/9/9/9/9/9/8r/7r1/R3K4 w - - 0 1";
        assert_eq!(answer(mated_next, 0, "a0b0 i2i0", false, &plain), "bestmove a0b0");
    }

    #[test]
    fn peace_and_surrender_only_when_asked_for() {
        let plain = Options::default();
        let mut league = Options::default();
        league.set(OptionId::OfferPeace, Value::Flag(true));
        league.set(OptionId::GiveUp, Value::Flag(true));
        let dead = "2bak1b2/4a4/9/9/9/9/9/4B4/4A4/2B1KA3 w - - 0 1";
        let start = Position::START_FEN;
        for (fen, score, mv, offered, options, tail) in [
            (dead, 200, "e1d2", false, &plain, ""),
            (dead, 200, "e1d2", true, &plain, " draw"),
            (dead, 200, "e1d2", false, &league, " draw"),
            (start, -151, "h2e2", true, &plain, " draw"),
            (start, -149, "h2e2", true, &plain, ""),
            (start, -3000, "h2e2", false, &plain, ""),
            (start, -3000, "h2e2", false, &league, " resign"),
            (start, 10, "h2e2", true, &league, ""),
        ] {
            assert_eq!(answer(fen, score, mv, offered, options), format!("bestmove {mv}{tail}"));
        }
    }
}
