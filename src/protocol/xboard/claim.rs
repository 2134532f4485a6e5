//! When the game is over, and how that is said.

use crate::rules::{Game, Reason, RuleSet, Verdict};
use crate::types::Color;

/// Occurrences of a position from which on every referee lets a draw by repetition pass.
const REPEATED: usize = 3;

/// The result line for the position on the board, if an engine may state it.
///
/// A referee that does not share our view of a repetition forfeits the game of who claims to have
/// won by it, so wins are claimed only when the loser has no move, and draws by repetition from the
/// third occurrence on. Otherwise the game simply goes on until the other end says so.
pub(super) fn claim(game: &Game, rules: RuleSet) -> Option<String> {
    let by_repetition = |reason| {
        matches!(
            reason,
            Reason::Repetition
                | Reason::MutualPerpetualCheck
                | Reason::MutualPerpetualChase
                | Reason::MutualFault
        )
    };
    match game.verdict(rules) {
        Verdict::Ongoing => None,
        Verdict::Draw(reason) if by_repetition(reason) && game.occurrences().count() < REPEATED => {
            None
        }
        Verdict::Draw(reason) => Some(format!("1/2-1/2 {{Draw: {reason}}}")),
        Verdict::Win(winner, reason @ (Reason::Checkmate | Reason::Stalemate)) => {
            let (result, name) = match winner {
                Color::Red => ("1-0", "Red"),
                Color::Black => ("0-1", "Black"),
            };
            Some(format!("{result} {{{name} wins: {reason}}}"))
        }
        Verdict::Win(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn of(fen: &str, moves: &str) -> Option<String> {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            assert!(game.play(text.parse().unwrap()), "{text}");
        }
        claim(&game, RuleSet::default())
    }

    #[test]
    fn only_what_every_referee_sees_is_claimed() {
        let start = Position::START_FEN;
        assert_eq!(of(start, ""), None);
        let twice = "h0g2 h9g7 g2h0 g7h9";
        assert_eq!(of(start, twice), None);
        assert_eq!(of(start, &format!("{twice} {twice}")).unwrap(), "1/2-1/2 {Draw: repetition}");
        let mated = "1R2k4/R8/9/9/9/9/9/9/9/3K5 b";
        assert_eq!(of(mated, "").unwrap(), "1-0 {Red wins: checkmate}");
        let stalemated = "3k1r3/9/9/9/9/9/9/4p4/9/4K4 w";
        assert_eq!(of(stalemated, "").unwrap(), "0-1 {Black wins: stalemate}");
        let perpetual = "a2d2 d9e9 d2e2 e9d9 e2d2 d9e9 d2e2 e9d9 e2d2";
        assert_eq!(of("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1", perpetual), None);
    }
}
