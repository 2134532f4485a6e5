//! The path from the start of the game to a node of the search, as far as the rules need it.
//!
//! A counting filter over key bits tells nearly all nodes that nothing on their path has their key,
//! so they pay one look-up and never walk back. Only a node that does repeat looks at the moves
//! since, first at the checks, which are on record, then at the board. Earlier positions are not
//! kept: nothing is captured in a loop, so taking its moves back recovers them.

use super::judge::Checks;
use super::limit::free_plies;
use super::{RuleSet, Window};
use crate::position::Position;
use crate::types::{Color, Move};

const FILTER_BITS: u32 = 14;

#[derive(Clone, Copy, Debug)]
struct Ply {
    key: u64,
    /// The move that led here; `None` for a pass and at the start.
    mv: Option<Move>,
    /// That move gave check.
    check: bool,
    /// Plies since the last capture or pass on this path, 0 right after one.
    reversible: u16,
    /// Where the longest loop began that a verdict against either side, fallen or foreseen, was taken
    /// from, here or after this position; `u16::MAX` without one.
    judged_from: [u16; 2],
}

/// What a repetition means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// The loop is a draw.
    Draw,
    /// The verdict has fallen: the opponent is at fault.
    Win,
    /// The same with the side to move at fault.
    Loss,
    /// The opponent is at fault if the loop goes on as it has begun.
    ForeseenWin,
    /// The same with the side to move at fault.
    ForeseenLoss,
    /// The opponent would be at fault, but it is not plain that it will go round again.
    AtLeastDraw,
    /// The same with the side to move at fault.
    AtMostDraw,
}

/// Keys, moves and checks of a path, with a marker where the search began.
#[derive(Clone, Debug)]
pub struct Line {
    plies: Vec<Ply>,
    root: usize,
    filter: Box<[u8; 1 << FILTER_BITS]>,
    rules: RuleSet,
    /// Room for the positions and moves of a loop.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Line {
    /// An empty path under a rule set.
    pub fn new(rules: RuleSet) -> Line {
        Line {
            plies: Vec::with_capacity(512),
            root: 0,
            filter: Box::new([0; 1 << FILTER_BITS]),
            rules,
            positions: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The rules that judge this path.
    #[inline]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Declares the last position pushed to be the root of a search.
    pub fn set_root(&mut self) {
        self.root = self.plies.len().saturating_sub(1);
    }

    /// Adds a position. `mv`: the move that led here, `None` for a pass or at the start. `check`:
    /// its side to move is in check. `capture`: the move took a man.
    #[inline]
    pub fn push(&mut self, key: u64, mv: Option<Move>, check: bool, capture: bool) {
        let before = self.plies.last().map_or(0, |ply| ply.reversible);
        let reversible = if mv.is_some() && !capture { before + 1 } else { 0 };
        self.plies.push(Ply { key, mv, check, reversible, judged_from: [u16::MAX; 2] });
        let slot = &mut self.filter[key as usize & ((1 << FILTER_BITS) - 1)];
        *slot = slot.saturating_add(1);
    }

    /// Removes the last position.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(ply) = self.plies.pop() {
            let slot = &mut self.filter[ply.key as usize & ((1 << FILTER_BITS) - 1)];
            // A saturated slot has lost count and must stay positive until the line is rebuilt.
            if *slot < u8::MAX {
                *slot -= 1;
            }
            if let Some(last) = self.plies.last_mut() {
                for (from, later) in last.judged_from.iter_mut().zip(ply.judged_from) {
                    *from = later.min(*from);
                }
            }
        }
    }

    /// Whether a verdict against `side`, fallen or foreseen, has been taken since the last position was
    /// added from a loop that began before it: on another path the side may have more time.
    #[inline]
    pub fn is_judged_by_path(&self, side: Color) -> bool {
        let from = self.plies.last().map_or(u16::MAX, |ply| ply.judged_from[side.index()]);
        usize::from(from) + 1 < self.plies.len()
    }

    /// Whether the last position has occurred before on this path.
    #[inline]
    pub fn has_repeated(&self) -> bool {
        self.earlier().next().is_some()
    }

    /// Indices of earlier occurrences of the last position, latest first.
    #[inline]
    fn earlier(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.plies.len().saturating_sub(1);
        let (key, reach) = match self.plies.last() {
            Some(ply)
                if ply.reversible >= 4
                    && self.filter[ply.key as usize & ((1 << FILTER_BITS) - 1)] > 1 =>
            {
                (ply.key, ply.reversible as usize)
            }
            _ => (0, 0),
        };
        (4..=reach).step_by(2).map(move |d| last - d).filter(move |&i| self.plies[i].key == key)
    }

