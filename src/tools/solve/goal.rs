//! What a line of a test file asks for, and whether an answer gives it.

use std::fmt;

use crate::notation;
use crate::position::Position;
use crate::types::{Move, Score};

/// How a game should end for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Win,
    Draw,
    Loss,
}

/// What counts as the right answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// Announce a mate in at most so many moves.
    Mate(u32),
    /// Announce being mated, in any number of moves.
    Mated,
    /// See how the game ends, and play a move that keeps it so (any move when none is named).
    Result(Wanted, Vec<Move>),
    /// Play one of these moves.
    Best(Vec<Move>),
    /// Play none of these moves.
    Avoid(Vec<Move>),
}

/// From here on a score counts as a win: three chances in four by the slope of the hand-made
/// evaluation (see `docs/experiments.md`), in centipawns.
pub(super) const WON: i32 = 280;

/// One line of a test file.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub pos: Position,
    pub goal: Goal,
    /// The operation `id`, else the number of the line.
    pub id: String,
    /// The operation `c0`, which files use for the kind of position; empty when there is none.
    pub group: String,
}

/// Why a line cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CaseError {
    Position(String),
    /// A move that is unreadable or illegal, with the reason.
    Move(String),
    /// A distance or result that is no such thing.
    Value(String),
    /// No `bm`, `am`, `dm` or `result`.
    NoGoal,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseError::Position(reason) | CaseError::Move(reason) => f.write_str(reason),
            CaseError::Value(value) => write!(f, "{value:?} is neither a distance nor a result"),
            CaseError::NoGoal => f.write_str("no bm, am, dm or result asks for anything"),
        }
    }
}

/// Cuts the part behind the FEN into operations: a name and its words, quotes removed.
fn operations(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    for c in text.chars().chain([';']) {
        let ends = !quoted && (c == ';' || c.is_whitespace());
        if c == '"' {
            quoted = !quoted;
            any = true;
        } else if !ends {
            word.push(c);
            any = true;
        }
        if ends && any {
            words.push(std::mem::take(&mut word));
            any = false;
        }
        if ends && c == ';' && !words.is_empty() {
            let rest = words.split_off(1);
            found.extend(words.pop().map(|name| (name, rest)));
        }
    }
    found
}

impl Case {
    /// Reads a line; `None` for an empty one or a comment. The FEN may have two, four or six fields.
    pub(super) fn parse(line: &str, number: usize) -> Option<Result<Case, CaseError>> {
        let line = line.trim();
        (!line.is_empty() && !line.starts_with('#')).then(|| Case::read(line, number))
    }

    fn read(line: &str, number: usize) -> Result<Case, CaseError> {
        let pos = Position::from_fen(line).map_err(|e| CaseError::Position(e.to_string()))?;
        // Fields of a FEN are a board, a side, dashes and numbers; the first other word names an
        // operation.
        let is_field = |word: &str| {
            word.contains('/')
                || word.len() == 1 && word.starts_with(['w', 'W', 'r', 'R', 'b', 'B'])
                || word.bytes().all(|b| b == b'-' || b.is_ascii_digit())
        };
        let start = line
            .split_whitespace()
            .find(|word| !is_field(word))
            .map_or(line.len(), |word| word.as_ptr() as usize - line.as_ptr() as usize);
        let operations = operations(&line[start..]);
        let of = |name: &str| operations.iter().find(|(known, _)| known == name).map(|(_, w)| w);
        let text = |name: &str| of(name).map(|words| words.join(" "));
        let moves = |name: &str| -> Result<Vec<Move>, CaseError> {
            let words = of(name).into_iter().flatten();
            words
                .map(|word| {
                    notation::read(&pos, word)
                        .map_err(|error| CaseError::Move(format!("{word}: {error}")))
                })
                .collect()
        };
        let (best, avoid) = (moves("bm")?, moves("am")?);
        let goal = if let Some(result) = text("result") {
            let wanted = match result.as_str() {
                "win" => Wanted::Win,
                "draw" => Wanted::Draw,
                "loss" => Wanted::Loss,
                _ => return Err(CaseError::Value(result)),
            };
            Goal::Result(wanted, best)
        } else if let Some(distance) = text("dm") {
            match distance.parse::<i32>() {
                Ok(moves) if moves > 0 => Goal::Mate(moves.unsigned_abs()),
                Ok(_) => Goal::Mated,
                Err(_) => return Err(CaseError::Value(distance)),
            }
        } else if !best.is_empty() {
            Goal::Best(best)
        } else if !avoid.is_empty() {
            Goal::Avoid(avoid)
        } else {
            return Err(CaseError::NoGoal);
        };
        let id = text("id").unwrap_or_else(|| format!("line {number}"));
        Ok(Case { pos, goal, id, group: text("c0").unwrap_or_default() })
    }
}

