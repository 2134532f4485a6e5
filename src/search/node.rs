//! One node of the tree: the phases in order. Each phase either decides the node or goes on.

use std::ops::ControlFlow::{self, Break, Continue};

use super::iterate::Iteration;
use super::params::*;
use crate::position::{CheckInfo, Position};
use crate::rules::Repetition;
use crate::tt::{Bound, Entry};
use crate::types::{MAX_PLY, Move, Score, zobrist};

/// What kind of node is expected here (Knuth and Moore's types): it steers reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expected {
    /// On the principal variation.
    Pv,
    /// Some move should refute the move that led here.
    Cut,
    /// No move should.
    All,
}

impl Expected {
    /// What to expect of a child searched with a zero window.
    pub(super) fn child(self) -> Expected {
        if self == Expected::Cut { Expected::All } else { Expected::Cut }
    }
}

/// The locals of a node that its phases share.
pub(super) struct Node<'a> {
    pub pos: &'a Position,
    pub info: &'a CheckInfo,
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    pub expected: Expected,
    pub in_check: bool,
    /// Key in the hash table, which also knows of repetition and of the clock.
    pub key: u64,
    pub entry: Option<Entry>,
    /// The table's move, checked to be legal.
    pub table_move: Option<Move>,
    /// Plies by which the table's move is searched deeper (or less deep) than others, if it was asked
    /// whether it is singular.
    pub table_move_extension: Option<i32>,
    /// Corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The evaluation before correction.
    pub raw_eval: Option<Score>,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// The value is no lower: the side to move can keep a loop going for which it is not to blame.
    pub floor: Score,
    /// The value is no higher: the opponent can do so.
    pub ceiling: Score,
}

impl<'a> Node<'a> {
    /// A node about which nothing is known but its position and its window.
    #[inline]
    pub(super) fn new(
        pos: &'a Position,
        info: &'a CheckInfo,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        expected: Expected,
    ) -> Node<'a> {
        Node {
            pos,
            info,
            alpha,
            beta,
            depth,
            ply,
            expected,
            in_check: info.checkers.any(),
            key: 0,
            entry: None,
            table_move: None,
            table_move_extension: None,
            eval: None,
            raw_eval: None,
            improving: false,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
        }
    }
}

