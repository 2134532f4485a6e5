//! Club Xiangqi: series of checks and of attacks are counted, repetition as such means nothing.

use crate::position::Position;
use crate::rules::chase::{Weighing, is_threat, targets, with_side};
use crate::rules::facts::{Chase, Man, MoveClass, MoveKind};
use crate::rules::graded::Graded;
use crate::rules::ruleset::Definition;
use crate::rules::series::{Names, Series, SeriesRuling};
use crate::rules::{Reason, Window, chase};
use crate::types::{Bitboard, Move, PieceType, Square};

pub(super) static SET: Definition = Definition {
    name: "cxq",
    aliases: &["clubxiangqi"],
    summary: "Club Xiangqi: at most 6, 12 or 18 checks or attacks in a row; draws by slow play",
    occurrences: None,
    natural_limit: None,
    counted_checks: None,
    judge: &Graded::chasing(by_series),
    series: Some(&Cxq),
};

/// Checks or attacks in a row that are allowed with one, two, three or more men.
const ALLOWANCE: [u32; 3] = [6, 12, 18];
/// Plies without a capture or a crossed pawn stepping forward: 30 moves by each side.
const PROGRESS_PLIES: u32 = 60;
/// Effective moves by each side: no checks, no attacks, no answers to either.
const EFFECTIVE_MOVES: u32 = 120;
/// Plies in all: 300 moves by each side.
const ALL_PLIES: usize = 600;

struct Cxq;

/// The running series of one side.
#[derive(Clone, Copy, Default)]
struct Running {
    checks: u32,
    /// Men that gave them, by name.
    checkers: Bitboard,
    /// Men attacked by every move of the series.
    victims: Bitboard,
    attacks: u32,
    /// Men that moved in it.
    attackers: Bitboard,
    /// Moves by this side that count as effective.
    effective: u32,
}

impl Running {
    /// 2 for too many checks, 1 for too many attacks. `reached`: standing at the allowance is
    /// enough.
    fn offence(&self, reached: bool) -> u8 {
        let over = |count: u32, men: Bitboard| {
            let allowed = ALLOWANCE[(men.count().clamp(1, 3) - 1) as usize];
            count > allowed || (reached && count == allowed)
        };
        if over(self.checks, self.checkers) {
            2
        } else {
            u8::from(over(self.attacks, self.attackers))
        }
    }

    fn update(&mut self, mover: Square, checkers: Bitboard, victims: Bitboard) {
        if checkers.any() {
            self.checks += 1;
            self.checkers |= checkers;
        } else {
            self.checks = 0;
            self.checkers = Bitboard::EMPTY;
        }
        let common = victims & self.victims;
        if common.any() {
            self.victims = common;
            self.attacks += 1;
            self.attackers |= Bitboard::from(mover);
        } else {
            self.victims = victims;
            self.attacks = u32::from(victims.any());
            self.attackers =
                if victims.any() { Bitboard::from(mover) } else { Bitboard::EMPTY };
        }
    }
}

impl Series for Cxq {
    fn judge(&self, positions: &[Position], moves: &[Move]) -> Option<SeriesRuling> {
        let mut names = Names::new();
        let mut sides = [Running::default(); 2];
        let mut classes: Vec<MoveClass> = Vec::with_capacity(moves.len());
        let mut idle_plies = 0;
        for (ply, (&mv, pair)) in moves.iter().zip(positions.windows(2)).enumerate() {
            let (before, after) = (&pair[0], &pair[1]);
            let side = before.side();
            names.play(mv);
            let class = classify(after, mv);
            let squares = |men: &[Man]| men.iter().map(|man| man.square).collect::<Bitboard>();
            let checkers = names.of_all(squares(&class.checkers));
            let victims =
                class.chases.iter().map(|chase| names.of(chase.victim.square)).collect();
            sides[side.index()].update(names.of(mv.to()), checkers, victims);
            let answers = classes.last().is_some_and(|last| last.kind != MoveKind::Idle);
            if class.kind == MoveKind::Idle && !answers {
                sides[side.index()].effective += 1;
            }
            classes.push(class);
            let own = sides[side.index()];
            let (mine, theirs) = (own.offence(false), sides[(!side).index()].offence(true));
            if mine > 0 {
                let at_fault = match mine.cmp(&theirs) {
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Greater => Some(side),
                    std::cmp::Ordering::Less => Some(!side),
                };
                let reason = match (at_fault, mine.max(theirs)) {
                    (None, _) => Reason::MutualFault,
                    (_, 2) => Reason::TooManyChecks,
                    _ => Reason::TooManyAttacks,
                };
                let length = if mine == 2 { own.checks } else { own.attacks } as usize;
                let first = (ply + 2).saturating_sub(2 * length);
                let classes = classes.drain(first..).collect();
                return Some(SeriesRuling { at_fault, reason, window: (first, ply + 1), classes });
            }
            idle_plies = if is_progress(before, mv) { 0 } else { idle_plies + 1 };
            let reason = if idle_plies >= PROGRESS_PLIES {
                Reason::NoProgress
            } else if ply + 1 >= ALL_PLIES
                || sides.iter().all(|side| side.effective >= EFFECTIVE_MOVES)
            {
                Reason::MoveLimit
            } else {
                continue;
            };
            let window = (ply + 1, ply + 1);
            return Some(SeriesRuling { at_fault: None, reason, window, classes: Vec::new() });
        }
        None
    }
}

