//! Game archives: many games with a score for each position.
//!
//! There are two kinds, told apart by their first bytes; a [`Reader`] takes both. `XGR1` keeps scores
//! as they are, in four bytes a position. `XGR2` rounds them ([`quantise`]) and takes less than a
//! third of that; `docs/archives.md` describes it.
//!
//! All numbers are little-endian. Either file begins with 40 bytes:
//!
//! | offset | bytes | meaning |
//! |---|---|---|
//! | 0 | 4 | `XGR1` or `XGR2` |
//! | 4 | 2 | version, 1 |
//! | 6 | 1 + 1 | shard and number of shards of a generation spread over several files |
//! | 8 | 8 | seed |
//! | 16 | 8 | checksum of the network that gave the scores, 0 for the hand-made evaluation |
//! | 24 | 4 | nodes a move |
//! | 28 | 3 | scale that turns scores into winning chances, in centipawns; 0 when not known |
//! | 31 | 1 | [`Flags`] |
//! | 32 | 8 | games, 0 while the file is being written |
//!
//! Then the games, one after the other. In `XGR1`:
//!
//! | bytes | meaning |
//! |---|---|
//! | 1 | start: 0 the start position, 1 a [`Packed`] board follows the counts |
//! | 1 | result (bits 0–1: 0 Black won, 1 draw, 2 Red won) and [`Ending`] (bits 2–7) |
//! | 2 + 2 | moves `n`, moves at the beginning without a score `r` |
//! | 0 or 32 | the start |
//! | 2 n | moves: origin (bits 0–6), target (7–13), mover in check (14), capture (15) |
//! | 2 (n − r) | score of the position before each move from Red's view, in centipawns |
//!
//! A score of 32,767 means none; ±(32,000 − d) a mate in d plies. Games are only ever appended, so
//! a file that was cut off is good up to its last complete game.

mod choice;
mod coder;
mod file;
mod scores;
mod xgr1;
mod xgr2;

use std::fmt;
use std::io;

use bitflags::bitflags;

pub use super::packed::{Label, Packed};
use crate::position::Position;
use crate::types::{Color, Move};
pub use file::{Costs, Reader, Writer};
pub use scores::quantise;

/// Marks a position without a score.
pub const NO_SCORE: i16 = 32_767;
/// Most moves a game may have.
pub const MAX_MOVES: usize = 4_096;

const VERSION: u16 = 1;
const HEADER_LEN: usize = 40;
const COUNT_AT: u64 = 32;

/// How games are written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Four bytes a position, scores as they are
    #[default]
    Xgr1,
    /// Some 1.2 bytes a position, scores rounded
    Xgr2,
}

impl Format {
    fn magic(self) -> &'static [u8; 4] {
        match self {
            Format::Xgr1 => b"XGR1",
            Format::Xgr2 => b"XGR2",
        }
    }
}

bitflags! {
    /// What else is to be known of an archive.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Flags: u8 {
        /// Games begin in several ways, not only with random moves from the start position.
        const MIXED_OPENINGS = 1;
        /// The scores are not those by which the moves were chosen.
        const RELABELLED = 2;
    }
}

/// How the games of a file were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Which part of the generation this is, from 0.
    pub shard: u8,
    /// How many parts there are, at least 1.
    pub shards: u8,
    /// Seed of all random choices.
    pub seed: u64,
    /// Checksum of the network that gave the scores, 0 for the hand-made evaluation.
    pub network: u64,
    /// Nodes a move.
    pub nodes: u32,
    /// Centipawns for a winning chance of σ(1), 0 when not known; below 2^24.
    pub scale: u32,
    /// What else is to be known.
    pub flags: Flags,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// Red won.
    RedWins,
}

impl GameResult {
    /// All results in the order of their numbers.
    const ALL: [GameResult; 3] = [GameResult::BlackWins, GameResult::Draw, GameResult::RedWins];

