//! Letters and signs: the spelling of the World Xiangqi Federation and that of the Chinese computer
//! specification (xqbase). They differ in the letters of elephant and horse, in the sideways sign
//! and in how three or more pawns are told apart.

use super::Reading;
use super::parts::{Direction, Group, Parts};
use crate::types::PieceType;

/// The two spellings we write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    Xqbase,
    Federation,
}

const ORDINALS: [char; 5] = ['a', 'b', 'c', 'd', 'e'];

/// Writes a move.
pub(super) fn write(parts: &Parts, spelling: Spelling) -> String {
    let (letter, sideways) = match (spelling, parts.kind) {
        (Spelling::Xqbase, kind) => (kind.letter(), '.'),
        (Spelling::Federation, PieceType::Elephant) => ('E', '='),
        (Spelling::Federation, PieceType::Knight) => ('H', '='),
        (Spelling::Federation, kind) => (kind.letter(), '='),
    };
    let direction = match parts.direction {
        Direction::Forward => '+',
        Direction::Backward => '-',
        Direction::Sideways => sideways,
    };
    format!("{}{direction}{}", origin(parts, spelling, letter), parts.number)
}

/// The part before the direction, with the piece written as `letter`.
fn origin(parts: &Parts, spelling: Spelling, letter: char) -> String {
    let file = parts.file;
    if parts.file_form_suffices() {
        return format!("{letter}{file}");
    }
    match (parts.group, spelling) {
        (Group::Alone, _) => format!("{letter}{file}"),
        (Group::Column { index, count: 2 }, _) => format!("{letter}{}", ['+', '-'][index]),
        (Group::Column { index, count: 3 }, Spelling::Xqbase) => {
            format!("{letter}{}", ['+', '.', '-'][index])
        }
        (Group::Column { index, .. } | Group::Paired { index, .. }, Spelling::Xqbase) => {
            format!("{letter}{}", ORDINALS[index])
        }
        (Group::Column { index, count }, Spelling::Federation) => {
            // Five places around the middle; three men use the inner ones, four leave it out.
            let place = match count {
                3 => index + 1,
                4 if index >= 2 => index + 1,
                _ => index,
            };
            match place {
                0 => "++".to_string(),
                1 => format!("{letter}+"),
                2 => format!("{letter}{file}"),
                3 => format!("{letter}-"),
                _ => "--".to_string(),
            }
        }
        (Group::Paired { in_column, column, .. }, Spelling::Federation) => match in_column {
            0 => format!("{file}+"),
            last if last + 1 == column => format!("{file}-"),
            _ => format!("{file}{file}"),
        },
    }
}

/// Every accepted spelling of the part before the direction, in capitals.
pub(super) fn origins(parts: &Parts, reading: Reading) -> Vec<String> {
    let letters: &[char] = match parts.kind {
        PieceType::Elephant => &['B', 'E'],
        PieceType::Knight => &['N', 'H'],
        PieceType::King => &['K'],
        PieceType::Advisor => &['A'],
        PieceType::Rook => &['R'],
        PieceType::Cannon => &['C'],
        PieceType::Pawn => &['P'],
    };
    // Entry from a numeric keypad: 1..=7 for K A B N R C P.
    let digit = [char::from(b'1' + parts.kind.index() as u8)];
    let mut accepted = Vec::new();
    for &letter in if reading == Reading::Standard { letters } else { &digit } {
        accepted.push(origin(parts, Spelling::Xqbase, letter).to_ascii_uppercase());
        accepted.push(origin(parts, Spelling::Federation, letter).to_ascii_uppercase());
        if let (Group::Column { index, count: count @ (2 | 3) }, false) =
            (parts.group, parts.file_form_suffices())
        {
            match index {
                0 => accepted.push(format!("+{letter}")),
                last if last + 1 == count => accepted.push(format!("-{letter}")),
                _ => {}
            }
        }
    }
    if let (Reading::Lenient, Group::Column { index, count: 2 }) = (reading, parts.group) {
        for &letter in letters {
            // Wrong, but clear whenever only one of the two men can do it.
            accepted.push(format!("{letter}{}", parts.file));
            accepted.push(format!("{letter}{}", ['+', '-'][index]));
        }
    }
    accepted
}
