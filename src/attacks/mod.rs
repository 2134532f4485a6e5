//! Layer 1: where each man may go on an occupied board. Pure look-ups in `const` tables.
//!
//! Attack sets say which points a man *reaches*: they include points held by either side and know
//! nothing of king safety.

mod leapers;
mod lines;
mod sliders;

pub use leapers::{
    advisor, elephant, king, knight, knight_attackers, knight_leg, pawn, pawn_attackers,
};
pub use lines::{between, king_neighbourhood, line};
pub use sliders::{Reach, cannon, reach, rook};
