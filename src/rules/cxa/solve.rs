//! Whether a side wins material by force: captures, exchanges, and checks on the way.
//!
//! The attacker captures or checks, and may stop at any time. The defender has every legal move
//! when in check; otherwise it may take back on the point of the capture, give a few checks of its
//! own, and make those other captures that the question allows ([`Counter`]). An attacker who can be
//! mated by checks at once has won nothing.

use std::collections::HashMap;

use super::kill;
use super::material::{Tally, worth};
use crate::position::Position;
use crate::types::{Bitboard, Move, PieceType, Square};

/// Checks without capture that one line may hold.
const CHECKS: u8 = 3;
/// Checks the defender may throw in.
const COUNTER_CHECKS: u8 = 2;
/// Positions looked at before a gain counts as not found.
const MAX_NODES: u32 = 8_000;

/// What the defender, not being in check, may capture besides taking back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counter<'a> {
    /// Nothing, nor may it begin a listed capture with check.
    NoneBut(&'a [Move]),
    /// All but the listed captures, which it had before.
    AllBut(&'a [Move]),
    /// The listed captures.
    Only(&'a [Move]),
    /// Anything.
    All,
    /// Nothing, and no checks either.
    Nothing,
}

impl Counter<'_> {
    fn allows_capture(self, mv: Move) -> bool {
        match self {
            Counter::NoneBut(_) | Counter::Nothing => false,
            Counter::AllBut(list) => !list.contains(&mv),
            Counter::Only(list) => list.contains(&mv),
            Counter::All => true,
        }
    }

    fn allows_check(self, mv: Move, is_capture: bool) -> bool {
        match self {
            Counter::NoneBut(list) | Counter::AllBut(list) => !list.contains(&mv),
            Counter::Only(_) => !is_capture,
            Counter::All => true,
            Counter::Nothing => false,
        }
    }
}

/// What the attacker wants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// To win at least this much.
    Gain(i16),
    /// Not to lose anything.
    NoLoss,
}

impl Goal {
    fn is_met(self, tally: Tally) -> bool {
        match self {
            Goal::Gain(units) => tally.is_gain(units),
            Goal::NoLoss => !tally.is_loss(),
        }
    }
}

/// A question about a position with the attacker to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    /// What the attacker wants.
    pub(super) goal: Goal,
    /// What the defender may do.
    pub(super) counter: Counter<'a>,
    /// Captures of men of the attacker's kind that offer an exchange: no part of any line.
    pub(super) offers: &'a [Move],
    /// Men on these points count nothing as long as they stay there.
    pub(super) worthless: Bitboard,
    /// The man that begins must do it all: every move and every check is its own.
    pub(super) alone: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    tally: Tally,
    checks: u8,
    counter_checks: u8,
    worthless: Bitboard,
    /// The defender's men that have not moved.
    unmoved: Bitboard,
    /// Where the defender has just captured.
    taken: Option<Square>,
    /// Where the man that began stands.
    hero: Option<Square>,
}

/// Answers one question; results within it are remembered.
pub(super) struct Solver<'a> {
    question: Question<'a>,
    seen: HashMap<(u64, State), bool>,
    nodes: u32,
}