impl Goal {
    /// Whether an answer is right.
    pub(super) fn is_met(&self, score: Score, mv: Move) -> bool {
        match self {
            Goal::Mate(moves) => mate_in(score).is_some_and(|found| found <= *moves),
            Goal::Mated => score.is_mate() && score.is_loss(),
            Goal::Result(wanted, moves) => {
                let seen = match score.value() {
                    value if value >= WON => Wanted::Win,
                    value if value <= -WON => Wanted::Loss,
                    _ => Wanted::Draw,
                };
                seen == *wanted && (moves.is_empty() || moves.contains(&mv))
            }
            Goal::Best(moves) => moves.contains(&mv),
            Goal::Avoid(moves) => !moves.contains(&mv),
        }
    }

    /// Whether an answer once right cannot become wrong by searching on.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Goal::Mate(_) | Goal::Mated)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |moves: &[Move]| -> String {
            moves.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
        };
        match self {
            Goal::Mate(moves) => write!(f, "mate in {moves}"),
            Goal::Mated => f.write_str("mated"),
            Goal::Result(wanted, moves) => {
                let word = match wanted {
                    Wanted::Win => "win",
                    Wanted::Draw => "draw",
                    Wanted::Loss => "loss",
                };
                write!(f, "{word} {}", list(moves))
            }
            Goal::Best(moves) => f.write_str(&list(moves)),
            Goal::Avoid(moves) => write!(f, "not {}", list(moves)),
        }
    }
}

/// The moves in which the side to move gives the mate that a score announces.
pub(super) fn mate_in(score: Score) -> Option<u32> {
    let plies = score.mate_plies().filter(|_| score.is_win())?;
    u32::try_from((plies + 1) / 2).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4ka3/4a4/7R1/p3n4/3P5/6B2/5r3/4B3C/4A4/3AK4 w - - 0 1";

    fn goal(operations: &str) -> Result<Goal, CaseError> {
        Case::parse(&format!("{FEN} {operations}"), 1).unwrap().map(|case| case.goal)
    }

    #[test]
    fn operations_in_any_spacing() {
        let text = r#"bm i2i9  h7h9;dm 1;  id "a; b";c0 "exact" ; "#;
        let found = operations(text);
        let names: Vec<_> =
            found.iter().map(|(name, words)| (name.as_str(), words.len())).collect();
        assert_eq!(names, [("bm", 2), ("dm", 1), ("id", 1), ("c0", 1)]);
        assert_eq!(found[2].1, ["a; b"]);
    }

    #[test]
    fn every_goal() {
        let mv: Move = "i2i9".parse().unwrap();
        assert_eq!(goal("bm i2i9; dm 1;"), Ok(Goal::Mate(1)));
        assert_eq!(goal("dm -3;"), Ok(Goal::Mated));
        assert_eq!(goal("bm i2i9;"), Ok(Goal::Best(vec![mv])));
        assert_eq!(goal("am i2i9;"), Ok(Goal::Avoid(vec![mv])));
        assert_eq!(goal("result \"win\"; dm 4;"), Ok(Goal::Result(Wanted::Win, vec![])));
        assert_eq!(goal("id \"x\";"), Err(CaseError::NoGoal));
        assert!(matches!(goal("bm i2i1x;"), Err(CaseError::Move(_))));
        assert!(matches!(goal("bm a0a9;"), Err(CaseError::Move(_))));
        assert!(matches!(goal("dm soon;"), Err(CaseError::Value(_))));
        assert!(Case::parse("# note", 1).is_none() && Case::parse("  ", 1).is_none());
        assert!(matches!(Case::parse("9/9 w bm i2i9;", 1), Some(Err(CaseError::Position(_)))));
        let short = Case::parse("4ka3/4a4/7R1/p3n4/3P5/6B2/5r3/4B3C/4A4/3AK4 w bm i2i9;", 7);
        let case = short.unwrap().unwrap();
        assert_eq!((case.id.as_str(), case.goal), ("line 7", Goal::Best(vec![mv])));
    }

    #[test]
    fn a_longer_mate_is_not_the_one_asked_for() {
        let mv: Move = "i2i9".parse().unwrap();
        let met = |goal: &Goal, score| goal.is_met(score, mv);
        assert!(met(&Goal::Mate(2), Score::mate_in(3)) && met(&Goal::Mate(2), Score::mate_in(1)));
        assert!(
            !met(&Goal::Mate(2), Score::mate_in(5)) && !met(&Goal::Mate(2), Score::mated_in(2))
        );
        assert!(met(&Goal::Mated, Score::mated_in(2)) && !met(&Goal::Mated, Score::mate_in(3)));
        let win = Goal::Result(Wanted::Win, vec![mv]);
        assert!(met(&win, Score::new(WON)) && !met(&win, Score::new(WON - 1)));
        assert!(!win.is_met(Score::mate_in(3), "h7h9".parse().unwrap()));
    }
}
