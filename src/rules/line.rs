//! The path from the start of the game to a node of the search, as far as repetition needs it.
//!
//! A counting filter over key bits tells nearly all nodes that nothing on their path has their key,
//! so they pay one look-up and never walk back.

use super::{RepetitionRule, RuleSet};

const FILTER_BITS: u32 = 14;

#[derive(Clone, Copy, Debug)]
struct Ply {
    key: u64,
    /// The move that led here gave check.
    check: bool,
    /// Plies since the last capture or pass on this path, 0 right after one.
    reversible: u16,
}

/// What a repetition means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// The loop is a draw.
    Draw,
    /// The opponent is at fault.
    Win,
    /// The side to move is at fault.
    Loss,
}

/// Keys and checks of a path, with a marker where the search began.
#[derive(Clone, Debug)]
pub struct Line {
    plies: Vec<Ply>,
    root: usize,
    filter: Box<[u8; 1 << FILTER_BITS]>,
    rules: RuleSet,
}

impl Line {
    /// An empty path under a rule set.
    pub fn new(rules: RuleSet) -> Line {
        Line { plies: Vec::with_capacity(512), root: 0, filter: Box::new([0; 1 << 14]), rules }
    }

    /// The rules that judge this path.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Declares the last position pushed to be the root of a search.
    pub fn set_root(&mut self) {
        self.root = self.plies.len().saturating_sub(1);
    }

    /// Adds a position. `check`: its side to move is in check. `reversible`: the move that led here
    /// was neither a capture nor a pass.
    #[inline]
    pub fn push(&mut self, key: u64, check: bool, reversible: bool) {
        let before = self.plies.last().map_or(0, |ply| ply.reversible);
        let reversible = if reversible && !self.plies.is_empty() { before + 1 } else { 0 };
        self.plies.push(Ply { key, check, reversible });
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
        }
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

    /// Judges the last position inside a search.
    ///
    /// A position that recurs within the tree is judged at once: both sides can go round again, so
    /// the loop is what they will get. One that occurred before the root needs the full count.
    #[inline]
    pub fn repetition(&self) -> Option<Repetition> {
        let mut seen = 1;
        for index in self.earlier() {
            seen += 1;
            if index > self.root || seen >= self.rules.occurrences {
                return Some(self.judge(index));
            }
        }
        None
    }

    /// Judges the last position of a finished line: only the full count decides.
    pub fn adjudicate(&self) -> Option<Repetition> {
        let needed = self.rules.occurrences.max(2) as usize - 2;
        self.earlier().nth(needed).map(|index| self.judge(index))
    }

    /// The verdict on the moves after `start` up to the last position.
    fn judge(&self, start: usize) -> Repetition {
        if self.rules.repetition == RepetitionRule::AlwaysDraw {
            return Repetition::Draw;
        }
        let last = self.plies.len() - 1;
        let all_checks = |from: usize| (from..=last).step_by(2).all(|i| self.plies[i].check);
        // Moves into `start + 1`, `start + 3`, … are by the side to move, the others by its
        // opponent.
        match (all_checks(start + 1), all_checks(start + 2)) {
            (false, true) => Repetition::Win,
            (true, false) => Repetition::Loss,
            _ => Repetition::Draw,
        }
    }
}
