//! From the arguments of `position` to a game.

use std::fmt;

use super::command::{Setup, Start};
use super::coordinates::{MoveError, Numbering};
use crate::position::{FenError, Position};
use crate::rules::Game;

/// Something in a setup that was not taken as it stood; the game is good all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Remark {
    /// The field after the board is neither a side nor anything else known.
    UnknownSide,
    /// Ranks with fewer than nine files.
    ShortRanks,
    /// The move list was cut short.
    Moves(MoveError),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::UnknownSide => f.write_str("unknown side to move, taken as Red"),
            Remark::ShortRanks => f.write_str("short ranks were filled up with empty points"),
            Remark::Moves(error) => error.fmt(f),
        }
    }
}

/// Builds the game a setup describes, with everything worth telling the user.
///
/// # Errors
/// When its FEN is not a position. An illegal move is no error: the moves before it count.
pub(super) fn build(
    setup: &Setup,
    numbering: &mut Numbering,
) -> Result<(Game, Vec<Remark>), FenError> {
    let mut remarks = Vec::new();
    let start = match &setup.start {
        Start::Initial => Position::startpos(),
        Start::Fen(fen) => {
            let pos = Position::from_fen(fen)?;
            remarks.extend(doubts(fen));
            pos
        }
    };
    let line = numbering.read_line(&start, &setup.moves);
    let mut game = Game::new(start);
    for mv in line.moves {
        game.play(mv);
    }
    remarks.extend(line.error.map(Remark::Moves));
    Ok((game, remarks))
}

/// What a lenient reader overlooked in a FEN it accepted.
fn doubts(fen: &str) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut fields = fen.split_ascii_whitespace();
    let board = fields.next().unwrap_or("");
    let files = |rank: &str| -> u32 { rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum() };
    if board.trim_end_matches('/').split('/').any(|rank| files(rank) < 9) {
        remarks.push(Remark::ShortRanks);
    }
    let known = |field: &str| {
        matches!(field, "w" | "W" | "r" | "R" | "b" | "B")
            || field.bytes().all(|b| b == b'-')
            || field.parse::<i64>().is_ok()
    };
    if fields.next().is_some_and(|field| !known(field)) {
        remarks.push(Remark::UnknownSide);
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::{Command, parse};

    fn read(line: &str) -> Result<(Game, Vec<Remark>), FenError> {
        match parse(line.as_bytes()) {
            Command::Position(setup) => build(&setup, &mut Numbering::default()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn games_and_remarks() {
        let (game, remarks) = read("position startpos moves h2e2 h9g7").unwrap();
        assert_eq!((game.moves().len(), remarks), (2, vec![]));
        let board = "3ak4/4a4/9/9/9/4R4/9/9/9/3AK4";
        for tail in ["", " w - - 0 1", " r moves", " -- 0 1", " b - - 3 5 ;x"] {
            let (_, remarks) = read(&format!("position fen {board}{tail}")).unwrap();
            assert_eq!(remarks, [], "{tail}");
        }
        let (_, remarks) = read(&format!("fen {board} x - - 0 1")).unwrap();
        assert_eq!(remarks, [Remark::UnknownSide]);
        let (_, remarks) = read("fen 3ak/4a4/9/9/9/4R4/9/9/9/3AK4 w moves e4e5 e4e6").unwrap();
        assert_eq!(remarks.len(), 2);
        assert_eq!(remarks[0], Remark::ShortRanks);
        assert!(read("position fen 9/9 w").is_err());
        assert!(read("position fen").is_err());
    }
}
