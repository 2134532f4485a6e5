//! Layer 4: game records, and PGN as xiangqi programs write it.
//!
//! A [`Record`] is one line of play with comments. [`pgn::read`] accepts what is found in the wild
//! and says in [`Warning`]s what it could not use; [`pgn::write`] writes one form that other
//! programs read.

pub mod archive;
mod encoding;
mod packed;
pub mod pgn;
mod san;

use std::fmt;

use crate::position::Position;
use crate::types::{Color, Move};

pub use encoding::decode;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// `1-0`
    RedWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or not told.
    #[default]
    Unknown,
}

impl Outcome {
    /// The outcome in which `color` wins.
    pub fn win(color: Color) -> Outcome {
        match color {
            Color::Red => Outcome::RedWins,
            Color::Black => Outcome::BlackWins,
        }
    }

    /// Reads `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn parse(text: &str) -> Option<Outcome> {
        match text {
            "1-0" => Some(Outcome::RedWins),
            "0-1" => Some(Outcome::BlackWins),
            "1/2-1/2" | "1/2" | "\u{bd}-\u{bd}" => Some(Outcome::Draw),
            "*" => Some(Outcome::Unknown),
            _ => None,
        }
    }

    /// The PGN form.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::RedWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A move with what was said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// A legal move.
    pub mv: Move,
    /// Empty when there is none.
    pub comment: String,
}

/// One game: where it began, its moves, how it ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Names and values in file order, without `FEN`, `Result`, `Format`, `Variant` and `SetUp`,
    /// which the other fields hold.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Position,
    /// What was said before the first move.
    pub comment: String,
    /// The moves, all legal in turn.
    pub plies: Vec<Ply>,
    /// How the game ended.
    pub outcome: Outcome,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Position) -> Record {
        Record {
            tags: Vec::new(),
            start,
            comment: String::new(),
            plies: Vec::new(),
            outcome: Outcome::Unknown,
        }
    }

    /// The value of a tag, its name in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The moves alone.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// The position after the last move.
    pub fn last_position(&self) -> Position {
        self.moves().fold(self.start, |pos, mv| pos.make(mv))
    }
}

/// Something in a file that could not be used; reading went on behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong in a game record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The `FEN` tag is no position; the game is left out.
    BadFen(String),
    /// A text that is no legal move; the game is cut before it.
    BadMove {
        /// Number of the ply in the game, from 1.
        ply: usize,
        /// The text, cut to its first characters.
        text: String,
        /// The position in which it was to be played.
        fen: String,
    },
    /// A comment without its closing brace.
    OpenComment,
    /// A variation without its closing bracket.
    OpenVariation,
    /// The result behind the moves differs from the one in the tags; the former counts.
    ResultsDiffer,
    /// The file holds no game.
    NoGame,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::BadFen(reason) => write!(f, "bad FEN: {reason}"),
            Problem::BadMove { ply, text, fen } => {
                write!(f, "ply {ply}: {text:?} is not a legal move in {fen}")
            }
            Problem::OpenComment => f.write_str("comment without a closing brace"),
            Problem::OpenVariation => f.write_str("variation without a closing bracket"),
            Problem::ResultsDiffer => f.write_str("the result differs from the Result tag"),
            Problem::NoGame => f.write_str("no game found"),
        }
    }
}