    /// The result when one side wins.
    pub fn win(side: Color) -> GameResult {
        match side {
            Color::Red => GameResult::RedWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// 0 for a loss of `side`, 1 for a draw, 2 for a win.
    pub fn points(self, side: Color) -> u8 {
        match side {
            Color::Red => self as u8,
            Color::Black => 2 - self as u8,
        }
    }
}

/// Why a game ended. The numbers are part of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ending {
    /// Checkmate on the board.
    Checkmate = 0,
    /// No legal move.
    Stalemate = 1,
    /// Perpetual check by the loser.
    PerpetualCheck = 2,
    /// Perpetual chase by the loser.
    PerpetualChase = 3,
    /// Repetition without a fault.
    Repetition = 4,
    /// Too many moves without a capture.
    NaturalLimit = 5,
    /// No men left that can attack.
    BareMaterial = 6,
    /// Another rule of the game.
    OtherRule = 7,
    /// A search proved a mate.
    FoundMate = 8,
    /// The score was decisive for several plies.
    DecisiveScore = 9,
    /// The score was level for many plies.
    LevelScore = 10,
    /// The game was too long.
    PlyLimit = 11,
}

impl Ending {
    /// All endings in the order of their numbers.
    pub const ALL: [Ending; 12] = [
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::PerpetualCheck,
        Ending::PerpetualChase,
        Ending::Repetition,
        Ending::NaturalLimit,
        Ending::BareMaterial,
        Ending::OtherRule,
        Ending::FoundMate,
        Ending::DecisiveScore,
        Ending::LevelScore,
        Ending::PlyLimit,
    ];
}

/// One game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position before the first move.
    pub start: Position,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub ending: Ending,
    /// Moves played; at most [`MAX_MOVES`], each legal.
    pub moves: Vec<Move>,
    /// Scores of the positions before the *last* `scores.len()` moves, from Red's view.
    pub scores: Vec<i16>,
}

/// One position of a game.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The move played from it.
    pub mv: Move,
    /// Its score from Red's view, if it has one.
    pub score: Option<i16>,
    /// Plies since the start of the game.
    pub ply: usize,
}

impl Game {
    /// Moves at the beginning whose positions have no score.
    pub fn unscored(&self) -> usize {
        self.moves.len() - self.scores.len().min(self.moves.len())
    }

    /// The positions from which the moves were played. The moves must be legal, as they are in every
    /// game read from a file.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        let unscored = self.unscored();
        let mut next = self.start;
        self.moves.iter().enumerate().map(move |(ply, &mv)| {
            let position = next;
            next = position.make(mv);
            let score = ply.checked_sub(unscored).map(|i| self.scores[i]);
            Sample { position, mv, score: score.filter(|&score| score != NO_SCORE), ply }
        })
    }
}

/// What is wrong with an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArchiveError {
    /// The system's words.
    Io(String),
    /// It is no archive.
    NotAnArchive,
    /// Its version is another.
    Version(u16),
    /// It was made with other settings than those it is to be continued with.
    OtherSettings,
    /// It is to be continued with other games: the first that differs, from 1.
    OtherGames(u64),
    /// It ends within the game of this number, from 1.
    CutShort(u64),
    /// The game of this number makes no sense.
    BadGame(u64, &'static str),
    /// It has another number of games than its header says: found, promised.
    Count(u64, u64),
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::Io(why) => f.write_str(why),
            ArchiveError::NotAnArchive => f.write_str("not a game archive"),
            ArchiveError::Version(n) => write!(f, "archive version {n}, not {VERSION}"),
            ArchiveError::OtherSettings => {
                f.write_str("made with another seed, shard, network, node count or mix of openings")
            }
            ArchiveError::OtherGames(game) => write!(f, "game {game} is another one"),
            ArchiveError::CutShort(game) => write!(f, "cut short within game {game}"),
            ArchiveError::BadGame(game, what) => write!(f, "game {game}: {what}"),
            ArchiveError::Count(found, promised) => {
                write!(f, "{found} games, but the header says {promised}")
            }
        }
    }
}

impl std::error::Error for ArchiveError {}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> ArchiveError {
        ArchiveError::Io(error.to_string())
    }
}

impl Header {
    fn to_bytes(self, format: Format, games: u64) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..4].copy_from_slice(format.magic());
        bytes[4..6].copy_from_slice(&VERSION.to_le_bytes());
        bytes[6] = self.shard;
        bytes[7] = self.shards;
        bytes[8..16].copy_from_slice(&self.seed.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.network.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.scale.to_le_bytes());
        bytes[31] = self.flags.bits();
        bytes[32..].copy_from_slice(&games.to_le_bytes());
        bytes
    }

    /// The header, the format of the games, and the number of games it promises.
    fn from_bytes(bytes: &[u8; HEADER_LEN]) -> Result<(Header, Format, u64), ArchiveError> {
        let formats = [Format::Xgr1, Format::Xgr2];
        let format = formats.into_iter().find(|format| bytes.starts_with(format.magic()));
        let format = format.ok_or(ArchiveError::NotAnArchive)?;
        let number = |range: std::ops::Range<usize>| {
            bytes[range].iter().rev().fold(0u64, |n, &byte| n << 8 | u64::from(byte))
        };
        let version = number(4..6) as u16;
        if version != VERSION {
            return Err(ArchiveError::Version(version));
        }
        let header = Header {
            shard: bytes[6],
            shards: bytes[7],
            seed: number(8..16),
            network: number(16..24),
            nodes: number(24..28) as u32,
            scale: number(28..31) as u32,
            flags: Flags::from_bits_retain(bytes[31]),
        };
        Ok((header, format, number(32..40)))
    }
}
