//! The threats of one side in one position: captures and checks that win material by force.

use std::cell::OnceCell;

use super::material::{Tally, worth};
use super::solve::{Counter, Goal, Question, Solver};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Move, PieceType, Square};

/// A position with the attacker to move, if need be after a pass of the defender.
pub(super) struct Threats {
    pos: Position,
    offers: Vec<Move>,
    hanging: OnceCell<Vec<Move>>,
}

impl Threats {
    /// `by`: the position before the attacker's last move, and that move, where the question is
    /// what it threatens.
    pub(super) fn new(pos: Position, by: Option<(&Position, Move)>) -> Threats {
        Threats { offers: offers(&pos, by), pos, hanging: OnceCell::new() }
    }

    pub(super) fn position(&self) -> &Position {
        &self.pos
    }

    /// Captures of men of the attacker's own kind that offer an exchange.
    pub(super) fn offers(&self) -> &[Move] {
        &self.offers
    }

    /// Whether a line may begin with this move.
    pub(super) fn is_candidate(&self, mv: Move) -> bool {
        !self.offers.contains(&mv)
            && self.pos.is_legal(mv)
            && (self.pos.captured(mv).is_some() || self.pos.gives_check(mv))
    }

    pub(super) fn candidates(&self) -> impl Iterator<Item = Move> + '_ {
        self.pos.legal_moves().into_iter().filter(|&mv| self.is_candidate(mv))
    }

    /// What the defender could win by force were it to move.
    fn hanging(&self) -> &[Move] {
        self.hanging.get_or_init(|| {
            if self.pos.in_check() {
                return Vec::new();
            }
            Threats::new(self.pos.make_null(), None).winning()
        })
    }

    /// Moves that win something although the other side may answer as it likes.
    fn winning(&self) -> Vec<Move> {
        let wins = |&mv: &Move| self.stands(mv, 1, Counter::All);
        self.candidates().filter(wins).collect()
    }

    fn question<'a>(&'a self, goal: Goal, counter: Counter<'a>) -> Question<'a> {
        let worthless = Bitboard::EMPTY;
        Question { goal, counter, offers: &self.offers, worthless, alone: false }
    }

    /// Whether `mv` wins `units` or more whatever the defender, whose answers `counter` bounds, does.
    pub(super) fn stands(&self, mv: Move, units: i16, counter: Counter<'_>) -> bool {
        Solver::new(self.question(Goal::Gain(units), counter)).succeeds(&self.pos, mv)
    }

    /// Whether `mv` threatens to win `units` or more.
    ///
    /// What the defender attacks already does not save it, since it has passed. But the line must
    /// not end in a loss through captures that it makes possible itself.
    pub(super) fn threatens(&self, mv: Move, units: i16) -> bool {
        self.wins(mv, units, Bitboard::EMPTY) && self.is_safe(mv)
    }

    /// The first half of [`Threats::threatens`]; men on `worthless` points do not count.
    pub(super) fn wins(&self, mv: Move, units: i16, worthless: Bitboard) -> bool {
        let question = self.question(Goal::Gain(units), Counter::NoneBut(self.hanging()));
        Solver::new(Question { worthless, ..question }).succeeds(&self.pos, mv)
    }

    /// The second half of [`Threats::threatens`].
    pub(super) fn is_safe(&self, mv: Move) -> bool {
        let question = self.question(Goal::NoLoss, Counter::AllBut(self.hanging()));
        Solver::new(question).succeeds(&self.pos, mv)
    }

    /// Captures and checks with which the attacker threatens to win something.
    pub(super) fn all(&self) -> Vec<Move> {
        let threatens = |&mv: &Move| self.threatens(mv, 1);
        self.candidates().filter(threatens).collect()
    }

    /// Whether a threat is heavy: one man alone wins a rook, or a man that nothing guards.
    pub(super) fn is_heavy(&self, mv: Move) -> bool {
        let Some(victim) = self.pos.captured(mv) else {
            let alone = self.question(Goal::Gain(1), Counter::Nothing);
            let alone = Question { alone: true, offers: &[], ..alone };
            return Solver::new(alone).succeeds(&self.pos, mv);
        };
        let next = self.pos.make(mv);
        let guards = next.attackers_to(mv.to(), next.occupied()) & next.color(next.side());
        guards.is_empty() || (victim.kind() == PieceType::Rook && !self.over_own_screen(mv))
    }

    /// Whether a capture is a cannon's over a man of its own side.
    fn over_own_screen(&self, mv: Move) -> bool {
        let kind = self.pos.piece_on(mv.from()).map(|man| man.kind());
        let own = self.pos.color(self.pos.side());
        // without its own men a cannon would not reach the victim
        kind == Some(PieceType::Cannon)
            && !attacks::cannon(mv.from(), (self.pos.occupied() - own) | Bitboard::from(mv.from()))
                .has(mv.to())
    }

    /// The first man a line that begins with this check wins.
    pub(super) fn first_victim(&self, mv: Move) -> Option<Square> {
        let question = self.question(Goal::Gain(1), Counter::NoneBut(self.hanging()));
        Solver::new(question).first_victim(&self.pos, mv)
    }
}

/// Captures of a man by one of its own kind that it could capture as well, so that to attack it is
/// to offer an exchange.
///
/// It is none when the other capture would lose by force. Where the mutual attack is not the work
/// of the last move `by`, it must also be possible to take back.
fn offers(pos: &Position, by: Option<(&Position, Move)>) -> Vec<Move> {
    if pos.in_check() {
        return Vec::new();
    }
    let passed = pos.make_null();
    let is_offer = |&mv: &Move| {
        let (Some(man), Some(victim)) = (pos.piece_on(mv.from()), pos.captured(mv)) else {
            return false;
        };
        let back = Move::new(mv.to(), mv.from());
        if man.kind() != victim.kind() || !passed.is_legal(back) {
            return false;
        }
        let created = by.is_some_and(|(before, last)| {
            let from = if mv.from() == last.to() { last.from() } else { mv.from() };
            !before.attacks_from(from).has(mv.to())
        });
        let taken = passed.make(back);
        let recovers = |goal| {
            let question = Question {
                goal,
                counter: Counter::Nothing,
                offers: &[],
                worthless: Bitboard::EMPTY,
                alone: false,
            };
            Solver::new(question).recovers(&taken, lost(pos, mv))
        };
        !recovers(Goal::Gain(1)) && (created || recovers(Goal::NoLoss))
    };
    pos.legal_moves().into_iter().filter(is_offer).collect()
}

/// What the capturing man itself counts.
fn lost(pos: &Position, mv: Move) -> Tally {
    pos.piece_on(mv.from()).map_or(Tally::default(), |man| worth(man, mv.from()))
}
