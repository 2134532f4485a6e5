//! Hands out the moves of a node in the order in which they promise to cut it off, generating each
//! group only when it is reached.

use arrayvec::ArrayVec;

use super::histories::Histories;
use super::stack::Stack;
use crate::position::{CheckInfo, MoveKinds, Position, exchange_value};
use crate::types::{Move, ScoredMove};

/// Lifts captures above quiet evasions.
const CAPTURE_FIRST: i32 = 1 << 20;
/// Weight of the victim against the capture history, which spans ±16,384.
const CAPTURE_SCALE: i32 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    Captures,
    GoodCaptures,
    Killers,
    Quiets,
    GoodQuiets,
    BadCaptures,
    /// In quiescence: quiet moves that check and lose nothing.
    Checks,
    GoodChecks,
    /// In check: everything at once.
    Evasions,
    RestOfEvasions,
}

/// The moves of one node, best first.
pub(super) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    moves: ArrayVec<ScoredMove, 128>,
    bad_captures: ArrayVec<Move, 64>,
    next_bad: usize,
    next_killer: usize,
    captures_only: bool,
    checks: bool,
    skip_quiets: bool,
}

/// What a picker looks at; the same for all calls at one node.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub pos: &'a Position,
    pub info: &'a CheckInfo,
    pub histories: &'a Histories,
    pub stack: &'a Stack,
    pub ply: usize,
}

impl Picker {
    /// All moves. `table_move` must be legal.
    pub(super) fn new(
        in_check: bool,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Picker {
        let after = if in_check { Stage::Evasions } else { Stage::Captures };
        Picker {
            stage: if table_move.is_some() { Stage::TableMove } else { after },
            table_move,
            killers,
            moves: ArrayVec::new(),
            bad_captures: ArrayVec::new(),
            next_bad: 0,
            next_killer: 0,
            captures_only: false,
            checks: false,
            skip_quiets: false,
        }
    }

    /// Captures that do not lose material, then, with `checks`, quiet checks that lose nothing; all
    /// evasions when in check.
    pub(super) fn quiescence(in_check: bool, table_move: Option<Move>, checks: bool) -> Picker {
        let mut picker = Picker::new(in_check, table_move, [None; 2]);
        picker.captures_only = !in_check;
        picker.checks = checks;
        picker
    }

    /// No more quiet moves are wanted.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move; `None` at the end.
    pub(super) fn next(&mut self, cx: Context<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    let in_check = cx.info.checkers.any();
                    self.stage = if in_check { Stage::Evasions } else { Stage::Captures };
                    return self.table_move;
                }
                Stage::Captures => {
                    self.generate(cx, MoveKinds::CAPTURES);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best() {
                    Some(mv) if cx.pos.see_ge(mv, 0) => return Some(mv),
                    Some(mv) => {
                        // a full list of losing captures does not occur; losing one is harmless
                        let _ = self.bad_captures.try_push(mv);
                    }
                    None if self.captures_only && !self.checks => return None,
                    None if self.captures_only => self.stage = Stage::Checks,
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => match self.next_killer(cx.pos) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Quiets,
                },
                Stage::Quiets => {
                    if !self.skip_quiets {
                        self.generate(cx, MoveKinds::QUIETS);
                    }
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => match self.best() {
                    Some(mv) if !self.skip_quiets => return Some(mv),
                    _ => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    let mv = self.bad_captures.get(self.next_bad).copied();
                    self.next_bad += 1;
                    return mv;
                }
                Stage::Checks => {
                    self.generate_checks(cx);
                    self.stage = Stage::GoodChecks;
                }
                Stage::GoodChecks => match self.best() {
                    Some(mv) if !cx.pos.see_ge(mv, 0) => {}
                    other => return other,
                },
                Stage::Evasions => {
                    self.generate(cx, MoveKinds::all());
                    self.stage = Stage::RestOfEvasions;
                }
                Stage::RestOfEvasions => match self.best() {
                    Some(mv) if self.skip_quiets && cx.pos.captured(mv).is_none() => {}
                    other => return other,
                },
            }
        }
    }

    /// The killers in turn, each once, if legal and quiet here.
    fn next_killer(&mut self, pos: &Position) -> Option<Move> {
        while self.next_killer < 2 && !self.skip_quiets {
            let killer = self.killers[self.next_killer];
            self.next_killer += 1;
            if let Some(mv) = killer
                && killer != self.table_move
                && pos.captured(mv).is_none()
                && pos.is_legal(mv)
            {
                return Some(mv);
            }
        }
        None
    }

    /// Adds the moves of some kinds with their scores, without those handed out already.
    fn generate(&mut self, cx: Context<'_>, kinds: MoveKinds) {
        self.moves.clear();
        let (table_move, killers) = (self.table_move, self.killers);
        // In check killers have not been handed out.
        let skip_killers = cx.info.checkers.is_empty();
        let moves = &mut self.moves;
        cx.pos.generate(cx.info, kinds, |mv| {
            let seen = Some(mv) == table_move;
            let score = match cx.pos.captured(mv) {
                Some(victim) => {
                    CAPTURE_FIRST
                        + CAPTURE_SCALE * exchange_value(victim.kind())
                        + cx.histories.capture_score(cx.pos, mv)
                }
                None if skip_killers && killers.contains(&Some(mv)) => return,
                None => cx.histories.quiet_score(cx.pos, cx.stack, cx.ply, mv),
            };
            if !seen {
                moves.push(ScoredMove { mv, score });
            }
        });
    }

    /// Adds quiet moves that check. They are few, so each is asked before it is scored.
    fn generate_checks(&mut self, cx: Context<'_>) {
        self.moves.clear();
        let moves = &mut self.moves;
        cx.pos.generate(cx.info, MoveKinds::QUIETS, |mv| {
            if cx.pos.gives_check(mv) {
                let score = cx.histories.quiet_score(cx.pos, cx.stack, cx.ply, mv);
                moves.push(ScoredMove { mv, score });
            }
        });
    }

    /// Takes the move with the highest score out of the list: a selection sort that usually stops
    /// after a few moves.
    fn best(&mut self) -> Option<Move> {
        let mut best = 0;
        for i in 1..self.moves.len() {
            if self.moves[i].score > self.moves[best].score {
                best = i;
            }
        }
        self.moves.swap_pop(best).map(|scored| scored.mv)
    }
}
