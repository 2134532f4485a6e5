//! What every written move consists of: the man, how he is told apart, a direction and a number.
//!
//! Files are counted from the mover's right hand, 1..=9; forward is towards the opponent.

use crate::position::Position;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// Where a move leads, as the mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Forward,
    Backward,
    Sideways,
}

/// How a man is told apart from others of his kind. Indices count from 0, the front man first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    /// No other man of the kind on the file.
    Alone,
    /// `count` men (2..=5) share the file and no other file holds several.
    Column { index: usize, count: usize },
    /// Pawns stand in columns on two files: `index` of all men in columns, file by file from the
    /// mover's right, then from front to rear; and the place in the own column.
    Paired { index: usize, total: usize, in_column: usize, column: usize },
}

/// A move taken apart. `number` is a count of ranks for men that move along lines going forward or
/// backward, else the file of arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pub(super) side: Color,
    pub(super) kind: PieceType,
    pub(super) file: u8,
    pub(super) group: Group,
    pub(super) direction: Direction,
    pub(super) number: u8,
}

impl Parts {
    /// Takes a move apart; `None` when no man of the side to move stands on its origin.
    pub(super) fn of(pos: &Position, mv: Move) -> Option<Parts> {
        let (from, to) = (mv.from(), mv.to());
        let piece = pos.piece_on(from).filter(|piece| piece.color() == pos.side())?;
        let (side, kind) = (piece.color(), piece.kind());
        let (start, end) = (from.relative(side).rank(), to.relative(side).rank());
        let direction = match end.cmp(&start) {
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Less => Direction::Backward,
            std::cmp::Ordering::Equal => Direction::Sideways,
        };
        let slanting = matches!(kind, PieceType::Advisor | PieceType::Elephant | PieceType::Knight);
        let number = if slanting || direction == Direction::Sideways {
            file_number(side, to)
        } else {
            end.abs_diff(start)
        };
        let group = group(side, kind, from, pos.pieces(side, kind));
        Some(Parts { side, kind, file: file_number(side, from), group, direction, number })
    }

    /// Whether the plain file form is the written one even when two men share the file: the
    /// direction already tells which advisor or elephant can go there.
    pub(super) fn file_form_suffices(&self) -> bool {
        self.group == Group::Alone || matches!(self.kind, PieceType::Advisor | PieceType::Elephant)
    }
}

/// The file of a point, 1..=9 from the mover's right.
fn file_number(side: Color, sq: Square) -> u8 {
    match side {
        Color::Red => 9 - sq.file(),
        Color::Black => sq.file() + 1,
    }
}

/// Places the man on `sq` among all `men` of his kind and side.
fn group(side: Color, kind: PieceType, sq: Square, men: Bitboard) -> Group {
    let file = file_number(side, sq);
    let on_file = |file: u8| men.into_iter().filter(|&man| file_number(side, man) == file).count();
    let front = |man: Square| man.relative(side).rank() > sq.relative(side).rank();
    let column = on_file(file);
    if column < 2 {
        return Group::Alone;
    }
    let in_column =
        men.into_iter().filter(|&man| file_number(side, man) == file && front(man)).count();
    // Only pawns are many enough to form two columns.
    let columns = || (1..=9).map(|file| (file, on_file(file))).filter(|&(_, count)| count >= 2);
    if kind == PieceType::Pawn && columns().count() == 2 {
        let total = columns().map(|(_, count)| count).sum();
        let before: usize = columns().filter(|&(f, _)| f < file).map(|(_, count)| count).sum();
        return Group::Paired { index: before + in_column, total, in_column, column };
    }
    Group::Column { index: in_column, count: column }
}
