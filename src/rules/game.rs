//! A game: every position from its start, and what the rules say of the last one.

use super::{Line, Reason, Repetition, RuleSet, Verdict};
use crate::position::Position;
use crate::types::{Color, Move, PieceType};

/// A start position, the moves since, and every position between.
#[derive(Clone, Debug)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Game {
    /// A game that begins with `start`.
    pub fn new(start: Position) -> Game {
        Game { positions: vec![start], moves: Vec::new() }
    }

    /// The position on the board now.
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The position the game began with.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// All moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// All positions, the first before any move; one more than [`Game::moves`].
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Plays a move. Returns whether it was legal; an illegal one changes nothing.
    pub fn play(&mut self, mv: Move) -> bool {
        let legal = self.position().is_legal(mv);
        if legal {
            let next = self.position().make(mv);
            self.positions.push(next);
            self.moves.push(mv);
        }
        legal
    }

    /// The path of this game for a search that starts from the position on the board.
    pub fn line(&self, rules: RuleSet) -> Line {
        let mut line = Line::new(rules);
        for (i, pos) in self.positions.iter().enumerate() {
            let capture = i > 0 && self.positions[i - 1].captured(self.moves[i - 1]).is_some();
            line.push(pos.key(), pos.in_check(), !capture);
        }
        line.set_root();
        line
    }

    /// What the rules say of the position on the board: mate and stalemate before repetition,
    /// repetition before the natural limit, that before bare material.
    pub fn verdict(&self, rules: RuleSet) -> Verdict {
        let pos = self.position();
        let us = pos.side();
        if !pos.has_legal_move() {
            let reason = if pos.in_check() { Reason::Checkmate } else { Reason::Stalemate };
            return Verdict::Win(!us, reason);
        }
        match self.line(rules).adjudicate() {
            Some(Repetition::Draw) => return Verdict::Draw(Reason::Repetition),
            Some(Repetition::Win) => return Verdict::Win(us, Reason::PerpetualCheck),
            Some(Repetition::Loss) => return Verdict::Win(!us, Reason::PerpetualCheck),
            None => {}
        }
        if rules.natural_limit.is_some_and(|limit| pos.rule60() >= limit) {
            return Verdict::Draw(Reason::NaturalLimit);
        }
        if is_bare(pos) {
            return Verdict::Draw(Reason::BareMaterial);
        }
        Verdict::Ongoing
    }
}

/// Whether neither side has a man that can cross the river: nobody can ever be mated by force.
pub(super) fn is_bare(pos: &Position) -> bool {
    Color::ALL.iter().all(|&side| !pos.has_major(side)) && pos.kind(PieceType::Pawn).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RepetitionRule;

    fn play(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            assert!(game.play(text.parse().unwrap()), "{text}");
        }
        game
    }

    const LOOP: &str = "h0g2 h9g7 g2h0 g7h9";

    #[test]
    fn third_occurrence_draws() {
        let rules = RuleSet::default();
        let twice = play(Position::START_FEN, LOOP);
        assert_eq!(twice.verdict(rules), Verdict::Ongoing);
        let thrice = play(Position::START_FEN, &format!("{LOOP} {LOOP}"));
        assert_eq!(thrice.verdict(rules), Verdict::Draw(Reason::Repetition));
    }

    #[test]
    fn one_sided_perpetual_check_loses() {
        let fen = "3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1";
        let moves = "a2d2 d9e9 d2e2 e9d9 e2d2 d9e9 d2e2 e9d9 e2d2 ";
        let rules = RuleSet::default();
        let game = play(fen, moves);
        assert_eq!(game.verdict(rules), Verdict::Win(Color::Black, Reason::PerpetualCheck));
        let draw = RuleSet { repetition: RepetitionRule::AlwaysDraw, ..rules };
        assert_eq!(game.verdict(draw), Verdict::Draw(Reason::Repetition));
        // one quiet move in the loop and nobody is at fault
        let moves = "a2d2 d9e9 d2c2 e9d9 c2d2 d9e9 d2c2 e9d9 c2d2";
        let game = play(fen, moves);
        assert_eq!(game.verdict(rules), Verdict::Draw(Reason::Repetition));
    }

    #[test]
    fn limits_and_ends() {
        let rules = RuleSet::default();
        let verdict = |fen: &str| Game::new(Position::from_fen(fen).unwrap()).verdict(rules);
        assert_eq!(
            verdict("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 120 1"),
            Verdict::Draw(Reason::NaturalLimit)
        );
        assert_eq!(verdict("3k5/9/9/9/9/9/9/4B4/9/5K3 w"), Verdict::Draw(Reason::BareMaterial));
        assert_eq!(
            verdict("1R2k4/R8/9/9/9/9/9/9/9/3K5 b - - 120 1"),
            Verdict::Win(Color::Red, Reason::Checkmate)
        );
        assert_eq!(
            verdict("4k4/9/4P4/9/9/9/9/9/9/3K1R3 b"),
            Verdict::Win(Color::Red, Reason::Stalemate)
        );
    }
}
