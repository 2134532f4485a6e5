//! Chinese notation: Red counts in Chinese numerals, Black in full-width digits.

use super::Reading;
use super::parts::{Direction, Group, Parts};
use crate::types::{Color, PieceType};

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const FULL_WIDTH: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// Names in the order K A B N R C P.
const NAMES: [[char; 7]; 2] =
    [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];

const FRONT: char = '前';
const MIDDLE: char = '中';
const REAR: char = '后';

/// Writes a move in simplified characters.
pub(super) fn write(parts: &Parts) -> String {
    let digits = match parts.side {
        Color::Red => &NUMERALS,
        Color::Black => &FULL_WIDTH,
    };
    let digit = |number: u8| digits[usize::from(number) - 1];
    let name = NAMES[parts.side.index()][parts.kind.index()];
    let direction = match parts.direction {
        Direction::Forward => '进',
        Direction::Backward => '退',
        Direction::Sideways => '平',
    };
    let (first, second) = match parts.group {
        _ if parts.file_form_suffices() => (name, digit(parts.file)),
        Group::Alone => (name, digit(parts.file)),
        Group::Column { index, count: 2 } => ([FRONT, REAR][index], name),
        Group::Column { index, count: 3 } => ([FRONT, MIDDLE, REAR][index], name),
        Group::Column { index, .. } | Group::Paired { index, .. } => (NUMERALS[index], name),
    };
    [first, second, direction, digit(parts.number)].iter().collect()
}

/// Every accepted form of the two characters before the direction, folded by [`fold`].
pub(super) fn origins(parts: &Parts, reading: Reading) -> Vec<String> {
    let letter = parts.kind.letter();
    let file_form = format!("{letter}{}", parts.file);
    let (index, count) = match parts.group {
        Group::Alone => return vec![file_form],
        _ if reading == Reading::Standard && parts.file_form_suffices() => return vec![file_form],
        Group::Column { index, count } => (index, count),
        Group::Paired { index, total, .. } => (index, total),
    };
    let mut accepted = place_words(index, count, letter);
    if matches!(parts.group, Group::Paired { .. }) {
        // The middle of two columns taken together is no place that anybody names.
        accepted.retain(|word| !word.starts_with(MIDDLE));
    }
    if count > 3 || reading == Reading::Lenient {
        accepted.push(format!("{}{letter}", index + 1));
    }
    if reading == Reading::Lenient {
        // Programs that know no columns of pawns write these; they may be clear all the same.
        accepted.push(file_form);
        if let Group::Paired { in_column, column, .. } = parts.group {
            accepted.extend(place_words(in_column, column, letter));
        }
    }
    accepted
}

/// Front, middle and rear of `count` men, as far as they name the man at `index`.
fn place_words(index: usize, count: usize, letter: char) -> Vec<String> {
    let mut words = Vec::new();
    if index == 0 {
        words.push(format!("{FRONT}{letter}"));
    }
    if count % 2 == 1 && index == count / 2 {
        words.push(format!("{MIDDLE}{letter}"));
    }
    if index + 1 == count {
        words.push(format!("{REAR}{letter}"));
    }
    words
}

/// A Chinese character as the reader compares it: names become letters, numerals digits, directions
/// signs, all variants of a place word one. `None` when notation has no use for it.
pub(super) fn fold(c: char) -> Option<char> {
    let kind = match c {
        '帅' | '帥' | '将' | '將' => PieceType::King,
        '仕' | '士' => PieceType::Advisor,
        '相' | '象' => PieceType::Elephant,
        '马' | '馬' | '傌' => PieceType::Knight,
        '车' | '車' | '俥' => PieceType::Rook,
        '炮' | '砲' | '包' => PieceType::Cannon,
        '兵' | '卒' => PieceType::Pawn,
        '进' | '進' => return Some('+'),
        '退' => return Some('-'),
        '平' => return Some('.'),
        '前' => return Some(FRONT),
        '中' => return Some(MIDDLE),
        '后' | '後' => return Some(REAR),
        _ => {
            let index = NUMERALS.iter().position(|&numeral| numeral == c)?;
            return char::from_digit(index as u32 + 1, 10);
        }
    };
    Some(kind.letter())
}
