//! The stretch of a game between two occurrences of a position: what a rule set judges.

use super::Man;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, Square};

/// The moves of a repetition with every position before, between and after them.
///
/// The first and the last position are equal, and nothing is captured in between. Equal men may
/// have changed places, so a man is known by its *origin*: the point where it stands in the first
/// position.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    positions: &'a [Position],
    moves: &'a [Move],
}

impl<'a> Window<'a> {
    /// A window over `moves`; `positions` has one element more, `positions[i]` stands before
    /// `moves[i]`. `None` when the lengths do not fit, the number of moves is odd or zero, or
    /// something is captured.
    pub fn new(positions: &'a [Position], moves: &'a [Move]) -> Option<Window<'a>> {
        let even = !moves.is_empty() && moves.len().is_multiple_of(2);
        let fits = even && positions.len() == moves.len() + 1;
        let quiet = || moves.iter().zip(positions).all(|(&mv, pos)| pos.captured(mv).is_none());
        (fits && quiet()).then_some(Window { positions, moves })
    }

    /// Number of moves, even and at least 2.
    #[inline]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The position before move `ply`, 0..=[`Window::plies`].
    #[inline]
    pub fn position(&self, ply: usize) -> &'a Position {
        &self.positions[ply]
    }

    /// Move number `ply`, 0..[`Window::plies`].
    #[inline]
    pub fn mv(&self, ply: usize) -> Move {
        self.moves[ply]
    }

    /// The side that makes move `ply`.
    #[inline]
    pub fn mover(&self, ply: usize) -> Color {
        self.positions[ply].side()
    }

    /// The plies at which `side` moves, first to last.
    #[inline]
    pub fn own_plies(&self, side: Color) -> impl DoubleEndedIterator<Item = usize> + 'a {
        let first = usize::from(self.positions[0].side() != side);
        (first..self.moves.len()).step_by(2)
    }

    /// Whether move `ply` gives check.
    #[inline]
    pub fn gives_check(&self, ply: usize) -> bool {
        self.positions[ply + 1].in_check()
    }

    /// The position after the answer to move `ply`. The last move is taken to be answered by the
    /// first one: the loop goes round.
    #[inline]
    pub fn after_reply(&self, ply: usize) -> &'a Position {
        if ply + 1 < self.moves.len() { &self.positions[ply + 2] } else { &self.positions[1] }
    }

    /// The answer to move `ply`; see [`Window::after_reply`].
    #[inline]
    pub fn reply(&self, ply: usize) -> Move {
        if ply + 1 < self.moves.len() { self.moves[ply + 1] } else { self.moves[0] }
    }

    /// Where the man on `sq` in position `ply` stands in position 0.
    #[inline]
    pub fn origin(&self, ply: usize, mut sq: Square) -> Square {
        for mv in self.moves[..ply].iter().rev() {
            if mv.to() == sq {
                sq = mv.from();
            }
        }
        sq
    }

    /// Where the man with this origin stands in position `ply`: the reverse of [`Window::origin`].
    #[inline]
    pub fn place(&self, ply: usize, origin: Square) -> Square {
        moved(origin, &self.moves[..ply])
    }

    /// [`Window::origin`] of a set of points.
    #[inline]
    pub fn origins(&self, ply: usize, set: Bitboard) -> Bitboard {
        let mut set = set;
        for mv in self.moves[..ply].iter().rev() {
            if set.has(mv.to()) {
                set = (set - Bitboard::from(mv.to())).with(mv.from());
            }
        }
        set
    }

    /// [`Window::place`] of a set of origins.
    #[inline]
    pub fn places(&self, ply: usize, origins: Bitboard) -> Bitboard {
        let mut set = origins;
        for mv in &self.moves[..ply] {
            if set.has(mv.from()) {
                set = (set - Bitboard::from(mv.from())).with(mv.to());
            }
        }
        set
    }

    /// The man on `sq` in position `ply`; `None` when the point is empty.
    pub fn man(&self, ply: usize, square: Square) -> Option<Man> {
        self.positions[ply].piece_on(square).map(|piece| Man { piece, square })
    }
}

/// Where a man on `sq` stands after some moves, none of which captures it.
#[inline]
pub(super) fn moved(sq: Square, moves: &[Move]) -> Square {
    moves.iter().fold(sq, |sq, mv| if mv.from() == sq { mv.to() } else { sq })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str, moves: &str) -> (Vec<Position>, Vec<Move>) {
        let moves: Vec<Move> = moves.split(' ').map(|text| text.parse().unwrap()).collect();
        let mut positions = vec![Position::from_fen(fen).unwrap()];
        for &mv in &moves {
            assert!(positions[positions.len() - 1].is_legal(mv), "{mv}");
            positions.push(positions[positions.len() - 1].make(mv));
        }
        (positions, moves)
    }

    #[test]
    fn men_keep_their_identity_when_they_change_places() {
        // one knight takes the other's place
        let (positions, moves) =
            line("3k5/9/9/9/9/9/9/9/N1N6/4K4 w", "a1b3 d9d8 c1a2 d8d9 b3c1 d9d8");
        let window = Window::new(&positions, &moves).unwrap();
        assert_eq!(window.origin(6, Square::C1), Square::A1);
        assert_eq!(window.origin(6, Square::A2), Square::C1);
        assert_eq!(window.origin(6, Square::D8), Square::D9);
        assert_eq!(window.place(6, Square::C1), Square::A2);
        assert_eq!(window.place(4, Square::A1), Square::B3);
        let both = Bitboard::single(Square::A1).with(Square::D9);
        let now = Bitboard::single(Square::C1).with(Square::D8);
        assert_eq!(window.places(6, both), now);
        assert_eq!(window.origins(6, now), both);
        assert_eq!(window.own_plies(Color::Black).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(window.reply(5), moves[0]);
        assert_eq!(window.reply(0), moves[1]);
        assert_eq!(window.after_reply(0).key(), positions[2].key());
    }

    #[test]
    fn only_quiet_stretches_are_windows() {
        let (positions, moves) = line("3k5/9/9/9/9/9/9/r8/R8/4K4 w", "a1a2 d9d8 a2a1");
        assert!(Window::new(&positions[..3], &moves[..2]).is_none());
        assert!(Window::new(&positions[1..], &moves[1..]).is_some());
        assert!(Window::new(&positions[1..3], &moves[1..2]).is_none());
        assert!(Window::new(&positions[1..2], &[]).is_none());
        assert!(Window::new(&positions, &moves[1..]).is_none());
    }
}
