//! Start positions from EPD, FEN and PGN files.

use std::path::Path;

use super::ArenaError;
use crate::position::Position;
use crate::record::pgn;
use crate::rules::{Game, RuleSet, Verdict};
use crate::types::Move;

/// Where a game begins: a position and moves that are given.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// The position.
    pub start: Position,
    /// Legal moves from there, played before the engines are asked.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The start position of xiangqi.
    pub fn standard() -> Opening {
        Opening { start: Position::startpos(), moves: Vec::new() }
    }

    /// The game at the moment the engines take over.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        self.moves.iter().for_each(|&mv| {
            game.play(mv);
        });
        game
    }
}

/// Reads a file of openings: PGN when it begins with a tag or is called `.pgn`, else a position a
/// line, of which anything behind the FEN is ignored, as are empty lines and lines with `#`.
/// `plies` cuts the moves of PGN games.
///
/// # Errors
/// When the file cannot be read, holds no opening, or one that is no position or over already.
pub fn load(path: &Path, plies: usize, rules: RuleSet) -> Result<Vec<Opening>, ArenaError> {
    let shown = path.display();
    let bytes =
        std::fs::read(path).map_err(|error| ArenaError::Config(format!("{shown}: {error}")))?;
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    parse(&bytes, is_pgn, plies, rules)
        .map_err(|text| ArenaError::Config(format!("{shown}: {text}")))
}

fn parse(bytes: &[u8], is_pgn: bool, plies: usize, rules: RuleSet) -> Result<Vec<Opening>, String> {
    let text = crate::record::decode(bytes);
    let openings = if is_pgn || text.trim_start().starts_with('[') {
        games(&text, plies, rules)?
    } else {
        positions(&text, rules)?
    };
    if openings.is_empty() { Err("no opening in it".to_string()) } else { Ok(openings) }
}

fn positions(text: &str, rules: RuleSet) -> Result<Vec<Opening>, String> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = |reason: String| format!("line {}: {reason}", index + 1);
        let start = Position::from_fen(line).map_err(|error| place(error.to_string()))?;
        let opening = Opening { start, moves: Vec::new() };
        check(&opening, rules).map_err(place)?;
        openings.push(opening);
    }
    Ok(openings)
}

fn games(text: &str, plies: usize, rules: RuleSet) -> Result<Vec<Opening>, String> {
    let reading = pgn::read_text(text);
    if let Some(warning) = reading.warnings.first() {
        return Err(warning.to_string());
    }
    let mut openings = Vec::new();
    for (index, record) in reading.records.iter().enumerate() {
        let opening = Opening { start: record.start, moves: record.moves().take(plies).collect() };
        check(&opening, rules).map_err(|reason| format!("game {}: {reason}", index + 1))?;
        openings.push(opening);
    }
    Ok(openings)
}

/// An opening must leave something to play.
fn check(opening: &Opening, rules: RuleSet) -> Result<(), String> {
    match opening.game().verdict(rules) {
        Verdict::Ongoing => Ok(()),
        Verdict::Draw(reason) | Verdict::Win(_, reason) => Err(format!("already over: {reason}")),
    }
}

/// Shuffles by a seed, the same way everywhere and always: shards on many machines must agree.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        // splitmix64 (Steele, Lea and Flood 2014)
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        let pick = (u128::from(word) * (last as u128 + 1)) >> 64;
        items.swap(last, pick as usize);
    }
}

/// A fingerprint of a list in its order: FNV-1a over positions and moves.
pub fn fingerprint(openings: &[Opening]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for opening in openings {
        let moves: Vec<String> = opening.moves.iter().map(|mv| mv.to_string()).collect();
        for byte in format!("{} {}\n", opening.start.fen(), moves.join(" ")).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Vec<Opening>, String> {
        parse(text.as_bytes(), false, usize::MAX, RuleSet::default())
    }

    #[test]
    fn kinds_of_files() {
        let fen = Position::START_FEN;
        let openings = parse_text(&format!(
            "# two\n\n{fen}\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - id \"x\";\n"
        ));
        let openings = openings.unwrap();
        assert_eq!(openings.len(), 2);
        assert_eq!(openings[1].start.side(), crate::types::Color::Black);
        let text = b"[Red \"A\"]\n\n1. C2.5 N8+7 2. N2+3 *\n";
        let openings = parse(text, false, 2, RuleSet::default()).unwrap();
        assert_eq!(openings[0].moves.len(), 2, "cut");
        assert_eq!(openings[0].game().moves(), openings[0].moves);
    }

    #[test]
    fn mistakes_name_the_place() {
        for (text, part) in [
            ("\n\nrnbakabnr w\n", "line 3: 1 ranks"),
            ("3k5/9/9/9/9/9/9/4B4/9/5K3 w\n", "line 1: already over"),
            ("# nothing\n", "no opening"),
            ("[Red \"A\"]\n1. C2.5 C9.9 *\n", "line 2: ply 2"),
        ] {
            let error = parse_text(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn shuffling_is_a_fixed_permutation() {
        let mut numbers: Vec<u32> = (0..100).collect();
        shuffle(&mut numbers, 7);
        let again = {
            let mut numbers: Vec<u32> = (0..100).collect();
            shuffle(&mut numbers, 7);
            numbers
        };
        assert_eq!(numbers, again);
        let mut other: Vec<u32> = (0..100).collect();
        shuffle(&mut other, 8);
        assert_ne!(numbers, other);
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(0..100));
        // Every place is reached about equally often.
        let mut sums = [0u32; 4];
        for seed in 0..4000 {
            let mut items = [0u32, 1, 2, 3];
            shuffle(&mut items, seed);
            sums.iter_mut().zip(items).for_each(|(sum, item)| *sum += item);
        }
        assert!(sums.iter().all(|&sum| (5_700..6_300).contains(&sum)), "{sums:?}");
    }
}