impl<'a> Solver<'a> {
    pub(super) fn new(question: Question<'a>) -> Solver<'a> {
        Solver { question, seen: HashMap::new(), nodes: 0 }
    }

    fn start(&self, pos: &Position) -> State {
        State {
            tally: Tally::default(),
            checks: CHECKS,
            counter_checks: COUNTER_CHECKS,
            worthless: self.question.worthless,
            unmoved: pos.color(!pos.side()),
            taken: None,
            hero: None,
        }
    }

    /// Whether the attacker reaches his goal when he begins with `mv`, a capture or a check.
    pub(super) fn succeeds(&mut self, pos: &Position, mv: Move) -> bool {
        let hero = self.question.alone.then_some(mv.from());
        let state = State { hero, ..self.start(pos) };
        self.attack(pos, mv, state).is_some_and(|(next, state)| self.is_lost(&next, mv.to(), state))
    }

    /// Whether the attacker reaches his goal after the loss of a man of this worth.
    pub(super) fn recovers(&mut self, pos: &Position, loss: Tally) -> bool {
        let state = State { tally: Tally::default().lost(loss), ..self.start(pos) };
        self.wins(pos, state)
    }

    /// The first man taken in a line that begins with the check `mv`, at its place now.
    pub(super) fn first_victim(&mut self, pos: &Position, mv: Move) -> Option<Square> {
        let (mut pos, mut state) = self.attack(pos, mv, self.start(pos))?;
        let mut replies: Vec<Move> = Vec::new();
        // every round uses up a check or ends with a capture
        loop {
            let reply = *pos.legal_moves().first()?;
            state = after_reply(&pos, reply, state);
            pos = pos.make(reply);
            replies.push(reply);
            let (mv, next, state_after) = pos.legal_moves().iter().find_map(|&mv| {
                let (next, after) = self.attack(&pos, mv, state)?;
                self.is_lost(&next, mv.to(), after).then_some((mv, next, after))
            })?;
            if pos.captured(mv).is_some() {
                let back = |sq, reply: &Move| if reply.to() == sq { reply.from() } else { sq };
                return Some(replies.iter().rev().fold(mv.to(), back));
            }
            (pos, state) = (next, state_after);
        }
    }

    /// Makes a move of the attacker; `None` when it has no place in a line.
    fn attack(&self, pos: &Position, mv: Move, mut state: State) -> Option<(Position, State)> {
        let to = mv.to();
        let captured = pos.captured(mv);
        if captured.is_none() && !pos.in_check() {
            if state.checks == 0 || !pos.gives_check(mv) {
                return None;
            }
            state.checks -= 1;
        }
        let next = pos.make(mv);
        if let Some(hero) = state.hero {
            if hero != mv.from() || (next.checkers() - Bitboard::from(to)).any() {
                return None;
            }
            state.hero = Some(to);
        }
        if let Some(victim) = captured {
            let fresh = state.unmoved.has(to);
            let offers = self.question.offers;
            if fresh && offers.contains(&mv) {
                return None;
            }
            let offered = fresh
                && offers.iter().any(|offer| offer.to() == to)
                && !pays_at_once(pos, &next, mv);
            if !is_own_affair(pos, mv, state.taken) && !offered && !state.worthless.has(to) {
                state.tally = state.tally.won(worth(victim, to));
            }
        }
        state.worthless = state.worthless - Bitboard::from(to);
        state.unmoved = state.unmoved - Bitboard::from(to);
        Some((next, state))
    }

    /// The attacker is to move.
    fn wins(&mut self, pos: &Position, state: State) -> bool {
        if self.question.goal.is_met(state.tally) && !pos.in_check() {
            return true;
        }
        let node = (pos.key(), state);
        if let Some(&known) = self.seen.get(&node) {
            return known;
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return false;
        }
        // A position that recurs in its own line gains nothing.
        self.seen.insert(node, false);
        let wins = pos.legal_moves().iter().any(|&mv| {
            let next = self.attack(pos, mv, state);
            next.is_some_and(|(next, state)| self.is_lost(&next, mv.to(), state))
        });
        self.seen.insert(node, wins);
        wins
    }

    /// The defender is to move after a capture or check on `point`.
    fn is_lost(&mut self, pos: &Position, point: Square, state: State) -> bool {
        let in_check = pos.in_check();
        if !in_check && !self.question.goal.is_met(state.tally) {
            return false;
        }
        let moves = pos.legal_moves();
        for &mv in &moves {
            let mut state = after_reply(pos, mv, state);
            let capture = pos.captured(mv).is_some();
            let counter = self.question.counter;
            let takes = capture && (mv.to() == point || counter.allows_capture(mv));
            if !in_check && !takes {
                if state.counter_checks == 0
                    || !counter.allows_check(mv, capture)
                    || !pos.gives_check(mv)
                {
                    continue;
                }
                state.counter_checks -= 1;
            }
            if !self.wins(&pos.make(mv), state) {
                return false;
            }
        }
        moves.is_empty() || in_check || !kill::mates(pos, kill::ANSWER, &[])
    }
}

fn after_reply(pos: &Position, mv: Move, mut state: State) -> State {
    let captured = pos.captured(mv);
    if let Some(victim) = captured {
        state.tally = state.tally.lost(worth(victim, mv.to()));
    }
    state.taken = captured.map(|_| mv.to());
    state.worthless = state.worthless - Bitboard::from(mv.from());
    state.unmoved = state.unmoved - Bitboard::from(mv.from());
    state
}

/// Whether a capture is a king's or pawn's own, which counts nothing unless it takes back.
fn is_own_affair(pos: &Position, mv: Move, taken: Option<Square>) -> bool {
    let kind = pos.piece_on(mv.from()).map(|man| man.kind());
    matches!(kind, Some(PieceType::King | PieceType::Pawn)) && taken != Some(mv.to())
}

/// Whether a capture wins without an exchange: the victim is worth more or nobody takes back.
fn pays_at_once(pos: &Position, next: &Position, mv: Move) -> bool {
    let worth_of = |sq| pos.piece_on(sq).map_or(Tally::default(), |man| worth(man, sq));
    worth_of(mv.to()).exceeds(worth_of(mv.from()))
        || !next.legal_moves().iter().any(|reply| reply.to() == mv.to())
}