    /// Judges the last position, which is `pos`, inside a search.
    ///
    /// The full count decides. Short of it, a position that recurs within the tree is judged too:
    /// both sides can go round again, so the loop is what they will get. A draw is taken at once; a
    /// win or loss only where the loop is a plain one, because the side at fault may still turn off
    /// elsewhere. A position that occurred at or before the root needs the full count.
    ///
    /// `matters` names the only side whose fault is of interest, if there is one; a fault of the
    /// other may then be reported as a draw.
    #[inline]
    pub fn repetition(&mut self, pos: &Position, matters: Option<Color>) -> Option<Repetition> {
        let nearest = self.earlier().next()?;
        self.judge(pos, nearest, matters)
    }

    #[inline(never)]
    fn judge(
        &mut self,
        pos: &Position,
        nearest: usize,
        matters: Option<Color>,
    ) -> Option<Repetition> {
        let complete = match self.rules.occurrences {
            Some(needed) => self.earlier().nth((needed as usize).saturating_sub(2)),
            None => None,
        };
        if complete.is_none() && nearest <= self.root {
            return None;
        }
        let start = complete.unwrap_or(nearest);
        // A draw that is given to one side is no value between the others.
        let matters = matters.filter(|_| self.rules.draw_award.is_none());
        let Some(at_fault) = self.fault(pos, start, matters) else { return Some(Repetition::Draw) };
        let ours = at_fault == pos.side();
        if let Some(last) = self.plies.last_mut() {
            let from = &mut last.judged_from[at_fault.index()];
            *from = (start as u16).min(*from);
        }
        Some(if complete.is_some() {
            if ours { Repetition::Loss } else { Repetition::Win }
        } else if self.is_plain(pos, start) {
            if ours { Repetition::ForeseenLoss } else { Repetition::ForeseenWin }
        } else if ours {
            Repetition::AtMostDraw
        } else {
            Repetition::AtLeastDraw
        })
    }

    /// The side at fault in the moves after `start`.
    fn fault(&mut self, pos: &Position, start: usize, matters: Option<Color>) -> Option<Color> {
        let judge = self.rules.judge();
        let last = self.plies.len() - 1;
        let mut checks = [Checks { all: true, any: false }; 2];
        // The last move was the opponent's.
        let mut side = !pos.side();
        for ply in self.plies[start + 1..=last].iter().rev() {
            let checks = &mut checks[side.index()];
            checks.all &= ply.check;
            checks.any |= ply.check;
            side = !side;
        }
        if let Some(at_fault) = judge.by_checks(checks, matters) {
            return at_fault;
        }
        self.take_back(pos, start)?;
        judge.fault(&Window::new(&self.positions, &self.moves)?, matters)
    }

    /// Fills `positions` and `moves` with the loop from `start` to `pos`. `None` if it is none.
    fn take_back(&mut self, pos: &Position, start: usize) -> Option<()> {
        self.positions.clear();
        self.moves.clear();
        self.positions.push(*pos);
        let mut pos = *pos;
        for ply in self.plies[start + 1..].iter().rev() {
            let mv = ply.mv?;
            // passes give the man back to the side that moved it
            pos = pos.make_null().make(Move::new(mv.to(), mv.from())).make_null();
            self.positions.push(pos);
            self.moves.push(mv);
        }
        self.positions.reverse();
        self.moves.reverse();
        Some(())
    }

    /// Whether going round again from `start` is all that can be expected: the loop was entered by
    /// the same move each time, no other position recurs in it, and the natural limit does not cut
    /// it short.
    fn is_plain(&self, pos: &Position, start: usize) -> bool {
        let last = self.plies.len() - 1;
        let inside = &self.plies[start + 1..last];
        let recurs = |(i, ply): (usize, &Ply)| {
            inside[i + 1..].iter().skip(1).step_by(2).any(|later| later.key == ply.key)
        };
        let rounds = self.rules.occurrences.map_or(1, |needed| usize::from(needed.max(2)) - 2);
        let plies = usize::from(pos.rule60()) + rounds * (last - start);
        self.plies[start].mv == self.plies[last].mv
            && self.rules.natural_limit.is_none_or(|limit| plies <= usize::from(limit))
            && !inside.iter().enumerate().any(recurs)
    }

    /// Whether the last position, which is `pos`, stands at the natural limit.
    #[inline]
    pub fn is_at_limit(&self, pos: &Position) -> bool {
        self.rules.natural_limit.is_some_and(|limit| pos.rule60() >= limit)
            && self.counted_plies(pos) >= self.rules.natural_limit
    }

    /// The clock of the natural limit without the plies that do not count.
    #[inline(never)]
    fn counted_plies(&self, pos: &Position) -> Option<u16> {
        let last = self.plies.len().checked_sub(1)?;
        let reversible = usize::from(self.plies[last].reversible);
        let since = self.plies[last + 1 - reversible..].iter().map(|ply| ply.check);
        Some(pos.rule60() - free_plies(since, self.rules.counted_checks).min(pos.rule60()))
    }
}