impl Iteration<'_> {
    /// The value of a position. `depth` in plies; 0 and less is quiescence.
    pub(super) fn node<const PV: bool>(
        &mut self,
        pos: &Position,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        expected: Expected,
    ) -> Score {
        debug_assert!(alpha < beta && (PV || beta - alpha == 1));
        if depth <= 0 {
            return self.quiescence::<PV>(pos, alpha, beta, ply, true);
        }
        self.count_node();
        if PV {
            self.worker.pv.clear(ply);
            self.worker.seldepth = self.worker.seldepth.max(ply);
        }
        if self.stopped {
            return Score::DRAW;
        }
        let info = pos.check_info();
        let mut node = Node::new(pos, &info, (alpha, beta), depth, ply, expected);
        self.enter(pos, node.in_check, ply);
        let score = match self.before_moves::<PV>(&mut node) {
            Break(score) => score,
            Continue(()) => self.moves::<PV>(&mut node),
        };
        self.worker.line.pop();
        score.clamp(node.floor, node.ceiling)
    }

    /// Everything up to the first move.
    #[inline]
    fn before_moves<const PV: bool>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        self.judge(node)?;
        mate_distance(node)?;
        self.probe::<PV>(node)?;
        self.evaluate(node);
        if self.is_partial(node.ply) {
            return Continue(());
        }
        if !PV && !node.in_check {
            self.prune_node(node)?;
        }
        if node.depth >= iir_depth() && node.table_move.is_none() {
            node.depth -= 1;
        }
        self.singularity::<PV>(node)
    }

    /// Whether a move is left out at this ply, so that the result is not the position's value.
    #[inline]
    pub(super) fn is_partial(&mut self, ply: usize) -> bool {
        self.worker.stack.at(ply).excluded.is_some()
    }

    /// Puts a node on the path.
    #[inline]
    pub(super) fn enter(&mut self, pos: &Position, in_check: bool, ply: usize) {
        // a capture resets the clock; a pass leaves no moved man
        let before = self.worker.stack.before(ply, 1);
        let mv = before.mv.filter(|_| before.moved.is_some());
        self.worker.line.push(pos.key(), mv, in_check, pos.rule60() == 0);
    }

    /// Draws and verdicts of the rules, and the end of the line. A verdict that has not fallen yet
    /// narrows the window, and the bounds that the node's value must respect: beyond a foreseen one
    /// there is only the question who is mated when the loop is left.
    #[inline]
    pub(super) fn judge(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let (pos, ply) = (node.pos, node.ply);
        // Where a draw fails high or low anyway, one side's fault changes nothing.
        let matters = if node.beta < Score::DRAW {
            Some(pos.side())
        } else if node.alpha > Score::DRAW {
            Some(!pos.side())
        } else {
            None
        };
        match self.worker.line.repetition(pos, matters) {
            None => {}
            Some(Repetition::Draw) => {
                return Break(self.awarded(node, true).unwrap_or_else(|| self.draw()));
            }
            Some(Repetition::Win) => return Break(Score::verdict_in(ply)),
            Some(Repetition::Loss) => return Break(Score::verdict_against_in(ply)),
            Some(Repetition::ForeseenWin) => node.floor = Score::rule_win_in(ply),
            Some(Repetition::ForeseenLoss) => node.ceiling = Score::rule_loss_in(ply),
            Some(Repetition::AtLeastDraw) => {
                node.floor = self.awarded(node, true).unwrap_or(Score::DRAW);
            }
            Some(Repetition::AtMostDraw) => {
                node.ceiling = self.awarded(node, true).unwrap_or(Score::DRAW);
            }
        }
        if node.floor >= node.beta {
            return Break(node.floor);
        }
        if node.ceiling <= node.alpha {
            return Break(node.ceiling);
        }
        node.alpha = node.alpha.max(node.floor);
        node.beta = node.beta.min(node.ceiling);
        if self.worker.line.is_at_limit(pos) && (!node.in_check || pos.has_legal_move()) {
            return Break(self.awarded(node, false).unwrap_or_else(|| self.draw()));
        }
        if ply + 1 >= MAX_PLY {
            let value = if node.in_check {
                self.draw()
            } else {
                self.worker.evaluator.evaluate_at(pos, ply)
            };
            return Break(value);
        }
        Continue(())
    }

    /// What a draw is worth to the side to move when the rules give draws to one side.
    fn awarded(&self, node: &Node<'_>, by_repetition: bool) -> Option<Score> {
        let award = self.worker.line.rules().draw_award?;
        if award.only_repetitions && !by_repetition {
            return None;
        }
        Some(if award.winner == node.pos.side() {
            Score::rule_win_in(node.ply)
        } else {
            Score::rule_loss_in(node.ply)
        })
    }

    /// A draw, a hair up or down so that the search does not take all drawing lines for equal.
    #[inline]
    pub(super) fn draw(&self) -> Score {
        Score::new(1 - (self.worker.nodes & 2) as i32)
    }

    /// The key under which a position is stored. Its value depends on the path when it has occurred
    /// before, and on the clock when the natural limit comes near: such visits get keys of their own.
    #[inline]
    pub(super) fn table_key(&self, pos: &Position) -> u64 {
        let mut key = pos.key();
        if self.worker.line.has_repeated() {
            key ^= zobrist::REPEATED;
        }
        if pos.rule60() >= CLOCK_MATTERS {
            key ^= zobrist::counter(((pos.rule60() - CLOCK_MATTERS) / CLOCK_BUCKET) as u64);
        }
        key
    }

    /// Looks into the hash table.
    #[inline]
    fn probe<const PV: bool>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        node.key = self.table_key(node.pos);
        node.entry = self.worker.table.probe(node.key);
        let Some(entry) = node.entry else { return Continue(()) };
        node.table_move = entry.mv.filter(|&mv| node.pos.is_legal(mv));
        if !PV && entry.depth as i32 >= node.depth && !self.is_partial(node.ply) {
            let score = Score::from_table(entry.score, node.ply);
            if bound_decides(entry.bound, score, node.alpha, node.beta) {
                return Break(score);
            }
        }
        Continue(())
    }

    /// Finds the static evaluation, from the table when it has one.
    #[inline]
    fn evaluate(&mut self, node: &mut Node<'_>) {
        if !node.in_check {
            let raw = match node.entry {
                Some(entry) if entry.eval != NO_EVAL => Score::new(entry.eval as i32),
                _ => self.worker.evaluator.evaluate_at(node.pos, node.ply),
            };
            node.raw_eval = Some(raw);
            node.eval = Some(self.worker.histories.corrected(node.pos, raw));
        }
        self.worker.stack.at(node.ply).eval = node.eval;
        let earlier = self.worker.stack.before(node.ply, 2).eval;
        node.improving = match (node.eval, earlier) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            _ => false,
        };
    }

    /// Makes a move: the child position, with the frame and the table prepared for it.
    #[inline]
    pub(super) fn make(&mut self, pos: &Position, mv: Move, ply: usize) -> Position {
        self.worker.table.prefetch(pos.key_after(mv));
        let frame = self.worker.stack.at(ply);
        frame.moved = pos.piece_on(mv.from()).map(|piece| (piece, mv.to()));
        frame.mv = Some(mv);
        self.worker.evaluator.make(pos, mv, ply)
    }

    /// Whether the loser of a mate has been kept from a loop by a verdict that depends on the path.
    fn is_judged_by_path(&self, node: &Node<'_>, mate: Score) -> bool {
        let side = node.pos.side();
        self.worker.line.is_judged_by_path(if mate.is_win() { !side } else { side })
    }

    /// Records what was found.
    #[inline]
    pub(super) fn store(
        &self,
        node: &Node<'_>,
        best: Score,
        mv: Option<Move>,
        bound: Bound,
        pv: bool,
    ) {
        let entry = Entry {
            mv,
            score: best.to_table(node.ply),
            eval: node.raw_eval.map_or(NO_EVAL, |eval| eval.value() as i16),
            depth: node.depth.clamp(-1, 127) as i8,
            // a verdict of the rules depends on the path, and so does a mate that the loser could have
            // put off in a loop
            bound: if best.is_rule() || best.is_mate() && self.is_judged_by_path(node, best) {
                Bound::None
            } else {
                bound
            },
            pv,
        };
        self.worker.table.store(node.key, entry);
    }
}

/// "No evaluation" in a table entry.
pub(super) const NO_EVAL: i16 = Score::NONE.value() as i16;
/// Plies without capture from which on the clock is part of the table key.
const CLOCK_MATTERS: u16 = 60;
/// Plies that share a key from then on.
const CLOCK_BUCKET: u16 = 8;

/// Whether a stored bound settles a node with this window.
#[inline]
pub(super) fn bound_decides(bound: Bound, score: Score, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
        Bound::None => false,
    }
}

/// A shorter mate has been found already: nothing here can change the outcome.
#[inline]
fn mate_distance(node: &mut Node<'_>) -> ControlFlow<Score> {
    node.alpha = node.alpha.max(Score::mated_in(node.ply));
    node.beta = node.beta.min(Score::mate_in(node.ply + 1));
    if node.alpha >= node.beta { Break(node.alpha) } else { Continue(()) }
}
