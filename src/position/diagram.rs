//! The board as people see it.

use super::Position;
use crate::types::{Piece, Square};

/// Chinese names in index order; the two sides have different characters for most men.
const CHINESE: [char; 14] =
    ['帅', '仕', '相', '马', '车', '炮', '兵', '将', '士', '象', '馬', '車', '砲', '卒'];

/// How a diagram draws the men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagramStyle {
    /// FEN letters, ASCII only: what protocols may carry.
    Ascii,
    /// Chinese characters, two columns each.
    Chinese,
}

impl Position {
    /// A diagram with coordinates, Red below; every line ends in `\n`.
    pub fn diagram(&self, style: DiagramStyle) -> String {
        let mut text = String::new();
        for rank in (0..10).rev() {
            text.push_str(&format!("{rank} "));
            for file in 0..9 {
                let piece = Square::from_coords(file, rank).and_then(|sq| self.piece_on(sq));
                text.push(' ');
                match (style, piece) {
                    (DiagramStyle::Ascii, Some(piece)) => text.push(piece.letter()),
                    (DiagramStyle::Ascii, None) => text.push('.'),
                    (DiagramStyle::Chinese, Some(piece)) => text.push(chinese(piece)),
                    (DiagramStyle::Chinese, None) => text.push('\u{3000}'),
                }
            }
            text.push('\n');
        }
        let width = if style == DiagramStyle::Chinese { 2 } else { 1 };
        text.push_str("  ");
        for file in 'a'..='i' {
            text.push_str(&format!(" {file:<width$}"));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

const fn chinese(piece: Piece) -> char {
    CHINESE[piece.index()]
}
