//! Games of `XGR2`, as `docs/archives.md` describes them.

use std::io::Read;

use super::choice::Choice;
use super::coder::{Bit, Coder, Decoder, Encoder, Number, Tree};
use super::file::{Costs, fill, first_byte};
use super::scores::{Circumstances, Scores};
use super::{ArchiveError, Ending, Game, GameResult, MAX_MOVES};
use crate::position::Position;
use crate::types::{Color, Piece, Square};

/// What was learned is forgotten after this many games, so that damage does not reach far.
const BLOCK_GAMES: u64 = 4_096;
/// Most bytes of a coded game; none comes near it.
const MAX_LENGTH: usize = 1 << 18;
/// FNV-1a, 32 bit (Fowler, Noll, Vo).
const HASH_START: u32 = 0x811c_9dc5;
const HASH_FACTOR: u32 = 0x0100_0193;

/// Everything that is learned from one game to the next.
#[derive(Debug)]
struct Model {
    start: Bit,
    side: Bit,
    occupied: Bit,
    men: Tree<4>,
    result: Tree<2>,
    endings: [Tree<4>; 3],
    moves: Number,
    unscored: Number,
    choice: Choice,
    scores: Scores,
}

impl Model {
    fn new() -> Model {
        Model {
            start: Bit::NEW,
            side: Bit::NEW,
            occupied: Bit::NEW,
            men: Tree::new(),
            result: Tree::new(),
            endings: std::array::from_fn(|_| Tree::new()),
            moves: Number::new(),
            unscored: Number::new(),
            choice: Choice::new(),
            scores: Scores::new(),
        }
    }

    /// Tells a game, which an encoder must know. `mark` is called before the first position, then
    /// after each move and each score.
    fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        known: Option<&Game>,
        mut mark: impl FnMut(&C, Part),
    ) -> Result<Game, &'static str> {
        let start = self.code_start(coder, known)?;
        let result = self.result.code(coder, known.map_or(0, |game| game.result as usize));
        let &result = GameResult::ALL.get(result).ok_or("unknown result")?;
        let endings = &mut self.endings[result as usize];
        let ending = endings.code(coder, known.map_or(0, |game| game.ending as usize));
        let &ending = Ending::ALL.get(ending).ok_or("unknown ending")?;
        let count = self.moves.code(coder, known.map_or(0, |game| game.moves.len()));
        let unscored = self.unscored.code(coder, known.map_or(0, Game::unscored));
        if count > MAX_MOVES || unscored > count {
            return Err("impossible number of moves");
        }
        self.choice.begin();
        self.scores.begin();
        mark(coder, Part::Rest);
        let mut game = Game {
            start,
            result,
            ending,
            moves: Vec::with_capacity(count),
            scores: Vec::with_capacity(count - unscored),
        };
        let (mut pos, mut capture) = (start, false);
        for ply in 0..count {
            if ply >= unscored {
                let now = Circumstances { side: pos.side(), check: pos.in_check(), capture };
                let score = known.map_or(0, |game| game.scores[ply - unscored]);
                game.scores.push(self.scores.code(coder, now, score)?);
                mark(coder, Part::Scores);
            }
            let mv = known.map(|game| game.moves[ply]);
            let mv = self.choice.code(coder, &pos, mv).ok_or("illegal move")?;
            mark(coder, Part::Moves);
            game.moves.push(mv);
            capture = pos.captured(mv).is_some();
            pos = pos.make(mv);
        }
        Ok(game)
    }

    /// The position a game began with, without its counters.
    fn code_start(
        &mut self,
        coder: &mut impl Coder,
        known: Option<&Game>,
    ) -> Result<Position, &'static str> {
        let start = known.map_or_else(Position::startpos, |game| game.start);
        if !self.start.code(coder, start != Position::startpos()) {
            return Ok(Position::startpos());
        }
        let black = self.side.code(coder, start.side() == Color::Black);
        let mut cells = [None; 90];
        for sq in Square::ALL {
            let piece = start.piece_on(sq);
            if self.occupied.code(coder, piece.is_some()) {
                let piece = self.men.code(coder, piece.map_or(0, Piece::index));
                cells[sq.index()] = Some(*Piece::ALL.get(piece).ok_or("impossible start")?);
            }
        }
        let side = if black { Color::Black } else { Color::Red };
        Position::from_men(&cells, side).map_err(|_| "impossible start")
    }
}

