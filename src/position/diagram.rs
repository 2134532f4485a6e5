//! The board as people see it.

use super::Position;
use crate::types::{Piece, Square};

/// Chinese names in index order. Where the sides share a name, Black's stands in its traditional form,
/// so that the diagram needs no colours.
const CHINESE: [char; 14] =
    ['帅', '仕', '相', '马', '车', '炮', '兵', '将', '士', '象', '馬', '車', '砲', '卒'];

/// How a diagram draws the men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagramStyle {
    /// FEN letters, ASCII only: what protocols may carry.
    Ascii,
    /// Chinese characters, two columns each, for people with a terminal that has them.
    Chinese,
}

impl Position {
    /// A diagram with coordinates, Red below; every line ends in `\n` and none in a blank.
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
                    (DiagramStyle::Chinese, None) => text.push('．'),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_rows_are_those_of_the_fen() {
        let text = Position::startpos().diagram(DiagramStyle::Ascii);
        assert!(text.is_ascii());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[0], "9  r n b a k a b n r");
        assert_eq!(lines[2], "7  . c . . . . . c .");
        assert_eq!(lines[9], "0  R N B A K A B N R");
        assert_eq!(lines[10], "   a b c d e f g h i");
    }

    #[test]
    fn chinese_cells_are_two_columns_wide_and_tell_the_sides_apart() {
        let text = Position::startpos().diagram(DiagramStyle::Chinese);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "9  車 馬 象 士 将 士 象 馬 車");
        assert_eq!(lines[9], "0  车 马 相 仕 帅 仕 相 马 车");
        assert_eq!(lines[10], "   a  b  c  d  e  f  g  h  i");
        for line in &lines[..10] {
            assert_eq!(line.chars().filter(|c| !c.is_ascii()).count(), 9, "{line}");
        }
        let distinct: std::collections::HashSet<char> = CHINESE.into_iter().collect();
        assert_eq!(distinct.len(), 14);
    }
}
