//! `XGR1`: many games with a score for each position, in four bytes a position.
//!
//! All numbers are little-endian. The file begins with 40 bytes:
//!
//! | offset | bytes | meaning |
//! |---|---|---|
//! | 0 | 4 | `XGR1` |
//! | 4 | 2 | version, 1 |
//! | 6 | 1 + 1 | shard and number of shards of a generation spread over several files |
//! | 8 | 8 | seed |
//! | 16 | 8 | checksum of the network that played, 0 for the hand-made evaluation |
//! | 24 | 4 | nodes a move |
//! | 28 | 4 | scale that turns scores into winning chances, in centipawns; 0 when not known |
//! | 32 | 8 | games, 0 while the file is being written |
//!
//! Then the games, one after the other:
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

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

pub use super::packed::{Label, Packed};
use crate::position::Position;
use crate::types::{Color, Move};

/// Marks a position without a score.
pub const NO_SCORE: i16 = 32_767;
/// Most moves a game may have.
pub const MAX_MOVES: usize = 4_096;

const MAGIC: &[u8; 4] = b"XGR1";
const VERSION: u16 = 1;
const HEADER_LEN: usize = 40;
const COUNT_AT: u64 = 32;
const CHECK_BIT: u16 = 1 << 14;
const CAPTURE_BIT: u16 = 1 << 15;
const HIGHEST_SCORE: i16 = 32_000;

/// How the games of a file were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Which part of the generation this is, from 0.
    pub shard: u8,
    /// How many parts there are, at least 1.
    pub shards: u8,
    /// Seed of all random choices.
    pub seed: u64,
    /// Checksum of the network that played, 0 for the hand-made evaluation.
    pub network: u64,
    /// Nodes a move.
    pub nodes: u32,
    /// Centipawns for a winning chance of σ(1), 0 when not known.
    pub scale: u32,
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

    /// Appends the bytes of the game.
    fn encode(&self, bytes: &mut Vec<u8>) {
        let packed = self.start != Position::startpos();
        bytes.push(packed as u8);
        bytes.push(self.result as u8 | (self.ending as u8) << 2);
        bytes.extend_from_slice(&(self.moves.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&(self.unscored() as u16).to_le_bytes());
        if packed {
            bytes.extend_from_slice(&Packed::board(&self.start).to_bytes());
        }
        for sample in self.samples() {
            let check = if sample.position.in_check() { CHECK_BIT } else { 0 };
            let capture =
                if sample.position.captured(sample.mv).is_some() { CAPTURE_BIT } else { 0 };
            bytes.extend_from_slice(&(sample.mv.bits() | check | capture).to_le_bytes());
        }
        bytes.extend(self.scores.iter().flat_map(|score| score.to_le_bytes()));
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
                f.write_str("made with another seed, shard, network or node count")
            }
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
    fn to_bytes(self, games: u64) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..4].copy_from_slice(MAGIC);
        bytes[4..6].copy_from_slice(&VERSION.to_le_bytes());
        bytes[6] = self.shard;
        bytes[7] = self.shards;
        bytes[8..16].copy_from_slice(&self.seed.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.network.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.scale.to_le_bytes());
        bytes[32..].copy_from_slice(&games.to_le_bytes());
        bytes
    }

    /// The header and the number of games it promises.
    fn from_bytes(bytes: &[u8; HEADER_LEN]) -> Result<(Header, u64), ArchiveError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ArchiveError::NotAnArchive);
        }
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
            scale: number(28..32) as u32,
        };
        Ok((header, number(32..40)))
    }
}

