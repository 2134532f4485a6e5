//! Games of `XGR1`; the parent module describes them.

use std::io::Read;

use super::file::{fill, first_byte};
use super::{ArchiveError, Ending, Game, GameResult, MAX_MOVES, NO_SCORE, Packed};
use crate::position::Position;
use crate::types::Move;

const CHECK_BIT: u16 = 1 << 14;
const CAPTURE_BIT: u16 = 1 << 15;
const HIGHEST_SCORE: i16 = 32_000;

/// Appends the bytes of a game.
pub(super) fn encode(game: &Game, bytes: &mut Vec<u8>) {
    let packed = game.start != Position::startpos();
    bytes.push(packed as u8);
    bytes.push(game.result as u8 | (game.ending as u8) << 2);
    bytes.extend_from_slice(&(game.moves.len() as u16).to_le_bytes());
    bytes.extend_from_slice(&(game.unscored() as u16).to_le_bytes());
    if packed {
        bytes.extend_from_slice(&Packed::board(&game.start).to_bytes());
    }
    for sample in game.samples() {
        let check = if sample.position.in_check() { CHECK_BIT } else { 0 };
        let capture = if sample.position.captured(sample.mv).is_some() { CAPTURE_BIT } else { 0 };
        bytes.extend_from_slice(&(sample.mv.bits() | check | capture).to_le_bytes());
    }
    bytes.extend(game.scores.iter().flat_map(|score| score.to_le_bytes()));
}

/// The next game, the `number`th, and how many bytes it takes; `None` at the end.
pub(super) fn read(
    input: &mut impl Read,
    number: u64,
) -> Result<Option<(Game, u64)>, ArchiveError> {
    let Some(kind) = first_byte(input)? else { return Ok(None) };
    let bad = |what| Err(ArchiveError::BadGame(number, what));
    if kind > 1 {
        return bad("unknown kind of start");
    }
    let mut head = [0; 5];
    fill(input, &mut head, number)?;
    let [outcome, n0, n1, r0, r1] = head;
    let count = usize::from(u16::from_le_bytes([n0, n1]));
    let unscored = usize::from(u16::from_le_bytes([r0, r1]));
    let Some(&result) = GameResult::ALL.get(usize::from(outcome & 3)) else {
        return bad("unknown result");
    };
    let Some(&ending) = Ending::ALL.get(usize::from(outcome >> 2)) else {
        return bad("unknown ending");
    };
    if count > MAX_MOVES || unscored > count {
        return bad("impossible number of moves");
    }
    let mut start = Position::startpos();
    if kind == 1 {
        let mut board = [0; Packed::LEN];
        fill(input, &mut board, number)?;
        match Packed::from_bytes(board).position() {
            Some(position) => start = position,
            None => return bad("impossible start"),
        }
    }
    let mut words = vec![0; 2 * (count + count - unscored)];
    fill(input, &mut words, number)?;
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
    let board = if kind == 1 { Packed::LEN } else { 0 };
    let length = (6 + board + words.len()) as u64;
    Ok(Some((Game { start, result, ending, moves, scores }, length)))
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
