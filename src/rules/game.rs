//! A game: every position from its start, and what the rules say of the last one.

use super::judgement::{JudgedMove, Judgement};
use super::limit::free_plies;
use super::{Line, Man, MoveClass, Reason, RuleSet, Series, Verdict, Window};
use crate::position::Position;
use crate::types::{Color, Move, MoveList, PieceType};

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
        line.push(self.start().key(), None, self.start().in_check(), false);
        for (&mv, pair) in self.moves.iter().zip(self.positions.windows(2)) {
            let capture = pair[0].captured(mv).is_some();
            line.push(pair[1].key(), Some(mv), pair[1].in_check(), capture);
        }
        line.set_root();
        line
    }

    /// How many plies lie behind the last capture, or the start.
    fn reversible(&self) -> usize {
        let quiet = |&(&mv, pos): &(&Move, &Position)| pos.captured(mv).is_none();
        self.moves.iter().zip(&self.positions).rev().take_while(quiet).count()
    }

    /// Numbers of the positions equal to the one on the board, itself first, back to the last
    /// capture.
    pub fn occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        self.occurrences_of(self.position().key(), self.moves.len())
    }

    /// Numbers of positions with this key, from `last` back in steps of two to the last capture.
    fn occurrences_of(&self, key: u64, last: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.moves.len() - self.reversible();
        let steps = (first..=last).rev().step_by(2);
        steps.filter(move |&i| self.positions[i].key() == key)
    }

    /// Whether a legal move leads to a position that has been on the board since the last capture.
    pub fn repeats(&self, mv: Move) -> bool {
        let pos = self.position();
        let Some(last) = self.moves.len().checked_sub(1) else { return false };
        pos.captured(mv).is_none() && self.occurrences_of(pos.key_after(mv), last).next().is_some()
    }

    /// The moves from one occurrence of the position on the board to the present one, when it has
    /// occurred often enough to be judged.
    fn window(&self, rules: RuleSet) -> Option<usize> {
        let needed = usize::from(rules.occurrences?.max(2));
        self.occurrences().nth(needed - 1)
    }

    /// Plies that count towards the natural limit.
    pub fn clock(&self, rules: RuleSet) -> u16 {
        let since = &self.positions[self.positions.len() - self.reversible()..];
        let free = free_plies(since.iter().map(Position::in_check), rules.counted_checks);
        let clock = self.position().rule60();
        clock - free.min(clock)
    }

    /// What the rules say of the position on the board, in brief.
    pub fn verdict(&self, rules: RuleSet) -> Verdict {
        self.decide(rules, false).0
    }

    /// What the rules say of the position on the board, with all grounds.
    pub fn judgement(&self, rules: RuleSet) -> Judgement {
        let (verdict, window, classes, victims) = self.decide(rules, true);
        let moves = window.map_or(0..0, |(first, last)| first..last).zip(classes);
        Judgement {
            rules: rules.name(),
            verdict,
            reason: verdict.reason(),
            occurrences: self.occurrences().count() as u32,
            clock: self.clock(rules),
            window,
            moves: moves
                .map(|(ply, class)| JudgedMove {
                    ply,
                    side: self.positions[ply].side(),
                    mv: self.moves[ply],
                    class,
                })
                .collect(),
            victims,
            banned: self.banned_moves(rules).into_iter().collect(),
        }
    }

    /// Mate and stalemate before repetition, repetition before the natural limit, that before bare
    /// material. Only `in_full` are the moves of a repetition classified.
    fn decide(&self, rules: RuleSet, in_full: bool) -> Decision {
        let pos = self.position();
        let us = pos.side();
        let plain = |verdict: Verdict| (verdict, None, Vec::new(), Vec::new());
        if !pos.has_legal_move() {
            let reason = if pos.in_check() { Reason::Checkmate } else { Reason::Stalemate };
            return plain(Verdict::Win(!us, reason));
        }
        if let Some(ruling) =
            rules.series().and_then(|series| series.judge(&self.positions, &self.moves))
        {
            let verdict = Verdict::from_fault(ruling.at_fault, ruling.reason);
            let (first, last) = ruling.window;
            let window = (first < last).then_some((first, last));
            return (verdict, window, ruling.classes, Vec::new());
        }
        let last = self.moves.len();
        if let Some(first) = self.window(rules)
            && let Some(window) = Window::new(&self.positions[first..], &self.moves[first..])
        {
            if !in_full {
                let (at_fault, reason) = rules.judge().brief(&window);
                return plain(Verdict::from_fault(at_fault, reason));
            }
            let ruling = rules.judge().judge(&window);
            let verdict = Verdict::from_fault(ruling.at_fault, ruling.reason);
            return (verdict, Some((first, last)), ruling.classes, ruling.victims);
        }
        let at_limit = |limit| pos.rule60() >= limit && self.clock(rules) >= limit;
        if rules.natural_limit.is_some_and(at_limit) {
            return plain(Verdict::Draw(Reason::NaturalLimit));
        }
        if is_bare(pos) {
            return plain(Verdict::Draw(Reason::BareMaterial));
        }
        plain(Verdict::Ongoing)
    }

    /// The legal moves that would lose at once: they complete a repetition, or a counted series, of
    /// which their own side is guilty.
    pub fn banned_moves(&self, rules: RuleSet) -> MoveList {
        let mut banned = self.position().legal_moves();
        match rules.series() {
            Some(series) if series.judge(&self.positions, &self.moves).is_none() => {
                let mut game = self.clone();
                banned.retain(|mv| game.loses_by_series(*mv, series));
            }
            // A game that has ended knows no further offence.
            Some(_) => banned.clear(),
            None => banned.retain(|mv| self.loses_by_repetition(*mv, rules)),
        }
        banned
    }

    /// Tries a move of a game that goes on so far, and takes it back.
    fn loses_by_series(&mut self, mv: Move, series: &dyn Series) -> bool {
        let us = self.position().side();
        if !self.play(mv) {
            return false;
        }
        let loses = self.position().has_legal_move()
            && series
                .judge(&self.positions, &self.moves)
                .is_some_and(|ruling| ruling.at_fault == Some(us));
        self.positions.pop();
        self.moves.pop();
        loses
    }

    fn loses_by_repetition(&self, mv: Move, rules: RuleSet) -> bool {
        let pos = self.position();
        let Some(needed) = rules.occurrences else { return false };
        if pos.captured(mv).is_some() || self.moves.is_empty() {
            return false;
        }
        let mut earlier = self.occurrences_of(pos.key_after(mv), self.moves.len() - 1);
        let Some(first) = earlier.nth(usize::from(needed.max(2)) - 2) else { return false };
        let mut positions = self.positions[first..].to_vec();
        let mut moves = self.moves[first..].to_vec();
        positions.push(pos.make(mv));
        moves.push(mv);
        Window::new(&positions, &moves)
            .is_some_and(|window| rules.judge().brief(&window).0 == Some(pos.side()))
    }
}

/// The verdict, the stretch of moves that decided, their classes, and the men chased.
type Decision = (Verdict, Option<(usize, usize)>, Vec<MoveClass>, Vec<Man>);

/// Whether neither side has a man that can cross the river: nobody can ever be mated by force.
pub(super) fn is_bare(pos: &Position) -> bool {
    Color::ALL.iter().all(|&side| !pos.has_major(side)) && pos.kind(PieceType::Pawn).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut once = play(Position::START_FEN, "h0g2 h9g7 g2h0");
        assert!(once.repeats("g7h9".parse().unwrap()));
        assert!(!once.repeats("g7e8".parse().unwrap()));
        assert!(once.play("g6g5".parse().unwrap()) && once.play("b2b9".parse().unwrap()));
        assert!(!once.repeats("a9b9".parse().unwrap()), "captures never do");
        assert!(!Game::new(Position::startpos()).repeats("h2e2".parse().unwrap()));
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
        let draw = RuleSet::by_name("alwaysdraw").unwrap();
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