/// Reads the games of an archive, checking every move.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    promised: u64,
    games: u64,
    /// Bytes up to the end of the last complete game.
    good: u64,
    done: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no archive.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        Reader::new(BufReader::with_capacity(1 << 20, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the input cannot be read or is no archive.
    pub fn new(mut input: R) -> Result<Reader<R>, ArchiveError> {
        let mut bytes = [0; HEADER_LEN];
        input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ArchiveError::NotAnArchive,
            _ => ArchiveError::from(error),
        })?;
        let (header, promised) = Header::from_bytes(&bytes)?;
        Ok(Reader { input, header, promised, games: 0, good: HEADER_LEN as u64, done: false })
    }

    /// How the games were made.
    pub fn header(&self) -> Header {
        self.header
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], ArchiveError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ArchiveError> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ArchiveError::CutShort(self.games + 1),
            _ => ArchiveError::from(error),
        })
    }

    /// The next game, `None` at the end.
    fn game(&mut self) -> Result<Option<Game>, ArchiveError> {
        let mut kind = [0];
        if self.input.read(&mut kind)? == 0 {
            return match self.promised {
                0 => Ok(None),
                promised if promised == self.games => Ok(None),
                promised => Err(ArchiveError::Count(self.games, promised)),
            };
        }
        let bad = |what| Err(ArchiveError::BadGame(self.games + 1, what));
        if kind[0] > 1 {
            return bad("unknown kind of start");
        }
        let [outcome, n0, n1, r0, r1] = self.bytes()?;
        let bad = |what| Err(ArchiveError::BadGame(self.games + 1, what));
        let count = usize::from(u16::from_le_bytes([n0, n1]));
        let unscored = usize::from(u16::from_le_bytes([r0, r1]));
        let result = match outcome & 3 {
            0 => GameResult::BlackWins,
            1 => GameResult::Draw,
            2 => GameResult::RedWins,
            _ => return bad("unknown result"),
        };
        let Some(&ending) = Ending::ALL.get(usize::from(outcome >> 2)) else {
            return bad("unknown ending");
        };
        if count > MAX_MOVES || unscored > count {
            return bad("impossible number of moves");
        }
        let start = if kind[0] == 0 {
            Position::startpos()
        } else {
            let board = Packed::from_bytes(self.bytes()?);
            match board.position() {
                Some(position) => position,
                None => return Err(ArchiveError::BadGame(self.games + 1, "impossible start")),
            }
        };
        let mut words = vec![0; 2 * (count + count - unscored)];
        self.fill(&mut words)?;
        let bad = |what| Err(ArchiveError::BadGame(self.games + 1, what));
        let (moves, scores) = words.split_at(2 * count);
        let moves = match decode_moves(start, moves) {
            Ok(moves) => moves,
            Err(what) => return bad(what),
        };
        let scores: Vec<i16> =
            scores.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
        let known =
            |&score: &i16| score == NO_SCORE || (-HIGHEST_SCORE..=HIGHEST_SCORE).contains(&score);
        if !scores.iter().all(known) {
            return bad("impossible score");
        }
        self.games += 1;
        let board = if kind[0] == 1 { Packed::LEN } else { 0 };
        self.good += (6 + board + words.len()) as u64;
        Ok(Some(Game { start, result, ending, moves, scores }))
    }
}

fn decode_moves(start: Position, bytes: &[u8]) -> Result<Vec<Move>, &'static str> {
    let mut pos = start;
    let mut moves = Vec::with_capacity(bytes.len() / 2);
    for word in bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])) {
        let mv = Move::from_bits(word & !(CHECK_BIT | CAPTURE_BIT))
            .filter(|&mv| pos.is_legal(mv))
            .ok_or("illegal move")?;
        let (check, capture) = (word & CHECK_BIT != 0, word & CAPTURE_BIT != 0);
        if (check, capture) != (pos.in_check(), pos.captured(mv).is_some()) {
            return Err("a move with wrong marks");
        }
        moves.push(mv);
        pos = pos.make(mv);
    }
    Ok(moves)
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Game, ArchiveError>;

    /// Nothing follows an error.
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.game().transpose();
        self.done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// Appends games to a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
    games: u64,
    buffer: Vec<u8>,
}

impl Writer {
    /// Opens a file to append to, and says how many games and positions with moves it holds. A new
    /// file gets the header; one that was cut off loses its incomplete last game.
    ///
    /// # Errors
    /// When the file cannot be written, is damaged, or was made with other settings.
    pub fn open(path: &Path, header: Header) -> Result<(Writer, u64, u64), ArchiveError> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        if file.metadata()?.len() < HEADER_LEN as u64 {
            // new, or cut off while the header was being written
            file.set_len(0)?;
            file.write_all(&header.to_bytes(0))?;
            return Ok((Writer { file, games: 0, buffer: Vec::new() }, 0, 0));
        }
        let mut reader = Reader::new(BufReader::with_capacity(1 << 20, &file))?;
        if reader.header() != header {
            return Err(ArchiveError::OtherSettings);
        }
        reader.promised = 0;
        let mut positions = 0;
        for game in &mut reader {
            match game {
                Ok(game) => positions += game.moves.len() as u64,
                Err(ArchiveError::CutShort(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let (games, good) = (reader.games, reader.good);
        drop(reader);
        file.set_len(good)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes(0))?;
        file.seek(SeekFrom::End(0))?;
        Ok((Writer { file, games, buffer: Vec::new() }, games, positions))
    }

    /// Appends a game in one write.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: &Game) -> Result<(), ArchiveError> {
        self.buffer.clear();
        game.encode(&mut self.buffer);
        self.file.write_all(&self.buffer)?;
        self.games += 1;
        Ok(())
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Writes the number of games into the header and makes sure that all is on disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn close(mut self) -> Result<(), ArchiveError> {
        self.file.seek(SeekFrom::Start(COUNT_AT))?;
        self.file.write_all(&self.games.to_le_bytes())?;
        self.file.sync_all()?;
        Ok(())
    }
}