/// What information is spent on.
#[derive(Clone, Copy)]
enum Part {
    Moves,
    Scores,
    Rest,
}

/// The state between two games.
#[derive(Debug)]
pub(super) struct Codec {
    /// Of the header.
    origin: u32,
    hash: u32,
    model: Model,
    games: u64,
    costs: Costs,
}

impl Codec {
    /// The state before the first game. `header` is the beginning of the file that does not change.
    pub(super) fn new(header: &[u8]) -> Codec {
        let origin = hash(HASH_START, header);
        Codec { origin, hash: origin, model: Model::new(), games: 0, costs: Costs::default() }
    }

    /// What the games written through this state have cost.
    pub(super) fn costs(&self) -> Costs {
        self.costs
    }

    fn begin(&mut self) {
        if self.games.is_multiple_of(BLOCK_GAMES) {
            self.model = Model::new();
            self.hash = hash(self.origin, &(self.games / BLOCK_GAMES).to_le_bytes());
        }
    }

    /// Appends the bytes of a game.
    pub(super) fn encode(&mut self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), &'static str> {
        if game.moves.len() > MAX_MOVES || game.scores.len() > game.moves.len() {
            return Err("impossible number of moves");
        }
        self.begin();
        let mut coder = Encoder::new();
        let (costs, mut spent) = (&mut self.costs, coder.bits());
        let account = |coder: &Encoder, part| {
            let bits = coder.bits() - spent;
            spent += bits;
            match part {
                Part::Moves => costs.moves += bits / 8.0,
                Part::Scores => costs.scores += bits / 8.0,
                Part::Rest => {}
            }
        };
        self.model.code(&mut coder, Some(game), account)?;
        let payload = coder.finish();
        let first = bytes.len();
        let mut length = payload.len();
        while length >= 128 {
            bytes.push(length as u8 | 128);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend_from_slice(&payload);
        self.hash = hash(self.hash, &bytes[first..]);
        bytes.extend_from_slice(&fold(self.hash).to_le_bytes());
        self.games += 1;
        self.costs.positions += game.moves.len() as u64;
        self.costs.bytes += (bytes.len() - first) as u64;
        Ok(())
    }

    /// The next game, the `number`th, and how many bytes it takes; `None` at the end. An input that
    /// ends too early leaves the state as it is.
    pub(super) fn read(
        &mut self,
        input: &mut impl Read,
        number: u64,
    ) -> Result<Option<(Game, u64)>, ArchiveError> {
        let bad = |what| Err(ArchiveError::BadGame(number, what));
        let Some(byte) = first_byte(input)? else { return Ok(None) };
        let mut head = vec![byte];
        let mut length = usize::from(byte & 127);
        while head[head.len() - 1] >= 128 {
            let mut byte = [0];
            fill(input, &mut byte, number)?;
            length |= usize::from(byte[0] & 127) << (7 * head.len());
            head.push(byte[0]);
            if length > MAX_LENGTH || head.len() > 3 {
                return bad("impossible length");
            }
        }
        let mut payload = vec![0; length];
        fill(input, &mut payload, number)?;
        let mut check = [0; 2];
        fill(input, &mut check, number)?;
        self.begin();
        let hash = hash(hash(self.hash, &head), &payload);
        if fold(hash) != u16::from_le_bytes(check) {
            return bad("wrong checksum");
        }
        let mut coder = Decoder::new(&payload);
        let game = match self.model.code(&mut coder, None, |_, _| {}) {
            Ok(game) if !coder.has_more() => game,
            Ok(_) => return bad("bytes without a meaning"),
            Err(what) => return bad(what),
        };
        self.hash = hash;
        self.games += 1;
        Ok(Some((game, (head.len() + length + 2) as u64)))
    }
}

/// Continues a hash.
fn hash(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(HASH_FACTOR))
}

/// Both halves in 16 bits.
fn fold(hash: u32) -> u16 {
    (hash >> 16) as u16 ^ hash as u16
}
