//! The languages: which one is spoken, and how each says the same thing.

use std::fmt::Write;

use super::coordinates::Coordinates;
use super::output::MAX_LINE;
use super::{ucci, uci, xboard};
use crate::types::{Move, Score};

/// The protocol spoken since the last greeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Nothing said yet.
    Boot,
    /// UCCI.
    Ucci,
    /// UCI, and whoever did not greet.
    Uci,
    /// The protocol of XBoard.
    XBoard,
}

/// A line of analysis with a memory of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Report {
    /// Iteration, from 1.
    pub(super) depth: u32,
    /// Deepest ply.
    pub(super) seldepth: u32,
    /// Rank of the line, from 1.
    pub(super) multipv: usize,
    /// From the side to move.
    pub(super) score: Score,
    /// Chances of a win, a draw and a loss in per mille, if they are to be shown.
    pub(super) wdl: Option<[u32; 3]>,
    /// Nodes so far.
    pub(super) nodes: u64,
    /// Milliseconds so far.
    pub(super) millis: u64,
    /// Per mille.
    pub(super) hashfull: u32,
    /// Never empty.
    pub(super) pv: Vec<Move>,
}

impl Report {
    /// Nodes per second, 0 before the first millisecond is over.
    pub(super) fn nps(&self) -> u64 {
        let nps = u128::from(self.nodes) * 1000 / u128::from(self.millis.max(1));
        if self.millis == 0 { 0 } else { u64::try_from(nps).unwrap_or(u64::MAX) }
    }
}

impl Mode {
    /// The answer to the greeting.
    pub(super) fn banner(self) -> String {
        match self {
            Mode::Ucci => ucci::banner(),
            Mode::Uci | Mode::Boot => uci::banner(),
            // XBoard asks for the features with a word of its own.
            Mode::XBoard => String::new(),
        }
    }

    /// A message for people.
    pub(super) fn message(self, text: &str) -> String {
        match self {
            Mode::Ucci => format!("info message {text}"),
            Mode::Uci | Mode::Boot => format!("info string {text}"),
            Mode::XBoard => format!("# {text}"),
        }
    }

    /// A full `info` line; `several` when more than one line is reported for each depth.
    pub(super) fn info(self, report: &Report, several: bool, coordinates: Coordinates) -> String {
        let mut line = match self {
            Mode::Ucci => ucci::info(report, several),
            Mode::Uci | Mode::Boot => uci::info(report),
            Mode::XBoard => xboard::info(report),
        };
        if self != Mode::XBoard {
            line.push_str(" pv");
        }
        for (index, &mv) in report.pv.iter().enumerate() {
            let length = line.len();
            // Writing to a string cannot fail.
            let _ = write!(line, " {}", coordinates.show(mv));
            if line.len() >= MAX_LINE && index > 0 {
                line.truncate(length);
                break;
            }
        }
        line
    }

    /// The final answer.
    pub(super) fn best_move(
        self,
        mv: Move,
        ponder: Option<Move>,
        coordinates: Coordinates,
    ) -> String {
        let mut line = format!("bestmove {}", coordinates.show(mv));
        if let Some(reply) = ponder {
            let _ = write!(line, " ponder {}", coordinates.show(reply));
        }
        line
    }
}
