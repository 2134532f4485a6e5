//! A folk rule: no more than three checks in a row by one man while one and the same man answers.
//! Its other half, that forced chasing back and forth must be broken by whoever began it, asks for
//! intent and cannot be judged by a machine.

use crate::position::Position;
use crate::rules::facts::{Man, MoveClass, MoveKind};
use crate::rules::judge::Judge;
use crate::rules::ruleset::Definition;
use crate::rules::series::{Names, Series, SeriesRuling};
use crate::rules::{Reason, Ruling, Window};
use crate::types::{Color, Move, Square};

pub(super) static SET: Definition = Definition {
    name: "threecheck",
    aliases: &["threechecks"],
    summary: "folk rule: the fourth check in a row by one man, answered by one man, loses",
    occurrences: None,
    natural_limit: None,
    counted_checks: None,
    judge: &ThreeCheck,
    series: Some(&ThreeCheck),
};

const ALLOWED: usize = 3;

struct ThreeCheck;

/// The running series of one side.
#[derive(Clone, Copy, Default)]
struct Running {
    checks: usize,
    /// The man that gave the last one, by moving.
    checker: Option<Square>,
    /// The man that answered all but the last.
    answerer: Option<Square>,
}

impl Series for ThreeCheck {
    fn judge(&self, positions: &[Position], moves: &[Move]) -> Option<SeriesRuling> {
        let mut names = Names::new();
        let mut sides = [Running::default(); 2];
        let mut answerer = None;
        for (ply, (&mv, pair)) in moves.iter().zip(positions.windows(2)).enumerate() {
            let side = pair[0].side();
            names.play(mv);
            let mover = Some(names.of(mv.to()));
            let running = &mut sides[side.index()];
            if !pair[1].in_check() {
                *running = Running::default();
            } else {
                let goes_on = running.checks > 0
                    && running.checker == mover
                    && (running.answerer.is_none() || running.answerer == answerer);
                running.checks = if goes_on { running.checks + 1 } else { 1 };
                running.checker = mover;
                running.answerer = answerer.filter(|_| goes_on);
                if running.checks > ALLOWED {
                    let window = (ply - 2 * ALLOWED, ply + 1);
                    let classes = (window.0..window.1).map(|i| classify(&positions[i + 1]));
                    return Some(SeriesRuling {
                        at_fault: Some(side),
                        reason: Reason::TooManyChecks,
                        window,
                        classes: classes.collect(),
                    });
                }
            }
            answerer = mover;
        }
        None
    }
}

fn classify(after: &Position) -> MoveClass {
    let man = |square: Square| after.piece_on(square).map(|piece| Man { piece, square });
    let checkers: Vec<Man> = after.checkers().into_iter().filter_map(man).collect();
    let kind = if checkers.is_empty() { MoveKind::Idle } else { MoveKind::Check };
    MoveClass { kind, checkers, chases: Vec::new() }
}

/// Whether a loop, gone round often enough, breaks the rule.
fn is_offence(window: &Window<'_>, side: Color) -> bool {
    let mover = |ply: usize| window.origin(ply, window.mv(ply).from());
    let one_man = |side: Color| {
        let mut men = window.own_plies(side).map(mover);
        let first = men.next();
        men.all(|man| Some(man) == first)
    };
    window.own_plies(side).all(|ply| window.gives_check(ply)) && one_man(side) && one_man(!side)
}

impl Judge for ThreeCheck {
    fn judge(&self, window: &Window<'_>) -> Ruling {
        let at_fault = self.fault(window, None);
        let reason = if at_fault.is_some() { Reason::TooManyChecks } else { Reason::Repetition };
        let classes = (0..window.plies()).map(|ply| classify(window.position(ply + 1)));
        Ruling { at_fault, reason, classes: classes.collect(), victims: Vec::new() }
    }

    fn fault(&self, window: &Window<'_>, _: Option<Color>) -> Option<Color> {
        let guilty = Color::ALL.map(|side| is_offence(window, side));
        match guilty {
            [true, false] => Some(Color::Red),
            [false, true] => Some(Color::Black),
            _ => None,
        }
    }
}
