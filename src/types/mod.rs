//! Layer 0: the vocabulary of the engine. Newtypes, their arithmetic and their text forms;
//! nothing here knows what a position is.

mod bitboard;
mod color;
mod moves;
mod piece;
mod score;
mod square;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use moves::{Move, MoveList, ScoredMove};
pub use piece::{Piece, PieceType};
pub use score::{MAX_PLY, Score};
pub use square::{File, ParseSquareError, Rank, Square};
