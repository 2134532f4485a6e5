//! Commands for people at a keyboard.

use std::fmt::Write;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

use super::coordinates::Coordinates;
use crate::eval::Evaluator;
use crate::position::{DiagramStyle, Position};
use crate::tools::{bench, perft};

/// What `help` prints.
pub(super) const HELP: &str = "\
ucci, uci               choose a protocol and list the options
position startpos       set the start position, or: position fen <FEN>
  ... moves h2e2 h9g7   and play moves from it
go depth 10             search; also: movetime <ms>, nodes <n>, mate <n>, infinite
go perft 4              count the leaf nodes below each move
stop                    end the search
setoption name <n> value <v>
d                       show the board
eval                    show the static evaluation
flip                    exchange the colours
bench                   search a fixed set of positions
quit                    leave";

/// What a terminal user is told at the start.
pub(super) const HINT: &str =
    "chuhe waits for UCCI or UCI commands. Type help for a list, quit to leave.";

/// Board, FEN and key.
pub(super) fn show(pos: &Position) -> String {
    format!("{}Fen: {}\nKey: {:016X}", pos.diagram(DiagramStyle::Ascii), pos.fen(), pos.key())
}

/// The static evaluation.
pub(super) fn evaluate(pos: &Position, evaluator: &mut Evaluator) -> String {
    let score = evaluator.evaluate(pos);
    let score = evaluator.calibration().shown(score);
    let side = if pos.side() == crate::types::Color::Red { "Red" } else { "Black" };
    format!("Static evaluation: {:+} centipawns for {side}, who moves next", score.value())
}

/// How this program was built.
pub(super) fn compiler() -> String {
    format!(
        "chuhe {} for {}-{}, {} build",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) { "development" } else { "release" }
    )
}

/// Leaf counts below each root move; `None` when `stop` became true before the end.
pub(super) fn count_leaves(
    pos: &Position,
    depth: i64,
    coordinates: Coordinates,
    stop: &AtomicBool,
) -> Option<String> {
    let depth = u32::try_from(depth.max(0)).unwrap_or(u32::MAX).min(perft::MAX_DEPTH);
    let threads = available_parallelism().map_or(1, NonZero::get);
    let threads = u16::try_from(threads).unwrap_or(u16::MAX).min(perft::MAX_THREADS);
    let counts = perft::divide_until(pos, depth, threads, stop)?;
    let mut text = String::new();
    for (mv, count) in &counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {count}", coordinates.show(*mv));
    }
    let total = if depth == 0 { 1 } else { counts.iter().map(|&(_, count)| count).sum::<u64>() };
    let _ = write!(text, "Nodes searched: {total}");
    Some(text)
}

/// Searches the bench positions.
pub(super) fn benchmark() -> String {
    match bench::search_all(&bench::Args::default(), |_, _, _| ()) {
        Ok(totals) => {
            format!("Nodes searched: {}\nNodes/second: {}", totals.nodes, totals.nps())
        }
        Err(error) => format!("bench: {error}"),
    }
}
