//! Rule sets that grade each side over a repetition: the higher grade loses, equal grades draw.

use super::chase::{ChaseRule, chased_throughout, describe, with_side};
use super::judge::Checks;
use super::{Judge, Man, MoveClass, MoveKind, Reason, Ruling, Window};
use crate::position::{MoveKinds, Position};
use crate::types::Color;

/// Which checks keep a side from being graded for chasing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Voids {
    /// Its own.
    Own,
    /// Those of either side.
    Any,
}

/// A grading judge: 2 for perpetual check, 1 for perpetual chase, 0 otherwise.
#[derive(Clone, Copy)]
pub(super) struct Graded {
    /// Whether perpetual check is an offence at all.
    pub checks: bool,
    /// What a chase is; `None` where chasing is allowed.
    pub chase: Option<ChaseRule>,
    /// Which checks excuse a chase.
    pub voids: Voids,
    /// Whether checks mixed with threats of mate in one weigh as much as perpetual check.
    pub kills: bool,
    /// Whether a perpetual chase loses; otherwise it is only reported.
    pub chase_loses: bool,
}

impl Graded {
    /// Perpetual check loses, and so does a perpetual chase by this definition.
    pub(super) const fn chasing(chase: ChaseRule) -> Graded {
        Graded {
            checks: true,
            chase: Some(chase),
            voids: Voids::Own,
            kills: false,
            chase_loses: true,
        }
    }

    /// The grades a side may have as far as checks tell, lowest and highest.
    fn range(&self, own: Checks, other: Checks) -> (u8, u8) {
        if own.all {
            let grade = if self.checks { 2 } else { 0 };
            return (grade, grade);
        }
        let excused = own.any || (self.voids == Voids::Any && other.any);
        let chase = u8::from(self.chase.is_some() && self.chase_loses && !excused);
        (0, if self.kills && own.any { 2 } else { chase })
    }

    /// The grade of a side.
    fn grade(&self, window: &Window<'_>, side: Color, range: (u8, u8)) -> u8 {
        match (range, self.chase) {
            ((low, high), _) if low == high => low,
            ((_, 2), _) => 2 * u8::from(checks_or_kills(window, side)),
            ((_, 1), Some(rule)) => u8::from(chased_throughout(window, side, rule).any()),
            _ => 0,
        }
    }

    fn ranges(&self, checks: [Checks; 2]) -> [(u8, u8); 2] {
        [self.range(checks[0], checks[1]), self.range(checks[1], checks[0])]
    }

    fn grades(&self, window: &Window<'_>) -> [u8; 2] {
        let ranges = self.ranges(Checks::of(window));
        Color::ALL.map(|side| self.grade(window, side, ranges[side.index()]))
    }

    fn reason(&self, window: &Window<'_>, grades: [u8; 2]) -> Reason {
        let pure = |side: Color| window.own_plies(side).all(|ply| window.gives_check(ply));
        let worse = if grades[0] > grades[1] { Color::Red } else { Color::Black };
        match (grades[0].max(grades[1]), grades[0] == grades[1]) {
            (0, _) => Reason::Repetition,
            (1, true) => Reason::MutualPerpetualChase,
            (1, false) => Reason::PerpetualChase,
            (_, true) if Color::ALL.into_iter().all(pure) => Reason::MutualPerpetualCheck,
            (_, true) => Reason::MutualFault,
            (_, false) if pure(worse) => Reason::PerpetualCheck,
            (_, false) => Reason::CheckAndMateThreat,
        }
    }

    fn classify(&self, window: &Window<'_>, ply: usize) -> MoveClass {
        let chases = self.chase.map_or_else(Vec::new, |rule| describe(window, ply, rule));
        let after = window.position(ply + 1);
        let checkers: Vec<Man> =
            after.checkers().into_iter().filter_map(|sq| window.man(ply + 1, sq)).collect();
        let kind = if !checkers.is_empty() {
            MoveKind::Check
        } else if self.kills && threatens_mate(after) {
            MoveKind::Kill
        } else if !chases.is_empty() {
            MoveKind::Chase
        } else if threatens_mate(after) {
            MoveKind::Kill
        } else {
            MoveKind::Idle
        };
        MoveClass { kind, checkers, chases }
    }
}

impl Judge for Graded {
    fn judge(&self, window: &Window<'_>) -> Ruling {
        let grades = self.grades(window);
        let mut victims = Vec::new();
        for side in Color::ALL.into_iter().filter(|side| grades[side.index()] == 1) {
            if let Some(rule) = self.chase {
                let last = window.plies();
                let places = window.places(last, chased_throughout(window, side, rule));
                victims.extend(places.into_iter().filter_map(|sq| window.man(last, sq)));
            }
        }
        Ruling {
            at_fault: worse(grades),
            reason: self.reason(window, grades),
            classes: (0..window.plies()).map(|ply| self.classify(window, ply)).collect(),
            victims,
        }
    }

    fn brief(&self, window: &Window<'_>) -> (Option<Color>, Reason) {
        let grades = self.grades(window);
        (worse(grades), self.reason(window, grades))
    }

    fn fault(&self, window: &Window<'_>, matters: Option<Color>) -> Option<Color> {
        let ranges = self.ranges(Checks::of(window));
        let grade = |side: Color| self.grade(window, side, ranges[side.index()]);
        if let Some(side) = matters {
            let (own, (least, most)) = (grade(side), ranges[(!side).index()]);
            if own <= least {
                return None;
            }
            if own > most {
                return Some(side);
            }
        }
        worse([grade(Color::Red), grade(Color::Black)])
    }

    fn by_checks(&self, checks: [Checks; 2], matters: Option<Color>) -> Option<Option<Color>> {
        let ranges = self.ranges(checks);
        let ((red_low, red_high), (black_low, black_high)) = (ranges[0], ranges[1]);
        if red_low == red_high && black_low == black_high {
            return Some(worse([red_low, black_low]));
        }
        if red_low > black_high {
            return Some(Some(Color::Red));
        }
        if black_low > red_high {
            return Some(Some(Color::Black));
        }
        let matters = matters?;
        (ranges[matters.index()].1 <= ranges[(!matters).index()].0).then_some(None)
    }
}

fn worse(grades: [u8; 2]) -> Option<Color> {
    match grades[0].cmp(&grades[1]) {
        std::cmp::Ordering::Greater => Some(Color::Red),
        std::cmp::Ordering::Less => Some(Color::Black),
        std::cmp::Ordering::Equal => None,
    }
}

/// Whether every move of a side checks or threatens mate.
pub(super) fn checks_or_kills(window: &Window<'_>, side: Color) -> bool {
    window
        .own_plies(side)
        .all(|ply| window.gives_check(ply) || threatens_mate(window.position(ply + 1)))
}

/// Whether the side that is not to move would mate at once if the other passed. Mate, not
/// stalemate.
pub(super) fn threatens_mate(pos: &Position) -> bool {
    let passed = with_side(pos, !pos.side());
    let mut mates = false;
    passed.generate(&passed.check_info(), MoveKinds::all(), |mv| {
        mates = mates || (passed.gives_check(mv) && !passed.make(mv).has_legal_move());
    });
    mates
}
