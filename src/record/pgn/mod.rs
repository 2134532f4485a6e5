//! PGN for xiangqi.
//!
//! Reading follows the 2004 specification of the Chinese computer games and what programs make of
//! it: Chinese, WXF and ICCS moves in any mixture, the short algebraic moves of XBoard and of the
//! Fairy-Stockfish family, GBK, Big5 and UTF-8, comments, variations (skipped), several games in a
//! file, games without tags. Damage costs the rest of a game, never the file.

mod read;
mod write;

pub use read::{Reading, read, read_text};
pub use write::write;
