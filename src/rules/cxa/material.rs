//! What men count when gains and losses are weighed.
//!
//! A rook is two of knight or cannon, those two are equal, advisor and elephant are equal. A crossed
//! pawn floats: traded for a piece it is worth one, but a piece given for pawns is not worth it.
//! Kings and pawns on their own half count nothing.

use crate::types::{Piece, PieceType, Square};

/// A knight or a cannon in units of [`Tally`].
const PIECE: i16 = 4;

/// How much must be won, in units of [`Tally`]: a rook's worth, a piece, anything at all.
pub(super) const LEVELS: [i16; 3] = [2 * PIECE, PIECE, 1];

/// Net gain of one side over a sequence of captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Tally {
    /// Pieces won less pieces lost: a rook is 8 units, a knight 4, an advisor 2.
    pieces: i16,
    /// Crossed pawns won less crossed pawns lost.
    pawns: i8,
    /// A piece has been given on the way.
    given: bool,
}

/// What a man on a point counts.
pub(super) fn worth(piece: Piece, sq: Square) -> Tally {
    let pieces = match piece.kind() {
        PieceType::King | PieceType::Pawn => 0,
        PieceType::Advisor | PieceType::Elephant => PIECE / 2,
        PieceType::Knight | PieceType::Cannon => PIECE,
        PieceType::Rook => 2 * PIECE,
    };
    let crossed = piece.kind() == PieceType::Pawn && !sq.is_home(piece.color());
    Tally { pieces, pawns: i8::from(crossed), given: false }
}

impl Tally {
    /// The balance once `man` is won.
    pub(super) fn won(self, man: Tally) -> Tally {
        Tally { pieces: self.pieces + man.pieces, pawns: self.pawns + man.pawns, ..self }
    }

    /// The balance once `man` is lost.
    pub(super) fn lost(self, man: Tally) -> Tally {
        let given = self.given || man.pieces > 0;
        Tally { pieces: self.pieces - man.pieces, pawns: self.pawns - man.pawns, given }
    }

    /// Whether the balance is a win of material of at least `units`.
    pub(super) fn is_gain(self, units: i16) -> bool {
        match self.pawns {
            0 => self.pieces >= units,
            // Pawns alone are a gain when nothing was traded for them.
            1.. => self.pieces >= units || (units == 1 && self.pieces == 0 && !self.given),
            // Each pawn given counts as one piece.
            _ => self.pieces >= units + PIECE * -i16::from(self.pawns),
        }
    }

    /// Whether the balance is a loss of material; pawns won do not make up for a piece.
    pub(super) fn is_loss(self) -> bool {
        self.pieces < 0 || (self.pieces == 0 && self.pawns < 0)
    }

    /// Whether the man is worth more than another.
    pub(super) fn exceeds(self, other: Tally) -> bool {
        self.lost(other).is_gain(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Color, Square};

    fn man(kind: PieceType) -> Tally {
        worth(Piece::new(Color::Red, kind), Square::E6)
    }

    #[test]
    fn trades() {
        use PieceType::{Advisor, Cannon, Elephant, Knight, Pawn, Rook};
        let balance = |won: &[PieceType], lost: &[PieceType]| {
            let tally = won.iter().fold(Tally::default(), |tally, &kind| tally.won(man(kind)));
            lost.iter().fold(tally, |tally, &kind| tally.lost(man(kind)))
        };
        let gain = |won: &[PieceType], lost: &[PieceType]| balance(won, lost).is_gain(1);
        assert!(gain(&[Rook], &[Knight]) && !gain(&[Rook], &[Knight, Cannon]));
        assert!(!gain(&[Knight], &[Cannon]) && !gain(&[Advisor], &[Elephant]));
        assert!(gain(&[Pawn], &[]) && gain(&[Rook], &[Pawn]));
        assert!(!gain(&[Knight], &[Pawn]) && !gain(&[Pawn, Pawn], &[Knight]));
        assert!(!gain(&[Pawn, Knight], &[Cannon]));
        assert!(balance(&[Pawn], &[Elephant]).is_loss() && balance(&[], &[Pawn]).is_loss());
        assert!(!balance(&[Knight], &[Cannon]).is_loss());
        let home = worth(Piece::new(Color::Black, PieceType::Pawn), Square::E6);
        assert_eq!(home, Tally::default());
        assert!(man(Rook).exceeds(man(Knight)) && !man(Knight).exceeds(man(Cannon)));
    }
}
