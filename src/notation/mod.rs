//! Layer 3: moves in ICCS, WXF and Chinese notation.
//!
//! Writing takes a move apart ([`Notation::write`]). Reading has no parser of its own: it spells
//! every legal move in every accepted way and compares ([`read`]), so no formation of men can be
//! written in a way that does not read back.
//!
//! ```
//! use chuhe::notation::{self, Notation};
//! use chuhe::position::Position;
//!
//! let start = Position::startpos();
//! let mv = notation::read(&start, "炮二平五").unwrap();
//! assert_eq!(mv, "h2e2".parse().unwrap());
//! assert_eq!(Notation::Wxf.write(&start, mv), "C2.5");
//! assert_eq!(Notation::Iccs.write(&start, mv), "H2-E2");
//! ```

mod chinese;
mod iccs;
mod parts;
mod wxf;

use std::fmt;

use crate::position::Position;
use crate::types::{Move, MoveList};
use parts::{Direction, Parts};
use wxf::Spelling;

/// A way to write moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// `H2-E2`, the form of the Internet Chinese Chess Server.
    Iccs,
    /// `h2e2`, what the protocols carry.
    #[default]
    Wire,
    /// `C2.5`, `N8+7`, `Pa.4`: letters K A B N R C P as the Chinese computer specification has them.
    Wxf,
    /// `C2=5`, `H8+7`, `++=4`: letters K A E H R C P as the World Xiangqi Federation has them.
    WxfFederation,
    /// `炮二平五`, `马８进７`: simplified characters.
    Chinese,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 5] =
        [Notation::Iccs, Notation::Wire, Notation::Wxf, Notation::WxfFederation, Notation::Chinese];

    /// Writes a legal move of `pos`. A move without a man of the side to move on its origin has no
    /// name but its coordinates, so it comes out in the wire form.
    pub fn write(self, pos: &Position, mv: Move) -> String {
        let Some(parts) = Parts::of(pos, mv) else { return iccs::write_wire(mv) };
        match self {
            Notation::Iccs => iccs::write(mv),
            Notation::Wire => iccs::write_wire(mv),
            Notation::Wxf => wxf::write(&parts, Spelling::Xqbase),
            Notation::WxfFederation => wxf::write(&parts, Spelling::Federation),
            Notation::Chinese => chinese::write(&parts),
        }
    }
}

/// Writes the moves of a line that starts at `pos`, one blank between them. The line ends before
/// the first illegal move.
pub fn write_line(pos: &Position, moves: &[Move], notation: Notation) -> String {
    let mut pos = *pos;
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves.iter() {
        if !pos.is_legal(mv) {
            break;
        }
        words.push(notation.write(&pos, mv));
        pos = pos.make(mv);
    }
    words.join(" ")
}

/// Why a text names no move. The offending text is cut to its first characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotationError {
    /// No legal move is written so.
    NoSuchMove(String),
    /// Two points of the board, but the move between them is not legal.
    Illegal(Move),
    /// Several legal moves may be meant.
    Ambiguous(String, Vec<Move>),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::NoSuchMove(text) => write!(f, "{text:?} is not a legal move"),
            NotationError::Illegal(mv) => write!(f, "{mv} is not a legal move"),
            NotationError::Ambiguous(text, moves) => {
                write!(f, "{text:?} is ambiguous:")?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
        }
    }
}

impl std::error::Error for NotationError {}

/// How freely a text is read. The lenient forms count only when no standard form fits, so that
/// they can never make a standard text ambiguous.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Standard,
    Lenient,
}

/// No accepted form has more characters than `H2-E2`.
const LONGEST: usize = 5;

/// Reads one move in any notation.
///
/// Accepted are coordinates (`h2e2`, `H2-E2`), both spellings of WXF (`C2.5`, `C2=5`, `H8+7`,
/// `C+-2`, `+C-2`, `Pa.4`, `3+.4`; numeric piece letters as in `62.5`) and Chinese in simplified,
/// traditional or variant characters with any kind of digits; letters in either case, blanks
/// anywhere. A man may be called by the other side's name for him.
///
/// # Errors
/// When no legal move is written so, or more than one.
pub fn read(pos: &Position, text: &str) -> Result<Move, NotationError> {
    let no_such_move = || NotationError::NoSuchMove(text.chars().take(16).collect());
    let (folded, is_chinese) = fold(text).ok_or_else(no_such_move)?;
    if let (Ok(mv), false) = (folded.parse::<Move>(), is_chinese) {
        return if pos.is_legal(mv) { Ok(mv) } else { Err(NotationError::Illegal(mv)) };
    }
    let moves = pos.legal_moves();
    for reading in [Reading::Standard, Reading::Lenient] {
        let hits: MoveList = moves
            .iter()
            .copied()
            .filter(|&mv| is_written(pos, mv, &folded, is_chinese, reading))
            .collect();
        match hits[..] {
            [] => {}
            [mv] => return Ok(mv),
            _ => {
                let text = text.chars().take(16).collect();
                return Err(NotationError::Ambiguous(text, hits.to_vec()));
            }
        }
    }
    Err(no_such_move())
}

/// Whether a folded text is one of the accepted forms of a move.
fn is_written(pos: &Position, mv: Move, folded: &str, is_chinese: bool, reading: Reading) -> bool {
    let Some(parts) = Parts::of(pos, mv) else { return false };
    let direction = match parts.direction {
        Direction::Forward => '+',
        Direction::Backward => '-',
        Direction::Sideways => '.',
    };
    let Some(origin) = folded.strip_suffix(&format!("{direction}{}", parts.number)) else {
        return false;
    };
    let origins =
        if is_chinese { chinese::origins(&parts, reading) } else { wxf::origins(&parts, reading) };
    origins.iter().any(|accepted| accepted == origin)
}

/// Reduces a text to the characters that are compared: capitals, ASCII digits, the signs `+ - .`
/// and three place words. The flag tells whether any character was Chinese. `None` when a character
/// belongs to no notation or the text is too long for any.
fn fold(text: &str) -> Option<(String, bool)> {
    let mut folded = String::new();
    let mut is_chinese = false;
    for (i, c) in text.chars().filter(|c| !c.is_whitespace()).enumerate() {
        if i == LONGEST {
            return None;
        }
        // Full-width forms stand in one block, in ASCII order.
        let c = match u32::from(c) {
            code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0)?,
            _ => c,
        };
        folded.push(match c {
            '=' => '.',
            '\u{2212}' | '\u{2013}' => '-',
            '+' | '-' | '.' => c,
            _ if c.is_ascii_alphanumeric() => c.to_ascii_uppercase(),
            _ => {
                is_chinese = true;
                chinese::fold(c)?
            }
        });
    }
    Some((folded, is_chinese))
}