/// A capture, or a pawn beyond the river stepping forward.
fn is_progress(before: &Position, mv: Move) -> bool {
    let crossed_pawn = before.pieces(before.side(), PieceType::Pawn).has(mv.from())
        && !mv.from().is_home(before.side());
    before.captured(mv).is_some() || (crossed_pawn && mv.from().file() == mv.to().file())
}

fn classify(after: &Position, mv: Move) -> MoveClass {
    let man = |square: Square| after.piece_on(square).map(|piece| Man { piece, square });
    let checkers: Vec<Man> = after.checkers().into_iter().filter_map(man).collect();
    if !checkers.is_empty() {
        return MoveClass { kind: MoveKind::Check, checkers, chases: Vec::new() };
    }
    let mut chases = Vec::new();
    let now = with_side(after, !after.side());
    attacks(after, mv, &mut |a, v| {
        if let (Some(attacker), Some(victim)) = (man(a), man(v)) {
            let grounds = chase::grounds(&now, Move::new(a, v));
            chases.push(Chase { attacker, victim, grounds, joint: false });
        }
    });
    let kind = if chases.is_empty() { MoveKind::Idle } else { MoveKind::Chase };
    MoveClass { kind, checkers, chases }
}

/// Only a rook is never protected, against knight and cannon.
fn outranks(attacker: PieceType, victim: PieceType) -> bool {
    matches!(attacker, PieceType::Knight | PieceType::Cannon) && victim == PieceType::Rook
}

/// Reports what a move attacks: with the man that moved, or with a cannon of whose capture it is
/// the screen.
fn attacks(after: &Position, mv: Move, found: &mut dyn FnMut(Square, Square)) {
    let us = !after.side();
    let now = with_side(after, us);
    let screen = mv.to();
    let men = targets(after, !us);
    let weighing = Weighing { stronger: outranks, ..Weighing::PLAIN };
    let mut consider = |a: Square, victims: Bitboard| {
        for v in victims & men & after.attacks_from(a) {
            if is_threat(&now, a, v, weighing) {
                found(a, v);
            }
        }
    };
    if chase::chasers(after, us).has(screen) {
        consider(screen, Bitboard::ALL);
    }
    for cannon in after.pieces(us, PieceType::Cannon) - Bitboard::from(screen) {
        consider(cannon, beyond(cannon, screen));
    }
}

/// Points of the line from `from` through `through` behind the latter.
fn beyond(from: Square, through: Square) -> Bitboard {
    let sign = |n: i32| n.signum();
    let files = sign(i32::from(through.file()) - i32::from(from.file()));
    let ranks = sign(i32::from(through.rank()) - i32::from(from.rank()));
    if from == through || (files != 0 && ranks != 0) {
        return Bitboard::EMPTY;
    }
    let is_behind = |sq: &Square| {
        let file = (i32::from(sq.file()) - i32::from(through.file())).signum();
        let rank = (i32::from(sq.rank()) - i32::from(through.rank())).signum();
        (file, rank) == (files, ranks)
    };
    let line = if files == 0 { Bitboard::file(from.file()) } else { Bitboard::rank(from.rank()) };
    line.into_iter().filter(is_behind).collect()
}

/// The attacks of a loop, for the search: round and round they exceed every allowance.
fn by_series(
    window: &Window<'_>,
    ply: usize,
    victims: Bitboard,
    found: &mut dyn FnMut(Square, Square),
) {
    attacks(window.position(ply + 1), window.mv(ply), &mut |a, v| {
        if victims.has(v) {
            found(a, v);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_screen() {
        let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        assert_eq!(beyond(Square::A0, Square::F0), set(&[Square::G0, Square::H0, Square::I0]));
        assert_eq!(beyond(Square::E5, Square::E2), set(&[Square::E0, Square::E1]));
        assert_eq!(beyond(Square::E5, Square::D4), Bitboard::EMPTY);
        assert_eq!(beyond(Square::E5, Square::E5), Bitboard::EMPTY);
    }

    #[test]
    fn allowances_grow_with_the_men() {
        let mut running = Running::default();
        for i in 1..=6 {
            running.update(Square::A0, Bitboard::single(Square::A0), Bitboard::EMPTY);
            assert_eq!((running.checks, running.offence(false)), (i, 0));
        }
        assert_eq!(running.offence(true), 2);
        // a second man gives the seventh
        running.update(Square::B0, Bitboard::single(Square::B0), Bitboard::EMPTY);
        assert_eq!(running.offence(true), 0);
        for _ in 8..=12 {
            running.update(Square::A0, Bitboard::single(Square::A0), Bitboard::EMPTY);
        }
        assert_eq!(running.offence(false), 0);
        running.update(Square::A0, Bitboard::single(Square::A0), Bitboard::EMPTY);
        assert_eq!(running.offence(false), 2);
        running.update(Square::A0, Bitboard::EMPTY, Bitboard::EMPTY);
        assert_eq!(running.offence(true), 0);
    }
}
